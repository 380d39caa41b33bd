// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a reverse-mode derivative: pure data. For every value (and
// shadow, and sub-tape) that the reverse pass reads it says where it comes
// from. Emitters execute it and decide nothing.
//
// The decision between Recompute and Cache is a minimum vertex cut (Moses et
// al., SC 2021, section 4): nodes are values, an edge leads from an operand to
// the value recomputed from it, sources are values that cannot be recomputed,
// the sinks are the needs; the capacity of a node is its bytes times the
// estimated trip counts of its loops.
#ifndef ADZE_PLAN_H
#define ADZE_PLAN_H

#include "adze/Diagnostics.h"
#include "adze/Facts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <vector>

namespace adze {

/// Which companion of a primal value is meant.
enum class Part { Primal, Shadow, Tape };

struct PlanValue {
  const llvm::Value *V = nullptr;
  Part Which = Part::Primal;
  bool operator==(const PlanValue &O) const {
    return V == O.V && Which == O.Which;
  }
};

/// How the reverse pass gets a value.
enum class Source {
  Available, // constant, argument (or its shadow), global, loop counter,
             // storage of a static alloca
  Recompute, // clone the instruction on operands that have a decision too
  Cache      // load from slot
};

struct Decision {
  Source From = Source::Available;
  unsigned Slot = ~0u; // Cache: index into Plan::Slots. Also set for static
                       // allocas (Available): the slot is their storage.
};

enum class Sizing {
  Scalar,  // one element, no loops
  Static,  // array in the tape itself, extents known at compile time
  OnEntry, // one allocation in the outermost dimension's preheader, extents
           // from LoopRecord::LastIteration
  Growing  // one loop of unknown count: doubles as it goes
};

/// A place on the tape. Elements are indexed by the counters of Dims, outer
/// to inner; the element lives at the level of the loop around Dims.front().
/// OnEntry and Growing arrays are reached through a base pointer, itself kept
/// in slot Base (a slot whose element is a pointer).
struct Slot {
  PlanValue Holds;
  llvm::Type *Element = nullptr;
  Sizing Size = Sizing::Scalar;
  llvm::SmallVector<const LoopRecord *, 3> Dims;
  llvm::SmallVector<uint64_t, 3> Extents; // Static only, one per Dims
  unsigned Base = ~0u;                    // OnEntry, Growing
  bool IsStorage = false; // static alloca: the element's address is the value
};

enum class CallStrategy {
  Inactive,  // primal call only
  AtReverse, // primal call now; fused derivative called by the reverse pass
  Split      // augmented call now, reverse call later, sub-tape between
};

struct CallPlan {
  CallStrategy Strategy = CallStrategy::Inactive;
  const Derivative *Callee = nullptr;
  /// Which of the callee's parameters its reverse half reads (by argument).
  llvm::SmallVector<bool, 8> NeedsPrimal, NeedsShadow;
  /// Split: the sub-tape is reached through a pointer that the caller
  /// allocates (recursion, growing loops); else it lies in the slot itself.
  bool TapeByPointer = false;
};

class Plan {
public:
  const Facts *F = nullptr;
  /// Every need, and everything that recomputing it needs, in program order.
  llvm::MapVector<std::pair<const llvm::Value *, unsigned>, Decision> Decisions;
  std::vector<Slot> Slots;
  llvm::MapVector<const llvm::CallBase *, CallPlan> Calls;
  /// Which arguments' primal values and shadows the reverse half reads.
  llvm::SmallVector<bool, 8> ReverseReadsPrimal, ReverseReadsShadow;

  const Decision *find(const llvm::Value *V, Part Which) const {
    auto It = Decisions.find({V, unsigned(Which)});
    return It == Decisions.end() ? nullptr : &It->second;
  }
  void print(llvm::raw_ostream &OS) const;
};

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

/// Plans the reverse derivative of \p F. Problems are reported (all of them,
/// against \p From); null then.
std::unique_ptr<Plan> makePlan(const Facts &F, CalleeProvider &Callees,
                               Diagnostics &Diags,
                               std::shared_ptr<const Origin> From);

/// Forward mode needs call plans only; reports instructions without rule.
std::unique_ptr<Plan> makeForwardPlan(const Facts &F, CalleeProvider &Callees,
                                      Diagnostics &Diags,
                                      std::shared_ptr<const Origin> From);

/// Empty if every need is met, every recompute has its operands, and every
/// slot is written before it is read; else what is wrong.
std::string verifyPlan(const Plan &P);

} // namespace adze
#endif
