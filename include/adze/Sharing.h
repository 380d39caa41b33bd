// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers one question about code that several threads of a team run at the
// same time: may two of them accumulate to the same place? What threads read
// together, the reverse pass adds to together.
//
// What a thread writes is its own until threads meet, for the program has no
// races. So it is about reads alone, and about pairs of them. Two reads never
// meet in different threads if
//   * one reads memory that belongs to the thread (its variables, its blocks),
//     or that its thread writes as well before it meets others;
//   * they start from different objects; or
//   * both are at a distance l * i + r from one base, where i counts iterations
//     that are shared out (Teams.h), so that two threads have different i; l
//     and the base are the same in all threads, and the bytes at r, of all
//     iterations of loops within, are not more than one step of l * i.
//
// Where the bytes at r of one read are those of another one some steps further
// on, and the iterations of a thread follow each other, as in
//
//   y[i] = x[i - 1] + x[i + 1],
//
// threads meet near the bounds of their iterations, and nowhere else.
//
// (FormAD, Hueckelheim and Hascoet 2022, asks the same of a solver.)
// A proof: what may be shared may also not be. const once built.
#ifndef ADZE_SHARING_H
#define ADZE_SHARING_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Instruction;
class raw_ostream;
} // namespace llvm

namespace adze {

class ActivityInfo;
class Primal;
struct LoopRecord;
struct Request;

/// Threads meet in the first and in the last iterations of a loop that each of
/// them has of it.
struct NearBounds {
  const LoopRecord *L = nullptr;   // its LastIteration is known
  uint64_t AtBegin = 0, AtEnd = 0; // how many iterations
};

class Sharing {
public:
  /// \p P under \p R; nothing is shared but in a team.
  Sharing(const Primal &P, const Request &R, const ActivityInfo &Activity);

  /// Threads may add to the adjoint of what \p Read (a load, or a block copy)
  /// has read at the same time.
  bool mayBeShared(const llvm::Instruction &Read) const {
    return Shared.contains(&Read);
  }
  /// If they do in a few iterations only: in which; else null.
  const NearBounds *nearBounds(const llvm::Instruction &Read) const {
    auto It = Shared.find(&Read);
    return It != Shared.end() && It->second.L ? &It->second : nullptr;
  }

  /// On a GPU, lanes of a warp most likely add to one place there, or a few.
  bool isLikelyAlike(const llvm::Instruction &Read) const {
    return Alike.contains(&Read);
  }

private:
  llvm::DenseSet<const llvm::Instruction *> Alike;
  /// Without a loop: always.
  llvm::DenseMap<const llvm::Instruction *, NearBounds> Shared;
};

} // namespace adze
#endif
