// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of an array of doubles go straight from the caller's memory to a buffer of bytes, beside
// numbers and records: floats alone stand in that array, so no address comes into the buffer.
// ADZE: may-refuse=O0,O0clang,O0g,O0wide
#include "check.h"
#include "bytes.h"
#include <cmath>

double elementsAndNumbers(const double *x, int n) {
  Writer w;
  for (int k = 0; k < 5; ++k)
    for (int i = 0; i < n; ++i) {
      w.put<uint8_t>(i % 3);
      if (i % 3 == 0) {
        w.put(x[i] * x[i]);
      } else if (i % 3 == 1) {
        w.put(Record{i, std::sin(x[i])});
      } else {
        w.put<int>(i + k);
        w.put(x[i]);
        w.put(std::exp(x[i]));
      }
    }
  Reader r{w.bytes.data()};
  double s = 0;
  for (int k = 0; k < 5 * n; ++k) {
    int kind = r.get<uint8_t>();
    if (kind == 0) {
      s += r.get<double>();
    } else if (kind == 1) {
      Record q = r.get<Record>();
      s = 0.9 * s + q.a * q.id;
    } else {
      int id = r.get<int>();
      double a = r.get<double>(), b = r.get<double>();
      s += a * b * (id % 4);
    }
  }
  return s;
}
ADZE_TEST_ARRAY(elementsAndNumbers, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))
