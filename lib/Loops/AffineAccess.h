// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores in nests of loops whose address is
//
//   start + sum of counter * step over the loops of the nest around them,
//
// with start and steps that do not vary in the nest, and which are executed in
// every iteration of every one of these loops, or in none, by conditions that
// are known in front of the nest. The loops are left in one place only, after a
// number of iterations that is known in front of the nest. So all that they
// access lies between the least and the greatest of these numbers, and both are
// accessed unless the conditions are not met.
#ifndef ADZE_LIB_LOOPS_AFFINEACCESS_H
#define ADZE_LIB_LOOPS_AFFINEACCESS_H

#include "Loops/LoopAccess.h"
#include "adze/Execution.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

namespace adze {

/// One loop of the nest in which an address advances.
struct Advance {
  const LoopRecord *L;
  const llvm::SCEV *Step;
};

struct AffineAccess {
  llvm::Instruction *I = nullptr; // a load or a store
  const llvm::Loop *Nest = nullptr;
  const llvm::SCEV *Start = nullptr;      // the address in all first iterations
  llvm::SmallVector<Advance, 3> Advances; // outer to inner
  Guards If;

  llvm::Type *type() const { return llvm::getLoadStoreType(I); }
};

/// Distances from an array, from the first byte to behind the last one.
struct ByteRange {
  const llvm::SCEV *Begin = nullptr;
  const llvm::SCEV *End = nullptr;
  Guards If; // else it is empty
};

/// The last iteration of \p L, which counts, if it is entered.
llvm::Value *lastIfEntered(const LoopRecord &L);

class AffineAccesses {
public:
  AffineAccesses(const Primal &P, llvm::ScalarEvolution &SE,
                 const Execution &Runs)
      : P(P), SE(SE), Runs(Runs), DL(P.F->getDataLayout()),
        Expander(SE, DL, "adze") {}

  /// \p I in the largest nest in \p Around (null: the function) for which that
  /// can be said.
  std::optional<AffineAccess> find(llvm::Instruction &I,
                                   const llvm::Loop *Around);
  /// All that \p A accesses behind \p Array.
  std::optional<ByteRange> rangeOf(const AffineAccess &A, llvm::Value *Array);
  /// The same where all loops of the nest are entered.
  std::optional<ByteRange> rangeIfEntered(const AffineAccess &A,
                                          llvm::Value *Array);
  /// That of all threads of a team together, which share the iterations of a
  /// loop of the nest: what one thread would access that has all iterations.
  /// Nothing if no address advances in such a loop.
  std::optional<ByteRange> rangeOfTeam(const AffineAccess &A,
                                       llvm::Value *Array);
  /// \p R can be computed at \p At.
  bool mayBeMade(const ByteRange &R, const llvm::Instruction *At) const;
  /// About how many bytes there are between two neighbours.
  uint64_t bytesPerElement(const AffineAccess &A);
  /// What \p S is if nothing overflows, if that is a constant.
  std::optional<int64_t> constant(const llvm::SCEV *S);
  /// Both lie in rows that advance alike, and not far from each other.
  bool isNear(const AffineAccess &A, const AffineAccess &B);
  /// What they access begins and ends at about the same places.
  bool lieTogether(const AffineAccess &A, const AffineAccess &B);
  /// If both are executed, all that \p B accesses lies between the first byte
  /// that \p A does and the last one. Both access one object.
  bool reachesOver(const AffineAccess &A, const AffineAccess &B);

private:
  /// The addresses of the first element and of the last one.
  struct Ends {
    const llvm::SCEV *Begin, *Last;
  };

  Ends endsOf(const AffineAccess &A);
  std::optional<ByteRange> rangeBetween(const Ends &E, const AffineAccess &A,
                                        llvm::Value *Array);
  bool isDense(llvm::ArrayRef<Advance> All, llvm::Type *Element);
  bool isKnownBefore(const AffineAccess &A, const llvm::Loop &Nest);

  const Primal &P;
  llvm::ScalarEvolution &SE;
  const Execution &Runs;
  const llvm::DataLayout &DL;
  llvm::SCEVExpander Expander; // says what can be computed; it makes no code
};

/// The pointer that \p Ptr is calculated from; null if not by a few plain
/// address calculations.
llvm::Value *arrayBehind(llvm::Value *Ptr);
/// These calculations, the last one first.
llvm::SmallVector<llvm::GetElementPtrInst *, 4> stepsTo(llvm::Value *Ptr,
                                                        llvm::Value *Array);

} // namespace adze
#endif
