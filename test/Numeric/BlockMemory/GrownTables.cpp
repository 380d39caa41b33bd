// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables behind global variables that grow: records with text, of which no type is known, between numbers and
// floats, with addresses beside it, and some of them copied from constant memory; nodes of a tree in an arena.
#include "check.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

struct Row {
  int id;
  char name[12];
  double v;
};
static std::vector<Row> *rows;
static void add(double v, int i) {
  Row r;
  r.id = i;
  snprintf(r.name, sizeof r.name, "row%d", i);
  r.v = v;
  rows->push_back(r);
}
double inVector(const double *x, int n) {
  std::vector<Row> here;
  rows = &here;
  for (int k = 0; k < 9; ++k)
    add(x[k % n] * x[(k + 1) % n], k);
  double s = 0;
  for (const Row &r : *rows)
    s += r.v * (r.id % 3 + 1) * (r.name[3] == '1' ? 2 : 1);
  return s;
}
ADZE_TEST_ARRAY(inVector, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Addresses of constant data and of active data, in records from constant memory and from active memory.
struct Source {
  char kind[12];
  int id;
  double scale;
  const double *data;
};
static const double ones[2] = {1, 2};
static const Source known[3] = {{"known", 1, 2.0, ones}, {"alsoknown", 2, -1.0, ones + 1}, {"k", 3, 0.5, ones}};
static std::vector<Source> *sources;
static void append(const Source &s) { sources->push_back(s); }
double fromConstants(const double *x, int n) {
  std::vector<Source> here;
  sources = &here;
  for (int k = 0; k < 10; ++k) {
    if (k % 3 == 0) {
      append(known[k % 2]);
      continue;
    }
    Source s = known[k % 3];
    strcpy(s.kind, "mine");
    s.scale = x[k % n] * k;
    s.data = x + k % n;
    append(s);
  }
  double y = 0;
  for (const Source &s : *sources)
    y = 0.9 * y + s.scale * *s.data * *s.data * (s.kind[0] == 'm' ? s.id : 1);
  return y;
}
ADZE_TEST_ARRAY(fromConstants, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// A tree of quadrants: bodies and moments in nodes that are found by their numbers.
struct Node {
  double x, m, begin, width;
  int child[2];
  int body;
};
static std::vector<Node> *arena;
static int make(double begin, double width) {
  arena->push_back({0, 0, begin, width, {-1, -1}, -1});
  return (int)arena->size() - 1;
}
static void insert(int t, const double *x, int i, int depth) {
  Node *q = &(*arena)[t];
  const double m = 1 + x[i] * x[i];
  if (depth > 12)
    return;
  if (q->m == 0 && q->body < 0) {
    q->body = i;
    q->x = x[i];
    q->m = m;
    return;
  }
  const int old = q->body;
  q->body = -1;
  q->x = (q->x * q->m + x[i] * m) / (q->m + m);
  q->m += m;
  for (int j : {old, i}) {
    if (j < 0)
      continue;
    q = &(*arena)[t];
    const double half = q->width / 2;
    const int k = x[j] > q->begin + half;
    if (q->child[k] < 0) {
      const int made = make(q->begin + k * half, half);
      (*arena)[t].child[k] = made;
    }
    insert((*arena)[t].child[k], x, j, depth + 1);
  }
}
static double potential(int t, double x, int self) {
  const Node &q = (*arena)[t];
  if (q.m == 0 || q.body == self)
    return 0;
  const double d = q.x - x, r = sqrt(d * d + 1e-2);
  if (q.body >= 0 || q.width / r < 0.8)
    return q.m / r;
  double s = 0;
  for (int k = 0; k < 2; ++k)
    if (q.child[k] >= 0)
      s += potential(q.child[k], x, self);
  return s;
}
double tree(const double *x, int n) {
  std::vector<Node> here;
  arena = &here;
  const int root = make(-1, 2);
  for (int i = 0; i < n; ++i)
    insert(root, x, i, 0);
  double e = 0;
  for (int i = 0; i < n; ++i)
    e += (1 + x[i]) * potential(root, x[i], i);
  return e;
}
ADZE_TEST_ARRAY(tree, 6, ADZE_AT(0.53, 0.27, -0.61, 0.78, -0.31, 0.12))
