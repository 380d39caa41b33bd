// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/AccessOrder.h"
#include "Loops/EntryGuards.h"
#include "Loops/Polynomial.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// Questions answered for one function.
constexpr unsigned MaxQuestions = 5000;
/// Loops around an access, conditions on it, and nesting of the expression of
/// its address.
constexpr size_t MaxLoops = 8;
constexpr size_t MaxConditions = 8;
constexpr unsigned MaxDepth = 12;

/// A comparison that is true whenever a block is executed.
struct Condition {
  ICmpInst::Predicate Is;
  const SCEV *Left, *Right;
};

} // namespace

/// An access: where it goes.
struct AccessOrder::Walk {
  const Value *Base = nullptr; // does not vary
  const SCEV *Offset = nullptr;
  // Rows behind pointers: Base is their table, Slot leads to the pointer, and
  // Offset begins where the pointer leads.
  const MDNode *Rows = nullptr;
  const SCEV *Slot = nullptr;
  int64_t Size = 0;
  uint64_t Object = 0; // bytes from Base to the end; 0: not known
  SmallVector<const Loop *, 4> Around; // outer to inner
  size_t Whole = 0;                    // those from here on end with an access
  SmallVector<Condition, 4> If;        // of 64-bit numbers
};

/// Where the base of \p I, which is \p W's, is the pointer of a row: its table.
bool AccessOrder::findRow(const Instruction &I, Walk &W) const {
  auto *Pointer = dyn_cast<LoadInst>(W.Base);
  W.Rows = Pointer && Pointer->isSimple() ? Rows.of(I) : nullptr;
  if (!W.Rows)
    return false;
  const SCEV *From =
      SE.getSCEV(const_cast<Value *>(Pointer->getPointerOperand()));
  auto *Table = dyn_cast<SCEVUnknown>(SE.getPointerBase(From));
  if (!Table || SE.getTypeSizeInBits(From->getType()) != 64)
    return false;
  W.Base = Table->getValue();
  W.Slot = SE.removePointerBase(From);
  return true;
}

std::optional<AccessOrder::Walk> AccessOrder::walkOf(const LoopAccess &A) {
  const Instruction &I = *A.I;
  const SCEV *Address = A.Address;
  if (A.Size > INT32_MAX || SE.getTypeSizeInBits(Address->getType()) != 64)
    return std::nullopt;
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
  if (!Base)
    return std::nullopt;
  Walk W;
  W.Base = Base->getValue();
  W.Offset = SE.removePointerBase(Address);
  W.Size = int64_t(A.Size);
  if (findRow(I, W) ||
      !getObjectSize(W.Base, W.Object, I.getModule()->getDataLayout(), nullptr))
    W.Object = 0;
  for (const Loop *L = P.LI->getLoopFor(I.getParent()); L;
       L = L->getParentLoop())
    W.Around.insert(W.Around.begin(), L);
  auto *Made = dyn_cast<Instruction>(W.Base);
  if ((Made && P.LI->getLoopFor(Made->getParent())) ||
      W.Around.size() > MaxLoops)
    return std::nullopt;
  if (!W.Around.empty())
    addConditions(I, W);
  W.Whole = W.Object ? firstWhole(I, W.Around) : W.Around.size();
  return W;
}

/// Where the loops begin that access with \p I in their last iterations, too,
/// if they do in any.
size_t AccessOrder::firstWhole(const Instruction &I,
                               ArrayRef<const Loop *> Around) {
  const BasicBlock *Reached = I.getParent();
  size_t From = Around.size();
  for (; From > 0; --From) {
    const Loop *L = Around[From - 1];
    const BasicBlock *Exiting = L->getExitingBlock();
    if (!Exiting || !P.DT->dominates(Reached, Exiting) || !comesToItsEnd(*L))
      break;
    Reached = L->getHeader();
  }
  return From;
}

/// Once \p L is entered, so is its last iteration.
bool AccessOrder::comesToItsEnd(const Loop &L) {
  auto [Entry, New] = Ends.try_emplace(&L, false);
  if (New)
    Entry->second = all_of(L.getLoopsInPreorder(),
                           [&](const Loop *Inner) {
                             return !isa<SCEVCouldNotCompute>(
                                 SE.getBackedgeTakenCount(Inner));
                           }) &&
                    all_of(L.blocks(), [](const BasicBlock *B) {
                      return all_of(*B, [](const Instruction &I) {
                        return isGuaranteedToTransferExecutionToSuccessor(&I);
                      });
                    });
  return Entry->second;
}

/// What dominating branches in the loops around \p I say: of the very
/// iterations that it is in.
void AccessOrder::addConditions(const Instruction &I, Walk &W) {
  const DomTreeNode *Node = P.DT->getNode(I.getParent());
  const BasicBlock *Last = W.Around.front()->getHeader();
  while (Node && Node->getBlock() != Last && W.If.size() < MaxConditions) {
    const BasicBlock *To = Node->getBlock();
    Node = Node->getIDom();
    const BasicBlock *From = Node ? Node->getBlock() : nullptr;
    auto *Branch = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
    auto *Compare = Branch && Branch->isConditional()
                        ? dyn_cast<ICmpInst>(Branch->getCondition())
                        : nullptr;
    if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy() ||
        Compare->getOperand(0)->getType()->getIntegerBitWidth() > 64)
      continue;
    for (unsigned Way : {0u, 1u}) {
      if (!P.DT->dominates(BasicBlockEdge(From, Branch->getSuccessor(Way)), To))
        continue;
      ICmpInst::Predicate Is =
          Way ? Compare->getInversePredicate() : Compare->getPredicate();
      Type *I64 = Type::getInt64Ty(SE.getContext());
      auto wide = [&](unsigned Side) {
        const SCEV *S = SE.getSCEV(Compare->getOperand(Side));
        return ICmpInst::isUnsigned(Is) ? SE.getNoopOrZeroExtend(S, I64)
                                        : SE.getNoopOrSignExtend(S, I64);
      };
      W.If.push_back({Is, wide(0), wide(1)});
    }
  }
}

/// Two executions: Later is in a later iteration of loop Level of those around
/// both, or, if there is no such loop, in the same iterations of all.
class AccessOrder::Case {
public:
  Case(ScalarEvolution &SE, const LoopInfo &LI, const Walk &First,
       const Walk &Later, size_t Common, size_t Level);

  bool staysApart(bool FirstsBoundsFirst) const;

private:
  struct Execution {
    const Walk &W;
    SmallVector<Polynomial, 4> Counters; // as W.Around
    std::vector<Polynomial> Bounds;      // none is negative
  };

  Polynomial symbol() { return Polynomial::symbol(Symbols++); }
  /// Both have run, and so have been let into their loops.
  Polynomial guarded(const SCEV *S, const Execution &E) {
    auto innermost = [](const Walk &W) {
      return W.Around.empty() ? nullptr : W.Around.back();
    };
    return of(underGuards(S, {innermost(First.W), innermost(Later.W)}, LI, SE),
              E);
  }
  Polynomial of(const SCEV *S, const Execution &E, unsigned Depth = 0);
  Polynomial ofQuotient(const SCEVConstant &Factor,
                        const SCEVUDivExpr &Quotient, const Execution &E,
                        unsigned Depth);
  Polynomial ofAdvance(const SCEVAddRecExpr &Advance, const Execution &E,
                       unsigned Depth);
  Polynomial counterOf(const Loop &L, const Execution &E) const;
  std::optional<Polynomial> ofExtendedSum(const SCEV *S, const Execution &E);
  Polynomial unknown(const SCEV *S, const Execution &E);
  bool isNonNegative(const SCEV *S, const Execution &E);
  void bound(Execution &E, size_t Loop);
  void boundByObject(Execution &E);
  Polynomial lastOffset(const Execution &E, size_t From);
  Polynomial lastOf(size_t Loop, const Execution &E);
  void assume(Execution &E, const Condition &C);
  Polynomial offsetIn(Execution &E);
  std::vector<Polynomial> rowSizes() const;

  ScalarEvolution &SE;
  const LoopInfo &LI;
  MapVector<const SCEV *, Polynomial> Unknowns;
  Polynomial::Symbol Symbols = 0;
  Polynomial RowSize, BeforeRow; // of rows behind pointers
  Execution First, Later;
  Polynomial Apart;
};

AccessOrder::Case::Case(ScalarEvolution &SE, const LoopInfo &LI,
                        const Walk &FirstWalk, const Walk &LaterWalk,
                        size_t Common, size_t Level)
    : SE(SE), LI(LI), First{FirstWalk, {}, {}}, Later{LaterWalk, {}, {}} {
  for (size_t I = 0; I < First.W.Around.size(); ++I)
    First.Counters.push_back(symbol());
  for (size_t I = 0; I < Later.W.Around.size(); ++I) {
    if (I < std::min(Level, Common))
      Later.Counters.push_back(First.Counters[I]);
    else if (I == Level && Level < Common)
      Later.Counters.push_back(First.Counters[I] + Polynomial(1) + symbol());
    else
      Later.Counters.push_back(symbol());
  }
  // The bounds of the loops that Later has iterated further are sharper.
  size_t Apart = std::min(Level + 1, Common);
  for (size_t I = First.W.Around.size(); I > Apart; --I)
    bound(First, I - 1);
  for (size_t I = Later.W.Around.size(); I > 0; --I)
    bound(Later, I - 1);
  for (Execution *E : {&First, &Later}) {
    boundByObject(*E);
    for (const Condition &C : E->W.If)
      assume(*E, C);
  }
  if (First.W.Rows)
    for (Polynomial *Each : {&RowSize, &BeforeRow})
      *Each = symbol();
  const Polynomial From = offsetIn(First);
  this->Apart = offsetIn(Later) - From;
}

/// Where \p E accesses something, from the base. Rows behind pointers are at
/// least as far apart as columns may be.
Polynomial AccessOrder::Case::offsetIn(Execution &E) {
  Polynomial Offset = guarded(E.W.Offset, E);
  if (!E.W.Rows || !Offset.isValid())
    return Offset;
  const Polynomial Column = Offset + BeforeRow;
  E.Bounds.push_back(Column);
  E.Bounds.push_back(RowSize - Polynomial(E.W.Size) - Column);
  return guarded(E.W.Slot, E) * RowSize + Offset;
}

void AccessOrder::Case::bound(Execution &E, size_t Loop) {
  const SCEV *Last = SE.getSymbolicMaxBackedgeTakenCount(E.W.Around[Loop]);
  if (isa<SCEVCouldNotCompute>(Last) ||
      SE.getTypeSizeInBits(Last->getType()) > 64)
    return;
  Last = SE.getNoopOrZeroExtend(Last, Type::getInt64Ty(SE.getContext()));
  // 2^64 - 1 where nothing is known: no number of those below.
  if (auto *C = dyn_cast<SCEVConstant>(Last); C && C->getAPInt().isNegative())
    return;
  auto add = [&](const SCEV *S) {
    Polynomial Rest = guarded(S, E) - E.Counters[Loop];
    if (Rest.isValid())
      E.Bounds.push_back(std::move(Rest));
  };
  if (auto *Least = dyn_cast<SCEVUMinExpr>(Last))
    for (const SCEV *Op : Least->operands())
      add(Op);
  else
    add(Last);
}

/// The greatest value of the counter of a loop around \p E.
Polynomial AccessOrder::Case::lastOf(size_t Loop, const Execution &E) {
  const SCEV *Last = SE.getBackedgeTakenCount(E.W.Around[Loop]);
  return SE.getTypeSizeInBits(Last->getType()) > 64
             ? Polynomial::invalid()
             : guarded(SE.getNoopOrZeroExtend(
                           Last, Type::getInt64Ty(SE.getContext())),
                       E);
}

/// What is accessed in the last iterations of the loops from \p From on.
Polynomial AccessOrder::Case::lastOffset(const Execution &E, size_t From) {
  Execution Last{E.W, E.Counters, {}};
  for (size_t I = From; I < E.W.Around.size(); ++I)
    Last.Counters[I] = lastOf(I, Last);
  return guarded(E.W.Offset, Last);
}

/// What is accessed lies in the object: in a[40][40] no row behind the last, so
/// that in a triangle no column is, either; nor is the end of any row, if each
/// of them is walked to the same column.
void AccessOrder::Case::boundByObject(Execution &E) {
  if (E.W.Object < uint64_t(E.W.Size) || E.W.Object > INT64_MAX)
    return;
  const int64_t Last = int64_t(E.W.Object) - E.W.Size;
  std::map<Polynomial::Symbol, int64_t> Greatest; // few bounds: see isAtLeast
  for (size_t From = E.W.Whole; From <= E.W.Around.size(); ++From) {
    const Polynomial Offset = lastOffset(E, From);
    auto First = Offset.terms().find({});
    const Polynomial Begin(First == Offset.terms().end() ? 0 : First->second);
    const std::optional<int64_t> Room = constantOf(Polynomial(Last) - Begin);
    const Polynomial Advance = Offset - Begin;
    if (!Room || !Advance.hasNoNegativeTerm())
      continue;
    for (const auto &[M, C] : Advance.terms()) {
      if (M.size() != 1 || C <= E.W.Size)
        continue;
      auto [At, New] = Greatest.try_emplace(M.front(), *Room / C);
      At->second = std::min(At->second, *Room / C);
    }
  }
  for (const auto &[S, Most] : Greatest)
    E.Bounds.push_back(Polynomial(Most) - Polynomial::symbol(S));
}

void AccessOrder::Case::assume(Execution &E, const Condition &C) {
  Polynomial Left = guarded(C.Left, E), Right = guarded(C.Right, E);
  Polynomial More = Right - Left, Less = Left - Right;
  if (!More.isValid())
    return;
  // What bounds a counter that both have may stand with the other one.
  std::vector<Polynomial> Bounds = First.Bounds;
  append_range(Bounds, Later.Bounds);
  auto isNonNegative = [&](const Polynomial &Q) {
    return isAtLeast(Q, 0, Bounds);
  };
  switch (C.Is) {
  case ICmpInst::ICMP_ULT:
  case ICmpInst::ICMP_ULE:
    if (!isNonNegative(Right))
      return;
    break;
  case ICmpInst::ICMP_UGT:
  case ICmpInst::ICMP_UGE:
    if (!isNonNegative(Left))
      return;
    break;
  default:
    break;
  }
  switch (C.Is) {
  case ICmpInst::ICMP_SLT:
  case ICmpInst::ICMP_ULT:
    E.Bounds.push_back(More - Polynomial(1));
    break;
  case ICmpInst::ICMP_SGT:
  case ICmpInst::ICMP_UGT:
    E.Bounds.push_back(Less - Polynomial(1));
    break;
  case ICmpInst::ICMP_NE:
    if (isNonNegative(More))
      E.Bounds.push_back(More - Polynomial(1));
    else if (isNonNegative(Less))
      E.Bounds.push_back(Less - Polynomial(1));
    break;
  case ICmpInst::ICMP_SLE:
  case ICmpInst::ICMP_ULE:
    E.Bounds.push_back(More);
    break;
  case ICmpInst::ICMP_SGE:
  case ICmpInst::ICMP_UGE:
    E.Bounds.push_back(Less);
    break;
  case ICmpInst::ICMP_EQ:
    E.Bounds.push_back(More);
    E.Bounds.push_back(Less);
    break;
  default:
    break;
  }
}

bool AccessOrder::Case::isNonNegative(const SCEV *S, const Execution &E) {
  return SE.isKnownNonNegative(S) ||
         (!E.W.Around.empty() &&
          SE.isLoopEntryGuardedByCond(E.W.Around.front(), ICmpInst::ICMP_SGE, S,
                                      SE.getZero(S->getType())));
}

/// n + 1, extended by zeros, if n is not negative and the sum does not wrap.
std::optional<Polynomial> AccessOrder::Case::ofExtendedSum(const SCEV *S,
                                                           const Execution &E) {
  auto *Wide = dyn_cast<SCEVZeroExtendExpr>(S);
  auto *Sum = Wide ? dyn_cast<SCEVAddExpr>(Wide->getOperand()) : nullptr;
  auto *More = Sum ? dyn_cast<SCEVConstant>(Sum->getOperand(0)) : nullptr;
  if (!More || Sum->getNumOperands() != 2 || !Sum->hasNoSignedWrap() ||
      More->getAPInt().isNegative() || More->getAPInt().getActiveBits() > 32 ||
      !isNonNegative(Sum->getOperand(1), E))
    return std::nullopt;
  return unknown(SE.getZeroExtendExpr(Sum->getOperand(1), S->getType()), E) +
         Polynomial(More->getAPInt().getSExtValue());
}

/// A number that does not vary.
Polynomial AccessOrder::Case::unknown(const SCEV *S, const Execution &E) {
  bool Varies = SCEVExprContains(S, [&](const SCEV *Part) {
    auto *Value = dyn_cast<SCEVUnknown>(Part);
    auto *I = Value ? dyn_cast<Instruction>(Value->getValue()) : nullptr;
    return isa<SCEVAddRecExpr, SCEVCouldNotCompute>(Part) ||
           (I && LI.getLoopFor(I->getParent()));
  });
  if (Varies)
    return Polynomial::invalid();
  if (std::optional<Polynomial> Sum = ofExtendedSum(S, E))
    return *Sum;
  // Both extensions of a number that is not negative are one.
  if (auto *Signed = dyn_cast<SCEVSignExtendExpr>(S))
    if (isNonNegative(Signed->getOperand(), E))
      S = SE.getZeroExtendExpr(Signed->getOperand(), S->getType());
  auto Known = Unknowns.find(S);
  if (Known != Unknowns.end())
    return Known->second;
  // The difference of two such numbers may be any number.
  Polynomial Number = symbol();
  if (!isNonNegative(S, E))
    Number = Number - symbol();
  return Unknowns[S] = Number;
}

/// Factor * (Dividend / Divisor), of which nothing is cut off: of a triangle
/// that is packed by rows, 8 * (i * (i + 1) / 2).
Polynomial AccessOrder::Case::ofQuotient(const SCEVConstant &Factor,
                                         const SCEVUDivExpr &Quotient,
                                         const Execution &E, unsigned Depth) {
  auto *By = dyn_cast<SCEVConstant>(Quotient.getRHS());
  if (!By || By->getAPInt().getActiveBits() > 32 ||
      !Factor.getAPInt().isSignedIntN(64))
    return Polynomial::invalid();
  const int64_t Divisor = By->getAPInt().getSExtValue();
  const int64_t Times = Factor.getAPInt().getSExtValue();
  Polynomial Dividend = of(Quotient.getLHS(), E, Depth + 1);
  if (Times % Divisor != 0 || !isMultipleOf(Dividend, Divisor))
    return Polynomial::invalid();
  return Dividend * Polynomial(Times / Divisor);
}

/// {A,+,B,+,C} is A + B * i + C * i * (i - 1) / 2.
Polynomial AccessOrder::Case::ofAdvance(const SCEVAddRecExpr &Advance,
                                        const Execution &E, unsigned Depth) {
  std::optional<int64_t> Twice =
      Advance.getNumOperands() == 3
          ? constantOf(of(Advance.getOperand(2), E, Depth + 1))
          : std::nullopt;
  if (!Twice || *Twice % 2 != 0)
    return Polynomial::invalid();
  const Polynomial Counter = counterOf(*Advance.getLoop(), E);
  return of(Advance.getStart(), E, Depth + 1) +
         of(Advance.getOperand(1), E, Depth + 1) * Counter +
         Polynomial(*Twice / 2) * Counter * (Counter - Polynomial(1));
}

Polynomial AccessOrder::Case::counterOf(const Loop &L,
                                        const Execution &E) const {
  auto *At = find(E.W.Around, &L);
  return At == E.W.Around.end() ? Polynomial::invalid()
                                : E.Counters[At - E.W.Around.begin()];
}

Polynomial AccessOrder::Case::of(const SCEV *S, const Execution &E,
                                 unsigned Depth) {
  if (Depth > MaxDepth)
    return Polynomial::invalid();
  if (auto *Product = dyn_cast<SCEVMulExpr>(S))
    if (auto *Factor = dyn_cast<SCEVConstant>(Product->getOperand(0)))
      if (auto *Quotient = dyn_cast<SCEVUDivExpr>(Product->getOperand(1));
          Quotient && Product->getNumOperands() == 2)
        return ofQuotient(*Factor, *Quotient, E, Depth);
  if (auto *Advance = dyn_cast<SCEVAddRecExpr>(S);
      Advance && !Advance->isAffine())
    return ofAdvance(*Advance, E, Depth);
  if (std::optional<Polynomial> Of = polynomialOf(
          S, SE, [&](const SCEV *Part) { return of(Part, E, Depth + 1); },
          [&](const Loop &L) { return counterOf(L, E); }))
    return *Of;
  return unknown(S, E);
}

/// In \p Bound, a symbol that is the rest of the bound and what is taken off
/// it; nothing if what is taken off may be negative.
static std::optional<std::pair<Polynomial::Symbol, Polynomial>>
solved(const Polynomial &Bound) {
  for (const auto &[M, C] : Bound.terms()) {
    if (M.size() != 1 || C != 1)
      continue;
    Polynomial Less = Polynomial::symbol(M.front()) - Bound;
    if (!Less.contains(M.front()) && Less.hasNoNegativeTerm())
      return std::pair(M.front(), Less);
  }
  return std::nullopt;
}

/// What the rows of a matrix may be apart: the factors of counters.
std::vector<Polynomial> AccessOrder::Case::rowSizes() const {
  std::vector<Polynomial> Sizes;
  for (const auto &[M, C] : Apart.terms()) {
    if (M.empty() || C == INT64_MIN)
      continue;
    Sizes.push_back(Polynomial(std::abs(C)));
    for (const auto &[S, Unknown] : Unknowns)
      if (Unknown.terms().size() == 1 && M.size() > 1 &&
          is_contained(M, Unknown.terms().begin()->first.front()))
        Sizes.push_back(Polynomial(std::abs(C)) * Unknown);
    if (First.W.Rows && M.size() > 1 &&
        is_contained(M, RowSize.terms().begin()->first.front()))
      Sizes.push_back(Polynomial(std::abs(C)) * RowSize);
  }
  return Sizes;
}

bool AccessOrder::Case::staysApart(bool FirstsBoundsFirst) const {
  std::vector<Polynomial> Bounds =
      FirstsBoundsFirst ? First.Bounds : Later.Bounds;
  append_range(Bounds, FirstsBoundsFirst ? Later.Bounds : First.Bounds);
  Polynomial::Symbol Next = Symbols;
  std::vector<std::pair<Polynomial::Symbol, Polynomial>> Solutions;
  for (size_t I = 0; I < Bounds.size(); ++I) {
    auto Found = solved(Bounds[I]);
    if (!Found)
      continue;
    Found->second = Found->second + Polynomial::symbol(Next++);
    for (Polynomial &Bound : Bounds)
      if (Bound.contains(Found->first))
        Bound = Bound.with(Found->first, Found->second);
    Solutions.push_back(std::move(*Found));
  }
  auto isAtLeast = [&](Polynomial Q, int64_t Least) {
    for (const auto &[S, Value] : Solutions)
      if (Q.contains(S))
        Q = Q.with(S, Value);
    return adze::isAtLeast(Q, Least, Bounds);
  };
  if (isAtLeast(Apart, First.W.Size) ||
      isAtLeast(Polynomial() - Apart, Later.W.Size))
    return true;
  // In another column, whatever the rows: Apart = rows * size + Columns.
  return any_of(rowSizes(), [&](const Polynomial &Size) {
    Polynomial Columns = Apart.modulo(Size);
    return (isAtLeast(Columns, First.W.Size) &&
            isAtLeast(Size - Columns, Later.W.Size)) ||
           (isAtLeast(Polynomial() - Columns, Later.W.Size) &&
            isAtLeast(Size + Columns, First.W.Size));
  });
}

bool AccessOrder::neverAfter(const Instruction *Access,
                             const Instruction *Writer, const Loop *Within) {
  std::optional<LoopAccess> A = accessOf(*Access, SE);
  return A && neverAfter(*A, Writer, Within);
}

bool AccessOrder::neverAfter(const LoopAccess &A, const Instruction *Writer,
                             const Loop *Within) {
  if (++Questions > MaxQuestions)
    return false;
  const Instruction *Access = A.I;
  std::optional<LoopAccess> Written = accessOf(*Writer, SE);
  std::optional<Walk> First = walkOf(A);
  std::optional<Walk> Later = Written ? walkOf(*Written) : std::nullopt;
  if (!First || !Later || First->Base != Later->Base ||
      First->Rows != Later->Rows)
    return false;
  size_t Common = 0;
  while (Common < std::min(First->Around.size(), Later->Around.size()) &&
         First->Around[Common] == Later->Around[Common])
    ++Common;
  auto placeOf = [](const LoopAccess &Each) {
    return Place(Each.I->getParent(), Each.Address, Each.Size);
  };
  auto staysApart = [&](unsigned Level) {
    auto [Entry, New] =
        Known.try_emplace({placeOf(A), placeOf(*Written), Level}, false);
    if (New) {
      Case C(SE, *P.LI, *First, *Later, Common, Level);
      Entry->second = C.staysApart(/*FirstsBoundsFirst=*/true) ||
                      C.staysApart(/*FirstsBoundsFirst=*/false);
    }
    return Entry->second;
  };
  // The loops around Within are in one iteration.
  const size_t Outer = Within ? Within->getLoopDepth() - 1 : 0;
  for (size_t Level = Outer; Level < Common; ++Level)
    if (!staysApart(Level))
      return false;
  bool Follows =
      Access != Writer &&
      (Common == 0
           ? Reach.after(Access, Writer)
           : Reach.afterAvoiding(Access, Writer,
                                 First->Around[Common - 1]->getHeader()));
  return !Follows || staysApart(Common);
}

} // namespace adze
