// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cleanup: what is done to derivatives once all of a module are emitted.
//
// Emitters write plainly: a slot in memory for every adjoint, a shadow for
// everything that may need one, a store where a rule says store. The passes
// run here turn slots into registers and remove what nothing reads. They are
// the compiler's own, in the order of its own simplification pipeline, since
// the derivatives come into the module after that pipeline has run.
#ifndef ADZE_CLEANUP_H
#define ADZE_CLEANUP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace adze {

/// Removes from \p F, and from its calls of functions that Adze made, every
/// attribute that was true of the primal and need not be of a derivative: a
/// derivative writes to shadows, allocates, frees, and keeps pointers on its
/// tape. To be called for all derivatives before any of them is simplified.
void repairAttributes(llvm::Function &F);

/// Finds out what the functions that Adze made do: which memory they read and
/// write, which pointers they keep, whether they throw, recur, return. Those of
/// the program are left alone. \p AM: the module's own manager; what it knew of
/// the module as a whole is forgotten.
void inferAttributes(llvm::Module &M, llvm::ModuleAnalysisManager &AM);

/// Makes \p AM forget the call graph, and which global variables are reached by
/// their names alone: both were found before there were derivatives.
void forgetModule(llvm::Module &M, llvm::ModuleAnalysisManager &AM);

/// \p Functions in an order in which a function comes after those that it
/// calls, but in a recursion.
std::vector<llvm::Function *>
calleesFirst(llvm::ArrayRef<llvm::Function *> Functions, llvm::Module &M);

/// Inlines functions that Adze made into \p F where that is worth it, but none
/// that is \p Unfinished. True if there was one.
bool inlineDerivatives(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                       const llvm::SetVector<llvm::Function *> &Unfinished);

/// Inlines derivatives, which must be finished, into the functions of the
/// program that call them, and simplifies those in which there was one.
void inlineIntoProgram(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Inlines the helpers that Adze marked alwaysinline into \p F and simplifies
/// it: promotion, redundant loads, dead stores, dead allocations, invariant
/// code, dead loops. \p FAM is the module's own manager, so that the target's
/// costs are known; what it knew of \p F is brought up to date. \p IsLast: it
/// will not be differentiated again, so its loops may be fused. Returns what
/// the IR verifier has against the result.
llvm::Error simplifyDerivative(llvm::Function &F,
                               llvm::FunctionAnalysisManager &FAM, bool IsLast);

/// The derivative of a derivative has the versions of the first alone: \p F,
/// which may be differentiated again, keeps both as one.
void forgetVersions(llvm::Function &F);

/// The versions for arrays that meet, which simplifyDerivative() has made
/// functions of their own, are left to code generation as they stand. To be
/// called last.
void leaveGeneralAsItIs(llvm::Module &M);

/// Where derivatives do the same for several directions, vectors of them do, if
/// that is less; not in loops that become vector code as they are. To be called
/// when no further derivatives will be taken. Returns as simplifyDerivative.
llvm::Error vectorizeDirections(llvm::Module &M,
                                llvm::FunctionAnalysisManager &FAM);

/// Makes code of the guarded products in \p M (GuardedProduct.h), of which no
/// further derivatives will be taken: one test for several in a block of a
/// function that Adze made, where that is less, else a choice for each. To be
/// called last. Returns as simplifyDerivative.
llvm::Error lowerProducts(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Where -adze-tape-allocator asks for it: thread-local variables of ours are
/// found by the system's keys instead. To be called last.
void replaceThreadLocals(llvm::Module &M);

/// Team calls of functions that Adze made become calls of the OpenMP runtime,
/// and the helpers of code in teams get their bodies (Teams.h). True if there
/// were any.
bool lowerTeams(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Where derivatives are compiled for ThreadSanitizer, their atomic sums become
///
///   old = load atomic place
///   while (!compare_exchange(place, old, old + term));
///
/// which can not be differentiated again.
void exposeSumsToSanitizer(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// In code for a GPU, derivatives take their tapes from memory that the host
/// gives (docs/Gpu.md), and exchanges between lanes get their bodies.
void lowerLanes(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Instead, where derivatives are going to be differentiated again: team calls
/// stay, and what the runtime does with the tapes of threads becomes code.
void exposeTapes(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Removes the internal functions and variables named adze.* that nothing uses
/// any more. True if there was one.
bool eraseUnused(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace adze
#endif
