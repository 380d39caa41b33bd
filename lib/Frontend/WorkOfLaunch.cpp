// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WorkOfLaunch.h"
#include "adze/DeviceTarget.h"
#include "adze/Teams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// It tells how large the launch is.
static bool isSizeOfLaunch(const IntrinsicInst &I) {
  const StringRef Name = I.getCalledFunction()->getName();
  return Name.starts_with("llvm.nvvm.read.ptx.sreg.ntid.") ||
         Name.starts_with("llvm.nvvm.read.ptx.sreg.nctaid.");
}

/// The same in all threads of the launch.
static bool isUniform(const Value &V, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 12;
  if (auto *C = dyn_cast<Constant>(&V))
    return !C->isThreadDependent();
  if (auto *Arg = dyn_cast<Argument>(&V))
    return !Arg->hasByValAttr();
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || Depth == MaxDepth)
    return false;
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(I))
    return isSizeOfLaunch(*Intrinsic);
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst, UnaryOperator,
             GetElementPtrInst, ExtractValueInst, InsertValueInst, FreezeInst>(
             I) &&
         all_of(I->operands(),
                [&](const Use &Op) { return isUniform(*Op, Depth + 1); });
}

/// \p I may add to what other threads see, and expect them to do so, too. (A
/// plain write would be a race already.)
static bool mayAddForOthers(const Instruction &I) {
  if (!I.mayWriteToMemory() || teams::isMeeting(I) || isa<FenceInst>(I) ||
      isa<MemIntrinsic>(I))
    return false;
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    return !Intrinsic->isAssumeLikeIntrinsic();
  return isa<CallBase>(I) || I.isAtomic();
}

bool isWorkOfLaunch(const CallBase &Marker, ArrayRef<Value *> Operands) {
  const Function &Kernel = *Marker.getFunction();
  return isKernel(Kernel) &&
         none_of(Kernel.users(),
                 [](const User *U) { return isa<Instruction>(U); }) &&
         all_of(Operands, [](const Value *V) { return isUniform(*V); }) &&
         none_of(instructions(Kernel), [&](const Instruction &I) {
           return &I != &Marker && mayAddForOthers(I);
         });
}

} // namespace adze
