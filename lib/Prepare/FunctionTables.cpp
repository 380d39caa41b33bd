// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Prepare/FunctionTables.h"
#include "Prepare/VirtualTables.h"
#include "adze/GivenDerivatives.h"
#include "adze/OwnFunction.h"
#include "adze/RuntimeStop.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace adze {
namespace {

using given::TableEntry;

/// Pairs of functions beyond which only those count that stand side by side in
/// a constant.
constexpr unsigned MaxPairs = 16;

struct Halves {
  Function *Augmented, *Reverse; // Reverse is null where none is asked for
};

/// What tables of the program may hold for calls of one type.
struct Entries {
  SmallVector<Halves, 4> Pairs;
  SmallVector<Function *, 4> Forward;
  bool empty() const { return Pairs.empty() && Forward.empty(); }
};

/// What a marker differentiates is not stored for that, nor what is compared
/// with a pointer.
bool mayBeStored(const Use &U) {
  if (auto *Call = dyn_cast<CallBase>(U.getUser())) {
    const Function *Callee = Call->getCalledFunction();
    const bool IsMarker = Callee && Callee->getName().contains("__enzyme_");
    return !Call->isCallee(&U) &&
           !(IsMarker &&
             Call->getArgOperandNo(&U) == unsigned(Call->hasStructRetAttr()));
  }
  return !isa<ICmpInst>(U.getUser());
}

/// Functions of the program, of the type of \p E, that it may store somewhere.
SmallVector<Function *, 4> functionsFor(TableEntry E, const CallInst &Call) {
  SmallVector<Function *, 4> Found;
  for (Function &G : *const_cast<Module *>(Call.getModule()))
    if (!isOwn(G) && !G.isIntrinsic() && !isVirtual(G) &&
        given::fitsTable(G, *Call.getFunctionType(), E) &&
        any_of(G.uses(), mayBeStored))
      Found.push_back(&G);
  return Found;
}

/// \p Second stands behind \p First in a constant.
bool standTogether(const Function &First, const Function &Second) {
  return any_of(First.uses(), [&](const Use &U) {
    const auto *Table = dyn_cast<ConstantAggregate>(U.getUser());
    const unsigned Next = U.getOperandNo() + 1;
    return Table && Next < Table->getNumOperands() &&
           Table->getOperand(Next) == &Second;
  });
}

Entries entriesFor(const CallInst &Call) {
  Entries E;
  E.Forward = functionsFor(TableEntry::Forward, Call);
  const auto Augmented = functionsFor(TableEntry::Augmented, Call);
  const auto Reverse = functionsFor(TableEntry::Reverse, Call);
  const bool Many = Augmented.size() * Reverse.size() > MaxPairs;
  for (Function *A : Augmented)
    for (Function *R : Reverse)
      if (!Many || standTogether(*A, *R))
        E.Pairs.push_back({A, R});
  return E;
}

std::string typeText(const FunctionType &Ty) {
  std::string Text;
  raw_string_ostream(Text) << Ty;
  return Text;
}

Function *newOwn(FunctionType *Ty, const Twine &Name, Module &M) {
  Function *F = createOwn(Ty, GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  return F;
}

/// A query gives numbers, of pairs first, then of tangents. It is asked of the
/// pointer, or of an address behind which the pointer is at some distance, as
/// in tables of C++ objects: the shadow of that may be null.
class Query {
public:
  Query(Module &M, const Entries &E, bool Behind)
      : M(M), C(M.getContext()), E(E), Behind(Behind),
        Name((Behind ? "adze.table.query.behind" : "adze.table.query") +
             textOf(E)) {}

  Function *get() {
    if (Function *Known = M.getFunction(Name))
      return Known;
    Function *F = newOwn(typeOf(/*Shadows=*/false), Name, M);
    IRBuilder<> B(BasicBlock::Create(C, "", F));
    B.CreateStore(B.getInt32(0), F->getArg(1));
    B.CreateRetVoid();
    F->addParamAttr(0, Attribute::ReadOnly);
    F->addParamAttr(1, Attribute::WriteOnly);
    F->addParamAttr(1, Attribute::NoCapture);
    F->setMemoryEffects(MemoryEffects::argMemOnly());
    FunctionType *WithShadows = typeOf(/*Shadows=*/true);
    Function *Augmented = newOwn(WithShadows, Name + ".augmented", M);
    look(*Augmented, [&](auto &B, Value *Shadow) { return pairAt(B, Shadow); });
    Function *Reverse = newOwn(WithShadows, Name + ".reverse", M);
    ReturnInst::Create(C, BasicBlock::Create(C, "", Reverse));
    Function *Forward = newOwn(WithShadows, Name + ".forward", M);
    look(*Forward,
         [&](auto &B, Value *Shadow) { return tangentAt(B, Shadow); });
    given::setGradient(*F, *Augmented, *Reverse);
    given::setForward(*F, *Forward);
    given::setShadowQuery(*F);
    return F;
  }

private:
  static std::string textOf(const Entries &E) {
    std::string Text;
    for (const Halves &H : E.Pairs)
      Text += ("." + H.Augmented->getName() + "." +
               (H.Reverse ? H.Reverse->getName() : ""))
                  .str();
    for (const Function *F : E.Forward)
      Text += ("." + F->getName()).str();
    return Text;
  }

  /// (p, which), or (p, p', which, _); then the distance.
  FunctionType *typeOf(bool Shadows) const {
    SmallVector<Type *, 5> Params(Shadows ? 4 : 2, PointerType::getUnqual(C));
    if (Behind)
      Params.push_back(Type::getInt64Ty(C));
    return FunctionType::get(Type::getVoidTy(C), Params, false);
  }

  /// which = p' is neither null nor p ? Which(p') : 0, or the same of what is
  /// behind both.
  template <class Body> void look(Function &F, Body Which) {
    auto *Entry = BasicBlock::Create(C, "", &F);
    auto *End = BasicBlock::Create(C, "end", &F);
    IRBuilder<> B(Entry);
    Value *Pointer = F.getArg(0), *Shadow = F.getArg(1);
    B.CreateStore(B.getInt32(0), F.getArg(2));
    auto continueUnlessPlain = [&] {
      auto *Next = BasicBlock::Create(C, "look", &F, End);
      B.CreateCondBr(
          B.CreateOr(B.CreateIsNull(Shadow), B.CreateICmpEQ(Shadow, Pointer)),
          End, Next);
      B.SetInsertPoint(Next);
    };
    continueUnlessPlain();
    if (Behind) {
      auto loadBehind = [&](Value *From) {
        return B.CreateLoad(B.getPtrTy(),
                            B.CreateGEP(B.getInt8Ty(), From, F.getArg(4)));
      };
      Pointer = loadBehind(Pointer);
      Shadow = loadBehind(Shadow);
      continueUnlessPlain();
    }
    B.CreateStore(Which(B, Shadow), F.getArg(2));
    B.CreateBr(End);
    B.SetInsertPoint(End);
    B.CreateRetVoid();
  }

  Value *pairAt(IRBuilder<> &B, Value *Table) {
    Value *Which = B.getInt32(0);
    if (E.Pairs.empty())
      return Which;
    Value *First = B.CreateLoad(B.getPtrTy(), Table);
    auto isSecond = [&](Function *F) -> Value * {
      return F ? B.CreateICmpEQ(
                     B.CreateLoad(B.getPtrTy(),
                                  B.CreateConstGEP1_32(B.getPtrTy(), Table, 1)),
                     F)
               : B.getTrue();
    };
    for (auto [I, H] : enumerate(E.Pairs))
      Which = B.CreateSelect(
          B.CreateAnd(B.CreateICmpEQ(First, H.Augmented), isSecond(H.Reverse)),
          B.getInt32(I + 1), Which);
    return Which;
  }

  /// A tangent has many a type that other functions have, so nothing is read
  /// where there is no table for certain.
  Value *tangentAt(IRBuilder<> &B, Value *Shadow) {
    Value *Which = B.getInt32(0);
    for (auto [I, G] : enumerate(E.Forward)) {
      Value *Is = B.CreateICmpEQ(Shadow, G);
      for (GlobalVariable &Table : M.globals())
        if (Table.hasInitializer() && beginsWith(*Table.getInitializer(), *G))
          Is = B.CreateOr(Is, B.CreateICmpEQ(Shadow, &Table));
      Which = B.CreateSelect(Is, B.getInt32(E.Pairs.size() + I + 1), Which);
    }
    return Which;
  }

  static bool beginsWith(const Constant &Table, const Function &F) {
    return &Table == &F ||
           (isa<ConstantAggregate>(Table) && Table.getNumOperands() > 0 &&
            beginsWith(*cast<Constant>(Table.getOperand(0)), F));
  }

  Module &M;
  LLVMContext &C;
  const Entries &E;
  const bool Behind;
  const std::string Name;
};

/// Functions that call what their first parameter points to, with the
/// derivatives of one table.
class TableCalls {
public:
  explicit TableCalls(CallInst &Like)
      : Like(Like), M(*Like.getModule()), Ty(*Like.getFunctionType()) {}

  Function *with(const Halves &H) {
    const std::string Names =
        (H.Augmented->getName() + "." + H.Reverse->getName()).str();
    return called("adze.table.call." + Names, [&](Function &F) {
      given::setGradient(F, *H.Augmented, *H.Reverse);
      given::setForward(F, *otherForward());
    });
  }

  Function *with(Function &Forward) {
    const std::string Name = ("adze.table.call." + Forward.getName()).str();
    return called(Name, [&](Function &F) {
      auto [Augmented, Reverse] = otherHalves();
      given::setGradient(F, *Augmented, *Reverse);
      given::setForward(F, Forward);
    });
  }

private:
  Function *called(StringRef Name, function_ref<void(Function &)> Give) {
    const std::string Whole = (Name + " " + typeText(Ty)).str();
    if (Function *Known = M.getFunction(Whole))
      return Known;
    SmallVector<Type *, 8> Params{PointerType::getUnqual(M.getContext())};
    append_range(Params, Ty.params());
    Function *F =
        createOwn(FunctionType::get(Ty.getReturnType(), Params, false),
                  GlobalValue::InternalLinkage, Whole, M);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "", F));
    SmallVector<Value *, 8> Args;
    for (Argument &A : drop_begin(F->args()))
      Args.push_back(&A);
    CallInst *Call = B.CreateCall(&Ty, F->getArg(0), Args);
    Call->setCallingConv(Like.getCallingConv());
    if (Ty.getReturnType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(Call);
    Give(*F);
    given::setTableCall(*F);
    return F;
  }

  Function *otherForward() {
    return neverCalled(given::parametersFor(Ty, /*Forward=*/true),
                       Ty.getReturnType());
  }

  Halves otherHalves() {
    SmallVector<Type *, 8> Params = given::parametersFor(Ty, /*Forward=*/false);
    Function *Augmented = neverCalled(Params, Ty.getReturnType());
    SmallVector<Type *, 4> Adjoints;
    for (Type *P : Ty.params())
      if (P->isFloatingPointTy())
        Adjoints.push_back(P);
    if (Ty.getReturnType()->isFloatingPointTy())
      Params.push_back(Ty.getReturnType());
    LLVMContext &C = M.getContext();
    return {Augmented, neverCalled(Params, Adjoints.empty()
                                               ? Type::getVoidTy(C)
                                               : StructType::get(C, Adjoints))};
  }

  /// For the mode that the query gives no number of \p F in.
  Function *neverCalled(ArrayRef<Type *> Params, Type *Ret) {
    Function *F =
        newOwn(FunctionType::get(Ret, Params, false), "adze.table.other", M);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "", F));
    emitRuntimeStop(B, "a table of functions for another mode is called");
    B.CreateUnreachable();
    return F;
  }

  CallInst &Like;
  Module &M;
  FunctionType &Ty;
};

/// A variable of the function, which the query sets at \p Call.
Value *emitQuery(CallInst &Call, const Entries &E) {
  const DataLayout &DL = Call.getDataLayout();
  BasicBlock &Entry = Call.getFunction()->getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  AllocaInst *Which = B.CreateAlloca(B.getInt32Ty(), nullptr, "which.table");
  B.SetInsertPoint(&Call);
  Value *Asked = Call.getCalledOperand();
  auto *Load = dyn_cast<LoadInst>(Asked);
  APInt Distance(DL.getIndexTypeSizeInBits(Asked->getType()), 0);
  Value *Base =
      Load ? Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
                 DL, Distance, /*AllowNonInbounds=*/true)
           : nullptr;
  const bool Behind = Base && isa<LoadInst>(Base);
  SmallVector<Value *, 3> Args = {Behind ? Base : Asked, Which};
  if (Behind)
    Args.push_back(B.getInt64(Distance.getSExtValue()));
  B.CreateCall(Query(*Call.getModule(), E, Behind).get(), Args);
  return B.CreateLoad(B.getInt32Ty(), Which);
}

/// \p Call by way of \p F, before \p End.
CallInst *callBy(Function &F, CallInst &Call, Instruction *End) {
  SmallVector<Value *, 8> Args{Call.getCalledOperand()};
  append_range(Args, Call.args());
  CallInst *New = CallInst::Create(&F, Args, "", End->getIterator());
  New->setDebugLoc(Call.getDebugLoc());
  New->setAttributes(AttributeList::get(
      Call.getContext(), Call.getAttributes().getFnAttrs(), {}, {}));
  return New;
}

bool passesPlainValues(const CallInst &Call) {
  return !Call.hasOperandBundles() &&
         none_of(seq(Call.arg_size()), [&](unsigned I) {
           return Call.isByValArgument(I) ||
                  Call.paramHasAttr(I, Attribute::StructRet);
         });
}

/// In memory or in registers.
Type *returnedBy(const Function &G) {
  return G.arg_size() > 0 && G.hasStructRetAttr() ? G.getParamStructRetType(0)
                                                  : G.getReturnType();
}

Type *returnedBy(const CallInst &Call) {
  return Call.hasStructRetAttr() ? Call.getParamStructRetType(0)
                                 : Call.getType();
}

/// \p G is of the type that \p Call calls.
bool isAlike(const Function &G, const CallInst &Call) {
  return G.getFunctionType() == Call.getFunctionType() &&
         returnedBy(G) == returnedBy(Call);
}

/// Zero of nothing.
uint64_t sizeOf(Type &Ty, const Function &In) {
  return Ty.isSized() ? In.getDataLayout().getTypeAllocSize(&Ty) : 0;
}

/// The tangent of a result of type \p Ty, or both.
bool returnsTangent(const Function &G, Type &Ty) {
  const uint64_t One = sizeOf(Ty, G), Returned = sizeOf(*returnedBy(G), G);
  return Returned == One || Returned == One * 2;
}

/// What an augmented function returns begins with the tape.
bool returnsTape(const Function &G) {
  Type *Ty = returnedBy(G);
  while (auto *S = dyn_cast<StructType>(Ty)) {
    if (S->getNumElements() == 0)
      return false;
    Ty = S->getElementType(0);
  }
  return Ty->isPointerTy();
}

/// The parameters of a derivative of what \p Call calls.
SmallVector<Type *, 8> parametersLike(const CallInst &Call, bool Forward) {
  SmallVector<Type *, 8> Types;
  for (unsigned I = 0; I != Call.arg_size(); ++I) {
    if (Call.paramHasAttr(I, Attribute::StructRet))
      continue;
    Type *Ty = Call.isByValArgument(I) ? Call.getParamByValType(I)
                                       : Call.getArgOperand(I)->getType();
    Types.push_back(Ty);
    if (Ty->isPointerTy() || Call.isByValArgument(I) ||
        (Forward && Ty->isFPOrFPVectorTy()))
      Types.push_back(Ty);
  }
  return Types;
}

/// Functions that by their parameters may be meant as derivatives of what
/// \p Call calls, but are none that tables can have for it.
Entries unservedFor(const CallInst &Call) {
  Entries E;
  const FunctionType &Ty = *Call.getFunctionType();
  Type *Ret = Ty.getReturnType();
  const bool Served =
      passesPlainValues(Call) &&
      (Ret->isVoidTy() || Ret->isFloatingPointTy() || Ret->isIntegerTy());
  const auto Reverse = parametersLike(Call, /*Forward=*/false);
  const auto Forward = parametersLike(Call, /*Forward=*/true);
  for (Function &G : *const_cast<Module *>(Call.getModule())) {
    if (isOwn(G) || G.isIntrinsic() || isVirtual(G) || G.isVarArg() ||
        isAlike(G, Call) || none_of(G.uses(), mayBeStored))
      continue;
    SmallVector<Type *, 8> Params;
    for (const Argument &A : G.args())
      if (!A.hasStructRetAttr())
        Params.push_back(A.hasByValAttr() ? A.getParamByValType()
                                          : A.getType());
    if (Params == Reverse && returnsTape(G) &&
        !given::fitsTable(G, Ty, TableEntry::Augmented))
      E.Pairs.push_back({&G, nullptr});
    if (!Served && Params == Forward && returnsTangent(G, *returnedBy(Call)))
      E.Forward.push_back(&G);
  }
  return E;
}

} // namespace

bool stopAtUnservedTables(CallInst &Call) {
  const Entries E = unservedFor(Call);
  if (E.empty())
    return false;
  Value *Which = emitQuery(Call, E);
  IRBuilder<> B(&Call);
  Value *Is = B.CreateIsNotNull(Which);
  B.SetInsertPoint(
      SplitBlockAndInsertIfThen(Is, Call.getIterator(), /*Unreachable=*/true));
  emitRuntimeStop(B, "the shadow of a pointer to a function is a table of the "
                     "program's functions, which are not of the types of "
                     "derivatives; such tables serve no functions that pass "
                     "structures or return pointers");
  return true;
}

bool callThroughTables(CallInst &Call) {
  if (!passesPlainValues(Call))
    return false;
  const Entries E = entriesFor(Call);
  if (E.empty())
    return false;
  TableCalls Calls(Call);
  SmallVector<Function *, 4> Ways;
  for (const Halves &H : E.Pairs)
    Ways.push_back(Calls.with(H));
  for (Function *F : E.Forward)
    Ways.push_back(Calls.with(*F));
  Value *Which = emitQuery(Call, E);

  BasicBlock *Head = Call.getParent();
  BasicBlock *Own = Head->splitBasicBlock(&Call, "own");
  BasicBlock *Rest = Own->splitBasicBlock(Call.getNextNode(), "rest");
  Head->getTerminator()->eraseFromParent();
  SwitchInst *Switch = SwitchInst::Create(Which, Own, Ways.size(), Head->end());
  IRBuilder<> B(Rest, Rest->begin());
  PHINode *Result = nullptr;
  if (!Call.getType()->isVoidTy()) {
    Result = B.CreatePHI(Call.getType(), Ways.size() + 1);
    Call.replaceAllUsesWith(Result);
    Result->addIncoming(&Call, Own);
  }
  for (auto [I, F] : enumerate(Ways)) {
    auto *Block =
        BasicBlock::Create(Call.getContext(), "table", Call.getFunction(), Own);
    CallInst *New = callBy(*F, Call, BranchInst::Create(Rest, Block));
    if (Result)
      Result->addIncoming(New, Block);
    Switch->addCase(B.getInt32(I + 1), Block);
  }
  return true;
}

} // namespace adze
