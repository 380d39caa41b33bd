// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Tasks with objects of classes, that are copied and destroyed.
#include "sizes.h"
#include <cmath>

namespace {

int Living = 0;

struct Number {
  double Held;
  explicit Number(double V = 0) : Held(V) { count(1); }
  Number(const Number &Other) : Held(Other.Held) { count(1); }
  ~Number() { count(-1); }
  static void count(int By) {
#pragma omp atomic
    Living += By;
  }
};

struct Row {
  double Held[Count];
  int Size;
  Row(const double *x, int n) : Size(n) {
    for (int i = 0; i < n; ++i)
      Held[i] = x[i];
  }
  Row(const Row &Other) : Row(Other.Held, Other.Size) {}
  double *begin() { return Held; }
  double *end() { return Held + Size; }
  double &operator[](int i) { return Held[i]; }
};

#pragma omp declare reduction(mul : double : omp_out *= omp_in)                \
    initializer(omp_priv = 1)

// Copies that tasks make, and change.
double copies(int threads, const double *x, int n) {
  double s = 0, t = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    Number a(x[0]);
    Row v(x, n);
#pragma omp task firstprivate(a) shared(s)
    {
      a.Held *= x[1];
      s += a.Held;
    }
#pragma omp task firstprivate(v) shared(t)
    {
      for (double &e : v)
        e *= e;
      for (double e : v)
        t += e * v[0];
    }
#pragma omp taskwait
    for (int i = 0; i < n; ++i)
#pragma omp task firstprivate(i) shared(v, a) depend(inout : s)
      v[i] *= a.Held;
#pragma omp taskwait
    for (double e : v)
      t += std::sin(e);
  }
  return Living == 0 ? s * t : NAN;
}

// A copy for each part of a loop.
double parts(int threads, const double *x, int n) {
  double y[Count], p = 1;
#pragma omp parallel num_threads(threads)
#pragma omp master
  {
    Number a(x[0]), last(0);
#pragma omp taskloop grainsize(1) firstprivate(a) lastprivate(last) shared(y)
    for (int i = 0; i < n; ++i) {
      a.Held *= x[i];
      y[i] = a.Held;
      last.Held = a.Held;
    }
    y[0] += last.Held;
#pragma omp taskloop num_tasks(3) reduction(mul : p)
    for (int i = 0; i < n; ++i)
      p *= 1 + 0.1 * x[i];
  }
  double s = p;
  for (int i = 0; i < n; ++i)
    s += y[i] * x[i];
  return Living == 0 ? s : NAN;
}

// Sorting by merging: recursion, with local arrays.
void sort(Row &v, int begin, int end) {
  if (end - begin < 2)
    return;
  int middle = (begin + end) / 2;
#pragma omp task shared(v) if (end - begin > 3)
  sort(v, begin, middle);
#pragma omp task shared(v)
  sort(v, middle, end);
#pragma omp taskwait
  double w[Count];
  int k = 0;
  for (int i = begin, j = middle; i < middle || j < end;)
    w[k++] = j == end || (i < middle && v[i] < v[j]) ? v[i++] : v[j++];
  for (int i = begin; i < end; ++i)
    v[i] = w[i - begin];
}
double sorted(int threads, const double *x, int n) {
  Row v(x, n);
#pragma omp parallel num_threads(threads)
#pragma omp single
  sort(v, 0, n);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += v[i] * v[i] * i;
  return s;
}

} // namespace

STEADY(copies)
// (Without optimization, the copy of a task is one that constructors may have
// shown to others: refused.)
#if __OPTIMIZE__
STEADY(parts)
#endif
STEADY(sorted)
