// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly of which the meaning is known.
//
// Without a single instruction its operands come back as they went in:
// asm("" : "+x"(v)). Programs keep the optimizer from looking through v by it.
// It is the identity; llvm.arithmetic.fence says so of floats, and keeps them
// from being reassociated as well.
//
// x86's min and max have their own order of operands where these are equal or a
// NaN is among them; Eigen writes them as assembly for that.
#include "Prepare/Stages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

using namespace llvm;

namespace adze {

namespace {

/// An output, and what it is equal to.
struct Output {
  Value *Place; // null: a part of the result
  Value *Is;
};

/// What goes in and out where each output is one of the operands; nothing
/// where that is not so.
std::optional<SmallVector<Output, 2>> outputsOf(CallInst &Call,
                                                const InlineAsm &Asm) {
  SmallVector<Output, 2> Outputs;
  SmallVector<Value *, 2> InPlace; // read and written where they are
  unsigned Operand = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
    if (C.Type == InlineAsm::isOutput) {
      Outputs.push_back(
          {C.isIndirect ? Call.getArgOperand(Operand++) : nullptr, nullptr});
      continue;
    }
    if (C.Type != InlineAsm::isInput)
      continue;
    Value *In = Call.getArgOperand(Operand++);
    if (C.Codes.empty())
      continue;
    unsigned Tied;
    if (!StringRef(C.Codes[0]).getAsInteger(10, Tied)) {
      if (Tied >= Outputs.size())
        return std::nullopt;
      Outputs[Tied].Is = In;
    } else if (C.isIndirect) {
      InPlace.push_back(In);
    }
  }
  // Memory that is written where it is read stays as it is.
  erase_if(Outputs, [&](const Output &O) {
    return O.Place && !O.Is && is_contained(InPlace, O.Place);
  });
  if (any_of(Outputs, [](const Output &O) { return !O.Is; }))
    return std::nullopt;
  return Outputs;
}

Value *fenced(IRBuilder<> &B, Value *V) {
  return V->getType()->isFPOrFPVectorTy()
             ? B.CreateArithmeticFence(V, V->getType())
             : V;
}

/// \p Result, part by part where there are several.
void replaceResult(IRBuilder<> &B, CallBase &Call, ArrayRef<Output> Outputs) {
  bool Several = Call.getType()->isStructTy();
  Value *Result = Several ? PoisonValue::get(Call.getType()) : nullptr;
  unsigned Part = 0;
  for (const Output &O : Outputs) {
    if (O.Place) {
      B.CreateStore(fenced(B, O.Is), O.Place);
      continue;
    }
    Value *Is = fenced(B, O.Is);
    Result = Several ? B.CreateInsertValue(Result, Is, Part++) : Is;
  }
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(Result);
}

/// The types of a tied operand and its output may differ in what the
/// assembly calls a register; there is no instruction to convert them.
bool fits(const CallBase &Call, ArrayRef<Output> Outputs) {
  SmallVector<Type *, 2> Parts;
  for (const Output &O : Outputs)
    if (!O.Place)
      Parts.push_back(O.Is->getType());
  Type *Ty = Call.getType();
  if (auto *ST = dyn_cast<StructType>(Ty))
    return ST->elements() == ArrayRef<Type *>(Parts);
  return Ty->isVoidTy() ? Parts.empty() : Parts.size() == 1 && Parts[0] == Ty;
}

/// What operand \p Text, "$2", of the assembly of \p Call reads; null where it
/// is none of those that are passed.
Value *operandRead(CallInst &Call, const InlineAsm &Asm, StringRef Text) {
  unsigned Number;
  if (!Text.consume_front("$") || Text.getAsInteger(10, Number))
    return nullptr;
  // Written first, read then; what is written may be read, too.
  unsigned Operand = 0, Place = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber || C.Codes.empty())
      continue;
    if (C.isIndirect)
      return nullptr;
    unsigned Tied;
    bool IsTied = !StringRef(C.Codes[0]).getAsInteger(10, Tied);
    if (C.Type == InlineAsm::isInput) {
      if (Place == Number || (IsTied && Tied == Number))
        return Call.getArgOperand(Operand);
      ++Operand;
    }
    ++Place;
  }
  return nullptr;
}

//   minpd y, x       x = x < y ? x : y       in AT&T's order of operands
//   vminpd y, x, r   r = x < y ? x : y       maxpd, vmaxpd: x > y
Value *extremum(IRBuilder<> &B, CallInst &Call, const InlineAsm &Asm) {
  auto [Name, Rest] = StringRef(Asm.getAsmString()).trim().split(' ');
  bool ThreeOperands = Name.consume_front("v");
  bool Min = Name.consume_front("min");
  Type *Ty = Call.getType();
  bool Double = Ty->getScalarType()->isDoubleTy();
  if ((!Min && !Name.consume_front("max")) ||
      !(Double || Ty->getScalarType()->isFloatTy()) ||
      Name != (Ty->isVectorTy() ? Double ? "pd" : "ps"
               : Double         ? "sd"
                                : "ss") ||
      Asm.getDialect() != InlineAsm::AD_ATT)
    return nullptr;
  SmallVector<StringRef, 3> Operands;
  Rest.split(Operands, ',');
  if (Operands.size() != (ThreeOperands ? 3 : 2) ||
      Operands.back().trim() != "$0")
    return nullptr;
  Value *Y = operandRead(Call, Asm, Operands[0].trim());
  Value *X = operandRead(Call, Asm, Operands[1].trim());
  if (!X || !Y || X->getType() != Ty || Y->getType() != Ty)
    return nullptr;
  return B.CreateSelect(Min ? B.CreateFCmpOLT(X, Y) : B.CreateFCmpOGT(X, Y), X,
                        Y);
}

void lowerBarrier(CallInst &Call, const InlineAsm &Asm) {
  std::optional<SmallVector<Output, 2>> Outputs = outputsOf(Call, Asm);
  // Without outputs it is a barrier to the optimizer only, and stays one.
  if (!Outputs || Outputs->empty() || !fits(Call, *Outputs))
    return;
  IRBuilder<> B(&Call);
  replaceResult(B, Call, *Outputs);
  Call.eraseFromParent();
}

} // namespace

void lowerAssembly(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    if (!Asm)
      continue;
    if (StringRef(Asm->getAsmString()).trim().empty()) {
      lowerBarrier(*Call, *Asm);
      continue;
    }
    IRBuilder<> B(Call);
    if (Value *Same = extremum(B, *Call, *Asm)) {
      Call->replaceAllUsesWith(Same);
      Call->eraseFromParent();
    }
  }
}

} // namespace adze
