// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeviceLimits.h"
#include "adze/ActivityInfo.h"
#include "adze/CallPlan.h"
#include "adze/DeviceSync.h"
#include "adze/DeviceTarget.h"
#include "adze/GivenShadows.h"
#include "adze/KnownFunction.h"
#include "adze/Origin.h"
#include "adze/ParallelRuntime.h"
#include "adze/Primal.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

constexpr const char *MeetingCure =
    "exchange values through memory, with barriers between, or use forward "
    "mode";
constexpr const char *MemoryCure =
    "let helpers be inlined, or use forward mode";

class DeviceLimits {
public:
  DeviceLimits(const Facts &F, NeedsVisitor &Visitor)
      : F(F), Visitor(Visitor) {}

  void visit();

private:
  void visitVariables(const Instruction &I);
  void visitConstants(const Instruction &I);
  void visitWrites(const Instruction &I);
  void visitShared(const Instruction &I, const GlobalVariable &Variable);
  void visitMeeting(const Instruction &I);
  void visitMemory(const Instruction &I);
  void visitTape(const Instruction &I);
  void refuse(const Instruction &I, const std::string &What, const char *Cure) {
    const MissingFunction Text = deviceRefusal(What, Cure);
    Visitor.problem(I, Text.ID, Text.Args);
  }

  const Facts &F;
  NeedsVisitor &Visitor;
  SmallPtrSet<const Constant *, 16> Seen;
  DenseMap<const Function *, const Instruction *> ExchangeIn;
  std::optional<const Instruction *> MeetsInBlock;
};

/// The first instruction that \p Is, in \p From or in what it calls by name; or
/// null.
const Instruction *findWithin(const Function &From,
                              function_ref<bool(const Instruction &)> Is) {
  SetVector<const Function *> Functions;
  Functions.insert(&From);
  for (size_t Next = 0; Next < Functions.size(); ++Next)
    for (const Instruction &I : instructions(*Functions[Next])) {
      if (Is(I))
        return &I;
      auto *Call = dyn_cast<CallBase>(&I);
      if (const Function *Callee = Call ? Call->getCalledFunction() : nullptr)
        Functions.insert(Callee);
    }
  return nullptr;
}

/// The order in which threads come by decides what they do, and nothing keeps
/// it.
bool ordersBlocks(const Instruction &I) {
  return isUnknownExchange(I) || isLoneFence(I);
}

std::string nameOf(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call ? sourceName(*Call->getCalledFunction())
              : "a fence without a barrier of the block beside it";
}

void DeviceLimits::visitVariables(const Instruction &I) {
  SmallVector<const Constant *, 8> Work;
  auto add = [&](const User &U) {
    for (const Use &Op : U.operands())
      if (auto *C = dyn_cast<Constant>(Op); C && Seen.insert(C).second)
        Work.push_back(C);
  };
  add(I);
  while (!Work.empty()) {
    const Constant *C = Work.pop_back_val();
    auto *Variable = dyn_cast<GlobalVariable>(C);
    if (!Variable)
      add(*C);
    else if (!Variable->isConstant() && !isDeviceConstant(*Variable) &&
             !givenShadow(*Variable) && F.Activity->hasShadow(Variable))
      visitShared(I, *Variable);
  }
}

/// The shadow of a variable of constant memory lies elsewhere. Most addresses
/// are plain pointers by now (ShadowedConstants.cpp).
void DeviceLimits::visitConstants(const Instruction &I) {
  if (isa<AddrSpaceCastInst>(I) && I.getType()->getPointerAddressSpace() == 0)
    return;
  for (const Use &U : I.operands()) {
    auto *Variable = U->getType()->isPointerTy()
                         ? dyn_cast<GlobalVariable>(getUnderlyingObject(U))
                         : nullptr;
    if (Variable && isDeviceConstant(*Variable) && givenShadow(*Variable) &&
        U->getType()->getPointerAddressSpace() == Variable->getAddressSpace())
      return refuse(I,
                    sourceName(Variable->getName()) +
                        ", a variable of constant memory whose address leads "
                        "there alone",
                    "let the function that takes the address be inlined");
  }
}

/// Kernels that the host launches in differentiated code run again: what they
/// change must be put back before, and that is done for their arguments alone.
bool isLaunchedByHost(const Module &M) {
  return any_of(M, [](const Function &F) {
    return F.getName().starts_with("_ZN4adze3gpu") && isKernel(F);
  });
}

/// The variable of the device that \p I changes by name; null if there is none.
const GlobalVariable *changedVariable(const Instruction &I) {
  const Value *To = nullptr;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    To = Store->getPointerOperand();
  else if (auto *Block = dyn_cast<MemIntrinsic>(&I))
    To = Block->getDest();
  else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    To = I.getOperand(0);
  SmallVector<const Value *, 2> Objects;
  if (To)
    getUnderlyingObjects(To, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  for (const Value *Object : Objects)
    if (auto *Variable = dyn_cast<GlobalVariable>(Object);
        Variable && !isSharedVariable(*Variable) &&
        !Variable->getName().starts_with("adze"))
      return Variable;
  return nullptr;
}

void DeviceLimits::visitWrites(const Instruction &I) {
  if (!isLaunchedByHost(*I.getModule()))
    return;
  const GlobalVariable *Variable = changedVariable(I);
  // A function with a derivative is visited itself.
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (Callee && !F.Activity->isActiveInstruction(&I))
    if (const Instruction *Write = findWithin(
            *Callee, [](const Instruction &At) { return changedVariable(At); }))
      Variable = changedVariable(*Write);
  if (Variable)
    refuse(I,
           sourceName(Variable->getName()) +
               ", a variable of the device that a kernel changes, in a file "
               "with kernels that differentiated code launches",
           "pass its address as an argument");
}

/// Each block makes the shadow zero, together, where it enters a derivative.
void DeviceLimits::visitShared(const Instruction &I,
                               const GlobalVariable &Variable) {
  const std::string Name = sourceName(Variable.getName());
  if (!isSharedVariable(Variable))
    return refuse(
        I, Name + ", a variable that all threads share (__device__)",
        "declare its shadow (ADZE_SHADOW of adze/gpu.h), or pass both "
        "addresses as arguments");
  if (Variable.isDeclaration() && !isDynamicShared(Variable))
    return refuse(I, Name + ", shared memory whose size the launch gives",
                  "declare it with a size");
  if (!MeetsInBlock)
    MeetsInBlock = findWithin(*F.R.Primal, [](const Instruction &At) {
      return meetingOf(At) == Meeting::Block;
    });
  if (!*MeetsInBlock)
    refuse(I, Name + ", shared memory, in a function without a barrier",
           "let the function that is differentiated begin with a barrier of "
           "the block, so that all of its threads come there");
}

void DeviceLimits::visitMeeting(const Instruction &I) {
  if (ordersBlocks(I))
    return refuse(I, nameOf(I), MeetingCure);
  // A function with a derivative is visited itself.
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || F.Activity->isActiveInstruction(&I))
    return;
  auto [Known, IsNew] = ExchangeIn.try_emplace(Callee);
  if (IsNew)
    Known->second = findWithin(*Callee, ordersBlocks);
  if (const Instruction *Exchange = Known->second)
    refuse(I, nameOf(*Exchange) + " in " + sourceName(*Callee), MeetingCure);
}

void DeviceLimits::visitMemory(const Instruction &I) {
  auto *Variable = dyn_cast<AllocaInst>(&I);
  auto *Call = dyn_cast<CallBase>(&I);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  const bool Allocates = (Variable && !Variable->isStaticAlloca()) ||
                         (Known && (Known->Facts.By == Derivation::NewBlock ||
                                    Known->Facts.By == Derivation::NewBlockTo));
  const bool Releases = Known && Known->Facts.By == Derivation::Release &&
                        Call->arg_size() > 0 &&
                        F.Activity->hasShadow(Call->getArgOperand(0));
  if (Releases || (Allocates && F.Activity->hasShadow(&I)))
    refuse(I, "memory of active data that the kernel allocates or gives back",
           "allocate it before, and pass it with its shadow");
}

/// The words of lanes lie side by side (LaneTape.h): a shadow of such a block
/// is none that rules of memory know.
void DeviceLimits::visitTape(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (Callee && Callee->getName().starts_with("adze.tape."))
    refuse(I, "a derivative with a tape that is differentiated again",
           "differentiate code whose loops have a constant number of "
           "iterations, or nest forward modes");
}

void DeviceLimits::visit() {
  for (const BasicBlock *B : blocksOf(F))
    for (const Instruction &I : *B) {
      visitVariables(I);
      visitConstants(I);
      visitWrites(I);
      visitTape(I);
      if (F.R.Kind.isForward())
        continue;
      visitMeeting(I);
      visitMemory(I);
    }
}

/// What the tape of a plan would need that is not there yet.
struct Missing {
  const Instruction *At = nullptr;
  const char *What = nullptr;
  const char *Which = "";
};

/// An element of an array of the tape can be put into words.
bool fitsRows(Type *Ty) {
  return !Ty->isAggregateType() &&
         !(Ty->isVectorTy() && Ty->getScalarType()->isPointerTy());
}

/// Memory that is allocated as the derivative runs. The tape of a thread ends
/// with the derivative, and holds the elements of arrays (LaneTape.h).
Missing allocationIn(const Plan &P) {
  constexpr const char *Loop =
      "a loop whose values the reverse pass needs, as many as only the run "
      "knows, ";
  for (const Slot &S : P.Slots) {
    if (!S.Outermost)
      continue;
    const Instruction *At = S.Dims.front()->L->getHeader()->getTerminator();
    if (P.F->R.Kind.isSplit())
      return {At, Loop, "in a function with a tape of its own"};
    if (S.Holds.Which == Part::Tape || S.IsStorage)
      return {At, Loop, "of calls and variables within it"};
    if (!fitsRows(S.Element))
      return {At, Loop, "of structures"};
  }
  for (const auto &[Call, Plan] : P.Calls)
    if (Plan.TapeByPointer && P.find(Call, Part::Tape))
      return {Call, "recursion whose values the reverse pass needs"};
  return {};
}

/// On AMDGPU addresses of variables are of a type of their own. Tapes of calls
/// lie in the thread's memory, those of a marker do not.
Missing privateFieldIn(const Plan &P, const Origin &From) {
  if (P.F->P->F->getDataLayout().getAllocaAddrSpace() == 0 ||
      !P.F->R.Kind.isSplit() || From.Parent)
    return {};
  for (const Slot &S : P.Slots)
    if (S.IsStorage)
      return {cast<Instruction>(S.Holds.V),
              "a variable whose content split mode keeps, on AMDGPU"};
  return {};
}

} // namespace

void visitDeviceNeeds(const Facts &F, NeedsVisitor &Visitor) {
  if (isDevice(*F.P->F->getParent()))
    DeviceLimits(F, Visitor).visit();
}

bool refuseDeviceMemory(const Plan &P, Diagnostics &Diags, const Origin &From) {
  if (!isDevice(*P.F->P->F->getParent()))
    return false;
  Missing Found = allocationIn(P);
  if (!Found.At)
    Found = privateFieldIn(P, From);
  if (!Found.At)
    return false;
  const MissingFunction Text =
      deviceRefusal(std::string(Found.What) + Found.Which, MemoryCure);
  Diags.report(Text.ID, From, Found.At, Text.Args);
  return true;
}

} // namespace adze
