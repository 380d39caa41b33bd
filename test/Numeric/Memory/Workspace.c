// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A workspace of the module that grows: only its callers show what the function
// that moves its content returns.
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *work;
static int room;

__attribute__((noinline)) static double *need(int n) {
  if (n > room) {
    work = (double *)realloc(work, (size_t)n * sizeof(double));
    room = n;
  }
  return work;
}

__attribute__((noinline)) static double smooth(const double *p, int n) {
  double *t = need(n + 2), s = 0;
  t[0] = t[n + 1] = p[0];
  for (int i = 0; i < n; ++i)
    t[i + 1] = p[i] * p[i];
  for (int i = 1; i <= n; ++i)
    s += (t[i - 1] + 2 * t[i] + t[i + 1]) * t[i];
  return s;
}

double twice(const double *x, int n) {
  double s = smooth(x, n / 2);
  double *kept = need(2 * n);
  s = s * kept[1] + smooth(x, n);
  free(work);
  work = 0;
  room = 0;
  return s;
}

// Records, in a callee that copies to new memory.
struct Item {
  int key;
  double value;
};
static struct Item *items;
static int count, most;

__attribute__((noinline)) static void *slot(void) {
  if (count == most) {
    most = most ? 2 * most : 1;
    struct Item *larger = (struct Item *)malloc(most * sizeof *larger);
    if (items)
      memcpy(larger, items, count * sizeof *larger);
    free(items);
    items = larger;
  }
  return items + count++;
}

double table(const double *x, int n) {
  for (int i = 0; i < n; ++i) {
    struct Item *it = (struct Item *)slot();
    it->key = i % 3;
    it->value = sin(x[i]);
  }
  double s = 0;
  for (int i = 0; i < count; ++i)
    s += items[i].value * (items[i].key + items[n - 1 - i].value);
  free(items);
  items = 0;
  count = most = 0;
  return s;
}

ADZE_TEST_ARRAY(twice, 6, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9))
ADZE_TEST_ARRAY(table, 6, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9))
