// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a type is made of.
#ifndef ADZE_LIB_FRONTEND_ABISCALARS_H
#define ADZE_LIB_FRONTEND_ABISCALARS_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class DataLayout;
class Type;
} // namespace llvm

namespace adze {

/// How many floats (two stands for more), and whether there are pointers and
/// other things (integers).
struct ScalarClasses {
  unsigned Floats = 0;
  bool Pointers = false;
  bool Others = false;
  /// Of parameters that the program declares inactive.
  bool Inactive = false;

  void add(const ScalarClasses &O);
  bool mixed() const { return Floats && Pointers; }
};
ScalarClasses scalarClasses(llvm::Type *Ty);

/// One scalar of a type and its place in memory.
struct AbiScalar {
  uint64_t Offset;
  llvm::Type *Ty;
};
/// The scalars of \p Ty in memory order; false if there are more than a
/// thousand.
bool collectAbiScalars(llvm::Type *Ty, const llvm::DataLayout &DL,
                       llvm::SmallVectorImpl<AbiScalar> &Scalars);

/// Size and alignment of the C object that a register of type \p Ty carries. A
/// <2 x float> is two floats side by side (a structure or a complex number),
/// whose alignment is that of one.
struct SizeAndAlign {
  uint64_t Size;
  uint64_t Align;
};
SizeAndAlign sourceLayout(llvm::Type *Ty, const llvm::DataLayout &DL);

} // namespace adze
#endif
