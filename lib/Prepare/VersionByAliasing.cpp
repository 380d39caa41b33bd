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
// The same is done for matrices whose rows stand behind pointers: one version
// runs if no two rows overlap (RowTables.cpp).
//
// Where the entry does not know the arrays, a later block may: that of whose
// memory the function has made or found the addresses by then.
#include "Loops/RowScopes.h"
#include "Prepare/ComparedArrays.h"
#include "Prepare/RowTables.h"
#include "Prepare/Stages.h"
#include "adze/DeviceTarget.h"
#include "adze/KnownFunction.h"
#include "adze/Options.h"
#include "adze/Primal.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
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

using Array = ComparedArrays::Array;

class Versions {
public:
  Versions(Function &F, BasicBlock &At, FunctionAnalysisManager &FAM)
      : F(F), At(At), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)), Known(F, At, FAM) {}
  bool run();
  BasicBlock *later() const { return Known.later(); }

private:
  struct Ends {
    Value *First = nullptr, *End = nullptr; // from the base, or addresses
    Value *Empty = nullptr;                 // null: it is not
  };

  Value *wide(const SCEV *S);
  Value *conditions();
  void findEnds();
  Value *areApart(IRBuilder<> &B, ArrayRef<AddressInspector::Extent> Seen,
                  function_ref<Value *(Value *)> Here);
  Value *makeTest();
  void makeScopes(BasicBlock &Fast);
  void split();

  Function &F;
  BasicBlock &At;
  ScalarEvolution &SE;
  DominatorTree &DT;
  ComparedArrays Known;
  MapVector<const Array *, Ends> Found;
  std::unique_ptr<SCEVExpander> Expander;
};

Value *Versions::wide(const SCEV *S) {
  return Expander->expandCodeFor(
      S, IntegerType::get(F.getContext(), EntryBounds::Width),
      At.getTerminator()->getIterator());
}

/// Those under which the expressions for ends are right.
Value *Versions::conditions() {
  IRBuilder<> B(At.getTerminator());
  Value *Test = B.getTrue();
  for (const Array *A : Known.inPairs())
    for (const EntryBounds::Condition &C : A->If) {
      Value *V = wide(C.S);
      B.SetInsertPoint(At.getTerminator());
      Value *Within = B.CreateAnd(B.CreateICmpSGE(V, B.getInt(C.Least)),
                                  B.CreateICmpSLE(V, B.getInt(C.Greatest)));
      Test = B.CreateAnd(Test, Within);
    }
  return Test;
}

/// The ends of the arrays, as far as expressions say them.
void Versions::findEnds() {
  for (const Array *A : Known.inPairs()) {
    Ends &E = Found[A] = Ends();
    if (!A->First)
      continue;
    Type *Index = F.getDataLayout().getIndexType(A->type());
    Value *First = wide(A->First), *End = wide(A->End);
    IRBuilder<> B(At.getTerminator());
    E.First = B.CreateTrunc(First, Index);
    E.End = B.CreateTrunc(End, Index);
  }
}

/// No two arrays of a pair meet, given what the inspector has \p Seen of those
/// that it has followed.
Value *Versions::areApart(IRBuilder<> &B,
                          ArrayRef<AddressInspector::Extent> Seen,
                          function_ref<Value *(Value *)> Here) {
  Value *Test = B.getTrue();
  MapVector<const Array *, Ends> All;
  auto next = [&] {
    const AddressInspector::Extent &X = Seen.front();
    Seen = Seen.drop_front();
    return X;
  };
  for (const auto &[A, Own] : Found) {
    Ends E;
    if (A->First) {
      E.First = Here(Own.First);
      E.End = Here(Own.End);
    }
    if (!A->Followed.empty()) {
      const AddressInspector::Extent X = next();
      if (A->First) {
        E.First = B.CreateBinaryIntrinsic(Intrinsic::smin, E.First, X.Least);
        E.End = B.CreateBinaryIntrinsic(Intrinsic::smax, E.End, X.Greatest);
      } else {
        E = {X.Least, X.Greatest, B.CreateICmpSGT(X.Least, X.Greatest)};
      }
    }
    if (A->Base) {
      E.First = B.CreatePtrAdd(Here(A->Base), E.First);
      E.End = B.CreatePtrAdd(Here(A->Base), E.End);
    }
    Value *Ordered = B.CreateICmpULE(E.First, E.End);
    Test = B.CreateAnd(Test, E.Empty ? B.CreateOr(Ordered, E.Empty) : Ordered);
    All[A] = E;
  }
  auto before = [&](Value *End, Value *First) {
    if (End->getType() != First->getType())
      for (Value **V : {&End, &First})
        if ((*V)->getType()->isPointerTy())
          *V = B.CreatePtrToInt(*V, B.getInt64Ty());
    return B.CreateICmpULE(End, First);
  };
  for (const auto &[A, Other] : Known.pairs()) {
    const Ends &X = All[A], &Y = All[Other];
    Value *Apart = B.CreateOr(before(X.End, Y.First), before(Y.End, X.First));
    for (Value *Empty : {X.Empty, Y.Empty})
      if (Empty)
        Apart = B.CreateOr(Apart, Empty);
    Test = B.CreateAnd(Test, Apart);
  }
  for (const ComparedArrays::RowTable &T : Known.tables()) {
    const AddressInspector::Extent Slots = next(), Columns = next();
    Test = B.CreateAnd(
        Test, areRowsApart(B, Here(T.Table), Slots, Columns, T.Stride));
  }
  return Test;
}

/// At the end of the block: no two arrays of a pair meet.
Value *Versions::makeTest() {
  Expander = std::make_unique<SCEVExpander>(SE, F.getDataLayout(), "adze.ends");
  Value *Test = conditions();
  findEnds();
  SmallVector<SmallVector<unsigned, 4>> Groups;
  SmallVector<Value *, 16> Inputs;
  for (const auto &[A, E] : Found) {
    if (!A->Followed.empty())
      Groups.push_back(A->Followed);
    for (Value *V : {A->Base, E.First, E.End})
      if (V)
        Inputs.push_back(V);
  }
  for (const ComparedArrays::RowTable &T : Known.tables()) {
    Groups.push_back(T.Slots);
    Groups.push_back(T.Columns);
    Inputs.push_back(T.Table);
  }
  auto test = [&](IRBuilder<> &B, ArrayRef<AddressInspector::Extent> Seen,
                  function_ref<Value *(Value *)> Here) {
    return areApart(B, Seen, Here);
  };
  IRBuilder<> B(At.getTerminator());
  Value *Apart = Groups.empty() ? test(B, {}, [](Value *V) { return V; })
                                : Known.inspector().emit(Groups, Inputs, test);
  B.SetInsertPoint(At.getTerminator());
  return B.CreateAnd(Test, Apart);
}

/// The accesses of arrays that were compared say so.
void Versions::makeScopes(BasicBlock &Fast) {
  MDBuilder MD(F.getContext());
  MDNode *Domain = MD.createAnonymousAliasScopeDomain(F.getName());
  MapVector<const Array *, MDNode *> Scopes;
  for (const Array *A : Known.inPairs())
    Scopes[A] = MD.createAnonymousAliasScope(Domain);
  DenseMap<const Array *, SmallVector<Metadata *, 4>> Others;
  for (const auto &[A, Other] : Known.pairs()) {
    Others[A].push_back(Scopes[Other]);
    Others[Other].push_back(Scopes[A]);
  }
  IRBuilder<> B(&Fast, Fast.getFirstInsertionPt());
  auto add = [&](Instruction &I, unsigned Kind, ArrayRef<Metadata *> List) {
    if (!List.empty())
      I.setMetadata(Kind,
                    MDNode::concatenate(I.getMetadata(Kind),
                                        MDNode::get(F.getContext(), List)));
  };
  for (const ComparedArrays::RowTable &T : Known.tables()) {
    MDNode *Scope = makeRowScope(F.getContext());
    B.CreateNoAliasScopeDeclaration(MDNode::get(F.getContext(), Scope));
    for (const ComparedArrays::Access &Each : T.Rows->Accesses)
      add(*Each.I, LLVMContext::MD_alias_scope, {Scope});
    for (LoadInst *Pointer : T.Pointers)
      add(*Pointer, LLVMContext::MD_noalias, {Scope});
  }
  MapVector<Instruction *, SmallVector<const Array *, 2>> Of;
  for (auto &[A, Scope] : Scopes) {
    B.CreateNoAliasScopeDeclaration(MDNode::get(F.getContext(), Scope));
    for (const ComparedArrays::Access &Each : A->Accesses)
      Of[Each.I].push_back(A);
  }
  for (auto &Each : Of) {
    Instruction *I = Each.first;
    ArrayRef<const Array *> Touched = Each.second;
    // A block operation has two ends, and the other one may be anywhere.
    if (Touched.size() != (isa<MemTransferInst>(I) ? 2U : 1U))
      continue;
    SmallVector<Metadata *, 4> Own, NotHere = Others[Touched.front()];
    for (const Array *A : Touched) {
      Own.push_back(Scopes[A]);
      erase_if(NotHere, [&](Metadata *Scope) {
        return !is_contained(Others[A], Scope);
      });
    }
    add(*I, LLVMContext::MD_alias_scope, Own);
    add(*I, LLVMContext::MD_noalias, NotHere);
  }
}

/// Loops of the other version, \p Copies, may become vector code, but are not
/// unrolled beyond that: of code that seldom runs there should be little.
static void keepSmall(Function &F, ArrayRef<BasicBlock *> Copies) {
  LLVMContext &C = F.getContext();
  DominatorTree DT(F);
  LoopInfo LI(DT);
  MDNode *Once = MDNode::get(
      C, {MDString::get(C, "llvm.loop.interleave.count"),
          ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), 1))});
  MDNode *NoRemainder =
      MDNode::get(C, MDString::get(C, "llvm.loop.unroll.runtime.disable"));
  for (BasicBlock *B : Copies)
    if (Loop *L = LI.isLoopHeader(B) ? LI.getLoopFor(B) : nullptr)
      L->setLoopID(makePostTransformationMetadata(C, L->getLoopID(), {},
                                                  {Once, NoRemainder}));
}

/// From the end of the block on there are two versions.
void Versions::split() {
  Value *Test = makeTest();
  SmallVector<BasicBlock *, 32> Body = {nullptr};
  for (BasicBlock &B : F)
    if (DT.properlyDominates(&At, &B))
      Body.push_back(&B);
  BasicBlock *Fast = Body.front() = SplitBlock(&At, At.getTerminator());
  Fast->setName("adze.apart");
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 32> Copies;
  for (BasicBlock *B : Body) {
    BasicBlock *Copy = CloneBasicBlock(B, Map, ".any", &F);
    Map[B] = Copy;
    Copies.push_back(Copy);
  }
  remapInstructionsInBlocks(Copies, Map);
  // Where the two meet again.
  SmallPtrSet<BasicBlock *, 32> Inside(Body.begin(), Body.end());
  for (auto [B, Copy] : zip(Body, Copies)) {
    SmallSetVector<BasicBlock *, 4> Ways(succ_begin(B), succ_end(B));
    for (BasicBlock *Way : Ways) {
      if (Inside.contains(Way))
        continue;
      for (PHINode &Phi : Way->phis())
        for (unsigned I = 0, N = Phi.getNumIncomingValues(); I < N; ++I)
          if (Phi.getIncomingBlock(I) == B) {
            Value *Copied = Map.lookup(Phi.getIncomingValue(I));
            Phi.addIncoming(Copied ? Copied : Phi.getIncomingValue(I), Copy);
          }
    }
  }
  Instruction *Old = At.getTerminator();
  IRBuilder<> B(Old);
  B.CreateCondBr(Test, Fast, Copies.front(),
                 MDBuilder(F.getContext()).createLikelyBranchWeights())
      ->setMetadata(VersionsName, MDNode::get(F.getContext(), {}));
  Old->eraseFromParent();
  makeScopes(*Fast);
  keepSmall(F, Copies);
}

bool Versions::run() {
  if (!Known.choose())
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

/// Threads of a GPU have addresses of their own. They would part at the test,
/// and not meet in one of the versions.
static bool mayMeetOnDevice(const Function &F) {
  return isDevice(*F.getParent()) &&
         any_of(instructions(F), [](const Instruction &I) {
           auto *Call = dyn_cast<CallBase>(&I);
           return Call && Call->isConvergent();
         });
}

bool versionByAliasing(Function &F, FunctionAnalysisManager &FAM) {
  if (!Options::get().MaxAliasChecks || isLarge(F) || mayMeetOnDevice(F))
    return false;
  FAM.invalidate(F, PreservedAnalyses::none());
  if (FAM.getResult<LoopAnalysis>(F).empty())
    return false;
  Versions AtEntry(F, F.getEntryBlock(), FAM);
  if (!AtEntry.run()) {
    BasicBlock *Later = AtEntry.later();
    if (!Later || !Versions(F, *Later, FAM).run())
      return false;
  }
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
