// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// adze-opt: opt for this project alone. Runs the pass on a module, or stops
// after one of its stages and prints what that stage made:
//
//   adze-opt f.ll                      the module with derivatives
//   adze-opt --stop-after=plan f.ll    the plan of every request
//   adze-opt --passes='function(sroa)' f.ll   some passes of LLVM first
//
// The exit status is 1 if there was any error, and then nothing is written.
#include "Plugin/Pipeline.h"
#include "adze/Driver.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace {

cl::OptionCategory Category("adze-opt options");

/// LLVM's code generator has an option of this name, of no use here. It is
/// registered when libLLVM is loaded, so it can make room before ours comes.
const bool NameIsFree = [] {
  StringMap<cl::Option *> &Registered = cl::getRegisteredOptions();
  auto It = Registered.find("stop-after");
  if (It != Registered.end())
    It->second->removeArgument();
  return true;
}();

cl::opt<std::string> Input(cl::Positional, cl::desc("<input .ll or .bc>"),
                           cl::init("-"), cl::cat(Category));
cl::opt<std::string> Output("o", cl::desc("Where to write"),
                            cl::value_desc("file"), cl::init("-"),
                            cl::cat(Category));
cl::opt<std::string> Passes("passes", cl::desc("Passes of LLVM to run before"),
                            cl::value_desc("pipeline"), cl::cat(Category));
cl::opt<bool> NoOutput("disable-output", cl::desc("Write nothing"),
                       cl::cat(Category));
cl::opt<adze::Stage> StopAfter(
    "stop-after", cl::desc("Stop after a stage and print its result:"),
    cl::values(
        clEnumValN(adze::Stage::Frontend, "frontend", "parsed requests"),
        clEnumValN(adze::Stage::Prepare, "prepare", "canonical primals"),
        clEnumValN(adze::Stage::Types, "types", "deduced types"),
        clEnumValN(adze::Stage::Activity, "activity",
                   "activity: all questions together"),
        clEnumValN(adze::Stage::ActivityOfValues, "activity-values",
                   "which values have derivatives"),
        clEnumValN(adze::Stage::ActivityOfPointers, "activity-pointers",
                   "which pointers have shadows"),
        clEnumValN(adze::Stage::ActivityOfInstructions, "activity-instructions",
                   "which instructions take part"),
        clEnumValN(adze::Stage::Memory, "memory", "overwritten loads"),
        clEnumValN(adze::Stage::Plan, "plan", "what is kept or recomputed"),
        clEnumValN(adze::Stage::Emit, "emit", "derivatives as emitted"),
        clEnumValN(adze::Stage::Cleanup, "cleanup",
                   "simplified derivatives, the module as it leaves")),
    cl::cat(Category));

int fail(const Twine &Text) {
  WithColor::error(errs(), "adze-opt") << Text << "\n";
  return 1;
}

/// The target of \p M, if it is this machine's: the prices of operations are
/// its, as in a compiler. Null: nobody knows them.
std::unique_ptr<TargetMachine> machineFor(const Module &M) {
  std::string Unknown;
  const Target *T =
      InitializeNativeTarget()
          ? nullptr
          : TargetRegistry::lookupTarget(M.getTargetTriple(), Unknown);
  return std::unique_ptr<TargetMachine>(
      T ? T->createTargetMachine(M.getTargetTriple(), "", "", TargetOptions(),
                                 std::nullopt)
        : nullptr);
}

/// The managers of one run, wired together.
struct Managers {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;

  explicit Managers(TargetMachine *Machine) : PB(Machine) {
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
    adze::registerPipeline(PB);
    adze::registerPrinterPasses(PB);
  }
};

/// True after an error reached the context's handler.
bool hadErrors(const LLVMContext &Context) {
  const DiagnosticHandler *Handler = Context.getDiagHandlerPtr();
  return Handler && Handler->HasErrors;
}

/// Shows each diagnostic as the tools of LLVM do, without leaving: all
/// problems of a module are to be shown together.
struct Reporter : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    raw_ostream &OS = errs();
    switch (Info.getSeverity()) {
    case DS_Error:
      WithColor::error(OS);
      break;
    case DS_Warning:
      WithColor::warning(OS);
      break;
    case DS_Remark:
      WithColor::remark(OS);
      break;
    case DS_Note:
      WithColor::note(OS);
      break;
    }
    DiagnosticPrinterRawOStream Printer(OS);
    Info.print(Printer);
    OS << "\n";
    return true;
  }
};

/// Runs what the command line asks for; the text to write goes to \p OS.
int run(Module &M, raw_ostream &OS) {
  std::unique_ptr<TargetMachine> Machine = machineFor(M);
  Managers Run(Machine.get());
  if (!Passes.empty()) {
    ModulePassManager MPM;
    if (Error E = Run.PB.parsePassPipeline(MPM, Passes))
      return fail(toString(std::move(E)));
    MPM.run(M, Run.MAM);
  }
  // The result of the last stage is the module itself.
  if (StopAfter.getNumOccurrences() && StopAfter != adze::Stage::Cleanup) {
    if (!adze::runToStage(M, Run.MAM, StopAfter, OS))
      return 1;
  } else {
    adze::differentiateModule(M, Run.MAM);
    M.print(OS, nullptr);
  }
  if (hadErrors(M.getContext()))
    return 1;
  if (verifyModule(M, &errs()))
    return fail("the module is broken after the pass");
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(argc, argv,
                              "automatic differentiation of LLVM IR\n");
  LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<Reporter>());
  SMDiagnostic ParseError;
  std::unique_ptr<Module> M = parseIRFile(Input, ParseError, Context);
  if (!M) {
    ParseError.print(argv[0], errs());
    return 1;
  }
  if (verifyModule(*M, &errs()))
    return fail("the input is broken");

  std::string Text;
  raw_string_ostream OS(Text);
  if (int Status = run(*M, OS))
    return Status;
  if (NoOutput)
    return 0;
  std::error_code EC;
  ToolOutputFile File(Output, EC, sys::fs::OF_Text);
  if (EC)
    return fail("cannot write '" + Output + "': " + EC.message());
  File.os() << OS.str();
  File.keep();
  return 0;
}
