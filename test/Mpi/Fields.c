// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codes of weather, waves and flow: fields that lie in parts on a grid of
// ranks, with edges that neighbours exchange; each with few numbers and with
// messages that libraries send another way.
#include "check.h"

// Both sizes of a function of (x, y, size).
#define SIZES(F, SMALL, LARGE, N, M)                                           \
  static void F##_small(const double *x, double *y) { F(x, y, SMALL); }        \
  static void F##_large(const double *x, double *y) { F(x, y, LARGE); }        \
  MPI_TEST(F##_small, N, M)                                                    \
  MPI_TEST(F##_large, N, M)

static double *zeros(size_t n) { return (double *)calloc(n, sizeof(double)); }

/* ---- Shallow water: height and flow on a torus of ranks ------------------ */

struct tile {
  int nx, ny; // without the edge
  double *h, *u, *v;
  MPI_Comm grid;
  MPI_Datatype row, column;
  int north, south, west, east;
};

static void exchange_edges(const struct tile *t, double *f) {
  const int w = t->nx + 2;
  MPI_Sendrecv(f + w + 1, 1, t->row, t->north, 1, f + (t->ny + 1) * w + 1, 1,
               t->row, t->south, 1, t->grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(f + t->ny * w + 1, 1, t->row, t->south, 2, f + 1, 1, t->row,
               t->north, 2, t->grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(f + 1, 1, t->column, t->west, 3, f + t->nx + 1, 1, t->column,
               t->east, 3, t->grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(f + t->nx, 1, t->column, t->east, 4, f, 1, t->column, t->west, 4,
               t->grid, MPI_STATUS_IGNORE);
}

static void flow_step(struct tile *t, double dt) {
  const int w = t->nx + 2;
  exchange_edges(t, t->h);
  for (int j = 1; j <= t->ny; ++j)
    for (int i = 1; i <= t->nx; ++i) {
      const int c = j * w + i;
      t->u[c] -= dt * (t->h[c + 1] - t->h[c - 1]);
      t->v[c] -= dt * (t->h[c + w] - t->h[c - w]);
    }
  exchange_edges(t, t->u);
  exchange_edges(t, t->v);
  for (int j = 1; j <= t->ny; ++j)
    for (int i = 1; i <= t->nx; ++i) {
      const int c = j * w + i;
      t->h[c] -= dt * t->h[c] *
                 (t->u[c + 1] - t->u[c - 1] + t->v[c + w] - t->v[c - w]);
    }
}

static void shallow_water(const double *x, double *y, int nx) {
  struct tile t = {nx, 3, 0, 0, 0, MPI_COMM_NULL, 0, 0, 0, 0, 0, 0};
  int sizes[2] = {0, 0}, periodic[2] = {1, 1};
  MPI_Dims_create(ranks, 2, sizes);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periodic, 0, &t.grid);
  MPI_Cart_shift(t.grid, 0, 1, &t.north, &t.south);
  MPI_Cart_shift(t.grid, 1, 1, &t.west, &t.east);
  MPI_Type_contiguous(nx, MPI_DOUBLE, &t.row);
  MPI_Type_vector(t.ny + 2, 1, nx + 2, MPI_DOUBLE, &t.column);
  MPI_Type_commit(&t.row);
  MPI_Type_commit(&t.column);
  const int n = (nx + 2) * (t.ny + 2);
  t.h = zeros(n), t.u = zeros(n), t.v = zeros(n);
  for (int i = 0; i < n; ++i)
    t.h[i] = x[i % 6] * (1 + 0.01 * (i % 11)), t.u[i] = 0.1 * x[i % 5];
  for (int step = 0; step < 3; ++step)
    flow_step(&t, 0.02);
  for (int i = 0; i < 6; ++i)
    y[i] = t.h[(nx + 2) * (1 + i % 3) + 1 + i] * t.u[nx + 3 + i];
  free(t.h), free(t.u), free(t.v);
  MPI_Type_free(&t.row);
  MPI_Type_free(&t.column);
  MPI_Comm_free(&t.grid);
}
SIZES(shallow_water, 8, 9000, 6, 6)

/* ---- Diffusion in boxes: faces are parts of an array ----------------------
 */

enum { BOX = 5 }; // with the faces of neighbours

static void face(MPI_Datatype *type, const int *sizes, int axis, int at) {
  int parts[3], starts[3];
  for (int d = 0; d < 3; ++d) {
    parts[d] = d == axis ? 1 : sizes[d] - 2;
    starts[d] = d == axis ? at : 1;
  }
  MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE,
                           type);
  MPI_Type_commit(type);
}

static void boxes(const double *x, double *y, int length) {
  int grid[3] = {0, 0, 0}, open[3] = {0, 1, 0}, low[3], high[3];
  const int sizes[3] = {BOX, BOX, length};
  const int n = BOX * BOX * length, rows = length, layers = BOX * length;
  MPI_Comm comm;
  MPI_Datatype out[6], in[6];
  MPI_Dims_create(ranks, 3, grid);
  MPI_Cart_create(MPI_COMM_WORLD, 3, grid, open, 1, &comm);
  for (int axis = 0; axis < 3; ++axis) {
    MPI_Cart_shift(comm, axis, 1, &low[axis], &high[axis]);
    face(&in[2 * axis], sizes, axis, 0);
    face(&out[2 * axis], sizes, axis, 1);
    face(&out[2 * axis + 1], sizes, axis, sizes[axis] - 2);
    face(&in[2 * axis + 1], sizes, axis, sizes[axis] - 1);
  }
  double *a = zeros(n), *b = zeros(n);
  for (int i = 0; i < n; ++i)
    a[i] = x[i % 8] * (1 + i % 3);
  for (int step = 0; step < 2; ++step) {
    MPI_Request r[12];
    for (int axis = 0; axis < 3; ++axis) {
      MPI_Irecv(a, 1, in[2 * axis], low[axis], axis, comm, &r[4 * axis]);
      MPI_Irecv(a, 1, in[2 * axis + 1], high[axis], 3 + axis, comm,
                &r[4 * axis + 1]);
      MPI_Isend(a, 1, out[2 * axis], low[axis], 3 + axis, comm,
                &r[4 * axis + 2]);
      MPI_Isend(a, 1, out[2 * axis + 1], high[axis], axis, comm,
                &r[4 * axis + 3]);
    }
    MPI_Waitall(12, r, MPI_STATUSES_IGNORE);
    for (int i = 1; i < BOX - 1; ++i)
      for (int j = 1; j < BOX - 1; ++j)
        for (int k = 1; k < length - 1; ++k) {
          const int c = i * layers + j * rows + k;
          b[c] =
              a[c] * (0.4 + 0.1 * a[c - 1] * a[c + 1]) +
              0.1 * (a[c - rows] + a[c + rows] + a[c - layers] + a[c + layers]);
        }
    double *swap = a;
    a = b, b = swap;
  }
  for (int i = 0; i < 4; ++i)
    y[i] = a[(1 + i % 3) * layers + 2 * rows + 1 + i % 3];
  for (int i = 0; i < 6; ++i) {
    MPI_Type_free(&in[i]);
    MPI_Type_free(&out[i]);
  }
  MPI_Comm_free(&comm);
  free(a), free(b);
}
SIZES(boxes, 6, 4000, 8, 4)

/* ---- A sweep: each rank waits for west and north, then lets others go -----
 */

static void sweep(const double *x, double *y, int width) {
  int sizes[2] = {0, 0}, periodic[2] = {0, 0}, at[2], west, east, north, south;
  MPI_Comm grid;
  MPI_Dims_create(ranks, 2, sizes);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periodic, 0, &grid);
  MPI_Cart_coords(grid, rank, 2, at);
  MPI_Cart_shift(grid, 0, 1, &north, &south);
  MPI_Cart_shift(grid, 1, 1, &west, &east);
  double *from_north = zeros(width), left[3];
  y[0] = 0;
  for (int angle = 0; angle < 2; ++angle) {
    for (int i = 0; i < width; ++i)
      from_north[i] = 0.1 * (angle + 1);
    for (int j = 0; j < 3; ++j)
      left[j] = 0.2;
    MPI_Recv(from_north, width, MPI_DOUBLE, north, angle, grid,
             MPI_STATUS_IGNORE);
    MPI_Recv(left, 3, MPI_DOUBLE, west, angle, grid, MPI_STATUS_IGNORE);
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < width; ++i) {
        const double source = x[(i + j) % 6];
        const double flux =
            (source + 0.7 * left[j] + 0.5 * from_north[i]) / (1 + source);
        left[j] = from_north[i] = flux;
        y[0] += i % 64 == 0 ? flux * flux : 0;
      }
    MPI_Send(from_north, width, MPI_DOUBLE, south, angle, grid);
    MPI_Send(left, 3, MPI_DOUBLE, east, angle, grid);
  }
  y[1] = left[1] * at[0] + from_north[0] * at[1];
  free(from_north);
  MPI_Comm_free(&grid);
}
SIZES(sweep, 5, 10000, 6, 2)

/* ---- Inversion: a wave runs for many steps, stations compare ---------------
 */

static void inversion(const double *x, double *y, int n) {
  const int left = rank ? rank - 1 : MPI_PROC_NULL;
  const int right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  double *before = zeros(n + 2), *now = zeros(n + 2), *next = zeros(n + 2);
  double misfit = 0, total;
  for (int step = 0; step < 12; ++step) {
    MPI_Request r[4];
    MPI_Irecv(now, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(now + n + 1, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(now + 1, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(now + n, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r[3]);
    // What needs no neighbour, while messages are under way.
    for (int i = 2; i < n; ++i)
      next[i] = 2 * now[i] - before[i] +
                0.2 * x[i % 6] * (now[i - 1] - 2 * now[i] + now[i + 1]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    for (int i = 1; i <= n; i += n - 1)
      next[i] = 2 * now[i] - before[i] +
                0.2 * x[i % 6] * (now[i - 1] - 2 * now[i] + now[i + 1]);
    if (rank == ranks / 2)
      next[n / 2] += sin(0.3 * step);
    const double seen = next[n / 2 + 1] - 0.01 * step;
    misfit += seen * seen;
    double *old = before;
    before = now, now = next, next = old;
  }
  MPI_Reduce(&misfit, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  y[0] = rank == 0 ? total : 0;
  y[1] = now[n / 2] * x[0];
  free(before), free(now), free(next);
}
SIZES(inversion, 7, 20000, 6, 2)

/* ---- Red and black points, the edges by requests that are kept -------------
 */

static void red_and_black(const double *x, double *y, int width) {
  const int up = (rank + ranks - 1) % ranks, down = (rank + 1) % ranks;
  enum { ROWS = 4 };
  double *u = zeros((size_t)(ROWS + 2) * width);
  double residual = 0, all = 1;
  MPI_Request r[4];
  for (int i = 0; i < (ROWS + 2) * width; ++i)
    u[i] = x[i % 6];
  MPI_Recv_init(u, width, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Recv_init(u + (ROWS + 1) * width, width, MPI_DOUBLE, down, 1,
                MPI_COMM_WORLD, &r[1]);
  MPI_Send_init(u + width, width, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &r[2]);
  MPI_Send_init(u + ROWS * width, width, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                &r[3]);
  for (int half = 0; half < 4; ++half) {
    MPI_Startall(4, r);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    residual = 0;
    for (int j = 1; j <= ROWS; ++j)
      for (int i = 1 + (j + half) % 2; i < width - 1; i += 2) {
        const int c = j * width + i;
        const double change =
            0.25 * (u[c - 1] + u[c + 1] + u[c - width] + u[c + width]) -
            u[c] * (0.9 + 0.1 * u[c]);
        u[c] += 1.2 * change;
        residual += i < 64 ? change * change : 0;
      }
  }
  for (int i = 0; i < 4; ++i)
    MPI_Request_free(&r[i]);
  MPI_Allreduce(&residual, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  y[0] = sqrt(all);
  y[1] = u[2 * width + 2] * u[3 * width + 1];
  free(u);
}
SIZES(red_and_black, 6, 9000, 6, 2)

/* ---- Implicit steps by directions: the array is transposed by datatypes ----
 */

static void solve_rows(double *a, int rows, int n, const double *x) {
  double c[64];
  for (int j = 0; j < rows; ++j) {
    double *d = a + j * n;
    const double off = -0.2 * x[0];
    double b = 2 + x[1];
    c[0] = off / b, d[0] /= b;
    for (int i = 1; i < n; ++i) {
      const double m = b - off * c[i - 1];
      c[i] = off / m;
      d[i] = (d[i] - off * d[i - 1]) / m;
    }
    for (int i = n - 2; i >= 0; --i)
      d[i] -= c[i] * d[i + 1];
  }
}

// Rows of an array that ranks have in stripes become columns.
static void directions(const double *x, double *y, int rows) {
  const int n = rows * ranks;
  double *a = zeros((size_t)rows * n), *b = zeros((size_t)rows * n);
  int *counts = (int *)malloc(sizeof *counts * 4 * (size_t)ranks);
  int *to = counts + ranks, *from = to + ranks, *units = from + ranks;
  MPI_Datatype *out = (MPI_Datatype *)malloc(sizeof *out * 2 * (size_t)ranks);
  MPI_Datatype *in = out + ranks, column, tall;
  MPI_Type_vector(rows, 1, n, MPI_DOUBLE, &column);
  MPI_Type_create_resized(column, 0, sizeof(double), &tall);
  MPI_Type_commit(&tall);
  for (int k = 0; k < ranks; ++k) {
    counts[k] = rows, to[k] = from[k] = k * rows * (int)sizeof(double);
    units[k] = rows;
    out[k] = tall; // columns, one after the other
    MPI_Type_vector(rows, rows, n, MPI_DOUBLE, &in[k]);
    MPI_Type_commit(&in[k]);
    units[k] = 1;
  }
  for (int i = 0; i < rows * n; ++i)
    a[i] = x[i % 7] * (1 + (i + rank) % 5);
  for (int step = 0; step < 2; ++step) {
    solve_rows(a, rows, n, x);
    MPI_Alltoallw(a, counts, to, out, b, units, from, in, MPI_COMM_WORLD);
    solve_rows(b, rows, n, x);
    MPI_Alltoallw(b, counts, to, out, a, units, from, in, MPI_COMM_WORLD);
  }
  y[0] = a[0] * a[1], y[1] = a[rows * n - 1];
  for (int k = 0; k < ranks; ++k)
    MPI_Type_free(&in[k]);
  MPI_Type_free(&tall);
  MPI_Type_free(&column);
  free(a), free(b), free(counts), free(out);
}
SIZES(directions, 2, 7, 7, 2)

/* ---- A system of three diagonals over all ranks, solved in a pipeline -------
 */

static void tridiagonal(const double *x, double *y, int systems) {
  enum { N = 5 };
  const int before = rank ? rank - 1 : MPI_PROC_NULL;
  const int after = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  double *c = zeros((size_t)N * systems), *d = zeros((size_t)N * systems);
  double *edge = zeros(2 * (size_t)systems), *last = zeros(systems);
  MPI_Recv(edge, 2 * systems, MPI_DOUBLE, before, 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  for (int s = 0; s < systems; ++s) {
    double cp = edge[2 * s], dp = edge[2 * s + 1];
    for (int i = 0; i < N; ++i) {
      const double low = x[i % 6] * 0.3, m = 2 + x[(i + s) % 6] - low * cp;
      cp = c[i * systems + s] = 0.4 / m;
      dp = d[i * systems + s] = (x[(i + 2 * s) % 6] - low * dp) / m;
    }
    edge[2 * s] = cp, edge[2 * s + 1] = dp;
  }
  MPI_Ssend(edge, 2 * systems, MPI_DOUBLE, after, 0, MPI_COMM_WORLD);
  MPI_Recv(last, systems, MPI_DOUBLE, after, 1, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  for (int i = N - 1; i >= 0; --i)
    for (int s = 0; s < systems; ++s) {
      last[s] = d[i * systems + s] - c[i * systems + s] * last[s];
      y[i] = s == 0 ? last[s] : y[i] + (s < 8 ? last[s] * last[s] : 0);
    }
  MPI_Ssend(last, systems, MPI_DOUBLE, before, 1, MPI_COMM_WORLD);
  free(c), free(d), free(edge), free(last);
}
SIZES(tridiagonal, 1, 10000, 6, 5)

/* ---- Stripes of uneven height, some of them empty ---------------------------
 */

static void uneven_stripes(const double *x, double *y, int width) {
  // Every third rank has no row, and is passed over.
  const int rows = rank % 3 == 1 && ranks > 2 ? 0 : 1 + rank % 3;
  int up = -1, down = -1;
  for (int k = 1; k <= ranks && (up < 0 || down < 0); ++k) {
    const int u = (rank + ranks - k) % ranks, d = (rank + k) % ranks;
    up = up < 0 && !(u % 3 == 1 && ranks > 2) ? u : up;
    down = down < 0 && !(d % 3 == 1 && ranks > 2) ? d : down;
  }
  double *u = zeros((size_t)(rows + 2) * width), *all = 0;
  int *counts = (int *)malloc(sizeof *counts * 2 * (size_t)ranks);
  int *starts = counts + ranks, total = 0;
  for (int i = 0; i < rows * width; ++i)
    u[width + i] = x[i % 6];
  if (rows) {
    MPI_Sendrecv(u + width, width, MPI_DOUBLE, up, 0, u + (rows + 1) * width,
                 width, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(u + rows * width, width, MPI_DOUBLE, down, 1, u, width,
                 MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int i = width; i < (rows + 1) * width; ++i)
    u[i] = u[i] * u[i - width] + 0.5 * u[i + width];
  const int mine = rows * width;
  MPI_Gather(&mine, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int k = 0; k < ranks; ++k)
      starts[k] = total, total += counts[k];
    all = zeros(total);
  }
  MPI_Gatherv(u + width, mine, MPI_DOUBLE, all, counts, starts, MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
  y[0] = y[1] = 0;
  for (int i = 0; i < total; ++i)
    y[0] += all[i] * all[total - 1 - i] / total;
  if (rows)
    y[1] = u[width] * u[width + 1];
  free(u), free(all), free(counts);
}
SIZES(uneven_stripes, 4, 9000, 6, 2)

MPI_MAIN(&shallow_water_small_test, &shallow_water_large_test,
         &boxes_small_test, &boxes_large_test, &sweep_small_test,
         &sweep_large_test, &inversion_small_test, &inversion_large_test,
         &red_and_black_small_test, &red_and_black_large_test,
         &directions_small_test, &directions_large_test,
         &tridiagonal_small_test, &tridiagonal_large_test,
         &uneven_stripes_small_test, &uneven_stripes_large_test)
