// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First-class aggregates as lists of scalar leaves, so that a structure in
// registers with an active and a constant field, or with two pointers, keeps
// them apart.
#ifndef ADZE_ANALYSIS_ACTIVITY_SCALARFIELDS_H
#define ADZE_ANALYSIS_ACTIVITY_SCALARFIELDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <utility>

namespace llvm {
class DataLayout;
class Type;
} // namespace llvm

namespace adze {

struct ScalarField {
  llvm::Type *Ty;
  int64_t Offset; // bytes from the start of the aggregate in memory
  int64_t Size;   // AnySize if it scales with the machine
};

/// The leaves of \p Ty in memory order; an aggregate of too many leaves is one
/// leaf of its own type. Empty for void and the like.
llvm::SmallVector<ScalarField, 2> scalarFieldsOf(llvm::Type *Ty,
                                                 const llvm::DataLayout &DL);

/// The leaves [first, first + count) that the member of \p Ty with these
/// indices covers; {0, 1} inside an aggregate that is one leaf.
std::pair<unsigned, unsigned> fieldsOfMember(llvm::Type *Ty,
                                             llvm::ArrayRef<unsigned> Indices);

} // namespace adze
#endif
