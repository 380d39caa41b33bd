// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes that hit a part of a float and leave the rest:
//
//   store i32 n, p + 4     of a double at p
//
// If the double was dead (a union, an arena used for something else), that is
// a write of a number, and its adjoint is zero: nothing has read it since. If
// it is read as a double afterwards, there is no derivative. Only the run of
// the program tells the two apart:
//
//   reverse: the adjoint of the whole float must be zero, or the program stops
//   forward: the tangent of the whole float becomes NaN, unless it is zero
//
// Where nobody knows where the float begins, that of the bytes that are
// overwritten must be: a number beside a float has none. If it stands on no
// grid either, these bytes alone become those of a NaN: a float that had its
// sign and exponent there is none any more, or one beyond all others.
//
// So do those bytes where types see no float at all, but one may have been
// stored to a place that only the run knows; and there, too, their adjoint must
// be zero.
//
// Where writes in a row overwrite all parts of it, both become zero.
#include "adze/PartialFloatWrites.h"
#include "AtomicContents.h"
#include "RefuseTypes.h"
#include "Rules.h"
#include "adze/RuntimeStop.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace adze {

namespace {

/// A store, an atomic operation, or a fill of constant length.
struct Write {
  const Value *Ptr = nullptr;
  uint64_t Size = 0;
  const Rule *Other = nullptr; // for what is not cut; null if it has no part

  Write(const Instruction &I, const DataLayout &DL) {
    if (auto *S = dyn_cast<StoreInst>(&I)) {
      Type *Ty = S->getValueOperand()->getType();
      if (!Ty->isIntOrIntVectorTy() && !Ty->isPtrOrPtrVectorTy())
        return;
      Ptr = S->getPointerOperand();
      Size = DL.getTypeStoreSize(Ty);
      // A byte alone is never taken for a part of a float.
      if (Ty->getScalarSizeInBits() >= 16 || Ty->isPtrOrPtrVectorTy())
        Other = &storeRule();
      return;
    }
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
      Type *Ty = newValueOf(I)->getType();
      if (!Ty->isIntegerTy())
        return;
      Ptr = I.getOperand(0);
      Size = DL.getTypeStoreSize(Ty);
      Other = &atomicBitsRule();
      return;
    }
    auto *Fill = dyn_cast<AnyMemSetInst>(&I);
    auto *Length = Fill ? dyn_cast<ConstantInt>(Fill->getLength()) : nullptr;
    if (!Length || Length->getValue().ugt(UINT32_MAX))
      return;
    Ptr = Fill->getRawDest();
    Size = Length->getZExtValue();
    Other = &blockSetRule();
  }
};

SmallVector<FloatCut, 2> cutsOf(const Instruction &I, const Write &W,
                                const Facts &F) {
  if (!W.Ptr || W.Size == 0 || !F.hasShadow(W.Ptr) ||
      !F.Activity->mayHoldVaried(W.Ptr, 0, W.Size) || isOfPartOfBlock(I, W.Ptr))
    return {};
  if (auto *S = dyn_cast<StoreInst>(&I); S && F.isActive(S->getValueOperand()))
    return {};
  return floatsCutBy(*F.Types, I.getDataLayout(), W.Ptr, W.Size);
}

/// Bytes [Begin, End) behind a pointer.
struct Span {
  const Value *Base;
  int64_t Begin, End;
};

Span spanOf(const Value *Ptr, uint64_t Size, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Ptr->getType()), 0);
  const Value *Base = Ptr->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  int64_t Begin = Offset.getSExtValue();
  return {Base, Begin, Begin + int64_t(Size)};
}

/// Writes just before \p I have overwritten the rest of the float with numbers:
/// a double that is put together of two constants, say. Nothing has read it in
/// between.
bool completes(const Instruction &I, const Write &W, const FloatCut &Cut,
               const Facts &F) {
  if (!Cut.Before)
    return false;
  const DataLayout &DL = I.getDataLayout();
  Span Own = spanOf(W.Ptr, W.Size, DL);
  int64_t Begin = Own.Begin - *Cut.Before;
  uint64_t Width = DL.getTypeStoreSize(Cut.Float);
  SmallVector<bool, 16> Written(Width, false);
  auto mark = [&](const Span &S) {
    for (uint64_t Byte = 0; Byte < Width; ++Byte)
      if (S.Begin <= Begin + int64_t(Byte) && Begin + int64_t(Byte) < S.End)
        Written[Byte] = true;
  };
  mark(Own);
  constexpr unsigned MaxLookedAt = 64;
  unsigned Left = MaxLookedAt;
  for (const Instruction *J = I.getPrevNode(); J && Left; --Left) {
    auto *Store = dyn_cast<StoreInst>(J);
    auto *Load = dyn_cast<LoadInst>(J);
    bool OfNumbers = Load && !F.isActive(Load) && !F.hasShadow(Load);
    if (Store) {
      Write Other(*J, DL);
      if (!Other.Ptr || F.isActive(Store->getValueOperand()))
        return false;
      Span S = spanOf(Other.Ptr, Other.Size, DL);
      if (S.Base != Own.Base)
        return false;
      mark(S);
      if (all_of(Written, [](bool Done) { return Done; }))
        return true;
    } else if (J->mayReadOrWriteMemory() && !OfNumbers) {
      return false;
    }
    J = J->getPrevNode();
  }
  return false;
}

/// A float in shadow memory, a part of which is overwritten.
struct Window {
  Value *At;
  Type *Float;
  Value *Counts;         // i1: it is cut, and memory of its own; null: always
  bool Certain = false;  // it is known where it begins
  bool Complete = false; // this write overwrites what was left of it
  bool OnGrid = true;    // see FloatCut::OnGrid
  bool MeetsPointer = false; // its bytes may be those of a shadow's address
};

/// Of \p Cut, on the lane \p Shadow of the address.
void windowsOf(EmitContext &C, const Write &W, const FloatCut &Cut,
               bool Certain, bool Complete, Value *Shadow,
               SmallVectorImpl<Window> &Out) {
  IRBuilder<> &B = C.B;
  Value *SelfShadowed = C.isSelfShadowed(W.Ptr, Shadow);
  Value *Own = SelfShadowed ? B.CreateNot(SelfShadowed) : nullptr;
  auto add = [&](Value *At, Value *IsCut) {
    Value *Counts = !IsCut ? Own : Own ? B.CreateAnd(Own, IsCut) : IsCut;
    // Where it does not count it need not be there either.
    Value *Elsewhere = C.writable(W.Ptr, Shadow, Cut.Float);
    Out.push_back(
        {SelfShadowed ? B.CreateSelect(SelfShadowed, Elsewhere, At) : At,
         Cut.Float, Counts, Certain, Complete, Cut.OnGrid, Cut.MeetsPointer});
  };
  if (Cut.Before) {
    add(B.CreateGEP(B.getInt8Ty(), Shadow, B.getInt64(-*Cut.Before)), nullptr);
    return;
  }
  // On the grid of the float: that of the first byte, and of the last.
  uint64_t Width = C.dataLayout().getTypeAllocSize(Cut.Float);
  for (uint64_t Byte : {uint64_t(0), W.Size - 1}) {
    Value *At = B.CreateGEP(B.getInt8Ty(), Shadow, B.getInt64(Byte));
    Value *Within = B.getInt64(Width - 1);
    Value *IsCut = nullptr;
    if (W.Size >= Width) { // unless the write begins (ends) between floats
      Value *Edge =
          B.CreatePtrToInt(B.CreateGEP(B.getInt8Ty(), Shadow,
                                       B.getInt64(Byte == 0 ? 0 : W.Size)),
                           B.getInt64Ty());
      IsCut = B.CreateICmpNE(B.CreateAnd(Edge, Within), B.getInt64(0));
    }
    // (No llvm.ptrmask: BasicAA of LLVM 19 takes its result for its operand,
    // and a load there for what was stored here.)
    Value *Rest = B.CreateAnd(B.CreatePtrToInt(At, B.getInt64Ty()), Within);
    add(B.CreateGEP(B.getInt8Ty(), At, B.CreateNeg(Rest)), IsCut);
    if (W.Size == 1)
      break;
  }
}

/// It is known where the float begins: no other that is cut, too, would overlap
/// with it, and no address.
bool isCertain(const FloatCut &Cut, ArrayRef<FloatCut> Cuts,
               const DataLayout &DL) {
  auto size = [&](const FloatCut &F) {
    return int64_t(DL.getTypeStoreSize(F.Float));
  };
  return Cut.Before && Cut.Everywhere && !Cut.MeetsPointer &&
         all_of(Cuts, [&](const FloatCut &Other) {
           if (Other == Cut)
             return true;
           return Other.Before && (*Other.Before - size(Other) >= *Cut.Before ||
                                   *Cut.Before - size(Cut) >= *Other.Before);
         });
}

/// i1: the float at \p W has a dual, or, where nobody knows where it begins,
/// those of its bytes that are overwritten, \p Size from \p Begin on: what is
/// written beside floats overwrites no dual.
Value *isUsed(EmitContext &C, const Window &W, Value *Begin, uint64_t Size) {
  IRBuilder<> &B = C.B;
  if (W.Certain) {
    Value *Dual = B.CreateAlignedLoad(W.Float, W.At, Align(1));
    Value *Used = B.CreateFCmpUNE(Dual, ConstantFP::get(W.Float, 0.0));
    return W.Counts ? B.CreateSelect(W.Counts, Used, B.getFalse()) : Used;
  }
  unsigned Bits = W.Float->getPrimitiveSizeInBits();
  Type *Int = B.getIntNTy(Bits), *Wide = B.getIntNTy(2 * Bits);
  Value *Distance = B.CreateSub(B.CreatePtrToInt(Begin, B.getInt64Ty()),
                                B.CreatePtrToInt(W.At, B.getInt64Ty()));
  auto onesFrom = [&](Value *Byte) {
    Byte = B.CreateBinaryIntrinsic(Intrinsic::smax, Byte, B.getInt64(0));
    Byte = B.CreateBinaryIntrinsic(Intrinsic::smin, Byte, B.getInt64(Bits / 8));
    Value *By = B.CreateZExtOrTrunc(B.CreateShl(Byte, 3), Wide);
    return B.CreateTrunc(B.CreateShl(Constant::getAllOnesValue(Wide), By), Int);
  };
  Value *End = B.CreateAdd(Distance, B.getInt64(Size));
  Value *Mask = B.CreateAnd(onesFrom(Distance), B.CreateNot(onesFrom(End)));
  Value *Dual = B.CreateAlignedLoad(Int, W.At, Align(1));
  Value *Used = B.CreateIsNotNull(B.CreateAnd(Dual, Mask));
  return W.Counts ? B.CreateSelect(W.Counts, Used, B.getFalse()) : Used;
}

/// \p I writes into an array of bytes, or to an address that need not be a
/// multiple of what it writes, or the float of \p Cut stands on no grid: a mark
/// where one is only supposed could hit the float beside it.
bool isPacked(const Instruction &I, const Write &W, const Window &Cut) {
  if (!Cut.OnGrid)
    return true;
  auto *S = dyn_cast<StoreInst>(&I);
  auto *Element = dyn_cast<GEPOperator>(W.Ptr);
  auto *Row =
      Element ? dyn_cast<ArrayType>(Element->getSourceElementType()) : nullptr;
  return (Row && Row->getElementType()->isIntegerTy(8)) ||
         (S && S->getAlign().value() < W.Size);
}

bool storesAddress(const Instruction &I, const EmitContext &C) {
  auto *S = dyn_cast<StoreInst>(&I);
  return S && (S->getValueOperand()->getType()->isPtrOrPtrVectorTy() ||
               C.hasShadow(S->getValueOperand()));
}

/// Bytes that \p W overwrites, of floats that begin nobody knows where.
void markBytes(EmitContext &C, const Write &W, Value *Shadow) {
  IRBuilder<> &B = C.B;
  constexpr uint64_t MostBytes = 16; // a fill beyond is of whole floats mostly
  if (W.Size > MostBytes)
    return;
  Type *Bytes = B.getIntNTy(W.Size * 8);
  Value *At = C.writable(W.Ptr, Shadow, Bytes);
  Value *Old = B.CreateAlignedLoad(Bytes, At, Align(1));
  Value *New = B.CreateSelect(B.CreateIsNotNull(Old),
                              Constant::getAllOnesValue(Bytes), Old);
  B.CreateAlignedStore(New, At, Align(1));
}

/// A NaN of ones alone: where types took other bytes for a float, one that has
/// its sign and exponent among these is no number either.
Constant *markOf(Type *Float) {
  return ConstantFP::get(Float,
                         APFloat::getAllOnesValue(Float->getFltSemantics()));
}

void stopIf(const Instruction &I, Value *Used, EmitContext &C) {
  std::string Place = sourcePlace(&I);
  if (!Place.empty())
    Place += ": ";
  emitRuntimeStopIf(C.B, Used, Place + PartOverwritten);
}

class CutRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    Write W(I, C.dataLayout());
    if (const Rule *Other = otherRule(I, W, C))
      Other->needs(I, C);
    C.shadow(W.Ptr);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    Write W(I, C.dataLayout());
    SmallVector<Window, 4> Windows;
    SmallVector<Value *, 4> Used;
    SmallSetVector<Value *, 2> ByBytes;
    if (C.carries(W.Ptr) && C.carriesFloats())
      forEachWindow(
          I, W, C, C.dual(W.Ptr), [&](const Window &Cut, Value *Begin) {
            if (Cut.MeetsPointer ||
                (!Cut.Certain && !Cut.Complete && isPacked(I, W, Cut))) {
              if (!Cut.Complete && !storesAddress(I, C))
                ByBytes.insert(Begin);
              return;
            }
            Windows.push_back(Cut);
            Used.push_back(Cut.Complete ? nullptr
                                        : isUsed(C, Cut, Begin, W.Size));
          });
    if (const Rule *Other = otherRule(I, W, C))
      Other->propagate(I, C);
    for (Value *Begin : ByBytes)
      markBytes(C, W, Begin);
    for (auto [Cut, IsUsed] : zip(Windows, Used)) {
      Value *New = ConstantFP::get(Cut.Float, 0.0);
      if (IsUsed)
        New = C.B.CreateSelect(
            IsUsed, markOf(Cut.Float),
            C.B.CreateAlignedLoad(Cut.Float, Cut.At, Align(1)));
      C.B.CreateAlignedStore(New, Cut.At, Align(1));
    }
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Write W(I, C.dataLayout());
    Value *Any = nullptr;
    forEachWindow(I, W, C, C.shadow(W.Ptr),
                  [&](const Window &Cut, Value *Begin) {
                    if (Cut.Complete && !Cut.MeetsPointer) {
                      C.B.CreateAlignedStore(ConstantFP::get(Cut.Float, 0.0),
                                             Cut.At, Align(1));
                      return;
                    }
                    Value *Used = isUsed(C, Cut, Begin, W.Size);
                    Any = Any ? C.B.CreateOr(Any, Used) : Used;
                  });
    if (Any)
      stopIf(I, Any, C);
    if (const Rule *Other = otherRule(I, W, C))
      Other->reverse(I, C);
  }

private:
  /// The rule for what is not cut; null if the write lies within one float.
  static const Rule *otherRule(const Instruction &I, const Write &W,
                               const RuleContext &C) {
    SmallVector<FloatCut, 2> Cuts = cutsOf(I, W, C.facts());
    bool Within = any_of(Cuts, [](const FloatCut &Cut) { return Cut.Inside; });
    return Within ? nullptr : W.Other;
  }

  static void forEachWindow(const Instruction &I, const Write &W,
                            EmitContext &C, Value *Shadow,
                            function_ref<void(const Window &, Value *)> Body) {
    SmallVector<FloatCut, 2> Cuts = cutsOf(I, W, C.facts());
    C.L.map(C.B, {Shadow}, [&](ArrayRef<Value *> D) -> Value * {
      for (const FloatCut &Cut : Cuts) {
        SmallVector<Window, 2> Windows;
        windowsOf(C, W, Cut, isCertain(Cut, Cuts, C.dataLayout()),
                  completes(I, W, Cut, C.facts()), D[0], Windows);
        for (const Window &Found : Windows)
          Body(Found, D[0]);
      }
      return nullptr;
    });
  }
};

/// A number where types see no float at all, though there may be one.
class LooseRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    C.shadow(Write(I, C.dataLayout()).Ptr);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    Write W(I, C.dataLayout());
    if (!C.carries(W.Ptr) || !C.carriesFloats())
      return;
    C.L.map(C.B, {C.dual(W.Ptr)}, [&](ArrayRef<Value *> D) -> Value * {
      markBytes(C, W, D[0]);
      return nullptr;
    });
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Write W(I, C.dataLayout());
    IRBuilder<> &B = C.B;
    Type *Bytes = B.getIntNTy(W.Size * 8);
    C.L.map(B, {C.shadow(W.Ptr)}, [&](ArrayRef<Value *> D) -> Value * {
      Value *At = C.writable(W.Ptr, D[0], Bytes);
      Value *Used = B.CreateIsNotNull(B.CreateAlignedLoad(Bytes, At, Align(1)));
      if (Value *Self = C.isSelfShadowed(W.Ptr, D[0]))
        Used = B.CreateAnd(Used, B.CreateNot(Self));
      stopIf(I, Used, C);
      return nullptr;
    });
  }
};

} // namespace

/// No other number is written near \p W, neither by another instruction nor by
/// \p I again: it is no piece of a float that is written piece by piece.
static bool isAlone(const Instruction &I, const Write &W, const Facts &F) {
  constexpr int64_t Near = 8;
  const DataLayout &DL = I.getDataLayout();
  const Value *Object = getUnderlyingObject(W.Ptr, /*MaxLookup=*/0);
  if (!isa<AllocaInst>(Object) && !isNoAliasCall(Object))
    return false;
  const BasicBlock *Home = cast<Instruction>(Object)->getParent();
  for (const LoopRecord *L = F.P->loopOf(I.getParent());
       L && !L->L->contains(Home); L = L->Parent)
    if (!L->L->isLoopInvariant(W.Ptr))
      return false;
  Span Own = spanOf(W.Ptr, W.Size, DL);
  return none_of(instructions(*I.getFunction()), [&](const Instruction &J) {
    Write Other(J, DL);
    if (&J == &I || !Other.Ptr || Other.Size >= Near ||
        getUnderlyingObject(Other.Ptr, /*MaxLookup=*/0) != Object)
      return false;
    Span S = spanOf(Other.Ptr, Other.Size, DL);
    return S.Base != Own.Base ||
           (S.Begin < Own.End + Near && Own.Begin < S.End + Near);
  });
}

/// A number is written where activity analysis says that there may be a float,
/// and types see none. What is only moved, and constants in a row, may be the
/// pieces of another float, which is constant.
static bool isLooseWrite(const Instruction &I, const Facts &F) {
  std::optional<uint64_t> Size = numberOffGrid(I);
  Write W(I, I.getDataLayout());
  if (!Size || !W.Ptr || !F.hasShadow(W.Ptr) ||
      !F.Activity->mayHoldVaried(W.Ptr, 0, *Size) ||
      F.Activity->mayHoldShadows(W.Ptr, 0, *Size))
    return false;
  auto *S = dyn_cast<StoreInst>(&I);
  const Value *V = S ? S->getValueOperand() : nullptr;
  if (V && (F.isActive(V) || F.hasShadow(V)))
    return false;
  bool Computed = V && !isa<Constant>(V) && F.Types->scalarKind(V).isInteger();
  bool Constant = !V || isa<llvm::Constant>(V);
  return (Computed || (Constant && isAlone(I, W, F))) &&
         seesNoFloatAround(*F.Types, I.getDataLayout(), W.Ptr);
}

const Rule *cutRule(const Instruction &I, const Facts &F) {
  static const CutRule R;
  static const LooseRule Loose;
  if (!cutsOf(I, Write(I, I.getDataLayout()), F).empty())
    return &R;
  return isLooseWrite(I, F) ? &Loose : nullptr;
}

} // namespace adze
