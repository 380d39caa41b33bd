// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of any type in a buffer of bytes, one behind the other.
#ifndef ADZE_TEST_BYTES_H
#define ADZE_TEST_BYTES_H
#include <cstdint>
#include <cstring>
#include <vector>

struct Writer {
  std::vector<uint8_t> bytes;
  template <class T> void put(const T &v) {
    const uint8_t *p = reinterpret_cast<const uint8_t *>(&v);
    bytes.insert(bytes.end(), p, p + sizeof v);
  }
};
struct Reader {
  const uint8_t *p;
  template <class T> T get() {
    T v;
    std::memcpy(&v, p, sizeof v);
    p += sizeof v;
    return v;
  }
};
struct Record {
  int id;
  double a;
};

#endif
