// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A spawn (Tasks.h)
//
//   adze.task.begin(half, a, b, .., tape)
//
// becomes a call of the runtime (Runtime/Teams.c) that makes a task of it:
//
//   arguments = {a, b, .., tape, &lists}
//   adze.task.run(body, &arguments, bytes)
//
//   body(arguments):
//     half(arguments.a, arguments.b, .., arguments.tape)
//
// and the reverse half's tape goes there. What a task puts on lists
// (TeamLists.h) goes to the thread that waits for it.
#include "LowerTaskCalls.h"
#include "adze/OwnFunction.h"
#include "adze/TapeMemory.h"
#include "adze/Tasks.h"
#include "adze/TeamLists.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// The spawns of one function.
class SpawnLowering {
public:
  explicit SpawnLowering(Function &F)
      : F(F), M(*F.getParent()), C(F.getContext()), Lists(M) {}

  void run();

private:
  void lower(CallBase &Spawn);
  Function *bodyOf(const CallBase &Spawn, StructType &Arguments);
  AllocaInst *variable(Type &Ty, const Twine &Name);

  Function &F;
  Module &M;
  LLVMContext &C;
  TeamLists Lists;
  Value *OfTasks = nullptr; // where the lists of tasks come together
};

/// What the runtime copies is aligned to a word.
Align alignOf(const DataLayout &DL, Type *Ty) {
  return std::min(DL.getABITypeAlign(Ty), Align(8));
}

AllocaInst *SpawnLowering::variable(Type &Ty, const Twine &Name) {
  BasicBlock &Entry = F.getEntryBlock();
  return IRBuilder<>(&Entry, Entry.getFirstInsertionPt())
      .CreateAlloca(&Ty, nullptr, Name);
}

Function *SpawnLowering::bodyOf(const CallBase &Spawn, StructType &Arguments) {
  auto *Half = cast<Function>(Spawn.getArgOperand(0));
  Type *Ptr = PointerType::getUnqual(C);
  Function *Body = createOwn(
      FunctionType::get(Type::getVoidTy(C), {Ptr}, false),
      GlobalValue::InternalLinkage, "adze.task.body." + Half->getName(), M);
  Body->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(C, "entry", Body));
  SmallVector<Value *, 8> Fields;
  for (unsigned K = 0; K < Arguments.getNumElements(); ++K) {
    Type *Ty = Arguments.getElementType(K);
    Fields.push_back(B.CreateAlignedLoad(
        Ty, B.CreateStructGEP(&Arguments, Body->getArg(0), K),
        alignOf(M.getDataLayout(), Ty)));
  }
  Value *Given = Fields.pop_back_val();
  TeamLists OfBody(M);
  OfBody.begin(B);
  B.CreateCall(Half, Fields);
  if (tasks::halfOf(Spawn) == teams::Half::Reverse)
    B.CreateCall(tapeFreeFunction(M), {Fields.back()});
  OfBody.give(B, Given);
  B.CreateRetVoid();
  return Body;
}

void SpawnLowering::lower(CallBase &Spawn) {
  SmallVector<Value *, 8> Given(drop_begin(Spawn.args(), tasks::SpawnFirst));
  Given.push_back(OfTasks);
  SmallVector<Type *, 8> Types;
  for (const Value *V : Given)
    Types.push_back(V->getType());
  StructType *Arguments = StructType::get(C, Types);
  AllocaInst *Place = variable(*Arguments, "arguments");
  IRBuilder<> B(&Spawn);
  for (unsigned K = 0; K < Given.size(); ++K)
    if (!isa<PoisonValue>(Given[K]))
      B.CreateAlignedStore(Given[K], B.CreateStructGEP(Arguments, Place, K),
                           alignOf(M.getDataLayout(), Types[K]));
  B.CreateCall(teamFunction(M, "adze.task.run"),
               {bodyOf(Spawn, *Arguments), Place,
                B.getInt64(M.getDataLayout().getTypeAllocSize(Arguments))});
  Spawn.eraseFromParent();
}

void SpawnLowering::run() {
  placeWaits(F);
  OfTasks = variable(*Lists.placeType(), "tasks");
  IRBuilder<> Entry(cast<Instruction>(OfTasks)->getNextNode());
  Entry.CreateStore(Constant::getNullValue(Lists.placeType()), OfTasks);
  SmallVector<CallBase *, 8> Spawns, Waits;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (tasks::isSpawn(*Call))
        Spawns.push_back(Call);
      else if (tasks::isWait(*Call))
        Waits.push_back(Call);
    }
  for (CallBase *Spawn : Spawns)
    lower(*Spawn);
  for (CallBase *Wait : Waits) {
    IRBuilder<> B(Wait->getNextNode());
    Lists.take(B, OfTasks);
    B.CreateStore(Constant::getNullValue(Lists.placeType()), OfTasks);
  }
}

void eraseCalls(Module &M, StringRef Name) {
  Function *F = M.getFunction(Name);
  if (!F || !F->isDeclaration())
    return;
  for (User *U : make_early_inc_range(F->users()))
    cast<Instruction>(U)->eraseFromParent();
  F->eraseFromParent();
}

} // namespace

bool lowerTaskCalls(Module &M) {
  SetVector<Function *> Spawning;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && tasks::isSpawn(*Call))
        Spawning.insert(&F);
  for (Function *F : Spawning)
    SpawnLowering(*F).run();
  eraseCalls(M, tasks::Join);
  eraseCalls(M, tasks::WaitMirror);
  const Function *Wait = M.getFunction(tasks::Wait);
  if (!Wait || !Wait->isDeclaration())
    return !Spawning.empty();
  if (Spawning.empty())
    eraseCalls(M, tasks::Wait);
  else
    teamFunction(M, tasks::Wait);
  return true;
}

void forgetWaits(Module &M) {
  for (StringRef Name : {tasks::Join, tasks::WaitMirror, tasks::Wait})
    eraseCalls(M, Name);
}

} // namespace adze
