// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of unknown count, in which a path that few iterations take keeps more
// than all others: it has records of its own.
#include "check.h"
#include <stdlib.h>

// One path of an if, in a loop around.
double refine(const double *x, int n) {
  double total = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i], sum = 0.1;
    int k = 0;
    while (v > 0.05) {
      k++;
      if (k % 5 == 2) {
        double a = v * v + sum, b = a * v - 0.3, c = a * b + v;
        sum += c * b * a;
        v = 0.8 * v + 0.01 * a * b * c;
      }
      v *= 0.9;
    }
    total += sum * v + 0.01 * k;
  }
  return total;
}
ADZE_TEST_ARRAY(refine, 4, ADZE_AT(0.7, 0.01, 0.9, 0.4))

// Three paths, of which one leaves the loop, one begins the next iteration, and
// two meet in front of the latch.
double ways(const double *x, int n) {
  double v = x[0], w = x[1], total = 0;
  for (int k = 0;; k++) {
    if (k % 7 == 3) {
      double a = v * w, b = a * a + v;
      w = w * b + 0.1 * a;
      v -= 0.2 * a * b;
      if (k > 3 * n || v * v > 9) {
        total += a * b * w;
        break;
      }
      continue;
    }
    if (k % 3 == 1) {
      double a = v * v - w, b = a * v;
      v = 0.5 * v + 0.1 * a * b;
    } else if (k % 4 == 0) {
      double a = v + w, b = a * w;
      w = 0.7 * w + 0.1 * a * b;
    } else {
      continue;
    }
    total += v * w * x[2];
    v = 0.9 * v + 0.05 * total * w;
  }
  return total * v;
}
ADZE_TEST_ARRAY(ways, 3, ADZE_AT(0.7, 0.5, 0.9), .step = 1e-6)

// Loops of known and of unknown count, and calls with a tape, on a path.
static double __attribute__((noinline)) grown(double *u, int depth) {
  if (depth == 0)
    return u[0] * u[1];
  u[0] = 0.8 * u[0] + 0.1 * u[1] * u[1];
  double below = grown(u, depth - 1);
  u[1] *= below + 0.5;
  return below * u[0];
}
double nested(const double *x, int n) {
  double u[3] = {x[0], x[1], x[2]}, total = 0;
  int rounds = 0;
  while (u[0] > 0.01 && rounds < 40) {
    rounds++;
    if (rounds % 6 == 4) {
      for (int j = 0; j < n + rounds % 3; j++) {
        u[1] = 0.9 * u[1] + 0.1 * u[2] * u[1];
        u[2] = 0.7 * u[2] + 0.2 * u[1] * u[1];
      }
      double s = u[1];
      while (s > 0.1) {
        total += s * s * u[2];
        s *= 0.6 + 0.1 * u[0];
        if (s < 0.3) {
          double a = s * u[0], b = a * s + u[1];
          total += a * b;
          s -= 0.1 * b * a * s;
        }
      }
      total += grown(u, rounds % 4);
    }
    u[0] *= 0.93;
    total += u[0] * u[0] * u[1];
  }
  return total;
}
ADZE_TEST_ARRAY(nested, 3, ADZE_AT(0.9, 0.7, 0.8), .step = 1e-6)

// An array that grows.
struct list {
  double *values;
  int count, room;
};
static void push(struct list *l, double v) {
  if (l->count == l->room) {
    int room = l->room ? 2 * l->room : 1;
    double *values = malloc(room * sizeof *values);
    for (int i = 0; i < l->count; i++)
      values[i] = l->values[i];
    free(l->values);
    l->values = values;
    l->room = room;
  }
  l->values[l->count++] = v;
}
double pushed(const double *x, int n) {
  struct list l = {0, 0, 0};
  for (int i = 0; i < n; i++)
    for (double v = x[i]; v > 0.1; v *= 0.75)
      push(&l, v * x[0]);
  double total = 0;
  for (int i = 0; i < l.count; i++)
    total += l.values[i] * l.values[i] * (i + 1);
  free(l.values);
  return total;
}
ADZE_TEST_ARRAY(pushed, 3, ADZE_AT(0.9, 0.7, 0.8))

// No iteration takes the path.
double never(const double *x, int n) {
  double v = x[0], total = 0;
  while (v > 0.1) {
    if (v > 5.0 * n) {
      double a = v * v + total, b = a * v;
      total += a * b * v;
      v = 0.5 * v + 0.1 * a * b;
    }
    v *= 0.8 + 0.05 * x[1];
    total += v * v;
  }
  return total;
}
ADZE_TEST_ARRAY(never, 2, ADZE_AT(0.9, 0.7))
