// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   static uint32_t low(double v) { return bits(v); }
//   static double join(uint32_t low, uint32_t high);
//
// Small functions that take floats apart, and hand out or take the parts,
// become parts of the functions that call them: what they do together is the
// move of a whole float (JoinParts.cpp). Adjoints of parts, each of a call of
// its own, could not be added.
//
// So do, in code for a GPU without optimization, small functions around
// exchanges between lanes and atomic operations, as CUDA's headers have them:
// what is done with the result decides on the rule. And so do functions with
// loops, and those that loops call: what such a loop keeps for the reverse pass
// must stand in one function with the memory for it (Emit/LaneTape.h).
#include "Prepare/Stages.h"
#include "adze/DeviceTarget.h"
#include "adze/FloatPuns.h"
#include "adze/GivenDerivatives.h"
#include "adze/HeaderBodies.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

namespace {

/// Functions that are worth it are of this size without optimization.
constexpr unsigned MostInstructions = 120, MostDepth = 4;
/// So far may a function grow.
constexpr unsigned MostInstructionsOfAll = 20000;

/// The loop \p F calls it in, or one of its own, may run as often as only the
/// run knows.
bool isOfLoop(const CallInst &Call, const LoopInfo &LI) {
  const Function *F = Call.getCalledFunction();
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> Backedges;
  FindFunctionBackedges(*F, Backedges);
  return !Backedges.empty() || LI.getLoopFor(Call.getParent());
}

bool hasIntegers(Type *Ty) {
  if (auto *S = dyn_cast<StructType>(Ty))
    return any_of(S->elements(), hasIntegers);
  if (auto *A = dyn_cast<ArrayType>(Ty))
    return hasIntegers(A->getElementType());
  return Ty->isIntegerTy() && Ty->getIntegerBitWidth() % 8 == 0;
}

/// What is declared of a function would be lost where it becomes a part of
/// another one, and what it throws or catches is looked at for functions.
bool mayBeInlined(const CallInst &Call, const Function &F) {
  return !F.isDeclaration() && !F.isInterposable() && !isOwn(F) &&
         !F.isVarArg() && F.getFunctionType() == Call.getFunctionType() &&
         !lookupKnown(Call) && !isDeclaredInactive(F) &&
         !isDeclaredInactive(Call) && !given::hasAny(F) &&
         !hasBodyBesideHeader(F) && !F.hasPersonalityFn();
}

/// Code with branches may read one word now as a float, now as something else,
/// which types tell apart as long as it is a function.
bool mayBecomePart(const CallInst &Call, const Function &F) {
  return F.size() == 1 && F.getInstructionCount() <= MostInstructions &&
         mayBeInlined(Call, F);
}

/// Straight code that moves bits of integers, and nothing else.
bool movesBits(const Function &F) {
  bool Moves = false;
  if (!hasIntegers(F.getReturnType()) ||
      any_of(F.args(),
             [](const Argument &A) { return !A.getType()->isIntegerTy(); }))
    return false;
  for (const Instruction &I : instructions(F)) {
    if (isa<CallBase>(I) ? !isa<IntrinsicInst>(I) : isa<CmpInst>(I))
      return false;
    Moves |= I.isShift() || isa<TruncInst>(I) || isa<IntrinsicInst>(I);
  }
  return Moves;
}

bool isExtremum(AtomicRMWInst::BinOp Op) {
  switch (Op) {
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
    return true;
  default:
    return false;
  }
}

class PartInliner {
public:
  explicit PartInliner(Function &F)
      : F(F), OnDevice(isDevice(*F.getParent())),
        OnAmdgpu(Triple(F.getParent()->getTargetTriple()).isAMDGPU()) {}

  void run() {
    for (unsigned Round = 0; Round < MostDepth; ++Round) {
      SmallVector<CallInst *, 8> Calls;
      const bool Apart = takesFloatsApart(F);
      const DominatorTree DT(F);
      const LoopInfo LI(DT);
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallInst>(&I);
            Call && (isOfParts(*Call, Apart) || loops(*Call, LI)))
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
  /// \p Apart: the function itself has parts of floats.
  bool isOfParts(const CallInst &Call, bool Apart) {
    const Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee == &F)
      return false;
    if (OnDevice && choosesExtremum(Call, *Callee, MostDepth))
      return true;
    if (!mayBecomePart(Call, *Callee))
      return false;
    return (OnDevice && exchanges(*Callee, MostDepth)) ||
           (handsParts(*Callee) &&
            (puns(*Callee, MostDepth) || (Apart && movesBits(*Callee))));
  }

  /// In code that nothing was inlined in. (On AMDGPU calls have no tape.)
  bool loops(const CallInst &Call, const LoopInfo &LI) const {
    const Function *Callee = Call.getCalledFunction();
    return OnDevice && Callee && Callee != &F && Callee->hasOptNone() &&
           mayBeInlined(Call, *Callee) && (OnAmdgpu || isOfLoop(Call, LI));
  }

  /// Code without optimization that does an atomic maximum or minimum, or calls
  /// what does: the barrier behind it stands in one function with it then
  /// (LowerExtrema.cpp).
  static bool choosesExtremum(const CallInst &Call, const Function &Of,
                              unsigned Depth) {
    if (!Of.hasOptNone() || Of.getInstructionCount() > MostInstructions ||
        !mayBeInlined(Call, Of))
      return false;
    return any_of(instructions(Of), [&](const Instruction &I) {
      if (auto *Change = dyn_cast<AtomicRMWInst>(&I))
        return isExtremum(Change->getOperation());
      auto *Inner = dyn_cast<CallInst>(&I);
      const Function *Callee = Inner ? Inner->getCalledFunction() : nullptr;
      return Callee && Depth > 0 && choosesExtremum(*Inner, *Callee, Depth - 1);
    });
  }

  /// Lanes or threads exchange values in \p Of, or in what it calls.
  bool exchanges(const Function &Of, unsigned Depth) {
    if (Of.isDeclaration() || Of.getInstructionCount() > MostInstructions)
      return false;
    auto [It, Fresh] = Exchanging.try_emplace({&Of, Depth}, false);
    if (!Fresh)
      return It->second;
    const bool Result = any_of(instructions(Of), [&](const Instruction &I) {
      auto *Call = dyn_cast<CallInst>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || Depth == 0)
        return I.isAtomic();
      return Callee->isIntrinsic()
                 ? Callee->isConvergent() && !I.getType()->isVoidTy()
                 : mayBecomePart(*Call, *Callee) &&
                       exchanges(*Callee, Depth - 1);
    });
    return Exchanging[{&Of, Depth}] = Result;
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
    bool Result = takesFloatsApart(Of);
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
  const bool OnDevice, OnAmdgpu;
  DenseMap<std::pair<const Function *, unsigned>, bool> Known, Exchanging;
};

} // namespace

void inlineParts(Function &F) { PartInliner(F).run(); }

} // namespace adze
