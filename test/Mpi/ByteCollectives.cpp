// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats that all ranks exchange as bytes, as templates of C++ send them.
#include "check.h"

#include <array>
#include <complex>
#include <vector>

namespace {

int my_rank() {
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  return me;
}
int all_ranks() {
  int all;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  return all;
}

enum { N = 4, MOST = 8 };

struct Cell {
  double pressure;
  int kind;
  float speed;
  std::array<double, 2> flow;
};

void put(Cell &c, const double *x, int i) {
  c.pressure = x[i % N] * x[0];
  c.kind = i + 1;
  c.speed = 1;
  c.flow = {x[i % N], x[(i + 1) % N] * x[1]};
}
double energy(const Cell &c) {
  return c.pressure * c.kind + c.flow[0] * c.flow[1];
}

template <typename T> int bytes(const std::vector<T> &v) {
  return static_cast<int>(v.size() * sizeof(T));
}

void products(const double *x, double *a, int n) {
  for (int i = 0; i < n; ++i)
    a[i] = x[i % N] * x[(i + 1) % N] * (i + 1);
}
void fold(const double *b, int n, double *y) {
  y[0] = y[1] = 0;
  for (int i = 0; i < n; ++i) {
    y[0] += b[i] * b[i] * (i + 1);
    y[1] += std::sin(b[i]);
  }
}

// ---- Whole arrays ------------------------------------------------------------
template <typename T> void broadcast(T *begin, int n, int root) {
  MPI_Bcast(begin, n * static_cast<int>(sizeof(T)), MPI_BYTE, root,
            MPI_COMM_WORLD);
}

void bcast(const double *x, double *y) {
  double a[N];
  products(x, a, N);
  broadcast(a, N, 0);
  fold(a, N, y);
  for (double &v : a)
    v *= x[1];
  broadcast(a, N, all_ranks() - 1);
  y[0] += a[0] * a[1];
}

void bcast_cells(const double *x, double *y) {
  Cell cells[3];
  for (int i = 0; i < 3; ++i)
    put(cells[i], x, i);
  broadcast(cells, 3, 0);
  y[0] = energy(cells[0]) * energy(cells[1]);
  y[1] = energy(cells[2]) * x[0];
}

// Of text and of numbers: nothing is exchanged.
void bcast_numbers(const double *x, double *y) {
  std::vector<int> n(3, my_rank() + 2);
  char name[16] = "none";
  double a[N];
  if (my_rank() == 0)
    strcpy(name, "root");
  broadcast(n.data(), 3, 0);
  MPI_Bcast(name, 16, MPI_CHAR, 0, MPI_COMM_WORLD);
  products(x, a, n[0]);
  broadcast(a, n[0], 0);
  y[0] = a[0] * a[1] * (name[0] == 'r');
}

// Singles as bytes of a datatype that is made for each type.
template <typename T> MPI_Datatype type_of() {
  static MPI_Datatype type = [] {
    MPI_Datatype t;
    MPI_Type_contiguous(sizeof(T), MPI_BYTE, &t);
    MPI_Type_commit(&t);
    return t;
  }();
  return type;
}

void bcast_types(const double *x, double *y) {
  std::complex<double> z[2] = {{x[0] * x[1], x[2]}, {x[3], x[0]}};
  Cell c;
  put(c, x, 2);
  MPI_Bcast(z, 2, type_of<std::complex<double>>(), 0, MPI_COMM_WORLD);
  MPI_Bcast(&c, 1, type_of<Cell>(), all_ranks() - 1, MPI_COMM_WORLD);
  y[0] = std::norm(z[0] * z[1]);
  y[1] = energy(c) * x[2];
}

void allgather(const double *x, double *y) {
  double a[N], all[N * MOST];
  products(x, a, N);
  MPI_Allgather(a, sizeof a, MPI_BYTE, all, sizeof a, MPI_BYTE,
                MPI_COMM_WORLD);
  fold(all, N * all_ranks(), y);
}

void allgather_cells(const double *x, double *y) {
  Cell mine, all[MOST];
  put(mine, x, my_rank());
  MPI_Allgather(&mine, sizeof mine, MPI_CHAR, all, sizeof mine, MPI_CHAR,
                MPI_COMM_WORLD);
  y[0] = y[1] = 0;
  for (int r = 0; r < all_ranks(); ++r)
    y[r % 2] += energy(all[r]) * (r + 1);
}

// Each rank has another number of them.
struct Uneven {
  std::vector<int> counts, places;
  int mine, total = 0;
  explicit Uneven(int size) : mine(1 + my_rank() % 3) {
    for (int r = 0; r < all_ranks(); ++r) {
      counts.push_back((1 + r % 3) * size);
      places.push_back(total);
      total += counts.back();
    }
  }
};

void allgatherv(const double *x, double *y) {
  const Uneven u(sizeof(double));
  double a[N], all[N * MOST];
  products(x, a, u.mine);
  MPI_Allgatherv(a, u.mine * static_cast<int>(sizeof *a), MPI_BYTE, all,
                 u.counts.data(), u.places.data(), MPI_BYTE, MPI_COMM_WORLD);
  fold(all, u.total / static_cast<int>(sizeof *a), y);
}

void gatherv_scatterv(const double *x, double *y) {
  const Uneven u(sizeof(double));
  std::vector<double> a(u.mine), all(u.total / sizeof(double));
  products(x, a.data(), u.mine);
  MPI_Gatherv(a.data(), bytes(a), MPI_BYTE, all.data(), u.counts.data(),
              u.places.data(), MPI_BYTE, 0, MPI_COMM_WORLD);
  double sum = 0;
  for (double &v : all) {
    sum += v;
    v = v * v + sum * x[2];
  }
  MPI_Scatterv(all.data(), u.counts.data(), u.places.data(), MPI_BYTE, a.data(),
               bytes(a), MPI_BYTE, 0, MPI_COMM_WORLD);
  fold(a.data(), u.mine, y);
}

void gather_scatter_cells(const double *x, double *y) {
  Cell mine;
  put(mine, x, my_rank());
  std::vector<Cell> all(all_ranks());
  MPI_Gather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, 0,
             MPI_COMM_WORLD);
  for (size_t r = 0; my_rank() == 0 && r < all.size(); ++r)
    all[r].pressure *= all[0].flow[1] + all[(r + 1) % all.size()].pressure;
  MPI_Scatter(all.data(), sizeof mine, MPI_BYTE, &mine, sizeof mine, MPI_BYTE,
              0, MPI_COMM_WORLD);
  y[0] = energy(mine);
}

void alltoall(const double *x, double *y) {
  const int all = all_ranks();
  std::vector<double> out(2 * all), in(out.size());
  products(x, out.data(), 2 * all);
  MPI_Alltoall(out.data(), 2 * sizeof(double), MPI_BYTE, in.data(),
               2 * sizeof(double), MPI_BYTE, MPI_COMM_WORLD);
  fold(in.data(), 2 * all, y);
}

void alltoallv_cells(const double *x, double *y) {
  const int me = my_rank(), all = all_ranks(), size = sizeof(Cell);
  std::vector<int> to(all), from(all), out_at(all), in_at(all);
  int n = 0, m = 0;
  for (int r = 0; r < all; ++r) {
    out_at[r] = n * size;
    in_at[r] = m * size;
    n += (me + r + 1) % 3;
    m += (me + r + 1) % 3;
    to[r] = from[r] = (me + r + 1) % 3 * size;
  }
  std::vector<Cell> out(n), in(m);
  for (int i = 0; i < n; ++i)
    put(out[i], x, i);
  MPI_Alltoallv(out.data(), to.data(), out_at.data(), MPI_BYTE, in.data(),
                from.data(), in_at.data(), MPI_BYTE, MPI_COMM_WORLD);
  y[0] = 0;
  for (const Cell &c : in)
    y[0] += energy(c);
}

// In place, and without blocking.
void in_place(const double *x, double *y) {
  const int me = my_rank(), all = all_ranks();
  double v[N * MOST];
  for (double &number : v)
    number = 1;
  for (int i = 0; i < N; ++i)
    v[me * N + i] = x[i] * x[0];
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v, N * sizeof(double),
                MPI_BYTE, MPI_COMM_WORLD);
  fold(v, N * all, y);
}

void nonblocking(const double *x, double *y) {
  const int all = all_ranks();
  double a[N], b[N], g[N * MOST], in[MOST], out[MOST];
  products(x, a, N);
  products(x, b, N);
  products(x, out, all);
  Cell c;
  put(c, x, 1);
  MPI_Request r[4];
  MPI_Ibcast(a, sizeof a, MPI_BYTE, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Iallgather(b, sizeof b, MPI_BYTE, g, sizeof b, MPI_BYTE, MPI_COMM_WORLD,
                 &r[1]);
  MPI_Ialltoall(out, sizeof *out, MPI_BYTE, in, sizeof *in, MPI_BYTE,
                MPI_COMM_WORLD, &r[2]);
  MPI_Ibcast(&c, sizeof c, MPI_BYTE, all - 1, MPI_COMM_WORLD, &r[3]);
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  fold(g, N * all, y);
  y[0] += a[0] * a[1] + energy(c);
  for (int i = 0; i < all; ++i)
    y[1] += in[i] * in[i];
}

} // namespace

MPI_TEST(bcast, N, 2)
MPI_TEST(bcast_cells, N, 2)
MPI_TEST(bcast_numbers, N, 1)
MPI_TEST(bcast_types, N, 2)
MPI_TEST(allgather, N, 2)
MPI_TEST(allgather_cells, N, 2)
MPI_TEST(allgatherv, N, 2)
MPI_TEST(gatherv_scatterv, N, 2)
MPI_TEST(gather_scatter_cells, N, 1)
MPI_TEST(alltoall, N, 2)
MPI_TEST(alltoallv_cells, N, 1)
MPI_TEST(in_place, N, 2)
MPI_TEST(nonblocking, N, 2)
MPI_MAIN(&bcast_test, &bcast_cells_test, &bcast_numbers_test, &bcast_types_test,
         &allgather_test, &allgather_cells_test, &allgatherv_test,
         &gatherv_scatterv_test, &gather_scatter_cells_test, &alltoall_test,
         &alltoallv_cells_test, &in_place_test, &nonblocking_test)
