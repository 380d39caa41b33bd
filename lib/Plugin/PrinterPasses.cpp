// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printers of adze-opt as passes of opt:
//   opt -load-pass-plugin=Adze.so -passes='print<adze-plan>' f.ll
// Each runs the stages up to its own on the requests of the module's markers,
// prints to standard error as LLVM's printers do, and leaves the module as it
// was: the stages work on clones, which are removed again.
#include "Plugin/Pipeline.h"
#include "adze/Driver.h"

#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

class StagePrinterPass : public PassInfoMixin<StagePrinterPass> {
public:
  StagePrinterPass(adze::Stage Last, raw_ostream &OS) : Last(Last), OS(OS) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    adze::runToStage(M, MAM, Last, OS);
    // The clones are gone, but analyses made while they stood may know them.
    return PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }

private:
  adze::Stage Last;
  raw_ostream &OS;
};

struct Printer {
  const char *Name;
  adze::Stage Last;
};

constexpr Printer Printers[] = {
    {"print<adze-types>", adze::Stage::Types},
    {"print<adze-activity>", adze::Stage::Activity},
    {"print<adze-activity-values>", adze::Stage::ActivityOfValues},
    {"print<adze-activity-pointers>", adze::Stage::ActivityOfPointers},
    {"print<adze-activity-instructions>", adze::Stage::ActivityOfInstructions},
    {"print<adze-plan>", adze::Stage::Plan},
};

} // namespace

void adze::registerPrinterPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        for (const Printer &P : Printers) {
          if (Name != P.Name)
            continue;
          MPM.addPass(StagePrinterPass(P.Last, dbgs()));
          return true;
        }
        return false;
      });
}
