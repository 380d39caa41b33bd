// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rows of scalar functions are checked against: the functions
// themselves, in long double, with points in the inside of their domains.
#ifndef ADZE_TEST_KNOWNREFERENCE_H
#define ADZE_TEST_KNOWNREFERENCE_H

#include "adze/Expr.h"
#include <functional>
#include <string>
#include <vector>

namespace adze {

using Real = long double;
using Reals = std::vector<Real>;

struct Reference {
  std::string Family;
  std::function<Real(const Reals &)> Function;
  std::vector<Reals> Points;
};

/// Of the families of Device.def.
std::vector<Reference> deviceReferences();

/// One for each family with a row, OutScalar functions by their outputs
/// ("sincos 1" for what is stored through operand 1).
const std::vector<Reference> &references();
const Reference *referenceOf(const std::string &Family);

/// Evaluates \p E by the reference functions.
Real evaluate(const Expr &E, const Reals &Args, Real Result);

} // namespace adze
#endif
