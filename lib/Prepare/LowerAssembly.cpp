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
// NaN is among them; Eigen writes them as assembly for that, and the sum of a
// product so that it stays in its register. A single instruction of x86's
// arithmetic on floats becomes that arithmetic; all else is refused by its
// rule. Semantics: Intel 64 and IA-32 Architectures Software Developer's
// Manual, volume 2.
#include "Prepare/PtxAssembly.h"
#include "Prepare/Stages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
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
Value *operandRead(IRBuilder<> &B, CallInst &Call, const InlineAsm &Asm,
                   StringRef Text) {
  unsigned Number;
  if (!Text.consume_front("$") || Text.getAsInteger(10, Number))
    return nullptr;
  // Written first, read then; what is written may be read, too.
  unsigned Operand = 0, Place = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber || C.Codes.empty())
      continue;
    unsigned Tied;
    bool IsTied = !StringRef(C.Codes[0]).getAsInteger(10, Tied);
    if (C.Type == InlineAsm::isOutput && C.isIndirect)
      return nullptr;
    if (C.Type == InlineAsm::isInput) {
      Value *V = Call.getArgOperand(Operand);
      if (Place == Number || (IsTied && Tied == Number))
        return C.isIndirect
                   ? B.CreateAlignedLoad(Call.getParamElementType(Operand), V,
                                         Align(1))
                   : V;
      ++Operand;
    }
    ++Place;
  }
  return nullptr;
}

/// x86's arithmetic on floats, "vaddpd $2, $1, $0": its name without prefix and
/// suffix, and what it reads in Intel's order, the destination first.
struct X86Arithmetic {
  StringRef Name;
  SmallVector<Value *, 3> Reads;
};

/// \p Asm as one such instruction; nothing where it is none, its lanes are not
/// those of its result, or it reads or writes anything else.
std::optional<X86Arithmetic> parseX86(IRBuilder<> &B, CallInst &Call,
                                      const InlineAsm &Asm) {
  auto [Name, Rest] = StringRef(Asm.getAsmString()).trim().split(' ');
  Type *Ty = Call.getType();
  bool Double = Ty->getScalarType()->isDoubleTy();
  if (!(Double || Ty->getScalarType()->isFloatTy()) ||
      Asm.getDialect() != InlineAsm::AD_ATT ||
      !Name.consume_back(Ty->isVectorTy() ? Double ? "pd" : "ps"
                         : Double         ? "sd"
                                          : "ss"))
    return std::nullopt;
  bool OwnDestination = Name.consume_front("v");
  bool IsFma = Name.starts_with("f");
  if (IsFma && !OwnDestination)
    return std::nullopt;
  SmallVector<StringRef, 3> Operands;
  Rest.split(Operands, ',');
  // A root of all lanes has one operand, whatever its prefix.
  bool Unary = Name == "sqrt" && (Ty->isVectorTy() || !OwnDestination);
  if (Operands.size() != (OwnDestination && !Unary ? 3 : 2) ||
      Operands.back().trim() != "$0")
    return std::nullopt;
  if (Unary || (OwnDestination && !IsFma))
    Operands.pop_back();
  X86Arithmetic Found{Name, {}};
  for (StringRef Operand : reverse(Operands)) {
    Value *V = operandRead(B, Call, Asm, Operand.trim());
    if (!V || V->getType() != Ty)
      return std::nullopt;
    Found.Reads.push_back(V);
  }
  return Found;
}

// vfmadd132pd x, y, z   x = x z + y
// vfmadd213pd x, y, z   x = y x + z
// vfmadd231pd x, y, z   x = y z + x    in Intel's order of operands
// fmsub: x z - y; fnmadd: -x z + y; fnmsub: -x z - y
Value *fusedProduct(IRBuilder<> &B, StringRef Name, ArrayRef<Value *> In) {
  bool Negated = Name.consume_front("fn") || !Name.consume_front("f");
  bool Difference = Name.consume_front("msub");
  if (!Difference && !Name.consume_front("madd"))
    return nullptr;
  unsigned Order[3];
  if (Name == "132")
    Order[0] = 0, Order[1] = 2, Order[2] = 1;
  else if (Name == "213")
    Order[0] = 1, Order[1] = 0, Order[2] = 2;
  else if (Name == "231")
    Order[0] = 1, Order[1] = 2, Order[2] = 0;
  else
    return nullptr;
  Value *X = In[Order[0]], *Y = In[Order[1]], *Z = In[Order[2]];
  if (Negated)
    X = B.CreateFNeg(X);
  if (Difference)
    Z = B.CreateFNeg(Z);
  return B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {X, Y, Z});
}

// minpd x, y       x = x < y ? x : y       in Intel's order of operands
// vminpd r, x, y   r = x < y ? x : y       maxpd, vmaxpd: x > y
// addpd, subpd, mulpd, divpd, and with v, likewise
// sqrtpd x, y      x = sqrt(y)             vsqrtsd r, x, y: y is the last
Value *lowerX86Arithmetic(IRBuilder<> &B, const X86Arithmetic &I) {
  Value *X = I.Reads.front(), *Y = I.Reads.back();
  if (I.Name == "add")
    return B.CreateFAdd(X, Y);
  if (I.Name == "sub")
    return B.CreateFSub(X, Y);
  if (I.Name == "mul")
    return B.CreateFMul(X, Y);
  if (I.Name == "div")
    return B.CreateFDiv(X, Y);
  if (I.Name == "min")
    return B.CreateSelect(B.CreateFCmpOLT(X, Y), X, Y);
  if (I.Name == "max")
    return B.CreateSelect(B.CreateFCmpOGT(X, Y), X, Y);
  if (I.Name == "sqrt")
    return B.CreateUnaryIntrinsic(Intrinsic::sqrt, Y);
  return I.Name.starts_with("f") ? fusedProduct(B, I.Name, I.Reads) : nullptr;
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
    const Triple Target(F.getParent()->getTargetTriple());
    Value *Same = Target.isNVPTX() ? lowerPtx(*Call, *Asm) : nullptr;
    if (!Same && Target.isNVPTX())
      Same = lowerPtxAtomic(*Call, *Asm);
    if (Same) {
      if (!Call->getType()->isVoidTy())
        Call->replaceAllUsesWith(Same);
      Call->eraseFromParent();
    }
    if (!Target.isX86())
      continue;
    IRBuilder<> B(Call);
    std::optional<X86Arithmetic> Known = parseX86(B, *Call, *Asm);
    if (Value *Same = Known ? lowerX86Arithmetic(B, *Known) : nullptr) {
      Call->replaceAllUsesWith(Same);
      Call->eraseFromParent();
    }
  }
}

} // namespace adze
