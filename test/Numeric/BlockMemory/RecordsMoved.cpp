// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of numbers and integers, of a number of bytes that is not known when
// the program is compiled: moved up and down over each other, also parts of the
// last one, and in vectors that grow.
#include "check.h"
#include <cstring>
#include <vector>

struct Entry {
  int row, column;
  double value;
};
struct Node {
  double a;
  int tag;
  float b;
  double c[2];
  char name[5];
};

template <class T>
__attribute__((noinline)) static void move(T *to, const T *from, size_t bytes) {
  memmove((void *)to, (const void *)from, bytes);
}

// Whole records and a part of the next one, in both directions.
extern "C" void shifted(const double *x, double *y) {
  Node n[7];
  memset((void *)n, 0, sizeof n);
  for (int i = 0; i < 7; i++) {
    n[i].a = x[i % 4] * (i + 1);
    n[i].tag = i;
    n[i].b = (float)i;
    n[i].c[0] = x[(i + 1) % 4] * x[i % 4];
    n[i].c[1] = 0.5 * i;
  }
  volatile size_t part = 8, few = 2;
  move(n + 1, n, few * sizeof(Node) + part + 16);
  n[2].a *= n[1].c[0];
  move(n + 3, n + 4, few * sizeof(Node) + part);
  n[3].c[0] *= n[4].a;
  move(n + 2, n, part);
  move(n + 6, n + 5, 0 * part);
  for (int i = 0; i < 4; i++)
    y[i] = 0;
  for (int i = 0; i < 7; i++) {
    y[i % 4] += n[i].a * n[i].c[0] + n[i].tag * n[i].c[1];
    y[(i + n[i].tag) % 4] += n[i].a * n[i].a;
  }
}
ADZE_TEST_MAP(shifted, 4, 4, ADZE_AT(0.9, 1.1, -0.7, 0.4))

extern "C" double listed(const double *x, int n) {
  std::vector<Entry> all, rare;
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++) {
      if ((i + k) % 3 == 2)
        rare.push_back({i, k, x[i] * x[k] * x[k]});
      else
        all.push_back({k, i, x[i] + x[k]});
    }
  all.insert(all.begin() + 2, rare.begin(), rare.end());
  all.erase(all.begin() + 1);
  double sum = 0;
  for (const Entry &e : all)
    sum += e.value * e.value * x[e.row] + e.column * e.value;
  return sum;
}
ADZE_TEST_ARRAY(listed, 5, ADZE_AT(0.9, 0.7, 0.8, -0.3, 1.2))
