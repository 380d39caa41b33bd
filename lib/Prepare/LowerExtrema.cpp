// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The largest of what threads of a block have is known when they have met:
//
//   atomicMax(p, v)                  old = atomicMax(p, v), without derivative
//                                    if (old < v)
//                                      best = v, has = true
//   __syncthreads()                  __syncthreads()
//                                    won = has && *p == best
//                                    __syncthreads()
//                                    if (won)
//                                      *p = best
//                                    __syncthreads()
//                                    has = false
//
// What memory holds only grows meanwhile, so that only one thread has put there
// what it holds in the end. That store has the derivative, in both modes; if
// there is none, what stood there before has it. An integer operation on the
// bits of floats does the same, as the program orders them.
//
// In memory that other blocks share nobody knows when all have come.
#include "Prepare/Stages.h"
#include "adze/DeviceSync.h"
#include "adze/DeviceTarget.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

using Op = AtomicRMWInst::BinOp;

/// The larger or smaller of two numbers, or of two words.
bool isExtremum(Op Is) {
  switch (Is) {
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return true;
  default:
    return false;
  }
}

/// The variable of the block that \p I changes, if it is one.
GlobalVariable *sharedBehind(AtomicRMWInst &I) {
  auto *Object =
      dyn_cast<GlobalVariable>(getUnderlyingObject(I.getPointerOperand()));
  return Object && isSharedVariable(*Object) ? Object : nullptr;
}

/// The float that a variable of integers is read as; null if it is not.
Type *readAs(const GlobalVariable &Variable, const Function &F) {
  for (const Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || getUnderlyingObject(Load->getPointerOperand()) != &Variable)
      continue;
    if (Load->getType()->isFloatingPointTy())
      return Load->getType();
    for (const User *U : Load->users())
      if (isa<BitCastInst>(U) && U->getType()->isFloatingPointTy())
        return U->getType();
  }
  return nullptr;
}

/// The type of float of which \p I takes the bits, as an operand or the
/// variable says; null if it is none of these operations.
Type *floatOf(AtomicRMWInst &I) {
  Type *Ty = I.getType();
  if (!isExtremum(I.getOperation()) || Ty->isFloatingPointTy())
    return isExtremum(I.getOperation()) ? Ty : nullptr;
  Value *Float = nullptr;
  GlobalVariable *Variable = sharedBehind(I);
  Type *Of = match(I.getValOperand(), m_BitCast(m_Value(Float)))
                 ? Float->getType()
             : Variable ? Variable->getValueType()
                        : nullptr;
  while (auto *Array = dyn_cast_or_null<ArrayType>(Of))
    Of = Array->getElementType();
  if (Variable && Of && Of->isIntegerTy())
    Of = readAs(*Variable, *I.getFunction());
  return Of && Of->isFloatingPointTy() &&
                 Of->getPrimitiveSizeInBits() == Ty->getPrimitiveSizeInBits()
             ? Of
             : nullptr;
}

/// Whether the float with these \p Bits is less than 0 if \p Condition \p
/// Holds; nothing where that does not tell.
std::optional<bool> isNegativeIf(const Value &Condition, bool Holds,
                                 const Value *Bits) {
  auto *Compare = dyn_cast<CmpInst>(&Condition);
  if (!Compare)
    return std::nullopt;
  const Value *X = Compare->getOperand(0), *Bound = Compare->getOperand(1);
  const auto Is =
      Holds ? Compare->getPredicate() : Compare->getInversePredicate();
  auto isSame = [&](const Value *V) {
    const Value *Of = nullptr;
    return V == Bits || match(V, m_BitCast(m_Specific(Bits))) ||
           (match(Bits, m_BitCast(m_Value(Of))) && Of == V);
  };
  if (!isSame(X))
    return std::nullopt;
  if (isa<FCmpInst>(Compare) && !match(Bound, m_AnyZeroFP()))
    return std::nullopt;
  switch (Is) {
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_OGT:
    return false;
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_ULT:
    return true;
  case CmpInst::ICMP_SGT:
    return match(Bound, m_AllOnes()) ? std::optional(false) : std::nullopt;
  case CmpInst::ICMP_SGE:
    return match(Bound, m_Zero()) ? std::optional(false) : std::nullopt;
  case CmpInst::ICMP_SLT:
    return match(Bound, m_Zero()) ? std::optional(true) : std::nullopt;
  case CmpInst::ICMP_SLE:
    return match(Bound, m_AllOnes()) ? std::optional(true) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// What is where \p Old and \p New are the content before, and that of \p I:
/// it puts its own.
Value *replaces(IRBuilder<> &B, AtomicRMWInst &I, Value *Old) {
  Value *New = I.getValOperand();
  switch (I.getOperation()) {
  case AtomicRMWInst::FMax:
    return B.CreateFCmpOGT(New, Old);
  case AtomicRMWInst::FMin:
    return B.CreateFCmpOLT(New, Old);
  case AtomicRMWInst::Max:
    return B.CreateICmpSGT(New, Old);
  case AtomicRMWInst::Min:
    return B.CreateICmpSLT(New, Old);
  case AtomicRMWInst::UMax:
    return B.CreateICmpUGT(New, Old);
  default:
    return B.CreateICmpULT(New, Old);
  }
}

/// Where all threads meet, each way, behind \p I; null if that is not one
/// place.
Instruction *meetingBehind(Instruction &I) {
  Instruction *Found = nullptr;
  SmallPtrSet<BasicBlock *, 16> Seen;
  SmallVector<Instruction *, 8> Work{I.getNextNode()};
  while (!Work.empty()) {
    Instruction *At = Work.pop_back_val();
    auto isEnd = [](const Instruction &At) {
      auto *Call = dyn_cast<CallBase>(&At);
      return meetingOf(At) == Meeting::Block || At.isTerminator() ||
             (Call && Call->isConvergent() && !isa<IntrinsicInst>(Call) &&
              !lookupKnown(*Call));
    };
    while (!isEnd(*At))
      At = At->getNextNode();
    if (isBarrierOfAll(*At)) {
      if (Found && Found != At)
        return nullptr;
      Found = At;
    } else if (!At->isTerminator() || isa<ReturnInst>(At)) {
      return nullptr;
    } else {
      for (BasicBlock *Next : successors(At->getParent()))
        if (Seen.insert(Next).second)
          Work.push_back(&Next->front());
    }
  }
  return Found;
}

class ExtremumLowering {
public:
  explicit ExtremumLowering(Function &F) : F(F), DT(F) {}

  bool run();

private:
  /// Operations of one type at one place, in front of one barrier.
  using Key = std::pair<std::pair<Value *, Type *>, Instruction *>;

  bool mayLower(AtomicRMWInst &I, const Instruction &Barrier);
  bool areAlike(const Value &Object);
  bool isSideOfZero(AtomicRMWInst &I) const;
  bool isKnownAt(const Value &V, const Instruction &At,
                 unsigned Depth = 0) const;
  Value *valueAt(Value *V, IRBuilder<> &B, const Instruction &At) const;
  void lower(const Key &Of, ArrayRef<AtomicRMWInst *> Changes);
  void settle(const Key &Of, AllocaInst &Best, AllocaInst &Has);

  Function &F;
  DominatorTree DT;
  DenseMap<const Value *, bool> Alike;
  SmallVector<AllocaInst *, 4> Variables;
};

/// \p I takes signed integers of positive floats alone, or unsigned ones of
/// negative floats: they are ordered as these are, or the other way round.
bool ExtremumLowering::isSideOfZero(AtomicRMWInst &I) const {
  const bool Unsigned = I.getOperation() == AtomicRMWInst::UMax ||
                        I.getOperation() == AtomicRMWInst::UMin;
  for (const DomTreeNode *N = DT.getNode(I.getParent()); N && N->getIDom();
       N = N->getIDom()) {
    const BasicBlock *Above = N->getIDom()->getBlock();
    auto *Br = dyn_cast<BranchInst>(Above->getTerminator());
    if (!Br || !Br->isConditional() ||
        Br->getSuccessor(0) == Br->getSuccessor(1))
      continue;
    for (unsigned K : {0, 1})
      if (DT.dominates(BasicBlockEdge(Above, Br->getSuccessor(K)),
                       I.getParent()) &&
          isNegativeIf(*Br->getCondition(), K == 0, I.getValOperand()) ==
              Unsigned)
        return true;
  }
  return false;
}

/// By all atomic operations on \p Object, memory only grows, or only shrinks.
bool ExtremumLowering::areAlike(const Value &Object) {
  auto [It, New] = Alike.try_emplace(&Object, false);
  if (!New)
    return It->second;
  SmallVector<AtomicRMWInst *, 4> Changes;
  for (Instruction &I : instructions(F)) {
    if (!I.isAtomic() || isa<FenceInst>(I))
      continue;
    const Value *Place = getLoadStorePointerOperand(&I);
    const Value *Other = getUnderlyingObject(Place ? Place : I.getOperand(0));
    if (Other != &Object && isa<GlobalVariable, Argument, AllocaInst>(Other))
      continue;
    auto *Change = dyn_cast<AtomicRMWInst>(&I);
    if (!Change)
      return false;
    Changes.push_back(Change);
  }
  auto areAll = [&](Op Is, Op Or) {
    return all_of(Changes, [&](AtomicRMWInst *I) {
      return (I->getOperation() == Is || I->getOperation() == Or) &&
             (Is == Or || isSideOfZero(*I));
    });
  };
  const Op First = Changes.front()->getOperation();
  return Alike[&Object] = areAll(First, First) ||
                          areAll(AtomicRMWInst::Max, AtomicRMWInst::UMin) ||
                          areAll(AtomicRMWInst::Min, AtomicRMWInst::UMax);
}

bool ExtremumLowering::mayLower(AtomicRMWInst &I, const Instruction &Barrier) {
  const GlobalVariable *Object = sharedBehind(I);
  return I.use_empty() && Object &&
         isKnownAt(*I.getPointerOperand(), Barrier) && areAlike(*Object);
}

constexpr unsigned MaxSteps = 8; // of an address

/// \p V is there at \p At, or can be computed again.
bool ExtremumLowering::isKnownAt(const Value &V, const Instruction &At,
                                 unsigned Depth) const {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || DT.dominates(I, &At))
    return true;
  return Depth < MaxSteps &&
         (isa<GetElementPtrInst, CastInst>(I) ||
          (isa<BinaryOperator>(I) && !I->isIntDivRem())) &&
         all_of(
             I->operands(),
             [&](const Use &Op) { return isKnownAt(*Op, At, Depth + 1); });
}

Value *ExtremumLowering::valueAt(Value *V, IRBuilder<> &B,
                                 const Instruction &At) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || DT.dominates(I, &At))
    return V;
  Instruction *Again = I->clone();
  for (Use &Op : Again->operands())
    Op.set(valueAt(Op, B, At));
  return B.Insert(Again);
}

/// Behind the barrier of \p Of: the thread that has won stores what it has. Who
/// has nothing may have no place either.
void ExtremumLowering::settle(const Key &Of, AllocaInst &Best,
                              AllocaInst &Has) {
  Value *Where = Of.first.first;
  Type *Ty = Of.first.second;
  Instruction *Barrier = Of.second;
  Instruction *Behind = Barrier->getNextNode();
  Type *Bits = IntegerType::get(F.getContext(), Ty->getPrimitiveSizeInBits());
  IRBuilder<> B(Behind);
  DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
  auto enterIf = [&](AllocaInst &Flag) {
    B.SetInsertPoint(Behind);
    B.SetCurrentDebugLocation(Barrier->getDebugLoc());
    B.SetInsertPoint(SplitBlockAndInsertIfThen(
        B.CreateLoad(B.getInt1Ty(), &Flag), Behind, /*Unreachable=*/false,
        /*BranchWeights=*/nullptr, &Updater));
  };
  auto meet = [&] {
    B.SetInsertPoint(Behind);
    createBarrierOfAll(B);
  };
  enterIf(Has);
  Value *Is = B.CreateLoad(Ty, valueAt(Where, B, *Barrier));
  Value *Mine = B.CreateLoad(Ty, &Best);
  B.CreateStore(
      B.CreateICmpEQ(B.CreateBitCast(Is, Bits), B.CreateBitCast(Mine, Bits)),
      &Has);
  meet();
  enterIf(Has);
  B.CreateStore(B.CreateLoad(Ty, &Best), valueAt(Where, B, *Barrier));
  meet();
  B.CreateStore(B.getFalse(), &Has);
}

void ExtremumLowering::lower(const Key &Of, ArrayRef<AtomicRMWInst *> Changes) {
  Type *Ty = Of.first.second;
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *Best = B.CreateAlloca(Ty), *Has = B.CreateAlloca(B.getInt1Ty());
  B.CreateStore(Constant::getNullValue(Ty), Best);
  B.CreateStore(B.getFalse(), Has);
  Variables.append({Best, Has});
  for (AtomicRMWInst *I : Changes) {
    I->setMetadata(SettledMetadata, MDNode::get(F.getContext(), {}));
    I->setOrdering(AtomicOrdering::Monotonic);
    B.SetInsertPoint(I->getNextNode());
    Value *Puts = replaces(B, *I, I);
    Value *Number = B.CreateBitCast(I->getValOperand(), Ty);
    B.CreateStore(B.CreateSelect(Puts, Number, B.CreateLoad(Ty, Best)), Best);
    B.CreateStore(B.CreateOr(Puts, B.CreateLoad(B.getInt1Ty(), Has)), Has);
  }
  settle(Of, *Best, *Has);
}

bool ExtremumLowering::run() {
  MapVector<Key, SmallVector<AtomicRMWInst *, 2>> Places;
  for (Instruction &I : instructions(F)) {
    auto *Change = dyn_cast<AtomicRMWInst>(&I);
    Type *Ty = Change ? floatOf(*Change) : nullptr;
    Instruction *Barrier = Ty ? meetingBehind(I) : nullptr;
    if (Barrier && mayLower(*Change, *Barrier))
      Places[{{Change->getPointerOperand(), Ty}, Barrier}].push_back(Change);
  }
  for (const auto &[Of, Changes] : Places)
    lower(Of, Changes);
  if (Variables.empty())
    return false;
  PromoteMemToReg(Variables, DT);
  return true;
}

} // namespace

void lowerExtrema(Function &F) {
  if (isDevice(*F.getParent()))
    ExtremumLowering(F).run();
}

} // namespace adze
