// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages to std::cerr, std::clog and std::cout beside active data: texts, integers, and the active
// numbers themselves, with manipulators; and whether a stream is well.
#include "check.h"
#include <iomanip>
#include <iostream>

extern "C" double told(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    s *= x[i] + 2;
    if (s > 5)
      std::cerr << "large: " << i << ' ' << s << std::endl;
    std::clog << std::setw(12) << std::setprecision(3) << x[i] << "\n";
  }
  std::cout << "done\n" << std::flush;
  if (!std::cerr || !std::clog)
    return 0;
  return s;
}
ADZE_TEST_ARRAY(told, 3, ADZE_AT(0.5, 1.7, -0.4))
