// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>
struct Error {
  int where;
};
double checked(const std::vector<double> &x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    try {
      s += x.at(static_cast<unsigned>(i));
      if (s < 0)
        throw Error{i};
    } catch (const Error &e) {
      s = e.where;
      continue;
    } catch (...) {
      break;
    }
  return s;
}
double nested(double *x) noexcept {
  try {
    try {
      return checked({x[0], x[1]}, 3);
    } catch (Error &e) {
      ++e.where;
      throw;
    }
  } catch (Error e) {
    return e.where;
  }
}
