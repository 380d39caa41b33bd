// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   static uint32_t low(double v) { return bits(v); }
//   static double join(uint32_t low, uint32_t high);
//
// Small functions that take floats apart, and hand out or take the parts,
// become parts of the functions that call them: what they do together is the
// move of a whole float (JoinParts.cpp). Adjoints of parts, each of a call of
// its own, could not be added.
#include "Prepare/Stages.h"
#include "adze/GivenDerivatives.h"
#include "adze/HeaderBodies.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

namespace {

/// Functions that are worth it are of this size without optimization.
constexpr unsigned MostInstructions = 120, MostDepth = 4;
/// So far may a function grow.
constexpr unsigned MostInstructionsOfAll = 20000;

/// A float and an integer take turns in one place: bit casts, and variables
/// that are accessed as both.
class Puns {
public:
  explicit Puns(const Function &F) : DL(F.getDataLayout()) {
    for (const Instruction &I : instructions(F))
      visit(I);
    // What is copied from variable to variable is there, too.
    for (unsigned Round = 0; Round < 2; ++Round)
      for (auto [A, B] : Copies) {
        Uses Both = Of[A] | Of[B];
        Of[A] = Of[B] = Both;
      }
  }

  bool any() const {
    return Casts || any_of(Of, [](const auto &Place) {
             return Place.second == (Float | Integer);
           });
  }

private:
  using Place = std::pair<const AllocaInst *, int64_t>;
  using Uses = unsigned;
  enum : Uses { Float = 1, Integer = 2 };

  void visit(const Instruction &I) {
    if (auto *Cast = dyn_cast<BitCastInst>(&I)) {
      Casts |= Cast->getSrcTy()->isFloatingPointTy() !=
               Cast->getDestTy()->isFloatingPointTy();
      return;
    }
    if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
      std::optional<Place> To = placeOf(Copy->getArgOperand(0));
      std::optional<Place> From = placeOf(Copy->getArgOperand(1));
      if (To && From && isa<ConstantInt>(Copy->getLength()))
        Copies.push_back({*To, *From});
      return;
    }
    if (!isa<LoadInst, StoreInst>(I))
      return;
    const Type *Ty =
        isa<StoreInst>(I) ? I.getOperand(0)->getType() : I.getType();
    std::optional<Place> P = placeOf(getLoadStorePointerOperand(&I));
    if (!P || !(Ty->isFloatingPointTy() || Ty->isIntegerTy()))
      return;
    // (Parts of one word are at one place.)
    P->second &= -int64_t(sizeof(double));
    Of[*P] |= Ty->isIntegerTy() ? Uses(Integer) : Uses(Float);
  }

  /// Of elements that the run knows, the first.
  std::optional<Place> placeOf(const Value *Ptr) const {
    int64_t Offset = 0;
    while (auto *Step = dyn_cast<GEPOperator>(Ptr)) {
      APInt By(DL.getIndexTypeSizeInBits(Step->getType()), 0);
      if (Step->accumulateConstantOffset(DL, By))
        Offset += By.getSExtValue();
      Ptr = Step->getPointerOperand();
    }
    auto *Slot = dyn_cast<AllocaInst>(Ptr);
    return Slot ? std::optional(Place(Slot, Offset)) : std::nullopt;
  }

  const DataLayout &DL;
  bool Casts = false;
  DenseMap<Place, Uses> Of;
  SmallVector<std::pair<Place, Place>, 4> Copies;
};

bool hasIntegers(Type *Ty) {
  if (auto *S = dyn_cast<StructType>(Ty))
    return any_of(S->elements(), hasIntegers);
  if (auto *A = dyn_cast<ArrayType>(Ty))
    return hasIntegers(A->getElementType());
  return Ty->isIntegerTy() && Ty->getIntegerBitWidth() % 8 == 0;
}

/// What is declared of a function would be lost where it becomes a part of
/// another one, and what it throws or catches is looked at for functions.
bool mayBecomePart(const CallInst &Call, const Function &F) {
  return !F.isDeclaration() && !F.isInterposable() && !isOwn(F) &&
         !F.isVarArg() && F.getFunctionType() == Call.getFunctionType() &&
         F.getInstructionCount() <= MostInstructions && !lookupKnown(Call) &&
         !isDeclaredInactive(F) && !isDeclaredInactive(Call) &&
         !given::hasAny(F) && !hasBodyBesideHeader(F) && !F.hasPersonalityFn();
}

class PartInliner {
public:
  explicit PartInliner(Function &F) : F(F) {}

  void run() {
    for (unsigned Round = 0; Round < MostDepth; ++Round) {
      SmallVector<CallInst *, 8> Calls;
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallInst>(&I); Call && isOfParts(*Call))
          Calls.push_back(Call);
      if (Calls.empty())
        return;
      for (CallInst *Call : Calls)
        if (F.getInstructionCount() <= MostInstructionsOfAll) {
          InlineFunctionInfo Info;
          InlineFunction(*Call, Info);
        }
    }
  }

private:
  bool isOfParts(const CallInst &Call) {
    const Function *Callee = Call.getCalledFunction();
    return Callee && Callee != &F && handsParts(*Callee) &&
           mayBecomePart(Call, *Callee) && puns(*Callee, MostDepth);
  }

  static bool handsParts(const Function &Of) {
    return hasIntegers(Of.getReturnType()) ||
           any_of(Of.args(),
                  [](const Argument &A) { return hasIntegers(A.getType()); });
  }

  /// \p Of takes floats apart or puts them together, or calls what does.
  bool puns(const Function &Of, unsigned Depth) {
    if (Of.isDeclaration() || Of.getInstructionCount() > MostInstructions)
      return false;
    auto [It, Fresh] = Known.try_emplace({&Of, Depth}, false);
    if (!Fresh)
      return It->second;
    bool Result = Puns(Of).any();
    for (const Instruction &I : instructions(Of)) {
      auto *Call = dyn_cast<CallInst>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Result || !Callee || Depth == 0 || isa<IntrinsicInst>(Call))
        continue;
      Result = handsParts(*Callee) && mayBecomePart(*Call, *Callee) &&
               puns(*Callee, Depth - 1);
    }
    return Known[{&Of, Depth}] = Result;
  }

  Function &F;
  DenseMap<std::pair<const Function *, unsigned>, bool> Known;
};

} // namespace

void inlineParts(Function &F) { PartInliner(F).run(); }

} // namespace adze
