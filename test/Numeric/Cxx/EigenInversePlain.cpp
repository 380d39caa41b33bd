// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse of a matrix of dynamic size, without optimization: more than a thousand functions are
// called, many of them with arguments whose types only their callers know.
// ADZE: skip-unless=header:eigen3/Eigen/Dense levels=O0
// ADZE: compile-limit=300
#include "inverse.h"
