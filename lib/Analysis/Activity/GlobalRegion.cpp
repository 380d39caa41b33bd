// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Activity/GlobalRegion.h"
#include "Analysis/Type/IRTypes.h"
#include "adze/DeviceTarget.h"
#include "adze/Exceptions.h"
#include "adze/FloatPuns.h"
#include "adze/GivenShadows.h"
#include "adze/KnownFunction.h"
#include "adze/TeamExchange.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace adze {

template <typename Predicate> static bool someField(Type *Ty, Predicate Holds) {
  SmallVector<Type *, 8> Work(1, Ty);
  while (!Work.empty()) {
    Type *T = Work.pop_back_val();
    if (auto *S = dyn_cast<StructType>(T))
      Work.append(S->element_begin(), S->element_end());
    else if (auto *A = dyn_cast<ArrayType>(T))
      Work.push_back(A->getElementType());
    else if (Holds(T->getScalarType()))
      return true;
  }
  return false;
}

bool typeHasFloats(Type *Ty) {
  return someField(Ty, [](Type *T) { return T->isFloatingPointTy(); });
}

bool typeHasPointers(Type *Ty) {
  return someField(Ty, [](Type *T) { return T->isPointerTy(); });
}

GlobalRegion::GlobalRegion(const Function &Root, bool FollowsText)
    : FollowsText(FollowsText), M(*Root.getParent()) {
  IntegerPointers = makesPointersOfIntegers(M);
  Region.insert(&Root);
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasAddressTaken() && !isDeclaredInactive(F))
      Region.insert(&F);
  for (unsigned I = 0; I < Region.size(); ++I)
    for (const Instruction &Inst : instructions(*Region[I]))
      if (auto *Call = dyn_cast<CallBase>(&Inst);
          Call && !isDeclaredInactive(*Call))
        if (auto *Callee = dyn_cast<Function>(
                Call->getCalledOperand()->stripPointerCasts());
            Callee && !Callee->isDeclaration())
          Region.insert(Callee);
}

/// There, it may have no shadow.
static bool isOfAnotherFile(const GlobalVariable &G) {
  return G.isDeclaration() && !isDynamicShared(G);
}

bool GlobalRegion::mayBeActive(const GlobalVariable &G) {
  if (givenShadow(G) && !isDeclaredInactive(G))
    return true;
  if (G.isConstant() || isDeviceConstant(G) || isOfAnotherFile(G) ||
      isDeclaredInactive(G))
    return false;
  if (auto It = Known.find(&G); It != Known.end())
    return It->second;
  if (G.getName() == exceptions::Memory)
    return Known[&G] = exceptionsMayBeActive();
  // It is stored to in canonical clones alone.
  if (G.getName() == teams::ExchangedName)
    return Known[&G] = true;
  // A pointer in G that nobody changes leads where it was initialized to.
  SmallSetVector<const Constant *, 8> Reached;
  Reached.insert(&G);
  bool Active = false;
  for (unsigned I = 0; I < Reached.size() && !Active; ++I) {
    auto *Variable = dyn_cast<GlobalVariable>(Reached[I]);
    Active = Variable && !Variable->isConstant() && isStoredTo(*Variable);
    if (!isa<Function>(Reached[I]))
      for (const Use &Operand : Reached[I]->operands())
        if (isa<GlobalVariable, ConstantExpr, ConstantAggregate>(Operand))
          Reached.insert(cast<Constant>(Operand));
  }
  return Known[&G] = Active;
}

/// Tables of more parts than this are not looked through.
static constexpr unsigned MaxInertParts = 512;

bool GlobalRegion::isInert(const GlobalVariable &G) {
  if (auto It = Inert.find(&G); It != Inert.end())
    return It->second;
  SmallSetVector<const Constant *, 8> Reached;
  Reached.insert(&G);
  bool AllInert = true;
  for (unsigned I = 0; I < Reached.size() && AllInert; ++I) {
    const Constant *C = Reached[I];
    auto *Variable = dyn_cast<GlobalVariable>(C);
    AllInert = I < MaxInertParts &&
               (!Variable || (Variable->isConstant() &&
                              Variable->hasDefinitiveInitializer() &&
                              !typeHasFloats(Variable->getValueType())));
    if (!isa<Function>(C))
      for (const Use &Operand : C->operands())
        if (!isa<ConstantData>(Operand))
          Reached.insert(cast<Constant>(Operand));
  }
  if (AllInert)
    for (const Constant *C : Reached)
      if (auto *Variable = dyn_cast<GlobalVariable>(C))
        Inert[Variable] = true;
  return Inert[&G] = AllInert;
}

namespace {

/// Follows the address of an exception: does a float or a pointer that the
/// program computes get there?
class ExceptionUses {
public:
  /// \p Call returns the address.
  bool mayActivate(const CallBase &Call) {
    Work.push_back(&Call);
    while (!Work.empty()) {
      const Value *V = Work.pop_back_val();
      if (Seen.insert(V).second &&
          any_of(V->uses(), [&](const Use &U) { return useActivates(U); }))
        return true;
    }
    return false;
  }

private:
  bool useActivates(const Use &U) {
    const User *By = U.getUser();
    if (isa<GEPOperator, BitCastOperator, PHINode, SelectInst, FreezeInst>(
            By)) {
      Work.push_back(By);
      return false;
    }
    if (auto *S = dyn_cast<StoreInst>(By))
      return U.getOperandNo() == StoreInst::getPointerOperandIndex()
                 ? valueActivates(*S->getValueOperand())
                 : spillActivates(*S);
    if (auto *Call = dyn_cast<CallBase>(By))
      return callActivates(*Call, U);
    return !isa<LoadInst, ICmpInst>(By);
  }

  static bool valueActivates(const Value &V) {
    if (isa<ConstantData>(V))
      return false;
    Type *Ty = V.getType();
    if (Ty->isIntegerTy()) // computed with, not the bits of a float
      return Ty->getIntegerBitWidth() >= 16 &&
             !isa<BinaryOperator, ICmpInst>(V);
    // Constants of the program, virtual tables among them.
    if (isa<Constant>(V))
      if (auto *G = dyn_cast<GlobalVariable>(V.stripInBoundsOffsets()))
        return !G->getName().starts_with("_ZTV") &&
               !(G->isConstant() && G->hasInitializer() &&
                 !typeHasFloats(G->getValueType()) &&
                 !typeHasPointers(G->getValueType()));
    return true;
  }

  /// Unoptimized code stores an argument before it uses it.
  bool spillActivates(const StoreInst &S) {
    auto *Slot = dyn_cast<AllocaInst>(S.getPointerOperand());
    if (!Slot)
      return true;
    for (const User *By : Slot->users()) {
      if (isa<LoadInst>(By))
        Work.push_back(By);
      else if (!(isa<StoreInst>(By) && By->getOperand(1) == Slot) &&
               !cast<Instruction>(By)->isLifetimeStartOrEnd())
        return true;
    }
    return false;
  }

  bool callActivates(const CallBase &Call, const Use &U) {
    if (!Call.isArgOperand(&U) || Call.isDebugOrPseudoInst())
      return !Call.isDebugOrPseudoInst();
    unsigned No = Call.getArgOperandNo(&U);
    if (Call.onlyReadsMemory(No) && Call.doesNotCapture(No))
      return false;
    if (const KnownFunction *Known = lookupKnown(Call))
      return Known->mayActivate(No);
    auto *Callee = dyn_cast<Function>(Call.getCalledOperand());
    if (!Callee) // what(), or the like
      return !(Call.arg_size() == 1 && Call.getType()->isPointerTy());
    if (Callee->isDeclaration() || No >= Callee->arg_size())
      return true;
    Work.push_back(Callee->getArg(No));
    return false;
  }

  SmallVector<const Value *, 8> Work;
  SmallPtrSet<const Value *, 32> Seen;
};

} // namespace

bool GlobalRegion::exceptionsMayBeActive() const {
  for (const Function *F : Region)
    for (const Instruction &I : instructions(*F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
      bool Names = Known && Known->Facts.Result == Returns::Exception;
      if (Names && ExceptionUses().mayActivate(*Call))
        return true;
    }
  return false;
}

bool GlobalRegion::isStoredTo(const GlobalVariable &G) {
  if (isOfAnotherFile(G) || isDeclaredInactive(G))
    return false;
  auto [It, New] = StoredTo.try_emplace(&G, false);
  if (New)
    It->second =
        anyUse(G, [&](const Use &U) { return useMayActivate(G, U); }) ||
        mayHoldFloatBits(G);
  return StoredTo[&G];
}

ArrayRef<const GlobalVariable *> GlobalRegion::activeAndVisible() {
  if (!VisibleFound)
    for (const GlobalVariable &G : M.globals())
      if (!G.hasLocalLinkage() && mayBeActive(G))
        Visible.push_back(&G);
  VisibleFound = true;
  return Visible;
}

/// The address of a variable of this thread, as a call.
static bool isThreadLocalAddress(const User *U) {
  auto *Call = dyn_cast<IntrinsicInst>(U);
  return Call && Call->getIntrinsicID() == Intrinsic::threadlocal_address;
}

/// \p U is a part of the lists of variables that the compiler must keep, as it
/// does those of a GPU that the host may use.
static bool isListed(const User *U) {
  return isa<ConstantAggregate>(U) && all_of(U->users(), [](const User *By) {
           return isa<GlobalVariable>(By) && By->getName().ends_with("used") &&
                  cast<GlobalVariable>(By)->getSection() == "llvm.metadata";
         });
}

bool GlobalRegion::anyUse(const GlobalVariable &G,
                          function_ref<bool(const Use &)> Counts) const {
  SmallVector<const Value *, 8> Work(1, &G);
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (const Use &U : V->uses()) {
      const User *By = U.getUser();
      // Values that are the same address, or one derived from it.
      if (isa<GEPOperator, BitCastOperator, AddrSpaceCastOperator, PHINode,
              SelectInst, FreezeInst>(By) ||
          isThreadLocalAddress(By)) {
        Work.push_back(By);
        continue;
      }
      if (!isListed(By) && Counts(U))
        return true;
    }
  }
  return false;
}

/// A byte that is moved from elsewhere, or cut out of a float.
static bool mayBeByteOfFloat(const Value *V) {
  while (isa<TruncInst, ZExtInst>(V) ||
         (isa<BinaryOperator>(V) && cast<BinaryOperator>(V)->isShift()))
    V = cast<User>(V)->getOperand(0);
  if (auto *Load = dyn_cast<LoadInst>(V)) {
    auto *From = dyn_cast<GlobalVariable>(
        getUnderlyingObject(Load->getPointerOperand()));
    return !From || !From->isConstant();
  }
  return isa<BitCastInst, PHINode, SelectInst>(V);
}

/// A word, or a part of one, that comes from elsewhere or from a float.
static bool mayBePartOfFloat(const Value *V) {
  constexpr unsigned MaxValues = 32;
  SmallSetVector<const Value *, 8> From;
  From.insert(V);
  for (unsigned I = 0; I != From.size(); ++I) {
    auto *Inst = dyn_cast<Instruction>(From[I]);
    const unsigned Opcode = Inst ? Inst->getOpcode() : 0;
    if (isa<Argument>(From[I]) || I == MaxValues)
      return true;
    if (isa<TruncInst, ZExtInst, PHINode, SelectInst>(From[I]) ||
        (Inst && Inst->isShift()) || Opcode == Instruction::Or ||
        Opcode == Instruction::And)
      From.insert(Inst->value_op_begin(), Inst->value_op_end());
    else if (auto *Load = dyn_cast<LoadInst>(From[I]);
             Load ? !isa<GlobalVariable>(Load->getPointerOperand())
                  : isa<BitCastInst, CallBase, ExtractValueInst>(From[I]))
      return true;
  }
  return false;
}

bool GlobalRegion::takesFloatsApart() {
  if (!TakesFloatsApart)
    TakesFloatsApart = any_of(
        Region, [](const Function *F) { return adze::takesFloatsApart(*F); });
  return *TakesFloatsApart;
}

bool GlobalRegion::mayHoldFloatBits(const GlobalVariable &G) {
  if (isOfAnotherFile(G) || isDeclaredInactive(G) || !takesFloatsApart())
    return false;
  auto [It, New] = HoldsBits.try_emplace(&G, false);
  if (New)
    It->second = anyUse(G, [&](const Use &U) { return storesFloatBits(U); });
  return HoldsBits[&G];
}

/// Words. (Of bytes see isStoredAsBytes.)
bool GlobalRegion::storesFloatBits(const Use &U) const {
  auto *S = dyn_cast<StoreInst>(U.getUser());
  if (!S || U.getOperandNo() != StoreInst::getPointerOperandIndex() ||
      !contains(*S->getFunction()))
    return false;
  Type *Ty = S->getValueOperand()->getType();
  return Ty->isIntegerTy() && Ty->getIntegerBitWidth() % 16 == 0 &&
         mayBePartOfFloat(S->getValueOperand());
}

/// An integer stored to a buffer of bytes may be the bits of floats.
static bool isStoredAsBytes(const GlobalVariable &G, const Value *V) {
  Type *Ty = G.getValueType(), *Stored = V->getType();
  while (auto *A = dyn_cast<ArrayType>(Ty))
    Ty = A->getElementType();
  auto *S = dyn_cast<StructType>(Ty);
  bool Union = S && S->hasName() && S->getName().starts_with("union.");
  if (!Stored->isIntOrIntVectorTy() || !(Ty->isIntegerTy(8) || Union) ||
      G.getDataLayout().getTypeStoreSize(G.getValueType()) < sizeof(float))
    return false;
  return Stored->getScalarSizeInBits() > 8 || mayBeByteOfFloat(V);
}

/// \p V, as large as an address, may be one. (What was not promoted to
/// registers yet is seen through variables on the stack.)
static bool mayBeAddress(const Value *V, const DataLayout &DL) {
  if (!V->getType()->isIntegerTy() ||
      V->getType()->getIntegerBitWidth() < DL.getPointerSizeInBits())
    return false;
  constexpr unsigned MaxValues = 64;
  SmallSetVector<const Value *, 16> From;
  From.insert(V);
  for (unsigned I = 0; I != From.size(); ++I) {
    if (I >= MaxValues || isa<Argument, PtrToIntInst, ConstantExpr>(From[I]))
      return true;
    auto *Inst = dyn_cast<Instruction>(From[I]);
    if (!Inst || isa<CmpInst, FPToSIInst, FPToUIInst, ZExtInst, SExtInst>(Inst))
      continue;
    if (isa<BinaryOperator, PHINode, SelectInst, FreezeInst, TruncInst>(Inst)) {
      for (const Value *Op : Inst->operand_values())
        From.insert(Op);
      continue;
    }
    auto *L = dyn_cast<LoadInst>(Inst);
    if (!L)
      return true;
    if (isa<GlobalVariable>(L->getPointerOperand()))
      continue; // itself, or one that is looked at for itself
    auto *Variable = dyn_cast<AllocaInst>(L->getPointerOperand());
    if (!Variable)
      return true;
    for (const User *U : Variable->users())
      if (auto *S = dyn_cast<StoreInst>(U);
          S && S->getValueOperand() != Variable)
        From.insert(S->getValueOperand());
      else if (!isa<LoadInst>(U) &&
               !cast<Instruction>(U)->isLifetimeStartOrEnd())
        return true;
  }
  return false;
}

bool GlobalRegion::useMayActivate(const GlobalVariable &G, const Use &U) const {
  auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I) {
    // In another global's initializer: reached through a pointer. Debug and
    // bookkeeping lists (llvm.used) only name it.
    auto *Owner = dyn_cast<GlobalVariable>(U.getUser());
    return !Owner || !Owner->getName().starts_with("llvm.");
  }
  bool Inside = Region.contains(I->getFunction());
  if (isa<LoadInst, ICmpInst>(I))
    return false;
  if (auto *S = dyn_cast<StoreInst>(I)) {
    if (U.getOperandNo() != StoreInst::getPointerOperandIndex())
      return true; // its address is kept somewhere
    // Numbers written in the program depend on nothing.
    if (!Inside || isa<ConstantData>(S->getValueOperand()))
      return false;
    Type *Stored = S->getValueOperand()->getType();
    return typeHasFloats(Stored) || typeHasPointers(Stored) ||
           typeHasFloats(G.getValueType()) ||
           isStoredAsBytes(G, S->getValueOperand()) ||
           (IntegerPointers &&
            mayBeAddress(S->getValueOperand(), M.getDataLayout())) ||
           isa<BitCastInst>(S->getValueOperand());
  }
  if (auto *Call = dyn_cast<CallBase>(I))
    return !Call->isArgOperand(&U) ||
           callMayActivate(G, *Call, Call->getArgOperandNo(&U), Inside);
  return Inside || !isa<AtomicRMWInst, AtomicCmpXchgInst>(I);
}

bool GlobalRegion::callMayActivate(const GlobalVariable &G,
                                   const CallBase &Call, unsigned Operand,
                                   bool Inside) const {
  if (Call.isDebugOrPseudoInst() || Call.isLifetimeStartOrEnd())
    return false;
  // Outside of the region a call may keep the address of the global for
  // others to store through; for a table of pointers that only costs, and
  // the shadow of pointers set up outside would not be there.
  if (!Inside)
    return !Call.doesNotCapture(Operand) && !lookupKnown(Call) &&
           !isa<MemIntrinsic>(Call) && !typeHasPointers(G.getValueType());
  if (Call.onlyReadsMemory(Operand) && Call.doesNotCapture(Operand))
    return false;
  if (isa<AnyMemTransferInst>(Call))
    return Operand == 0;
  if (isa<AnyMemSetInst>(Call))
    return false;
  if (const KnownFunction *Known = lookupKnown(Call)) {
    if (FollowsText && Known->TextWays)
      return true;
    return Known->mayActivate(Operand);
  }
  return true;
}

} // namespace adze
