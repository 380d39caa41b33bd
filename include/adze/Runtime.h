// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code of Adze that becomes a part of programs. It is written in C; the build
// makes bitcode of each file, a unit (adze_embed_c in cmake/AdzeLayer.cmake),
// and a module gets what it calls of a unit at first use.
#ifndef ADZE_RUNTIME_H
#define ADZE_RUNTIME_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <memory>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace adze {

/// One C file as bitcode, of the LLVM that the plugin is built for.
struct RuntimeUnit {
  /// Functions and variables that the file keeps to itself are called
  /// adze.NAME.*, so that those of two units are told apart.
  const char *Name;
  const unsigned char *Bitcode;
  const unsigned long *Size;
  /// The list of a thread that derivatives share; null if there is none.
  const char *State = nullptr;
};

/// The unit as a module that can be linked into \p For: for its target, with
/// the names that programs see. `adze_tape_alloc` of C is adze.tape.alloc. The
/// code asks nothing of a target but pointers of 64 bits.
std::unique_ptr<llvm::Module> loadRuntime(const RuntimeUnit &Unit,
                                          const llvm::Module &For);

/// The function \p Name ("adze.tape.alloc") of \p Unit, which \p M gets if it
/// lacks it, with all that it calls, as internal functions. What \p M has of
/// the unit already stays, and is used by the rest. \p Adapt is called for what
/// is going to be linked.
llvm::Function *
runtimeFunction(llvm::Module &M, const RuntimeUnit &Unit, llvm::StringRef Name,
                llvm::function_ref<void(llvm::Module &)> Adapt = nullptr);

// The units of layer Runtime.
extern const RuntimeUnit StopUnit, TapeUnit, DeferredFreesUnit, KeptBlocksUnit,
    ExceptionShadowsUnit, NotFiniteUnit, DigammaUnit, CheckpointsUnit,
    TeamsUnit, PlacedFloatsUnit, LaneTapeNvptxUnit, LaneTapeAmdgpuUnit,
    LaneShufflesNvptxUnit, LaneShufflesAmdgpuUnit, DynamicSharedUnit,
    LaneSumsUnit, ThreadStatesUnit, RecordsUnit, RowTablesUnit;

/// Before derivatives are made of functions that hold derivatives: the lists of
/// \p M (deferred deallocations, shadow blocks that are
/// kept, shadows of exceptions), and the functions that
/// use them, are the program's from now on, and get shadows like others. New
/// derivatives have lists of their own.
void keepRuntimeState(llvm::Module &M);

} // namespace adze
#endif
