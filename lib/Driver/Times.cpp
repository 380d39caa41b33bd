// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Times.h"

using namespace llvm;

namespace adze {

Times::Scope::Scope(Times &T, StringRef Name) : T(T) {
  if (!Options::get().PrintTimes)
    return;
  std::unique_ptr<Timer> &Slot = T.Timers[Name.str()];
  if (!Slot)
    Slot = std::make_unique<Timer>(Name, Name, T.Group);
  Outer = T.Running;
  Mine = Slot.get();
  if (Outer == Mine) {
    Mine = nullptr;
    return;
  }
  if (Outer)
    Outer->stopTimer();
  T.Running = Mine;
  Mine->startTimer();
}

Times::Scope::~Scope() {
  if (!Mine)
    return;
  Mine->stopTimer();
  T.Running = Outer;
  if (Outer)
    Outer->startTimer();
}

} // namespace adze
