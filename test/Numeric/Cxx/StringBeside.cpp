// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::string, short and long, in a struct beside a double.
// Short texts lie in the object, beside the double.
#include "check.h"
#include <string>

struct Named {
  std::string name;
  double value;
};

extern "C" void named(const double *x, double *y) {
  Named a{"short", x[0] * x[1]};
  Named b{"a name that does not fit into the object itself", x[1] * x[2]};
  a.name += "er";
  Named c = b;
  c.value *= (double)a.name.size();
  y[0] = c.value * a.value;
  y[1] = c.name == b.name ? b.value * x[0] : 0;
}

ADZE_TEST_MAP(named, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
