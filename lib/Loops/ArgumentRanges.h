// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function reads behind an argument, said in a way that its callers
// understand: in terms of arguments and constants (ArgumentRange). And whether
// that lies within what a caller has copied.
#ifndef ADZE_LIB_LOOPS_ARGUMENTRANGES_H
#define ADZE_LIB_LOOPS_ARGUMENTRANGES_H

#include "Loops/AffineAccess.h"

namespace adze {

/// All that \p A, in a nest of \p P, accesses behind \p Array; nothing if that
/// cannot be said so.
std::optional<ArgumentRange>
argumentRange(const AffineAccess &A, llvm::Argument &Array, const Primal &P,
              AffineAccesses &Affine, llvm::ScalarEvolution &SE);

/// What \p Call reads behind \p Array, of which it is given \p Pointer, if its
/// callee reads \p Read behind that argument; nothing if that cannot be said
/// so.
std::optional<ArgumentRange>
argumentRange(const ArgumentRange &Read, const llvm::CallBase &Call,
              llvm::Value &Pointer, llvm::Argument &Array, const Primal &P,
              llvm::ScalarEvolution &SE);

/// From where to where that is at \p Call, in numbers of \p SE, that of the
/// caller.
std::pair<const llvm::SCEV *, const llvm::SCEV *>
rangeAtCall(const ArgumentRange &R, const llvm::CallBase &Call,
            llvm::ScalarEvolution &SE);

/// If the callee of \p Call reads \p Read at all, it lies within what \p Copy
/// holds. \p SE is that of the caller.
bool isWithin(const ArgumentRange &Read, const llvm::CallBase &Call,
              const CallCopy &Copy, llvm::ScalarEvolution &SE);

} // namespace adze
#endif
