// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
static double plain(double x) { return x * x; }
static double quick(double x) { return x * x + 0.0; }
static double (*choose(void))(double) { return __builtin_cpu_supports("avx2") ? quick : plain; }
double square(double) __attribute__((ifunc("choose")));
double use(double x) { return square(x) - x; }
