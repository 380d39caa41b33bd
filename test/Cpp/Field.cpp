// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs written for the field's C++ interface.
#include "expect.hpp"
#include <enzyme/enzyme>
#include <enzyme/utils>

static double square(double x) { return x * x; }
template <class T> static T product(T x, T y) { return x * y * y; }
static double total(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
static double stored(double x, double *p) { return *p = x * x; }
struct pair {
  double a, b;
};
static double of_pair(pair p) { return p.a * p.b * p.b; }

int main() {
  const auto d =
      enzyme::autodiff<enzyme::Reverse>(square, enzyme::Active<double>(3.0));
  near("reverse", enzyme::get<0>(enzyme::get<0>(d)), 6);
  enzyme::Active<double> x(2.0), y{3.0};
  auto &&[two] = enzyme::autodiff<enzyme::Reverse>(product<double>, x, y);
  near("first", enzyme::get<0>(two), 9);
  near("second", enzyme::get<1>(two), 12);
  auto &&[grad, value] =
      enzyme::autodiff<enzyme::ReverseWithPrimal>(product<double>, x, y);
  near("with primal", value, 18);
  near("its derivative", enzyme::get<1>(grad), 12);
  near("constant",
       enzyme::get<0>(enzyme::get<0>(enzyme::autodiff<enzyme::Reverse>(
           product<double>, enzyme::Const<double>(2.0), y))),
       12);

  double v[] = {1, 2, 3}, dv[] = {0, 0, 0};
  enzyme::autodiff<enzyme::Reverse>(total, enzyme::Duplicated<double *>(v, dv),
                                    enzyme::Const<int>(3));
  near("array", dv[2], 6);

  const auto t = enzyme::autodiff<enzyme::Forward>(
      square, enzyme::Duplicated<double>(3.0, 2.0));
  near("forward", enzyme::get<0>(t), 12);
  auto &&[tangent, primal] = enzyme::autodiff<enzyme::ForwardWithPrimal>(
      product<double>, enzyme::Duplicated<double>(2.0, 1.0),
      enzyme::Const(3.0));
  near("tangent", tangent, 9);
  near("with primal", primal, 18);

  double w[3], dw[] = {1, 0, 0}, du[] = {0, 0, 0};
  enzyme::autodiff<enzyme::Reverse>(
      squares, enzyme::Duplicated<double *>(v, du),
      enzyme::Duplicated<double *>(w, dw), enzyme::Const<int>(3));
  near("without result", du[0], 2);

  double along[] = {1, 0, 0}, out[] = {9, 9, 9};
  enzyme::autodiff<enzyme::Forward>(
      squares, enzyme::Duplicated<double *>(v, along),
      enzyme::DuplicatedNoNeed<double *>(w, out), enzyme::Const<int>(3));
  near("forward without result", out[0] + out[1], 2);

  const auto p = enzyme::autodiff<enzyme::Reverse>(
      of_pair, enzyme::Active<pair>(pair{2, 3}));
  near("structure", enzyme::get<0>(enzyme::get<0>(p)).b, 12);
  double factor = 4;
  const auto l = enzyme::autodiff<enzyme::Reverse>(
      [&](double s) { return factor * s * s; }, enzyme::Active<double>(2.0));
  near("lambda", enzyme::get<0>(enzyme::get<0>(l)), 16);

  // Activities of the result.
  near("active result",
       enzyme::get<0>(enzyme::get<0>(
           enzyme::autodiff<enzyme::Reverse, enzyme::Active<double>>(
               square, enzyme::Active<double>(3.0)))),
       6);
  double kept = 0, dkept = 10;
  const auto c = enzyme::autodiff<enzyme::Reverse, enzyme::Const<double>>(
      stored, enzyme::Active<double>(3.0),
      enzyme::Duplicated<double *>(&kept, &dkept));
  near("constant result", enzyme::get<0>(enzyme::get<0>(c)), 60);
  near("result that is not needed",
       enzyme::get<0>(
           enzyme::autodiff<enzyme::Forward, enzyme::DuplicatedNoNeed<double>>(
               square, enzyme::Duplicated<double>(3.0, 2.0))),
       12);
  const auto v0 =
      enzyme::autodiff<enzyme::ForwardWithPrimal, enzyme::Const<double>>(
          square, enzyme::Duplicated<double>(3.0, 2.0));
  near("value alone", enzyme::get<0>(v0), 9);
  return failures();
}
