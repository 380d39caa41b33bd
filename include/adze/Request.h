// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A request for a derivative: which function, in which mode, with which
// activity. Requests are values: equal requests share one derivative.
#ifndef ADZE_REQUEST_H
#define ADZE_REQUEST_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace llvm {
class Function;
class FunctionType;
class StructType;
class Type;
} // namespace llvm

namespace adze {

/// Which way derivatives flow.
enum class DerivativeMode : uint8_t { Forward, Reverse };
/// In how many functions: one, or two and a tape type between them.
enum class DerivativeShape : uint8_t { Fused, Split };

struct DerivativeKind {
  DerivativeMode Mode;
  DerivativeShape Shape;

  static const DerivativeKind Forward; // primal and tangents together
  static const DerivativeKind Fused;   // augmented primal, then reverse
  static const DerivativeKind Split;   // augmented primal; reverse

  constexpr bool isForward() const { return Mode == DerivativeMode::Forward; }
  constexpr bool isSplit() const { return Shape == DerivativeShape::Split; }
  constexpr bool operator==(DerivativeKind O) const {
    return Mode == O.Mode && Shape == O.Shape;
  }
};
inline constexpr DerivativeKind DerivativeKind::Forward = {
    DerivativeMode::Forward, DerivativeShape::Fused};
inline constexpr DerivativeKind DerivativeKind::Fused = {
    DerivativeMode::Reverse, DerivativeShape::Fused};
inline constexpr DerivativeKind DerivativeKind::Split = {
    DerivativeMode::Reverse, DerivativeShape::Split};

/// What accompanies one argument.
enum class ArgActivity {
  Const,     // nothing
  Dup,       // a shadow follows the argument
  DupNoNeed, // a shadow follows; memory results of the primal not needed
  Out,       // its adjoint is returned (reverse modes only)
  OutDup     // by-value aggregate: shadow (pointer leaves) follows, and the
             // adjoint (float leaves) is returned
};
inline bool hasShadowParam(ArgActivity A) {
  return A == ArgActivity::Dup || A == ArgActivity::DupNoNeed ||
         A == ArgActivity::OutDup;
}
inline bool returnsAdjoint(ArgActivity A) {
  return A == ArgActivity::Out || A == ArgActivity::OutDup;
}

/// What accompanies the returned value. In forward mode Active (float) and
/// Dup (pointer) both return the tangent/shadow beside or instead of the
/// primal. In reverse modes Active takes the incoming adjoint as the last
/// value parameter; Dup (pointer leaves) returns the shadow from the
/// augmented function; ActiveDup both (by-value aggregates).
enum class RetActivity { Const, Active, Dup, ActiveDup };

/// A pointer is plain if its shadow is the pointer itself: what it points to
/// has no derivative, reads through the shadow count as zero and writes are
/// left out. Whether a pointer is plain is seen at run time, by comparing.
enum ShadowBits : uint8_t {
  MayBeSelfShadowed = 1,   // the argument may be
  MayHoldSelfShadowed = 2, // pointers in memory reached through it may be
  DropsActive = 64, // without shadow: the program declares the memory inactive,
                    // so active data that is stored there is constant
  IsHandle = 128,   // an integer with a shadow that is to be believed, and no
                    // bits of a float (AddressDual.h)
  MayBeFloat = IsHandle,          // a pointer: perhaps the bits of an active
                                  // float that it is to be tested for
  IsNull = DropsActive | IsHandle // the pointer is null: it leads nowhere
};

/// What the caller knows of the memory that an argument points to: beside
/// ShadowBits.
enum MemoryBits : uint16_t {
  HoldsNoPointers = 4,   // no pointer ever stands in it
  LeadsToNoPointers = 8, // nor in the memory that pointers in it lead to
  IsOfDerivative = 16,   // differentiated code made it: no adjoints on entry
  LeadsToOwn = 32,       // and all memory that pointers in it lead to
  MayHoldFloatBits = 256 // there or behind: active floats, or parts of such,
                         // that were stored as integers (no proof)
};

inline bool retTakesAdjoint(RetActivity R) {
  return R == RetActivity::Active || R == RetActivity::ActiveDup;
}
inline bool retHasShadow(RetActivity R) {
  return R == RetActivity::Dup || R == RetActivity::ActiveDup;
}

/// Memory that the caller may overwrite between augmented primal and reverse.
struct CallerWrites {
  llvm::SmallVector<bool, 8> Arguments; // what each argument points to
  bool Elsewhere = false; // all other: globals, what pointers in memory lead to

  bool any() const { return Elsewhere || llvm::is_contained(Arguments, true); }
  bool operator==(const CallerWrites &O) const {
    return Arguments == O.Arguments && Elsewhere == O.Elsewhere;
  }
};

/// Printed TypeTrees that callers know beyond what the callee says itself, ""
/// for none.
struct CallerTypes {
  std::vector<std::string> Arguments; // empty, or one for each
  std::string Result;

  bool empty() const {
    return Result.empty() &&
           llvm::all_of(Arguments, [](auto &T) { return T.empty(); });
  }
  bool operator==(const CallerTypes &O) const {
    return Arguments == O.Arguments && Result == O.Result;
  }
  bool operator<(const CallerTypes &O) const {
    return std::tie(Arguments, Result) < std::tie(O.Arguments, O.Result);
  }
};

/// Whether several threads of a team run the derivative at the same time, on
/// memory that they share (Sharing.h).
enum class TeamRole : uint8_t {
  None,
  Region, // it is that of the region of a team beside which no other one runs
  Called, // or of a function that the region calls
  Within  // threads of other teams may run it as well
};

/// What the caller knows of the addresses of two arguments.
enum class AddressPair : uint8_t {
  Unknown,
  Apart, // they lead into different objects. Of an argument and itself: all
         // who run the derivative reach the object by this argument alone
  Equal
};

/// Of all pairs of arguments. Nothing is known where nothing is set.
class ArgumentPairs {
public:
  AddressPair of(unsigned K, unsigned L) const {
    const size_t At = place(K, L);
    return At < Known.size() ? Known[At] : AddressPair::Unknown;
  }
  void set(unsigned K, unsigned L, AddressPair Is) {
    const size_t At = place(K, L);
    if (At >= Known.size())
      Known.resize(At + 1, AddressPair::Unknown);
    Known[At] = Is;
  }
  bool empty() const { return Known.empty(); }
  llvm::ArrayRef<AddressPair> all() const { return Known; }
  bool operator==(const ArgumentPairs &O) const { return Known == O.Known; }

private:
  static size_t place(size_t K, size_t L) {
    return K < L ? L * (L + 1) / 2 + K : K * (K + 1) / 2 + L;
  }
  llvm::SmallVector<AddressPair, 8> Known; // (0,0) (0,1) (1,1) (0,2) ..
};

/// How many directions one derivative may carry.
inline constexpr unsigned MaxWidth = 64;
/// The type of the duals of a value of type \p Ty in \p Width directions.
llvm::Type *dualTypeOf(llvm::Type *Ty, unsigned Width);

struct Request {
  llvm::Function *Primal = nullptr; // the user's function (not the clone)
  DerivativeKind Kind = DerivativeKind::Fused;
  llvm::SmallVector<ArgActivity, 8> Args; // one per argument of Primal
  RetActivity Ret = RetActivity::Const;
  bool ReturnPrimal = false; // the derivative also returns the primal result
  CallerWrites MayBeOverwritten; // Split only; nothing otherwise
  /// Split: arguments, in order, of which the reverse half gets the address of
  /// a copy, too: of what the callee reads behind them (Snapshot::Given).
  llvm::SmallVector<unsigned, 2> Copied;
  CallerTypes Types;
  /// Per argument, of an exchange with other processes: what types say of the
  /// memory that it says too little of (Descriptions.h). Empty if all is said.
  std::vector<std::string> Descriptions;
  unsigned Width = 1; // directions
  /// Per argument: ShadowBits, if it has a shadow, and MemoryBits. Empty if
  /// there are none.
  llvm::SmallVector<uint16_t, 8> ArgumentFlags;
  /// Whatever pointer comes from outside may be self-shadowed, and memory
  /// without shadow is inactive whatever is stored there
  /// (enzyme_runtime_activity).
  bool RuntimeActivity = false;
  /// A zero stays a zero under every partial, whatever the option says
  /// (enzyme_strong_zero).
  bool StrongZero = false;
  /// Split: several reverse passes may follow one augmented primal.
  bool RunsAgain = false;
  TeamRole InTeam = TeamRole::None;
  ArgumentPairs Pairs;

  bool operator==(const Request &O) const;
  /// A stable text that identifies the request within its module; used as key
  /// and in names of derivative functions.
  std::string key() const;
};

/// Signatures, every parameter list: for each argument of the primal the
/// argument, then its shadow if it has one.
///   Forward:   ret fwd(params)              ret: {primal?, tangent?} or void
///   Fused:     ret fused(params, dret?)     ret: {primal?, adjoints of Out...}
///   Replay:    as Forward, then ptr record
///   Record:    primal record(arguments, ptr record)
///   Augmented: ret aug(params, ptr tape)    ret: {primal?, shadow?}
///   Reverse:   ret rev(params, copies, dret?, ptr tape)
///                                           ret: {adjoints of Out...}
/// Copies: a pointer for each of Request::Copied. A struct of one element stays
/// a struct; an empty one is void. The caller provides the tape memory
/// (TapeType).
struct Derivative {
  Request Req;
  llvm::Function *Forward = nullptr; // Forward
  /// Forward, in two steps: what runs the primal, and what computes tangents
  /// later (Recording.h). Made where a marker asks for it.
  llvm::Function *Record = nullptr, *Replay = nullptr;
  llvm::Function *Fused = nullptr;     // Fused
  llvm::Function *Augmented = nullptr; // Fused (inlined later) and Split
  llvm::Function *Reverse = nullptr;
  /// Split: as Reverse, but the tape and the memory of the primal stay, so that
  /// it may be followed by another one. Made if the request RunsAgain.
  llvm::Function *ReverseKeepTape = nullptr;
  llvm::StructType *TapeType = nullptr; // opaque until planned
  bool Planned = false; // TapeType has its body; false inside a recursion
};

} // namespace adze
#endif
