// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/GivenDerivatives.h"
#include "adze/Diagnostics.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze::given {

//===----------------------------------------------------------------------===//
// Which functions
//===----------------------------------------------------------------------===//

/// String attributes of a function that has some, and kinds of metadata, which
/// say what is registered for it. (To ask for metadata alone would leave the
/// kind's name in the bitcode of every module.)
static constexpr char GradientKind[] = "adze.gradient";
static constexpr char ForwardKind[] = "adze.forward";
static constexpr char SplitForwardKind[] = "adze.splitforward";

static void set(Function &F, StringRef Kind, ArrayRef<Function *> Given) {
  SmallVector<Metadata *, 2> Operands;
  for (Function *G : Given)
    Operands.push_back(ValueAsMetadata::get(G));
  F.setMetadata(Kind, MDNode::get(F.getContext(), Operands));
  F.addFnAttr(Kind);
  // Calls by address become calls by name in time.
  F.addFnAttr(Attribute::NoInline);
}

static Function *registered(const Function &F, StringRef Kind, unsigned I) {
  return mdconst::extract<Function>(F.getMetadata(Kind)->getOperand(I));
}

void setGradient(Function &F, Function &Augmented, Function &Reverse) {
  set(F, GradientKind, {&Augmented, &Reverse});
}

void setForward(Function &F, Function &Forward) {
  set(F, ForwardKind, {&Forward});
}

void setSplitForward(Function &F, Function &Augmented, Function &Forward) {
  set(F, SplitForwardKind, {&Augmented, &Forward});
}

void clear(Function &F) {
  for (StringRef Kind : {GradientKind, ForwardKind, SplitForwardKind}) {
    F.setMetadata(Kind, nullptr);
    F.removeFnAttr(Kind);
  }
}

static constexpr char ExchangeKind[] = "adze.exchange";

void setExchange(Function &F) { F.addFnAttr(ExchangeKind); }

bool setExchange(Function &F, StringRef Roles) {
  if (Roles.size() != F.arg_size())
    return false;
  for (auto [A, Role] : zip(F.args(), Roles)) {
    const bool IsBuffer = StringRef("rwm").contains(toLower(Role));
    if (IsBuffer && !A.getType()->isPointerTy())
      return false;
    if (toLower(Role) == 'r')
      A.addAttr(Attribute::ReadOnly);
    else if (toLower(Role) == 'w')
      A.addAttr(Attribute::WriteOnly);
    else if (Role == 'i')
      A.addAttr(Attribute::get(F.getContext(), declared::Inactive));
    if (IsBuffer && isLower(Role))
      A.addAttr(Attribute::NoCapture);
  }
  F.setDoesNotThrow();
  setExchange(F);
  return true;
}

bool isExchange(const Function &F) { return F.hasFnAttribute(ExchangeKind); }

static constexpr char QueryKind[] = "adze.shadow.query";

void setShadowQuery(Function &F) {
  setExchange(F);
  F.addFnAttr(QueryKind);
}

bool isShadowQuery(const Function &F) { return F.hasFnAttribute(QueryKind); }

static constexpr char TableCallKind[] = "adze.table.call";

void setTableCall(Function &F) {
  F.addFnAttr(TableCallKind);
  F.getArg(0)->addAttr(Attribute::get(F.getContext(), declared::Inactive));
}

bool isTableCall(const Function &F) { return F.hasFnAttribute(TableCallKind); }

bool isPassed(const Argument &A) {
  return A.getArgNo() != 0 || !isTableCall(*A.getParent());
}

static constexpr char TeamKind[] = "adze.team.hook";

void setTeamHook(Function &F, Function &Hook) { set(F, TeamKind, {&Hook}); }

Function *teamHookOf(const Function &F) {
  return F.hasFnAttribute(TeamKind) ? registered(F, TeamKind, 0) : nullptr;
}

static constexpr char DirectionKind[] = "adze.direction.hook";
static constexpr char OnceKind[] = "adze.directions.once";

void setExchanging(Function &F, Exchanging How, Function *Hook) {
  if (How == Exchanging::Once)
    F.addFnAttr(OnceKind);
  else if (How == Exchanging::Each)
    set(F, DirectionKind, {Hook});
}

Exchanging exchangingOf(const Function &F) {
  return F.hasFnAttribute(OnceKind) ? Exchanging::Once
         : directionHookOf(F)       ? Exchanging::Each
                                    : Exchanging::OneDirection;
}

Function *directionHookOf(const Function &F) {
  return F.hasFnAttribute(DirectionKind) ? registered(F, DirectionKind, 0)
                                         : nullptr;
}

static constexpr char DescribedKind[] = "adze.described";
static constexpr char ToldKind[] = "adze.told";

void setDescribed(Function &F, Function &Describe,
                  ArrayRef<Described> Parameters) {
  LLVMContext &C = F.getContext();
  SmallVector<Metadata *, 5> Operands{ValueAsMetadata::get(&Describe)};
  for (const Described &D : Parameters)
    for (unsigned K : {D.Buffer, D.By})
      Operands.push_back(
          ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), K)));
  F.setMetadata(DescribedKind, MDNode::get(C, Operands));
  F.addFnAttr(DescribedKind);
}

void setTold(CallBase &Call, unsigned By) {
  Call.addParamAttr(By, Attribute::get(Call.getContext(), ToldKind));
}

SmallVector<Described, 2> describedOf(const CallBase &Call) {
  SmallVector<Described, 2> Found;
  auto *F = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!F || !F->hasFnAttribute(DescribedKind) || isDeclaredInactive(Call) ||
      F->getFunctionType() != Call.getFunctionType())
    return Found;
  const MDNode &All = *F->getMetadata(DescribedKind);
  auto parameter = [&](unsigned I) -> unsigned {
    return mdconst::extract<ConstantInt>(All.getOperand(I))->getZExtValue();
  };
  for (unsigned I = 1; I < All.getNumOperands(); I += 2)
    if (const Described D = {parameter(I), parameter(I + 1)};
        !Call.getAttributes().hasParamAttr(D.By, ToldKind))
      Found.push_back(D);
  return Found;
}

Function &describerOf(const Function &F) {
  return *mdconst::extract<Function>(
      F.getMetadata(DescribedKind)->getOperand(0));
}

bool has(const Function &F, DerivativeMode M) {
  if (M == DerivativeMode::Reverse)
    return F.hasFnAttribute(GradientKind);
  return F.hasFnAttribute(ForwardKind) || F.hasFnAttribute(SplitForwardKind);
}

bool hasAny(const Function &F) {
  return has(F, DerivativeMode::Forward) || has(F, DerivativeMode::Reverse);
}

Function *calleeOf(const CallBase &Call, DerivativeMode M) {
  auto *F = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  return F && has(*F, M) && F->getFunctionType() == Call.getFunctionType()
             ? F
             : nullptr;
}

//===----------------------------------------------------------------------===//
// How they are called
//===----------------------------------------------------------------------===//

bool takesShadow(const Argument &A) {
  return A.getType()->isPointerTy() && !isDeclaredInactive(A);
}

bool isFloat(const Argument &A) {
  return A.getType()->isFloatingPointTy() && !isDeclaredInactive(A);
}

namespace {

std::string inWords(const FunctionType &Ty) {
  std::string Text;
  raw_string_ostream(Text) << Ty;
  return Text;
}

Error wrong(const Function &G, const Twine &Why) {
  return createStringError(Twine("'") + sourceName(G) + "' " + Why);
}

/// What \p F itself must be like.
Error checkPrimal(const Function &F) {
  Type *Ret = F.getReturnType();
  if (F.isVarArg())
    return wrong(F, "has variable arguments");
  if (!Ret->isVoidTy() && !Ret->isFloatingPointTy() && !Ret->isIntegerTy())
    return wrong(F, "returns neither a number nor nothing");
  for (const Argument &A : F.args()) {
    Type *Ty = A.getType();
    if (A.hasByValAttr() || A.hasStructRetAttr() ||
        !(Ty->isPointerTy() || Ty->isFloatingPointTy() || Ty->isIntegerTy()))
      return wrong(F, "passes or returns a structure or a vector by value");
  }
  return Error::success();
}

/// The parameters of a derivative function: those of \p F, with shadows.
SmallVector<Type *, 8> parametersFor(const Function &F, bool Forward) {
  SmallVector<Type *, 8> Types;
  for (const Argument &A : F.args()) {
    if (!isPassed(A))
      continue;
    Types.push_back(A.getType());
    if (takesShadow(A) || (Forward && isFloat(A)))
      Types.push_back(A.getType());
  }
  return Types;
}

Type *returnedInMemory(const Function &G) {
  return G.arg_size() > 0 && G.hasStructRetAttr() ? G.getParamStructRetType(0)
                                                  : nullptr;
}

/// The parameters of \p G but for the address of what it returns; a structure
/// by value is its type.
SmallVector<Type *, 8> parametersOf(const Function &G) {
  SmallVector<Type *, 8> Types;
  for (const Argument &A : G.args())
    if (!A.hasStructRetAttr())
      Types.push_back(A.hasByValAttr() ? A.getParamByValType() : A.getType());
  return Types;
}

/// The scalars of \p Ty, in order.
void addScalars(Type *Ty, SmallVectorImpl<Type *> &Scalars) {
  if (auto *S = dyn_cast<StructType>(Ty))
    for (Type *Element : S->elements())
      addScalars(Element, Scalars);
  else
    Scalars.push_back(Ty);
}

/// What lies as \p B may be read as \p A. The calling convention may have
/// joined members.
bool haveEqualMembers(Type *A, Type *B, const DataLayout &DL) {
  SmallVector<Type *, 4> OfA, OfB;
  addScalars(A, OfA);
  addScalars(B, OfB);
  return OfA.size() != OfB.size() || all_of(zip(OfA, OfB), [&](auto Pair) {
           auto [X, Y] = Pair;
           return DL.getTypeStoreSize(X) == DL.getTypeStoreSize(Y) &&
                  X->isFloatingPointTy() == Y->isFloatingPointTy();
         });
}

/// \p G returns what lies in memory as \p Record, or nothing if that is null.
bool returns(const Function &G, StructType *Record) {
  const DataLayout &DL = G.getParent()->getDataLayout();
  Type *Ty = returnedInMemory(G);
  if (!Ty)
    Ty = G.getReturnType();
  if (Ty->isVoidTy() || !Record)
    return Ty->isVoidTy() && !Record;
  // The convention may leave the padding at the end out.
  const uint64_t Bytes = DL.getTypeStoreSize(Ty);
  return haveEqualMembers(Ty, Record, DL) &&
         (Bytes == DL.getTypeStoreSize(Record) ||
          DL.getTypeAllocSize(Ty) == DL.getTypeAllocSize(Record));
}

StructType *recordOf(LLVMContext &C, ArrayRef<Type *> Fields) {
  return Fields.empty() ? nullptr : StructType::get(C, Fields);
}

std::string takes(ArrayRef<Type *> Types, bool More = false) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "takes (";
  ListSeparator Comma;
  for (Type *Ty : Types)
    OS << Comma << *Ty;
  OS << (More ? ", ...)" : ")");
  return Text;
}

std::string returnsInWords(StructType *Record) {
  if (!Record)
    return "returns nothing";
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "returns ";
  if (Record->getNumElements() == 1)
    OS << *Record->getElementType(0);
  else
    OS << *Record;
  return Text;
}

Error unfit(const Function &G, const std::string &Wanted) {
  return wrong(G, "is '" + inWords(*G.getFunctionType()) +
                      "', where one is wanted that " + Wanted);
}

/// What an augmented function returns: what it keeps, then the result.
StructType *keptOf(StructType *Tape, Type *Result) {
  SmallVector<Type *, 2> Kept;
  if (Tape)
    Kept.push_back(Tape);
  if (!Result->isVoidTy())
    Kept.push_back(Result);
  return recordOf(Result->getContext(), Kept);
}

std::string returnsKept(StructType *Kept, const Type *Result) {
  return returnsInWords(Kept) +
         (Result->isVoidTy()
              ? " (what the other one takes at its end)"
              : " (what the other one takes at its end, then the result)");
}

/// What a table's functions for type \p Ty may be.
bool mayBeInTables(const FunctionType &Ty) {
  Type *Ret = Ty.getReturnType();
  return !Ty.isVarArg() &&
         (Ret->isVoidTy() || Ret->isFloatingPointTy() || Ret->isIntegerTy()) &&
         all_of(Ty.params(), [](Type *P) {
           return P->isPointerTy() || P->isFloatingPointTy() ||
                  P->isIntegerTy();
         });
}

} // namespace

SmallVector<Type *, 8> parametersFor(const FunctionType &F, bool Forward) {
  SmallVector<Type *, 8> Types;
  for (Type *Ty : F.params()) {
    Types.push_back(Ty);
    if (Ty->isPointerTy() || (Forward && Ty->isFloatingPointTy()))
      Types.push_back(Ty);
  }
  return Types;
}

bool fitsTable(const Function &G, const FunctionType &Ty, TableEntry E) {
  if (!mayBeInTables(Ty) || G.isVarArg())
    return false;
  Type *Ret = Ty.getReturnType();
  const bool Forward = E == TableEntry::Forward;
  SmallVector<Type *, 8> Params = parametersFor(Ty, Forward), Adjoints;
  for (Type *P : Ty.params())
    if (P->isFloatingPointTy())
      Adjoints.push_back(P);
  auto *Tape = PointerType::getUnqual(G.getContext());
  StructType *Returned = nullptr;
  if (E == TableEntry::Augmented) {
    Returned = keptOf(StructType::get(Tape), Ret);
  } else if (E == TableEntry::Reverse) {
    if (Ret->isFloatingPointTy())
      Params.push_back(Ret);
    Params.push_back(Tape);
    Returned = recordOf(G.getContext(), Adjoints);
  } else if (Ret->isFloatingPointTy()) {
    Returned = StructType::get(Ret, Ret);
    if (parametersOf(G) == Params && returns(G, StructType::get(Ret)))
      return true;
  } else if (Ret->isIntegerTy()) {
    Returned = StructType::get(Ret);
  }
  return parametersOf(G) == Params && returns(G, Returned);
}

Expected<Gradient> gradientOf(const Function &F) {
  if (Error Wrong = checkPrimal(F))
    return Wrong;
  LLVMContext &C = F.getContext();
  Gradient G;
  G.Augmented = registered(F, GradientKind, 0);
  G.Reverse = registered(F, GradientKind, 1);
  const SmallVector<Type *, 8> Common = parametersFor(F, /*Forward=*/false);
  if (parametersOf(*G.Augmented) != Common)
    return unfit(*G.Augmented, takes(Common));
  SmallVector<Type *, 8> Head = Common, Adjoints;
  Type *Ret = F.getReturnType();
  if (Ret->isFloatingPointTy())
    Head.push_back(Ret);
  const SmallVector<Type *, 8> Actual = parametersOf(*G.Reverse);
  if (ArrayRef(Actual).take_front(Head.size()) != ArrayRef(Head))
    return unfit(*G.Reverse, takes(Head, /*More=*/true));
  G.Tape = recordOf(C, ArrayRef(Actual).drop_front(Head.size()));
  for (const Argument &A : F.args())
    if (isFloat(A))
      Adjoints.push_back(A.getType());
  G.Adjoints = recordOf(C, Adjoints);
  G.Kept = keptOf(G.Tape, Ret);
  if (!returns(*G.Augmented, G.Kept))
    return unfit(*G.Augmented, returnsKept(G.Kept, Ret));
  if (!returns(*G.Reverse, G.Adjoints))
    return unfit(*G.Reverse, returnsInWords(G.Adjoints));
  return G;
}

/// In two steps: the augmented function returns the result, the other one the
/// tangent alone.
static Expected<Tangent> splitTangentOf(const Function &F) {
  LLVMContext &C = F.getContext();
  Tangent T;
  T.Augmented = registered(F, SplitForwardKind, 0);
  T.Forward = registered(F, SplitForwardKind, 1);
  const SmallVector<Type *, 8> Common = parametersFor(F, /*Forward=*/false);
  if (parametersOf(*T.Augmented) != Common)
    return unfit(*T.Augmented, takes(Common));
  const SmallVector<Type *, 8> Head = parametersFor(F, /*Forward=*/true);
  const SmallVector<Type *, 8> Actual = parametersOf(*T.Forward);
  if (ArrayRef(Actual).take_front(Head.size()) != ArrayRef(Head))
    return unfit(*T.Forward, takes(Head, /*More=*/true));
  T.Tape = recordOf(C, ArrayRef(Actual).drop_front(Head.size()));
  Type *Ret = F.getReturnType();
  T.Kept = keptOf(T.Tape, Ret);
  if (!returns(*T.Augmented, T.Kept))
    return unfit(*T.Augmented, returnsKept(T.Kept, Ret));
  T.Returned = Ret->isFloatingPointTy() ? StructType::get(Ret) : nullptr;
  if (!returns(*T.Forward, T.Returned))
    return unfit(*T.Forward, returnsInWords(T.Returned));
  return T;
}

Expected<Tangent> tangentOf(const Function &F) {
  if (Error Wrong = checkPrimal(F))
    return Wrong;
  if (!F.hasFnAttribute(ForwardKind))
    return splitTangentOf(F);
  Tangent T;
  T.Forward = registered(F, ForwardKind, 0);
  const SmallVector<Type *, 8> Wanted = parametersFor(F, /*Forward=*/true);
  if (parametersOf(*T.Forward) != Wanted)
    return unfit(*T.Forward, takes(Wanted));
  Type *Ret = F.getReturnType();
  StructType *Alone = nullptr, *Both = nullptr;
  if (Ret->isFloatingPointTy()) {
    Alone = StructType::get(Ret);
    Both = StructType::get(Ret, Ret);
  } else if (Ret->isIntegerTy()) {
    Both = StructType::get(Ret);
  }
  T.ReturnsPrimal = Both && returns(*T.Forward, Both);
  T.Returned = T.ReturnsPrimal ? Both : Alone;
  if (!T.ReturnsPrimal && !returns(*T.Forward, Alone))
    return unfit(*T.Forward, returnsInWords(Both ? Both : Alone));
  return T;
}

} // namespace adze::given
