// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: flags="-std=c++17 -fopenmp -I/usr/include/trilinos"
// ADZE: libs="-fopenmp -ltrilinos_kokkoscore -ldl" levels=O1,O2,O3
// ADZE: skip-unless=header:trilinos/Kokkos_Core.hpp
// Kokkos: loops, reductions, views of the caller's memory.
#include "check.h"
#include <Kokkos_Core.hpp>
#include <cmath>

using Space = Kokkos::DefaultHostExecutionSpace;
template <class T>
using View = Kokkos::View<T, Kokkos::LayoutRight, Kokkos::HostSpace,
                          Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

enum { Count = 7 };
#define POINT ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1, 0.7, -0.4)

static struct Start {
  Start() { Kokkos::initialize(); }
  ~Start() { Kokkos::finalize(); }
} start;

extern "C" double reduces(const double *x, int n) {
  View<const double *> X(x, n);
  double buffer[Count], a = x[0], s = 0;
  View<double *> Y(buffer, n);
  Kokkos::parallel_for(
      "products", Kokkos::RangePolicy<Space>(0, n),
      KOKKOS_LAMBDA(int i) { Y(i) = X(i) * X((i + 1) % n) * a; });
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<Space>(0, n),
      KOKKOS_LAMBDA(int i, double &t) { t += Y(i) * std::sin(Y(i)); }, s);
  return s;
}
ADZE_TEST_ARRAY(reduces, Count, POINT, .flags = ADZE_UNORDERED)

extern "C" double tables(const double *x, int n) {
  View<const double *> X(x, n);
  double buffer[Count * Count], s = 0;
  View<double **> T(buffer, n, n);
  Kokkos::parallel_for(
      "outer", Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < n; ++j)
          T(i, j) = std::sin(X(i)) * X(j);
      });
  Kokkos::parallel_reduce(
      "rows", Kokkos::RangePolicy<Space>(0, n),
      KOKKOS_LAMBDA(int i, double &t) {
        double row = 0;
        for (int j = 0; j < n; ++j)
          row += T(j, i) * T(i, j);
        t += row * row;
      },
      s);
  return s;
}
ADZE_TEST_ARRAY(tables, Count, POINT, .flags = ADZE_UNORDERED)
