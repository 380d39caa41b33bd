// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scratch arrays that one loop fills and another reads, overwritten in each
// round of an outer loop. Where what was stored is computed again instead of
// kept, everything that makes the two differ must be noticed.
// ADZE: vectorized
#include "check.h"

#include <stdlib.h>

enum { Most = 16 };

// Unknown to the optimizer, so that the outer loops stay loops.
static volatile int given = 3;

static double reduce(const double *c, int n) {
  double sum = 0;
  for (int j = 0; j < n; ++j)
    sum += c[j] * c[j] * c[j];
  return sum;
}

// The case that is wanted.
double plain(const double *x, int n) {
  const int rounds = given;
  double c[Most], total = 1;
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      c[i] = x[i] - 0.25 * x[t];
    total *= reduce(c, n);
  }
  return total;
}
ADZE_TEST_ARRAY(plain, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Read backwards, and once more in a nest.
double nested(const double *x, int n) {
  const int rounds = given;
  double c[Most], total = 0;
  for (int t = 0; t < rounds; ++t) {
    for (int i = n - 1; i >= 0; --i)
      c[i] = x[i] * x[t] + t;
    for (int k = 0; k < n; ++k)
      for (int j = n - 1; j >= 0; --j)
        total += c[j] * c[j] * x[k];
  }
  return total;
}
ADZE_TEST_ARRAY(nested, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// The second loop reads in the other direction.
double mirrored(const double *x, int n) {
  const int rounds = given;
  double c[Most], total = 0;
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      c[i] = x[i] * x[t];
    for (int j = n - 1; j >= 0; --j)
      total += (n - j) * c[j] * c[j];
  }
  return total;
}
ADZE_TEST_ARRAY(mirrored, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// What the stored value was computed from changes before it is read.
double inputChanged(const double *x, int n) {
  const int rounds = given;
  double a[Most], c[Most], total = 0;
  for (int i = 0; i < n; ++i)
    a[i] = x[i];
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      c[i] = a[i] * x[t];
    for (int i = 0; i < n; ++i)
      a[i] += 0.5 * x[i];
    for (int j = 0; j < n; ++j)
      total += c[j] * c[j] * a[j];
  }
  return total;
}
ADZE_TEST_ARRAY(inputChanged, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// It changes in the reading loop, ahead of what is read.
double inputChangedAhead(const double *x, int n) {
  const int rounds = given;
  double a[Most + 1], c[Most], total = 0;
  for (int i = 0; i <= n; ++i)
    a[i] = x[i % n];
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      c[i] = a[i] * x[t];
    for (int j = 0; j < n; ++j) {
      total += c[j] * c[j];
      a[j + 1] = total;
    }
  }
  return total;
}
ADZE_TEST_ARRAY(inputChangedAhead, 4, ADZE_AT(0.5, 0.25, 0.375, -0.5))

// One element is overwritten between the loops.
double oneElement(const double *x, int n) {
  const int rounds = given;
  double c[Most], total = 0;
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      c[i] = x[i] * x[t];
    c[(t + 1) % n] = x[0] * x[1];
    total += reduce(c, n);
  }
  return total;
}
ADZE_TEST_ARRAY(oneElement, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Elements are overwritten behind the reader, and read in the next round of a
// loop around it.
double overwrittenBehind(const double *x, int n) {
  const int rounds = given;
  double c[Most], total = 0;
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      c[i] = x[i] * x[t];
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < n; ++j) {
        total += c[j] * c[j];
        c[j] = x[j] + x[k];
      }
  }
  return total;
}
ADZE_TEST_ARRAY(overwrittenBehind, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Some elements keep what the round before left.
double conditional(const double *x, int n) {
  const int rounds = given;
  double c[Most], total = 0;
  for (int i = 0; i < n; ++i)
    c[i] = 2 * x[i];
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      if (x[i] > x[t])
        c[i] = x[i] * x[t];
    total += reduce(c, n);
  }
  return total;
}
ADZE_TEST_ARRAY(conditional, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// So do the last ones: the storing loop is shorter, or not run at all.
double shorter(const double *x, int n) {
  double c[Most], total = 0;
  for (int i = 0; i < n; ++i)
    c[i] = 2 * x[i];
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < t; ++i)
      c[i] = x[i] * x[t];
    total += reduce(c, n);
  }
  return total;
}
ADZE_TEST_ARRAY(shorter, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// The storing loop ends when the data say so.
double leftEarly(const double *x, int n) {
  const int rounds = given;
  double c[Most], total = 0;
  for (int i = 0; i < n; ++i)
    c[i] = 2 * x[i];
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i) {
      c[i] = x[i] * x[t];
      if (c[i] < 0)
        break;
    }
    total += reduce(c, n);
  }
  return total;
}
ADZE_TEST_ARRAY(leftEarly, 5, ADZE_AT(1.0, 0.5, -0.75, -0.5, 1.5))

// Longer than the reading loop: that one may stop early, too.
double longer(const double *x, int n) {
  double c[Most], total = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < n; ++i)
      c[i] = x[i] * x[t];
    for (int j = 0; j <= t; ++j) {
      if (c[j] < 0)
        break;
      total += c[j] * c[j];
    }
  }
  return total;
}
ADZE_TEST_ARRAY(longer, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Two stores of one element: the last one counts.
double storedTwice(const double *x, int n) {
  const int rounds = given;
  double c[Most + 1], total = 0;
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i) {
      c[i] = x[i] * x[t];
      c[i + 1] = x[t] - x[i];
    }
    total += reduce(c, n + 1);
  }
  return total;
}
ADZE_TEST_ARRAY(storedTwice, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Read one element further on than it was stored.
double shifted(const double *x, int n) {
  const int rounds = given;
  double c[Most + 1], total = 0;
  for (int i = 0; i <= n; ++i)
    c[i] = x[i % n];
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      c[i] = x[i] * x[t];
    for (int j = 0; j < n; ++j)
      total += c[j + 1] * c[j + 1];
  }
  return total;
}
ADZE_TEST_ARRAY(shifted, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

__attribute__((noinline)) static void scale(double *c, int n, double by) {
  for (int i = 0; i < n; i += 2)
    c[i] *= by;
}

// Another function writes in between.
double called(const double *x, int n) {
  const int rounds = given;
  double c[Most], total = 0;
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      c[i] = x[i] * x[t];
    scale(c, n, x[1]);
    total += reduce(c, n);
  }
  return total;
}
ADZE_TEST_ARRAY(called, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Two buffers that change roles.
double swapped(const double *x, int n) {
  const int rounds = given;
  double first[Most], second[Most], *a = first, *b = second, total = 0;
  for (int i = 0; i < n; ++i)
    first[i] = second[i] = x[i];
  for (int t = 0; t <= rounds; ++t) {
    for (int i = 0; i < n; ++i)
      b[i] = a[i] * x[t];
    double *was = a;
    a = b;
    b = was;
    for (int i = 0; i < n; ++i)
      b[i] += 1;
    for (int j = 0; j < n; ++j)
      total += a[j] * b[j];
  }
  return total;
}
ADZE_TEST_ARRAY(swapped, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// The buffer may be the input's copy, or not: known at run time.
double chosen(const double *x, int n) {
  const int rounds = given;
  double a[Most], c[Most], total = 0;
  for (int i = 0; i < n; ++i)
    a[i] = c[i] = x[i];
  for (int t = 0; t < rounds; ++t) {
    double *to = x[t % n] > 0.6 ? a : c;
    for (int i = 0; i < n; ++i)
      c[i] = a[i] * x[t];
    for (int i = 0; i < n; ++i)
      to[i] += x[i];
    total += reduce(c, n);
  }
  return total;
}
ADZE_TEST_ARRAY(chosen, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// The input is memory that is given back before the value is read.
double released(const double *x, int n) {
  const int rounds = given;
  double c[Most], total = 0;
  for (int t = 0; t < rounds; ++t) {
    double *a = malloc(n * sizeof(double));
    for (int i = 0; i < n; ++i)
      a[i] = x[i] + x[t];
    for (int i = 0; i < n; ++i)
      c[i] = a[i] * x[t];
    free(a);
    total += reduce(c, n);
  }
  return total;
}
ADZE_TEST_ARRAY(released, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Stored with a stride, read with another; rows that overlap.
double strided(const double *x, int n) {
  const int rounds = given;
  double c[4 * Most], total = 0;
  for (int i = 0; i < 2 * n; ++i)
    c[i] = x[i % n];
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      c[2 * i] = x[i] * x[t];
    for (int j = 0; j < n; ++j)
      total += c[j] * c[j] + c[2 * j] * c[2 * j] * c[2 * j];
  }
  return total;
}
ADZE_TEST_ARRAY(strided, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// A row that begins where the round says.
double moving(const double *x, int n) {
  const int rounds = given;
  double c[2 * Most], total = 0;
  for (int i = 0; i < 2 * n; ++i)
    c[i] = x[i % n];
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      c[t + i] = x[i] * x[t];
    for (int j = 0; j < n; ++j)
      total += c[t + j] * c[t + j] + c[j] * x[j];
  }
  return total;
}
ADZE_TEST_ARRAY(moving, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// The round itself is what changes: the value stored in the round before.
double lastRound(const double *x, int n) {
  const int rounds = given;
  double c[Most], total = 0;
  for (int i = 0; i < n; ++i)
    c[i] = x[i];
  for (int t = 0; t < rounds; ++t) {
    for (int j = 0; j < n; ++j)
      total += c[j] * c[j];
    for (int i = 0; i < n; ++i)
      c[i] = x[i] * x[t];
  }
  return total;
}
ADZE_TEST_ARRAY(lastRound, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Computed from a gather whose indices change, read beside a volatile.
double gathered(const double *x, int n) {
  const int rounds = given;
  int index[Most];
  volatile double factor = 0.5;
  double c[Most], total = 0;
  for (int i = 0; i < n; ++i)
    index[i] = (3 * i + 1) % n;
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      c[i] = x[index[i]] * x[t];
    for (int j = 0; j < n; ++j)
      total += c[j] * c[j] * factor;
    index[t] = t;
  }
  return total;
}
ADZE_TEST_ARRAY(gathered, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))
