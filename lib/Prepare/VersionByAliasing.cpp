// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two versions of a function whose loops may overwrite what they read, for all
// that the code says:
//
//   void product(const double *a, const double *x, double *y, int n);
//
// Without restrict a store to y may overwrite a and x, so that a derivative has
// to keep what it read of them. Where each of the arrays accessed is known at
// the function's entry by its first and last byte, the entry compares them, as
// LLVM's loop vectorizer does in front of a loop: one version runs if no byte
// is common to two arrays, and its accesses say so (scopes of noalias); the
// other one is the function as it was.
//
// Bounds are intervals over all iterations: an address that advances by Step in
// a loop of Count iterations lies between Start and Start + Count * Step, in
// each loop around it. They are computed in 128 bits, of numbers of 64, so that
// nothing overflows, and loops of more than 2^48 iterations take the version
// that assumes nothing. What wraps around in the program's own width has an
// interval that leaves that width, which is tested as well.
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"
#include "adze/Options.h"
#include "adze/Primal.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {
namespace {

/// Larger functions have one version.
constexpr unsigned MaxInstructions = 1500;
/// Accesses of one array that are bounded one by one.
constexpr size_t MaxAccesses = 64;
/// Depth of an address, in operations.
constexpr unsigned MaxDepth = 24;
/// Values behind a load that are looked at to see what it is for.
constexpr size_t MaxUses = 32;
/// Bits of the longest loop, and of the largest distance.
constexpr unsigned CountBits = 48, DistanceBits = 62;
constexpr unsigned Width = 128;

/// The least and the greatest value, in 128 bits.
struct Interval {
  const SCEV *Least, *Greatest;
};

/// What lies between two numbers, if the program is to compute it rightly.
struct Condition {
  const SCEV *S;
  APInt Least, Greatest;
};

/// What the numbers of a function are in all iterations, in terms of what is
/// known at the end of its entry block.
class Bounds {
public:
  Bounds(Function &F, ScalarEvolution &SE)
      : F(F), SE(SE), Wide(IntegerType::get(F.getContext(), Width)) {}

  std::optional<Interval> of(const SCEV *S, unsigned Depth = 0);
  bool isKnownAtEntry(const SCEV *S) const;
  const SCEV *sum(const SCEV *A, const SCEV *B) { return SE.getAddExpr(A, B); }
  const SCEV *constant(int64_t C) {
    return SE.getConstant(APInt(Width, uint64_t(C), /*isSigned=*/true));
  }
  /// \p I fits into \p Bits bits.
  void require(const Interval &I, unsigned Bits, bool Signed);

  SmallVector<Condition, 8> Conditions;

private:
  std::optional<Interval> count(const Loop &L, unsigned Depth);
  std::optional<Interval> ofAdvance(const SCEVAddRecExpr &A, unsigned Depth);
  std::optional<Interval> ofProduct(const SCEVMulExpr &M, unsigned Depth);
  std::optional<Interval> ofExtreme(const SCEVMinMaxExpr &M, unsigned Depth);
  Interval product(const Interval &A, const Interval &B);

  Function &F;
  ScalarEvolution &SE;
  Type *Wide;
};

bool Bounds::isKnownAtEntry(const SCEV *S) const {
  return !SCEVExprContains(S, [&](const SCEV *Part) {
    if (isa<SCEVAddRecExpr, SCEVCouldNotCompute>(Part))
      return true;
    auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    auto *I = Leaf ? dyn_cast<Instruction>(Leaf->getValue()) : nullptr;
    return I && (I->getParent() != &F.getEntryBlock() || I->isTerminator());
  });
}

void Bounds::require(const Interval &I, unsigned Bits, bool Signed) {
  APInt Least = Signed ? APInt::getSignedMinValue(Bits).sext(Width)
                       : APInt::getZero(Width);
  APInt Greatest = Signed ? APInt::getSignedMaxValue(Bits).sext(Width)
                          : APInt::getMaxValue(Bits).zext(Width);
  for (const SCEV *S : {I.Least, I.Greatest})
    if (auto *C = dyn_cast<SCEVConstant>(S);
        !C || C->getAPInt().slt(Least) || C->getAPInt().sgt(Greatest))
      Conditions.push_back({S, Least, Greatest});
}

/// The number of times that the latch of \p L goes back, once it is entered.
std::optional<Interval> Bounds::count(const Loop &L, unsigned Depth) {
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count))
    Count = SE.getSymbolicMaxBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count))
    return std::nullopt;
  std::optional<Interval> Result;
  unsigned Bits = SE.getTypeSizeInBits(Count->getType());
  if (isKnownAtEntry(Count)) {
    const SCEV *S = SE.getZeroExtendExpr(Count, Wide);
    Result = {S, S};
  } else {
    // It is a number without sign; so is what is computed here, unless the loop
    // is entered when it should not be, and goes around its counter's range.
    // Nobody counts to 2^63.
    const SCEV *Zero = SE.getZero(Count->getType());
    if (Bits < 64 && !SE.isKnownNonNegative(Count) &&
        !SE.isLoopEntryGuardedByCond(&L, ICmpInst::ICMP_SGE, Count, Zero))
      return std::nullopt;
    Result = of(Count, Depth);
  }
  if (!Result)
    return std::nullopt;
  Result->Greatest = SE.getSMaxExpr(Result->Greatest, constant(0));
  require({constant(0), Result->Greatest}, CountBits, /*Signed=*/false);
  return Interval{constant(0), Result->Greatest};
}

/// Of two intervals, the second without negative numbers.
Interval Bounds::product(const Interval &A, const Interval &B) {
  auto end = [&](const SCEV *S, bool Least) {
    if (SE.isKnownNonNegative(S))
      return SE.getMulExpr(S, Least ? B.Least : B.Greatest);
    if (SE.isKnownNonPositive(S))
      return SE.getMulExpr(S, Least ? B.Greatest : B.Least);
    const SCEV *X = SE.getMulExpr(S, B.Least);
    const SCEV *Y = SE.getMulExpr(S, B.Greatest);
    return Least ? SE.getSMinExpr(X, Y) : SE.getSMaxExpr(X, Y);
  };
  return {end(A.Least, true), end(A.Greatest, false)};
}

std::optional<Interval> Bounds::ofAdvance(const SCEVAddRecExpr &A,
                                          unsigned Depth) {
  if (!A.isAffine())
    return std::nullopt;
  std::optional<Interval> Start = of(A.getStart(), Depth);
  std::optional<Interval> Step = of(A.getStepRecurrence(SE), Depth);
  std::optional<Interval> Count = count(*A.getLoop(), Depth);
  if (!Start || !Step || !Count)
    return std::nullopt;
  // Wrong steps are as many as right ones.
  require(*Step, DistanceBits, /*Signed=*/true);
  Interval Way = product(*Step, *Count);
  return Interval{sum(Start->Least, Way.Least),
                  sum(Start->Greatest, Way.Greatest)};
}

std::optional<Interval> Bounds::ofProduct(const SCEVMulExpr &M,
                                          unsigned Depth) {
  std::optional<Interval> Result = of(M.getOperand(0), Depth);
  for (const SCEV *Op : drop_begin(M.operands())) {
    std::optional<Interval> Next = of(Op, Depth);
    if (!Result || !Next)
      return std::nullopt;
    // One of the two is never negative.
    if (!SE.isKnownNonNegative(Next->Least))
      std::swap(Result, Next);
    if (!SE.isKnownNonNegative(Next->Least))
      return std::nullopt;
    require(*Result, 63, /*Signed=*/true);
    require(*Next, 63, /*Signed=*/true);
    Result = product(*Result, *Next);
  }
  return Result;
}

std::optional<Interval> Bounds::ofExtreme(const SCEVMinMaxExpr &M,
                                          unsigned Depth) {
  SmallVector<const SCEV *, 4> Least, Greatest;
  bool Signed = isa<SCEVSMaxExpr, SCEVSMinExpr>(M);
  for (const SCEV *Op : M.operands()) {
    std::optional<Interval> I = of(Op, Depth);
    if (!I)
      return std::nullopt;
    require(*I, SE.getTypeSizeInBits(M.getType()), Signed);
    Least.push_back(I->Least);
    Greatest.push_back(I->Greatest);
  }
  bool Max = isa<SCEVSMaxExpr, SCEVUMaxExpr>(M);
  return Interval{Max ? SE.getSMaxExpr(Least) : SE.getSMinExpr(Least),
                  Max ? SE.getSMaxExpr(Greatest) : SE.getSMinExpr(Greatest)};
}

std::optional<Interval> Bounds::of(const SCEV *S, unsigned Depth) {
  if (++Depth > MaxDepth || !S->getType()->isIntegerTy() ||
      SE.getTypeSizeInBits(S->getType()) > 64)
    return std::nullopt;
  if (isKnownAtEntry(S)) {
    const SCEV *Same = SE.getSignExtendExpr(S, Wide);
    return Interval{Same, Same};
  }
  if (auto *A = dyn_cast<SCEVAddRecExpr>(S))
    return ofAdvance(*A, Depth);
  if (auto *M = dyn_cast<SCEVMulExpr>(S))
    return ofProduct(*M, Depth);
  if (auto *M = dyn_cast<SCEVMinMaxExpr>(S))
    return ofExtreme(*M, Depth);
  if (auto *A = dyn_cast<SCEVAddExpr>(S)) {
    Interval Result{constant(0), constant(0)};
    for (const SCEV *Op : A->operands()) {
      std::optional<Interval> Next = of(Op, Depth);
      if (!Next)
        return std::nullopt;
      Result = {sum(Result.Least, Next->Least),
                sum(Result.Greatest, Next->Greatest)};
    }
    return Result;
  }
  if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(S)) {
    const SCEV *Op = cast<SCEVCastExpr>(S)->getOperand();
    std::optional<Interval> Result = of(Op, Depth);
    if (Result)
      require(*Result, SE.getTypeSizeInBits(Op->getType()),
              /*Signed=*/isa<SCEVSignExtendExpr>(S));
    return Result;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// All accesses whose address is computed from one pointer.
struct Array {
  Value *Base = nullptr;
  SmallVector<Instruction *, 8> Accesses;
  bool IsStored = false;
  bool IsNeeded = false; // a derivative is likely to need what is read
  bool IsBounded = true;
  // From the base, the first byte and the one behind the last one.
  const SCEV *First = nullptr, *End = nullptr;
  MDNode *Scope = nullptr;
};

/// A product with a constant, to which something may be added.
bool isLinear(const Instruction &I) {
  auto *Fused = dyn_cast<IntrinsicInst>(&I);
  if (I.getOpcode() == Instruction::FDiv)
    return isa<Constant>(I.getOperand(1));
  return (I.getOpcode() == Instruction::FMul ||
          (Fused && (Fused->getIntrinsicID() == Intrinsic::fmuladd ||
                     Fused->getIntrinsicID() == Intrinsic::fma))) &&
         (isa<Constant>(I.getOperand(0)) || isa<Constant>(I.getOperand(1)));
}

/// Something that is not linear, an address or a decision depends on \p Load.
bool decides(const LoadInst &Load) {
  SmallSetVector<const Value *, 16> Behind;
  Behind.insert(&Load);
  for (size_t N = 0; N < Behind.size(); ++N) {
    if (N > MaxUses)
      return true;
    for (const User *U : Behind[N]->users()) {
      auto &I = *cast<Instruction>(U);
      switch (I.getOpcode()) {
      case Instruction::FMul:
      case Instruction::FDiv:
        if (!isLinear(I))
          return true;
        break;
      case Instruction::Store:
      case Instruction::Ret:
        continue;
      case Instruction::Call:
        if (auto *Known = lookupKnown(cast<CallBase>(I));
            Known && Known->Facts.By == Derivation::Zero)
          continue;
        if (!isLinear(I))
          return true;
        break;
      case Instruction::FAdd:
      case Instruction::FSub:
      case Instruction::FNeg:
      case Instruction::PHI:
      case Instruction::FPExt:
      case Instruction::FPTrunc:
        break;
      default:
        return true;
      }
      Behind.insert(&I);
    }
  }
  return false;
}

class Versions {
public:
  Versions(Function &F, FunctionAnalysisManager &FAM)
      : F(F), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)), AA(FAM.getResult<AAManager>(F)),
        Limits(F, SE) {}
  bool run();

private:
  void collect();
  void bound(Array &A);
  bool mayMeet(const Array &A, const Array &B);
  bool choosePairs();
  Value *makeTest();
  void makeScopes(BasicBlock &Fast);
  void split();

  Function &F;
  ScalarEvolution &SE;
  LoopInfo &LI;
  AAResults &AA;
  Bounds Limits;
  MapVector<Value *, Array> Arrays;
  SmallVector<std::pair<Array *, Array *>, 8> Pairs;
};

void Versions::collect() {
  for (Instruction &I : instructions(F)) {
    Value *Ptr = getLoadStorePointerOperand(&I);
    if (!Ptr || I.getParent() == &F.getEntryBlock())
      continue;
    const SCEV *Address = SE.getSCEV(Ptr);
    auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
    if (!Base)
      continue;
    Array &A = Arrays[Base->getValue()];
    A.Base = Base->getValue();
    A.Accesses.push_back(&I);
    A.IsStored |= isa<StoreInst>(I);
    if (auto *Load = dyn_cast<LoadInst>(&I))
      A.IsNeeded |= LI.getLoopFor(I.getParent()) && decides(*Load);
  }
}

/// Finds the first and the last byte of \p A.
void Versions::bound(Array &A) {
  const DataLayout &DL = F.getDataLayout();
  A.IsBounded = A.Accesses.size() <= MaxAccesses &&
                Limits.isKnownAtEntry(SE.getSCEV(A.Base));
  SmallVector<const SCEV *, 8> First, End;
  for (Instruction *I : A.Accesses) {
    if (!A.IsBounded)
      return;
    TypeSize Size = DL.getTypeStoreSize(getLoadStoreType(I));
    std::optional<Interval> Ends;
    if (!I->isVolatile() && !I->isAtomic() && !Size.isScalable())
      Ends = Limits.of(
          SE.removePointerBase(SE.getSCEV(getLoadStorePointerOperand(I))));
    A.IsBounded = Ends.has_value();
    if (!Ends)
      return;
    First.push_back(Ends->Least);
    End.push_back(Limits.sum(Ends->Greatest,
                             Limits.constant(int64_t(Size.getFixedValue()))));
  }
  A.First = SE.getSMinExpr(First);
  A.End = SE.getSMaxExpr(End);
}

bool Versions::mayMeet(const Array &A, const Array &B) {
  if (AA.isNoAlias(MemoryLocation::getBeforeOrAfter(A.Base),
                   MemoryLocation::getBeforeOrAfter(B.Base)))
    return false;
  return any_of(A.Accesses, [&](Instruction *X) {
    return any_of(B.Accesses, [&](Instruction *Y) {
      return (isa<StoreInst>(X) || isa<StoreInst>(Y)) &&
             !AA.isNoAlias(MemoryLocation::get(X), MemoryLocation::get(Y));
    });
  });
}

/// Whether it is worth while.
bool Versions::choosePairs() {
  bool Pays = false;
  auto *Begin = Arrays.begin(), *End = Arrays.end();
  for (auto *I = Begin; I != End; ++I)
    for (auto *J = std::next(I); J != End; ++J) {
      Array &A = I->second, &B = J->second;
      if (!A.IsBounded || !B.IsBounded || !mayMeet(A, B))
        continue;
      if (Pairs.size() == Options::get().MaxAliasChecks)
        return false;
      Pairs.push_back({&A, &B});
      Pays |= (A.IsNeeded && B.IsStored) || (B.IsNeeded && A.IsStored);
    }
  return Pays;
}

/// At the end of the entry block: no two arrays of a pair meet.
Value *Versions::makeTest() {
  Instruction *End = F.getEntryBlock().getTerminator();
  SCEVExpander Expander(SE, F.getDataLayout(), "adze.ends");
  IRBuilder<> B(End);
  Type *Wide = B.getIntNTy(Width);
  auto wide = [&](const SCEV *S) {
    Value *V = Expander.expandCodeFor(S, Wide, End->getIterator());
    B.SetInsertPoint(End);
    return V;
  };
  struct Ends {
    Value *First, *End;
  };
  Value *Test = B.getTrue();
  DenseMap<const Array *, Ends> Known;
  auto ends = [&](const Array &A) {
    auto [It, New] = Known.try_emplace(&A);
    if (!New)
      return It->second;
    Type *Index = F.getDataLayout().getIndexType(A.Base->getType());
    auto end = [&](const SCEV *Distance) {
      Value *Wanted = B.CreateTrunc(wide(Distance), Index);
      return B.CreatePtrAdd(A.Base, Wanted);
    };
    Ends E = {end(A.First), end(A.End)};
    Test = B.CreateAnd(Test, B.CreateICmpULE(E.First, E.End));
    return Known[&A] = E;
  };
  for (const auto &[A, B2] : Pairs) {
    Ends X = ends(*A), Y = ends(*B2);
    Test = B.CreateAnd(Test, B.CreateOr(B.CreateICmpULE(X.End, Y.First),
                                        B.CreateICmpULE(Y.End, X.First)));
  }
  for (const Condition &C : Limits.Conditions) {
    Value *V = wide(C.S);
    Value *Within = B.CreateAnd(B.CreateICmpSGE(V, B.getInt(C.Least)),
                                B.CreateICmpSLE(V, B.getInt(C.Greatest)));
    Test = B.CreateAnd(Test, Within);
  }
  return Test;
}

/// The accesses of arrays that were compared say so.
void Versions::makeScopes(BasicBlock &Fast) {
  MDBuilder MD(F.getContext());
  MDNode *Domain = MD.createAnonymousAliasScopeDomain(F.getName());
  DenseMap<const Array *, SmallVector<Metadata *, 4>> Others;
  auto scopeOf = [&](Array &A) {
    if (!A.Scope)
      A.Scope = MD.createAnonymousAliasScope(Domain);
    return A.Scope;
  };
  for (auto &[A, B] : Pairs) {
    Others[A].push_back(scopeOf(*B));
    Others[B].push_back(scopeOf(*A));
  }
  IRBuilder<> B(&Fast, Fast.getFirstInsertionPt());
  for (auto &[Base, A] : Arrays) {
    if (!A.Scope)
      continue;
    MDNode *Own = MDNode::get(F.getContext(), A.Scope);
    MDNode *NotHere = MDNode::get(F.getContext(), Others[&A]);
    B.CreateNoAliasScopeDeclaration(Own);
    for (Instruction *I : A.Accesses) {
      auto add = [&](unsigned Kind, MDNode *List) {
        I->setMetadata(Kind, MDNode::concatenate(I->getMetadata(Kind), List));
      };
      add(LLVMContext::MD_alias_scope, Own);
      add(LLVMContext::MD_noalias, NotHere);
    }
  }
}

/// From the end of the entry block on there are two versions.
void Versions::split() {
  Value *Test = makeTest();
  BasicBlock *Entry = &F.getEntryBlock();
  SmallVector<BasicBlock *, 32> Body;
  BasicBlock *Fast = SplitBlock(Entry, Entry->getTerminator());
  Fast->setName("adze.apart");
  for (BasicBlock &B : F)
    if (&B != Entry)
      Body.push_back(&B);
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 32> Copies;
  for (BasicBlock *B : Body) {
    BasicBlock *Copy = CloneBasicBlock(B, Map, ".any", &F);
    Map[B] = Copy;
    Copies.push_back(Copy);
  }
  remapInstructionsInBlocks(Copies, Map);
  Instruction *Old = Entry->getTerminator();
  IRBuilder<> B(Old);
  B.CreateCondBr(Test, Fast, Copies.front(),
                 MDBuilder(F.getContext()).createLikelyBranchWeights())
      ->setMetadata(VersionsName, MDNode::get(F.getContext(), {}));
  Old->eraseFromParent();
  makeScopes(*Fast);
}

bool Versions::run() {
  collect();
  for (auto &[Base, A] : Arrays)
    bound(A);
  if (!choosePairs())
    return false;
  split();
  return true;
}

} // namespace

bool versionByAliasing(Function &F, FunctionAnalysisManager &FAM) {
  if (!Options::get().MaxAliasChecks ||
      F.getInstructionCount() > MaxInstructions)
    return false;
  FAM.invalidate(F, PreservedAnalyses::none());
  if (FAM.getResult<LoopAnalysis>(F).empty() || !Versions(F, FAM).run())
    return false;
  // What the optimizer would have done, had it known.
  FunctionPassManager Passes;
  Passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                 /*UseMemorySSA=*/true));
  Passes.addPass(GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)));
  FAM.invalidate(F, PreservedAnalyses::none());
  FAM.invalidate(F, Passes.run(F, FAM));
  return true;
}

} // namespace adze
