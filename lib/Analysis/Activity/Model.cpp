// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Activity/Model.h"
#include "adze/AddressMarks.h"
#include "adze/KnownFunction.h"
#include "adze/Options.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

/// Heap objects of a callee that its callers tell apart, times
/// Options::ActivityDetail.
static constexpr unsigned MaxSharedHeap = 4;

Model::Model(const Primal &P, const TypeInfo *Types, GlobalRegion &Globals,
             bool Outermost)
    : P(P), Types(Types), Globals(Globals),
      DL(P.F->getParent()->getDataLayout()), G(Outermost),
      Outermost(Outermost) {}

unsigned Model::numFields(const Value *V) const {
  return scalarFieldsOf(V->getType(), DL).size();
}

NodeId Model::node(const Value *V, unsigned Field) {
  if (auto *C = dyn_cast<Constant>(V))
    return constant(C);
  auto [It, New] = First.try_emplace(V, 0);
  if (New) {
    It->second = G.numNodes();
    for (unsigned I = 0, E = numFields(V); I < E; ++I)
      G.addNode();
  }
  return It->second + Field;
}

NodeId Model::find(const Value *V, unsigned Field) const {
  auto It = First.find(V);
  if (It == First.end())
    return None;
  return isa<Constant>(V) ? It->second : It->second + Field;
}

NodeId Model::constant(const Constant *C) {
  auto It = First.find(C);
  if (It != First.end())
    return It->second;
  NodeId N = G.addNode();
  First[C] = N;
  ConstantNodes.insert(N);
  pointToGlobals(N, C);
  return N;
}

/// Virtual tables and type information (Itanium C++ ABI) hold addresses of
/// code, names, and each other: no floats, and no pointers to any.
static bool isOfTheLanguage(const GlobalVariable &G) {
  StringRef Name = G.getName();
  return Name.starts_with("_ZTV") || Name.starts_with("_ZTI") ||
         Name.starts_with("_ZTS") || Name.starts_with("_ZTT");
}

/// The constants that the constant \p G leads to hold no pointers.
static bool isTableOfTexts(const GlobalVariable &G) {
  constexpr unsigned MaxParts = 256;
  if (isOfTheLanguage(G) || !G.hasDefinitiveInitializer())
    return false;
  SmallSetVector<const Constant *, 8> Parts;
  Parts.insert(G.getInitializer());
  for (unsigned I = 0; I < Parts.size(); ++I) {
    if (auto *Variable = dyn_cast<GlobalVariable>(Parts[I])) {
      if (typeHasPointers(Variable->getValueType()))
        return false;
      continue;
    }
    if (isa<GlobalValue>(Parts[I]) || I >= MaxParts)
      return false;
    for (const Use &Operand : Parts[I]->operands())
      if (!isa<ConstantData>(Operand))
        Parts.insert(cast<Constant>(Operand));
  }
  return true;
}

void Model::pointToGlobal(NodeId N, const GlobalVariable &Variable,
                          int64_t Offset) {
  if (isOfTheLanguage(Variable) || Globals.isInert(Variable))
    G.point(N, {!typeHasPointers(Variable.getValueType()) ? G.TextObject
                : isTableOfTexts(Variable)                ? G.TableObject
                                                          : G.LanguageObject,
                AnyOffset});
  else
    G.point(N, {global(Variable), Offset});
}

/// Every global whose address \p C holds is a target; at a known offset if
/// \p C is that address.
void Model::pointToGlobals(NodeId N, const Constant *C) {
  if (C->getType()->isPointerTy()) {
    APInt Offset(DL.getIndexTypeSizeInBits(C->getType()), 0);
    const Value *Base = C->stripAndAccumulateConstantOffsets(
        DL, Offset, /*AllowNonInbounds=*/true);
    if (auto *A = dyn_cast<GlobalAlias>(Base))
      Base = A->getAliaseeObject();
    if (auto *Variable = dyn_cast_or_null<GlobalVariable>(Base)) {
      pointToGlobal(N, *Variable, Offset.getSExtValue());
      return;
    }
  }
  SmallVector<const Constant *, 8> Work(1, C);
  SmallPtrSet<const Constant *, 8> Seen;
  while (!Work.empty()) {
    const Constant *Part = Work.pop_back_val();
    if (!Seen.insert(Part).second || isa<Function>(Part))
      continue;
    if (auto *Variable = dyn_cast<GlobalVariable>(Part)) {
      pointToGlobal(N, *Variable, AnyOffset);
      continue;
    }
    for (const Use &Operand : Part->operands())
      if (auto *Inner = dyn_cast<Constant>(Operand))
        Work.push_back(Inner);
  }
}

ObjectId Model::global(const GlobalVariable &Variable) {
  auto It = GlobalObjects.find(&Variable);
  if (It != GlobalObjects.end())
    return It->second;
  Object O;
  O.Kind = ObjectKind::Global;
  O.Origin = &Variable;
  if (Globals.mayBeActive(Variable))
    O.Bits |= MemoryShadow | MemoryVaried | MemoryUseful;
  if (Globals.mayHoldFloatBits(Variable))
    O.Bits |= MemoryFloatBits;
  if (isDeclaredInactive(Variable))
    O.Bits |= MemoryDrops;
  ObjectId Id;
  if (Variable.isConstant() && Variable.hasDefinitiveInitializer()) {
    O.Kind = ObjectKind::ConstantGlobal;
    Type *Ty = Variable.getValueType();
    O.Irrelevant = !typeHasPointers(Ty) && !typeHasFloats(Ty);
    // Zeros for its floats and shadows for its pointers, if it needs one.
    O.Shadow = ObjectShadow::Possible;
    Id = G.addObject(O);
    NodeId Initial = G.addNode();
    G.Objects[Id].Initial = Initial;
    G.Objects[Id].Stores.push_back(
        {AnyOffset, AnySize, Initial, StoredAs::Other, /*OnEntry=*/true});
  } else {
    Id = G.addExternal(O);
  }
  GlobalObjects[&Variable] = Id;
  if (Variable.hasInitializer() && typeHasPointers(Variable.getValueType()))
    Initializers.push_back(&Variable);
  if (!InInitializers)
    readInitializers();
  return Id;
}

/// Initializers may refer to globals in long chains, and in cycles.
void Model::readInitializers() {
  InInitializers = true;
  while (!Initializers.empty()) {
    const GlobalVariable *Variable = Initializers.pop_back_val();
    ObjectId Id = GlobalObjects.lookup(Variable);
    pointToGlobals(G.Objects[Id].Initial, Variable->getInitializer());
  }
  InInitializers = false;
}

std::optional<ObjectId> Model::findGlobal(const GlobalVariable &V) const {
  auto It = GlobalObjects.find(&V);
  return It == GlobalObjects.end() ? std::nullopt : std::optional(It->second);
}

/// Whether the layout has \p K, or bytes of which nothing is known.
static bool mayHave(const BlockLayout &L, ConcreteType::Kind K) {
  uint64_t Known = 0;
  for (const TypedRange &R : L.Ranges) {
    if (R.Type.kind() == K || R.Type.kind() == ConcreteType::Anything)
      return true;
    if (R.Type.isKnown())
      Known += R.End - R.Begin;
  }
  return Known < L.Period;
}

/// By its types, all memory that \p A leads to.
static bool isFullOfFloats(const Argument &A, const TypeInfo &Types) {
  if (!A.getType()->isPointerTy())
    return false;
  BlockLayout L = Types.memoryLayout(&A, UINT64_MAX);
  return !mayHave(L, ConcreteType::Pointer) &&
         !mayHave(L, ConcreteType::Integer);
}

ObjectId Model::argument(const Argument &A, uint16_t Bits) {
  if (Types && isFullOfFloats(A, *Types))
    Bits |= NoPointers;
  Object O;
  O.Kind = ObjectKind::Argument;
  O.Origin = &A;
  O.Index = A.getArgNo();
  O.Bits = Bits | (Bits & NoPointers ? NoneBehind : 0);
  return G.addExternal(O);
}

/// An object of a class without members, as algorithms are passed by reference:
/// it is no more than its address, which stands beside those of data (in the
/// kernels of Eigen). A shadow costs nothing, and whoever loses track of which
/// address is which has one.
static bool isOfEmptyClass(const Value &V, const DataLayout &DL) {
  auto *A = dyn_cast<AllocaInst>(&V);
  return A && A->getAllocatedType()->isStructTy() &&
         A->getAllocationSize(DL) == TypeSize::getFixed(1);
}

ObjectId Model::allocation(const Value &By, ObjectKind Kind) {
  Object O;
  O.Kind = Kind;
  O.Origin = &By;
  O.Shadow =
      isOfEmptyClass(By, DL) ? ObjectShadow::Needed : ObjectShadow::Possible;
  if (Kind == ObjectKind::Heap)
    O.Index =
        std::min(NumHeap++, MaxSharedHeap * Options::get().ActivityDetail - 1);
  return G.addObject(O);
}

NodeId Model::closure(NodeId Root) {
  NodeId Behind = G.addNode();
  G.load(Root, AnyOffset, AnySize, Behind, Pointers);
  G.load(Behind, AnyOffset, AnySize, Behind, Pointers);
  return Behind;
}

bool Model::mayHoldFloats(const Value *V) const {
  Type *Ty = V->getType();
  if (typeHasFloats(Ty))
    return true;
  if (typeHasPointers(Ty) && !Ty->isAggregateType())
    return false;
  if (!Ty->isSized() || Ty->getScalarSizeInBits() % 8 != 0)
    return false;
  return !Types || mayHave(Types->valueLayout(V), ConcreteType::Float);
}

bool Model::mayPointToFloats(const Value *Ptr, int64_t Size) const {
  return Types && Size >= 2 && Size != AnySize &&
         Types->memoryLayout(Ptr, Size).has(ConcreteType::Float);
}

bool Model::mayCopyPointers(const Value *To, const Value *From,
                            int64_t Size) const {
  if (!Types)
    return true;
  uint64_t Bytes = Size == AnySize ? UINT64_MAX : uint64_t(Size);
  BlockLayout AtTo = Types->memoryLayout(To, Bytes);
  BlockLayout AtFrom = Types->memoryLayout(From, Bytes);
  auto mayBe = [&](const Value *Ptr, const BlockLayout &At) {
    return mayHave(At, ConcreteType::Pointer) || leadsToDoubtfulNumbers(Ptr);
  };
  // Where the two contradict each other, pointers it is.
  return AtTo.has(ConcreteType::Pointer) || AtFrom.has(ConcreteType::Pointer) ||
         (mayBe(To, AtTo) && mayBe(From, AtFrom));
}

/// Integers as large as an address stand behind \p Ptr, of which comparisons or
/// declarations alone say that they are numbers.
bool Model::leadsToDoubtfulNumbers(const Value *Ptr) const {
  return Globals.hasIntegerPointers() &&
         any_of(Types->treeOf(Ptr).pointeeAt(0).facts(),
                [&](const TypeFact &F) {
                  return F.Type.isInteger() && F.Sure == Certainty::Hint &&
                         F.Place.Size >= DL.getPointerSize();
                });
}

/// Values that are looked at to find where a part of an address comes from, and
/// where it is stored.
static constexpr unsigned MaxSteps = 64;

/// \p User computes with a number, or compares it.
static bool isCounting(const Instruction &User) {
  return isa<ICmpInst>(User) || ((User.getOpcode() == Instruction::Add ||
                                  User.getOpcode() == Instruction::Sub) &&
                                 isa<ConstantInt>(User.getOperand(1)));
}

/// Of integer \p V comparisons with constants are made, and parts are counted
/// with: two counters that one access reads. An address would go somewhere.
/// \p Whole: no integer of the module is an address, so that what is counted
/// with as a whole is none.
static bool holdsCounters(const Value *V, bool Whole) {
  SmallSetVector<const Value *, 8> Parts;
  for (const User *U : V->users()) {
    auto *Compare = dyn_cast<ICmpInst>(U);
    if (isa<TruncInst>(U))
      Parts.insert(U);
    else if (!(Compare && isa<ConstantInt>(Compare->getOperand(1))) &&
             !(Whole && isCounting(*cast<Instruction>(U))))
      return false;
  }
  for (unsigned I = 0; I != Parts.size(); ++I)
    for (const User *U : Parts[I]->users()) {
      if (isa<PHINode, SelectInst>(U) && Parts.size() < MaxSteps)
        Parts.insert(U);
      else if (!isCounting(*cast<Instruction>(U)))
        return false;
    }
  return true;
}

bool Model::mayHoldPointers(const Value *V) const {
  Type *Ty = V->getType();
  if (typeHasPointers(Ty))
    return true;
  if (Ty->isFPOrFPVectorTy() || !Ty->isSized())
    return false;
  if (Ty->isIntegerTy() && Ty->getIntegerBitWidth() < DL.getPointerSizeInBits())
    return isHalfOfPointer(V) || isStoredPart(V);
  if (!Ty->isIntOrIntVectorTy() && !Ty->isAggregateType())
    return false;
  if (isa<LoadInst>(V) && Ty->isIntegerTy(DL.getPointerSizeInBits()) &&
      holdsCounters(V, !Globals.hasIntegerPointers()) && Types &&
      !Types->valueLayout(V).has(ConcreteType::Pointer))
    return false;
  return seenAsPointer(V) || isDoubtfulNumber(V) || isMovedAddress(V);
}

/// By its bits, or because nothing is known of them.
bool Model::seenAsPointer(const Value *V) const {
  return !Types || mayHave(Types->valueLayout(V), ConcreteType::Pointer);
}

/// Taken from an integer as large as an address, or put into one.
bool Model::isHalfOfPointer(const Value *V) const {
  unsigned Whole = DL.getPointerSizeInBits();
  if (!V->getType()->isIntegerTy(Whole / 2) || !Globals.hasIntegerPointers())
    return false;
  if (auto *Cut = dyn_cast<TruncInst>(V))
    return !Types || Cut->getSrcTy()->getIntegerBitWidth() > Whole ||
           mayHave(Types->valueLayout(Cut->getOperand(0)),
                   ConcreteType::Pointer);
  if (!any_of(V->users(), [&](const User *U) {
        return isa<ZExtInst>(U) && U->getType()->isIntegerTy(Whole);
      }))
    return false;
  return seenAsPointer(V);
}

/// Stored, or the choice of it and others is.
static bool isStored(const Value *V) {
  SmallSetVector<const Value *, 8> Parts;
  Parts.insert(V);
  for (unsigned I = 0; I < Parts.size() && I < MaxSteps; ++I)
    for (const User *U : Parts[I]->users()) {
      if (auto *Store = dyn_cast<StoreInst>(U);
          Store && Store->getValueOperand() == Parts[I])
        return true;
      if (isa<PHINode, SelectInst>(U))
        Parts.insert(U);
    }
  return false;
}

/// An address, or a part of one: its bytes may be put together in memory.
bool Model::isOfPointer(const Value *V) const {
  SmallSetVector<const Value *, 8> From;
  From.insert(V);
  for (unsigned K = 0; K < From.size() && K < MaxSteps; ++K) {
    if (From[K]->getType()->isIntegerTy(DL.getPointerSizeInBits()) &&
        Types->valueLayout(From[K]).has(ConcreteType::Pointer))
      return true;
    auto *I = dyn_cast<Instruction>(From[K]);
    if (I && isa<PHINode, SelectInst>(I))
      From.insert(I->value_op_begin(), I->value_op_end());
    else if (I && (isa<TruncInst>(I) || I->getOpcode() == Instruction::LShr ||
                   I->getOpcode() == Instruction::AShr))
      From.insert(I->getOperand(0));
  }
  return false;
}

bool Model::isStoredPart(const Value *V) const {
  return Types && V->getType()->getIntegerBitWidth() % 8 == 0 &&
         isOfPointer(V) && isStored(V);
}

/// An integer as large as an address that is only moved: that it is a number
/// is what its declaration says, which is not believed where integers become
/// pointers.
bool Model::isDoubtfulNumber(const Value *V) const {
  Type *Ty = V->getType();
  if (!Globals.hasIntegerPointers() || seenAsPointer(V))
    return false;
  auto isWord = [&](Type *T) {
    return T->isIntegerTy(DL.getPointerSizeInBits());
  };
  bool Moved =
      isWord(Ty) &&
      isa<Argument, LoadInst, CallBase, PHINode, SelectInst, ExtractValueInst>(
          V);
  // A handle and its shadow's, which derivatives return.
  bool Paired = Ty->isStructTy() &&
                isa<CallBase, InsertValueInst, ExtractValueInst>(V) &&
                all_of(scalarFieldsOf(Ty, DL),
                       [&](const ScalarField &L) { return isWord(L.Ty); });
  // More than a declaration says that it is a number, and it is used as one.
  if (isa<LoadInst>(V) && isWord(Ty) && holdsCounters(V, /*Whole=*/true) &&
      any_of(Types->treeOf(V).facts(), [](const TypeFact &F) {
        return F.Type.isInteger() && F.Sure != Certainty::Hint;
      }))
    return false;
  return (Moved || Paired) &&
         none_of(Types->treeOf(V).facts(), [](const TypeFact &F) {
           return F.Type.isInteger() && F.Sure == Certainty::Definite;
         });
}

bool Model::isIntegerAddress(const Value *V) const {
  if (!V->getType()->isIntegerTy(DL.getPointerSizeInBits()) || isa<Constant>(V))
    return false;
  auto *A = dyn_cast<Argument>(V);
  return (A && Handles.contains(A)) ||
         (Types && Types->valueLayout(V).has(ConcreteType::Pointer)) ||
         isMovedAddress(V);
}

/// An address that was moved, aligned or marked, though types tell not which
/// operand is the address; or a remainder of it. All of these have a dual that
/// is right whether an address or a number has come of it.
bool Model::isMovedAddress(const Value *V, unsigned Depth) const {
  constexpr unsigned MaxDepth = 4;
  auto *I = dyn_cast<BinaryOperator>(V);
  if (!I || Depth == MaxDepth || !Types || !Globals.hasIntegerPointers() ||
      !V->getType()->isIntegerTy(DL.getPointerSizeInBits()))
    return false;
  auto isSeen = [&](unsigned K) {
    const Value *Op = I->getOperand(K);
    auto *A = dyn_cast<Argument>(Op);
    return !isa<Constant>(Op) &&
           ((A && Handles.contains(A)) ||
            Types->valueLayout(Op).has(ConcreteType::Pointer));
  };
  auto is = [&](unsigned K) {
    return isSeen(K) || isMovedAddress(I->getOperand(K), Depth + 1);
  };
  switch (I->getOpcode()) {
  case Instruction::And:
  case Instruction::URem:
  case Instruction::SRem:
    return !isAddressMark(*I) && (is(0) || is(1));
  case Instruction::Sub:
    if (isMovedDistance(*I) || (isSeen(0) && isSeen(1)))
      return false;
    [[fallthrough]];
  case Instruction::Add:
  case Instruction::Or:
    return is(0) || is(1);
  default:
    return false;
  }
}

} // namespace adze
