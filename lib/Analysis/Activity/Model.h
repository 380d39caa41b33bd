// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constraint system of one function, and what ties it to the IR.
#ifndef ADZE_ANALYSIS_ACTIVITY_MODEL_H
#define ADZE_ANALYSIS_ACTIVITY_MODEL_H

#include "Analysis/Activity/DataFlow.h"
#include "Analysis/Activity/GlobalRegion.h"
#include "Analysis/Activity/ScalarFields.h"
#include "Analysis/Activity/Summary.h"
#include "adze/Primal.h"
#include "adze/TypeInfo.h"
#include "adze/WordMoves.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstrTypes.h"
#include <map>
#include <optional>
#include <set>

namespace adze {

struct KnownFunction;

/// An instruction that touches memory, with the nodes of its pointers.
struct MemoryUse {
  enum Kind { Load, Store, Copy, Fill, Release } K;
  const llvm::Instruction *I;
  NodeId Ptr;
  NodeId Source = None;                // Copy: the source pointer
  llvm::SmallVector<NodeId, 2> Values; // Load, Store: the leaves
};

/// The memory that a function without a body works on: what leads there, the
/// pointers and the floats that it may keep.
struct UnknownHeap {
  NodeId Reach, Kept, Data;
};

/// A call that numbers go through as text (see TextFlow.cpp).
struct TextUse {
  const llvm::CallBase *Call;
  NodeId Data;   // all floats that go in
  bool Given;    // a float is an operand, or it writes to a file
  bool ToNumber; // a number comes out
};

/// An entry of a table of small integers that a variable index chooses (see
/// TextFlow.cpp). Data: the floats whose bits are in the index.
struct TableUse {
  const llvm::LoadInst *Load;
  NodeId Data;
};

/// Something that a callee does, once.
struct CallEffect {
  enum Kind {
    StoresVaried,
    StoresPointer,
    Returns, // at Offset: the leaf of the result
    UsesValue,
    Reads,
    ReadsBehind,
    DemandsBehind,
    Writes,
    WritesSeen
  } K;
  SharedMemory To;
  int64_t Offset = 0, Size = 0;
  StoredAs As = StoredAs::Number;
  SharedPointer From = {}; // what is stored or returned

  bool operator<(const CallEffect &O) const {
    auto key = [](const CallEffect &E) {
      return std::tuple(E.K, E.To.key(), E.Offset, E.Size, E.As, E.From.key());
    };
    return key(*this) < key(O);
  }
};

/// A call of a function with a body.
struct CallSite {
  const llvm::CallBase *Call = nullptr;
  const Primal *Callee = nullptr;
  CallerTypes Types; // what this function knows of the call's
  /// Per argument: what it points to; and, on demand, all that is behind it.
  llvm::SmallVector<NodeId, 8> Args, Behind;
  llvm::SmallVector<ObjectId, 4> Made; // objects for SharedMemory::New
  /// Declared so: of what the call does, nothing has a derivative.
  bool Inactive = false;
  llvm::BitVector InactiveArgs;
  /// Values that influence an active output by way of the callee.
  llvm::BitVector ValueUseful;
  /// Memory that bodies are seen to write, and the part of it that is written
  /// without derivative; where the result of an inactive call really points.
  llvm::SmallVector<NodeId, 2> Seen, Silent;
  NodeId Returned = None;
  /// The latest context, and whether the call then takes part.
  CallContext Context;
  bool Touches = false;
  bool ActiveInUnknown = false; // see CalleeSummary
  /// What the callee stores and reads, for messages.
  std::vector<MemoryUse> Moves;
  std::set<CallEffect> Applied; // what the constraint system has already

  bool isNew(CallEffect E) { return Applied.insert(E).second; }
};

class Model {
public:
  /// \p Outermost: of a request; no caller knows more.
  Model(const Primal &P, const TypeInfo *Types, GlobalRegion &Globals,
        bool Outermost);

  /// The nodes of the leaves of \p V.
  unsigned numFields(const llvm::Value *V) const;
  NodeId node(const llvm::Value *V, unsigned Field = 0);
  /// The same, or None if nothing has asked for it yet.
  NodeId find(const llvm::Value *V, unsigned Field = 0) const;
  /// The node of a constant: null, or addresses of globals.
  bool isConstantNode(NodeId N) const { return ConstantNodes.count(N); }
  /// The object that stands for \p G.
  ObjectId global(const llvm::GlobalVariable &G);
  std::optional<ObjectId> findGlobal(const llvm::GlobalVariable &G) const;
  /// What argument \p A points to; \p Bits are ArgumentBits.
  ObjectId argument(const llvm::Argument &A, uint16_t Bits);
  /// A new object made by \p By.
  ObjectId allocation(const llvm::Value &By, ObjectKind Kind);
  /// A node that points to all memory reached from \p Root.
  NodeId closure(NodeId Root);

  /// By type: the bits of \p V may be a float (a pointer). For integers type
  /// analysis is asked.
  bool mayHoldFloats(const llvm::Value *V) const;
  bool mayHoldPointers(const llvm::Value *V) const;
  /// The integer \p V is known to be an address, or computed from one.
  bool isIntegerAddress(const llvm::Value *V) const;
  bool seenAsPointer(const llvm::Value *V) const;
  bool isHalfOfPointer(const llvm::Value *V) const;
  bool isStoredPart(const llvm::Value *V) const;
  bool isOfPointer(const llvm::Value *V) const;
  bool isDoubtfulNumber(const llvm::Value *V) const;
  bool leadsToDoubtfulNumbers(const llvm::Value *Ptr) const;
  /// A word, or a vector of them, that is loaded to be stored elsewhere, of
  /// which types do not say that it is no float: a pointer perhaps, and a float
  /// at another time.
  bool isMovedWord(const llvm::Value *V) const;
  bool isMovedAddress(const llvm::Value *V, unsigned Depth = 0) const;
  /// Type analysis has seen floats in the \p Size bytes behind \p Ptr.
  bool mayPointToFloats(const llvm::Value *Ptr, int64_t Size) const;
  /// Type analysis has not seen all bytes of a copy to be something else than
  /// pointers, at one of its ends: both hold the same.
  bool mayCopyPointers(const llvm::Value *To, const llvm::Value *From,
                       int64_t Size) const;

  const Primal &P;
  const TypeInfo *Types;
  GlobalRegion &Globals;
  const llvm::DataLayout &DL;
  DataFlow G;

  /// Integers of which the caller says that they are addresses.
  llvm::SmallPtrSet<const llvm::Argument *, 4> Handles;
  llvm::SmallVector<ObjectId, 8> ArgObjects; // None for those without pointer
  llvm::SmallVector<NodeId, 2> Returned;     // one per leaf of the result
  std::vector<MemoryUse> Uses;
  std::vector<CallSite> Calls;
  /// Calls into the unknown, with a node of all floats that go in or out.
  llvm::MapVector<const llvm::CallBase *, NodeId> Unknown;
  /// The same of calls of functions with derivatives of their own.
  llvm::MapVector<const llvm::CallBase *, NodeId> Given;
  /// Of calls that exchange numbers, by their datatype, with other processes:
  /// the floats that are perhaps in their buffers, by which they take part.
  llvm::MapVector<const llvm::CallBase *, llvm::SmallVector<NodeId, 2>> Numbers;
  bool exchangesFloatsAsNumbers(const llvm::CallBase &Call) const;
  /// What all calls into the unknown share that keep all they are handed.
  std::optional<UnknownHeap> Keepers;
  unsigned NumHeap = 0;
  const bool Outermost;
  std::vector<TextUse> Texts; // if Globals.FollowsText
  std::vector<TableUse> Tables;

private:
  NodeId constant(const llvm::Constant *C);
  void pointToGlobal(NodeId N, const llvm::GlobalVariable &Variable,
                     int64_t Offset);
  void pointToGlobals(NodeId N, const llvm::Constant *C);
  void readInitializers();

  llvm::DenseMap<const llvm::Value *, NodeId> First;
  llvm::DenseSet<NodeId> ConstantNodes;
  llvm::DenseMap<const llvm::GlobalVariable *, ObjectId> GlobalObjects;
  llvm::SmallVector<const llvm::GlobalVariable *, 4> Initializers; // to do
  bool InInitializers = false;
};

/// Fills \p M with the constraints of its function's instructions.
/// \p CalleeOf gives the primal of a callee with a body, or null.
void buildConstraints(
    Model &M, llvm::function_ref<const Primal *(llvm::Function &)> CalleeOf);

/// The constraints of a call of a function without a body that is looked
/// into: known or unknown.
void buildCall(Model &M, const llvm::CallBase &Call);
/// What the index of \p Load, if that reads from a table, carries (see
/// TextFlow.cpp).
void buildTableFlow(Model &M, const llvm::LoadInst &Load);

/// What goes through text or a file in \p Call (see TextFlow.cpp).
void buildTextFlow(Model &M, const llvm::CallBase &Call,
                   const KnownFunction &Known);
/// A result that is a pointer leads to inactive memory, by the program's word.
void pointToInactive(Model &M, const llvm::CallBase &Call);
/// Anything may happen that the declaration allows.
/// \p Call is an assembly without text or result, which holds back the
/// optimizer and does no more.
bool isBarrier(const llvm::CallBase &Call);
void buildUnknownCall(Model &M, const llvm::CallBase &Call);
/// What floats go into a function for which the program gives derivatives may
/// come out of it, by the result or through its operands: that is all that they
/// are told of. Where they are given for one mode only, the body counts in the
/// other, and reaches global variables as well.
void buildGivenCall(Model &M, const llvm::CallBase &Call);
/// Of a move of words in a derivative.
void buildWordMove(Model &M, const llvm::CallBase &Call, WordMove Kind);
/// See NumberExchange.cpp.
void buildNumberExchange(Model &M, const llvm::CallBase &Call);

} // namespace adze
#endif
