// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings the functions of TapeRuntime.cpp into a module at first use.
#include "TapeIO.h"
#include "TapeRuntime.h"
#include "adze/RuntimeStop.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace adze {

namespace {

/// The text as a module of its own. The parser needs the names of values,
/// which a compiler's context drops otherwise.
std::unique_ptr<Module> parseRuntime(const Module &For) {
  LLVMContext &C = For.getContext();
  bool DropsNames = C.shouldDiscardValueNames();
  C.setDiscardValueNames(false);
  SMDiagnostic Error;
  std::unique_ptr<Module> Parsed =
      parseAssemblyString(tapeRuntime(Triple(For.getTargetTriple())), Error, C);
  C.setDiscardValueNames(DropsNames);
  return Parsed;
}

/// What the runtime calls where it cannot go on.
void defineStop(Module &M, StringRef Name, StringRef Reason) {
  Function *F = M.getFunction(Name);
  if (!F || !F->isDeclaration())
    return;
  F->setLinkage(GlobalValue::InternalLinkage);
  F->addFnAttr(Attribute::Cold);
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::NoReturn);
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  emitRuntimeStop(B, Reason);
  B.CreateUnreachable();
}

/// What \p M has of the runtime already stays, and \p Runtime uses it: helpers
/// that were inlined everywhere are gone from \p M, but its allocator is not.
/// A second one beside would take the name from the first, by which the rules
/// know it while derivatives of its callers are made. Returns what is external
/// until the modules are linked.
std::vector<GlobalValue *> share(Module &M, Module &Runtime) {
  std::vector<GlobalValue *> Shared;
  for (GlobalValue &G : Runtime.global_values()) {
    GlobalValue *Here = M.getNamedValue(G.getName());
    if (!Here || !Here->hasLocalLinkage() || Here->isDeclaration())
      continue;
    Here->setLinkage(GlobalValue::ExternalLinkage);
    Shared.push_back(Here);
    if (auto *F = dyn_cast<Function>(&G))
      F->deleteBody();
    else if (auto *V = dyn_cast<GlobalVariable>(&G))
      V->setInitializer(nullptr);
    G.setLinkage(GlobalValue::ExternalLinkage);
  }
  return Shared;
}

/// The function \p Name of the runtime, which \p M gets if it lacks it.
Function *function(Module &M, StringRef Name, FunctionType *Ty) {
  if (Function *F = M.getFunction(Name))
    return F;
  // The text is a constant and parses; if it did not, the function would be
  // missed by the linker, by name.
  if (std::unique_ptr<Module> Runtime = parseRuntime(M)) {
    Runtime->setDataLayout(M.getDataLayout());
    Runtime->setTargetTriple(M.getTargetTriple());
    std::vector<GlobalValue *> Shared = share(M, *Runtime);
    std::vector<std::string> Defined;
    for (const GlobalValue &G : Runtime->global_values())
      if (!G.isDeclaration())
        Defined.push_back(G.getName().str());
    Linker::linkModules(M, std::move(Runtime));
    for (const std::string &Ours : Defined)
      if (GlobalValue *G = M.getNamedValue(Ours))
        G->setLinkage(GlobalValue::InternalLinkage);
    for (GlobalValue *G : Shared)
      G->setLinkage(GlobalValue::InternalLinkage);
    defineStop(M, TapeExhaustedName,
               "out of memory for the tape of a derivative");
    defineStop(M, TapeTooBigName,
               "the tape of a derivative is larger than memory can be");
  }
  return cast<Function>(M.getOrInsertFunction(Name, Ty).getCallee());
}

} // namespace

Function *tapeAllocFunction(Module &M) {
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Type *I64 = Type::getInt64Ty(M.getContext());
  return function(M, TapeAllocName, FunctionType::get(Ptr, {I64}, false));
}

Function *tapeFreeFunction(Module &M) {
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Type *Void = Type::getVoidTy(M.getContext());
  return function(M, TapeFreeName, FunctionType::get(Void, {Ptr}, false));
}

Function *growFunction(Module &M) {
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Type *I64 = Type::getInt64Ty(M.getContext());
  return function(M, TapeGrowName,
                  FunctionType::get(Ptr, {Ptr, I64, I64}, false));
}

Function *shrinkFunction(Module &M) {
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Type *I64 = Type::getInt64Ty(M.getContext());
  Type *I1 = Type::getInt1Ty(M.getContext());
  return function(M, TapeShrinkName,
                  FunctionType::get(Ptr, {Ptr, I64, I64, I1}, false));
}

} // namespace adze
