# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""small_stack.py KIB COMMAND...: runs a command with so small a stack."""
import os
import resource
import sys

size = int(sys.argv[1]) * 1024
resource.setrlimit(resource.RLIMIT_STACK, (size, size))
os.execvp(sys.argv[2], sys.argv[2:])
