// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs as users write them: particles, sparse matrices, learning, work
// that a master hands out, sums by hand.
#include "check.h"
#include <complex.h>

#define SIZES(F, SMALL, LARGE, N, M)                                           \
  static void F##_small(const double *x, double *y) { F(x, y, SMALL); }        \
  static void F##_large(const double *x, double *y) { F(x, y, LARGE); }        \
  MPI_TEST(F##_small, N, M)                                                    \
  MPI_TEST(F##_large, N, M)

static double *zeros(size_t n) {
  return (double *)calloc(n + 1, sizeof(double));
}
static int *integers(int n) {
  return (int *)calloc((size_t)n + 1, sizeof(int));
}

/* ---- Particles move to the rank whose part of space they are in -------------
 */

struct particle {
  double at, speed;
  int id;
  float charge;
};

static MPI_Datatype particle_type(void) {
  const int lengths[3] = {2, 1, 1};
  const MPI_Aint places[3] = {offsetof(struct particle, at),
                              offsetof(struct particle, id),
                              offsetof(struct particle, charge)};
  const MPI_Datatype types[3] = {MPI_DOUBLE, MPI_INT, MPI_FLOAT};
  MPI_Datatype members, type;
  MPI_Type_create_struct(3, lengths, places, types, &members);
  MPI_Type_create_resized(members, 0, sizeof(struct particle), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&members);
  return type;
}

static void migration(const double *x, double *y, int n) {
  struct particle *mine = (struct particle *)calloc(n, sizeof *mine), *got;
  MPI_Datatype type = particle_type();
  int *counts = integers(4 * ranks), *starts = counts + ranks,
      *got_counts = starts + ranks, *got_starts = got_counts + ranks;
  for (int i = 0; i < n; ++i) {
    mine[i].at = x[i % 6];
    mine[i].speed = 0.1 * x[(i + 1) % 6];
    mine[i].charge = 0.5f;
    mine[i].id = i;
  }
  y[0] = 0;
  for (int step = 0; step < 2; ++step) {
    struct particle *sorted = (struct particle *)calloc(n + 1, sizeof *sorted);
    int total = 0, at = 0;
    memset(counts, 0, sizeof *counts * (size_t)ranks);
    for (int i = 0; i < n; ++i) {
      mine[i].at += mine[i].speed;
      ++counts[(mine[i].id + step + rank) % ranks];
    }
    MPI_Alltoall(counts, 1, MPI_INT, got_counts, 1, MPI_INT, MPI_COMM_WORLD);
    for (int k = 0; k < ranks; ++k) {
      starts[k] = at, at += counts[k];
      got_starts[k] = total, total += got_counts[k];
    }
    for (int i = 0; i < n; ++i)
      sorted[starts[(mine[i].id + step + rank) % ranks]++] = mine[i];
    for (int k = 0; k < ranks; ++k)
      starts[k] -= counts[k];
    got = (struct particle *)calloc(total + 1, sizeof *got);
    MPI_Alltoallv(sorted, counts, starts, type, got, got_counts, got_starts,
                  type, MPI_COMM_WORLD);
    free(sorted), free(mine);
    mine = got, n = total;
    for (int i = 0; i < n; ++i)
      mine[i].speed *= 1 + 0.1 * (mine[i].id % 3);
  }
  for (int i = 0; i < n; ++i)
    y[0] += mine[i].at * mine[i].speed * mine[i].charge / (1 + n / 16);
  free(mine), free(counts);
  MPI_Type_free(&type);
}
SIZES(migration, 9, 9000, 6, 1)

/* ---- A sparse matrix: who needs what is found out first
 * ---------------------- */

static void sparse_product(const double *x, double *y, int n) {
  // Row i needs columns i, i + 3 and n * ranks - 1 - i of the whole.
  const int all = n * ranks, first = rank * n;
  int *asks = integers(ranks), *asked = integers(ranks);
  int *needs = integers(2 * n * ranks), *wanted = integers(2 * n * ranks);
  double *v = zeros(all), *out = zeros(2 * (size_t)n * ranks);
  double *in = zeros(2 * (size_t)n * ranks);
  MPI_Request *r = (MPI_Request *)malloc(sizeof *r * 2 * (size_t)ranks);
  for (int i = first; i < first + n; ++i) {
    const int columns[2] = {(i + 3) % all, all - 1 - i};
    v[i] = x[i % 6];
    for (int k = 0; k < 2; ++k) {
      const int owner = columns[k] / n;
      if (owner != rank)
        needs[owner * 2 * n + asks[owner]++] = columns[k];
    }
  }
  MPI_Alltoall(asks, 1, MPI_INT, asked, 1, MPI_INT, MPI_COMM_WORLD);
  for (int k = 0; k < ranks; ++k)
    MPI_Irecv(wanted + 2 * n * k, asked[k], MPI_INT, k, 0, MPI_COMM_WORLD,
              &r[k]);
  for (int k = 0; k < ranks; ++k)
    MPI_Send(needs + 2 * n * k, asks[k], MPI_INT, k, 0, MPI_COMM_WORLD);
  MPI_Waitall(ranks, r, MPI_STATUSES_IGNORE);
  for (int product = 0; product < 2; ++product) {
    for (int k = 0; k < ranks; ++k)
      MPI_Irecv(in + 2 * n * k, asks[k], MPI_DOUBLE, k, 1, MPI_COMM_WORLD,
                &r[k]);
    for (int k = 0; k < ranks; ++k) {
      for (int i = 0; i < asked[k]; ++i)
        out[2 * n * k + i] = v[wanted[2 * n * k + i]];
      MPI_Isend(out + 2 * n * k, asked[k], MPI_DOUBLE, k, 1, MPI_COMM_WORLD,
                &r[ranks + k]);
    }
    MPI_Waitall(2 * ranks, r, MPI_STATUSES_IGNORE);
    for (int k = 0; k < ranks; ++k)
      for (int i = 0; i < asks[k]; ++i)
        v[needs[2 * n * k + i]] = in[2 * n * k + i];
    double *w = zeros(n);
    for (int i = first; i < first + n; ++i)
      w[i - first] =
          x[6] * v[i] + v[(i + 3) % all] * v[all - 1 - i] + x[7] * v[i] * v[i];
    memcpy(v + first, w, sizeof *w * (size_t)n);
    free(w);
  }
  y[0] = v[first], y[1] = v[first + n - 1], y[2] = v[first + n / 2];
  free(asks), free(asked), free(needs), free(wanted), free(v), free(out);
  free(in), free(r);
}
SIZES(sparse_product, 5, 6000, 8, 3)

/* ---- The loss of a classifier whose classes lie on all ranks
 * ------------------ */

static void softmax_loss(const double *x, double *y, int samples) {
  enum { CLASSES = 3 };
  double *logits = zeros((size_t)samples * CLASSES), *high = zeros(samples);
  double *sums = zeros(samples), *target = zeros(samples);
  for (int s = 0; s < samples; ++s) {
    high[s] = -1e300;
    for (int c = 0; c < CLASSES; ++c) {
      const double z = x[c] * (1 + s % 7) * 0.3 + x[3 + c] * (rank + 1) * 0.2;
      logits[s * CLASSES + c] = z;
      high[s] = z > high[s] ? z : high[s];
    }
    // The class of this sample, if it lies here.
    if (s % ranks == rank)
      target[s] = logits[s * CLASSES + s % CLASSES];
  }
  MPI_Allreduce(MPI_IN_PLACE, high, samples, MPI_DOUBLE, MPI_MAX,
                MPI_COMM_WORLD);
  for (int s = 0; s < samples; ++s)
    for (int c = 0; c < CLASSES; ++c)
      sums[s] += exp(logits[s * CLASSES + c] - high[s]);
  MPI_Allreduce(MPI_IN_PLACE, sums, samples, MPI_DOUBLE, MPI_SUM,
                MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, target, samples, MPI_DOUBLE, MPI_SUM,
                MPI_COMM_WORLD);
  y[0] = 0;
  for (int s = 0; s < samples; ++s)
    y[0] += (log(sums[s]) + high[s] - target[s]) / samples;
  free(logits), free(high), free(sums), free(target);
}
SIZES(softmax_loss, 6, 9000, 6, 1)

/* ---- Layers on ranks, samples in a pipeline
 * ------------------------------------ */

static void layers_in_line(const double *x, double *y, int width) {
  double *a = zeros(width);
  y[0] = 0;
  for (int batch = 0; batch < 4; ++batch) {
    if (rank == 0)
      for (int i = 0; i < width; ++i)
        a[i] = 0.1 * (batch + 1) * x[i % 3];
    else
      MPI_Recv(a, width, MPI_DOUBLE, rank - 1, batch, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    double carry = 0;
    for (int i = 0; i < width; ++i) {
      carry = 0.5 * carry + a[i];
      a[i] = tanh(x[i % 6] * carry + 0.1 * x[(i + 1) % 6]);
    }
    if (rank + 1 < ranks)
      MPI_Send(a, width, MPI_DOUBLE, rank + 1, batch, MPI_COMM_WORLD);
    else
      for (int i = 0; i < width && i < 64; ++i)
        y[0] += a[i] * a[i];
  }
  MPI_Bcast(y, 1, MPI_DOUBLE, ranks - 1, MPI_COMM_WORLD);
  free(a);
}
SIZES(layers_in_line, 4, 9000, 6, 1)

/* ---- A master hands out work, and takes results of whoever has one
 * -------------- */

static void master(const double *x, double *y, int n) {
  enum { WORK = 1, DONE, STOP, TASKS = 7 };
  double *task = zeros(n), *result = zeros(n);
  int number;
  y[0] = 0;
  if (ranks == 1) {
    y[0] = x[0] * x[1];
  } else if (rank == 0) {
    int given = 0, back = 0;
    for (int k = 1; k < ranks && given < TASKS; ++k, ++given) {
      for (int i = 0; i < n; ++i)
        task[i] = x[i % 6] * (given + 1);
      MPI_Send(&given, 1, MPI_INT, k, WORK, MPI_COMM_WORLD);
      MPI_Send(task, n, MPI_DOUBLE, k, WORK, MPI_COMM_WORLD);
    }
    for (int k = given + 1; k < ranks; ++k)
      MPI_Send(&given, 1, MPI_INT, k, STOP, MPI_COMM_WORLD);
    while (back < TASKS) {
      MPI_Status status;
      MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, DONE, MPI_COMM_WORLD,
               &status);
      const int who = status.MPI_SOURCE;
      MPI_Recv(result, n, MPI_DOUBLE, who, DONE, MPI_COMM_WORLD, &status);
      ++back;
      for (int i = 0; i < n && i < 32; ++i)
        y[0] += result[i] * (number + 1);
      if (given < TASKS) {
        for (int i = 0; i < n; ++i)
          task[i] = x[i % 6] * (given + 1);
        MPI_Send(&given, 1, MPI_INT, who, WORK, MPI_COMM_WORLD);
        MPI_Send(task, n, MPI_DOUBLE, who, WORK, MPI_COMM_WORLD);
        ++given;
      } else {
        MPI_Send(&given, 1, MPI_INT, who, STOP, MPI_COMM_WORLD);
      }
    }
  } else {
    for (;;) {
      MPI_Status status;
      MPI_Recv(&number, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      if (status.MPI_TAG == STOP)
        break;
      MPI_Recv(task, n, MPI_DOUBLE, 0, WORK, MPI_COMM_WORLD, &status);
      for (int i = 0; i < n; ++i)
        result[i] = sin(task[i]) * task[(i + 1) % n];
      MPI_Send(&number, 1, MPI_INT, 0, DONE, MPI_COMM_WORLD);
      MPI_Send(result, n, MPI_DOUBLE, 0, DONE, MPI_COMM_WORLD);
    }
  }
  free(task), free(result);
}
SIZES(master, 5, 9000, 6, 1)

/* ---- A Fourier transform whose array changes its direction
 * ---------------------- */

static void along_rows(double complex *a, int rows, int n) {
  double complex *out = (double complex *)malloc(sizeof *out * (size_t)n);
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < n; ++k) {
      out[k] = 0;
      for (int j = 0; j < n; ++j)
        out[k] +=
            a[r * n + j] * cexp(-2 * M_PI * I * ((double)(j * k % n) / n));
    }
    memcpy(a + r * n, out, sizeof *out * (size_t)n);
  }
  free(out);
}

static void fourier(const double *x, double *y, int rows) {
  const int n = rows * ranks, block = rows * rows;
  double complex *a = (double complex *)malloc(sizeof *a * (size_t)(rows * n));
  double complex *b = (double complex *)malloc(sizeof *b * (size_t)(rows * n));
  for (int i = 0; i < rows * n; ++i)
    a[i] = x[i % 5] + I * x[(i + rank) % 6];
  along_rows(a, rows, n);
  for (int k = 0; k < ranks; ++k)
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < rows; ++c)
        b[k * block + c * rows + r] = a[r * n + k * rows + c];
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, block,
               MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
  for (int k = 0; k < ranks; ++k)
    for (int c = 0; c < rows; ++c)
      for (int r = 0; r < rows; ++r)
        a[c * n + k * rows + r] = b[k * block + c * rows + r];
  along_rows(a, rows, n);
  y[0] = creal(a[1 % (rows * n)]) / n;
  y[1] = cabs(a[rows * n - 1]) / n;
  free(a), free(b);
}
SIZES(fourier, 2, 24, 6, 2)

/* ---- Sums by hand
 * ----------------------------------------------------------------- */

// Any number of ranks: those beyond a power of two join one below.
static void all_sum(double *a, int n) {
  int half = 1;
  double *b = zeros(n);
  while (2 * half <= ranks)
    half *= 2;
  if (rank >= half)
    MPI_Send(a, n, MPI_DOUBLE, rank - half, 0, MPI_COMM_WORLD);
  if (rank + half < ranks) {
    MPI_Recv(b, n, MPI_DOUBLE, rank + half, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i)
      a[i] += b[i];
  }
  for (int bit = 1; rank < half && bit < half; bit *= 2) {
    MPI_Sendrecv(a, n, MPI_DOUBLE, rank ^ bit, bit, b, n, MPI_DOUBLE,
                 rank ^ bit, bit, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i)
      a[i] += b[i];
  }
  if (rank + half < ranks)
    MPI_Send(a, n, MPI_DOUBLE, rank + half, 0, MPI_COMM_WORLD);
  if (rank >= half)
    MPI_Recv(a, n, MPI_DOUBLE, rank - half, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  free(b);
}

static void sums_by_hand(const double *x, double *y, int n) {
  double *a = zeros(n);
  for (int i = 0; i < n; ++i)
    a[i] = x[i % 4] * x[(i + 1) % 4];
  all_sum(a, n);
  for (int i = 0; i < 4; ++i)
    y[i] = a[i] * a[i] * x[i];
  free(a);
}
SIZES(sums_by_hand, 4, 9000, 4, 4)

// Around a circle, each with a part of the array: what learning calls a ring.
static void sum_in_ring(const double *x, double *y, int part) {
  const int n = part * ranks, right = (rank + 1) % ranks,
            left = (rank + ranks - 1) % ranks;
  double *a = zeros(n), *in = zeros(part);
  for (int i = 0; i < n; ++i)
    a[i] = x[i % 5] * (i % 3 + 1);
  for (int step = 0; step < ranks - 1; ++step) {
    const int out = (rank - step + ranks) % ranks;
    const int at = (rank - step - 1 + 2 * ranks) % ranks;
    MPI_Request r;
    MPI_Isend(a + out * part, part, MPI_DOUBLE, right, step, MPI_COMM_WORLD,
              &r);
    MPI_Recv(in, part, MPI_DOUBLE, left, step, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    for (int i = 0; i < part; ++i)
      a[at * part + i] += in[i];
  }
  for (int step = 0; step < ranks - 1; ++step) {
    const int out = (rank - step + 1 + ranks) % ranks;
    const int at = (rank - step + ranks) % ranks;
    MPI_Sendrecv(a + out * part, part, MPI_DOUBLE, right, 50 + step,
                 a + at * part, part, MPI_DOUBLE, left, 50 + step,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < 3; ++i)
    y[i] = a[i % n] * a[n - 1];
  free(a), free(in);
}
SIZES(sum_in_ring, 3, 9000, 5, 3)

// Mean and variance, merged in a tree whose order matters.
struct moments {
  double count, mean, squares;
};

static struct moments merged(struct moments a, struct moments b) {
  const double n = a.count + b.count, d = b.mean - a.mean;
  const struct moments m = {n, a.mean + d * b.count / n,
                            a.squares + b.squares +
                                d * d * a.count * b.count / n};
  return m;
}

static void variance(const double *x, double *y) {
  struct moments m = {0, 0, 0};
  for (int i = 0; i < 6; ++i) {
    const struct moments one = {1, x[i] * x[i], 0};
    m = i ? merged(m, one) : one;
  }
  for (int step = 1; step < ranks; step *= 2) {
    if (rank % (2 * step) == step) {
      MPI_Send(&m, 3, MPI_DOUBLE, rank - step, 9, MPI_COMM_WORLD);
      break;
    }
    if (rank + step < ranks) {
      struct moments other;
      MPI_Recv(&other, 3, MPI_DOUBLE, rank + step, 9, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      m = merged(m, other);
    }
  }
  MPI_Bcast(&m, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  y[0] = m.mean, y[1] = sqrt(m.squares / m.count);
}
MPI_TEST(variance, 6, 2)

/* ---- In time: each rank has an interval, corrected by a coarse run
 * ------------------ */

static double fine_run(double u, double rate, int steps) {
  for (int i = 0; i < steps; ++i)
    u += 0.3 / steps * rate * u * (1 - 0.3 * u);
  return u;
}

static void in_time(const double *x, double *y) {
  double start = x[0], fine, coarse, end;
  for (int k = 0; k < rank; ++k)
    start = fine_run(start, x[1], 1);
  for (int round = 0; round < 3; ++round) {
    fine = fine_run(start, x[1], 20);
    coarse = fine_run(start, x[1], 1);
    double now = x[0];
    MPI_Recv(&now, 1, MPI_DOUBLE, rank ? rank - 1 : MPI_PROC_NULL, round,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    end = fine_run(now, x[1], 1) + fine - coarse;
    MPI_Send(&end, 1, MPI_DOUBLE, rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL,
             round, MPI_COMM_WORLD);
    start = now;
  }
  y[0] = end * end;
}
MPI_TEST(in_time, 2, 1)

/* ---- Groups of ranks average, and their heads compare
 * -------------------------------- */

static void ensembles(const double *x, double *y, int n) {
  MPI_Comm team, heads;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &team);
  int place, members;
  MPI_Comm_rank(team, &place);
  MPI_Comm_size(team, &members);
  MPI_Comm_split(MPI_COMM_WORLD, place == 0 ? 0 : MPI_UNDEFINED, rank, &heads);
  double *state = zeros(n), *mean = zeros(n), spread = 0, all = 0;
  for (int i = 0; i < n; ++i)
    state[i] = x[i % 6] * (1 + 0.1 * i / n);
  MPI_Allreduce(state, mean, n, MPI_DOUBLE, MPI_SUM, team);
  for (int i = 0; i < n; ++i) {
    const double d = state[i] - mean[i] / members;
    spread += i < 64 ? d * d + state[i] : 0;
  }
  MPI_Reduce(&spread, &all, 1, MPI_DOUBLE, MPI_PROD, 0, team);
  y[0] = 0;
  if (heads != MPI_COMM_NULL) {
    double least;
    MPI_Allreduce(&all, &least, 1, MPI_DOUBLE, MPI_MIN, heads);
    y[0] = least * x[0] + all;
    MPI_Comm_free(&heads);
  }
  MPI_Comm_free(&team);
  free(state), free(mean);
}
SIZES(ensembles, 5, 9000, 6, 1)

/* ---- A coarse problem that one rank solves
 * --------------------------------------------- */

static void two_levels(const double *x, double *y) {
  double coarse[3] = {0}, *all = zeros(3 * (size_t)ranks), back[3];
  for (int i = 0; i < 6; ++i)
    coarse[i / 2] += x[i] * x[i] / 2;
  MPI_Gather(coarse, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int sweeps = 0; sweeps < 3; ++sweeps)
      for (int i = 0; i < 3 * ranks; ++i)
        all[i] = 0.5 * all[i] + 0.2 * all[(i + 1) % (3 * ranks)] * all[i];
  MPI_Scatter(all, 3, MPI_DOUBLE, back, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 6; ++i)
    y[i] = x[i] - 0.5 * back[i / 2] * x[i];
  free(all);
}
MPI_TEST(two_levels, 6, 6)

MPI_MAIN(&migration_small_test, &migration_large_test,
         &sparse_product_small_test, &sparse_product_large_test,
         &softmax_loss_small_test, &softmax_loss_large_test,
         &layers_in_line_small_test, &layers_in_line_large_test,
         &master_small_test, &master_large_test, &fourier_small_test,
         &fourier_large_test, &sums_by_hand_small_test,
         &sums_by_hand_large_test, &sum_in_ring_small_test,
         &sum_in_ring_large_test, &variance_test, &in_time_test,
         &ensembles_small_test, &ensembles_large_test, &two_levels_test)
