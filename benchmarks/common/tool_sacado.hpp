// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sacado: see tool.hpp.

#ifndef ADZE_BENCHMARKS_COMMON_TOOL_SACADO_HPP
#define ADZE_BENCHMARKS_COMMON_TOOL_SACADO_HPP

// Debian's Sacado is built for Kokkos and for MPI, whose headers programs
// without either need not have.
#include <Sacado_ConfigDefs.h>
#undef HAVE_SACADO_KOKKOSCORE
#undef HAVE_SACADO_TEUCHOSKOKKOSCOMM
#include <Sacado_No_Kokkos.hpp>

#include <vector>

namespace tool {

template <class F>
void gradient(int n, const double *x, double *g, const F &f) {
  using number = Sacado::Rad::ADvar<double>;
  std::vector<number> inputs(x, x + n);
  number result = f(inputs.data());
  number::Gradcomp();
  for (int i = 0; i < n; i++)
    g[i] = inputs[i].adj();
}

/// Forward over reverse, like the generated program.
template <class F>
void gradient_and_curvature(int n, const double *x, double *g, double *h,
                            const F &f) {
  using tangent = Sacado::Fad::SFad<double, 1>;
  using number = Sacado::Rad::ADvar<tangent>;
  std::vector<number> inputs(n);
  for (int i = 0; i < n; i++)
    inputs[i] = tangent(1, 0, x[i]);
  number result = f(inputs.data());
  number::Gradcomp();
  for (int i = 0; i < n; i++) {
    tangent adjoint = inputs[i].adj();
    g[i] = adjoint.val();
    h[i] = adjoint.dx(0);
  }
}

template <int N, class F, class Take>
void jacobian(int m, const double *x, const double *constants, int, const F &f,
              const Take &take) {
  using number = Sacado::Fad::SFad<double, N>;
  std::vector<number> inputs, outputs(m);
  for (int j = 0; j < N; j++)
    inputs.emplace_back(N, j, x[j]);
  f(inputs.data(), constants, outputs.data());
  for (int i = 0; i < m; i++)
    for (int j = 0; j < N; j++)
      take(i, j, outputs[i].dx(j));
}

} // namespace tool

#endif
