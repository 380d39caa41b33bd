// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front-end plugin. `clang -fplugin=ClangAdze.so` loads it before the
// command line is parsed; it loads Adze.so, which stands beside it, so that the
// pass's options are known, and puts the pass into the pipeline. See
// docs/ClangAdze.md.
#include "Clang/Consumer.h"
#include "Clang/MarkerScan.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace clang;
using llvm::StringRef;

namespace {

/// The pass plugin beside this one.
std::string pathOfPass() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&pathOfPass), &Info) || !Info.dli_fname)
    return std::string();
  llvm::SmallString<128> Path(llvm::sys::path::parent_path(Info.dli_fname));
  llvm::sys::path::append(Path, "Adze.so");
  return std::string(Path);
}

/// Loads the pass plugin for its options; what is wrong with it is told when
/// the pass is needed.
struct LoadPass {
  std::string Path = pathOfPass();
  std::string Error;
  LoadPass() {
    llvm::sys::DynamicLibrary::LoadLibraryPermanently(Path.c_str(), &Error);
  }
};
const LoadPass Pass;

bool makesCode(frontend::ActionKind Action) {
  switch (Action) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitObj:
    return true;
  default:
    return false;
  }
}

/// Puts the pass into the pipeline unless the user did.
bool addPass(CompilerInstance &CI) {
  if (!Pass.Error.empty()) {
    DiagnosticsEngine &Diags = CI.getDiagnostics();
    unsigned ID = Diags.getCustomDiagID(
        DiagnosticsEngine::Error, "ClangAdze needs Adze.so beside it: %0");
    Diags.Report(ID) << Pass.Error;
    return false;
  }
  std::vector<std::string> &Plugins = CI.getCodeGenOpts().PassPlugins;
  auto IsPass = [](const std::string &Given) {
    return Given == Pass.Path || llvm::sys::fs::equivalent(Given, Pass.Path);
  };
  if (llvm::none_of(Plugins, IsPass))
    Plugins.push_back(Pass.Path);
  return true;
}

class AnnotateAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    bool Code = makesCode(CI.getFrontendOpts().ProgramAction) && addPass(CI);
    // IR that is compiled, and ASTs, have no tokens and no declarations to
    // come.
    const FrontendOptions &Front = CI.getFrontendOpts();
    bool FromSource =
        !Front.Inputs.empty() &&
        Front.Inputs[0].getKind().getFormat() == InputKind::Source;
    if (Code && FromSource && adze::mayNameMarkers(CI))
      return adze::makeAnnotatingConsumer(CI);
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const FrontendPluginRegistry::Add<AnnotateAction>
    Registered("adze", "write types into the IR, and differentiate it");

} // namespace
