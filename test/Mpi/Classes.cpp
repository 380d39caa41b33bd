// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++: datatypes by templates, vectors of requests, buffers of containers.
#include "check.h"

#include <complex>
#include <vector>

namespace {

template <typename T> MPI_Datatype type_of();
template <> MPI_Datatype type_of<double>() { return MPI_DOUBLE; }
template <> MPI_Datatype type_of<int>() { return MPI_INT; }
template <> MPI_Datatype type_of<std::complex<double>>() {
  return MPI_CXX_DOUBLE_COMPLEX;
}

class Comm {
public:
  explicit Comm(MPI_Comm comm) : comm(comm) {
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &all);
  }
  int rank() const { return me; }
  int size() const { return all; }

  template <typename T> void send(const std::vector<T> &values, int to) {
    requests.emplace_back();
    MPI_Isend(values.data(), int(values.size()), type_of<T>(), to, 0, comm,
              &requests.back());
  }
  template <typename T> void receive(std::vector<T> &values, int from) {
    requests.emplace_back();
    MPI_Irecv(values.data(), int(values.size()), type_of<T>(), from, 0, comm,
              &requests.back());
  }
  void wait() {
    MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    requests.clear();
  }
  template <typename T> T sum(T value) {
    T result;
    MPI_Allreduce(&value, &result, 1, type_of<T>(), MPI_SUM, comm);
    return result;
  }
  template <typename T> void broadcast(std::vector<T> &values, int root) {
    int n = int(values.size());
    MPI_Bcast(&n, 1, type_of<int>(), root, comm);
    values.resize(size_t(n));
    MPI_Bcast(values.data(), n, type_of<T>(), root, comm);
  }

private:
  MPI_Comm comm;
  int me, all;
  std::vector<MPI_Request> requests;
};

void ring(const double *x, double *y) {
  Comm world(MPI_COMM_WORLD);
  std::vector<double> out(x, x + 4), in(4);
  for (int step = 0; step < 3; ++step) {
    world.receive(in, (world.rank() + world.size() - 1) % world.size());
    world.send(out, (world.rank() + 1) % world.size());
    world.wait();
    for (size_t i = 0; i < 4; ++i)
      out[i] = in[i] * x[i] + 0.5 * out[i];
  }
  double total = 0;
  for (double v : out)
    total += v * v;
  y[0] = std::log(world.sum(total));
  y[1] = out[2] * world.sum(1 + world.rank());
}

void complex_numbers(const double *x, double *y) {
  Comm world(MPI_COMM_WORLD);
  std::vector<std::complex<double>> z;
  if (world.rank() == world.size() - 1)
    for (int i = 0; i < 2; ++i)
      z.emplace_back(x[i] * x[2], x[i + 2]);
  world.broadcast(z, world.size() - 1);
  std::complex<double> s = world.sum(z[0] * x[0] + z[1] * z[1]);
  y[0] = s.real() * x[1];
  y[1] = s.imag();
}

MPI_TEST(ring, 4, 2)
MPI_TEST(complex_numbers, 4, 2)

} // namespace

MPI_MAIN(&ring_test, &complex_numbers_test)
