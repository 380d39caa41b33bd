// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/LoopAlias.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// More uses than this are taken for a capture.
static constexpr unsigned MaxUses = 10000;
/// Pointers behind more loads than this may lead to one block.
static constexpr unsigned MaxBlockDepth = 4;

bool PatientCaptureInfo::isNotCapturedBefore(const Value *Object,
                                             const Instruction *, bool) {
  auto [It, New] = Known.try_emplace(Object, false);
  if (New)
    It->second = isIdentifiedFunctionLocal(Object) &&
                 !PointerMayBeCaptured(Object, /*ReturnCaptures=*/false,
                                       /*StoreCaptures=*/true, MaxUses);
  return It->second;
}

LoopAlias::LoopAlias(const Primal &P, unsigned Budget)
    : TLIImpl(Triple(P.F->getParent()->getTargetTriple())), TLI(TLIImpl, P.F),
      AC(*P.F), P(P), Basic(P.F->getDataLayout(), *P.F, TLI, AC, P.DT.get()),
      PlainResults(TLI), CrossResults(TLI), Types(TLI), Promises(TLI),
      Plain(PlainResults, &Captures), Cross(CrossResults, &Captures),
      Budget(Budget) {
  PlainResults.addAAResult(Basic);
  PlainResults.addAAResult(Scoped);
  PlainResults.addAAResult(Typed);
  CrossResults.addAAResult(Basic);
  CrossResults.addAAResult(Typed);
  Types.addAAResult(Typed);
  Promises.addAAResult(Scoped);
  Cross.enableCrossIterationMode();
}

/// The scopes of restrict that are declared in front of \p L; if it is null,
/// outside all loops.
const LoopAlias::ScopeSet &LoopAlias::promisedBefore(const Loop *L) {
  std::unique_ptr<ScopeSet> &Known = Promised[L];
  if (Known)
    return *Known;
  Known = std::make_unique<ScopeSet>();
  for (const Instruction &I : instructions(*P.F))
    if (auto *Decl = dyn_cast<NoAliasScopeDeclInst>(&I);
        Decl && (L ? P.DT->properlyDominates(Decl->getParent(), L->getHeader())
                   : !P.LI->getLoopFor(Decl->getParent())))
      for (const MDOperand &Scope : Decl->getScopeList()->operands())
        Known->insert(Scope.get());
  return *Known;
}

/// Of \p List the scopes that are among \p Promised. If \p Whole, of a domain
/// all or none: an access that is said to be of two scopes is apart from those
/// that are apart from both.
static MDNode *holding(MDNode *List,
                       const SmallPtrSetImpl<const Metadata *> &Promised,
                       bool Whole) {
  if (!List)
    return nullptr;
  SmallVector<Metadata *, 8> Kept;
  auto isBroken = [&](const MDNode *Domain) {
    return any_of(List->operands(), [&](const MDOperand &Scope) {
      return AliasScopeNode(cast<MDNode>(Scope)).getDomain() == Domain &&
             !Promised.contains(Scope.get());
    });
  };
  for (const MDOperand &Scope : List->operands())
    if (Promised.contains(Scope.get()) &&
        !(Whole && isBroken(AliasScopeNode(cast<MDNode>(Scope)).getDomain())))
      Kept.push_back(Scope.get());
  return Kept.empty() ? nullptr : MDNode::get(List->getContext(), Kept);
}

/// Of the promises \p Tags those that hold for any two iterations of \p L, or
/// of all loops.
AAMDNodes LoopAlias::promises(const AAMDNodes &Tags, const Loop *L) {
  AAMDNodes Held;
  Held.Scope = holding(Tags.Scope, promisedBefore(L), /*Whole=*/true);
  Held.NoAlias = holding(Tags.NoAlias, promisedBefore(L), /*Whole=*/false);
  return Held;
}

/// No memory is there: what a vector without elements holds.
static bool isNothing(const Value *Object, const Function &F) {
  return isa<ConstantPointerNull>(Object) &&
         !NullPointerIsDefined(&F, Object->getType()->getPointerAddressSpace());
}

/// The objects that \p Ptr may point into, at either of two times; \p Ptr
/// itself if it is no phi or select that varies between them (BasicAA is right
/// for the rest).
static SmallVector<const Value *, 4> mergedObjects(const Value *Ptr, Times T,
                                                   const Function &F) {
  SmallVector<const Value *, 4> Objects;
  const Value *Base = getUnderlyingObject(Ptr, /*MaxLookup=*/0);
  if (!isa<PHINode, SelectInst>(Base) || !T.mayVary(*cast<Instruction>(Base)))
    return {Ptr};
  getUnderlyingObjects(Ptr, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  erase_if(Objects, [&](const Value *Object) { return isNothing(Object, F); });
  return Objects;
}

/// The value of \p Object is whatever the program has put somewhere.
static bool comesFromElsewhere(const Value *Object) {
  return isa<LoadInst, CallBase, IntToPtrInst>(Object) &&
         !isNoAliasCall(Object);
}

/// The types of two accesses say that they do not meet at one time. But a block
/// may be used for one type first and for another one later (an arena, a pool),
/// which the rules of C and C++ allow: what was read is overwritten then. So
/// types do not tell apart two places behind one pointer, nor behind two that
/// may have been read from one place or that calls returned. Two that come from
/// places of their own, such as two members, are taken to lead to blocks of
/// their own where types differ: LLVM's own passes do so everywhere.
bool LoopAlias::mayShareBlock(const Value *A, const Value *B, unsigned Depth) {
  SmallVector<const Value *, 4> ObjectsA, ObjectsB;
  getUnderlyingObjects(A, ObjectsA, /*LI=*/nullptr, /*MaxLookup=*/0);
  getUnderlyingObjects(B, ObjectsB, /*LI=*/nullptr, /*MaxLookup=*/0);
  auto mayShare = [&](const Value *From, const Value *To) {
    if (From == To)
      return !isNothing(From, *P.F);
    if (!comesFromElsewhere(From) || !comesFromElsewhere(To))
      return false;
    auto *LoadA = dyn_cast<LoadInst>(From), *LoadB = dyn_cast<LoadInst>(To);
    return !LoadA || !LoadB || Depth == MaxBlockDepth ||
           mayAlias(MemoryLocation::get(LoadA), MemoryLocation::get(LoadB),
                    Times::any(), Depth + 1);
  };
  return any_of(ObjectsA, [&](const Value *From) {
    return any_of(ObjectsB,
                  [&](const Value *To) { return mayShare(From, To); });
  });
}

static MemoryLocation withoutTypes(MemoryLocation Loc) {
  Loc.AATags.TBAA = Loc.AATags.TBAAStruct = nullptr;
  return Loc;
}

/// \p Block is allocated when the pointer \p Other is there already, so that it
/// does not lead into the block.
static bool isAllocatedBehind(const Value *Block, const Value *Other,
                              const DominatorTree &DT) {
  auto *Allocation = dyn_cast<CallBase>(Block);
  if (!Allocation || !isNoAliasCall(Allocation) || Block == Other)
    return false;
  auto *I = dyn_cast<Instruction>(Other);
  return I ? DT.dominates(I, Allocation) : isa<Argument>(Other);
}

/// Where one of them leads to no memory, nobody asks; elsewhere they lead to
/// different objects (`phi [block, ..], [null, ..]` is the data of a vector).
bool LoopAlias::haveOtherObjects(const Value *A, const Value *B) {
  constexpr size_t MaxObjects = 8;
  if (!isa<PHINode, SelectInst>(A) && !isa<PHINode, SelectInst>(B))
    return false;
  auto objectsOf = [&](const Value *Base) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Base, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
    erase_if(Objects, [&](const Value *O) { return isNothing(O, *P.F); });
    return Objects;
  };
  const SmallVector<const Value *, 4> OfA = objectsOf(A), OfB = objectsOf(B);
  auto isOther = [&](const Value *From, const Value *To) {
    return !isa<PHINode, SelectInst>(From) && !isa<PHINode, SelectInst>(To) &&
           Plain.alias(MemoryLocation::getBeforeOrAfter(From),
                       MemoryLocation::getBeforeOrAfter(To)) ==
               AliasResult::NoAlias;
  };
  return OfA.size() <= MaxObjects && OfB.size() <= MaxObjects &&
         all_of(OfA, [&](const Value *From) {
           return all_of(OfB,
                         [&](const Value *To) { return isOther(From, To); });
         });
}

/// Phis of one block have their values from one edge: if those lead to
/// different objects on each, so do they. Buffers that a loop swaps do if they
/// did in front of it.
bool LoopAlias::differOnEachEdge(const Value *A, const Value *B,
                                 SmallVectorImpl<ValuePair> &Assumed) {
  constexpr size_t MaxPairs = 16;
  A = getUnderlyingObject(A, /*MaxLookup=*/0);
  B = getUnderlyingObject(B, /*MaxLookup=*/0);
  if (isNothing(A, *P.F) || isNothing(B, *P.F) ||
      is_contained(Assumed, ValuePair(A, B)))
    return true;
  auto *PhiA = dyn_cast<PHINode>(A), *PhiB = dyn_cast<PHINode>(B);
  if (!PhiA || !PhiB || PhiA->getParent() != PhiB->getParent())
    return !isa<SelectInst>(A) && !isa<SelectInst>(B) &&
           (Plain.alias(MemoryLocation::getBeforeOrAfter(A),
                        MemoryLocation::getBeforeOrAfter(B)) ==
                AliasResult::NoAlias ||
            haveOtherObjects(A, B));
  if (PhiA == PhiB || Assumed.size() == MaxPairs)
    return false;
  Assumed.push_back({A, B});
  return all_of(PhiA->blocks(), [&](const BasicBlock *From) {
    return differOnEachEdge(PhiA->getIncomingValueForBlock(From),
                            PhiB->getIncomingValueForBlock(From), Assumed);
  });
}

/// Under the same values of all variables.
bool LoopAlias::leadElsewhere(const Value *A, const Value *B) {
  SmallVector<ValuePair, 8> Assumed;
  return haveOtherObjects(A, B) || (isa<PHINode>(A) && isa<PHINode>(B) &&
                                    differOnEachEdge(A, B, Assumed));
}

/// Both lead into what pointers lead to that are the same at the two times: two
/// phis of one block then are of one iteration, in which a loop that swaps them
/// has them lead to two blocks; and a block that an iteration has allocated is
/// none that it had before.
bool LoopAlias::areApart(const Value *A, const Value *B, Times T) {
  const Value *BaseA = getUnderlyingObject(A, /*MaxLookup=*/0);
  const Value *BaseB = getUnderlyingObject(B, /*MaxLookup=*/0);
  auto mayVary = [&](const Value *Base) {
    auto *I = dyn_cast<Instruction>(Base);
    return I && T.mayVary(*I);
  };
  if (mayVary(BaseA) || mayVary(BaseB))
    return false;
  if (isAllocatedBehind(BaseA, BaseB, *P.DT) ||
      isAllocatedBehind(BaseB, BaseA, *P.DT))
    return true;
  if (isa<PHINode>(BaseA) && isa<PHINode>(BaseB) &&
      Plain.alias(MemoryLocation::getBeforeOrAfter(BaseA),
                  MemoryLocation::getBeforeOrAfter(BaseB)) ==
          AliasResult::NoAlias)
    return true;
  return leadElsewhere(BaseA, BaseB);
}

bool LoopAlias::mayAlias(const MemoryLocation &A, const MemoryLocation &B,
                         Times T, unsigned Depth) {
  if (isExhausted())
    return true;
  if (A.AATags.TBAA && B.AATags.TBAA &&
      Types.alias(A, B) == AliasResult::NoAlias &&
      mayShareBlock(A.Ptr, B.Ptr, Depth))
    return mayAlias(withoutTypes(A), withoutTypes(B), T, Depth);
  if (T.areSame())
    return Plain.alias(A, B) != AliasResult::NoAlias &&
           !leadElsewhere(getUnderlyingObject(A.Ptr, /*MaxLookup=*/0),
                          getUnderlyingObject(B.Ptr, /*MaxLookup=*/0));
  // What the types say does not depend on the addresses.
  if (Types.alias(A, B) == AliasResult::NoAlias)
    return false;
  // If it holds for one of two accesses, it does for both.
  if (AAMDNodes Held = promises(B.AATags, T.within());
      (Held.Scope || Held.NoAlias) &&
      Promises.alias(A, MemoryLocation(B.Ptr, B.Size, Held)) ==
          AliasResult::NoAlias)
    return false;
  if (areApart(A.Ptr, B.Ptr, T))
    return false;
  SmallVector<const Value *, 4> ObjectsA = mergedObjects(A.Ptr, T, *P.F);
  SmallVector<const Value *, 4> ObjectsB = mergedObjects(B.Ptr, T, *P.F);
  if (is_contained(ObjectsA, A.Ptr) && is_contained(ObjectsB, B.Ptr))
    return Cross.alias(A, B) != AliasResult::NoAlias;
  for (const Value *ObjectA : ObjectsA)
    for (const Value *ObjectB : ObjectsB) {
      // A phi that is left here (unreachable cycles) says nothing.
      if (isa<PHINode, SelectInst>(ObjectA) ||
          isa<PHINode, SelectInst>(ObjectB))
        return true;
      if (Cross.alias(MemoryLocation::getBeforeOrAfter(ObjectA, A.AATags),
                      MemoryLocation::getBeforeOrAfter(ObjectB, B.AATags)) !=
          AliasResult::NoAlias)
        return true;
    }
  return false;
}

bool LoopAlias::operandMayAlias(const CallBase &Call, const MemoryLocation &Loc,
                                ModRefInfo How, Times T) {
  for (const Use &Arg : Call.args())
    if (Arg->getType()->isPtrOrPtrVectorTy() &&
        !(How == ModRefInfo::Mod &&
          Call.onlyReadsMemory(Call.getArgOperandNo(&Arg))) &&
        (Arg->getType()->isVectorTy() ||
         mayAlias(MemoryLocation::getBeforeOrAfter(Arg), Loc, T)))
      return true;
  return false;
}

// BasicAA compares operands of calls with locations inside its answers, so
// across iterations that comparison is made here too, for all operands.

bool LoopAlias::mayAccess(const CallBase &Call, const MemoryLocation &Loc,
                          ModRefInfo How, Times T) {
  if (isExhausted())
    return true;
  if (T.areSame())
    return isModOrRefSet(Plain.getModRefInfo(&Call, Loc) & How);
  ModRefInfo Visible = Call.getMemoryEffects()
                           .getWithoutLoc(IRMemLocation::InaccessibleMem)
                           .getModRef();
  return isModOrRefSet(Cross.getModRefInfo(&Call, Loc) & How) ||
         (isModOrRefSet(Visible & How) && operandMayAlias(Call, Loc, How, T));
}

bool LoopAlias::mayAccess(const CallBase &Call, const CallBase &Writer,
                          ModRefInfo How, Times T) {
  if (isExhausted())
    return true;
  if (T.areSame())
    return isModOrRefSet(Plain.getModRefInfo(&Call, &Writer) & How);
  if (isModOrRefSet(Cross.getModRefInfo(&Call, &Writer) & How))
    return true;
  if (!isModOrRefSet(Call.getMemoryEffects().getModRef() & How) ||
      Writer.onlyReadsMemory())
    return false;
  for (const Value *Arg : Writer.args())
    if (Arg->getType()->isPtrOrPtrVectorTy() &&
        (Arg->getType()->isVectorTy() ||
         operandMayAlias(Call, MemoryLocation::getBeforeOrAfter(Arg), How, T)))
      return true;
  return false;
}

} // namespace adze
