// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/AliasScopes.h"
#include "adze/AtomicSum.h"
#include "adze/Facts.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace adze {

namespace {

constexpr unsigned Kinds = 3;
constexpr const char *KindScopes = "adze.scopes";
constexpr const char *ArgumentScopes = "adze.arguments";
constexpr const char *ApartScopes = "adze.apart";
constexpr const char *CopyScopes = "adze.copies";
constexpr const char *DirectionScopes = "adze.directions";
constexpr const char *ShadowScope = "adze.shadow";
constexpr const char *DirectionNumber = "adze.direction";

/// The scopes of \p F under this name; made on first use.
MDNode *scopesOf(Function &F, StringRef Attachment,
                 function_ref<SmallVector<std::string, 4>()> Names) {
  if (MDNode *Known = F.getMetadata(Attachment))
    return Known;
  MDBuilder MDB(F.getContext());
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain(F.getName());
  SmallVector<Metadata *, 4> Scopes;
  for (const std::string &Name : Names())
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

/// Through what the primal makes an access.
struct Through {
  const Argument *Exclusive = nullptr;
  bool Known = false;
};

Through findObject(const Value *Ptr, const Facts &F) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Ptr, Objects, F.P->LI.get());
  Through Result;
  for (const Value *Object : Objects) {
    auto *Arg = dyn_cast<Argument>(Object);
    if (Arg && isExclusive(*Arg, F.R)) {
      if (Objects.size() > 1) // or something else: nothing is known
        return {};
      Result.Exclusive = Arg;
    } else if (!Arg && !isIdentifiedObject(Object)) {
      return {};
    }
  }
  Result.Known = true;
  return Result;
}

/// Whenever the primal runs \p I, and returns, it stores to this place.
bool isWritten(const Instruction &I, const Facts &F) {
  if (isa<StoreInst>(I))
    return true;
  constexpr unsigned MaxUsers = 64;
  unsigned Seen = 0;
  for (const User *U : getLoadStorePointerOperand(&I)->users()) {
    if (++Seen > MaxUsers)
      return false;
    auto *Store = dyn_cast<StoreInst>(U);
    if (Store && Store->getPointerOperand() == getLoadStorePointerOperand(&I) &&
        Store->getValueOperand()->getType() == I.getType() &&
        F.P->DT->dominates(Store->getParent(), I.getParent()))
      return true;
  }
  return false;
}

/// The arguments of which the caller knows that they lead elsewhere than some
/// other one.
SmallVector<const Argument *, 4> argumentsApart(const Facts &F) {
  SmallVector<const Argument *, 4> Found;
  if (F.R.Pairs.empty() || F.R.RuntimeActivity)
    return Found;
  auto areApart = [&](const Argument &A, const Argument &B) {
    return &A != &B &&
           F.R.Pairs.of(A.getArgNo(), B.getArgNo()) == AddressPair::Apart;
  };
  for (const Argument &A : F.P->F->args())
    if (any_of(F.P->F->args(),
               [&](const Argument &B) { return areApart(A, B); }))
      Found.push_back(&A);
  return Found;
}

/// What leads into different objects has shadows in different objects.
void tagApart(Instruction &I, const Instruction &Mirrored, const Facts &F) {
  const auto Apart = argumentsApart(F);
  if (Apart.empty())
    return;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(getLoadStorePointerOperand(&Mirrored), Objects,
                       /*LI=*/nullptr, /*MaxLookup=*/0);
  if (!all_of(Objects, [&](const Value *V) { return is_contained(Apart, V); }))
    return;
  MDNode *All = scopesOf(*I.getFunction(), ApartScopes, [&] {
    SmallVector<std::string, 4> Names;
    for (const Argument *Arg : Apart)
      Names.push_back(("adze.apart." + Arg->getName()).str());
    return Names;
  });
  SmallVector<Metadata *, 4> Own, Others;
  for (auto [Arg, Scope] : zip(Apart, All->operands())) {
    if (is_contained(Objects, Arg))
      Own.push_back(Scope.get());
    else if (all_of(Objects, [&, Arg = Arg](const Value *V) {
               return F.R.Pairs.of(cast<Argument>(V)->getArgNo(),
                                   Arg->getArgNo()) == AddressPair::Apart;
             }))
      Others.push_back(Scope.get());
  }
  addScopes(I, LLVMContext::MD_alias_scope, Own);
  // The table of copies of pages is one for all arrays.
  if (!Others.empty() && !isSumInPages(I))
    addScopes(I, LLVMContext::MD_noalias, Others);
}

/// \p I accesses the part \p K of \p Count, which are different memory.
void tagPart(Instruction &I, unsigned K, unsigned Count, StringRef Attachment,
             StringRef Prefix) {
  if (Count < 2)
    return;
  MDNode *All = scopesOf(*I.getFunction(), Attachment, [&] {
    SmallVector<std::string, 4> Names;
    for (unsigned L = 0; L < Count; ++L)
      Names.push_back(Prefix.str() + std::to_string(L));
    return Names;
  });
  SmallVector<Metadata *, 4> Own, Others;
  for (unsigned L = 0; L < Count; ++L)
    (L == K ? Own : Others).push_back(All->getOperand(L));
  addScopes(I, LLVMContext::MD_alias_scope, Own);
  addScopes(I, LLVMContext::MD_noalias, Others);
}

} // namespace

bool isExclusive(const Argument &Arg, const Request &R) {
  if (!Arg.hasNoAliasAttr() && !Arg.hasStructRetAttr())
    return false;
  unsigned K = Arg.getArgNo();
  return !R.RuntimeActivity && !(K < R.ArgumentFlags.size() &&
                                 R.ArgumentFlags[K] & MayBeSelfShadowed);
}

void tagShadow(Instruction &I, const Instruction &Mirrored, const Facts &F) {
  tagAccess(I, MemoryKind::Shadow);
  tagApart(I, Mirrored, F);
  SmallVector<const Argument *, 4> Exclusive;
  for (const Argument &Arg : F.P->F->args())
    if (isExclusive(Arg, F.R))
      Exclusive.push_back(&Arg);
  Through Object = findObject(getLoadStorePointerOperand(&Mirrored), F);
  if (Exclusive.empty() || !Object.Known)
    return;
  MDNode *All = scopesOf(*I.getFunction(), ArgumentScopes, [&] {
    SmallVector<std::string, 4> Names{"adze.other"};
    for (const Argument *Arg : Exclusive)
      Names.push_back(("adze." + Arg->getName()).str());
    return Names;
  });
  unsigned Own = 0;
  for (unsigned K = 0; K < Exclusive.size(); ++K)
    if (Exclusive[K] == Object.Exclusive)
      Own = K + 1;
  addScopes(I, LLVMContext::MD_alias_scope, {All->getOperand(Own).get()});
  if (Own == 0 || !isWritten(Mirrored, F))
    return;
  SmallVector<Metadata *, 4> Others;
  for (unsigned K = 0; K < All->getNumOperands(); ++K)
    if (K != Own)
      Others.push_back(All->getOperand(K));
  addScopes(I, LLVMContext::MD_noalias, Others);
}

void tagDirection(Instruction &I, unsigned K, unsigned Count) {
  tagPart(I, K, Count, DirectionScopes, "adze.direction.");
}

std::optional<TaggedDirection> directionOf(const Instruction &I) {
  const std::optional<NumberedDirection> Of = numberedDirection(I);
  const MDNode *Scopes = I.getMetadata(LLVMContext::MD_alias_scope);
  if (!Of || !Scopes)
    return std::nullopt;
  const MDNode *Among = nullptr;
  for (const MDOperand &Each : Scopes->operands()) {
    const AliasScopeNode Scope(cast<MDNode>(Each));
    if (Scope.getName().split(':').first != ShadowScope)
      continue;
    if (Among) // what was put together from accesses of two derivatives
      return std::nullopt;
    Among = Scope.getDomain();
  }
  if (!Among)
    return std::nullopt;
  return TaggedDirection{Of->Number, Among};
}

void numberDirection(Instruction &I, unsigned K, unsigned Count) {
  if (Count < 2)
    return;
  LLVMContext &C = I.getContext();
  auto number = [&](unsigned N) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), N));
  };
  I.setMetadata(DirectionNumber, MDNode::get(C, {number(K), number(Count)}));
}

std::optional<NumberedDirection> numberedDirection(const Instruction &I) {
  const MDNode *Of = I.getMetadata(DirectionNumber);
  if (!Of)
    return std::nullopt;
  auto number = [&](unsigned Index) {
    return unsigned(
        mdconst::extract<ConstantInt>(Of->getOperand(Index))->getZExtValue());
  };
  return NumberedDirection{number(0), number(1)};
}

void tagCopy(Instruction &I, unsigned K, unsigned Count) {
  tagPart(I, K, Count, CopyScopes, "adze.copy.");
}

void forgetScopes(Function &F) {
  F.setMetadata(KindScopes, nullptr);
  F.setMetadata(ArgumentScopes, nullptr);
  F.setMetadata(ApartScopes, nullptr);
  F.setMetadata(CopyScopes, nullptr);
  F.setMetadata(DirectionScopes, nullptr);
}

void tagAccess(Instruction &I, MemoryKind Kind) {
  // Where a helper is inlined, its accesses get the scopes of the call.
  if (!isa<LoadInst, StoreInst>(I) && !isAtomicSumUnless(I))
    return;
  MDNode *All = scopesOf(*I.getFunction(), KindScopes, [] {
    return SmallVector<std::string, 4>{"adze.primal", ShadowScope, "adze.tape"};
  });
  SmallVector<Metadata *, Kinds> Own, Others;
  for (unsigned K = 0; K < Kinds; ++K)
    (K == unsigned(Kind) ? Own : Others).push_back(All->getOperand(K));
  addScopes(I, LLVMContext::MD_alias_scope, Own);
  addScopes(I, LLVMContext::MD_noalias, Others);
}

bool isAccessOf(const Instruction &I, MemoryKind Kind) {
  const MDNode *All = I.getFunction()->getMetadata(KindScopes);
  const MDNode *Of = I.getMetadata(LLVMContext::MD_alias_scope);
  return All && Of &&
         is_contained(Of->operands(), All->getOperand(unsigned(Kind)));
}

void tagRepeated(Instruction &I, MemoryKind Kind) {
  I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
  I.setMetadata(LLVMContext::MD_noalias, nullptr);
  tagAccess(I, Kind);
}

} // namespace adze
