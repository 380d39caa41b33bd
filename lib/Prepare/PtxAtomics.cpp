// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic sums of floats in assembly for NVPTX, as cuda::atomic_ref has them:
//
//   atom.add.relaxed.gpu.f64 $0,[$1],$2;       atomicrmw fadd
//   red.global.add.f32 [$0], $1;
//
// A sum of less than the device's scope becomes one of that. One of the
// system's stays, and is refused: the back end has no other for atomicrmw.
#include "Prepare/PtxAssembly.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

struct AtomicSum {
  Type *Ty = nullptr;
  AtomicOrdering Order = AtomicOrdering::Monotonic;
};

/// What \p Name, "atom.add.relaxed.gpu.f64", says; no type if it is another
/// instruction. Parts come in any order.
AtomicSum readName(StringRef Name, LLVMContext &C) {
  SmallVector<StringRef, 8> Parts;
  Name.split(Parts, '.');
  if (Parts[0] != "atom" && Parts[0] != "red")
    return {};
  AtomicSum Sum;
  bool Adds = false;
  for (StringRef Part : drop_begin(Parts)) {
    const int Is = StringSwitch<int>(Part)
                       .Case("add", 1)
                       .Case("f32", 2)
                       .Case("f64", 3)
                       .Case("acquire", 4)
                       .Case("release", 5)
                       .Case("acq_rel", 6)
                       .Cases("relaxed", "cta", "cluster", "gpu", 7)
                       .Cases("global", "shared", "shared::cta", 7)
                       .Default(0);
    if (!Is)
      return {};
    Adds |= Is == 1;
    if (Is == 2 || Is == 3)
      Sum.Ty = Is == 2 ? Type::getFloatTy(C) : Type::getDoubleTy(C);
    else if (Is >= 4 && Is <= 6)
      Sum.Order = Is == 4   ? AtomicOrdering::Acquire
                  : Is == 5 ? AtomicOrdering::Release
                            : AtomicOrdering::AcquireRelease;
  }
  return Adds ? Sum : AtomicSum();
}

/// The pointer that \p V is, or is the number of; null if nobody says.
Value *pointerOf(Value *V) {
  while (isa<TruncInst, ZExtInst, PtrToIntInst>(V))
    V = cast<Instruction>(V)->getOperand(0);
  return V->getType()->isPointerTy() ? V : nullptr;
}

/// What operand \p Text, "$2", is, where \p Outputs come first.
Value *operandOf(CallInst &Call, StringRef Text, unsigned Outputs) {
  unsigned Number;
  Text = Text.trim();
  if (!Text.consume_front("$") || Text.getAsInteger(10, Number) ||
      Number < Outputs || Number - Outputs >= Call.arg_size())
    return nullptr;
  return Call.getArgOperand(Number - Outputs);
}

} // namespace

Value *lowerPtxAtomic(CallInst &Call, const InlineAsm &Asm) {
  StringRef Text = StringRef(Asm.getAsmString()).trim(" \t\n{}");
  if (!Text.consume_back(";") || Text.contains(';'))
    return nullptr;
  auto [Name, Rest] = Text.split(' ');
  const AtomicSum Sum = readName(Name.trim(), Call.getContext());
  SmallVector<StringRef, 3> Operands;
  Rest.split(Operands, ',');
  const unsigned Outputs = !Call.getType()->isVoidTy();
  if (!Sum.Ty || Operands.size() != 2 + Outputs ||
      (Outputs && (Operands[0].trim() != "$0" || Call.getType() != Sum.Ty)))
    return nullptr;
  StringRef Place = Operands[Outputs].trim();
  if (!Place.consume_front("[") || !Place.consume_back("]"))
    return nullptr;
  Value *To = operandOf(Call, Place, Outputs);
  Value *By = operandOf(Call, Operands[Outputs + 1], Outputs);
  To = To ? pointerOf(To) : nullptr;
  if (!To || !By || By->getType() != Sum.Ty)
    return nullptr;
  return IRBuilder<>(&Call).CreateAtomicRMW(AtomicRMWInst::FAdd, To, By,
                                            MaybeAlign(), Sum.Order);
}

} // namespace adze
