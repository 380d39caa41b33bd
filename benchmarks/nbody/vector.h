// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of nbody::Vector.

#ifndef ADZE_BENCHMARKS_NBODY_VECTOR_H
#define ADZE_BENCHMARKS_NBODY_VECTOR_H

#include "nbody.h"

namespace nbody {

inline Vector operator+(const Vector &a, const Vector &b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

inline Vector operator-(const Vector &a, const Vector &b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

inline Vector operator*(double s, const Vector &a) {
  return {s * a.x, s * a.y, s * a.z};
}

inline Vector &operator+=(Vector &a, const Vector &b) { return a = a + b; }

inline Vector &operator-=(Vector &a, const Vector &b) { return a = a - b; }

inline double dot(const Vector &a, const Vector &b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

} // namespace nbody

#endif
