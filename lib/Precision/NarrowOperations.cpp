// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operation in the narrow format. Where a type has it, operands are
// converted, the operation is that of the type, and its result is converted
// back; else operands and result are rounded where they are. That a sum, a
// product, a quotient or a root of p bits is first rounded to P bits changes
// nothing if P >= 2p + 2, which holds for all formats of up to 25 bits in
// doubles and 11 in floats (Figueroa 1995).
#include "Precision/Narrower.h"
#include "Precision/Rounding.h"

#include "Frontend/Names.h"
#include "adze/Diagnostics.h"
#include "adze/HeaderBodies.h"
#include "adze/KnownFunction.h"
#include "adze/ParallelRuntime.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;
using namespace adze;

namespace {

/// What is to be done about an instruction.
enum class Way {
  Leave,
  Operate,  // in the narrow format
  Round,    // operands and result alone
  Multiply, // and add, each rounded
  Fold,     // a vector, lane by lane
  Refuse
};

/// What \p Call calls by a pointer of which nothing is known, and a copy of it
/// would not be called.
bool callsUnknown(const CallBase &Call) {
  std::optional<DataMover> Mover = dataMoverOf(Call);
  const Value *Callee = Mover ? Mover->Callback : Call.getCalledOperand();
  return Callee && !isa<Function>(Callee->stripPointerCasts());
}

/// These move floats as they are.
bool moves(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_expandload:
  case Intrinsic::masked_compressstore:
  case Intrinsic::vector_insert:
  case Intrinsic::vector_extract:
  case Intrinsic::vector_reverse:
  case Intrinsic::vector_splice:
  case Intrinsic::vector_interleave2:
  case Intrinsic::vector_deinterleave2:
  case Intrinsic::ssa_copy:
  case Intrinsic::arithmetic_fence:
  case Intrinsic::expect:
  case Intrinsic::is_constant:
    return true;
  default:
    return false;
  }
}

class Chooser {
public:
  Chooser(Instruction &I, const NarrowForm &Form)
      : I(I), Form(Form), From(Form.Format.fromType(I.getContext())),
        Native(Form.Format.nativeType(I.getContext())) {}

  bool isFrom(const Type *Ty) const {
    if (const auto *S = dyn_cast<StructType>(Ty))
      return any_of(S->elements(), [&](Type *E) { return isFrom(E); });
    if (const auto *A = dyn_cast<ArrayType>(Ty))
      return isFrom(A->getElementType());
    return Ty->getScalarType() == From;
  }

  bool touches() const {
    return isFrom(I.getType()) ||
           any_of(I.operands(), [&](Value *V) { return isFrom(V->getType()); });
  }

  Way way() const {
    if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
      return wayOfAtomic(*Atomic);
    if (auto *Call = dyn_cast<CallBase>(&I))
      return wayOfCall(*Call);
    if (!touches())
      return Way::Leave;
    if (isa<BinaryOperator, UnaryOperator, FCmpInst, SIToFPInst, UIToFPInst,
            FPToSIInst, FPToUIInst>(I))
      return Way::Operate;
    if (isa<FPTruncInst, FPExtInst>(I))
      return Way::Round;
    if (Form.Memory && isa<StoreInst>(I))
      return Way::Round;
    if (Form.Memory && isa<ReturnInst>(I))
      return isFrom(I.getOperand(0)->getType()) ? Way::Round : Way::Leave;
    return Way::Leave;
  }

private:
  /// Sums and extrema are loops by then (expandAtomics), but of vectors.
  Way wayOfAtomic(const AtomicRMWInst &I) const {
    if (!touches())
      return Way::Leave;
    if (I.isFloatingPointOperation())
      return I.getType()->isVectorTy() ? Way::Refuse : Way::Leave;
    return Form.Memory ? Way::Round : Way::Leave;
  }

  Way wayOfIntrinsic(const IntrinsicInst &Call) const {
    const Intrinsic::ID ID = Call.getIntrinsicID();
    if (!touches() || moves(ID))
      return Way::Leave;
    switch (ID) {
    case Intrinsic::experimental_constrained_fptrunc:
    case Intrinsic::experimental_constrained_fpext:
      return Way::Round;
    case Intrinsic::fmuladd:
      return Native ? Way::Operate : Way::Multiply;
    case Intrinsic::vector_reduce_fadd:
    case Intrinsic::vector_reduce_fmul:
      return isa<FixedVectorType>(Call.getArgOperand(1)->getType())
                 ? Way::Fold
                 : Way::Refuse;
    case Intrinsic::vector_reduce_fmax:
    case Intrinsic::vector_reduce_fmin:
    case Intrinsic::vector_reduce_fmaximum:
    case Intrinsic::vector_reduce_fminimum:
      return Way::Round;
    default:
      break;
    }
    const KnownFunction *Known = lookupKnown(Call);
    if (!Known && !isa<ConstrainedFPIntrinsic>(Call))
      return Way::Refuse;
    return Way::Operate;
  }

  /// Functions of numbers have a signature.
  Way wayOfKnown(const CallBase &Call, const KnownFunction &Known) const {
    if (!touches())
      return Way::Leave;
    if (Known.Facts.By == Derivation::Partials)
      return Way::Operate;
    if (Known.Signature || Known.Facts.By == Derivation::ComplexPartials)
      return Way::Round;
    // Others (output, clocks, random numbers) take what there is, and may
    // throw.
    return isFrom(Call.getType()) && isa<CallInst>(Call) ? Way::Round
                                                         : Way::Leave;
  }

  Way wayOfCall(const CallBase &Call) const {
    if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
      return wayOfIntrinsic(*Intrinsic);
    if (Call.isInlineAsm())
      return touches() ? Way::Refuse : Way::Leave;
    const Function *F = Call.getCalledFunction();
    if (!F || F->getFunctionType() != Call.getFunctionType())
      return Way::Refuse;
    if (markerKind(*F) != MarkerKind::None)
      return Way::Refuse;
    if (const KnownFunction *Known = lookupKnown(Call))
      return wayOfKnown(Call, *Known);
    if (!F->isDeclaration())
      return Way::Leave; // a copy is called
    if (dataMoverOf(Call))
      return callsUnknown(Call) ? Way::Refuse : Way::Leave;
    return parallelModelOf(*F).empty() ? Way::Refuse : Way::Leave;
  }

  Instruction &I;
  const NarrowForm &Form;
  Type *From, *Native;
};

class OperationNarrower {
public:
  OperationNarrower(Instruction &I, const NarrowForm &Form)
      : I(I), Format(Form.Format), Choose(I, Form), B(&I),
        Native(Format.nativeType(I.getContext())) {}

  void run() {
    switch (Choose.way()) {
    case Way::Operate:
      return operate();
    case Way::Round:
      return round();
    case Way::Multiply:
      return multiply();
    case Way::Fold:
      return fold();
    case Way::Leave:
    case Way::Refuse:
      return;
    }
  }

private:
  Value *rounded(Value *V) { return roundTo(Format, V, B); }

  bool isFloat(Type *Ty) const {
    return Ty->isFPOrFPVectorTy() && Choose.isFrom(Ty);
  }

  Type *narrow(Type *Ty) const {
    if (auto *S = dyn_cast<StructType>(Ty)) {
      SmallVector<Type *, 4> Members;
      for (Type *Member : S->elements())
        Members.push_back(narrow(Member));
      return StructType::get(Ty->getContext(), Members, S->isPacked());
    }
    return isFloat(Ty) ? Ty->getWithNewType(Native) : Ty;
  }

  Value *toNarrow(Value *V) {
    return isFloat(V->getType()) ? B.CreateFPTrunc(V, narrow(V->getType())) : V;
  }

  /// \p V as a value of type \p Ty, each float of it widened.
  Value *toWide(Value *V, Type *Ty) {
    if (V->getType() == Ty)
      return V;
    auto *S = dyn_cast<StructType>(Ty);
    if (!S)
      return B.CreateFPExt(V, Ty);
    Value *Wide = PoisonValue::get(Ty);
    for (unsigned N = 0; N != S->getNumElements(); ++N)
      Wide = B.CreateInsertValue(
          Wide, toWide(B.CreateExtractValue(V, N), S->getElementType(N)), N);
    return Wide;
  }

  void replaceBy(Value *New) {
    I.replaceAllUsesWith(New);
    New->takeName(&I);
    I.eraseFromParent();
  }

  /// Operands and result as floats of the wide type.
  void round() {
    for (Use &U : I.operands())
      if (isFloat(U->getType()) && !isa<PHINode>(I))
        U.set(rounded(U));
    roundResult();
  }

  /// \p V with each of its floats rounded.
  Value *roundAll(Value *V) {
    if (isFloat(V->getType()))
      return rounded(V);
    auto *S = dyn_cast<StructType>(V->getType());
    for (unsigned N = 0; S && N != S->getNumElements(); ++N)
      if (Choose.isFrom(S->getElementType(N)))
        V = B.CreateInsertValue(V, roundAll(B.CreateExtractValue(V, N)), N);
    return V;
  }

  void roundResult() {
    if (!Choose.isFrom(I.getType()))
      return;
    SmallVector<Use *, 8> Uses;
    for (Use &U : I.uses())
      Uses.push_back(&U);
    B.SetInsertPoint(I.getNextNode());
    B.SetCurrentDebugLocation(I.getDebugLoc());
    Value *Result = roundAll(&I);
    for (Use *U : Uses)
      U->set(Result);
  }

  void operate() {
    if (!Native)
      return round();
    if (auto *Call = dyn_cast<CallInst>(&I))
      return call(*Call);
    Instruction *New = I.clone();
    for (Use &U : New->operands())
      U.set(toNarrow(U));
    New->mutateType(narrow(I.getType()));
    B.Insert(New);
    replaceBy(toWide(New, I.getType()));
  }

  /// The function for the narrow type, or null.
  FunctionCallee narrowCallee(CallInst &Call) {
    Module &M = *Call.getModule();
    FunctionType *Ty = Call.getFunctionType();
    SmallVector<Type *, 4> Params;
    for (Type *Param : Ty->params())
      Params.push_back(narrow(Param));
    auto *Narrow =
        FunctionType::get(narrow(Ty->getReturnType()), Params, false);
    if (Call.getIntrinsicID() != Intrinsic::not_intrinsic) {
      SmallVector<Intrinsic::IITDescriptor, 8> Table;
      Intrinsic::getIntrinsicInfoTableEntries(Call.getIntrinsicID(), Table);
      ArrayRef<Intrinsic::IITDescriptor> Left = Table;
      SmallVector<Type *, 4> Overloads;
      if (Intrinsic::matchIntrinsicSignature(Narrow, Left, Overloads) !=
          Intrinsic::MatchIntrinsicTypes_Match)
        return nullptr;
      return Intrinsic::getDeclaration(&M, Call.getIntrinsicID(), Overloads);
    }
    const KnownFunction *Known = lookupKnown(Call);
    Type *Int = nullptr;
    for (Type *Param : Ty->params())
      if (Param->isIntegerTy())
        Int = Param;
    FunctionCallee Callee =
        declareScalar(M, Known->Family, Narrow->getReturnType(), Int);
    return Callee && Callee.getFunctionType() == Narrow ? Callee : nullptr;
  }

  void call(CallInst &Call) {
    FunctionCallee Callee = narrowCallee(Call);
    if (!Callee)
      return round();
    SmallVector<Value *, 4> Args;
    for (Value *Arg : Call.args())
      Args.push_back(toNarrow(Arg));
    CallInst *New = B.CreateCall(Callee, Args);
    if (isa<FPMathOperator>(New) && isa<FPMathOperator>(Call))
      New->copyFastMathFlags(&Call);
    if (Call.isStrictFP())
      New->addFnAttr(Attribute::StrictFP);
    if (Call.doesNotAccessMemory())
      New->setDoesNotAccessMemory();
    if (Call.doesNotThrow())
      New->setDoesNotThrow();
    replaceBy(toWide(New, Call.getType()));
  }

  void multiply() {
    Value *Product =
        B.CreateFMulFMF(rounded(I.getOperand(0)), rounded(I.getOperand(1)), &I);
    replaceBy(rounded(
        B.CreateFAddFMF(rounded(Product), rounded(I.getOperand(2)), &I)));
  }

  void fold() {
    auto &Call = cast<IntrinsicInst>(I);
    const bool Sums = Call.getIntrinsicID() == Intrinsic::vector_reduce_fadd;
    Value *Lanes = Call.getArgOperand(1);
    Value *Result = rounded(Call.getArgOperand(0));
    const unsigned N =
        cast<FixedVectorType>(Lanes->getType())->getNumElements();
    for (unsigned K = 0; K != N; ++K) {
      Value *Lane = rounded(B.CreateExtractElement(Lanes, K));
      Result = rounded(Sums ? B.CreateFAdd(Result, Lane)
                            : B.CreateFMul(Result, Lane));
    }
    replaceBy(Result);
  }

  Instruction &I;
  const FloatFormat &Format;
  Chooser Choose;
  IRBuilder<> B;
  Type *Native;
};

NarrowObstacle describeObstacle(Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return {"an atomic operation on vectors of floats",
            "make one of each element"};
  if (Call->isInlineAsm())
    return {"inline assembly on floats", "write it in C"};
  const Function *F = Call->getCalledFunction();
  if (callsUnknown(*Call))
    return {"a call through a function pointer",
            "call the function directly, or compile with -O1 or more, so that "
            "the compiler finds out which one it is"};
  if (markerKind(*F) != MarkerKind::None)
    return {"'" + markerName(*F).str() + "' within it",
            "differentiate the narrow function instead: give it to the marker"};
  if (F->isIntrinsic())
    return {"the intrinsic '" + F->getName().str() + "'",
            "write it as arithmetic"};
  return {"'" + sourceName(*F) + "', whose body is not visible here",
          "define it in this file, or compile with -flto and give the plugin "
          "to the linker"};
}

} // namespace

std::optional<NarrowObstacle> adze::obstacleOf(Instruction &I,
                                               const NarrowForm &Form) {
  if (Chooser(I, Form).way() != Way::Refuse)
    return std::nullopt;
  return describeObstacle(I);
}

/// An atomic operation \p I on floats becomes a loop:
///
///   do w = op(v, x) while another one has changed v at p
static void expandAtomic(AtomicRMWInst &I) {
  const DataLayout &DL = I.getDataLayout();
  Type *Ty = I.getType(),
       *Bits = IntegerType::get(I.getContext(), DL.getTypeSizeInBits(Ty));
  Value *Place = I.getPointerOperand();
  BasicBlock *Head = I.getParent();
  BasicBlock *Rest = SplitBlock(Head, &I);
  auto *Loop = BasicBlock::Create(I.getContext(), "", Head->getParent(), Rest);
  IRBuilder<> B(Head->getTerminator());
  B.SetCurrentDebugLocation(I.getDebugLoc());
  LoadInst *First =
      B.CreateAlignedLoad(Bits, Place, I.getAlign(), I.isVolatile());
  First->setAtomic(AtomicOrdering::Monotonic, I.getSyncScopeID());
  Head->getTerminator()->setSuccessor(0, Loop);
  B.SetInsertPoint(Loop);
  PHINode *Seen = B.CreatePHI(Bits, 2);
  Value *Old = B.CreateBitCast(Seen, Ty);
  Value *New = buildAtomicRMWValue(I.getOperation(), B, Old, I.getValOperand());
  AtomicCmpXchgInst *Exchange = B.CreateAtomicCmpXchg(
      Place, Seen, B.CreateBitCast(New, Bits), I.getAlign(), I.getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(I.getOrdering()),
      I.getSyncScopeID());
  Exchange->setVolatile(I.isVolatile());
  Seen->addIncoming(First, Head);
  Seen->addIncoming(B.CreateExtractValue(Exchange, 0), Loop);
  B.CreateCondBr(B.CreateExtractValue(Exchange, 1), Rest, Loop);
  I.replaceAllUsesWith(Old);
  I.eraseFromParent();
}

static void expandAtomics(Function &F, const NarrowForm &Form) {
  SmallVector<AtomicRMWInst *, 4> Atomics;
  for (Instruction &I : instructions(F))
    if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I);
        Atomic && Atomic->isFloatingPointOperation() &&
        Chooser(I, Form).touches())
      Atomics.push_back(Atomic);
  for (AtomicRMWInst *Atomic : Atomics)
    expandAtomic(*Atomic);
}

void adze::narrowOperations(Function &F, const NarrowForm &Form) {
  expandAtomics(F, Form);
  SmallVector<Instruction *, 64> Operations;
  for (Instruction &I : instructions(F)) {
    Way W = Chooser(I, Form).way();
    if (W != Way::Leave && W != Way::Refuse)
      Operations.push_back(&I);
  }
  for (Instruction *I : Operations) {
    // A function of numbers throws nothing.
    if (auto *Invoke = dyn_cast<InvokeInst>(I))
      I = changeToCall(Invoke);
    OperationNarrower(*I, Form).run();
  }
}
