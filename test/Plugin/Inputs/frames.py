# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The source frames, as profilers and debuggers find them, of each call of a
function in an object file: frames.py OBJECT CALLER CALLEE."""

import re
import subprocess
import sys

obj, caller, callee = sys.argv[1:]
code = subprocess.run(["llvm-objdump", "-dr", "--no-show-raw-insn", obj], text=True, check=True,
                      stdout=subprocess.PIPE).stdout
inside, address = False, None
for line in code.splitlines():
    if line.endswith(">:"):
        inside = line.endswith(f"<{caller}>:")
    elif inside and re.search(rf"R_\S+\s+{callee}[-+]", line):
        shown = subprocess.run(["llvm-symbolizer", "--inlines", "--obj=" + obj, address],
                               text=True, check=True, stdout=subprocess.PIPE).stdout
        print(" in ".join(shown.split()))
    elif match := re.match(r"\s*([0-9a-f]+):\s", line):
        if "R_" not in line:
            address = "0x" + match[1]
