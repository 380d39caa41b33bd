// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TripCounts.h"
#include "adze/Options.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <algorithm>

using namespace llvm;

namespace adze {

namespace {

/// Operations that are looked at for one count, with those of the counts of the
/// loops around that it depends on.
constexpr unsigned MaxSteps = 32;

uint64_t asTrips(double Last) {
  return Last >= MaxEstimate ? MaxEstimate : Last >= 1 ? uint64_t(Last) + 1 : 1;
}

/// What a count comes to, as a floating-point number: nothing wraps around,
/// and fractions do no harm.
class Estimate {
public:
  explicit Estimate(const Primal &P) : P(P) {}

  uint64_t tripsOf(const LoopRecord &L) {
    if (auto *Last = dyn_cast_or_null<ConstantInt>(L.LastIteration))
      return std::min(
          SaturatingAdd(Last->getLimitedValue(MaxEstimate), uint64_t(1)),
          MaxEstimate);
    uint64_t Trips = Options::get().AssumedTrips;
    if (auto Profiled = getLoopEstimatedTripCount(L.L))
      Trips = std::max(1u, *Profiled);
    else if (L.LastIteration)
      Trips = asTrips(of(L.LastIteration));
    if (L.MostIterations)
      Trips = std::min(Trips, L.MostIterations);
    return Trips;
  }

private:
  double of(const Value *V) {
    if (auto *C = dyn_cast<ConstantInt>(V))
      return C->getBitWidth() <= 64 ? double(C->getSExtValue()) : assumed();
    auto *I = dyn_cast<Instruction>(V);
    if (!I || ++Steps > MaxSteps)
      return assumed();
    if (isa<CastInst, FreezeInst>(I))
      return of(I->getOperand(0));
    // Of two counts the larger one: the other stands for a loop that is not
    // entered.
    if (auto *Choice = dyn_cast<SelectInst>(I))
      return std::max(of(Choice->getTrueValue()), of(Choice->getFalseValue()));
    if (auto *Bounds = dyn_cast<MinMaxIntrinsic>(I))
      return ofBounds(*Bounds);
    if (auto *Operation = dyn_cast<BinaryOperator>(I))
      return ofOperation(*Operation);
    if (auto *Phi = dyn_cast<PHINode>(I))
      return ofCounter(*Phi);
    return assumed();
  }

  static double assumed() { return Options::get().AssumedTrips; }

  double ofBounds(const MinMaxIntrinsic &I) {
    double A = of(I.getLHS()), B = of(I.getRHS());
    const bool Least = I.getIntrinsicID() == Intrinsic::smin ||
                       I.getIntrinsicID() == Intrinsic::umin;
    return Least ? std::min(A, B) : std::max(A, B);
  }

  double ofOperation(const BinaryOperator &I) {
    double A = of(I.getOperand(0)), B = of(I.getOperand(1));
    switch (I.getOpcode()) {
    case Instruction::Add:
      return A + B;
    case Instruction::Sub:
      // The end of a row less its begin: nobody knows either.
      return A > B || isa<Constant>(I.getOperand(1)) ? A - B : assumed();
    case Instruction::Mul:
      return A * B;
    case Instruction::Shl:
      return B >= 0 && B < 63 ? A * double(uint64_t(1) << unsigned(B))
                              : assumed();
    case Instruction::LShr:
    case Instruction::AShr:
      return B >= 0 && B < 63 ? A / double(uint64_t(1) << unsigned(B))
                              : assumed();
    case Instruction::UDiv:
    case Instruction::SDiv:
      return B > 0 ? A / B : assumed();
    default:
      return assumed();
    }
  }

  /// The counter of a loop around is half way on average.
  double ofCounter(const PHINode &Phi) {
    const LoopRecord *L = P.loopOf(Phi.getParent());
    return L && L->Counter == &Phi ? double(tripsOf(*L)) / 2 : assumed();
  }

  const Primal &P;
  unsigned Steps = 0;
};

} // namespace

uint64_t TripEstimates::trips(const LoopRecord &L) {
  auto [At, New] = Trips.try_emplace(&L, 0);
  if (New)
    At->second = Estimate(P).tripsOf(L);
  return At->second;
}

uint64_t TripEstimates::runs(const BasicBlock *B) {
  const LoopRecord *L = P.loopOf(B);
  return L ? runsInside(*L) : 1;
}

/// Products are taken from the innermost loop outwards.
uint64_t TripEstimates::runsInside(const LoopRecord &Innermost) {
  auto [At, New] = Runs.try_emplace(&Innermost, 1);
  if (New)
    for (const LoopRecord *L = &Innermost; L; L = L->Parent)
      At->second =
          std::min(SaturatingMultiply(At->second, trips(*L)), MaxEstimate);
  return At->second;
}

} // namespace adze
