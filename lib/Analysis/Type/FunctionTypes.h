// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixpoint for one function in one context. Each instruction is a
// constraint between the trees of its operands and of its result that works
// both ways: a load of double says what is behind the pointer, and what is
// known behind a pointer says what a load of i64 carries. Trees only grow, so
// sweeping over the constraints whose trees changed ends.
//
// What a value may be on some way only (a phi) is the meet over all ways. The
// meet over a cycle would wait for itself for ever; therefore cycles share a
// cell (Cells.h) and take the meet over what flows in from outside.
#ifndef ADZE_LIB_ANALYSIS_TYPE_FUNCTIONTYPES_H
#define ADZE_LIB_ANALYSIS_TYPE_FUNCTIONTYPES_H

#include "Analysis/Type/Cells.h"
#include "Analysis/Type/CutPlaces.h"
#include "Analysis/Type/Declared.h"
#include "Analysis/Type/Layout.h"
#include "adze/KnownFunction.h"
#include "adze/Primal.h"
#include "adze/Request.h"
#include "adze/TypeInfo.h"
#include "llvm/ADT/BitVector.h"

namespace llvm {
class CallBase;
class GetElementPtrInst;
class InsertElementInst;
class InsertValueInst;
class MemIntrinsic;
class ShuffleVectorInst;
} // namespace llvm

namespace adze {

/// What a function says of its own arguments and result: trees of their own
/// bytes.
struct TypeSummary {
  llvm::SmallVector<TypeTree, 8> Args;
  TypeTree Ret;
  /// The function moves bytes whose type it does not know: a caller's
  /// knowledge of the arguments could tell.
  bool WantsContext = false;
  /// It passes on a pointer from a fixed place and does not see where it leads:
  /// a caller that sees a float at that place is to tell.
  bool PassesMember = false;
  /// What it writes that could overwrite parts of its callers' floats.
  ArgumentWrites Writes;

  bool operator==(const TypeSummary &O) const {
    return Args == O.Args && Ret == O.Ret && WantsContext == O.WantsContext &&
           PassesMember == O.PassesMember && Writes == O.Writes;
  }
};

/// Gives the summary of a callee with a body; null if there is none.
class SummarySource {
public:
  virtual ~SummarySource();
  virtual const TypeSummary *summaryOf(const llvm::CallBase &Call) = 0;
};

/// The tree that \p Text is, of CallerTypes.
TypeTree parsedTree(const std::string &Text, llvm::LLVMContext &C);

class FunctionTypes : public MemoryTrees {
public:
  FunctionTypes(const Primal &P, const CallerTypes &Known,
                std::shared_ptr<DeclaredTypes> Declared);

  /// Runs to the fixpoint under the summaries of the moment.
  void run(SummarySource &Callees);
  /// Looks at \p Call again in the next run.
  void touch(const llvm::Instruction &Call);
  /// From now on believes declared integers too; true if that tells something.
  bool believeIntegers();

  TypeSummary summary() const;

  /// The variables of the module that this function names.
  llvm::ArrayRef<const llvm::GlobalVariable *> globals() const {
    return Globals;
  }
  /// Other functions know \p T of the memory of \p G; true if that is news.
  bool learn(const llvm::GlobalVariable &G, const TypeTree &T);

  /// All that is known of \p V's own bytes.
  TypeTree own(const llvm::Value *V) const;
  /// All that is known of the memory behind pointer \p V.
  TypeTree memory(const llvm::Value *V) const;
  /// What is known of its first \p Size bytes.
  TypeTree memory(const llvm::Value *V, uint64_t Size) const;
  /// What its surest facts make of \p V's bytes.
  BlockLayout layout(const llvm::Value *V,
                     Doubt Settle = Doubt::SurerWins) const;

  // MemoryTrees, for floats that are overwritten in part.
  TypeTree behind(const llvm::Value *Ptr) const override { return memory(Ptr); }
  TypeTree around(const llvm::Argument &A) const override;

  /// Calls of functions with bodies, in order.
  llvm::ArrayRef<const llvm::CallBase *> bodyCalls() const { return BodyCalls; }
  llvm::ArrayRef<const llvm::Instruction *> order() const {
    return Values.Order;
  }
  /// There were more than are kept for one pointer.
  bool hasDroppedFacts() const { return Dropped; }
  const Primal &primal() const { return P; }
  const llvm::DataLayout &dataLayout() const { return DL; }

private:
  // Setup.
  void seed(const CallerTypes &Known);
  void seedGlobals();
  void seedDeclared();
  void registerUsers();
  // Cells.
  void add(int CellIndex, const TypeTree &T);
  /// \p T describes the memory at \p Ptr + \p Offset.
  void addMemory(const llvm::Value *Ptr, const TypeTree &T, int64_t Offset = 0);
  void addOwn(const llvm::Value *V, const TypeTree &T);
  void addResult(const TypeTree &T);
  void addNumber(const llvm::Value *V, Certainty C, const llvm::Value *Why);
  bool isNumber(const llvm::Value *V) const;
  bool isPointer(const llvm::Value *V) const;
  bool isPerhapsPointer(const llvm::Value *V) const;
  bool isMemberAddress(const llvm::Value *V) const;
  bool isSurelyNumber(const llvm::Value *V) const;
  void addAddress(const llvm::Value *V, Certainty C, const llvm::Value *Why);
  TypeTree numberTree(const llvm::Value *V, Certainty C,
                      const llvm::Value *Why) const;
  TypeTree constantTree(const llvm::Constant *C) const;
  uint64_t sizeOf(const llvm::Value *V) const;
  // Constraints; see the files named.
  void apply(unsigned Constraint, SummarySource &Callees);
  void applyInstruction(const llvm::Instruction &I, SummarySource &Callees);
  void applyCycle(const Cycle &C);
  void applyCountingCycle(const CountingCycle &C);
  // Transfer.cpp: control and aggregates.
  void flowMerge(const llvm::Instruction &I);
  void flowInsertValue(const llvm::InsertValueInst &I);
  void flowPart(const llvm::Value *Whole, const llvm::Value *Part,
                uint64_t Offset);
  void flowReplace(const llvm::Value *Result, const llvm::Value *Whole,
                   const llvm::Value *Part, uint64_t Offset);
  void flowExtractElement(const llvm::Instruction &I);
  void flowInsertElement(const llvm::InsertElementInst &I);
  void flowShuffle(const llvm::ShuffleVectorInst &I);
  void flowSame(const llvm::Value *A, const llvm::Value *B);
  // TransferMemory.cpp
  void flowAccess(const llvm::Instruction &I, const llvm::Value *Ptr,
                  const llvm::Value *Stored, const llvm::Value *Loaded);
  void flowMemberAddress(const llvm::Instruction &I, const llvm::Value *Ptr,
                         const llvm::Value *Member);
  TypeTree doubtLong(const TypeTree &T) const;
  void flowTBAA(const llvm::Instruction &I, const llvm::Value *Ptr,
                llvm::Type *Ty);
  void flowAtomic(const llvm::Instruction &I);
  void flowGEP(const llvm::GetElementPtrInst &I);
  void flowAlloca(const llvm::Instruction &I);
  void flowBlockCopy(const llvm::Instruction &I, const llvm::Value *Dst,
                     const llvm::Value *Src, const llvm::Value *Bytes);
  // TransferBits.cpp: integers
  void flowCast(const llvm::Instruction &I);
  void flowBinary(const llvm::Instruction &I);
  void flowShift(const llvm::Instruction &I);
  void flowBitwise(const llvm::Instruction &I);
  void flowMask(const llvm::Instruction &I, const llvm::Value *Op,
                const llvm::APInt &Mask);
  void flowArithmetic(const llvm::Instruction &I);
  void flowCompare(const llvm::Instruction &I);
  void flowAddress(const llvm::Instruction &I);
  // TransferCalls.cpp
  void flowCall(const llvm::CallBase &Call, SummarySource &Callees);
  void flowDeclared(const llvm::CallBase &Call);
  void flowKnown(const llvm::CallBase &Call, const KnownFunction &Known);
  void flowStores(const llvm::CallBase &Call, const KnownFunction &Known);
  void flowOutScalar(const llvm::CallBase &Call, const KnownFunction &Known);
  bool flowIntrinsic(const llvm::CallBase &Call);
  bool flowVectorIntrinsic(const llvm::CallBase &Call);
  void useAsNumbers(const llvm::Instruction &I);
  /// \p Call gives memory of unknown types to other processes, or gets it.
  bool exchangesUnknown(const llvm::CallBase &Call) const;
  bool movesUnknown(const llvm::Instruction &I) const;
  bool movesAnyWord(const llvm::LoadInst &Load) const;
  bool passesMember(const llvm::Instruction &I) const;

  const Primal &P;
  std::shared_ptr<DeclaredTypes> Declared;
  Believe Trust = Believe::NoIntegers;
  const llvm::Function &F;
  const llvm::DataLayout &DL;
  Cells Values;
  std::vector<const llvm::GlobalVariable *> Globals;
  llvm::BitVector Dirty;
  unsigned Sweep = 0;
  llvm::SmallVector<const llvm::CallBase *, 8> BodyCalls;
  llvm::DenseMap<const llvm::Instruction *, unsigned> NumberOfCall;
  bool CalleeWantsContext = false, CalleePassesMember = false;
  bool Dropped = false;                  // facts, for there were too many
  llvm::SmallVector<TypeTree, 8> Around; // per argument
  ArgumentWrites Writes;                 // only grow, as trees do
};

} // namespace adze
#endif
