// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/AliasScopes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace adze {

namespace {

constexpr unsigned Kinds = 3;
constexpr const char *Attachment = "adze.scopes";

/// The scopes of \p F, in the order of MemoryKind; made on first use.
MDNode *scopesOf(Function &F) {
  if (MDNode *Known = F.getMetadata(Attachment))
    return Known;
  MDBuilder MDB(F.getContext());
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain(F.getName());
  SmallVector<Metadata *, Kinds> Scopes;
  for (StringRef Name : {"adze.primal", "adze.shadow", "adze.tape"})
    Scopes.push_back(MDB.createAnonymousAliasScope(Domain, Name));
  MDNode *All = MDNode::get(F.getContext(), Scopes);
  F.setMetadata(Attachment, All);
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  // One declaration each: that is what the inliner and the unroller expect.
  for (Metadata *Scope : Scopes)
    B.CreateNoAliasScopeDeclaration(MDNode::get(F.getContext(), {Scope}));
  return All;
}

void addScopes(Instruction &I, unsigned Kind, ArrayRef<Metadata *> Scopes) {
  MDNode *List = MDNode::get(I.getContext(), Scopes);
  I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind), List));
}

} // namespace

void tagAccess(Instruction &I, MemoryKind Kind) {
  if (!isa<LoadInst, StoreInst>(I))
    return;
  MDNode *All = scopesOf(*I.getFunction());
  SmallVector<Metadata *, Kinds> Own, Others;
  for (unsigned K = 0; K < Kinds; ++K)
    (K == unsigned(Kind) ? Own : Others).push_back(All->getOperand(K));
  addScopes(I, LLVMContext::MD_alias_scope, Own);
  addScopes(I, LLVMContext::MD_noalias, Others);
}

void tagRepeated(Instruction &I) {
  I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
  I.setMetadata(LLVMContext::MD_noalias, nullptr);
  tagAccess(I, MemoryKind::Primal);
}

} // namespace adze
