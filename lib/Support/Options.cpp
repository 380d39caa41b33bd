// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only place of the project that declares command-line options.
//
// LLVM keeps one global table of options and ends the program when a name is
// registered twice. Two copies of the plugin in one process (given once to the
// compiler and once to its linker step, say) must not do that, so an option is
// made only where the table does not have it yet; the second copy then reads
// the first one's value. The options live on the heap until the program ends:
// the table refers to them longer than any destructor of ours could know.
#include "adze/Options.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include <algorithm>
#include <functional>

using namespace llvm;
using namespace adze;

namespace {

std::string textOf(bool Value) { return Value ? "true" : "false"; }
std::string textOf(unsigned Value) { return std::to_string(Value); }
std::string textOf(const std::string &Value) { return Value; }
std::string textOf(TextCuts Value) {
  return Value == TextCuts::Warn    ? "warn"
         : Value == TextCuts::Error ? "error"
                                    : "cut";
}

std::string textOf(ZeroGuards Value) {
  return Value == ZeroGuards::Slopes ? "slopes"
         : Value == ZeroGuards::All  ? "all"
                                     : "none";
}
std::string textOf(RunAgain Value) {
  return Value == RunAgain::Never    ? "never"
         : Value == RunAgain::Always ? "always"
                                     : "cheaper";
}

std::string textOf(TapeAllocator Value) {
  return Value == TapeAllocator::Arena    ? "arena"
         : Value == TapeAllocator::Malloc ? "malloc"
                                          : "auto";
}

std::string textOf(TeamSums Value) {
  return Value == TeamSums::Auto     ? "auto"
         : Value == TeamSums::Atomic ? "atomic"
                                     : "private";
}

/// The options in the order of their declaration, each as a function that says
/// how it was given, or nothing.
using Givers = std::vector<std::function<std::string()>>;
Givers &givers() {
  static Givers *All = new Givers;
  return *All;
}

template <typename T> class SharedOption {
public:
  /// \p Words: what else the option is made of, such as its cl::values.
  template <typename... Mods>
  SharedOption(StringRef Name, StringRef Description, T Default,
               const Mods &...Words) {
    Option = static_cast<cl::opt<T> *>(cl::getRegisteredOptions().lookup(Name));
    if (!Option)
      Option = new cl::opt<T>(Name, cl::desc(Description), cl::init(Default),
                              cl::Hidden, Words...);
    givers().emplace_back([Option = Option]() -> std::string {
      if (!Option->getNumOccurrences())
        return "";
      return ("-" + Option->ArgStr + "=").str() + textOf(Option->getValue());
    });
  }
  T value() const { return Option->getValue(); }

private:
  cl::opt<T> *Option;
};

struct CommandLine {
  const Options Default;
  SharedOption<ZeroGuards> StrongZero{
      "adze-strong-zero",
      "Where an adjoint of exactly 0 stays 0 under an infinite or NaN partial",
      Default.StrongZero,
      cl::values(clEnumValN(ZeroGuards::Slopes, "slopes",
                            "where the program's values may be finite"),
                 clEnumValN(ZeroGuards::All, "all", "everywhere"),
                 clEnumValN(ZeroGuards::None, "none", "nowhere"))};
  SharedOption<bool> RuntimeActivity{
      "adze-runtime-activity",
      "Tell memory with from memory without derivative at run time",
      Default.RuntimeActivity};
  SharedOption<bool> PrintTimes{
      "adze-time", "Print the time spent in each stage of differentiation",
      Default.PrintTimes};
  SharedOption<unsigned> MaxStaticTapeBytes{
      "adze-max-static-tape",
      "Tape arrays of constant size up to this many bytes live on the stack",
      Default.MaxStaticTapeBytes};
  SharedOption<unsigned> MaxTapeRegisters{
      "adze-max-tape-registers",
      "Values kept outside loops that may become registers",
      Default.MaxTapeRegisters};
  SharedOption<unsigned> KeepTapes{
      "adze-keep-tapes",
      "MiB of tape memory that are kept for the next gradient",
      Default.KeepTapes};
  SharedOption<TapeAllocator> Allocator{
      "adze-tape-allocator", "Where memory of the tape comes from",
      Default.Allocator,
      cl::values(
          clEnumValN(TapeAllocator::Auto, "auto",
                     "arena, or malloc for the large code model"),
          clEnumValN(TapeAllocator::Arena, "arena", "an arena of the thread"),
          clEnumValN(TapeAllocator::Malloc, "malloc",
                     "the C library, without thread-local variables"))};
  SharedOption<std::string> CheckpointMemory{
      "adze-checkpoint-memory",
      "Bytes for the states of a loop with adze_checkpoint(0): 500M, 2G", ""};
  SharedOption<unsigned> MaxAliasChecks{
      "adze-max-alias-checks",
      "Pairs of arrays that a function compares at run time",
      Default.MaxAliasChecks};
  SharedOption<RunAgain> Reruns{
      "adze-run-again",
      "Run iterations again in the reverse pass to keep less on the tape",
      Default.Reruns,
      cl::values(
          clEnumValN(RunAgain::Never, "never", "never"),
          clEnumValN(RunAgain::IfCheaper, "cheaper", "where that is cheaper"),
          clEnumValN(RunAgain::Always, "always", "where that is possible"))};
  SharedOption<TeamSums> SumsOfTeams{
      "adze-openmp-adjoint",
      "How adjoints of what OpenMP threads read together are added up",
      Default.SumsOfTeams,
      cl::values(clEnumValN(TeamSums::Auto, "auto",
                            "in copies of each thread, where they are small"),
                 clEnumValN(TeamSums::Atomic, "atomic", "atomically"),
                 clEnumValN(TeamSums::Private, "private",
                            "in copies of each thread, however large"))};
  SharedOption<bool> PoisonTapes{"adze-poison-tapes",
                                 "Fill fresh tape memory with ones",
                                 Default.PoisonTapes};
  SharedOption<bool> ForceSplit{
      "adze-force-split",
      "Run each gradient as two halves with a tape between them",
      Default.ForceSplit};
  SharedOption<unsigned> AssumedTrips{
      "adze-assumed-trips", "Iterations of a loop about which nothing is known",
      Default.AssumedTrips};
  SharedOption<unsigned> TapePrice{
      "adze-tape-price",
      "What keeping four bytes on the tape costs, in additions",
      Default.TapePrice};
  SharedOption<bool> TrapNaN{
      "adze-trap-nan",
      "Report at run time where an adjoint or tangent stops being finite",
      Default.TrapNaN};
  SharedOption<bool> CheckShadows{
      "adze-check-shadows",
      "Look at the shadows at run time where a derivative is called",
      Default.CheckShadows};
  SharedOption<bool> Check{
      "adze-check",
      "Compare each derivative with differences of the function at run time",
      Default.Check};
  SharedOption<unsigned> MaxPlanValues{
      "adze-max-plan-values", "Refuse functions with more values than this",
      Default.MaxPlanValues};
  SharedOption<unsigned> MaxCallTargets{
      "adze-max-call-targets",
      "Functions of this file that a called pointer is compared with",
      Default.MaxCallTargets};
  SharedOption<unsigned> MaxTypeFacts{
      "adze-max-type-facts", "Facts about types that are kept for one pointer",
      Default.MaxTypeFacts};
  SharedOption<unsigned> ActivityDetail{
      "adze-activity-detail",
      "Factor for the objects and places that activity analysis tells apart",
      Default.ActivityDetail};
  SharedOption<TextCuts> Text{
      "adze-text",
      "Where an active number goes through text or a file, and loses its "
      "derivative",
      Default.Text,
      cl::values(clEnumValN(TextCuts::Warn, "warn", "warn"),
                 clEnumValN(TextCuts::Error, "error", "refuse it"),
                 clEnumValN(TextCuts::Cut, "cut", "be silent"))};
  SharedOption<std::string> SaveReproducer{
      "adze-save-reproducer",
      "Folder for what repeats a refusal: a reduced module and a command",
      Default.SaveReproducer};
  SharedOption<std::string> DeviceLibrary{
      "adze-device-library",
      "Files of bitcode with the functions of the GPU's library, by commas",
      Default.DeviceLibrary};
  SharedOption<std::string> Truncate{
      "adze-truncate",
      "Functions that compute in a narrower format: NAME:64:32, by commas",
      Default.Truncate};
};

/// "2G"; 0 where that is no number of bytes.
uint64_t bytesIn(StringRef Text) {
  const size_t Letters = Text.find_first_not_of("0123456789");
  const StringRef Unit = Letters == StringRef::npos ? "" : Text.substr(Letters);
  uint64_t Count = 0;
  const int Shift = StringSwitch<int>(Unit)
                        .Case("", 0)
                        .CasesLower("k", "kb", "kib", 10)
                        .CasesLower("m", "mb", "mib", 20)
                        .CasesLower("g", "gb", "gib", 30)
                        .CasesLower("t", "tb", "tib", 40)
                        .Default(-1);
  if (Text.substr(0, Letters).getAsInteger(10, Count) || Shift < 0 ||
      Count > (UINT64_MAX >> Shift))
    return 0;
  return Count << Shift;
}

const CommandLine &commandLine() {
  static const CommandLine *Instance = new CommandLine;
  return *Instance;
}

// The options must be in the table when the host parses its command line.
[[maybe_unused]] const CommandLine &RegisteredOnLoad = commandLine();

} // namespace

const Options &Options::get() {
  static const Options Given = [] {
    const CommandLine &Line = commandLine();
    Options O;
    O.StrongZero = Line.StrongZero.value();
    O.RuntimeActivity = Line.RuntimeActivity.value();
    O.PrintTimes = Line.PrintTimes.value();
    O.MaxStaticTapeBytes = Line.MaxStaticTapeBytes.value();
    O.MaxTapeRegisters = Line.MaxTapeRegisters.value();
    O.MaxAliasChecks = Line.MaxAliasChecks.value();
    O.Reruns = Line.Reruns.value();
    O.SumsOfTeams = Line.SumsOfTeams.value();
    O.KeepTapes = Line.KeepTapes.value();
    O.Allocator = Line.Allocator.value();
    O.CheckpointMemory = bytesIn(Line.CheckpointMemory.value());
    O.PoisonTapes = Line.PoisonTapes.value();
    O.ForceSplit = Line.ForceSplit.value();
    O.AssumedTrips = std::max(1u, Line.AssumedTrips.value());
    O.TapePrice = Line.TapePrice.value();
    O.TrapNaN = Line.TrapNaN.value();
    O.CheckShadows = Line.CheckShadows.value();
    O.Check = Line.Check.value();
    O.MaxPlanValues = Line.MaxPlanValues.value();
    O.MaxCallTargets = Line.MaxCallTargets.value();
    O.MaxTypeFacts = Line.MaxTypeFacts.value();
    // (Further than that, analysis would not end.)
    O.ActivityDetail = std::clamp(Line.ActivityDetail.value(), 1u, 1000u);
    O.Text = Line.Text.value();
    O.SaveReproducer = Line.SaveReproducer.value();
    O.DeviceLibrary = Line.DeviceLibrary.value();
    O.Truncate = Line.Truncate.value();
    for (const auto &Giver : givers())
      if (std::string Text = Giver(); !Text.empty())
        O.Given.push_back(std::move(Text));
    return O;
  }();
  return Given;
}
