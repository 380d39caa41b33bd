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
#include "Prepare/EntryBounds.h"
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"
#include "adze/Options.h"
#include "adze/Primal.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
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
/// So have functions with more calls than this that are no mathematical ones:
/// two versions have twice the objects, of which activity analysis tells apart
/// a limited number.
constexpr unsigned MaxCalls = 16;
/// Places in one array that are bounded one by one; neighbours are one place.
constexpr size_t MaxPlaces = 64;
/// Values behind a load that are looked at to see what it is for.
constexpr size_t MaxUses = 32;

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Some bytes behind a pointer: a load, a store, one end of a block operation.
struct Access {
  Instruction *I;
  Value *Pointer;
  const SCEV *Bytes; // null: not known
  bool Writes;
};

/// Accesses of as many bytes whose addresses differ by constants.
struct Place {
  const SCEV *Distance, *Bytes;
  int64_t Nearest = 0, Farthest = 0; // from Distance
};

/// All accesses whose address is computed from one pointer.
struct Array {
  Value *Base = nullptr;
  SmallVector<Access, 8> Accesses;
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
  void add(Access A);
  void collect();
  void addTo(SmallVectorImpl<Place> &Places, const Access &A);
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
  EntryBounds Limits;
  MapVector<Value *, Array> Arrays;
  SmallVector<std::pair<Array *, Array *>, 8> Pairs;
};

void Versions::add(Access A) {
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(SE.getSCEV(A.Pointer)));
  if (!Base)
    return;
  Array &Whole = Arrays[Base->getValue()];
  Whole.Base = Base->getValue();
  Whole.Accesses.push_back(A);
  Whole.IsStored |= A.Writes;
  if (auto *Load = dyn_cast<LoadInst>(A.I))
    Whole.IsNeeded |= LI.getLoopFor(A.I->getParent()) && decides(*Load);
}

void Versions::collect() {
  const DataLayout &DL = F.getDataLayout();
  for (Instruction &I : instructions(F)) {
    if (I.getParent() == &F.getEntryBlock())
      continue;
    if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
      const SCEV *Bytes =
          Block->isVolatile() ? nullptr : SE.getSCEV(Block->getLength());
      add({&I, Block->getDest(), Bytes, true});
      if (auto *Move = dyn_cast<MemTransferInst>(Block))
        add({&I, Move->getSource(), Bytes, false});
    } else if (Value *Pointer = getLoadStorePointerOperand(&I)) {
      TypeSize Size = DL.getTypeStoreSize(getLoadStoreType(&I));
      bool Known = !I.isVolatile() && !I.isAtomic() && !Size.isScalable();
      add({&I, Pointer,
           Known ? SE.getConstant(Type::getInt64Ty(F.getContext()),
                                  Size.getFixedValue())
                 : nullptr,
           isa<StoreInst>(I)});
    }
  }
}

/// Adds \p A to the one of \p Places that is always as far from it.
void Versions::addTo(SmallVectorImpl<Place> &Places, const Access &A) {
  const SCEV *Distance = SE.removePointerBase(SE.getSCEV(A.Pointer));
  for (Place &P : Places) {
    if (P.Bytes != A.Bytes)
      continue;
    std::optional<APInt> Apart =
        SE.computeConstantDifference(Distance, P.Distance);
    if (!Apart)
      continue;
    P.Nearest = std::min(P.Nearest, Apart->getSExtValue());
    P.Farthest = std::max(P.Farthest, Apart->getSExtValue());
    return;
  }
  Places.push_back({Distance, A.Bytes});
}

/// Finds the first and the last byte of \p A.
void Versions::bound(Array &A) {
  SmallVector<Place, 8> Places;
  A.IsBounded = Limits.isKnownAtEntry(SE.getSCEV(A.Base));
  for (const Access &Each : A.Accesses) {
    A.IsBounded &= Each.Bytes && Places.size() <= MaxPlaces;
    if (!A.IsBounded)
      return;
    addTo(Places, Each);
  }
  SmallVector<const SCEV *, 8> First, End;
  for (const Place &P : Places) {
    std::optional<EntryBounds::Interval> Ends = Limits.of(P.Distance);
    std::optional<EntryBounds::Interval> Bytes = Limits.of(P.Bytes);
    A.IsBounded = Ends && Bytes;
    if (!Ends || !Bytes)
      return;
    Limits.require(*Bytes, EntryBounds::DistanceBits, /*Signed=*/false);
    First.push_back(Limits.sum(Ends->Least, Limits.constant(P.Nearest)));
    End.push_back(Limits.sum(Limits.sum(Ends->Greatest, Bytes->Greatest),
                             Limits.constant(P.Farthest)));
  }
  A.First = SE.getSMinExpr(First);
  A.End = SE.getSMaxExpr(End);
  Limits.require({A.First, A.End}, EntryBounds::DistanceBits, /*Signed=*/true);
}

bool Versions::mayMeet(const Array &A, const Array &B) {
  // Addresses of two spaces cannot be compared.
  if (A.Base->getType() != B.Base->getType() ||
      AA.isNoAlias(MemoryLocation::getBeforeOrAfter(A.Base),
                   MemoryLocation::getBeforeOrAfter(B.Base)))
    return false;
  auto located = [](const Access &X) {
    return isa<MemIntrinsic>(X.I) ? MemoryLocation::getBeforeOrAfter(X.Pointer)
                                  : MemoryLocation::get(X.I);
  };
  return any_of(A.Accesses, [&](const Access &X) {
    return any_of(B.Accesses, [&](const Access &Y) {
      return (X.Writes || Y.Writes) && !AA.isNoAlias(located(X), located(Y));
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
  Type *Wide = B.getIntNTy(EntryBounds::Width);
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
  for (const EntryBounds::Condition &C : Limits.conditions()) {
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
  MapVector<Instruction *, SmallVector<const Array *, 2>> Of;
  for (auto &[Base, A] : Arrays) {
    if (A.Scope)
      B.CreateNoAliasScopeDeclaration(MDNode::get(F.getContext(), A.Scope));
    for (const Access &Each : A.Accesses)
      Of[Each.I].push_back(&A);
  }
  for (auto &Each : Of) {
    Instruction *I = Each.first;
    ArrayRef<const Array *> Touched = Each.second;
    // A block operation has two ends, and the other one may be anywhere.
    bool AllKnown = all_of(Touched, [](const Array *A) { return A->Scope; }) &&
                    Touched.size() == (isa<MemTransferInst>(I) ? 2U : 1U);
    if (!AllKnown)
      continue;
    SmallVector<Metadata *, 4> Own, NotHere = Others[Touched.front()];
    for (const Array *A : Touched) {
      Own.push_back(A->Scope);
      erase_if(NotHere, [&](Metadata *Scope) {
        return !is_contained(Others[A], Scope);
      });
    }
    auto add = [&](unsigned Kind, ArrayRef<Metadata *> Scopes) {
      if (!Scopes.empty())
        I->setMetadata(
            Kind, MDNode::concatenate(I->getMetadata(Kind),
                                      MDNode::get(F.getContext(), Scopes)));
    };
    add(LLVMContext::MD_alias_scope, Own);
    add(LLVMContext::MD_noalias, NotHere);
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

static bool isLarge(const Function &F) {
  unsigned Calls = 0;
  for (const Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
    Calls += Call && !isa<IntrinsicInst>(Call) &&
             !(Known && Known->Facts.By == Derivation::Partials);
  }
  return Calls > MaxCalls || F.getInstructionCount() > MaxInstructions;
}

bool versionByAliasing(Function &F, FunctionAnalysisManager &FAM) {
  if (!Options::get().MaxAliasChecks || isLarge(F))
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
