// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One interface to three tools of operator overloading; which of them is
// compiled is said by TOOL_ADOLC, TOOL_SACADO or TOOL_EIGEN. A NAME_tools.cpp
// writes its objective as a callable template over the type of numbers and
// asks for
//
//   tool::gradient(n, x, g, f)           f(const T *x) returns a T
//   tool::gradient_and_curvature(n, x, g, h, f)  and h = (Hessian of f) (1..1)
//   tool::jacobian<N>(m, x, constants, count, f, take)
//                                        f(const T *x, const C *c, T *y)
//                                        take(i, j, dy_i/dx_j), j < N; C is T
//                                        or double, c are the constants
//
// Each is used the way its manual recommends for speed: ADOL-C makes its trace
// once and goes through it again as long as the control flow stays the same,
// Sacado takes reverse mode for gradients and numbers of fixed width for
// Jacobians, Eigen numbers of fixed width.

#ifndef ADZE_BENCHMARKS_COMMON_TOOL_HPP
#define ADZE_BENCHMARKS_COMMON_TOOL_HPP

#include <vector>

#if defined(TOOL_ADOLC)
#include "tool_adolc.hpp"
#define TOOL_FUNCTION(NAME) extern "C" void NAME##_adolc
#elif defined(TOOL_SACADO)
#include "tool_sacado.hpp"
#define TOOL_FUNCTION(NAME) extern "C" void NAME##_sacado
#elif defined(TOOL_EIGEN)
#include "tool_eigen.hpp"
#define TOOL_FUNCTION(NAME) extern "C" void NAME##_eigen
#else
#error "say which tool: TOOL_ADOLC, TOOL_SACADO or TOOL_EIGEN"
#endif

#endif
