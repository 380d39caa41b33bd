// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: may-refuse=O0,O0clang,O0g,O0wide
// A vector of anything: a size of elements, a function that copies one, growth
// by realloc. Records with pointers stand in one, doubles in another; at -O0
// types do not tell the two apart.
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct vector {
  void *data;
  size_t count, room, size;
  void (*copy)(void *, const void *);
};

static void *at(struct vector *v, size_t i) {
  return (char *)v->data + i * v->size;
}

static void push(struct vector *v, const void *element) {
  if (v->count == v->room) {
    v->room = v->room ? 2 * v->room : 2;
    v->data = realloc(v->data, v->room * v->size);
  }
  if (v->copy)
    v->copy(at(v, v->count), element);
  else
    memcpy(at(v, v->count), element, v->size);
  ++v->count;
}

struct record {
  int id;
  double weight;
  char name[5];
  const double *other;
};

static void copy_record(void *to, const void *from) {
  *(struct record *)to = *(const struct record *)from;
  ++((struct record *)to)->id;
}

static void each(struct vector *v, void (*visit)(void *, void *),
                 void *context) {
  for (size_t i = 0; i < v->count; ++i)
    visit(at(v, i), context);
}

static void add(void *element, void *context) {
  const struct record *r = element;
  double *sums = context;
  sums[0] += r->weight * r->weight * r->id;
  sums[1] *= *r->other;
}

struct node {
  struct node *next;
  void *value;
};

void generic_vectors(const double *x, double *y) {
  struct vector records = {0, 0, 0, sizeof(struct record), copy_record};
  for (int i = 0; i < 5; ++i) {
    struct record r = {i, x[i] * x[(i + 1) % 5], "ab", &x[(i + 2) % 5]};
    push(&records, &r);
  }
  double sums[2] = {0, 1};
  each(&records, add, sums);
  struct vector numbers = {0, 0, 0, sizeof(double), 0};
  for (int i = 0; i < 5; ++i) {
    double number = x[i] + sums[1];
    push(&numbers, &number);
  }
  y[0] = sums[0];
  y[1] = 0;
  for (size_t i = 0; i < numbers.count; ++i)
    y[1] += *(double *)at(&numbers, i) * (double)(i + 1);
  struct node *list = 0;
  for (int i = 0; i < 5; ++i) {
    struct node *n = malloc(sizeof *n);
    double *value = malloc(sizeof *value);
    *value = x[i] * y[1];
    n->next = list;
    n->value = value;
    list = n;
  }
  y[2] = 0;
  while (list) {
    struct node *next = list->next;
    y[2] += *(double *)list->value;
    free(list->value);
    free(list);
    list = next;
  }
  free(records.data);
  free(numbers.data);
}

ADZE_TEST_MAP(generic_vectors, 5, 3, ADZE_AT(0.9, -0.7, 0.6, 1.2, 0.4))
