// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses in loops whose iterations are shared out among threads.
#ifndef ADZE_LIB_ANALYSIS_SHARING_THREADADDRESS_H
#define ADZE_LIB_ANALYSIS_SHARING_THREADADDRESS_H

#include "Loops/LoopMemory.h"
#include "Loops/Polynomial.h"
#include "adze/Request.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include <functional>

namespace adze {

/// Start + Scale * i: i is the variable of a loop of which each thread has some
/// iterations, from Lower up to Upper.
struct ThreadAddress {
  const LoopRecord *L = nullptr;
  const llvm::Value *Lower = nullptr, *Upper = nullptr;
  int64_t Step = 0; // of i, from one iteration to the next
  Polynomial Start, Scale;
  /// Start takes all values up to this one more, in loops within.
  Polynomial Extent;
  /// What is not negative where the access is executed, and which symbols are
  /// not.
  llvm::SmallVector<Polynomial, 2> NonNegative;
  llvm::DenseSet<Polynomial::Symbol> Sizes;
  uint64_t Size = 0; // bytes
};

class ThreadAddresses {
public:
  /// Bounds of iterations (Teams.h).
  struct Shares {
    const llvm::Value *Lower = nullptr, *Upper = nullptr;
    int64_t Step = 0;
    /// Where both advance from one iteration to the next: the loop over chunks.
    const llvm::Loop *Chunks = nullptr;
  };
  /// \p IsUniform: a value is the same in all threads.
  ThreadAddresses(const Primal &P, LoopMemory &M,
                  std::function<bool(const llvm::Value &)> IsUniform)
      : P(P), M(M), IsUniform(std::move(IsUniform)) {}
  /// Of arguments that are \p Equal the first stands for all.
  void unite(const ArgumentPairs &Equal);

  /// Nothing if the address of \p I is not known to be of that form.
  std::optional<ThreadAddress> find(const llvm::Instruction &I);
  /// If the iterations of \p L are shared out: in how many parts, of which
  /// different threads have different ones as long as there are threads.
  const llvm::Value *partsOf(const LoopRecord &L);
  /// Two threads never meet at a byte, one by \p A, the other by \p B.
  static bool areApart(const ThreadAddress &A, const ThreadAddress &B);
  /// If all of \p Addresses lie in rows, one for each iteration, that have no
  /// byte in common: how many rows behind that of the iteration each of them
  /// lies, counted from that of the first.
  static std::optional<llvm::SmallVector<int64_t, 4>>
  rowsOf(llvm::ArrayRef<const ThreadAddress *> Addresses);

private:
  std::optional<Shares> boundsOf(const LoopRecord &L);
  std::optional<Shares> sharesOf(const LoopRecord &L);
  Polynomial polynomial(const llvm::SCEV *S);
  Polynomial symbolOf(const llvm::SCEV *S);
  Polynomial counterOf(const llvm::Loop &L);
  Polynomial lastIterationOf(const LoopRecord &L, ThreadAddress &At);

  const Primal &P;
  LoopMemory &M;
  std::function<bool(const llvm::Value &)> IsUniform;
  llvm::DenseMap<const llvm::SCEV *, const llvm::SCEV *> Representatives;
  llvm::DenseMap<const llvm::SCEV *, Polynomial::Symbol> Symbols;
  llvm::MapVector<const llvm::Loop *, Polynomial::Symbol> Counters;
  llvm::DenseSet<Polynomial::Symbol> Sizes; // that are never negative
  /// Bounds of threads, by the symbols of what they are cast to.
  llvm::DenseMap<Polynomial::Symbol, const llvm::Value *> Bounds;
  llvm::DenseSet<Polynomial::Symbol> Strides;
  Polynomial::Symbol Next = 0;
};

} // namespace adze
#endif
