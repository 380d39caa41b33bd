// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Times.h"
#include "adze/Options.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

Times::Times() : Enabled(Options::get().PrintTimes) {}

Times::~Times() {
  if (!Stages.empty())
    print(*CreateInfoOutputFile());
}

void Times::change(StringRef Name) {
  TimeRecord Now = TimeRecord::getCurrentTime(/*Start=*/false);
  if (!Running.empty()) {
    Now -= Since;
    Stages[Running].Time += Now;
    Now += Since;
  }
  Running = Name;
  Since = Now;
}

Times::Scope::Scope(Times &T, StringRef Name) : T(T), Outer(T.Running) {
  if (!T.Enabled)
    return;
  ++T.Stages[Name].Calls;
  if (Name != Outer)
    T.change(Name);
}

Times::Scope::~Scope() {
  if (T.Enabled && T.Running != Outer)
    T.change(Outer);
}

static void printSeconds(raw_ostream &OS, double Seconds, double Total) {
  double Percent = Total > 0 ? 100 * Seconds / Total : 0;
  OS << format("%10.4f (%5.1f%%)", Seconds, Percent);
}

static void printRow(raw_ostream &OS, const TimeRecord &T,
                     const TimeRecord &Total, unsigned Calls, StringRef Name) {
  printSeconds(OS, T.getUserTime(), Total.getUserTime());
  printSeconds(OS, T.getSystemTime(), Total.getSystemTime());
  printSeconds(OS, T.getWallTime(), Total.getWallTime());
  OS << format("%8u  ", Calls) << Name << '\n';
}

void Times::print(raw_ostream &OS) const {
  TimeRecord Total;
  unsigned Calls = 0;
  for (const auto &[Name, S] : Stages) {
    Total += S.Time;
    Calls += S.Calls;
  }
  OS << "===" << std::string(73, '-') << "===\n"
     << "                        Adze: time of each stage\n"
     << "===" << std::string(73, '-') << "===\n"
     << "          user s             system s               wall s"
        "   calls  stage\n";
  for (const auto &[Name, S] : Stages)
    printRow(OS, S.Time, Total, S.Calls, Name);
  printRow(OS, Total, Total, Calls, "total");
}

} // namespace adze
