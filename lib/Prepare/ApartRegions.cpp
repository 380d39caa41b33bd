// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the caller of a region knows of the addresses that it gives to it, the
// region does not: it is a function of its own. So there are copies of regions,
// one for each way in which such addresses lead to different memory, and in
// their primals the accesses say so (scopes of noalias), as those of a function
// say it that was inlined where arguments are restrict. Then no two versions
// are needed (VersionByAliasing.cpp), and what is read is not taken for
// overwritten.
//
// Of arguments that are one address in the call, such a copy uses the first
// alone: what is read by both is read, and kept, once.
//
// All else is about overwriting: two addresses that are said to be apart may
// lead to one object that nobody writes. Of sums to the shadow of that
// Sharing.h knows more.
#include "Loops/LoopAlias.h"
#include "Prepare/Stages.h"
#include "adze/InternalCopy.h"
#include "adze/Teams.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;

namespace adze {

namespace {

/// String attribute of such a copy: "k.l " for each pair of arguments that lead
/// to different memory, "k.k " for an argument by which alone its memory is
/// reached, "k=l " where argument k is used in place of l.
constexpr char ApartAttribute[] = "adze.apart";
constexpr unsigned MaxPointers = 40, MaxUses = 10000;

using Pairs = SmallSetVector<std::pair<unsigned, unsigned>, 8>;

//===----------------------------------------------------------------------===//
// The caller
//===----------------------------------------------------------------------===//

/// The objects are new, and nobody has put their addresses away.
bool areOwn(const Value *Pointer, PatientCaptureInfo &Captures) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return all_of(Objects, [&](const Value *V) {
    return (isa<AllocaInst>(V) || isNoAliasCall(V)) &&
           Captures.isNotCapturedBefore(V, nullptr, /*OrAt=*/true);
  });
}

struct GivenAddresses {
  Pairs Apart, Equal;
  std::string text() const;
};

std::string GivenAddresses::text() const {
  std::string Text;
  auto add = [&](const Pairs &All, char Is) {
    for (auto [K, L] : All)
      Text += utostr(K) + Is + utostr(L) + " ";
  };
  add(Equal, '=');
  add(Apart, '.');
  return Text;
}

GivenAddresses addressesAt(const CallBase &Call, AAResults &AA) {
  GivenAddresses All;
  Pairs &Found = All.Apart;
  SmallVector<unsigned, 8> Pointers;
  for (unsigned K = teams::RuntimeArgs; K < Call.arg_size(); ++K) {
    const Value *Given = Call.getArgOperand(K);
    if (!Given->getType()->isPointerTy())
      continue;
    auto *Same = find_if(Pointers, [&](unsigned First) {
      return Call.getArgOperand(First) == Given;
    });
    if (Same != Pointers.end())
      All.Equal.insert({*Same, K});
    else
      Pointers.push_back(K);
  }
  if (Pointers.size() > MaxPointers)
    return All;
  PatientCaptureInfo Captures;
  BatchAAResults Alias(AA, &Captures);
  for (unsigned K : Pointers) {
    bool IsAlone = areOwn(Call.getArgOperand(K), Captures);
    for (unsigned L : Pointers) {
      if (K == L)
        continue;
      const bool Is =
          Found.contains({std::min(K, L), std::max(K, L)}) ||
          Alias.alias(MemoryLocation::getBeforeOrAfter(Call.getArgOperand(K)),
                      MemoryLocation::getBeforeOrAfter(
                          Call.getArgOperand(L))) == AliasResult::NoAlias;
      if (Is)
        Found.insert({std::min(K, L), std::max(K, L)});
      IsAlone &= Is;
    }
    if (IsAlone)
      Found.insert({K, K});
  }
  return All;
}

Function *copyOf(Function &Region, const GivenAddresses &Given) {
  const std::string Text = Given.text();
  const std::string Prefix = (Region.getName() + ".apart").str();
  for (Function &F : *Region.getParent())
    if (F.getName().starts_with(Prefix) &&
        F.getFunctionType() == Region.getFunctionType() &&
        F.getFnAttribute(ApartAttribute).getValueAsString() == Text)
      return &F;
  Function *F = internalCopy(Region, Prefix);
  F->addFnAttr(ApartAttribute, Text);
  for (auto [K, L] : Given.Equal) {
    F->getArg(L)->replaceAllUsesWith(F->getArg(K));
    // What was said of one is not said of both.
    for (unsigned Number : {K, L})
      F->setAttributes(
          F->getAttributes().removeParamAttributes(F->getContext(), Number));
  }
  noteOriginal(*F, Region);
  return F;
}

/// The region of \p Call no longer uses its argument \p L, but \p K.
void passOnce(CallBase &Call, unsigned K, unsigned L) {
  if (!Call.paramHasAttr(L, Attribute::NoCapture))
    Call.removeParamAttr(K, Attribute::NoCapture);
  Call.setAttributes(
      Call.getAttributes().removeParamAttributes(Call.getContext(), L));
  Call.setArgOperand(L, ConstantPointerNull::get(cast<PointerType>(
                            Call.getArgOperand(L)->getType())));
}

//===----------------------------------------------------------------------===//
// The region
//===----------------------------------------------------------------------===//

class Scopes {
public:
  Scopes(Function &F, Pairs Apart) : F(F), Apart(std::move(Apart)) {}

  void run();

private:
  using ObjectList = SmallVector<const Value *, 4>;

  void make();
  bool isPut(const Argument &A);
  bool isApart(const Argument &A, const Value *Object);
  void say(Instruction &I);

  Function &F;
  const Pairs Apart;
  MapVector<const Argument *, MDNode *> Of;
  DenseMap<const Argument *, bool> Put;
};

void Scopes::make() {
  MDBuilder MD(F.getContext());
  MDNode *Domain = MD.createAnonymousAliasScopeDomain(F.getName());
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  for (auto [K, L] : Apart)
    for (unsigned Number : {K, L})
      if (const Argument *A = F.getArg(Number); !Of.count(A)) {
        Of[A] = MD.createAnonymousAliasScope(Domain, A->getName());
        B.CreateNoAliasScopeDeclaration(MDNode::get(F.getContext(), Of[A]));
      }
}

/// The address is put somewhere, from where it may be loaded.
bool Scopes::isPut(const Argument &A) {
  auto [It, New] = Put.try_emplace(&A, true);
  if (New)
    It->second = PointerMayBeCaptured(&A, /*ReturnCaptures=*/false,
                                      /*StoreCaptures=*/true, MaxUses);
  return It->second;
}

bool Scopes::isApart(const Argument &A, const Value *Object) {
  const unsigned K = A.getArgNo();
  if (auto *B = dyn_cast<Argument>(Object))
    return Apart.contains(
               {std::min(K, B->getArgNo()), std::max(K, B->getArgNo())}) &&
           &A != B;
  return isa<AllocaInst>(Object) || isNoAliasCall(Object) ||
         (Apart.contains({K, K}) && !isPut(A));
}

void Scopes::say(Instruction &I) {
  ObjectList Objects;
  auto add = [&](const Value *Pointer) {
    ObjectList Behind;
    getUnderlyingObjects(Pointer, Behind, /*LI=*/nullptr, /*MaxLookup=*/0);
    append_range(Objects, Behind);
  };
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    add(Pointer);
  else if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
    add(Block->getRawDest());
    if (auto *Move = dyn_cast<MemTransferInst>(Block))
      add(Move->getRawSource());
  }
  if (Objects.empty())
    return;
  SmallSetVector<Metadata *, 4> Own, NotHere;
  if (all_of(Objects, [&](const Value *V) {
        auto *A = dyn_cast<Argument>(V);
        return A && Of.count(A);
      }))
    for (const Value *V : Objects)
      Own.insert(Of[cast<Argument>(V)]);
  for (const auto &Each : Of)
    if (all_of(Objects,
               [&](const Value *V) { return isApart(*Each.first, V); }))
      NotHere.insert(Each.second);
  auto set = [&](unsigned Kind, ArrayRef<Metadata *> List) {
    if (!List.empty())
      I.setMetadata(Kind,
                    MDNode::concatenate(I.getMetadata(Kind),
                                        MDNode::get(F.getContext(), List)));
  };
  set(LLVMContext::MD_alias_scope, Own.getArrayRef());
  set(LLVMContext::MD_noalias, NotHere.getArrayRef());
}

void Scopes::run() {
  make();
  for (Instruction &I : instructions(F))
    say(I);
}

} // namespace

void specializeRegions(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<CallBase *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && teams::isTeamCall(*Call) &&
        teams::halfOf(*Call) == teams::Half::Whole && Call->getCalledFunction())
      Calls.push_back(Call);
  if (Calls.empty())
    return;
  FAM.invalidate(F, PreservedAnalyses::none());
  auto &AA = FAM.getResult<AAManager>(F);
  for (CallBase *Call : Calls) {
    Function &Region = *Call->getCalledFunction();
    if (Region.hasFnAttribute(ApartAttribute) || Region.isDeclaration())
      continue;
    const GivenAddresses Given = addressesAt(*Call, AA);
    if (Given.Apart.empty() && Given.Equal.empty())
      continue;
    Call->setCalledFunction(copyOf(Region, Given));
    for (auto [K, L] : Given.Equal)
      passOnce(*Call, K, L);
  }
}

bool sayApart(Function &F, FunctionAnalysisManager &FAM) {
  StringRef Rest = F.getFnAttribute(ApartAttribute).getValueAsString();
  Pairs Apart;
  if (Rest.empty())
    return false;
  while (!Rest.empty()) {
    unsigned K = 0, L = 0;
    if (Rest.consumeInteger(10, K))
      return false;
    const bool IsApart = Rest.consume_front(".");
    if (!(IsApart || Rest.consume_front("=")) || Rest.consumeInteger(10, L) ||
        !Rest.consume_front(" "))
      return false;
    if (IsApart)
      Apart.insert({K, L});
  }
  Scopes(F, std::move(Apart)).run();
  // What the optimizer would have done, had it known.
  FunctionPassManager Passes;
  Passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                 /*UseMemorySSA=*/true));
  Passes.addPass(GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)));
  FAM.invalidate(F, PreservedAnalyses::none());
  FAM.invalidate(F, Passes.run(F, FAM));
  return true;
}

} // namespace adze
