// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records with pointers that move up and down in one table, by more than their
// own size: the known and the unknown parts of a block overlap each other.
#include "check.h"
#include <math.h>
#include <string.h>

struct Row {
  double v;
  const double *p;
  short key;
};

struct Table {
  int count;
  struct Row row[10];
};

static void insert(struct Table *t, const struct Row *r) {
  int i = 0;
  while (i < t->count && t->row[i].key < r->key)
    i++;
  memmove(&t->row[i + 1], &t->row[i], (t->count - i) * sizeof t->row[0]);
  t->row[i] = *r;
  t->count++;
}

static void removeAt(struct Table *t, int i) {
  memmove(&t->row[i], &t->row[i + 1], (t->count - i - 1) * sizeof t->row[0]);
  t->count--;
}

double sorted(const double *x, int n) {
  struct Table t;
  t.count = 0;
  for (int i = 0; i < n; ++i) {
    struct Row r;
    r.v = sin(x[i]);
    r.p = x + (3 * i + 1) % n;
    r.key = i * 7 % 11;
    insert(&t, &r);
  }
  removeAt(&t, 1);
  removeAt(&t, 2);
  double s = 0;
  for (int i = 0; i < t.count; ++i)
    s = 0.8 * s * t.row[i].v + t.row[i].p[0] * (i + 1) + 0.1 * t.row[i].key;
  return s;
}

ADZE_TEST_ARRAY(sorted, 8, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9, 0.5, -0.6))
