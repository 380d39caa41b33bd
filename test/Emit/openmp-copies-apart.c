// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No two copies of parts of shadows have memory in common, and sums in them say so.
// One thread adds to the parts themselves, if that is so of them, and if their
// bounds are right.
//
// RUN: %clang -O2 -fopenmp %adze -DGRADIENT -S -emit-llvm %s -o - | FileCheck %s
// CHECK-DAG: !"adze.copy.0"}
// CHECK-DAG: !"adze.copy.1"}
// RUN: %clang -O1 -fopenmp %s -o %t && %t
#ifdef GRADIENT
void __enzyme_autodiff(void *, ...);
extern int enzyme_const;
static double sum(int n, int d, const double *points, const double *mean,
                  const double *width) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < d; ++j)
      s += (points[i * d + j] - mean[j]) * width[j] * width[j];
  return s;
}
void of_sum(int n, int d, double *points, double *mean, double *dmean,
            double *width, double *dwidth) {
  __enzyme_autodiff((void *)sum, n, d, enzyme_const, points, mean, dmean, width,
                    dwidth);
}
#else
#include "../../lib/Runtime/Teams.c"
int printf(const char *, ...);
void exit(int);
void omp_set_num_threads(int);
void adze_stop(const char *Text) {
  printf("%s\n", Text);
  exit(1);
}
void *adze_tape_alloc(uint64_t Bytes) { return malloc(Bytes); }
void adze_tape_free(void *Block) { free(Block); }

static double Shadow[64];

/// Two parts of ten, as far from each other as \p Distance; whether the thread
/// may add to them.
static int asked(int Distance, _Bool AreBounds) {
  struct Part Parts[2] = {{(char *)(Shadow + 20), NULL, 80, IsDouble},
                          {(char *)(Shadow + 20 + Distance), NULL, 80, IsDouble}};
  const _Bool May = adze_team_copies_begin(Parts, 2, 0, AreBounds);
  if (Parts[0].Copy != Parts[0].Shadow || Parts[1].Copy != Parts[1].Shadow)
    return -1;
  return May;
}

int main(void) {
  omp_set_num_threads(1);
  for (int Distance = -20; Distance <= 20; ++Distance) {
    const int AreApart = Distance >= 10 || Distance <= -10;
    if (asked(Distance, 1) != AreApart || asked(Distance, 0) != 0) {
      printf("parts %d from each other\n", Distance);
      return 1;
    }
  }
  return 0;
}
#endif
