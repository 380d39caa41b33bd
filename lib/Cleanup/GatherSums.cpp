// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iterations. Of N iterations, sum s does all of 0, ..., N - 1. Iteration j
// of the new loop has those of sums whose iteration j - shift(s), and those
// that hand something on to it, there are for every sum: j from S to N - 1. So
// of s there remain the first S - shift(s) iterations and the last shift(s)
// ones. In the t-th of S steps, those for which t < S - shift(s) do iteration
// t, and the others iteration N - S + t. All phis have values that they have in
// the loop.
//
// What iterations hand on. A phi is what the iteration before has computed:
// from numbers that advance, from what the loop loads, and from such phis.
// Nothing that the loop loads, but for the elements, changes before the sums
// are done, so it can be computed again in any iteration that reads it. What
// goes round and round, a sum in a register, cannot.
#include "GatherSums.h"
#include "Loops/LoopAccess.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {

namespace {

/// Sums that stand in front of the loop, and shifts.
constexpr unsigned MaxAlone = 40, MaxShifts = 8;
/// How far what iterations hand on goes back, and what is computed for a sum.
constexpr unsigned MaxDepth = 3, MaxInstructions = 96;
static_assert(MaxShifts + MaxDepth < MinGatheredTrips);
constexpr unsigned BitsOfShift = 5;
static_assert(MaxShifts + MaxDepth < 1 << (BitsOfShift - 1));

/// Puts each sum in a group with those that come to the same elements.
bool findGroups(GatheredSums &G, ArrayRef<MovingSum> Sums,
                ScalarEvolution &SE) {
  SmallVector<const ShiftedSum *, 8> Firsts;
  SmallVector<int64_t, 8> Shifts;
  G.Sums.reserve(Sums.size());
  for (const MovingSum &S : Sums) {
    auto *Step = cast<SCEVConstant>(S.Place->getStepRecurrence(SE));
    int64_t Bytes = Step->getAPInt().getSExtValue();
    std::optional<unsigned> Group;
    int64_t Shift = 0;
    for (const ShiftedSum *First : Firsts) {
      if (First->Place->getStepRecurrence(SE) != Step) {
        // Whether they meet, and when, varies from one iteration to the next.
        if (SE.getPointerBase(First->Place) == SE.getPointerBase(S.Place))
          return false;
        continue;
      }
      std::optional<int64_t> Apart = distance(First->Place, S.Place, SE);
      if (!Apart || *Apart % Bytes != 0)
        continue;
      Group = First->Group;
      Shift = *Apart / Bytes;
      break;
    }
    G.Sums.push_back({S, Group.value_or(G.NumGroups), 0});
    Shifts.push_back(Shift);
    if (!Group) {
      Firsts.push_back(&G.Sums.back());
      ++G.NumGroups;
    }
  }
  for (unsigned Group = 0; Group != G.NumGroups; ++Group) {
    int64_t Least = 0, Greatest = 0;
    for (unsigned I = 0; I != G.Sums.size(); ++I)
      if (G.Sums[I].Group == Group) {
        Least = std::min(Least, Shifts[I]);
        Greatest = std::max(Greatest, Shifts[I]);
      }
    if (Greatest - Least > int64_t(MaxShifts))
      return false;
    G.NumShifts = std::max(G.NumShifts, unsigned(Greatest - Least));
    for (unsigned I = 0; I != G.Sums.size(); ++I)
      if (G.Sums[I].Group == Group)
        G.Sums[I].Shift = unsigned(Shifts[I] - Least);
  }
  return true;
}

/// The values of \p Phi, if they are numbers or addresses that advance by a
/// constant.
std::optional<AdvancingPhi> asAdvancing(PHINode &Phi, const Loop &L,
                                        ScalarEvolution &SE) {
  if (!SE.isSCEVable(Phi.getType()))
    return std::nullopt;
  const SCEVAddRecExpr *Values = advanceIn(SE.getSCEV(&Phi), L);
  const SCEVConstant *Step = Values ? constantStepIn(Values, L, SE) : nullptr;
  // No shift leads further than numbers of the type do.
  if (!Step || Step->getAPInt().getSignificantBits() + BitsOfShift >
                   std::min<uint64_t>(64, SE.getTypeSizeInBits(Phi.getType())))
    return std::nullopt;
  auto *Next = dyn_cast<OverflowingBinaryOperator>(
      Phi.getIncomingValueForBlock(L.getLoopLatch()));
  bool NoWrap = Next && Next->getOpcode() == Instruction::Add &&
                Next->getOperand(0) == &Phi && Next->hasNoSignedWrap();
  return AdvancingPhi{&Phi, Values, Step->getAPInt().getSExtValue(), NoWrap};
}

/// From how many iterations before \p I, an instruction of \p L, is computed.
/// Nothing if from all of them, or if it is too dear to be computed again.
/// \p Phis: those that it reads.
std::optional<unsigned> depthOf(Instruction &I, const Loop &L,
                                ScalarEvolution &SE,
                                MapVector<PHINode *, AdvancingPhi> &Phis) {
  unsigned Count = 0;
  SmallVector<Instruction *, 32> Work(1, &I);
  for (unsigned Depth = 0;; ++Depth) {
    SmallPtrSet<const Instruction *, 32> Seen;
    SmallVector<Value *, 8> Before;
    auto add = [&](Value *V) {
      auto *Next = dyn_cast<Instruction>(V);
      if (Next && L.contains(Next))
        Work.push_back(Next);
    };
    while (!Work.empty()) {
      Instruction *Now = Work.pop_back_val();
      if (!Seen.insert(Now).second)
        continue;
      if (auto *Phi = dyn_cast<PHINode>(Now)) {
        if (std::optional<AdvancingPhi> P = asAdvancing(*Phi, L, SE))
          Phis.insert({Phi, *P});
        else
          Before.push_back(Phi->getIncomingValueForBlock(L.getLoopLatch()));
        continue;
      }
      if (++Count > MaxInstructions || (Now != &I && !isCheapToRepeat(*Now)))
        return std::nullopt;
      for (Value *Op : Now->operands())
        add(Op);
    }
    if (Before.empty())
      return Depth;
    if (Depth == MaxDepth)
      return std::nullopt;
    for (Value *Last : Before)
      add(Last);
  }
}

bool findPhis(GatheredSums &G, const Loop &L, ScalarEvolution &SE) {
  MapVector<PHINode *, AdvancingPhi> Phis;
  unsigned Greatest = 0;
  for (const ShiftedSum &S : G.Sums) {
    std::optional<unsigned> Depth = depthOf(*S.New, L, SE, Phis);
    if (!Depth)
      return false;
    Greatest = std::max(Greatest, *Depth);
  }
  G.NumShifts += Greatest;
  for (const auto &[Phi, P] : Phis)
    G.Phis.push_back(P);
  return G.NumShifts * G.Sums.size() <= MaxAlone;
}

/// \p V, of the loop's last iteration, can be computed behind the new one.
bool isLeftByEnds(Value *V, const GatheredSums &G, const Loop &L,
                  ScalarEvolution &SE) {
  auto *I = dyn_cast<Instruction>(V);
  MapVector<PHINode *, AdvancingPhi> Read;
  return I && L.contains(I) && isCheapToRepeat(*I) &&
         depthOf(*I, L, SE, Read) && all_of(Read, [&](const auto &R) {
           return any_of(
               G.Phis, [&](const AdvancingPhi &P) { return P.Phi == R.first; });
         });
}

/// Iterations of a loop, and what its values are in them as far as that has
/// been computed in front of an instruction.
struct Iterations {
  Instruction *At;
  /// The phis in one of them, which counts as zero.
  SmallVector<Value *, 4> Phis;
  /// That is the loop's first one.
  bool FromFirst;
  DenseMap<std::pair<const Value *, int64_t>, Value *> Known;

  Iterations(Instruction *At, SmallVector<Value *, 4> Phis,
             bool FromFirst = false)
      : At(At), Phis(std::move(Phis)), FromFirst(FromFirst) {}
};

class Gathering {
public:
  Gathering(const GatheredSums &G, Loop &L, const SCEV &Runs, Instruction &At,
            ScalarEvolution &SE)
      : G(G), Body(*L.getHeader()), Runs(Runs), Before(At), SE(SE),
        Expander(SE, Body.getModule()->getDataLayout(), "gather") {}

  GatheredCode emit(Loop &L, BasicBlock &Next, LoopInfo &LI);

private:
  using PhiValues = SmallVector<Value *, 4>;

  const SCEV *constant(unsigned C) { return SE.getConstant(Runs.getType(), C); }
  PhiValues valuesIn(const SCEV *Count);
  Value *advance(const AdvancingPhi &P, Value *V, int64_t Iterations,
                 Instruction *At) const;
  Value *phiIn(PHINode &Phi, Iterations &Is, int64_t Now) const;
  Value *compute(Value *V, Iterations &Is, int64_t Now) const;
  void emitAlone(const ShiftedSum &S, Iterations &Is, int64_t Now) const;
  void emitEnds(Loop &L, Instruction *At, GatheredCode &Code);
  void emitLoop(BasicBlock &Front, BasicBlock &Main, BasicBlock &Next);
  void emitGroup(unsigned Group, Iterations &Is) const;
  void tellApart(BasicBlock &Front, BasicBlock &Main) const;

  const GatheredSums &G;
  BasicBlock &Body;
  const SCEV &Runs;
  Instruction &Before;
  ScalarEvolution &SE;
  SCEVExpander Expander;
  /// Elements at rising addresses: the last iteration first.
  bool Down = false;
};

/// The phis' values in iteration \p Count of the loop.
Gathering::PhiValues Gathering::valuesIn(const SCEV *Count) {
  PhiValues Values;
  for (const AdvancingPhi &P : G.Phis) {
    const SCEV *V = P.Values->evaluateAtIteration(Count, SE);
    Values.push_back(Expander.expandCodeFor(V, P.Phi->getType(), &Before));
  }
  return Values;
}

/// The value of \p P, which is \p V in one iteration, so many later. Both are
/// iterations of the loop, or nobody reads it.
Value *Gathering::advance(const AdvancingPhi &P, Value *V, int64_t Iterations,
                          Instruction *At) const {
  if (Iterations == 0)
    return V;
  IRBuilder<> B(At);
  int64_t Distance = P.Step * Iterations;
  if (V->getType()->isPointerTy())
    return B.CreatePtrAdd(V, B.getInt64(uint64_t(Distance)));
  Constant *By = ConstantInt::getSigned(V->getType(), Distance);
  return B.CreateAdd(V, By, "", /*HasNUW=*/false, P.NoWrap);
}

/// What \p Phi, of the header, is in iteration \p Now.
Value *Gathering::phiIn(PHINode &Phi, Iterations &Is, int64_t Now) const {
  for (auto [P, V] : zip_equal(G.Phis, Is.Phis))
    if (P.Phi == &Phi)
      return advance(P, V, Now, Is.At);
  if (Is.FromFirst && Now == 0)
    return Phi.getIncomingValue(1 - Phi.getBasicBlockIndex(&Body));
  return compute(Phi.getIncomingValueForBlock(&Body), Is, Now - 1);
}

/// What \p V is in iteration \p Now. It goes at most MaxDepth iterations back.
Value *Gathering::compute(Value *V, Iterations &Is, int64_t Now) const {
  SmallPtrSet<const Instruction *, 16> Needed;
  SmallVector<Value *, 16> Work(1, V);
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || I->getParent() != &Body || Is.Known.contains({I, Now}) ||
        !Needed.insert(I).second)
      continue;
    if (!isa<PHINode>(I))
      Work.append(I->op_begin(), I->op_end());
  }
  for (Instruction &I : Body) {
    if (!Needed.contains(&I))
      continue;
    if (auto *Phi = dyn_cast<PHINode>(&I)) {
      Value *Here = phiIn(*Phi, Is, Now);
      Is.Known[{&I, Now}] = Here;
      continue;
    }
    Instruction *Copy = I.clone();
    for (Use &U : Copy->operands())
      if (Value *Other = Is.Known.lookup({U.get(), Now}))
        U.set(Other);
    Copy->insertBefore(Is.At);
    Copy->setName(I.getName());
    Is.Known[{&I, Now}] = Copy;
  }
  Value *Computed = Is.Known.lookup({V, Now});
  return Computed ? Computed : V;
}

/// \p S in one iteration.
void Gathering::emitAlone(const ShiftedSum &S, Iterations &Is,
                          int64_t Now) const {
  Value *Sum = compute(S.New->getValueOperand(), Is, Now);
  Value *Place = compute(S.New->getPointerOperand(), Is, Now);
  auto *New = cast<StoreInst>(S.New->clone());
  New->setOperand(0, Sum);
  New->setOperand(1, Place);
  New->insertBefore(Is.At);
}

/// The iterations that the loop leaves out, and what the last one leaves.
void Gathering::emitEnds(Loop &L, Instruction *At, GatheredCode &Code) {
  unsigned Last = G.NumShifts - 1;
  Iterations Begin{At, valuesIn(constant(0)), /*FromFirst=*/true};
  Iterations End{At, valuesIn(SE.getMinusSCEV(&Runs, constant(Last)))};
  for (PHINode &Phi : L.getExitBlock()->phis()) {
    Value *V = Phi.getIncomingValueForBlock(&Body);
    if (isLeftByEnds(V, G, L, SE))
      Code.Behind.push_back({&Phi, compute(V, End, Last)});
  }
  for (unsigned T = 0; T <= Last; ++T)
    for (const ShiftedSum &S : G.Sums)
      emitAlone(S, T < G.NumShifts - S.Shift ? Begin : End, T);
}

/// The sums to one element: that of the iteration that is not shifted.
void Gathering::emitGroup(unsigned Group, Iterations &Is) const {
  const ShiftedSum *Own = nullptr;
  AAMDNodes Tags;
  Align Least;
  for (const ShiftedSum &S : G.Sums) {
    if (S.Group != Group)
      continue;
    AAMDNodes Its = S.New->getAAMetadata().merge(S.Old->getAAMetadata());
    Align Known = std::min(S.New->getAlign(), S.Old->getAlign());
    Tags = Own ? Tags.merge(Its) : Its;
    Least = Own ? std::min(Least, Known) : Known;
    if (!Own || S.Shift == 0)
      Own = &S;
  }
  Value *Place = compute(Own->New->getPointerOperand(), Is, 0);
  IRBuilder<> B(Is.At);
  LoadInst *Old = B.CreateAlignedLoad(Own->Old->getType(), Place, Least, "old");
  Old->setAAMetadata(Tags);
  Value *Total = Old;
  for (const ShiftedSum &S : G.Sums) {
    if (S.Group != Group)
      continue;
    int64_t Now = -int64_t(S.Shift);
    Is.Known[{S.Old, Now}] = Total;
    Total = compute(S.New->getValueOperand(), Is, Now);
  }
  StoreInst *New = B.CreateAlignedStore(Total, Place, Least);
  New->setAAMetadata(Tags);
}

/// The loop over elements.
void Gathering::emitLoop(BasicBlock &Front, BasicBlock &Main,
                         BasicBlock &Next) {
  PhiValues Begin = valuesIn(Down ? &Runs : constant(G.NumShifts));
  const SCEV *Last = SE.getMinusSCEV(&Runs, constant(G.NumShifts));
  Type *Counts = Runs.getType();
  Value *End = Expander.expandCodeFor(Last, Counts, &Before);

  IRBuilder<> B(&Main);
  PHINode *Counter = B.CreatePHI(Counts, 2, "element");
  Counter->addIncoming(ConstantInt::get(Counts, 0), &Front);
  PhiValues Now;
  for (auto [P, V] : zip_equal(G.Phis, Begin)) {
    PHINode *Phi = B.CreatePHI(P.Phi->getType(), 2, P.Phi->getName());
    Phi->addIncoming(V, &Front);
    Now.push_back(Phi);
  }
  Value *IsLast = B.CreateICmpEQ(Counter, End);
  BranchInst *Branch = B.CreateCondBr(IsLast, &Next, &Main);
  if (MDNode *Hints = Body.getTerminator()->getMetadata(LLVMContext::MD_loop))
    Branch->setMetadata(LLVMContext::MD_loop, Hints);

  Iterations Is{Branch, Now};
  for (unsigned Group = 0; Group != G.NumGroups; ++Group)
    emitGroup(Group, Is);

  B.SetInsertPoint(Branch);
  Counter->addIncoming(B.CreateNUWAdd(Counter, ConstantInt::get(Counts, 1)),
                       &Main);
  for (auto [P, V] : zip_equal(G.Phis, Now))
    cast<PHINode>(V)->addIncoming(advance(P, V, Down ? -1 : 1, Branch), &Main);
}

/// Says that nothing but the sums accesses their elements: the caller knows.
void Gathering::tellApart(BasicBlock &Front, BasicBlock &Main) const {
  LLVMContext &Context = Main.getContext();
  MDBuilder MD(Context);
  MDNode *Domain = MD.createAnonymousAliasScopeDomain("sums");
  MDNode *OfSums =
      MDNode::get(Context, MD.createAnonymousAliasScope(Domain, "sums"));
  MDNode *OfOthers =
      MDNode::get(Context, MD.createAnonymousAliasScope(Domain, "others"));
  IRBuilder<> B(Front.getTerminator());
  B.CreateNoAliasScopeDeclaration(OfSums);
  B.CreateNoAliasScopeDeclaration(OfOthers);
  SmallPtrSet<const Value *, 8> Places;
  for (Instruction &I : Main)
    if (auto *Store = dyn_cast<StoreInst>(&I))
      Places.insert(Store->getPointerOperand());
  auto add = [](Instruction &I, unsigned Kind, MDNode *Scope) {
    I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind), Scope));
  };
  for (Instruction &I : Main) {
    const Value *Place = getLoadStorePointerOperand(&I);
    if (!Place)
      continue;
    bool IsSum = Places.contains(Place);
    add(I, LLVMContext::MD_alias_scope, IsSum ? OfSums : OfOthers);
    add(I, LLVMContext::MD_noalias, IsSum ? OfOthers : OfSums);
  }
}

GatheredCode Gathering::emit(Loop &L, BasicBlock &Next, LoopInfo &LI) {
  LLVMContext &Context = Body.getContext();
  Function &F = *Body.getParent();
  auto *Front = BasicBlock::Create(Context, "ends", &F, &Next);
  auto *Main = BasicBlock::Create(Context, "gathered", &F, &Next);
  BranchInst::Create(Main, Front);
  const ShiftedSum &First = G.Sums.front();
  Down = SE.isKnownNegative(First.Place->getStepRecurrence(SE));
  GatheredCode Code{Front, {}};
  emitEnds(L, Front->getTerminator(), Code);
  emitLoop(*Front, *Main, Next);
  tellApart(*Front, *Main);
  Loop *New = LI.AllocateLoop();
  if (Loop *Parent = L.getParentLoop()) {
    Parent->addChildLoop(New);
    Parent->addBasicBlockToLoop(Front, LI);
  } else {
    LI.addTopLevelLoop(New);
  }
  New->addBasicBlockToLoop(Main, LI);
  return Code;
}

} // namespace

std::optional<GatheredSums> gatherSums(const Loop &L, ArrayRef<MovingSum> Sums,
                                       ScalarEvolution &SE) {
  GatheredSums G;
  if (!findGroups(G, Sums, SE) || !findPhis(G, L, SE) || G.NumShifts == 0)
    return std::nullopt;
  return G;
}

bool leavesNothing(const GatheredSums &G, const Loop &L, ScalarEvolution &SE) {
  return all_of(*L.getHeader(), [&](Instruction &I) {
    bool IsReadBehind = any_of(I.users(), [&](const User *U) {
      return !L.contains(cast<Instruction>(U));
    });
    return !IsReadBehind || isLeftByEnds(&I, G, L, SE);
  });
}

bool isRecurrent(const MemorySum &S, const Loop &L, ScalarEvolution &SE) {
  // The phis from which From is computed, but for numbers that advance.
  auto phisOf = [&](Instruction &From) {
    SmallSetVector<PHINode *, 8> Phis;
    SmallPtrSet<const Instruction *, 32> Seen;
    SmallVector<Value *, 32> Work(1, &From);
    while (!Work.empty()) {
      auto *I = dyn_cast<Instruction>(Work.pop_back_val());
      if (!I || !L.contains(I) || !Seen.insert(I).second)
        continue;
      auto *Phi = dyn_cast<PHINode>(I);
      if (!Phi) {
        Work.append(I->op_begin(), I->op_end());
      } else if (!asAdvancing(*Phi, L, SE)) {
        Phis.insert(Phi);
        Work.push_back(Phi->getIncomingValueForBlock(L.getLoopLatch()));
      }
    }
    return Phis;
  };
  return any_of(phisOf(*S.New), [&](PHINode *Phi) {
    auto *Next =
        dyn_cast<Instruction>(Phi->getIncomingValueForBlock(L.getLoopLatch()));
    return Next && phisOf(*Next).contains(Phi);
  });
}

GatheredCode emitGatheredSums(const GatheredSums &G, Loop &L, const SCEV &Runs,
                              Instruction &At, BasicBlock &Next,
                              ScalarEvolution &SE, LoopInfo &LI) {
  return Gathering(G, L, Runs, At, SE).emit(L, Next, LI);
}

} // namespace adze
