// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DerivativeStore.h"
#include "UsesBehind.h"
#include "adze/Analyses.h"
#include "adze/Cleanup.h"
#include "adze/Emit.h"
#include "adze/Exceptions.h"
#include "adze/GivenDerivatives.h"
#include "adze/GivenPlan.h"
#include "adze/KnownFunction.h"
#include "adze/Launches.h"
#include "adze/Mpi.h"
#include "adze/ParallelRuntime.h"
#include "adze/Recording.h"
#include "adze/Remarks.h"
#include "adze/Rule.h"
#include "adze/WordMoves.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

const Derivative *DerivativeStore::request(const Request &R,
                                           std::shared_ptr<const Origin> From) {
  auto [It, New] = ByKey.try_emplace(R.key(), Entries.size());
  unsigned Index = It->second;
  if (New) {
    size_t Before = Open.size();
    begin(R, std::move(From));
    if (!Collecting)
      finish(Before);
  }
  const Entry &E = *Entries[Index];
  return E.Failed ? nullptr : &E.D;
}

/// Analyses a new entry and notes what it waits for.
void DerivativeStore::begin(const Request &R,
                            std::shared_ptr<const Origin> From) {
  Entries.push_back(std::make_unique<Entry>());
  Entry *E = Entries.back().get();
  E->D.Req = E->F.R = R;
  E->From = std::move(From);
  Open.push_back({E, {}, 0});
  E->Failed = !analyse(*E);
  if (E->Failed || E->IsGiven || !reaches(Stage::Plan))
    return;
  Times::Scope Time(T, "plan");
  Open.back().Nested = nestedRequests(E->F, *this);
}

/// Plans the open entries but for the first \p Remaining, each after those that
/// it waits for. A chain of calls may be longer than the call stack is deep, so
/// there is no recursion here: what a plan requests is there already.
void DerivativeStore::finish(size_t Remaining) {
  while (Open.size() > Remaining) {
    Waiting &Top = Open.back();
    if (Top.Next < Top.Nested.size()) {
      NestedRequest N = std::move(Top.Nested[Top.Next++]);
      Collecting = true;
      derivative(N.R, *N.At);
      Collecting = false;
      continue;
    }
    Entry &E = *Top.E;
    E.Failed = E.Failed || !plan(E);
    Open.pop_back();
  }
}

const Primal *DerivativeStore::canonical(Function &F, const Origin &From) {
  Times::Scope Time(T, "prepare");
  return F.isDeclaration() ? nullptr : Primals.get(F, From);
}

const Primal *DerivativeStore::prepared(Function &F, const Origin &From) {
  // What the program gives counts, whatever the body is like.
  return given::hasAny(F) ? nullptr : canonical(F, From);
}

/// What a launch writes that nobody knows of would be missing where others are
/// reversed, whatever is active.
static bool reportUnknownLaunch(const Function &F, Diagnostics &Diags,
                                const Origin &From) {
  const launches::DeviceCall Found = launches::unknownCallIn(F);
  if (!Found.Call)
    return false;
  if (std::string Kernel = launches::kernelOf(*Found.Callee); !Kernel.empty())
    Diags.report(Diag::UnknownLaunch, From, Found.Call, {Kernel});
  else
    Diags.report(Diag::UnknownDeviceCall, From, Found.Call,
                 {sourceName(*Found.Callee),
                  launches::interfaceOf(*Found.Callee).str()});
  return true;
}

bool DerivativeStore::analyse(Entry &E) {
  unsigned Errors = Diags.errors();
  auto callee = [&](Function &F) { return prepared(F, *E.From); };
  Facts &F = E.F;
  if (given::has(*E.D.Req.Primal, E.D.Req.Kind.Mode))
    return take(E);
  if (isWordMove(*E.D.Req.Primal))
    return takeWordMove(E);
  if (reportUnknownLaunch(*E.D.Req.Primal, Diags, *E.From))
    return false;
  if (mpi::isRuntime(*E.D.Req.Primal)) {
    MissingFunction Missing = nestedExchangeRefusal();
    Diags.report(Missing.ID, *E.From, nullptr, Missing.Args);
    return false;
  }
  if (E.D.Req.Primal->isDeclaration()) {
    Diags.report(Diag::MissingBody, *E.From, nullptr,
                 {E.D.Req.Primal->getName().str()});
    return false;
  }
  if (!reaches(Stage::Prepare))
    return true;
  F.P = canonical(*E.D.Req.Primal, *E.From);
  if (!F.P)
    return false;
  if (reaches(Stage::Plan))
    declareDerivative(E.D, *F.P->F, *F.P->Source, M);
  if (!reaches(Stage::Types))
    return true;
  if (!F.R.Kind.isForward())
    Primals.offerCopies(*F.P, *E.From);
  {
    Times::Scope Time(T, "types");
    F.Types = analyzeTypes(*F.P, F.R.Types, callee);
  }
  if (!reaches(Stage::Activity))
    return true;
  {
    Times::Scope Time(T, "activity");
    F.Activity = analyzeActivity(*F.P, F.R, *F.Types, callee, Diags, *E.From,
                                 &Summaries);
  }
  if (!reaches(Stage::Memory))
    return Diags.errors() == Errors;
  Times::Scope Time(T, "memory");
  // In reverse mode every deallocation is put off until the reverse pass is
  // over: the rules of needsRuleIfInactive() see to that.
  F.Memory = analyzeMemory(*F.P, F.R, needsRuleIfInactive);
  F.Runs = std::make_unique<Execution>(*F.P);
  if (F.Activity)
    F.Team = std::make_unique<Sharing>(*F.P, F.R, *F.Activity);
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  F.Target = &FAM.getResult<TargetIRAnalysis>(*E.D.Req.Primal);
  return F.Activity && Diags.errors() == Errors;
}

/// Something may be stored behind \p A.
static bool mayBeWritten(const Argument &A) {
  auto writesNothing = [](const Instruction &I, const Use &U) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call ? Call->isArgOperand(&U) &&
                      Call->onlyReadsMemory(Call->getArgOperandNo(&U))
                : !I.mayWriteToMemory();
  };
  return !holdsOfUsesBehind(A, writesNothing);
}

SmallVector<DerivativeStore::MissingShadow, 2>
DerivativeStore::missingShadows(const Request &R, const Origin &From,
                                function_ref<bool(unsigned, unsigned)> AreOne) {
  SmallVector<MissingShadow, 2> Missing;
  Function &Source = *R.Primal;
  if (given::hasAny(Source) || Source.isDeclaration())
    return Missing;
  const Primal *P = canonical(Source, From);
  auto isConstant = [&](const Argument &A) {
    return A.getType()->isPointerTy() &&
           R.Args[A.getArgNo()] == ArgActivity::Const &&
           !A.hasPassPointeeByValueCopyAttr() && !isDeclaredInactive(A);
  };
  auto mayLack = [&](const Argument &A) {
    return isConstant(A) && mayBeWritten(A);
  };
  if (!P || none_of(P->F->args(), mayLack))
    return Missing;
  Times::Scope Time(T, "activity");
  auto callee = [&](Function &F) { return prepared(F, From); };
  std::unique_ptr<TypeInfo> Types = analyzeTypes(*P, R.Types, callee);
  Diagnostics Silent;
  Silent.mute();
  std::unique_ptr<ActivityInfo> Activity =
      analyzeActivity(*P, R, *Types, callee, Silent, From, &Summaries);
  if (!Activity)
    return Missing;
  // A shadow of zeros would lead nowhere.
  auto holdsPointers = [&](const Argument &A) {
    return Types->memoryLayout(&A, UINT64_MAX).has(ConcreteType::Pointer);
  };
  for (const Argument &A : P->F->args()) {
    if (!mayLack(A) || holdsPointers(A))
      continue;
    const unsigned K = A.getArgNo();
    if (any_of(P->F->args(), [&](const Argument &B) {
          return isConstant(B) && AreOne(K, B.getArgNo()) && holdsPointers(B);
        }))
      continue;
    if (Activity->lacksShadow(A)) {
      Missing.push_back({K, std::nullopt});
      continue;
    }
    auto reads = [&](const Argument &B) {
      return &A != &B && isConstant(B) && AreOne(K, B.getArgNo()) &&
             Activity->mayHoldVaried(&A, 0, UINT64_MAX) &&
             Activity->mayHoldUseful(&B, 0, UINT64_MAX);
    };
    for (const Argument &B : P->F->args())
      if (reads(B)) {
        Missing.push_back({K, B.getArgNo()});
        break;
      }
  }
  return Missing;
}

bool DerivativeStore::take(Entry &E) {
  E.IsGiven = true;
  if (std::optional<GivenFault> Fault = whyNotGiven(E.D.Req)) {
    Diags.report(Diag::GivenDerivative, *E.From, nullptr,
                 {sourceName(*E.D.Req.Primal), Fault->Why, Fault->Cure});
    return false;
  }
  declareGiven(E.D, M);
  E.D.Planned = true;
  return true;
}

bool DerivativeStore::takeWordMove(Entry &E) {
  E.IsGiven = E.D.Planned = true;
  if (!E.D.Req.Kind.isForward()) {
    Diags.report(Diag::UnsupportedInstruction, *E.From, nullptr,
                 {"a float that is moved in parts, in a gradient that is "
                  "differentiated again in reverse mode"});
    return false;
  }
  declareWordMove(E.D, M);
  return true;
}

bool DerivativeStore::plan(Entry &E) {
  if (E.IsGiven || !reaches(Stage::Plan))
    return true;
  Times::Scope Time(T, "plan");
  bool Forward = E.D.Req.Kind.isForward();
  E.P = Forward ? makeForwardPlan(E.F, *this, Diags, E.From)
                : makePlan(E.F, *this, Diags, E.From);
  if (!E.P)
    return false;
  if (Forward) {
    E.D.Planned = true;
    return true;
  }
  layOutTape(*E.P, E.D);
  layOutRecords(*E.P);
  if (Error Wrong = verifyPlan(*E.P)) {
    Diags.report(Diag::Internal, *E.From, nullptr,
                 {"plan: " + toString(std::move(Wrong))});
    return false;
  }
  if (E.D.Req.RunsAgain)
    if (std::optional<NotAgain> No = whyNotAgain(E.F)) {
      Diags.report(Diag::TapeNotKept, *E.From, No->At,
                   {sourceName(*E.D.Req.Primal), No->Why});
      return false;
    }
  E.D.Planned = true;
  return true;
}

DerivativeStore::Entry *DerivativeStore::entryOf(const Derivative &D) {
  auto It = ByKey.find(D.Req.key());
  return It == ByKey.end() ? nullptr : Entries[It->second].get();
}

bool DerivativeStore::entriesBelow(const Derivative &D,
                                   SmallVectorImpl<Entry *> &All) {
  SetVector<Entry *> Found;
  Found.insert(entryOf(D));
  for (size_t I = 0; I != Found.size(); ++I) {
    const Entry &E = *Found[I];
    if (!E.D.Planned)
      return false;
    if (!E.IsGiven)
      for (const auto &[Call, Plan] : E.P->Calls)
        if (Plan.Callee)
          Found.insert(entryOf(*Plan.Callee));
  }
  append_range(All, Found);
  return true;
}

std::optional<NotReplayed>
DerivativeStore::whyNotReplayed(const Entry &E) const {
  if (!E.IsGiven)
    return adze::whyNotReplayed(E.F, *E.P);
  if (isWordMove(*E.D.Req.Primal))
    return NotReplayed{nullptr, "an inner derivative that moves words"};
  if (std::optional<std::string> Why = whyNotRecorded(E.D.Req))
    return NotReplayed{
        nullptr, "a function for which the program gives a derivative " + *Why};
  return std::nullopt;
}

bool DerivativeStore::canReplay(const Derivative &D) {
  SmallVector<Entry *, 8> All;
  return entriesBelow(D, All) &&
         none_of(All, [&](Entry *E) { return whyNotReplayed(*E); });
}

void DerivativeStore::replay(const Derivative &D) {
  SmallVector<Entry *, 8> All;
  if (!entriesBelow(D, All))
    return;
  for (Entry *E : All)
    if (std::optional<NotReplayed> No = whyNotReplayed(*E))
      Diags.report(Diag::NotReplayed, *E->From, No->At, {No->What});
    else if (!E->D.Replay)
      E->IsGiven ? declareReplay(E->D, *E->D.Req.Primal, *E->D.Req.Primal, M)
                 : declareReplay(E->D, *E->F.P->F, *E->F.P->Source, M);
}

void DerivativeStore::tellPlans() const {
  if (!remarksEnabled(M.getContext()))
    return;
  for (const auto &E : Entries)
    if (E->P)
      emitRemarks(*E->P);
}

static SmallVector<Function *, 7> functionsOf(const Derivative &D) {
  SmallVector<Function *, 7> Result;
  for (Function *F : {D.Forward, D.Record, D.Replay, D.Fused, D.Augmented,
                      D.Reverse, D.ReverseKeepTape})
    if (F)
      Result.push_back(F);
  return Result;
}

void DerivativeStore::emitAll() {
  Times::Scope Time(T, "emit");
  const bool DoublesAlone = hasDoublesAlone(M);
  for (const auto &E : Entries)
    E->F.DoublesAlone = DoublesAlone;
  for (const auto &E : Entries)
    if (E->D.Planned)
      emit(*E);
  for (const auto &E : Entries)
    finishExceptions(*E);
  for (const auto &E : Entries)
    locate(*E);
}

/// Code of a primal with debug information has it too.
void DerivativeStore::locate(const Entry &E) {
  const DISubprogram *Primal = E.D.Req.Primal->getSubprogram();
  if (!Primal || !E.D.Planned)
    return;
  for (Function *F : functionsOf(E.D))
    giveDebugInfo(*F, *Primal);
}

void DerivativeStore::emit(const Entry &E) {
  const DerivativeKind Kind = E.D.Req.Kind;
  if (E.IsGiven)
    return isWordMove(*E.D.Req.Primal) ? emitWordMove(E.D) : emitGiven(E.D);
  if (Kind.isForward()) {
    if (E.D.Replay)
      emitReplay(E.F, *E.P, E.D);
    return emitForward(E.F, *E.P, E.D);
  }
  if (Error Unplanned = Kind.isSplit() ? emitSplit(E.F, *E.P, E.D)
                                       : emitFused(E.F, *E.P, E.D))
    Diags.report(Diag::Internal, *E.From, nullptr,
                 {"the reverse pass reads " + toString(std::move(Unplanned)) +
                  ", which the plan does not provide"});
}

std::vector<Function *> DerivativeStore::functions() const {
  std::vector<Function *> Result;
  for (const auto &E : Entries)
    append_range(Result, functionsOf(E->D));
  return Result;
}

void DerivativeStore::eraseFunctions() {
  std::vector<Function *> All = functions();
  for (Function *F : All)
    F->deleteBody();
  for (Function *F : All) {
    F->replaceAllUsesWith(PoisonValue::get(F->getType()));
    F->eraseFromParent();
  }
}

Error DerivativeStore::simplify(ModuleAnalysisManager &AM, bool IsLast) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function *F : functions())
    repairAttributes(*F);
  inferAttributes(M, AM);
  std::vector<Function *> Order = calleesFirst(functions(), M);
  SetVector<Function *> Unfinished(Order.begin(), Order.end());
  for (Function *F : Order) {
    if (IsLast)
      inlineDerivatives(*F, FAM, Unfinished);
    else
      forgetVersions(*F);
    if (Error Wrong = simplifyDerivative(*F, FAM, IsLast))
      return createStringError("cleanup of " + F->getName() + ": " +
                               toString(std::move(Wrong)));
    Unfinished.remove(F);
  }
  return Error::success();
}

void DerivativeStore::finishExceptions(const Entry &E) {
  for (Function *F : functionsOf(E.D)) {
    catchExceptions(*F);
    if (Primals.mayLeaveException(*E.D.Req.Primal) && F != E.D.Reverse &&
        F != E.D.ReverseKeepTape && F != E.D.Replay)
      F->addFnAttr(exceptions::Leaves);
  }
}

const Derivative *DerivativeStore::derivative(const Request &R,
                                              const CallBase &At) {
  auto Link = std::make_shared<Origin>();
  Link->Place = sourcePlace(&At);
  Link->Callee = R.Primal->getName().str();
  Link->Caller =
      Open.empty() ? "" : Open.back().E->D.Req.Primal->getName().str();
  Link->Parent = Open.empty() ? nullptr : Open.back().E->From;
  return request(R, Link);
}

const Plan *DerivativeStore::planOf(const Derivative &D) {
  auto It = ByKey.find(D.Req.key());
  if (It == ByKey.end() || !D.Planned)
    return nullptr;
  return Entries[It->second]->P.get();
}

const Facts *DerivativeStore::factsOf(const Derivative &D) const {
  auto It = ByKey.find(D.Req.key());
  return It == ByKey.end() ? nullptr : &Entries[It->second]->F;
}

const Primal *DerivativeStore::primalOf(Function &F) {
  static const Origin None;
  const Origin &From = Open.empty() ? None : *Open.back().E->From;
  return F.isDeclaration() ? nullptr : Primals.get(F, From);
}

static ActivityInfo::Question questionOf(Stage S) {
  switch (S) {
  case Stage::ActivityOfValues:
    return ActivityInfo::Values;
  case Stage::ActivityOfPointers:
    return ActivityInfo::Pointers;
  case Stage::ActivityOfInstructions:
    return ActivityInfo::Instructions;
  default:
    return ActivityInfo::All;
  }
}

void DerivativeStore::print(raw_ostream &OS) const {
  for (const auto &E : Entries) {
    OS << "; " << E->D.Req.key() << "\n";
    if (Last == Stage::Prepare && E->F.P)
      E->F.P->print(OS);
    if (Last == Stage::Types && E->F.Types)
      E->F.Types->print(OS);
    if (reaches(Stage::Activity) && !reaches(Stage::Memory) && E->F.Activity)
      E->F.Activity->print(OS, questionOf(Last));
    if (Last == Stage::Memory && E->F.Memory)
      E->F.Memory->print(OS);
    if (Last == Stage::Plan && E->P)
      E->P->print(OS);
    if (Last >= Stage::Emit)
      for (Function *F : functionsOf(E->D))
        F->print(OS);
  }
}

} // namespace adze
