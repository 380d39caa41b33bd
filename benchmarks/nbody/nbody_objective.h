// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of nbody.h, in a header so that the file with the marker call
// sees it.

#ifndef ADZE_BENCHMARKS_NBODY_NBODY_OBJECTIVE_H
#define ADZE_BENCHMARKS_NBODY_NBODY_OBJECTIVE_H

#include "nbody.h"
#include "vector.h"

#include <cmath>

namespace nbody {

/// Both bodies of every pair are kicked at once.
inline void kick(Body *bodies, int count, double dt, double softening) {
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      Vector apart = bodies[j].position - bodies[i].position;
      double square = dot(apart, apart) + softening * softening;
      double scale = dt / (square * std::sqrt(square));
      bodies[i].velocity += scale * bodies[j].mass * apart;
      bodies[j].velocity -= scale * bodies[i].mass * apart;
    }
}

inline void drift(Body *bodies, int count, double dt) {
  for (int i = 0; i < count; i++)
    bodies[i].position += dt * bodies[i].velocity;
}

inline double objective(Body *bodies, int count, const Method &method,
                        const Vector *target) {
  for (int t = 0; t < method.steps; t++) {
    kick(bodies, count, method.dt, method.softening);
    drift(bodies, count, method.dt);
  }
  double sum = 0.0;
  for (int i = 0; i < count; i++) {
    Vector off = bodies[i].position - target[i];
    sum += dot(off, off);
  }
  return sum;
}

} // namespace nbody

#endif
