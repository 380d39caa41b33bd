// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp -latomic" skip-unless=header:omp.h
// Atomic operations: every operator, both orders of operands, every clause.
#include "sizes.h"

// In any order the same, up to rounding.
static double products(int threads, const double *x, int n) {
  double p = 1, q = 3, most = -9, least = 9, s = 1;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int i = 0; i < n; ++i) {
    double t = 1 + 0.1 * x[i] * x[i];
#pragma omp atomic
    p *= t;
#pragma omp atomic update
    q /= t;
#pragma omp atomic compare
    most = most < x[i] ? x[i] : most;
#pragma omp atomic compare
    if (x[i] < least)
      least = x[i];
#pragma omp atomic
    s += t * x[i];
  }
  return p * q * q + most * least + s;
}

// One thread after the other: what comes out depends on the order.
static double turns(int threads, const double *x, int n) {
  double a = x[0], b = x[1], c = x[2], kept[8], seen[8], found[8];
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
    double t = 1 + x[me % n], v, w, u;
    for (int k = 0; k < omp_get_num_threads(); ++k) {
      if (k == me) {
#pragma omp atomic
        a = t - a;
#pragma omp atomic
        b = t / b;
#pragma omp atomic capture
        v = a *= t;
#pragma omp atomic capture
        {
          w = b;
          b = v;
        }
#pragma omp atomic capture
        {
          u = c;
          c += w;
        }
#pragma omp atomic
        c -= 0.5 * t;
        kept[me] = v;
        seen[me] = w;
        found[me] = u;
      }
#pragma omp barrier
    }
  }
  double s = a * b + c;
  for (int k = 0; k < threads; ++k)
    s += kept[k] * seen[k] + found[k] * found[k];
  return s;
}

// Clauses, and a sum beside what reads it.
static double clauses(int threads, const double *x, int n) {
  double s = 0, last = 0, total = 0;
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
    double v;
    for (int k = 0; k < omp_get_num_threads(); ++k) {
      if (k == me) {
#pragma omp atomic seq_cst
        s += x[me % n];
#pragma omp atomic read seq_cst
        v = s;
#pragma omp atomic write release
        last = v * v;
#pragma omp atomic capture acq_rel
        v = s *= 1.5;
#pragma omp atomic hint(omp_sync_hint_contended) relaxed
        total += v;
      }
#pragma omp barrier
    }
#pragma omp atomic read acquire
    v = last;
#pragma omp atomic
    total += v * x[3] / omp_get_num_threads();
  }
  return s * last + total;
}

// Exchange if it is what is expected.
static double compared(int threads, const double *x, int n) {
  double a = 2, b = x[1], seen[8];
#pragma omp parallel num_threads(threads)
  for (int k = 0; k < omp_get_num_threads(); ++k) {
    int me = omp_get_thread_num();
    if (k == me) {
      double expected = 2, to = x[me % n] * x[2], old;
#pragma omp atomic compare
      if (a == expected) {
        a = to;
      }
#pragma omp atomic compare capture
      {
        old = b;
        if (b == to) {
          b = expected;
        }
      }
      seen[me] = old;
    }
#pragma omp barrier
  }
  double s = a * a;
  for (int k = 0; k < threads; ++k)
    s += seen[k] * x[k % n];
  return s;
}

// A long double, and complex numbers, which the library changes.
static double wide(int threads, const double *x, int n) {
  long double p = 1, s = 0;
  double _Complex z = 1;
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    p *= 1 + 0.1 * x[i];
#pragma omp atomic
    s += x[i] * x[i];
#pragma omp atomic
    z *= 1 + 0.1 * x[i] * (1.0i);
  }
  return p * s + __real__ z * __imag__ z;
}

// Floats of 32 bits.
static float narrow(int threads, const float *x, int n) {
  float f = 1, kept[8];
#pragma omp parallel num_threads(threads)
  for (int k = 0; k < omp_get_num_threads(); ++k) {
    if (k == omp_get_thread_num()) {
#pragma omp atomic
      f = (1 + 0.1f * x[k % n]) * f;
#pragma omp atomic capture
      kept[k] = f -= x[0];
    }
#pragma omp barrier
  }
  float s = f;
  for (int k = 0; k < threads; ++k)
    s += kept[k] * x[k % n];
  return s;
}

static void enter(double *to, double by) {
#pragma omp atomic
  *to *= by;
}
// In functions that regions call, and that others call; in tasks.
static double called(int threads, const double *x, int n) {
  double p = 1;
  enter(&p, x[0]);
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < n; ++i) {
    enter(&p, 1 + x[i] * x[i]);
#pragma omp task shared(p) firstprivate(i)
    enter(&p, 1 - 0.1 * x[i]);
#pragma omp critical
    enter(&p, 1 + 0.3 * x[i]);
  }
  return p;
}

// What a function reads there others change behind its call.
__attribute__((noinline)) static double look(const double *at) {
  double v;
#pragma omp atomic read
  v = *at;
  return v * v;
}
static double looks(int threads, const double *x, int n) {
  double p = x[0], seen[8];
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
    for (int k = 0; k < omp_get_num_threads(); ++k) {
      if (k == 0)
        seen[me] = look(&p);
#pragma omp barrier
      if (k == me) {
#pragma omp atomic
        p *= x[k % n] + seen[me];
        seen[me] += look(&p);
      }
#pragma omp barrier
    }
  }
  double s = p;
  for (int k = 0; k < threads; ++k)
    s += seen[k] * x[k % n];
  return s;
}

float narrow1(const float *x, int n) { return narrow(1, x, n); }
float narrow3(const float *x, int n) { return narrow(3, x, n); }
ADZE_TEST_ARRAY_T(float, narrow1, Count, POINT)
ADZE_TEST_ARRAY_T(float, narrow3, Count, POINT)

TEAMS(products)
TEAMS(turns)
TEAMS(clauses)
TEAMS(compared)
TEAMS(wide)
TEAMS(called)
TEAMS(looks)
