// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emission: executes a plan. No decision is taken here.
#ifndef ADZE_EMIT_H
#define ADZE_EMIT_H

#include "adze/Plan.h"
#include "llvm/Support/Error.h"

namespace llvm {
class DISubprogram;
class LLVMContext;
class StructType;
} // namespace llvm

namespace adze {

/// Metadata of branches of a derivative by which its two versions part, as
/// VersionsName is of the primal's, and which successor leads to the one for
/// arrays that meet; until they are separated (Cleanup.h).
constexpr const char *DerivedVersionsName = "adze.derived-versions";
void markVersions(llvm::Instruction &Branch, unsigned Successor);

/// Declares the functions of \p D (and its tape type, still opaque) in module
/// \p M, with the signatures of Request.h. \p F is the canonical form of
/// \p Source, the function of the program.
void declareDerivative(Derivative &D, llvm::Function &F,
                       const llvm::Function &Source, llvm::Module &M);

/// Declares the functions of \p D, whose function has derivatives of its own
/// that serve (GivenPlan.h), and gives the tape type its body.
void declareGiven(Derivative &D, llvm::Module &M);
/// Fills them: they call those of the program.
void emitGiven(const Derivative &D);

/// The same of a move of words, in forward mode (WordMoves.h).
void declareWordMove(Derivative &D, llvm::Module &M);
void emitWordMove(const Derivative &D);

/// Gives the tape type of \p D its body from the plan's slots.
void layOutTape(const Plan &P, Derivative &D);

/// Fill the declared functions of \p D. An error, which is ours, names the
/// value that a rule read without asking for it in needs().
void emitForward(const Facts &F, const Plan &P, const Derivative &D);
/// Declares the two functions of forward mode in two steps, and fills them
/// (Recording.h): what is read by no tangent is not recorded.
void declareReplay(Derivative &D, llvm::Function &F,
                   const llvm::Function &Source, llvm::Module &M);
void emitReplay(const Facts &F, const Plan &P, const Derivative &D);
/// What a record is, in memory of the tape.
llvm::StructType *recordType(llvm::LLVMContext &C);
/// Functions of \p M on records (Runtime/Records.c).
llvm::Function *beginRecord(llvm::Module &M);
llvm::Function *rewindRecord(llvm::Module &M);
llvm::Function *finishRecord(llvm::Module &M);
llvm::Function *checkRecord(llvm::Module &M);
llvm::Function *endRecord(llvm::Module &M);
llvm::Error emitFused(const Facts &F, const Plan &P, const Derivative &D);
llvm::Error emitSplit(const Facts &F, const Plan &P, const Derivative &D);

/// Gives an emitted function a subprogram (artificial, at the line of
/// \p Primal, the subprogram of the user's function), moves its locations there
/// and describes no variables. Every call in it has a location then.
void giveDebugInfo(llvm::Function &Derivative,
                   const llvm::DISubprogram &Primal);
/// A call between functions with debug information needs a location: calls of
/// \p Derivative without one get line 0.
void locateCallsOf(const llvm::Function &Derivative);

/// Puts handlers around the calls in \p Derivative whose exceptions are to be
/// left in flight (Exceptions.h).
void catchExceptions(llvm::Function &Derivative);

/// Before \p Call, of a derivative from outside, the numbers in all shadows of
/// global variables become zero: a derivative is one with respect to its
/// arguments, not to what an earlier call left in a global.
void resetShadowsBefore(llvm::CallBase &Call);
/// What follows a variable's name in that of its shadow.
inline constexpr char ShadowSuffix[] = ".adze.shadow";

/// Casts the address of a tape's field to that of a variable of the thread, on
/// targets where these are of a type of their own (Cleanup/LowerLanes.cpp).
inline constexpr char PrivateFieldFunction[] = "adze.tape.private";

/// Takes out of derivatives what lists shadow blocks (Runtime/KeptBlocks.c), if
/// no variable with a shadow can keep one.
void keepNoBlocks(llvm::Module &M);

/// Before \p Primals are differentiated: shadows of global variables that they
/// mention belong to derivatives within them, and are variables of the program
/// from now on. A shadow made for a derivative of theirs is another one.
void keepShadowsIn(llvm::ArrayRef<const llvm::Function *> Primals,
                   llvm::Module &M);

} // namespace adze
#endif
