// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markers of a module: found, parsed into requests, and replaced.
//
// A marker is a declaration whose name contains __enzyme_autodiff (reverse),
// __enzyme_fwddiff (forward), or, for the two halves of split mode,
// __enzyme_augmentfwd and __enzyme_reverse or __enzyme_fwdsplit (see
// docs/SplitMode.md). Its first
// operand is the function, the others are tags and values in the order of the
// function's parameters. What reaches us is not the source but what the
// target's calling convention made of it:
//
//  * A structure by value may be one operand or two (in registers), or a
//    `byval` pointer; and the marker's variadic call and the function may
//    split it differently, since the tags use up registers. One tag covers
//    all pieces of a structure.
//  * Variadic operands are promoted: float to double, short to int.
//  * A function that returns a large structure gets the address of the result
//    as an `sret` parameter, for which the user writes nothing: in forward
//    mode the tangent is the marker's result, in reverse mode the structure's
//    one float is seeded with 1. (Operands for it are accepted too.) In split
//    mode a function of ours around it returns the structure as a value.
//  * The adjoint of the result, which may follow the arguments in reverse mode,
//    is a value of the type that the function returns, passed like an argument.
//  * The marker's own result may come back in any form of the same layout: as
//    scalar, vector, structure, or in memory through `sret`.
//
// Defaults without a tag. Reverse: float Out, pointer Dup, integer Const, and
// a structure by value by its leaves. Forward: float and pointer Dup, integer
// Const. A `byval` parameter with float leaves only is Out by default: the
// request says Dup, its shadow is zeroed memory that parseMarker provides, and
// the marker's result reads it.
//
// With enzyme_width and a number n, each shadow is given n times, one after the
// other or as one value of that layout; or, after enzyme_dupv and a number of
// bytes, the shadows of a pointer lie that far apart. Where one derivative
// would come back, n do.
//
// Results in order. Reverse: the primal result (enzyme_primal_return), then
// the adjoint of each Out argument, laid out as the members of a C structure.
// Forward: the primal result if asked for, then the tangent.
#ifndef ADZE_MARKER_H
#define ADZE_MARKER_H

#include "adze/Diagnostics.h"
#include "adze/Request.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include <optional>
#include <vector>

namespace llvm {
class CallBase;
class Module;
class Type;
class Value;
class raw_ostream;
} // namespace llvm

namespace adze {

/// One member of the marker's result.
struct MarkerResult {
  /// The memory that holds it after the call, or null: then it is the element
  /// with this number of the derivative's returned structure.
  llvm::Value *Memory = nullptr;
  unsigned Element = 0;
  llvm::Type *Ty = nullptr;
  /// Its place in the marker's result, as a C compiler lays it out.
  uint64_t Offset = 0;
  /// The user may want it or not: the adjoints of the floats of a structure by
  /// value that was tagged enzyme_dup, or of one without a tag that comes in
  /// integer registers, the result that enzyme_dup_return asks
  /// for with its tangent. Left out where the marker's type says so.
  bool Optional = false;
  /// Of an element that has one value for each direction: which one.
  std::optional<unsigned> Direction;
};

/// What a marker of split mode asks for.
enum class SplitHalf {
  None,
  Augment, // run the augmented primal, give the tape
  Reverse, // run the reverse pass on it
  Forward, // compute tangents from it (Recording.h)
  Size,    // the bytes of a tape that the caller provides the memory for
  Table    // the address of two pointers, to functions for both halves
};

/// Where the tape of a split derivative lies, as far as its markers say.
enum class TapePlace {
  Own,      // in memory that the derivative takes and gives back
  Provided, // in memory of the caller
  Variable  // as Own, and the caller's variable receives the address
};

/// One marker call, parsed.
struct Marker {
  llvm::CallBase *Call = nullptr;
  Request Req;
  std::shared_ptr<const Origin> From;
  /// Operands for the derivative's parameters in its order (argument, then
  /// shadow if it has one), already loaded where the ABI passed them indirect;
  /// memory passed by value is copied, so a derivative takes `byval` and
  /// `sret` parameters of the primal as self-shadowed pointers that it may
  /// write to. Tracked: the operand of one marker may be the result of another,
  /// which is replaced first.
  std::vector<llvm::WeakTrackingVH> Operands;
  /// Reverse mode in one call: the adjoint of what the derivative returns in
  /// registers, if the user gives it. Null: 1.
  llvm::WeakTrackingVH Seed;
  std::vector<MarkerResult> Results;
  uint64_t ResultSize = 0;
  /// Split only. The last operands are then: of the first half, of Provided
  /// memory the address and the size (i64), of a Variable the address; of the
  /// second the result's adjoint, if it has one, and the tape, or for Variable
  /// the tape or the address of one. The results of the first half are the tape
  /// (element 0), the primal result and its shadow; the tape's size has
  /// neither.
  SplitHalf Half = SplitHalf::None;
  TapePlace Place = TapePlace::Own;
  bool KeepsTape = false; // enzyme_nofree

  /// The first half of forward mode in two steps: its operands are those of the
  /// primal alone.
  bool isRecording() const {
    return Half == SplitHalf::Augment && Req.Kind.isForward();
  }
};

/// First halves and sizes for __enzyme_fwdsplit take the request of that.
void shareForwardTapes(llvm::MutableArrayRef<Marker> Markers);

/// Each second half must find a first half with an equal request: the tape of
/// one is to be read by the other. False after reports.
bool matchSplitHalves(llvm::ArrayRef<Marker> Markers, Diagnostics &Diags);

/// \p M declares a marker.
bool hasMarkers(const llvm::Module &M);

/// Every call of a marker in \p M in module order. Includes markers reached
/// through bitcasts, -O0 spills of the function pointer or of tags, invokes,
/// and mangled names.
std::vector<llvm::CallBase *> findMarkers(llvm::Module &M);

/// Gives markers whose function is passed another one as a constant a copy in
/// which that one is known, and answers those that ask for halves of a virtual
/// table.
void bindFunctions(llvm::Module &M, llvm::FunctionAnalysisManager &AM);

/// Replaces calls of __enzyme_batch by calls of the functions themselves. What
/// is wrong is reported, or left for later without \p Diags. True if anything
/// changed.
bool lowerBatches(llvm::Module &M, Diagnostics *Diags);

/// Calls of __enzyme_error_estimate, which are none of findMarkers().
std::vector<llvm::CallBase *> findErrorEstimates(llvm::Module &M);

/// Calls of __enzyme_todense, which are none of findMarkers().
std::vector<llvm::CallBase *> findDenseViews(llvm::Module &M);
/// Makes each access to what they return a call of a function of the program,
/// when all derivatives are finished. False after a report.
bool lowerDenseViews(llvm::Module &M, llvm::FunctionAnalysisManager &AM,
                     Diagnostics &Diags);

/// Orders markers for nested derivatives, as in a forward marker on a function
/// that holds a reverse marker: no function that a marker of one round
/// differentiates holds, or calls a function that holds, a marker of the same
/// or a later round. Each round must be replaced before the next one is
/// prepared. Markers on functions that reach themselves through a marker come
/// last. Keeps module order within a round.
std::vector<std::vector<llvm::CallBase *>>
markerRounds(llvm::ArrayRef<llvm::CallBase *> Calls);

/// Parses \p Call; nullopt after a report. Inserts the loads and conversions
/// of operands before the call. A function without a body gets an internal one
/// around a call of it, so that known functions (sin) can be differentiated.
std::optional<Marker> parseMarker(llvm::CallBase &Call, Diagnostics &Diags);

/// Replaces the marker call by a call of the finished \p D, adapting its
/// result to the marker's return type, seeding the return's adjoint with 1 in
/// reverse mode. The marker call is erased.
void replaceMarker(Marker &M, const Derivative &D, Diagnostics &Diags);

/// The same by a function of ours: \p Target takes the marker's operands, and
/// returns its results as the elements of a structure.
void replaceMarkerBy(Marker &M, llvm::Function &Target);
/// Erases the call, whose result nobody uses.
void eraseMarkerCall(llvm::CallBase &Call);

/// The bytes that a first half of split mode says are provided, if they are a
/// constant, or what \p OfMarker knows of another marker's result.
std::optional<uint64_t>
sizeGiven(const Marker &M,
          llvm::function_ref<std::optional<uint64_t>(const llvm::CallBase &)>
              OfMarker);

/// Reports what would be left for the linker or silently ignored: markers that
/// are not called directly or not supported yet, and, where \p M has markers,
/// registrations of custom derivatives. Calls that findMarkers finds are left
/// to the caller: refused, replaced, or to be replaced yet. To be called last,
/// whether or not findMarkers found any; a module without markers is left as it
/// is. Removes the helper bodies that parseMarker made.
void reportLeftovers(llvm::Module &M, Diagnostics &Diags);

/// Prints what the frontend understood, for tests and for people.
void printMarker(const Marker &M, llvm::raw_ostream &OS);

} // namespace adze
#endif
