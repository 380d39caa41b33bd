// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer of bytes to which values of several types are appended: what it copies when it grows ends
// anywhere, within a float, too.
#include "check.h"
#include "bytes.h"
#include <cmath>

double kindsAndNumbers(const double *x, int n) {
  Writer w;
  for (int k = 0; k < 20; ++k)
    for (int i = 0; i < n; ++i) {
      w.put<uint8_t>(i % 3);
      w.put(x[i] * x[i]);
      w.put<int>(i + k);
      w.put(std::exp(x[i]));
    }
  Reader r{w.bytes.data()};
  double s = 0;
  for (int k = 0; k < 20; ++k)
    for (int i = 0; i < n; ++i) {
      int kind = r.get<uint8_t>();
      s += r.get<double>() * kind;
      int id = r.get<int>();
      s += r.get<double>() * (id % 4);
    }
  return s;
}
ADZE_TEST_ARRAY(kindsAndNumbers, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

double recordsAndNumbers(const double *x, int n) {
  Writer w;
  for (int k = 0; k < 20; ++k)
    for (int i = 0; i < n; ++i) {
      w.put<uint8_t>(i % 3);
      w.put(Record{i, std::sin(x[i])});
      w.put<int>(i + k);
      w.put(std::exp(x[i]));
    }
  Reader r{w.bytes.data()};
  double s = 0;
  for (int k = 0; k < 20; ++k)
    for (int i = 0; i < n; ++i) {
      int kind = r.get<uint8_t>();
      Record q = r.get<Record>();
      s = 0.9 * s + q.a * q.id * kind;
      int id = r.get<int>();
      s += r.get<double>() * (id % 4);
    }
  return s;
}
ADZE_TEST_ARRAY(recordsAndNumbers, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))
