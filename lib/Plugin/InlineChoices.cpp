// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plugin/InlineChoices.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace {

/// Of a function as the front end makes it, with variables for parameters.
constexpr unsigned MaxInstructions = 24;

/// Looks at what is given and returns one of the pointers.
bool isChoice(const Function &F) {
  auto isPointer = [](Type *Ty) { return Ty->isPointerTy(); };
  if (F.isDeclaration() || F.isInterposable() || F.isVarArg() ||
      F.hasFnAttribute(Attribute::NoInline) || F.hasOptNone() ||
      F.arg_size() < 2 || !isPointer(F.getReturnType()) ||
      !all_of(F.getFunctionType()->params(), isPointer) ||
      F.getInstructionCount() > MaxInstructions)
    return false;
  return all_of(instructions(F), [&](const Instruction &I) {
    if (auto *Call = dyn_cast<CallBase>(&I))
      return isa<DbgInfoIntrinsic>(Call);
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return isa<AllocaInst>(Store->getPointerOperand());
    return !isa<GetElementPtrInst, CastInst>(I);
  });
}

/// The one use of \p Call, a load of an integer.
LoadInst *readOf(CallBase &Call) {
  auto *Read =
      Call.hasOneUse() ? dyn_cast<LoadInst>(*Call.user_begin()) : nullptr;
  return Read && Read->isSimple() && Read->getType()->isIntegerTy() ? Read
                                                                    : nullptr;
}

/// Where \p Read is that of a pointer that is joined in its block: the number
/// is joined instead.
void joinNumbers(LoadInst &Read) {
  auto *Joined = dyn_cast<PHINode>(Read.getPointerOperand());
  if (!Joined || Joined->getParent() != Read.getParent() ||
      !Joined->hasOneUse() ||
      any_of(make_range(Joined->getParent()->begin(), Read.getIterator()),
             [](const Instruction &I) { return I.mayWriteToMemory(); }))
    return;
  PHINode *New = IRBuilder<>(Joined).CreatePHI(
      Read.getType(), Joined->getNumIncomingValues(), Read.getName());
  for (auto [From, Block] :
       zip_equal(Joined->incoming_values(), Joined->blocks()))
    New->addIncoming(
        IRBuilder<>(Block->getTerminator())
            .CreateAlignedLoad(Read.getType(), From, Read.getAlign()),
        Block);
  Read.replaceAllUsesWith(New);
  Read.eraseFromParent();
  Joined->eraseFromParent();
}

} // namespace

bool adze::inlineChoices(Function &F) {
  SmallVector<std::pair<CallBase *, LoadInst *>, 8> Calls;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee == &F || Call->isNoInline() || !isChoice(*Callee))
      continue;
    if (LoadInst *Read = readOf(*Call))
      Calls.push_back({Call, Read});
  }
  for (auto [Call, Read] : Calls) {
    InlineFunctionInfo Inlined;
    if (!InlineFunction(*Call, Inlined).isSuccess())
      continue;
    erase_if(Inlined.StaticAllocas,
             [](const AllocaInst *A) { return !isAllocaPromotable(A); });
    DominatorTree DT(F);
    PromoteMemToReg(Inlined.StaticAllocas, DT);
    joinNumbers(*Read);
  }
  return !Calls.empty();
}
