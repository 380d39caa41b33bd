// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells, sweeps and summaries; the constraints stand in Transfer*.cpp.
#include "Analysis/Type/FunctionTypes.h"
#include "Analysis/Type/IRTypes.h"
#include "Analysis/Type/TypeFacts.h"
#include "Analysis/Type/TypeTreeBuilder.h"
#include "adze/FloatsInAddresses.h"
#include "adze/GivenDerivatives.h"
#include "adze/Mpi.h"
#include "adze/Options.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace adze;

/// A cell that changes in more sweeps than this feeds on itself (a pointer that
/// advances through memory, or in a recursion): rows of like facts in it are
/// widened to progressions, and it takes only what is new beside those.
static constexpr unsigned MaxGrowth = 16;
/// After so many sweeps it takes nothing any more.
static constexpr unsigned MaxChanges = 64;

/// Trees of more than this part of the limit are looked through for records
/// that lead to each other.
static constexpr unsigned SmallPart = 16;

SummarySource::~SummarySource() = default;

TypeTree adze::parsedTree(const std::string &Text, LLVMContext &C) {
  TypeTree Tree;
  if (!Text.empty())
    TypeTree::parse(Text, C, Tree);
  return Tree;
}

FunctionTypes::FunctionTypes(const Primal &P, const CallerTypes &Known,
                             std::shared_ptr<DeclaredTypes> Declared)
    : P(P), Declared(std::move(Declared)), F(*P.F),
      DL(F.getParent()->getDataLayout()), Values(F, DL) {
  size_t Constraints =
      Values.Order.size() + Values.Cycles.size() + Values.CountingCycles.size();
  Dirty.resize(Constraints, true);
  for (unsigned N = 0; N != Values.Order.size(); ++N) {
    addWriteOf(*Values.Order[N], Writes);
    auto *Call = dyn_cast<CallBase>(Values.Order[N]);
    if (!Call)
      continue;
    NumberOfCall[Call] = N;
    const Function *Callee = Call->getCalledFunction();
    if (Callee && !Callee->isDeclaration())
      BodyCalls.push_back(Call);
  }
  registerUsers();
  seed(Known);
}

void FunctionTypes::registerUsers() {
  auto Use = [&](const Value *V, unsigned Constraint) {
    CellRef R = Values.of(V);
    if (!R.isValid())
      return;
    SmallVectorImpl<unsigned> &Users = Values.List[R.Cell].Users;
    if (Users.empty() || Users.back() != Constraint)
      Users.push_back(Constraint);
  };
  unsigned N = 0;
  for (const Instruction *I : Values.Order) {
    Use(I, N);
    for (const Value *Op : I->operand_values())
      Use(Op, N);
    ++N;
  }
  for (const Cycle &C : Values.Cycles) {
    for (auto &[Member, Input] : C.Inputs)
      Use(Input, N);
    ++N;
  }
  for (const CountingCycle &C : Values.CountingCycles) {
    for (const Value *Input : C.Inputs)
      Use(Input, N);
    ++N;
  }
}

/// What is known before any instruction is looked at.
void FunctionTypes::seed(const CallerTypes &Known) {
  for (const Argument &A : F.args()) {
    TypeTree Tree;
    if (A.getArgNo() < Known.Arguments.size())
      Tree = parsedTree(Known.Arguments[A.getArgNo()], F.getContext());
    addOwn(&A, Tree);
    Around.emplace_back();
    if (A.getType()->isPointerTy())
      Around.back() = Tree.shifted(-int64_t(sizeOf(&A)));
    Type *InMemory = A.getParamByValType();
    if (!InMemory)
      InMemory = A.getParamStructRetType();
    if (InMemory)
      addMemory(&A, treeOfObject(InMemory, DL, &A));
  }
  addResult(parsedTree(Known.Result, F.getContext()));
  seedGlobals();
  seedDeclared();
}

/// \p T describes the own bytes of what the function returns.
void FunctionTypes::addResult(const TypeTree &T) {
  for (const Instruction *I : Values.Order)
    if (isa<ReturnInst>(I) && I->getNumOperands() == 1 &&
        !isa<ConstantData>(I->getOperand(0)))
      addOwn(I->getOperand(0), T);
}

void FunctionTypes::seedGlobals() {
  SmallPtrSet<const GlobalVariable *, 8> Seen;
  for (const Instruction *I : Values.Order)
    for (const Value *Op : I->operand_values()) {
      if (!isa<Constant>(Op) || !Op->getType()->isPointerTy())
        continue;
      APInt Offset(DL.getIndexTypeSizeInBits(Op->getType()), 0);
      const Value *Base = Op->stripAndAccumulateConstantOffsets(
          DL, Offset, /*AllowNonInbounds=*/true);
      auto *G = dyn_cast<GlobalVariable>(Base);
      if (!G || !Seen.insert(G).second)
        continue;
      if (Trust == Believe::NoIntegers) {
        Globals.push_back(G);
        addMemory(G, treeOfGlobal(*G, DL));
      }
      addMemory(G, Declared->ofGlobal(*G, Trust));
    }
}

/// What the source declares of variables, parameters and the result.
void FunctionTypes::seedDeclared() {
  for (const Declaration &D : P.Declared) {
    const Value *V = D.Of;
    TypeTree T = Declared->of(*D.Type, Trust, V);
    if (D.Behind)
      T = T.pointeeAt(0);
    // An integer variable may carry anything for a while.
    auto *Slot = dyn_cast<AllocaInst>(V);
    if (!D.IsAddress || (Slot && Slot->getAllocatedType()->isIntegerTy()))
      T = T.dropping(ConcreteType::Integer);
    if (D.IsAddress)
      addMemory(V, T);
    else
      addOwn(V, T.slice(D.Offset, sizeOf(V)));
  }
  AttributeList Attributes = F.getAttributes();
  for (const Argument &A : F.args())
    addOwn(&A, Declared->of(Attributes.getParamAttrs(A.getArgNo()), Trust, &A)
                   .dropping(ConcreteType::Integer));
  addResult(Declared->of(Attributes.getRetAttrs(), Trust, &F)
                .dropping(ConcreteType::Integer));
}

bool FunctionTypes::learn(const GlobalVariable &G, const TypeTree &T) {
  addMemory(&G, T);
  return Dirty.any();
}

static bool isAnnotated(const Function *Callee) {
  if (!Callee || !Callee->isDeclaration() || Callee->isIntrinsic())
    return false;
  for (AttributeSet Set : Callee->getAttributes())
    if (Set.hasAttribute("adze_type"))
      return true;
  return false;
}

bool FunctionTypes::believeIntegers() {
  Trust = Believe::All;
  seedGlobals();
  seedDeclared();
  bool Structures = Declared->knowsStructures();
  for (unsigned N = 0; N != Values.Order.size(); ++N) {
    const Instruction *I = Values.Order[N];
    auto *Call = dyn_cast<CallBase>(I);
    if ((Structures && isa<GetElementPtrInst, AllocaInst>(I)) ||
        (Call && isAnnotated(Call->getCalledFunction())))
      Dirty.set(N);
  }
  return Dirty.any();
}

uint64_t FunctionTypes::sizeOf(const Value *V) const {
  return storeSize(V->getType(), DL);
}

void FunctionTypes::add(int CellIndex, const TypeTree &T) {
  Cell &C = Values.List[CellIndex];
  if (C.Changes > MaxChanges || T.isUnknown())
    return;
  TypeTree New = C.Tree;
  if (C.Changes > MaxGrowth)
    New.join(T.minus(C.Tree, Certainty::Indirect));
  else
    New.join(T);
  if (New == C.Tree)
    return;
  // Facts of one cell at all depths.
  const uint64_t Limit = Options::get().MaxTypeFacts;
  if (New.weight() > Limit / SmallPart)
    New = TypeTreeBuilder::withoutRecursion(New);
  TypeTree Kept = New.limited(Limit);
  Dropped |= Kept.weight() != New.weight();
  New = std::move(Kept);
  if (C.LastChange != Sweep) {
    C.LastChange = Sweep;
    if (++C.Changes > MaxGrowth)
      New = New.widened();
  }
  if (New == C.Tree)
    return;
  C.Tree = New;
  for (unsigned U : C.Users)
    Dirty.set(U);
}

void FunctionTypes::addMemory(const Value *Ptr, const TypeTree &T,
                              int64_t Offset) {
  CellRef R = Values.of(Ptr);
  if (!R.isValid() || T.isUnknown())
    return;
  const Cell &C = Values.List[R.Cell];
  if (C.Fold)
    add(R.Cell, withoutWords(T, C.SeveralSteps ? 1 : C.Fold)
                    .folded(C.Fold)
                    .rotated(-(R.Delta + Offset)));
  else
    add(R.Cell, T.shifted(R.Delta + Offset));
}

TypeTree FunctionTypes::memory(const Value *V) const {
  CellRef R = Values.of(V);
  if (!R.isValid())
    return TypeTree();
  const Cell &C = Values.List[R.Cell];
  return C.Fold ? C.Tree.rotated(R.Delta) : C.Tree.shifted(-R.Delta);
}

TypeTree FunctionTypes::memory(const Value *V, uint64_t Size) const {
  CellRef R = Values.of(V);
  if (!R.isValid())
    return TypeTree();
  const Cell &C = Values.List[R.Cell];
  if (C.Fold || R.Delta < 0)
    return memory(V).slice(0, Size);
  return C.Tree.slice(uint64_t(R.Delta), Size);
}

void FunctionTypes::addOwn(const Value *V, const TypeTree &T) {
  if (T.isUnknown())
    return;
  if (V->getType()->isPointerTy()) {
    addMemory(V, T.pointeeAt(0));
    return;
  }
  CellRef R = Values.of(V);
  if (R.isValid())
    add(R.Cell, T.slice(0, sizeOf(V)));
}

TypeTree FunctionTypes::constantTree(const Constant *C) const {
  Type *Ty = C->getType();
  if (Ty->isPointerTy() && !isa<UndefValue>(C) && !C->isNullValue())
    return memory(C).behindPointer(storeSize(Ty, DL), C);
  return treeOfConstant(*C, DL);
}

TypeTree FunctionTypes::own(const Value *V) const {
  if (auto *C = dyn_cast<Constant>(V))
    return constantTree(C);
  Type *Ty = V->getType();
  uint64_t Size = storeSize(Ty, DL);
  if (Ty->isPointerTy())
    return memory(V).behindPointer(Size, V);
  if (Ty->isIntegerTy(1))
    return TypeTree::at(0, Size, ConcreteType::Integer, Certainty::Definite, V);
  TypeTree T = treeOfType(Ty, DL, Certainty::Definite, V);
  CellRef R = Values.of(V);
  if (R.isValid())
    T.join(Values.List[R.Cell].Tree);
  return T;
}

BlockLayout FunctionTypes::layout(const Value *V, Doubt Settle) const {
  return layoutOf(own(V), sizeOf(V), Settle);
}

TypeTree FunctionTypes::numberTree(const Value *V, Certainty C,
                                   const Value *Why) const {
  return TypeTree::at(0, sizeOf(V), ConcreteType::Integer, C, Why);
}

void FunctionTypes::addNumber(const Value *V, Certainty C, const Value *Why) {
  if (!isa<Constant>(V) && V->getType()->isIntOrIntVectorTy())
    addOwn(V, numberTree(V, C, Why));
}

/// All bytes are Integer, constants and zero bytes aside.
bool FunctionTypes::isNumber(const Value *V) const {
  if (isa<ConstantInt>(V) || V->getType()->isIntegerTy(1))
    return true;
  for (const TypedRange &R : layout(V).Ranges)
    if (!R.Type.isInteger() && R.Type.kind() != ConcreteType::Anything)
      return false;
  return true;
}

bool FunctionTypes::isPointer(const Value *V) const {
  return layout(V).has(ConcreteType::Pointer);
}

/// An address at a constant distance behind another one. (The functions of a
/// class stand at such a distance in a table that nobody changes.)
bool FunctionTypes::isMemberAddress(const Value *V) const {
  CellRef R = Values.of(V);
  if (!V->getType()->isPointerTy() || !R.isValid() || R.Delta <= 0 ||
      Values.List[R.Cell].Fold != 0)
    return false;
  auto *Table = dyn_cast<GlobalVariable>(getUnderlyingObject(V));
  return !Table || !Table->isConstant();
}

/// Computed from what is not known to be a number, where integers become
/// pointers.
bool FunctionTypes::isPerhapsPointer(const Value *V) const {
  auto *I = dyn_cast<BinaryOperator>(V);
  if (!I || !Declared->hasIntegerPointers() || !V->getType()->isIntegerTy() ||
      sizeOf(V) != DL.getPointerSize() || isPointer(V))
    return false;
  return any_of(I->operand_values(),
                [&](const Value *Op) { return !isSurelyNumber(Op); });
}

/// A number by more than what arithmetic, or a declaration that is doubted,
/// makes believe.
bool FunctionTypes::isSurelyNumber(const Value *V) const {
  if (isa<ConstantInt>(V))
    return true;
  bool Moved =
      isa<Argument, LoadInst, CallBase, PHINode, SelectInst, ExtractValueInst>(
          V);
  Certainty Least = Moved ? Certainty::Definite : Certainty::Indirect;
  TypeTree T = own(V);
  return isNumber(V) && !T.isUnknown() && T.surest() >= Least;
}

/// \p V is an address; where it leads to is not followed.
void FunctionTypes::addAddress(const Value *V, Certainty C, const Value *Why) {
  if (!isa<Constant>(V) && V->getType()->isIntegerTy() &&
      sizeOf(V) == DL.getPointerSize())
    addOwn(V, TypeTree::at(0, sizeOf(V), ConcreteType::Pointer, C, Why));
}

void FunctionTypes::apply(unsigned N, SummarySource &Callees) {
  if (N < Values.Order.size())
    return applyInstruction(*Values.Order[N], Callees);
  N -= Values.Order.size();
  if (N < Values.Cycles.size())
    return applyCycle(Values.Cycles[N]);
  applyCountingCycle(Values.CountingCycles[N - Values.Cycles.size()]);
}

void FunctionTypes::run(SummarySource &Callees) {
  // Facts of definitions travel forward, facts of uses backward: sweep in
  // turns.
  unsigned Constraints = Dirty.size();
  while (Dirty.any()) {
    ++Sweep;
    for (int N = Dirty.find_first(); N >= 0; N = Dirty.find_next(N)) {
      Dirty.reset(N);
      apply(N, Callees);
    }
    ++Sweep;
    for (int N = Dirty.find_last_in(0, Constraints); N >= 0;
         N = N > 0 ? Dirty.find_last_in(0, N) : -1) {
      Dirty.reset(N);
      apply(N, Callees);
    }
  }
}

TypeTree FunctionTypes::around(const Argument &A) const {
  return A.getParent() == &F ? Around[A.getArgNo()] : TypeTree();
}

void FunctionTypes::touch(const Instruction &Call) {
  Dirty.set(NumberOfCall.lookup(&Call));
}

static bool hasUnknown(const BlockLayout &L) {
  return L.has(ConcreteType::Unknown);
}

static bool isPassedOn(const LoadInst &Load) {
  return any_of(Load.users(), [](const User *U) {
    return isa<ReturnInst, InsertValueInst, CallBase>(U);
  });
}

/// A word that is moved as a pointer may be a float to callers.
bool FunctionTypes::movesAnyWord(const LoadInst &Load) const {
  if (!Load.getType()->isPointerTy() || !own(&Load).pointeeAt(0).isUnknown())
    return false;
  return any_of(Load.users(),
                [](const User *U) { return isa<StoreInst>(U); }) ||
         (isPassedOn(Load) && walksOverObject(Load.getPointerOperand()));
}

/// One that is passed on from a fixed place is mostly what it seems, a member.
bool FunctionTypes::passesMember(const Instruction &I) const {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->getType()->isPointerTy() && isPassedOn(*Load) &&
         own(Load).pointeeAt(0).isUnknown();
}

bool FunctionTypes::exchangesUnknown(const CallBase &Call) const {
  auto isUnknown = [&](unsigned Buffer, uint64_t Bytes) {
    return hasUnknown(layoutOf(memory(Call.getArgOperand(Buffer)), Bytes));
  };
  if (mpi::exchangesNumbers(Call))
    return any_of(mpi::numberBuffers(Call), [&](const mpi::NumberBuffer &B) {
      return isUnknown(B.Argument, B.Bytes);
    });
  return any_of(given::describedOf(Call), [&](const given::Described &D) {
    return isUnknown(D.Buffer, UINT64_MAX);
  });
}

/// \p I moves bytes whose type is not known.
bool FunctionTypes::movesUnknown(const Instruction &I) const {
  bool OnVectors = isa<ShuffleVectorInst>(I) ||
                   (I.getType()->isVectorTy() && I.isBitwiseLogicOp());
  if (auto *Load = dyn_cast<LoadInst>(&I))
    if (movesAnyWord(*Load))
      return true;
  if (isa<LoadInst>(I) || isa<PHINode>(I) || isa<SelectInst>(I) || OnVectors)
    return !I.getType()->isIntegerTy(1) && hasUnknown(layout(&I));
  // An address, of which caller's may know which part is the number.
  if (I.isBinaryOp() && I.getType()->isIntegerTy() && isPointer(&I))
    return none_of(I.operand_values(), [&](const Value *Op) {
      return isPointer(Op) || isSurelyNumber(Op);
    });
  if (auto *R = dyn_cast<ReturnInst>(&I))
    return R->getReturnValue() && isPerhapsPointer(R->getReturnValue());
  if (auto *S = dyn_cast<StoreInst>(&I))
    return hasUnknown(layout(S->getValueOperand())) ||
           isPerhapsPointer(S->getValueOperand());
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
    const Value *New = I.getOperand(I.getNumOperands() - 1);
    return New->getType()->isIntegerTy() &&
           hasUnknown(layoutOf(memory(I.getOperand(0)), sizeOf(New)));
  }
  if (auto *Call = dyn_cast<CallBase>(&I))
    if (exchangesUnknown(*Call))
      return true;
  auto *M = dyn_cast<MemIntrinsic>(&I);
  if (!M)
    return false;
  auto *Length = dyn_cast<ConstantInt>(M->getLength());
  uint64_t Bytes = Length ? Length->getZExtValue() : UINT64_MAX;
  return hasUnknown(layoutOf(memory(M->getRawDest()), Bytes));
}

TypeSummary FunctionTypes::summary() const {
  TypeSummary S;
  for (const Argument &A : F.args())
    S.Args.push_back(own(&A));
  bool First = true;
  S.WantsContext = CalleeWantsContext;
  S.PassesMember = CalleePassesMember;
  S.Writes = Writes;
  for (const Instruction *I : Values.Order) {
    S.WantsContext = S.WantsContext || movesUnknown(*I);
    S.PassesMember = S.PassesMember || passesMember(*I);
    auto *Ret = dyn_cast<ReturnInst>(I);
    if (!Ret || !Ret->getReturnValue() ||
        isa<UndefValue>(Ret->getReturnValue()))
      continue;
    TypeTree T = own(Ret->getReturnValue());
    S.Ret = First ? T : TypeTree::meet(S.Ret, T);
    First = false;
  }
  return S;
}
