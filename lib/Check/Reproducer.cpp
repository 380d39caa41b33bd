// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reproducer.h"
#include "ReduceModule.h"
#include "adze/Diagnostics.h"
#include "adze/ErrorRecorder.h"
#include "adze/Marker.h"
#include "adze/Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

namespace {

/// Names of files are cut here: file systems take 255 characters, and two names
/// and an ending have to fit.
constexpr size_t LongestName = 100;

/// \p Name without what is special in names of files or to a shell. Of long
/// names the end tells most.
std::string fileName(StringRef Name) {
  std::string Result;
  for (char C : Name.take_back(LongestName))
    Result += isAlnum(C) || C == '_' || C == '.' || C == '-' ? C : '_';
  return StringRef(Result).ltrim("._-").str();
}

/// The path of the source file without its ending: two files of one name may be
/// compiled with one folder for what is saved.
std::string nameOf(const Module &M) {
  StringRef Source = M.getSourceFileName();
  std::string Name =
      fileName(Source.drop_back(sys::path::extension(Source).size()));
  return Name.empty() ? "module" : Name;
}

std::string printed(const Module &M) {
  std::string Text;
  raw_string_ostream OS(Text);
  M.print(OS, nullptr);
  return OS.str();
}

/// The errors of the module with the code \p Text.
std::vector<std::string> errorsOf(StringRef Text, ModuleAnalysisManager &AM,
                                  Reproducer::Differentiator Differentiate) {
  std::vector<std::string> Errors;
  LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<ErrorRecorder>(Errors));
  SMDiagnostic Wrong;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Wrong, Context);
  if (!M)
    return {};
  Differentiate(*M, AM);
  AM.clear(*M, M->getName());
  return Errors;
}

std::vector<MarkerGroup> groupsOf(StringRef Text) {
  LLVMContext Context;
  SMDiagnostic Wrong;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Wrong, Context);
  return M ? markerGroups(*M) : std::vector<MarkerGroup>();
}

/// The code of a reduced module; "" if it would not be valid.
std::string reduced(StringRef Text, const MarkerGroup &To, Reduction Kind) {
  LLVMContext Context;
  SMDiagnostic Wrong;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Wrong, Context);
  if (!M)
    return "";
  reduceModule(*M, To, Kind);
  M->setModuleIdentifier(M->getSourceFileName());
  return verifyModule(*M) ? "" : printed(*M);
}

/// As an argument of a shell.
std::string quoted(StringRef Word) {
  std::string Result = "'";
  for (char C : Word)
    Result += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Result + "'";
}

/// The command: with the tool of this project, which shows all errors, or with
/// opt, which ends at the first.
std::string scriptFor(StringRef Name) {
  std::string Arguments;
  for (StringRef Given : Options::get().Given)
    if (!Given.starts_with("-adze-save-reproducer"))
      Arguments += quoted(Given) + " ";
  Arguments += "-disable-output " + (Name + ".ll").str();
  return "#!/bin/sh\n"
         "# Differentiates the module beside this file. ADZE_OPT names the\n"
         "# program adze-opt; without it, OPT and ADZE_PLUGIN name LLVM's opt\n"
         "# and Adze.so.\n"
         "cd \"$(dirname \"$0\")\" || exit 1\n"
         "if command -v \"${ADZE_OPT:-adze-opt}\" >/dev/null; then\n"
         "  exec \"${ADZE_OPT:-adze-opt}\" " +
         Arguments +
         "\n"
         "fi\n"
         "exec \"${OPT:-opt-19}\" "
         "-load-pass-plugin=\"${ADZE_PLUGIN:?names no Adze.so}\" "
         "-passes=adze " +
         Arguments + "\n";
}

std::string commentOf(ArrayRef<std::string> Messages) {
  std::string Result;
  for (StringRef Message : Messages)
    for (StringRef Line : split(Message, '\n'))
      Result += ("; " + Line + "\n").str();
  return Result;
}

} // namespace

Reproducer::Reproducer(const Module &M)
    : Context(M.getContext()), Folder(Options::get().SaveReproducer),
      Whole(nameOf(M)) {
  if (Folder.empty() || !hasMarkers(M))
    return;
  Text = printed(M);
  Names.insert(Whole);
  // Without a place to write to there is nothing more to do.
  if (!save(Whole, Text, {}))
    Text.clear();
}

void Reproducer::finish(bool Fine, ModuleAnalysisManager &AM,
                        Differentiator Differentiate) {
  if (Text.empty())
    return;
  if (!Fine && !saveReduced(AM, Differentiate))
    return;
  sys::fs::remove(pathOf(Whole, ".ll"));
  sys::fs::remove(pathOf(Whole, ".sh"));
}

bool Reproducer::saveReduced(ModuleAnalysisManager &AM,
                             Differentiator Differentiate) {
  StringSet<> Left;
  std::vector<std::string> All = errorsOf(Text, AM, Differentiate);
  for (const std::string &Message : All)
    Left.insert(Message);
  std::vector<MarkerGroup> Groups = groupsOf(Text);
  for (Reduction Kind : {Reduction::ToMarkers, Reduction::ToCaller})
    for (const MarkerGroup &G : Groups) {
      if (Left.empty())
        break;
      std::string Code = reduced(Text, G, Kind);
      std::vector<std::string> Errors = errorsOf(Code, AM, Differentiate);
      // It must say nothing else, and something that no other one says.
      if (!all_of(Errors, [&](auto &E) { return is_contained(All, E); }) ||
          none_of(Errors, [&](auto &E) { return Left.contains(E); }))
        continue;
      std::string Of = G.Primal.empty() ? G.Caller : G.Primal;
      if (!save(unused(Whole + "-" + fileName(Of)), Code, Errors))
        return false;
      for (const std::string &E : Errors)
        Left.erase(E);
    }
  // Without any message there is nothing that could be compared.
  return Left.empty() && !All.empty();
}

std::string Reproducer::unused(const std::string &Name) {
  std::string Result = Name;
  for (unsigned Number = 2; !Names.insert(Result).second; ++Number)
    Result = Name + "-" + std::to_string(Number);
  return Result;
}

std::string Reproducer::pathOf(StringRef Name, StringRef Ending) const {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name + Ending);
  return Path.str().str();
}

bool Reproducer::save(StringRef Name, StringRef Code,
                      ArrayRef<std::string> Messages) {
  std::string Script = pathOf(Name, ".sh");
  if (!write(pathOf(Name, ".ll"), commentOf(Messages) + Code.str()) ||
      !write(Script, scriptFor(Name)))
    return false;
  // It can be given to a shell all the same.
  sys::fs::setPermissions(Script, sys::fs::all_read | sys::fs::owner_write |
                                      sys::fs::all_exe);
  return true;
}

bool Reproducer::write(const std::string &Path, StringRef Content) {
  std::error_code EC = sys::fs::create_directories(Folder);
  if (!EC) {
    raw_fd_ostream OS(Path, EC, sys::fs::OF_Text);
    if (!EC) {
      OS << Content;
      OS.close();
      EC = OS.error();
      OS.clear_error();
    }
  }
  if (!EC)
    return true;
  Diagnostics Diags(&Context);
  Diags.report(Diag::CannotWrite, Origin(), nullptr, {Path, EC.message()});
  return false;
}

} // namespace adze
