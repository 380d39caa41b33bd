// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markers of split mode: what stands between the user's calls and the
// two halves of a derivative. See docs/SplitMode.md for what users see.
//
// The tape that a user holds begins with a header, behind which, aligned, the
// halves' own tape lies:
//
//   { i64 stamp, ptr deferred, ..., TapeType }
//
// The stamp tells whose tape it is, so that a wrong one stops the program, and
// who has to free it. `deferred` lists the memory that the primal has freed and
// the reverse pass may still read (lib/Rules/Ownership.h).
#ifndef ADZE_DRIVER_SPLITMARKERS_H
#define ADZE_DRIVER_SPLITMARKERS_H

#include "adze/Diagnostics.h"
#include "adze/Marker.h"
#include "llvm/ADT/DenseMap.h"

namespace adze {

class HalfBuilder;

/// What callers know of the arguments' types must be the same for both halves:
/// what all first halves of a request agree on.
void shareTypes(llvm::MutableArrayRef<Marker> Markers);
/// A tape that one second half leaves as it is must be made for that.
void shareTapes(llvm::MutableArrayRef<Marker> Markers);

/// The request of a split derivative that does what the fused one of \p R does.
Request inTwoHalves(Request R);

/// Replaces markers of split mode, after their derivatives are emitted; and
/// those that ask for a fused derivative and get a split one, for tests.
class SplitMarkers {
public:
  SplitMarkers(llvm::Module &M, Diagnostics &Diags) : M(M), Diags(Diags) {}

  void add(Marker &Marker, const Derivative &D) {
    All.push_back({&Marker, &D});
  }
  /// Replaces all that were added. The calls for sizes and tables come last:
  /// sizes may be what others are compared with.
  void replace();

private:
  struct Item {
    Marker *Call;
    const Derivative *D;
  };

  void checkSize(const Item &I);
  llvm::Function *targetOf(const Item &I);
  llvm::Function *firstHalf(const Derivative &D, TapePlace Place);
  /// \p OrAddress: what is given is a tape, or the address of one's address.
  llvm::Function *secondHalf(const Derivative &D, bool OrAddress, bool Keep);
  /// The tangents, from a tape as that of secondHalf, or of null.
  llvm::Function *replay(const Derivative &D, bool OrAddress, bool Keep);
  llvm::SmallVector<llvm::Value *, 2>
  runFirst(HalfBuilder &H, llvm::Value *Block, unsigned Count, bool Frees);
  void endTape(HalfBuilder &H, llvm::Value *Block, llvm::Value *Stamp);
  llvm::Function *recordAndReplay(const Derivative &D);
  llvm::Function *bothHalves(const Derivative &D);
  llvm::GlobalVariable *table(const Derivative &D);
  llvm::Constant *constantFor(const Item &I);

  llvm::Module &M;
  Diagnostics &Diags;
  std::vector<Item> All;
  /// The functions made for a derivative, by variant.
  llvm::DenseMap<std::pair<const Derivative *, unsigned>, llvm::Function *>
      Made;
  llvm::DenseMap<const Derivative *, llvm::GlobalVariable *> Tables;
};

} // namespace adze
#endif
