// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work space that a function is given, or a pointer in memory leads to, and
// that a loop fills in each of its iterations:
//
//   for (s < steps) {
//     for (i < n) work[i] = x[i] * y[i];
//     for (i < n) work[n + i] = ..;
//     for (i < n) y[i] += work[n + i];
//   }
//
// An iteration that runs again does so in a copy of it. Nobody says how large
// it is; what is offered is where behind the pointer the loop accesses memory:
// from the least begin of all accesses to the greatest end, as code in front of
// the loop. Where that is a constant the plan sees it itself.
//
// An access counts if the conditions are met on which an iteration comes to it.
// All are known in front of the loop: what was computed although nobody
// accesses it might be any number.
#include "Alternatives/Alternatives.h"
#include "Alternatives/SnapshotOffer.h"
#include "Loops/LoopMemory.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {
namespace {

/// Loops of a function, pointers of a loop, and accesses by one pointer.
constexpr unsigned MaxLoops = 6;
constexpr size_t MaxPointers = 8, MaxAccesses = 256;

class WorkSpaces {
public:
  WorkSpaces(Primal &P, LoopMemory &M)
      : P(P), SE(M.SE), Affine(M.Affine), Runs(M.Runs), DL(M.DL),
        Expander(M.SE, M.DL, "adze.space") {}

  void run();

private:
  /// What an instruction accesses behind one pointer.
  struct Access {
    Instruction *I;
    Value *Address;
    const SCEV *Bytes;
  };
  using Pointers = MapVector<Value *, SmallVector<Access, 8>>;

  void offerFor(const LoopRecord &L);
  Pointers accessesIn(const Loop &L);
  std::optional<ByteRange> rangeOf(const Access &A, Value &Pointer,
                                   const Loop &L);

  Primal &P;
  ScalarEvolution &SE;
  AffineAccesses &Affine;
  const Execution &Runs;
  const DataLayout &DL;
  SCEVExpander Expander;
};

/// By the pointers that are written behind: arguments, and pointers that are
/// made in front of the loop.
WorkSpaces::Pointers WorkSpaces::accessesIn(const Loop &L) {
  Pointers Found;
  SmallPtrSet<Value *, 8> Written;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      auto add = [&](Value *Address, const SCEV *Bytes, bool Writes) {
        Value *Object = getUnderlyingObject(Address, /*MaxLookup=*/0);
        auto *Made = dyn_cast<Instruction>(Object);
        if (!isa<Argument>(Object) && !(Made && !L.contains(Made)))
          return;
        if (isa<AllocaInst>(Object)) // the plan knows how large it is
          return;
        Found[Object].push_back({&I, Address, Bytes});
        if (Writes)
          Written.insert(Object);
      };
      if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
        const SCEV *Bytes = SE.getSCEV(Block->getLength());
        add(Block->getRawDest(), Bytes, /*Writes=*/true);
        if (auto *Move = dyn_cast<MemTransferInst>(Block))
          add(Move->getRawSource(), Bytes, /*Writes=*/false);
      } else if (Value *Address = getLoadStorePointerOperand(&I)) {
        const TypeSize Size = DL.getTypeStoreSize(getLoadStoreType(&I));
        add(Address,
            Size.isScalable() ? SE.getCouldNotCompute()
                              : SE.getConstant(Type::getInt64Ty(I.getContext()),
                                               Size.getFixedValue()),
            isa<StoreInst>(I));
      }
    }
  Found.remove_if([&](const auto &Each) {
    return !Written.contains(Each.first) || Each.second.size() > MaxAccesses;
  });
  return Found;
}

/// In any iteration of \p L; none if it varies.
std::optional<ByteRange> WorkSpaces::rangeOf(const Access &A, Value &Pointer,
                                             const Loop &L) {
  const BasicBlock *Place = A.I->getParent();
  ByteRange R;
  std::optional<AffineAccess> Row;
  if (isa<LoadInst, StoreInst>(A.I))
    Row = Affine.find(*A.I, &L);
  if (Row) {
    std::optional<ByteRange> All = Affine.rangeOf(*Row, &Pointer);
    if (!All)
      return std::nullopt;
    R = std::move(*All);
    Place = Row->Nest->getLoopPreheader();
  } else {
    R.Begin = SE.getMinusSCEV(SE.getSCEV(A.Address), SE.getSCEV(&Pointer));
    if (isa<SCEVCouldNotCompute>(R.Begin) ||
        isa<SCEVCouldNotCompute>(A.Bytes) ||
        R.Begin->getType() != A.Bytes->getType())
      return std::nullopt;
    R.End = SE.getAddExpr(R.Begin, A.Bytes);
  }
  if (!SE.isLoopInvariant(R.Begin, &L) || !SE.isLoopInvariant(R.End, &L) ||
      !Runs.isExecutedWith(L.getHeader(), Place, &L, R.If))
    return std::nullopt;
  return R;
}

void WorkSpaces::offerFor(const LoopRecord &L) {
  Instruction *At = L.L->getLoopPreheader()->getTerminator();
  size_t Tried = 0;
  for (const auto &[Pointer, Accesses] : accessesIn(*L.L)) {
    if (Tried++ == MaxPointers)
      return;
    SmallVector<ByteRange, 8> Ranges;
    bool IsConstant = true;
    for (const Access &A : Accesses) {
      std::optional<ByteRange> R = rangeOf(A, *Pointer, *L.L);
      if (!R || !Affine.mayBeMade(*R, At)) {
        Ranges.clear();
        break;
      }
      IsConstant &= isa<SCEVConstant>(R->Begin) && isa<SCEVConstant>(R->End);
      Ranges.push_back(std::move(*R));
    }
    if (Ranges.empty() || IsConstant)
      continue;
    const CodedRange All = codeFor(Ranges, Expander, At);
    P.WorkSpaces[{&L, Pointer}] = {All.Begin, All.Length};
  }
}

void WorkSpaces::run() {
  unsigned Tried = 0;
  for (const auto &L : P.Loops)
    if (!L->L->isInnermost() && L->L->getLoopPreheader() && Tried++ < MaxLoops)
      offerFor(*L);
}

} // namespace

void offerWorkSpaces(Primal &P, LoopMemory &M) {
  if (M.DL.getIndexSizeInBits(0) == 64)
    WorkSpaces(P, M).run();
}

} // namespace adze
