// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::vector<double> grown by push_back, insert and erase, without a size
// known in advance.
// At -O3 the callee that inserts is not told what the elements are.
#include "check.h"
#include <stddef.h>
#include <vector>

extern "C" double grown(const double *x, int n) {
  std::vector<double> a;
  for (int i = 0; i < n; ++i)
    a.push_back(x[i] * x[0]);
  a.insert(a.begin() + 1, x[1]);
  a.erase(a.begin());
  double s = 1;
  for (double v : a)
    s = s * v + 1;
  return s;
}

ADZE_TEST_ARRAY(grown, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, 0.9))
