// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that are always as far apart. A vector is two or three pointers, to
// its begin and its ends. Where vectors change places, or one takes the place
// of another, all of them are phis, and a size is the difference of two:
//
//   for (t < steps) {
//     b = phi [p, ..], [c, ..];  e = phi [p + n, ..], [f, ..]
//     c = phi [q, ..], [b, ..];  f = phi [q + n, ..], [e, ..]
//     for (i < e - b) c[i] = .. b[i] ..
//   }
//
// That e = b + n and f = c + n is assumed of all such pairs, and holds if it
// does wherever control comes from, given the assumptions: they hold when a
// loop is entered, and each iteration hands them on. What does not hold is
// dropped until the rest does. On a way that is taken only where two numbers
// are equal, they are one number (a vector of no element is two null pointers,
// and the end of one with a single element is found without its size).
//
// Then e is computed from b, and e - b is n: the count of a loop is known in
// front of the loop around it, and a block that is freed with its size is not
// an address that is taken for a number.
#include "Prepare/Stages.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <functional>
#include <iterator>
#include <utility>

using namespace llvm;

namespace adze {
namespace {

/// Larger expressions, blocks with more phis that may be equal to something,
/// and more such phis in all, are left alone.
constexpr unsigned MaxSize = 48, MaxBases = 4, MaxPhis = 200;
/// How far above a block conditions are looked for.
constexpr unsigned MaxBlocksAbove = 16;

/// An expression with other ones in place of some values.
class Replacing : public SCEVRewriteVisitor<Replacing> {
public:
  using Meaning = function_ref<const SCEV *(const Value *)>;
  Replacing(ScalarEvolution &SE, Meaning Of) : SCEVRewriteVisitor(SE), Of(Of) {}
  const SCEV *visitUnknown(const SCEVUnknown *E) {
    const SCEV *Is = Of(E->getValue());
    return Is ? Is : E;
  }

private:
  Meaning Of;
};

class PointerDistances {
public:
  PointerDistances(Function &F, FunctionAnalysisManager &FAM)
      : F(F), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)) {}

  bool run();

private:
  bool readBehindLoops();
  void findMost();
  void assume();
  void settle();
  void assumeFrom(Value *V, const BasicBlock &B,
                  SmallVectorImpl<const SCEV *> &Found);
  void assumeOf(PHINode &P, SmallVectorImpl<PHINode *> &Bases);
  bool holds(PHINode &P, const SCEV *Is);
  bool isZeroOn(const SCEV *D, const BasicBlock &From, const BasicBlock &To);
  bool isZeroIf(const SCEV *D, const ICmpInst &Equality);
  bool isAvailable(const SCEV *S, const BasicBlock &B);
  const SCEV *resolved(const SCEV *S);
  bool replacePhis(SCEVExpander &Expander);
  bool replaceDifferences(SCEVExpander &Expander);
  const SCEV *distanceIn(Instruction &I);

  Function &F;
  DominatorTree &DT;
  LoopInfo &LI;
  ScalarEvolution &SE;
  /// What each phi may be, in terms of a phi of its block that is not among
  /// them, or of what dominates the block. The first is assumed.
  MapVector<PHINode *, SmallVector<const SCEV *, 2>> Maybe;
};

/// \p S as the assumptions say.
const SCEV *PointerDistances::resolved(const SCEV *S) {
  if (isa<SCEVCouldNotCompute>(S) || Maybe.empty())
    return S;
  auto Of = [&](const Value *V) -> const SCEV * {
    auto *It = Maybe.find(const_cast<PHINode *>(dyn_cast<PHINode>(V)));
    // What dominates the phi, and so on: this ends.
    return It == Maybe.end() || It->second.empty()
               ? nullptr
               : resolved(It->second.front());
  };
  return Replacing(SE, Of).visit(S);
}

/// \p S can be computed in \p B, without a value of a loop that has been left.
bool PointerDistances::isAvailable(const SCEV *S, const BasicBlock &B) {
  return !isa<SCEVCouldNotCompute>(S) && S->getExpressionSize() <= MaxSize &&
         SE.properlyDominates(S, &B) &&
         !SCEVExprContains(S, [&](const SCEV *E) {
           if (auto *Rec = dyn_cast<SCEVAddRecExpr>(E))
             return !Rec->getLoop()->contains(&B);
           auto *U = dyn_cast<SCEVUnknown>(E);
           auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
           const Loop *L = I ? LI.getLoopFor(I->getParent()) : nullptr;
           return L && !L->contains(&B);
         });
}

/// \p V, or what it may be in turn, where that is known in \p B.
void PointerDistances::assumeFrom(Value *V, const BasicBlock &B,
                                  SmallVectorImpl<const SCEV *> &Found) {
  constexpr size_t MaxGuesses = 6;
  SmallVector<const SCEV *, 2> All = {SE.getSCEV(V)};
  if (auto *It = Maybe.find(dyn_cast<PHINode>(V)); It != Maybe.end())
    append_range(All, It->second);
  for (const SCEV *S : All)
    if (!isa<ConstantPointerNull>(V) && isAvailable(S, B) &&
        !is_contained(Found, S) && Found.size() < MaxGuesses)
      Found.push_back(S);
}

/// What \p P may be, or else it is one of \p Bases.
void PointerDistances::assumeOf(PHINode &P, SmallVectorImpl<PHINode *> &Bases) {
  const BasicBlock &B = *P.getParent();
  const Loop *L = LI.isLoopHeader(&B) ? LI.getLoopFor(&B) : nullptr;
  SmallVector<const SCEV *, 2> Found;
  for (const Use &In : P.incoming_values()) {
    const BasicBlock *From = P.getIncomingBlock(In);
    if (L && L->contains(From))
      continue;
    const SCEV *S = SE.getSCEV(In);
    for (PHINode *Base : Bases) {
      const SCEV *D =
          SE.getMinusSCEV(S, SE.getSCEV(Base->getIncomingValueForBlock(From)));
      if (isAvailable(D, B))
        Found.push_back(SE.getAddExpr(SE.getSCEV(Base), D));
    }
    if (!L && P.getNumIncomingValues() > 1)
      assumeFrom(In, B, Found);
  }
  if (!Found.empty())
    Maybe[&P] = std::move(Found);
  else if (Bases.size() < MaxBases)
    Bases.push_back(&P);
}

void PointerDistances::assume() {
  const DataLayout &DL = F.getDataLayout();
  for (BasicBlock *B : ReversePostOrderTraversal<Function *>(&F)) {
    SmallVector<PHINode *, 4> Phis, Bases;
    for (PHINode &P : B->phis())
      if (P.getType()->isPointerTy() &&
          !DL.isNonIntegralPointerType(P.getType()) &&
          DL.getIndexTypeSizeInBits(P.getType()) ==
              DL.getPointerTypeSizeInBits(P.getType()) &&
          isa<SCEVUnknown>(SE.getSCEV(&P)))
        Phis.push_back(&P);
    // Where something begins comes before where it ends.
    auto begins = [&](PHINode *P) {
      return all_of(P->incoming_values(), [&](const Use &In) {
        return isa<SCEVUnknown>(SE.getSCEV(In));
      });
    };
    SmallVector<PHINode *, 4> InOrder;
    copy_if(Phis, std::back_inserter(InOrder), begins);
    copy_if(Phis, std::back_inserter(InOrder), std::not_fn(begins));
    for (PHINode *P : InOrder)
      if (Maybe.size() < MaxPhis)
        assumeOf(*P, Bases);
  }
}

/// \p D is zero where the operands of \p Equality are equal.
bool PointerDistances::isZeroIf(const SCEV *D, const ICmpInst &Equality) {
  if (!SE.isSCEVable(Equality.getOperand(0)->getType()))
    return false;
  const SCEV *X = resolved(SE.getSCEV(Equality.getOperand(0)));
  const SCEV *Y = resolved(SE.getSCEV(Equality.getOperand(1)));
  const SCEV *Zero = SE.getMinusSCEV(X, Y);
  if (!isa<SCEVCouldNotCompute>(Zero) && Zero->getType() == D->getType() &&
      (Zero == D || SE.getNegativeSCEV(Zero) == D))
    return true;
  auto *Number = dyn_cast<SCEVUnknown>(X);
  if (!Number || !isa<SCEVConstant>(Y) || Number->getType()->isPointerTy())
    return false;
  auto Of = [&](const Value *V) {
    return V == Number->getValue() ? Y : nullptr;
  };
  return Replacing(SE, Of).visit(D)->isZero();
}

/// \p D is zero on the way from \p From to \p To.
bool PointerDistances::isZeroOn(const SCEV *D, const BasicBlock &From,
                                const BasicBlock &To) {
  if (isa<SCEVCouldNotCompute>(D))
    return false;
  if (D->isZero())
    return true;
  auto isKnownBy = [&](const BranchInst *Branch, auto IsTaken) {
    if (!Branch || !Branch->isConditional() ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1))
      return false;
    auto *Test = dyn_cast<ICmpInst>(Branch->getCondition());
    return Test && Test->isEquality() &&
           IsTaken(Branch->getSuccessor(
               Test->getPredicate() == ICmpInst::ICMP_EQ ? 0 : 1)) &&
           isZeroIf(D, *Test);
  };
  if (isKnownBy(dyn_cast<BranchInst>(From.getTerminator()),
                [&](const BasicBlock *Next) { return Next == &To; }))
    return true;
  const DomTreeNode *Node = DT.getNode(&From)->getIDom();
  for (unsigned K = 0; K < MaxBlocksAbove && Node; ++K, Node = Node->getIDom())
    if (isKnownBy(dyn_cast<BranchInst>(Node->getBlock()->getTerminator()),
                  [&](const BasicBlock *Next) {
                    return DT.dominates(BasicBlockEdge(Node->getBlock(), Next),
                                        &From);
                  }))
      return true;
  return false;
}

/// \p P is \p Is wherever control comes from, if all assumptions hold.
bool PointerDistances::holds(PHINode &P, const SCEV *Is) {
  for (const Use &In : P.incoming_values()) {
    const BasicBlock *From = P.getIncomingBlock(In);
    bool HasMore = false; // poison where In has none
    auto Of = [&](const Value *V) -> const SCEV * {
      auto *Base = dyn_cast<PHINode>(V);
      if (!Base || Base->getParent() != P.getParent())
        return nullptr;
      const Value *Then = Base->getIncomingValueForBlock(From);
      HasMore |= isa<GEPOperator>(Then) && !impliesPoison(Then, In);
      return SE.getSCEV(const_cast<Value *>(Then));
    };
    const SCEV *There = Replacing(SE, Of).visit(Is);
    const SCEV *D = SE.getMinusSCEV(resolved(SE.getSCEV(In)), resolved(There));
    if (HasMore || !isZeroOn(D, *From, *P.getParent()))
      return false;
  }
  return true;
}

bool PointerDistances::replacePhis(SCEVExpander &Expander) {
  bool Changed = false;
  SmallVector<PHINode *, 8> Gone;
  for (auto &[P, Is] : Maybe) {
    BasicBlock *B = P->getParent();
    Instruction *At = &*B->getFirstInsertionPt();
    const SCEV *S = resolved(Is.front());
    if (S->getExpressionSize() > MaxSize || !Expander.isSafeToExpand(S))
      continue;
    P->replaceAllUsesWith(Expander.expandCodeFor(S, P->getType(), At));
    Gone.push_back(P);
    Changed = true;
  }
  for (PHINode *P : Gone) {
    SE.forgetValue(P);
    P->eraseFromParent();
  }
  return Changed;
}

/// The distance of the pointers that \p I subtracts or compares, if it needs no
/// address; else null.
const SCEV *PointerDistances::distanceIn(Instruction &I) {
  const SCEV *D = nullptr;
  auto *Test = dyn_cast<ICmpInst>(&I);
  if (Test && Test->isEquality() &&
      Test->getOperand(0)->getType()->isPointerTy())
    D = SE.getMinusSCEV(SE.getSCEV(Test->getOperand(0)),
                        SE.getSCEV(Test->getOperand(1)));
  else if (I.getOpcode() == Instruction::Sub &&
           isa<PtrToIntInst>(I.getOperand(0)) &&
           isa<PtrToIntInst>(I.getOperand(1)))
    D = SE.getSCEV(&I);
  if (!D || isa<SCEVCouldNotCompute>(D) || D->getExpressionSize() > MaxSize ||
      SCEVExprContains(D, [](const SCEV *E) {
        return isa<SCEVPtrToIntExpr, SCEVAddRecExpr>(E) ||
               (isa<SCEVUnknown>(E) &&
                isa<PtrToIntOperator>(cast<SCEVUnknown>(E)->getValue()));
      }))
    return nullptr;
  return D;
}

bool PointerDistances::replaceDifferences(SCEVExpander &Expander) {
  SmallVector<std::pair<Instruction *, const SCEV *>, 8> Found;
  for (Instruction &I : instructions(F))
    if (const SCEV *D = distanceIn(I))
      if (isAvailable(D, *I.getParent()) && Expander.isSafeToExpandAt(D, &I))
        Found.push_back({&I, D});
  SmallVector<WeakTrackingVH, 8> Old;
  for (auto &[I, D] : Found) {
    Value *Is = Expander.expandCodeFor(D, D->getType(), I);
    if (auto *Test = dyn_cast<ICmpInst>(I))
      Is = IRBuilder<>(I).CreateICmp(Test->getPredicate(), Is,
                                     Constant::getNullValue(Is->getType()));
    if (Is != I) {
      I->replaceAllUsesWith(Is);
      Old.emplace_back(I);
    }
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Old);
  return !Found.empty();
}

/// Drops what does not hold, until the rest does.
void PointerDistances::settle() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &[P, Is] : Maybe)
      if (!Is.empty() && !holds(*P, Is.front())) {
        Is.erase(Is.begin());
        Changed = true;
      }
  }
  Maybe.remove_if([](const auto &Entry) { return Entry.second.empty(); });
}

/// A guess of what one phi may be can take with it what is right of others. So
/// all begin anew, with better guesses.
void PointerDistances::findMost() {
  constexpr unsigned MaxRounds = 4;
  assume();
  const auto All = Maybe;
  size_t Before = 0;
  for (unsigned K = 0; K < MaxRounds && !Maybe.empty(); ++K) {
    settle();
    if (Maybe.size() == All.size() || Maybe.size() == Before)
      return;
    Before = Maybe.size();
    const auto Found = std::exchange(Maybe, All);
    for (const auto &[P, Is] : Found)
      Maybe[P] = Is;
  }
  settle();
}

/// Numbers of addresses that leave a loop are taken of the addresses behind it.
bool PointerDistances::readBehindLoops() {
  SmallVector<PHINode *, 4> Numbers;
  for (BasicBlock &B : F)
    for (PHINode &Phi : B.phis())
      if (Phi.getNumIncomingValues() == 1 &&
          isa<PtrToIntInst>(Phi.getIncomingValue(0)))
        Numbers.push_back(&Phi);
  for (PHINode *Phi : Numbers) {
    auto *Number = cast<PtrToIntInst>(Phi->getIncomingValue(0));
    Value *Address = Number->getPointerOperand();
    PHINode *Same = nullptr;
    for (PHINode &Other : Phi->getParent()->phis())
      if (Other.getNumIncomingValues() == 1 &&
          Other.getIncomingValue(0) == Address)
        Same = &Other;
    if (!Same) {
      Same = PHINode::Create(Address->getType(), 1, "", Phi->getIterator());
      Same->addIncoming(Address, Phi->getIncomingBlock(0));
    }
    IRBuilder<> B(&*Phi->getParent()->getFirstInsertionPt());
    Phi->replaceAllUsesWith(B.CreatePtrToInt(Same, Phi->getType()));
    SE.forgetValue(Phi);
    Phi->eraseFromParent();
  }
  return !Numbers.empty();
}

bool PointerDistances::run() {
  bool Changed = readBehindLoops();
  findMost();
  SCEVExpander Expander(SE, F.getDataLayout(), "adze.distance");
  Changed |= replacePhis(Expander);
  Maybe.clear();
  Changed |= replaceDifferences(Expander);
  return Changed;
}

} // namespace

bool relatePointers(Function &F, FunctionAnalysisManager &FAM) {
  if (!PointerDistances(F, FAM).run())
    return false;
  FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager Passes;
  Passes.addPass(InstSimplifyPass());
  FAM.invalidate(F, Passes.run(F, FAM));
  return true;
}

} // namespace adze
