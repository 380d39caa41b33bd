// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What __enzyme_todense returns is no memory, and a view that collects is right
// for sums alone.
//
// RUN: rm -rf %t && mkdir %t
// RUN: not %clang -O1 %adze -DLOST -c %s -o %t/a.o 2>&1 | FileCheck --check-prefix=LOST %s
// RUN: not %clang -O0 %adze -DLOST -c %s -o %t/a.o 2>&1 | FileCheck --check-prefix=LOST %s
// RUN: not %clang -O1 %adze -DTWICE -c %s -o %t/a.o 2>&1 | FileCheck --check-prefix=LOST %s
// RUN: %clang -O0 %adze -DTWICE -c %s -o %t/a.o
// RUN: not %clang -O1 %adze -DSHIFTED -c %s -o %t/a.o 2>&1 | FileCheck --check-prefix=LOST %s
// RUN: not %clang -O1 %adze -DSTORED -c %s -o %t/a.o 2>&1 | FileCheck --check-prefix=STORED %s
// RUN: not %clang -O1 %adze -DPASSED -c %s -o %t/a.o 2>&1 | FileCheck --check-prefix=PASSED %s
// RUN: not %clang -O1 %adze -DNUMBER -c %s -o %t/a.o 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: not %clang -O1 %adze -DOTHER -c %s -o %t/a.o 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: not %clang -O1 %adze -DUNKNOWN -c %s -o %t/a.o 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not %clang -O1 %adze -DMISFIT -c %s -o %t/a.o 2>&1 | FileCheck --check-prefix=MISFIT %s
// LOST: error: cannot use what '__enzyme_todense' returns as memory: what is stored there is read again, but 'load' returns zero, which is right in sums alone
// STORED: error: {{.*}}: its address is stored
// PASSED: error: {{.*}}: it is passed to a function without a body, or in memory
// NUMBER: error: {{.*}}: its address is used as a number
// OTHER: error: {{.*}}: something other than its numbers is read
// UNKNOWN: error: {{.*}}: its functions are not known at compile time
// MISFIT: error: {{.*}}: 'load' does not take a distance in bytes and what is captured
extern int enzyme_dup;
double *__enzyme_todense(void *, void *, ...);
void __enzyme_fwddiff(void *, ...);
void unknown(double *);
double *kept;

static double load(long at, int *count) { return 0; }
static void store(double v, long at, int *count) { *count += v != 0; }

#if defined(LOST)
static void scale(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i];
  for (int i = 0; i < n; ++i)
    y[i] = y[i] * x[i];
}
void f(double *x, double *dx, double *y, int n) {
  int count;
  __enzyme_fwddiff((void *)scale, x, dx, y,
                   __enzyme_todense((void *)load, (void *)store, &count), n);
}
#elif defined(UNKNOWN)
double *f(void *g) { return __enzyme_todense(g, (void *)store, 1L); }
#elif defined(MISFIT)
double f(void) { return *__enzyme_todense((void *)load, (void *)store); }
#else
double f(double a, double b, int c) {
  double *p = __enzyme_todense((void *)load, (void *)store, &c);
#if defined(TWICE)
  *p += a;
  if (c)
    *p += b;
  return 0;
#elif defined(SHIFTED)
  for (int i = 0; i < c; ++i)
    p[i + 1] = p[i] + a;
  return 0;
#elif defined(STORED)
  kept = p;
  return 0;
#elif defined(PASSED)
  unknown(p);
  return 0;
#elif defined(NUMBER)
  return (double)(long)p;
#elif defined(OTHER)
  return *(char *)p;
#endif
}
#endif
