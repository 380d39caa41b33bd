// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Checkpoints.h"
#include "adze/OwnFunction.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze::checkpoints {

/// String attribute of a loop function: "2:5:8:p 9:10:0:n,r-r,i-t,k", the
/// regions; a letter for each argument of a step, Reads, and ReadsElsewhere; i
/// for each that is Inside, and t for Tracks; k for KnowsCount.
static constexpr char LayoutName[] = "adze.checkpointed";

/// The functions that programs call.
static constexpr StringLiteral ByStates = "adze_checkpoint",
                               ByMemory = "adze_checkpoint_memory",
                               WithDisk = "adze_checkpoint_disk";
static constexpr StringLiteral MarkerNames[] = {ByStates, ByMemory, WithDisk};

static const Function *markerOf(const CallBase &Call) {
  const Value *Callee = Call.getCalledOperand()->stripPointerCasts();
  auto *F = dyn_cast<Function>(Callee);
  return F && F->isDeclaration() && is_contained(MarkerNames, F->getName())
             ? F
             : nullptr;
}

bool isMarker(const CallBase &Call) { return markerOf(Call); }

MarkerForm formOf(const CallBase &Marker) {
  const StringRef Name = markerOf(Marker)->getName();
  const bool Disk = Name == WithDisk;
  return {Name == ByMemory, Disk, Disk ? 2u : 1u};
}

bool isOfStates(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  return F && isOwn(*F) && F->getName().starts_with("adze.checkpoint.");
}

static constexpr char ForwardName[] = "adze.checkpointed.forward";

void markForward(Function &F) { F.addFnAttr(ForwardName); }

bool isForward(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  return F && F->hasFnAttribute(ForwardName);
}

static bool describe(Function *F) {
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

bool describeMarkers(Module &M) {
  bool Any = false;
  for (StringRef Name : MarkerNames)
    Any |= describe(M.getFunction(Name));
  return Any;
}

static bool removeCalls(Function *F) {
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

bool removeMarkers(Module &M) {
  bool Any = false;
  for (StringRef Name : MarkerNames)
    Any |= removeCalls(M.getFunction(Name));
  return Any;
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
  for (const Layout::Region &R : L.Regions)
    Text +=
        (Twine(Text.empty() ? "" : " ") + Twine(R.Base) + ":" + Twine(R.Bytes) +
         ":" + Twine(R.Size) + ":" + Twine(char(R.Pointers)))
            .str();
  Text += ",";
  for (Layout::Reading Reads : L.Reads)
    Text += char(Reads);
  Text += char(L.ReadsElsewhere);
  Text += ",";
  for (bool Inside : L.Inside)
    Text += Inside ? 'i' : '-';
  Text += L.Tracks ? 't' : '-';
  Text += L.KnowsCount ? ",k" : ",-";
  L.Loop->addFnAttr(LayoutName, Text);
}

std::optional<Layout> layoutOf(Function &F) {
  if (!F.hasFnAttribute(LayoutName))
    return std::nullopt;
  auto [Regions, Letters] =
      F.getFnAttribute(LayoutName).getValueAsString().split(',');
  auto [Reads, More] = Letters.split(',');
  auto [Inside, Count] = More.split(',');
  Layout L;
  L.Loop = &F;
  SmallVector<StringRef, 8> Each;
  Regions.split(Each, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Text : Each) {
    Layout::Region R;
    auto [Base, Rest] = Text.split(':');
    auto [Bytes, More] = Rest.split(':');
    auto [Size, Content] = More.split(':');
    if (Base.getAsInteger(10, R.Base) || Bytes.getAsInteger(10, R.Bytes) ||
        Size.getAsInteger(10, R.Size) || R.Base >= F.arg_size() ||
        R.Bytes >= F.arg_size() || Content.size() != 1)
      return std::nullopt;
    R.Pointers = Layout::Region::Content(Content.front());
    L.Regions.push_back(R);
  }
  if (Reads.empty() || Inside.size() != Reads.size())
    return std::nullopt;
  for (char C : Reads.drop_back())
    L.Reads.push_back(Layout::Reading(C));
  L.ReadsElsewhere = Layout::Reading(Reads.back());
  for (char C : Inside.drop_back())
    L.Inside.push_back(C == 'i');
  L.Tracks = Inside.back() == 't';
  L.KnowsCount = Count == "k";
  L.StepArgs = L.Reads.size();
  if (F.arg_size() < Layout::FirstStepArg + L.StepArgs)
    return std::nullopt;
  return L;
}

} // namespace adze::checkpoints
