# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and kills it as soon as a file is there.

  kill_when.py FILE COMMAND...

Fails if the command ends by itself before.
"""
import pathlib
import subprocess
import sys
import time

process = subprocess.Popen(sys.argv[2:])
while process.poll() is None and not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.001)
process.kill()
sys.exit(0 if process.wait() == -9 else "the command was not killed")
