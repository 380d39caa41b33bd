// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Precision/ErrorBounds.h"

#include "Frontend/Names.h"
#include "Frontend/ResultType.h"
#include "adze/GivenDerivatives.h"
#include "adze/HeaderBodies.h"
#include "adze/InternalCopy.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"
#include "adze/Precision.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include <cmath>
#include <optional>

using namespace llvm;
using namespace adze;

namespace {

constexpr StringRef OperationPrefix = "adze.error.";

std::string typeName(const Type *Ty) {
  std::string Name;
  raw_string_ostream(Name) << *Ty;
  return Name;
}

/// A function that returns its first argument, until lowerErrorBounds().
Function *operation(Module &M, const Twine &Name, unsigned Arguments,
                    Type *Ty) {
  const std::string Full = (OperationPrefix + Name + "." + typeName(Ty)).str();
  if (Function *Known = M.getFunction(Full))
    return Known;
  SmallVector<Type *, 2> Types(Arguments, Ty);
  Function *F = createOwn(FunctionType::get(Ty, Types, false),
                          GlobalValue::ExternalLinkage, Full, M);
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  return F;
}

bool isOperation(const Function &F) {
  return isOwn(F) && F.isDeclaration() &&
         F.getName().starts_with(OperationPrefix);
}

/// Half a unit in the last place of 1, in a type.
double unitRoundoff(const Type *Ty) {
  const int Digits = APFloat::semanticsPrecision(Ty->getFltSemantics());
  return std::ldexp(1.0, -Digits);
}

/// The derivative of \p F: \p Emit makes the tangent of its parameters, each
/// before its tangent.
template <class Body> void giveForward(Function &F, Body Emit) {
  if (given::hasAny(F))
    return;
  Type *Ty = F.getReturnType();
  SmallVector<Type *, 4> Types(2 * F.arg_size(), Ty);
  Function *Forward = createOwn(FunctionType::get(Ty, Types, false),
                                GlobalValue::InternalLinkage,
                                F.getName() + ".forward", *F.getParent());
  Forward->setDoesNotAccessMemory();
  Forward->setDoesNotThrow();
  Forward->setWillReturn();
  Forward->addFnAttr(Attribute::AlwaysInline);
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "", Forward));
  B.CreateRet(Emit(B, *Forward));
  given::setForward(F, *Forward);
}

Value *magnitude(IRBuilder<> &B, Value *V) {
  return B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
}

/// |z.| + roundoffs u |z|
Function *rounded(Module &M, Type *Ty, unsigned Roundoffs) {
  Function *F = operation(M, "rounded" + Twine(Roundoffs), 1, Ty);
  giveForward(*F, [&](IRBuilder<> &B, Function &Forward) {
    Value *Bound = magnitude(B, Forward.getArg(1));
    if (Roundoffs == 0)
      return Bound;
    Value *Own = B.CreateFMul(ConstantFP::get(Ty, Roundoffs * unitRoundoff(Ty)),
                              magnitude(B, Forward.getArg(0)));
    return B.CreateFAdd(Bound, Own);
  });
  return F;
}

/// |a.| + |b.|
Function *either(Module &M, Type *Ty) {
  Function *F = operation(M, "either", 2, Ty);
  giveForward(*F, [&](IRBuilder<> &B, Function &Forward) {
    return B.CreateFAdd(magnitude(B, Forward.getArg(1)),
                        magnitude(B, Forward.getArg(3)));
  });
  return F;
}

/// |b.| + u |z|, of a result z that the second argument's error goes into; the
/// first one is what it returns.
Function *contribution(Module &M, Type *Ty) {
  Function *F = operation(M, "contribution", 3, Ty);
  giveForward(*F, [&](IRBuilder<> &B, Function &Forward) {
    Value *Own = B.CreateFMul(ConstantFP::get(Ty, unitRoundoff(Ty)),
                              magnitude(B, Forward.getArg(4)));
    return B.CreateFAdd(magnitude(B, Forward.getArg(3)), Own);
  });
  return F;
}

Function *exact(Module &M, Type *Ty) {
  Function *F = operation(M, "exact", 1, Ty);
  F->addFnAttr(declared::Inactive);
  return F;
}

/// Multiplication by it is exact, up to overflow and underflow.
bool isPowerOfTwo(const Value *V) {
  auto *C = dyn_cast<ConstantFP>(V);
  if (!C || !C->getValueAPF().isFiniteNonZero())
    return false;
  int Exponent = 0;
  const APFloat Fraction =
      frexp(abs(C->getValueAPF()), Exponent, APFloat::rmNearestTiesToEven);
  return Fraction.convertToDouble() == 0.5;
}

/// How many roundoffs the result of an operation has, 0 if it is exact; none
/// of what is no operation with floats.
std::optional<unsigned> roundoffsOf(const Instruction &I) {
  auto unless = [](bool IsExact) { return IsExact ? 0 : 1; };
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FPTrunc:
    return 1;
  case Instruction::FMul:
    return unless(isPowerOfTwo(I.getOperand(0)) ||
                  isPowerOfTwo(I.getOperand(1)));
  case Instruction::FDiv:
    return unless(isPowerOfTwo(I.getOperand(1)));
  case Instruction::FNeg:
  case Instruction::FRem:
    return 0;
  default:
    return std::nullopt;
  }
}

/// The same of a function of the library.
unsigned roundoffsOf(const KnownFunction &Known) {
  return StringSwitch<unsigned>(Known.Family)
      .Cases("fabs", "copysign", "fmin", "fmax", "fminimum", "fmaximum", 0)
      .Cases("fmod", "remainder", "ldexp", "scalbn", "scalbln", 0)
      .Cases("sqrt", "fma", "fdim", 1)
      .Default(2);
}

/// Calls of such functions make no floats, or move them as they are.
bool isExact(const CallFacts &Facts) {
  switch (Facts.By) {
  case Derivation::Zero:
  case Derivation::NewBlock:
  case Derivation::NewBlockTo:
  case Derivation::Release:
  case Derivation::NewException:
  case Derivation::CaughtException:
  case Derivation::BlockCopy:
  case Derivation::BlockSet:
  case Derivation::FirstOperand:
  case Derivation::Text:
  case Derivation::Within:
  case Derivation::Constants:
    return true;
  default:
    return false;
  }
}

bool hasFloats(const Type *Ty) {
  return Ty->isFPOrFPVectorTy() ||
         any_of(Ty->subtypes(), [](const Type *T) { return hasFloats(T); });
}

} // namespace

bool BoundedCopies::refuse(const Instruction &I, const std::string &Why) {
  if (!Refused) {
    Refused = &I;
    Reason = Why;
  }
  return false;
}

Function *BoundedCopies::copyFor(Function &F) {
  Refused = nullptr;
  return copyOf(F);
}

Function *BoundedCopies::copyOf(Function &F) {
  if (Function *Known = Copies.lookup(&F))
    return Known;
  Function *Copy = createCopy(F);
  Copies[&F] = Copies[Copy] = Copy;
  return rewrite(*Copy) ? Copy : nullptr;
}

/// Makes operations on each element of those on vectors of floats.
static void takeVectorsApart(Function &F, FunctionAnalysisManager &AM) {
  if (none_of(instructions(F), [](const Instruction &I) {
        return I.getType()->isVectorTy() && I.getType()->isFPOrFPVectorTy();
      }))
    return;
  ScalarizerPassOptions Options;
  Options.ScalarizeMinBits = 0;
  Options.ScalarizeVariableInsertExtract = true;
  Options.ScalarizeLoadStore = true;
  PreservedAnalyses Left = ScalarizerPass(Options).run(F, AM);
  AM.invalidate(F, Left);
}

Function *BoundedCopies::createCopy(Function &F) {
  Function *Copy = internalCopy(F, HelperPrefix + F.getName());
  given::clear(*Copy);
  markOwn(*Copy);
  takeVectorsApart(*Copy, AM);
  return Copy;
}

bool BoundedCopies::rewrite(Function &Copy) {
  SmallVector<Instruction *, 64> Before;
  for (Instruction &I : instructions(Copy))
    Before.push_back(&I);
  for (Instruction *I : Before) {
    if (auto *Call = dyn_cast<CallBase>(I)) {
      if (!rewriteCall(*Call))
        return false;
      continue;
    }
    if (auto *Atomic = dyn_cast<AtomicRMWInst>(I);
        Atomic && Atomic->isFloatingPointOperation()) {
      if (!rewriteAtomic(*Atomic))
        return false;
      continue;
    }
    if (std::optional<unsigned> Roundoffs = roundoffsOf(*I))
      if (!rewriteOperation(*I, *Roundoffs))
        return false;
  }
  return true;
}

/// \p I is replaced by as many as it has operands that are not constant, each
/// with one that has a derivative.
bool BoundedCopies::rewriteOperation(Instruction &I, unsigned Roundoffs) {
  Type *Ty = I.getType();
  if (!Ty->isFloatingPointTy())
    return refuse(I, "vectors of floating-point numbers");
  SmallSetVector<Value *, 3> Operands;
  for (Value *V : I.operand_values())
    if (V->getType() == Ty && !isa<Constant>(V))
      Operands.insert(V);
  IRBuilder<> B(I.getParent(), std::next(I.getIterator()));
  B.SetCurrentDebugLocation(I.getDebugLoc());
  SmallVector<Use *, 4> Uses;
  for (Use &U : I.uses())
    Uses.push_back(&U);
  SmallVector<Instruction *, 3> Parts = {&I};
  for (unsigned K = 1; K < Operands.size(); ++K) {
    Parts.push_back(I.clone());
    B.Insert(Parts.back());
  }
  for (auto [K, Part] : enumerate(Parts))
    for (Use &U : Part->operands())
      if (Operands.contains(U.get()) && U.get() != Operands[K]) {
        IRBuilder<> Before(Part);
        U.set(Before.CreateCall(exact(M, Ty), U.get()));
      }
  Value *Result = &I;
  for (Instruction *Part : drop_begin(Parts))
    Result = B.CreateCall(either(M, Ty), {Result, Part});
  Result = B.CreateCall(rounded(M, Ty, Roundoffs), Result);
  for (Use *U : Uses)
    U->set(Result);
  return true;
}

/// The sum is made as it is, without errors. Then its own goes to the place
/// where it was stored: a zero that has the error for its derivative.
bool BoundedCopies::rewriteAtomic(AtomicRMWInst &I) {
  Type *Ty = I.getType();
  if (!Ty->isFloatingPointTy())
    return refuse(I, "vectors of floating-point numbers");
  const AtomicRMWInst::BinOp Op = I.getOperation();
  if (Op == AtomicRMWInst::FMax || Op == AtomicRMWInst::FMin)
    return true; // exact
  Value *V = I.getValOperand();
  IRBuilder<> B(&I);
  I.setOperand(1, B.CreateCall(exact(M, Ty), V));
  B.SetInsertPoint(I.getParent(), std::next(I.getIterator()));
  B.SetCurrentDebugLocation(I.getDebugLoc());
  Value *Sum =
      Op == AtomicRMWInst::FAdd ? B.CreateFAdd(&I, V) : B.CreateFSub(&I, V);
  Value *Zero = B.CreateCall(contribution(M, Ty),
                             {ConstantFP::getNegativeZero(Ty), V, Sum});
  B.CreateAtomicRMW(AtomicRMWInst::FAdd, I.getPointerOperand(), Zero,
                    I.getAlign(), I.getOrdering(), I.getSyncScopeID())
      ->setVolatile(I.isVolatile());
  return true;
}

/// a * b + c, which a target may round once or twice: twice.
void BoundedCopies::splitMultiplyAdd(CallBase &Call) {
  IRBuilder<> B(&Call);
  Value *Product = B.CreateFMul(Call.getArgOperand(0), Call.getArgOperand(1));
  Value *Sum = B.CreateFAdd(Product, Call.getArgOperand(2));
  Call.replaceAllUsesWith(Sum);
  Call.eraseFromParent();
  for (Value *V : {Product, Sum})
    if (auto *I = dyn_cast<Instruction>(V))
      rewriteOperation(*I, roundoffsOf(*I).value_or(1));
}

/// Functions with a body that \p Call is passed run as copies, too.
bool BoundedCopies::passCopies(CallBase &Call) {
  for (Use &U : Call.args())
    if (auto *F = dyn_cast<Function>(U.get()); F && !F->isDeclaration()) {
      Function *Copy = copyOf(*F);
      if (!Copy)
        return false;
      U.set(Copy);
    }
  return true;
}

bool BoundedCopies::rewriteCall(CallBase &Call) {
  Function *F = Call.getCalledFunction();
  if (Call.isInlineAsm() || (F && isOperation(*F)))
    return true;
  if (!F)
    return refuse(Call, "a call by a pointer, of which the function is not "
                        "known");
  if (markerKind(*F) != MarkerKind::None)
    return refuse(Call, "a derivative, which is not made yet");
  if (isOwn(*F))
    return refuse(Call, "rounding to a format that no type has");
  if (isDeclaredInactive(Call))
    return true;
  if (const KnownFunction *Known = lookupKnown(Call)) {
    if (F->getIntrinsicID() == Intrinsic::fmuladd) {
      if (!Call.getType()->isFloatingPointTy())
        return refuse(Call, "vectors of floating-point numbers");
      splitMultiplyAdd(Call);
      return true;
    }
    if (Known->Facts.By == Derivation::Partials)
      return isa<CallInst>(Call) ? rewriteOperation(Call, roundoffsOf(*Known))
                                 : refuse(Call, "a call that may throw");
    if (Known->Facts.By == Derivation::Conversion)
      return rewriteOperation(Call, 1);
    if (isExact(Known->Facts))
      return passCopies(Call);
  } else if (!F->isDeclaration()) {
    Function *Copy = copyOf(*F);
    if (!Copy)
      return false;
    Call.setCalledFunction(Copy);
    return passCopies(Call);
  }
  if (std::optional<DataMover> Mover = dataMoverOf(Call);
      Mover && (!Mover->Callback || isa<Function>(Mover->Callback)))
    return passCopies(Call);
  if (!F->isIntrinsic() || hasFloats(Call.getType()) ||
      any_of(Call.args(), [](const Use &U) { return hasFloats(U->getType()); }))
    return refuse(Call, "a call of '" + sourceName(*F) +
                            "', of which no rounding errors are known");
  return true;
}

void adze::lowerErrorBounds(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (!isOperation(F))
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallBase>(U)) {
        Call->replaceAllUsesWith(Call->getArgOperand(0));
        Call->eraseFromParent();
      }
    if (F.use_empty())
      F.eraseFromParent();
  }
}
