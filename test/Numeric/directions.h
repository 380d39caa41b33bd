// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of Size numbers for each of W directions, the shadows of enzyme_dupv,
// for programs that define Size.
#ifndef ADZE_TEST_NUMERIC_DIRECTIONS_H
#define ADZE_TEST_NUMERIC_DIRECTIONS_H

#include "check.h"
#include <cstring>

static double seed(int k, int i) { return 1 + 0.5 * k - 0.3 * i * (k % 3); }

template <int W> struct Block {
  double of[W][Size];
  Block() {
    for (int k = 0; k < W; ++k)
      for (int i = 0; i < Size; ++i)
        of[k][i] = seed(k, i);
  }
  void zero() { memset(of, 0, sizeof of); }
};

template <int W>
static void compare(const char *what, const Block<W> &got,
                    const Block<W> &want) {
  for (int k = 0; k < W; ++k)
    for (int i = 0; i < Size; ++i)
      adze_near(what, got.of[k][i], want.of[k][i], 1e-14);
}

#endif
