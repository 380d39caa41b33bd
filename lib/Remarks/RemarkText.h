// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of remarks: values, causes and sizes as the source names them.
#ifndef ADZE_REMARKS_REMARKTEXT_H
#define ADZE_REMARKS_REMARKTEXT_H

#include "adze/Plan.h"
#include <string>

namespace adze {

/// Of what is told, and where it is read.
struct RemarkContext {
  const Plan &P;
  const Facts &F;
  /// The file that the remark is shown in: lines of it go without its name.
  std::string File;
};

/// What the source calls \p V: "n", "box->n"; "" if that is not known.
std::string nameOf(const llvm::Value *V);

/// The same, but "" for variables of functions inlined: as those may be inlined
/// twice, two values may bear one such name.
std::string uniqueName(const llvm::Value *V);

/// What the source calls the array or object that \p Pointer points into, by
/// debug information: "x", "box->cells"; "" if that is not known.
std::string arrayName(const llvm::Value *Pointer);

/// \p V as its author would call it: "'v'", "the value loaded from 'x'", "a
/// product".
std::string wordsFor(PlanValue V, const RemarkContext &T);

/// The object that \p Pointer points into: "'x'", "argument 1 of 'f'"; "" if
/// it has no name.
std::string objectWords(const llvm::Value *Pointer);

/// What \p Call calls: "'g'", "a function through a pointer".
std::string calleeWords(const llvm::CallBase &Call);

/// Why a value is kept and not computed again.
struct Cause {
  std::string Text;
  /// What may overwrite the memory that would have to be read again.
  const llvm::Instruction *Overwriter = nullptr;
  /// What the user can do about it; "" if nothing is known.
  std::string Cure;
};
Cause causeOf(PlanValue V, const RemarkContext &T);

/// Who may overwrite what \p Read reads; mayBeOverwritten(Read) holds.
Cause overwrittenBy(const llvm::Instruction &Read, const RemarkContext &T);

/// What would prove that \p Writer leaves what \p Read reads alone, or make it
/// so; "" if that is not known.
std::string cureFor(const llvm::Instruction &Read,
                    const llvm::Instruction &Writer, const RemarkContext &T);

/// " at line 12", " at vector.h:12"; "" without debug information.
std::string atLine(const llvm::DebugLoc &Where, const RemarkContext &T);

/// "the loop at line 12", "loop 2".
std::string loopWords(const LoopRecord &L, const RemarkContext &T);

/// The bytes of all elements of as many slots like this: "8 * n * m".
std::string slotBytes(const RemarkContext &T, unsigned Index, unsigned Times);

/// The size of all slots that \p Counts, what the tapes of callees allocate
/// left out.
std::string tapeBytes(const RemarkContext &T,
                      llvm::function_ref<bool(const Slot &)> Counts);

} // namespace adze
#endif
