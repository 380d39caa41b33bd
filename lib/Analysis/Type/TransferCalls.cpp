// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of calls: functions with bodies by their summaries, others by
// what the tables of Known say, intrinsics by their definition. A call of
// which nothing is known says nothing.
#include "Analysis/Type/FunctionTypes.h"
#include "Analysis/Type/IRTypes.h"
#include "adze/WordMoves.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace adze;

/// The text that \p Call writes, as far as it is known how long that is.
static TypeTree textWrittenBy(const CallBase &Call, TextExtent Extent) {
  constexpr uint64_t MaxText = 4096;
  uint64_t Bytes = 1;
  StringRef Text;
  if (Extent == TextExtent::Source &&
      getConstantStringInfo(Call.getArgOperand(1), Text))
    Bytes = Text.size() + 1;
  if (Extent == TextExtent::Count) {
    auto *Count = dyn_cast<ConstantInt>(Call.getArgOperand(2));
    Bytes = Count ? Count->getZExtValue() : 0;
  }
  if (Bytes == 0)
    return TypeTree();
  return TypeTree::at(0, std::min(Bytes, MaxText), ConcreteType::Integer,
                      Certainty::Definite, &Call);
}

void FunctionTypes::flowCall(const CallBase &Call, SummarySource &Callees) {
  const KnownFunction *Known = lookupKnown(Call);
  if (Known && !Known->isDeclaredInactive())
    return flowKnown(Call, *Known);
  if (flowIntrinsic(Call))
    return;
  if (const Function *Move = Call.getCalledFunction();
      Move && isWordMove(*Move))
    return flowBlockCopy(Call, Call.getArgOperand(0), Call.getArgOperand(1),
                         Call.getArgOperand(2));
  const TypeSummary *S = Callees.summaryOf(Call);
  if (!S)
    return flowDeclared(Call);
  CalleeWantsContext = CalleeWantsContext || S->WantsContext;
  CalleePassesMember = CalleePassesMember || S->PassesMember;
  addWritesOf(Call, S->Writes, Writes);
  const Function *Callee = Call.getCalledFunction();
  // A call behind a comparison of function pointers may be one that is never
  // made, of a function that takes its arguments for something else.
  auto said = [&](const TypeTree &T) {
    return Call.hasMetadata(GuardedCall) ? T.demoted(Certainty::Indirect) : T;
  };
  for (unsigned I = 0; I != Call.arg_size() && I != Callee->arg_size(); ++I)
    if (I < S->Args.size() &&
        Call.getArgOperand(I)->getType() == Callee->getArg(I)->getType())
      addOwn(Call.getArgOperand(I),
             said(S->Args[I].dropping(ConcreteType::Anything)));
  if (Call.getType() == Callee->getReturnType())
    addOwn(&Call, said(S->Ret));
}

/// A function of which there is a declaration only.
void FunctionTypes::flowDeclared(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return;
  AttributeList Attributes = Callee->getAttributes();
  for (unsigned I = 0; I != Call.arg_size() && I != Callee->arg_size(); ++I)
    if (!isa<ConstantData>(Call.getArgOperand(I)))
      addOwn(Call.getArgOperand(I),
             Declared->of(Attributes.getParamAttrs(I), Trust, &Call)
                 .dropping(ConcreteType::Integer));
  addOwn(&Call, Declared->of(Attributes.getRetAttrs(), Trust, &Call)
                    .dropping(ConcreteType::Integer));
}

void FunctionTypes::flowKnown(const CallBase &Call,
                              const KnownFunction &Known) {
  const CallFacts &Facts = Known.Facts;
  if (!Known.Outputs.empty())
    return flowOutScalar(Call, Known);
  if (Facts.NumberOperands)
    for (const Value *Arg : Call.args())
      addNumber(Arg, Certainty::Definite, &Call);
  if (Known.Text != TextExtent::NoText)
    addMemory(Call.getArgOperand(0), textWrittenBy(Call, Known.Text));
  flowStores(Call, Known);
  switch (Facts.Result) {
  case Returns::Result:
    return Facts.NumberOperands ? addNumber(&Call, Certainty::Definite, &Call)
                                : void();
  case Returns::Constant:
    return addNumber(&Call, Certainty::Definite, &Call);
  case Returns::Unrelated:
    return addNumber(&Call, Certainty::Indirect, &Call);
  case Returns::First:
    return Facts.Stored == Stores::Nothing
               ? flowSame(&Call, Call.getArgOperand(0))
               : void();
  case Returns::Nothing:
  case Returns::Never:
  case Returns::NewBlock: // zeros say nothing of what the memory is for
  case Returns::Exception:
  case Returns::Inactive:
    return;
  }
}

void FunctionTypes::flowStores(const CallBase &Call,
                               const KnownFunction &Known) {
  switch (Known.Facts.Stored) {
  case Stores::NewBlock:
    return addMemory(Call.getArgOperand(Known.placeOfBlock()),
                     TypeTree::at(0, DL.getPointerSize(), ConcreteType::Pointer,
                                  Certainty::Definite, &Call));
  case Stores::Copy:
    if (std::optional<unsigned> Block = Known.released()) {
      const Value *Old = Call.getArgOperand(*Block);
      addMemory(&Call, memory(Old));
      return addMemory(Old, memory(&Call).dropping(ConcreteType::Anything));
    }
    return flowBlockCopy(Call, Call.getArgOperand(0), Call.getArgOperand(1),
                         Call.getArgOperand(2));
  case Stores::Constants:
    // (block, byte, bytes, ...), or (block, bytes) for zeros; the bytes written
    // say nothing of what the memory is for.
    if (Known.Facts.Writes == Reach::First)
      addNumber(Call.getArgOperand(Call.arg_size() > 2 ? 2 : 1),
                Certainty::Definite, &Call);
    return;
  case Stores::Nothing:
  case Stores::Results:
    return;
  }
}

/// Results through pointers: a float of the function's own type where the
/// row has an output there, else an int.
void FunctionTypes::flowOutScalar(const CallBase &Call,
                                  const KnownFunction &Known) {
  for (const Value *Arg : Call.args())
    addNumber(Arg, Certainty::Definite, &Call);
  addNumber(&Call, Certainty::Definite, &Call);
  Type *Float = Call.getType()->isFloatingPointTy() ? Call.getType() : nullptr;
  for (const Value *Arg : Call.args())
    if (Arg->getType()->isFloatingPointTy())
      Float = Arg->getType();
  for (unsigned I = 0; I != Call.arg_size(); ++I) {
    const Value *Arg = Call.getArgOperand(I);
    if (!Arg->getType()->isPointerTy() || !Float)
      continue;
    bool IsFloat = any_of(
        Known.Outputs, [&](const OutputRow &O) { return O.Place == int(I); });
    uint64_t IntSize = storeSize(Type::getInt32Ty(Call.getContext()), DL);
    addMemory(Arg, IsFloat ? treeOfType(Float, DL, Certainty::Definite, &Call)
                           : TypeTree::at(0, IntSize, ConcreteType::Integer,
                                          Certainty::Definite, &Call));
  }
}

/// Intrinsics on integers compute with numbers.
static bool isIntegerMath(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::abs:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::sadd_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::scmp:
  case Intrinsic::ucmp:
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_umax:
  case Intrinsic::vector_reduce_umin:
    return true;
  default:
    return false;
  }
}

bool FunctionTypes::flowIntrinsic(const CallBase &Call) {
  Intrinsic::ID ID = Call.getIntrinsicID();
  if (ID == Intrinsic::not_intrinsic)
    return false;
  if (isIntegerMath(ID)) {
    bool All = true;
    for (const Value *Arg : Call.args())
      All = All && (Arg->getType()->isIntegerTy() ? isNumber(Arg) : false);
    for (const Value *Arg : Call.args())
      addNumber(Arg, Certainty::Hint, &Call);
    Certainty C = All ? Certainty::Indirect : Certainty::Hint;
    addOwn(&Call, numberTree(&Call, C, &Call)); // also of { iN, i1 }
    return true;
  }
  switch (ID) {
  case Intrinsic::threadlocal_address:
    flowSame(&Call, Call.getArgOperand(0));
    return true;
  case Intrinsic::objectsize:
  case Intrinsic::get_active_lane_mask:
  case Intrinsic::vscale:
    addNumber(&Call, Certainty::Definite, &Call);
    return true;
  default:
    flowVectorIntrinsic(Call);
    return true;
  }
}

bool FunctionTypes::flowVectorIntrinsic(const CallBase &Call) {
  auto Arg = [&](unsigned I) { return Call.getArgOperand(I); };
  // A vector of pointers to scalars of a vector: all that is behind one.
  auto Behind = [&](const Value *Pointers, Type *VectorTy) {
    auto *VT = dyn_cast<FixedVectorType>(VectorTy);
    uint64_t Stride = vectorStride(Pointers->getType(), DL);
    if (!VT || Stride == 0)
      return;
    Dimension D;
    D.Stride = Stride;
    D.Count = VT->getNumElements();
    TypeTree T =
        treeOfType(VT->getElementType(), DL, Certainty::Definite, &Call);
    addOwn(Pointers, T.behindPointer(Stride, &Call).repeated(D));
  };
  switch (Call.getIntrinsicID()) {
  case Intrinsic::masked_load:
    flowAccess(Call, Arg(0), nullptr, &Call);
    addOwn(Arg(3), own(&Call).dropping(ConcreteType::Anything));
    return true;
  case Intrinsic::masked_store:
    flowAccess(Call, Arg(1), Arg(0), nullptr);
    return true;
  case Intrinsic::masked_gather:
    Behind(Arg(0), Call.getType());
    return true;
  case Intrinsic::masked_scatter:
    Behind(Arg(1), Arg(0)->getType());
    return true;
  case Intrinsic::vector_extract:
  case Intrinsic::vector_insert: {
    bool Insert = Call.getIntrinsicID() == Intrinsic::vector_insert;
    uint64_t Stride = vectorStride(Call.getType(), DL);
    auto *Index = dyn_cast<ConstantInt>(Arg(Insert ? 2 : 1));
    if (!Stride || !Index || !isa<FixedVectorType>(Arg(0)->getType()))
      return true;
    uint64_t Offset = Index->getZExtValue() * Stride;
    if (Insert)
      flowReplace(&Call, Arg(0), Arg(1), Offset);
    else
      flowPart(Arg(0), &Call, Offset);
    return true;
  }
  default:
    return false;
  }
}
