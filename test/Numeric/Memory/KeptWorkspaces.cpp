// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workspaces that outlive a derivative and are read by the next one before they
// are written: what is found there is constant. A block that grows by realloc, a
// vector, one of the thread, a list, a table of rows, floats of four bytes.
// ADZE: leaks no-jit reason="the workspaces live as long as the program, and that of the thread longer than the code of a JIT"
#include "check.h"
#include <cstdlib>
#include <vector>

extern "C" {
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
}

namespace {

double *block;
int have;
double *room(int n) {
  if (have < n) {
    block = (double *)realloc(block, n * sizeof(double));
    for (int i = have; i < n; ++i)
      block[i] = 1;
    have = n;
  }
  return block;
}
double heap(const double *x, int n) {
  double *w = room(n), s = x[0];
  for (int i = 0; i < n; ++i)
    s += 2 * w[i];
  for (int i = 0; i < n; ++i)
    w[i] = x[i] * x[i];
  return s;
}

std::vector<double> kept;
double vector(const double *x, int n) {
  double s = x[0];
  if ((int)kept.size() < n)
    kept.resize(n, 1.0);
  for (int i = 0; i < n; ++i)
    s += 2 * kept[i];
  for (int i = 0; i < n; ++i)
    kept[i] = x[i] * x[i];
  return s;
}

double ofThread(const double *x, int n) {
  static thread_local std::vector<double> own;
  double s = x[0];
  if ((int)own.size() < n)
    own.resize(n, 1.0);
  for (int i = 0; i < n; ++i)
    s += 2 * own[i];
  for (int i = 0; i < n; ++i)
    own[i] = x[i] * x[i];
  return s;
}

struct node {
  double v;
  node *next;
};
node *first;
double list(const double *x, int n) {
  double s = x[0];
  if (!first)
    for (int i = 0; i < n; ++i)
      first = new node{1, first};
  for (node *p = first; p; p = p->next)
    s += 2 * p->v;
  int i = 0;
  for (node *p = first; p; p = p->next)
    p->v = x[i] * x[i], i++;
  return s;
}

double **rows;
double table(const double *x, int n) {
  double s = x[0];
  if (!rows) {
    rows = new double *[n];
    for (int i = 0; i < n; ++i)
      rows[i] = new double[2]{1, 2};
  }
  for (int i = 0; i < n; ++i)
    s += rows[i][0] * rows[i][1];
  for (int i = 0; i < n; ++i)
    rows[i][0] = x[i] * x[i], rows[i][1] = x[i];
  return s;
}

float *small;
double ofFloats(const double *x, int n) {
  double s = x[0];
  if (!small)
    small = (float *)calloc(n, sizeof(float));
  for (int i = 0; i < n; ++i)
    s += small[i];
  for (int i = 0; i < n; ++i)
    small[i] = (float)(x[i] * x[i]);
  return s;
}

constexpr int N = 5;
constexpr double At[N] = {0.5, 0.7, -0.4, 0.2, -1.1};

} // namespace

#define EACH(WHAT) WHAT(heap) WHAT(vector) WHAT(ofThread) WHAT(list) WHAT(table) WHAT(ofFloats)

#if ADZE_REVERSE
#define GRADIENT(f)                                                                      \
  for (int run = 0; run < 3; ++run) {                                                    \
    double x[N], d[N] = {};                                                              \
    for (int i = 0; i < N; ++i)                                                          \
      x[i] = At[i];                                                                      \
    __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, N);                     \
    for (int i = 0; i < N; ++i)                                                          \
      adze_near(#f, d[i], i == 0, 0);                                                    \
  }
ADZE_TEST_REVERSE(gradients) { EACH(GRADIENT) }
#endif

#if ADZE_FORWARD
#define TANGENT(f)                                                                       \
  for (int run = 0; run < 3; ++run) {                                                    \
    double x[N], t[N];                                                                   \
    for (int i = 0; i < N; ++i)                                                          \
      x[i] = At[i], t[i] = 1 + run;                                                      \
    adze_near(#f, __enzyme_fwddiff((void *)f, enzyme_dup, x, t, enzyme_const, N), 1 + run, 0); \
  }
ADZE_TEST_FORWARD(tangents) { EACH(TANGENT) }
#endif
