# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""readme.py README.md PROGRAM.c: writes the first C block of the text to a
file, and prints the first text block after it: what the program must print."""
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
program = re.search(r"^```c\n(.*?)^```$", text, re.S | re.M)
output = re.search(r"^```text\n(.*?)^```$", text[program.end():], re.S | re.M)
open(sys.argv[2], "w", encoding="utf-8").write(program.group(1))
sys.stdout.write(output.group(1))
