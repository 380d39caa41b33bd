// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory from functions kept in a global structure of function pointers: those
// of the library, and own ones.
#include "check.h"
#include <stdlib.h>

struct hooks {
  void *(*allocate)(size_t);
  void *(*resize)(void *, size_t);
  void (*release)(void *);
};
static struct hooks library = {malloc, realloc, free};
static void *own_allocate(size_t n) { return calloc(1, n); }
static void own_release(void *p) { free(p); }
struct hooks changing = {malloc, realloc, free};
static void *(*one)(size_t) = malloc;
__attribute__((noinline)) void use_own(void) {
  changing.allocate = own_allocate;
  changing.release = own_release;
}
void use_library(struct hooks h) { library = h; }

struct node {
  double v;
  struct node *next;
};
static struct node *push(struct node *head, double v) {
  struct node *n = changing.allocate(sizeof *n);
  n->v = v;
  n->next = head;
  return n;
}

void f(const double *x, double *y) {
  double *t = library.allocate(2 * sizeof *t), *u = one(4 * sizeof *u);
  for (int i = 0; i < 4; ++i) {
    if (i == 2)
      t = library.resize(t, 4 * sizeof *t);
    t[i] = x[i] * x[i];
    u[i] = t[i] + 1;
  }
  y[0] = 0;
  for (int i = 0; i < 4; ++i)
    y[0] += t[i] * t[3 - i] * u[i];
  library.release(t);
  library.release(u);
  struct node *head = 0;
  for (int i = 0; i < 4; ++i)
    head = push(head, x[i] * x[i]);
  y[1] = 0;
  while (head) {
    struct node *next = head->next;
    y[1] = y[1] * 0.5 + head->v * head->v;
    changing.release(head);
    head = next;
  }
}
ADZE_TEST_MAP(f, 4, 2, ADZE_AT(0.5, 0.8, -0.3, 1.1))
