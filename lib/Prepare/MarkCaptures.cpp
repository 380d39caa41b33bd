// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls say of the addresses that they are given whether the callee may put
// them away. LLVM's passes have found that out for functions that are called;
// not for regions of OpenMP, which the runtime calls, nor in code that is not
// optimized, where parameters are kept in variables.
//
// An address is followed through such variables, and through those of which a
// region gets the address: a *place* is a pointer that leads to the address by
// so many loads.
//
// Assumes nothing; afterwards arguments of calls may be nocapture.
#include "Prepare/Stages.h"
#include "adze/Tasks.h"
#include "adze/Teams.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

constexpr unsigned MaxLoads = 3, MaxDepth = 32;
constexpr size_t MaxPlaces = 2000;

class CaptureFinder {
public:
  /// \p Callee, or whom it calls, may put away what its argument \p Number
  /// leads to by so many loads.
  bool captures(const Function &Callee, unsigned Number, unsigned Loads);

private:
  class Walk;
  DenseMap<std::pair<const Argument *, unsigned>, bool> Known;
  unsigned Depth = 0;
};

/// Through the uses of one argument.
class CaptureFinder::Walk {
public:
  explicit Walk(CaptureFinder &Finder) : Finder(Finder) {}

  bool mayCapture(const Argument &Arg, unsigned Loads);

private:
  bool mayCapture(const Use &U, unsigned Loads);
  bool mayCaptureByCall(const CallBase &Call, const Use &U, unsigned Loads);
  bool isKeptBy(const StoreInst &Store, unsigned Loads);
  void add(const Value &V, unsigned Loads) { Places.insert({&V, Loads}); }

  CaptureFinder &Finder;
  /// So many loads from a pointer give the address that is followed; 0: it is
  /// calculated from that.
  SetVector<std::pair<const Value *, unsigned>> Places;
  SmallVector<const ICmpInst *, 2> Compared;
};

bool CaptureFinder::Walk::mayCapture(const Argument &Arg, unsigned Loads) {
  add(Arg, Loads);
  for (size_t K = 0; K < Places.size(); ++K) {
    const auto [V, Behind] = Places[K];
    if (Places.size() > MaxPlaces)
      return true;
    for (const Use &U : V->uses())
      if (mayCapture(U, Behind))
        return true;
  }
  // Two addresses of one object tell nothing when they are compared.
  return any_of(Compared, [&](const ICmpInst *Compare) {
    return any_of(Compare->operands(), [&](const Use &Op) {
      return !isa<ConstantPointerNull>(Op) && !Places.contains({Op, 0});
    });
  });
}

/// Variables that hold one pointer each are followed. Whatever address is put
/// into one that leads to others, those stay the same.
bool CaptureFinder::Walk::isKeptBy(const StoreInst &Store, unsigned Loads) {
  auto *Variable = dyn_cast<AllocaInst>(Store.getPointerOperand());
  if (!Variable || !Variable->getAllocatedType()->isPointerTy() ||
      Variable->isArrayAllocation() || Loads == MaxLoads)
    return true;
  add(*Variable, Loads + 1);
  return false;
}

bool CaptureFinder::Walk::mayCaptureByCall(const CallBase &Call, const Use &U,
                                           unsigned Loads) {
  if (Call.isCallee(&U))
    return true;
  if (auto *Mark = dyn_cast<IntrinsicInst>(&Call);
      Mark && (Mark->isLifetimeStartOrEnd() || Mark->isDroppable()))
    return false;
  if (!Call.isArgOperand(&U))
    return true;
  unsigned Number = Call.getArgOperandNo(&U);
  if (Loads == 0 && Call.doesNotCapture(Number))
    return false;
  const Function *Callee = Call.getCalledFunction();
  if (const Function *Region = teams::forkedBy(Call)) {
    if (Number < teams::ForkFirst)
      return true;
    Number = teams::RuntimeArgs + Number - teams::ForkFirst;
    Callee = Region;
  }
  return !Callee || Callee->isDeclaration() || Number >= Callee->arg_size() ||
         Finder.captures(*Callee, Number, Loads);
}

bool CaptureFinder::Walk::mayCapture(const Use &U, unsigned Loads) {
  auto *I = cast<Instruction>(U.getUser());
  if (I->isVolatile())
    return true;
  switch (I->getOpcode()) {
  case Instruction::Load:
    // By parts an address may be read, too.
    if (Loads == 0)
      return false;
    if (!I->getType()->isPointerTy())
      return true;
    add(*I, Loads - 1);
    return false;
  case Instruction::Store:
    return U.getOperandNo() == 0 && isKeptBy(cast<StoreInst>(*I), Loads);
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return Loads > 0 || U.getOperandNo() != 0;
  case Instruction::GetElementPtr:
    if (Loads > 0 && !cast<GetElementPtrInst>(I)->hasAllZeroIndices())
      return true;
    [[fallthrough]];
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::AddrSpaceCast:
    if (!I->getType()->isPointerTy())
      return true;
    add(*I, Loads);
    return false;
  case Instruction::ICmp:
    if (Loads == 0)
      Compared.push_back(cast<ICmpInst>(I));
    return false;
  case Instruction::Call:
  case Instruction::Invoke:
    return mayCaptureByCall(cast<CallBase>(*I), U, Loads);
  default:
    return true;
  }
}

bool CaptureFinder::captures(const Function &Callee, unsigned Number,
                             unsigned Loads) {
  const Argument *Arg = Callee.getArg(Number);
  if (Callee.isVarArg() || !Arg->getType()->isPointerTy() ||
      Arg->hasPassPointeeByValueCopyAttr())
    return true;
  if (Loads == 0 && Arg->hasNoCaptureAttr())
    return false;
  auto [It, New] = Known.try_emplace({Arg, Loads}, true);
  if (!New)
    return It->second; // of a recursion: it may
  if (Depth == MaxDepth)
    return true;
  ++Depth;
  const bool May = Walk(*this).mayCapture(*Arg, Loads);
  --Depth;
  return Known[{Arg, Loads}] = May;
}

} // namespace

void markCaptures(Function &F) {
  // It is for what regions are given that this pays.
  if (!F.getParent()->getFunction("__kmpc_fork_call"))
    return;
  CaptureFinder Finder;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->isDeclaration() ||
        Callee->getFunctionType() != Call->getFunctionType() ||
        tasks::isTaskCall(*Call)) // which runs on behind its call
      continue;
    for (unsigned K = 0; K < Callee->arg_size(); ++K)
      if (Call->getArgOperand(K)->getType()->isPointerTy() &&
          !Call->doesNotCapture(K) && !Finder.captures(*Callee, K, 0))
        Call->addParamAttr(K, Attribute::NoCapture);
  }
}

} // namespace adze
