// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Launches.h"
#include "adze/GivenDerivatives.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze::launches {

static constexpr char StubPrefix[] = "__device_stub__";
static constexpr StringRef LaunchFunctions[] = {
    "cudaLaunchKernel", "cudaLaunchKernel_ptsz", "hipLaunchKernel",
    "hipLaunchKernel_spt"};

static bool isLaunch(const Function &Callee) {
  return is_contained(LaunchFunctions, Callee.getName());
}

/// \p F launches the kernel of which it is the stub.
static bool isStub(const Function &F) {
  return !F.isDeclaration() && F.getName().contains(StubPrefix) &&
         any_of(instructions(F), [](const Instruction &I) {
           auto *Call = dyn_cast<CallBase>(&I);
           const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
           return Callee && isLaunch(*Callee);
         });
}

bool keepStubs(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (isStub(F) && !F.hasFnAttribute(Attribute::NoInline)) {
      F.removeFnAttr(Attribute::AlwaysInline);
      F.addFnAttr(Attribute::NoInline);
      Changed = true;
    }
  return Changed;
}

std::string kernelOf(const Function &F) {
  if (!isStub(F))
    return "";
  std::string Name = demangle(F.getName());
  if (size_t At = Name.find(StubPrefix); At != std::string::npos)
    Name.erase(At, sizeof(StubPrefix) - 1);
  return Name.substr(0, Name.find('('));
}

StringRef interfaceOf(const Function &F) {
  StringRef Name = F.getName();
  Name.consume_front("__");
  for (auto [Prefix, Interface] :
       {std::pair<StringRef, StringRef>{"cuda", "CUDA"},
        {"cublas", "cuBLAS"},
        {"cu", "CUDA"},
        {"hip", "HIP"}})
    if (StringRef Rest = Name;
        Rest.consume_front(Prefix) && !Rest.empty() && isUpper(Rest.front()))
      return Interface;
  return "";
}

static bool isUnknown(const CallBase &Call, const Function &Callee) {
  if (isDeclaredInactive(Call) || given::hasAny(Callee))
    return false;
  if (Callee.isDeclaration())
    return !interfaceOf(Callee).empty() && !lookupKnown(Call);
  return isStub(Callee);
}

/// The first call in \p F, and in what it calls and that is differentiated, for
/// which \p Is is true.
static DeviceCall
firstCallIn(const Function &F,
            function_ref<bool(const CallBase &, const Function &)> Is) {
  SmallSetVector<const Function *, 8> Reached;
  Reached.insert(&F);
  for (unsigned K = 0; K < Reached.size(); ++K)
    for (const Instruction &I : instructions(*Reached[K])) {
      auto *Call = dyn_cast<CallBase>(&I);
      auto *Callee = Call ? dyn_cast<Function>(
                                Call->getCalledOperand()->stripPointerCasts())
                          : nullptr;
      if (!Callee)
        continue;
      if (Is(*Call, *Callee))
        return {Call, Callee};
      if (!isDeclaredInactive(*Call) && !given::hasAny(*Callee) &&
          !lookupKnown(*Call))
        Reached.insert(Callee);
    }
  return {};
}

/// A call of \p Callee has a derivative that the header gives.
static bool isGiven(const CallBase &, const Function &Callee) {
  return given::hasAny(Callee) &&
         (isStub(Callee) || !interfaceOf(Callee).empty());
}

bool usesDevice(const Function &F) { return firstCallIn(F, isGiven).Call; }

DeviceCall unknownCallIn(const Function &F) {
  DeviceCall Launch =
      firstCallIn(F, [](const CallBase &Call, const Function &Callee) {
        return (isStub(Callee) || isLaunch(Callee)) && isUnknown(Call, Callee);
      });
  // Functions of the program may have such names.
  return Launch.Call || !usesDevice(F) ? Launch : firstCallIn(F, isUnknown);
}

} // namespace adze::launches
