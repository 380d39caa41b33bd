// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of library functions for which Adze has a body (LibraryBodies.c) become
// calls of that, in the canonical clone alone: the program's own calls stay as
// they are.
#include "Prepare/Stages.h"
#include "Prepare/VirtualTables.h"
#include "adze/HeaderBodies.h"
#include "adze/KnownFunction.h"
#include "adze/Runtime.h"
#include "adze/SerialThreads.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

// Made of LibraryBodies.c and the others while the plugin is built.
extern const unsigned char BodiesBitcode[], TeamBodiesBitcode[],
    ThreadBodiesBitcode[], FutureBodiesBitcode[], FortranBodiesBitcode[],
    FortranMemoryBitcode[], FortranSumsBitcode[], MemoryBodiesBitcode[];
extern const unsigned long BodiesBitcodeSize, TeamBodiesBitcodeSize,
    ThreadBodiesBitcodeSize, FutureBodiesBitcodeSize, FortranBodiesBitcodeSize,
    FortranMemoryBitcodeSize, FortranSumsBitcodeSize, MemoryBodiesBitcodeSize;
static const RuntimeUnit Units[] = {
    {"body", BodiesBitcode, &BodiesBitcodeSize},
    {"team.body", TeamBodiesBitcode, &TeamBodiesBitcodeSize},
    {"thread.body", ThreadBodiesBitcode, &ThreadBodiesBitcodeSize},
    {"future.body", FutureBodiesBitcode, &FutureBodiesBitcodeSize},
    {"fortran.body", FortranBodiesBitcode, &FortranBodiesBitcodeSize},
    {"fortran.memory.body", FortranMemoryBitcode, &FortranMemoryBitcodeSize},
    {"fortran.sums.body", FortranSumsBitcode, &FortranSumsBitcodeSize},
    {"memory.body", MemoryBodiesBitcode, &MemoryBodiesBitcodeSize}};

/// Where a function pointer is called for a number, with nothing but addresses,
/// that decides on an order, and such numbers have no derivative.
static void declareOrdersInactive(Module &Bodies) {
  for (Function &F : Bodies)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && Call->isIndirectCall() && Call->getType()->isIntegerTy() &&
          all_of(Call->args(),
                 [](const Use &U) { return U->getType()->isPointerTy(); }))
        Call->addFnAttr(Attribute::get(F.getContext(), declared::Inactive));
}

/// What is declared of functions that threads are made of.
static void declareThreadFacts(Module &Bodies) {
  // Where threads begin and end, nothing of the program's memory is looked at.
  for (Function &F : Bodies)
    if (F.isDeclaration() && F.getName().starts_with(ThreadFunctionPrefix) &&
        !F.getName().ends_with("lock") && !F.getName().ends_with("ready")) {
      F.setOnlyAccessesInaccessibleMemory();
      F.setDoesNotThrow();
    }
}

/// What bodies call through pointers are classes of the library.
static void declareCallees(Module &Bodies) {
  constexpr std::pair<StringRef, StringRef> Callees[] = {
      {"adze.body_std_thread_start", "_ZTVNSt6thread11_State_impl"},
      {"adze.body_stop_request", "_ZNSt13stop_callbackI"},
      {"adze.body_future_wait", "_ZTVNSt13__future_base"},
      {"adze.body_future_poll", "_ZTVNSt13__future_base"},
      {"adze.body_future_set", "_ZTVNSt13__future_base7_Result"},
      {"adze.body_future_start", "_ZNSt13__future_base17_Async_state_impl"}};
  LLVMContext &C = Bodies.getContext();
  for (auto [Body, Names] : Callees)
    if (Function *F = Bodies.getFunction(Body))
      for (Instruction &I : instructions(*F)) {
        auto *Call = dyn_cast<CallBase>(&I);
        if (!Call || !Call->isIndirectCall())
          continue;
        if (Body != "adze.body_future_set" || Call->arg_size() != 2) {
          Call->addFnAttr(Attribute::get(C, CalleesAttribute, Names));
          continue;
        }
        Call->addFnAttr(
            Attribute::get(C, CalleesAttribute, "_ZNSt17_Function_handlerI"));
        // C++ returns a std::unique_ptr through memory that it is given.
        Call->addParamAttr(
            0, Attribute::getWithStructRetType(C, PointerType::get(C, 0)));
      }
}

constexpr char OtherResource[] =
    "a memory resource (std::pmr) that was made outside of the function that "
    "is differentiated; only std::pmr::new_delete_resource() and resources "
    "that the function makes itself have derivatives";

/// A memory resource that is no class of the library is one of the program's.
/// What the library's functions return is compared with it, and nothing else.
static void declareResources(Module &Bodies) {
  LLVMContext &C = Bodies.getContext();
  for (Function &F : Bodies) {
    if (F.getName().starts_with("adze.body_gnu_") ||
        F.getName().starts_with("adze.body_llvm_"))
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallBase>(&I);
            Call && Call->isIndirectCall()) {
          Call->addFnAttr(Attribute::get(C, CalleesAttribute, ""));
          Call->addFnAttr(Attribute::get(C, StopAttribute, OtherResource));
        }
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && Call->getCalledFunction() &&
          Call->getCalledFunction()->getName().ends_with("_resourceEv"))
        Call->addFnAttr(Attribute::get(C, declared::Inactive));
  }
}

static void declareFacts(Module &Bodies) {
  declareResources(Bodies);
  declareThreadFacts(Bodies);
  declareCallees(Bodies);
}

Function *libraryBody(Module &M, StringRef Name) {
  if (M.getDataLayout().getPointerSize() != 8)
    return nullptr;
  Function *F = nullptr;
  for (const RuntimeUnit &Unit : Units)
    if (!F)
      F = runtimeFunction(M, Unit, ("adze." + Name).str(),
                          &Unit == Units ? declareOrdersInactive
                                         : declareFacts);
  return F && !F->isDeclaration() ? F : nullptr;
}

/// Nothing comes back: flang declares such functions with empty structures.
static bool isEmpty(const Type *Ty) {
  return Ty->isVoidTy() ||
         (Ty->isStructTy() && Ty->getStructNumElements() == 0);
}

/// \p Body is told the type of elements, beside what \p Call passes.
static bool isOfElements(const Function &Body, const CallBase &Call) {
  ArrayRef<Type *> Ours = Body.getFunctionType()->params();
  return Ours.size() == Call.arg_size() + 1 && Ours.back()->isIntegerTy(32) &&
         Ours.drop_back() == Call.getFunctionType()->params();
}

/// \p Body is a constructor that needs the object alone.
static bool isOfFirst(const Function &Body, const CallBase &Call) {
  ArrayRef<Type *> Ours = Body.getFunctionType()->params();
  ArrayRef<Type *> Theirs = Call.getFunctionType()->params();
  return Ours.size() == 1 && Body.getReturnType()->isVoidTy() &&
         Theirs.size() > 1 && Theirs[0] == Ours[0] &&
         Call.getCalledFunction()->getName().starts_with("_ZNSt");
}

/// The type of elements that \p Stored says, if it is a descriptor of flang's
/// at byte \p At of one, or a part of it.
static const ConstantInt *elementTypeIn(Value *Stored, uint64_t At) {
  constexpr uint64_t Place = 21;
  constexpr unsigned Member = 4;
  if (At == Place && Stored->getType()->isIntegerTy(8))
    return dyn_cast<ConstantInt>(Stored);
  auto *Ty = dyn_cast<StructType>(Stored->getType());
  if (At != 0 || !Ty || Ty->getNumElements() <= Member)
    return nullptr;
  return dyn_cast_or_null<ConstantInt>(FindInsertedValue(Stored, {Member}));
}

/// What one of the descriptors that \p Call passes has for its elements, as far
/// as this function says; a double, if it says nothing. The body looks at it
/// when it runs.
static int64_t elementTypeOf(CallBase &Call) {
  constexpr int64_t Float = 27, Double = 28, FloatComplex = 34,
                    DoubleComplex = 35;
  const DataLayout &DL = Call.getDataLayout();
  for (Instruction &I : instructions(*Call.getFunction())) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store)
      continue;
    int64_t At = 0;
    const Value *To =
        GetPointerBaseWithConstantOffset(Store->getPointerOperand(), At, DL);
    if (!is_contained(
            ArrayRef<const Value *>{Call.getArgOperand(0)->stripPointerCasts(),
                                    Call.getArgOperand(1)->stripPointerCasts()},
            To))
      continue;
    if (const ConstantInt *Type = elementTypeIn(Store->getValueOperand(), At)) {
      int64_t Code = Type->getSExtValue();
      bool IsFloat = Code == Float || Code == Double || Code == FloatComplex ||
                     Code == DoubleComplex;
      return IsFloat ? Code : 0;
    }
  }
  return Double;
}

/// The body for \p Call, or null where the program's function of that name
/// takes and returns something else.
static Function *bodyFor(CallBase &Call, const LibraryBody &Body) {
  Function *F = libraryBody(*Call.getModule(), Body.Name);
  if (!F)
    return nullptr;
  const FunctionType &Ours = *F->getFunctionType();
  const FunctionType &Theirs = *Call.getFunctionType();
  bool Fits = (Ours.params() == Theirs.params() || isOfElements(*F, Call) ||
               isOfFirst(*F, Call)) &&
              !Theirs.isVarArg() &&
              (Ours.getReturnType() == Theirs.getReturnType() ||
               (isEmpty(Ours.getReturnType()) && isEmpty(Call.getType()) &&
                isa<CallInst>(Call)));
  return Fits ? F : nullptr;
}

/// What \p Call calls does its work in tasks: its twin does so in this thread.
static bool callSerialTwin(CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  if (!F || !F->hasFnAttribute(SerialTwin))
    return false;
  Function *Twin = F->getParent()->getFunction(
      F->getFnAttribute(SerialTwin).getValueAsString());
  if (!Twin || Twin->getFunctionType() != Call.getFunctionType())
    return false;
  Call.setCalledFunction(Twin);
  return true;
}

bool giveBodies(Function &F) {
  SmallVector<std::pair<CallBase *, const LibraryBody *>, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (const LibraryBody *Body = libraryBodyOf(*Call))
        Calls.push_back({Call, Body});
  bool Changed = false;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Changed |= callSerialTwin(*Call);
  for (auto &[Call, Body] : Calls) {
    Function *Ours = bodyFor(*Call, *Body);
    if (!Ours)
      continue;
    if (Ours->getFunctionType() != Call->getFunctionType()) {
      if (auto *Invoke = dyn_cast<InvokeInst>(Call))
        Call = changeToCall(Invoke);
      SmallVector<Value *, 8> Arguments(Call->args());
      if (isOfFirst(*Ours, *Call))
        Arguments.truncate(1);
      if (isOfElements(*Ours, *Call))
        Arguments.push_back(ConstantInt::getSigned(
            Type::getInt32Ty(F.getContext()), elementTypeOf(*Call)));
      CallBase *New =
          CallInst::Create(Ours, Arguments, "", Call->getIterator());
      New->setDebugLoc(Call->getDebugLoc());
      Call->replaceAllUsesWith(PoisonValue::get(Call->getType()));
      Call->eraseFromParent();
      Call = New;
    }
    Call->setCalledFunction(Ours);
    // What the declaration promises is about the library's function.
    Call->setAttributes(AttributeList());
    Call->setCallingConv(Ours->getCallingConv());
    if (InlineFunctionInfo Info; Body->Inline)
      InlineFunction(*Call, Info);
    Changed = true;
  }
  return Changed;
}

} // namespace adze
