// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From where to where a function accesses the memory behind an argument, in
// numbers that its callers know.
#ifndef ADZE_DRIVER_ACCESSEDEXTENT_H
#define ADZE_DRIVER_ACCESSEDEXTENT_H

#include "adze/Primal.h"
#include "llvm/IR/IRBuilder.h"

namespace adze {

/// Nothing is said of memory of more than 2^MaxExtentBits bytes, which no
/// program has. Of a loop that does not run, (unsigned)(n - 1) iterations would
/// be as many, or only about 2^32.
constexpr unsigned MaxExtentBits = 46;

/// The bytes [Least, End) from the argument's address on, of 64 bits, if Holds.
struct AccessedExtent {
  llvm::Value *Least, *End, *Holds;
};

/// Of what \p P accesses behind \p A, computed where \p B adds code, from
/// \p Passed: what it is given for its arguments. Nothing, and no code, if
/// that cannot be said.
std::optional<AccessedExtent>
accessedExtent(const Primal &P, const llvm::Argument &A, llvm::IRBuilder<> &B,
               llvm::ArrayRef<llvm::Value *> Passed);

} // namespace adze
#endif
