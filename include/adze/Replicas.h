// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of parts of shadows. What all threads of a team read, as in
//
//   #pragma omp parallel for
//   for (i < n) for (j < d) s[i] += w[j] * x[i][j];
//
// the reverse pass adds to with all threads. Instead of adding atomically, each
// thread adds to a copy of its own of the part w[0], .., w[d - 1] of the
// shadow, which begins with zeros. At the end of the reverse region the copies
// are added to the shadow, in the order of the threads' numbers.
//
// That is right if between the two, which is while the region ran, nothing else
// wants what is in the shadow: no thread writes there. Either what the region
// writes is other memory, or (after Hueckelheim and Hascoet, FormAD, 2022) the
// program would have a race: each thread that has an iteration reads these very
// bytes, before and after it meets no other, at least two threads have one, so
// none writes them. Whether two have one is known at run time.
#ifndef ADZE_REPLICAS_H
#define ADZE_REPLICAS_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class LoadInst;
class SCEV;
class Type;
class Value;
class raw_ostream;
} // namespace llvm

namespace adze {

struct Replica {
  /// Nothing is known of the part in front of the region, as of nodes by
  /// indices, or threads meet near the bounds of their iterations alone
  /// (NearBounds): pages of the shadow are copied once a thread has added to
  /// them some times (Runtime/TeamPages.h). Only Float, MostBytes and Loads
  /// count.
  bool ByPages = false;
  /// While the region runs, nobody adds to the adjoints of what Loads read but
  /// in pages: the first thread that adds to a page adds to the shadow itself.
  bool IsClaimed = false;
  /// A pointer that all threads have, known where the region begins.
  const llvm::Value *Base = nullptr;
  /// double or float: what the part is an array of.
  llvm::Type *Float = nullptr;
  /// The bytes behind Base from Least up to End (not included), both of
  /// EntryBounds::Width bits. These and all below are expressions in leaves().
  const llvm::SCEV *Least = nullptr, *End = nullptr;
  /// The bounds are right if each of these is neither less nor greater.
  struct Condition {
    const llvm::SCEV *S;
    llvm::APInt Least, Greatest;
  };
  llvm::SmallVector<Condition, 4> Fits;
  /// The part may have as many.
  uint64_t MostBytes = 0;
  /// In how many parts loops are shared out: each must be two or more.
  llvm::SmallSetVector<const llvm::Value *, 2> Parts;
  /// Those that read nothing but the part.
  llvm::SmallSetVector<const llvm::LoadInst *, 4> Loads;

  /// The values of which the bounds and conditions are calculated: the same in
  /// all threads, known where the region begins.
  llvm::SmallSetVector<const llvm::Value *, 8> leaves() const;
  void print(llvm::raw_ostream &OS) const;
};

/// What is calculated from other values by an operation without effect, and may
/// be at any place.
bool isCalculation(const llvm::Value &V);

} // namespace adze
#endif
