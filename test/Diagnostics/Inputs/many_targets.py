# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a program that calls one of so many functions through a pointer.

  many_targets.py COUNT
"""
import sys

count = int(sys.argv[1])
print("double __enzyme_autodiff(void *, ...);")
for i in range(count):
    print(f"double f{i}(double x) {{ return x * {i}; }}")
names = ", ".join(f"f{i}" for i in range(count))
print(f"double (*all[])(double) = {{{names}}};")
print("double through(double (*g)(double), double x) { return g(x) * x; }")
print("double slope(double (*g)(double), double x) {")
print("  return __enzyme_autodiff((void *)through, g, g, x);")
print("}")
