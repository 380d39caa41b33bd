// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Alternatives/CopiesForCalls.h"
#include "Alternatives/Alternatives.h"
#include "Alternatives/SnapshotOffer.h"
#include "Loops/ArgumentRanges.h"
#include "Loops/LoopMemory.h"
#include "adze/Checkpoints.h"
#include "adze/KnownFunction.h"
#include "adze/Teams.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// Questions to alias analysis about one function.
static constexpr unsigned MaxQuestions = 100000;
/// Calls that one array is passed to, in one loop.
static constexpr size_t MaxCalls = 64;
/// Blocks between two of them.
static constexpr size_t MaxBlocks = 200;

namespace {

/// A call of a region, or of a function that starts teams, and the argument
/// that leads into an array.
struct Reader {
  CallBase *Call;
  unsigned Argument;
  const Snapshot *Given = nullptr; // what it reads there

  Value *pointer() const { return Call->getArgOperand(Argument); }
};

/// \p Call, of a function with a body, is run by a team, or may start one.
bool mayStartTeam(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && !Callee->isDeclaration() && !lookupKnown(Call) &&
         (teams::isTeamCall(Call) || teams::mayStart(*Callee));
}

class CopiesForCalls {
public:
  CopiesForCalls(Primal &P, LoopMemory &M)
      : P(P), M(M), Expander(M.SE, M.DL, "adze.snapshot") {}

  using Group = SmallVector<Reader, 4>;

  /// Calls that an array is passed to, in one loop.
  MapVector<std::pair<Value *, const Loop *>, Group> groups();
  void offerFor(Value *Array, ArrayRef<Reader> Readers);
  /// \p Readers read, and all of them have what the caller gives.
  void passOn(Argument &Array, ArrayRef<Reader> Readers);

private:
  bool writes(Instruction &I, Value *Array) {
    return M.Writers.mayWrite(I, MemoryLocation::getBeforeOrAfter(Array),
                              Times::any());
  }
  bool isQuiet(const Reader &First, const Reader &Other, Value *Array);
  std::optional<Guards> guardsOf(const CallCopy::Part &Part, CallBase &At);
  SmallVector<CallCopy::Part, 2> readBy(const Reader &First, Value *Array);
  bool readFirst(ArrayRef<Reader> Readers, Argument &Array);
  const SCEV *distanceOf(const Reader &R, Value *Array);
  std::optional<CallCopy> copyFor(const Reader &R,
                                  ArrayRef<CallCopy::Part> Parts, Value *Array);
  void offer(Value *Array, ArrayRef<Reader> Readers);

  Primal &P;
  LoopMemory &M;
  SCEVExpander Expander;
};

MapVector<std::pair<Value *, const Loop *>, CopiesForCalls::Group>
CopiesForCalls::groups() {
  MapVector<std::pair<Value *, const Loop *>, Group> Found;
  for (Instruction &I : instructions(*P.F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !mayStartTeam(*Call) || !P.canReturn(Call->getParent()))
      continue;
    for (unsigned K = 0; K < Call->arg_size(); ++K) {
      Value *Pointer = Call->getArgOperand(K);
      Value *Array =
          Pointer->getType()->isPointerTy() ? arrayBehind(Pointer) : nullptr;
      if (!Array || isa<Constant>(Array) || P.CallCopies.count({Call, K}))
        continue;
      Group &G = Found[{Array, P.LI->getLoopFor(Call->getParent())}];
      if (G.size() < MaxCalls)
        G.push_back({Call, K});
    }
  }
  return Found;
}

/// Nothing from \p First on writes to the array before \p Other is called, in
/// one iteration of the loop around both.
bool CopiesForCalls::isQuiet(const Reader &First, const Reader &Other,
                             Value *Array) {
  BasicBlock *From = First.Call->getParent(), *To = Other.Call->getParent();
  for (Instruction *I = First.Call; I && I != Other.Call; I = I->getNextNode())
    if (writes(*I, Array))
      return false;
  if (From == To)
    return true;
  auto Between = Reachability::between(From, To, MaxBlocks);
  return Between.size() <= MaxBlocks && all_of(Between, [&](BasicBlock *B) {
           for (Instruction &I : *B) {
             if (&I == Other.Call)
               break;
             if (writes(I, Array))
               return false;
           }
           return true;
         });
}

/// Code for what must be so for \p Part to be read; nothing if it never is.
std::optional<Guards> CopiesForCalls::guardsOf(const CallCopy::Part &Part,
                                               CallBase &At) {
  Guards If;
  IRBuilder<> B(&At);
  for (const auto &[Number, Range] : Part.Numbers) {
    CmpInst::Predicate Is;
    APInt Limit;
    Range.getEquivalentICmp(Is, Limit);
    Value *Condition =
        B.CreateICmp(Is, Number, ConstantInt::get(Number->getType(), Limit));
    auto *Known = dyn_cast<ConstantInt>(Condition);
    if (Known && Known->isZero())
      return std::nullopt;
    if (!Known)
      If.push_back({Condition, true});
  }
  return If;
}

/// What \p First is sure to read, from the array on.
SmallVector<CallCopy::Part, 2> CopiesForCalls::readBy(const Reader &First,
                                                      Value *Array) {
  SmallVector<CallCopy::Part, 2> Parts;
  const SCEV *From = distanceOf(First, Array);
  for (const ArgumentRange &R : First.Given->Ranges) {
    if (!R.IsRead || !From)
      continue;
    const auto [Begin, End] = rangeAtCall(R, *First.Call, M.SE);
    CallCopy::Part Part;
    Part.Begin = M.SE.getAddExpr(From, Begin);
    Part.End = M.SE.getAddExpr(From, End);
    for (const auto &[Number, Range] : R.If)
      Part.Numbers.push_back(
          {First.Call->getArgOperand(Number->getArgNo()), Range});
    if (M.Affine.mayBeMade({Part.Begin, Part.End, {}}, First.Call))
      Parts.push_back(std::move(Part));
  }
  return Parts;
}

/// Null if it is not known.
const SCEV *CopiesForCalls::distanceOf(const Reader &R, Value *Array) {
  const SCEV *S =
      M.SE.getMinusSCEV(M.SE.getSCEV(R.pointer()), M.SE.getSCEV(Array));
  return isa<SCEVCouldNotCompute>(S) ? nullptr : S;
}

/// The part of \p Parts that \p R reads, if it is one; as distances from what
/// it is given.
std::optional<CallCopy> CopiesForCalls::copyFor(const Reader &R,
                                                ArrayRef<CallCopy::Part> Parts,
                                                Value *Array) {
  const SCEV *From = distanceOf(R, Array);
  if (!From)
    return std::nullopt;
  CallCopy Copy;
  Copy.Parts.append(Parts.begin(), Parts.end());
  for (CallCopy::Part &Part : Copy.Parts) {
    Part.Begin = M.SE.getMinusSCEV(Part.Begin, From);
    Part.End = M.SE.getMinusSCEV(Part.End, From);
  }
  if (!all_of(R.Given->Ranges, [&](const ArgumentRange &Read) {
        return isWithin(Read, *R.Call, Copy, M.SE);
      }))
    return std::nullopt;
  return Copy;
}

void CopiesForCalls::offer(Value *Array, ArrayRef<Reader> Readers) {
  const Reader &First = Readers.front();
  SmallVector<CallCopy::Part, 2> Parts = readBy(First, Array);
  SmallVector<std::pair<const Reader *, CallCopy>, 4> Served;
  for (const Reader &R : Readers)
    if (std::optional<CallCopy> Copy = copyFor(R, Parts, Array))
      Served.push_back({&R, std::move(*Copy)});
  if (Served.empty() || Served.front().first->Call != First.Call ||
      Served.back().first->Call == First.Call)
    return;
  SmallVector<ByteRange, 4> Ranges;
  for (const CallCopy::Part &Part : Parts)
    if (std::optional<Guards> If = guardsOf(Part, *First.Call))
      Ranges.push_back({Part.Begin, Part.End, std::move(*If)});
  if (Ranges.empty())
    return;
  Align Aligned = First.Given->Aligned;
  for (const auto &[R, Copy] : Served)
    Aligned = std::min(Aligned, R->Given->Aligned);
  SnapshotOffer Offer(P, Expander, Array, Ranges, Aligned, First.Call,
                      First.Call->getDebugLoc());
  Offer.snapshot().Reader = First.Given->Reader;
  if (teams::isTeamCall(*First.Call))
    Offer.snapshot().By = writes(*First.Call, Array)
                              ? Snapshot::Team::CopiesFirst
                              : Snapshot::Team::Copies;
  for (auto &[R, Copy] : Served) {
    Copy.Copy = Offer.copy();
    Copy.Address = Offer.addressOf(R->pointer(), R->Call);
    P.CallCopies[{R->Call, R->Argument}] = std::move(Copy);
  }
}

/// Each call joins the first others that it can share a copy with.
void CopiesForCalls::offerFor(Value *Array, ArrayRef<Reader> Readers) {
  SmallVector<Group, 2> Sharing;
  for (const Reader &R : Readers) {
    auto *Same = find_if(Sharing, [&](const Group &G) {
      const Reader &First = G.front();
      return R.Call == First.Call ||
             (P.DT->dominates(First.Call, R.Call) && isQuiet(First, R, Array));
    });
    if (Same != Sharing.end())
      Same->push_back(R);
    else
      Sharing.push_back({R});
  }
  for (const Group &G : Sharing)
    if (G.back().Call != G.front().Call)
      offer(Array, G);
}

/// Nothing writes to \p Array before the last of \p Readers has read it; what
/// they write themselves they have read before, each its own.
bool CopiesForCalls::readFirst(ArrayRef<Reader> Readers, Argument &Array) {
  return none_of(M.Writers.all(), [&](const WriteEffect &W) {
    return !teams::isMeeting(*W.I) && writes(*W.I, &Array) &&
           any_of(Readers,
                  [&](const Reader &R) { return M.Reach.after(W.I, R.Call); });
  });
}

void CopiesForCalls::passOn(Argument &Array, ArrayRef<Reader> Readers) {
  if (P.givenCopyOf(Array) || !readFirst(Readers, Array))
    return;
  SmallVector<std::pair<const Reader *, CallCopy>, 4> Served;
  SmallVector<ArgumentRange, 4> Ranges;
  Align Aligned(16);
  for (const Reader &R : Readers) {
    CallCopy Copy;
    SmallVector<ArgumentRange, 4> Read;
    for (const ArgumentRange &Of : R.Given->Ranges) {
      auto Range = argumentRange(Of, *R.Call, *R.pointer(), Array, P, M.SE);
      if (!Range)
        break;
      CallCopy::Part &Part = Copy.Parts.emplace_back();
      std::tie(Part.Begin, Part.End) = rangeAtCall(Of, *R.Call, M.SE);
      Read.push_back(std::move(*Range));
    }
    if (Read.size() < R.Given->Ranges.size())
      continue;
    append_range(Ranges, Read);
    Aligned = std::min(Aligned, R.Given->Aligned);
    Served.push_back({&R, std::move(Copy)});
  }
  if (Served.empty())
    return;
  SnapshotOffer Offer(P, Array, Aligned);
  Snapshot &Given = Offer.snapshot();
  Given.Ranges.append(Ranges.begin(), Ranges.end());
  Given.InFront = any_of(M.Writers.all(), [&](const WriteEffect &W) {
    return !teams::isMeeting(*W.I) && writes(*W.I, &Array);
  });
  Given.Reader = Served.front().first->Given->Reader;
  for (auto &[R, Copy] : Served) {
    Copy.Copy = Offer.copy();
    Copy.Address = Offer.addressOf(R->pointer(), R->Call);
    P.CallCopies[{R->Call, R->Argument}] = std::move(Copy);
  }
}

} // namespace

void offerCopiesForCalls(Primal &P,
                         function_ref<const Primal *(Function &)> CalleeOf) {
  if (P.F->getDataLayout().getIndexSizeInBits(0) != 64 ||
      checkpoints::layoutOf(*P.F))
    return;
  CopiesForCalls Copies(P, loopMemoryOf(P, MaxQuestions));
  MapVector<Value *, CopiesForCalls::Group> ByArgument;
  offerNew(P, [&] {
    for (auto &Entry : Copies.groups()) {
      CopiesForCalls::Group &Readers = Entry.second;
      auto *Array = dyn_cast<Argument>(Entry.first.first);
      const bool IsShared = any_of(Readers, [&](const Reader &R) {
        return R.Call != Readers.front().Call;
      });
      if (!Array && !IsShared)
        continue;
      erase_if(Readers, [&](Reader &R) {
        const Primal *Callee = CalleeOf(*R.Call->getCalledFunction());
        const Value *Given =
            Callee ? Callee->givenCopyOf(*Callee->F->getArg(R.Argument))
                   : nullptr;
        R.Given = Given ? Callee->snapshotAt(Given) : nullptr;
        return !R.Given;
      });
      Copies.offerFor(Entry.first.first, Readers);
      if (Array)
        append_range(ByArgument[Array], Readers);
    }
    for (auto &[Array, Readers] : ByArgument) {
      // Copies of the function's own are as good.
      erase_if(Readers, [&](const Reader &R) {
        return P.CallCopies.count({R.Call, R.Argument});
      });
      if (!Readers.empty())
        Copies.passOn(*cast<Argument>(Array), Readers);
    }
  });
}

} // namespace adze
