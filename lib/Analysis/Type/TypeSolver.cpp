// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Type/TypeSolver.h"
#include "Analysis/Type/Components.h"
#include "adze/Options.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace adze;

/// Functions in contexts that one solution may hold, and rounds of contexts.
static constexpr unsigned MaxTasks = 8192;
static constexpr unsigned MaxRounds = 512;
/// How often functions hear of each other's globals.
static constexpr unsigned MaxGlobalRounds = 4;
/// Summaries of a recursion grow with every turn until their trees are full;
/// a task that has run this often keeps what it has.
static constexpr unsigned MaxRuns = 48;

struct TypeSolver::Task {
  const Primal *P = nullptr;
  CallerTypes Context;
  std::shared_ptr<FunctionTypes> Types; // null: solved earlier
  TypeSummary Early, Summary;
  CallContexts Contexts; // as of the end of the first phase
  SetVector<unsigned> Dependents;
  /// The task that stands for each call's callee.
  MapVector<const Instruction *, unsigned> CalleeTask;
  unsigned Runs = 0;
  unsigned RunsRefined = 0; // as many when its calls last got their contexts

  bool isRefined() const { return CalleeTask.empty() || RunsRefined == Runs; }
};

/// Answers one task's questions for summaries.
class TypeSolver::Source : public SummarySource {
public:
  Source(TypeSolver &Solver, unsigned Self) : Solver(Solver), Self(Self) {}

  const TypeSummary *summaryOf(const CallBase &Call) override {
    auto Known = Solver.Tasks[Self]->CalleeTask.find(&Call);
    unsigned Index;
    if (Known != Solver.Tasks[Self]->CalleeTask.end()) {
      Index = Known->second;
    } else {
      const Primal *Callee = Solver.calleeOf(Call);
      if (!Callee)
        return nullptr;
      Index = Solver.taskFor(*Callee, {});
      Solver.Tasks[Self]->CalleeTask[&Call] = Index;
    }
    Task &T = *Solver.Tasks[Index];
    T.Dependents.insert(Self);
    return &T.Summary;
  }

private:
  TypeSolver &Solver;
  unsigned Self;
};

TypeSolver::TypeSolver(PrimalLookup Callees) : Callees(Callees) {}
TypeSolver::~TypeSolver() = default;

const Primal *TypeSolver::calleeOf(const CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration())
    return nullptr;
  return Callees(*Callee);
}

unsigned TypeSolver::taskFor(const Primal &P, const CallerTypes &Context) {
  auto [It, New] = TaskOf.try_emplace({&P, Context}, Tasks.size());
  if (!New)
    return It->second;
  if (NumberOf.try_emplace(&P, Functions.size()).second)
    Functions.push_back(&P);
  auto T = std::make_unique<Task>();
  T->P = &P;
  T->Context = Context;
  if (P.KnownTypes) {
    auto Before = P.KnownTypes->Solved.find(Context);
    if (Before != P.KnownTypes->Solved.end()) {
      T->Early = Before->second.Early;
      T->Summary = Trust == Believe::All ? Before->second.Summary : T->Early;
      Tasks.push_back(std::move(T));
      return Tasks.size() - 1;
    }
  }
  if (!Declared)
    Declared = std::make_shared<DeclaredTypes>(*P.F->getParent());
  T->Types = std::make_shared<FunctionTypes>(P, Context, Declared);
  if (Trust == Believe::All)
    T->Types->believeIntegers();
  Tasks.push_back(std::move(T));
  Work.insert(Tasks.size() - 1);
  return Tasks.size() - 1;
}

void TypeSolver::settle() {
  while (!Work.empty()) {
    // The youngest first: callees are met after their callers.
    unsigned Index = Work.pop_back_val();
    if (++Tasks[Index]->Runs > MaxRuns)
      continue;
    Source Summaries(*this, Index);
    Tasks[Index]->Types->run(Summaries);
    TypeSummary New = Tasks[Index]->Types->summary();
    if (New == Tasks[Index]->Summary)
      continue;
    Tasks[Index]->Summary = std::move(New);
    tell(*Tasks[Index]);
  }
}

/// Those who used the summary of \p T have to look at their calls of it again.
void TypeSolver::tell(const Task &T) {
  for (unsigned D : T.Dependents) {
    for (auto &[Call, Index] : Tasks[D]->CalleeTask)
      if (Tasks[Index].get() == &T)
        Tasks[D]->Types->touch(*Call);
    Work.insert(D);
  }
}

/// Numbers the functions that call each other in cycles.
void TypeSolver::findRecursion() {
  std::vector<std::vector<const Primal *>> Callees(Functions.size());
  for (const std::unique_ptr<Task> &T : Tasks)
    for (auto &[Call, Index] : T->CalleeTask)
      Callees[NumberOf.lookup(T->P)].push_back(Tasks[Index]->P);
  // What solved functions call need not be among the tasks.
  Successors Graph;
  for (unsigned N = 0; N != Functions.size(); ++N) {
    const TypeCache *Cache = Functions[N]->KnownTypes.get();
    ArrayRef<const Primal *> Known;
    if (Cache && !Cache->Callees.empty())
      Known = Cache->Callees;
    else if (N < Callees.size())
      Known = Callees[N];
    Graph.emplace_back();
    for (const Primal *Callee : Known) {
      if (NumberOf.try_emplace(Callee, Functions.size()).second)
        Functions.push_back(Callee);
      Graph[N].push_back(NumberOf.lookup(Callee));
    }
  }
  RecursionOf.assign(Functions.size(), 0);
  unsigned Next = 0;
  for (const std::vector<unsigned> &C : cyclicComponents(Graph)) {
    ++Next;
    for (unsigned N : C)
      RecursionOf[N] = Next;
  }
}

bool TypeSolver::isRecursive(const Primal *Caller, const Primal *Callee) const {
  unsigned A = NumberOf.lookup(Caller), B = NumberOf.lookup(Callee);
  return RecursionOf[A] != 0 && RecursionOf[A] == RecursionOf[B];
}

/// \p Caller sees floats where \p Callee sees pointers that lead nobody knows
/// where.
static bool seesFloatForPointer(const TypeTree &Caller,
                                const TypeTree &Callee) {
  auto meets = [](const TypePlace &A, const TypePlace &B) {
    return A.contains(B, /*Exact=*/true) || B.contains(A, /*Exact=*/true);
  };
  return any_of(Callee.facts(), [&](const TypeFact &P) {
    return P.Type.isPointer() && any_of(Caller.facts(), [&](const TypeFact &F) {
             if (!meets(P.Place, F.Place))
               return false;
             return P.Pointee.isUnknown()
                        ? F.Type.isFloat() && F.Sure != Certainty::Hint
                        : seesFloatForPointer(F.Pointee, P.Pointee);
           });
  });
}

/// What the caller knows of the arguments and of the result beyond the callee's
/// own summary.
CallerTypes TypeSolver::contextOf(const Task &T, const CallBase &Call,
                                  const Primal &Callee) {
  const TypeSummary &Plain = Tasks[taskFor(Callee, {})]->Summary;
  const unsigned NumArgs =
      std::min<size_t>(Call.arg_size(), Callee.F->arg_size());
  bool Mixed = false;
  for (unsigned I = 0; Plain.PassesMember && I != NumArgs; ++I)
    Mixed |=
        I < Plain.Args.size() &&
        seesFloatForPointer(T.Types->own(Call.getArgOperand(I)), Plain.Args[I]);
  const bool Wants = Plain.WantsContext || Mixed;
  if (!Wants && Plain.Writes.empty())
    return {};
  // Of a result only numbers are told, where the callee knows nothing: pointers
  // to the parts of a data structure are often taken for each other (the head
  // of a list for a node of it).
  const bool TellsResult =
      Call.getType()->isPointerTy() &&
      Callee.F->getReturnType()->isPointerTy() &&
      Plain.Ret.pointeeAt(0).isUnknown() &&
      (Mixed || T.Types->memory(&Call).only(ConcreteType::Pointer).isUnknown());
  auto cut = [&](unsigned I) {
    if (!Call.getArgOperand(I)->getType()->isPointerTy() ||
        I >= Plain.Args.size())
      return TypeTree();
    return cutFloatsOf(*T.Types, Call, I, Plain.Writes, Plain.Args[I]);
  };
  if (isRecursive(T.P, &Callee)) {
    // A direct call of itself keeps the context if it still holds.
    auto holds = [&](const std::string &Told, TypeTree Known) {
      return parsedTree(Told, Call.getContext()).isImpliedBy(Known);
    };
    bool Holds = T.P == &Callee &&
                 (!TellsResult || holds(T.Context.Result, T.Types->own(&Call)));
    for (unsigned I = 0; Holds && I != T.Context.Arguments.size(); ++I) {
      TypeTree Known = T.Types->own(Call.getArgOperand(I));
      Known.join(cut(I));
      Holds = holds(T.Context.Arguments[I], Known);
    }
    return Holds ? T.Context : CallerTypes();
  }
  auto told = [&](const Value &V, const TypeTree &Callees,
                  const TypeTree &Cut) -> std::string {
    if (V.getType()->isFPOrFPVectorTy() || isa<ConstantData>(V))
      return "";
    TypeTree Tree;
    if (Wants)
      Tree = T.Types->own(&V).dropping(ConcreteType::Anything).minus(Callees);
    // The argument is a pointer in any case.
    if (Tree.depth() == 0 && V.getType()->isPointerTy())
      Tree = TypeTree();
    Tree.join(Cut);
    // How sure the caller is makes no other context of it.
    Tree = passed(Tree.demoted(Certainty::Indirect).outline());
    return Tree.isUnknown() ? "" : Tree.str();
  };
  CallerTypes Context;
  Context.Arguments.resize(Callee.F->arg_size());
  for (unsigned I = 0; I != NumArgs; ++I)
    if (const Value *Arg = Call.getArgOperand(I);
        Arg->getType() == Callee.F->getArg(I)->getType())
      Context.Arguments[I] = told(
          *Arg, I < Plain.Args.size() ? Plain.Args[I] : TypeTree(), cut(I));
  if (TellsResult)
    Context.Result = told(Call, {}, {});
  return Context.empty() ? CallerTypes() : Context;
}

TypeTree TypeSolver::passed(const TypeTree &T) {
  TypeTree Kept = T.limited(Options::get().MaxTypeFacts);
  Dropped |= Kept.weight() != T.weight();
  return Kept;
}

/// Moves the calls of the task \p N to the contexts that its trees give; true
/// if some call has a new one.
bool TypeSolver::refineContextsIn(unsigned N) {
  if (!Tasks[N]->Types || Tasks[N]->isRefined())
    return false;
  Tasks[N]->RunsRefined = Tasks[N]->Runs;
  bool Changed = false;
  for (const CallBase *Call : Tasks[N]->Types->bodyCalls()) {
    auto Now = Tasks[N]->CalleeTask.find(Call);
    if (Now == Tasks[N]->CalleeTask.end())
      continue;
    const Primal &Callee = *Tasks[Now->second]->P;
    CallerTypes Context = contextOf(*Tasks[N], *Call, Callee);
    if (Context == Tasks[Now->second]->Context)
      continue;
    bool Exists = TaskOf.count({&Callee, Context});
    if (Context.empty() || (!Exists && Tasks.size() >= MaxTasks))
      continue; // what was found in an earlier context stays
    unsigned Index = taskFor(Callee, Context);
    Tasks[N]->CalleeTask[Call] = Index;
    Tasks[N]->Types->touch(*Call);
    Work.insert(N);
    Changed = true;
  }
  return Changed;
}

/// Moves the calls of all tasks in use. Callers first: a task that no call
/// stands for any more needs no contexts of its calls, whose number would grow
/// with the depth of calls.
bool TypeSolver::refineContexts() {
  findRecursion();
  bool Changed = false;
  Used.clear();
  Used.insert(Root);
  for (unsigned I = 0; I != Used.size(); ++I) {
    Changed |= refineContextsIn(Used[I]);
    for (auto &[Call, Index] : Tasks[Used[I]]->CalleeTask)
      Used.insert(Index);
  }
  return Changed;
}

void TypeSolver::settleContexts() {
  for (unsigned Round = 0; Round != MaxRounds; ++Round) {
    settle();
    if (!refineContexts())
      break;
  }
  settle();
  findRecursion();
}

/// Tells each function what the others know of the variables that it names.
/// True if one of them did not know it.
bool TypeSolver::shareGlobals() {
  MapVector<const GlobalVariable *, TypeTree> All;
  for (const std::unique_ptr<Task> &T : Tasks) {
    const FunctionTypes *Types = T->Types.get();
    if (!Types)
      Types = T->P->KnownTypes->Solved[T->Context].Types.get();
    for (const GlobalVariable *G : Types->globals())
      if (!G->isConstant())
        All[G].join(withoutIntegers(Types->memory(G)));
  }
  bool News = false;
  for (unsigned N = 0; N != Tasks.size(); ++N) {
    if (!Tasks[N]->Types)
      continue;
    for (const GlobalVariable *G : Tasks[N]->Types->globals())
      if (!G->isConstant() &&
          Tasks[N]->Types->learn(*G,
                                 passed(All[G].demoted(Certainty::Indirect)))) {
        Work.insert(N);
        News = true;
      }
  }
  return News;
}

/// The context of each call of \p T.
CallContexts TypeSolver::contextsOf(const Task &T) {
  CallContexts Contexts;
  for (auto &[Call, Index] : T.CalleeTask) {
    const Primal &Callee = *Tasks[Index]->P;
    CallerTypes C = contextOf(T, *cast<CallBase>(Call), Callee);
    // What the first phase told stays.
    if (C.empty())
      C = T.Contexts.lookup(Call);
    Contexts[Call] = std::move(C);
  }
  return Contexts;
}

/// The second phase. True if there was something to believe.
bool TypeSolver::believeIntegers() {
  for (const std::unique_ptr<Task> &T : Tasks) {
    if (!T->Types)
      continue;
    T->Early = T->Summary;
    T->Contexts = contextsOf(*T);
  }
  Trust = Believe::All;
  bool Any = false;
  for (unsigned N = 0; N != Tasks.size(); ++N) {
    Task &T = *Tasks[N];
    if (T.Types) {
      if (T.Types->believeIntegers()) {
        Work.insert(N);
        Any = true;
      }
      continue;
    }
    const TypeSummary &Final = T.P->KnownTypes->Solved[T.Context].Summary;
    if (Final == T.Summary)
      continue;
    T.Summary = Final;
    tell(T);
    Any = true;
  }
  return Any;
}

/// Keeps a settled task with its primal.
void TypeSolver::keep(const Task &T) {
  if (!T.Types || T.Runs == 0)
    return;
  if (!T.P->KnownTypes)
    T.P->KnownTypes = std::make_shared<TypeCache>();
  TypeCache &Cache = *T.P->KnownTypes;
  SolvedFunction S;
  S.Types = T.Types;
  S.Early = T.Early;
  S.Summary = T.Summary;
  S.Contexts = contextsOf(T);
  S.Dropped = Dropped;
  for (auto &[Call, Index] : T.CalleeTask)
    if (!is_contained(Cache.Callees, Tasks[Index]->P))
      Cache.Callees.push_back(Tasks[Index]->P);
  Cache.Solved[T.Context] = std::move(S);
}

SolvedFunction TypeSolver::solve(const Primal &P, const CallerTypes &Known) {
  const CallerTypes Context = Known.empty() ? CallerTypes() : Known;
  // A caller's solution holds those of its callees.
  if (P.KnownTypes)
    if (auto It = P.KnownTypes->Solved.find(Context);
        It != P.KnownTypes->Solved.end())
      return It->second;
  Root = taskFor(P, Context);
  settleContexts();
  for (unsigned Round = 0; Round != MaxGlobalRounds && shareGlobals(); ++Round)
    settleContexts();
  settle();
  if (believeIntegers())
    settleContexts();
  Dropped |= any_of(Tasks, [](const std::unique_ptr<Task> &T) {
    return T->Types && T->Types->hasDroppedFacts();
  });
  // What came out of use before its calls had their contexts knows too little.
  for (size_t N = 0; N != Tasks.size(); ++N)
    if (Used.contains(N) || Tasks[N]->isRefined())
      keep(*Tasks[N]);
  return P.KnownTypes->Solved[Tasks[Root]->Context];
}
