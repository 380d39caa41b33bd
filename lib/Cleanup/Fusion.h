// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two neighbouring loops become one: FuseLoops.cpp says why that is
// right. What stands between them has a file of its own, FusionBetween.cpp.
#ifndef ADZE_LIB_CLEANUP_FUSION_H
#define ADZE_LIB_CLEANUP_FUSION_H

#include "FusionTests.h"
#include "LoopPair.h"
#include "MeetingPlaces.h"

namespace llvm {
class TargetLibraryInfo;
} // namespace llvm

namespace adze {

/// Of one function.
struct FusionFacts {
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  const llvm::TargetLibraryInfo &TLI;
  AccessRanges &Ranges;
  MeetingPlaces Places;
  /// Even if nothing is fused.
  bool Changed = false;
};

using Accesses = llvm::SmallVector<MovingAccess, 16>;

/// One of a loop with the next one.
class Fusion {
public:
  Fusion(llvm::Loop &First, bool IsNear, FusionFacts &K)
      : K(K), IsNear(IsNear), SE(K.SE), Tests(SE, K.LI, K.Ranges, First) {
    Pair.First = &First;
  }

  /// The pair that the loop is the first of.
  std::optional<LoopPair> find();

private:
  bool findSecond();
  llvm::BasicBlock *follow(llvm::BasicBlock &B);
  bool findShift();
  bool findRest();
  bool findCount(unsigned Extra);
  bool requireCount(const llvm::SCEV &Back, unsigned Least);
  bool handsOnLittle(llvm::Loop &L);
  Meeting meet(const MovingAccess &X, const MovingAccess &Y);
  bool areIndependent(const Accesses &Body);
  void turn();
  bool staysVector(const MovingAccess &X, const MovingAccess &Y);
  bool isOrdered(const Accesses &Body);
  bool placeBetween();
  bool placeCall(llvm::CallBase &Call);
  void findArrays();
  bool comesFromFirst(const llvm::Value *V) const;
  bool asksForCount(llvm::Value &Guard);
  bool areTestedApart(llvm::Instruction &I, const MovingAccess &X);
  bool mayGoAhead(llvm::Instruction &I);
  bool mayWait(llvm::Instruction &I);
  bool place(llvm::Instruction &I, bool IsLate);

  static constexpr unsigned MaxTests = 24;

  FusionFacts &K;
  bool IsNear; // nothing may be between that accesses memory
  llvm::ScalarEvolution &SE;
  LoopPair Pair;
  Accesses OfFirst, OfSecond;
  llvm::SmallVector<llvm::Instruction *, 8> LateAccesses; // between the loops
  FusionTests Tests;
  llvm::DenseMap<
      std::pair<const llvm::Instruction *, const llvm::Instruction *>, Meeting>
      Known;
};

} // namespace adze
#endif
