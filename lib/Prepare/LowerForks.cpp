// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   __kmpc_fork_call(place, n, region, a, b, ..)
//
// becomes a team call (Teams.h)
//
//   region(number, number, a, b, ..)
//
// of which the first two arguments are the runtime's. What is given to a region
// is given in the way that suits its derivative:
//   * A variable (a pointer, or an integer) of which the region has the address
//     to read it, and nothing writes it while the region runs, by its value. So
//     it is seen to be the same in all threads, and arrays are arguments.
//   * A number that is passed by value, and may be a float, by reference: what
//     the threads contribute to its adjoint comes together in memory, like that
//     of all else that they share.
//   * To a region with "copyprivate", the address of a variable of the team, by
//     which threads tell others where to copy from (TeamBodies.c:
//     body_copyprivate).
#include "Prepare/Stages.h"
#include "adze/Teams.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

namespace {

using teams::forkedBy;
using teams::ForkFirst;
using teams::RuntimeArgs;

/// The bits of \p Arg, an integer, may be those of a float.
bool mayBeFloat(const Argument &Arg) {
  if (!Arg.getType()->isIntegerTy())
    return false;
  SmallVector<const Value *, 4> Work{&Arg};
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      if (isa<TruncInst>(U))
        Work.push_back(U);
      else if (isa<BitCastInst, StoreInst, CallBase, PHINode>(U))
        return true;
    }
  return false;
}

/// What \p Pointer leads to is loaded, each time as a whole of one type, and
/// nothing else: that type, if it is an integer or a pointer; else null.
Type *onlyLoadedAs(const Value &Pointer) {
  Type *Loaded = nullptr;
  unsigned Calls = 0;
  SmallVector<const Value *, 4> Work{&Pointer};
  while (!Work.empty())
    for (const Use &U : Work.pop_back_val()->uses()) {
      const User *By = U.getUser();
      if (auto *Load = dyn_cast<LoadInst>(By); Load && Load->isSimple()) {
        if (Loaded && Loaded != Load->getType())
          return nullptr;
        Loaded = Load->getType();
        continue;
      }
      // The region is called by another one, where there is debug information.
      if (auto *Call = dyn_cast<CallBase>(By)) {
        const Function *Callee = Call->getCalledFunction();
        if (!Callee || Callee->isDeclaration() || !Call->isArgOperand(&U) ||
            Callee->getFunctionType() != Call->getFunctionType() ||
            Callee->isVarArg() || ++Calls > 1)
          return nullptr;
        Work.push_back(Callee->getArg(Call->getArgOperandNo(&U)));
        continue;
      }
      // Code that is not optimized keeps it in a variable of its own.
      auto *Store = dyn_cast<StoreInst>(By);
      auto *Variable = Store && U.getOperandNo() == 0
                           ? dyn_cast<AllocaInst>(Store->getPointerOperand())
                           : nullptr;
      if (!Variable)
        return nullptr;
      for (const User *V : Variable->users()) {
        auto *Again = dyn_cast<LoadInst>(V);
        if (Again && Again->isSimple() && Again->getType()->isPointerTy())
          Work.push_back(Again);
        else if (V != Store)
          return nullptr;
      }
    }
  return Loaded && (Loaded->isPointerTy() || Loaded->isIntegerTy()) ? Loaded
                                                                    : nullptr;
}

/// The type of the variable behind \p Given, an operand of a fork, if nothing
/// can write it while the region runs; else null.
Type *readOnlyType(const Value &Given) {
  auto *Variable = dyn_cast<AllocaInst>(&Given);
  if (!Variable)
    return nullptr;
  Type *Ty = Variable->getAllocatedType();
  for (const Use &U : Variable->uses()) {
    auto *I = cast<Instruction>(U.getUser());
    if (isa<LoadInst>(I) || I->isLifetimeStartOrEnd() ||
        (isa<StoreInst>(I) && U.getOperandNo() == 1))
      continue;
    auto *Call = dyn_cast<CallBase>(I);
    const Function *Region = Call ? forkedBy(*Call) : nullptr;
    if (!Region || U.getOperandNo() < ForkFirst ||
        onlyLoadedAs(
            *Region->getArg(RuntimeArgs + U.getOperandNo() - ForkFirst)) != Ty)
      return nullptr;
  }
  return Ty;
}

bool callsCopyPrivate(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && Callee->getName() == "__kmpc_copyprivate";
  });
}

/// The function that \p I calls, if "copyprivate" is in it. (With debug
/// information, the code of a region is in a function that the region calls.)
Function *calleeWithCopyPrivate(Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && !Callee->isDeclaration() &&
                 Callee->getName().contains("omp_outlined_debug__") &&
                 callsCopyPrivate(*Callee)
             ? Callee
             : nullptr;
}

bool hasCopyPrivate(Function &Region) {
  return callsCopyPrivate(Region) ||
         any_of(instructions(Region),
                [](Instruction &I) { return calleeWithCopyPrivate(I); });
}

/// All such constructs in \p F, a region, exchange addresses in \p Variable.
void lowerCopyPrivate(Function &F, Value &Variable) {
  SmallVector<CallInst *, 2> Outlined, Copies;
  for (Instruction &I : instructions(F))
    if (calleeWithCopyPrivate(I))
      Outlined.push_back(cast<CallInst>(&I));
  for (CallInst *Call : Outlined) {
    InlineFunctionInfo Info;
    InlineFunction(*Call, Info);
  }
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->getCalledFunction() &&
        Call->getCalledFunction()->getName() == "__kmpc_copyprivate")
      Copies.push_back(Call);
  for (CallInst *Call : Copies) {
    // (place, thread, size, data, copy, whether it copies to others)
    Function *Body = libraryBody(*F.getParent(), "body_copyprivate");
    if (!Body || Call->arg_size() != 6)
      continue;
    CallInst *Ours = IRBuilder<>(Call).CreateCall(
        Body,
        {Call->getArgOperand(0), Call->getArgOperand(1), Call->getArgOperand(3),
         Call->getArgOperand(4), Call->getArgOperand(5), &Variable});
    Ours->setDebugLoc(Call->getDebugLoc());
    Call->eraseFromParent();
    InlineFunctionInfo Info;
    InlineFunction(*Ours, Info);
    for (CallBase *Copy : Info.InlinedCallSites)
      if (Function *Called = Copy->getCalledFunction();
          Called && !Called->isDeclaration()) {
        InlineFunctionInfo Inner;
        InlineFunction(*Copy, Inner);
      }
  }
}

/// A function that takes arguments of \p Types and does what \p Region does:
/// where \p Region wants an integer, and there is a pointer, it is loaded from
/// there; where it wants a pointer, and there is a value, that is in a
/// variable. If it has one argument more, that is of lowerCopyPrivate.
Function *adapt(Function &Region, ArrayRef<Type *> Types,
                ArrayRef<bool> IsAddress) {
  Module &M = *Region.getParent();
  LLVMContext &C = M.getContext();
  const std::string Name = (Region.getName() + ".region").str();
  std::string Kinds;
  for (bool Is : IsAddress)
    Kinds += Is ? 'a' : 'v';
  const bool Exchanges = Types.size() > Region.arg_size();
  auto *Ty = FunctionType::get(Type::getVoidTy(C), Types, false);
  if (Function *F = M.getFunction(Name);
      F && F->getFunctionType() == Ty &&
      F->getFnAttribute(teams::RegionAttribute).getValueAsString() == Kinds)
    return F;
  auto *F = Function::Create(Ty, GlobalValue::InternalLinkage, Name, &M);
  F->setIsNewDbgInfoFormat(Region.IsNewDbgInfoFormat);
  for (Attribute A : Region.getAttributes().getFnAttrs())
    F->addFnAttr(A);
  F->removeFnAttr(Attribute::AlwaysInline);
  F->removeFnAttr(Attribute::Memory);
  F->addFnAttr(teams::RegionAttribute, Kinds);
  noteOriginal(*F, Region);
  F->setSubprogram(Region.getSubprogram());
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  SmallVector<Value *, 8> Args;
  for (Argument &A : F->args()) {
    const unsigned K = A.getArgNo();
    if (K == Region.arg_size())
      break;
    Type *Wanted = Region.getArg(K)->getType();
    Value *V = &A;
    if (IsAddress[K] && !Wanted->isPointerTy()) {
      V = B.CreateAlignedLoad(Wanted, &A, Align(8));
    } else if (!IsAddress[K] && K >= RuntimeArgs && Wanted->isPointerTy()) {
      V = B.CreateAlloca(A.getType(), nullptr, "captured");
      B.CreateStore(&A, V);
    }
    if (V == &A)
      F->addParamAttrs(K,
                       AttrBuilder(C, Region.getAttributes().getParamAttrs(K)));
    Args.push_back(V);
  }
  CallInst *Call = B.CreateCall(&Region, Args);
  if (DISubprogram *Scope = F->getSubprogram())
    Call->setDebugLoc(DILocation::get(C, Scope->getScopeLine(), 0, Scope));
  B.CreateRetVoid();
  InlineFunctionInfo Info;
  InlineFunction(*Call, Info);
  if (Exchanges)
    lowerCopyPrivate(*F, *F->getArg(F->arg_size() - 1));
  return F;
}

void lowerFork(CallBase &Fork, Function &Region) {
  Function &F = *Fork.getFunction();
  Module &M = *F.getParent();
  IRBuilder<> B(&Fork);
  auto *Number = cast<GlobalVariable>(
      M.getOrInsertGlobal("adze.team.number", B.getInt32Ty(), [&] {
        return new GlobalVariable(M, B.getInt32Ty(), /*isConstant=*/true,
                                  GlobalValue::InternalLinkage, B.getInt32(0),
                                  "adze.team.number");
      }));
  SmallVector<Value *, 8> Args{Number, Number};
  SmallVector<bool, 8> IsAddress{true, true};
  bool Adapts = false;
  for (Value *V : drop_begin(Fork.args(), ForkFirst)) {
    const Argument &To = *Region.getArg(Args.size());
    // What nobody reads may be the bits of a float, with an adjoint that
    // threads would have to return.
    if (To.use_empty() && To.getType()->isIntegerTy())
      V = Constant::getNullValue(V->getType());
    Value *As = V;
    if (mayBeFloat(To)) {
      IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
      AllocaInst *Place = Entry.CreateAlloca(V->getType(), nullptr, "passed");
      Place->setAlignment(Align(8));
      B.CreateAlignedStore(V, Place, Align(8));
      As = Place;
    } else if (Type *Ty = readOnlyType(*V)) {
      As = B.CreateLoad(Ty, V);
    }
    IsAddress.push_back(As == V ? V->getType()->isPointerTy()
                                : isa<AllocaInst>(As));
    Adapts |= As != V;
    Args.push_back(As);
  }
  if (hasCopyPrivate(Region)) {
    IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
    Args.push_back(Entry.CreateAlloca(B.getPtrTy(), nullptr, "exchanged"));
    IsAddress.push_back(true);
    Adapts = true;
  }
  SmallVector<Type *, 8> Types;
  for (const Value *Arg : Args)
    Types.push_back(Arg->getType());
  Function *Called = Adapts ? adapt(Region, Types, IsAddress) : &Region;
  CallInst *Call = B.CreateCall(Called, Args);
  Call->setDoesNotThrow(); // an exception that leaves a region ends the program
  teams::markTeamCall(*Call, teams::Half::Whole);
  Fork.eraseFromParent();
}

} // namespace

void lowerForks(Function &F) {
  SmallVector<std::pair<CallBase *, Function *>, 4> Forks;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Region = forkedBy(*Call))
        Forks.push_back({Call, Region});
  for (auto [Call, Region] : Forks)
    lowerFork(*Call, *Region);
}

} // namespace adze
