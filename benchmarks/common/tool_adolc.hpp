// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ADOL-C: see tool.hpp. A trace belongs to one callable, whose type names it,
// and to the constants of the first call; a benchmark has one set of them.

#ifndef ADZE_BENCHMARKS_COMMON_TOOL_ADOLC_HPP
#define ADZE_BENCHMARKS_COMMON_TOOL_ADOLC_HPP

#include <adolc/adolc.h>

#include <vector>

namespace tool {

/// Buffers that hold all but the largest trace: what does not fit goes to
/// files. Pages that are not used are not touched.
inline void start_trace(short tag) {
  constexpr int operations = 1 << 24, locations = 1 << 26, values = 1 << 22,
                taylors = 1 << 24;
  trace_on(tag, 0, operations, locations, values, taylors);
}

/// Records y = f(x); `f` is given both as arrays.
template <class F>
void record(short tag, int n, const double *x, int m, const F &f) {
  start_trace(tag);
  std::vector<adouble> inputs(n), outputs(m);
  for (int i = 0; i < n; i++)
    inputs[i] <<= x[i];
  f(inputs.data(), outputs.data());
  double ignored;
  for (int i = 0; i < m; i++)
    outputs[i] >>= ignored;
  trace_off();
}

/// Calls `drive`, a driver of ADOL-C, on the trace `tag`. Drivers return a
/// negative number where a comparison came out differently than recorded.
template <class F, class Drive>
void on_trace(short tag, bool &recorded, int n, const double *x, int m,
              const F &f, const Drive &drive) {
  if (recorded && drive() >= 0)
    return;
  record(tag, n, x, m, f);
  recorded = true;
  drive();
}

template <class F>
void gradient(int n, const double *x, double *g, const F &f) {
  static bool recorded = false;
  on_trace(
      1, recorded, n, x, 1,
      [&](const adouble *in, adouble *out) { *out = f(in); },
      [&] { return ::gradient(1, n, x, g); });
}

template <class F>
void gradient_and_curvature(int n, const double *x, double *g, double *h,
                            const F &f) {
  static bool recorded = false;
  std::vector<double> ones(n, 1.0);
  on_trace(
      2, recorded, n, x, 1,
      [&](const adouble *in, adouble *out) { *out = f(in); },
      [&] {
        int status = ::gradient(2, n, x, g);
        return status < 0
                   ? status
                   : ::hess_vec(2, n, const_cast<double *>(x), ones.data(), h);
      });
}

template <int N, class F, class Take>
void jacobian(int m, const double *x, const double *constants, int count,
              const F &f, const Take &take) {
  static bool recorded = false;
  const int n = N + count;
  std::vector<double> point(x, x + N);
  point.insert(point.end(), constants, constants + count);
  std::vector<double> entries(m * n);
  std::vector<double *> rows(m);
  for (int i = 0; i < m; i++)
    rows[i] = entries.data() + i * n;
  on_trace(
      3, recorded, n, point.data(), m,
      [&](const adouble *in, adouble *out) { f(in, in + N, out); },
      [&] { return ::jacobian(3, m, n, point.data(), rows.data()); });
  for (int i = 0; i < m; i++)
    for (int j = 0; j < N; j++)
      take(i, j, rows[i][j]);
}

} // namespace tool

#endif
