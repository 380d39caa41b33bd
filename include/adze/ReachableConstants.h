// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which constants code may come upon.
//
// A function may use whatever it names, and what that names in turn: functions
// are followed into their bodies, variables into their initializers, constant
// expressions and aliases into their operands. What a program computes of
// addresses, or is given, is not followed: whoever asks about all that may be
// run adds the functions whose address is taken to the roots.
#ifndef ADZE_REACHABLECONSTANTS_H
#define ADZE_REACHABLECONSTANTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class Constant;
class Function;
} // namespace llvm

namespace adze {

/// The constants that \p Roots mention, directly or through others, and the
/// roots themselves. The order depends on the code alone.
llvm::SetVector<const llvm::Constant *>
reachableConstants(llvm::ArrayRef<const llvm::Function *> Roots);

} // namespace adze

#endif // ADZE_REACHABLECONSTANTS_H
