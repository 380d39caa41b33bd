// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/NotFinite.h"

#include "Rules.h"
#include "adze/Diagnostics.h"
#include "adze/KnownFunction.h"
#include "adze/Runtime.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

static constexpr const char *CheckName = "adze.trap";

/// What is stored through a pointer operand has its adjoint in memory, of which
/// the caller of reportNotFinite() would not know whether it was finite.
static bool isArithmeticCall(const CallBase &Call) {
  if (any_of(Call.args(), [](const Use &Operand) {
        return Operand->getType()->isPtrOrPtrVectorTy();
      }))
    return false;
  if (isa<IntrinsicInst>(Call))
    return true;
  const KnownFunction *Known = lookupKnown(Call);
  return Known && (Known->Facts.By == Derivation::Partials ||
                   Known->Facts.By == Derivation::ComplexPartials);
}

bool mayLeaveFinite(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return true;
  default:
    break;
  }
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && !I.getType()->isVoidTy() && isArithmeticCall(*Call);
}

static bool mayHavePole(const Expr &Partial) {
  SmallVector<const ExprNode *, 8> Work{Partial.get()};
  while (!Work.empty()) {
    const ExprNode *E = Work.pop_back_val();
    if (!E)
      continue;
    if (E->Kind == ExprKind::Div || E->Kind == ExprKind::Call)
      return true;
    for (const Expr &Operand : E->Operands)
      Work.push_back(Operand.get());
  }
  return false;
}

bool mayHavePole(const Instruction &I) {
  if (!mayLeaveFinite(I))
    return false;
  if (const ScalarRow *Row = scalarRowOf(I))
    return any_of(Row->Partials,
                  [](const Expr &Partial) { return mayHavePole(Partial); });
  return isa<CallBase>(I);
}

/// The floats (or vectors of floats) in \p V.
static SmallVector<Value *, 4> floatsIn(IRBuilderBase &B, Value *V) {
  SmallVector<Value *, 4> Floats, Work{V};
  while (!Work.empty()) {
    Value *Part = Work.pop_back_val();
    Type *Ty = Part->getType();
    if (Ty->isFPOrFPVectorTy()) {
      Floats.push_back(Part);
      continue;
    }
    unsigned Members = 0;
    if (auto *S = dyn_cast<StructType>(Ty))
      Members = S->getNumElements();
    else if (auto *A = dyn_cast<ArrayType>(Ty))
      Members = A->getNumElements();
    for (unsigned K = 0; K != Members; ++K)
      Work.push_back(B.CreateExtractValue(Part, K));
  }
  return Floats;
}

/// i1: \p Test is true of some float in \p V; null if there is none.
static Value *anyFloat(IRBuilderBase &B, Value *V,
                       function_ref<Value *(Value *)> Test) {
  Value *Any = nullptr;
  for (Value *Float : floatsIn(B, V)) {
    Value *Is = Test(Float);
    if (Is->getType()->isVectorTy())
      Is = B.CreateOrReduce(Is);
    Any = Any ? B.CreateOr(Any, Is) : Is;
  }
  return Any;
}

static Value *isNotFinite(IRBuilderBase &B, Value *V) {
  return anyFloat(B, V, [&](Value *Float) {
    // Equal to infinity, or not comparable.
    return B.CreateFCmpUEQ(B.CreateUnaryIntrinsic(Intrinsic::fabs, Float),
                           ConstantFP::getInfinity(Float->getType()));
  });
}

static Value *isNaN(IRBuilderBase &B, Value *V) {
  return anyFloat(B, V,
                  [&](Value *Float) { return B.CreateFCmpUNO(Float, Float); });
}

/// void adze.trap(i1 bad, i1 excused, i1 nan, ptr format), to be inlined.
static Function *checkFunction(Module &M) {
  return runtimeFunction(M, NotFiniteUnit, CheckName, [](Module &Runtime) {
    // An outer derivative of this one does not look into it.
    for (Function &F : Runtime)
      if (!F.isDeclaration())
        F.addFnAttr(declared::Inactive);
  });
}

/// Of \p Text, a format that prints it.
static std::string escaped(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    Result += C;
    if (C == '%')
      Result += C;
  }
  return Result;
}

void reportNotFinite(IRBuilderBase &B, ArrayRef<Value *> Finite, Value *Suspect,
                     StringRef Subject, StringRef Reason) {
  if (isa<Constant>(Suspect))
    return;
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.clearFastMathFlags();
  Value *Bad = isNotFinite(B, Suspect);
  if (!Bad)
    return;
  Value *Excused = B.getFalse();
  for (Value *V : Finite)
    if (Value *Excuse = isNotFinite(B, V))
      Excused = B.CreateOr(Excused, Excuse);
  std::string Format =
      "adze: " + escaped(Subject) + " becomes %s; " + escaped(Reason) + "\n";
  B.CreateCall(checkFunction(*B.GetInsertBlock()->getModule()),
               {Bad, Excused, isNaN(B, Suspect),
                B.CreateGlobalString(Format, "adze.message")});
}

static std::string nameOf(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    if (const Function *F = Call->getCalledFunction())
      return F->isIntrinsic()
                 ? Intrinsic::getBaseName(F->getIntrinsicID()).str()
                 : sourceName(*F);
  return I.getOpcodeName();
}

static std::string textOf(const Instruction &I) {
  std::string Text;
  raw_string_ostream OS(Text);
  I.print(OS);
  // Metadata and attributes after the operands help nobody.
  StringRef Shown = StringRef(OS.str()).split(", !").first.split(" #").first;
  return Shown.trim().str();
}

std::string operationText(const Instruction &I, StringRef What,
                          const Function &Primal) {
  std::string Place = sourcePlace(&I);
  std::string Name = Place.empty() ? textOf(I) : nameOf(I);
  return (Place.empty() ? "" : Place + ": ") + What.str() + " '" + Name +
         "' in '" + sourceName(Primal) + "'";
}

void forgetFinitePromises(Function &Derivative) {
  for (Instruction &I : instructions(Derivative))
    if (isa<FPMathOperator>(I)) {
      I.setHasNoNaNs(false);
      I.setHasNoInfs(false);
    }
}

} // namespace adze
