// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors and remarks of Adze. Every message is one row of Diagnostics.def
// (identifier, severity, text with {0} {1} .., the way out). A report carries
// its origin: the marker call, the chain of calls down to the function in
// which the trouble stands, the instruction with its source line, and the
// facts that conflict, each with its own line:
//
//   f.c:3:10: error: cannot differentiate inline assembly
//     in 'g', called at f.c:8:10 by 'f'
//     in the derivative that '__enzyme_autodiff' asks for at f.c:13:3 in 'main'
//     to fix: replace it, or move it to a function that ...
//
// With debug information the compiler shows the line; without it, the line on
// which the function is declared if it has the source, else the function's
// name.
#ifndef ADZE_DIAGNOSTICS_H
#define ADZE_DIAGNOSTICS_H

#include "adze/Origin.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace llvm {
class Function;
class Instruction;
class LLVMContext;
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

/// Name prefix of a canonical clone; the rest is the name of the user's
/// function it was made from. Reports inside a clone name and locate that
/// function.
inline constexpr char ClonePrefix[] = "adze.primal.";

/// For the end of a run with errors: ends the process, with status 1, where the
/// compiler drops what passes report and would make code all the same (flang).
void stopIfErrorsAreDropped();

/// Collects the reports of one module run and hands each, once, to the
/// LLVMContext's diagnostic handler. Reports are emitted as they are made;
/// equal texts are emitted once. Missing bodies wait for flush(), which lists
/// all of one request in one message.
class Diagnostics {
public:
  /// Without a context, one is taken from the first report's instruction or
  /// origin.
  explicit Diagnostics(llvm::LLVMContext *Context = nullptr)
      : Context(Context) {}
  Diagnostics(const Diagnostics &) = delete;
  Diagnostics &operator=(const Diagnostics &) = delete;
  ~Diagnostics() { flush(); }

  /// \p At is the instruction at fault, in the user's code or in a canonical
  /// clone (may be null: then the marker's place is shown). \p Args fill {0},
  /// {1}, ... of the row's text and cure. Nothing is kept that could dangle
  /// when \p At is erased later.
  void report(Diag ID, const Origin &From, const llvm::Instruction *At,
              llvm::ArrayRef<std::string> Args = {},
              llvm::ArrayRef<Witness> Facts = {});

  /// Where to report what has neither an instruction nor an origin.
  void attach(llvm::LLVMContext &C) { Context = &C; }

  /// Reports are counted but not shown: for work whose failure is no fault of
  /// the user's.
  void mute() { Muted = true; }

  /// Emits what was held back. The destructor does it too.
  void flush();

  /// Errors reported so far, those held back included.
  unsigned errors() const { return NumErrors; }

private:
  /// Where a message points: a debug location, or a function, or neither.
  struct Spot {
    const llvm::Function *In = nullptr;
    const llvm::DILocation *Location = nullptr;
  };
  /// Functions without a body that one marker call needs.
  struct Missing {
    Diag ID;
    std::string Marker;            // the text that names the marker call
    std::vector<std::string> Args; // all but the functions' names
    Spot At;
    std::string Chain;
    std::vector<std::string> Names;
    std::vector<std::string> Facts;
  };

  static Spot spotOf(const Origin &From, const llvm::Instruction *At);
  static std::string keyOf(Spot At);
  void addMissing(Diag ID, const Origin &From, Spot At,
                  llvm::ArrayRef<std::string> Args);
  void emit(Diag ID, Spot At, const std::string &Text);

  llvm::LLVMContext *Context;
  bool Muted = false;
  unsigned NumErrors = 0;
  llvm::StringSet<> Seen;
  std::vector<Missing> MissingFunctions;
};

/// "file:line:column" of \p I, or "" without debug location.
std::string sourcePlace(const llvm::Instruction *I);
/// The source-level name of \p V if any, else its printed operand form.
std::string describe(const llvm::Value *V);
/// The name of \p F as its author wrote it: demangled, and a clone's is the
/// user's.
std::string sourceName(const llvm::Function &F);
std::string sourceName(llvm::StringRef MangledName);

} // namespace adze
#endif
