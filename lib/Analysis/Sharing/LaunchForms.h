// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses as sums of the numbers that tell the threads of a launch apart:
//
//   start + c1 * d1 + c2 * d2 + ..
//
// A digit d is threadIdx.x, blockIdx.y, blockIdx.x * blockDim.x + threadIdx.x,
// one of these in another order (WrappedDigits.cpp), or a counter of a loop;
// start and all c are the same in all threads. If each c is at least what the
// digits before it make, no two threads have a common address: it is a number
// whose digits say which thread it belongs to.
#ifndef ADZE_LIB_ANALYSIS_SHARING_LAUNCHFORMS_H
#define ADZE_LIB_ANALYSIS_SHARING_LAUNCHFORMS_H

#include "Loops/LoopMemory.h"
#include "Loops/Polynomial.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace adze {

/// The numbers of a launch, each in three dimensions. Item: Block * BlockSize +
/// Thread. Items: BlockSize * GridSize, all of them.
enum class LaunchNumber : uint8_t {
  Thread,
  Block,
  Item,
  BlockSize,
  GridSize,
  Items
};
constexpr unsigned LaunchDimensions = 3;

/// An address that all threads of a launch have, each with its own digits.
struct LaunchForm {
  struct Part {
    Polynomial::Symbol Digit = 0;
    Polynomial Coefficient;
    /// The digit is less than each; if there is none, nothing is known.
    llvm::SmallVector<Polynomial, 2> Bounds;
    /// What is multiplied is what the digit lacks of the greatest that its one
    /// bound allows.
    bool IsTurned = false;
  };
  Polynomial Start;
  uint64_t Size = 0; // bytes
  llvm::SmallVector<Part, 4> Parts;
  /// The parts together are at most this.
  std::optional<Polynomial> Way;
  /// All that must be true, or the form is wrong: these and their symbols are
  /// not negative, and fit into 31 bits.
  llvm::SmallVector<Polynomial, 4> Fits;
  /// Several threads may have the address: a digit is a remainder of what may
  /// be more than its count.
  bool IsShared = false;

  bool hasBounds() const {
    return Way ||
           llvm::all_of(Parts, [](const Part &P) { return !P.Bounds.empty(); });
  }
};

/// Each element in front of those behind which it need not stay: of some pairs
/// nobody knows which comes first, so that they cannot be sorted.
template <typename Range, typename Before>
void orderAsKnown(Range &Elements, Before IsBefore) {
  for (size_t I = 1; I < Elements.size(); ++I)
    for (size_t J = I; J > 0 && IsBefore(Elements[J], Elements[J - 1]); --J)
      std::swap(Elements[J], Elements[J - 1]);
}

/// Of one function that all threads of a launch run, with equal arguments.
class LaunchForms {
public:
  LaunchForms(const Primal &P, LoopMemory &M);

  /// Nothing if what \p I accesses is not of that form.
  std::optional<LaunchForm> of(const llvm::Instruction &I);
  /// Numbers that no digit of \p F tells: there must be one of each alone, or
  /// threads have an address together.
  llvm::SmallVector<Polynomial, 6> untold(const LaunchForm &F) const;

  /// A digit that counts iterations of a loop within a thread.
  bool isCounter(Polynomial::Symbol Digit) const {
    return !Digits.at(Digit).Tells;
  }

  /// What a symbol stands for that is no digit: a number of the launch, or a
  /// value that is calculated of such and of arguments.
  using Number = std::pair<LaunchNumber, unsigned>;
  std::optional<Number> numberOf(Polynomial::Symbol S) const;
  const llvm::SCEV *valueOf(Polynomial::Symbol S) const { return Values.at(S); }
  static std::optional<Number> numberOf(const llvm::Value &V);

private:
  struct Digit {
    std::optional<Number> Tells;
    std::optional<Polynomial> Bound;
  };

  struct Guard {
    llvm::ICmpInst::Predicate Is;
    const llvm::SCEV *Bound;
  };

  std::optional<Guard> guardOf(const llvm::SCEVAddRecExpr &A) const;
  static Polynomial number(LaunchNumber N, unsigned Dimension);
  static bool isUniform(const llvm::SCEV *S);
  bool keepsValue(const llvm::SCEVIntegralCastExpr &Cast) const;
  Polynomial symbolOf(const llvm::SCEV *S);
  Polynomial polynomial(const llvm::SCEV *S, LaunchForm &F);
  Polynomial ofCast(const llvm::SCEVIntegralCastExpr &Cast, LaunchForm &F);
  Polynomial exactParts(const llvm::SCEVNAryExpr &S, bool Signed,
                        LaunchForm &F);
  Polynomial exact(const llvm::SCEV *S, bool Signed, LaunchForm &F);
  Polynomial counterOf(const llvm::Loop &L);
  bool addFitting(const Polynomial &P, LaunchForm &F) const;
  static Polynomial joined(Polynomial P);
  bool hasDigits(const Polynomial &P) const;
  bool takeApart(Polynomial Address, LaunchForm &F) const;
  void addGuards(const llvm::Instruction &At, LaunchForm &F);
  void addGuards(const llvm::Loop &L, LaunchForm &F);
  void addCondition(const llvm::Value *V, bool Holds, LaunchForm &F,
                    unsigned Depth = 0);
  void addGuard(llvm::ICmpInst::Predicate Is, const llvm::SCEV *Less,
                const llvm::SCEV *More, LaunchForm &F);
  void turnAround(LaunchForm &F) const;

  /// Digit + By.
  struct Shifted {
    Polynomial::Symbol Digit = 0;
    Polynomial By;
  };
  struct Wrap {
    Shifted Of;
    Polynomial Count;
    Polynomial::Symbol Digit;
  };
  struct Quotient {
    Polynomial Whole; // Digit * By
    Polynomial By;
    Polynomial::Symbol Digit;
  };
  struct Threshold;
  struct Step;
  std::optional<Shifted> shiftedDigit(const Polynomial &Of) const;
  bool isBelow(Polynomial::Symbol D, const Polynomial &Bound, LaunchForm &F);
  Polynomial wrapped(const Shifted &Of, const Polynomial &N);
  std::optional<Polynomial> remainder(const llvm::SCEV *E, const Polynomial &N,
                                      LaunchForm &F);
  std::optional<Polynomial> quotient(const llvm::SCEVUDivExpr &S,
                                     LaunchForm &F);
  Polynomial withoutQuotients(Polynomial P) const;
  bool mayBeShared(LaunchForm &F);
  Polynomial fitting(const llvm::SCEV *S, LaunchForm &F);
  std::optional<Threshold> thresholdOf(const llvm::ICmpInst &Compare,
                                       LaunchForm &F);
  std::optional<Step> stepOf(llvm::SelectInst &Select, LaunchForm &F);
  std::optional<Polynomial> choice(llvm::SelectInst &Select, LaunchForm &F);
  std::optional<Polynomial> wrappedOf(const llvm::SCEV *S, LaunchForm &F);

  const Primal &P;
  LoopMemory &M;
  llvm::DenseMap<const llvm::SCEV *, Polynomial::Symbol> Symbols;
  std::map<Polynomial::Symbol, const llvm::SCEV *> Values;
  llvm::DenseMap<const llvm::Loop *, Polynomial::Symbol> Counters;
  std::map<Polynomial::Symbol, Digit> Digits;
  llvm::SmallVector<Wrap, 4> Wraps;
  llvm::SmallVector<Quotient, 4> Quotients;
  const llvm::Instruction *At = nullptr; // whose address it is
  bool InGuards = false;
  Polynomial::Symbol Next;
};

} // namespace adze
#endif
