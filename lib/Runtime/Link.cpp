// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/OwnFunction.h"
#include "adze/Runtime.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>

using namespace llvm;

namespace adze {

/// What the name of \p G is in programs.
static std::string nameInPrograms(const GlobalValue &G,
                                  const RuntimeUnit &Unit) {
  StringRef Name = G.getName();
  if (G.hasLocalLinkage())
    return ("adze." + Twine(Unit.Name) + "." + Name).str();
  if (!Name.starts_with("adze_"))
    return G.isDeclaration() ? Name.str() : ("adze." + Name).str();
  std::string Dotted = Name.str();
  std::replace(Dotted.begin(), Dotted.end(), '_', '.');
  return Dotted;
}

/// Nothing of the machine on which the plugin was built.
static void makePortable(Module &Runtime, const Module &For) {
  Runtime.setDataLayout(For.getDataLayout());
  Runtime.setTargetTriple(For.getTargetTriple());
  for (const char *Name : {"llvm.module.flags", "llvm.ident"})
    if (NamedMDNode *Node = Runtime.getNamedMetadata(Name))
      Node->eraseFromParent();
  for (Function &F : Runtime) {
    AttributeMask Texts;
    for (Attribute A : F.getAttributes().getFnAttrs())
      if (A.isStringAttribute() && A.getKindAsString() != "alloc-family")
        Texts.addAttribute(A.getKindAsString());
    F.removeFnAttrs(Texts);
  }
}

/// What is weak in C is one for all files of a program that have it.
static void shareWeak(Module &Runtime) {
  for (GlobalValue &G : Runtime.global_values())
    if (!G.isDeclaration() && G.hasWeakLinkage())
      G.setLinkage(GlobalValue::LinkOnceODRLinkage);
}

/// To optimize what runs rarely would take longer than most derivatives do.
static void leaveRareAsItIs(Module &Runtime) {
  for (Function &F : Runtime)
    if (!F.isDeclaration() && F.hasFnAttribute(Attribute::Cold)) {
      F.removeFnAttr(Attribute::OptimizeForSize); // the two exclude each other
      F.addFnAttr(Attribute::OptimizeNone);
      F.addFnAttr(Attribute::NoInline);
    }
}

std::unique_ptr<Module> loadRuntime(const RuntimeUnit &Unit,
                                    const Module &For) {
  StringRef Code(reinterpret_cast<const char *>(Unit.Bitcode), *Unit.Size);
  // A function's code is read when the linker takes it.
  Expected<std::unique_ptr<Module>> Runtime =
      getLazyBitcodeModule(MemoryBufferRef(Code, Unit.Name), For.getContext());
  // The bitcode is a constant. If it could not be read, the functions would be
  // missed by the program's linker, by name.
  if (!Runtime) {
    consumeError(Runtime.takeError());
    return nullptr;
  }
  for (GlobalValue &G : (*Runtime)->global_values())
    if (auto *F = dyn_cast<Function>(&G); !F || !F->isIntrinsic())
      G.setName(nameInPrograms(G, Unit));
  makePortable(**Runtime, For);
  for (Function &F : **Runtime)
    if (F.getName().starts_with("adze."))
      markOwn(F);
  shareWeak(**Runtime);
  leaveRareAsItIs(**Runtime);
  return std::move(*Runtime);
}

namespace {

/// Links \p Runtime into \p M, all that \p Name needs. What \p M has of it
/// already stays and is used instead: functions that were inlined everywhere
/// are gone from \p M, but an allocator is not, and a second one beside would
/// take the name from the first, by which the rules know it while derivatives
/// of its callers are made.
void linkNeeded(Module &M, std::unique_ptr<Module> Runtime, StringRef Name) {
  std::vector<GlobalValue *> Shared;
  std::vector<std::string> Ours;
  for (GlobalValue &G : Runtime->global_values()) {
    if (!G.getName().starts_with("adze."))
      continue;
    GlobalValue *Here = M.getNamedValue(G.getName());
    const bool HasIt = Here && !Here->isDeclaration();
    if (HasIt && Here->hasLocalLinkage()) {
      // The linker takes two names for one where neither is internal.
      Here->setLinkage(GlobalValue::ExternalLinkage);
      Shared.push_back(Here);
      if (auto *F = dyn_cast<Function>(&G))
        F->deleteBody();
      else if (auto *V = dyn_cast<GlobalVariable>(&G))
        V->setInitializer(nullptr);
      G.setLinkage(GlobalValue::ExternalLinkage);
    } else if (!HasIt && !G.isDeclaration() && !G.hasLinkOnceLinkage()) {
      Ours.push_back(G.getName().str());
    }
  }
  if (const Function *F = Runtime->getFunction(Name))
    M.getOrInsertFunction(Name, F->getFunctionType(), F->getAttributes());
  Linker::linkModules(M, std::move(Runtime), Linker::LinkOnlyNeeded);
  for (const std::string &G : Ours)
    if (GlobalValue *Linked = M.getNamedValue(G);
        Linked && !Linked->isDeclaration())
      Linked->setLinkage(GlobalValue::InternalLinkage);
  for (GlobalValue *G : Shared)
    G->setLinkage(GlobalValue::InternalLinkage);
}

} // namespace

Function *runtimeFunction(Module &M, const RuntimeUnit &Unit, StringRef Name,
                          function_ref<void(Module &)> Adapt) {
  if (Function *F = M.getFunction(Name))
    return F;
  if (std::unique_ptr<Module> Runtime = loadRuntime(Unit, M)) {
    if (Adapt) {
      // Which may look at code. (A constant that was read in part can be read.)
      consumeError(Runtime->materializeAll());
      Adapt(*Runtime);
    }
    linkNeeded(M, std::move(Runtime), Name);
  }
  // All units may stop the program.
  constexpr const char *StopName = "adze.stop";
  if (Function *Stop = M.getFunction(StopName);
      Stop && Stop->isDeclaration() && Name != StopName)
    if (std::unique_ptr<Module> Runtime = loadRuntime(StopUnit, M))
      linkNeeded(M, std::move(Runtime), StopName);
  return M.getFunction(Name);
}

void keepRuntimeState(Module &M) {
  for (const RuntimeUnit *Unit :
       {&DeferredFreesUnit, &KeptBlocksUnit, &ExceptionShadowsUnit}) {
    if (!M.getNamedGlobal(Unit->State))
      continue;
    std::unique_ptr<Module> Runtime = loadRuntime(*Unit, M);
    if (!Runtime)
      continue;
    for (const GlobalValue &G : Runtime->global_values())
      if (GlobalValue *Here = M.getNamedValue(G.getName());
          Here && Here->hasLocalLinkage())
        Here->setName(G.getName() + ".inner");
  }
}

} // namespace adze
