// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic read-modify-write, as by the one thread that runs the derivative. The
// primal does it once, in the order in which it does everything else.
//
//   n = atomicrmw op p, k      no derivative; the shadow of a number is unused
//   n = atomicrmw +- p, 1      of a word that may be an address: *dp +- 1, as
//                              that is the shadow of one and unused else
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
#include "FloatBits.h"
#include "FloatLeaves.h"
#include "Rules.h"
#include "adze/AtomicSum.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

namespace {

const Value *newValueOf(const Instruction &I) {
  if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
    return X->getNewValOperand();
  return cast<AtomicRMWInst>(I).getValOperand();
}

/// What stands in the memory that \p I changes.
BlockLayout layoutOf(const Instruction &I, const RuleContext &C) {
  Type *Ty = newValueOf(I)->getType();
  if (Ty->isFPOrFPVectorTy() || Ty->isPtrOrPtrVectorTy())
    return {};
  return C.facts().Types->memoryLayout(I.getOperand(0),
                                       C.dataLayout().getTypeStoreSize(Ty));
}

Content contentOf(const Instruction &I, const RuleContext &C) {
  return adze::contentOf(newValueOf(I)->getType(), layoutOf(I, C),
                         C.dataLayout());
}

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
    if (isCount(I, C)) {
      if (mayBeAddress(I, C) && C.hasShadow(I.getOperand(0)))
        C.shadow(I.getOperand(0));
      return;
    }
    Content In = contentOf(I, C);
    bool Number = In.Others && !In.Floats && !In.Pointers && !In.Unknown;
    if (Number && !C.isActive(&I) && !C.hasShadow(&I))
      return;
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
      return C.refuse(I, Diag::InTeam,
                      {"an atomic operation on active data that is no plain "
                       "sum of a float or double"});
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
    if (isCount(I, C))
      return propagateCount(I, C);
    Content In = contentOf(I, C);
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
      C.setDual(&I, asResult(I, C, Old));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Result = C.isActive(&I) ? C.takeAdjoint(&I) : nullptr;
    const Value *Pointer = I.getOperand(0), *New = newValueOf(I);
    if (isCount(I, C)) {
      if (Result)
        C.L.map(C.B, {Result}, [&](ArrayRef<Value *> D) -> Value * {
          emitStopIfUsed(C.B, D[0],
                         "integer arithmetic on the bits of an active float");
          return nullptr;
        });
      return;
    }
    if (!C.hasShadow(Pointer) || !contentOf(I, C).Floats)
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
        Left = addFloatLeaves(
            C.B, Left,
            isa<AtomicCmpXchgInst>(I) ? C.B.CreateExtractValue(D[2], 0) : D[2],
            layoutOf(I, C), C.dataLayout());
      C.B.CreateStore(Left, C.writable(Pointer, D[0], Ty));
      return nullptr;
    });
  }

private:
  /// Arithmetic that is not seen to be of a float (the count of a shared
  /// pointer): on less than an address, or steps of one. If it is of a float,
  /// the run shows it.
  static bool isCount(const Instruction &I, const RuleContext &C) {
    auto *RMW = dyn_cast<AtomicRMWInst>(&I);
    if (!RMW || !RMW->getType()->isIntegerTy() ||
        (RMW->getOperation() != AtomicRMWInst::Add &&
         RMW->getOperation() != AtomicRMWInst::Sub) ||
        contentOf(I, C).Floats)
      return false;
    auto *Step = dyn_cast<ConstantInt>(RMW->getValOperand());
    uint64_t Size = C.dataLayout().getTypeStoreSize(RMW->getType());
    uint64_t Address = C.dataLayout().getPointerSize();
    return Size < Address ||
           (Size == Address && Step && (Step->isOne() || Step->isMinusOne()));
  }

  /// Of a count: it may be an address that moves on by a byte.
  static bool mayBeAddress(const Instruction &I, const RuleContext &C) {
    Content In = contentOf(I, C);
    return C.dataLayout().getTypeStoreSize(I.getType()) ==
               C.dataLayout().getPointerSize() &&
           (In.Pointers || In.Unknown);
  }

  static void propagateCount(const Instruction &I, ForwardSweepContext &C) {
    const Value *Pointer = I.getOperand(0);
    Value *Old = C.L.zero(I.getType());
    if (mayBeAddress(I, C) && C.carries(Pointer))
      Old = C.L.map(C.B, {C.dual(Pointer)}, [&](ArrayRef<Value *> D) {
        const auto &RMW = cast<AtomicRMWInst>(I);
        Value *Step =
            C.B.getInt(cast<ConstantInt>(I.getOperand(1))->getValue());
        Value *Was = C.B.CreateLoad(I.getType(), D[0]);
        Value *Is = RMW.getOperation() == AtomicRMWInst::Add
                        ? C.B.CreateAdd(Was, Step)
                        : C.B.CreateSub(Was, Step);
        C.B.CreateStore(Is, C.writable(Pointer, D[0], I.getType()));
        return Was;
      });
    if (C.carries(&I))
      C.setDual(&I, Old);
  }

  static bool isMinus(const Instruction &I) {
    auto *RMW = dyn_cast<AtomicRMWInst>(&I);
    return RMW && RMW->getOperation() == AtomicRMWInst::FSub;
  }

  /// i1: memory has the new value now; null if it has in any case.
  static Value *replaced(const Instruction &I, EmitContext &C) {
    if (isa<AtomicCmpXchgInst>(I))
      return C.B.CreateExtractValue(C.primal(&I), 1);
    if (!isExtremum(I))
      return nullptr;
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

  /// The dual of the old content as the dual of what \p I returns.
  static Value *asResult(const Instruction &I, ForwardSweepContext &C,
                         Value *Old) {
    if (!isa<AtomicCmpXchgInst>(I))
      return Old;
    Constant *Zero = Constant::getNullValue(I.getType());
    return C.L.map(C.B, {Old}, [&](ArrayRef<Value *> D) {
      return C.B.CreateInsertValue(Zero, D[0], 0);
    });
  }
};

} // namespace

const Rule &atomicRule() {
  static const AtomicRule R;
  return R;
}

} // namespace adze
