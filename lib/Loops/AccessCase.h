// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What AccessOrder knows of an access, and of two executions of two accesses.
#ifndef ADZE_LIB_LOOPS_ACCESSCASE_H
#define ADZE_LIB_LOOPS_ACCESSCASE_H

#include "Loops/AccessOrder.h"
#include "Loops/Polynomial.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstrTypes.h"

namespace adze {

/// An access: where it goes.
struct AccessOrder::Walk {
  /// A comparison that is true whenever it is executed.
  struct Condition {
    llvm::ICmpInst::Predicate Is;
    const llvm::SCEV *Left, *Right;
  };

  const llvm::Value *Base = nullptr; // does not vary
  const llvm::SCEV *Offset = nullptr;
  // Rows behind pointers: Base is their table, Slot leads to the pointer, and
  // Offset begins where the pointer leads.
  const llvm::MDNode *Rows = nullptr;
  const llvm::SCEV *Slot = nullptr;
  int64_t Size = 0;
  uint64_t Object = 0; // bytes from Base to the end; 0: not known
  llvm::SmallVector<const llvm::Loop *, 4> Around; // outer to inner
  size_t Whole = 0;                   // those from here on end with an access
  llvm::SmallVector<Condition, 4> If; // of 64-bit numbers
};

/// Two executions: Later is in a later iteration of loop Level of those around
/// both, or, if there is no such loop, in the same iterations of all.
class AccessOrder::Case {
public:
  Case(llvm::ScalarEvolution &SE, const llvm::LoopInfo &LI, const Walk &First,
       const Walk &Later, size_t Common, size_t Level);

  bool staysApart(bool FirstsBoundsFirst) const;

private:
  struct Execution {
    const Walk &W;
    llvm::SmallVector<Polynomial, 4> Counters; // as W.Around
    std::vector<Polynomial> Bounds;            // none is negative
  };

  Polynomial symbol() { return Polynomial::symbol(Symbols++); }
  Polynomial guarded(const llvm::SCEV *S, const Execution &E);
  Polynomial of(const llvm::SCEV *S, const Execution &E, unsigned Depth = 0);
  Polynomial ofQuotient(const llvm::SCEVConstant &Factor,
                        const llvm::SCEVUDivExpr &Quotient, const Execution &E,
                        unsigned Depth);
  Polynomial ofAdvance(const llvm::SCEVAddRecExpr &Advance, const Execution &E,
                       unsigned Depth);
  Polynomial counterOf(const llvm::Loop &L, const Execution &E) const;
  bool isAtMost(const llvm::SCEV *A, const llvm::SCEV *B, bool Signed,
                const Execution &E, unsigned Depth);
  Polynomial ofChoice(const llvm::SCEVMinMaxExpr &Choice, const Execution &E,
                      unsigned Depth);
  std::optional<Polynomial> ofExtendedSum(const llvm::SCEV *S,
                                          const Execution &E);
  Polynomial unknown(const llvm::SCEV *S, const Execution &E);
  bool isNonNegative(const llvm::SCEV *S, const Execution &E);
  void bound(Execution &E, size_t Loop);
  void boundByObject(Execution &E);
  Polynomial lastOffset(const Execution &E, size_t From);
  Polynomial lastOf(size_t Loop, const Execution &E);
  void assume(Execution &E, const Walk::Condition &C);
  Polynomial offsetIn(Execution &E);
  std::vector<Polynomial> rowSizes() const;

  llvm::ScalarEvolution &SE;
  const llvm::LoopInfo &LI;
  llvm::MapVector<const llvm::SCEV *, Polynomial> Unknowns;
  /// The least or the greatest of several numbers.
  struct Chosen {
    const llvm::SCEV *Of;
    llvm::SmallVector<Polynomial, 2> Each;
    Polynomial Value;
  };
  llvm::SmallVector<Chosen, 2> Choices;
  std::vector<Polynomial> ChoiceBounds; // none is negative
  Polynomial::Symbol Symbols = 0;
  Polynomial RowSize, BeforeRow; // of rows behind pointers
  Execution First, Later;
  Polynomial Apart;
};

} // namespace adze
#endif
