// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids that the ranks share out: rows at the borders are exchanged with
// Sendrecv, with Isend and Irecv, with columns of a datatype, on a Cartesian
// communicator.
#include "check.h"

enum { ROWS = 4, COLUMNS = 5, STEPS = 3, WIDE = 12000 };
#define AT(i, j, columns) ((size_t)(i) * (size_t)(columns) + (size_t)(j))

static MPI_Comm line, torus;
static MPI_Datatype column;
static int torus_size[2];

static void make_communicators(void) {
  int open[1] = {0}, closed[2] = {1, 1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, open, 0, &line);
  MPI_Dims_create(ranks, 2, torus_size);
  MPI_Cart_create(MPI_COMM_WORLD, 2, torus_size, closed, 0, &torus);
  MPI_Type_vector(ROWS, 1, COLUMNS + 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
}

// One explicit step of rows 1 to n; columns end in walls of zero flux.
static void diffuse(const double *now, double *next, int n, int columns) {
  for (int i = 1; i <= n; ++i)
    for (int j = 0; j < columns; ++j) {
      const double here = now[AT(i, j, columns)];
      const double west = j > 0 ? now[AT(i, j - 1, columns)] : here;
      const double east = j + 1 < columns ? now[AT(i, j + 1, columns)] : here;
      const double k = 0.1 / (1 + here * here);
      next[AT(i, j, columns)] =
          here + k * (now[AT(i - 1, j, columns)] + now[AT(i + 1, j, columns)] +
                      west + east - 4 * here);
    }
}

static void swap(double **a, double **b) {
  double *c = *a;
  *a = *b;
  *b = c;
}

// The rows of all ranks, with a cold wall above and a warm one below.
static void heat_whole(const double *x, double *y) {
  const int n = ROWS * ranks;
  const size_t size = AT(n + 2, 0, COLUMNS);
  double *now = (double *)calloc(size, sizeof *now);
  double *next = (double *)calloc(size, sizeof *next);
  memcpy(now + COLUMNS, x, AT(n, 0, COLUMNS) * sizeof *now);
  for (int step = 0; step < STEPS; ++step) {
    for (int j = 0; j < COLUMNS; ++j)
      now[AT(n + 1, j, COLUMNS)] = 2;
    diffuse(now, next, n, COLUMNS);
    swap(&now, &next);
    for (int j = 0; j < COLUMNS; ++j)
      now[AT(0, j, COLUMNS)] = 0;
  }
  memcpy(y, now + COLUMNS, AT(n, 0, COLUMNS) * sizeof *y);
  free(now), free(next);
}

static void walls(double *u, int n, int columns, int up, int down) {
  for (int j = 0; j < columns; ++j) {
    if (up == MPI_PROC_NULL)
      u[AT(0, j, columns)] = 0;
    if (down == MPI_PROC_NULL)
      u[AT(n + 1, j, columns)] = 2;
  }
}

static void heat_of(const double *x, double *y, int n, int columns) {
  int up, down;
  MPI_Cart_shift(line, 0, 1, &up, &down);
  const size_t size = AT(n + 2, 0, columns);
  double *now = (double *)calloc(size, sizeof *now);
  double *next = (double *)calloc(size, sizeof *next);
  memcpy(now + columns, x, AT(n, 0, columns) * sizeof *now);
  for (int step = 0; step < STEPS; ++step) {
    MPI_Sendrecv(&now[AT(1, 0, columns)], columns, MPI_DOUBLE, up, 1,
                 &now[AT(n + 1, 0, columns)], columns, MPI_DOUBLE, down, 1,
                 line, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&now[AT(n, 0, columns)], columns, MPI_DOUBLE, down, 2,
                 &now[AT(0, 0, columns)], columns, MPI_DOUBLE, up, 2, line,
                 MPI_STATUS_IGNORE);
    walls(now, n, columns, up, down);
    diffuse(now, next, n, columns);
    swap(&now, &next);
  }
  memcpy(y, now + columns, AT(n, 0, columns) * sizeof *y);
  free(now), free(next);
}
static void heat(const double *x, double *y) { heat_of(x, y, ROWS, COLUMNS); }
static void heat_wide(const double *x, double *y) { heat_of(x, y, 1, WIDE); }

// The rows inside are computed while those at the borders are on their way.
static void heat_overlapped(const double *x, double *y) {
  enum { C = COLUMNS, N = ROWS };
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  const int up = me > 0 ? me - 1 : MPI_PROC_NULL;
  const int down = me < all - 1 ? me + 1 : MPI_PROC_NULL;
  double grids[2][(N + 2) * C];
  memset(grids, 0, sizeof grids);
  memcpy(grids[0] + C, x, N * C * sizeof *x);
  for (int step = 0; step < STEPS; ++step) {
    double *now = grids[step % 2], *next = grids[1 - step % 2];
    MPI_Request requests[4];
    MPI_Irecv(now, C, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(now + AT(N + 1, 0, C), C, MPI_DOUBLE, down, 2, MPI_COMM_WORLD,
              &requests[1]);
    MPI_Isend(now + AT(N, 0, C), C, MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
              &requests[2]);
    MPI_Isend(now + C, C, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &requests[3]);
    diffuse(now + C, next + C, N - 2, C);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    walls(now, N, C, up, down);
    diffuse(now, next, 1, C);
    diffuse(now + AT(N - 1, 0, C), next + AT(N - 1, 0, C), 1, C);
  }
  memcpy(y, grids[STEPS % 2] + C, N * C * sizeof *y);
}

// Blocks of a torus: rows, then columns of a datatype, corners with them.
static void torus_exchange(double *u) {
  enum { C = COLUMNS + 2 };
  int north, south, west, east;
  MPI_Cart_shift(torus, 0, 1, &north, &south);
  MPI_Cart_shift(torus, 1, 1, &west, &east);
  MPI_Sendrecv(u + AT(1, 1, C), 1, column, west, 0, u + AT(1, C - 1, C), 1,
               column, east, 0, torus, MPI_STATUS_IGNORE);
  MPI_Sendrecv(u + AT(1, C - 2, C), 1, column, east, 1, u + AT(1, 0, C), 1,
               column, west, 1, torus, MPI_STATUS_IGNORE);
  MPI_Sendrecv(u + C, C, MPI_DOUBLE, north, 2, u + AT(ROWS + 1, 0, C), C,
               MPI_DOUBLE, south, 2, torus, MPI_STATUS_IGNORE);
  MPI_Sendrecv(u + AT(ROWS, 0, C), C, MPI_DOUBLE, south, 3, u, C, MPI_DOUBLE,
               north, 3, torus, MPI_STATUS_IGNORE);
}

static double nine_points(double nw, double n, double ne, double w, double c,
                          double e, double sw, double s, double se) {
  return c + 0.05 * c * (n + s + w + e - 4 * c) +
         0.02 * (nw * se + ne * sw - 2 * c * c);
}

static void blocks(const double *x, double *y) {
  enum { C = COLUMNS + 2, SIZE = (ROWS + 2) * C };
  double *u = (double *)malloc(2 * SIZE * sizeof *u), *v = u + SIZE;
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j)
      u[AT(i + 1, j + 1, C)] = x[AT(i, j, COLUMNS)];
  for (int step = 0; step < STEPS; ++step) {
    torus_exchange(u);
    for (int i = 1; i <= ROWS; ++i)
      for (int j = 1; j <= COLUMNS; ++j) {
        const double *p = u + AT(i, j, C);
        v[AT(i, j, C)] = nine_points(p[-C - 1], p[-C], p[-C + 1], p[-1], p[0],
                                     p[1], p[C - 1], p[C], p[C + 1]);
      }
    for (int i = 1; i <= ROWS; ++i)
      memcpy(u + AT(i, 1, C), v + AT(i, 1, C), COLUMNS * sizeof *u);
  }
  for (int i = 0; i < ROWS; ++i)
    memcpy(y + AT(i, 0, COLUMNS), u + AT(i + 1, 1, C), COLUMNS * sizeof *u);
  free(u);
}

// Cell (i, j) of the torus of all ranks, whose rank r has block (r / c, r % c).
static size_t cell(int i, int j) {
  const int rows = ROWS * torus_size[0], columns = COLUMNS * torus_size[1];
  i = (i + rows) % rows;
  j = (j + columns) % columns;
  const int owner = i / ROWS * torus_size[1] + j / COLUMNS;
  return AT(owner * ROWS + i % ROWS, j % COLUMNS, COLUMNS);
}
static void blocks_whole(const double *x, double *y) {
  const size_t size = (size_t)(ROWS * COLUMNS * ranks);
  double *u = (double *)malloc(size * sizeof *u);
  memcpy(u, x, size * sizeof *u);
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 0; i < ROWS * torus_size[0]; ++i)
      for (int j = 0; j < COLUMNS * torus_size[1]; ++j)
        y[cell(i, j)] = nine_points(
            u[cell(i - 1, j - 1)], u[cell(i - 1, j)], u[cell(i - 1, j + 1)],
            u[cell(i, j - 1)], u[cell(i, j)], u[cell(i, j + 1)],
            u[cell(i + 1, j - 1)], u[cell(i + 1, j)], u[cell(i + 1, j + 1)]);
    memcpy(u, y, size * sizeof *u);
  }
  free(u);
}

// Waves: three time levels change places, borders go by Send and Recv of even
// and odd ranks.
static void wave_border(double *u, int n, int me, int all) {
  for (int phase = 0; phase < 2; ++phase) {
    const int other = (me + phase) % 2 == 0 ? me + 1 : me - 1;
    if (other < 0 || other >= all)
      continue;
    double *mine = other > me ? u + n : u + 1;
    double *theirs = other > me ? u + n + 1 : u;
    if (me < other) {
      MPI_Send(mine, 1, MPI_DOUBLE, other, 5, MPI_COMM_WORLD);
      MPI_Recv(theirs, 1, MPI_DOUBLE, other, 6, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(theirs, 1, MPI_DOUBLE, other, 5, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      MPI_Send(mine, 1, MPI_DOUBLE, other, 6, MPI_COMM_WORLD);
    }
  }
}
static double wave_step(double before, double l, double c, double r) {
  return 2 * c - before + 0.1 * (l - 2 * c + r) - 0.01 * sin(c);
}
static void wave(const double *x, double *y) {
  enum { N = 6 };
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  double *u = (double *)calloc(N + 2, sizeof *u);
  double *v = (double *)calloc(N + 2, sizeof *v);
  double *w = (double *)calloc(N + 2, sizeof *w);
  for (int i = 0; i < N; ++i)
    u[i + 1] = v[i + 1] = x[i];
  for (int step = 0; step < 5; ++step) {
    wave_border(v, N, me, all);
    for (int i = 1; i <= N; ++i)
      w[i] = wave_step(u[i], v[i - 1], v[i], v[i + 1]);
    double *t = u;
    u = v, v = w, w = t;
  }
  memcpy(y, v + 1, N * sizeof *y);
  free(u), free(v), free(w);
}
static void wave_whole(const double *x, double *y) {
  const int n = 6 * ranks;
  double *u = (double *)calloc((size_t)n + 2, sizeof *u);
  double *v = (double *)calloc((size_t)n + 2, sizeof *v);
  double *w = (double *)calloc((size_t)n + 2, sizeof *w);
  for (int i = 0; i < n; ++i)
    u[i + 1] = v[i + 1] = x[i];
  for (int step = 0; step < 5; ++step) {
    for (int i = 1; i <= n; ++i)
      w[i] = wave_step(u[i], v[i - 1], v[i], v[i + 1]);
    double *t = u;
    u = v, v = w, w = t;
  }
  memcpy(y, v + 1, (size_t)n * sizeof *y);
  free(u), free(v), free(w);
}

// Until the largest change on any rank is small: as many steps as that takes.
static void jacobi(const double *x, double *y) {
  enum { N = 3 };
  int left, right, steps = 0;
  double u[N + 2] = {0}, next[N], largest = 1;
  MPI_Cart_shift(line, 0, 1, &left, &right);
  while (largest > 0.02 && steps < 40) {
    MPI_Request r[4];
    MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 0, line, &r[0]);
    MPI_Isend(&u[N], 1, MPI_DOUBLE, right, 0, line, &r[1]);
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, line, &r[2]);
    MPI_Irecv(&u[N + 1], 1, MPI_DOUBLE, right, 0, line, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    double change = 0;
    for (int i = 0; i < N; ++i) {
      next[i] = (u[i] + u[i + 2] + x[i]) / (3 + 0.1 * u[i + 1] * x[i]);
      change = fmax(change, fabs(next[i] - u[i + 1]));
    }
    memcpy(u + 1, next, sizeof next);
    MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, line);
    ++steps;
  }
  for (int i = 0; i < N; ++i)
    y[i] = u[i + 1] * steps;
}

// A grid in a structure; faces of three dimensions are packed by hand.
struct box {
  int nx, ny, nz;
  double *cells, *face[2];
};
static void pack_face(const struct box *b, int i, double *to) {
  for (int j = 0; j < b->ny; ++j)
    for (int k = 0; k < b->nz; ++k)
      *to++ = b->cells[(i * b->ny + j) * b->nz + k];
}
static void boxes_of(const double *x, double *y, int ny, int nz) {
  struct box b = {2, ny, nz, 0, {0, 0}};
  const int n = ny * nz, cells = 2 * n;
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  b.cells = (double *)malloc((size_t)cells * sizeof(double));
  for (int side = 0; side < 2; ++side)
    b.face[side] = (double *)malloc((size_t)n * 2 * sizeof(double));
  memcpy(b.cells, x, (size_t)cells * sizeof(double));
  for (int step = 0; step < 2; ++step) {
    MPI_Request requests[4];
    int open = 0;
    for (int side = 0; side < 2; ++side) {
      const int other = (me + (side ? 1 : all - 1)) % all;
      MPI_Irecv(b.face[side] + n, n, MPI_DOUBLE, other, 1 - side,
                MPI_COMM_WORLD, &requests[open++]);
      pack_face(&b, side, b.face[side]);
      MPI_Isend(b.face[side], n, MPI_DOUBLE, other, side, MPI_COMM_WORLD,
                &requests[open++]);
    }
    while (open > 0) {
      int index;
      MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
      --open;
    }
    for (int i = 0; i < n; ++i) {
      const double a = b.cells[i], c = b.cells[n + i];
      b.cells[i] = a + 0.1 * (b.face[0][n + i] * c - a * a);
      b.cells[n + i] = c + 0.1 * a * (b.face[1][n + i] - c);
    }
  }
  memcpy(y, b.cells, (size_t)cells * sizeof(double));
  free(b.cells), free(b.face[0]), free(b.face[1]);
}
static void boxes(const double *x, double *y) { boxes_of(x, y, 2, 3); }
static void boxes_large(const double *x, double *y) { boxes_of(x, y, 80, 90); }

MPI_TEST_WHOLE(heat, heat_whole, ROWS *COLUMNS, ROWS *COLUMNS)
MPI_TEST(heat_wide, WIDE, WIDE)
MPI_TEST_WHOLE(heat_overlapped, heat_whole, ROWS *COLUMNS, ROWS *COLUMNS)
MPI_TEST_WHOLE(blocks, blocks_whole, ROWS *COLUMNS, ROWS *COLUMNS)
MPI_TEST_WHOLE(wave, wave_whole, 6, 6)
MPI_TEST_(jacobi, 3, 3, 1e-6, 0)
MPI_TEST(boxes, 12, 12)
MPI_TEST(boxes_large, 14400, 14400)

MPI_MAIN_(make_communicators, &heat_test, &heat_wide_test,
          &heat_overlapped_test, &blocks_test, &wave_test, &jacobi_test,
          &boxes_test, &boxes_large_test)
