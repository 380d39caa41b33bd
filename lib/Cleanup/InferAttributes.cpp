// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives come into the module when the passes that find out what
// functions do have run. So LLVM's pass is run once more, callees first, and
// on what Adze made alone.
#include "adze/Cleanup.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/Analysis/LazyCallGraph.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"

using namespace llvm;

namespace adze {

/// Not of the functions of the program, which were looked at when they were
/// all there was; nor of allocators of the tape, of which more is stated than
/// their code shows: that the memory they hand out was nobody's before.
static bool isToBeInferred(const Function &F) {
  return !F.isDeclaration() && F.hasLocalLinkage() && isOwn(F) &&
         !F.hasFnAttribute(Attribute::AllocKind);
}

namespace {

struct InferOursPass : PassInfoMixin<InferOursPass> {
  PreservedAnalyses run(LazyCallGraph::SCC &C, CGSCCAnalysisManager &AM,
                        LazyCallGraph &Graph, CGSCCUpdateResult &Updates) {
    if (!all_of(C, [](const LazyCallGraph::Node &N) {
          return isToBeInferred(N.getFunction());
        }))
      return PreservedAnalyses::all();
    return PostOrderFunctionAttrsPass().run(C, AM, Graph, Updates);
  }
};

} // namespace

void forgetModule(Module &M, ModuleAnalysisManager &AM) {
  PreservedAnalyses Others = PreservedAnalyses::all();
  Others.abandon<LazyCallGraphAnalysis>();
  Others.abandon<GlobalsAA>();
  AM.invalidate(M, Others);
}

void inferAttributes(Module &M, ModuleAnalysisManager &AM) {
  forgetModule(M, AM);
  createModuleToPostOrderCGSCCPassAdaptor(InferOursPass()).run(M, AM);
  forgetModule(M, AM);
}

} // namespace adze
