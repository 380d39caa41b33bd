// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Prepare.h"
#include "Alternatives/Alternatives.h"
#include "Alternatives/CopiesForCalls.h"
#include "Prepare/ExceptionScopes.h"
#include "Prepare/Stages.h"
#include "Prepare/StateMemory.h"
#include "adze/ComplexFunction.h"
#include "adze/Exceptions.h"
#include "adze/GivenDerivatives.h"
#include "adze/OwnAnalyses.h"
#include "adze/OwnFunction.h"
#include "adze/VerifyIR.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {
namespace {

bool loopsAreSimple(const Primal &P) {
  return all_of(P.Loops,
                [](const auto &R) { return R->L->isLoopSimplifyForm(); });
}

/// What is wrong has been reported, as the program's.
class Reported : public ErrorInfo<Reported> {
public:
  static char ID;
  void log(raw_ostream &OS) const override { OS << "reported"; }
  std::error_code convertToErrorCode() const override {
    return inconvertibleErrorCode();
  }
};
char Reported::ID;

/// Brings \p P.F to canonical form; the first violation if that failed.
Error canonicalize(Primal &P, const ExceptionScopes &Scopes, TaskOrder Order,
                   const Refusal &Refuse) {
  OwnAnalyses Own;
  if (!isOwn(*P.Source))
    inlineParts(*P.F);
  collectDeclarations(P);
  lowerTasks(*P.F, *P.Source, Order);
  inlineExchanges(*P.F);
  lowerControl(*P.F, *P.Source, Scopes);
  lowerLeagues(*P.F);
  lowerForks(*P.F);
  if (!isOwn(*P.Source)) // sums of adjoints stay what they are
    lowerAtomics(*P.F);
  lowerDispatch(*P.F);
  giveBodies(*P.F);
  fixVariadicCalls(*P.F);
  copyByValArguments(*P.F);
  separateInactiveResults(*P.F);
  lowerComplexCalls(*P.F);
  orderOperands(*P.F);
  readGuardedProducts(*P.F);
  lowerAssembly(*P.F);
  lowerX86(*P.F);
  lowerDevice(*P.F);
  readPointerLanes(*P.F);
  lowerIntrinsics(*P.F, Own.FAM);
  simplifyPrimal(*P.F, Own.FAM);
  joinFloatLanes(*P.F);
  lowerShuffles(*P.F, Own.FAM);
  lowerRetries(*P.F);
  lowerExtrema(*P.F);
  watchSpinLocks(*P.F);
  orderOperands(*P.F);
  markExceptionTexts(*P.F);
  if (promoteCalls(*P.F)) {
    giveBodies(*P.F);
    separateInactiveResults(*P.F);
    lowerComplexCalls(*P.F);
    orderOperands(*P.F);
  }
  if (refuseThreadWaits(*P.F, Refuse))
    return make_error<Reported>();
  chooseOperations(*P.F, *P.Source);
  orderSteps(*P.F);
  lowerDynamicCasts(*P.F);
  lowerReallocations(*P.F);
  joinEqualPhis(*P.F);
  shapeControl(*P.F, Own.FAM);
  if (relatePointers(*P.F, Own.FAM))
    shapeControl(*P.F, Own.FAM);
  joinTests(*P.F, Own.FAM);
  if (!outlineSteps(*P.F, P.Source->getName(), Own.FAM, Refuse))
    return make_error<Reported>();
  widenCounters(*P.F, Own.FAM);
  markCaptures(*P.F);
  specializeRegions(*P.F, Own.FAM);
  forwardBytes(*P.F, Own.FAM);
  joinParts(*P.F);
  joinStores(*P.F, Own.FAM);
  if (moveByBlocks(*P.F, Own.FAM))
    shapeControl(*P.F, Own.FAM);
  bool IsMoved = sayApart(*P.F, Own.FAM);
  if (!isOwn(*P.Source))
    IsMoved |= versionByAliasing(*P.F, Own.FAM);
  if (IsMoved) { // code out of loops
    orderSteps(*P.F);
    shapeControl(*P.F, Own.FAM);
  }
  expandConstantExpressions(*P.F);
  recordStructure(P);
  if (!loopsAreSimple(P))
    return createStringError(
        "a loop without preheader, single latch or own exits");
  countLoops(P, Own.FAM);
  hoistLoads(P);
  recordEntries(P);
  // Where a loop walks over a global variable, its count is made of addresses.
  expandConstantExpressions(*P.F);
  offerAlternatives(P);
  settleDeclarations(P);
  if (Error Broken = verifyIR(*P.F))
    return Broken;
  return verifyCanonical(P);
}

} // namespace

std::unique_ptr<Primal> preparePrimal(Function &F, Diagnostics &Diags,
                                      const Origin &From,
                                      const ExceptionScopes *Scopes,
                                      TaskOrder Order) {
  std::string Reason;
  if (const Instruction *Bad = findUnpreparable(F, Reason)) {
    // Code of a derivative has no place of its own: the marker's is shown.
    Diags.report(Diag::UnsupportedInstruction, From, isOwn(F) ? nullptr : Bad,
                 {Reason});
    return nullptr;
  }
  if (const CallBase *Call = findReturningTwice(F)) {
    const Function *Callee = Call->getCalledFunction();
    Diags.report(Diag::ReturnsTwice, From, Call,
                 {Callee ? Callee->getName().str() : "a pointer"});
    return nullptr;
  }
  auto P = std::make_unique<Primal>();
  P->Source = &F;
  P->F = clonePrimal(F);
  Error Violation = canonicalize(*P, Scopes ? *Scopes : ExceptionScopes({}),
                                 Order, Refusal{Diags, From});
  if (!Violation)
    return P;
  const bool IsReported = Violation.isA<Reported>();
  const std::string Text = toString(std::move(Violation));
  if (!IsReported)
    Diags.report(Diag::Internal, From, &F.getEntryBlock().front(),
                 {("cannot prepare '" + F.getName() + "': " + Text).str()});
  Function *Clone = P->F;
  P.reset();
  Clone->eraseFromParent();
  return nullptr;
}

PrimalStore::PrimalStore(Diagnostics &Diags) : Diags(Diags) {}

PrimalStore::~PrimalStore() = default;

void PrimalStore::differentiates(ArrayRef<Function *> Roots, TaskOrder Tasks) {
  Order = Tasks;
  Scopes = std::make_unique<ExceptionScopes>(Roots);
  if (Scopes->empty())
    return;
  Module &M = *Roots.front()->getParent();
  Type *Byte = Type::getInt8Ty(M.getContext());
  if (!M.getNamedGlobal(exceptions::Memory))
    new GlobalVariable(M, Byte, /*isConstant=*/false,
                       GlobalValue::InternalLinkage,
                       Constant::getNullValue(Byte), exceptions::Memory);
}

bool PrimalStore::mayLeaveException(const Function &F) const {
  return Scopes && Scopes->mayLeave(F);
}

const Primal *PrimalStore::get(Function &F, const Origin &From) {
  if (F.isDeclaration())
    return nullptr;
  auto [It, Fresh] = Primals.try_emplace(&F);
  if (!Fresh)
    return It->second.get();
  // Nothing below comes back here: preparing looks at one function only.
  It->second = preparePrimal(F, Diags, From, Scopes.get(), Order);
  if (It->second)
    ByClone[It->second->F] = It->second.get();
  return It->second.get();
}

void PrimalStore::offerCopies(const Primal &P, const Origin &From) {
  // Deeper chains of functions that start teams get none.
  constexpr unsigned MaxDepth = 16;
  if (CopyDepth == MaxDepth || !HaveCopies.insert(&P).second)
    return;
  ++CopyDepth;
  offerCopiesForCalls(*Primals.find(P.Source)->second, [&](Function &F) {
    // What the program gives counts, whatever the body is like.
    const Primal *Callee = given::hasAny(F) ? nullptr : get(F, From);
    if (Callee)
      offerCopies(*Callee, From);
    return Callee;
  });
  --CopyDepth;
}

const Primal *PrimalStore::ofClone(const Function &F) const {
  return ByClone.lookup(&F);
}

void PrimalStore::eraseClones() {
  SmallVector<Function *, 16> Clones;
  for (auto &[F, P] : Primals)
    if (P)
      Clones.push_back(P->F);
  ByClone.clear();
  HaveCopies.clear();
  Primals.clear();
  for (Function *Clone : Clones) {
    Function *Snapshot = Clone->getParent()->getFunction(SnapshotName);
    Clone->replaceAllUsesWith(PoisonValue::get(Clone->getType()));
    Clone->eraseFromParent();
    if (Snapshot && Snapshot->use_empty())
      Snapshot->eraseFromParent();
  }
}

} // namespace adze
