// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gravitational n-body problem, in C++ with a vector class, advanced by the
// kick-drift form of the symplectic Euler method with softened forces:
//
//   v_i += dt sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2)
//   x_i += dt v_i
//
// The objective is the distance of the last positions to observed ones; its
// gradient fits initial positions, velocities and masses to an observation.
//
//   bodies   `count` bodies; overwritten by the last state
//   target   their observed positions
//
// The gradients are *added* to `d_bodies`, zero on entry. What `bodies` holds
// after a gradient is not specified.

#ifndef ADZE_BENCHMARKS_NBODY_NBODY_H
#define ADZE_BENCHMARKS_NBODY_NBODY_H

namespace nbody {

struct Vector {
  double x, y, z;
};

struct Body {
  Vector position, velocity;
  double mass;
};

struct Method {
  int steps;
  double dt, softening;
};

double primal(Body *bodies, int count, const Method &method,
              const Vector *target);

void hand(Body *bodies, Body *d_bodies, int count, const Method &method,
          const Vector *target);

void generated(Body *bodies, Body *d_bodies, int count, const Method &method,
               const Vector *target);

} // namespace nbody

#endif
