// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree whose nodes lie in an arena, and that begins as a null pointer: what a
// call of itself reads by way of that leads nowhere.
#include "check.h"
#include <stddef.h>
#include <stdlib.h>

struct Arena {
  char *block;
  size_t at;
};
static void *take(struct Arena *a, size_t bytes, size_t align) {
  a->at = (a->at + align - 1) & ~(align - 1);
  void *p = a->block + a->at;
  a->at += bytes;
  return p;
}

struct Node {
  double v;
  short key;
  struct Node *left, *right;
};
static struct Node *insert(struct Arena *a, struct Node *n, double v,
                           short key) {
  if (!n) {
    n = take(a, sizeof *n, 8);
    *n = (struct Node){v, key, NULL, NULL};
  } else if (key < n->key) {
    n->left = insert(a, n->left, v, key);
  } else {
    n->right = insert(a, n->right, v * n->v, key);
  }
  return n;
}
static double sum(const struct Node *n, int depth) {
  return n ? n->v * depth + sum(n->left, depth + 1) + sum(n->right, depth + 2)
           : 0;
}

double treeInArena(const double *x, int n) {
  struct Arena a = {malloc(4096), 0};
  double s = 0;
  for (int round = 0; round < 3; ++round) {
    a.at = 0;
    *(char *)take(&a, 3, 1) = (char)round;
    struct Node *root = NULL;
    for (int i = 0; i < 9; ++i)
      root = insert(&a, root, x[i % n] + round, (short)(i * 5 % 9));
    s += sum(root, 1);
  }
  free(a.block);
  return s;
}
ADZE_TEST_ARRAY(treeInArena, 4, ADZE_AT(0.7, -1.3, 2.1, 0.4))
