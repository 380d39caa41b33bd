// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding by a large addend: (x + c) - c with c = 2^52 or 1.5 * 2^52 is x
// rounded to an integer, since doubles of that size have no fraction
// (Dekker 1971). The sum is a step function of x, although an addition has the
// derivative 1; so it is constant. Exponential and trigonometric functions
// reduce their argument like this.
#ifndef ADZE_ROUNDINGSUM_H
#define ADZE_ROUNDINGSUM_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace adze {

/// Whether \p I adds such a constant, which is taken away again, or of which
/// the bits are used as an integer.
bool isRoundingSum(const llvm::Instruction &I);

} // namespace adze
#endif
