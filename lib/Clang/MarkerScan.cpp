// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Clang/MarkerScan.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"

using namespace clang;
using llvm::StringRef;

namespace {

// What the names of all markers have in common.
constexpr llvm::StringLiteral AnyMarker = "__enzyme_";

/// Reads all tokens; afterwards the table of identifiers has every name that
/// the unit uses, those made by macros included.
class ScanAction : public PreprocessOnlyAction {
public:
  bool Found = false;

protected:
  void ExecuteAction() override {
    Preprocessor &PP = getCompilerInstance().getPreprocessor();
    PP.IgnorePragmas();
    Token Tok;
    PP.EnterMainSourceFile();
    do {
      PP.Lex(Tok);
      if (IdentifierInfo *Name = Tok.getIdentifierInfo())
        Found |= Name->getName().contains(AnyMarker);
    } while (Tok.isNot(tok::eof) && !Found);
  }
};

bool preprocessed(CompilerInstance &CI) {
  auto Invocation = std::make_shared<CompilerInvocation>(CI.getInvocation());
  // Only tokens are wanted: no files, messages, or statistics.
  Invocation->getDependencyOutputOpts() = DependencyOutputOptions();
  FrontendOptions &Front = Invocation->getFrontendOpts();
  Front.ProgramAction = frontend::RunPreprocessorOnly;
  Front.OutputFile.clear();
  Front.StatsFile.clear();
  Front.ShowStats = Front.DisableFree = false;
  DiagnosticOptions &Messages = Invocation->getDiagnosticOpts();
  Messages.ShowCarets = false;
  Messages.DiagnosticSerializationFile.clear();
  Messages.DiagnosticLogFile.clear();
  Messages.VerifyDiagnostics = false;
  Invocation->getPreprocessorOpts().RetainRemappedFileBuffers = true;
  Invocation->getHeaderSearchOpts().Verbose = false;

  // The main file may be standard input, which can be read only once.
  SourceManager &Sources = CI.getSourceManager();
  std::unique_ptr<llvm::MemoryBuffer> Copy = llvm::MemoryBuffer::getMemBuffer(
      Sources.getBufferData(Sources.getMainFileID()), "", false);
  InputKind Kind = Front.Inputs[0].getKind();
  FrontendInputFile Input = Front.Inputs[0];
  if (Input.isBuffer() || Input.getFile() == "-")
    Front.Inputs[0] = FrontendInputFile(Copy->getMemBufferRef(), Kind);

  CompilerInstance Scan(CI.getPCHContainerOperations());
  Scan.setInvocation(Invocation);
  Scan.createDiagnostics(new IgnoringDiagConsumer, /*ShouldOwnClient=*/true);
  Scan.setFileManager(&CI.getFileManager());
  ScanAction Action;
  return !Scan.ExecuteAction(Action) || Action.Found;
}

} // namespace

bool adze::mayNameMarkers(CompilerInstance &CI) {
  SourceManager &Sources = CI.getSourceManager();
  if (Sources.getBufferData(Sources.getMainFileID()).contains(AnyMarker))
    return true;
  // What is already compiled has no tokens.
  if (!CI.getPreprocessorOpts().ImplicitPCHInclude.empty() ||
      CI.getHeaderSearchOpts().ImplicitModuleMaps ||
      !CI.getFrontendOpts().ModuleFiles.empty() ||
      !CI.getHeaderSearchOpts().PrebuiltModuleFiles.empty())
    return true;
  return preprocessed(CI);
}
