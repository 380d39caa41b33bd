// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product with an adjoint stays zero where the adjoint is (GuardedProduct.h):
// a comparison and a choice for each. In a chain from
// one adjoint to the next both stand in the way of all that follows. They
// change something only where a partial is infinite or NaN, and there the
// product without them is NaN. So one test serves a whole block of products:
//
//   a = d == 0 ? d : p * d;            a = p * d; b = q * a; c = r * a;
//   b = a == 0 ? a : q * a;     -->    if (isnan(b + c))
//   c = a == 0 ? a : r * a;              a = d == 0 ? ..; b = ..; c = ..;
//   y += b; z += c;                    y += b; z += c;
//
// A NaN stays one through products, sums and signs, so if no value that leaves
// the block's computation is NaN, none was on the way, and all of them are what
// the guards make. What is NaN in its own right is found so once more. A zero
// may come out with the other sign, which means nothing in an adjoint.
//
// Loops that can be vectorized are left alone: a branch would end that, and a
// vector's guards are done for all its elements at once.
//
// A *segment* is a part of a block: its guarded products, and the sums,
// products and signs made of them, up to the *place* where something else
// first reads one of them: a store, usually the first accumulation. What
// behind the place can be done before it belongs to the segment, too; what
// before the place only reads the segment's values and is no part of it is
// done behind.
#include "VectorLoops.h"
#include "adze/Cleanup.h"
#include "adze/VerifyIR.h"

#include "adze/GuardedProduct.h"
#include "adze/OwnFunction.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace adze {

namespace {

/// Fewer guards are not worth a branch, and more values are not looked at.
constexpr unsigned MinGuards = 3, MaxValues = 4096;
/// So far behind its place is looked for more of a segment.
constexpr unsigned MaxBehind = 1024;
/// Questions to the alias analysis about one segment.
constexpr unsigned MaxQuestions = 512;
/// Segments of one block.
constexpr unsigned MaxSegments = 256;

class Segment {
public:
  /// \p Around: the innermost loop, if any.
  Segment(BasicBlock &Block, const Loop *Around, AAResults &AA)
      : Block(Block), Around(Around), Alias(AA) {}

  /// Whether there is one that is worth it.
  bool find();
  /// Returns the block of what stood behind the place.
  BasicBlock *share(DominatorTree &DT, LoopInfo &LI);

private:
  void collect();
  void visit(Instruction &I);
  bool belongs(Instruction &I);
  bool isReady(const Value *V) const;
  bool isMovable(Instruction &I);
  bool isUndisturbed(LoadInst &Load);
  void dropSums();
  void findOutputs();
  Instruction *nextOf(const Instruction &I) const;
  bool isWorth() const;
  void gather();
  Value *test(IRBuilder<> &B);
  void cloneGuarded(Instruction *At, DenseMap<Value *, Value *> &Map);

  /// What \p V is without a guard.
  Value *plain(Instruction *V) const {
    Value *Product = Products.lookup(V);
    return Product ? Product : V;
  }
  /// \p U reads a value of the segment for something else than the segment.
  bool leaves(const Use &U) const {
    return !Values.count(cast<Instruction>(U.getUser()));
  }
  /// \p Factor would be compared in the block, and for this segment alone.
  bool isComparedHere(const Value *Factor) const;

  BasicBlock &Block;
  const Loop *Around;
  BatchAAResults Alias;
  unsigned Questions = 0;
  Instruction *Place = nullptr;
  bool Stopped = false;
  SmallSetVector<Instruction *, 32> Values;  // in the order of the block
  DenseMap<Instruction *, Value *> Products; // without the guards among them
  /// Behind the place: what can be done before it. Before: what can be behind.
  SmallSetVector<Instruction *, 16> Movable, Late;
  SmallVector<Instruction *, 8> Writes; // behind the place
  SmallVector<Instruction *, 8> Outputs, Tested;
  SmallPtrSet<Instruction *, 16> Strict; // no longer to be reordered
};

} // namespace

static Value *withoutGuard(IRBuilder<> &B, const Instruction &Product) {
  IRBuilderBase::FastMathFlagGuard Keep(B);
  B.setFastMathFlags(Product.getFastMathFlags());
  return B.CreateFMul(Product.getOperand(0), Product.getOperand(1));
}

/// Yields NaN of NaN.
static bool isArithmetic(const Instruction &I) {
  if (!I.getType()->isFloatingPointTy())
    return false;
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return true;
  default:
    return false;
  }
}

/// Could be done anywhere in its block where its operands are known.
static bool isPure(const Instruction &I) {
  return !I.isTerminator() && !isa<PHINode>(I) && !I.mayReadOrWriteMemory() &&
         !I.mayHaveSideEffects() && !isa<AllocaInst>(I) && !I.isEHPad();
}

bool Segment::isReady(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != &Block)
    return true;
  auto *Key = const_cast<Instruction *>(I);
  if (Late.count(Key))
    return false;
  return !Place || Values.count(Key) || Movable.count(Key) ||
         I->comesBefore(Place);
}

bool Segment::isUndisturbed(LoadInst &Load) {
  if (!Load.isSimple() || Questions + Writes.size() > MaxQuestions)
    return false;
  Questions += Writes.size();
  MemoryLocation Loaded = MemoryLocation::get(&Load);
  return none_of(Writes, [&](Instruction *Write) {
    return isModSet(Alias.getModRefInfo(Write, Loaded));
  });
}

bool Segment::isMovable(Instruction &I) {
  if (!all_of(I.operands(), [&](const Use &U) { return isReady(U); }))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return isUndisturbed(*Load);
  return isPure(I);
}

/// Guards, and arithmetic with what they yield.
bool Segment::belongs(Instruction &I) {
  if (!all_of(I.operands(), [&](const Use &U) { return isReady(U); }))
    return false;
  if (isGuardedProduct(I))
    return I.getType()->isFloatingPointTy();
  auto IsValue = [&](const Use &U) {
    auto *Operand = dyn_cast<Instruction>(U);
    return Operand && Values.count(Operand);
  };
  // What is divided by zero shows the zero's sign.
  if (I.getOpcode() == Instruction::FDiv && IsValue(I.getOperandUse(1)))
    return false;
  return isArithmetic(I) && any_of(I.operands(), IsValue);
}

void Segment::visit(Instruction &I) {
  if (belongs(I)) {
    Values.insert(&I);
    return;
  }
  bool Reads = any_of(I.operands(), [&](const Use &U) {
    auto *Operand = dyn_cast<Instruction>(U);
    return Operand && (Values.count(Operand) || Late.count(Operand));
  });
  if (Reads && isPure(I)) {
    Late.insert(&I);
    return;
  }
  if (Reads && !Place)
    Place = &I;
  if (!Place)
    return;
  if (!Reads && isMovable(I)) {
    Movable.insert(&I);
    return;
  }
  // What it does must not be done earlier or later than other things are.
  bool IsPlain = I.isTerminator() || isPure(I) || isa<PHINode>(I) ||
                 (isa<LoadInst>(I) && cast<LoadInst>(I).isSimple()) ||
                 (isa<StoreInst>(I) && cast<StoreInst>(I).isSimple());
  if (!IsPlain)
    Stopped = true;
  else if (I.mayWriteToMemory())
    Writes.push_back(&I);
}

void Segment::collect() {
  unsigned Behind = 0;
  for (Instruction &I : Block) {
    visit(I);
    Behind += Place != nullptr;
    if (Stopped || Behind > MaxBehind || Values.size() > MaxValues)
      break;
  }
  if (!Place)
    Place = Block.getTerminator();
}

/// A sum of something else and of what the segment yields is made behind it:
/// what it adds to need not wait, nor a NaN that was there before.
void Segment::dropSums() {
  SmallVector<Instruction *, 32> All = Values.takeVector();
  for (Instruction *I : reverse(All)) {
    bool Adds = I->getOpcode() == Instruction::FAdd ||
                I->getOpcode() == Instruction::FSub;
    bool IsRead = any_of(I->users(), [&](User *U) {
      return Values.count(cast<Instruction>(U));
    });
    bool IsOther = any_of(I->operands(), [&](const Use &U) {
      auto *Operand = dyn_cast<Instruction>(U);
      return !Operand || Operand->getParent() != &Block ||
             isa<LoadInst, PHINode>(Operand) || Late.count(Operand);
    });
    if (Adds && !IsRead && IsOther)
      Late.insert(I);
    else
      Values.insert(I);
  }
  All = Values.takeVector();
  Values.insert(All.rbegin(), All.rend());
}

/// Something of the segment that is NaN if \p I is.
Instruction *Segment::nextOf(const Instruction &I) const {
  for (const User *U : I.users())
    if (auto *Next = const_cast<Instruction *>(cast<Instruction>(U));
        Values.count(Next))
      return Next;
  return nullptr;
}

/// What is read elsewhere is to be tested, unless that would show in another.
/// On the way there sums may not be reordered, or a NaN could be taken from
/// itself.
void Segment::findOutputs() {
  for (Instruction *I : reverse(Values)) {
    Instruction *Next = nextOf(*I);
    bool Leaves = any_of(I->uses(), [&](const Use &U) { return leaves(U); });
    if (Leaves)
      Outputs.push_back(I);
    if (!Next)
      Tested.push_back(I);
    else if (Leaves)
      for (; Next && Strict.insert(Next).second; Next = nextOf(*Next))
        ;
  }
}

bool Segment::isComparedHere(const Value *Factor) const {
  return !isa<Constant>(Factor) &&
         !(Around && Around->isLoopInvariant(Factor)) &&
         all_of(Factor->users(), [&](const User *U) {
           auto *I = const_cast<Instruction *>(cast<Instruction>(U));
           return !isGuardedProduct(*I) || I->getOperand(1) != Factor ||
                  Values.count(I);
         });
}

bool Segment::isWorth() const {
  unsigned Guards = 0, Comparisons = 0;
  SmallPtrSet<Value *, 16> Factors;
  for (Instruction *I : Values)
    if (isGuardedProduct(*I)) {
      ++Guards;
      Value *Factor = I->getOperand(1);
      Comparisons += Factors.insert(Factor).second && isComparedHere(Factor);
    }
  return Guards >= MinGuards && Guards + Comparisons >= 2 * Tested.size() + 2;
}

bool Segment::find() {
  collect();
  if (Values.size() < MinGuards || Values.size() > MaxValues)
    return false;
  dropSums();
  findOutputs();
  return isWorth();
}

/// Brings all that the segment needs before its place.
void Segment::gather() {
  SmallPtrSet<Instruction *, 16> Needed;
  SmallVector<Instruction *, 16> Work(Values.begin(), Values.end());
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    for (Value *Operand : I->operands()) {
      auto *Needs = dyn_cast<Instruction>(Operand);
      if (Needs && Movable.count(Needs) && Needed.insert(Needs).second)
        Work.push_back(Needs);
    }
  }
  for (Instruction &I :
       make_early_inc_range(make_range(Place->getIterator(), Block.end())))
    if (&I != Place && (Values.count(&I) || Needed.count(&I)))
      I.moveBefore(Place);
}

/// True where one of the tested values is NaN, or infinite ones of both signs
/// meet.
Value *Segment::test(IRBuilder<> &B) {
  SmallVector<Value *, 8> Terms;
  for (Instruction *I : reverse(Tested))
    Terms.push_back(plain(I));
  Value *Any = nullptr;
  while (!Terms.empty()) {
    Type *Ty = Terms.front()->getType();
    SmallVector<Value *, 8> Same, Other;
    for (Value *V : Terms)
      (V->getType() == Ty ? Same : Other).push_back(V);
    while (Same.size() > 2) {
      SmallVector<Value *, 8> Sums;
      for (unsigned I = 0; I + 1 < Same.size(); I += 2)
        Sums.push_back(B.CreateFAdd(Same[I], Same[I + 1]));
      if (Same.size() % 2)
        Sums.push_back(Same.back());
      Same = std::move(Sums);
    }
    Value *IsNaN = B.CreateFCmpUNO(Same.front(), Same.back());
    Any = Any ? B.CreateOr(Any, IsNaN) : IsNaN;
    Terms = std::move(Other);
  }
  // A partial of what was not computed may be anything, where its adjoint is 0.
  return B.CreateFreeze(Any);
}

/// Computes all once more before \p At, with the guards.
void Segment::cloneGuarded(Instruction *At, DenseMap<Value *, Value *> &Map) {
  for (Instruction *I : Values) {
    Instruction *New = I->clone();
    New->insertBefore(At);
    for (Use &U : New->operands())
      if (Value *Mapped = Map.lookup(U))
        U = Mapped;
    Map[I] = New;
  }
}

BasicBlock *Segment::share(DominatorTree &DT, LoopInfo &LI) {
  gather();
  SmallVector<Instruction *, 8> Behind;
  for (Instruction &I : make_range(Block.begin(), Place->getIterator()))
    if (Late.count(&I))
      Behind.push_back(&I);

  IRBuilder<> B(Place);
  for (Instruction *I : Values)
    if (isGuardedProduct(*I)) {
      B.SetInsertPoint(I);
      Products[I] = withoutGuard(B, *I);
    }
  B.SetInsertPoint(Place);
  DomTreeUpdater DTU(DT, DomTreeUpdater::UpdateStrategy::Eager);
  Instruction *End = SplitBlockAndInsertIfThen(
      test(B), Place, /*Unreachable=*/false,
      MDBuilder(Block.getContext()).createUnlikelyBranchWeights(), &DTU, &LI);
  BasicBlock *Guarded = End->getParent(), *Rest = Place->getParent();
  for (Instruction *I : Behind)
    I->moveBefore(Place);
  DenseMap<Value *, Value *> Map;
  cloneGuarded(End, Map);
  B.SetInsertPoint(Rest, Rest->begin());
  for (Instruction *I : reverse(Outputs)) {
    PHINode *Either = B.CreatePHI(I->getType(), 2);
    Either->addIncoming(plain(I), &Block);
    Either->addIncoming(Map.lookup(I), Guarded);
    I->replaceUsesWithIf(Either, [&](Use &U) {
      auto *User = cast<Instruction>(U.getUser());
      if (User->getParent() == &Block)
        return isa<PHINode>(User);
      return User != Either && User->getParent() != Guarded;
    });
  }
  for (Instruction *I : Values) {
    if (Strict.count(I))
      I->setHasAllowReassoc(false);
    if (Value *Product = Products.lookup(I)) {
      I->replaceAllUsesWith(Product);
      I->eraseFromParent();
    }
  }
  return Rest;
}

/// A value that may not be NaN is poison if it is. What is poison is not found
/// to be NaN.
static bool forbidsNaN(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return isa<FPMathOperator>(I) && (I.hasNoNaNs() || I.hasNoInfs());
  });
}

/// Blocks with enough guards that no vector will hold.
static SmallVector<BasicBlock *, 16> candidates(Function &F,
                                                FunctionAnalysisManager &FAM) {
  SmallVector<BasicBlock *, 16> Blocks;
  for (BasicBlock &B : F)
    if (count_if(B, isGuardedProduct) >= MinGuards)
      Blocks.push_back(&B);
  if (Blocks.empty() || forbidsNaN(F))
    return {};
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &Accesses = FAM.getResult<LoopAccessAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  erase_if(Blocks, [&](BasicBlock *B) {
    Loop *L = LI.getLoopFor(B);
    return L && mayVectorize(*L, Accesses, SE);
  });
  return Blocks;
}

static void shareGuards(Function &F, FunctionAnalysisManager &FAM) {
  // Lanes that branch apart wait for each other.
  if (F.hasOptSize() ||
      FAM.getResult<TargetIRAnalysis>(F).hasBranchDivergence(&F))
    return;
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  for (BasicBlock *B : candidates(F, FAM))
    for (unsigned N = 0; B && N < MaxSegments; ++N) {
      Segment S(*B, LI.getLoopFor(B), FAM.getResult<AAManager>(F));
      if (!S.find())
        break;
      B = S.share(FAM.getResult<DominatorTreeAnalysis>(F), LI);
    }
}

namespace {

/// Choices for the products of a function.
class Choices {
public:
  explicit Choices(const LoopInfo &LI) : LI(LI) {}
  void write(CallInst &Call);

private:
  Value *keep(IRBuilder<> &B, Value *Factor, Value *Product);
  Value *isKept(IRBuilder<> &B, Value *Factor);

  const LoopInfo &LI;
  /// By factor and where they stand: in a block, or before its end.
  DenseMap<std::pair<Value *, Value *>, Value *> Comparisons;
};

} // namespace

/// Zero or NaN: one flag of a scalar comparison, where `zero` takes two. Done
/// before the loops in which \p Factor does not change.
Value *Choices::isKept(IRBuilder<> &B, Value *Factor) {
  Value *Place = B.GetInsertBlock();
  Instruction *Before = nullptr;
  for (const Loop *L = LI.getLoopFor(B.GetInsertBlock());
       L && L->getLoopPreheader() && L->isLoopInvariant(Factor);
       L = L->getParentLoop())
    Place = Before = L->getLoopPreheader()->getTerminator();
  Value *&Made = Comparisons[{Factor, Place}];
  if (Made)
    return Made;
  IRBuilderBase::InsertPointGuard Return(B);
  if (Before)
    B.SetInsertPoint(Before);
  return Made =
             B.CreateFCmpUEQ(Factor, Constant::getNullValue(Factor->getType()));
}

/// Where it is kept, the factor is the result.
Value *Choices::keep(IRBuilder<> &B, Value *Factor, Value *Product) {
  Value *IsKept = isKept(B, Factor);
  auto *Always = dyn_cast<Constant>(IsKept);
  return Always && Always->isNullValue()
             ? Product
             : B.CreateSelect(IsKept, Factor, Product);
}

void Choices::write(CallInst &Call) {
  IRBuilder<> B(&Call);
  B.setFastMathFlags(Call.getFastMathFlags());
  Value *Product = withoutGuard(B, Call);
  if (keptZeros(*Call.getCalledFunction()) == KeptZeros::OfBoth)
    Product = keep(B, Call.getArgOperand(0), Product);
  Product = keep(B, Call.getArgOperand(1), Product);
  if (isa<Instruction>(Product))
    Product->takeName(&Call);
  Call.replaceAllUsesWith(Product);
  Call.eraseFromParent();
}

Error lowerProducts(Module &M, FunctionAnalysisManager &FAM) {
  for (Function &F : M) {
    if (none_of(instructions(F), isGuardedProduct))
      continue;
    if (isOwn(F))
      shareGuards(F, FAM);
    Choices Of(FAM.getResult<LoopAnalysis>(F));
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isGuardedProduct(I))
        Of.write(cast<CallInst>(I));
    FAM.invalidate(F, PreservedAnalyses::none());
    if (Error Wrong = verifyIR(F))
      return createStringError("cleanup of " + F.getName() + ": " +
                               toString(std::move(Wrong)));
  }
  for (Function &F : make_early_inc_range(M))
    if (keptZeros(F) && F.use_empty())
      F.eraseFromParent();
  return Error::success();
}

} // namespace adze
