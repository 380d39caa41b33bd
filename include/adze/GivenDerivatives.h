// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives that a program gives for functions of its own:
//
//   void *__enzyme_register_gradient_x[] = {f, augmented, reverse};
//   void *__enzyme_register_derivative_x[] = {f, forward};
//   void *__enzyme_register_splitderivative_x[] = {f, augmented, forward};
//
// They count, and not the body of f, which may be invisible. A parameter of f
// is followed by its shadow: a pointer's in each function, a number's in
// `forward`. Parameters that f declares inactive (KnownFunction.h), and
// integers, have none. With R what f returns, T a type of the program's choice:
//
//   (T?, R?)    augmented(p, p', a..)       does what f does, keeps a T
//   (adjoints)  reverse(p, p', a.., r'?, T?)
//   R | (R, R)  forward(p, p', a, a'..)     the tangent, or result and tangent
//   R           forward(p, p', a, a'.., T?) the tangent, after augmented()
//
// Several values are a structure of C; one is that value. `reverse` returns the
// adjoints of f's floats by value, in the order of the parameters.
#ifndef ADZE_GIVENDERIVATIVES_H
#define ADZE_GIVENDERIVATIVES_H

#include "adze/Request.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Argument;
class CallBase;
class Function;
} // namespace llvm

namespace adze::given {

/// Records the functions that the program registers for \p F.
void setGradient(llvm::Function &F, llvm::Function &Augmented,
                 llvm::Function &Reverse);
void setForward(llvm::Function &F, llvm::Function &Forward);
void setSplitForward(llvm::Function &F, llvm::Function &Augmented,
                     llvm::Function &Forward);

/// Nothing is registered for \p F any more.
void clear(llvm::Function &F);

/// \p F exchanges data with other processes: what it reads goes to results of
/// theirs, and what it writes comes from their inputs. So its derivative takes
/// part whatever is active here, and gets null for a shadow that is not there.
void setExchange(llvm::Function &F);
bool isExchange(const llvm::Function &F);
/// The same of memory that code of the program does not access, such as that of
/// a device, with one letter for each parameter: r memory that it reads, w that
/// it writes, m both (R, W, M: until something else waits), i memory or a
/// number without derivative, n a number, f a floating-point number with one.
/// False if \p F has others.
bool setExchange(llvm::Function &F, llvm::StringRef Roles);

/// \p F looks at the shadows of pointers and at nothing else: its derivative is
/// called whatever is active, in each direction, by any thread.
void setShadowQuery(llvm::Function &F);
bool isShadowQuery(const llvm::Function &F);

/// \p F calls what its first parameter points to, and the derivatives are those
/// of a table that is the shadow of that pointer: they do not take it. Whether
/// they are called is seen at run time, and so is whether they serve.
void setTableCall(llvm::Function &F);
bool isTableCall(const llvm::Function &F);
/// Derivative functions take the parameter \p A, of a function or a derivative.
bool isPassed(const llvm::Argument &A);

/// What the functions of a table take first, for calls of type \p Ty: the
/// parameters, with shadows, and with tangents if \p Forward.
llvm::SmallVector<llvm::Type *, 8> parametersFor(const llvm::FunctionType &Ty,
                                                 bool Forward);
/// The functions that such a table may hold.
enum class TableEntry { Augmented, Reverse, Forward };
/// \p G has the type of entry \p E for calls of functions of type \p Ty. The
/// tape of both halves is a pointer.
bool fitsTable(const llvm::Function &G, const llvm::FunctionType &Ty,
               TableEntry E);

/// Threads of a parallel region may call \p F: its derivatives are called
/// between Hook(1) and Hook(0) there, so that they know of others that add to
/// the same shadows.
void setTeamHook(llvm::Function &F, llvm::Function &Hook);
/// Null if they may not.
llvm::Function *teamHookOf(const llvm::Function &F);

/// How the derivatives of an exchange serve several directions.
enum class Exchanging : uint8_t {
  OneDirection,
  Once, // they are called once: no operand has a shadow
  Each  // after the other; Hook(which, count) is called before each, and
        // Hook(0, 0) behind the last
};
void setExchanging(llvm::Function &F, Exchanging How,
                   llvm::Function *Hook = nullptr);
Exchanging exchangingOf(const llvm::Function &F);
/// Null if there is none.
llvm::Function *directionHookOf(const llvm::Function &F);

/// Parameters of an exchange: a buffer, and what says which floats are in it.
/// As far as that does not, types do.
struct Described {
  unsigned Buffer, By;
};
/// The derivatives take in place of parameters By what \p Describe makes of
/// them, and of a variable {text, null} of which the text is the description of
/// the memory behind Buffer (Descriptions.h).
void setDescribed(llvm::Function &F, llvm::Function &Describe,
                  llvm::ArrayRef<Described> Parameters);
/// Argument \p By of \p Call says all.
void setTold(llvm::CallBase &Call, unsigned By);
/// Those of \p Call that do not say all.
llvm::SmallVector<Described, 2> describedOf(const llvm::CallBase &Call);
/// \p Describe of setDescribed().
llvm::Function &describerOf(const llvm::Function &F);

/// Whether derivatives of \p F in mode \p M are the program's.
bool has(const llvm::Function &F, DerivativeMode M);
bool hasAny(const llvm::Function &F);
/// The function that \p Call calls, if it has such derivatives.
llvm::Function *calleeOf(const llvm::CallBase &Call, DerivativeMode M);

/// The derivative functions take a shadow of the pointer \p A.
bool takesShadow(const llvm::Argument &A);
/// They take the tangent of \p A, or return its adjoint.
bool isFloat(const llvm::Argument &A);

/// How the functions of a gradient are called. What they return lies in memory
/// as a structure of C does, whatever the calling convention makes of it.
struct Gradient {
  llvm::Function *Augmented = nullptr, *Reverse = nullptr;
  /// What `reverse` takes of it, in order; null if nothing.
  llvm::StructType *Tape = nullptr;
  /// What `augmented` returns: Tape, then the primal's result; fields that are
  /// not there are left out. Null if it returns nothing.
  llvm::StructType *Kept = nullptr;
  /// The adjoints that `reverse` returns; null if there are none.
  llvm::StructType *Adjoints = nullptr;
};

/// An error says which function does not fit, how it is called, and what it is.
llvm::Expected<Gradient> gradientOf(const llvm::Function &F);

struct Tangent {
  llvm::Function *Forward = nullptr;
  /// Called before, if it is there: does what f does, and returns Kept.
  llvm::Function *Augmented = nullptr;
  /// What `forward` takes of that, and what there is; as of a Gradient.
  llvm::StructType *Tape = nullptr, *Kept = nullptr;
  /// It returns the primal's result, too: in a structure, before the tangent.
  bool ReturnsPrimal = false;
  /// What it returns, as above; null if nothing.
  llvm::StructType *Returned = nullptr;
};

llvm::Expected<Tangent> tangentOf(const llvm::Function &F);

} // namespace adze::given
#endif
