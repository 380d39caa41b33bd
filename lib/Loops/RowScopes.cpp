// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/RowScopes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace adze {

static constexpr const char *DomainName = "adze.rows";

MDNode *makeRowScope(LLVMContext &Context) {
  MDBuilder MD(Context);
  return MD.createAnonymousAliasScope(
      MD.createAnonymousAliasScopeDomain(DomainName));
}

static bool isRowScope(const MDNode *Scope) {
  const MDNode *Domain = Scope ? AliasScopeNode(Scope).getDomain() : nullptr;
  auto *Name = Domain && Domain->getNumOperands() > 1
                   ? dyn_cast<MDString>(Domain->getOperand(1))
                   : nullptr;
  return Name && Name->getString() == DomainName;
}

RowScopes::RowScopes(const Primal &P) {
  // Inlined into a loop it would hold in one iteration at a time.
  constexpr unsigned InLoop = 2;
  for (const Instruction &I : instructions(*P.F))
    if (auto *Here = dyn_cast<NoAliasScopeDeclInst>(&I))
      for (const MDOperand &Scope : Here->getScopeList()->operands())
        if (auto *Node = dyn_cast<MDNode>(Scope); isRowScope(Node))
          Declared[Node] += P.LI->getLoopFor(I.getParent()) ? InLoop : 1;
}

const MDNode *RowScopes::of(const Instruction &I) const {
  const MDNode *Scopes =
      Declared.empty() ? nullptr : I.getMetadata(LLVMContext::MD_alias_scope);
  if (!Scopes)
    return nullptr;
  for (const MDOperand &Scope : Scopes->operands())
    if (auto *Node = dyn_cast<MDNode>(Scope); Declared.lookup(Node) == 1)
      return Node;
  return nullptr;
}

} // namespace adze
