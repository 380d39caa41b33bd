// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a reverse-mode derivative: pure data. For every value (and
// shadow, and sub-tape) that the reverse pass reads it says where it comes
// from. Emitters execute it and decide nothing.
//
// The decision between Recompute and Cache is a minimum cut (after Moses et
// al., SC 2021, section 4): nodes are values, an edge leads from an operand to
// the value recomputed from it, sources are values that cannot be recomputed,
// the sinks are the needs. Cutting through a node keeps it, for its bytes
// times the estimated trip counts of its loops; a node behind the cut is
// recomputed, for its instruction's price. See lib/Plan/CacheCut.cpp and
// docs/Plan.md.
//
// Why recomputing is sound: a value that the reverse of an instruction reads
// dominates that instruction, and the reverse pass visits it under the same
// counters of the loops around it. So the operands of the value, in turn, were
// computed on the way and mean the same there.
#ifndef ADZE_PLAN_H
#define ADZE_PLAN_H

#include "adze/CallPlan.h"
#include "adze/Diagnostics.h"
#include "adze/Facts.h"
#include "adze/Replicas.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <vector>

namespace adze {

class Rule;

/// Which companion of a primal value is meant.
enum class Part { Primal, Shadow, Tape };

struct PlanValue {
  const llvm::Value *V = nullptr;
  Part Which = Part::Primal;
  bool operator==(const PlanValue &O) const {
    return V == O.V && Which == O.Which;
  }
};

/// Says that there is no slot.
inline constexpr unsigned NoSlot = ~0u;

/// How the reverse pass gets a value.
enum class Source {
  Available, // constant, argument (or its shadow), global, loop counter,
             // storage of a static alloca
  Recompute, // clone the instruction on operands that have a decision too
  Reload,    // load from where the primal stored it
  Cache      // load from slot
};

struct Decision {
  Source From = Source::Available;
  unsigned Slot = NoSlot; // Cache: index into Plan::Slots. Also set for
                          // static allocas (Available): their storage.
  /// Cache: the loop whose iterations, run again, keep the value. Null if the
  /// augmented half does. Recompute of a load: the loop whose iterations, run
  /// again, fill the shared memory that it reads (Rerun::Filled).
  const LoopRecord *Rerun = nullptr;
  /// Recompute, Reload: what is read for it, constants left out; each has a
  /// decision of its own.
  llvm::SmallVector<PlanValue, 2> Reads;
  /// Reload: the store that left the value in memory.
  const llvm::StoreInst *Store = nullptr;
  /// Recompute: another value (of Part::Shadow: its shadow) that is the same
  /// and stands for it. With an Index, of type i1: Index ? Instead : Otherwise.
  const llvm::Value *Instead = nullptr;
  const llvm::Value *Index = nullptr, *Otherwise = nullptr;
  /// Recompute of a load: the copy that it reads, if it reads one.
  const Snapshot *Copy = nullptr;
  /// Recompute of a shadow, where nothing stands for it: the rule that makes it
  /// of the shadows of the operands.
  const Rule *By = nullptr;

  bool operator==(const Decision &O) const;
};

/// An iteration of a loop that runs again in the reverse pass, before it is
/// taken back: see lib/Plan/Reruns.h.
struct Rerun {
  const LoopRecord *L = nullptr;
  /// What is executed again, in the order of the primal: instructions of the
  /// loop's blocks, alternatives with places there, and addresses in scratch
  /// variables. All terminators are but that of the latch. Each operand is
  /// among them, or a constant, or has a decision, or is a scratch variable.
  llvm::DenseSet<const llvm::Instruction *> Code;
  /// Loads of Code that are another value, an alternative in Code: what they
  /// read is overwritten, but stands in a copy.
  llvm::DenseMap<const llvm::Instruction *, const llvm::Value *> Instead;
  /// What the code writes, but for what is Filled: variables, blocks
  /// (allocations), and memory behind other pointers. It does so in copies of
  /// its own.
  llvm::SmallVector<const llvm::Value *, 4> Scratch;
  /// How much there are copies of, of blocks and behind other pointers.
  llvm::DenseMap<const llvm::Value *, Extent> Extents;
  /// Shared memory of a block on a GPU that the threads fill again
  /// (lib/Plan/SharedFills.h). Behind that they meet, unless the reverse of the
  /// iteration MeetsFirst; and before, where the loop's reverse begins.
  llvm::SmallVector<const llvm::Value *, 2> Filled;
  bool MeetsFirst = false;

  /// Whether \p V is an address in one of these.
  bool isInScratch(const llvm::Value *V) const;
};

enum class Sizing {
  Scalar,  // one element, no loops
  Static,  // array in the tape itself, extents known at compile time
  OnEntry, // one allocation in the outermost dimension's preheader, extents
           // from LoopRecord::LastIteration
  Growing, // one loop of unknown count: gets longer as it goes
  ByVisit  // a path in such a loop: gets longer each time it is taken
};

/// A place on the tape. Elements are indexed by the counters of Dims, outer
/// to inner; the element lives at the level of the loop around Dims.front().
/// OnEntry and Growing arrays are reached through a base pointer, itself kept
/// in slot Base (a slot whose element is a pointer and which Holds the same
/// value; its index is higher than that of the slot it serves). The Dims of a
/// slot, after those of its chain of bases, are the loops around the place
/// where the value is computed. Only the first slot of the chain may leave out
/// loops with which the value does not vary; each iteration then writes the
/// same once more.
///
/// OnEntry: allocated in the preheader of Outermost, which is Dims[0] or a loop
/// around it that is left out. Dims[0].LastIteration dominates that
/// preheader, and so do those of the inner dimensions, but these may be
/// evaluated for loops that are not entered: a negative one then means no
/// element. The reverse pass reads those of Dims[1..] as strides; they have
/// decisions.
/// Growing: exactly one dimension. The iterations that write need not be
/// consecutive, so the array grows in the loop's header.
/// ByVisit: one dimension, a loop of unknown count, and yet no element for each
/// iteration: one for each visit of the block Visited, which is in that loop
/// and dominates the place where the value is computed, so also those where it
/// is read. All visits count, whatever the loops around: the base slot, Scalar,
/// is followed by a slot with their number.
/// Slots of iterations that run again (Rerun) belong to the reverse half alone.
/// Their Dims lie within that loop.
/// Slots with the same Dims and Outermost may share a base slot, which Holds
/// what the first of them does: elements of one iteration then lie together in
/// a record. Those that grow in one loop always do.
/// Static: the extents are constants; elements may stay unwritten.
struct Slot {
  PlanValue Holds;
  /// The value's type; i8 for i1; for a shadow its dual type; for a tape the
  /// callee's TapeType, or ptr where CallPlan::TapeByPointer; the allocated
  /// type for storage.
  llvm::Type *Element = nullptr;
  Sizing Size = Sizing::Scalar;
  llvm::SmallVector<const LoopRecord *, 3> Dims;
  llvm::SmallVector<uint64_t, 3> Extents;    // Static only, one per Dims
  unsigned Base = NoSlot;                    // all but Scalar and Static
  const LoopRecord *Outermost = nullptr;     // all but Scalar and Static
  const llvm::BasicBlock *Visited = nullptr; // ByVisit
  bool InRecord = false;                     // Growing, ByVisit, some OnEntry
  uint64_t Record = 0, Offset = 0;   // where InRecord: bytes of the record, and
                                     // before the element
  const LoopRecord *Rerun = nullptr; // Decision::Rerun
  bool IsStorage = false; // static alloca: the element's address is the value
  /// Fused only: the field stays in memory. A scalar slot usually becomes a
  /// register that lives from the primal to the reverse pass; thousands of
  /// those are more than a register allocator copes with in reasonable time.
  bool InMemory = false;
};

/// Pointers with shadows in the state of a loop function.
struct StateWords {
  unsigned Region = 0;
  uint64_t Offset = 0;
  uint64_t Bytes = 0; // 0: all of the region
};

/// How a loop function (Checkpoints.h) is reversed, if a step takes part in
/// that: its call plan has CallStrategy::Steps, and slot 0, the only one, holds
/// the address of the states. Words of a state are looked up in the runtime.
struct StepPlan {
  const llvm::CallBase *Step = nullptr;
  llvm::SmallVector<StateWords, 4> Words;
  /// When the steps run first, they say what they write, but for memory behind
  /// the arguments that lead Inside.
  bool Tracks = false;
  llvm::SmallVector<bool, 8> Inside;
  /// They also say what they read behind these arguments, or elsewhere: it may
  /// be overwritten after the loop.
  llvm::SmallVector<bool, 8> Reads;
  bool ReadsElsewhere = false;
  /// Pointers with shadows may be stored in memory of which the runtime does
  /// not know where the shadow is.
  bool Pointers = false;

  bool tracksReads() const {
    return ReadsElsewhere || llvm::is_contained(Reads, true);
  }
};

using CallPlanMap = llvm::MapVector<const llvm::CallBase *, CallPlan>;
using RuleMap = llvm::MapVector<const llvm::Instruction *, const Rule *>;

class Plan {
public:
  const Facts *F = nullptr;
  /// Every need, and everything that recomputing it needs: arguments first,
  /// then instructions in reverse post-order, and nothing else, but that each
  /// static alloca with a shadow has its shadow's storage here. Constants
  /// (globals and functions too) are available without a decision. A tape that
  /// is empty has none. A static alloca that has no Part::Primal decision is a
  /// plain stack variable of the augmented half.
  llvm::MapVector<std::pair<const llvm::Value *, unsigned>, Decision> Decisions;
  std::vector<Slot> Slots;
  CallPlanMap Calls;
  /// By loop; none lies within another.
  llvm::MapVector<const LoopRecord *, Rerun> Reruns;
  /// The rule of each instruction that has one to run: those that are active,
  /// and in reverse mode those whose effects are put off
  /// (needsRuleIfInactive()).
  RuleMap Rules;
  /// Of a region: parts of shadows of which each thread has a copy of its own.
  std::vector<Replica> Replicas;
  /// Of a loop function.
  std::optional<StepPlan> Steps;
  /// Of two versions the general one is run always: the other one spares tape,
  /// and there is none.
  bool GeneralOnly = false;
  /// Which arguments' primal values and shadows the reverse half reads.
  llvm::SmallVector<bool, 8> ReverseReadsPrimal, ReverseReadsShadow;

  const Decision *find(const llvm::Value *V, Part Which) const {
    auto It = Decisions.find({V, unsigned(Which)});
    return It == Decisions.end() ? nullptr : &It->second;
  }
  const CallPlan *callPlan(const llvm::CallBase &Call) const {
    auto It = Calls.find(&Call);
    return It == Calls.end() ? nullptr : &It->second;
  }
  /// Whether the augmented half keeps anything for the reverse half.
  bool hasTape() const {
    return llvm::any_of(Slots, [](const Slot &S) { return !S.Rerun; });
  }
  /// The array to a copy of which slot \p S points; null if to none.
  const Snapshot *copyIn(const Slot &S) const {
    const Decision *D = find(S.Holds.V, S.Holds.Which);
    return D && D->Slot != NoSlot && &Slots[D->Slot] == &S
               ? F->P->snapshotAt(S.Holds.V)
               : nullptr;
  }
  void print(llvm::raw_ostream &OS) const;
};

/// Gives the elements of records their places. What holds tapes of the function
/// itself waits for their type: to be called again when it is complete.
void layOutRecords(Plan &P);

/// Where a second reverse pass over one tape would go wrong, and why.
struct NotAgain {
  const llvm::Instruction *At;
  const char *Why;
};

/// Why shadows that the function makes may not be what a second reverse pass
/// expects, if so. It expects zeros. A store, in reverse, takes what has come
/// together in the shadow and leaves zero. So what remains is what was added
/// for reads of memory that began its life with a value (which the rule of
/// allocations clears), or got one without a derivative.
std::optional<NotAgain> whyNotAgain(const Facts &F);

/// True if the reverse pass can have \p V without tape: constants, arguments,
/// loop counters, static allocas (whose storage is on the tape).
bool isAvailable(PlanValue V, const Facts &F);

/// How the reverse pass reads \p V, a number, from memory to which the primal
/// stores it, and which is the same when the reverse pass runs, wherever and
/// whenever \p V is computed. None if there is no such memory.
std::optional<Decision> reload(PlanValue V, const Facts &F);

/// How the reverse pass computes \p V again. None if it cannot. To recompute
/// is, for Part::Primal, to clone the instruction, but for
///   * a load or phi for which there is a value that is the same: what was
///     stored where a load from memory that is overwritten reads, or the load
///     whose result a phi carries around a loop;
///   * phi with one operand: the operand;
///   * phi with two operands at a merge block (one in Primal::EnteredFrom,
///     with an index of type i1): a choice between them by the index.
/// For Part::Shadow it is to run the rule on the shadows of the operands that
/// have shadows (pointers without one are self-shadowed: they stand for
/// themselves): gep, casts, freeze, select, element and aggregate operations, a
/// load of a pointer; phis are as above; the shadow of what returns operand 0
/// (block copies too) is that of operand 0.
std::optional<Decision> recompute(PlanValue V, const Facts &F);

/// Gives the derivative of a callee for a nested request; its signature (and,
/// unless Planned is false because of recursion, its tape type and plan) are
/// there on return. Null after a report.
struct CalleeProvider {
  virtual ~CalleeProvider();
  virtual const Derivative *derivative(const Request &R,
                                       const llvm::CallBase &At) = 0;
  /// The plan of a planned derivative; null inside a recursion.
  virtual const Plan *planOf(const Derivative &D) = 0;
  virtual const Primal *primalOf(llvm::Function &F) = 0;
};

/// What a call of a function with a body asks for.
struct NestedRequest {
  Request R;
  const llvm::CallBase *At = nullptr;
};

/// All requests that planning \p F will make of \p Callees, in that order. Who
/// has them planned beforehand plans callees before callers, and needs no
/// recursion for it.
std::vector<NestedRequest> nestedRequests(const Facts &F,
                                          CalleeProvider &Callees);

/// Plans the reverse derivative of \p F. Problems are reported (all of them,
/// against \p From); null then.
std::unique_ptr<Plan> makePlan(const Facts &F, CalleeProvider &Callees,
                               Diagnostics &Diags,
                               std::shared_ptr<const Origin> From);

/// Forward mode needs call plans only; reports instructions without rule.
std::unique_ptr<Plan> makeForwardPlan(const Facts &F, CalleeProvider &Callees,
                                      Diagnostics &Diags,
                                      std::shared_ptr<const Origin> From);

/// Success if every need is met, every recompute has its operands, and every
/// slot is written before it is read; else what is wrong.
llvm::Error verifyPlan(const Plan &P);

} // namespace adze
#endif
