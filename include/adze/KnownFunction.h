// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known about functions without looking at their body: one row per
// family in lib/Known's tables, and one lookup. The row states semantics
// (effects, types, allocation) and, for scalar functions, the partials.
#ifndef ADZE_KNOWNFUNCTION_H
#define ADZE_KNOWNFUNCTION_H

#include "adze/Expr.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class Argument;
class CallBase;
class Function;
class FunctionCallee;
class FunctionType;
class GlobalVariable;
class Module;
class Type;
} // namespace llvm

namespace adze {

/// Classes of rows, whose members have their facts in common. The tables are
/// made of them; all else goes by the facts.
enum class KnownKind {
  Scalar,     // mathematical function of scalars/vectors; Row is set
  Conversion, // a float, or each of a vector, as a float of another type
  Constant,   // floats in, no derivative (floor, round, isnan, ilogb): zero
  OutScalar,  // also writes through pointers or returns a struct: frexp, modf,
              // sincos, remquo, lgamma_r; see Outputs
  ComplexScalar, // C99 <complex.h>, by the platform's calling convention
  Inactive,   // no derivative and no effect on active data: puts, clock, rand
  Overwrites, // as Inactive, but stores data without derivative into memory
              // behind its pointer operands: fread, scanf, fgets, snprintf.
              // Only where that memory is inactive may it be treated as such
  NoReturn,   // exit, abort, __assert_fail: inactive, never returns
  Allocate,   // returns new memory; see AllocationInfo
  Reallocate,
  Free,
  NewException,    // memory for an exception that will be thrown, which the
                   // language gives back; Allocation says its size
  CaughtException, // from the unwinder's object to what was thrown
  ThrowException,  // (exception, type, destructor)
  DropException,   // (exception): it will not be thrown
  AllocateTo,      // posix_memalign: stores new memory through operand 0
  AllocateToThird, // MPI_Alloc_mem: through operand 2
  BlockCopy,       // memcpy, memmove, __memcpy_chk: (dst, src, bytes)
  BlockSet,        // memset, bzero
  SavesState,      // (dst, the same, bytes, ...) of Runtime/Checkpoints.c
  ReadOnly,        // strlen, memcmp, strcmp: reads memory, integer result
  Ignorable,       // intrinsics that are dropped in derivative code: lifetime,
                   // assume, debug, prefetch, expect is Passthrough instead
  TeamBound,       // returns operand 0, a bound of iterations (Teams.h)
  Shuffle,         // of lanes of a GPU: LaneShuffles.h
  TeamSync,        // threads of a team meet, or take turns; see Mirror
  TaskWait,        // what tasks write counts where they are created (Tasks.h)
  Passthrough,     // returns its operand 0 unchanged: llvm.expect, ssa.copy,
                   // launder/strip.invariant.group, llvm.ptr.annotation
  DeclaredInactive // by the program (below): no derivative, any other effect
};

/// Memory that a call reads or writes, as far as derivatives may see it.
enum class Reach : uint8_t {
  None,
  First,      // behind operand 0
  Second,     // behind operand 1, as many bytes as operand 2 says
  Released,   // the block that it gives back
  Counts,     // where %n of a format says; files are not memory
  AsDeclared, // what the attributes of the call and of its operands allow
  Anywhere
};

/// What a call stores there.
enum class Stores : uint8_t {
  Nothing,
  Results,   // numbers computed from its operands
  Constants, // data without derivative
  Copy,      // what it reads
  NewBlock   // the address of memory that it allocates
};

/// What a call returns.
enum class Returns : uint8_t {
  Nothing,   // nothing, or nothing that an analysis would have to know
  Result,    // numbers computed from its operands
  Constant,  // numbers without derivative
  Unrelated, // no derivative: numbers, or an address in memory of the library
             // or of what the operands point to
  NewBlock,
  First,     // operand 0, or that of another thread
  Exception, // the address of what is thrown, or will be
  Inactive,  // by declaration, all of it and what it points to
  Never      // it ends the program
};

/// Whether running a call once more changes nothing and gives the same.
enum class Repeats : uint8_t {
  No,
  IfPure, // an intrinsic that reads and writes no memory
  Yes     // if all that it writes is local to the function
};

/// How calls are differentiated. Rules/Registry.cpp has the rule of each.
enum class Derivation : uint8_t {
  None,            // Prepare lowers them, or they are refused
  Zero,            // no derivative goes through
  Partials,        // KnownFunction::Row
  OutputPartials,  // KnownFunction::Outputs
  Conversion,      // as of LLVM's fptrunc and fpext
  ComplexPartials, // ComplexFunction.h
  NewBlock,        // the result gets a shadow
  NewBlockTo,      // so does what is stored through operand 0
  Release,         // with the shadow
  NewException,
  CaughtException,
  BlockCopy,
  BlockSet,
  FirstOperand, // the dual of operand 0
  States,       // what is copied to where it was is saved for steps to come
  Shuffle,      // LaneShuffles.h
  Mirror,   // none goes through; going back, KnownFunction::Mirror is called
  Text,     // stored through operand 0: KnownFunction::Text
  Within,   // KnownFunction::Within
  Constants // stores them: zero, if they come to inactive memory only
};

/// What a call has to do with C++ exceptions in flight.
enum class ExceptionStep : uint8_t { None, Makes, Catches, Throws, Drops };

/// What one more call costs (CacheCut.cpp), for each element of a vector.
enum class Price : uint8_t { Instruction, TwoInstructions, Division, Function };

/// The effects of a call: what analyses of types, activity and memory, and the
/// plan, go by.
struct CallFacts {
  Reach Reads = Reach::None, Writes = Reach::None;
  Stores Stored = Stores::Nothing;
  Returns Result = Returns::Nothing;
  Repeats Repeatable = Repeats::No;
  Derivation By = Derivation::None;
  /// Operands in registers are numbers, and no parts of others.
  bool NumberOperands = false;
  ExceptionStep Exception = ExceptionStep::None;
};

/// Those of all functions of a kind.
CallFacts factsOf(KnownKind Kind);

struct AllocationInfo {
  int SizeArg = -1;  // bytes, or bytes per element
  int CountArg = -1; // calloc
  int AlignArg = -1; // aligned_alloc, posix_memalign, new(align)
  bool Zeroed = false;
  const char *Deallocator = "free"; // name of the matching deallocation
  const char *Clear = "memset";     // (block, 0, bytes) zeroes it
};

/// One floating-point output of an OutScalar function. Outputs that are no
/// floats (the exponent of frexp) have none: they are integers.
struct OutputRow {
  static constexpr int Returned = -1;
  /// Returned: the result (field Element of it, if it is a struct); else the
  /// operand through which it is stored.
  int Place = Returned;
  unsigned Element = 0;
  /// Partials of this output; result() in them means this output.
  ScalarRow Row;
};

/// What a function stores through operand 0, if that is text.
enum class TextExtent {
  NoText,
  Unsaid, // at least one character, which ends it
  Source, // at least all of the text behind operand 1
  Count   // as many bytes as operand 2 says
};

/// How numbers go through a function as text, or as bytes of a file. No
/// derivative goes that way: what comes out of it is constant. The facts serve
/// to say so where it matters (Options::Text).
enum TextWay : uint8_t {
  NoTextWay = 0,
  ToText = 1,   // operands, and what they point to, to the memory it writes
  ToFile = 2,   // the same, to a file
  FromFile = 4, // a file, to the memory it writes
  ToNumber = 8  // text or a file, to numbers that it returns or stores
};

struct KnownFunction {
  const char *Family; // "sin", "malloc", "puts"
  KnownKind Kind;
  CallFacts Facts;
  /// Result and operands, for Scalar, Constant and OutScalar: "f:fi" is a
  /// float of an (equal) float and an integer; p pointer, g any other float,
  /// v nothing, s struct. A call that does not fit is not known. Null: not
  /// checked. Metadata operands of constrained intrinsics are not in it.
  const char *Signature = nullptr;
  ScalarRow Row; // Scalar
  /// f(x, y) = f(y, x), though the partials at a tie depend on the order. In
  /// canonical form a constant is the second operand.
  bool Symmetric = false;
  llvm::SmallVector<OutputRow, 2> Outputs; // OutScalar
  AllocationInfo Allocation;               // Allocate, Reallocate, AllocateTo
  int FreeArg = 0; // Free, Reallocate: the pointer released
  TextExtent Text = TextExtent::NoText; // Overwrites
  uint8_t TextWays = NoTextWay;         // TextWay, joined
  /// Member of a C++ class that owns memory without derivatives: where its
  /// objects hold the pointer to that.
  enum Ownership : uint8_t { OwnsNothing, OwnsAtStart, OwnsAnywhere };
  Ownership Owns = OwnsNothing;
  /// Member of a C++ class of which no object is active: a pointer that it
  /// returns leads to what such objects hold.
  bool OfInactiveClass = false;
  /// A template of a library's header: the row counts, and not the body.
  bool Template = false;
  /// TeamSync: what is called where the reverse pass comes by, with the same
  /// operands, and the result, if there is one.
  const char *Mirror = nullptr;
  /// Of a call of the library's function, and of its intrinsic.
  Price CallPrice = Price::Function;
  Price IntrinsicPrice = Price::TwoInstructions;
  /// A pointer that is returned leads into what this operand points to, or is
  /// null; -1 for all other functions.
  int Within = -1;
  /// A derivative may have to do something for the data that a call takes,
  /// stores or returns.
  bool movesData() const {
    return Facts.Stored != Stores::Nothing || Facts.Result == Returns::Result ||
           Facts.Result == Returns::First;
  }
  /// Data with derivatives may come into what pointer operand \p I leads to, by
  /// the call or through the address that it returns.
  bool mayActivate(unsigned I) const;
  /// It returns new memory, or stores its address.
  bool allocates() const {
    return Facts.Result == Returns::NewBlock ||
           Facts.Stored == Stores::NewBlock;
  }
  /// The operand through which it stores the address of new memory.
  unsigned placeOfBlock() const {
    return Kind == KnownKind::AllocateToThird ? 2 : 0;
  }
  /// It returns new memory, and gives none back.
  bool returnsNewBlock() const {
    return Facts.Result == Returns::NewBlock && !released();
  }
  /// It returns new memory that takes the place of what it gives back.
  bool reallocates() const {
    return Facts.Result == Returns::NewBlock && released();
  }
  /// It gives memory back, and does nothing else.
  bool frees() const { return Facts.Result == Returns::Nothing && released(); }
  /// It writes as many bytes behind operand 0 as an operand says.
  bool writesBlock() const {
    return Facts.By == Derivation::BlockCopy ||
           Facts.By == Derivation::BlockSet;
  }
  /// It returns operand 0, and does nothing else.
  bool returnsOperand() const { return Facts.By == Derivation::FirstOperand; }
  /// It has no effect on derivatives, nor on the program: a remark for
  /// optimizers.
  bool isRemark() const {
    return Facts.By == Derivation::Zero && Facts.Writes == Reach::None &&
           Facts.Reads == Reach::None && Facts.Result == Returns::Nothing &&
           Facts.Repeatable == Repeats::Yes;
  }
  /// The program says that it has no derivative; of its effects it says
  /// nothing.
  bool isDeclaredInactive() const { return Facts.Result == Returns::Inactive; }
  /// The operand that is given back, if there is one.
  std::optional<unsigned> released() const {
    return Facts.Writes == Reach::Released ? std::optional<unsigned>(FreeArg)
                                           : std::nullopt;
  }
  /// May end by a C++ exception, unless it is called as nounwind. That memory
  /// cannot be had (operator new) does not count.
  bool Throws = false;
};

/// A body of ours for a function of a library whose own is not visible.
struct LibraryBody {
  const char *Name; // in lib/Prepare/LibraryBodies.c
  bool Inline;      // where it is called
};

/// The row of Bodies.def for what \p Call calls; null if there is none, or if
/// the program has a body, or declares something of the function.
const LibraryBody *libraryBodyOf(const llvm::CallBase &Call);

/// The row of the function that \p Call calls (direct calls of declarations
/// and intrinsics; a function with a body in this module is never known,
/// except by an exact C library name whose body cannot be the user's, or if
/// the program declares something of it). Null if nothing is known. The result
/// lives as long as the process.
const KnownFunction *lookupKnown(const llvm::CallBase &Call);
const KnownFunction *lookupKnown(const llvm::Function &F);
/// By canonical family name; null if there is none.
const KnownFunction *lookupFamily(llvm::StringRef Family);

/// What a program declares of its own functions and variables. Registration
/// globals and front-end annotations are brought to these forms
/// (Annotations.h); nothing else reads either.
namespace declared {
/// String attribute of a function or call, which then has no derivative, and
/// of a parameter, which is then passed as if it were enzyme_const.
inline constexpr char Inactive[] = "enzyme_inactive";
/// String attribute of a function or parameter: LLVM's nofree.
inline constexpr char NoFree[] = "enzyme_nofree";
/// String attribute of a function: the library function that it behaves as.
inline constexpr char Like[] = "adze.function_like";
/// String attributes of functions that return new memory, and that give it
/// back: "SIZE DEALLOCATOR", and the number of the parameter with the block.
inline constexpr char Allocation[] = "adze.allocation_like";
inline constexpr char Deallocation[] = "adze.deallocation_like";
/// String attribute of a function that is to be called again in the reverse
/// pass rather than to have its result kept, where that gives the same.
inline constexpr char ShouldRecompute[] = "enzyme_shouldrecompute";
/// Metadata of a global variable without derivative.
inline constexpr char InactiveGlobal[] = "adze.inactive";
} // namespace declared

bool isDeclaredInactive(const llvm::Function &F);
bool isDeclaredInactive(const llvm::CallBase &Call);
bool isDeclaredInactive(const llvm::Argument &A);
bool isDeclaredInactive(const llvm::GlobalVariable &G);
/// Operand \p I of \p Call is passed for an inactive parameter.
bool isDeclaredInactive(const llvm::CallBase &Call, unsigned I);
/// The function of the module that the program called where the compiler has
/// written the intrinsic \p F: expf for llvm.exp.f32. Null if there is none.
const llvm::Function *libraryFunctionOf(const llvm::Function &F);
/// \p Name is that of a function that another one can be declared to be like:
/// it neither allocates nor releases memory.
bool mayBeLike(llvm::StringRef Name, const llvm::FunctionType &Ty);

/// The row of an arithmetic instruction (fadd, fsub, fmul, fdiv, frem, fneg);
/// null for every other opcode.
const ScalarRow *arithmeticRow(unsigned Opcode);

/// A callable that computes family \p Family on type \p Ty (float, double,
/// x86_fp80, fp128 or a fixed vector of them): an intrinsic where LLVM has one,
/// else the C library's function (erf -> erff, erfl). Integer operands take
/// the type \p IntTy (null: the family's usual one). The callee is null if
/// there is none for this very type (half, vectors of library functions):
/// ExprEmitter then goes through a wider type or elementwise; or if the
/// program has given the name to something else. Reads and writes no memory.
llvm::FunctionCallee declareScalar(llvm::Module &M, llvm::StringRef Family,
                                   llvm::Type *Ty, llvm::Type *IntTy = nullptr);

} // namespace adze
#endif
