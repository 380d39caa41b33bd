// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Methods of numerical programs whose messages have shapes of their own: grids
// of ranks for products of matrices, pivots, levels, slices of time, steps that
// all agree on, layers of records.
#include "check.h"
#include <stddef.h>

static int my_rank(void) {
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  return me;
}
static int all_ranks(void) {
  int all;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  return all;
}

// ---- A product of matrices: panels go along rows and columns of ranks -------
// (SUMMA.) Rank (i, j) of rows x columns has a block of A and one of B, both
// B x B; the number of panels is that of blocks that both have.
enum { B = 3 };

static void summa(const double *x, double *y) {
  int dims[2] = {0, 0}, periods[2] = {0, 0}, at[2];
  const int keep_column[2] = {0, 1}, keep_row[2] = {1, 0};
  MPI_Comm grid, row, column;
  MPI_Dims_create(all_ranks(), 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_coords(grid, my_rank(), 2, at);
  MPI_Cart_sub(grid, keep_column, &row);
  MPI_Cart_sub(grid, keep_row, &column);
  const int panels = dims[0] < dims[1] ? dims[0] : dims[1];
  double c[B * B] = {0};
  for (int k = 0; k < panels; ++k) {
    double a[B * B], b[B * B];
    if (at[1] == k)
      memcpy(a, x, sizeof a);
    if (at[0] == k)
      memcpy(b, x + B * B, sizeof b);
    MPI_Bcast(a, B * B, MPI_DOUBLE, k, row);
    MPI_Bcast(b, B * B, MPI_DOUBLE, k, column);
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j)
        for (int l = 0; l < B; ++l)
          c[i * B + j] += a[i * B + l] * b[l * B + j];
  }
  for (int i = 0; i < B * B; ++i)
    y[i] = c[i] * c[i];
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  MPI_Comm_free(&grid);
}
MPI_TEST(summa, 2 * B * B, B *B)

// ---- Elimination with pivots: where the largest one is, says MAXLOC ---------
// Each rank has two rows of a system of 2 ranks unknowns.
enum { MOST = 16 };

static void pivots(const double *x, double *y) {
  const int me = my_rank(), n = 2 * all_ranks();
  double a[2][MOST + 1], sum = 0;
  int used[2] = {0, 0}, order[2] = {0, 0};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j <= n; ++j)
      a[i][j] = x[i] * cos(1.3 * (me * 2 + i) * j + x[2 + i]) + (j == n);
  for (int k = 0; k < n; ++k) {
    struct {
      double size;
      int row;
    } mine = {-1, 2 * me}, best;
    for (int i = 0; i < 2; ++i)
      if (!used[i] && fabs(a[i][k]) > mine.size) {
        mine.size = fabs(a[i][k]);
        mine.row = 2 * me + i;
      }
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    double pivot[MOST + 1];
    if (best.row / 2 == me) {
      memcpy(pivot, a[best.row % 2], sizeof pivot);
      used[best.row % 2] = 1;
      order[best.row % 2] = k;
    }
    MPI_Bcast(pivot, n + 1, MPI_DOUBLE, best.row / 2, MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i) {
      if (best.row == 2 * me + i)
        continue;
      const double factor = a[i][k] / pivot[k];
      for (int j = k; j <= n; ++j)
        a[i][j] -= factor * pivot[j];
    }
  }
  for (int i = 0; i < 2; ++i)
    sum += a[i][n] / a[i][order[i]] * (order[i] + 1);
  y[0] = sum;
}
MPI_TEST_(pivots, 4, 1, 1e-5, 0)

// ---- Slices of time: coarse steps go down the line, fine ones are parallel --
// (Parareal: as many corrections as there are ranks, and one.)
static double coarse(double u, double k) { return u / (1 + k * u); }
static double fine(double u, double k) {
  for (int i = 0; i < 8; ++i)
    u -= k / 8 * u * u;
  return u;
}

static void parareal(const double *x, double *y) {
  const int me = my_rank(), last = all_ranks() - 1;
  double begin = x[0], end, old;
  if (me > 0)
    MPI_Recv(&begin, 1, MPI_DOUBLE, me - 1, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  end = old = coarse(begin, x[1]);
  if (me < last)
    MPI_Send(&end, 1, MPI_DOUBLE, me + 1, 0, MPI_COMM_WORLD);
  for (int k = 1; k <= last + 1; ++k) {
    const double precise = fine(begin, x[1]);
    if (me > 0)
      MPI_Recv(&begin, 1, MPI_DOUBLE, me - 1, k, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    const double now = coarse(begin, x[1]);
    end = now + precise - old;
    old = now;
    if (me < last)
      MPI_Send(&end, 1, MPI_DOUBLE, me + 1, k, MPI_COMM_WORLD);
  }
  y[0] = end * x[2];
}
// One slice after the other.
static void serial_slices(const double *x, double *y) {
  double u = x[0];
  for (int r = 0; r < ranks; ++r) {
    u = fine(u, x[3 * r + 1]);
    y[r] = u * x[3 * r + 2];
  }
}
MPI_TEST_WHOLE(parareal, serial_slices, 3, 1)

// ---- A transpose of uneven rows
// ---------------------------------------------- Rank r has r + 1 rows of a
// square matrix, and gets as many columns.
enum { MOST_ROWS = 9 };

static void transpose(const double *x, double *y) {
  const int me = my_rank(), all = all_ranks(), rows = me + 1;
  const int size = all * (all + 1) / 2;
  int counts[MOST_ROWS], places[MOST_ROWS];
  double *out = malloc(sizeof *out * (size_t)(rows * size));
  double *in = malloc(sizeof *in * (size_t)(rows * size));
  int first = 0, k = 0;
  for (int to = 0; to < all; ++to) {
    counts[to] = rows * (to + 1);
    places[to] = k;
    for (int j = first; j < first + to + 1; ++j)
      for (int i = 0; i < rows; ++i)
        out[k++] = x[i % 4] * x[i % 4] * (j + 1) + x[j % 4];
    first += to + 1;
  }
  MPI_Alltoallv(out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE,
                MPI_COMM_WORLD);
  y[0] = y[1] = 0;
  for (int i = 0; i < rows * size; ++i)
    y[i % 2] += in[i] * in[i] * x[i % 3] / (i + 1);
  free(out);
  free(in);
}
MPI_TEST(transpose, 4, 2)

// ---- Steps whose length all agree on
// ----------------------------------------- The shortest that any rank asks
// for, until a time is reached.
static void adaptive(const double *x, double *y) {
  double u = x[0], t = 0;
  for (int steps = 0; t < 1 && steps < 100; ++steps) {
    double wanted = 0.3 / (1 + u * u * x[1]), dt;
    MPI_Allreduce(&wanted, &dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    if (dt > 1 - t)
      dt = 1 - t;
    u += dt * (x[2] - u * x[1]);
    t += dt;
  }
  y[0] = u;
}
MPI_TEST_(adaptive, 3, 1, 1e-6, 0)

// ---- Levels: the coarse ones on fewer ranks
// ---------------------------------- Pairs of ranks give their residual to the
// even one, which solves it with the other even ones, and get the correction
// back.
static double correction(double residual, double k, MPI_Comm comm) {
  int me, all;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &all);
  if (all == 1)
    return residual / (1 + k);
  double other = 0, result;
  const int partner = me ^ 1, has_partner = partner < all;
  MPI_Comm half;
  MPI_Comm_split(comm, me % 2 == 0 ? 0 : MPI_UNDEFINED, me, &half);
  if (me % 2) {
    MPI_Send(&residual, 1, MPI_DOUBLE, partner, 1, comm);
    MPI_Recv(&result, 1, MPI_DOUBLE, partner, 2, comm, MPI_STATUS_IGNORE);
    return residual / (2 + k) + result;
  }
  if (has_partner)
    MPI_Recv(&other, 1, MPI_DOUBLE, partner, 1, comm, MPI_STATUS_IGNORE);
  result = correction(0.5 * (residual + other * k), k, half);
  if (has_partner)
    MPI_Send(&result, 1, MPI_DOUBLE, partner, 2, comm);
  MPI_Comm_free(&half);
  return residual / (2 + k) + result;
}

static void levels(const double *x, double *y) {
  double u = 0;
  for (int cycle = 0; cycle < 3; ++cycle)
    u += correction(x[0] * x[0] - u * x[1], x[1], MPI_COMM_WORLD) / 3;
  y[0] = u;
}
MPI_TEST(levels, 2, 1)

// ---- An ensemble: mean, spread, and a step towards what is observed
// -----------
enum { STATE = 5 };

static void ensemble(const double *x, double *y) {
  const int all = all_ranks();
  double mean[STATE], spread[STATE], off[STATE];
  MPI_Allreduce(x, mean, STATE, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < STATE; ++i) {
    mean[i] /= all;
    off[i] = (x[i] - mean[i]) * (x[i] - mean[i]);
  }
  MPI_Allreduce(off, spread, STATE, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < STATE; ++i) {
    const double gain = (spread[i] + 0.1) / (spread[i] + 0.1 + all);
    y[i] = x[i] + gain * (1.2 - sin(mean[i])) * x[(i + 1) % STATE];
  }
}
static void ensemble_whole(const double *x, double *y) {
  for (int i = 0; i < STATE; ++i) {
    double mean = 0, spread = 0;
    for (int r = 0; r < ranks; ++r)
      mean += x[r * STATE + i] / ranks;
    for (int r = 0; r < ranks; ++r)
      spread += (x[r * STATE + i] - mean) * (x[r * STATE + i] - mean);
    const double gain = (spread + 0.1) / (spread + 0.1 + ranks);
    for (int r = 0; r < ranks; ++r)
      y[r * STATE + i] = x[r * STATE + i] + gain * (1.2 - sin(mean)) *
                                                x[r * STATE + (i + 1) % STATE];
  }
}
MPI_TEST_WHOLE(ensemble, ensemble_whole, STATE, STATE)

// ---- Domains that overlap: each is solved, then tells its neighbours
// -----------
enum { CELLS = 6 };

static void schwarz(const double *x, double *y) {
  const int me = my_rank(), last = all_ranks() - 1;
  const int left = me > 0 ? me - 1 : MPI_PROC_NULL;
  const int right = me < last ? me + 1 : MPI_PROC_NULL;
  double u[CELLS + 2] = {0}, c[CELLS + 2], d[CELLS + 2];
  u[0] = me == 0 ? 1 : 0;
  for (int sweep = 0; sweep < 4; ++sweep) {
    // -u'' + x u = 1, by elimination; the walls are those of the neighbours.
    c[0] = 0, d[0] = u[0];
    for (int i = 1; i <= CELLS; ++i) {
      const double pivot = 2 + x[i - 1] - c[i - 1];
      c[i] = 1 / pivot;
      d[i] = (0.1 + d[i - 1]) / pivot;
    }
    for (int i = CELLS; i > 0; --i)
      u[i] = d[i] + c[i] * u[i + 1];
    MPI_Sendrecv(&u[2], 1, MPI_DOUBLE, left, 0, &u[CELLS + 1], 1, MPI_DOUBLE,
                 right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[CELLS - 1], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE,
                 left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  memcpy(y, u + 1, CELLS * sizeof *y);
}
MPI_TEST(schwarz, CELLS, CELLS)

// ---- Layers of records around a box
// -------------------------------------------- Of each record only two floats
// go to the neighbours, with a number between.
struct cell {
  double pressure;
  int kind;
  float speed;
  double old;
};

static void layers(const double *x, double *y) {
  const int me = my_rank(), all = all_ranks();
  struct cell cells[CELLS + 2];
  MPI_Datatype parts, type;
  const int lengths[3] = {1, 1, 1};
  const MPI_Aint places[3] = {offsetof(struct cell, pressure),
                              offsetof(struct cell, kind),
                              offsetof(struct cell, speed)};
  const MPI_Datatype types[3] = {MPI_DOUBLE, MPI_INT, MPI_FLOAT};
  MPI_Type_create_struct(3, lengths, places, types, &parts);
  MPI_Type_create_resized(parts, 0, sizeof(struct cell), &type);
  MPI_Type_commit(&type);
  for (int i = 1; i <= CELLS; ++i) {
    cells[i].pressure = x[i - 1] * x[i - 1];
    cells[i].kind = (me + i) % 3;
    cells[i].speed = (float)x[i - 1];
    cells[i].old = x[i - 1];
  }
  cells[0].old = cells[CELLS + 1].old = 0.5;
  for (int step = 0; step < 3; ++step) {
    MPI_Request pending[4];
    MPI_Irecv(&cells[0], 1, type, (me + all - 1) % all, 0, MPI_COMM_WORLD,
              &pending[0]);
    MPI_Irecv(&cells[CELLS + 1], 1, type, (me + 1) % all, 1, MPI_COMM_WORLD,
              &pending[1]);
    MPI_Isend(&cells[CELLS], 1, type, (me + 1) % all, 0, MPI_COMM_WORLD,
              &pending[2]);
    MPI_Isend(&cells[1], 1, type, (me + all - 1) % all, 1, MPI_COMM_WORLD,
              &pending[3]);
    MPI_Waitall(4, pending, MPI_STATUSES_IGNORE);
    for (int i = 0; i < CELLS + 2; ++i)
      cells[i].old += cells[i].pressure * (cells[i].kind + 1) / 10;
    for (int i = 1; i <= CELLS; ++i) {
      cells[i].pressure +=
          0.1 * (cells[i - 1].old - 2 * cells[i].old + cells[i + 1].old) +
          0.01 * (double)(cells[i - 1].speed * cells[i + 1].speed);
      cells[i].kind = cells[i + 1].kind;
    }
  }
  for (int i = 0; i < CELLS; ++i)
    y[i] = cells[i + 1].pressure;
  MPI_Type_free(&type);
  MPI_Type_free(&parts);
}
MPI_TEST_(layers, CELLS, CELLS, 1e-2, SINGLE)

// ---- Numbers are sorted by all, floats follow them
// ------------------------------ The keys are gathered and have no derivative;
// who is where they say, is sent.
static void sorted(const double *x, double *y) {
  const int me = my_rank(), all = all_ranks();
  int key = (me * 5 + 3) % 7 * 16 + me, keys[MOST];
  MPI_Allgather(&key, 1, MPI_INT, keys, 1, MPI_INT, MPI_COMM_WORLD);
  int place = 0, who = 0;
  for (int r = 0; r < all; ++r)
    place += keys[r] < key;
  for (int r = 0; r < all; ++r) {
    int before = 0;
    for (int s = 0; s < all; ++s)
      before += keys[s] < keys[r];
    if (before == me)
      who = r;
  }
  double out[3] = {x[0] * x[1], x[1] / x[2], x[2]}, in[3];
  MPI_Sendrecv(out, 3, MPI_DOUBLE, place, key, in, 3, MPI_DOUBLE, who,
               keys[who], MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] = in[0] * in[1] + in[2] * x[0] * (me + 1);
}
MPI_TEST(sorted, 3, 1)

// ---- A pipeline of persistent requests: stages work on blocks in turn
// ------------
enum { BLOCKS = 5, WIDE = 4 };

static void stages(const double *x, double *y) {
  const int me = my_rank(), last = all_ranks() - 1;
  double in[WIDE] = {0}, out[WIDE];
  MPI_Request get, put;
  MPI_Recv_init(in, WIDE, MPI_DOUBLE, me > 0 ? me - 1 : MPI_PROC_NULL, 4,
                MPI_COMM_WORLD, &get);
  MPI_Send_init(out, WIDE, MPI_DOUBLE, me < last ? me + 1 : MPI_PROC_NULL, 4,
                MPI_COMM_WORLD, &put);
  y[0] = 0;
  for (int k = 0; k < BLOCKS; ++k) {
    MPI_Start(&get);
    MPI_Wait(&get, MPI_STATUS_IGNORE);
    for (int i = 0; i < WIDE; ++i)
      out[i] = in[i] * x[i] + sin(x[(i + k) % WIDE] * (k + 1));
    MPI_Start(&put);
    for (int i = 0; i < WIDE; ++i)
      y[0] += out[i] * out[(i + 1) % WIDE];
    MPI_Wait(&put, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&get);
  MPI_Request_free(&put);
}
MPI_TEST(stages, WIDE, 1)

MPI_MAIN(&summa_test, &pivots_test, &parareal_test, &transpose_test,
         &adaptive_test, &levels_test, &ensemble_test, &schwarz_test,
         &layers_test, &sorted_test, &stages_test)
