// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array of structs of pointers: to doubles, to integers, to each other.
#include "check.h"

struct node {
  const char *name;
  double *value;
  const int *weight;
  struct node *next;
};

void graph(const double *x, double *y) {
  static const int weights[3] = {2, 3, 5};
  double v[3];
  struct node n[3];
  for (int i = 0; i < 3; ++i) {
    v[i] = x[i] * x[0];
    n[i].name = i == 1 ? "middle" : "end";
    n[i].value = &v[i];
    n[i].weight = &weights[i];
    n[i].next = &n[(i + 2) % 3];
  }
  struct node *at = &n[0];
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    *at->next->value *= *at->value;
    s += *at->value * *at->weight * (at->name[0] == 'm' ? 2 : 1);
    at = at->next;
  }
  y[0] = s;
  y[1] = v[0] * v[1] * v[2];
}

ADZE_TEST_MAP(graph, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
