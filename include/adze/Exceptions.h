// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exceptions as values. In a primal that Prepare has lowered (see
// docs/Exceptions.md), a call that ends by an exception returns, and the
// exception is in flight: its object is in a variable of the thread. What
// stands behind the call asks, and goes on where the unwinder would.
//
//   invoke g() to N unwind L        call g()  "adze.catches"
//                                   br (threw()), L, N
//   L: landingpad clauses           L: e = take();  s = select(e)
//   resume e                        leave(e); ret zero
//
// Derivatives of lowered functions return in this way, too. A call of what is
// no derivative throws; where it is marked "adze.catches", Emit puts a handler
// around it that leaves the exception in flight. raise() throws what is in
// flight, if anything is: behind markers, and where code that is not lowered
// calls code that is.
#ifndef ADZE_EXCEPTIONS_H
#define ADZE_EXCEPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class CallInst;
class Constant;
class Function;
class IRBuilderBase;
class LandingPadInst;
class Module;
class Value;
} // namespace llvm

namespace adze::exceptions {

/// All functions below are named so.
inline constexpr char Prefix[] = "adze.exception.";
/// String attribute of a call: an exception that ends it is left in flight.
inline constexpr char Catches[] = "adze.catches";
/// String attribute of a call: an exception that ends it ends the program. It
/// stands in a function that is noexcept, and nobody catches around it.
inline constexpr char Terminates[] = "adze.terminates";
/// String attribute of a call that tells what was caught, in a function that
/// may catch pointers: the pointer is what was thrown, not where it lies.
inline constexpr char ByPointer[] = "adze.by-pointer";
/// The same, in a function that catches no classes but those of the library and
/// what is derived from them: the object begins with a std::exception.
inline constexpr char Standard[] = "adze.standard";
/// A variable that stands for all exceptions, for analyses: what one function
/// throws another one catches. It is there if Prepare lowers any function.
inline constexpr char Memory[] = "adze.exception.memory";
/// String attribute of a derivative: it may return with one in flight.
inline constexpr char Leaves[] = "adze.leaves";

/// i1: is an exception in flight?
llvm::CallInst *emitThrew(llvm::IRBuilderBase &B);
/// The object (of the unwinder) of the one in flight, which then is no longer.
llvm::Value *emitTake(llvm::IRBuilderBase &B);
/// Puts \p Object in flight.
llvm::CallInst *emitLeave(llvm::IRBuilderBase &B, llvm::Value *Object);
/// Ends the program as an exception does that nobody catches, and the block.
void emitTerminate(llvm::IRBuilderBase &B, llvm::Value *Object);
/// Throws what is in flight, or does nothing.
llvm::Function *raiseFunction(llvm::Module &M);
/// i32: which clause of \p Pad handles \p Object. Clauses of one type are
/// numbered alike: by the position of the type in \p Types plus one, 0 for none
/// and -1 for exception specifications. \p Types must hold those of \p Pad.
/// The object is raised anew behind a landing pad of these clauses: so the
/// language's own rules decide, and make ready what __cxa_begin_catch returns.
llvm::Value *emitSelect(llvm::IRBuilderBase &B, llvm::Value *Object,
                        const llvm::LandingPadInst &Pad,
                        llvm::ArrayRef<const llvm::Constant *> Types,
                        llvm::Constant *Personality);

/// A call of one of the above.
bool isOurs(const llvm::CallBase &Call);

} // namespace adze::exceptions
#endif
