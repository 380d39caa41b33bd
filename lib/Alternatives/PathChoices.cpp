// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a phi is, where it depends on the path that was taken:
//
//   if (a) x = p + q;                    x = a ? p + q : b ? |p| : 0
//   else if (b) x = |p|;
//   else x = 0;
//
// The plan can read a phi of two operands as a choice between them if both
// dominate it. Others it would keep, and so it would the number of the path.
// But a path is known by the conditions of its branches, and what it computes
// is often cheap and harmless. So the choice among all paths is an alternative
// of the phi: the instructions of the paths, once more, where the phi stands,
// and one select for each branch. The plan weighs what they cost.
//
// Why that is the same. The paths begin at the block that dominates the phi's
// immediately, and lie in one iteration of one innermost loop. No path is
// entered in the middle, so the conditions, taken in order from there, lead to
// the operand that the phi has. What a path computes must be free of effects
// and of undefined behaviour whatever its operands are (LLVM says which
// instructions can be speculated); on a path that was not taken it may be
// poison, which a select does not pass on. A path that leaves the iteration, or
// ends the program, was not taken if the phi was reached.
#include "Alternatives/Alternatives.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace adze {
namespace {

/// Instructions of one choice, and branches on its paths.
constexpr unsigned MaxSteps = 24;

class PathChoice {
public:
  PathChoice(const Primal &P, PHINode &Phi)
      : P(P), Where(&*Phi.getParent()->getFirstInsertionPt()), B(Where) {}

  /// The choice, in front of the first instruction behind the phis of the
  /// block; null if there is none.
  Value *of(PHINode &Phi);
  /// Takes all instructions away again.
  void undo();

private:
  /// Of the phi when the paths come to the end of \p From, or go from there to
  /// \p To. Null: it cannot be said; poison: it is never reached so.
  Value *behind(PHINode &Phi, BasicBlock *From);
  Value *along(PHINode &Phi, BasicBlock *From, BasicBlock *To);
  Value *again(Value *V);
  Value *copy(Instruction &I);
  Value *note(Value *V) {
    if (auto *I = dyn_cast<Instruction>(V))
      Made.push_back(I);
    return V;
  }

  const Primal &P;
  Instruction *Where;
  IRBuilder<> B;
  DenseMap<const Value *, Value *> Copies;
  SmallVector<Instruction *, MaxSteps> Made;
  unsigned Steps = 0;
};

Value *PathChoice::of(PHINode &Phi) {
  BasicBlock *Join = Phi.getParent();
  const auto *Node = P.DT->getNode(Join)->getIDom();
  if (!Node || P.LI->isLoopHeader(Join) || P.ExitCounters.count(Join) ||
      P.LI->getLoopFor(Node->getBlock()) != P.LI->getLoopFor(Join))
    return nullptr;
  Value *Choice = behind(Phi, Node->getBlock());
  return Choice && !isa<PoisonValue>(Choice) ? Choice : nullptr;
}

void PathChoice::undo() {
  for (Instruction *I : reverse(Made))
    I->eraseFromParent();
}

Value *PathChoice::behind(PHINode &Phi, BasicBlock *From) {
  auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  if (!Branch || ++Steps > MaxSteps)
    return nullptr;
  Value *First = along(Phi, From, Branch->getSuccessor(0));
  if (!First || Branch->isUnconditional())
    return First;
  Value *Second = along(Phi, From, Branch->getSuccessor(1));
  if (!Second || isa<PoisonValue>(First) || First == Second)
    return Second;
  if (isa<PoisonValue>(Second))
    return First;
  Value *Condition = again(Branch->getCondition());
  return Condition ? note(B.CreateSelect(Condition, First, Second,
                                         Phi.getName() + ".path"))
                   : nullptr;
}

Value *PathChoice::along(PHINode &Phi, BasicBlock *From, BasicBlock *To) {
  BasicBlock *Join = Phi.getParent();
  if (To == Join)
    return again(Phi.getIncomingValueForBlock(From));
  const Loop *Around = P.LI->getLoopFor(Join);
  const bool Leaves =
      (Around && (!Around->contains(To) || Around->getHeader() == To)) ||
      !P.canReturn(To);
  if (Leaves)
    return PoisonValue::get(Phi.getType());
  if (P.LI->getLoopFor(To) != Around ||
      !P.DT->dominates(P.DT->getNode(Join)->getIDom()->getBlock(), To))
    return nullptr;
  return behind(Phi, To);
}

/// \p V where the phi stands, whichever path was taken.
Value *PathChoice::again(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || P.DT->dominates(I, Where))
    return V;
  if (Value *Copy = Copies.lookup(I))
    return Copy;
  if (++Steps > MaxSteps)
    return nullptr;
  auto *Phi = dyn_cast<PHINode>(I);
  Value *Copy = Phi ? of(*Phi) : copy(*I);
  if (Copy)
    Copies[I] = Copy;
  return Copy;
}

Value *PathChoice::copy(Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (isa<FreezeInst>(I) || I.mayReadOrWriteMemory() ||
      I.getType()->isVoidTy() || I.getType()->isTokenTy() ||
      (Call && (Call->isConvergent() || Call->isStrictFP())) ||
      !isSafeToSpeculativelyExecute(&I))
    return nullptr;
  SmallVector<Value *, 4> Operands;
  for (Value *Op : I.operand_values()) {
    Operands.push_back(isa<Instruction>(Op) ? again(Op) : Op);
    if (!Operands.back())
      return nullptr;
  }
  Instruction *Copy = I.clone();
  for (auto [U, Op] : zip(Copy->operands(), Operands))
    U.set(Op);
  Copy->dropUBImplyingAttrsAndMetadata();
  Copy->insertBefore(Where);
  if (I.hasName())
    Copy->setName(I.getName() + ".path");
  return note(Copy);
}

/// Whether the plan reads \p Phi as a choice of two without further help.
bool isChoiceOfTwo(const PHINode &Phi, const Primal &P) {
  auto Entry = P.EnteredFrom.find(const_cast<BasicBlock *>(Phi.getParent()));
  return Phi.getNumIncomingValues() == 2 && Entry != P.EnteredFrom.end() &&
         !isa<PHINode>(Entry->second.Index) &&
         all_of(Phi.incoming_values(), [&](const Value *V) {
           auto *I = dyn_cast<Instruction>(V);
           return !I || P.DT->dominates(I, Phi.getParent());
         });
}

/// A number, or the number of a path.
bool isWanted(const PHINode &Phi, const Primal &P) {
  auto Entry = P.EnteredFrom.find(const_cast<BasicBlock *>(Phi.getParent()));
  return P.loopOf(Phi.getParent()) && P.canReturn(Phi.getParent()) &&
         (Phi.getType()->isFPOrFPVectorTy() || Phi.getType()->isIntegerTy(1) ||
          (Entry != P.EnteredFrom.end() && Entry->second.Index == &Phi)) &&
         Phi.getNumIncomingValues() > 1 && !P.Equivalents.count(&Phi) &&
         !isChoiceOfTwo(Phi, P);
}

} // namespace

void offerPathChoices(Primal &P) {
  if (P.F->hasFnAttribute(Attribute::StrictFP))
    return;
  SmallVector<PHINode *, 16> Phis;
  for (BasicBlock &B : *P.F)
    for (PHINode &Phi : B.phis())
      if (isWanted(Phi, P))
        Phis.push_back(&Phi);
  for (PHINode *Phi : Phis) {
    PathChoice Choice(P, *Phi);
    if (Value *Found = Choice.of(*Phi))
      P.Equivalents[Phi] = Found;
    else
      Choice.undo();
  }
}

} // namespace adze
