// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -adze-trap-nan: derivatives tell where an adjoint or a tangent first becomes
// NaN or infinite though the primal is finite, and go on. An operation is to
// blame if what came into its rule is finite (adjoint of the result, or
// tangents of the operands; every primal value that the partials read; the
// result) and what comes out is not. See docs/Checking.md.
//
// Only operations are looked at that can do so: those that multiply by a
// partial or change the precision. Sums can overflow and are checked by
// themselves. What merely moves duals (loads, stores, phis, calls of functions
// with bodies) cannot.
#ifndef ADZE_NOTFINITE_H
#define ADZE_NOTFINITE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Function;
class IRBuilderBase;
class Instruction;
class Value;
} // namespace llvm

namespace adze {

/// The derivative of \p I may not be finite where all that goes into it is.
bool mayLeaveFinite(const llvm::Instruction &I);

/// That may be so by a partial as 1/y, which is infinite where \p I itself may
/// be infinite, too: then the reverse pass reads the result to tell, if the
/// option is on. Other partials are operands and sums and products of them: the
/// multiplication by one can overflow, but has no poles.
bool mayHavePole(const llvm::Instruction &I);

/// Emits: if some float in \p Suspect is NaN or infinite, and none in \p Finite
/// is, write once in the whole program
///   adze: SUBJECT becomes NaN; REASON
/// to the standard error output (or "becomes infinite"). Values without floats
/// count as finite.
void reportNotFinite(llvm::IRBuilderBase &B,
                     llvm::ArrayRef<llvm::Value *> Finite, llvm::Value *Suspect,
                     llvm::StringRef Subject, llvm::StringRef Reason);

/// "f.c:12:9: WHAT 'fdiv' in 'f'" for an instruction of \p Primal, for
/// subjects; without location the instruction as it is.
std::string operationText(const llvm::Instruction &I, llvm::StringRef What,
                          const llvm::Function &Primal);

/// Takes back all promises in \p Derivative that no number is NaN or infinite:
/// they would take the checks away.
void forgetFinitePromises(llvm::Function &Derivative);

} // namespace adze
#endif
