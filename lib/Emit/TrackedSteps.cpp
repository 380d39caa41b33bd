// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TrackedSteps.h"
#include "AccessExtents.h"
#include "adze/Checkpoints.h"
#include "adze/KnownFunction.h"
#include "adze/OwnAnalyses.h"
#include "adze/OwnFunction.h"
#include "adze/Plan.h"
#include "adze/Runtime.h"
#include "adze/Teams.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include <map>

using namespace llvm;

namespace adze {

namespace {

/// Which arguments lead to memory of which a function need not say that it
/// writes to it, or reads it.
struct Silence {
  SmallVector<bool, 8> Writes, Reads;

  bool operator<(const Silence &O) const {
    return std::tie(Writes, Reads) < std::tie(O.Writes, O.Reads);
  }
};

/// Copies of a function are made for so many calls that differ in that; for
/// others there is one that is never silent.
constexpr unsigned MaxCopies = 8;

class Tracker {
public:
  Tracker(Module &M, const StepPlan &Plan) : M(M), Plan(Plan) {}

  Function *copy(Function &F, const Silence &Quiet, bool IsStep);

private:
  struct Body;
  void instrument(Body &B);
  void visit(Instruction &I, Body &B);
  void visitKnown(CallBase &Call, const KnownFunction &Known, Body &B);
  void visitCall(CallBase &Call, Function &Callee, Body &B);
  void visitFork(CallBase &Fork, Function &Region, Body &B);
  void addFrames(Body &B);
  bool isQuiet(const Value *Address, bool Writes, const Body &B) const;
  Silence quietArguments(const CallBase &Call, const Body &B,
                         unsigned First = 0) const;
  void say(StringRef What, IRBuilder<> &At, Value *Base, Value *Bytes,
           const Body &B) const;
  void access(Instruction &I, Value *Address, Value *Bytes, bool Writes,
              Body &B);

  Module &M;
  const StepPlan &Plan;
  bool HasTeams = false;
  OwnAnalyses Own;
  std::map<std::pair<Function *, Silence>, Function *> Copies;
  DenseMap<const Function *, unsigned> NumCopies;
};

struct Tracker::Body {
  Function &F;
  const Silence &Quiet;
  bool IsStep;
  Value *States;
  AccessExtents &Extents;
};

bool isNewBlock(const Value *V) {
  auto *Call = dyn_cast<CallBase>(V);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  return Known && Known->returnsNewBlock();
}

/// What lies there is in the regions of the state, belongs to the function
/// itself, or is read and stays what it is.
bool Tracker::isQuiet(const Value *Address, bool Writes, const Body &B) const {
  if (!Writes && !Plan.tracksReads())
    return true;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return all_of(Objects, [&](const Value *Object) {
    if (auto *A = dyn_cast<Argument>(Object))
      return A->hasByValAttr() ||
             (Writes ? B.Quiet.Writes : B.Quiet.Reads)[A->getArgNo()];
    auto *Global = dyn_cast<GlobalVariable>(Object);
    return isa<AllocaInst, ConstantPointerNull, UndefValue>(Object) ||
           (Global && Global->isConstant()) || isNewBlock(Object) ||
           (!Writes && !Plan.ReadsElsewhere);
  });
}

/// \p First: the operand that is the first argument.
Silence Tracker::quietArguments(const CallBase &Call, const Body &B,
                                unsigned First) const {
  Silence Quiet;
  for (unsigned K = First; K < Call.arg_size(); ++K) {
    const Value *Arg = Call.getArgOperand(K);
    const bool Inside =
        B.IsStep &&
        Call.getParamAttr(K, checkpoints::InsideName).isStringAttribute();
    for (bool Writes : {false, true})
      (Writes ? Quiet.Writes : Quiet.Reads)
          .push_back(!Arg->getType()->isPointerTy() || Inside ||
                     isQuiet(Arg, Writes, B));
  }
  return Quiet;
}

void Tracker::say(StringRef What, IRBuilder<> &At, Value *Base, Value *Bytes,
                  const Body &B) const {
  At.CreateCall(
      runtimeFunction(M, CheckpointsUnit, ("adze.checkpoint." + What).str()),
      {Base, Base, At.CreateZExtOrTrunc(Bytes, At.getInt64Ty()),
       Constant::getNullValue(At.getPtrTy()), B.States});
}

void Tracker::access(Instruction &I, Value *Address, Value *Bytes, bool Writes,
                     Body &B) {
  if ((B.IsStep && I.hasMetadata(checkpoints::InsideName)) ||
      isQuiet(Address, Writes, B))
    return;
  if (std::optional<AccessExtent> Extent =
          B.Extents.ofAccess(I, Address, Bytes)) {
    IRBuilder<> At(Extent->At);
    say("write", At, Extent->Base, Extent->Bytes, B);
  }
}

/// Where \p Call has returned.
static Instruction *behind(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (!Invoke)
    return Call.getNextNode();
  return &*Invoke->getNormalDest()->getFirstInsertionPt();
}

void Tracker::visitKnown(CallBase &Call, const KnownFunction &Known, Body &B) {
  IRBuilder<> At(&Call);
  Type *I64 = At.getInt64Ty();
  if (std::optional<unsigned> Released = Known.released())
    say("disown", At, Call.getArgOperand(*Released), At.getInt64(0), B);
  if (Known.Facts.Result == Returns::NewBlock &&
      Known.Allocation.SizeArg >= 0) {
    auto number = [&](int Arg) {
      return Arg < 0 ? At.getInt64(1)
                     : At.CreateZExtOrTrunc(Call.getArgOperand(Arg), I64);
    };
    Value *Bytes = At.CreateMul(number(Known.Allocation.SizeArg),
                                number(Known.Allocation.CountArg));
    At.SetInsertPoint(behind(Call));
    say("own", At, &Call, Bytes, B);
    return;
  }
  if (Known.writesBlock()) {
    // bzero has no value.
    Value *Bytes = Call.getArgOperand(std::min(2u, Call.arg_size() - 1));
    access(Call, Call.getArgOperand(0), Bytes, /*Writes=*/true, B);
    if (Known.Facts.Reads == Reach::Second)
      access(Call, Call.getArgOperand(1), Bytes, /*Writes=*/false, B);
    if (Plan.Pointers && Known.Facts.Stored == Stores::Copy &&
        !isQuiet(Call.getArgOperand(0), /*Writes=*/true, B)) {
      At.SetInsertPoint(behind(Call));
      say("pointers", At, Call.getArgOperand(0), Bytes, B);
    }
    return;
  }
  if (Known.Facts.Writes == Reach::None ||
      Known.Facts.Writes == Reach::Released)
    return;
  for (const Use &Arg : Call.args())
    if (Arg->getType()->isPointerTy() &&
        (Known.Facts.Writes != Reach::First ||
         Call.getArgOperandNo(&Arg) == 0) &&
        !isQuiet(Arg, /*Writes=*/true, B) &&
        !Call.getParamAttr(Call.getArgOperandNo(&Arg), checkpoints::InsideName)
             .isStringAttribute() &&
        !Call.onlyReadsMemory(Call.getArgOperandNo(&Arg)))
      say("covered", At, Arg, At.getInt64(1), B);
}

/// What is said of the function, and of calls in it, is not true of functions
/// that speak to the runtime.
AttributeMask promisesOfFunctions() {
  AttributeMask Promises;
  for (Attribute::AttrKind Kind :
       {Attribute::Memory, Attribute::NoFree, Attribute::NoSync,
        Attribute::WillReturn, Attribute::Speculatable, Attribute::OptimizeNone,
        Attribute::NoCallback})
    Promises.addAttribute(Kind);
  return Promises;
}

AttributeMask promisesOfArguments() {
  AttributeMask Promises;
  for (Attribute::AttrKind Kind :
       {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly,
        Attribute::NoCapture, Attribute::NoAlias, Attribute::Returned,
        Attribute::Initializes})
    Promises.addAttribute(Kind);
  return Promises;
}

void Tracker::visitCall(CallBase &Call, Function &Callee, Body &B) {
  HasTeams |= teams::isTeamCall(Call);
  for (unsigned K = 0; K < Call.arg_size(); ++K)
    if (Type *Copied = Call.getParamByValType(K))
      access(Call, Call.getArgOperand(K),
             ConstantInt::get(Type::getInt64Ty(M.getContext()),
                              M.getDataLayout().getTypeAllocSize(Copied)),
             /*Writes=*/false, B);
  Function *Copy = copy(Callee, quietArguments(Call, B), /*IsStep=*/false);
  SmallVector<Value *, 8> Args(Call.args());
  Args.push_back(B.States);
  IRBuilder<> At(&Call);
  CallBase *New;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
    New = At.CreateInvoke(Copy, Invoke->getNormalDest(),
                          Invoke->getUnwindDest(), Args);
  else
    New = At.CreateCall(Copy, Args);
  New->setCallingConv(Call.getCallingConv());
  New->setAttributes(Call.getAttributes());
  New->removeFnAttrs(promisesOfFunctions());
  for (unsigned K = 0; K < Call.arg_size(); ++K)
    New->removeParamAttrs(K, promisesOfArguments());
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

/// The region gets the states, too.
void Tracker::visitFork(CallBase &Fork, Function &Region, Body &B) {
  HasTeams = true;
  Silence Quiet;
  const Silence Passed = quietArguments(Fork, B, teams::ForkFirst);
  for (bool Writes : {false, true}) {
    auto &All = Writes ? Quiet.Writes : Quiet.Reads;
    All.assign(teams::RuntimeArgs, true);
    append_range(All, Writes ? Passed.Writes : Passed.Reads);
  }
  SmallVector<Value *, 8> Args(Fork.args());
  IRBuilder<> At(&Fork);
  Args[1] = At.getInt32(Fork.arg_size() - teams::ForkFirst + 1);
  Args[2] = copy(Region, Quiet, /*IsStep=*/false);
  Args.push_back(B.States);
  if (auto *Invoke = dyn_cast<InvokeInst>(&Fork))
    At.CreateInvoke(Fork.getFunctionType(), Fork.getCalledOperand(),
                    Invoke->getNormalDest(), Invoke->getUnwindDest(), Args);
  else
    At.CreateCall(Fork.getFunctionType(), Fork.getCalledOperand(), Args);
  Fork.eraseFromParent();
}

/// Pointers may be stored by \p Store to where their shadows are not known.
static bool mayStorePointer(const StoreInst &Store) {
  const Value *Stored = Store.getValueOperand();
  Type *Ty = Stored->getType();
  if (Ty->isFPOrFPVectorTy() || isa<ConstantData, BinaryOperator>(Stored))
    return false;
  return !Ty->isIntegerTy() || Ty->getIntegerBitWidth() >= 64;
}

void Tracker::visit(Instruction &I, Body &B) {
  const DataLayout &DL = M.getDataLayout();
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (checkpoints::isMarker(*Call))
      return;
    if (Function *Region = teams::forkedBy(*Call))
      return visitFork(*Call, *Region, B);
    if (teams::isOfRuntime(*Call)) // it writes to memory of the thread alone
      return;
    if (const KnownFunction *Known = lookupKnown(*Call))
      return visitKnown(*Call, *Known, B);
    Function *Callee = Call->getCalledFunction();
    if (Callee && !Callee->isDeclaration())
      visitCall(*Call, *Callee, B);
    return;
  }
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return access(
        I, I.getOperand(0),
        ConstantInt::get(Type::getInt64Ty(I.getContext()),
                         DL.getTypeStoreSize(I.getOperand(1)->getType())),
        /*Writes=*/true, B);
  Value *Address = getLoadStorePointerOperand(&I);
  if (!Address)
    return;
  auto *Store = dyn_cast<StoreInst>(&I);
  Value *Bytes = ConstantInt::get(
      Type::getInt64Ty(I.getContext()),
      DL.getTypeStoreSize(getLoadStoreType(&I)).getKnownMinValue());
  access(I, Address, Bytes, Store != nullptr, B);
  const bool Pointers =
      Store ? mayStorePointer(*Store) : I.getType()->isPtrOrPtrVectorTy();
  if (!Plan.Pointers || !Pointers || isQuiet(Address, Store != nullptr, B) ||
      (B.IsStep && I.hasMetadata(checkpoints::InsideName)))
    return;
  IRBuilder<> At(I.getNextNode());
  say(Store ? "pointers" : "follow", At, Address, Bytes, B);
}

/// Variables that others may write to.
void Tracker::addFrames(Body &B) {
  SmallVector<AllocaInst *, 8> Variables;
  for (Instruction &I : instructions(B.F))
    if (auto *A = dyn_cast<AllocaInst>(&I))
      if (PointerMayBeCaptured(A, /*ReturnCaptures=*/false,
                               /*StoreCaptures=*/true))
        Variables.push_back(A);
  SmallVector<Argument *, 2> Copies;
  for (Argument &A : B.F.args())
    if (A.hasByValAttr())
      Copies.push_back(&A);
  if (Variables.empty() && Copies.empty())
    return;
  IRBuilder<> At(&*B.F.getEntryBlock().getFirstInsertionPt());
  auto runtime = [&](StringRef Name) {
    return runtimeFunction(M, CheckpointsUnit, Name);
  };
  Value *Frames = At.CreateCall(runtime("adze.checkpoint.enter"), {B.States});
  for (Argument *A : Copies)
    say("frame", At, A,
        At.getInt64(M.getDataLayout().getTypeAllocSize(A->getParamByValType())),
        B);
  for (AllocaInst *A : Variables) {
    At.SetInsertPoint(A->getNextNode());
    Value *Bytes = At.CreateMul(
        At.CreateZExtOrTrunc(A->getArraySize(), At.getInt64Ty()),
        At.getInt64(M.getDataLayout().getTypeAllocSize(A->getAllocatedType())));
    say("frame", At, A, Bytes, B);
  }
  for (BasicBlock &Block : B.F)
    if (isa<ReturnInst, ResumeInst>(Block.getTerminator())) {
      At.SetInsertPoint(Block.getTerminator());
      At.CreateCall(runtime("adze.checkpoint.leave"), {Frames, B.States});
    }
}

void dropPromises(Function &F) {
  F.removeFnAttrs(promisesOfFunctions());
  for (Argument &A : F.args())
    F.removeParamAttrs(A.getArgNo(), promisesOfArguments());
}

void splitInvokes(Function &F) {
  SmallVector<InvokeInst *, 4> Invokes;
  for (Instruction &I : instructions(F))
    if (auto *Invoke = dyn_cast<InvokeInst>(&I);
        Invoke && !Invoke->getNormalDest()->getSinglePredecessor())
      Invokes.push_back(Invoke);
  for (InvokeInst *Invoke : Invokes)
    SplitEdge(Invoke->getParent(), Invoke->getNormalDest());
}

/// So that addresses and loops can be seen through, at -O0 too.
void simplify(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::PreserveCFG));
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  FPM.run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
}

void Tracker::instrument(Body &B) {
  SmallVector<Instruction *, 32> All;
  for (Instruction &I : instructions(B.F))
    All.push_back(&I);
  for (Instruction *I : All)
    visit(*I, B);
  addFrames(B);
  // What a handler does is not looked at (Loops/StepMemory.h).
  for (BasicBlock &Block : B.F)
    if (auto *Pad = Block.getLandingPadInst(); Pad && Pad->getNumClauses() > 0)
      IRBuilder<>(Pad->getNextNode())
          .CreateCall(
              runtimeFunction(M, CheckpointsUnit, "adze.checkpoint.caught"),
              {B.States});
}

Function *Tracker::copy(Function &F, const Silence &Asked, bool IsStep) {
  Silence Quiet = Asked;
  if (NumCopies.lookup(&F) >= MaxCopies)
    for (auto *Each : {&Quiet.Writes, &Quiet.Reads})
      Each->assign(Each->size(), false);
  Function *&Copy = Copies[{&F, Quiet}];
  if (Copy)
    return Copy;
  ++NumCopies[&F];
  SmallVector<Type *, 8> Types(F.getFunctionType()->params());
  Types.push_back(PointerType::getUnqual(F.getContext()));
  Copy =
      createOwn(FunctionType::get(F.getReturnType(), Types, /*isVarArg=*/false),
                GlobalValue::InternalLinkage, "adze.tracked." + F.getName(), M);
  Function &New = *Copy;
  ValueToValueMapTy Map;
  for (Argument &A : F.args())
    Map[&A] = New.getArg(A.getArgNo());
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(&New, &F, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  stripDebugInfo(New);
  dropPromises(New);
  splitInvokes(New);
  simplify(New, Own.FAM);
  AccessExtents Extents(New, Own.FAM.getResult<ScalarEvolutionAnalysis>(New),
                        Own.FAM.getResult<LoopAnalysis>(New),
                        Own.FAM.getResult<DominatorTreeAnalysis>(New));
  Body B{New, Quiet, IsStep, New.getArg(F.arg_size()), Extents};
  instrument(B);
  if (IsStep && HasTeams)
    IRBuilder<>(&*New.getEntryBlock().getFirstInsertionPt())
        .CreateCall(
            runtimeFunction(M, CheckpointsUnit, "adze.checkpoint.threads"),
            {B.States});
  Own.FAM.invalidate(New, PreservedAnalyses::none());
  return &New;
}

} // namespace

Function *trackedStep(Function &Step, const StepPlan &Plan) {
  Silence Quiet;
  Quiet.Writes = Plan.Inside;
  for (bool Reads : Plan.Reads)
    Quiet.Reads.push_back(!Reads);
  return Tracker(*Step.getParent(), Plan).copy(Step, Quiet, /*IsStep=*/true);
}

Function *trackedFunction(Function &F) {
  const StepPlan Plan;
  Silence Quiet;
  for (auto *Each : {&Quiet.Writes, &Quiet.Reads})
    Each->assign(F.arg_size(), false);
  return Tracker(*F.getParent(), Plan).copy(F, Quiet, /*IsStep=*/true);
}

} // namespace adze
