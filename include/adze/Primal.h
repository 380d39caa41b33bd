// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primal in canonical form: a private clone of the user's function on
// which every later stage works and which never changes again. Made once per
// user function by Prepare, checked by verifyCanonical.
//
// Canonical form:
//  * every block is reachable; at most one block returns (blocks that end in
//    unreachable may stand beside it);
//  * loops in simplified form (preheader, one latch, dedicated exits), LCSSA,
//    no irreducible control flow; every loop has one i64 counter phi in its
//    header (0, +1 in the latch, nuw nsw); integer and pointer variables that
//    advance by a fixed step are computed from the counter;
//  * control flow ends are br, switch, ret, unreachable; no invoke, indirectbr,
//    callbr; no block has an edge to the same successor twice;
//  * each merge block has an integer that tells by which edge it was entered
//    (EnteredFrom), each loop exit block an i64 that tells the counter of the
//    iteration left, for every loop that ends there (ExitCounters): ordinary
//    IR values that the plan may keep or recompute like any other;
//  * promoted allocas (mem2reg/SROA ran), no optnone, no constant expressions
//    as operands of instructions (each is an instruction of the entry block),
//    realloc lowered to malloc + copy + free, no masked or scattered memory
//    intrinsics, static allocas stand in the entry block;
//  * no byval parameters: the copy that one stands for is made in the open.
//
// Exceptions: an invoke becomes a call, landing pads go. Where handlers of the
// primal may catch, exceptions are values (Exceptions.h); elsewhere one leaves
// the derivative as it leaves any C function, and no gradient comes out.
#ifndef ADZE_PRIMAL_H
#define ADZE_PRIMAL_H

#include "adze/Alternatives.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/ValueHandle.h"
#include <memory>
#include <vector>

namespace llvm {
class AllocaInst;
class BasicBlock;
class CallBase;
class Function;
class LoadInst;
class Metadata;
class Module;
class PHINode;
class SCEV;
class Value;
class raw_ostream;
} // namespace llvm

namespace adze {

/// Metadata of a call that Prepare put behind a comparison of function
/// pointers: whether its callee is ever called is known at run time only.
constexpr const char *GuardedCall = "adze.guarded";
/// Metadata of a call through a pointer that more functions could be behind
/// than Prepare compares it with.
constexpr const char *ManyTargets = "adze.many-targets";

/// String attribute of a derivative: it adds adjoints of parts of floats.
constexpr const char *AddsPartsOfFloats = "adze.adds-parts-of-floats";

/// An alternative that copies a part of an array calls this function: behind
/// the result lie the bytes that lie behind operand 0, operand 1 says how many.
/// It may be a copy, or operand 0 itself.
constexpr const char *SnapshotName = "adze.snapshot";

/// Metadata of the branch between two versions; the second successor is the one
/// that assumes nothing.
constexpr const char *VersionsName = "adze.versions";

class TypeCache;   // lib/Analysis/Type
struct LoopMemory; // lib/Loops

struct LoopRecord {
  llvm::Loop *L = nullptr;
  LoopRecord *Parent = nullptr;
  llvm::PHINode *Counter = nullptr; // i64, 0, 1, ... in the header
  /// The counter's value in the loop's last iteration (trip count - 1), an
  /// i64 that dominates the preheader's terminator; null when it is not known
  /// on entry. Exact whenever the loop is entered and left by the exit below.
  /// It stands in the preheader of the outermost loop in which it does not
  /// vary. There it may be evaluated although this loop is not entered: it is
  /// then some non-negative number as far as that can be proved.
  llvm::Value *LastIteration = nullptr;
  /// An i64 at the same kind of place that no iteration's counter exceeds:
  /// LastIteration, or, for loops with several exits, the least count that an
  /// exit of known count imposes; null if there is none.
  llvm::Value *Bound = nullptr;
  /// No execution of the loop has more iterations; 0 if no constant is known.
  uint64_t MostIterations = 0;
  /// The only exit edge from which the return can be reached; (null, null) if
  /// there is none or more than one.
  llvm::BasicBlock *ExitingBlock = nullptr;
  llvm::BasicBlock *ExitBlock = nullptr;
};

/// A loop that ends on entry of an exit block.
struct LoopExit {
  LoopRecord *Loop = nullptr;
  /// Counter of the iteration in which the loop was left by this exit: a phi
  /// of the exit block, or the loop's LastIteration.
  llvm::Value *Counter = nullptr;
};

/// Conditions, and what they are where something is executed. Inner ones come
/// first: they mean something only if the outer ones are met.
using Guards = llvm::SmallVector<std::pair<llvm::Value *, bool>, 2>;

/// What a nest of loops, when it is entered, reads behind an argument: from the
/// first byte to behind the last one, as distances from the argument. In terms
/// of arguments and constants, and numbers of the ScalarEvolution in
/// LoopMemory. In a region of a team, what all threads read.
struct ArgumentRange {
  const llvm::SCEV *Begin = nullptr, *End = nullptr;
  /// What integer arguments are whenever the nest is entered.
  llvm::SmallVector<std::pair<const llvm::Argument *, llvm::ConstantRange>, 2>
      If;
  /// Whenever the function is called and If is met, these two bytes are read.
  bool IsRead = false;
};

/// What a call of SnapshotName may copy.
struct Snapshot {
  /// The loops that read or write what is copied, outer to inner, and about how
  /// many bytes of it are copied for each of their iterations.
  llvm::SmallVector<const LoopRecord *, 3> Over;
  uint64_t Bytes = 0;
  llvm::Align Aligned;
  /// One of the loads that read it.
  const llvm::LoadInst *Reader = nullptr;
  /// Stores that write nowhere in the array but to the part that is copied,
  /// while the function runs. So they do not change what is read from the
  /// array itself because it lies elsewhere.
  llvm::SmallVector<const llvm::Instruction *, 2> Covered;
  /// The copy is made by the caller, if Request::Copied says so, of what is
  /// read behind this argument, in these ranges, and what nothing writes to
  /// while the function runs; if it is made InFront of the call, before it is
  /// read. Null if it is made here.
  const llvm::Argument *Given = nullptr;
  llvm::SmallVector<ArgumentRange, 4> Ranges;
  bool InFront = false;
  /// A call in front of the copy, before which the reverse pass frees it, since
  /// the call's reverse half may read it. Null: it is freed where it is made.
  const llvm::Instruction *FirstCall = nullptr;
  /// It stands in front of a call of a region, whose threads may make it.
  enum class Team : uint8_t {
    None,
    Copies,
    CopiesFirst // all of it, before they go on: they write to what is copied
  } By = Team::None;
};

/// A copy that the reverse half of a call may read in place of the memory
/// behind an argument: there stands what the callee reads there, unless it has
/// written there itself.
struct CallCopy {
  /// An alternative: as far from the copy as the argument is from the array.
  const llvm::Value *Address = nullptr;
  const llvm::Value *Copy = nullptr; // the call of SnapshotName
  /// What is copied at least where If is met, and numbers are in their ranges,
  /// and all between such parts: as in ArgumentRange.
  struct Part {
    const llvm::SCEV *Begin = nullptr, *End = nullptr;
    Guards If;
    llvm::SmallVector<std::pair<llvm::Value *, llvm::ConstantRange>, 2> Numbers;
  };
  llvm::SmallVector<Part, 2> Parts;
  bool IsBehind = false; // it is made behind the call
};

/// Memory of a size that only the run knows, in terms of values that are known
/// in front of a loop, alternatives for instance.
struct Extent {
  /// How far behind a pointer it begins; null: there.
  const llvm::Value *Begin = nullptr;
  const llvm::Value *Bytes = nullptr;
};

/// What the source declares of a value. Variables are promoted; what their
/// declarations say is kept with the values that took their place.
struct Declaration {
  llvm::WeakTrackingVH Of;
  /// A DIType, or the text of a TypeTree (MDString), of an object; with
  /// Behind, of a pointer to it.
  const llvm::Metadata *Type = nullptr;
  bool Behind = false;
  /// Of is the address of the object; otherwise a scalar in it, at Offset.
  bool IsAddress = false;
  uint64_t Offset = 0;
};

class Primal {
public:
  llvm::Function *Source = nullptr; // the user's function
  llvm::Function *F = nullptr;      // the canonical clone (internal, unused)
  llvm::BasicBlock *ReturnBlock = nullptr; // null: never returns

  std::unique_ptr<llvm::DominatorTree> DT;
  std::unique_ptr<llvm::LoopInfo> LI;
  /// Outer loops before inner ones, in block order.
  std::vector<std::unique_ptr<LoopRecord>> Loops;
  llvm::DenseMap<const llvm::Loop *, LoopRecord *> LoopOf;

  /// Blocks from which the return can be reached: the only ones that reverse
  /// code ever visits. All their predecessors are in the set too.
  llvm::SetVector<const llvm::BasicBlock *> Returning;

  /// Where there are two versions of all that follows the entry block, one for
  /// arrays that are apart: the first block of the other one. Else null.
  const llvm::BasicBlock *General = nullptr;

  /// Merge blocks of Returning that are no loop headers: the integer (iN) that
  /// names the edge of entry; equal to the index in EnteredFrom[B].Preds. For
  /// two-way joins of one branch this is the branch condition (i1; Preds[1] is
  /// then where it was true), else a phi of constants in B.
  struct Entry {
    llvm::Value *Index = nullptr;
    llvm::SmallVector<llvm::BasicBlock *, 4> Preds;
  };
  llvm::MapVector<llvm::BasicBlock *, Entry> EnteredFrom;
  /// Exit blocks of Returning: all loops that end on entry of the block, from
  /// the innermost outwards. All predecessors of the block lie in the first of
  /// them and in no deeper loop, so all of them leave exactly these loops.
  llvm::MapVector<llvm::BasicBlock *, llvm::SmallVector<LoopExit, 2>>
      ExitCounters;

  /// Where the scope of a variable begins, and its content is undefined: the
  /// blocks, before their first access to it.
  llvm::MapVector<const llvm::AllocaInst *,
                  llvm::SmallVector<const llvm::BasicBlock *, 2>>
      ScopeBegins;

  /// The code of what may take the place of values. It is no part of the form.
  Alternatives Elsewhere;
  /// What it takes the place of: loads of what an earlier loop stored, and the
  /// stored value, computed once more where the load stands (or a value of the
  /// primal, from outside of all loops that the storing one is not in); phis of
  /// loop headers that carry what was loaded at the end of the iteration
  /// before, and a load of the same in the header; loads of an array, those
  /// among the alternatives too, and a load from a snapshot of it; phis behind
  /// branches, and the choice among the paths.
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Equivalents;
  /// By call, an alternative, in the order of the code.
  llvm::MapVector<const llvm::Value *, Snapshot> Snapshots;
  /// By call and argument.
  llvm::MapVector<std::pair<const llvm::CallBase *, unsigned>, CallCopy>
      CallCopies;
  /// By loop and pointer: where the accesses of the loop by that pointer lie.
  llvm::DenseMap<std::pair<const LoopRecord *, const llvm::Value *>, Extent>
      WorkSpaces;

  /// In the order of the code; values that are left only.
  std::vector<Declaration> Declared;

  const Snapshot *snapshotAt(const llvm::Value *Call) const {
    auto It = Snapshots.find(Call);
    return It == Snapshots.end() ? nullptr : &It->second;
  }
  /// The one that address \p Pointer leads into, if its copy is made; also if
  /// it leads into the array where that is not copied.
  const Snapshot *snapshotBehind(const llvm::Value *Pointer) const;
  /// The one that the caller makes of what lies behind \p A; null if nothing
  /// could read it.
  const llvm::Value *givenCopyOf(const llvm::Argument &A) const;
  /// \p B runs only where arrays may overlap.
  bool isGeneral(const llvm::BasicBlock *B) const {
    return General && DT->dominates(General, B);
  }
  bool canReturn(const llvm::BasicBlock *B) const {
    return Returning.contains(B);
  }
  const LoopRecord *loopOf(const llvm::BasicBlock *B) const {
    return LoopOf.lookup(LI->getLoopFor(B));
  }
  /// Where \p I is executed, or, if it is an alternative, would be.
  const llvm::BasicBlock *blockOf(const llvm::Instruction *I) const {
    const llvm::Instruction *Place = Elsewhere.placeOf(I);
    return (Place ? Place : I)->getParent();
  }
  void print(llvm::raw_ostream &OS) const;

  /// What the type analysis found out about this function, for whoever asks
  /// next; no part of the form.
  mutable std::shared_ptr<TypeCache> KnownTypes;
  /// The same of its loops and memory (loopMemoryOf).
  mutable std::shared_ptr<LoopMemory> KnownMemory;
};

} // namespace adze
#endif
