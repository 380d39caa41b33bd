// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations on integers, where types do not tell, or not for sure, that
// these are numbers: flags, counts, bit sets, addresses with marks, and the
// bits of floats. The run tells: the shadow of a number is zero, that of an
// address looks like one (Words.h), and else there is the dual of a float.
//
//   n = atomicrmw op p, k      dn = *dp;  *dp = *dp op k, if it is an address
//                              *p' += n'
//     of a float               the same as long as *dp, *p' are zero, or op
//                              adds one or changes the sign; else it stops
//   n = atomicrmw xchg p, v    dn = *dp;  *dp = dv
//   n = cmpxchg p, c, v        v' += *p', *p' = 0;  *p' += n'
//
// Where threads of a team do this, the program stops if any dual is not zero.
#include "AtomicContents.h"
#include "FloatBits.h"
#include "Rules.h"
#include "Words.h"
#include "adze/RuntimeStop.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

const char *const OnBits = "integer arithmetic on the bits of an active float";

AtomicRMWInst::BinOp operationOf(const Instruction &I) {
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  return RMW ? RMW->getOperation() : AtomicRMWInst::Xchg;
}

bool isExchange(const Instruction &I) {
  return operationOf(I) == AtomicRMWInst::Xchg;
}

/// The operation that does to the shadow of an address what \p I does to the
/// address; none for others, which make a number of it.
std::optional<Instruction::BinaryOps> onAddress(const Instruction &I) {
  switch (operationOf(I)) {
  case AtomicRMWInst::Add:
    return Instruction::Add;
  case AtomicRMWInst::Sub:
    return Instruction::Sub;
  case AtomicRMWInst::And:
    return Instruction::And;
  case AtomicRMWInst::Or:
    return Instruction::Or;
  case AtomicRMWInst::Xor:
    return Instruction::Xor;
  default:
    return std::nullopt;
  }
}

/// One more or less: the next float, with the same dual.
bool isStep(const Instruction &I) {
  auto *By = dyn_cast<ConstantInt>(newValueOf(I));
  AtomicRMWInst::BinOp Op = operationOf(I);
  return (Op == AtomicRMWInst::Add || Op == AtomicRMWInst::Sub) && By &&
         (By->isOne() || By->isMinusOne());
}

/// It may change the sign of a float that is as large as the integer.
bool flipsSign(const Instruction &I, const RuleContext &C) {
  if (operationOf(I) != AtomicRMWInst::Xor || C.isActive(newValueOf(I)))
    return false;
  BlockLayout Layout = atomicLayout(I, C.facts());
  return Layout.Ranges.size() == 1 && Layout.Ranges[0].Type.isFloat() &&
         Layout.Ranges[0].Type.floatType()->getPrimitiveSizeInBits() ==
             newValueOf(I)->getType()->getIntegerBitWidth();
}

std::string reasonAt(const Instruction &I, const char *Reason) {
  std::string Place = sourcePlace(&I);
  return Place.empty() ? Reason : Place + ": " + Reason;
}

bool inTeam(const RuleContext &C) {
  return C.facts().R.InTeam != TeamRole::None;
}

class AtomicBitsRule final : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (isPlainNumber(I, C.facts()))
      return;
    const Content In = atomicContent(I, C.facts());
    if (In.Floats && inTeam(C))
      return C.refuse(I, Diag::InTeam, {NoPlainSum});
    const bool Float = In.Floats && !In.Pointers && !In.Others && !In.Unknown;
    if ((Float && !isExchange(I) && !isStep(I) && !flipsSign(I, C)) ||
        (!isExchange(I) && C.hasShadow(newValueOf(I))))
      return C.refuse(
          I, Diag::UnsupportedInstruction,
          {Float ? OnBits : "an atomic operation of two addresses"});
    if (!C.hasShadow(I.getOperand(0)))
      return;
    C.shadow(I.getOperand(0));
    if (isa<AtomicCmpXchgInst>(I))
      C.primal(&I);
    if (flipsSign(I, C))
      C.primal(newValueOf(I));
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    const bool Words = mayBeAddress(I, C);
    if (isPlainNumber(I, C.facts()) || !C.carries(I.getOperand(0)) ||
        (!Words && !C.carriesFloats())) {
      if (C.carries(&I))
        C.setDual(&I, C.L.zero(I.getType()));
      return;
    }
    const Value *Pointer = I.getOperand(0), *New = newValueOf(I);
    Value *Replaced = isExchange(I) ? replacedByExchange(I, C) : nullptr;
    Value *Old =
        C.L.map(C.B, {C.dual(Pointer), C.dual(New)}, [&](ArrayRef<Value *> D) {
          Value *Was = read(I, D[0], C, Words);
          if (inTeam(C))
            return stopInTeam(I, C, Was, D[1], Words);
          Value *Is = isExchange(I) ? exchanged(C, Was, D[1], Replaced)
                                    : changed(I, C, Was, Words);
          if (Is != Was)
            C.B.CreateStore(Is, C.writable(Pointer, D[0], New->getType()));
          return C.carriesFloats() ? Was : addressAlone(C, Was);
        });
    if (C.carries(&I))
      C.setDual(&I, asAtomicResult(I, C, Old));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (isPlainNumber(I, C.facts()))
      return;
    const Value *Pointer = I.getOperand(0), *New = newValueOf(I);
    Value *Result = adjointOfOld(I, C);
    if (!C.hasShadow(Pointer)) {
      if (Result)
        stopIfUsed(I, C, Result);
      return;
    }
    const bool Words = mayBeAddress(I, C);
    Value *Shadow = C.shadow(Pointer);
    Value *Here = C.L.map(C.B, {Shadow}, [&](ArrayRef<Value *> D) {
      return read(I, D[0], C, Words);
    });
    if (inTeam(C)) {
      stopIfUsed(I, C, C.L.map(C.B, {Here}, [&](ArrayRef<Value *> D) {
        return floatAlone(C, D[0], Words);
      }));
      if (Result)
        stopIfUsed(I, C, Result);
      return;
    }
    Value *Replaced = isExchange(I) ? replacedByExchange(I, C) : nullptr;
    if (isExchange(I) && C.isActive(New))
      C.addAdjoint(New, C.L.map(C.B, {Here}, [&](ArrayRef<Value *> D) {
        Value *Float = floatAlone(C, D[0], Words);
        return ifReplaced(C, Replaced, Float, zero(Float));
      }));
    SmallVector<Value *, 3> In{Shadow, Here};
    if (Result)
      In.push_back(Result);
    C.L.map(C.B, In, [&](ArrayRef<Value *> D) -> Value * {
      Value *Left = leftBefore(I, C, D[1], Replaced, Words);
      if (Result)
        Left = added(I, C, Left, D[2], Words);
      if (Left != D[1])
        C.B.CreateStore(Left, C.writable(Pointer, D[0], New->getType()));
      return nullptr;
    });
  }

private:
  static Constant *zero(const Value *Like) {
    return Constant::getNullValue(Like->getType());
  }

  /// What is changed may be an address with a shadow.
  static bool mayBeAddress(const Instruction &I, const RuleContext &C) {
    return C.dataLayout().getTypeStoreSize(newValueOf(I)->getType()) ==
               WordSize &&
           C.facts().Activity->mayHoldShadows(I.getOperand(0), 0, WordSize);
  }

  /// The word of shadow memory at \p Place. Where the pointer is self-shadowed,
  /// it is the primal's own: addresses are their own shadows, and the rest has
  /// no dual. Other threads may change it: it is read as one.
  static Value *read(const Instruction &I, Value *Place, EmitContext &C,
                     bool Words) {
    Type *Ty = newValueOf(I)->getType();
    LoadInst *Was = C.B.CreateLoad(Ty, Place);
    if (inTeam(C))
      Was->setAtomic(AtomicOrdering::Monotonic);
    Was->setAlignment(Align(C.dataLayout().getTypeStoreSize(Ty)));
    Value *Self = C.isSelfShadowed(I.getOperand(0), Place);
    if (!Self)
      return Was;
    return C.B.CreateSelect(
        Self, Words ? addressAlone(C, Was) : cast<Value>(zero(Was)), Was);
  }

  static Value *addressAlone(EmitContext &C, Value *Word) {
    if (Word->getType()->getIntegerBitWidth() != WordSize * 8)
      return zero(Word);
    return C.B.CreateSelect(looksLikeAddress(C.B, Word), Word, zero(Word));
  }

  static Value *floatAlone(EmitContext &C, Value *Word, bool MayBeAddress) {
    return MayBeAddress
               ? C.B.CreateSelect(looksLikeAddress(C.B, Word), zero(Word), Word)
               : Word;
  }

  static void stopIfUsed(const Instruction &I, EmitContext &C, Value *Duals) {
    C.L.map(C.B, {Duals}, [&](ArrayRef<Value *> D) -> Value * {
      emitStopIfUsed(C.B, D[0], reasonAt(I, OnBits));
      return nullptr;
    });
  }

  static Value *ifReplaced(EmitContext &C, Value *Replaced, Value *Then,
                           Value *Else) {
    return Replaced ? C.B.CreateSelect(Replaced, Then, Else) : Then;
  }

  /// Of one direction, going forward: nothing active is changed, so what is
  /// not zero before or after is that of an address or a float.
  static Value *stopInTeam(const Instruction &I, ForwardSweepContext &C,
                           Value *Was, Value *New, bool Words) {
    const std::string Reason = reasonAt(
        I, "an atomic operation of threads changes an address of active data, "
           "or the bits of an active float");
    for (Value *Dual : {Was, isExchange(I) ? New : cast<Value>(zero(Was))})
      emitStopIfUsed(C.B, C.carriesFloats() ? Dual : addressAlone(C, Dual),
                     Reason);
    return zero(Was);
  }

  /// Going forward: the word that stands in shadow memory behind an exchange.
  static Value *exchanged(ForwardSweepContext &C, Value *Was, Value *New,
                          Value *Replaced) {
    Value *To =
        C.carriesFloats() ? New : movedWord(C.B, New, Was, /*Typed=*/false);
    return ifReplaced(C, Replaced, To, Was);
  }

  /// The dual of a float behind \p I, which is no exchange; from its dual
  /// before, and the same the other way round.
  static Value *changedFloat(const Instruction &I, EmitContext &C, Value *Was,
                             bool Words) {
    if (isStep(I))
      return Was;
    if (!flipsSign(I, C)) {
      emitStopIfUsed(C.B, Words ? floatAlone(C, Was, Words) : Was,
                     reasonAt(I, OnBits));
      return Was;
    }
    Value *Mask = C.primal(newValueOf(I));
    APInt Sign = APInt::getSignMask(Mask->getType()->getIntegerBitWidth());
    Value *Rest = C.B.CreateAnd(Mask, ConstantInt::get(Mask->getType(), ~Sign));
    Value *Wrong = C.B.CreateSelect(C.B.CreateIsNotNull(Rest), Was, zero(Was));
    emitStopIfUsed(C.B, Wrong, reasonAt(I, OnBits));
    return C.B.CreateXor(Was, Mask);
  }

  /// Going forward: the word behind \p I, which is no exchange.
  static Value *changed(const Instruction &I, ForwardSweepContext &C,
                        Value *Was, bool Words) {
    Value *Float = C.carriesFloats() ? changedFloat(I, C, Was, Words) : Was;
    if (!Words)
      return Float;
    std::optional<Instruction::BinaryOps> Op = onAddress(I);
    if (!Op) {
      emitStopIfUsed(C.B, addressAlone(C, Was),
                     reasonAt(I, "an atomic operation makes a number of an "
                                 "address of active data"));
      return Float;
    }
    Value *Moved = C.B.CreateBinOp(*Op, Was, C.primal(newValueOf(I)));
    return C.B.CreateSelect(looksLikeAddress(C.B, Was), Moved, Float);
  }

  /// The adjoint of the old content in \p I's result; null for zero.
  static Value *adjointOfOld(const Instruction &I, ReverseContext &C) {
    Value *Result = C.isActive(&I) ? C.takeAdjoint(&I) : nullptr;
    if (!Result || !isa<AtomicCmpXchgInst>(I))
      return Result;
    return C.L.map(C.B, {Result}, [&](ArrayRef<Value *> D) {
      return C.B.CreateExtractValue(D[0], 0);
    });
  }

  /// What the adjoint \p Here behind \p I is before it, for memory's old
  /// content.
  static Value *leftBefore(const Instruction &I, ReverseContext &C, Value *Here,
                           Value *Replaced, bool Words) {
    if (isExchange(I))
      return ifReplaced(C, Replaced,
                        Words ? addressAlone(C, Here) : cast<Value>(zero(Here)),
                        Here);
    Value *Float = changedFloat(I, C, Here, Words);
    return Words && Float != Here
               ? C.B.CreateSelect(looksLikeAddress(C.B, Here), Here, Float)
               : Float;
  }

  static Value *added(const Instruction &I, ReverseContext &C, Value *To,
                      Value *Adjoint, bool Words) {
    if (!Words)
      return withAdjointOfOld(I, C, To, Adjoint);
    C.B.GetInsertBlock()->getParent()->addFnAttr(AddsPartsOfFloats);
    return addedToWord(C.B, To, Adjoint, /*Typed=*/false,
                       C.facts().DoublesAlone);
  }
};

} // namespace

const Rule &atomicBitsRule() {
  static const AtomicBitsRule R;
  return R;
}

} // namespace adze
