// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time spent in each stage, printed with -adze-time.
#ifndef ADZE_DRIVER_TIMES_H
#define ADZE_DRIVER_TIMES_H

#include "adze/Options.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Timer.h"
#include <map>
#include <memory>
#include <string>

namespace adze {

/// Stages may nest (a callee is prepared while its caller is planned): time is
/// counted for the innermost.
class Times {
public:
  Times() : Group("adze", "Adze: time of each stage") {}

  class Scope {
  public:
    Scope(Times &T, llvm::StringRef Name);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    Times &T;
    llvm::Timer *Mine = nullptr, *Outer = nullptr;
  };

private:
  friend class Scope;
  llvm::TimerGroup Group;
  std::map<std::string, std::unique_ptr<llvm::Timer>> Timers;
  llvm::Timer *Running = nullptr;
};

} // namespace adze
#endif
