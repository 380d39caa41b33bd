// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lagrangian gas dynamics on a mesh of quadrilaterals. Nodes carry positions x
// and velocities v, elements a mass m and a specific internal energy e. A step
// is three loops:
//
//   F = p dA/dx            of each element on its corners, A its area
//   v += dt sum F / M      each node gathers from corners, by indices
//   x += dt v
//   e -= dt sum F.v / m    each element gathers from its nodes
//
//   p = m/A ((gamma - 1) e + viscosity A'^2 / A)   the second where A' < 0
//
// What the forces do on nodes, elements lose.
#include "bench.h"

enum {
  Side = 100,
  Steps = 8,
  Nodes = (Side + 1) * (Side + 1),
  Elements = Side * Side
};
static const double dt = 0.05, gas = 0.4, viscosity = 1.5;
static int nodes, elements, steps;
static int *corners;        ///< Nodes of each element, counterclockwise.
static int *begin, *corner; ///< Corners of elements at each node.
static double *mass;        ///< Of elements.
static double *lightness;   ///< One over masses of nodes; 0 across walls.
static double *last;        ///< Positions and energies that are aimed at.
static double *scratch;

/// Positions, velocities, energies.
int inputs(void) { return 4 * Nodes + Elements; }

static void make_mesh(void) {
  const int row = Side + 1;
  corners = malloc(4 * Elements * sizeof(int));
  corner = malloc(4 * Elements * sizeof(int));
  begin = calloc(Nodes + 2, sizeof(int));
  for (int k = 0; k < Elements; ++k) {
    int *c = corners + 4 * k;
    c[0] = k / Side * row + k % Side;
    c[1] = c[0] + 1;
    c[2] = c[1] + row;
    c[3] = c[2] - 1;
  }
  // Counted two places ahead: begin[n + 1] is where the list of n starts, and
  // where it ends once it is filled.
  for (int k = 0; k < 4 * Elements; ++k)
    ++begin[corners[k] + 2];
  for (int n = 0; n < Nodes; ++n)
    begin[n + 2] += begin[n + 1];
  for (int k = 0; k < 4 * Elements; ++k)
    corner[begin[corners[k] + 1]++] = k;
}
void setup(double *x) {
  nodes = unknown(Nodes);
  elements = unknown(Elements);
  steps = unknown(Steps);
  make_mesh();
  mass = array(Elements);
  lightness = array(2 * Nodes);
  last = array(2 * Nodes + Elements);
  scratch = array(16 * Elements);
  for (int k = 0; k < Elements; ++k) {
    mass[k] = 0.5 + number();
    x[4 * Nodes + k] = 1 + number();
    last[2 * Nodes + k] = 1 + number();
  }
  for (int n = 0; n < Nodes; ++n) {
    const int at[2] = {n % (Side + 1), n / (Side + 1)};
    double m = 0;
    for (int k = begin[n]; k < begin[n + 1]; ++k)
      m += 0.25 * mass[corner[k] / 4];
    for (int d = 0; d < 2; ++d) {
      const int wall = at[d] == 0 || at[d] == Side;
      lightness[2 * n + d] = wall ? 0 : 1 / m;
      x[2 * n + d] = at[d] + (wall ? 0 : 0.2 * (number() - 0.5));
      x[2 * (Nodes + n) + d] = wall ? 0 : number() - 0.5;
      last[2 * n + d] = at[d] + 0.2 * (number() - 0.5);
    }
  }
}

/// One element: dA/dx of each corner, A, and its rate of change.
typedef struct {
  double slope[8], area, rate;
} shape;
static inline shape shape_of(const int *c, const double *x, const double *v) {
  shape s;
  s.area = s.rate = 0;
  for (int a = 0; a < 4; ++a) {
    const double *before = x + 2 * c[(a + 3) % 4],
                 *after = x + 2 * c[(a + 1) % 4];
    s.slope[2 * a] = 0.5 * (after[1] - before[1]);
    s.slope[2 * a + 1] = 0.5 * (before[0] - after[0]);
  }
  for (int a = 0; a < 4; ++a)
    for (int d = 0; d < 2; ++d) {
      s.area += 0.5 * x[2 * c[a] + d] * s.slope[2 * a + d];
      s.rate += v[2 * c[a] + d] * s.slope[2 * a + d];
    }
  return s;
}
static inline double pressure(double m, double e, double area, double rate) {
  const double shock = rate < 0 ? viscosity * rate * rate / area : 0;
  return m / area * (gas * e + shock);
}

static void push(int count, const int *ends, const double *m,
                 const double *restrict x, const double *restrict v,
                 const double *restrict e, double *restrict force) {
#pragma omp parallel for
  for (int k = 0; k < count; ++k) {
    const shape s = shape_of(ends + 4 * k, x, v);
    const double p = pressure(m[k], e[k], s.area, s.rate);
    for (int a = 0; a < 8; ++a)
      force[8 * k + a] = p * s.slope[a];
  }
}
static void move(int count, const int *first, const int *list,
                 const double *light, const double *restrict force,
                 double *restrict v, double *restrict x) {
#pragma omp parallel for
  for (int n = 0; n < count; ++n) {
    double sx = 0, sy = 0;
    for (int k = first[n]; k < first[n + 1]; ++k) {
      sx += force[2 * list[k]];
      sy += force[2 * list[k] + 1];
    }
    v[2 * n] += dt * light[2 * n] * sx;
    v[2 * n + 1] += dt * light[2 * n + 1] * sy;
    x[2 * n] += dt * v[2 * n];
    x[2 * n + 1] += dt * v[2 * n + 1];
  }
}
static void work(int count, const int *ends, const double *m,
                 const double *restrict force, const double *restrict v,
                 double *restrict e) {
#pragma omp parallel for
  for (int k = 0; k < count; ++k) {
    double sum = 0;
    for (int a = 0; a < 4; ++a) {
      const double *u = v + 2 * ends[4 * k + a], *f = force + 8 * k + 2 * a;
      sum += f[0] * u[0] + f[1] * u[1];
    }
    e[k] -= dt / m[k] * sum;
  }
}
static double distance(int count, const double *x, const double *y) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int k = 0; k < count; ++k)
    sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sum;
}
static double objective(const double *start) {
  double *x = malloc(2 * Nodes * sizeof(double)),
         *v = malloc(2 * Nodes * sizeof(double)),
         *e = malloc(Elements * sizeof(double)),
         *force = malloc(8 * Elements * sizeof(double));
  memcpy(x, start, 2 * Nodes * sizeof(double));
  memcpy(v, start + 2 * Nodes, 2 * Nodes * sizeof(double));
  memcpy(e, start + 4 * Nodes, Elements * sizeof(double));
  for (int s = 0; s < steps; ++s) {
    push(elements, corners, mass, x, v, e, force);
    move(nodes, begin, corner, lightness, force, v, x);
    work(elements, corners, mass, force, v, e);
  }
  const double sum =
      distance(2 * nodes, x, last) + distance(elements, e, last + 2 * nodes);
  free(x);
  free(v);
  free(e);
  free(force);
  return sum;
}

/// What the adjoint by hand keeps of a step: the state, and pressures. Forces
/// are the product of these and slopes.
typedef struct {
  double *x, *v, *e, *p;
} moment;
enum { Moment = 4 * Nodes + 2 * Elements };
static moment moment_at(double *tape, int s) {
  double *x = tape + (size_t)s * Moment;
  return (moment){x, x + 2 * Nodes, x + 4 * Nodes, x + 4 * Nodes + Elements};
}
static void forward(moment now, moment next, double *restrict force) {
#pragma omp parallel for
  for (int k = 0; k < elements; ++k) {
    const shape s = shape_of(corners + 4 * k, now.x, now.v);
    const double p = pressure(mass[k], now.e[k], s.area, s.rate);
    now.p[k] = p;
    for (int a = 0; a < 8; ++a)
      force[8 * k + a] = p * s.slope[a];
  }
#pragma omp parallel for
  for (int n = 0; n < nodes; ++n) {
    double sum[2] = {0};
    for (int k = begin[n]; k < begin[n + 1]; ++k)
      for (int d = 0; d < 2; ++d)
        sum[d] += force[2 * corner[k] + d];
    for (int d = 2 * n; d < 2 * n + 2; ++d) {
      next.v[d] = now.v[d] + dt * lightness[d] * sum[d - 2 * n];
      next.x[d] = now.x[d] + dt * next.v[d];
    }
  }
#pragma omp parallel for
  for (int k = 0; k < elements; ++k) {
    double sum = 0;
    for (int a = 0; a < 8; ++a)
      sum += force[8 * k + a] * next.v[2 * corners[4 * k + a / 2] + a % 2];
    next.e[k] = now.e[k] - dt / mass[k] * sum;
  }
}

/// Adjoints of velocities by the work, for each corner.
static void work_back(moment now, const double *restrict de,
                      double *restrict dv) {
#pragma omp parallel for
  for (int k = 0; k < elements; ++k) {
    const int *c = corners + 4 * k;
    const double scale = -dt / mass[k] * de[k] * now.p[k];
    for (int a = 0; a < 4; ++a) {
      const double *before = now.x + 2 * c[(a + 3) % 4],
                   *after = now.x + 2 * c[(a + 1) % 4];
      dv[8 * k + 2 * a] = scale * 0.5 * (after[1] - before[1]);
      dv[8 * k + 2 * a + 1] = scale * 0.5 * (before[0] - after[0]);
    }
  }
}
static void move_back(const double *restrict dcorner, const double *restrict dx,
                      double *restrict dv, double *restrict dforce) {
#pragma omp parallel for
  for (int n = 0; n < nodes; ++n)
    for (int d = 0; d < 2; ++d) {
      double sum = dv[2 * n + d] + dt * dx[2 * n + d];
      for (int k = begin[n]; k < begin[n + 1]; ++k)
        sum += dcorner[2 * corner[k] + d];
      dv[2 * n + d] = sum;
      dforce[2 * n + d] = dt * lightness[2 * n + d] * sum;
    }
}
/// Adjoints of positions and velocities by the forces, for each corner, from
/// those of the sums at nodes, and of energies.
static void push_back(moment now, moment next, const double *restrict dforce,
                      double *restrict de, double *restrict out) {
#pragma omp parallel for
  for (int k = 0; k < elements; ++k) {
    const int *c = corners + 4 * k;
    const shape s = shape_of(c, now.x, now.v);
    const double p = now.p[k], density = mass[k] / s.area,
                 scale = -dt / mass[k] * de[k];
    double d[8], dp = 0;
    for (int a = 0; a < 8; ++a) {
      const int at = 2 * c[a / 2] + a % 2;
      d[a] = dforce[at] + scale * next.v[at];
      dp += d[a] * s.slope[a];
    }
    de[k] += dp * density * gas;
    const double shock = s.rate < 0 ? dp * density * viscosity / s.area : 0;
    const double drate = 2 * shock * s.rate,
                 darea = -(dp * p + shock * s.rate * s.rate) / s.area;
    for (int a = 0; a < 8; ++a)
      d[a] = p * d[a] + drate * now.v[2 * c[a / 2] + a % 2];
    for (int a = 0; a < 4; ++a) {
      const double *before = d + 2 * ((a + 3) % 4),
                   *after = d + 2 * ((a + 1) % 4);
      double *to = out + 16 * k + 4 * a;
      const double *slope = s.slope + 2 * a;
      to[0] = darea * slope[0] + 0.5 * (after[1] - before[1]);
      to[1] = darea * slope[1] + 0.5 * (before[0] - after[0]);
      to[2] = drate * slope[0];
      to[3] = drate * slope[1];
    }
  }
}
static void gather(const double *restrict from, double *restrict dx,
                   double *restrict dv) {
#pragma omp parallel for
  for (int n = 0; n < nodes; ++n) {
    double sum[4] = {0};
    for (int k = begin[n]; k < begin[n + 1]; ++k)
      for (int d = 0; d < 4; ++d)
        sum[d] += from[4 * corner[k] + d];
    for (int d = 0; d < 2; ++d) {
      dx[2 * n + d] += sum[d];
      dv[2 * n + d] += sum[2 + d];
    }
  }
}
static void hand(const double *start, double *out) {
  double *tape = malloc((size_t)(steps + 1) * Moment * sizeof(double));
  memcpy(tape, start, (4 * Nodes + Elements) * sizeof(double));
  for (int s = 0; s < steps; ++s)
    forward(moment_at(tape, s), moment_at(tape, s + 1), scratch);
  const moment end = moment_at(tape, steps);
  double *dx = malloc((6 * Nodes + Elements) * sizeof(double)),
         *dv = dx + 2 * Nodes, *de = dx + 4 * Nodes, *dforce = de + Elements;
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int k = 0; k < 2 * nodes; ++k) {
    sum += (end.x[k] - last[k]) * (end.x[k] - last[k]);
    dx[k] = 2 * (end.x[k] - last[k]);
    dv[k] = 0;
  }
#pragma omp parallel for reduction(+ : sum)
  for (int k = 0; k < elements; ++k) {
    const double off = end.e[k] - last[2 * Nodes + k];
    sum += off * off;
    de[k] = 2 * off;
  }
  volatile double value = sum;
  (void)value;
  for (int s = steps - 1; s >= 0; --s) {
    const moment now = moment_at(tape, s), next = moment_at(tape, s + 1);
    work_back(now, de, scratch);
    move_back(scratch, dx, dv, dforce);
    push_back(now, next, dforce, de, scratch);
    gather(scratch, dx, dv);
  }
#pragma omp parallel for
  for (int k = 0; k < 4 * Nodes + Elements; ++k)
    out[k] += dx[k];
  free(tape);
  free(dx);
}
