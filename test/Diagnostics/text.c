// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An active number that is written as text or to a file, and read again, loses its derivative:
// that is said once for each place that reads, with one that writes. What is only printed, and what is
// read from text of constants, is nothing to be told.
//
// RUN: %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -Xclang -load -Xclang %plugin -mllvm -adze-text=error -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %clang -O2 -g %adze -Xclang -load -Xclang %plugin -mllvm -adze-text=cut -c %s -o %t.o 2>&1 | count 0
// RUN: not %clang -O2 -g %adze -Xclang -load -Xclang %plugin -mllvm -adze-text=perhaps -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup;

// CHECK-NOT: warning:
// CHECK: text.c:[[#@LINE+7]]:{{.*}}: warning: the derivative ends here: 'strtod' reads a number back from text or a file that an active number was written to
// CHECK-NEXT: an active number is written here ({{.*}}text.c:[[#@LINE+5]]:
// CHECK: to fix: keep the number itself; or say -mllvm -adze-text=cut
// ERROR: text.c:[[#@LINE+4]]:{{.*}}: error: the derivative would end here: 'strtod' reads
static double throughText(double x) {
  char text[64];
  snprintf(text, sizeof text, "%.17g", x * x);
  return x * strtod(text, 0);
}

static char line[256];
__attribute__((noinline)) static void put(double v) { sprintf(line, "v=%.17g", v); }
// CHECK: text.c:[[#@LINE+3]]:{{.*}}: warning: the derivative ends here: '{{.*}}sscanf' reads
__attribute__((noinline)) static double get(void) {
  double v;
  return sscanf(line, "v=%lf", &v) == 1 ? v : 0;
}
static double throughGlobal(double x) {
  put(x * x);
  return x * get();
}

// CHECK: text.c:[[#@LINE+6]]:{{.*}}: warning: the derivative ends here: 'fread' reads
static double throughFile(double x) {
  double y = x * x, z = 0;
  FILE *f = tmpfile();
  fwrite(&y, sizeof y, 1, f);
  rewind(f);
  if (fread(&z, sizeof z, 1, f) != 1)
    z = 0;
  fclose(f);
  return x * z;
}

// CHECK-NOT: warning:
static double only(double x) {
  char text[64];
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * x;
    snprintf(text, sizeof text, "%g", s);
    puts(text);
    fprintf(stderr, "step %d: %g\n", i, s);
    s *= atof("1e-3") + strtod(getenv("FACTOR"), 0);
  }
  return s;
}

double all(double x) {
  return __enzyme_autodiff((void *)throughText, x) + __enzyme_autodiff((void *)throughGlobal, x) +
         __enzyme_autodiff((void *)throughFile, x) + __enzyme_autodiff((void *)only, x);
}
// UNKNOWN: perhaps
