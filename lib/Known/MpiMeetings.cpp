// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a file locks windows, or posts them, each call of MPI
//
//   MPI_Recv(&token, ...)
//
// becomes
//
//   adze.mpi.window.meets();
//   MPI_Recv(&token, ...);
//   adze.mpi.window.meets();
//
// A meeting does nothing in the program. Its derivative notes what others have
// done to the memory of windows until then, and waits for the reverse of what
// they did behind it: whatever told the program that others were ready.
#include "MpiMeetings.h"
#include "MpiTable.h"
#include "adze/GivenDerivatives.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze::mpi {

namespace {

constexpr char Name[] = "adze.mpi.window.meets";

/// Of the library's classes for C++, whose tables of virtual functions lead to
/// all functions of MPI, whether the program calls them or not.
bool isOfClasses(const Function &F) {
  return F.getName().starts_with("_ZN3MPI") ||
         F.getName().starts_with("_ZNK3MPI");
}

bool isUsedOutsideOfClasses(const Function &F) {
  return any_of(F.users(), [](const User *U) {
    auto *I = dyn_cast<Instruction>(U);
    return I && !isOfClasses(*I->getFunction());
  });
}

/// The program has a window of these classes.
bool usesWindowClass(const Module &M) {
  return any_of(M, [](const Function &F) {
    return isOfClasses(F) && F.getName().contains("3MPI3Win") &&
           isUsedOutsideOfClasses(F);
  });
}

/// Neither ours, nor of classes that the program does not use.
bool isOfProgram(const Function &F, bool UsesClasses) {
  return !isOwn(F) && (!isOfClasses(F) || UsesClasses);
}

/// \p M has windows that others access while their owner does not call a
/// function for windows.
bool accessesWithoutFences(const Module &M) {
  const bool UsesClasses = usesWindowClass(M);
  auto counts = [&](const User *U) {
    auto *I = dyn_cast<Instruction>(U);
    return !I || isOfProgram(*I->getFunction(), UsesClasses);
  };
  for (StringRef Opens : {"Win_lock", "Win_lock_all", "Win_post", "Win_start"})
    for (StringRef Prefix : {"MPI_", "PMPI_"})
      if (const Function *F = M.getFunction((Prefix + Opens).str());
          F && F->isDeclaration() && any_of(F->users(), counts))
        return true;
  return false;
}

/// A function of the program, of which no compiler knows that it does nothing.
Function &createMeeting(Module &M) {
  LLVMContext &C = M.getContext();
  FunctionType *Ty = FunctionType::get(Type::getVoidTy(C), /*isVarArg=*/false);
  Function *F = createOwn(Ty, GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoInline);
  F->setDoesNotThrow();
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  B.CreateCall(InlineAsm::get(Ty, "", "~{memory}", /*hasSideEffects=*/true));
  B.CreateRetVoid();
  return *F;
}

void insertAround(CallBase &Call, Function &Meeting) {
  auto meetBefore = [&](BasicBlock::iterator At) {
    IRBuilder<> B(At->getParent(), At);
    B.SetCurrentDebugLocation(Call.getDebugLoc());
    B.CreateCall(&Meeting);
  };
  meetBefore(Call.getIterator());
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
    meetBefore(Invoke->getNormalDest()->getFirstInsertionPt());
  else
    meetBefore(std::next(Call.getIterator()));
}

/// The program's calls of functions that have derivatives.
SmallVector<CallBase *, 16> callsIn(Module &M) {
  SmallVector<CallBase *, 16> Calls;
  const bool UsesClasses = usesWindowClass(M);
  for (Function &F : M) {
    if (!F.isDeclaration() || !rowOf(F))
      continue;
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledOperand() == &F &&
          isOfProgram(*Call->getFunction(), UsesClasses))
        Calls.push_back(Call);
  }
  return Calls;
}

} // namespace

bool insertMeetings(Module &M, const RuntimeUnit &Unit) {
  Function *Meeting = M.getFunction(Name);
  const bool IsNew = !Meeting || !isOwn(*Meeting);
  if (IsNew) {
    if (!accessesWithoutFences(M))
      return false;
    Meeting = &createMeeting(M);
    for (CallBase *Call : callsIn(M))
      insertAround(*Call, *Meeting);
  }
  auto derivative = [&](StringRef Which) -> Function & {
    return *runtimeFunction(M, Unit, (Name + Twine(".") + Which).str());
  };
  given::setGradient(*Meeting, derivative("augmented"), derivative("reverse"));
  given::setForward(*Meeting, derivative("forward"));
  given::setExchange(*Meeting);
  given::setExchanging(*Meeting, given::Exchanging::Each,
                       runtimeFunction(M, Unit, "adze.mpi.direction"));
  return IsNew;
}

} // namespace adze::mpi
