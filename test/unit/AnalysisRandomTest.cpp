// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity and overwrite analysis against what programs do. Random programs
// with arrays, tables of pointers, loops that swap buffers, branches, block
// copies, allocations and calls are run by a small interpreter that records
// every data dependence. Then
//  * a float that depends on an active input, and on which an active output
//    depends, must be called active, in the caller and in callees under the
//    requests that their calls make;
//  * wherever the analysis asks for a shadow there must be a valid one: the
//    object has one, and the shadow pointer was stored where it is loaded;
//  * memory that changes after a read must be called overwritten.
#include "RandomMachine.h"
#include "RandomProgram.h"

namespace analysis_random {
namespace {

struct Outcome {
  bool Refused = false;
  unsigned ActiveValues = 0;
  std::vector<std::string> Problems;
  std::string Text;
};

Outcome check(uint64_t Seed) {
  Outcome O;
  Generator G(Seed);
  O.Text = G.program(G.pick(4));
  LLVMContext Context;
  std::string Refusals;
  Context.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *Info, void *Text) {
        raw_string_ostream OS(*static_cast<std::string *>(Text));
        DiagnosticPrinterRawOStream Printer(OS);
        Info->print(Printer);
        OS << "\n";
      },
      &Refusals);
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseAssemblyString(O.Text, Error, Context);
  if (!M) {
    O.Problems.push_back("does not parse: " + Error.getMessage().str() +
                         Error.getLineContents().str());
    return O;
  }
  Machine Run(*M, O.Problems);
  Request R;
  R.Primal = M->getFunction("f");
  for (unsigned I = 0; I < 3; ++I)
    R.Args.push_back(G.pick(3) ? ArgActivity::Dup : ArgActivity::Const);
  R.Args.push_back(G.pick(3) ? ArgActivity::Out : ArgActivity::Const);
  R.Args.push_back(ArgActivity::Const);
  R.Ret = RetActivity::Active;
  R.MayBeOverwritten.Arguments.assign(5, false);
  const Machine::Answers &A = Run.analyze(R);
  if (Run.Diags.errors()) {
    O.Refused = true;
    return O;
  }
  std::unique_ptr<MemoryInfo> Memory = analyzeMemory(*Run.primal(*R.Primal), R);

  // Arguments: two arrays, and a table of one array.
  std::vector<RunValue> Args(5);
  std::vector<int> Outputs;
  auto Fill = [&](unsigned Arg, int Object) {
    if (R.Args[Arg] != ArgActivity::Dup)
      return;
    Outputs.push_back(Object);
    for (Slot &S : Run.Memories[Object].Slots) {
      S.Event = Run.event({}, nullptr, nullptr);
      Run.Events[S.Event].Varied = true;
    }
  };
  for (unsigned I = 0; I < 3; ++I)
    Args[I].Points = Run.newMemory(R.Args[I] == ArgActivity::Dup);
  int Behind = Run.newMemory(R.Args[2] == ArgActivity::Dup);
  for (Slot &S : Run.Memories[Args[2].Points].Slots)
    S.Points = Behind;
  Fill(0, Args[0].Points);
  Fill(1, Args[1].Points);
  Fill(2, Behind);
  Args[3].Event = Run.event({}, nullptr, nullptr);
  Run.Events[Args[3].Event].Varied = R.Args[3] == ArgActivity::Out;
  Args[4].Number = G.pick(2);

  unsigned Result = Run.run(*R.Primal, Args, &A, true).Event;
  if (Run.Undefined) {
    O.Problems.clear();
    O.Refused = true;
    return O;
  }
  if (Run.Diags.errors())
    O.Problems.push_back("a callee is refused that the caller accepted: " +
                         Refusals);
  // What the caller can reach through a table with shadow is output too, but
  // for what it called constant.
  if (R.Args[2] == ArgActivity::Dup)
    for (const Slot &S : Run.Memories[Args[2].Points].Slots)
      if (S.Points >= 0 && Run.Memories[S.Points].HasShadow)
        Outputs.push_back(S.Points);
  Run.finish(Result, true, Outputs);
  for (auto [I, Changed] : Run.Changed)
    if (!Memory->mayBeOverwritten(I))
      Run.problem("memory changes after this read", I);
  for (const Instruction &I : instructions(*R.Primal))
    O.ActiveValues += A.Activity->isActiveValue(&I);
  return O;
}

unsigned fromEnvironment(const char *Name, unsigned Default) {
  const char *Text = std::getenv(Name);
  return Text ? unsigned(std::atoi(Text)) : Default;
}

// ADZE_RANDOM_PROGRAMS: how many; ADZE_RANDOM_SEED: that one alone, printed.
TEST(AnalysisRandom, AgreesWithRuns) {
  const unsigned Programs = fromEnvironment("ADZE_RANDOM_PROGRAMS", 600);
  const unsigned Only = fromEnvironment("ADZE_RANDOM_SEED", 0);
  unsigned Checked = 0, Active = 0, Failed = 0;
  for (unsigned Seed = Only ? Only : 1; Seed <= (Only ? Only : Programs);
       ++Seed) {
    Outcome O = check(Seed);
    Checked += !O.Refused;
    Active += O.ActiveValues > 0;
    if (Only)
      std::fputs(O.Text.c_str(), stdout);
    if (O.Problems.empty())
      continue;
    std::string All;
    for (const std::string &P : ArrayRef(O.Problems).take_front(5))
      All += P + "\n";
    if (++Failed <= 5)
      ADD_FAILURE() << "seed " << Seed << "\n" << All;
  }
  EXPECT_EQ(Failed, 0u);
  if (Only)
    return;
  RecordProperty("checked", int(Checked));
  RecordProperty("active", int(Active));
  // The comparison must not run empty.
  EXPECT_GT(Checked, Programs / 8);
  EXPECT_GT(Active, Programs / 10);
}

} // namespace
} // namespace analysis_random
