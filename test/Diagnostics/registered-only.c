// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A registration alone, in a file without markers, is of no concern.
//
// RUN: %clang -O2 %adze -c %s -o %t.o
double f(double x) { return x * x; }
void *__enzyme_register_gradient_f[] = {(void *)f, (void *)f, (void *)f};
