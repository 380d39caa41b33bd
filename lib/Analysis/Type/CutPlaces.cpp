// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a write may go to: its address is followed back through address
// calculations and the phis of loops.
#include "Analysis/Type/CutPlaces.h"
#include "Analysis/Type/IRTypes.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace adze {

/// A pointer that a loop advances: goes on with what it started from. False if
/// that is not one pointer.
static bool walkPhi(const PHINode &Phi, WritePlace &P, const DataLayout &DL) {
  const Value *Outer = nullptr;
  for (const Value *In : Phi.incoming_values()) {
    WritePlace Step;
    Step.Base = In;
    for (unsigned I = 0; I < MaxSteps && Step.Base != &Phi; ++I) {
      auto *GEP = dyn_cast<GEPOperator>(Step.Base);
      if (!GEP)
        break;
      Step.walk(*GEP, DL);
    }
    if (Step.Base == &Phi) {
      if (Step.Start != 0)
        P.repeat(Step.Start < 0 ? -uint64_t(Step.Start) : Step.Start,
                 TypePlace::Unbounded);
      if (Step.Stride != 0)
        P.repeat(Step.Stride, TypePlace::Unbounded);
      P.Down |= Step.Start < 0 || Step.Down;
      continue;
    }
    if (Outer && Outer != In)
      return false;
    Outer = In;
  }
  P.Base = Outer;
  return Outer != nullptr;
}

void WritePlace::repeat(uint64_t By, uint64_t Count) {
  Stride = std::gcd(Stride, By);
  if (By > 1)
    Elements = std::gcd(Elements, By);
  bool Endless = Count == TypePlace::Unbounded ||
                 Extent == TypePlace::Unbounded || Count > UINT32_MAX ||
                 By > UINT32_MAX;
  if (By == 1)
    Run = Endless ? TypePlace::Unbounded : Run + Count - 1;
  Extent = Endless ? TypePlace::Unbounded : Extent + By * (Count - 1);
}

void WritePlace::walk(const GEPOperator &GEP, const DataLayout &DL) {
  AddressOffset A = offsetOf(GEP, DL);
  Base = GEP.getPointerOperand();
  Start += A.Constant;
  if (!A.Known) {
    repeat(1, TypePlace::Unbounded);
    Down = true;
  }
  for (const Dimension &D : A.Dims) {
    repeat(D.Stride, D.Count);
    // An index of a pointer, not of an array, may be negative.
    Down |= D.Count == TypePlace::Unbounded;
  }
}

bool WritePlace::step(const DataLayout &DL) {
  if (auto *GEP = dyn_cast<GEPOperator>(Base)) {
    walk(*GEP, DL);
    return true;
  }
  auto *Phi = dyn_cast<PHINode>(Base);
  return Phi && walkPhi(*Phi, *this, DL);
}

void WritePlace::behind(const WritePlace &O) {
  Base = O.Base;
  Start += O.Start;
  Stride = std::gcd(Stride, O.Stride);
  Elements = std::gcd(Elements, O.Elements);
  bool Endless =
      Extent == TypePlace::Unbounded || O.Extent == TypePlace::Unbounded;
  Extent = Endless ? TypePlace::Unbounded : Extent + O.Extent;
  bool Runs = Run == TypePlace::Unbounded || O.Run == TypePlace::Unbounded;
  Run = Runs ? TypePlace::Unbounded : Run + O.Run;
  Down |= O.Down;
}

bool WritePlace::operator==(const WritePlace &O) const {
  return Base == O.Base && Start == O.Start && Stride == O.Stride &&
         Elements == O.Elements && Extent == O.Extent && Run == O.Run &&
         Down == O.Down;
}

} // namespace adze
