// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of Prepare, in the order in which preparePrimal takes them. Each
// leaves valid IR; what each adds to the canonical form is said at its name.
#ifndef ADZE_LIB_PREPARE_STAGES_H
#define ADZE_LIB_PREPARE_STAGES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace llvm {
class CallBase;
class Constant;
class Function;
class Instruction;
class SCEVExpander;
class ScalarEvolution;
class Use;
} // namespace llvm

namespace adze {

class ExceptionScopes;
class Primal;
struct Refusal;
enum class TaskOrder : uint8_t;

/// An internal copy of \p F in its module, named adze.primal.<name>, without
/// the attributes that would keep passes from working on it.
llvm::Function *clonePrimal(llvm::Function &F);

/// The first instruction of \p F that cannot be brought to canonical form and
/// why (\p Reason), or null.
const llvm::Instruction *findUnpreparable(const llvm::Function &F,
                                          std::string &Reason);

/// A call in \p F that may come back more than once (setjmp), or null.
const llvm::CallBase *findReturningTwice(const llvm::Function &F);

/// Notes in \p P.Declared what debug info and !adze.type say of the clone's
/// values. To be called before anything is promoted.
void collectDeclarations(Primal &P);
/// Drops the notes on values that did not survive.
void settleDeclarations(Primal &P);

/// invoke to call, indirectbr to comparisons, musttail to plain calls; removes
/// unreachable blocks. \p Source is the function that \p F was cloned from.
void lowerControl(llvm::Function &F, llvm::Function &Source,
                  const ExceptionScopes &Scopes);

/// \p Type (its type information) is a class of the library's exceptions, or
/// derived from one alone, at any depth.
bool isStandardException(const llvm::Constant &Type);

/// Says of calls of what(), on what was caught, that they are inactive. To be
/// called when pointers are values.
void markExceptionTexts(llvm::Function &F);

/// The part of lowerControl that is about exceptions: they become values, or,
/// where \p Scopes says that nobody catches them, leave the function whole.
void lowerExceptions(llvm::Function &F, const llvm::Function &Source,
                     const ExceptionScopes &Scopes);

/// Chunks of iterations that threads take as they come have bounds like those
/// of static schedules.
void lowerDispatch(llvm::Function &F);

/// Phis that always have one value, through each other, give way to it.
void joinEqualPhis(llvm::Function &F);

/// Pointers that are always as far apart are computed from each other, and
/// their distances without addresses. Whether anything changed. To be called
/// when control has its shape, which it may lose.
bool relatePointers(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Counters that have been widened are compared, and multiplied, as wide
/// numbers.
void widenCounters(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Elements that stay the same while a loop runs are read in front of it. To be
/// called when the structure of \p P is known.
void hoistLoads(const Primal &P);

/// Calls of library functions for which there is a body become calls of that.
/// Whether there were any.
bool giveBodies(llvm::Function &F);

/// The body with that name in LibraryBodies.c, as a function of \p M; null
/// where there is none for its target.
llvm::Function *libraryBody(llvm::Module &M, llvm::StringRef Name);

/// Creations of tasks that the optimizer has joined are separate again. Part of
/// lowerTasks.
void separateTasks(llvm::Function &F);

/// Atomic operations on floats of which the order matters become sections of
/// one thread at a time.
void lowerAtomics(llvm::Function &F);

/// Tasks become task calls (Tasks.h), or code, where they are created. \p
/// Source is the function that \p F was cloned from. To be called before
/// lowerControl: what is inlined has its own control flow.
void lowerTasks(llvm::Function &F, llvm::Function &Source, TaskOrder Order);

/// Where the program creates threads, functions that exchange values atomically
/// become part of \p F, and loops in which \p F does so until it succeeds tell
/// the run how long that takes.
void inlineExchanges(llvm::Function &F);
void watchSpinLocks(llvm::Function &F);

/// Parallel regions become team calls (Teams.h).
void lowerForks(llvm::Function &F);

/// A league of teams becomes one team: a call.
void lowerLeagues(llvm::Function &F);

/// Calls say that addresses are not captured where the callee's body shows it.
void markCaptures(llvm::Function &F);

/// Team calls become calls of copies of regions that know which of their
/// arguments lead to different memory; in such a copy, accesses say so. The
/// latter: whether that was worth moving code.
void specializeRegions(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
bool sayApart(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Calls of functions with `...` that never look at what stands there become
/// calls of copies without.
void fixVariadicCalls(llvm::Function &F);

/// Makes the copies that byval stands for, and drops the attribute.
void copyByValArguments(llvm::Function &F);

/// Calls of inactive functions that return in memory do so to a variable of
/// their own, whose content is then copied.
void separateInactiveResults(llvm::Function &F);

/// Puts the constant operand of fmax, fmin and of sums, products and masks
/// second, as the optimizer does: whose derivative it is at a tie depends on
/// the order.
void orderOperands(llvm::Function &F);

/// Puts the steps of addresses back into the order of the source, large ones
/// first, where the optimizer changed it.
void orderSteps(llvm::Function &F);

/// Choices that were written for guarded products (GuardedProduct.h), in a
/// gradient that was compiled before, become calls again.
void readGuardedProducts(llvm::Function &F);

/// Empty assembly that returns its operands gives way to them; so do a few
/// instructions.
void lowerAssembly(llvm::Function &F);

/// x86 intrinsics become what says the same in LLVM's own words (X86.def).
void lowerX86(llvm::Function &F);
/// Exchanges of values between lanes of a GPU are calls (LaneShuffles.h).
void lowerShuffles(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Loops of a kernel that try to change a float until nobody else has done so
/// become atomic operations. To be called when memory of the thread is values.
void lowerRetries(llvm::Function &F);

/// Atomic maxima and minima of shared memory become those of numbers without
/// derivative, and stores by the thread that has won.
void lowerExtrema(llvm::Function &F);

/// Addresses that lead to a variable of constant memory with a shadow are plain
/// pointers, for the shadow lies elsewhere. Whether there may have been any.
/// Part of expandConstantExpressions.
bool usePlainConstants(llvm::Function &F);

/// So do intrinsics of GPUs, and moves of bits that libdevice has names for.
void lowerDevice(llvm::Function &F);
/// Intrinsic \p ID is one of those.
bool isLoweredOnDevice(unsigned ID);
/// So is the function \p Name of libdevice.
bool isLoweredOnDevice(llvm::StringRef Name);

/// What is done to the bits of vectors of floats is done with a lane for each.
/// To be called when pointers are values.
void joinFloatLanes(llvm::Function &F);

/// Vectors of which a lane becomes a pointer are read from memory lane by lane.
void readPointerLanes(llvm::Function &F);

/// Lifetime markers go; matrices are vectors; passthrough intrinsics give way
/// to their operand; inline block operations become plain ones, masked memory
/// access branches.
void lowerIntrinsics(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// What a dynamic cast leads to becomes an offset from what it starts from.
void lowerDynamicCasts(llvm::Function &F);

/// realloc(p, n) becomes malloc(n), memcpy of what both blocks have room for,
/// free(p): a derivative then needs no rule for moving memory.
void lowerReallocations(llvm::Function &F);

/// Promotes memory to values and cleans up; more of it where \p F comes from
/// an unoptimized source.
void simplifyPrimal(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Words that are now a double, now a pointer, are loaded and stored as
/// integers. Whether there were any.
bool readFloatWords(llvm::Function &F);

/// Calls through pointers become calls of the functions they may call, each
/// behind a comparison. Whether anything changed. To be called when pointers
/// are values (after simplifyPrimal).
bool promoteCalls(llvm::Function &F);

/// Calls with a constant of functions that do what an argument says become
/// calls of copies for this one operation. \p Source is the function that \p F
/// was cloned from.
void chooseOperations(llvm::Function &F, const llvm::Function &Source);
/// The function that such a copy, \p F, was made of; else \p F.
const llvm::Function &originalOf(const llvm::Function &F);
/// \p Copy has the code of \p Original.
void noteOriginal(llvm::Function &Copy, const llvm::Function &Original);

/// Loads of parts of floats become bits of what was stored there. To be called
/// when pointers are values.
void forwardBytes(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Small functions that hand out or take parts of floats become parts of \p F.
/// To be called first: what is inlined goes through all stages.
void inlineParts(llvm::Function &F);

/// Floats that are taken apart and put together again are themselves; each has
/// one value for its bits. Whether anything changed. To be called when pointers
/// are values.
bool joinParts(llvm::Function &F);

/// Stores of all bytes of one value become one store of it. Whether anything
/// changed.
bool joinStores(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Loops and rows of code that move or exchange bytes or words one by one
/// become block copies. Whether anything changed. To be called when control has
/// its shape, which it may lose.
bool moveByBlocks(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Where loops may overwrite what they read for want of restrict, the function
/// gets a second version for arrays that lie apart, chosen at run time. Whether
/// it did. To be called when control has its shape, which it may lose.
bool versionByAliasing(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// One return, unique edges, static allocas in the entry block, reducible
/// control flow, simplified loops in LCSSA form.
void shapeControl(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Loops that test in several blocks whether there is another iteration, in the
/// same way, do so in one, the latch. Keeps the shape that \p F has.
void joinTests(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Loops with the marker of Checkpoints.h become calls of functions of their
/// own, named after \p Name. False if one cannot, after a report. To be called
/// when control has its shape, which it keeps.
bool outlineSteps(llvm::Function &F, llvm::StringRef Name,
                  llvm::FunctionAnalysisManager &FAM, const Refusal &Refuse);

/// Whether \p F runs threads where it creates them, when it has bodies of what
/// libraries do.
bool createsThreads(const llvm::Function &F);

/// Whether threads that \p F creates, or others, would wait for each other, or
/// have variables of their own, after a report. To be called when calls through
/// pointers have become calls of functions.
bool refuseThreadWaits(const llvm::Function &F, const Refusal &Refuse);

/// Every constant expression that is an operand of an instruction becomes an
/// instruction of the entry block, one for all equal ones.
void expandConstantExpressions(llvm::Function &F);

/// Whether a constant expression stays at \p U all the same: callees, what
/// inline assembly wants as an immediate, and allocas, which stand before the
/// place where the instructions are made.
bool mayStayConstant(const llvm::Use &U);

/// Fills \p P.DT, LI, Loops, LoopOf, Returning and ReturnBlock.
void recordStructure(Primal &P);

/// Gives every loop of \p P its counter, and LastIteration and Bound where
/// they can be known; rewrites what the counter determines in its terms. The
/// control flow does not change.
void countLoops(Primal &P, llvm::FunctionAnalysisManager &FAM);

/// Computes from the counters of \p P what advances by a fixed step, or by one
/// that itself advances by a fixed step. Part of countLoops; \p SE and
/// \p Expander must know the loops' counters, and \p Expander is cleared.
void rewriteInductions(Primal &P, llvm::ScalarEvolution &SE,
                       llvm::SCEVExpander &Expander);

/// Fills \p P.EnteredFrom and \p P.ExitCounters.
void recordEntries(Primal &P);

} // namespace adze
#endif
