// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of the field: markers and tags. Spelled here and nowhere else.
#ifndef ADZE_LIB_FRONTEND_NAMES_H
#define ADZE_LIB_FRONTEND_NAMES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class GlobalVariable;
class Value;
} // namespace llvm

namespace adze {

enum class MarkerKind {
  None,
  Reverse,
  Forward,
  Augment,     // the first half of split mode
  ReverseHalf, // the second of reverse mode
  ForwardHalf, // the second of forward mode
  TapeSize,
  Table, // both halves, as pointers to functions
  CallInactive,
  ErrorEstimate,    // estimateErrors() makes it one of forward mode
  Dense,            // lowerDenseViews() replaces what is done with it
  TruncateFunction, // a narrower version: its operations
  TruncateMemory,   // and what it keeps in memory
  TruncateValue,    // a value as such a version keeps it in memory
  ExpandValue,      // and back
  Batch,            // of calls of the function itself
  Unsupported
};

enum class Tag {
  None,
  Const,
  Dup,
  DupNoNeed,
  DupV, // a stride follows
  DupNoNeedV,
  Width, // a number follows
  Out,
  NoReturn,
  PrimalReturn,
  ActiveReturn,
  DupReturn,
  DupNoNeedReturn,
  Seed, // the adjoint of the result follows
  RuntimeActivity,
  StrongZero,
  SharedShadows,
  Allocated, // a size follows
  Tape,      // an address follows
  NoFree,
  Unsupported
};

/// What \p F marks: only declarations are markers, so that a user's function
/// that wraps one and bears its name is none.
MarkerKind markerKind(const llvm::Function &F);

/// Of a marker that does not differentiate, but changes formats.
bool asksForPrecision(MarkerKind Kind);

/// The marker's name proper within a mangled one: "__enzyme_autodiff".
llvm::StringRef markerName(const llvm::Function &F);

/// The tag that \p V is: the tag variable itself, its value loaded from there,
/// either through casts and spills, or its name as metadata. \p Name receives
/// the spelling.
Tag tagOf(const llvm::Value *V, llvm::StringRef &Name);

/// What a global variable of a certain name registers.
enum class Registration {
  None,
  InactiveFunction,
  InactiveGlobal,
  FunctionLike,
  NoFree,
  AllocationLike,
  DeallocationLike,
  ShouldRecompute,
  Gradient,
  Tangent,
  SplitTangent,
  Exchange,
  Shadow,
  Unsupported
};
Registration registrationKind(const llvm::GlobalVariable &G);

} // namespace adze
#endif
