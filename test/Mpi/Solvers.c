// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear algebra, statistics, transforms: vectors and matrices that the ranks
// share out, with dot products over all of them.
#include "check.h"

enum { N = 4 }; // rows of each rank
#define SIZE(n) ((size_t)(n) * sizeof(double))

static void where(int *me, int *all) {
  MPI_Comm_rank(MPI_COMM_WORLD, me);
  MPI_Comm_size(MPI_COMM_WORLD, all);
}

static double dot(const double *a, const double *b, int n, MPI_Comm comm) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  if (comm != MPI_COMM_NULL)
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return sum;
}

// ---- Conjugate gradients: -(k u')' = f, k and f from x -----------------------
static void apply(const double *k, const double *u, double *out, int n,
                  MPI_Comm comm) {
  double left = 0, right = 0;
  if (comm != MPI_COMM_NULL) {
    int me, all;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &all);
    const int before = me > 0 ? me - 1 : MPI_PROC_NULL;
    const int after = me + 1 < all ? me + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&u[n - 1], 1, MPI_DOUBLE, after, 0, &left, 1, MPI_DOUBLE,
                 before, 0, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[0], 1, MPI_DOUBLE, before, 0, &right, 1, MPI_DOUBLE, after,
                 0, comm, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < n; ++i) {
    const double l = i > 0 ? u[i - 1] : left;
    const double r = i + 1 < n ? u[i + 1] : right;
    out[i] = (2 + k[i]) * u[i] - l - r;
  }
}

static void conjugate_gradients(const double *k, const double *f, double *u,
                                int n, int steps, MPI_Comm comm) {
  double *r = (double *)malloc(SIZE(3 * n)), *p = r + n, *q = p + n;
  for (int i = 0; i < n; ++i) {
    u[i] = 0;
    r[i] = p[i] = f[i];
  }
  double rr = dot(r, r, n, comm);
  for (int step = 0; step < steps; ++step) {
    apply(k, p, q, n, comm);
    const double alpha = rr / dot(p, q, n, comm);
    for (int i = 0; i < n; ++i) {
      u[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double now = dot(r, r, n, comm), beta = now / rr;
    rr = now;
    for (int i = 0; i < n; ++i)
      p[i] = r[i] + beta * p[i];
  }
  free(r);
}
static void cg(const double *x, double *y) {
  conjugate_gradients(x, x + N, y, N, 3, MPI_COMM_WORLD);
}
// Of all ranks, whose k and f stand in turn.
static void cg_whole(const double *x, double *y) {
  const int n = N * ranks;
  double *k = (double *)malloc(SIZE(2 * n)), *f = k + n;
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < N; ++i) {
      k[r * N + i] = x[r * 2 * N + i];
      f[r * N + i] = x[r * 2 * N + N + i];
    }
  conjugate_gradients(k, f, y, n, 3, MPI_COMM_NULL);
  free(k);
}

// ---- Power iteration: rows of a matrix, the vector is gathered ---------------
static double entry(int i, int j, double a) {
  return a / (1 + i + 2 * j) + (i == j) * 0.5;
}
static void power(const double *x, double *y) {
  int me, all;
  where(&me, &all);
  const int n = N * all;
  double *v = (double *)malloc(SIZE(n)), mine[N];
  memcpy(mine, x, sizeof mine);
  for (int step = 0; step < 3; ++step) {
    MPI_Allgather(mine, N, MPI_DOUBLE, v, N, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < N; ++i) {
      mine[i] = 0;
      for (int j = 0; j < n; ++j)
        mine[i] += entry(me * N + i, j, x[i]) * v[j];
    }
    const double norm = sqrt(dot(mine, mine, N, MPI_COMM_WORLD));
    for (int i = 0; i < N; ++i)
      mine[i] /= norm;
  }
  memcpy(y, mine, sizeof mine);
  free(v);
}
static void power_whole(const double *x, double *y) {
  const int n = N * ranks;
  double *v = (double *)malloc(SIZE(n));
  memcpy(y, x, SIZE(n));
  for (int step = 0; step < 3; ++step) {
    memcpy(v, y, SIZE(n));
    for (int i = 0; i < n; ++i) {
      y[i] = 0;
      for (int j = 0; j < n; ++j)
        y[i] += entry(i, j, x[i]) * v[j];
    }
    const double norm = sqrt(dot(y, y, n, MPI_COMM_NULL));
    for (int i = 0; i < n; ++i)
      y[i] /= norm;
  }
  free(v);
}

// ---- Rows of uneven numbers: rank r has r of them, rank 0 none ----------------
static void uneven_product(const double *x, double *y) {
  int me, all;
  where(&me, &all);
  int *counts = (int *)malloc((size_t)all * sizeof(int));
  int *starts = (int *)malloc((size_t)all * sizeof(int)), n = 0;
  for (int r = 0; r < all; ++r) {
    counts[r] = r % N;
    starts[r] = n;
    n += counts[r];
  }
  double *v = (double *)malloc(SIZE(n + 1));
  MPI_Allgatherv(x, counts[me], MPI_DOUBLE, v, counts, starts, MPI_DOUBLE,
                 MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i) {
    y[i] = x[i] * x[i];
    for (int j = 0; j < n; ++j)
      y[i] += entry(i, j, x[i]) * v[j] * v[j];
  }
  free(v), free(counts), free(starts);
}

// ---- A transform of two dimensions: rows, all to all, columns -----------------
// b x b complex numbers for each pair of ranks.
static void transform_rows(double *z, int rows, int n) {
  double *w = (double *)malloc(SIZE(2 * n));
  for (int r = 0; r < rows; ++r) {
    double *row = z + 2 * r * n;
    for (int k = 0; k < n; ++k) {
      w[2 * k] = w[2 * k + 1] = 0;
      for (int j = 0; j < n; ++j) {
        const double angle = -2 * 3.14159265358979 * ((j * k) % n) / n;
        w[2 * k] += row[2 * j] * cos(angle) - row[2 * j + 1] * sin(angle);
        w[2 * k + 1] += row[2 * j] * sin(angle) + row[2 * j + 1] * cos(angle);
      }
    }
    memcpy(row, w, SIZE(2 * n));
  }
  free(w);
}
static void transpose(double *z, int b, int all, MPI_Comm comm) {
  const int block = 2 * b * b, n = b * all;
  double *out = (double *)malloc(SIZE(block * all));
  double *in = (double *)malloc(SIZE(block * all));
  for (int r = 0; r < all; ++r)
    for (int i = 0; i < b; ++i)
      for (int j = 0; j < b; ++j)
        for (int c = 0; c < 2; ++c)
          out[r * block + 2 * (j * b + i) + c] = z[2 * (i * n + r * b + j) + c];
  MPI_Alltoall(out, block, MPI_DOUBLE, in, block, MPI_DOUBLE, comm);
  for (int r = 0; r < all; ++r)
    for (int i = 0; i < b; ++i)
      memcpy(z + 2 * (i * n + r * b), in + r * block + 2 * i * b, SIZE(2 * b));
  free(out), free(in);
}
static void transform_of(const double *x, double *y, int b) {
  int me, all;
  where(&me, &all);
  const int n = b * all;
  double *z = (double *)malloc(SIZE(2 * b * n));
  for (int i = 0; i < 2 * b * n; ++i)
    z[i] = x[i % (2 * b)] * (1 + i);
  transform_rows(z, b, n);
  transpose(z, b, all, MPI_COMM_WORLD);
  transform_rows(z, b, n);
  for (int i = 0; i < b * n; ++i) // of the spectrum
    z[2 * i] = z[2 * i] * z[2 * i] + z[2 * i + 1] * z[2 * i + 1];
  for (int i = 0; i < b; ++i) {
    y[i] = 0;
    for (int j = 0; j < n; ++j)
      y[i] += z[2 * (i * n + j)] / (1 + j);
  }
  free(z);
}
static void transform(const double *x, double *y) { transform_of(x, y, 2); }
static void transform_large(const double *x, double *y) {
  transform_of(x, y, 12);
}

// ---- A mixture of Gaussians: parameters from rank 0, the sum goes there -------
enum { CLUSTERS = 2, POINTS = 5 };
static double likelihood(const double *means, const double *logs,
                         const double *points, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double terms[CLUSTERS], largest = -1e300, all = 0;
    for (int k = 0; k < CLUSTERS; ++k) {
      const double d = (points[i] - means[k]) * exp(logs[k]);
      terms[k] = logs[k] - 0.5 * d * d;
      largest = fmax(largest, terms[k]);
    }
    for (int k = 0; k < CLUSTERS; ++k)
      all += exp(terms[k] - largest);
    sum += largest + log(all);
  }
  return sum;
}
static void mixture(const double *x, double *y) {
  int me, all;
  where(&me, &all);
  double parameters[2 * CLUSTERS], sum = 0;
  if (me == 0)
    memcpy(parameters, x, sizeof parameters);
  MPI_Bcast(parameters, 2 * CLUSTERS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  const double mine = likelihood(parameters, parameters + CLUSTERS,
                                 x + 2 * CLUSTERS, POINTS);
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  y[0] = me == 0 ? sum - log(1 + sum * sum) : 0;
}
static void mixture_whole(const double *x, double *y) {
  double sum = 0;
  for (int r = 0; r < ranks; ++r)
    sum += likelihood(x, x + CLUSTERS,
                      x + r * (2 * CLUSTERS + POINTS) + 2 * CLUSTERS, POINTS);
  y[0] = sum - log(1 + sum * sum);
}

// ---- Steps of a fit to the data of all ----------------------------------------
static void descent(const double *x, double *y) {
  enum { W = 3, DATA = 4 };
  double w[W] = {0.1, -0.2, 0.3}, slope[W], all_slopes[W];
  int me, all;
  where(&me, &all);
  for (int step = 0; step < 4; ++step) {
    double sum = 0;
    memset(slope, 0, sizeof slope);
    for (int i = 0; i < DATA; ++i) {
      double z = 0;
      for (int k = 0; k < W; ++k)
        z += w[k] * x[i + k];
      const double p = 1 / (1 + exp(-z));
      for (int k = 0; k < W; ++k)
        slope[k] += (p - x[i + W]) * x[i + k];
    }
    MPI_Allreduce(slope, all_slopes, W, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int k = 0; k < W; ++k)
      sum += all_slopes[k] * all_slopes[k];
    for (int k = 0; k < W; ++k)
      w[k] -= 0.3 * all_slopes[k] / (all * sqrt(sum + 1));
  }
  for (int k = 0; k < W; ++k)
    y[k] = w[k];
}

// ---- Gram and Schmidt: each vector lies on all ranks --------------------------
static void orthogonalize(const double *x, double *y) {
  enum { VECTORS = 3 };
  double a[VECTORS][N];
  memcpy(a, x, sizeof a);
  for (int i = 0; i < VECTORS; ++i) {
    for (int k = 0; k < i; ++k) {
      const double h = dot(a[i], a[k], N, MPI_COMM_WORLD);
      for (int j = 0; j < N; ++j)
        a[i][j] -= h * a[k][j];
    }
    const double norm = sqrt(dot(a[i], a[i], N, MPI_COMM_WORLD));
    for (int j = 0; j < N; ++j)
      a[i][j] /= norm;
  }
  memcpy(y, a, sizeof a);
}

// ---- Elimination: the rows go round, who has the pivot row tells it -----------
static void eliminate(double *row, double *pivot, int n, int k) {
  const double factor = row[k] / pivot[k];
  for (int j = k; j < n; ++j)
    row[j] -= factor * pivot[j];
}
static void elimination(const double *x, double *y) {
  int me, all;
  where(&me, &all);
  const int n = 2 * all; // two rows of each
  double *rows = (double *)malloc(SIZE(2 * n));
  double *pivot = (double *)malloc(SIZE(n));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < n; ++j)
      rows[i * n + j] =
          j == i * all + me ? 4 + x[i] : x[2 + (i + j) % 3] / (1 + j);
  for (int k = 0; k < n; ++k) {
    if (k % all == me)
      memcpy(pivot, rows + k / all * n, SIZE(n));
    MPI_Bcast(pivot + k, n - k, MPI_DOUBLE, k % all, MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i)
      if (i * all + me > k)
        eliminate(rows + i * n, pivot, n, k);
  }
  for (int i = 0; i < 2; ++i)
    y[i] = log(fabs(rows[i * n + i * all + me]));
  free(rows), free(pivot);
}
static void elimination_whole(const double *x, double *y) {
  const int n = 2 * ranks;
  double *a = (double *)malloc(SIZE(n * n));
  for (int r = 0; r < n; ++r) {
    const int i = r / ranks, me = r % ranks;
    const double *mine = x + 5 * me;
    for (int j = 0; j < n; ++j)
      a[r * n + j] = j == r ? 4 + mine[i] : mine[2 + (i + j) % 3] / (1 + j);
  }
  for (int k = 0; k < n; ++k)
    for (int r = k + 1; r < n; ++r)
      eliminate(a + r * n, a + k * n, n, k);
  for (int r = 0; r < n; ++r)
    y[2 * (r % ranks) + r / ranks] = log(fabs(a[r * n + r]));
  free(a);
}

// ---- A product of matrices, whose blocks go round -----------------------------
static void product(const double *x, double *y) {
  int me, all;
  where(&me, &all);
  const int n = 2 * all;
  double *a = (double *)malloc(SIZE(2 * n)), b[2 * 3], c[2 * 3] = {0};
  for (int i = 0; i < 2 * n; ++i)
    a[i] = x[i % 6] * x[i % 6] / (1 + i);
  memcpy(b, x, sizeof b);
  for (int step = 0; step < all; ++step) {
    const int owner = (me + step) % all;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 2; ++k)
          c[i * 3 + j] += a[i * n + 2 * owner + k] * b[k * 3 + j];
    MPI_Sendrecv_replace(b, 6, MPI_DOUBLE, (me + all - 1) % all, 4,
                         (me + 1) % all, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  memcpy(y, c, sizeof c);
  free(a);
}

MPI_TEST_WHOLE(cg, cg_whole, 2 * N, N)
MPI_TEST_WHOLE(power, power_whole, N, N)
MPI_TEST(uneven_product, N, N)
MPI_TEST(transform, 4, 2)
MPI_TEST(transform_large, 24, 12)
MPI_TEST_WHOLE(mixture, mixture_whole, 2 * CLUSTERS + POINTS, 1)
MPI_TEST(descent, 8, 3)
MPI_TEST(orthogonalize, 3 * N, 3 * N)
MPI_TEST_WHOLE(elimination, elimination_whole, 5, 2)
MPI_TEST(product, 6, 6)

MPI_MAIN(&cg_test, &power_test, &uneven_product_test, &transform_test,
         &transform_large_test, &mixture_test, &descent_test,
         &orthogonalize_test, &elimination_test, &product_test)
