// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Team calls with a tape, of a derivative that is going to be differentiated
// again. What the runtime does with the tapes of threads becomes code that
// rules know, and the calls become calls without a tape:
//
//   augmented(number, bound, a, .., record)       with(number, bound, a, ..,
//   record)
//
//   with(number, bound, a, .., record):
//     the first thread:  record.tapes = new array; record.size = threads
//     barrier
//     record.tapes[thread] = tape = new block
//     augmented(number, bound, a, .., tape)
//
// and likewise for the reverse half, which takes the block and ends it.
#include "LowerTaskCalls.h"
#include "adze/Cleanup.h"
#include "adze/OwnFunction.h"
#include "adze/RuntimeStop.h"
#include "adze/TapeMemory.h"
#include "adze/TeamLists.h"
#include "adze/Teams.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace adze {

namespace {

using teams::Half;

/// Fields of a record (Teams.h).
enum : unsigned { Tapes, Size, Leaves };

class Exposed {
public:
  explicit Exposed(CallBase &Call)
      : Call(Call), M(*Call.getModule()), C(M.getContext()),
        Which(teams::halfOf(Call)), Record(teams::recordType(C)) {}

  void run();

private:
  Function *withTape();
  Value *fieldOf(IRBuilder<> &B, Value *Of, unsigned Which) {
    return B.CreateStructGEP(Record, Of, Which);
  }
  Value *ask(IRBuilder<> &B, StringRef Name) {
    return B.CreateZExt(
        B.CreateCall(M.getOrInsertFunction(Name, B.getInt32Ty())),
        B.getInt64Ty());
  }
  /// The tape of a thread of the augmented half.
  Value *make(IRBuilder<> &B, Function &F, Value *OfTeam);
  /// That of the thread of this number, for the reverse half.
  Value *find(IRBuilder<> &B, Value *OfTeam);
  /// A place of the program, as the runtime wants one.
  Constant *here();

  CallBase &Call;
  Module &M;
  LLVMContext &C;
  const Half Which;
  StructType *Record;
};

Constant *Exposed::here() {
  constexpr const char *Name = "adze.team.here";
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  constexpr unsigned OfCompiler = 2;
  Type *Number = Type::getInt32Ty(C), *Ptr = PointerType::getUnqual(C);
  auto *Text = ConstantDataArray::getString(C, ";unknown;unknown;0;0;;");
  auto *Source = new GlobalVariable(M, Text->getType(), /*isConstant=*/true,
                                    GlobalValue::InternalLinkage, Text,
                                    "adze.team.source");
  auto *Ty = StructType::get(C, {Number, Number, Number, Number, Ptr});
  auto *Zero = ConstantInt::get(Number, 0);
  return new GlobalVariable(
      M, Ty, /*isConstant=*/true, GlobalValue::InternalLinkage,
      ConstantStruct::get(
          Ty, {Zero, ConstantInt::get(Number, OfCompiler), Zero, Zero, Source}),
      Name);
}

Value *Exposed::make(IRBuilder<> &B, Function &F, Value *OfTeam) {
  Value *Number = ask(B, "omp_get_thread_num");
  Value *Threads = ask(B, "omp_get_num_threads");
  BasicBlock *First = BasicBlock::Create(C, "first", &F);
  BasicBlock *All = BasicBlock::Create(C, "all", &F);
  B.CreateCondBr(B.CreateICmpEQ(Number, B.getInt64(0)), First, All);
  B.SetInsertPoint(First);
  B.CreateStore(
      B.CreateCall(tapeAllocFunction(M), B.CreateMul(Threads, B.getInt64(8))),
      fieldOf(B, OfTeam, Tapes));
  B.CreateStore(Threads, fieldOf(B, OfTeam, Size));
  B.CreateBr(All);
  B.SetInsertPoint(All);
  B.CreateCall(M.getOrInsertFunction("__kmpc_barrier", B.getVoidTy(),
                                     B.getPtrTy(), B.getInt32Ty()),
               {here(), B.CreateLoad(B.getInt32Ty(), F.getArg(0))});
  const uint64_t Bytes = std::max<uint64_t>(teams::tapeBytesOf(Call), 8);
  Value *Tape = B.CreateCall(tapeAllocFunction(M), B.getInt64(Bytes));
  B.CreateStore(
      Tape, B.CreateGEP(B.getPtrTy(),
                        B.CreateLoad(B.getPtrTy(), fieldOf(B, OfTeam, Tapes)),
                        Number));
  return Tape;
}

Value *Exposed::find(IRBuilder<> &B, Value *OfTeam) {
  Value *Number = ask(B, "omp_get_thread_num");
  Value *Had = B.CreateLoad(B.getInt64Ty(), fieldOf(B, OfTeam, Size));
  emitRuntimeStopIf(B, B.CreateICmpNE(ask(B, "omp_get_num_threads"), Had),
                    "the runtime gives a parallel region of a reverse pass "
                    "another number of threads than the region had");
  return B.CreateLoad(
      B.getPtrTy(),
      B.CreateGEP(B.getPtrTy(),
                  B.CreateLoad(B.getPtrTy(), fieldOf(B, OfTeam, Tapes)),
                  Number));
}

Function *Exposed::withTape() {
  Function *Inner = Call.getCalledFunction();
  Function *F =
      createOwn(Inner->getFunctionType(), GlobalValue::InternalLinkage,
                "adze.taped." + Inner->getName(), M);
  F->addFnAttr(Attribute::NoUnwind);
  // A reverse half reads its own thread's number, not one that was kept.
  for (unsigned K = 0; K < teams::RuntimeArgs; ++K)
    for (Attribute::AttrKind Promise :
         {Attribute::NoAlias, Attribute::NoCapture, Attribute::ReadOnly})
      F->addParamAttr(K, Promise);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  SmallVector<Value *, 8> Args;
  for (Argument &A : F->args())
    Args.push_back(&A);
  // The lists of threads would have shadows, which nobody hands on.
  if (usesLists(*Inner))
    emitRuntimeStopIf(B, B.getTrue(),
                      "memory that leaves the function in which a thread of a "
                      "parallel region allocates it is given back in a "
                      "gradient of a file that has derivatives of gradients");
  Value *OfTeam = Args.back();
  Args.back() =
      Which == Half::Augmented ? make(B, *F, OfTeam) : find(B, OfTeam);
  B.CreateCall(Inner, Args);
  if (Which == Half::Reverse)
    B.CreateCall(tapeFreeFunction(M), Args.back());
  B.CreateRetVoid();
  return F;
}

void Exposed::run() {
  IRBuilder<> B(&Call);
  Value *OfTeam = Call.getArgOperand(Call.arg_size() - 1);
  auto function = [&](StringRef Name, Type *Result, ArrayRef<Type *> Types) {
    return M.getOrInsertFunction(Name, FunctionType::get(Result, Types, false));
  };
  if (Which != Half::Augmented) {
    Value *Threads = B.CreateLoad(B.getInt64Ty(), fieldOf(B, OfTeam, Size));
    Value *Number = B.CreateCall(
        function("__kmpc_global_thread_num", B.getInt32Ty(), {B.getPtrTy()}),
        here());
    B.CreateCall(function("__kmpc_push_num_threads", B.getVoidTy(),
                          {B.getPtrTy(), B.getInt32Ty(), B.getInt32Ty()}),
                 {here(), Number, B.CreateTrunc(Threads, B.getInt32Ty())});
    B.CreateCall(
        function("adze.team.leaves.set", B.getVoidTy(), {B.getInt64Ty()}),
        B.CreateLoad(B.getInt64Ty(), fieldOf(B, OfTeam, Leaves)));
  }
  SmallVector<Value *, 8> Args(Call.args());
  CallInst *New = B.CreateCall(withTape(), Args);
  New->setDebugLoc(Call.getDebugLoc());
  New->setDoesNotThrow();
  teams::markTeamCall(*New, Half::Whole);
  if (Which == Half::Augmented)
    B.CreateStore(
        B.CreateCall(function("adze.team.leaves.get", B.getInt64Ty(), {})),
        fieldOf(B, OfTeam, Leaves));
  if (Which == Half::Reverse)
    B.CreateCall(tapeFreeFunction(M),
                 B.CreateLoad(B.getPtrTy(), fieldOf(B, OfTeam, Tapes)));
  Call.eraseFromParent();
}

/// What the runtime writes to \p Call's operands, bounds of iterations, it
/// writes to variables instead, from which it is copied: what is kept of bounds
/// lies on the tape, among active data.
void writeToVariables(CallBase &Call) {
  constexpr unsigned First = 2, Last = 6; // last iteration?, bounds, step
  if (Call.arg_size() != Last)
    return;
  Function &F = *Call.getFunction();
  IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
  // Behind the last iteration nothing is written.
  Instruction *Next = Call.getNextNode();
  IRBuilder<> Behind(Next);
  IRBuilder<> After(SplitBlockAndInsertIfThen(Behind.CreateIsNotNull(&Call),
                                              Next, /*Unreachable=*/false));
  const bool IsWide = Call.getCalledFunction()->getName().contains("_8");
  for (unsigned K = First; K < Last; ++K) {
    Type *Ty = K > First && IsWide ? Entry.getInt64Ty() : Entry.getInt32Ty();
    Value *Place = Call.getArgOperand(K);
    AllocaInst *Variable = Entry.CreateAlloca(Ty, nullptr, "bound");
    Call.setArgOperand(K, Variable);
    After.CreateStore(After.CreateLoad(Ty, Variable), Place);
  }
}

bool takesIterations(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() &&
         Callee->getName().starts_with("__kmpc_dispatch_next_");
}

} // namespace

/// Copies of parts of shadows (Replicas.h) would want copies of their shadows:
/// the version without runs, in which sums are atomic.
static void forgoCopies(Module &M, SetVector<Function *> &Changed) {
  for (StringRef Name :
       {"adze.team.copies.begin", "adze.team.copies.end", "adze.team.alone",
        "adze.team.pages.begin", "adze.team.pages.end"}) {
    Function *F = M.getFunction(Name);
    if (!F || !F->isDeclaration())
      continue;
    for (User *U : make_early_inc_range(F->users())) {
      auto *Call = cast<CallInst>(U);
      Changed.insert(Call->getFunction());
      if (!Call->getType()->isVoidTy())
        Call->replaceAllUsesWith(Constant::getNullValue(Call->getType()));
      Call->eraseFromParent();
    }
    F->eraseFromParent();
  }
}

void exposeTapes(Module &M, FunctionAnalysisManager &FAM) {
  SmallVector<CallBase *, 8> Calls, Taking;
  SetVector<Function *> Changed;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      if (teams::isTeamCall(*Call) && teams::halfOf(*Call) != Half::Whole)
        Calls.push_back(Call);
      else if (isOwn(F) && isa<CallInst>(Call) && takesIterations(*Call))
        Taking.push_back(Call);
      else
        continue;
      Changed.insert(&F);
    }
  for (CallBase *Call : Calls)
    Exposed(*Call).run();
  for (CallBase *Call : Taking)
    writeToVariables(*Call);
  forgoCopies(M, Changed);
  forgetWaits(M);
  for (Function *F : Changed)
    FAM.invalidate(*F, PreservedAnalyses::none());
}

} // namespace adze
