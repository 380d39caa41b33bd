// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Linear algebra, transforms and differential equations as simulation codes
// thread them.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

typedef struct {
  int rows;
  const int *start, *column;
  const double *value;
} IN(Csr);

static void IN(spmv)(const IN(Csr) * m, const double *x, double *y) {
  OMP(parallel for schedule(dynamic, 3))
  for (int r = 0; r < m->rows; ++r) {
    double sum = 0;
    for (int k = m->start[r]; k < m->start[r + 1]; ++k)
      sum += m->value[k] * x[m->column[k]];
    y[r] = sum;
  }
}

PROGRAM(powerIteration) {
  int start[13], column[36], entries = 0;
  double value[36], v[12], w[12];
  for (int r = 0; r < 12; ++r) {
    start[r] = entries;
    for (int k = 0; k < 3; ++k) {
      column[entries] = (r * 5 + 7 * k) % 12;
      value[entries++] = x[(r + k) % 12] + 0.1 * k;
    }
  }
  start[12] = entries;
  for (int r = 0; r < 12; ++r)
    v[r] = x[12 + r];
  IN(Csr) m = {12, start, column, value};
  for (int step = 0; step < 3; ++step) {
    IN(spmv)(&m, v, w);
    double norm = 0;
    OMP(parallel for reduction(+ : norm))
    for (int r = 0; r < 12; ++r)
      norm += w[r] * w[r];
    norm = sqrt(norm);
    OMP(parallel for)
    for (int r = 0; r < 12; ++r)
      v[r] = w[r] / norm;
  }
  return v[0] + 2 * v[5] - v[11] + n * 0;
}

// The transposed product: every thread adds to a vector of its own.
PROGRAM(transposedProduct) {
  double *y = calloc(8, sizeof *y), sum = 0;
  OMP(parallel) {
    double *mine = calloc(8, sizeof *mine);
    OMP(for nowait)
    for (int r = 0; r < n; ++r)
      for (int k = 0; k < 3; ++k)
        mine[(r * 3 + k) % 8] += x[r] * x[(r + k) % n];
    for (int i = 0; i < 8; ++i)
      OMP(atomic)
    y[i] += mine[i];
    free(mine);
  }
  for (int i = 0; i < 8; ++i)
    sum += y[i] * y[i] * (i + 1);
  free(y);
  return sum;
}

// Butterflies of a Fourier transform, stage by stage.
PROGRAM(fourier) {
  double re[16], im[16];
  for (int i = 0; i < 16; ++i) {
    const int r = ((i & 1) << 3) | ((i & 2) << 1) | ((i & 4) >> 1) | (i >> 3);
    re[r] = x[i];
    im[r] = i < 8 ? x[16 + i] : 0;
  }
  for (int half = 1; half < 16; half *= 2) {
    OMP(parallel for schedule(static))
    for (int b = 0; b < 8; ++b) {
      const int k = b % half, i = (b / half) * 2 * half + k, j = i + half;
      const double c = cos(-3.14159265358979 * k / half);
      const double s = sin(-3.14159265358979 * k / half);
      const double tr = c * re[j] - s * im[j], ti = c * im[j] + s * re[j];
      re[j] = re[i] - tr;
      im[j] = im[i] - ti;
      re[i] += tr;
      im[i] += ti;
    }
  }
  double power = 0;
  OMP(parallel for reduction(+ : power))
  for (int i = 0; i < 16; ++i)
    power += (re[i] * re[i] + im[i] * im[i]) / (1 + i);
  return power + n * 0;
}

PROGRAM(jacobi) {
  enum { M = 8 };
  double(*u)[M] = malloc(sizeof(double[M][M]));
  double(*v)[M] = malloc(sizeof(double[M][M]));
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j)
      u[i][j] = v[i][j] = x[(i * M + j) % n];
  for (int step = 0; step < 4; ++step) {
    double change = 0;
    OMP(parallel for collapse(2) reduction(max : change))
    for (int i = 1; i < M - 1; ++i)
      for (int j = 1; j < M - 1; ++j) {
        v[i][j] =
            0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) +
            0.01 * u[i][j] * u[i][j];
        change = fmax(change, fabs(v[i][j] - u[i][j]));
      }
    double(*t)[M] = u;
    u = v;
    v = t;
    if (change < 1e-9)
      break;
  }
  double sum = 0;
  for (int i = 0; i < M * M; ++i)
    sum += u[i / M][i % M] * (1 + i % 5);
  free(u);
  free(v);
  return sum;
}

PROGRAM(redBlack) {
  enum { M = 6 };
  double u[M * M];
  for (int i = 0; i < M * M; ++i)
    u[i] = x[i % n] * (1 + i / n);
  OMP(parallel)
  for (int sweep = 0; sweep < 3; ++sweep)
    for (int color = 0; color < 2; ++color) {
      OMP(for)
      for (int i = 1; i < M - 1; ++i)
        for (int j = 1 + (i + color) % 2; j < M - 1; j += 2)
          u[i * M + j] = (1 - 1.2) * u[i * M + j] +
                         0.3 * (u[i * M + j - 1] + u[i * M + j + 1] +
                                u[(i - 1) * M + j] + u[(i + 1) * M + j]);
    }
  double sum = 0;
  for (int i = 0; i < M * M; ++i)
    sum += u[i] * u[i];
  return sum;
}

// Conjugate gradients in one region: shared scalars, reset by one thread.
PROGRAM(conjugateGradients) {
  double r[12], p[12], q[12], z[12], rho = 0, pq = 0, rhoNew = 0;
  OMP(parallel) {
    OMP(for reduction(+ : rho))
    for (int i = 0; i < 12; ++i) {
      z[i] = 0;
      r[i] = p[i] = x[i];
      rho += r[i] * r[i];
    }
    for (int step = 0; step < 4; ++step) {
      OMP(single)
      pq = rhoNew = 0;
      OMP(for reduction(+ : pq))
      for (int i = 0; i < 12; ++i) {
        q[i] = (3 + x[12 + i]) * p[i] - (i > 0 ? p[i - 1] : 0) -
               (i < 11 ? p[i + 1] : 0);
        pq += p[i] * q[i];
      }
      const double alpha = rho / pq;
      OMP(for reduction(+ : rhoNew))
      for (int i = 0; i < 12; ++i) {
        z[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        rhoNew += r[i] * r[i];
      }
      const double beta = rhoNew / rho;
      OMP(for)
      for (int i = 0; i < 12; ++i)
        p[i] = r[i] + beta * p[i];
      OMP(single)
      rho = rhoNew;
    }
  }
  double sum = 0;
  for (int i = 0; i < 12; ++i)
    sum += z[i] * (1 + 0.1 * i);
  return sum + n * 0;
}

// A matrix product by tiles.
PROGRAM(tiles) {
  enum { M = 8, T = 4 };
  double a[M][M], b[M][M], c[M][M] = {{0}};
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j) {
      a[i][j] = x[(i + 3 * j) % n];
      b[i][j] = x[(5 * i + j) % n] - 0.5;
    }
  OMP(parallel for collapse(2) schedule(guided))
  for (int ii = 0; ii < M; ii += T)
    for (int jj = 0; jj < M; jj += T)
      for (int kk = 0; kk < M; kk += T)
        for (int i = ii; i < ii + T; ++i)
          for (int j = jj; j < jj + T; ++j) {
            double sum = c[i][j];
            for (int k = kk; k < kk + T; ++k)
              sum += a[i][k] * b[k][j];
            c[i][j] = sum;
          }
  double trace = 0;
  for (int i = 0; i < M; ++i)
    trace += c[i][i] * c[i][(i + 3) % M];
  return trace;
}

static void IN(thomas)(int m, const double *a, const double *b, const double *c,
                       double *d) {
  double work[8];
  double pivot = b[0];
  d[0] /= pivot;
  for (int i = 1; i < m; ++i) {
    work[i] = c[i - 1] / pivot;
    pivot = b[i] - a[i] * work[i];
    d[i] = (d[i] - a[i] * d[i - 1]) / pivot;
  }
  for (int i = m - 2; i >= 0; --i)
    d[i] -= work[i + 1] * d[i + 1];
}

// Many tridiagonal systems, one a thread at a time.
PROGRAM(tridiagonal) {
  double d[7][8], a[8], b[8], c[8], sum = 0;
  for (int i = 0; i < 8; ++i) {
    a[i] = -x[i];
    b[i] = 4 + x[8 + i];
    c[i] = -x[16 + i];
  }
  OMP(parallel for firstprivate(b))
  for (int k = 0; k < 7; ++k) {
    b[0] = 4 + 0.1 * k + x[k];
    for (int i = 0; i < 8; ++i)
      d[k][i] = x[(k * 3 + i) % n];
    IN(thomas)(8, a, b, c, d[k]);
  }
  for (int k = 0; k < 7; ++k)
    for (int i = 0; i < 8; ++i)
      sum += d[k][i] * (k + 1);
  return sum;
}

// Right-looking factors of Cholesky, columns below the pivot in parallel.
PROGRAM(cholesky) {
  enum { M = 6 };
  double a[M][M];
  for (int i = 0; i < M; ++i)
    for (int j = 0; j <= i; ++j)
      a[i][j] = a[j][i] = i == j ? 6 + x[i] : 0.5 * x[6 + (i * 3 + j) % 18];
  for (int k = 0; k < M; ++k) {
    a[k][k] = sqrt(a[k][k]);
    OMP(parallel for)
    for (int i = k + 1; i < M; ++i)
      a[i][k] /= a[k][k];
    OMP(parallel for schedule(dynamic))
    for (int j = k + 1; j < M; ++j)
      for (int i = j; i < M; ++i)
        a[i][j] -= a[i][k] * a[j][k];
  }
  double logdet = 0;
  OMP(parallel for reduction(+ : logdet) if (n > 2))
  for (int i = 0; i < M; ++i)
    logdet += 2 * log(a[i][i]);
  return logdet;
}

// LU with a search for the pivot by a critical section.
PROGRAM(pivots) {
  enum { M = 5 };
  double a[M][M], y[M];
  for (int i = 0; i < M; ++i) {
    y[i] = x[i] - 0.3;
    for (int j = 0; j < M; ++j)
      a[i][j] = x[(7 * i + 5 * j) % n] + (i == (j + 2) % M ? 3 : 0);
  }
  for (int k = 0; k < M; ++k) {
    int best = k;
    double size = -1;
    OMP(parallel) {
      int mine = k;
      double large = -1;
      OMP(for nowait)
      for (int i = k; i < M; ++i)
        if (fabs(a[i][k]) > large) {
          large = fabs(a[i][k]);
          mine = i;
        }
      OMP(critical(pivot))
      if (large > size || (large == size && mine < best)) {
        size = large;
        best = mine;
      }
    }
    for (int j = 0; j < M; ++j) {
      const double t = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = t;
    }
    const double t = y[k];
    y[k] = y[best];
    y[best] = t;
    OMP(parallel for)
    for (int i = k + 1; i < M; ++i) {
      const double f = a[i][k] / a[k][k];
      for (int j = k; j < M; ++j)
        a[i][j] -= f * a[k][j];
      y[i] -= f * y[k];
    }
  }
  for (int i = M - 1; i >= 0; --i) {
    double s = y[i];
    OMP(parallel for reduction(- : s))
    for (int j = i + 1; j < M; ++j)
      s -= a[i][j] * y[j];
    y[i] = s / a[i][i];
  }
  return y[0] + y[1] * y[2] - y[4];
}

// Lattice Boltzmann in one dimension: collide and stream, two arrays.
PROGRAM(lattice) {
  enum { M = 12 };
  double f[2][3][M];
  for (int q = 0; q < 3; ++q)
    for (int i = 0; i < M; ++i)
      f[0][q][i] = x[(q * M + i) % n] * 0.3 + 0.1;
  int now = 0;
  for (int t = 0; t < 5; ++t, now = 1 - now) {
    OMP(parallel for default(none) shared(f) firstprivate(now))
    for (int i = 0; i < M; ++i) {
      const double *r = f[now][0], *e = f[now][1], *w = f[now][2];
      const double rho = r[i] + e[i] + w[i], u = (e[i] - w[i]) / rho;
      const double rest = rho * (2 - 3 * u * u) / 3;
      const double east = rho * (1 + 3 * u + 3 * u * u) / 6;
      const double west = rho * (1 - 3 * u + 3 * u * u) / 6;
      f[1 - now][0][i] = r[i] + 0.8 * (rest - r[i]);
      f[1 - now][1][(i + 1) % M] = e[i] + 0.8 * (east - e[i]);
      f[1 - now][2][(i + M - 1) % M] = w[i] + 0.8 * (west - w[i]);
    }
  }
  double sum = 0;
  for (int i = 0; i < M; ++i)
    sum += f[now][1][i] * f[now][2][i] * (i + 1);
  return sum;
}

// Wave fronts of a dynamic program, anti-diagonal by anti-diagonal.
PROGRAM(fronts) {
  enum { M = 9 };
  double a[M][M];
  for (int i = 0; i < M; ++i) {
    a[i][0] = x[i];
    a[0][i] = x[(i + 9) % n] * (i > 0) + x[0] * (i == 0);
  }
  for (int d = 2; d < 2 * M - 1; ++d) {
    const int from = d < M ? 1 : d - M + 1, to = d < M ? d - 1 : M - 1;
    OMP(parallel for)
    for (int i = from; i <= to; ++i) {
      const int j = d - i;
      a[i][j] = fmax(a[i - 1][j], a[i][j - 1]) + x[(i * j) % n] +
                0.1 * a[i - 1][j - 1];
    }
  }
  return a[M - 1][M - 1];
}

#if !__has_feature(thread_sanitizer) // which does not know of sinks
// The same by sinks and sources between rows.
PROGRAM(wave) {
  enum { M = 6 };
  double a[M][M];
  for (int i = 0; i < M; ++i)
    a[i][0] = x[i], a[0][i] = x[6 + i] * (i > 0) + x[0] * (i == 0);
  OMP(parallel for ordered(2) schedule(static, 1))
  for (int i = 1; i < M; ++i)
    for (int j = 1; j < M; ++j) {
      OMP(ordered depend(sink : i - 1, j) depend(sink : i, j - 1))
      a[i][j] = 0.5 * sin(a[i - 1][j]) * a[i][j - 1] + 0.3 * x[(i * j) % n];
      OMP(ordered depend(source))
    }
  return a[M - 1][M - 1];
}
#endif

// Runge-Kutta of an ensemble, each member with a work space of its thread.
static void IN(slopes)(const double *u, double k, double *du) {
  du[0] = 10 * k * (u[1] - u[0]) * 0.1;
  du[1] = u[0] * (1.2 - u[2]) - u[1];
  du[2] = u[0] * u[1] - 0.8 * u[2] * k;
}
PROGRAM(ensemble) {
  double result[8];
  OMP(parallel) {
    double *work = malloc(7 * 3 * sizeof *work);
    double *u = work, *k1 = work + 3, *k2 = work + 6, *k3 = work + 9,
           *k4 = work + 12, *v = work + 15;
    OMP(for schedule(dynamic))
    for (int m = 0; m < 8; ++m) {
      for (int i = 0; i < 3; ++i)
        u[i] = x[3 * m + i];
      const double h = 0.05, k = x[m];
      for (int t = 0; t < 6; ++t) {
        IN(slopes)(u, k, k1);
        for (int i = 0; i < 3; ++i)
          v[i] = u[i] + 0.5 * h * k1[i];
        IN(slopes)(v, k, k2);
        for (int i = 0; i < 3; ++i)
          v[i] = u[i] + 0.5 * h * k2[i];
        IN(slopes)(v, k, k3);
        for (int i = 0; i < 3; ++i)
          v[i] = u[i] + h * k3[i];
        IN(slopes)(v, k, k4);
        for (int i = 0; i < 3; ++i)
          u[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
      }
      result[m] = u[0] * u[1] + u[2];
    }
    free(work);
  }
  double sum = 0;
  for (int m = 0; m < 8; ++m)
    sum += result[m] * (1 + m % 3);
  return sum + n * 0;
}

// A grid of pointers to rows, three levels of a multigrid cycle.
static void IN(smooth)(double **u, double **f, int m) {
  OMP(parallel for)
  for (int i = 1; i < m - 1; i += 2)
    for (int j = 1; j < m - 1; ++j)
      u[i][j] += 0.2 * (f[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] +
                        u[i][j + 1] - 4 * u[i][j]);
}
static double **IN(grid)(int m) {
  double **g = malloc(m * sizeof *g);
  for (int i = 0; i < m; ++i)
    g[i] = calloc(m, sizeof **g);
  return g;
}
static void IN(drop)(double **g, int m) {
  for (int i = 0; i < m; ++i)
    free(g[i]);
  free(g);
}
PROGRAM(multigrid) {
  double **u = IN(grid)(9), **f = IN(grid)(9), **v = IN(grid)(5),
         **g = IN(grid)(5);
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j)
      f[i][j] = x[(i * 9 + j) % n];
  for (int cycle = 0; cycle < 2; ++cycle) {
    IN(smooth)(u, f, 9);
    OMP(parallel for collapse(2))
    for (int i = 1; i < 4; ++i)
      for (int j = 1; j < 4; ++j)
        g[i][j] = f[2 * i][2 * j] * u[2 * i][2 * j] + f[2 * i + 1][2 * j];
    IN(smooth)(v, g, 5);
    OMP(parallel for)
    for (int i = 1; i < 4; ++i)
      for (int j = 1; j < 4; ++j) {
        u[2 * i][2 * j] += v[i][j];
        u[2 * i + 1][2 * j] += 0.5 * (v[i][j] + v[i + 1][j]);
      }
  }
  double sum = 0;
  OMP(parallel for reduction(+ : sum) collapse(2))
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j)
      sum += u[i][j] * u[i][j];
  IN(drop)(u, 9), IN(drop)(f, 9), IN(drop)(v, 5), IN(drop)(g, 5);
  return sum;
}

#endif
