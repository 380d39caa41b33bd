// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/ActivityInfo.h"
#include "Analysis/Activity/ActivityTable.h"
#include "Analysis/Activity/Conflicts.h"
#include "Analysis/Activity/FunctionActivity.h"
#include "adze/GivenDerivatives.h"
#include "adze/KnownFunction.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

ActivityInfo::~ActivityInfo() = default;

/// What a request says about its function, for the solver.
CallContext contextOf(const Primal &P, const Request &R) {
  CallContext C;
  for (unsigned I = 0, E = P.F->arg_size(); I < E; ++I) {
    ArgActivity A = I < R.Args.size() ? R.Args[I] : ArgActivity::Const;
    uint16_t Bits = 0;
    if (hasShadowParam(A))
      Bits |= MemoryShadow | MemoryVaried | MemoryUseful;
    uint16_t Known = I < R.ArgumentFlags.size() ? R.ArgumentFlags[I] : 0;
    Type *Ty = P.F->getArg(I)->getType();
    bool Pointer = Ty->isPtrOrPtrVectorTy();
    bool Tangent = R.Kind.isForward() && hasShadowParam(A) && !Pointer &&
                   !(Known & IsHandle);
    bool AsPointer = !Ty->isIntegerTy() && (Known & IsNull) == MayBeFloat;
    if (returnsAdjoint(A) || Tangent || AsPointer)
      Bits |= ValueVaried;
    if ((Known & IsNull) == IsNull)
      Bits |= LeadsNowhere;
    else
      Bits |= (Known & DropsActive ? MemoryDrops : 0) |
              (Ty->isIntegerTy() && (Known & IsHandle) ? IsAddress : 0);
    Bits |= Known & MayHoldFloatBits ? MemoryFloatBits : 0;
    Bits |= Known & HoldsNoPointers ? NoPointers : 0;
    Bits |= Known & LeadsToNoPointers ? NoneBehind : 0;
    Bits |= Known & IsOfDerivative ? OwnMemory : 0;
    Bits |= Known & LeadsToOwn ? OwnBehind : 0;
    C.Args.push_back(Bits);
  }
  C.ReturnActive = retTakesAdjoint(R.Ret);
  C.ReturnShadow = retHasShadow(R.Ret);
  return C;
}

namespace {

class ActivityInfoImpl : public ActivityInfo {
public:
  ActivityInfoImpl(const Primal &P, const Request &R, const TypeInfo &Types,
                   ActivityTable &Table, std::unique_ptr<ActivityTable> Own)
      : F(P.F), Own(std::move(Own)),
        Root(P, &Types, contextOf(P, R), Table, /*Outermost=*/true) {
    Table.solve(Root);
    Root.setPlain(R);
  }

  bool isActiveValue(const Value *V) const override { return Root.isActive(V); }
  bool isMovedWord(const Value *V) const override {
    return Root.isMovedWord(V);
  }
  bool mayBeActiveFloat(const Value *V) const override {
    return Root.mayBeActiveFloat(V);
  }
  bool hasShadow(const Value *V) const override { return Root.hasShadow(V); }
  bool lacksShadow(const Argument &A) const override {
    return any_of(Root.M.G.Objects, [&](const Object &O) {
      return O.Origin == &A && O.isMissingShadow();
    });
  }
  bool mayBeSelfShadowed(const Value *V) const override {
    return Root.mayBeSelfShadowed(V);
  }
  bool mayHoldPlain(const Value *V) const override {
    return Root.mayHoldPlain(V);
  }
  bool leadsNowhere(const Value *V) const override {
    return Root.leadsNowhere(V);
  }
  bool dropsActive(const Value *V) const override {
    return Root.dropsActive(V);
  }
  bool mayHoldVaried(const Value *V, uint64_t Begin,
                     uint64_t End) const override {
    return Root.mayHoldVaried(V, Begin, End);
  }
  bool mayHoldUseful(const Value *V, uint64_t Begin,
                     uint64_t End) const override {
    return Root.mayHoldUseful(V, Begin, End);
  }
  bool mayHoldVariedBits(const Value *V, uint64_t Begin,
                         uint64_t End) const override {
    return Root.mayHoldVariedBits(V, Begin, End);
  }
  uint16_t memoryBits(const Value *V) const override {
    return Root.memoryBits(V);
  }
  bool mayHoldShadows(const Value *V, uint64_t Begin,
                      uint64_t End) const override {
    return Root.mayHoldShadows(V, Begin, End);
  }
  bool isActiveInstruction(const Instruction *I) const override {
    return Root.takesPart(*I);
  }

  void print(raw_ostream &OS, Question Q) const override {
    static const char *const Titles[] = {"active values", "shadows",
                                         "active instructions", "activity"};
    OS << Titles[Q] << " of " << F->getName() << "\n";
    for (const Argument &A : F->args())
      if (const char *Word = answer(&A, Q))
        OS << "  " << A << "  -> " << Word << "\n";
    for (const BasicBlock &B : *F) {
      OS << "  ";
      B.printAsOperand(OS, false);
      OS << ":\n";
      for (const Instruction &I : B)
        if (const char *Word =
                I.isDebugOrPseudoInst() ? nullptr : answer(&I, Q))
          OS << I << "  -> " << Word << "\n";
    }
    if (Q != Pointers && Q != All)
      return;
    for (const GlobalVariable &G : F->getParent()->globals())
      if (Root.hasShadow(&G))
        OS << "  @" << G.getName() << "  -> shadow\n";
  }

  const FunctionActivity &root() const { return Root; }

private:
  /// Null where the question does not apply.
  const char *answer(const Value *V, Question Q) const {
    bool Active = Root.isActive(V), Shadow = Root.hasShadow(V);
    const char *ShadowWord =
        !Shadow ? "no shadow"
                : (Root.mayBeSelfShadowed(V) ? "shadow or self" : "shadow");
    auto *I = dyn_cast<Instruction>(V);
    bool TakesPart = I && Root.takesPart(*I);
    Type *Ty = V->getType();
    switch (Q) {
    case Values:
      if (!Ty->isSized() || Ty->isPtrOrPtrVectorTy())
        return nullptr;
      return Active ? "active" : "inactive";
    case Pointers:
      return Ty->isSized() && Root.M.mayHoldPointers(V) ? ShadowWord : nullptr;
    case Instructions:
      return !I ? nullptr : TakesPart ? "takes part" : "inactive";
    case All:
      break;
    }
    if (Active)
      return Shadow ? "active, shadow" : "active";
    if (Shadow)
      return ShadowWord;
    return TakesPart ? "takes part" : "inactive";
  }

  const Function *F;
  std::unique_ptr<ActivityTable> Own; // null if the run has a shared one
  FunctionActivity Root;
};

} // namespace

std::unique_ptr<ActivityInfo>
analyzeActivity(const Primal &P, const Request &R, const TypeInfo &Types,
                PrimalLookup Callees, Diagnostics &Diags, const Origin &From,
                SummaryStore *Store) {
  std::unique_ptr<ActivityTable> Own;
  if (!Store)
    Own = std::make_unique<ActivityTable>();
  ActivityTable &Table = Store ? *Store->Activity : *Own;
  Table.enter(P, Callees);
  auto Info =
      std::make_unique<ActivityInfoImpl>(P, R, Types, Table, std::move(Own));
  reportConflicts(Info->root(), Table, R.RuntimeActivity, Diags, From);
  reportInactiveWrites(Info->root(), Diags, From);
  reportIntegerAddresses(Info->root(), Table, Diags, From);
  if (!From.Parent)
    reportTextCuts(Table, Info->root(), P, R, Types, Callees, Diags, From);
  return Info;
}

CallActivity activityOfCall(const ActivityInfo &Activity, const Instruction &I,
                            DerivativeKind Kind) {
  CallActivity C;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return C;
  bool Forward = Kind.isForward();
  // A derivative that is given may call what it gets for a function.
  const Function *Callee = Call->getCalledFunction();
  const bool CallsGiven = Callee && given::hasAny(*Callee);
  for (const Use &Arg : Call->args()) {
    const bool LeadsNowhere =
        Activity.leadsNowhere(Arg) && !(CallsGiven && isa<Function>(Arg.get()));
    bool Given = !isDeclaredInactive(*Call, Call->getArgOperandNo(&Arg));
    bool Active = Given && Activity.isActiveValue(Arg);
    bool Shadow = Given && Activity.hasShadow(Arg);
    if (!Active && !Shadow)
      C.Args.push_back(ArgActivity::Const);
    else if (Forward || !Active)
      C.Args.push_back(ArgActivity::Dup);
    else
      C.Args.push_back(Shadow ? ArgActivity::OutDup : ArgActivity::Out);
    C.ArgumentFlags.push_back(
        (Activity.mayBeSelfShadowed(Arg) ? MayBeSelfShadowed : 0) |
        (Activity.mayHoldPlain(Arg) ? MayHoldSelfShadowed : 0) |
        (LeadsNowhere                     ? IsNull
         : Activity.dropsActive(Arg)      ? DropsActive
         : Activity.mayBeActiveFloat(Arg) ? MayBeFloat
                                          : 0) |
        Activity.memoryBits(Arg));
  }
  if (all_of(C.ArgumentFlags, [](uint16_t Bits) { return Bits == 0; }))
    C.ArgumentFlags.clear();
  bool Active = Activity.isActiveValue(&I), Shadow = Activity.hasShadow(&I);
  C.Ret = Active ? (Shadow ? RetActivity::ActiveDup : RetActivity::Active)
                 : (Shadow ? RetActivity::Dup : RetActivity::Const);
  return C;
}

} // namespace adze
