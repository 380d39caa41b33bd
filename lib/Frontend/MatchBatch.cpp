// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operands of a batch belong to which parameters. As in
// MatchArguments.cpp a structure of the source may be two parameters, and its
// values one operand or two. Here a tag says how many values of one kind
// follow, so that most calls have one reading; where there are several, the
// program has to say more.
#include "Frontend/Batches.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace adze;

Group BatchArgument::group() const {
  Group G;
  G.FirstParam = FirstParam;
  G.NumParams = NumParams;
  G.Value = First;
  return G;
}

Instance BatchArgument::instance(unsigned Set) const {
  Instance I = First;
  if (T != BatchTag::Scalar)
    I.First += Set * I.Count;
  return I;
}

namespace {

class BatchMatcher {
public:
  explicit BatchMatcher(Batch &B)
      : B(B), C(B.C), F(*B.C.Primal), TellsPieces(marksScalars(B.C)) {}

  Match run() {
    visit(0, 0);
    if (Ways == 0)
      return Match::None;
    if (Ways > 1 || (Least != 0 && HasOthers))
      return Match::Ambiguous;
    B.Arguments = Found;
    return Match::Unique;
  }

private:
  /// All readings from parameter \p P and operand \p O on.
  void visit(unsigned P, unsigned O) {
    if (++Steps > MostSteps) {
      Ways = 2; // who knows
      return;
    }
    if (P == F.arg_size()) {
      if (O == C.Operands.size())
        offer();
      return;
    }
    if (F.hasParamAttribute(P, Attribute::StructRet))
      return visit(P + 1, O);
    for (unsigned Size = 1; Size <= 2 && P + Size <= F.arg_size(); ++Size)
      if (Size == 1 || mayBePair(P))
        for (unsigned Each = 1; Each <= 2; ++Each)
          take(P, Size, O, Each);
  }

  /// Where clang tells pieces of structures from scalars, every argument is
  /// taken to have a tag if that is possible; if it is not, nothing is chosen.
  void offer() {
    const unsigned Untagged = count_if(
        Now, [](const BatchArgument &A) { return A.T == BatchTag::None; });
    HasOthers |= Ways != 0;
    if (Ways != 0 && TellsPieces && Untagged > Least)
      return;
    if (Ways != 0 && TellsPieces && Untagged < Least)
      Ways = 0;
    Least = Untagged;
    if (++Ways == 1)
      Found = Now;
  }

  void take(unsigned P, unsigned Size, unsigned O, unsigned Each) {
    if (O >= C.Operands.size())
      return;
    BatchArgument A;
    A.T = B.TagBefore[O];
    A.Stride = B.StrideBefore[O];
    A.FirstParam = P;
    A.NumParams = Size;
    const unsigned Count = B.operandsOf(A.T, Each);
    if (O + Count > C.Operands.size() || hasTagWithin(O + 1, O + Count))
      return;
    for (Instance::Form How :
         {Instance::Direct, Instance::Indirect, Instance::Gathered}) {
      A.First = {How, O, Each};
      if (!fitsAll(A, Count / Each))
        continue;
      Now.push_back(A);
      visit(P + Size, O + Count);
      Now.pop_back();
      return;
    }
  }

  bool hasTagWithin(unsigned First, unsigned End) const {
    return any_of(seq(First, std::max(First, End)),
                  [&](unsigned O) { return B.TagBefore[O] != BatchTag::None; });
  }

  bool fitsAll(const BatchArgument &A, unsigned Sets) const {
    if (A.T == BatchTag::Buffer)
      return A.First.How == Instance::Direct && A.First.Count == 1 &&
             C.Operands[A.First.First].V->getType()->isPointerTy() &&
             !C.Operands[A.First.First].ByVal;
    return all_of(seq(0u, Sets),
                  [&](unsigned Set) { return fits(A, A.instance(Set)); });
  }

  bool fits(const BatchArgument &A, const Instance &I) const {
    const DataLayout &DL = C.layout();
    Type *Memory = memoryType(F, A.FirstParam);
    const Operand &First = C.Operands[I.First];
    switch (I.How) {
    case Instance::Direct:
      if (Memory)
        return I.Count == 1 && First.ByVal &&
               DL.getTypeAllocSize(First.ByVal) == DL.getTypeAllocSize(Memory);
      return I.Count == A.NumParams &&
             all_of(seq(0u, I.Count), [&](unsigned K) {
               return isConvertible(C.Operands[I.First + K],
                                    F.getArg(A.FirstParam + K)->getType(), DL);
             });
    case Instance::Indirect: // one operand in memory for what F takes split
      return !Memory && I.Count == 1 && First.ByVal &&
             bytesOf(A) == alignTo(DL.getTypeAllocSize(First.ByVal), 8);
    case Instance::Gathered: // the other way round
      return Memory &&
             none_of(
                 seq(0u, I.Count),
                 [&](unsigned K) { return C.Operands[I.First + K].ByVal; }) &&
             bytesOf(I) == alignTo(DL.getTypeAllocSize(Memory), 8);
    case Instance::Packed: // of shadows
      break;
    }
    return false;
  }

  uint64_t bytesOf(const BatchArgument &A) const {
    SmallVector<Type *, 2> Pieces;
    for (unsigned K = 0; K != A.NumParams; ++K)
      Pieces.push_back(F.getArg(A.FirstParam + K)->getType());
    SmallVector<uint64_t, 2> Offsets;
    return pieceOffsets(Pieces, C.layout(), Offsets);
  }
  uint64_t bytesOf(const Instance &I) const {
    SmallVector<Type *, 2> Pieces;
    for (unsigned K = 0; K != I.Count; ++K)
      Pieces.push_back(C.Operands[I.First + K].V->getType());
    SmallVector<uint64_t, 2> Offsets;
    return pieceOffsets(Pieces, C.layout(), Offsets);
  }

  /// Clang marks scalars as noundef, the function's address among them, and not
  /// the pieces of structures.
  static bool marksScalars(const MarkerCall &C) {
    return C.Call->paramHasAttr(C.SRet ? 1 : 0, Attribute::NoUndef);
  }
  bool isPiece(unsigned P) const {
    return !memoryType(F, P) && !F.hasParamAttribute(P, Attribute::NoUndef);
  }
  bool mayBePair(unsigned P) const { return isPiece(P) && isPiece(P + 1); }

  Batch &B;
  const MarkerCall &C;
  const Function &F;
  const bool TellsPieces;
  static constexpr unsigned MostSteps = 10000;
  bool HasOthers = false;                  // more than one reading
  unsigned Ways = 0, Least = 0, Steps = 0; // Least: arguments without a tag
  SmallVector<BatchArgument, 8> Now, Found;
};

} // namespace

Match adze::matchBatch(Batch &B) { return BatchMatcher(B).run(); }
