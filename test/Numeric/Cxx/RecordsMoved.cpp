// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records in vectors that are inserted, erased and sorted, and copied as bytes.
#include "check.h"
#include <algorithm>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

// Inserted and erased.
struct vecinsR {
  int k;
  char c;
  double v;
};
double vecins(const double *x, int n) {
  std::vector<vecinsR> a;
  for (int i = 0; i < n; ++i)
    a.insert(a.begin() + i / 2, vecinsR{i, 'a', x[i] * x[i]});
  a.erase(a.begin() + 1);
  double s = 0;
  for (size_t i = 0; i < a.size(); ++i)
    s += a[i].v * (i + 1) + a[i].k * a[i].v;
  return s;
}

ADZE_TEST_ARRAY(vecins, 5, ADZE_AT(0.5, 0.25, -0.6, 0.75, 1.5))

// Inserted and sorted: an insertion sort walks down over whole records, others
// are read at distances that are known to be multiples of eight bytes only.
// What is padding of one record is none of the next eight bytes.
struct vecsortR {
  int k;
  double v;
  char c;
};
double vecsort(const double *x, int n) {
  std::vector<vecsortR> a;
  for (int i = 0; i < n; ++i) {
    vecsortR one;
    one.k = i * 7 % 11;
    one.v = x[i] * x[i];
    one.c = 'a';
    a.insert(a.begin() + a.size() / 2, one);
  }
  std::sort(a.begin(), a.end(),
            [](const vecsortR &p, const vecsortR &q) { return p.k > q.k; });
  double s = 0;
  for (size_t i = 0; i < a.size(); ++i)
    s = 0.8 * s + a[i].v + 0.1 * a[i].k + 0.01 * a[i].c;
  return s;
}

ADZE_TEST_ARRAY(vecsort, 5, ADZE_AT(0.5, 0.25, -0.6, 0.75, 1.5))

// Rotated, reversed, exchanged.
struct vecins2R {
  int k;
  char c;
  double v;
};
double vecins2(const double *x, int n) {
  std::vector<vecins2R> a;
  for (int i = 0; i < n; ++i)
    a.push_back(vecins2R{i, 'a', x[i] * x[i]});
  std::rotate(a.begin(), a.begin() + 2, a.end());
  a.insert(a.begin() + 1, 2, vecins2R{7, 'q', x[0]});
  a.erase(a.begin(), a.begin() + 1);
  std::swap(a[0], a[1]);
  std::reverse(a.begin(), a.end());
  double s = 0;
  for (size_t i = 0; i < a.size(); ++i)
    s += a[i].v * (i + 1) + a[i].k * a[i].v;
  return s;
}

ADZE_TEST_ARRAY(vecins2, 5, ADZE_AT(0.5, 0.25, -0.6, 0.75, 1.5))

// Copied as characters.
struct stdcopyR {
  int k;
  double v;
  char c;
};
double stdcopy(const double *x, int n) {
  stdcopyR a[8], b[8];
  for (int i = 0; i < n; ++i)
    a[i] = stdcopyR{i, x[i] * x[i], 'a'};
  std::copy(reinterpret_cast<const char *>(a),
            reinterpret_cast<const char *>(a + n), reinterpret_cast<char *>(b));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += b[i].v * (b[i].k + 1);
  return s;
}

ADZE_TEST_ARRAY(stdcopy, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))
double stdcopyMore(const double *x, int n) {
  std::vector<unsigned char> buf;
  for (int i = 0; i < n; ++i) {
    stdcopyR r{i, x[i] * x[i], 'z'};
    auto *p = reinterpret_cast<unsigned char *>(&r);
    buf.insert(buf.end(), p, p + sizeof r);
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    stdcopyR r;
    std::copy_n(buf.data() + i * sizeof r, sizeof r,
                reinterpret_cast<unsigned char *>(&r));
    s += r.v * (r.k + 1);
  }
  return s;
}

ADZE_TEST_ARRAY(stdcopyMore, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Exchanged as characters.
struct swaprangesR {
  int k;
  char c;
  double v;
};
double swapranges(const double *x, int n) {
  swaprangesR a[8];
  for (int i = 0; i < n; ++i)
    a[i] = swaprangesR{i, 'a', x[i] * x[i]};
  char *p = reinterpret_cast<char *>(&a[0]),
       *q = reinterpret_cast<char *>(&a[n - 1]);
  std::swap_ranges(p, p + sizeof(swaprangesR), q);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i].v * (i + 1) + a[i].k;
  return s;
}

ADZE_TEST_ARRAY(swapranges, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))
