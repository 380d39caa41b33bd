// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list built on the stack in run-time order, then walked.
#include "check.h"

struct node {
  double value;
  struct node *next;
};

double walk(const double *x, int n) {
  struct node nodes[5], *head = 0;
  for (int i = 0; i < n; ++i) {
    nodes[i].value = x[i] * x[i];
    nodes[i].next = head;
    head = &nodes[i];
  }
  double s = 0, p = 1;
  for (struct node *at = head; at; at = at->next) {
    s = s * at->value + p;
    p *= at->value;
  }
  return s;
}

ADZE_TEST_ARRAY(walk, 5, ADZE_AT(0.9, 1.1, 0.7, 0.4, 1.2))
