// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums in memory that threads share.
#ifndef ADZE_ATOMICSUM_H
#define ADZE_ATOMICSUM_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class CallInst;
class Instruction;
class LoadInst;
} // namespace llvm

namespace adze {

struct Facts;

/// Values of type \p Ty can be added so: a float that the target exchanges as
/// one word, or a vector of such.
bool canAddAtomically(const llvm::Type *Ty);

/// The type as which the adjoint of \p Load, which is aligned to its size, can
/// be added so: an integer may have the bits of one float. Null if it cannot.
llvm::Type *atomicTypeOf(const llvm::LoadInst &Load, const Facts &F);

/// memory at \p Place += \p Term, each float by itself. They are aligned to
/// their size.
void addAtomically(llvm::IRBuilderBase &B, llvm::Value *Place,
                   llvm::Value *Term);
/// The same where lanes of a warp most likely have the same place: marked so,
/// for them to add up their terms before (Runtime/LaneSums.c).
void addForLanes(llvm::IRBuilderBase &B, llvm::Value *Place, llvm::Value *Term);
inline constexpr char LanesMetadata[] = "adze.lanes.alike";
/// The same, but as one thread does where the i1 \p Alone is true. A call of a
/// function that is to be inlined; its branch has this metadata.
llvm::CallInst *addAtomicallyUnless(llvm::IRBuilderBase &B, llvm::Value *Alone,
                                    llvm::Value *Place, llvm::Value *Term);
/// How a thread adds in pages (Runtime/TeamPages.h).
struct PagedSum {
  llvm::Value *Pages; // of the thread
  llvm::Value *Alone; // i1: it is the only one of its team
  bool MayClaim;      // pages may be the thread's own (Replica::IsClaimed)
};
/// memory at \p Place += \p Term: plainly where the thread is alone or the page
/// its own, else in the copy that it has of the page, or as the runtime does.
/// Calls of a function that is to be inlined.
llvm::SmallVector<llvm::CallInst *, 1> addInPages(llvm::IRBuilderBase &B,
                                                  const PagedSum &How,
                                                  llvm::Value *Place,
                                                  llvm::Value *Term);
/// A call of one of both functions.
bool isAtomicSumUnless(const llvm::Instruction &I);
/// A call of the second one.
bool isSumInPages(const llvm::Instruction &I);
inline constexpr char AloneMetadata[] = "adze.alone";

/// i1: iteration \p Counter of those from 0 to \p Last is neither one of the
/// first \p AtBegin nor of the last \p AtEnd, or \p Always is true. A call of a
/// function that is to be inlined once loops have been cut there
/// (Cleanup/TeamSums.h).
llvm::CallInst *isBetweenBounds(llvm::IRBuilderBase &B, llvm::Value *Counter,
                                llvm::Value *Last, uint64_t AtBegin,
                                uint64_t AtEnd, llvm::Value *Always);
bool isBetweenBounds(const llvm::Value *V);
/// The operands of such a call.
enum BetweenBounds : unsigned { Counter, Last, AtBegin, AtEnd, Always };

} // namespace adze
#endif
