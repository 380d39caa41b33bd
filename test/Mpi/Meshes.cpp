// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Meshes and vectors that ranks share out, as classes: communicators, windows,
// requests, datatypes and operations are members, and end with their object.
#include "check.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace {

constexpr int N = 4;

template <typename T> MPI_Datatype type_of();
template <> MPI_Datatype type_of<double>() { return MPI_DOUBLE; }
template <> MPI_Datatype type_of<int>() { return MPI_INT; }

class Communicator {
  MPI_Comm handle;
  bool own;

public:
  explicit Communicator(MPI_Comm given) : handle(given), own(false) {}
  Communicator(const Communicator &from, int color) : own(true) {
    MPI_Comm_split(from.handle, color, from.rank(), &handle);
  }
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;
  Communicator(Communicator &&o) noexcept
      : handle(std::exchange(o.handle, MPI_COMM_NULL)),
        own(std::exchange(o.own, false)) {}
  ~Communicator() {
    if (own && handle != MPI_COMM_NULL)
      MPI_Comm_free(&handle);
  }
  MPI_Comm get() const { return handle; }
  int rank() const {
    int r;
    MPI_Comm_rank(handle, &r);
    return r;
  }
  int size() const {
    int s;
    MPI_Comm_size(handle, &s);
    return s;
  }
  template <typename T> T sum(T value) const {
    T all;
    MPI_Allreduce(&value, &all, 1, type_of<T>(), MPI_SUM, handle);
    return all;
  }
};

// Waits when it ends.
class Requests {
  std::vector<MPI_Request> open;

public:
  Requests() = default;
  Requests(const Requests &) = delete;
  Requests &operator=(const Requests &) = delete;
  ~Requests() { wait(); }
  template <typename T>
  void send(const T *from, int count, int to, int tag, const Communicator &c) {
    MPI_Request r;
    MPI_Isend(from, count, type_of<T>(), to, tag, c.get(), &r);
    open.push_back(r);
  }
  template <typename T>
  void receive(T *to, int count, int from, int tag, const Communicator &c) {
    open.emplace_back();
    MPI_Irecv(to, count, type_of<T>(), from, tag, c.get(), &open.back());
  }
  void wait() {
    if (!open.empty())
      MPI_Waitall(int(open.size()), open.data(), MPI_STATUSES_IGNORE);
    open.clear();
  }
};

template <typename T> class Mesh {
  const Communicator &comm;
  int cells;
  int before, after;

public:
  Mesh(const Communicator &c, int n) : comm(c), cells(n) {
    const int me = c.rank(), all = c.size();
    before = me > 0 ? me - 1 : MPI_PROC_NULL;
    after = me + 1 < all ? me + 1 : MPI_PROC_NULL;
  }
  int size() const { return cells; }
  const Communicator &communicator() const { return comm; }
  // Ghost cells at both ends.
  void exchange(std::vector<T> &v) const {
    Requests open;
    open.receive(&v[0], 1, before, 0, comm);
    open.receive(&v[cells + 1], 1, after, 1, comm);
    open.send(&v[cells], 1, after, 0, comm);
    open.send(&v[1], 1, before, 1, comm);
  }
};

template <typename T> class Vector {
  const Mesh<T> *mesh;
  std::vector<T> data;

public:
  explicit Vector(const Mesh<T> &m) : mesh(&m), data(m.size() + 2, T(0)) {}
  T &operator[](int i) { return data[i + 1]; }
  const T &operator[](int i) const { return data[i + 1]; }
  int size() const { return mesh->size(); }
  void exchange() { mesh->exchange(data); }
  template <typename F> void each(F &&f) {
    for (int i = 0; i < size(); ++i)
      f(i, (*this)[i]);
  }
  T dot(const Vector &o) const {
    T mine = 0;
    for (int i = 0; i < size(); ++i)
      mine += (*this)[i] * o[i];
    return mesh->communicator().sum(mine);
  }
  void axpy(T a, const Vector &x) {
    each([&](int i, T &v) { v += a * x[i]; });
  }
  void xpay(const Vector &x, T a) {
    each([&](int i, T &v) { v = x[i] + a * v; });
  }
};

struct Operator {
  virtual ~Operator() = default;
  virtual void apply(Vector<double> &u, Vector<double> &out) const = 0;
};
class Laplace : public Operator {
  const double *k;

public:
  explicit Laplace(const double *given) : k(given) {}
  void apply(Vector<double> &u, Vector<double> &out) const override {
    u.exchange();
    out.each(
        [&](int i, double &v) { v = (2 + k[i]) * u[i] - u[i - 1] - u[i + 1]; });
  }
};

void conjugate(const Operator &a, const Vector<double> &g, Vector<double> &x,
               int steps) {
  Vector<double> r(g), p(g), q(g);
  double rr = r.dot(r);
  for (int s = 0; s < steps; ++s) {
    a.apply(p, q);
    const double alpha = rr / p.dot(q);
    x.axpy(alpha, p);
    r.axpy(-alpha, q);
    const double now = r.dot(r);
    p.xpay(r, now / rr);
    rr = now;
  }
}

void mesh(const double *x, double *y) {
  const Communicator world(MPI_COMM_WORLD);
  const Mesh<double> cells(world, N);
  Vector<double> g(cells), u(cells);
  g.each([&](int i, double &v) { v = x[N + i]; });
  conjugate(Laplace(x), g, u, 3);
  for (int i = 0; i < N; ++i)
    y[i] = u[i];
}

// Halves of the ranks, each with a communicator of its own, on the heap.
void halves(const double *x, double *y) {
  const Communicator world(MPI_COMM_WORLD);
  auto half = std::make_unique<Communicator>(world, world.rank() % 2);
  const Mesh<double> cells(*half, N);
  Vector<double> u(cells), v(cells);
  u.each([&](int i, double &e) { e = x[i]; });
  const std::unique_ptr<Operator> a(new Laplace(x + N));
  for (int s = 0; s < 2; ++s) {
    a->apply(u, v);
    const double scale = 1 / (1 + v.dot(v));
    u.each([&](int i, double &e) { e += scale * v[i]; });
  }
  const double all = world.sum(u.dot(v));
  for (int i = 0; i < N; ++i)
    y[i] = u[i] * all;
}

// All kinds of handles are members, between floats.
struct Part {
  double scale;
  MPI_Comm comm;
  double offset;
  MPI_Datatype type;
  double values[N];
  MPI_Op op;
  double *at;
  MPI_Request requests[2];
  double sum;
};

class Ring {
  Part part;

public:
  Ring(const double *x) {
    part.scale = x[0];
    part.comm = MPI_COMM_WORLD;
    part.offset = x[1];
    part.type = MPI_DOUBLE;
    part.op = MPI_SUM;
    part.at = part.values;
    part.requests[0] = part.requests[1] = MPI_REQUEST_NULL;
    part.sum = 0;
    for (int i = 0; i < N; ++i)
      part.values[i] = x[i] * part.scale + part.offset;
  }
  Ring(const Ring &) = default;
  void turn() {
    int me, all;
    MPI_Comm_rank(part.comm, &me);
    MPI_Comm_size(part.comm, &all);
    double out[N];
    for (int i = 0; i < N; ++i)
      out[i] = part.at[i] * part.scale;
    MPI_Irecv(part.values, N, part.type, (me + all - 1) % all, 5, part.comm,
              &part.requests[0]);
    MPI_Isend(out, N, part.type, (me + 1) % all, 5, part.comm,
              &part.requests[1]);
    MPI_Waitall(2, part.requests, MPI_STATUSES_IGNORE);
    double mine = 0;
    for (double v : part.values)
      mine += v * v;
    MPI_Allreduce(&mine, &part.sum, 1, part.type, part.op, part.comm);
  }
  double result(int i) const { return part.values[i] * part.sum + part.offset; }
};

void ring(const double *x, double *y) {
  Ring one(x);
  one.turn();
  Ring two = one;
  two.turn();
  for (int i = 0; i < N; ++i)
    y[i] = two.result(i) + one.result(i);
}

// A window, and what it shows, in one object.
class Shown {
  std::vector<double> data;
  MPI_Win window;

public:
  Shown(const double *x, MPI_Comm comm) : data(x, x + N) {
    MPI_Win_create(data.data(), MPI_Aint(N * sizeof(double)), sizeof(double),
                   MPI_INFO_NULL, comm, &window);
    MPI_Win_fence(0, window);
  }
  Shown(const Shown &) = delete;
  Shown &operator=(const Shown &) = delete;
  ~Shown() { MPI_Win_free(&window); }
  std::vector<double> of(int who) const {
    std::vector<double> there(N);
    MPI_Win_fence(0, window);
    MPI_Get(there.data(), N, MPI_DOUBLE, who, 0, N, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    return there;
  }
};

void shown(const double *x, double *y) {
  const Communicator world(MPI_COMM_WORLD);
  const Shown all(x, world.get());
  const auto next = all.of((world.rank() + 1) % world.size());
  const std::function<double(int)> at = [&](int i) { return next[i] * x[i]; };
  for (int i = 0; i < N; ++i)
    y[i] = at(i) * next[(i + 1) % N];
}

} // namespace

MPI_TEST(mesh, 2 * N, N)
MPI_TEST(halves, 2 * N, N)
MPI_TEST(ring, N, N)
MPI_TEST(shown, N, N)

MPI_MAIN(&mesh_test, &halves_test, &ring_test, &shown_test)
