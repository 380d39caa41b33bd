// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/SeedOperands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace adze;

/// Whether \p Given are a value of type \p Ty.
static bool isValue(const MarkerCall &C, ArrayRef<Operand> Given, Type *Ty) {
  if (any_of(Given, [](const Operand &O) { return O.T != Tag::None; }))
    return false;
  const DataLayout &DL = C.layout();
  uint64_t Size = sourceLayout(Ty, DL).Size;
  if (Given[0].ByVal && Given.size() == 1)
    return sourceLayout(Given[0].ByVal, DL).Size == Size;
  if (any_of(Given, [](const Operand &O) { return O.ByVal != nullptr; }))
    return false;
  // In registers of the kind that the function returns it in, or split.
  if (Given.size() == 1 && isConvertible(Given[0], Ty, DL))
    return true;
  SmallVector<Type *, MaxPieces> Pieces;
  for (const Operand &O : Given)
    Pieces.push_back(O.V->getType());
  return (Given.size() > 1 || Pieces[0]->isAggregateType()) &&
         piecesCover(Pieces, Size, DL);
}

/// Whether the last \p Count operands are values of type \p Ty, one for each
/// direction.
static bool endsInValues(const MarkerCall &C, unsigned Count, Type *Ty) {
  if (C.Operands.size() < Count || Count % C.Width != 0)
    return false;
  ArrayRef<Operand> Last = ArrayRef(C.Operands).take_back(Count);
  const unsigned Each = Count / C.Width;
  return Each <= MaxPieces && all_of(seq(0U, C.Width), [&](unsigned K) {
           return isValue(C, Last.slice(K * Each, Each), Ty);
         });
}

/// \p C with the last \p Count operands as the adjoint.
static MarkerCall seededBy(const MarkerCall &C, unsigned Count) {
  MarkerCall Seeded = C;
  ArrayRef<Operand> Last = ArrayRef(C.Operands).take_back(Count);
  Seeded.Seed.assign(Last.begin(), Last.end());
  Seeded.Operands.truncate(C.Operands.size() - Count);
  return Seeded;
}

namespace {

/// How the operands of a call that goes back can be read.
struct Readings {
  SmallVector<MarkerCall, 3> Ways;
  /// What adze_seed is followed by is no adjoint.
  bool SeedIsWrong = false;
};

} // namespace

static Readings read(const MarkerCall &Given, bool TakesTape) {
  Readings R;
  MarkerCall C = Given;
  if (TakesTape) {
    if (C.Operands.empty())
      return R;
    const Operand O = C.Operands.pop_back_val();
    if (O.T != Tag::None || O.ByVal || !O.V->getType()->isPointerTy())
      return R;
    C.Tape = O.V;
  }
  Type *Returned = sourceResult(*C.Primal);
  const unsigned Floats =
      Returned && !C.NoReturn ? scalarClasses(Returned).Floats : 0;
  if (C.SeedFrom) {
    const unsigned Count = C.Operands.size() - *C.SeedFrom;
    R.SeedIsWrong = Floats == 0 || *C.SeedFrom >= C.Operands.size() ||
                    !endsInValues(C, Count, Returned);
    if (!R.SeedIsWrong)
      R.Ways.push_back(seededBy(C, Count));
    return R;
  }
  const bool IsSecondHalf = C.half() == SplitHalf::Reverse;
  for (unsigned Each = 1; Each <= MaxPieces; ++Each)
    if (const unsigned Count = Each * C.Width;
        Floats > (IsSecondHalf ? 0 : 1) && endsInValues(C, Count, Returned))
      R.Ways.push_back(seededBy(C, Count));
  R.Ways.push_back(std::move(C));
  return R;
}

std::optional<Match> adze::matchBackward(MarkerCall &C, bool TakesTape,
                                         std::vector<Group> &Groups,
                                         Diagnostics &Diags,
                                         const Origin &From) {
  Readings R = read(C, TakesTape);
  if (R.SeedIsWrong) {
    Diags.report(Diag::SplitUse, From, C.Call,
                 {"adze_seed",
                  "what follows is no value of the type that '" +
                      sourceName(*C.Primal) +
                      "' returns, or nothing that it returns has a derivative",
                  "write the adjoint of the result after it, behind all "
                  "arguments"});
    return std::nullopt;
  }
  unsigned Way = 0;
  const Match How = matchArguments(R.Ways, Way, Groups);
  if (How == Match::Unique)
    C = R.Ways[Way];
  return How;
}
