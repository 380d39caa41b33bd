// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of nbody.h by hand.
//
// Forces depend on positions and masses alone, so the tape is the positions of
// every step and all else is recomputed. For a pair with d = x_j - x_i,
// s = |d|^2 + eps^2, k = dt s^(-3/2), and adjoints b of the velocities after
// the kick, let w = m_j b_i - m_i b_j. Then
//
//   m_j += k d . b_i       m_i -= k d . b_j
//   d    = k w - 3 k / s (d . w) d       to x_j, and negated to x_i.

#include "nbody.h"
#include "nbody_objective.h"

#include <cstddef>
#include <vector>

using namespace nbody;

static void reverse_kick(const Body *bodies, const Vector *at, Body *adjoint,
                         int count, const Method &method) {
  const double softening = method.softening * method.softening;
  for (int i = 0; i < count; i++) {
    Body sum = adjoint[i];
    const Vector bi = sum.velocity;
    for (int j = i + 1; j < count; j++) {
      Vector apart = at[j] - at[i];
      double inverse = 1.0 / (dot(apart, apart) + softening);
      double scale = method.dt * inverse * std::sqrt(inverse);
      const Vector bj = adjoint[j].velocity;
      Vector weight = bodies[j].mass * bi - bodies[i].mass * bj;
      adjoint[j].mass += scale * dot(apart, bi);
      sum.mass -= scale * dot(apart, bj);
      Vector bar =
          scale * weight - 3.0 * scale * inverse * dot(apart, weight) * apart;
      adjoint[j].position += bar;
      sum.position -= bar;
    }
    adjoint[i] = sum;
  }
}

void nbody::hand(Body *bodies, Body *d_bodies, int count, const Method &method,
                 const Vector *target) {
  const std::size_t size = count;
  std::vector<Vector> tape(size * method.steps);
  Vector *positions = tape.data();
  for (int t = 0; t < method.steps; t++) {
    for (int i = 0; i < count; i++)
      *positions++ = bodies[i].position;
    kick(bodies, count, method.dt, method.softening);
    drift(bodies, count, method.dt);
  }
  for (int i = 0; i < count; i++)
    d_bodies[i].position += 2.0 * (bodies[i].position - target[i]);
  for (int t = 0; t < method.steps; t++) {
    for (int i = 0; i < count; i++)
      d_bodies[i].velocity += method.dt * d_bodies[i].position;
    positions -= count;
    reverse_kick(bodies, positions, d_bodies, count, method);
  }
}
