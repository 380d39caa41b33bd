// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Checkpoints.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze::checkpoints {

/// String attribute of a loop function: "8 0,r-r", the sizes of the regions,
/// and a letter for each argument of a step, r if Reads, and one for
/// ReadsElsewhere.
static constexpr char LayoutName[] = "adze.checkpointed";

bool isMarker(const CallBase &Call) {
  const Value *Callee = Call.getCalledOperand()->stripPointerCasts();
  auto *F = dyn_cast<Function>(Callee);
  return F && F->isDeclaration() && F->getName() == MarkerName;
}

bool describeMarker(Module &M) {
  Function *F = M.getFunction(MarkerName);
  if (!F || !F->isDeclaration())
    return false;
  for (Attribute::AttrKind Kind :
       {Attribute::NoDuplicate, Attribute::NoUnwind, Attribute::WillReturn,
        Attribute::NoFree, Attribute::NoCallback, Attribute::NoSync})
    F->addFnAttr(Kind);
  F->setOnlyAccessesInaccessibleMemory();
  for (User *U : F->users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && isMarker(*Call))
      for (Use &Arg : Call->args())
        if (Arg->getType()->isPointerTy())
          Call->addParamAttr(Call->getArgOperandNo(&Arg), Attribute::NoCapture);
  return true;
}

bool removeMarkers(Module &M) {
  Function *F = M.getFunction(MarkerName);
  if (!F || !F->isDeclaration())
    return false;
  SmallVector<CallBase *, 4> Calls;
  for (User *U : F->users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && isMarker(*Call))
      Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    if (auto *Invoke = dyn_cast<InvokeInst>(Call)) {
      BranchInst::Create(Invoke->getNormalDest(), Invoke->getIterator());
      Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
    }
    Call->eraseFromParent();
  }
  if (F->use_empty())
    F->eraseFromParent();
  return true;
}

Argument *Layout::base(unsigned Region) const {
  return Loop->getArg(StepArgs + 2 * Region);
}
Argument *Layout::bytes(unsigned Region) const {
  return Loop->getArg(StepArgs + 2 * Region + 1);
}
Argument *Layout::states() const {
  return Loop->getArg(StepArgs + 2 * Regions);
}
Argument *Layout::count() const {
  return Loop->getArg(StepArgs + 2 * Regions + 1);
}

CallInst *Layout::step() const {
  CallInst *Step = nullptr;
  for (Instruction &I : instructions(*Loop))
    if (auto *Call = dyn_cast<CallInst>(&I)) {
      if (Step)
        return nullptr;
      Step = Call;
    }
  return Step;
}

void setLayout(const Layout &L) {
  std::string Text;
  for (uint64_t Size : L.Sizes)
    Text += (Text.empty() ? "" : " ") + std::to_string(Size);
  Text += ",";
  for (bool Reads : L.Reads)
    Text += Reads ? 'r' : '-';
  Text += L.ReadsElsewhere ? 'r' : '-';
  L.Loop->addFnAttr(LayoutName, Text);
}

std::optional<Layout> layoutOf(Function &F) {
  if (!F.hasFnAttribute(LayoutName))
    return std::nullopt;
  auto [Sizes, Reads] =
      F.getFnAttribute(LayoutName).getValueAsString().split(',');
  Layout L;
  L.Loop = &F;
  if (Reads.empty())
    return std::nullopt;
  SmallVector<StringRef, 8> Each;
  Sizes.split(Each, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Size : Each)
    if (Size.getAsInteger(10, L.Sizes.emplace_back()))
      return std::nullopt;
  L.Regions = L.Sizes.size();
  for (char C : Reads.drop_back())
    L.Reads.push_back(C == 'r');
  L.ReadsElsewhere = Reads.back() == 'r';
  L.StepArgs = L.Reads.size();
  if (F.arg_size() != L.StepArgs + 2 * L.Regions + 2)
    return std::nullopt;
  return L;
}

} // namespace adze::checkpoints
