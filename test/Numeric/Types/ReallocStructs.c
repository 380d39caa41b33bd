// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array of structs of a number, a double and a pointer that grows by
// realloc.
#include "check.h"
#include <stdlib.h>

struct entry {
  int key;
  double value;
  const double *from;
};
struct list {
  struct entry *data;
  int size, capacity;
};

static void push(struct list *l, struct entry e) {
  if (l->size == l->capacity) {
    l->capacity = l->capacity ? 2 * l->capacity : 1;
    l->data = (struct entry *)realloc(l->data, (size_t)l->capacity * sizeof e);
  }
  l->data[l->size++] = e;
}

double listed(const double *x, int n) {
  struct list l = {0, 0, 0};
  for (int i = 0; i < n; ++i) {
    struct entry e = {i, x[i] * x[0], &x[n - 1 - i]};
    push(&l, e);
  }
  double s = 0;
  for (int i = 0; i < l.size; ++i)
    s += l.data[i].value * *l.data[i].from * (l.data[i].key + 1);
  free(l.data);
  return s;
}

ADZE_TEST_ARRAY(listed, 5, ADZE_AT(0.9, 0.8, -0.7, 0.3, 0.6))
