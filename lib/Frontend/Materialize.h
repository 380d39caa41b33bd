// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of a marker's operands as the derivative takes them.
#ifndef ADZE_LIB_FRONTEND_MATERIALIZE_H
#define ADZE_LIB_FRONTEND_MATERIALIZE_H

#include "Frontend/MarkerCall.h"

#include "llvm/IR/IRBuilder.h"

namespace adze {

/// Builds operands before the marker call.
class Materializer {
public:
  explicit Materializer(const MarkerCall &C);

  /// The value for parameter \p P of \p G that \p I provides. Memory is copied
  /// unless \p Shared.
  llvm::Value *value(const Group &G, const Instance &I, unsigned P,
                     bool Shared = false);
  /// The same for the shadow in \p Direction.
  llvm::Value *shadow(const Group &G, unsigned P, unsigned Direction,
                      bool Shared);
  /// One value of what there is in each direction.
  llvm::Value *together(llvm::ArrayRef<llvm::Value *> Directions);

  /// New memory of type \p Ty in the caller's frame, zeroed here.
  llvm::Value *zeroedMemory(llvm::Type *Ty);
  llvm::Value *memory(llvm::Type *Ty);

  /// Stores 0 to the floats of \p Memory.
  void zeroFloats(llvm::Value *Memory, llvm::Type *Ty);
  /// Stores 1 to the floats of \p Memory.
  void seedFloats(llvm::Value *Memory, llvm::Type *Ty);

  /// The adjoint that the user gives, as a value of type \p Ty.
  llvm::Value *seeds(llvm::Type *Ty);
  /// Stores its floats to \p Memory, which is zeroed.
  void storeSeed(llvm::Value *Memory, llvm::Type *Ty, unsigned Direction);

private:
  llvm::Value *convert(llvm::Value *V, llvm::Type *Ty, bool Unsigned);
  llvm::Value *copy(llvm::Value *Memory, llvm::Type *Ty);
  llvm::Value *at(llvm::Value *Memory, uint64_t Offset);
  llvm::Value *packed(const Group &G, unsigned P, unsigned Direction);
  void storeToFloats(llvm::Value *Memory, llvm::Type *Ty, double X);
  llvm::Value *gathered(llvm::ArrayRef<Operand> Pieces, uint64_t Size);
  llvm::Value *seedAddress(llvm::Type *Ty, unsigned Direction);
  llvm::ArrayRef<Operand> seedIn(unsigned Direction) const;

  const MarkerCall &C;
  const llvm::DataLayout &DL;
  llvm::IRBuilder<> B;
};

} // namespace adze

#endif
