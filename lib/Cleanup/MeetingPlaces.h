// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which iterations of loops, or of one loop, access the same place:
//
//   for (i) { s += p[i]; q[i] = 0; }      p[i] and p[j + 1] meet where i is
//   for (j) p[j + 1] = a * x[j];          j + 1: the first is 1 ahead
//
// What is compared moves by one constant step in each iteration.
#ifndef ADZE_LIB_CLEANUP_MEETINGPLACES_H
#define ADZE_LIB_CLEANUP_MEETINGPLACES_H

#include "Loops/AccessRanges.h"
#include "Loops/LoopAccess.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace adze {

/// A load or store of a loop of one block.
struct MovingAccess : LoopAccess {
  llvm::Loop *L;
  const llvm::SCEV *Start; ///< Null: it does not move by a constant.
  int64_t Step;            ///< Bytes; 0 if it always accesses one place.

  bool isStore() const { return I->mayWriteToMemory(); }
};

/// The plain loads and stores of \p L, a loop of one block. Nothing if it does
/// anything else to memory, if an iteration that begins may not end, or if
/// there are more than \p Max.
std::optional<llvm::SmallVector<MovingAccess, 16>>
accessesOf(llvm::Loop &L, unsigned Max, llvm::ScalarEvolution &SE);

/// The same where the iterations, whose number is known, go the other way.
MovingAccess turnedAround(const MovingAccess &A, llvm::ScalarEvolution &SE);

struct Meeting {
  enum Kind { Never, Ahead, Unknown } K;
  /// Of Ahead: they meet where the first one's iteration is as many behind the
  /// second one's, counted from zero in each of the loops.
  int64_t Lag = 0;

  bool isAhead() const { return K == Ahead; }
};

class MeetingPlaces {
public:
  MeetingPlaces(llvm::ScalarEvolution &SE, llvm::LoopInfo &LI,
                AccessRanges &Ranges, llvm::AAResults &AA)
      : SE(SE), LI(LI), Ranges(Ranges), Alias(AA) {
    Alias.enableCrossIterationMode();
  }

  /// Of iterations of their loops, both of which run once.
  Meeting find(const MovingAccess &X, const MovingAccess &Y);

  /// \p Alone, a load or store beside the loop of \p X, accesses no byte that
  /// \p X does from iteration \p First on.
  bool areApartFrom(llvm::Instruction &Alone, const MovingAccess &X,
                    int64_t First);
  /// The same of all iterations but the last \p Count.
  bool areApartUntil(llvm::Instruction &Alone, const MovingAccess &X,
                     int64_t Count);
  /// Of two instructions beside the loop.
  bool areApart(llvm::Instruction &A, llvm::Instruction &B,
                const llvm::Loop &Beside);

  /// The place of \p Alone when the loops inside of its own have ended.
  std::optional<LoopAccess> ended(llvm::Instruction &Alone);

private:
  bool haveOtherObjects(const llvm::Instruction &A, const llvm::Instruction &B);
  std::optional<int64_t> between(const llvm::SCEV *From, const llvm::SCEV *To,
                                 llvm::ArrayRef<const llvm::Loop *> In);

  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  AccessRanges &Ranges;
  llvm::BatchAAResults Alias;
};

} // namespace adze
#endif
