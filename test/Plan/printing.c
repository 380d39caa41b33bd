// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that print overwrite nothing that a derivative reads, unless their
// format asks for a count.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"
typedef struct File File;
extern File *log_file;
int fprintf(File *, const char *, ...);
int puts(const char *);

double warns(const double *x, const int *at, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double v = x[at[i]];
    if (v < 0) {
      fprintf(log_file, "%s: %5.2f%% at %ld\n", "below", v, i);
      puts("below 0");
    }
    s += v * v;
  }
  return s;
}
// CHECK-LABEL: plan of rev.warns.
// CHECK: %[[AT:[0-9]+]] = load {{ *}}recompute
// CHECK: bytes: {{[0-9]+$}}
PLAN(warns, P(0), C(1), N(0))

double counts(const double *x, int *width, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double v = x[width[i]];
    if (v < 0)
      fprintf(log_file, "%g%n\n", v, width);
    s += v * v;
  }
  return s;
}
// CHECK-LABEL: plan of rev.counts.
// CHECK: bytes: {{[0-9]+}} + {{[0-9]+}} [
PLAN(counts, P(0), C(1), N(0))
