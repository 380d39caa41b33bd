// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays of a function that may overlap for all that the code says, and of
// which the end of a block says where they begin and end: by expressions
// (EntryBounds), or by running through the loops in advance (AddressInspector).
//
// The latter reads memory. That what it reads is what the program will read is
// part of the same test: the first store that changed any of it would lie in an
// array that is compared with what is read, and would be where the inspector
// has seen it.
#ifndef ADZE_LIB_PREPARE_COMPAREDARRAYS_H
#define ADZE_LIB_PREPARE_COMPAREDARRAYS_H

#include "Loops/EntryBounds.h"
#include "Prepare/AddressInspector.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace adze {

class ComparedArrays {
public:
  /// Some bytes behind a pointer: a load, a store, one end of a block
  /// operation.
  struct Access {
    llvm::Instruction *I;
    llvm::Value *Pointer;
    const llvm::SCEV *Bytes; // null: not known
    bool Writes;
  };

  /// All accesses whose address is computed from one pointer, or from pointers
  /// that are read from one array.
  struct Array {
    llvm::Value *Base = nullptr; // null: pointers in memory
    llvm::SmallVector<Access, 8> Accesses;
    bool IsStored = false;
    bool IsNeeded = false;  // a derivative is likely to need what is read
    bool IsBounded = false; // by what follows, all of which may be empty
    // From the base, the first byte and the one behind the last one.
    const llvm::SCEV *First = nullptr, *End = nullptr;
    llvm::SmallVector<unsigned, 4> Followed; // by the inspector
    llvm::SmallVector<EntryBounds::Condition, 2> If;

    llvm::Type *type() const { return Accesses.front().Pointer->getType(); }
  };
  using Pair = std::pair<Array *, Array *>;

  /// An array behind pointers that one table holds, one for each row, and which
  /// the program overwrites row by row (RowTables.cpp).
  struct RowTable {
    llvm::Value *Table;
    const Array *Rows;
    uint64_t Stride; // bytes between two pointers that are read, or a multiple
    // By the inspector: bytes from the table to a pointer, and from where it
    // points to what is accessed.
    llvm::SmallVector<unsigned, 4> Slots, Columns;
    llvm::SmallSetVector<llvm::LoadInst *, 4> Pointers;
  };

  /// Of what \p At dominates.
  ComparedArrays(llvm::Function &F, llvm::BasicBlock &At,
                 llvm::FunctionAnalysisManager &FAM);

  /// Finds pairs. Whether it is worth while to compare them.
  bool choose();
  /// A block behind At that may know more; null if there is none.
  llvm::BasicBlock *later() const;

  llvm::ArrayRef<Pair> pairs() const { return Pairs; }
  /// The arrays in them, each once.
  llvm::SetVector<Array *> inPairs() const;
  llvm::ArrayRef<RowTable> tables() const { return Tables; }
  AddressInspector &inspector();

private:
  struct Place;
  /// The base, an address in memory, or where a vector begins.
  enum Kind : unsigned { AtBase, BehindPointers, Vector };
  using Name = std::pair<const void *, unsigned>;

  void add(Access A);
  void collect(const llvm::TargetLibraryInfo &TLI);
  Array *arrayOf(llvm::Value *Pointer);
  void joinRows();
  const llvm::SCEV *beginOf(const Access &A);
  bool readsIndices(const Array &A);
  std::optional<llvm::SmallVector<const void *, 16>>
  vectorsOf(const Array &A, bool IfIndicesOnly);
  void tellApartVectors(bool IfIndicesOnly);
  void addTo(llvm::SmallVectorImpl<Place> &Places, const Access &A);
  void bound(Array &A);
  bool follow(Array &A, const Place &P);
  bool mayMeet(const Array &A, const Array &B);
  void findPairs();
  void findTables();
  bool addRow(RowTable &T, const Access &A);
  bool readsWhatStays(llvm::ArrayRef<unsigned> Followed);
  bool stays(const llvm::LoadInst &Load);

  llvm::Function &F;
  llvm::BasicBlock &At;
  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::AAResults &AA;
  EntryBounds Limits;
  std::unique_ptr<AddressInspector> Inspector; // made where it is needed
  llvm::MapVector<Name, Array> Arrays;
  llvm::DenseMap<const llvm::Instruction *, const Array *> LoadedFrom;
  llvm::SmallVector<const llvm::Instruction *, 8> Writers; // of other places
  bool WritesAnywhere = false;
  llvm::SmallVector<Pair, 8> Pairs;
  llvm::SmallVector<RowTable, 2> Tables;
  llvm::SmallSetVector<Array *, 8> Wanted; // not compared, but worth it
};

} // namespace adze
#endif
