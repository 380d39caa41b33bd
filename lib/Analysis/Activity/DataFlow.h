// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constraint system on which activity analysis runs: which node (value or
// piece of memory) flows into which, and what it may point to.
//
// Pointers: inclusion-based points-to analysis (Andersen 1994), insensitive to
// the order of instructions, with byte offsets as fields. A pointer's target
// is (object, offset), the offset possibly AnyOffset. Memory is a set of cells
// per object: a store cell for each (offset, size) stored to, a load cell for
// each loaded from, and an edge from store to load cell where they overlap.
//
// Activity: four marks travel along the same edges.
//   varied    forward:  depends on an active input
//   useful    backward: influences an active output
//   demanded  backward along pointers: somebody needs this pointer's shadow
// A float is active where it is varied and useful (Hascoet et al., "diff-
// dependencies"). All marks and targets only grow, so the least solution is
// reached by a worklist in any order.
#ifndef ADZE_ANALYSIS_ACTIVITY_DATAFLOW_H
#define ADZE_ANALYSIS_ACTIVITY_DATAFLOW_H

#include "Analysis/Activity/Summary.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <tuple>
#include <vector>

namespace llvm {
class Value;
} // namespace llvm

namespace adze {

using NodeId = unsigned;
using ObjectId = unsigned;
constexpr unsigned None = ~0u;
constexpr int64_t AnyOffset = INT64_MIN;
constexpr int64_t AnySize = INT64_MAX;
constexpr int64_t FieldSize = 8; // of a pointer

/// Of two places in one object.
inline bool overlap(int64_t OffsetA, int64_t SizeA, int64_t OffsetB,
                    int64_t SizeB) {
  if (OffsetA == AnyOffset || OffsetB == AnyOffset)
    return true;
  return (SizeA == AnySize || OffsetB < OffsetA + SizeA) &&
         (SizeB == AnySize || OffsetA < OffsetB + SizeB);
}

using Target = std::pair<ObjectId, int64_t>;

/// What an edge or cell lets through.
enum Carries : uint8_t { Nothing = 0, Floats = 1, Pointers = 2, Both = 3 };

enum class ObjectKind {
  Local,          // an alloca
  Heap,           // made by an allocation or by a callee
  Argument,       // what an argument points to
  Global,         // a mutable global variable
  ConstantGlobal, // read-only data of the program
  Foreign         // memory of unknown origin
};

struct MemoryCell {
  int64_t Offset, Size;
  NodeId Node;
  StoredAs As = StoredAs::Number; // store cells
  bool OnEntry = false; // not stored by the function: external memory's content
  bool ExactFloats = false; // load cells: see load()
};

enum class ObjectShadow {
  Impossible, // a shadow cannot be made for it
  Missing,    // nor can it, but active data goes through it all the same
  Possible,
  Needed
};

struct Object {
  ObjectKind Kind;
  const llvm::Value *Origin = nullptr;
  unsigned Index = 0; // argument number; number among the heap objects
  uint16_t Bits = 0;  // external: ArgumentBits (of a variable as well)
  ObjectShadow Shadow = ObjectShadow::Impossible;
  bool Deep = false;     // all memory that the object's initial pointers reach
  bool ReadOnly = false; // constant: stores through pointers never hit it
  bool Irrelevant = false;        // cannot hold floats: nobody reads its shadow
  bool MayBeSelfShadowed = false; // pointers to it, though it has a shadow
  bool Exposed = false;      // visible to others through memory with shadow
  int64_t Field = AnyOffset; // deep: that the pointer at this offset reaches
  NodeId Initial = None;     // external: what it held on entry
  unsigned NumFields = 0;    // pointers in it that have objects of their own
  ObjectId Merged = None;    // another object that speaks for this one
  llvm::SmallVector<MemoryCell, 4> Stores, Loads;

  struct Copy {
    ObjectId To;
    int64_t ToOffset, FromOffset, Size;
    Carries What;
    bool ByField = false; // all members of the source have cells on entry
  };
  llvm::SmallVector<Copy, 1> Copies; // block copies out of this object

  /// Exists before the function is entered.
  bool isExternal() const {
    return Kind != ObjectKind::Local && Kind != ObjectKind::Heap;
  }
  bool has(ArgumentBits B) const { return Bits & B; }
  /// It has a shadow by contract.
  bool isActive() const { return has(MemoryShadow); }
  bool hasShadow() const { return Shadow == ObjectShadow::Needed; }
  bool isMissingShadow() const { return Shadow == ObjectShadow::Missing; }
  bool canHaveShadow() const { return Shadow >= ObjectShadow::Possible; }
};

class DataFlow {
public:
  /// \p Outermost: no caller knows more of the memory that exists on entry.
  explicit DataFlow(bool Outermost = true);

  NodeId addNode();
  ObjectId addObject(Object O);
  /// Memory that exists on entry: an object and a deep one behind it. Returns
  /// the object; the deep one follows it.
  ObjectId addExternal(Object O);

  void flow(NodeId From, NodeId To, Carries What, int64_t Shift = 0);
  void point(NodeId N, Target T);
  /// To = *(Ptr + Offset). With \p ExactFloats floats come only from stores
  /// of floats, or of pointers, to exactly this place, and from those of
  /// numbers: for values typed as integers, which may hold floats by type
  /// punning alone.
  void load(NodeId Ptr, int64_t Offset, int64_t Size, NodeId To, Carries What,
            bool ExactFloats = false);
  /// Of varied floats that were stored as integers, or of parts of such, some
  /// may stand in \p Id.
  bool holdsVariedBits(ObjectId Id) const;
  /// *(Ptr + Offset) = From.
  void store(NodeId Ptr, int64_t Offset, int64_t Size, NodeId From,
             StoredAs As);
  /// Copies \p Size bytes (or AnySize) that hold \p What.
  void copy(NodeId To, NodeId From, int64_t Size, Carries What);

  void setVaried(NodeId N);
  void setUseful(NodeId N);
  void setDemanded(NodeId N);
  bool isVaried(NodeId N) const { return Nodes[N].Varied; }
  bool isUseful(NodeId N) const { return Nodes[N].Useful; }
  bool isDemanded(NodeId N) const { return Nodes[N].Demanded; }
  bool isActive(NodeId N) const { return isVaried(N) && isUseful(N); }
  llvm::ArrayRef<Target> targets(NodeId N) const {
    return Nodes[N].Targets.getArrayRef();
  }
  /// The object that speaks for \p O: a pointer to very many objects makes one
  /// of them.
  ObjectId representative(ObjectId O) const {
    while (Objects[O].Merged != None)
      O = Objects[O].Merged;
    return O;
  }
  /// Some target has a shadow.
  bool reachesShadow(NodeId N) const;

  /// Varied floats may stand in bytes [\p Begin, \p End) behind \p T.
  bool mayHoldVaried(Target T, uint64_t Begin, uint64_t End) const;
  /// Floats read from there, or from where they are copied to, may be useful.
  bool mayHoldUseful(Target T, uint64_t Begin, uint64_t End) const;
  /// Where such floats stand in \p O: (offset, size), few of them.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 4>
  usefulReads(ObjectId O) const;

  /// The same, of floats whose bits were stored as integers or pointers.
  bool mayHoldVariedBits(Target T, uint64_t Begin, uint64_t End) const;

  /// Pointers may stand in \p O.
  bool mayHoldPointers(ObjectId O) const;

  /// Pointers with a shadow may stand there.
  bool mayHoldShadows(Target T, uint64_t Begin, uint64_t End) const;

  /// Makes \p O visible to others: what is in it is useful and demanded.
  void expose(ObjectId O);

  /// Propagates everything to the least solution.
  void solve();

  /// Objects or places are no longer told apart, as there were too many.
  bool isLimited() const { return Limited; }

  NodeId numNodes() const { return Nodes.size(); }
  std::vector<Object> Objects;
  /// Always varied; always useful and demanded.
  NodeId VariedSource, UsefulSink;
  /// Memory that functions without a body have made or kept; memory of
  /// library functions that compute no floats (a FILE); virtual tables and the
  /// like; tables of texts; texts and the like, which hold no pointers; memory
  /// reached through numbers that were never seen to be pointers, which may be
  /// any.
  ObjectId ForeignObject, InertObject, LanguageObject, TableObject, TextObject,
      LostObject;

private:
  struct Edge {
    NodeId To;
    Carries What;
    int64_t Shift;
  };
  struct Constraint {
    enum { Load, Store, CopyTo, CopyFrom } Kind;
    int64_t Offset, Size;
    NodeId Other;
    Carries What;
    bool ExactFloats = false;
    StoredAs As = StoredAs::Number;
  };
  struct Node {
    llvm::SmallSetVector<Target, 4> Targets;
    llvm::SmallVector<Edge, 2> Out, In; // In: To is the source
    llvm::SmallVector<Constraint, 1> Uses;
    llvm::SmallVector<NodeId, 1> DemandsToo; // loaded from there
    unsigned Done = 0;                       // targets that were propagated
    NodeId SharesLocals = None;              // see shareStored()
    bool Varied = false, Useful = false, Demanded = false;
    bool Fresh[3] = {false, false, false}; // marks to be propagated
    bool Queued = false;
  };

  using EdgeKey = std::tuple<NodeId, NodeId, unsigned, int64_t>;

  bool isNewEdge(NodeId From, const Edge &New);
  /// Some store cell in bytes [\p Begin, \p End) behind \p T is one that
  /// \p Counts.
  bool anyCell(Target T, uint64_t Begin, uint64_t End,
               llvm::function_ref<bool(const MemoryCell &)> Counts) const;
  void enqueue(NodeId N);
  /// A pointer to more objects than this makes one object of them.
  static constexpr size_t MaxTargets = 48;
  void mergeTargets(NodeId N);
  void merge(ObjectId Into, ObjectId From);
  void propagate(NodeId N);
  void apply(const Constraint &C, Target T);
  void applyCopy(Target To, Target From, int64_t Size, Carries What);
  void copyCell(ObjectId From, Object::Copy C, MemoryCell Source);
  static Carries onEntry(const Object &O, Carries What);
  /// The pointer that argument memory held at \p Offset on entry leads to
  /// memory of its own, so that callers, who may know more, can keep the
  /// members of a structure apart. False if there are too many.
  bool makeField(ObjectId O, int64_t Offset);
  NodeId addInitial(ObjectId O, int64_t Offset, int64_t Size, ObjectId Behind);
  bool sharesAll(const Object &O) const;
  void shareStored(const Object &O, NodeId Cell);
  NodeId storeCell(ObjectId O, int64_t Offset, int64_t Size, StoredAs As);
  NodeId loadCell(ObjectId O, int64_t Offset, int64_t Size, Carries What,
                  bool ExactFloats);
  void link(const Object &O, const MemoryCell &Store, const MemoryCell &Load);

  const unsigned Detail; // factor for the limits
  bool Limited = false;
  std::vector<Node> Nodes;
  llvm::DenseSet<EdgeKey> Edges; // of nodes that have many; looked up only
  std::vector<NodeId> Work;
  std::vector<std::pair<ObjectId, unsigned>> NewCells; // store cells to copy
  const bool Outermost;
  // Memory reached through one argument may be the memory reached through
  // another. Nobody but the user knows at a marker, nor ever of memory of
  // unknown origin: pointers stored to any of it are read from all of it
  // (Stored). In a callee, its callers know, who have the same stores from its
  // summary: they see what is found behind each argument, and say so in the
  // context. What they cannot see are the callee's own variables, so pointers
  // to these are read from everywhere (Found), as are those that are kept in
  // memory of unknown origin. The first is for memory without a shadow.
  struct Pool {
    NodeId Stored, Found;
  } Shared[2];
};

} // namespace adze
#endif
