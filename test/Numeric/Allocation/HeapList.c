// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linked list on the heap, built, walked and freed.
#include "check.h"
#include <stdlib.h>

struct node {
  struct node *next;
  double value;
};

double list(const double *x, int n) {
  struct node *head = NULL;
  for (int i = 0; i < n; ++i) {
    struct node *one = (struct node *)malloc(sizeof *one);
    one->value = x[i] * (head ? head->value : 1);
    one->next = head;
    head = one;
  }
  double s = 0;
  for (struct node *at = head; at; at = at->next)
    s = s * at->value + at->value;
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return s;
}

ADZE_TEST_ARRAY(list, 5, ADZE_AT(0.9, 1.8, -0.7, 0.5, 1.3))
