// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that takes the bits of floats for integers, or the other way round, as
// it is written: before anything is promoted to values, too.
#ifndef ADZE_FLOATPUNS_H
#define ADZE_FLOATPUNS_H

namespace llvm {
class Function;
} // namespace llvm

namespace adze {

/// In \p F a float and an integer take turns in one value or variable.
bool takesFloatsApart(const llvm::Function &F);

} // namespace adze
#endif
