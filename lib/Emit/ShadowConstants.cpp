// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ShadowConstants.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

constexpr const char *Suffix = ".adze.shadow";

GlobalVariable *shadowGlobal(GlobalVariable *G, Module &M,
                             SmallVectorImpl<GlobalVariable *> &New) {
  std::string Name = (G->getName() + Suffix).str();
  if (GlobalVariable *Old = M.getNamedGlobal(Name))
    return Old;
  // Weak globals of several files are one variable; so are their shadows.
  GlobalValue::LinkageTypes Linkage =
      G->hasLocalLinkage() ? GlobalValue::InternalLinkage
                           : GlobalValue::LinkOnceODRLinkage;
  auto *Shadow = new GlobalVariable(
      M, G->getValueType(), false, Linkage,
      Constant::getNullValue(G->getValueType()), Name, G,
      G->getThreadLocalMode(), G->getAddressSpace());
  Shadow->setAlignment(G->getAlign());
  if (!G->hasLocalLinkage())
    Shadow->setVisibility(G->getVisibility());
  New.push_back(G);
  return Shadow;
}

/// The shadow of \p C; with \p Content, floats and integers of an initializer
/// become zero, as tangents and adjoints start. Constants are trees of small
/// depth below the globals, which are followed by a worklist instead.
Constant *shadowOf(Constant *C, Module &M, bool Content,
                   SmallVectorImpl<GlobalVariable *> &New) {
  if (auto *G = dyn_cast<GlobalVariable>(C))
    return G->getName().ends_with(Suffix) ? G : shadowGlobal(G, M, New);
  if (isa<GlobalValue>(C))
    return C;
  if (isa<ConstantFP>(C) || isa<ConstantInt>(C) || isa<ConstantData>(C))
    return Content ? Constant::getNullValue(C->getType()) : C;
  SmallVector<Constant *, 8> Operands;
  for (Use &U : C->operands())
    Operands.push_back(
        shadowOf(cast<Constant>(U.get()), M,
                 Content && !isa<ConstantExpr>(C), New));
  if (auto *E = dyn_cast<ConstantExpr>(C))
    return E->getWithOperands(Operands);
  if (auto *S = dyn_cast<ConstantStruct>(C))
    return ConstantStruct::get(S->getType(), Operands);
  if (auto *A = dyn_cast<ConstantArray>(C))
    return ConstantArray::get(A->getType(), Operands);
  if (isa<ConstantVector>(C))
    return ConstantVector::get(Operands);
  return C;
}

} // namespace

Constant *shadowOfConstant(Constant *C, Module &M) {
  SmallVector<GlobalVariable *, 4> New;
  Constant *Shadow = shadowOf(C, M, false, New);
  while (!New.empty()) {
    GlobalVariable *G = New.pop_back_val();
    if (!G->hasInitializer())
      continue;
    Constant *Initial = shadowOf(G->getInitializer(), M, true, New);
    M.getNamedGlobal((G->getName() + Suffix).str())->setInitializer(Initial);
  }
  return Shadow;
}

} // namespace adze
