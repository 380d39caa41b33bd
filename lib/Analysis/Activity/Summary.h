// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call of a function with a body does, for the caller's analysis: the
// result of analyzing the callee under the very activities that the request
// for its derivative will have, so that caller and callee agree.
#ifndef ADZE_ANALYSIS_ACTIVITY_SUMMARY_H
#define ADZE_ANALYSIS_ACTIVITY_SUMMARY_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <tuple>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace adze {

/// Memory as caller and callee both can name it.
struct SharedMemory {
  enum Kind {
    Argument,     // what argument Index points to
    BehindArg,    // all memory that its pointers reach, or the one at Field
    Global,       // Variable
    BehindGlobal, // all memory that its pointers reach
    New,          // made by the callee; Index tells some apart
    Foreign,
    Language, // virtual tables (DataFlow::LanguageObject)
    Lost      // reached through a number (DataFlow::LostObject)
  };
  Kind K = Foreign;
  unsigned Index = 0;
  const llvm::GlobalVariable *Variable = nullptr;
  int64_t Field = INT64_MIN; // DataFlow's AnyOffset: all of them

  auto key() const { return std::tuple(K, Index, Variable, Field); }
  bool operator==(const SharedMemory &O) const { return key() == O.key(); }
};

struct SharedPointer {
  SharedMemory To;
  int64_t Offset = 0;
  auto key() const { return std::tuple(To.key(), Offset); }
  bool operator==(const SharedPointer &O) const { return key() == O.key(); }
};

/// What a store says of the bits that it stores. Those of a float may travel as
/// a number or as a pointer, but a number is seldom read where a pointer went.
/// Other: an integer that nobody here has made of a float, for arithmetic has
/// made it, or it was copied from memory as that was on entry.
enum class StoredAs : uint8_t { Float, Number, Pointer, Other };

/// A place that the callee may have stored to.
struct StoreEffect {
  SharedMemory To;
  int64_t Offset, Size;
  StoredAs As;
  bool Varied; // floats that depend on active inputs
  std::vector<SharedPointer> Pointers;

  bool operator==(const StoreEffect &O) const {
    return To == O.To && Offset == O.Offset && Size == O.Size && As == O.As &&
           Varied == O.Varied && Pointers == O.Pointers;
  }
};

struct ReturnEffect {
  bool Varied = false;
  std::vector<SharedPointer> Pointers;
  bool operator==(const ReturnEffect &O) const {
    return Varied == O.Varied && Pointers == O.Pointers;
  }
};

/// Bytes of an argument's own memory of which the callee reads floats that
/// influence an active output.
struct ReadEffect {
  unsigned Arg;
  int64_t Offset, Size;
  bool operator==(const ReadEffect &O) const {
    return Arg == O.Arg && Offset == O.Offset && Size == O.Size;
  }
};

struct CalleeSummary {
  std::vector<StoreEffect> Stores;
  /// Memory of the caller that is written or released at all: where it has a
  /// shadow, that must be written too, be it with zeros.
  std::vector<SharedMemory> Written;
  /// The part of it that instructions, not unknown functions, write.
  std::vector<SharedMemory> Seen;
  std::vector<ReturnEffect> Returns; // one per leaf of the result
  /// Per argument: its value, memory behind it, and memory reached through
  /// pointers there, influence an active output.
  llvm::BitVector ValueUseful;
  std::vector<ReadEffect> Reads;
  std::vector<SharedMemory> DeepUseful; // BehindArg
  /// Per argument: shadows of pointers loaded from its memory are used.
  std::vector<SharedMemory> DeepDemanded; // BehindArg
  /// Per argument passed without a shadow: it must have one.
  llvm::BitVector WantsShadow;
  /// Takes part whatever its arguments are: it reads or writes a global
  /// variable that may hold active data, or exchanges data with other
  /// processes.
  bool TakesPart = false;
  /// Active data goes into, or comes out of, a function without a body.
  bool ActiveInUnknown = false;

  bool operator==(const CalleeSummary &O) const {
    return Stores == O.Stores && Written == O.Written && Seen == O.Seen &&
           Returns == O.Returns && ValueUseful == O.ValueUseful &&
           Reads == O.Reads && DeepUseful == O.DeepUseful &&
           DeepDemanded == O.DeepDemanded && WantsShadow == O.WantsShadow &&
           TakesPart == O.TakesPart && ActiveInUnknown == O.ActiveInUnknown;
  }
};

/// What a context says of an argument. A request for a derivative knows only
/// active floats and memory with shadow; but whether data is active is found
/// only by letting "varied" go down into callees and "useful" come back up.
enum ArgumentBits : uint16_t {
  ValueVaried = 1,       // its floats are
  MemoryShadow = 2,      // its pointers have shadows
  MemoryVaried = 4,      // floats behind its pointers are varied on entry
  MemoryUseful = 8,      // and useful on exit
  NoPointers = 16,       // no pointers stand there on entry
  NoneBehind = 32,       // nor in memory that these lead to
  OwnMemory = 64,        // differentiated code made this memory
  OwnBehind = 128,       // and all that pointers there lead to
  MemoryDrops = 256,     // the program declares it inactive (Object::Drops)
  IsAddress = 512,       // an integer that the caller made of an address
  LeadsNowhere = 1024,   // the pointer is null
  MemoryFloatBits = 2048 // floats stand there, or behind, as integers
};

/// Under which activities a function is looked at.
struct CallContext {
  llvm::SmallVector<uint16_t, 8> Args; // ArgumentBits
  bool ReturnActive = false;           // floats of the result are useful
  bool ReturnShadow = false;           // the result's shadow is asked for

  bool operator<(const CallContext &O) const {
    return std::tie(ReturnActive, ReturnShadow, Args) <
           std::tie(O.ReturnActive, O.ReturnShadow, O.Args);
  }
  bool operator==(const CallContext &O) const {
    return ReturnActive == O.ReturnActive && ReturnShadow == O.ReturnShadow &&
           Args == O.Args;
  }
};

} // namespace adze
#endif
