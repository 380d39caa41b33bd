// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of a kernel that may be shared (Sharing.h), but are not where a test
// holds that each thread makes when it begins, with the same outcome in all:
//
//   i = blockIdx.x * blockDim.x + threadIdx.x;
//   y[i] = a[0] * x[i] * x[n + i];
//
// Each thread has places of its own in x if the grid has one dimension, n is at
// least the number of threads, and a[0] does not lie in what they read of x.
#ifndef ADZE_LIB_ANALYSIS_SHARING_LAUNCHSUMS_H
#define ADZE_LIB_ANALYSIS_SHARING_LAUNCHSUMS_H

#include "Analysis/Sharing/LaunchForms.h"
#include "adze/Facts.h"
#include "llvm/ADT/MapVector.h"

namespace adze {

class LaunchSums {
public:
  explicit LaunchSums(const Facts &F);

  /// All must hold; what is said of an address holds of its shadow.
  struct Test {
    std::vector<LaunchForm> Places;
    /// Those of which each thread has its own.
    llvm::SmallVector<unsigned, 4> OfThreads;
    /// A range of places, in this order, and another one, which do not meet.
    struct Apart {
      unsigned First, Last, OtherFirst, OtherLast;
    };
    llvm::SmallVector<Apart, 8> Ranges;
    /// The second begins behind all of the first.
    llvm::SmallVector<std::pair<unsigned, unsigned>, 8> Ascending;
  };
  llvm::ArrayRef<Test> tests() const { return Tests; }
  const LaunchForms &forms() const { return *Forms; }

  /// Which of the tests says that no other thread adds to the adjoint of what
  /// \p Load reads; nothing if none does.
  std::optional<unsigned> testOf(const llvm::LoadInst &Load) const {
    auto It = TestOf.find(&Load);
    return It == TestOf.end() ? std::nullopt : std::optional(It->second);
  }

private:
  std::unique_ptr<LaunchForms> Forms;
  std::vector<Test> Tests;
  llvm::DenseMap<const llvm::LoadInst *, unsigned> TestOf;
};

} // namespace adze
#endif
