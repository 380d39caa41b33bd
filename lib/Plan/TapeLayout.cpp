// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TapeLayout.h"
#include "Varying.h"
#include "adze/DeviceTarget.h"
#include "adze/Options.h"
#include "adze/RuleContext.h"
#include "adze/Teams.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace adze {

namespace {

/// All static arrays of one tape together take at most so many times what one
/// of them may.
constexpr uint64_t MaxStaticArrays = 16;

/// A path through an iteration that keeps so many bytes has records of its own:
/// to count its visits costs about as much as to keep half of that.
constexpr uint64_t LeastBytesOfPath = 16;

/// Memory of the tape is not aligned more than this, and nothing in it is read
/// as if it were.
constexpr uint64_t MaxRecordAlign = 16;

class Layout {
public:
  /// What each path keeps, by its first block.
  using PathBytes = DenseMap<const BasicBlock *, uint64_t>;

  /// Gives paths records of their own as \p Paths says; all, if that is null.
  Layout(Plan &P, const PathBytes *Paths)
      : P(P), DL(P.F->P->F->getDataLayout()), Known(*P.F), Paths(Paths) {}

  void run();
  PathBytes bytesOfPaths() const;

  /// Returns the index of the slot.
  unsigned addValue(PlanValue V, const LoopRecord *Rerun);
  unsigned addStorage(PlanValue V);

private:
  using Nest = SmallVector<const LoopRecord *, 3>;
  Type *elementOf(PlanValue V) const;
  bool tryStatic(Slot &S, const Nest &Loops);
  bool joinRecord(Slot &S);
  const BasicBlock *pathOf(const BasicBlock *Place, const LoopRecord *L) const;
  void addVisits(PlanValue V);

  Plan &P;
  const DataLayout &DL;
  Varying Known;
  const PathBytes *Paths;
  uint64_t StaticBytes = 0;
  /// The slots of one record, by the loops they are indexed by: those between
  /// the first and the last, and by the path.
  using RecordKey = std::pair<std::pair<const LoopRecord *, const LoopRecord *>,
                              const BasicBlock *>;
  MapVector<RecordKey, SmallVector<unsigned, 2>> Records;
  /// Loops of which iterations run again.
  SmallPtrSet<const LoopRecord *, 4> RunAgain;
  /// Loops around calls with a tape.
  SmallPtrSet<const LoopRecord *, 8> CallLoops;
};

Type *Layout::elementOf(PlanValue V) const {
  LLVMContext &C = V.V->getContext();
  if (V.Which == Part::Tape) {
    const CallPlan &Call = P.Calls.find(cast<CallBase>(V.V))->second;
    if (Call.TapeByPointer)
      return PointerType::getUnqual(C);
    return Call.ByTeam ? teams::recordType(C) : Call.Callee->TapeType;
  }
  Type *Ty = V.V->getType();
  if (V.Which == Part::Shadow)
    return Lanes(P.F->R.Width).dualType(Ty);
  return Ty->isIntegerTy(1) ? Type::getInt8Ty(C) : Ty;
}

/// The whole array in the tape itself.
bool Layout::tryStatic(Slot &S, const Nest &Loops) {
  if (!S.Element->isSized())
    return false; // the tape that is being laid out cannot lie in itself
  uint64_t Bytes = DL.getTypeAllocSize(S.Element);
  SmallVector<uint64_t, 3> Extents;
  for (const LoopRecord *L : Loops) {
    if (!L->MostIterations)
      return false;
    Extents.push_back(L->MostIterations);
    Bytes = SaturatingMultiply(Bytes, L->MostIterations);
  }
  uint64_t Limit = Options::get().MaxStaticTapeBytes;
  if (Bytes > Limit || SaturatingAdd(StaticBytes, Bytes) >
                           SaturatingMultiply(Limit, MaxStaticArrays))
    return false;
  StaticBytes += Bytes;
  S.Size = Sizing::Static;
  S.Extents = std::move(Extents);
  S.Dims = Loops;
  return true;
}

unsigned Layout::addValue(PlanValue V, const LoopRecord *Rerun) {
  using Around = Varying::Around;
  Varying::AllAround Nest = Known.loopsAround(V, Rerun);
  unsigned First = P.Slots.size();
  auto *I = dyn_cast<Instruction>(V.V);
  const BasicBlock *Place = I ? P.F->P->blockOf(I) : nullptr;
  Slot S;
  S.Holds = V;
  S.Rerun = Rerun;
  S.Element = elementOf(V);
  while (true) {
    while (!Nest.empty() && !Nest.back().Varies)
      Nest.pop_back();
    if (Nest.empty()) {
      S.Size = Sizing::Scalar;
      break;
    }
    Layout::Nest Varies;
    for (const Around &A : Nest)
      if (A.Varies)
        Varies.push_back(A.L);
    if (tryStatic(S, Varies))
      break;
    unsigned Begin = Known.lastSegment(Nest);
    S.Size = Nest.back().L->LastIteration ? Sizing::OnEntry : Sizing::Growing;
    for (const Around &A : drop_begin(Nest, Begin))
      if (A.Varies)
        S.Dims.push_back(A.L);
    S.Outermost = Nest[Begin].L;
    S.Base = P.Slots.size() + 1;
    if (S.Size == Sizing::Growing)
      S.Visited = pathOf(Place, S.Outermost);
    if (S.Visited)
      S.Size = Sizing::ByVisit;
    if (joinRecord(S))
      break;
    if (S.Visited) {
      P.Slots.push_back(std::move(S));
      addVisits(V);
      return First;
    }
    Place = S.Outermost->L->getLoopPreheader();
    Nest.resize(Begin, Around{nullptr, false});
    P.Slots.push_back(std::move(S));
    S = Slot();
    S.Holds = V;
    S.Rerun = Rerun;
    S.Element = PointerType::getUnqual(V.V->getContext());
  }
  P.Slots.push_back(std::move(S));
  return First;
}

/// The first block of the path through \p L on which \p Place lies, if not all
/// iterations take it and what it keeps is worth records of its own; else that
/// of all iterations, if the loop may be entered again. What an iteration that
/// runs again reads, it reads whether or not that lies on its path.
const BasicBlock *Layout::pathOf(const BasicBlock *Place,
                                 const LoopRecord *L) const {
  const DominatorTree &DT = *P.F->P->DT;
  const BasicBlock *First = nullptr;
  for (auto *Node = DT.getNode(Place);
       Node && L->L->contains(Node->getBlock()) &&
       !DT.dominates(Node->getBlock(), L->L->getLoopLatch());
       Node = Node->getIDom())
    First = Node->getBlock();
  if (First && (P.F->P->loopOf(First) != L ||
                (Paths && Paths->lookup(First) < LeastBytesOfPath)))
    First = nullptr;
  // Chunks for each time that a short loop is entered would cost more than what
  // they keep.
  if (!First && L->Parent)
    First = L->L->getHeader();
  if (!First)
    return nullptr;
  for (const LoopRecord *Around = L; Around; Around = Around->Parent)
    if (RunAgain.contains(Around))
      return nullptr;
  return First;
}

/// The slots for the records of a path, and for how often it was taken.
void Layout::addVisits(PlanValue V) {
  LLVMContext &C = V.V->getContext();
  for (Type *Ty : {cast<Type>(PointerType::getUnqual(C)),
                   cast<Type>(Type::getInt64Ty(C))}) {
    Slot S;
    S.Holds = V;
    S.Element = Ty;
    P.Slots.push_back(std::move(S));
  }
}

Layout::PathBytes Layout::bytesOfPaths() const {
  PathBytes Bytes;
  for (const Slot &S : P.Slots)
    if (S.Visited)
      Bytes[S.Visited] = SaturatingAdd(
          Bytes[S.Visited], S.Element->isSized()
                                ? DL.getTypeAllocSize(S.Element).getFixedValue()
                                : LeastBytesOfPath);
  return Bytes;
}

/// Slots that grow in one loop share a block, and so do those of a loop around
/// a call with a tape: recursions have many such loops that run a few times
/// each. The elements of one iteration lie together. Other loops may become
/// vector code, for which the elements of one slot must lie together. On a GPU
/// it is the elements of lanes that do (Emit/LaneTape.h).
/// Whether the block is there already; else \p S, the next slot, gets its own.
bool Layout::joinRecord(Slot &S) {
  if (S.Rerun ||
      (S.Size == Sizing::OnEntry && !CallLoops.contains(S.Dims.back()) &&
       !isDevice(*P.F->P->F->getParent())))
    return false;
  S.InRecord = true;
  auto &Together = Records[{{S.Outermost, S.Dims.back()}, S.Visited}];
  unsigned Index = P.Slots.size();
  if (Together.empty()) {
    Together.push_back(Index);
    return false;
  }
  const Slot &First = P.Slots[Together.front()];
  if (First.Dims != S.Dims)
    return false;
  S.Base = First.Base;
  Together.push_back(Index);
  return true;
}

unsigned Layout::addStorage(PlanValue V) {
  auto *A = cast<AllocaInst>(V.V);
  Slot S;
  S.Holds = V;
  S.Element = A->getAllocatedType();
  if (auto *Count = dyn_cast<ConstantInt>(A->getArraySize());
      Count && !Count->isOne())
    S.Element = ArrayType::get(S.Element, Count->getZExtValue());
  const Lanes Directions(P.F->R.Width);
  if (V.Which == Part::Shadow && !Directions.isOne()) {
    // Each direction's variable is aligned as the primal's is.
    uint64_t Bytes = DL.getTypeAllocSize(S.Element);
    uint64_t Padding = alignTo(Bytes, A->getAlign()) - Bytes;
    Type *Byte = Type::getInt8Ty(A->getContext());
    S.Element = Directions.dualType(StructType::get(
        A->getContext(), {S.Element, ArrayType::get(Byte, Padding)}));
  }
  S.IsStorage = true;
  P.Slots.push_back(std::move(S));
  return P.Slots.size() - 1;
}

void Layout::run() {
  P.Slots.clear();
  for (auto &[K, D] : P.Decisions) {
    if (D.From == Source::Cache && Part(K.second) == Part::Tape)
      CallLoops.insert(P.F->P->loopOf(cast<CallBase>(K.first)->getParent()));
    if (D.Rerun)
      RunAgain.insert(D.Rerun);
  }
  for (auto &[K, D] : P.Decisions) {
    PlanValue V{K.first, Part(K.second)};
    if (D.From == Source::Cache)
      D.Slot = addValue(V, D.Rerun);
    else if (D.From == Source::Available && isa<AllocaInst>(V.V))
      D.Slot = addStorage(V);
  }
}

} // namespace

void layOutSlots(Plan &P) {
  Layout All(P, nullptr);
  All.run();
  const auto Paths = All.bytesOfPaths();
  if (any_of(Paths,
             [](const auto &Path) { return Path.second < LeastBytesOfPath; }))
    Layout(P, &Paths).run();
  unsigned Registers = 0;
  for (Slot &S : P.Slots)
    if (S.Size == Sizing::Scalar && !S.IsStorage)
      S.InMemory = ++Registers > Options::get().MaxTapeRegisters;
  layOutRecords(P);
}

void layOutRecords(Plan &P) {
  const DataLayout &DL = P.F->P->F->getDataLayout();
  MapVector<unsigned, SmallVector<unsigned, 2>> Records; // by base
  for (unsigned I = 0; I < P.Slots.size(); ++I)
    if (P.Slots[I].InRecord)
      Records[P.Slots[I].Base].push_back(I);
  auto alignOf = [&](unsigned Index) {
    return std::min<uint64_t>(
        DL.getABITypeAlign(P.Slots[Index].Element).value(), MaxRecordAlign);
  };
  for (auto &[Base, Together] : Records) {
    if (!all_of(Together,
                [&](unsigned I) { return P.Slots[I].Element->isSized(); }))
      continue;
    // What is aligned most comes first, so that little is lost between them.
    sort(Together, [&](unsigned A, unsigned B) {
      return std::pair(alignOf(B), A) < std::pair(alignOf(A), B);
    });
    uint64_t End = 0;
    for (unsigned Index : Together) {
      Slot &S = P.Slots[Index];
      S.Offset = alignTo(End, alignOf(Index));
      End = S.Offset + DL.getTypeAllocSize(S.Element);
    }
    for (unsigned Index : Together)
      P.Slots[Index].Record = alignTo(End, alignOf(Together.front()));
  }
}

} // namespace adze
