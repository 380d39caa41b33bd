// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/PlacedFloats.h"
#include "AtomicContents.h"

#include "adze/Diagnostics.h"
#include "adze/KnownFunction.h"
#include "adze/PartialFloatWrites.h"
#include "adze/RuleContext.h"
#include "adze/Runtime.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

/// Scalars in a row.
struct Row {
  uint64_t Size, Count;

  Row(Type *Ty, const DataLayout &DL)
      : Size(DL.getTypeStoreSize(Ty->getScalarType())), Count(1) {
    if (auto *Vector = dyn_cast<FixedVectorType>(Ty))
      Count = Vector->getNumElements();
  }
};

class Marker {
public:
  Marker(const Instruction &I, const Facts &F, IRBuilder<> &B,
         function_ref<Value *(const Value *)> Primal)
      : I(I), F(F), B(B), Primal(Primal), DL(I.getDataLayout()) {}

  void visitLoad(const LoadInst &Load) {
    Row Floats(Load.getType(), DL);
    if (!Load.getType()->isFPOrFPVectorTy() || !F.isActive(&Load) ||
        !isPlaced(Load.getPointerOperand(), Floats, Load.getAlign(), true))
      return;
    call("loaded", {Primal(Load.getPointerOperand()), number(Floats.Size),
                    number(Floats.Count), reason()});
  }

  void visitStore(const StoreInst &Store) {
    const Value *V = Store.getValueOperand(), *Ptr = Store.getPointerOperand();
    if (DL.getTypeStoreSize(V->getType()).isScalable())
      return;
    Row Scalars(V->getType(), DL);
    bool OfFloats = V->getType()->isFPOrFPVectorTy();
    if (!isPlaced(Ptr, Scalars, Store.getAlign(), OfFloats))
      return;
    // Active bits that are as long as a float may be one.
    if (F.isActive(V) && (OfFloats || Scalars.Size == sizeof(float) ||
                          Scalars.Size == sizeof(double)))
      call("stored",
           {Primal(Ptr), number(Scalars.Size), number(Scalars.Count)});
    else
      call("written", {Primal(Ptr), number(Scalars.Size * Scalars.Count)});
  }

  /// \p I is a cmpxchg, or changes memory atomically. One that fails has
  /// written what was there.
  void visitAtomic(const Instruction &I) {
    const Value *Ptr = I.getOperand(0), *New = newValueOf(I);
    Row Scalars(New->getType(), DL);
    if (New->getType()->isIntegerTy() && !F.isActive(New) &&
        isPlaced(Ptr, Scalars, Align(Scalars.Size), /*OfFloats=*/false))
      call("written", {Primal(Ptr), number(Scalars.Size)});
  }

  void visitFill(const AnyMemSetInst &Fill) {
    if (isPlacedBlock(Fill) || mayHoldMarks(Fill))
      call("written", {Primal(Fill.getRawDest()), length(Fill)});
  }

  void visitCopy(const AnyMemTransferInst &Copy) {
    if (isPlacedBlock(Copy))
      call("moved", {Primal(Copy.getRawDest()), Primal(Copy.getRawSource()),
                     length(Copy)});
    else if (mayHoldMarks(Copy))
      call("shifted", {Primal(Copy.getRawDest()), Primal(Copy.getRawSource()),
                       length(Copy)});
  }

  void visitCall(const CallBase &Call) {
    if (const KnownFunction *Known = lookupKnown(Call)) {
      if (Known->Facts.By == Derivation::Text)
        visitText(Call, *Known);
      return;
    }
    if (!writesNumbers(Call.getCalledFunction()))
      return;
    for (const Value *Arg : Call.args())
      if (Arg->getType()->isPointerTy() && mayHoldVaried(Arg) &&
          isPlacedByRun(*F.Types, DL, Arg, sizeof(double),
                        Align(sizeof(double)), /*OfFloats=*/false))
        visitGiven(Arg);
  }

private:
  /// What \p Store writes to memory of callers is a number.
  static bool storesNumber(const StoreInst &Store) {
    if (isa<AllocaInst>(Store.getPointerOperand()))
      return true;
    const Value *V = Store.getValueOperand();
    auto *Load = dyn_cast<LoadInst>(V);
    const bool Moved = Load && !isa<AllocaInst>(Load->getPointerOperand());
    constexpr unsigned PartBits = 32; // shorter than a double
    return V->getType()->isIntegerTy() &&
           (!Moved || V->getType()->getIntegerBitWidth() <= PartBits);
  }

  /// It writes numbers alone, and calls nobody: so it gives no memory back that
  /// it was given, and what has changed there is a number.
  static bool writesNumbers(const Function *Callee) {
    if (!Callee || Callee->isDeclaration())
      return false;
    bool Any = false;
    for (const Instruction &I : instructions(*Callee)) {
      auto *Store = dyn_cast<StoreInst>(&I);
      if (Store ? !storesNumber(*Store)
                : I.mayWriteToMemory() && !isa<DbgInfoIntrinsic>(I))
        return false;
      Any |= Store && !isa<AllocaInst>(Store->getPointerOperand());
    }
    return Any;
  }

  /// Text is written, to where its end is or as long as an operand says.
  void visitText(const CallBase &Call, const KnownFunction &Known) {
    const Value *To = Call.getArgOperand(0);
    if (!mayHoldVaried(To) || !seesNoFloatAround(*F.Types, DL, To))
      return;
    const bool Counted = Known.Text == TextExtent::Count;
    Value *Most = Counted ? B.CreateZExtOrTrunc(Primal(Call.getArgOperand(2)),
                                                B.getInt64Ty())
                          : number(UINT64_MAX);
    // Of some a null pointer says that nothing was written.
    Value *At = Primal(To);
    if (Call.getType()->isPointerTy())
      At = B.CreateSelect(B.CreateIsNull(Primal(&Call)),
                          Constant::getNullValue(At->getType()), At);
    call("text", {At, Most, B.getInt1(!Counted)});
  }

  /// A callee that writes numbers has had \p Ptr, which tells it nothing of
  /// places.
  void visitGiven(const Value *Ptr) {
    constexpr uint64_t Near = sizeof(double);
    if (!F.Types->memoryLayout(Ptr, Near).has(ConcreteType::Float))
      call("changed", {Primal(Ptr), number(Near)});
  }

  bool mayHoldVaried(const Value *Ptr) const {
    return F.hasShadow(Ptr) && F.Activity->mayHoldVaried(Ptr, 0, UINT64_MAX);
  }

  /// Its place is known, but floats in it may be at others.
  bool mayHoldMarks(const AnyMemIntrinsic &Block) const {
    return mayHoldVaried(Block.getRawDest()) &&
           seesNoFloatAround(*F.Types, DL, Block.getRawDest());
  }

  /// It may begin anywhere, whatever is written right there.
  bool isPlacedBlock(const AnyMemIntrinsic &Block) const {
    const Value *Ptr = Block.getRawDest();
    return mayHoldVaried(Ptr) &&
           isPlacedByRun(*F.Types, DL, Ptr, sizeof(double),
                         Block.getDestAlign().valueOrOne(), /*OfFloats=*/false);
  }

  bool isPlaced(const Value *Ptr, const Row &Scalars, Align A,
                bool OfFloats) const {
    if (Scalars.Size == 0 || !F.hasShadow(Ptr) ||
        !F.Activity->mayHoldVaried(Ptr, 0, Scalars.Size * Scalars.Count))
      return false;
    // (Vectors promise no more than they must.)
    if (Scalars.Count > 1)
      A = Align(PowerOf2Ceil(Scalars.Size));
    return isPlacedByRun(*F.Types, DL, Ptr, Scalars.Size, A, OfFloats);
  }

  /// Why the program stops at this instruction.
  Value *reason() const {
    std::string Text = sourcePlace(&I);
    if (!Text.empty())
      Text += ": ";
    Text = "adze: " + Text + PartOverwritten;
    return B.CreateGlobalString(Text, "adze.message");
  }

  Value *number(uint64_t N) const { return B.getInt64(N); }

  Value *length(const AnyMemIntrinsic &Block) const {
    return B.CreateZExtOrTrunc(Primal(Block.getLength()), B.getInt64Ty());
  }

  void call(StringRef What, ArrayRef<Value *> Arguments) const {
    std::string Name = ("adze.placed." + What).str();
    B.CreateCall(runtimeFunction(*B.GetInsertBlock()->getModule(),
                                 PlacedFloatsUnit, Name),
                 Arguments);
  }

  const Instruction &I;
  const Facts &F;
  IRBuilder<> &B;
  function_ref<Value *(const Value *)> Primal;
  const DataLayout &DL;
};

} // namespace

void markPlacedFloats(const Instruction &I, const Facts &F, IRBuilder<> &B,
                      function_ref<Value *(const Value *)> Primal) {
  Marker M(I, F, B, Primal);
  if (auto *Load = dyn_cast<LoadInst>(&I))
    M.visitLoad(*Load);
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    M.visitStore(*Store);
  else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    M.visitAtomic(I);
  else if (auto *Fill = dyn_cast<AnyMemSetInst>(&I))
    M.visitFill(*Fill);
  else if (auto *Copy = dyn_cast<AnyMemTransferInst>(&I))
    M.visitCopy(*Copy);
  else if (auto *Call = dyn_cast<CallBase>(&I))
    M.visitCall(*Call);
}

} // namespace adze
