// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A marker call taken apart, and the assignment of its operands to the
// parameters of the function. Private to the frontend.
#ifndef ADZE_LIB_FRONTEND_MARKERCALL_H
#define ADZE_LIB_FRONTEND_MARKERCALL_H

#include "Frontend/AbiScalars.h"
#include "Frontend/Names.h"
#include "adze/Marker.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <vector>

namespace llvm {
class CallBase;
class DataLayout;
class Function;
class Type;
class Value;
} // namespace llvm

namespace adze {

/// One operand after the function: a tag or a value.
struct Operand {
  llvm::Value *V = nullptr;
  Tag T = Tag::None;             // None: a value
  llvm::StringRef TagName;       // as written
  llvm::Value *Stride = nullptr; // of a tag: bytes between shadows
  llvm::Type *ByVal = nullptr;
  bool NoUndef = false;
};

/// The root of what \p Call, of the marker \p Callee, asks for.
std::shared_ptr<const Origin> originOf(const llvm::CallBase &Call,
                                       const llvm::Function &Callee);

struct MarkerCall {
  llvm::CallBase *Call = nullptr;
  MarkerKind Kind = MarkerKind::None;
  llvm::StringRef Name;
  llvm::Function *Primal = nullptr;
  /// Memory and type of the result when the ABI returns it there.
  llvm::Value *SRet = nullptr;
  llvm::Type *SRetType = nullptr;
  /// Tags that stand before an argument, and values.
  llvm::SmallVector<Operand, 8> Operands;
  /// A tag that no value follows: before an object of an empty class, which
  /// nothing is passed for, or by mistake if the operands do not fit.
  llvm::StringRef TagWithoutValue;
  bool NoReturn = false, PrimalReturn = false, RuntimeActivity = false;
  bool SharedShadows = false, StrongZero = false;
  unsigned Width = 1; // directions
  /// What else is said of the result: ActiveReturn, DupReturn, DupNoNeedReturn.
  Tag Return = Tag::None;
  llvm::StringRef ReturnTagName;
  /// Reverse mode: the adjoint of the result as the user gives it, in one
  /// operand or two for each direction, and where it begins if adze_seed says
  /// so.
  llvm::SmallVector<Operand, 2> Seed;
  std::optional<unsigned> SeedFrom;
  /// Split mode: what follows enzyme_allocated and enzyme_tape.
  llvm::Value *Allocated = nullptr, *Tape = nullptr;
  bool TapeTagged = false; // enzyme_tape is said
  bool NoFree = false;

  /// Of the first half, or the size of its tape: the second computes tangents.
  bool ForTangents = false;
  /// Of such a first half: no tangents are given behind floats.
  bool FloatsAlone = false;

  bool isForward() const {
    return Kind == MarkerKind::Forward || Kind == MarkerKind::ForwardHalf ||
           ForTangents;
  }
  /// Values only.
  bool isInactive() const { return Kind == MarkerKind::CallInactive; }
  SplitHalf half() const; // which one of split mode it makes
  const llvm::DataLayout &layout() const;
};

/// Where one value of a group of parameters comes from.
struct Instance {
  enum Form {
    Direct,   // one operand a parameter
    Indirect, // one byval operand that holds all parameters of the group
    Gathered, // several operands that make up one byval parameter
    Packed    // the scalars of all directions, in one operand or two registers
  };
  Form How = Direct;
  unsigned First = 0, Count = 0; // operands
};

/// Parameters that are one argument of the source program.
struct Group {
  unsigned FirstParam = 0, NumParams = 1;
  Tag T = Tag::None;
  llvm::StringRef TagName;
  /// The address of the result, for which the user passes nothing.
  bool ImplicitSRet = false;
  Instance Value;
  /// One for each direction, or one for all if there is a stride or it is
  /// Packed. None: it has no shadow.
  llvm::SmallVector<Instance, 1> Shadows;
  llvm::Value *Stride = nullptr;

  /// The shadow is an address that the user gives.
  bool hasShadowByAddress(const MarkerCall &C) const {
    return !Shadows.empty() && Shadows[0].How == Instance::Direct &&
           !C.Operands[Shadows[0].First].ByVal;
  }
};

enum class Match { Unique, None, Ambiguous };

/// The leaves of a group's value; of a byval parameter those in its memory.
ScalarClasses classesOf(const MarkerCall &C, unsigned FirstParam,
                        unsigned NumParams);

/// Whether a shadow follows the value.
bool wantsShadow(const MarkerCall &C, const ScalarClasses &Classes, Tag T);

/// The type behind a byval or sret parameter, else null.
llvm::Type *memoryType(const llvm::Function &F, unsigned Param);

/// Finds the only assignment of operands to parameters that fits in number and
/// types (see MatchArguments.cpp for how structures are recognized).
Match matchArguments(const MarkerCall &C, std::vector<Group> &Groups);

/// The same where the operands can be read in several ways. \p Way receives
/// the one that fits.
Match matchArguments(llvm::ArrayRef<MarkerCall> Ways, unsigned &Way,
                     std::vector<Group> &Groups);

/// What \p F returns in the source: what it returns in registers, or the type
/// of the memory behind sret; null for nothing.
llvm::Type *sourceResult(const llvm::Function &F);

/// Whether registers of the types \p Pieces make up a structure of \p Size
/// bytes.
bool piecesCover(llvm::ArrayRef<llvm::Type *> Pieces, uint64_t Size,
                 const llvm::DataLayout &DL);

/// Registers that a calling convention makes of one structure, at most.
inline constexpr unsigned MaxPieces = 2;

/// Says why no assignment fits.
void reportMismatch(const MarkerCall &C, Diagnostics &Diags,
                    const Origin &From);

/// Whether \p O can be passed where a value of type \p Ty is expected, as it
/// is or converted as C would.
bool isConvertible(const Operand &O, llvm::Type *Ty,
                   const llvm::DataLayout &DL);

/// The places of values of the types \p Pieces within a structure that was
/// split into them; its size lies in (last offset, return value].
uint64_t pieceOffsets(llvm::ArrayRef<llvm::Type *> Pieces,
                      const llvm::DataLayout &DL,
                      llvm::SmallVectorImpl<uint64_t> &Offsets);

} // namespace adze
#endif
