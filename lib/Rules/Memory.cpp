// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores.
//
//   v = load p       dv = load dp           *dp += v'
//   store v, p       store dv, dp           v' += *dp;  *dp = 0
//
// Atomic ones as those of the one thread that runs the derivative: of their
// duals only the order within it is kept.
//
// Pointers stored to memory are followed by their shadows, stored to shadow
// memory; that happens going forward, also in the augmented primal. Where
// floats may have stood before that are shorter than an address (a union of
// float[2] and a pointer), going back the shadow's word becomes zero: their
// adjoints.
#include "FloatBits.h"
#include "FloatLeaves.h"
#include "RefuseTypes.h"
#include "Rules.h"
#include "Words.h"
#include "adze/AtomicSum.h"
#include "adze/DeviceTarget.h"
#include "adze/FloatsInAddresses.h"
#include "adze/PartialFloatWrites.h"
#include "adze/RuntimeStop.h"
#include "adze/ShadowAlign.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

namespace {

/// \p V is moved as words (Words.h).
bool isWord(const Value *V, const RuleContext &C) {
  return C.facts().Activity->isMovedWord(V) &&
         (C.hasShadow(V) || V->getType()->isPtrOrPtrVectorTy());
}

/// What could be an address is one: were it none, it would be a float of four
/// bytes, or a double too small to matter.
bool isTyped(const Value *V, const RuleContext &C) {
  return C.facts().DoublesAlone ||
         (C.facts().Types->scalarKind(V).isPointer() &&
          V->getType()->isIntOrIntVectorTy());
}

WordKind kindOf(const Value *V, const RuleContext &C) {
  return {isTyped(V, C), C.facts().DoublesAlone};
}

/// What words of shadow memory \p Place hold, of the type that \p I moves.
Value *loadWords(const Instruction &I, Value *Place, Align Align,
                 EmitContext &C) {
  Type *Ty = isa<StoreInst>(I) ? I.getOperand(0)->getType() : I.getType();
  return C.tagShadow(C.B.CreateAlignedLoad(Ty, Place, Align), I);
}

/// \p Pointers, one or a vector, must be none that is the bits of a float; of
/// one that is all but zero nobody can tell.
void stopIfFloat(Value *Pointers, EmitContext &C) {
  emitRuntimeStopIf(C.B, looksLikeFloat(C.B, asWords(C.B, Pointers)),
                    FloatAsPointer);
}

/// It is exchanged in one step.
bool isOneWord(const LoadInst &Load, const RuleContext &C) {
  return !Load.getType()->isVectorTy() && Load.getAlign() >= WordSize &&
         C.dataLayout().getTypeSizeInBits(Load.getType()) == 8 * WordSize;
}

/// No one instruction adds to it.
void refuseShared(const Instruction &I, NeedsContext &C) {
  std::string Text;
  raw_string_ostream(Text) << "threads may read the same " << *I.getType();
  C.refuse(I, Diag::InTeam, {Text});
}

/// What threads read and write atomically depends on their order.
bool refuseInTeam(const Instruction &I, NeedsContext &C) {
  if (C.facts().R.InTeam == TeamRole::None)
    return false;
  if (I.isAtomic())
    C.refuse(I, Diag::InTeam, {"an atomic read or write of active data"});
  return I.isAtomic();
}

class LoadRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    const Value *Pointer = cast<LoadInst>(I).getPointerOperand();
    if (loadsFloatAsAddress(I, *C.facts().Types) &&
        C.facts().Activity->mayHoldVaried(Pointer, 0, WordSize))
      return refuseFloatAsPointer(I, C);
    if (!C.isActive(&I))
      return;
    if (refuseInTeam(I, C))
      return;
    if (C.facts().mayBeShared(I) && !C.carriesFloats() &&
        (isWord(&I, C)
             ? !isOneWord(cast<LoadInst>(I), C) || isDevice(*I.getModule())
             : !atomicTypeOf(cast<LoadInst>(I), C.facts())))
      return refuseShared(I, C);
    if (const NearBounds *Near = C.facts().nearBounds(I)) {
      C.primal(Near->L->Counter);
      C.primal(Near->L->LastIteration);
    }
    if (isWord(&I, C)) {
      uint64_t Bytes = C.dataLayout().getTypeStoreSize(I.getType());
      if (!C.carriesFloats() &&
          (cast<LoadInst>(I).getAlign() < WordSize ||
           (I.getType()->isIntOrIntVectorTy() &&
            seesPointerOffGrid(*C.facts().Types, Pointer, 0, Bytes))))
        return refuseUnknown(I, Pointer, describe(&I), C);
      return C.shadow(Pointer);
    }
    Content In =
        contentOf(I.getType(), layoutOfBits(&I, C.facts()), C.dataLayout());
    // Bytes of unknown type are moved as bits (FloatBits.h), unless they may be
    // a pointer.
    if (In.Unknown && C.hasShadow(&I))
      return refuseUnknown(I, Pointer, describe(&I), C);
    if (In.Floats &&
        (refuseMixedFloats(I, Pointer, C) || refuseFloatPointer(I, Pointer, C)))
      return;
    C.shadow(Pointer);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (C.reversesLater() && mayBePartOfPointer(I, C))
      stopAtPointer(I, C);
    if ((passesPointer(I) || mayMoveFloat(I, C)) &&
        C.facts().Activity->mayHoldVaried(
            I.getOperand(0), 0, C.dataLayout().getTypeStoreSize(I.getType())))
      stopAtFloat(I, C);
    if (!C.carries(&I))
      return;
    auto &Load = cast<LoadInst>(I);
    const Value *Pointer = Load.getPointerOperand();
    bool Word = isWord(&I, C);
    bool OfFloats = C.isActive(&I) && C.carriesFloats() && !Word;
    C.setDual(
        &I,
        C.L.map(C.B, {C.dual(Pointer)}, [&](ArrayRef<Value *> D) -> Value * {
          LoadInst *New = C.B.CreateAlignedLoad(
              I.getType(), D[0], shadowAlign(Load), Load.isVolatile());
          New->setMetadata(LLVMContext::MD_tbaa,
                           I.getMetadata(LLVMContext::MD_tbaa));
          C.tagShadow(New, I);
          if (Word)
            return pointersIfSelfShadowed(Pointer, D[0], New, C);
          return OfFloats ? C.zeroIfSelfShadowed(Pointer, D[0], New) : New;
        }));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (!C.isActive(&I))
      return;
    auto &Load = cast<LoadInst>(I);
    Value *Adjoint = C.takeAdjoint(&I);
    if (!Adjoint)
      return;
    const Value *Pointer = Load.getPointerOperand();
    Value *Place = C.L.map(C.B, {C.shadow(Pointer)}, [&](ArrayRef<Value *> D) {
      return C.writable(Pointer, D[0], I.getType());
    });
    if (!isWord(&I, C))
      return C.accumulate(Load, Place, Adjoint);
    C.L.map(C.B, {Place, Adjoint}, [&](ArrayRef<Value *> D) -> Value * {
      if (C.facts().mayBeShared(I)) {
        C.B.GetInsertBlock()->getParent()->addFnAttr(AddsPartsOfFloats);
        C.B.CreateCall(
            sharedWordSum(C.module(), isTyped(&I, C), C.facts().DoublesAlone),
            {D[0], asWords(C.B, D[1])});
        return nullptr;
      }
      addWordTo(C.B, D[0], D[1], kindOf(&I, C));
      return nullptr;
    });
  }

private:
  /// Where \p Pointer is self-shadowed, \p V was read from the primal's own
  /// memory: floats there are constant, and pointers self-shadowed.
  static Value *pointersIfSelfShadowed(const Value *Pointer, Value *Shadow,
                                       Value *V, ForwardSweepContext &C) {
    Value *Self = C.isSelfShadowed(Pointer, Shadow);
    if (!Self)
      return V;
    Value *Words = asWords(C.B, V);
    Value *Kept = C.B.CreateSelect(looksLikeAddress(C.B, Words), Words,
                                   Constant::getNullValue(Words->getType()));
    return C.B.CreateSelect(Self, fromWords(C.B, Kept, V->getType()), V);
  }

  /// \p I reads bits of unknown type, fewer than an address has, from memory
  /// where addresses with a shadow may stand.
  static bool mayBePartOfPointer(const Instruction &I, const RuleContext &C) {
    if (!C.isActive(&I) || C.hasShadow(&I))
      return false;
    const Value *Pointer = cast<LoadInst>(I).getPointerOperand();
    uint64_t Bytes = C.dataLayout().getTypeStoreSize(I.getType());
    return contentOf(I.getType(), layoutOfBits(&I, C.facts()), C.dataLayout())
               .Unknown &&
           C.facts().Activity->mayHoldShadows(Pointer, 0, Bytes);
  }

  /// Going forward no adjoint has come yet to memory of unknown type: what is
  /// not zero in its shadow belongs to an address. Nothing would carry it to
  /// where the primal puts the part that it reads here.
  static void stopAtPointer(const Instruction &I, ForwardSweepContext &C) {
    auto &Load = cast<LoadInst>(I);
    Type *Bits =
        C.B.getIntNTy(C.dataLayout().getTypeStoreSizeInBits(I.getType()));
    C.L.map(C.B, {C.dual(Load.getPointerOperand())},
            [&](ArrayRef<Value *> D) -> Value * {
              Value *Part = C.tagShadow(
                  C.B.CreateAlignedLoad(Bits, D[0], Load.getAlign()), I);
              emitRuntimeStopIf(C.B, C.B.CreateIsNotNull(Part),
                                "a part of an address is moved by itself: the "
                                "reverse pass would not know where it leads");
              return nullptr;
            });
  }

  /// Between memory and memory, and not as a word that has an adjoint.
  static bool mayMoveFloat(const Instruction &I, const RuleContext &C) {
    return passesFloat(I) && C.facts().Activity->mayBeActiveFloat(&I) &&
           !isWord(&I, C);
  }

  /// Types did not see a float where \p I loads a pointer that goes elsewhere,
  /// but there may be one. Its tangent tells as well, where it is zero itself;
  /// its adjoint does where it is stored (StoreRule) or becomes a float. (Where
  /// the shadow is computed again, what was read need not be at hand; it has
  /// been looked at.)
  static void stopAtFloat(const Instruction &I, ForwardSweepContext &C) {
    Value *Read = C.primal(&I);
    if (!Read)
      return;
    stopIfFloat(Read, C);
    const Value *Pointer = I.getOperand(0);
    if (C.reversesLater() || !C.carries(Pointer))
      return;
    C.L.map(C.B, {C.dual(Pointer)}, [&](ArrayRef<Value *> D) -> Value * {
      stopIfFloat(loadWords(I, D[0], shadowAlign(cast<LoadInst>(I)), C), C);
      return nullptr;
    });
  }
};

class StoreRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    auto &Store = cast<StoreInst>(I);
    if (!C.hasShadow(Store.getPointerOperand()))
      return;
    if (Store.getValueOperand()->getType()->isFPOrFPVectorTy() &&
        refuseInTeam(I, C))
      return;
    if (storesFloatAsAddress(I, *C.facts().Types) &&
        C.facts().Activity->mayHoldUseful(Store.getPointerOperand(), 0,
                                          WordSize))
      return refuseFloatAsPointer(I, C);
    if (isWord(Store.getValueOperand(), C) || coversFloats(Store, C) ||
        mayStoreFloat(Store, C))
      return C.shadow(Store.getPointerOperand());
    Content In = contentOf(Store, C);
    if (In.Unknown && C.hasShadow(Store.getValueOperand()) &&
        mayCarryFloats(Store, C))
      return refuseUnknown(
          I, Store.getPointerOperand(),
          "the value stored here, " + describe(Store.getValueOperand()), C);
    if (In.Floats && refuseMixedFloats(I, Store.getPointerOperand(), C))
      return;
    if (In.Floats || In.Unknown)
      C.shadow(Store.getPointerOperand());
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    auto &Store = cast<StoreInst>(I);
    if (!C.carries(Store.getPointerOperand()))
      return;
    if (C.reversesLater() && coversAddress(Store, C))
      clearAddress(Store, C);
    if (isWord(Store.getValueOperand(), C))
      return moveWords(Store, C);
    Content In = contentOf(Store, C);
    LeafStore Which;
    Which.Pointers = In.Pointers;
    Which.Floats = (In.Floats || In.Unknown) && C.carriesFloats();
    if (!Which.Pointers && !Which.Floats)
      return;
    const Value *V = Store.getValueOperand();
    BlockLayout Layout = layoutOf(Store, C);
    const Value *Pointer = Store.getPointerOperand();
    // Zeros, whatever type they are meant to have: see mayCarryFloats().
    bool Constant = Which.Floats && isa<ConstantData>(V);
    C.L.map(
        C.B, {C.dual(Pointer), C.dual(V)}, [&](ArrayRef<Value *> D) -> Value * {
          Value *Place = C.writable(Pointer, D[0], V->getType());
          if (V->getType()->isSingleValueType() && (!In.Unknown || Constant))
            C.tagShadow(C.B.CreateAlignedStore(D[1], Place, shadowAlign(Store),
                                               Store.isVolatile()),
                        I);
          else
            storeLeaves(C.B, D[1], V->getType(), Place, shadowAlign(Store),
                        Which, Layout, C.dataLayout());
          return nullptr;
        });
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    auto &Store = cast<StoreInst>(I);
    if (!C.hasShadow(Store.getPointerOperand()))
      return;
    if (isWord(Store.getValueOperand(), C))
      return takeWords(Store, C);
    if (mayStoreFloat(Store, C))
      stopAtAdjoint(Store, C);
    if (coversFloats(Store, C))
      return clearWord(Store, C);
    Content In = contentOf(Store, C);
    if (!In.Floats && !In.Unknown)
      return;
    const Value *V = Store.getValueOperand();
    Type *Ty = V->getType();
    BlockLayout Layout = layoutOf(Store, C);
    const Value *Pointer = Store.getPointerOperand();
    Value *Shadow = C.shadow(Pointer);
    if (C.isActive(V))
      C.addAdjoint(V, C.L.map(C.B, {Shadow}, [&](ArrayRef<Value *> D) {
        return C.zeroIfSelfShadowed(
            Pointer, D[0],
            C.tagShadow(C.B.CreateAlignedLoad(Ty, D[0], shadowAlign(Store)),
                        I));
      }));
    C.L.map(C.B, {Shadow}, [&](ArrayRef<Value *> D) -> Value * {
      Value *Place = C.writable(Pointer, D[0], Ty);
      bool Whole =
          !In.Pointers && !In.Others && (Ty->isSingleValueType() || In.Unknown);
      if (Whole)
        C.tagShadow(C.B.CreateAlignedStore(Constant::getNullValue(Ty), Place,
                                           shadowAlign(Store)),
                    I);
      else
        storeLeaves(C.B, nullptr, Ty, Place, shadowAlign(Store),
                    {/*Floats=*/true, /*Pointers=*/false}, Layout,
                    C.dataLayout());
      return nullptr;
    });
  }

private:
  /// Pointers that may be floats: what comes to where they are stored is for
  /// these.
  static bool mayStoreFloat(const StoreInst &S, const RuleContext &C) {
    const Value *V = S.getValueOperand();
    uint64_t Size = C.dataLayout().getTypeStoreSize(V->getType());
    return V->getType()->isPtrOrPtrVectorTy() && !isWord(V, C) &&
           C.facts().Activity->mayBeActiveFloat(V) &&
           C.facts().Activity->mayHoldUseful(S.getPointerOperand(), 0, Size);
  }

  static void stopAtAdjoint(const StoreInst &S, ReverseContext &C) {
    C.L.map(C.B, {C.shadow(S.getPointerOperand())},
            [&](ArrayRef<Value *> D) -> Value * {
              stopIfFloat(loadWords(S, D[0], shadowAlign(S), C), C);
              return nullptr;
            });
  }

  /// An address that may lie over adjoints of shorter floats.
  static bool coversFloats(const StoreInst &S, const RuleContext &C) {
    const Value *Pointer = S.getPointerOperand();
    Type *Ty = S.getValueOperand()->getType();
    uint64_t Size = C.dataLayout().getTypeStoreSize(Ty);
    return Ty->isPtrOrPtrVectorTy() &&
           C.facts().Activity->mayHoldVaried(Pointer, 0, Size) &&
           mayCoverFloats(*C.facts().Types, C.dataLayout(), Pointer, Size);
  }

  /// A float, or a number of fewer bytes than an address has, that may lie over
  /// the address of a shadow.
  static bool coversAddress(const StoreInst &S, const RuleContext &C) {
    const Value *Pointer = S.getPointerOperand(), *V = S.getValueOperand();
    Type *Ty = V->getType();
    uint64_t Size = C.dataLayout().getTypeStoreSize(Ty);
    const TypeInfo &Types = *C.facts().Types;
    bool Number = Ty->isIntegerTy() && Size < WordSize && !C.hasShadow(V) &&
                  !seesPointerOffGrid(Types, Pointer, 0, Size);
    return (Number ||
            (Ty->isFPOrFPVectorTy() && Ty->getScalarSizeInBits() < 64)) &&
           mayCoverAddress(Types, C.dataLayout(), Pointer, Size);
  }

  static void clearAddress(const StoreInst &S, ForwardSweepContext &C) {
    const Value *Pointer = S.getPointerOperand();
    uint64_t Size =
        C.dataLayout().getTypeStoreSize(S.getValueOperand()->getType());
    C.L.map(C.B, {C.dual(Pointer)}, [&](ArrayRef<Value *> D) -> Value * {
      IRBuilder<> &B = C.B;
      for (uint64_t Byte = 0; Byte < Size; Byte += WordSize) {
        // No llvm.ptrmask: see PartialFloatWrites.cpp.
        Value *At = B.CreateGEP(B.getInt8Ty(), D[0], B.getInt64(Byte));
        Value *Within = B.CreateAnd(B.CreatePtrToInt(At, B.getInt64Ty()),
                                    B.getInt64(WordSize - 1));
        At = B.CreateGEP(B.getInt8Ty(), At, B.CreateNeg(Within));
        Value *Self = C.isSelfShadowed(Pointer, D[0]);
        Value *Word = B.CreateAlignedLoad(B.getInt64Ty(), At, Align(1));
        Value *Stale = looksLikeAddress(B, Word);
        if (Self)
          Stale = B.CreateAnd(Stale, B.CreateNot(Self));
        B.CreateAlignedStore(B.CreateSelect(Stale, B.getInt64(0), Word), At,
                             Align(1));
      }
      return nullptr;
    });
  }

  static void clearWord(const StoreInst &S, ReverseContext &C) {
    const Value *Pointer = S.getPointerOperand();
    Type *Ty = S.getValueOperand()->getType();
    C.L.map(C.B, {C.shadow(Pointer)}, [&](ArrayRef<Value *> D) -> Value * {
      C.tagShadow(C.B.CreateAlignedStore(Constant::getNullValue(Ty),
                                         C.writable(Pointer, D[0], Ty),
                                         shadowAlign(S)),
                  S);
      return nullptr;
    });
  }

  static void moveWords(const StoreInst &S, ForwardSweepContext &C) {
    const Value *V = S.getValueOperand(), *Pointer = S.getPointerOperand();
    bool Whole = C.carriesFloats();
    C.L.map(
        C.B, {C.dual(Pointer), C.dual(V)}, [&](ArrayRef<Value *> D) -> Value * {
          Value *Place = C.writable(Pointer, D[0], V->getType());
          if (Whole)
            C.tagShadow(C.B.CreateAlignedStore(D[1], Place, shadowAlign(S)), S);
          else
            moveWordTo(C.B, Place, D[1], kindOf(V, C));
          return nullptr;
        });
  }

  static void takeWords(const StoreInst &S, ReverseContext &C) {
    const Value *V = S.getValueOperand(), *Pointer = S.getPointerOperand();
    Type *Ty = V->getType();
    C.addAdjoint(V, C.L.map(C.B, {C.shadow(Pointer)}, [&](ArrayRef<Value *> D) {
      Value *Place = C.writable(Pointer, D[0], Ty);
      Value *Adjoint = takeWordFrom(C.B, Place, Ty, kindOf(V, C));
      if (coversFloats(S, C))
        C.tagShadow(C.B.CreateAlignedStore(Constant::getNullValue(Ty), Place,
                                           shadowAlign(S)),
                    S);
      Value *Self = C.isSelfShadowed(Pointer, D[0]);
      return Self ? C.B.CreateSelect(Self, Constant::getNullValue(Ty), Adjoint)
                  : Adjoint;
    }));
  }

  /// What is stored, by the value's own bits and, where they do not tell (a
  /// zero, an integer that nobody computes with), by the memory it goes to.
  static BlockLayout layoutOf(const StoreInst &S, const RuleContext &C) {
    const Value *V = S.getValueOperand();
    Type *Ty = V->getType();
    if (Ty->isFPOrFPVectorTy() || Ty->isPtrOrPtrVectorTy())
      return {};
    const TypeInfo &Types = *C.facts().Types;
    BlockLayout Layout = layoutOfBits(V, C.facts());
    uint64_t Size = C.dataLayout().getTypeStoreSize(Ty);
    const Value *Ptr = S.getPointerOperand();
    if (Layout.has(ConcreteType::Float) ||
        (C.isActive(V) && !Ty->isAggregateType()))
      return Layout;
    // A number may be stored where the bits of a float stood as a number.
    bool Bits = C.facts().Activity->mayHoldVariedBits(Ptr, 0, Size);
    if (Layout.has(ConcreteType::Integer))
      return Bits ? withoutNumbers(std::move(Layout)) : Layout;
    Layout = Types.memoryLayout(Ptr, Size);
    return Bits && !Layout.has(ConcreteType::Float)
               ? withoutNumbers(std::move(Layout))
               : Layout;
  }

  static Content contentOf(const StoreInst &S, const RuleContext &C) {
    const Value *V = S.getValueOperand();
    if (V->getType()->isIntegerTy() && C.hasShadow(V) && !C.isActive(V)) {
      Content Address;
      Address.Pointers = true;
      return Address;
    }
    return adze::contentOf(S.getValueOperand()->getType(), layoutOf(S, C),
                           C.dataLayout());
  }

  /// Bits of unknown type matter unless they are a constant, or computed from
  /// constants: these have no adjoint, and zeroing the shadow under it is right
  /// for floats and harmless for everything else (what was there is
  /// overwritten).
  static bool mayCarryFloats(const StoreInst &S, const RuleContext &C) {
    const Value *V = S.getValueOperand();
    return !isa<Constant>(V) &&
           C.facts().Types->valueLayout(V).has(ConcreteType::Unknown);
  }
};

} // namespace

const Rule &loadRule() {
  static const LoadRule R;
  return R;
}

const Rule &storeRule() {
  static const StoreRule R;
  return R;
}

} // namespace adze
