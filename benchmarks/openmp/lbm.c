// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lattice-Boltzmann flow in a periodic plane with obstacles, nine directions,
// the collision of Bhatnagar, Gross and Krook. Every cell has a relaxation rate
// of its own, and sends its populations to its neighbours in another buffer.
#include "bench.h"

enum { Side = 120, Steps = 8, Q = 9, Cells = Side * Side };
static int side, steps;
static char *solid;
static double *target;

// Directions stand in pairs of opposites after the one that rests.
static const int along[Q] = {0, 1, -1, 0, 0, 1, -1, 1, -1},
                 across[Q] = {0, 0, 0, 1, -1, 1, -1, -1, 1};
static const double weight[Q] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                                 1. / 36, 1. / 36, 1. / 36, 1. / 36};
static int opposite(int q) { return q ? ((q - 1) ^ 1) + 1 : 0; }
static int wrap(int i, int n) { return i < 0 ? n - 1 : i == n ? 0 : i; }
/// Where the population q of the cell in row i, column j goes to.
static int way(int n, int i, int j, int q) {
  return Q * (wrap(i + across[q], n) * n + wrap(j + along[q], n)) + q;
}

/// Populations, and behind them the relaxation rates.
int inputs(void) { return (Q + 1) * Cells; }
void setup(double *x) {
  side = unknown(Side);
  steps = unknown(Steps);
  solid = malloc(Cells);
  target = array(2 * Cells);
  for (int k = 0; k < Cells; ++k) {
    for (int q = 0; q < Q; ++q)
      x[Q * k + q] = weight[q] * (0.9 + 0.2 * number());
    x[Q * Cells + k] = 1 + 0.6 * number();
    solid[k] = number() < 0.1;
    target[2 * k] = 0.1 * number();
    target[2 * k + 1] = 0.1 * number();
  }
}

static double equilibrium(int q, double rho, double ux, double uy) {
  const double cu = 3 * (along[q] * ux + across[q] * uy);
  return weight[q] * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
}
static void collide(double omega, const double *restrict f,
                    double *restrict out) {
  double rho = 0, ux = 0, uy = 0;
  for (int q = 0; q < Q; ++q) {
    rho += f[q];
    ux += along[q] * f[q];
    uy += across[q] * f[q];
  }
  ux /= rho;
  uy /= rho;
  for (int q = 0; q < Q; ++q)
    out[q] = f[q] + omega * (equilibrium(q, rho, ux, uy) - f[q]);
}
static void step(int n, const char *stone, const double *restrict omega,
                 const double *restrict from, double *restrict to) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double *in = from + Q * (i * n + j);
      double out[Q];
      if (stone[i * n + j])
        for (int q = 0; q < Q; ++q)
          out[q] = in[opposite(q)];
      else
        collide(omega[i * n + j], in, out);
      for (int q = 0; q < Q; ++q)
        to[way(n, i, j, q)] = out[q];
    }
}
/// Square of the distance of a cell's momentum from the target's.
static double distance(int n, const double *goal, const double *f) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int k = 0; k < n; ++k) {
    double px = -goal[2 * k], py = -goal[2 * k + 1];
    for (int q = 0; q < Q; ++q) {
      px += along[q] * f[Q * k + q];
      py += across[q] * f[Q * k + q];
    }
    sum += px * px + py * py;
  }
  return sum;
}
static double objective(const double *x) {
  double *a = malloc(Q * Cells * sizeof(double)),
         *b = malloc(Q * Cells * sizeof(double));
  memcpy(a, x, Q * Cells * sizeof(double));
  for (int s = 0; s < steps; ++s) {
    step(side, solid, x + Q * Cells, a, b);
    double *t = a;
    a = b;
    b = t;
  }
  const double sum = distance(side * side, target, a);
  free(a);
  free(b);
  return sum;
}

/// From the adjoints g of what a collision gives to those of what it takes, and
/// of the rate. Equilibria are rho w (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u.u), so
/// moments of w g are enough; the density cancels, for velocities are quotients
/// by it.
static double collide_back(double omega, const double *restrict f,
                           const double *restrict g, double *restrict d) {
  double rho = 0, ux = 0, uy = 0, dot = 0;
  double m = 0, mx = 0, my = 0, mxx = 0, mxy = 0, myy = 0;
  for (int q = 0; q < Q; ++q) {
    const double part = weight[q] * g[q];
    rho += f[q];
    ux += along[q] * f[q];
    uy += across[q] * f[q];
    dot += g[q] * f[q];
    m += part;
    mx += along[q] * part;
    my += across[q] * part;
    mxx += along[q] * along[q] * part;
    mxy += along[q] * across[q] * part;
    myy += across[q] * across[q] * part;
  }
  ux /= rho;
  uy /= rho;
  const double sx = mxx * ux + mxy * uy, sy = mxy * ux + myy * uy;
  const double all = m * (1 - 1.5 * (ux * ux + uy * uy)) +
                     3 * (mx * ux + my * uy) + 4.5 * (sx * ux + sy * uy);
  const double vx = 3 * omega * (mx + 3 * sx - m * ux),
               vy = 3 * omega * (my + 3 * sy - m * uy),
               r = omega * all - vx * ux - vy * uy;
  for (int q = 0; q < Q; ++q)
    d[q] = (1 - omega) * g[q] + r + vx * along[q] + vy * across[q];
  return rho * all - dot;
}
static void step_back(int n, const char *stone, const double *restrict omega,
                      const double *restrict from, const double *restrict dto,
                      double *restrict dfrom, double *restrict domega) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int k = i * n + j;
      double g[Q];
      for (int q = 0; q < Q; ++q)
        g[q] = dto[way(n, i, j, q)];
      if (stone[k])
        for (int q = 0; q < Q; ++q)
          dfrom[Q * k + opposite(q)] = g[q];
      else
        domega[k] += collide_back(omega[k], from + Q * k, g, dfrom + Q * k);
    }
}
static double distance_back(int n, const double *restrict goal,
                            const double *restrict f, double *restrict d) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int k = 0; k < n; ++k) {
    double px = -goal[2 * k], py = -goal[2 * k + 1];
    for (int q = 0; q < Q; ++q) {
      px += along[q] * f[Q * k + q];
      py += across[q] * f[Q * k + q];
    }
    for (int q = 0; q < Q; ++q)
      d[Q * k + q] = 2 * (along[q] * px + across[q] * py);
    sum += px * px + py * py;
  }
  return sum;
}
static void hand(const double *x, double *dx) {
  const size_t all = Q * Cells;
  const double *omega = x + all;
  double *states = malloc((size_t)steps * all * sizeof(double));
  const double *from = x;
  for (int s = 0; s < steps; ++s) {
    step(side, solid, omega, from, states + (size_t)s * all);
    from = states + (size_t)s * all;
  }
  double *d = malloc(all * sizeof(double)), *e = malloc(all * sizeof(double));
  volatile double value = distance_back(side * side, target, from, d);
  (void)value;
  for (int s = steps - 1; s >= 0; --s) {
    from = s ? states + (size_t)(s - 1) * all : x;
    step_back(side, solid, omega, from, d, e, dx + all);
    double *t = d;
    d = e;
    e = t;
  }
#pragma omp parallel for
  for (size_t k = 0; k < all; ++k)
    dx[k] += d[k];
  free(states);
  free(d);
  free(e);
}
