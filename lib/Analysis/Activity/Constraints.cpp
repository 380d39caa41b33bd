// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From instructions to constraints. Three kinds of result:
//  * moves of bits (phi, cast, integer arithmetic, memory) carry floats and
//    pointers: float bits may travel as integers, and so may addresses;
//  * floating-point arithmetic carries floats;
//  * comparisons and conversions between numbers and floats carry nothing:
//    their derivative is zero, or there is none.
#include "Analysis/Activity/Model.h"
#include "adze/AddressMarks.h"
#include "adze/FloatsInAddresses.h"
#include "adze/GivenDerivatives.h"
#include "adze/KnownFunction.h"
#include "adze/Mpi.h"
#include "adze/RoundingSum.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

class Builder : public InstVisitor<Builder> {
public:
  Builder(Model &M, function_ref<const Primal *(Function &)> CalleeOf)
      : M(M), G(M.G), DL(M.DL), CalleeOf(CalleeOf) {}

  void visitInstruction(Instruction &I);
  void visitCmpInst(CmpInst &) {}
  void visitFenceInst(FenceInst &) {}
  void visitBranchInst(BranchInst &) {}
  void visitSwitchInst(SwitchInst &) {}
  void visitUnreachableInst(UnreachableInst &) {}
  void visitReturnInst(ReturnInst &I);
  void visitAllocaInst(AllocaInst &I);
  void visitLoadInst(LoadInst &I);
  void visitStoreInst(StoreInst &I);
  void visitAtomicRMWInst(AtomicRMWInst &I);
  void visitAtomicCmpXchgInst(AtomicCmpXchgInst &I);
  void visitGetElementPtrInst(GetElementPtrInst &I);
  void visitPHINode(PHINode &I);
  void visitSelectInst(SelectInst &I);
  void visitCastInst(CastInst &I);
  void visitBinaryOperator(BinaryOperator &I);
  void visitExtractValueInst(ExtractValueInst &I);
  void visitInsertValueInst(InsertValueInst &I);
  void visitVAArgInst(VAArgInst &I);
  void visitCallBase(CallBase &I);

private:
  void flowAll(const Value *From, const Value *To, Carries What = Both,
               int64_t Shift = 0);
  void loadFields(const Instruction &I, const Value *Ptr, Type *Ty);
  void storeFields(const Instruction &I, const Value *Ptr, const Value *V);

  Model &M;
  DataFlow &G;
  const DataLayout &DL;
  function_ref<const Primal *(Function &)> CalleeOf;
};

/// Field by field where the types agree, else everything into everything.
void Builder::flowAll(const Value *From, const Value *To, Carries What,
                      int64_t Shift) {
  if (isa<ConstantData>(From))
    return;
  unsigned N = M.numFields(From), K = M.numFields(To);
  if (N == K) {
    for (unsigned I = 0; I < N; ++I)
      G.flow(M.node(From, I), M.node(To, I), What, Shift);
    return;
  }
  for (unsigned I = 0; I < N; ++I)
    for (unsigned J = 0; J < K; ++J)
      G.flow(M.node(From, I), M.node(To, J), What, AnyOffset);
}

/// What has no case of its own moves bits in some way.
void Builder::visitInstruction(Instruction &I) {
  for (const Value *Operand : I.operands())
    flowAll(Operand, &I, Both, AnyOffset);
}

void Builder::visitReturnInst(ReturnInst &I) {
  const Value *V = I.getReturnValue();
  if (!V || isa<ConstantData>(V))
    return;
  for (unsigned L = 0; L < M.Returned.size(); ++L)
    G.flow(M.node(V, L), M.Returned[L], Both);
}

void Builder::visitAllocaInst(AllocaInst &I) {
  G.point(M.node(&I), {M.allocation(I, ObjectKind::Local), 0});
}

static Carries contents(bool MayHoldFloats, bool MayHoldPointers) {
  return Carries((MayHoldFloats ? Floats : Nothing) |
                 (MayHoldPointers ? Pointers : Nothing));
}

void Builder::loadFields(const Instruction &I, const Value *Ptr, Type *Ty) {
  NodeId P = M.node(Ptr);
  MemoryUse U{MemoryUse::Load, &I, P};
  bool Whole = !I.getType()->isAggregateType();
  bool OfFloat = M.Types && (M.Outermost ? loadsFloatAsAddress(I, *M.Types)
                                         : passesAnyWord(I, *M.Types));
  unsigned L = 0;
  for (const ScalarField &Part : scalarFieldsOf(Ty, DL)) {
    bool OfFloats = typeHasFloats(Part.Ty);
    bool OfPointers = typeHasPointers(Part.Ty);
    bool Bits = !OfFloats && !OfPointers;
    // A byte is a part of anything; what its use says of it may have come from
    // another byte of the same buffer.
    bool Byte = Bits && Part.Size == 1 && !I.getMetadata(LLVMContext::MD_range);
    bool MayFloat = OfFloats || Byte || OfFloat || passesFloat(I) ||
                    (Whole && M.isMovedWord(&I)) ||
                    (Bits && (!Whole || M.mayHoldFloats(&I) ||
                              M.mayPointToFloats(Ptr, Part.Size)));
    bool MayPoint = OfPointers || (Bits && (!Whole || M.mayHoldPointers(&I)));
    // An integer by type still holds a float if one was stored right there.
    bool Exact = !MayFloat && Bits && Part.Size >= 2;
    NodeId To = M.node(&I, L++);
    G.load(P, Part.Offset, Part.Size, To, contents(MayFloat || Exact, MayPoint),
           Exact);
    if (OfFloat) // see visitCastInst()
      G.setUseful(To);
    U.Values.push_back(To);
  }
  M.Uses.push_back(std::move(U));
}

/// \p V is counted, not put together of parts of a float, of which at least one
/// would have been shifted or masked.
static bool isCounted(const Value *V) {
  auto *Op = dyn_cast<BinaryOperator>(V);
  auto isPart = [](const Value *Operand) {
    auto *By = dyn_cast<BinaryOperator>(Operand);
    return By && (By->isShift() || By->isBitwiseLogicOp());
  };
  return Op && !Op->isShift() && !Op->isBitwiseLogicOp() &&
         none_of(Op->operands(), isPart);
}

void Builder::storeFields(const Instruction &I, const Value *Ptr,
                          const Value *V) {
  NodeId P = M.node(Ptr);
  MemoryUse U{MemoryUse::Store, &I, P};
  bool OfFloat = M.Types && storesFloatAsAddress(I, *M.Types);
  if (!isa<ConstantData>(V)) {
    unsigned L = 0;
    for (const ScalarField &Part : scalarFieldsOf(V->getType(), DL)) {
      NodeId From = M.node(V, L++);
      if (OfFloat) // see visitCastInst()
        G.setVaried(From);
      G.store(P, Part.Offset, Part.Size, From,
              OfFloat || typeHasFloats(Part.Ty) ? StoredAs::Float
              : typeHasPointers(Part.Ty)        ? StoredAs::Pointer
              : isCounted(V)                    ? StoredAs::Other
                                                : StoredAs::Number);
      U.Values.push_back(From);
    }
  }
  M.Uses.push_back(std::move(U));
}

void Builder::visitLoadInst(LoadInst &I) {
  loadFields(I, I.getPointerOperand(), I.getType());
  buildTableFlow(M, I);
}

void Builder::visitStoreInst(StoreInst &I) {
  storeFields(I, I.getPointerOperand(), I.getValueOperand());
}

void Builder::visitAtomicRMWInst(AtomicRMWInst &I) {
  loadFields(I, I.getPointerOperand(), I.getType());
  storeFields(I, I.getPointerOperand(), I.getValOperand());
  const bool Counts = I.getOperation() == AtomicRMWInst::Add ||
                      I.getOperation() == AtomicRMWInst::Sub;
  // The new content is made of the old one too.
  G.store(M.node(I.getPointerOperand()), 0,
          DL.getTypeStoreSize(I.getType()).getFixedValue(), M.node(&I),
          I.getType()->isFloatingPointTy() ? StoredAs::Float
          : Counts                         ? StoredAs::Other
                                           : StoredAs::Number);
}

void Builder::visitAtomicCmpXchgInst(AtomicCmpXchgInst &I) {
  const Value *Ptr = I.getPointerOperand(), *New = I.getNewValOperand();
  NodeId P = M.node(Ptr), To = M.node(&I);
  int64_t Size = DL.getTypeStoreSize(New->getType()).getFixedValue();
  // The result is the old content and a bit, and tells of no type; what is
  // exchanged for it does.
  bool MayFloat = M.mayHoldFloats(New) || M.mayPointToFloats(Ptr, Size);
  G.load(P, 0, Size, To,
         contents(/*MayHoldFloats=*/true, M.mayHoldPointers(New)),
         /*ExactFloats=*/!MayFloat && Size >= 2);
  M.Uses.push_back({MemoryUse::Load, &I, P, None, {To}});
  storeFields(I, I.getPointerOperand(), I.getNewValOperand());
}

void Builder::visitGetElementPtrInst(GetElementPtrInst &I) {
  APInt Offset(DL.getIndexTypeSizeInBits(I.getType()), 0);
  bool Fixed =
      !I.getType()->isVectorTy() && I.accumulateConstantOffset(DL, Offset);
  G.flow(M.node(I.getPointerOperand()), M.node(&I), Pointers,
         Fixed ? Offset.getSExtValue() : AnyOffset);
}

void Builder::visitPHINode(PHINode &I) {
  for (const Value *V : I.incoming_values())
    flowAll(V, &I);
}

void Builder::visitSelectInst(SelectInst &I) {
  flowAll(I.getTrueValue(), &I);
  flowAll(I.getFalseValue(), &I);
}

/// \p V counts the floats between zero and some float: its bits, taken as a
/// number, and what is computed from it without much loss.
static bool countsFloats(const Value *V, const TypeInfo &Types,
                         unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 6;
  const unsigned Width = V->getType()->getScalarSizeInBits();
  if ((Width != 32 && Width != 64) || Depth == MaxDepth)
    return false;
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op) {
    Type *Float = Types.floatTypeOf(V);
    return Float && Float->getPrimitiveSizeInBits() == Width;
  }
  auto of = [&](unsigned K) {
    return countsFloats(Op->getOperand(K), Types, Depth + 1);
  };
  auto *C = dyn_cast<Constant>(Op->getOperand(1));
  if (C && C->getType()->isVectorTy())
    C = C->getSplatValue();
  auto *K = dyn_cast_or_null<ConstantInt>(C);
  const unsigned Mantissa = Width == 64 ? 52 : 23;
  switch (Op->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or:
    return of(0) || of(1);
  case Instruction::LShr:
  case Instruction::AShr:
    return K && K->getValue().ult(Mantissa / 4 * 3) && of(0);
  case Instruction::And:
    return K && K->getValue()[Mantissa - 1] && of(0);
  default:
    return false;
  }
}

void Builder::visitCastInst(CastInst &I) {
  switch (I.getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    if (M.Types && countsFloats(I.getOperand(0), *M.Types))
      flowAll(I.getOperand(0), &I, Floats);
    return;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return;
  default:
    break;
  }
  // An address that is computed with is none that is a float.
  bool Computed = isa<PtrToIntInst>(I) && !becomesFloat(I);
  flowAll(I.getOperand(0), &I, Computed ? Pointers : Both);
  // Nothing follows floats through what takes them for addresses, so each end
  // supposes the other one: the cast is refused where it matters.
  if (M.Types && makesFloatOfAddress(I, *M.Types))
    G.setVaried(M.node(&I));
  if (M.Types && makesAddressOfFloat(I, *M.Types))
    G.setUseful(M.node(I.getOperand(0)));
}

void Builder::visitBinaryOperator(BinaryOperator &I) {
  if (isRoundingSum(I) || isMovedDistance(I))
    return;
  Carries What = I.getType()->isFPOrFPVectorTy() ? Floats : Both;
  flowAll(I.getOperand(0), &I, What, AnyOffset);
  flowAll(I.getOperand(1), &I, What, AnyOffset);
}

void Builder::visitExtractValueInst(ExtractValueInst &I) {
  const Value *V = I.getAggregateOperand();
  if (isa<ConstantData>(V))
    return;
  auto [First, Count] = fieldsOfMember(V->getType(), I.getIndices());
  unsigned Fields = M.numFields(&I);
  for (unsigned L = 0; L < Fields; ++L)
    G.flow(M.node(V, Count == Fields ? First + L : First), M.node(&I, L), Both);
}

void Builder::visitInsertValueInst(InsertValueInst &I) {
  const Value *Into = I.getAggregateOperand(), *V = I.getInsertedValueOperand();
  auto [First, Count] = fieldsOfMember(I.getType(), I.getIndices());
  unsigned Fields = M.numFields(&I), Inserted = M.numFields(V);
  for (unsigned L = 0; L < Fields; ++L)
    if ((L < First || L >= First + Count || Count != Inserted) &&
        !isa<ConstantData>(Into))
      G.flow(M.node(Into, L), M.node(&I, L), Both);
  if (isa<ConstantData>(V))
    return;
  for (unsigned L = 0; L < Inserted; ++L)
    G.flow(M.node(V, L), M.node(&I, Count == Inserted ? First + L : First),
           Both);
}

void Builder::visitVAArgInst(VAArgInst &I) {
  for (unsigned L = 0; L < M.numFields(&I); ++L)
    G.point(M.node(&I, L), {G.ForeignObject, AnyOffset});
}

void Builder::visitCallBase(CallBase &I) {
  if (I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd() || isRoundingSum(I))
    return;
  auto *Callee = dyn_cast<Function>(I.getCalledOperand()->stripPointerCasts());
  const Primal *Body = nullptr;
  const KnownFunction *Known = lookupKnown(I);
  bool Inactive = Known && Known->isDeclaredInactive();
  if (mpi::exchangesNumbers(I))
    return buildNumberExchange(M, I);
  if (Callee && isWordMove(*Callee))
    return buildWordMove(M, I, kindOfWordMove(*Callee));
  if (Callee && given::hasAny(*Callee) && !Inactive)
    return buildGivenCall(M, I);
  if (Callee && !Callee->isDeclaration() && (!Known || Inactive) &&
      Callee->getFunctionType() == I.getFunctionType() &&
      I.arg_size() == Callee->arg_size()) // what `...` holds is not followed
    Body = CalleeOf(*Callee);
  if (!Body)
    return buildCall(M, I);
  CallSite Site;
  Site.Call = &I;
  Site.Callee = Body;
  if (M.Types)
    Site.Types = M.Types->typesOfCall(I);
  Site.ValueUseful.resize(I.arg_size());
  Site.Inactive = Inactive;
  Site.InactiveArgs.resize(I.arg_size());
  for (unsigned K = 0; K < I.arg_size(); ++K)
    Site.InactiveArgs[K] = Inactive || isDeclaredInactive(I, K);
  for (const Value *Arg : I.args()) {
    unsigned Fields = M.numFields(Arg);
    NodeId N = Fields == 1 ? M.node(Arg) : G.addNode();
    for (unsigned L = 0; Fields > 1 && L < Fields; ++L)
      G.flow(M.node(Arg, L), N, Both);
    // Whoever is handed memory with a shadow is handed the shadow too.
    if (M.mayHoldPointers(Arg) && !Site.InactiveArgs[Site.Args.size()])
      G.setDemanded(N);
    Site.Args.push_back(N);
    Site.Behind.push_back(None);
  }
  for (unsigned L = 0; L < M.numFields(&I); ++L)
    M.node(&I, L);
  if (Inactive)
    pointToInactive(M, I);
  M.Calls.push_back(std::move(Site));
}

} // namespace

void buildConstraints(Model &M,
                      function_ref<const Primal *(Function &)> CalleeOf) {
  Type *Result = M.P.F->getReturnType();
  for (unsigned L = 0, E = scalarFieldsOf(Result, M.DL).size(); L < E; ++L)
    M.Returned.push_back(M.G.addNode());
  Builder B(M, CalleeOf);
  // Operands before their users, but for back edges: fewer rounds.
  ReversePostOrderTraversal<Function *> Order(M.P.F);
  for (BasicBlock *Block : Order)
    for (Instruction &I : *Block)
      B.visit(I);
}

} // namespace adze
