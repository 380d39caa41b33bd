// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time spent in each stage, printed with -adze-time (or, where LLVM's option
// -info-output-file names a file, written there).
#ifndef ADZE_DRIVER_TIMES_H
#define ADZE_DRIVER_TIMES_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Timer.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace adze {

/// Stages may nest (a callee is prepared while its caller's types are found):
/// time is counted for the innermost. How often a stage was entered is counted
/// too: it tells work that is slow from work that is done too often.
class Times {
public:
  Times();
  ~Times();
  Times(const Times &) = delete;
  Times &operator=(const Times &) = delete;

  /// \p Name must live as long as the Times do: a literal.
  class Scope {
  public:
    Scope(Times &T, llvm::StringRef Name);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    Times &T;
    llvm::StringRef Outer;
  };

private:
  friend class Scope;
  struct Spent {
    unsigned Calls = 0;
    llvm::TimeRecord Time;
  };
  /// Counts the time since the last change for the stage that runs, and lets
  /// \p Name run from here.
  void change(llvm::StringRef Name);
  void print(llvm::raw_ostream &OS) const;

  const bool Enabled;
  llvm::MapVector<llvm::StringRef, Spent> Stages; // as they were first entered
  llvm::StringRef Running;                        // "": none
  llvm::TimeRecord Since;
};

} // namespace adze
#endif
