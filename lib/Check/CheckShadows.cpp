// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckShadows.h"
#include "ArgumentText.h"

#include "adze/KnownFunction.h"
#include "adze/RuntimeStop.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// An argument with its shadow.
struct Pair {
  const Argument *Arg;
  Value *Primal, *Shadow;
};

/// Memory by value gets its shadow from us.
bool isUsersPointer(const Argument &Arg) {
  return Arg.getType()->isPointerTy() && !Arg.hasByValAttr() &&
         !Arg.hasStructRetAttr();
}

std::vector<Pair> pairsOf(const Marker &M) {
  std::vector<Pair> Pairs;
  size_t Next = 0;
  for (const Argument &Arg : M.Req.Primal->args()) {
    bool HasShadow = hasShadowParam(M.Req.Args[Arg.getArgNo()]);
    if (Next + HasShadow >= M.Operands.size())
      break;
    Value *Primal = M.Operands[Next++];
    if (!HasShadow)
      continue;
    Value *Shadow = M.Operands[Next++];
    if (isUsersPointer(Arg) && Primal && Shadow &&
        Primal->getType() == Arg.getType() &&
        Shadow->getType() == Arg.getType())
      Pairs.push_back({&Arg, Primal, Shadow});
  }
  return Pairs;
}

/// How large the block at a pointer is, as far as the calling function shows.
class Extents {
public:
  Extents(Function &Caller, IRBuilder<> &B)
      : DT(Caller), DL(Caller.getParent()->getDataLayout()), B(B) {}

  /// The bytes of the block that \p V is the beginning of; null: not known.
  Value *bytesAt(Value *V) {
    V = V->stripPointerCasts();
    if (auto *Load = dyn_cast<LoadInst>(V))
      V = stored(*Load);
    if (auto *A = dyn_cast_or_null<AllocaInst>(V)) {
      std::optional<TypeSize> Size = A->getAllocationSize(DL);
      return Size && !Size->isScalable() ? B.getInt64(Size->getFixedValue())
                                         : nullptr;
    }
    if (auto *G = dyn_cast_or_null<GlobalVariable>(V))
      return G->hasDefinitiveInitializer()
                 ? B.getInt64(DL.getTypeAllocSize(G->getValueType()))
                 : nullptr;
    auto *Call = dyn_cast_or_null<CallBase>(V);
    return Call ? allocated(*Call) : nullptr;
  }

private:
  /// What unoptimized code keeps in a variable: \p Load reads a stack variable
  /// that is stored to once, right where the value comes into being. So no
  /// other, older value of the variable can be meant.
  Value *stored(LoadInst &Load) {
    auto *Variable = dyn_cast<AllocaInst>(Load.getPointerOperand());
    if (!Variable)
      return nullptr;
    StoreInst *Only = nullptr;
    for (User *U : Variable->users()) {
      if (isa<LoadInst>(U))
        continue;
      auto *Store = dyn_cast<StoreInst>(U);
      if (!Store || Only || Store->getValueOperand() == Variable)
        return nullptr;
      Only = Store;
    }
    if (!Only || !DT.dominates(Only, &Load))
      return nullptr;
    auto *Value =
        dyn_cast<Instruction>(Only->getValueOperand()->stripPointerCasts());
    return Value && Value->getParent() == Only->getParent() ? Value : nullptr;
  }

  Value *allocated(const CallBase &Call) {
    const KnownFunction *Known = lookupKnown(Call);
    if (!Known || !Known->returnsNewBlock() || Known->Allocation.SizeArg < 0)
      return nullptr;
    auto operand = [&](int Index) {
      return B.CreateZExtOrTrunc(Call.getArgOperand(Index), B.getInt64Ty());
    };
    Value *Bytes = operand(Known->Allocation.SizeArg);
    int Count = Known->Allocation.CountArg;
    return Count < 0 ? Bytes : B.CreateMul(Bytes, operand(Count));
  }

  DominatorTree DT;
  const DataLayout &DL;
  IRBuilder<> &B;
};

class ShadowChecks {
public:
  explicit ShadowChecks(const Marker &M)
      : M(M), B(M.Call), Sizes(*M.Call->getFunction(), B), Pairs(pairsOf(M)) {
    Place = sourcePlace(M.Call);
    if (!Place.empty())
      Place += ": ";
  }

  void run() {
    for (size_t I = 0; I != Pairs.size(); ++I) {
      checkNull(Pairs[I]);
      if (!mayBeSelfShadowed(*Pairs[I].Arg))
        checkSame(Pairs[I]);
      for (size_t K = 0; K != I && !isForward(); ++K)
        checkShared(Pairs[I], Pairs[K]);
      checkSize(Pairs[I]);
    }
  }

private:
  bool isForward() const { return M.Req.Kind.isForward(); }

  /// The pointer as its own shadow says that there is no derivative.
  bool mayBeSelfShadowed(const Argument &Arg) const {
    unsigned I = Arg.getArgNo();
    return M.Req.RuntimeActivity ||
           (I < M.Req.ArgumentFlags.size() &&
            (M.Req.ArgumentFlags[I] & MayBeSelfShadowed));
  }

  void checkNull(const Pair &P) {
    stopIf(B.CreateAnd(B.CreateIsNull(P.Shadow), B.CreateIsNotNull(P.Primal)),
           P, "is null, and the argument is not");
  }

  void checkSame(const Pair &P) {
    stopIf(B.CreateAnd(B.CreateICmpEQ(P.Shadow, P.Primal),
                       B.CreateIsNotNull(P.Primal)),
           P, "is the argument itself");
  }

  void checkShared(const Pair &P, const Pair &Other) {
    Value *Same = B.CreateAnd(B.CreateICmpEQ(P.Shadow, Other.Shadow),
                              B.CreateIsNotNull(P.Shadow));
    stopIf(B.CreateAnd(Same, B.CreateICmpNE(P.Primal, Other.Primal)), P,
           "is that of " + argumentText(*Other.Arg) + ", too");
  }

  void checkSize(const Pair &P) {
    Value *Wanted = Sizes.bytesAt(P.Primal);
    Value *Given = Wanted ? Sizes.bytesAt(P.Shadow) : nullptr;
    if (Given)
      stopIf(B.CreateICmpULT(Given, Wanted), P,
             "is smaller than what the argument points to");
  }

  void stopIf(Value *Wrong, const Pair &P, const std::string &How) {
    if (auto *Known = dyn_cast<ConstantInt>(Wrong); Known && Known->isZero())
      return;
    emitRuntimeStopIf(B, Wrong,
                      Place + "the shadow of " + argumentText(*P.Arg) +
                          " of '" + sourceName(*M.Req.Primal) + "' " + How);
  }

  const Marker &M;
  IRBuilder<> B;
  Extents Sizes;
  std::vector<Pair> Pairs;
  std::string Place;
};

} // namespace

void checkShadows(const Marker &M) {
  if (M.Half != SplitHalf::Size && !M.isRecording())
    ShadowChecks(M).run();
}

} // namespace adze
