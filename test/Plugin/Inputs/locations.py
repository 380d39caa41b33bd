# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of derivatives in printed IR, and those of them that
have no location though they could: phis and allocas have none."""

import re
import sys

total = bare = 0
inside = False
for line in sys.stdin:
    if line.startswith("define"):
        inside = "@adze.primal." not in line
    elif line.startswith("}"):
        inside = False
    elif inside and re.match(r"  (%|store|br|ret|call|tail|switch|unreachable|fence)", line):
        if re.search(r"= (phi|alloca) ", line):
            continue
        total += 1
        if "!dbg" not in line and not line.rstrip().endswith("["):
            bare += 1
            print("no location:", line.rstrip())
print(f"{total} instructions, {bare} without location")
