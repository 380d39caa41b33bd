// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of library functions for which Adze has a body (LibraryBodies.c) become
// calls of that, in the canonical clone alone: the program's own calls stay as
// they are.
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

/// LibraryBodies.c as bitcode: made while the plugin is built.
extern const unsigned char BodiesBitcode[];
extern const unsigned long BodiesBitcodeSize;

static std::string nameOf(const LibraryBody &Body) {
  return std::string("adze.") + Body.Name;
}

/// For any target with pointers of 64 bits: the code asks nothing else of it.
/// What a function pointer is called for decides on an order, and numbers have
/// no derivative.
static void makePortable(Module &Bodies, const Module &For) {
  Bodies.setDataLayout(For.getDataLayout());
  Bodies.setTargetTriple(For.getTargetTriple());
  for (const char *Name : {"llvm.module.flags", "llvm.ident"})
    if (NamedMDNode *Node = Bodies.getNamedMetadata(Name))
      Node->eraseFromParent();
  for (Function &F : Bodies) {
    AttributeMask Texts;
    for (Attribute A : F.getAttributes().getFnAttrs())
      if (A.isStringAttribute())
        Texts.addAttribute(A.getKindAsString());
    F.removeFnAttrs(Texts);
    if (F.isDeclaration())
      continue;
    F.setName("adze." + F.getName());
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isIndirectCall())
        Call->addFnAttr(Attribute::get(F.getContext(), declared::Inactive));
  }
}

static void addBodies(Module &M) {
  StringRef Code(reinterpret_cast<const char *>(BodiesBitcode),
                 BodiesBitcodeSize);
  Expected<std::unique_ptr<Module>> Bodies =
      parseBitcodeFile(MemoryBufferRef(Code, "adze.bodies"), M.getContext());
  // The bitcode is a constant, of the LLVM that the plugin is built for. If it
  // could not be read, the functions would be refused as without body, by name.
  if (!Bodies) {
    consumeError(Bodies.takeError());
    return;
  }
  makePortable(**Bodies, M);
  std::vector<std::string> Defined;
  for (Function &F : **Bodies)
    if (!F.isDeclaration())
      Defined.push_back(F.getName().str());
  Linker::linkModules(M, std::move(*Bodies));
  for (const std::string &Name : Defined)
    if (Function *F = M.getFunction(Name))
      F->setLinkage(GlobalValue::InternalLinkage);
}

/// The body for \p Call, or null where the program's function of that name
/// takes and returns something else.
static Function *bodyFor(CallBase &Call, const LibraryBody &Body) {
  Module &M = *Call.getModule();
  if (M.getDataLayout().getPointerSize() != 8)
    return nullptr;
  if (!M.getFunction(nameOf(Body)))
    addBodies(M);
  Function *F = M.getFunction(nameOf(Body));
  if (!F || F->isDeclaration() ||
      F->getFunctionType() != Call.getFunctionType())
    return nullptr;
  return F;
}

bool giveBodies(Function &F) {
  SmallVector<std::pair<CallBase *, const LibraryBody *>, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (const LibraryBody *Body = libraryBodyOf(*Call))
        Calls.push_back({Call, Body});
  bool Changed = false;
  for (auto [Call, Body] : Calls) {
    Function *Ours = bodyFor(*Call, *Body);
    if (!Ours)
      continue;
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
