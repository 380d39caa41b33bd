// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers have shadows, not adjoints: the shadow moves as the pointer does.
//
//   q = gep p, i         dq = gep dp, i
//   q = cast p           dq = cast dp      (bitcast, addrspacecast, ptrtoint,
//                                           inttoptr; also of the halves of an
//                                           address: trunc, zext, sext)
//
// An integer that is an address has the integer of the shadow's address for its
// dual, a number has itself. With addresses i and k, a number n:
//
//   j = i op n           dj = di + (j - i)    (+, -, |, masks that align or
//                                             take out a mark in low bits:
//                                             both lie equally far from i)
//   j = n - i            dj = n - di
//   j = i op n           dj = di op n         (^, shifts, multiples, masks that
//                                             take out a mark in high bits)
//   j = i op k           dj = di op dk        (+, -, ^: distances and links,
//                                             | of disjoint parts)
//
// All of them are undone by the same arithmetic. What else is made of addresses
// leads nowhere that is known.
#include "RefuseTypes.h"
#include "Rules.h"
#include "Words.h"
#include "adze/AddressDual.h"
#include "adze/AddressMarks.h"
#include "adze/FloatsInAddresses.h"
#include "adze/RuntimeStop.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

void refuseAddress(const Instruction &I, StringRef Why, NeedsContext &C) {
  SmallVector<Witness, 2> Facts;
  for (const Value *Op : I.operand_values())
    if (auto *At = dyn_cast<Instruction>(Op))
      Facts.push_back({C.hasShadow(Op)
                           ? "this is an address of memory with a shadow"
                           : "this is taken for a number",
                       At});
  C.refuse(I, Diag::IntegerAddress, {Why.str()}, Facts);
}

class PointerRule : public Rule {
public:
  /// What is cast is an address, or a part of one, if the result is; or a
  /// float, which no pointer can carry.
  void needs(const Instruction &I, NeedsContext &C) const override {
    const TypeInfo &Types = *C.facts().Types;
    if ((C.isActive(I.getOperand(0)) && makesAddressOfFloat(I, Types)) ||
        (C.isActive(&I) && makesFloatOfAddress(I, Types)))
      return refuseFloatAsPointer(I, C);
    if (isa<TruncInst, ZExtInst, SExtInst>(I) && C.hasShadow(&I) &&
        !C.hasShadow(I.getOperand(0)))
      refuseAddress(I, "part of an address that is moved by itself", C);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    if (auto *G = dyn_cast<GetElementPtrInst>(&I)) {
      SmallVector<Value *, 4> Indices;
      for (const Use &Index : G->indices())
        Indices.push_back(C.primal(Index.get()));
      C.setDual(&I, C.L.map(C.B, {C.dual(G->getPointerOperand())},
                            [&](ArrayRef<Value *> D) {
                              return C.B.CreateGEP(G->getSourceElementType(),
                                                   D[0], Indices, "",
                                                   G->isInBounds());
                            }));
      return;
    }
    auto &Cast = cast<CastInst>(I);
    C.setDual(
        &I,
        C.L.map(C.B, {C.dual(Cast.getOperand(0))}, [&](ArrayRef<Value *> D) {
          return C.B.CreateCast(Cast.getOpcode(), D[0], Cast.getDestTy());
        }));
  }

  /// An address has no adjoint, unless it was the bits of a float.
  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (!isa<PtrToIntInst>(I) || !C.isActive(&I))
      return;
    Value *Adjoint = C.takeAdjoint(&I);
    if (Adjoint && I.getType()->getScalarSizeInBits() == WordSize * 8)
      C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> D) -> Value * {
        emitRuntimeStopIf(C.B, looksLikeFloat(C.B, D[0]), FloatAsPointer);
        return nullptr;
      });
  }
};

class AddressRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (!C.hasShadow(&I) || classify(I, C).How != Form::Unknown)
      return;
    refuseAddress(I, ("by '" + Twine(I.getOpcodeName()) + "'").str(), C);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    const Value *A = I.getOperand(0), *B = I.getOperand(1);
    Form F = classify(I, C);
    if (F.How == Form::Distance) {
      const Value *From = F.Left ? A : B;
      Value *Distance = C.B.CreateSub(C.primal(&I), C.primal(From));
      C.setDual(&I, C.L.map(C.B, {C.dual(From)}, [&](ArrayRef<Value *> D) {
        return moved(D[0], Distance, C);
      }));
      return;
    }
    if (F.How == Form::Masked) {
      setMasked(I, *(F.Left ? A : B), *(F.Left ? B : A), C);
      return;
    }
    if (const Value *From = roundedBy(I, C); From && F.How == Form::Same) {
      Value *Distance = C.B.CreateSub(C.primal(&I), C.primal(From));
      C.setDual(&I, C.L.map(C.B, {C.dual(From)}, [&](ArrayRef<Value *> D) {
        return moved(D[0], Distance, C);
      }));
      return;
    }
    if (F.How == Form::Same && F.Left && !F.Right && losesRest(I, C))
      stopUnlessAlike(I, C);
    // Numbers are the same in all directions.
    SmallVector<Value *, 2> Duals;
    if (F.Left)
      Duals.push_back(C.dual(A));
    if (F.Right)
      Duals.push_back(C.dual(B));
    C.setDual(&I, C.L.map(C.B, Duals, [&](ArrayRef<Value *> D) {
      return C.B.CreateBinOp(Instruction::BinaryOps(I.getOpcode()),
                             F.Left ? D.front() : C.primal(A),
                             F.Right ? D.back() : C.primal(B));
    }));
  }

  void reverse(const Instruction &, ReverseContext &) const override {}

private:
  /// What \p Quotient is a quotient of, after numbers were added to it; null if
  /// it is none of \p By.
  static const Value *dividend(const Value *Quotient, const Value *By,
                               bool Shift, const RuleContext &C) {
    constexpr unsigned MaxSteps = 4;
    for (unsigned Step = 0; Step < MaxSteps; ++Step) {
      auto *Part = dyn_cast<BinaryOperator>(Quotient);
      if (!Part)
        return nullptr;
      const Value *A = Part->getOperand(0), *B = Part->getOperand(1);
      switch (Part->getOpcode()) {
      case Instruction::UDiv:
      case Instruction::SDiv:
        return !Shift && B == By && C.hasShadow(A) ? A : nullptr;
      case Instruction::LShr:
      case Instruction::AShr:
        return Shift && B == By && C.hasShadow(A) ? A : nullptr;
      case Instruction::Add:
      case Instruction::Sub:
        if (C.hasShadow(A) && C.hasShadow(B))
          return nullptr;
        Quotient = C.hasShadow(B) ? B : A;
        break;
      default:
        return nullptr;
      }
    }
    return nullptr;
  }

  /// The address that \p I makes a multiple of n: x of (x / n + k) * n and of
  /// ((x >> n) + k) << n; null if it does not.
  static const Value *roundedBy(const Instruction &I, const RuleContext &C) {
    const Value *A = I.getOperand(0), *B = I.getOperand(1);
    if (I.getOpcode() == Instruction::Shl)
      return dividend(A, B, /*Shift=*/true, C);
    if (I.getOpcode() != Instruction::Mul)
      return nullptr;
    const Value *From = dividend(A, B, /*Shift=*/false, C);
    return From ? From : dividend(B, A, /*Shift=*/false, C);
  }

  /// All that becomes of quotient \p I of \p From is compared, or a multiple
  /// of the divisor again.
  static bool isRounded(const Instruction &I, const Value *From,
                        const RuleContext &C, unsigned Depth = 0) {
    constexpr unsigned MaxDepth = 4;
    auto rounds = [&](const User *U) {
      auto *User = cast<Instruction>(U);
      if (isa<ICmpInst>(User) ||
          (isa<BinaryOperator, CastInst>(User) && !C.hasShadow(User)))
        return true;
      if (User->getOpcode() == Instruction::Add ||
          User->getOpcode() == Instruction::Sub)
        return isRounded(*User, From, C, Depth + 1);
      return User->isBinaryOp() && roundedBy(*User, C) == From;
    };
    return Depth < MaxDepth && all_of(I.users(), rounds);
  }

  /// \p I divides an address, and what is lost of it is not put in elsewhere
  /// (where one is rotated).
  static bool losesRest(const Instruction &I, const RuleContext &C) {
    constexpr uint64_t LargestShift = 31;
    switch (I.getOpcode()) {
    case Instruction::LShr:
    case Instruction::AShr: {
      auto *By = dyn_cast<ConstantInt>(I.getOperand(1));
      bool Parts = any_of(I.users(), [](const User *U) {
        unsigned Opcode = cast<Instruction>(U)->getOpcode();
        return Opcode == Instruction::Or || Opcode == Instruction::Xor ||
               Opcode == Instruction::Trunc || Opcode == Instruction::And;
      });
      if (!By || By->getValue().ugt(LargestShift) || Parts)
        return false;
      break;
    }
    case Instruction::UDiv:
    case Instruction::SDiv:
      break;
    default:
      return false;
    }
    return !isRounded(I, I.getOperand(0), C);
  }

  /// The quotient of the shadow's address leads back to the shadow only if both
  /// leave the same rest.
  static void stopUnlessAlike(const Instruction &I, ForwardSweepContext &C) {
    bool Shift = I.isShift();
    Value *By = C.primal(I.getOperand(1)), *From = C.primal(I.getOperand(0));
    Constant *One = ConstantInt::get(By->getType(), 1);
    auto rest = [&](Value *Address) {
      return Shift ? C.B.CreateAnd(Address,
                                   C.B.CreateSub(C.B.CreateShl(One, By), One))
                   : C.B.CreateURem(Address, By);
    };
    C.L.map(C.B, {C.dual(I.getOperand(0))},
            [&](ArrayRef<Value *> D) -> Value * {
              emitRuntimeStopIf(
                  C.B, C.B.CreateICmpNE(rest(From), rest(D[0])),
                  "an address is divided, and its shadow leaves another rest: "
                  "the quotient does not lead to the shadow");
              return nullptr;
            });
  }

  /// What is left of an address by a remainder, or by a mask: a number where
  /// that keeps a few low bits, an aligned address where it takes out a few.
  static void setMasked(const Instruction &I, const Value &Address,
                        const Value &Mask, ForwardSweepContext &C) {
    Value *Left = C.primal(&I);
    if (isAddressMark(I))
      return C.setDual(&I, C.L.map(C.B, {C.dual(&Address)},
                                   [&](ArrayRef<Value *>) { return Left; }));
    Value *M = C.primal(&Mask);
    Constant *Low = ConstantInt::get(M->getType(), MaxAddressMark);
    bool IsAnd = I.getOpcode() == Instruction::And;
    Value *KeepsLow = C.B.CreateICmpULE(M, Low);
    Value *TakesLow = C.B.CreateICmpUGE(M, ConstantExpr::getNot(Low));
    Value *Distance = C.B.CreateSub(Left, C.primal(&Address));
    C.setDual(&I, C.L.map(C.B, {C.dual(&Address)}, [&](ArrayRef<Value *> D) {
      Value *Else =
          C.B.CreateBinOp(Instruction::BinaryOps(I.getOpcode()), D[0], M);
      if (IsAnd)
        Else = C.B.CreateSelect(TakesLow, moved(D[0], Distance, C), Else);
      return C.B.CreateSelect(KeepsLow, Left, Else);
    }));
  }

  /// \p Address + \p Distance, of which an outer derivative sees at once that
  /// the distance is a number: it stands where only an index can. (The call
  /// keeps LLVM from making a sum of it.)
  static Value *moved(Value *Address, Value *Distance, EmitContext &C) {
    Type *Int = Address->getType(), *Ptr = C.B.getPtrTy();
    if (Int != C.dataLayout().getIntPtrType(Ptr))
      return C.B.CreateAdd(Address, Distance);
    Value *To = C.B.CreatePtrAdd(C.B.CreateIntToPtr(Address, Ptr), Distance);
    return C.B.CreatePtrToInt(C.B.CreateStripInvariantGroup(To), Int);
  }

  /// How the dual is computed, and from which operands that are addresses.
  struct Form {
    enum { Distance, Same, Masked, Unknown } How;
    bool Left, Right;
  };

  static Form classify(const Instruction &I, const RuleContext &C) {
    const Value *A = I.getOperand(0), *B = I.getOperand(1);
    Form F{Form::Unknown, C.hasShadow(A), C.hasShadow(B)};
    if (isOfHalves(I, C)) {
      if (F.Left && F.Right)
        F.How = Form::Same;
      return F;
    }
    if (F.Left && F.Right) {
      // Either may be a number that lay beside addresses in memory.
      AddressDual OfA = addressDualOf(*A, C.facts()),
                  OfB = addressDualOf(*B, C.facts());
      F.Left = OfA == AddressDual::Exact;
      F.Right = OfB == AddressDual::Exact;
      if (OfA == AddressDual::Unclear || OfB == AddressDual::Unclear ||
          !(F.Left || F.Right))
        return F;
    }
    F.How = F.Left || F.Right ? howOf(I, F.Left && F.Right, F.Left, C)
                              : Form::Same; // of numbers
    return F;
  }

  /// Puts two halves of an address together: then both have duals.
  static bool isOfHalves(const Instruction &I, const RuleContext &C) {
    if (I.getOpcode() != Instruction::Or && I.getOpcode() != Instruction::Add)
      return false;
    unsigned Half = C.dataLayout().getPointerSizeInBits() / 2;
    for (unsigned K = 0; K < 2; ++K) {
      const Value *High = I.getOperand(K), *Low = I.getOperand(1 - K);
      if (!isa<Constant>(High) &&
          computeKnownBits(High, C.dataLayout()).countMinTrailingZeros() >=
              Half &&
          (C.hasShadow(High) ||
           computeKnownBits(Low, C.dataLayout()).countMinLeadingZeros() >=
               Half))
        return true;
    }
    return false;
  }

  static decltype(Form::How) howOf(const Instruction &I, bool Both, bool Left,
                                   const RuleContext &C) {
    const Value *A = I.getOperand(0), *B = I.getOperand(1);
    switch (I.getOpcode()) {
    case Instruction::Add:
      return Both ? Form::Same : Form::Distance;
    case Instruction::Sub:
      return Left && !Both ? Form::Distance : Form::Same;
    case Instruction::Xor:
      return Form::Same;
    case Instruction::Or:
      if (!Both)
        return Form::Distance;
      return haveNoCommonBitsSet(A, B, SimplifyQuery(C.dataLayout()))
                 ? Form::Same
                 : Form::Unknown;
    case Instruction::And:
      if (Both)
        return Form::Unknown;
      return takesEnd(*(Left ? B : A)) ? Form::Same : Form::Masked;
    case Instruction::URem:
    case Instruction::SRem:
      return Left && !Both ? Form::Masked : Form::Unknown;
    case Instruction::Mul:
      return Both ? Form::Unknown : Form::Same;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::UDiv:
    case Instruction::SDiv:
      return Left && !Both ? Form::Same : Form::Unknown;
    default:
      return Form::Unknown;
    }
  }

  /// A mask that keeps the low end of an address, or its upper half.
  static bool takesEnd(const Value &Mask) {
    auto *C = dyn_cast<ConstantInt>(&Mask);
    if (!C || C->getValue().ule(MaxAddressMark))
      return false;
    return C->getValue()[0] ||
           C->getValue().countr_zero() >= C->getBitWidth() / 2;
  }
};

///   q = ptrmask p, n     dq = dp + (q - p)
///   j = f i, ..          dj = f di, ..     (byte swaps, rotations)
class AddressIntrinsicRule : public Rule {
public:
  void needs(const Instruction &, NeedsContext &) const override {}

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    auto &Call = cast<IntrinsicInst>(I);
    const Value *From = Call.getArgOperand(0);
    if (Call.getIntrinsicID() == Intrinsic::ptrmask) {
      Type *Int = C.dataLayout().getIntPtrType(I.getType());
      Value *Distance = C.B.CreateSub(C.B.CreatePtrToInt(C.primal(&I), Int),
                                      C.B.CreatePtrToInt(C.primal(From), Int));
      C.setDual(&I, C.L.map(C.B, {C.dual(From)}, [&](ArrayRef<Value *> D) {
        return C.B.CreatePtrAdd(D[0], Distance);
      }));
      return;
    }
    SmallVector<Value *, 3> Duals;
    for (const Value *Arg : Call.args())
      Duals.push_back(C.dualFor(I, Arg));
    C.setDual(&I, C.L.map(C.B, Duals, [&](ArrayRef<Value *> D) {
      return C.B.CreateIntrinsic(Call.getIntrinsicID(), {I.getType()}, D);
    }));
  }

  void reverse(const Instruction &, ReverseContext &) const override {}
};

} // namespace

bool isAddressIntrinsic(const CallBase &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::ptrmask:
    return Call.getType()->isPointerTy();
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return Call.getType()->isIntegerTy();
  default:
    return false;
  }
}

const Rule &addressIntrinsicRule() {
  static const AddressIntrinsicRule R;
  return R;
}

const Rule &addressRule() {
  static const AddressRule R;
  return R;
}

const Rule &pointerRule() {
  static const PointerRule R;
  return R;
}

} // namespace adze
