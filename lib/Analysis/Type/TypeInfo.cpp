// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answers of the type analysis, made from the solved trees of one
// function.
#include "adze/TypeInfo.h"
#include "Analysis/Type/IRTypes.h"
#include "Analysis/Type/TypeSolver.h"
#include "adze/Analyses.h"

#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;
using namespace adze;

TypeInfo::~TypeInfo() = default;

static bool usedAsNumber(const Value *V);
static bool isComputedNumber(const Value *V);

namespace {

class SolvedTypes final : public TypeInfo {
public:
  explicit SolvedTypes(SolvedFunction Solved)
      : Types(std::move(Solved.Types)), Contexts(std::move(Solved.Contexts)),
        Asks(Solved.Early.WantsContext), Dropped(Solved.Dropped) {}

  BlockLayout valueLayout(const Value *V) const override {
    BlockLayout L =
        Types->layout(V, usedAsNumber(V) ? Doubt::SurerWins : Doubt::FloatWins);
    if (L.has(ConcreteType::Unknown) && isComputedNumber(V))
      for (TypedRange &R : L.Ranges)
        if (!R.Type.isKnown())
          R.Type = ConcreteType::Anything;
    return L;
  }

  Type *floatTypeOf(const Value *V) const override {
    Type *Scalar = V->getType()->getScalarType();
    if (Scalar->isFloatingPointTy())
      return Scalar;
    if (!V->getType()->isSized() || Scalar->isPointerTy())
      return nullptr;
    BlockLayout L = valueLayout(V);
    return L.Ranges.size() == 1 ? L.Ranges[0].Type.floatType() : nullptr;
  }

  ConcreteType scalarKind(const Value *V) const override {
    Type *Scalar = V->getType()->getScalarType();
    if (Scalar->isFloatingPointTy())
      return ConcreteType::floating(Scalar);
    if (Scalar->isPointerTy())
      return ConcreteType::Pointer;
    if (!V->getType()->isSized())
      return ConcreteType();
    ConcreteType Kind = ConcreteType::Anything;
    for (const TypedRange &R : valueLayout(V).Ranges) {
      if (R.Type.kind() == ConcreteType::Anything || R.Type == Kind)
        continue;
      if (Kind.kind() != ConcreteType::Anything)
        return ConcreteType();
      Kind = R.Type;
    }
    return Kind;
  }

  BlockLayout memoryLayout(const Value *Ptr, uint64_t Bytes) const override {
    TypeTree Tree = Types->memory(Ptr);
    // Nothing is accessed behind the end of an object whose size is known, so
    // an array that fills it goes on as far as any access can.
    uint64_t Rest = 0;
    if (Bytes == UINT64_MAX &&
        getObjectSize(Ptr, Rest, Types->dataLayout(), nullptr))
      Tree = openEnded(Tree, Rest);
    return layoutOf(Tree, Bytes, Doubt::FloatWins);
  }

  TypeTree treeOf(const Value *V) const override { return Types->own(V); }

  TypeTree floatsAround(const Argument &A) const override {
    return Types->around(A);
  }

  SmallVector<TypeConflict, 2> conflicts() const override;
  bool conflictOf(const Value *V, TypeConflict &Out) const override;

  bool asksForContext() const override { return Asks; }

  bool hasDroppedFacts() const override { return Dropped; }

  CallerTypes typesOfCall(const Instruction &Call) const override {
    return Contexts.lookup(&Call);
  }

  void print(raw_ostream &OS) const override;

private:
  /// Arguments and instructions that may hold something else than floats.
  SmallVector<const Value *, 32> shown() const;

  std::shared_ptr<const FunctionTypes> Types;
  CallContexts Contexts;
  bool Asks, Dropped;
  /// The first one of each value that was asked for: each store asks, and each
  /// plan and its check do.
  mutable DenseMap<const Value *, std::optional<TypeConflict>> Conflicts;
};

} // namespace

/// Some use of \p V is one of numbers: then it is one there, or bits that are
/// computed with.
static bool usedAsNumber(const Value *V) {
  constexpr unsigned MaxUsers = 32;
  unsigned Seen = 0;
  for (const User *U : V->users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I || ++Seen > MaxUsers)
      return false;
    switch (I->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
    case Instruction::SIToFP:
    case Instruction::UIToFP:
    case Instruction::SExt:
    case Instruction::ICmp:
    case Instruction::Switch:
    case Instruction::GetElementPtr:
      return true;
    default:
      break;
    }
  }
  return false;
}

/// \p V is computed from constants, comparisons and conversions to integer
/// alone: it has no derivative however its bits are read, nor is it a pointer.
static bool isComputedNumber(const Value *V) {
  constexpr unsigned MaxValues = 64;
  SmallVector<const Value *, 16> Work(1, V);
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *Next = Work.pop_back_val();
    if (!Next->getType()->isIntOrIntVectorTy())
      return false;
    if (isa<ConstantData>(Next) || Next->getType()->isIntOrIntVectorTy(1) ||
        !Seen.insert(Next).second)
      continue;
    auto *I = dyn_cast<Instruction>(Next);
    if (!I || Seen.size() > MaxValues)
      return false;
    if (isa<FPToSIInst, FPToUIInst>(I))
      continue;
    auto *Sel = dyn_cast<SelectInst>(I);
    if (Sel)
      Work.append({Sel->getTrueValue(), Sel->getFalseValue()});
    else if (isa<BinaryOperator, PHINode, TruncInst, ZExtInst, SExtInst,
                 FreezeInst>(I))
      append_range(Work, I->operand_values());
    else
      return false;
  }
  return true;
}

static TypeConflict describe(const Value *V, const TypeTree::Conflict &C) {
  TypeConflict Out;
  Out.Where = V;
  raw_string_ostream Path(Out.Path);
  for (uint64_t Offset : C.Path)
    Path << '[' << Offset << ']';
  Path << '[' << std::max(C.A->Place.Start, C.B->Place.Start) << ']';
  Out.A = C.A->Type;
  Out.B = C.B->Type;
  Out.WitnessA = C.A->Witness;
  Out.WitnessB = C.B->Witness;
  return Out;
}

SmallVector<const Value *, 32> SolvedTypes::shown() const {
  SmallVector<const Value *, 32> Out;
  for (const Argument &A : Types->primal().F->args())
    Out.push_back(&A);
  for (const Instruction *I : Types->order())
    if (!I->getType()->isVoidTy() && !I->getType()->isFPOrFPVectorTy() &&
        !I->getType()->isIntOrIntVectorTy(1) && I->getType()->isSized())
      Out.push_back(I);
  return Out;
}

SmallVector<TypeConflict, 2> SolvedTypes::conflicts() const {
  SmallVector<TypeConflict, 2> Out;
  // The same fact may be seen from many pointers, and exclude many others:
  // tell it once.
  std::set<std::pair<const Value *, std::string>> Seen;
  for (const Value *V : shown()) {
    TypeTree Tree = Types->own(V);
    SmallVector<TypeTree::Conflict, 4> Found;
    Tree.findConflicts(Found);
    for (const TypeTree::Conflict &C : Found)
      if (Seen.insert({C.A->Witness, C.A->Type.str()}).second)
        Out.push_back(describe(V, C));
  }
  return Out;
}

bool SolvedTypes::conflictOf(const Value *V, TypeConflict &Out) const {
  auto [It, IsNew] = Conflicts.try_emplace(V);
  std::optional<TypeConflict> &First = It->second;
  if (IsNew) {
    TypeTree Tree = Types->own(V);
    SmallVector<TypeTree::Conflict, 4> Found;
    Tree.findConflicts(Found);
    if (!Found.empty())
      First = describe(V, Found.front());
  }
  if (!First)
    return false;
  Out = *First;
  return true;
}

static void printWitness(raw_ostream &OS, const Value *W, const Function &F,
                         ModuleSlotTracker &Slots) {
  if (!W) {
    OS << "the caller";
    return;
  }
  auto *I = dyn_cast<Instruction>(W);
  if (!I) {
    W->printAsOperand(OS, false, Slots);
    return;
  }
  if (I->getFunction() != &F) {
    // Numbers of another function's values are not those of this tracker.
    OS << I->getOpcodeName() << " in @" << I->getFunction()->getName();
    return;
  }
  OS << '\'';
  std::string Text;
  raw_string_ostream TextOS(Text);
  I->print(TextOS, Slots);
  OS << StringRef(Text).ltrim() << '\'';
}

void SolvedTypes::print(raw_ostream &OS) const {
  const Function &F = *Types->primal().F;
  const Function *Source = Types->primal().Source;
  ModuleSlotTracker Slots(F.getParent(), /*ShouldInitializeAllMetadata=*/false);
  Slots.incorporateFunction(F);
  OS << "types of @" << (Source ? Source->getName() : F.getName()) << ":\n";
  for (const Value *V : shown()) {
    OS << "  ";
    V->printAsOperand(OS, false, Slots);
    OS << ": ";
    Types->own(V).outline().print(OS);
    OS << '\n';
  }
  if (!F.getReturnType()->isVoidTy()) {
    OS << "  return: ";
    Types->summary().Ret.outline().print(OS);
    OS << '\n';
  }
  for (const auto &[Call, Context] : Contexts) {
    if (Context.empty())
      continue;
    OS << "  context of @"
       << cast<CallBase>(Call)->getCalledFunction()->getName() << ':';
    for (const std::string &T : Context.Arguments)
      OS << ' ' << (T.empty() ? "{}" : T);
    if (!Context.Result.empty())
      OS << " result " << Context.Result;
    OS << '\n';
  }
  for (const TypeConflict &C : conflicts()) {
    OS << "  conflict in ";
    C.Where->printAsOperand(OS, false, Slots);
    OS << " at " << C.Path << ": " << C.A.str() << " by ";
    printWitness(OS, C.WitnessA, F, Slots);
    OS << ", " << C.B.str() << " by ";
    printWitness(OS, C.WitnessB, F, Slots);
    OS << '\n';
  }
}

std::unique_ptr<TypeInfo> adze::analyzeTypes(const Primal &P,
                                             const CallerTypes &Known,
                                             PrimalLookup Callees) {
  TypeSolver Solver(Callees);
  return std::make_unique<SolvedTypes>(Solver.solve(P, Known));
}
