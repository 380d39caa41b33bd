// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What classes.cpp inlines.
struct Extent {
  int count;
};

inline double smooth(double &value, double &out) {
  double square = value * value;
  out = square;
  return square * value;
}
