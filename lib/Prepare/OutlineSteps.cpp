// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that the program marks by adze_checkpoint become calls (Checkpoints.h).
//
// All that goes from one iteration to the next, or out of the loop, is put into
// variables first, so that a state of the loop is memory and nothing else:
// variables, of which the sizes are known, and what the loop writes to.
#include "Loops/StepMemory.h"
#include "Prepare/Stages.h"
#include "Prepare/StateMemory.h"
#include "adze/Checkpoints.h"
#include "adze/OwnFunction.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {
namespace {

CallBase *firstMarker(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && checkpoints::isMarker(*Call))
      return Call;
  return nullptr;
}

/// Counts larger than this are not computed.
constexpr unsigned MaxCountSize = 96;

class Outliner {
public:
  Outliner(Function &F, StringRef Name, FunctionAnalysisManager &FAM,
           const Refusal &Refuse)
      : F(F), Name(Name), FAM(FAM), Refuse(Refuse) {}

  /// The loop around \p Marker becomes a call. False after a refusal.
  bool outline(CallBase &Marker);

private:
  Loop *loopAround(const CallBase &Marker);
  void rotate(Loop &L);
  void hoistAddresses(Loop &L);
  Value *countOf(Loop &L);
  void toVariables(Loop &L);
  Function *extractStep(Loop &L, BasicBlock *&Again);
  void makeLoop(CallInst &Step, BasicBlock &Again, const StateMemory &State,
                Value *Count);
  void markReads(checkpoints::Layout &Layout, const CallInst &Step,
                 const StateMemory &State) const;

  Function &F;
  StringRef Name;
  FunctionAnalysisManager &FAM;
  const Refusal &Refuse;
  SmallPtrSet<const Value *, 8> Variables; // that are made here
  SmallPtrSet<const Value *, 4> OneObject; // pointers to that, of these
  bool CarriesPointers = false;
};

Loop *Outliner::loopAround(const CallBase &Marker) {
  return FAM.getResult<LoopAnalysis>(F).getLoopFor(Marker.getParent());
}

/// So that the loop is entered by its first iteration.
void Outliner::rotate(Loop &L) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const SimplifyQuery Query(F.getDataLayout());
  LoopRotation(&L, &FAM.getResult<LoopAnalysis>(F),
               &FAM.getResult<TargetIRAnalysis>(F),
               &FAM.getResult<AssumptionAnalysis>(F), &DT, /*SE=*/nullptr,
               /*MSSAU=*/nullptr, Query, /*RotationOnly=*/false,
               /*Threshold=*/64, /*IsUtilMode=*/false);
  FAM.invalidate(F, PreservedAnalyses::none());
  shapeControl(F, FAM);
}

/// Addresses that do not vary in \p L are computed in front of it: a pointer
/// that leaves the loop must lead to memory of a known shadow.
void Outliner::hoistAddresses(Loop &L) {
  bool Changed = false;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : make_early_inc_range(*B))
      if (isa<GetElementPtrInst>(I))
        L.makeLoopInvariant(&I, Changed, L.getLoopPreheader()->getTerminator());
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : make_early_inc_range(Exit->phis()))
      if (Value *Same = Phi.hasConstantValue();
          Same && L.isLoopInvariant(Same) && Same != &Phi) {
        Phi.replaceAllUsesWith(Same);
        Phi.eraseFromParent();
      }
}

/// How often the loop runs, -1 if that is not known before it.
Value *Outliner::countOf(Loop &L) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Type *I64 = Type::getInt64Ty(F.getContext());
  Value *Unknown = ConstantInt::getSigned(I64, -1);
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count) ||
      Count->getExpressionSize() > MaxCountSize ||
      SE.getTypeSizeInBits(Count->getType()) > 64)
    return Unknown;
  SCEVExpander Expander(SE, F.getDataLayout(), "adze.steps");
  Instruction *At = L.getLoopPreheader()->getTerminator();
  if (!Expander.isSafeToExpandAt(Count, At))
    return Unknown;
  IRBuilder<> B(At);
  Value *Last =
      Expander.expandCodeFor(SE.getNoopOrZeroExtend(Count, I64), I64, At);
  return B.CreateAdd(Last, B.getInt64(1), "adze.steps");
}

/// The only object that \p Phi may lead to, if that is an argument; else null.
static Value *objectOf(const PHINode &Phi) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Phi, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return Objects.size() == 1 && isa<Argument>(Objects.front())
             ? const_cast<Value *>(Objects.front())
             : nullptr;
}

/// What is carried around the loop, or out of it, and what comes into it but
/// for pointers and integers.
void Outliner::toVariables(Loop &L) {
  SmallVector<PHINode *, 8> Phis;
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis())
      Phis.push_back(&Phi);
  for (PHINode &Phi : L.getHeader()->phis())
    Phis.push_back(&Phi);
  IRBuilder<> Before(L.getLoopPreheader()->getTerminator());
  for (PHINode *Phi : Phis) {
    Value *Object = Phi->getType()->isPointerTy() ? objectOf(*Phi) : nullptr;
    const bool LeavesPointer =
        Phi->getType()->isPointerTy() && Phi->getParent() != L.getHeader();
    AllocaInst *Variable = DemotePHIToStack(Phi);
    Variables.insert(Variable);
    if (Object)
      OneObject.insert(Variable);
    // What such a variable begins with is looked at (Runtime/Checkpoints.c).
    if (LeavesPointer)
      Before.CreateStore(
          Object ? Object
                 : Constant::getNullValue(Variable->getAllocatedType()),
          Variable);
  }

  SetVector<Value *> Inputs;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      for (Value *Op : I.operands()) {
        auto *Def = dyn_cast<Instruction>(Op);
        if ((isa<Argument>(Op) || (Def && !L.contains(Def))) &&
            !Op->getType()->isPointerTy() && !Op->getType()->isIntegerTy())
          Inputs.insert(Op);
      }
  for (Value *Input : Inputs) {
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
    AllocaInst *Variable = B.CreateAlloca(Input->getType());
    Variables.insert(Variable);
    B.SetInsertPoint(&*L.getHeader()->getFirstInsertionPt());
    Value *Loaded = B.CreateLoad(Input->getType(), Variable);
    Input->replaceUsesWithIf(Loaded, [&](Use &U) {
      auto *User = dyn_cast<Instruction>(U.getUser());
      return User && L.contains(User);
    });
    B.SetInsertPoint(L.getLoopPreheader()->getTerminator());
    B.CreateStore(Input, Variable);
  }
}

/// The body of \p L as a function; \p Again is where its result leads if there
/// is another iteration. Null if it cannot be taken out.
Function *Outliner::extractStep(Loop &L, BasicBlock *&Again) {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  Again = BasicBlock::Create(F.getContext(), "adze.again", &F);
  BranchInst::Create(Header, Again);
  Latch->getTerminator()->replaceSuccessorWith(Header, Again);
  SmallVector<BasicBlock *, 16> Blocks(L.blocks());
  FAM.invalidate(F, PreservedAnalyses::none());
  CodeExtractor Extractor(Blocks, &FAM.getResult<DominatorTreeAnalysis>(F),
                          /*AggregateArgs=*/false, nullptr, nullptr,
                          &FAM.getResult<AssumptionAnalysis>(F));
  if (!Extractor.isEligible())
    return nullptr;
  Function *Step = Extractor.extractCodeRegion(CodeExtractorAnalysisCache(F));
  FAM.invalidate(F, PreservedAnalyses::none());
  return Step;
}

/// Which arguments lead to memory that is read, or written, and may be no part
/// of the regions.
void Outliner::markReads(checkpoints::Layout &Layout, const CallInst &Step,
                         const StateMemory &State) const {
  for (const Use &Arg : Step.args()) {
    const bool IsOther =
        Arg->getType()->isPointerTy() && !Variables.contains(Arg);
    Layout.Reads.push_back(IsOther ? State.readsBeside(Arg)
                                   : checkpoints::Layout::Nothing);
    Layout.Inside.push_back(!IsOther || State.isInside(Arg));
  }
  Layout.ReadsElsewhere = State.readsElsewhere(CarriesPointers);
  Layout.Tracks = State.tracks();
}

/// The function that runs the steps takes the place of \p Step in F.
void Outliner::makeLoop(CallInst &Step, BasicBlock &Again,
                        const StateMemory &State, Value *Count) {
  LLVMContext &C = F.getContext();
  const DataLayout &DL = F.getDataLayout();
  IRBuilder<> B(&Step);
  SmallVector<Value *, 16> Args = {State.States, State.OnDisk, Count};
  append_range(Args, Step.args());
  checkpoints::Layout Layout;
  Layout.StepArgs = Step.arg_size();
  auto *NoCount = dyn_cast<ConstantInt>(Count);
  Layout.KnowsCount = !NoCount || !NoCount->isMinusOne();
  using Region = checkpoints::Layout::Region;
  auto addRegion = [&](Value *Base, Value *Bytes, Region::Content Pointers) {
    Region R;
    R.Pointers = Pointers;
    R.Base = std::find(Args.begin() + Layout.FirstStepArg, Args.end(), Base) -
             Args.begin();
    if (R.Base == Args.size())
      Args.push_back(Base);
    R.Bytes = Args.size();
    Args.push_back(Bytes);
    if (auto *Known = dyn_cast<ConstantInt>(Bytes))
      R.Size = Known->getZExtValue();
    Layout.Regions.push_back(R);
  };
  for (Value *Arg : Step.args())
    if (Variables.contains(Arg)) {
      Type *Ty = cast<AllocaInst>(Arg)->getAllocatedType();
      addRegion(Arg, B.getInt64(DL.getTypeAllocSize(Ty)),
                OneObject.contains(Arg)  ? Region::OneObject
                : Ty->isPointerTy()      ? Region::OnePointer
                : Ty->isFPOrFPVectorTy() ? Region::NoPointers
                                         : Region::Unknown);
    }
  for (const StateMemory::Region &R : State.Regions)
    addRegion(R.Base, R.Bytes,
              State.movesPointers() ? Region::Unknown : Region::NoPointers);
  SmallVector<Type *, 16> Types;
  for (Value *Arg : Args)
    Types.push_back(Arg->getType());
  Function *StepFn = Step.getCalledFunction();
  Layout.Loop = createOwn(
      FunctionType::get(Step.getType(), Types, /*isVarArg=*/false),
      GlobalValue::InternalLinkage, "adze.loop." + Name, *F.getParent());
  Layout.Loop->setAttributes(AttributeList::get(
      C, StepFn->getAttributes().getFnAttrs(), AttributeSet(), {}));
  markOwn(*Layout.Loop);
  for (auto [K, Arg] : enumerate(Args))
    if (Arg->getType()->isPointerTy())
      Layout.Loop->addParamAttr(
          K, Attribute::get(C, checkpoints::NameOfArgument, describe(Arg)));
  markReads(Layout, Step, State);
  setLayout(Layout);

  Instruction *Way = Step.getParent()->getTerminator();
  BasicBlock *Entry = BasicBlock::Create(C, "entry", Layout.Loop);
  BasicBlock *Header = BasicBlock::Create(C, "step", Layout.Loop);
  BasicBlock *Exit = BasicBlock::Create(C, "exit", Layout.Loop);
  BranchInst::Create(Header, Entry);
  SmallVector<Value *, 16> StepArgs;
  for (unsigned K = 0; K < Layout.StepArgs; ++K)
    StepArgs.push_back(Layout.Loop->getArg(Layout.FirstStepArg + K));
  auto *Inner = CallInst::Create(StepFn, StepArgs, "", Header);
  Inner->setDebugLoc(Step.getDebugLoc());
  if (!Layout.Loop->getSubprogram() && StepFn->getSubprogram())
    Inner->setDebugLoc(DebugLoc());
  Instruction *InnerWay = Way->clone();
  InnerWay->insertInto(Header, Header->end());
  InnerWay->setDebugLoc(DebugLoc());
  InnerWay->replaceUsesOfWith(&Step, Inner);
  for (unsigned K = 0; K < InnerWay->getNumSuccessors(); ++K)
    InnerWay->setSuccessor(K, Way->getSuccessor(K) == &Again ? Header : Exit);
  ReturnInst::Create(C, Inner->getType()->isVoidTy() ? nullptr : Inner, Exit);

  CallInst *Outer = B.CreateCall(Layout.Loop, Args);
  Outer->setDebugLoc(Step.getDebugLoc());
  Step.replaceAllUsesWith(Outer);
  Step.eraseFromParent();
  // It does not return to go on.
  BasicBlock *Never = BasicBlock::Create(C, "adze.never", &F);
  new UnreachableInst(C, Never);
  Way->replaceSuccessorWith(&Again, Never);
  Again.eraseFromParent();
}

bool Outliner::outline(CallBase &Marker) {
  Loop *L = loopAround(Marker);
  if (!L) {
    Refuse.loop(Marker, "it stands in no loop");
    return false;
  }
  rotate(*L);
  L = loopAround(Marker);
  if (!L || !L->isLoopSimplifyForm()) {
    Refuse.loop(Marker, "the loop has no form that is known here");
    return false;
  }
  if (L->hasNoExitBlocks()) {
    Refuse.loop(Marker, "the loop does not end");
    return false;
  }
  for (const PHINode &Phi : L->getHeader()->phis())
    CarriesPointers |= Phi.getType()->isPtrOrPtrVectorTy();
  hoistAddresses(*L);
  StateMemory State(*L, FAM, Refuse);
  if (!State.find(Marker))
    return false;
  State.markInside();
  Value *Count = countOf(*L);
  Marker.eraseFromParent();
  toVariables(*L);
  BasicBlock *Again = nullptr;
  Function *Step = extractStep(*L, Again);
  if (!Step) {
    Refuse.loop(F.getEntryBlock().front(),
                "the body of the loop cannot become a function");
    return false;
  }
  Step->setName("adze.step." + Name);
  auto *Call = cast<CallInst>(Step->user_back());
  for (const Use &Arg : Call->args())
    if (Variables.contains(Arg))
      Step->addParamAttr(Call->getArgOperandNo(&Arg), Attribute::NoAlias);
  makeLoop(*Call, *Again, State, Count);
  FAM.invalidate(F, PreservedAnalyses::none());
  return true;
}

} // namespace

bool outlineSteps(Function &F, StringRef Name, FunctionAnalysisManager &FAM,
                  const Refusal &Refuse) {
  // What is taken out takes the markers of loops in it along; it is prepared
  // when its derivative is asked for.
  bool Changed = false;
  while (CallBase *Marker = firstMarker(F)) {
    Outliner O(F, Name, FAM, Refuse);
    if (!O.outline(*Marker))
      return false;
    Changed = true;
    shapeControl(F, FAM);
  }
  if (Changed)
    shapeControl(F, FAM);
  return true;
}

} // namespace adze
