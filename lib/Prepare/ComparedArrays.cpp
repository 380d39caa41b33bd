// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Prepare/ComparedArrays.h"
#include "Loops/WriteEffects.h"
#include "Prepare/BlockVectors.h"
#include "adze/KnownFunction.h"
#include "adze/Options.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// Places in one array that are bounded one by one; neighbours are one place.
constexpr size_t MaxPlaces = 64;
/// Values behind a load that are looked at to see what it is for.
constexpr size_t MaxUses = 32;

using Array = ComparedArrays::Array;

/// Accesses of as many bytes whose addresses differ by constants.
struct ComparedArrays::Place {
  const SCEV *Distance, *Bytes;
  int64_t Nearest = 0, Farthest = 0; // from Distance
  SmallVector<const Access *, 2> Accesses;
};

static bool pays(const ComparedArrays::Pair &P) {
  return (P.first->IsNeeded && P.second->IsStored) ||
         (P.second->IsNeeded && P.first->IsStored);
}

/// \p I is linear in \p Of: a product with a constant, to which something may
/// be added, or what is added to a product.
static bool isLinear(const Instruction &I, const Value &Of) {
  auto *Fused = dyn_cast<IntrinsicInst>(&I);
  if (I.getOpcode() == Instruction::FDiv)
    return isa<Constant>(I.getOperand(1));
  const bool IsSum = Fused && (Fused->getIntrinsicID() == Intrinsic::fmuladd ||
                               Fused->getIntrinsicID() == Intrinsic::fma);
  if (IsSum && I.getOperand(0) != &Of && I.getOperand(1) != &Of)
    return true;
  return (I.getOpcode() == Instruction::FMul || IsSum) &&
         (isa<Constant>(I.getOperand(0)) || isa<Constant>(I.getOperand(1)));
}

/// Something that is not linear, an address or a decision depends on \p Load.
static bool decides(const LoadInst &Load) {
  SmallSetVector<const Value *, 16> Behind;
  Behind.insert(&Load);
  for (size_t N = 0; N < Behind.size(); ++N) {
    if (N > MaxUses)
      return true;
    for (const User *U : Behind[N]->users()) {
      auto &I = *cast<Instruction>(U);
      switch (I.getOpcode()) {
      case Instruction::FMul:
      case Instruction::FDiv:
        if (!isLinear(I, *Behind[N]))
          return true;
        break;
      case Instruction::Store:
      case Instruction::Ret:
        continue;
      case Instruction::Call:
        if (auto *Known = lookupKnown(cast<CallBase>(I));
            Known && Known->Facts.By == Derivation::Zero)
          continue;
        if (!isLinear(I, *Behind[N]))
          return true;
        break;
      case Instruction::FAdd:
      case Instruction::FSub:
      case Instruction::FNeg:
      case Instruction::PHI:
      case Instruction::FPExt:
      case Instruction::FPTrunc:
        break;
      default:
        return true;
      }
      Behind.insert(&I);
    }
  }
  return false;
}

ComparedArrays::ComparedArrays(Function &F, BasicBlock &At,
                               FunctionAnalysisManager &FAM)
    : F(F), At(At), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      LI(FAM.getResult<LoopAnalysis>(F)),
      DT(FAM.getResult<DominatorTreeAnalysis>(F)),
      AA(FAM.getResult<AAManager>(F)), Limits(At, SE, DT) {
  collect(FAM.getResult<TargetLibraryAnalysis>(F));
}

/// The array that \p Pointer leads into; null if that is not known.
Array *ComparedArrays::arrayOf(Value *Pointer) {
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(SE.getSCEV(Pointer)));
  if (!Base)
    return nullptr;
  Array *Result = nullptr;
  if (Limits.isKnown(Base) || !isa<LoadInst>(Base->getValue())) {
    Result = &Arrays[{Base->getValue(), AtBase}];
    Result->Base = Base->getValue();
    return Result;
  }
  // Pointers that stand in one table may be the same.
  const SCEV *Key = nullptr;
  for (auto *Load = dyn_cast<LoadInst>(Base->getValue()); Load;) {
    const SCEV *From = SE.getSCEV(Load->getPointerOperand());
    Key = From;
    if (Limits.isKnown(From))
      break;
    Key = Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(From));
    Load = Base ? dyn_cast<LoadInst>(Base->getValue()) : nullptr;
  }
  return Key ? &Arrays[{Key, BehindPointers}] : nullptr;
}

void ComparedArrays::add(Access A) {
  Array *Whole = arrayOf(A.Pointer);
  if (!Whole) {
    WritesAnywhere |= A.Writes;
    return;
  }
  Whole->Accesses.push_back(A);
  Whole->IsStored |= A.Writes;
  if (auto *Load = dyn_cast<LoadInst>(A.I))
    Whole->IsNeeded |= LI.getLoopFor(A.I->getParent()) && decides(*Load);
}

/// What is known of the address of \p A, but for constants: where an array
/// begins that is a part of another one.
const SCEV *ComparedArrays::beginOf(const Access &A) {
  SmallVector<const SCEV *, 8> Open = {SE.getSCEV(A.Pointer)}, Parts;
  while (!Open.empty()) {
    const SCEV *S = Open.pop_back_val();
    if (auto *Advance = dyn_cast<SCEVAddRecExpr>(S))
      Open.push_back(Advance->getStart());
    else if (isa<SCEVAddExpr>(S))
      Open.append(S->operands().begin(), S->operands().end());
    else if (!isa<SCEVConstant>(S) && Limits.isKnown(S))
      Parts.push_back(S);
  }
  return Parts.empty() ? nullptr : SE.getAddExpr(Parts);
}

/// \p Index is read, or computed of something that is.
static bool isComputedOfLoads(const Value &Index, unsigned Depth = 4) {
  if (isa<LoadInst>(Index))
    return true;
  auto *I = dyn_cast<Instruction>(&Index);
  return I && Depth && isa<BinaryOperator, CastInst, FreezeInst>(I) &&
         any_of(I->operand_values(), [&](const Value *Operand) {
           return isComputedOfLoads(*Operand, Depth - 1);
         });
}

/// Whether an index is read where \p A is accessed, so that nobody else tells
/// apart the vectors in it. (Where an iteration chooses an index, that of the
/// row with the pivot, it is as a rule one of those that the others have.)
bool ComparedArrays::readsIndices(const Array &A) {
  auto isRead = [&](const SCEV *Part) {
    auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    return Leaf && !Limits.isKnown(Leaf) &&
           isComputedOfLoads(*Leaf->getValue());
  };
  return any_of(A.Accesses, [&](const Access &Each) {
    auto *Load = dyn_cast<LoadInst>(Each.I);
    return Load && decides(*Load) &&
           SCEVExprContains(SE.getSCEV(Each.Pointer), isRead);
  });
}

/// By number of the access, what of \p A it is a part of; none if all of it is
/// to be one array.
std::optional<SmallVector<const void *, 16>>
ComparedArrays::vectorsOf(const Array &A, bool IfIndicesOnly) {
  SmallVector<const void *, 16> Result;
  if (!A.Base || !A.IsStored || !Limits.isKnown(SE.getSCEV(A.Base)))
    return std::nullopt;
  if (readsIndices(A)) {
    for (const Access &Each : A.Accesses)
      Result.push_back(beginOf(Each));
    return Result;
  }
  if (IfIndicesOnly)
    return std::nullopt;
  SmallVector<BlockVectors::Access, 16> All;
  for (const Access &Each : A.Accesses) {
    auto *Load = dyn_cast<LoadInst>(Each.I);
    const SCEV *Begin = beginOf(Each);
    if (!A.IsNeeded || !Begin || !Each.Bytes)
      return std::nullopt;
    All.push_back({Each.I, Each.Pointer, Each.Bytes, Each.Writes,
                   Load && LI.getLoopFor(Load->getParent()) && decides(*Load),
                   Begin});
    Result.push_back(Begin);
  }
  BlockVectors Vectors(At, SE, LI, DT);
  std::optional<BlockVectors::Numbers> Of = Vectors.tellApart(All);
  if (!Of)
    return std::nullopt;
  DenseMap<unsigned, const void *> Names;
  for (auto [Name, No] : zip(Result, *Of))
    Name = Names.try_emplace(No, Name).first->second;
  return Result;
}

/// Several vectors may lie in one block of memory:
///
///   double *y = work, *z = work + n;
void ComparedArrays::tellApartVectors(bool IfIndicesOnly) {
  MapVector<Name, Array> Parts;
  for (auto &[Key, A] : Arrays) {
    std::optional<SmallVector<const void *, 16>> Vectors =
        vectorsOf(A, IfIndicesOnly);
    if (!Vectors) {
      Parts[Key] = std::move(A);
      continue;
    }
    for (auto [Each, Begin] : zip(A.Accesses, *Vectors)) {
      Array &Part = Parts[Begin ? Name(Begin, Vector) : Key];
      Part.Base = A.Base;
      Part.Accesses.push_back(Each);
      Part.IsStored |= Each.Writes;
      if (auto *Load = dyn_cast<LoadInst>(Each.I))
        Part.IsNeeded |= LI.getLoopFor(Load->getParent()) && decides(*Load);
    }
  }
  Arrays = std::move(Parts);
  for (auto &[Key, A] : Arrays)
    for (const Access &Each : A.Accesses)
      if (isa<LoadInst>(Each.I))
        LoadedFrom[Each.I] = &A;
}

void ComparedArrays::collect(const TargetLibraryInfo &TLI) {
  const DataLayout &DL = F.getDataLayout();
  CalleeWritesCache Callees;
  for (Instruction &I : instructions(F)) {
    if (!DT.properlyDominates(&At, I.getParent()))
      continue;
    if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
      const SCEV *Bytes =
          Block->isVolatile() ? nullptr : SE.getSCEV(Block->getLength());
      add({&I, Block->getDest(), Bytes, true});
      if (auto *Move = dyn_cast<MemTransferInst>(Block))
        add({&I, Move->getSource(), Bytes, false});
    } else if (Value *Pointer = getLoadStorePointerOperand(&I)) {
      TypeSize Size = DL.getTypeStoreSize(getLoadStoreType(&I));
      bool Known = !I.isVolatile() && !I.isAtomic() && !Size.isScalable();
      add({&I, Pointer,
           Known ? SE.getConstant(Type::getInt64Ty(F.getContext()),
                                  Size.getFixedValue())
                 : nullptr,
           isa<StoreInst>(I)});
    } else if (writeEffect(I, Callees, TLI)) {
      Writers.push_back(&I);
    }
  }
  joinRows();
}

/// A row whose pointer stands at a known place of a table is one of the rows
/// that a loop goes through.
void ComparedArrays::joinRows() {
  MapVector<Name, Array> Joined;
  for (auto &[Key, A] : Arrays) {
    Name To = Key;
    if (!A.Base) {
      const SCEV *Table =
          SE.getPointerBase(static_cast<const SCEV *>(Key.first));
      if (Arrays.count({Table, BehindPointers}))
        To.first = Table;
    }
    Array &Into = Joined[To];
    Into.Base = A.Base;
    Into.Accesses.append(A.Accesses);
    Into.IsStored |= A.IsStored;
    Into.IsNeeded |= A.IsNeeded;
  }
  Arrays = std::move(Joined);
}

/// Adds \p A to the one of \p Places that is always as far from it.
void ComparedArrays::addTo(SmallVectorImpl<Place> &Places, const Access &A) {
  const SCEV *Distance = SE.removePointerBase(SE.getSCEV(A.Pointer));
  for (Place &P : Places) {
    if (P.Bytes != A.Bytes)
      continue;
    std::optional<APInt> Apart =
        SE.computeConstantDifference(Distance, P.Distance);
    if (!Apart)
      continue;
    P.Nearest = std::min(P.Nearest, Apart->getSExtValue());
    P.Farthest = std::max(P.Farthest, Apart->getSExtValue());
    P.Accesses.push_back(&A);
    return;
  }
  Places.push_back({Distance, A.Bytes, 0, 0, {&A}});
}

AddressInspector &ComparedArrays::inspector() {
  if (!Inspector)
    Inspector = std::make_unique<AddressInspector>(F, At, SE, LI, DT);
  return *Inspector;
}

/// Has the inspector follow the accesses of \p P: from the base, or, where that
/// is in memory, their addresses.
bool ComparedArrays::follow(Array &A, const Place &P) {
  auto *Bytes = dyn_cast<SCEVConstant>(P.Bytes);
  Type *Wide = Type::getInt64Ty(F.getContext());
  if (!Bytes || Bytes->getAPInt().getActiveBits() > 32)
    return false;
  MapVector<const BasicBlock *, SmallVector<const Access *, 2>> ByBlock;
  for (const Access *Each : P.Accesses)
    ByBlock[Each->I->getParent()].push_back(Each);
  for (auto &[Block, Group] : ByBlock) {
    const SCEV *Ends[2] = {nullptr, nullptr};
    int64_t Nearest = 0, Farthest = 0;
    for (const Access *Each : Group) {
      const SCEV *S = SE.getSCEV(Each->Pointer);
      S = A.Base ? SE.removePointerBase(S) : SE.getPtrToIntExpr(S, Wide);
      if (isa<SCEVCouldNotCompute>(S))
        return false;
      if (!Ends[0])
        Ends[0] = S;
      std::optional<APInt> Apart = SE.computeConstantDifference(S, Ends[0]);
      if (!Apart)
        return false;
      Nearest = std::min(Nearest, Apart->getSExtValue());
      Farthest = std::max(Farthest, Apart->getSExtValue());
    }
    Ends[1] = SE.getAddExpr(
        Ends[0], SE.getConstant(Wide, uint64_t(Farthest) +
                                          Bytes->getAPInt().getZExtValue()));
    Ends[0] = SE.getAddExpr(Ends[0], SE.getConstant(Wide, uint64_t(Nearest)));
    std::optional<unsigned> No =
        inspector().follow(*Group.front()->I, Ends[0], Ends[1]);
    if (!No)
      return false;
    A.Followed.push_back(*No);
  }
  return true;
}

/// Finds the first and the last byte of \p A.
void ComparedArrays::bound(Array &A) {
  SmallVector<Place, 8> Places;
  bool BaseKnown = A.Base && Limits.isKnown(SE.getSCEV(A.Base));
  if (A.Base && !BaseKnown)
    return;
  for (const Access &Each : A.Accesses) {
    if (!Each.Bytes || Places.size() > MaxPlaces)
      return;
    addTo(Places, Each);
  }
  SmallVector<const SCEV *, 8> First, End;
  size_t Conditions = Limits.conditions().size();
  for (const Place &P : Places) {
    size_t Before = Limits.conditions().size();
    std::optional<EntryBounds::Interval> Ends, Bytes;
    if (BaseKnown && (Ends = Limits.of(P.Distance)) &&
        (Bytes = Limits.of(P.Bytes))) {
      Limits.require(*Bytes, EntryBounds::DistanceBits, /*Signed=*/false);
      First.push_back(Limits.sum(Ends->Least, Limits.constant(P.Nearest)));
      End.push_back(Limits.sum(Limits.sum(Ends->Greatest, Bytes->Greatest),
                               Limits.constant(P.Farthest)));
      continue;
    }
    Limits.forget(Before);
    if (!follow(A, P))
      return;
  }
  if (!First.empty()) {
    A.First = SE.getSMinExpr(First);
    A.End = SE.getSMaxExpr(End);
    Limits.require({A.First, A.End}, EntryBounds::DistanceBits,
                   /*Signed=*/true);
  }
  A.If.append(Limits.conditions().begin() + Conditions,
              Limits.conditions().end());
  A.IsBounded = true;
}

bool ComparedArrays::mayMeet(const Array &A, const Array &B) {
  // Addresses of two spaces cannot be compared.
  if (A.type() != B.type() ||
      (A.Base && B.Base &&
       AA.isNoAlias(MemoryLocation::getBeforeOrAfter(A.Base),
                    MemoryLocation::getBeforeOrAfter(B.Base))))
    return false;
  auto located = [](const Access &X) {
    return isa<MemIntrinsic>(X.I) ? MemoryLocation::getBeforeOrAfter(X.Pointer)
                                  : MemoryLocation::get(X.I);
  };
  return any_of(A.Accesses, [&](const Access &X) {
    return any_of(B.Accesses, [&](const Access &Y) {
      return (X.Writes || Y.Writes) && !AA.isNoAlias(located(X), located(Y));
    });
  });
}

/// All that may meet.
void ComparedArrays::findPairs() {
  auto *Begin = Arrays.begin(), *End = Arrays.end();
  for (auto *I = Begin; I != End; ++I)
    for (auto *J = std::next(I); J != End; ++J)
      if (mayMeet(I->second, J->second))
        Pairs.push_back({&I->second, &J->second});
}

/// Nothing changes what \p Load reads, if no two arrays meet that are compared.
bool ComparedArrays::stays(const LoadInst &Load) {
  const Array *From = LoadedFrom.lookup(&Load);
  bool Comparable = none_of(Arrays, [&](const auto &Each) {
    return From && Each.second.IsStored && Each.second.type() != From->type();
  });
  if (!From || From->IsStored || WritesAnywhere || !Comparable ||
      (From->Base && !Limits.isKnown(SE.getSCEV(From->Base))))
    return false;
  MemoryLocation Loc = MemoryLocation::getBeforeOrAfter(
      Load.getPointerOperand(), Load.getAAMetadata());
  return none_of(Writers,
                 [&](const Instruction *I) {
                   return isModSet(AA.getModRefInfo(I, Loc)) &&
                          isPotentiallyReachable(I, &Load, nullptr, &DT, &LI);
                 }) &&
         all_of(Pairs, [&](const Pair &P) {
           return (P.first != From && P.second != From) ||
                  (P.first->IsBounded && P.second->IsBounded);
         });
}

bool ComparedArrays::readsWhatStays(ArrayRef<unsigned> Followed) {
  return all_of(Followed, [&](unsigned No) {
    return all_of(inspector().reads(No),
                  [&](const LoadInst *Load) { return stays(*Load); });
  });
}

SetVector<Array *> ComparedArrays::inPairs() const {
  SetVector<Array *> All;
  for (const auto &[A, B] : Pairs) {
    All.insert(A);
    All.insert(B);
  }
  return All;
}

bool ComparedArrays::choose() {
  MapVector<Name, Array> Whole = Arrays;
  tellApartVectors(/*IfIndicesOnly=*/false);
  findPairs();
  if (Pairs.size() > Options::get().MaxAliasChecks) {
    Arrays = std::move(Whole);
    Pairs.clear();
    tellApartVectors(/*IfIndicesOnly=*/true);
    findPairs();
  }
  findTables();
  if (Tables.empty() && none_of(Pairs, [&](const Pair &P) { return pays(P); }))
    return false;
  SetVector<Array *> Compared = inPairs();
  for (Array *A : Compared)
    bound(*A);
  // What is not known of one array may leave another one unknown.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Array *A : Compared)
      if (A->IsBounded && !readsWhatStays(A->Followed)) {
        A->IsBounded = false;
        Changed = true;
      }
  }
  erase_if(Tables, [&](const RowTable &T) {
    return !readsWhatStays(T.Slots) || !readsWhatStays(T.Columns) ||
           !all_of(T.Pointers,
                   [&](const LoadInst *Load) { return stays(*Load); });
  });
  erase_if(Pairs, [&](const Pair &P) {
    if (P.first->IsBounded && P.second->IsBounded)
      return false;
    if (pays(P)) {
      Wanted.insert(P.first);
      Wanted.insert(P.second);
    }
    return true;
  });
  return Pairs.size() <= Options::get().MaxAliasChecks &&
         (!Tables.empty() ||
          any_of(Pairs, [&](const Pair &P) { return pays(P); }));
}

BasicBlock *ComparedArrays::later() const {
  BasicBlock *Common = nullptr;
  for (const Array *A : Wanted)
    for (const Access &Each : A->Accesses)
      if (BasicBlock *Block = Each.I->getParent(); LI.getLoopFor(Block))
        Common = Common ? DT.findNearestCommonDominator(Common, Block) : Block;
  while (Common && LI.getLoopFor(Common))
    Common = DT.getNode(Common)->getIDom()->getBlock();
  return Common == &At ? nullptr : Common;
}

} // namespace adze
