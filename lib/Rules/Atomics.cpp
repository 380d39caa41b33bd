// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic read-modify-write of floats and pointers, as by the one thread that
// runs the derivative. The primal does it once, in the order in which it does
// everything else. Numbers, and what may be one, are in AtomicBits.cpp.
//
//   n = atomicrmw fadd p, v    dn = *dp;  *dp += dv
//                              v' += *p';  *p' += n'          (fsub: v' -= *p')
//   n = atomicrmw xchg p, v    dn = *dp;  *dp = dv
//                              v' += *p';  *p' = n'
//   n = atomicrmw fmax p, v    dn = *dp;  *dp = dv where v is the larger
//                              there v' += *p', *p' = 0;  *p' += n'
//   n = cmpxchg p, c, v        dn = *dp;  *dp = dv where it succeeded
//                              there v' += *p', *p' = 0;  *p' += n'
//
// Pointers are exchanged with their shadows. Where threads of a team do this,
// sums whose old value nobody uses are atomic, too; what depends on the order
// of the threads is refused.
#include "AtomicContents.h"
#include "FloatBits.h"
#include "FloatLeaves.h"
#include "Rules.h"
#include "adze/AtomicSum.h"
#include "adze/DeviceSync.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

const Value *newValueOf(const Instruction &I) {
  if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
    return X->getNewValOperand();
  return cast<AtomicRMWInst>(I).getValOperand();
}

BlockLayout atomicLayout(const Instruction &I, const Facts &F) {
  Type *Ty = newValueOf(I)->getType();
  if (Ty->isFPOrFPVectorTy() || Ty->isPtrOrPtrVectorTy())
    return {};
  const uint64_t Size = I.getDataLayout().getTypeStoreSize(Ty);
  BlockLayout Layout = F.Types->memoryLayout(I.getOperand(0), Size);
  return F.Activity->mayHoldVariedBits(I.getOperand(0), 0, Size)
             ? withoutNumbers(std::move(Layout))
             : Layout;
}

Content atomicContent(const Instruction &I, const Facts &F) {
  return contentOf(newValueOf(I)->getType(), atomicLayout(I, F),
                   I.getDataLayout());
}

bool isPlainNumber(const Instruction &I, const Facts &F) {
  const Content In = atomicContent(I, F);
  return In.Others && !In.Floats && !In.Pointers && !In.Unknown &&
         !F.isActive(&I) && !F.hasShadow(&I);
}

Value *replacedByExchange(const Instruction &I, EmitContext &C) {
  return isa<AtomicCmpXchgInst>(I) ? C.B.CreateExtractValue(C.primal(&I), 1)
                                   : nullptr;
}

Value *asAtomicResult(const Instruction &I, EmitContext &C, Value *Old) {
  if (!isa<AtomicCmpXchgInst>(I))
    return Old;
  Constant *Zero = Constant::getNullValue(I.getType());
  return C.L.map(C.B, {Old}, [&](ArrayRef<Value *> D) {
    return C.B.CreateInsertValue(Zero, D[0], 0);
  });
}

Value *withAdjointOfOld(const Instruction &I, EmitContext &C, Value *Left,
                        Value *Adjoint) {
  return addFloatLeaves(C.B, Left, Adjoint,
                        withoutNumbers(atomicLayout(I, C.facts())),
                        C.dataLayout());
}

namespace {

bool isSum(const Instruction &I) {
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  return RMW && (RMW->getOperation() == AtomicRMWInst::FAdd ||
                 RMW->getOperation() == AtomicRMWInst::FSub);
}

bool isExtremum(const Instruction &I) {
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  return RMW && (RMW->getOperation() == AtomicRMWInst::FMax ||
                 RMW->getOperation() == AtomicRMWInst::FMin);
}

bool isExchange(const Instruction &I) {
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  return isa<AtomicCmpXchgInst>(I) ||
         (RMW && RMW->getOperation() == AtomicRMWInst::Xchg);
}

class AtomicRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    Content In = atomicContent(I, C.facts());
    bool Known = In.Floats != In.Pointers && !In.Others && !In.Unknown;
    if (!Known || !(isExchange(I) || isSum(I) || isExtremum(I))) {
      std::string Text;
      raw_string_ostream OS(Text);
      I.print(OS);
      return C.refuse(I, Diag::UnsupportedInstruction,
                      {StringRef(OS.str()).ltrim().str()});
    }
    const bool InTeam = C.facts().R.InTeam != TeamRole::None;
    if (InTeam && !(isSum(I) && I.use_empty() &&
                    canAddAtomically(newValueOf(I)->getType())))
      return C.refuse(I, Diag::InTeam, {NoPlainSum});
    if (!In.Floats || !C.hasShadow(I.getOperand(0)))
      return;
    C.shadow(I.getOperand(0));
    if (isa<AtomicCmpXchgInst>(I) || isExtremum(I))
      C.primal(&I);
    if (isExtremum(I))
      C.primal(newValueOf(I));
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    const Value *Pointer = I.getOperand(0), *New = newValueOf(I);
    Content In = atomicContent(I, C.facts());
    bool Floats = In.Floats && C.carriesFloats();
    if (!C.carries(Pointer) || (!Floats && !In.Pointers)) {
      if (C.carries(&I))
        C.setDual(&I, In.Pointers ? C.dualOrSelf(&I) : C.L.zero(I.getType()));
      return;
    }
    Type *Ty = New->getType();
    if (C.facts().R.InTeam != TeamRole::None && isSum(I) && Floats) {
      C.L.map(C.B, {C.dual(Pointer), C.dual(New)}, [&](ArrayRef<Value *> D) {
        addAtomically(C.B, C.writable(Pointer, D[0], Ty),
                      isMinus(I) ? C.B.CreateFNeg(D[1]) : D[1]);
        return nullptr;
      });
      if (C.carries(&I))
        C.setDual(&I, C.L.zero(I.getType()));
      return;
    }
    Value *Replaced = isSum(I) ? nullptr : replaced(I, C);
    Value *Old =
        C.L.map(C.B, {C.dual(Pointer), C.dual(New)}, [&](ArrayRef<Value *> D) {
          Value *Place = C.writable(Pointer, D[0], Ty);
          Value *Was = C.B.CreateLoad(Ty, D[0]);
          if (Floats)
            Was = C.zeroIfSelfShadowed(Pointer, D[0], Was);
          Value *Is = !isSum(I)    ? chosen(C, Replaced, D[1], Was)
                      : isMinus(I) ? C.B.CreateFSub(Was, D[1])
                                   : C.B.CreateFAdd(Was, D[1]);
          C.B.CreateStore(Is, Place);
          return Was;
        });
    if (C.carries(&I))
      C.setDual(&I, asAtomicResult(I, C, Old));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Result = C.isActive(&I) ? C.takeAdjoint(&I) : nullptr;
    const Value *Pointer = I.getOperand(0), *New = newValueOf(I);
    if (!C.hasShadow(Pointer) || !atomicContent(I, C.facts()).Floats)
      return;
    Type *Ty = New->getType();
    Value *Shadow = C.shadow(Pointer);
    Value *Replaced = isSum(I) ? nullptr : replaced(I, C);
    Constant *Zero = Constant::getNullValue(Ty);
    Value *Here = C.L.map(C.B, {Shadow}, [&](ArrayRef<Value *> D) {
      return C.zeroIfSelfShadowed(Pointer, D[0], C.B.CreateLoad(Ty, D[0]));
    });
    if (C.isActive(New))
      C.addAdjoint(New, C.L.map(C.B, {Here}, [&](ArrayRef<Value *> D) {
        return isMinus(I) ? C.B.CreateFNeg(D[0])
               : isSum(I) ? D[0]
                          : chosen(C, Replaced, D[0], Zero);
      }));
    if (isSum(I) && !Result)
      return; // *p' stays
    SmallVector<Value *, 3> In{Shadow, Here};
    if (Result)
      In.push_back(Result);
    C.L.map(C.B, In, [&](ArrayRef<Value *> D) -> Value * {
      Value *Left = isSum(I) ? D[1] : chosen(C, Replaced, Zero, D[1]);
      if (Result)
        Left = withAdjointOfOld(
            I, C, Left,
            isa<AtomicCmpXchgInst>(I) ? C.B.CreateExtractValue(D[2], 0) : D[2]);
      C.B.CreateStore(Left, C.writable(Pointer, D[0], Ty));
      return nullptr;
    });
  }

private:
  static bool isMinus(const Instruction &I) {
    auto *RMW = dyn_cast<AtomicRMWInst>(&I);
    return RMW && RMW->getOperation() == AtomicRMWInst::FSub;
  }

  /// i1: memory has the new value now; null if it has in any case.
  static Value *replaced(const Instruction &I, EmitContext &C) {
    if (!isExtremum(I))
      return replacedByExchange(I, C);
    // As fmax and fmin: the old one stays at a tie, and where the new is NaN.
    Value *Old = C.primal(&I), *New = C.primal(newValueOf(I));
    bool Max = cast<AtomicRMWInst>(I).getOperation() == AtomicRMWInst::FMax;
    Value *Better =
        Max ? C.B.CreateFCmpOGT(New, Old) : C.B.CreateFCmpOLT(New, Old);
    Value *OnlyNew =
        C.B.CreateAnd(C.B.CreateFCmpUNO(Old, Old), C.B.CreateFCmpORD(New, New));
    return C.B.CreateOr(Better, OnlyNew);
  }

  static Value *chosen(EmitContext &C, Value *If, Value *Then, Value *Else) {
    return If ? C.B.CreateSelect(If, Then, Else) : Then;
  }
};

} // namespace

/// Whether rules of integers apply: types see neither a float nor a pointer
/// alone, or \p I does other things with it than to exchange it.
static bool isOfBits(const Instruction &I, const Facts &F) {
  if (!newValueOf(I)->getType()->isIntegerTy())
    return false;
  const Content In = atomicContent(I, F);
  return In.Others || In.Unknown || In.Floats == In.Pointers || !isExchange(I);
}

const Rule &atomicRule(const Instruction &I, const Facts &F) {
  static const AtomicRule R;
  if (I.hasMetadata(SettledMetadata))
    return zeroRule();
  return isOfBits(I, F) ? atomicBitsRule() : R;
}

} // namespace adze
