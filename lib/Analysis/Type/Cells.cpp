// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Type/Cells.h"
#include "Analysis/Type/Components.h"
#include "Analysis/Type/IRTypes.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;
using namespace adze;

/// Types that may hold an integer or a pointer.
static bool hasCell(Type *Ty) {
  SmallVector<Type *, 8> Stack(1, Ty);
  while (!Stack.empty()) {
    Type *T = Stack.pop_back_val();
    if (T->isPointerTy() || (T->isIntegerTy() && !T->isIntegerTy(1)))
      return true;
    if (auto *VT = dyn_cast<FixedVectorType>(T))
      Stack.push_back(VT->getElementType());
    else if (auto *AT = dyn_cast<ArrayType>(T))
      Stack.push_back(AT->getElementType());
    else if (auto *ST = dyn_cast<StructType>(T))
      append_range(Stack, ST->elements());
  }
  return false;
}

/// The operand that \p I returns unchanged, or null.
static const Value *passedThrough(const Instruction *I) {
  if (isa<FreezeInst>(I))
    return I->getOperand(0);
  if (isa<AddrSpaceCastInst>(I) && I->getType()->isPointerTy())
    return I->getOperand(0);
  if (isa<BitCastInst>(I) && I->getType()->isPointerTy())
    return I->getOperand(0);
  auto *Call = dyn_cast<CallBase>(I);
  if (!Call)
    return nullptr;
  if (const KnownFunction *K = lookupKnown(*Call))
    if (K->returnsOperand() && Call->arg_size() > 0 &&
        Call->getArgOperand(0)->getType() == I->getType())
      return Call->getArgOperand(0);
  const Value *Returned = Call->getReturnedArgOperand();
  return Returned && Returned->getType() == I->getType() ? Returned : nullptr;
}

Cells::Cells(const Function &F, const DataLayout &DL) : DL(DL) {
  for (const Argument &A : F.args())
    addValue(&A);
  ReversePostOrderTraversal<const Function *> RPO(&F);
  for (const BasicBlock *B : RPO)
    for (const Instruction &I : *B) {
      if (I.isDebugOrPseudoInst())
        continue;
      Order.push_back(&I);
      addConstants(I);
      addValue(&I);
    }
  findCycles();
  makeCells();
}

/// Gives cells to the globals that \p I names.
void Cells::addConstants(const Instruction &I) {
  for (const Use &U : I.operands()) {
    if (!isa<Constant>(U) || !U->getType()->isPointerTy())
      continue;
    Place P = rootOf(U);
    if (P.Root && isa<GlobalVariable>(P.Root) && !Places.count(P.Root))
      addValue(P.Root);
  }
}

/// The root and distance of a value whose operands have their places.
Cells::Place Cells::rootOf(const Value *V) const {
  Place P;
  auto It = Places.find(V);
  if (It != Places.end())
    return It->second;
  if (!isa<Constant>(V) || !V->getType()->isPointerTy())
    return P;
  APInt Offset(DL.getIndexTypeSizeInBits(V->getType()), 0);
  P.Root = V->stripAndAccumulateConstantOffsets(DL, Offset,
                                                /*AllowNonInbounds=*/true);
  P.Offset = Offset.getSExtValue();
  if (!isa<GlobalVariable>(P.Root))
    P.Root = nullptr;
  return P;
}

Cells::Place Cells::placeOf(const Value *V) {
  Place Own;
  Own.Root = V;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return Own;
  if (const Value *Same = passedThrough(I)) {
    Place P = rootOf(Same);
    return P.Root ? P : Own;
  }
  auto *GEP = dyn_cast<GEPOperator>(I);
  if (!GEP || !GEP->getType()->isPointerTy())
    return Own;
  AddressOffset A = offsetOf(*GEP, DL);
  Place P = rootOf(GEP->getPointerOperand());
  if (!A.Known || !A.Dims.empty() || !P.Root)
    return Own;
  P.Offset += A.Constant;
  return P;
}

void Cells::addValue(const Value *V) {
  if (!hasCell(V->getType()))
    return;
  Place P = placeOf(V);
  Places[V] = P;
  Values.push_back(V);
}

/// Phis and selects, and GEPs that are their own root: those whose result is
/// one of the operands, moved at most.
bool Cells::isCopy(const Instruction *I) const {
  if (isa<PHINode>(I))
    return true;
  if (isa<SelectInst>(I))
    return true;
  return isa<GetElementPtrInst>(I) && I->getType()->isPointerTy();
}

/// The operands that a copy may return.
static SmallVector<const Value *, 4> copied(const Instruction *I) {
  SmallVector<const Value *, 4> Ops;
  if (auto *Phi = dyn_cast<PHINode>(I))
    Ops.append(Phi->value_op_begin(), Phi->value_op_end());
  else if (auto *Sel = dyn_cast<SelectInst>(I))
    Ops = {Sel->getTrueValue(), Sel->getFalseValue()};
  else
    Ops.push_back(I->getOperand(0));
  return Ops;
}

/// Operations on numbers whose result is a number.
static bool isCounting(const Instruction *I) {
  if (!I->getType()->isIntegerTy())
    return false;
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
    return true;
  default:
    return false;
  }
}

void Cells::findCycles() {
  // Copies: nodes are roots.
  std::vector<const Instruction *> Nodes;
  DenseMap<const Value *, unsigned> Number;
  std::vector<const Instruction *> IntNodes;
  DenseMap<const Value *, unsigned> IntNumber;
  for (const Value *V : Values) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || Places[V].Root != V)
      continue;
    if (isCopy(I)) {
      Number[I] = Nodes.size();
      Nodes.push_back(I);
    }
    if (I->getType()->isIntegerTy() && (isCopy(I) || isCounting(I))) {
      IntNumber[I] = IntNodes.size();
      IntNodes.push_back(I);
    }
  }
  Successors Graph(Nodes.size());
  for (unsigned N = 0; N != Nodes.size(); ++N)
    for (const Value *Op : copied(Nodes[N])) {
      auto It = Number.find(rootOf(Op).Root);
      if (It != Number.end() && rootOf(Op).Root)
        Graph[N].push_back(It->second);
    }
  for (const std::vector<unsigned> &C : cyclicComponents(Graph)) {
    SmallVector<const Instruction *, 8> Members;
    for (unsigned N : C)
      Members.push_back(Nodes[N]);
    shareCell(Members);
  }

  Successors IntGraph(IntNodes.size());
  auto Operands = [&](const Instruction *I) {
    SmallVector<const Value *, 4> Ops;
    if (isCopy(I))
      Ops = copied(I);
    else
      append_range(Ops, I->operand_values());
    return Ops;
  };
  for (unsigned N = 0; N != IntNodes.size(); ++N)
    for (const Value *Op : Operands(IntNodes[N])) {
      const Value *Root = rootOf(Op).Root;
      auto It = Root ? IntNumber.find(Root) : IntNumber.end();
      if (It != IntNumber.end())
        IntGraph[N].push_back(It->second);
    }
  for (const std::vector<unsigned> &C : cyclicComponents(IntGraph)) {
    CountingCycle Count;
    bool Counts = false;
    for (unsigned N : C) {
      Count.Members.push_back(IntNodes[N]);
      Counts |= isa<BinaryOperator>(IntNodes[N]);
    }
    if (!Counts)
      continue;
    for (unsigned N : C)
      for (const Value *Op : Operands(IntNodes[N])) {
        const Value *Root = rootOf(Op).Root;
        if (!Root || !is_contained(Count.Members, Root))
          Count.Inputs.push_back(Op);
      }
    CountingCycles.push_back(std::move(Count));
  }
}

/// Finds each member's distance from the first one, and the step: the
/// greatest common divisor of all ways round.
void Cells::shareCell(ArrayRef<const Instruction *> Members) {
  struct Edge {
    const Instruction *To;
    int64_t Distance; // of To from this one
  };
  DenseMap<const Instruction *, SmallVector<Edge, 4>> Edges;
  SmallPtrSet<const Value *, 16> Inside(Members.begin(), Members.end());
  uint64_t Step = 0, Shortest = UINT64_MAX;
  auto alsoBy = [&](uint64_t Length) {
    Step = std::gcd(Step, Length);
    if (Length)
      Shortest = std::min(Shortest, Length);
  };
  Cycle C;
  for (const Instruction *M : Members) {
    int64_t Constant = 0;
    if (auto *GEP = dyn_cast<GEPOperator>(M)) {
      AddressOffset A = offsetOf(*GEP, DL);
      Constant = A.Constant;
      if (!A.Known)
        alsoBy(1);
      for (const Dimension &D : A.Dims)
        alsoBy(D.Stride);
    }
    for (const Value *Op : copied(M)) {
      Place P = rootOf(Op);
      if (!P.Root || !Inside.count(P.Root)) {
        C.Inputs.push_back({M, Op});
        continue;
      }
      auto *From = cast<Instruction>(P.Root);
      Edges[From].push_back({M, P.Offset + Constant});
      Edges[M].push_back({From, -(P.Offset + Constant)});
    }
  }
  SmallVector<const Instruction *, 8> Work(1, Members[0]);
  Roots[Members[0]].Cell = int(List.size());
  while (!Work.empty()) {
    const Instruction *M = Work.pop_back_val();
    int64_t Here = Roots[M].Delta;
    for (const Edge &E : Edges[M]) {
      RootCell &To = Roots[E.To];
      if (To.Cell < 0) {
        To.Cell = int(List.size());
        To.Delta = Here + E.Distance;
        Work.push_back(E.To);
      } else {
        int64_t Gap = Here + E.Distance - To.Delta;
        alsoBy(uint64_t(Gap < 0 ? -Gap : Gap));
      }
    }
  }
  for (const Instruction *M : Members)
    Roots[M].Cycle = int(Cycles.size());
  C.Cell = int(List.size());
  List.emplace_back();
  List.back().Fold = Step;
  List.back().SeveralSteps = Step && Shortest > Step;
  Cycles.push_back(std::move(C));
}

void Cells::makeCells() {
  for (const Value *V : Values) {
    RootCell &R = Roots[Places[V].Root];
    if (R.Cell >= 0)
      continue;
    R.Cell = int(List.size());
    List.emplace_back();
  }
  // The origin of a cell is its lowest address, so that no member's facts lie
  // before it.
  std::vector<int64_t> Lowest(List.size(), 0);
  for (const Value *V : Values) {
    const RootCell &R = Roots[Places[V].Root];
    Lowest[R.Cell] = std::min(Lowest[R.Cell], R.Delta + Places[V].Offset);
  }
  for (const Value *V : Values)
    if (Places[V].Root == V && List[Roots[V].Cell].Fold == 0)
      Roots[V].Delta -= Lowest[Roots[V].Cell];
}

CellRef Cells::of(const Value *V) const {
  CellRef Ref;
  Place P = rootOf(V);
  if (!P.Root)
    return Ref;
  auto It = Roots.find(P.Root);
  if (It == Roots.end())
    return Ref;
  Ref.Cell = It->second.Cell;
  Ref.Delta = It->second.Delta + P.Offset;
  return Ref;
}

bool Cells::inOneCycle(const Instruction *I, const Value *V) const {
  Place P = rootOf(V);
  if (!P.Root)
    return false;
  auto A = Roots.find(I), B = Roots.find(P.Root);
  return A != Roots.end() && B != Roots.end() && A->second.Cycle >= 0 &&
         A->second.Cycle == B->second.Cycle;
}

unsigned Cells::inputsOf(const Instruction *I) const {
  SmallPtrSet<const Value *, 4> Seen;
  auto Count = [&](const Value *V) {
    if (!isa<UndefValue>(V) && !isa<ConstantPointerNull>(V))
      Seen.insert(V);
  };
  auto It = Roots.find(I);
  if (It != Roots.end() && It->second.Cycle >= 0)
    for (auto &[Member, Input] : Cycles[It->second.Cycle].Inputs)
      Count(Input);
  else
    for (const Value *Op : copied(I))
      Count(Op);
  return Seen.size();
}
