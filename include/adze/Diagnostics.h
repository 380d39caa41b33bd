// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors and remarks of Adze. Every message is one row of Diagnostics.def
// (identifier, severity, text with {0} {1} .., the way out). A report carries
// its origin: the marker call, the chain of calls down to the function in
// which the trouble stands, the instruction with its source line, and the
// facts that conflict, each with its own line.
#ifndef ADZE_DIAGNOSTICS_H
#define ADZE_DIAGNOSTICS_H

#include "adze/Origin.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace llvm {
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace adze {

enum class Diag {
#define ADZE_DIAG(ID, SEVERITY, TEXT, CURE) ID,
#include "adze/Diagnostics.def"
};

/// A fact that takes part in a conflict: what was seen, and where.
struct Witness {
  std::string Fact;
  const llvm::Instruction *At = nullptr;
};

/// Collects the reports of one module run and hands each, once, to the
/// LLVMContext's diagnostic handler. Reports are emitted as they are made;
/// equal texts are emitted once.
class Diagnostics {
public:
  /// \p At is the instruction at fault (may be null: then the marker's place
  /// is shown). \p Args fill {0}, {1}, ... of the row's text and cure.
  void report(Diag ID, const Origin &From, const llvm::Instruction *At,
              llvm::ArrayRef<std::string> Args = {},
              llvm::ArrayRef<Witness> Facts = {});

  unsigned errors() const { return NumErrors; }

private:
  unsigned NumErrors = 0;
  llvm::StringSet<> Seen;
};

/// "file:line:column" of \p I, or "" without debug location.
std::string sourcePlace(const llvm::Instruction *I);
/// The source-level name of \p V if any, else its printed operand form.
std::string describe(const llvm::Value *V);

} // namespace adze
#endif
