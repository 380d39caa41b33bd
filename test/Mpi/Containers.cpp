// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How C++ programs wrap MPI: traits of datatypes, requests that wait when they
// end, buffers in maps and vectors, lambdas, errors as exceptions.
#include "check.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

constexpr int N = 3;

template <typename T> struct datatype;
template <> struct datatype<double> {
  static MPI_Datatype get() { return MPI_DOUBLE; }
};
template <> struct datatype<float> {
  static MPI_Datatype get() { return MPI_FLOAT; }
};
template <> struct datatype<int> {
  static MPI_Datatype get() { return MPI_INT; }
};

struct Particle {
  double at, speed;
  int cell;
};
MPI_Datatype particle_type;
template <> struct datatype<Particle> {
  static MPI_Datatype get() { return particle_type; }
};

void make_types() {
  int lengths[2] = {2, 1};
  MPI_Aint starts[2] = {0, offsetof(Particle, cell)};
  MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT}, packed;
  MPI_Type_create_struct(2, lengths, starts, types, &packed);
  MPI_Type_create_resized(packed, 0, sizeof(Particle), &particle_type);
  MPI_Type_commit(&particle_type);
}

void check(int error) {
  if (error != MPI_SUCCESS)
    throw std::runtime_error("MPI");
}

// Waits when it ends; may be moved.
class Pending {
public:
  Pending() = default;
  explicit Pending(MPI_Request request) : request(request) {}
  Pending(Pending &&other) noexcept
      : request(std::exchange(other.request, MPI_REQUEST_NULL)) {}
  Pending &operator=(Pending &&other) noexcept {
    std::swap(request, other.request);
    return *this;
  }
  ~Pending() { wait(); }
  void wait() {
    if (request != MPI_REQUEST_NULL)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
  }

private:
  MPI_Request request = MPI_REQUEST_NULL;
};

class Comm {
public:
  explicit Comm(MPI_Comm comm = MPI_COMM_WORLD) : comm(comm) {}
  int rank() const {
    int r;
    check(MPI_Comm_rank(comm, &r));
    return r;
  }
  int size() const {
    int n;
    check(MPI_Comm_size(comm, &n));
    return n;
  }
  template <typename T>
  Pending send(const T *data, std::size_t n, int to, int tag = 0) const {
    MPI_Request request;
    check(
        MPI_Isend(data, int(n), datatype<T>::get(), to, tag, comm, &request));
    return Pending(request);
  }
  template <typename T>
  Pending receive(T *data, std::size_t n, int from, int tag = 0) const {
    MPI_Request request;
    check(
        MPI_Irecv(data, int(n), datatype<T>::get(), from, tag, comm, &request));
    return Pending(request);
  }
  template <typename T, std::size_t Size>
  std::array<T, Size> sum(const std::array<T, Size> &mine) const {
    std::array<T, Size> all;
    check(MPI_Allreduce(mine.data(), all.data(), int(Size), datatype<T>::get(),
                        MPI_SUM, comm));
    return all;
  }
  template <typename T> T sum(T mine) const {
    return sum(std::array<T, 1>{mine})[0];
  }
  template <typename T> std::vector<T> gather(const std::vector<T> &mine) const {
    std::vector<T> all(mine.size() * std::size_t(size()));
    check(MPI_Allgather(mine.data(), int(mine.size()), datatype<T>::get(),
                        all.data(), int(mine.size()), datatype<T>::get(),
                        comm));
    return all;
  }

private:
  MPI_Comm comm;
};

void ends_of_scopes(const double *x, double *y) {
  const Comm world;
  const int me = world.rank(), all = world.size();
  std::vector<double> u(x, x + N), got(N);
  for (int step = 0; step < 3; ++step) {
    {
      const auto receiving =
          world.receive(got.data(), got.size(), (me + 1) % all);
      const auto sending = world.send(u.data(), u.size(), (me + all - 1) % all);
    }
    std::transform(u.begin(), u.end(), got.begin(), u.begin(),
                   [&](double a, double b) { return a * x[0] + 0.5 * a * b; });
  }
  std::copy(u.begin(), u.end(), y);
}

void vectors_of_pending(const double *x, double *y) {
  const Comm world;
  const int me = world.rank(), all = world.size();
  std::vector<std::vector<double>> in(static_cast<std::size_t>(all)), out(in);
  {
    std::vector<Pending> pending;
    for (int r = 0; r < all; ++r) {
      const auto n = std::size_t((me + r + 1) % 3); // none between some
      in[std::size_t(r)].resize(n);
      pending.push_back(world.receive(in[std::size_t(r)].data(), n, r));
      for (std::size_t i = 0; i < n; ++i)
        out[std::size_t(r)].push_back(x[i] * x[std::size_t(r) % N]);
      pending.push_back(world.send(out[std::size_t(r)].data(), n, r));
    }
  }
  y[0] = 0;
  for (const auto &part : in)
    for (const double v : part)
      y[0] += v * v * x[0];
}

void halos_in_maps(const double *x, double *y) {
  const Comm world;
  const int me = world.rank(), all = world.size();
  std::map<int, std::vector<double>> halos, borders;
  for (const int to : {me - 1, me + 1})
    if (to >= 0 && to < all) {
      halos[to].assign(N, 0);
      borders[to].assign(x, x + N);
      for (double &b : borders[to])
        b *= b;
    }
  std::vector<MPI_Request> requests;
  for (auto &[from, halo] : halos) {
    requests.emplace_back();
    check(MPI_Irecv(halo.data(), int(halo.size()), MPI_DOUBLE, from, 0,
                    MPI_COMM_WORLD, &requests.back()));
  }
  for (const auto &[to, border] : borders) {
    requests.emplace_back();
    check(MPI_Isend(border.data(), int(border.size()), MPI_DOUBLE, to, 0,
                    MPI_COMM_WORLD, &requests.back()));
  }
  for (std::size_t done = 0; done < requests.size(); ++done) {
    int index;
    check(MPI_Waitany(int(requests.size()), requests.data(), &index,
                      MPI_STATUS_IGNORE));
  }
  for (int i = 0; i < N; ++i)
    y[i] = std::accumulate(halos.begin(), halos.end(), x[i],
                           [&](double s, const auto &h) {
                             return s + h.second[std::size_t(i)] * x[0];
                           });
}

void particles(const double *x, double *y) {
  const Comm world;
  std::vector<Particle> mine;
  for (int i = 0; i < 2; ++i)
    mine.push_back({x[i] * x[i], x[i + 1], i + world.rank()});
  const auto all = world.gather(mine);
  for (int i = 0; i < 2; ++i) {
    y[i] = 0;
    for (const Particle &p : all)
      y[i] += (p.at - x[i]) * p.speed / (1 + p.cell);
  }
}

template <typename Real> Real norm(const Comm &world, const double *x) {
  Real s = 0;
  for (int i = 0; i < N; ++i)
    s += Real(x[i]) * Real(x[i]);
  return std::sqrt(world.sum(s));
}
void precisions(const double *x, double *y) {
  const Comm world;
  y[0] = norm<double>(world, x) * x[0];
  y[1] = norm<float>(world, x) * x[1];
  y[2] = y[0] * world.sum(1);
}

template <typename Step> double repeated(int times, double start, Step step) {
  for (int i = 0; i < times; ++i)
    start = step(start);
  return start;
}
void lambdas(const double *x, double *y) {
  const Comm world;
  const auto mean = [&](double v) { return world.sum(v) / world.size(); };
  y[0] = repeated(3, x[0], [&](double v) { return mean(v * x[1]) + x[2]; });
  const auto [a, b] = world.sum(std::array<double, 2>{x[0], x[1] * x[2]});
  y[1] = a * b;
}

// A solver that owns its memory and its communicator.
class Solver {
public:
  Solver(const Comm &world, std::size_t n)
      : world(world), n(n), u(new double[n]), next(new double[n]) {}
  void start(const double *x) { std::copy(x, x + n, u.get()); }
  void step(double k) {
    const int me = world.rank(), all = world.size();
    double left = u[0], right = u[n - 1];
    {
      Pending p[4];
      if (me > 0) {
        p[0] = world.receive(&left, 1, me - 1, 1);
        p[1] = world.send(&u[0], 1, me - 1, 2);
      }
      if (me + 1 < all) {
        p[2] = world.receive(&right, 1, me + 1, 2);
        p[3] = world.send(&u[n - 1], 1, me + 1, 1);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double l = i > 0 ? u[i - 1] : left;
      const double r = i + 1 < n ? u[i + 1] : right;
      next[i] = u[i] + k * (l - 2 * u[i] + r) * u[i];
    }
    std::swap(u, next);
  }
  double energy() const {
    return world.sum(
        std::inner_product(u.get(), u.get() + n, u.get(), 0.0));
  }

private:
  Comm world;
  std::size_t n;
  std::unique_ptr<double[]> u, next;
};
void solver(const double *x, double *y) {
  Solver s(Comm(), 5);
  s.start(x);
  for (int i = 0; i < 3; ++i)
    s.step(0.1 * x[0]);
  y[0] = std::log(s.energy());
}

MPI_TEST(ends_of_scopes, N, N)
MPI_TEST(vectors_of_pending, N, 1)
MPI_TEST(halos_in_maps, N, N)
MPI_TEST(particles, N, 2)
MPI_TEST_(precisions, N, 3, 1e-2, SINGLE)
MPI_TEST(lambdas, N, 2)
MPI_TEST(solver, 5, 1)

} // namespace

MPI_MAIN_(make_types, &ends_of_scopes_test, &vectors_of_pending_test,
          &halos_in_maps_test, &particles_test, &precisions_test,
          &lambdas_test, &solver_test)
