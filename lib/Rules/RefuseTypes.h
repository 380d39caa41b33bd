// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refusals for want of a type. Where two things were seen that exclude each
// other, the conflict is told, with both places; else what is not known.
#ifndef ADZE_RULES_REFUSETYPES_H
#define ADZE_RULES_REFUSETYPES_H

#include "adze/RuleContext.h"
#include "adze/TypeInfo.h"

namespace adze {

/// \p I accesses a part of a block's dynamic memory as what it has stored
/// there. Its parts have types of their own, at offsets that only the run
/// knows. An adjoint goes from a load to the store of the same type that it has
/// read, whatever else lay there before: one shadow serves all types.
bool isOfPartOfBlock(const llvm::Instruction &I, const llvm::Value *Pointer);

/// Refuses \p I where the memory behind \p Pointer is used as floats of two
/// sizes: one shadow cannot hold the derivatives of both.
bool refuseMixedFloats(const llvm::Instruction &I, const llvm::Value *Pointer,
                       NeedsContext &C);

/// Refuses \p I, which reads an active float, where the same bytes are read as
/// a pointer at once: they cannot be both, nor can their shadow.
bool refuseFloatPointer(const llvm::Instruction &I, const llvm::Value *Pointer,
                        NeedsContext &C);

/// \p I moves an active float as a pointer (FloatsInAddresses.h).
void refuseFloatAsPointer(const llvm::Instruction &I, NeedsContext &C);

/// \p What, which stands in the memory behind \p Pointer, has no type.
void refuseUnknown(const llvm::Instruction &I, const llvm::Value *Pointer,
                   const std::string &What, NeedsContext &C);

struct UnknownCopy {
  const llvm::Value *To, *From;
  uint64_t Byte;               // the first that has no type
  uint64_t KnownTo, KnownFrom; // bytes whose types are known
};
void refuseUnknownCopy(const llvm::Instruction &I, UnknownCopy Copy,
                       NeedsContext &C);

} // namespace adze
#endif
