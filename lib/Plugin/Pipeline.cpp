// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the pass runs, and why there.
//
// Differentiating after optimization makes gradients cheaper: what the
// simplification pipeline hoists, folds and inlines in the primal is not
// differentiated at all. Vectorizing and unrolling must come after: a vector
// loop with its prologue and epilogue is one loop again to nobody, and the
// reverse loop can be vectorized as well as the forward one. LLVM has one
// place between the two, OptimizerEarly: the start of the module optimization
// pipeline, after the CGSCC pipeline and before the vectorizers. It is run at
// -O1, -O2, -O3, -Os and -Oz, at -O0 (where it is one of the callbacks run for
// their own sake), and in both kinds of LTO at compile time.
//
// In a full LTO link OptimizerEarly is not run; FullLinkTimeOptimizationEarly
// is, on the whole program, which was simplified at compile time. A thin LTO
// link runs OptimizerEarly once more, for each module.
//
// With -flto and the plugin at compile time the markers are differentiated at
// compile time: users expect a plugin to act where they name it. Only where
// that fails in a module of a full LTO build for want of a body in another
// file, the markers are left to the linker, with a warning that says so. See
// DeferToLink.cpp.
#include "Plugin/Pipeline.h"

#include "Plugin/DeferToLink.h"
#include "Plugin/ImportAnnotations.h"
#include "Plugin/KeepClasses.h"
#include "Plugin/KeepDeviceLibrary.h"
#include "Plugin/PinTags.h"
#include "Plugin/WidenIndices.h"
#include "adze/Annotations.h"
#include "adze/Checkpoints.h"
#include "adze/Driver.h"
#include "adze/Precision.h"
#include "adze/UncertainChoices.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace {

/// `adze`: differentiates every marker call of a module.
class AdzePass : public PassInfoMixin<AdzePass> {
public:
  /// \p MayDefer: the module may meet the bodies that it lacks in a link.
  /// \p Optimizes: LLVM's passes follow, and drop what nobody uses in the end.
  AdzePass(bool MayDefer, bool Optimizes)
      : MayDefer(MayDefer), Optimizes(Optimizes) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    // Given twice, the plugin puts two passes into the pipeline. The second
    // finds no marker after success; after an error it must not repeat it.
    const DiagnosticHandler *Handler = M.getContext().getDiagHandlerPtr();
    if (Handler && Handler->HasErrors)
      return PreservedAnalyses::all();
    // In a link, and in opt, annotations were not imported earlier.
    bool Changed = adze::importAnnotations(M);
    Changed |= adze::unpinAnnotated(M);
    adze::releaseTypes(M);
    adze::releaseDeviceLibrary(M);
    if (!MayDefer || !adze::deferToLink(M, MAM)) {
      Changed |= adze::differentiateModule(M, MAM);
      // In a link another module may differentiate the loops of this one.
      if (!MayDefer || !adze::goesIntoFullLink(M))
        Changed |= adze::checkpoints::removeMarkers(M);
    }
    Changed |= adze::releaseClasses(M);
    Changed |= adze::inlineDeviceLibrary(M, MAM);
    if (Changed && Optimizes)
      dropUnused(M, MAM);
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

  /// Derivatives are no optimization: -O0 and opt-bisect must not skip them.
  static bool isRequired() { return true; }

private:
  /// Of a function that only a marker named, LLVM would make vector code before
  /// it is found that nobody calls it any more.
  static void dropUnused(Module &M, ModuleAnalysisManager &MAM) {
    MAM.invalidate(M, PreservedAnalyses::none());
    GlobalDCEPass().run(M, MAM);
  }

  bool MayDefer, Optimizes;
};

} // namespace

namespace {

/// See adze::prepareNarrowing.
class PrepareNarrowingPass : public PassInfoMixin<PrepareNarrowingPass> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return adze::prepareNarrowing(M) ? PreservedAnalyses::none()
                                     : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

/// What is linked here comes too late for NVPTX's own place for reflection.
static void addDevicePasses(PassBuilder &PB, ModulePassManager &MPM) {
  MPM.addPass(adze::KeepDeviceLibraryPass());
  // Known where the target is NVPTX, and needed there alone.
  consumeError(PB.parsePassPipeline(MPM, "function(nvvm-reflect)"));
  MPM.addPass(adze::ShareDeviceLibraryPass());
}

void adze::registerPipeline(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "adze-import") {
          MPM.addPass(ImportAnnotationsPass());
          return true;
        }
        if (Name == "adze-widen") {
          MPM.addPass(WidenIndicesPass());
          return true;
        }
        if (Name != "adze")
          return false;
        MPM.addPass(AdzePass(/*MayDefer=*/false, /*Optimizes=*/false));
        return true;
      });
  PB.registerPipelineStartEPCallback(
      [&PB](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(ImportAnnotationsPass());
        MPM.addPass(PrepareNarrowingPass());
        MPM.addPass(PinTagsPass());
        MPM.addPass(KeepClassesPass());
        addDevicePasses(PB, MPM);
        if (Level != OptimizationLevel::O0)
          MPM.addPass(WidenIndicesPass());
      });
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(AdzePass(/*MayDefer=*/true,
                             /*Optimizes=*/Level != OptimizationLevel::O0));
      });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0)
          MPM.addPass(UncertainChoicesPass());
      });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(AdzePass(/*MayDefer=*/false, /*Optimizes=*/false));
      });
}
