// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How complex numbers cross a call: from the platform's way to separate parts.
#include "DeclareLibrary.h"
#include "KnownTable.h"
#include "NameVariants.h"
#include "adze/ComplexFunction.h"
#include "adze/DeviceTarget.h"
#include "adze/OwnFunction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace adze;
using namespace llvm;

namespace {

/// The platform's way of calling one complex function.
struct Convention {
  FunctionType *FT = nullptr;
  AttributeList Attributes;
};

} // namespace

/// The type of the two parts in \p Ty: <2 x T>, [2 x T], {T, T}; null if it is
/// none of these.
static Type *partOfPair(Type *Ty) {
  Type *Part = nullptr;
  if (auto *V = dyn_cast<FixedVectorType>(Ty); V && V->getNumElements() == 2)
    Part = V->getElementType();
  else if (auto *A = dyn_cast<ArrayType>(Ty); A && A->getNumElements() == 2)
    Part = A->getElementType();
  else if (auto *S = dyn_cast<StructType>(Ty);
           S && S->getNumElements() == 2 &&
           S->getElementType(0) == S->getElementType(1))
    Part = S->getElementType(0);
  return Part && Part->isFloatingPointTy() ? Part : nullptr;
}

/// The type of the pair in memory that parameter \p I of \p Way points to; null
/// if it is no such pointer.
static Type *pairBehind(const Convention &Way, unsigned I, bool &IsResult) {
  Type *Pair = Way.Attributes.getParamByValType(I);
  IsResult = false;
  if (!Pair) {
    Pair = Way.Attributes.getParamStructRetType(I);
    IsResult = Pair != nullptr;
  }
  return Pair && partOfPair(Pair) ? Pair : nullptr;
}

static Value *extract(IRBuilderBase &B, Value *Pair, unsigned I) {
  return Pair->getType()->isVectorTy() ? B.CreateExtractElement(Pair, I)
                                       : B.CreateExtractValue(Pair, I);
}

static Value *makePair(IRBuilderBase &B, Type *Ty, Value *Re, Value *Im) {
  Value *Pair = PoisonValue::get(Ty);
  if (Ty->isVectorTy())
    return B.CreateInsertElement(B.CreateInsertElement(Pair, Re, uint64_t(0)),
                                 Im, uint64_t(1));
  return B.CreateInsertValue(B.CreateInsertValue(Pair, Re, 0), Im, 1);
}

/// The type of all parts that a call of \p Row by \p Way passes and returns;
/// null if it does not look like a complex call.
static Type *partTypeOf(const ComplexRow &Row, const Convention &Way) {
  Type *Part = nullptr;
  unsigned NumParts = 0;
  bool ResultInMemory = false, Uniform = true;
  auto See = [&](Type *Ty, unsigned Count) {
    Uniform &= Ty && (!Part || Part == Ty);
    Part = Ty;
    NumParts += Count;
  };
  for (unsigned I = 0; I != Way.FT->getNumParams(); ++I) {
    Type *Ty = Way.FT->getParamType(I);
    bool IsResult;
    if (Type *Pair = pairBehind(Way, I, IsResult)) {
      See(partOfPair(Pair), IsResult ? 0 : 2);
      ResultInMemory |= IsResult;
    } else if (Ty->isFloatingPointTy()) {
      See(Ty, 1);
    } else {
      See(partOfPair(Ty), 2);
    }
  }
  Type *Result = Way.FT->getReturnType();
  if (Row.RealResult)
    See(Result->isFloatingPointTy() ? Result : nullptr, 0);
  else if (!ResultInMemory)
    See(partOfPair(Result), 0);
  return Uniform && NumParts == 2 * Row.NumOperands ? Part : nullptr;
}

static FunctionType *canonicalType(const ComplexRow &Row, Type *Part) {
  SmallVector<Type *, 4> Params(2 * Row.NumOperands, Part);
  Type *Result = Row.RealResult ? Part : StructType::get(Part, Part);
  return FunctionType::get(Result, Params, false);
}

/// The body of a wrapper: packs the parts, calls \p Callee, unpacks.
static void writeWrapper(Function &Wrapper, Value *Callee,
                         const Convention &Way) {
  IRBuilder<> B(BasicBlock::Create(Wrapper.getContext(), "entry", &Wrapper));
  SmallVector<Value *, 4> Operands;
  auto Part = Wrapper.arg_begin();
  Value *ResultMemory = nullptr;
  Type *ResultPair = nullptr;
  for (unsigned I = 0; I != Way.FT->getNumParams(); ++I) {
    Type *Ty = Way.FT->getParamType(I);
    bool IsResult;
    if (Type *Pair = pairBehind(Way, I, IsResult)) {
      AllocaInst *Memory = B.CreateAlloca(Pair);
      if (MaybeAlign A = Way.Attributes.getParamAlignment(I))
        Memory->setAlignment(std::max(*A, Memory->getAlign()));
      Operands.push_back(Memory);
      if (IsResult) {
        ResultMemory = Memory;
        ResultPair = Pair;
        continue;
      }
      Value *Re = &*Part++, *Im = &*Part++;
      B.CreateStore(makePair(B, Pair, Re, Im), Memory);
    } else if (Ty->isFloatingPointTy()) {
      Operands.push_back(&*Part++);
    } else {
      Value *Re = &*Part++, *Im = &*Part++;
      Operands.push_back(makePair(B, Ty, Re, Im));
    }
  }
  CallInst *Call = B.CreateCall(Way.FT, Callee, Operands);
  Call->setAttributes(Way.Attributes);
  Value *Result = ResultMemory ? B.CreateLoad(ResultPair, ResultMemory)
                               : static_cast<Value *>(Call);
  Type *Wanted = Wrapper.getReturnType();
  if (Result->getType() != Wanted)
    Result = makePair(B, Wanted, extract(B, Result, 0), extract(B, Result, 1));
  B.CreateRet(Result);
}

/// The wrapper of \p Callee; null if there is already one of another type.
static Function *wrap(Module &M, Function &Callee, FunctionType *FT,
                      const Convention &Way) {
  std::string Name = (ComplexWrapperPrefix + Callee.getName()).str();
  if (Function *Existing = M.getFunction(Name))
    return Existing->getFunctionType() == FT ? Existing : nullptr;
  Function *Wrapper = createOwn(FT, GlobalValue::InternalLinkage, Name, M);
  Wrapper->addFnAttr(Attribute::AlwaysInline);
  Wrapper->addFnAttr(Attribute::NoUnwind);
  writeWrapper(*Wrapper, &Callee, Way);
  return Wrapper;
}

static const ComplexRow *complexRowCalled(const CallBase &Call) {
  const KnownFunction *Known = lookupKnown(Call);
  return Known && Known->Kind == KnownKind::ComplexScalar
             ? complexRow(Known->Family)
             : nullptr;
}

const ComplexRow *adze::complexRowOf(const CallBase &Call) {
  const ComplexRow *Row = complexRowCalled(Call);
  if (!Row)
    return nullptr;
  Type *Part = partTypeOf(*Row, {Call.getFunctionType(), AttributeList()});
  return Part && canonicalType(*Row, Part) == Call.getFunctionType() ? Row
                                                                     : nullptr;
}

/// The parts that \p Call passes, read before it.
static SmallVector<Value *, 4>
partsPassed(IRBuilderBase &B, const CallBase &Call, const Convention &Way) {
  SmallVector<Value *, 4> Parts;
  for (unsigned I = 0; I != Call.arg_size(); ++I) {
    Value *V = Call.getArgOperand(I);
    bool IsResult;
    if (Type *Pair = pairBehind(Way, I, IsResult)) {
      if (IsResult)
        continue;
      // Part by part, as the program stored them, so that memory promotion
      // finds the stores.
      Type *Part = partOfPair(Pair);
      for (unsigned K : {0, 1})
        Parts.push_back(
            B.CreateLoad(Part, B.CreateConstInBoundsGEP1_32(Part, V, K)));
    } else if (V->getType()->isFloatingPointTy()) {
      Parts.push_back(V);
    } else {
      Parts.push_back(extract(B, V, 0));
      Parts.push_back(extract(B, V, 1));
    }
  }
  return Parts;
}

static void lowerComplexCall(CallInst &Call, const ComplexRow &Row) {
  Convention Way{Call.getFunctionType(), Call.getAttributes()};
  auto *Callee = dyn_cast<Function>(
      Call.getCalledOperand()->stripPointerCastsAndAliases());
  Type *Part = partTypeOf(Row, Way);
  if (!Callee || !Part)
    return;
  FunctionType *FT = canonicalType(Row, Part);
  if (FT == Way.FT)
    return;
  Function *Wrapper = wrap(*Call.getModule(), *Callee, FT, Way);
  if (!Wrapper)
    return;
  IRBuilder<> B(&Call);
  CallInst *New = B.CreateCall(Wrapper, partsPassed(B, Call, Way));
  New->setDebugLoc(Call.getDebugLoc());
  Type *Old = Call.getType();
  if (Old->isVoidTy()) {
    for (unsigned I = 0; I != Call.arg_size(); ++I)
      if (Call.paramHasAttr(I, Attribute::StructRet))
        for (unsigned K : {0, 1})
          B.CreateStore(
              B.CreateExtractValue(New, K),
              B.CreateConstInBoundsGEP1_32(Part, Call.getArgOperand(I), K));
  } else if (Old == New->getType()) {
    Call.replaceAllUsesWith(New);
  } else {
    Call.replaceAllUsesWith(makePair(B, Old, B.CreateExtractValue(New, 0),
                                     B.CreateExtractValue(New, 1)));
  }
  Call.eraseFromParent();
}

void adze::lowerComplexCalls(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (const ComplexRow *Row = complexRowCalled(*Call))
        lowerComplexCall(*Call, *Row);
}

/// The C calling convention of complex functions on \p Target. Null type if
/// it is not known here.
static Convention conventionOf(const Triple &Target, const ComplexRow &Row,
                               Type *Part) {
  LLVMContext &Ctx = Part->getContext();
  Convention Way;
  StructType *Pair = StructType::get(Part, Part);
  Type *Operand = nullptr, *Result = Pair;
  unsigned PerOperand = 1;
  if (Target.isAArch64()) {
    Operand = ArrayType::get(Part, 2); // homogeneous aggregate
  } else if (Target.getArch() == Triple::x86_64 && !Target.isOSWindows()) {
    if (Part->isFloatTy()) {
      Operand = Result = FixedVectorType::get(Part, 2);
    } else if (Part->isDoubleTy()) {
      Operand = Part;
      PerOperand = 2;
    } else if (Part->isX86_FP80Ty()) {
      Operand = PointerType::getUnqual(Ctx);
      for (unsigned I = 0; I != Row.NumOperands; ++I) {
        AttrBuilder Attrs(Ctx);
        Attrs.addByValAttr(Pair);
        Attrs.addAlignmentAttr(Align(16));
        Way.Attributes = Way.Attributes.addParamAttributes(Ctx, I, Attrs);
      }
    }
  }
  if (!Operand)
    return {};
  SmallVector<Type *, 4> Params(PerOperand * Row.NumOperands, Operand);
  Way.FT = FunctionType::get(Row.RealResult ? Part : Result, Params, false);
  return Way;
}

FunctionCallee adze::declareComplex(Module &M, StringRef Family, Type *PartTy) {
  const ComplexRow *Row = complexRow(Family);
  Triple Target(M.getTargetTriple());
  if (!Row || Row->CompilerRuntime || isDevice(Target))
    return {};
  std::string Name = libraryName(Family, PartTy, Target);
  Convention Way = conventionOf(Target, *Row, PartTy);
  if (Name.empty() || !Way.FT)
    return {};
  FunctionCallee Callee = declareLibrary(M, Name, Way.FT);
  FunctionType *FT = canonicalType(*Row, PartTy);
  if (!Callee || FT == Way.FT)
    return Callee;
  auto *F = cast<Function>(Callee.getCallee());
  Function *Wrapper = wrap(M, *F, FT, Way);
  return Wrapper ? FunctionCallee(Wrapper) : FunctionCallee();
}
