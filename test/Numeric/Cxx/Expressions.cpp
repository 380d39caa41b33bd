// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A regular expression beside active numbers: hundreds of functions of a
// header, none of which is looked into.
// ADZE: levels=O0,O2
#include "check.h"
#include <regex>
#include <string>

extern "C" double matched(const double *x, int n) {
  std::string text = "abc123";
  std::smatch parts;
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  if (std::regex_match(text, parts, std::regex("([a-z]+)([0-9]+)")))
    s *= double(parts[2].length());
  return s;
}
ADZE_TEST_ARRAY(matched, 3, ADZE_AT(0.5, 0.7, -0.4))
