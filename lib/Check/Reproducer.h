// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What repeats a refusal: `-adze-save-reproducer=DIR`.
//
// For each marker that is refused, DIR gets the module, reduced to what the
// marker needs to be refused with the same message, and a script with the
// command. A refusal may depend on code that the marker does not mention (the
// functions that could be behind a pointer, say), so nothing is taken for
// granted: each reduced module is read back and run, and is only kept if what
// it says is what the whole module says. If no reduction does, the whole module
// is what is saved.
//
// The whole module is written before anything else is done and removed at the
// end, so that it is there if the compiler crashes.
#ifndef ADZE_CHECK_REPRODUCER_H
#define ADZE_CHECK_REPRODUCER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/PassManager.h"
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace adze {

class Reproducer {
public:
  /// Differentiates a module, as the compiler does.
  using Differentiator =
      llvm::function_ref<void(llvm::Module &, llvm::ModuleAnalysisManager &)>;

  /// \p M is what will be differentiated, as yet untouched. Does nothing unless
  /// the option is given and \p M has markers.
  explicit Reproducer(const llvm::Module &M);

  /// To be called when \p M was differentiated, or refused unless \p Fine.
  void finish(bool Fine, llvm::ModuleAnalysisManager &AM,
              Differentiator Differentiate);

private:
  /// Saves reduced modules until all that the whole one says is said by one of
  /// them. False if something is left.
  bool saveReduced(llvm::ModuleAnalysisManager &AM,
                   Differentiator Differentiate);
  /// Writes `Name.ll` and `Name.sh`, with \p Messages as a comment.
  bool save(llvm::StringRef Name, llvm::StringRef Code,
            llvm::ArrayRef<std::string> Messages);
  bool write(const std::string &Path, llvm::StringRef Content);
  /// The path of a file of the reproducer \p Name.
  std::string pathOf(llvm::StringRef Name, llvm::StringRef Ending) const;
  /// \p Name, or another like it if that is taken.
  std::string unused(const std::string &Name);

  llvm::LLVMContext &Context;
  std::string Folder;
  std::string Whole; // the name of the whole module's reproducer
  std::string Text;  // the module before it was differentiated; "": off
  llvm::StringSet<> Names;
};

} // namespace adze
#endif
