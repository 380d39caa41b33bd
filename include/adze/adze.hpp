// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of C++ functions, in one line each: see docs/Cpp.md.
#ifndef ADZE_ADZE_HPP
#define ADZE_ADZE_HPP

#include "adze/cpp/check.hpp"
#include "adze/cpp/gradient.hpp"
#include "adze/cpp/jacobian.hpp"
#include "adze/cpp/sparse.hpp"
#include "adze/cpp/vjp.hpp"

#endif
