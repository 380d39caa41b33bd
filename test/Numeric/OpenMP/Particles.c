// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Particles, elements, samples and histograms as simulation codes thread them.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

typedef struct {
  double at[3], v[3], mass;
} IN(Body);

// Forces of pairs, computed once, in arrays of each thread that a critical
// section adds up.
PROGRAM(pairs) {
  enum { M = 8 };
  double force[M][3] = {{0}}, energy = 0;
  OMP(parallel) {
    double mine[M][3];
    memset(mine, 0, sizeof mine);
    OMP(for schedule(dynamic) reduction(+ : energy))
    for (int i = 0; i < M; ++i)
      for (int j = i + 1; j < M; ++j) {
        double d[3], r2 = 0.1;
        for (int c = 0; c < 3; ++c) {
          d[c] = x[3 * i + c] - x[3 * j + c];
          r2 += d[c] * d[c];
        }
        const double s = 1 / r2, p = s * s * s;
        energy += 1e-3 * p;
        for (int c = 0; c < 3; ++c) {
          mine[i][c] += 1e-3 * p * s * d[c];
          mine[j][c] -= 1e-3 * p * s * d[c];
        }
      }
    OMP(critical)
    for (int i = 0; i < M; ++i)
      for (int c = 0; c < 3; ++c)
        force[i][c] += mine[i][c];
  }
  double sum = energy;
  for (int i = 0; i < M; ++i)
    sum += force[i][0] * force[i][1] + force[i][2];
  return sum + n * 0;
}

// Structures of bodies, leapfrog, and one region for all steps.
PROGRAM(leapfrog) {
  IN(Body) *b = malloc(6 * sizeof *b);
  for (int i = 0; i < 6; ++i) {
    for (int c = 0; c < 3; ++c)
      b[i].at[c] = x[3 * i + c], b[i].v[c] = 0.1 * c;
    b[i].mass = x[18 + i];
  }
  double kinetic = 0;
  OMP(parallel) {
    for (int t = 0; t < 4; ++t) {
      OMP(for)
      for (int i = 0; i < 6; ++i) {
        double a[3] = {0, 0, 0};
        for (int j = 0; j < 6; ++j) {
          double d[3], r2 = 0.2;
          for (int c = 0; c < 3; ++c) {
            d[c] = b[j].at[c] - b[i].at[c];
            r2 += d[c] * d[c];
          }
          for (int c = 0; c < 3; ++c)
            a[c] += b[j].mass * d[c] / (r2 * sqrt(r2));
        }
        for (int c = 0; c < 3; ++c)
          b[i].v[c] += 0.05 * a[c];
      }
      OMP(for)
      for (int i = 0; i < 6; ++i)
        for (int c = 0; c < 3; ++c)
          b[i].at[c] += 0.05 * b[i].v[c];
    }
    OMP(for reduction(+ : kinetic))
    for (int i = 0; i < 6; ++i)
      kinetic += 0.5 * b[i].mass *
                 (b[i].v[0] * b[i].v[0] + b[i].v[1] * b[i].v[1] + b[i].at[2]);
  }
  free(b);
  return kinetic + n * 0;
}

// A smooth histogram, one row of bins for each thread, summed by bins.
PROGRAM(histogram) {
  enum { Bins = 5, Most = 8 };
  double rows[Most][Bins] = {{0}}, sum = 0;
  int used = 1;
  OMP(parallel num_threads(Team < Most ? Team : Most)) {
    const int t = IN(me)();
    OMP(single)
    used = IN(size)();
    OMP(for)
    for (int i = 0; i < n; ++i) {
      int bin = (int)(x[i] * 4 + 0.1) % Bins;
      rows[t][bin] += x[i] * x[i];
      rows[t][(bin + 1) % Bins] += 0.5 * sin(x[i]);
    }
    OMP(for)
    for (int k = 0; k < Bins; ++k)
      for (int r = 1; r < used; ++r)
        rows[0][k] += rows[r][k];
  }
  for (int k = 0; k < Bins; ++k)
    sum += rows[0][k] * rows[0][k] * (k + 1);
  return sum;
}

// A histogram by a reduction of an array section.
PROGRAM(sections) {
  double *bins = calloc(6, sizeof *bins), sum = 0;
  OMP(parallel for reduction(+ : bins[0 : 6]))
  for (int i = 0; i < n; ++i)
    bins[(int)(10 * x[i] + 0.25) % 6] += exp(-x[i]);
  for (int k = 0; k < 6; ++k)
    sum += bins[k] * bins[k];
  free(bins);
  return sum;
}

// Sums of prefixes by two passes over blocks.
PROGRAM(prefix) {
  double y[24], part[9] = {0}, sum = 0;
  OMP(parallel) {
    const int t = IN(me)(), size = IN(size)();
    const int from = n * t / size, to = n * (t + 1) / size;
    double run = 0;
    for (int i = from; i < to; ++i)
      y[i] = run += x[i] * x[i];
    part[t + 1] = run;
    OMP(barrier)
    OMP(master)
    for (int k = 1; k <= size; ++k)
      part[k] += part[k - 1];
    OMP(barrier)
    for (int i = from; i < to; ++i)
      y[i] += part[t];
  }
  for (int i = 0; i < n; ++i)
    sum += y[i] * sin(i);
  return sum;
}

// Samples: a generator of random numbers of each path.
static double IN(next)(unsigned long *state) {
  *state = *state * 6364136223846793005ul + 1442695040888963407ul;
  return ((*state >> 33) + 0.5) / 2147483648.0;
}
PROGRAM(samples) {
  double sum = 0, square = 0;
  OMP(parallel reduction(+ : sum, square)) {
    double path[4];
    OMP(for schedule(static, 2))
    for (int p = 0; p < 20; ++p) {
      unsigned long state = 1234 + 77 * p;
      path[0] = x[0];
      for (int t = 1; t < 4; ++t) {
        const double g = sqrt(-2 * log(IN(next)(&state))) *
                         cos(6.28318530717959 * IN(next)(&state));
        path[t] = path[t - 1] *
                  exp((x[1] - 0.5 * x[2] * x[2]) * 0.1 + x[2] * sqrt(0.1) * g);
      }
      const double gain = path[3] > x[3] ? path[3] - x[3] : 0;
      sum += gain;
      square += gain * gain;
    }
  }
  return sum / 20 + 0.1 * sqrt(square / 20) + n * 0;
}

// Charges scattered to a grid with atomics, a field, gathered again.
PROGRAM(cloud) {
  enum { P = 12, G = 8 };
  double at[P], v[P], rho[G], phi[G];
  for (int i = 0; i < P; ++i)
    at[i] = 7.9 * (x[i] / 1.6), v[i] = x[P + i] - 0.8;
  for (int t = 0; t < 3; ++t) {
    OMP(parallel) {
      OMP(for)
      for (int g = 0; g < G; ++g)
        rho[g] = 0;
      OMP(for)
      for (int i = 0; i < P; ++i) {
        const int g = (int)floor(at[i]);
        const double w = at[i] - g;
        OMP(atomic)
        rho[((g % G) + G) % G] += 1 - w;
        OMP(atomic update)
        rho[(((g + 1) % G) + G) % G] += w;
      }
      OMP(for)
      for (int g = 0; g < G; ++g)
        phi[g] =
            rho[(g + 1) % G] - rho[(g + G - 1) % G] + 0.1 * rho[g] * rho[g];
      OMP(for)
      for (int i = 0; i < P; ++i) {
        const int g = (int)floor(at[i]);
        const double w = at[i] - g;
        v[i] += 0.01 * ((1 - w) * phi[((g % G) + G) % G] +
                        w * phi[(((g + 1) % G) + G) % G]);
        at[i] += 0.01 * v[i];
      }
    }
  }
  double sum = 0;
  for (int i = 0; i < P; ++i)
    sum += v[i] * v[i] + at[i];
  return sum + n * 0;
}

// Elements by colours: those of one colour share no nodes.
PROGRAM(colours) {
  double u[12], r[12] = {0};
  for (int i = 0; i < 12; ++i)
    u[i] = x[i];
  OMP(parallel)
  for (int color = 0; color < 2; ++color) {
    OMP(for)
    for (int e = color; e < 11; e += 2) {
      const double k = x[12 + e], s = u[e + 1] - u[e];
      const double q = k * s * (1 + s * s);
      r[e] -= q;
      r[e + 1] += q;
    }
  }
  double sum = 0;
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < 12; ++i)
    sum += r[i] * r[i];
  return sum + n * 0;
}

// A list of neighbours in cells, sorted by counting.
PROGRAM(cells) {
  enum { P = 24, C = 4 };
  int head[C + 1] = {0}, member[P];
  for (int i = 0; i < P; ++i)
    head[(int)(x[i] * 2 + 0.05) % C + 1]++;
  for (int c = 0; c < C; ++c)
    head[c + 1] += head[c];
  int fill[C];
  memcpy(fill, head, sizeof fill);
  for (int i = 0; i < P; ++i)
    member[fill[(int)(x[i] * 2 + 0.05) % C]++] = i;
  double density[P], sum = 0;
  OMP(parallel for schedule(dynamic))
  for (int c = 0; c < C; ++c)
    for (int a = head[c]; a < head[c + 1]; ++a) {
      double d = 0;
      for (int b = head[c]; b < head[c + 1]; ++b) {
        const double r = x[member[a]] - x[member[b]];
        d += exp(-r * r * 4);
      }
      density[member[a]] = d;
    }
  OMP(parallel for reduction(+ : sum) schedule(static, 5))
  for (int i = 0; i < n; ++i)
    sum += log(density[i]) * (1 + i % 3);
  return sum;
}

// Who moves from box to box is put into lists by locks of the boxes.
PROGRAM(boxes) {
  enum { B = 3 };
  double box[B] = {0};
  omp_lock_t lock[B];
  for (int b = 0; b < B; ++b)
    omp_init_lock(&lock[b]);
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    const int b = i * 7 % B;
    const double q = x[i] * x[(i + 1) % n];
    omp_set_lock(&lock[b]);
    box[b] += q;
    omp_unset_lock(&lock[b]);
  }
  for (int b = 0; b < B; ++b)
    omp_destroy_lock(&lock[b]);
  return box[0] * box[1] + box[2];
}

// A body with everything in one structure, which a method-like function gets.
typedef struct {
  int n;
  double dt, *u, *v;
  double total;
} IN(Model);
static void IN(advance)(IN(Model) * m) {
  double total = 0;
  OMP(parallel for reduction(+ : total))
  for (int i = 0; i < m->n; ++i) {
    m->v[i] = m->u[i] + m->dt * m->u[i] * (1 - m->u[i]);
    total += m->v[i];
  }
  m->total = total;
  OMP(parallel for)
  for (int i = 0; i < m->n; ++i)
    m->u[i] = m->v[i] / (1 + 0.01 * m->total);
}
PROGRAM(model) {
  IN(Model) m = {12, x[12], malloc(96), malloc(96), 0};
  for (int i = 0; i < 12; ++i)
    m.u[i] = x[i];
  for (int t = 0; t < 5; ++t)
    IN(advance)(&m);
  double sum = m.total * m.u[3] + m.u[7] + n * 0;
  free(m.u);
  free(m.v);
  return sum;
}

// Structures reduced by an operation of the program.
typedef struct {
  double weight, mean, spread;
} IN(Moments);
static IN(Moments) IN(join)(IN(Moments) a, IN(Moments) b) {
  IN(Moments) c;
  c.weight = a.weight + b.weight;
  if (c.weight == 0)
    return a;
  const double d = b.mean - a.mean;
  c.mean = a.mean + d * b.weight / c.weight;
  c.spread = a.spread + b.spread + d * d * a.weight * b.weight / c.weight;
  return c;
}
PROGRAM(moments) {
  typedef IN(Moments) M;
  M all = {0, 0, 0};
  OMP(declare reduction(joined:M : omp_out = IN(join)(omp_out, omp_in))
          initializer(omp_priv = (M){0, 0, 0}))
  OMP(parallel for reduction(joined : all))
  for (int i = 0; i < n; ++i)
    all = IN(join)(all, (M){1 + 0.1 * x[i], x[i] * x[i], 0});
  return all.spread / all.weight + all.mean;
}

// The largest value and where it is.
PROGRAM(largest) {
  typedef struct {
    double value;
    int at;
  } Place;
  Place top = {-1e9, -1};
  OMP(declare reduction(top:Place : omp_out =
                                omp_in.value > omp_out.value ? omp_in : omp_out)
          initializer(omp_priv = (Place){-1e9, -1}))
  OMP(parallel for reduction(top : top))
  for (int i = 0; i < n; ++i) {
    const double v = x[i] * (1 + 0.01 * i);
    if (v > top.value)
      top = (Place){v, i};
  }
  return top.value * top.value * x[(top.at + 1) % n];
}

#endif
