// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse of a matrix of dynamic size. Structures with members of empty classes are copied, of
// which nothing says what they hold; forward mode needs not know.
// ADZE: skip-unless=header:eigen3/Eigen/Dense levels=O2 modes=forward
#include "inverse.h"
