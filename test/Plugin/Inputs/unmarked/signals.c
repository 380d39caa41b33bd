// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
static volatile sig_atomic_t seen;
static void note(int number) { seen = number; }
static _Thread_local int depth __attribute__((tls_model("initial-exec")));
static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}
int sorted(double *x, size_t n) {
  signal(SIGINT, note);
  ++depth;
  qsort(x, n, sizeof *x, compare);
  errno = 0;
  return seen + depth;
}
