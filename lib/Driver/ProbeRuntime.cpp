// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProbeRuntime.h"
#include "adze/RuntimeStop.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace adze {

/// ProbeRuntime.c as bitcode: made while the plugin is built.
extern const unsigned char ProbeBitcode[];
extern const unsigned long ProbeBitcodeSize;

namespace {

constexpr const char *NoMemory = "adze.probe_no_memory";

/// For any target with pointers of 64 bits: the code asks nothing else of it.
void makePortable(Module &Runtime, const Module &For) {
  Runtime.setDataLayout(For.getDataLayout());
  Runtime.setTargetTriple(For.getTargetTriple());
  for (const char *Name : {"llvm.module.flags", "llvm.ident"})
    if (NamedMDNode *Node = Runtime.getNamedMetadata(Name))
      Node->eraseFromParent();
  for (Function &F : Runtime) {
    AttributeMask Texts;
    for (Attribute A : F.getAttributes().getFnAttrs())
      if (A.isStringAttribute())
        Texts.addAttribute(A.getKindAsString());
    F.removeFnAttrs(Texts);
    if (F.getName().starts_with("probe_"))
      F.setName("adze." + F.getName());
  }
}

void addRuntime(Module &M) {
  StringRef Code(reinterpret_cast<const char *>(ProbeBitcode),
                 ProbeBitcodeSize);
  Expected<std::unique_ptr<Module>> Runtime =
      parseBitcodeFile(MemoryBufferRef(Code, "adze.probe"), M.getContext());
  // The bitcode is a constant, of the LLVM that the plugin is built for. If it
  // could not be read, the functions would be missed by the linker, by name.
  if (!Runtime) {
    consumeError(Runtime.takeError());
    return;
  }
  makePortable(**Runtime, M);
  std::vector<std::string> Defined;
  for (GlobalValue &G : (*Runtime)->global_values()) {
    if (G.isDeclaration())
      continue;
    if (!G.getName().starts_with("adze."))
      G.setName("adze.probe." + G.getName());
    Defined.push_back(G.getName().str());
  }
  Linker::linkModules(M, std::move(*Runtime));
  for (const std::string &Ours : Defined)
    if (GlobalValue *G = M.getNamedValue(Ours))
      G->setLinkage(GlobalValue::InternalLinkage);
  Function *F = M.getFunction(NoMemory);
  if (!F || !F->isDeclaration())
    return;
  F->setLinkage(GlobalValue::InternalLinkage);
  F->addFnAttr(Attribute::Cold);
  F->addFnAttr(Attribute::NoInline);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  emitRuntimeStop(B, "out of memory for the check of a derivative");
  B.CreateUnreachable();
}

} // namespace

ProbeRuntime probeRuntime(Module &M) {
  if (!M.getFunction("adze.probe_begin"))
    addRuntime(M);
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *Void = Type::getVoidTy(C);
  Type *I32 = Type::getInt32Ty(C), *I64 = Type::getInt64Ty(C);
  auto function = [&](StringRef Name, Type *Ret, ArrayRef<Type *> Params) {
    return cast<Function>(
        M.getOrInsertFunction(("adze." + Name).str(),
                              FunctionType::get(Ret, Params, false))
            .getCallee());
  };
  ProbeRuntime R;
  R.Begin = function("probe_begin", Ptr, {Ptr, Ptr, Ptr, Ptr, Ptr});
  R.End = function("probe_end", Void, {Ptr, Ptr});
  R.At = function("probe_at", Ptr, {Ptr, I32, Ptr, I64, I32});
  R.Stopped = function("probe_stopped", Void, {Ptr});
  return R;
}

} // namespace adze
