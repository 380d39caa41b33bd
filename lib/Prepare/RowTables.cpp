// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices of which each row stands behind a pointer of its own:
//
//   double **a;  std::vector<std::vector<double>> &a;
//   for (k < n) for (i = k + 1 .. n) for (j = k + 1 .. n)
//     a[i][j] -= a[i][k] * a[k][j];
//
// Nothing says that two pointers do not lead to one row, so that each store may
// overwrite all that was read. The run knows. The inspector finds the pointers
// that are read, as far as the table reaches, and the columns that are accessed
// behind them; the test goes through that part of the table (Runtime's
// RowTables.c). Rows that are as far apart as the columns reach have nothing in
// common, nor has the table with one of them: the accesses say so (a scope,
// Loops/RowScopes.h), and a matrix of such rows is one with rows of some size.
#include "Prepare/RowTables.h"
#include "Prepare/ComparedArrays.h"
#include "adze/DeviceTarget.h"
#include "adze/KnownFunction.h"
#include "adze/Runtime.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <numeric>

using namespace llvm;

namespace adze {

using Array = ComparedArrays::Array;

/// Accesses of one matrix.
static constexpr size_t MaxAccesses = 24;
/// Bytes between two pointers of a table.
static constexpr uint64_t MaxStride = 1024;

/// What each value of \p S is a multiple of, beside the constant \p Rest.
static std::optional<uint64_t> strideOf(const SCEV *S, int64_t &Rest,
                                        ScalarEvolution &SE) {
  uint64_t Stride = 0;
  Rest = 0;
  SmallVector<const SCEV *, 4> Open(1, S);
  while (!Open.empty()) {
    const SCEV *Part = Open.pop_back_val();
    if (auto *Advance = dyn_cast<SCEVAddRecExpr>(Part)) {
      if (!Advance->isAffine())
        return std::nullopt;
      Open.push_back(Advance->getStart());
      Stride = std::gcd(Stride,
                        SE.getConstantMultiple(Advance->getStepRecurrence(SE))
                            .getZExtValue());
    } else if (isa<SCEVAddExpr>(Part)) {
      append_range(Open, Part->operands());
    } else if (auto *C = dyn_cast<SCEVConstant>(Part)) {
      Rest += C->getAPInt().getSExtValue();
    } else {
      Stride = std::gcd(Stride, SE.getConstantMultiple(Part).getZExtValue());
    }
  }
  return Stride;
}

/// How deep the loops are nested in which \p Rows is accessed, of those around
/// \p Here: the test may take as many iterations as these but one.
static unsigned depthOf(const Array &Rows, const BasicBlock *Here,
                        LoopInfo &LI) {
  const Loop *Outer = LI.getLoopFor(Here);
  while (Outer && Outer->getParentLoop())
    Outer = Outer->getParentLoop();
  unsigned Depth = 0;
  for (const ComparedArrays::Access &A : Rows.Accesses)
    if (Outer && Outer->contains(A.I))
      Depth = std::max(Depth, LI.getLoopDepth(A.I->getParent()));
  return Depth;
}

/// Adds what \p A accesses; false if that is no row of \p T.
bool ComparedArrays::addRow(RowTable &T, const Access &A) {
  const SCEV *Address = SE.getSCEV(A.Pointer);
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
  auto *Pointer = Base ? dyn_cast<LoadInst>(Base->getValue()) : nullptr;
  auto *Bytes = dyn_cast_or_null<SCEVConstant>(A.Bytes);
  if (!Pointer || !Pointer->isSimple() || !Bytes || isa<MemIntrinsic>(A.I))
    return false;
  const SCEV *From = SE.getSCEV(Pointer->getPointerOperand());
  auto *Table = dyn_cast<SCEVUnknown>(SE.getPointerBase(From));
  if (!Table || !Limits.isKnown(Table) ||
      (T.Table && T.Table != Table->getValue()))
    return false;
  T.Table = Table->getValue();
  const SCEV *Slot = SE.removePointerBase(From);
  const SCEV *Column = SE.removePointerBase(Address);
  auto follow = [&](const Instruction &I, const SCEV *Low, const SCEV *High,
                    SmallVectorImpl<unsigned> &Into) {
    std::optional<unsigned> No =
        inspector().follow(I, Low, High, AddressInspector::Ends::Met,
                           depthOf(*T.Rows, I.getParent(), LI));
    if (No)
      Into.push_back(*No);
    return No.has_value();
  };
  if ((T.Pointers.insert(Pointer) && !follow(*Pointer, Slot, Slot, T.Slots)) ||
      !follow(*A.I, Column, SE.getAddExpr(Column, Bytes), T.Columns))
    return false;
  // Slots that differ by multiples of one number.
  auto restOf = [&](const LoadInst &Row) -> std::optional<int64_t> {
    int64_t Rest = 0;
    auto *Place = const_cast<Value *>(Row.getPointerOperand());
    std::optional<uint64_t> Stride =
        strideOf(SE.removePointerBase(SE.getSCEV(Place)), Rest, SE);
    if (!Stride)
      return std::nullopt;
    T.Stride = std::gcd(T.Stride, *Stride);
    return Rest;
  };
  std::optional<int64_t> Rest = restOf(*Pointer);
  std::optional<int64_t> FirstRest = restOf(*T.Pointers.front());
  if (!Rest || !FirstRest)
    return false;
  T.Stride = std::gcd(T.Stride, uint64_t(std::abs(*Rest - *FirstRest)));
  return true;
}

void ComparedArrays::findTables() {
  const DataLayout &DL = F.getDataLayout();
  if (WritesAnywhere || isDevice(*F.getParent()))
    return;
  for (auto &[Key, A] : Arrays) {
    if (A.Base || !A.IsStored || !A.IsNeeded ||
        A.Accesses.size() > MaxAccesses || DL.getPointerSize(0) != 8 ||
        A.type()->getPointerAddressSpace() != 0)
      continue;
    RowTable T{nullptr, &A, 0, {}, {}, {}};
    if (all_of(A.Accesses,
               [&](const Access &Each) { return addRow(T, Each); }) &&
        T.Stride >= 8 && T.Stride <= MaxStride && T.Stride % 8 == 0)
      Tables.push_back(std::move(T));
  }
}

Value *areRowsApart(IRBuilder<> &B, Value *Table,
                    const AddressInspector::Extent &Slots,
                    const AddressInspector::Extent &Columns, uint64_t Stride) {
  Module &M = *B.GetInsertBlock()->getModule();
  Function *Test = runtimeFunction(M, RowTablesUnit, "adze.rows.apart");
  Test->addFnAttr(declared::Inactive);
  // Nothing is accessed if the least is greater than the greatest.
  Value *Zero = B.getInt64(0);
  Value *Bytes = B.CreateSelect(B.CreateICmpSGT(Slots.Least, Slots.Greatest),
                                B.getInt64(uint64_t(-1)),
                                B.CreateSub(Slots.Greatest, Slots.Least));
  Value *Before = B.CreateNeg(
      B.CreateBinaryIntrinsic(Intrinsic::smin, Columns.Least, Zero));
  Value *Extent = B.CreateAdd(
      B.CreateBinaryIntrinsic(Intrinsic::smax, Columns.Greatest, Zero), Before);
  return B.CreateCall(Test, {B.CreatePtrAdd(Table, Slots.Least), Bytes,
                             B.getInt64(Stride), Before, Extent});
}

} // namespace adze
