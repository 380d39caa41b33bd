// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/DenseViews.h"

#include "Frontend/MarkerCall.h"
#include "Frontend/Names.h"
#include "Frontend/Resolve.h"
#include "adze/InternalCopy.h"
#include "adze/Marker.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace adze;

bool DenseViews::refuse(const Instruction *At, const Twine &Why) {
  Diags.report(Diag::DenseView, *From, At, {Why.str()});
  return false;
}

/// Promotes the variables of unoptimized code that hold \p V.
static void promoteVariablesOf(Value *V) {
  Function *F = cast<Instruction>(V)->getFunction();
  for (bool Again = true; Again;) {
    SmallVector<AllocaInst *, 4> Promoted;
    for (Instruction &I : instructions(*F))
      if (auto *A = dyn_cast<AllocaInst>(&I);
          A && A->getAllocatedType()->isPointerTy() && isAllocaPromotable(A))
        Promoted.push_back(A);
    Again = !Promoted.empty();
    if (Again) {
      DominatorTree Tree(*F);
      PromoteMemToReg(Promoted, Tree);
    }
  }
}

/// The functions must fit the operands: load(distance, captured...),
/// store(value, distance, captured...).
static std::string misfit(const DenseFunctions &Is) {
  const FunctionType *L = Is.Load->getFunctionType();
  const FunctionType *S = Is.Store->getFunctionType();
  unsigned Captured = Is.Captured.size();
  if (L->isVarArg() || L->getNumParams() != Captured + 1 ||
      !L->getParamType(0)->isIntegerTy())
    return "'" + sourceName(*Is.Load) +
           "' does not take a distance in bytes and what is captured";
  if (S->isVarArg() || S->getNumParams() != Captured + 2 ||
      !S->getParamType(1)->isIntegerTy())
    return "'" + sourceName(*Is.Store) +
           "' does not take a value, a distance in bytes and what is captured";
  if (L->getReturnType() != S->getParamType(0) ||
      !L->getReturnType()->isFloatingPointTy())
    return "'" + sourceName(*Is.Load) +
           "' does not return the floating-point "
           "number that '" +
           sourceName(*Is.Store) + "' takes";
  for (unsigned I = 0; I < Captured; ++I) {
    Type *Given = Is.Captured[I];
    for (Type *Taken : {L->getParamType(I + 1), S->getParamType(I + 2)})
      if (Given != Taken && !(Given->isIntegerTy() && Taken->isIntegerTy()) &&
          !(Given->isFloatingPointTy() && Taken->isFloatingPointTy()))
        return "what is captured has another type than '" +
               sourceName(*Is.Load) + "' or '" + sourceName(*Is.Store) +
               "' takes";
  }
  return "";
}

std::optional<DenseView> DenseViews::parse(CallBase &Call) {
  DenseView View;
  if (!Call.getType()->isPointerTy() || Call.arg_size() < 2) {
    refuse(&Call, "it is made of two functions, and is a pointer");
    return std::nullopt;
  }
  View.Is.Load = functionBehind(Call.getArgOperand(0));
  View.Is.Store = functionBehind(Call.getArgOperand(1));
  if (!View.Is.Load || !View.Is.Store) {
    refuse(&Call, "its functions are not known at compile time");
    return std::nullopt;
  }
  for (Value *V : drop_begin(Call.args(), 2)) {
    View.Captured.push_back(V);
    View.Is.Captured.push_back(V->getType());
  }
  if (std::string Why = misfit(View.Is); !Why.empty()) {
    refuse(&Call, Why);
    return std::nullopt;
  }
  return View;
}

/// Whether \p V is an address where nothing can be, other than null.
static bool isNowhere(const Value *V) {
  auto *Cast = dyn_cast<ConstantExpr>(V);
  if (!Cast || Cast->getOpcode() != Instruction::IntToPtr)
    return false;
  auto *Address = dyn_cast<ConstantInt>(Cast->getOperand(0));
  return Address && Address->getValue().ult(4096);
}

/// Callers of derivatives write `(double *)1` for a result that is not needed.
/// Where views are used, such a place is one.
bool DenseViews::replaceNowhere(Function &F) {
  SmallVector<Use *, 8> Uses;
  for (Instruction &I : instructions(F))
    for (Use &U : I.operands())
      if (isNowhere(U) && !isa<ICmpInst, PHINode>(I))
        Uses.push_back(&U);
  for (Use *U : Uses) {
    // A value of its own that is followed to its uses.
    IRBuilder<> B(cast<Instruction>(U->getUser()));
    auto *Place =
        B.Insert(new FreezeInst(PoisonValue::get(U->get()->getType())));
    U->set(Place);
    if (!replaceUses(*this, DenseView(), Place, B.getInt64(0)))
      return false;
    Place->replaceAllUsesWith(
        ConstantPointerNull::get(cast<PointerType>(Place->getType())));
    Place->eraseFromParent();
  }
  return true;
}

bool DenseViews::run(ArrayRef<CallBase *> Markers) {
  SmallSetVector<Function *, 4> Around;
  for (CallBase *Call : Markers) {
    From = originOf(*Call, *functionBehind(Call->getCalledOperand()));
    std::optional<DenseView> View = parse(*Call);
    if (!View)
      return false;
    auto *Begin = ConstantInt::get(Type::getInt64Ty(M.getContext()), 0);
    if (!replaceUses(*this, *View, Call, Begin))
      return false;
    Around.insert(Call->getFunction());
    Call->replaceAllUsesWith(PoisonValue::get(Call->getType()));
    eraseMarkerCall(*Call);
  }
  return all_of(Around, [&](Function *F) { return replaceNowhere(*F); });
}

/// What was true of a function before it called the functions of a view.
static void forgetEffects(Function &F) {
  AttributeMask Mask;
  for (Attribute::AttrKind Kind :
       {Attribute::Memory, Attribute::NoUnwind, Attribute::NoFree,
        Attribute::NoSync, Attribute::WillReturn, Attribute::NoRecurse,
        Attribute::NoCallback, Attribute::Speculatable})
    Mask.addAttribute(Kind);
  F.removeFnAttrs(Mask);
  for (Argument &A : F.args())
    F.removeParamAttr(A.getArgNo(), Attribute::NoAlias);
}

Function *DenseViews::withView(Function &Callee, unsigned Arg,
                               const DenseFunctions &Functions) {
  auto Known = find_if(Copies, [&](const Copy &C) {
    return C.Of == &Callee && C.Arg == Arg && C.Functions == Functions;
  });
  if (Known != Copies.end())
    return Known->Made;
  LLVMContext &Context = M.getContext();
  const FunctionType *Old = Callee.getFunctionType();
  SmallVector<Type *, 8> Params(Old->params());
  Params.push_back(Type::getInt64Ty(Context));
  append_range(Params, Functions.Captured);
  Function *New = createOwn(
      FunctionType::get(Old->getReturnType(), Params, /*isVarArg=*/false),
      GlobalValue::InternalLinkage, Callee.getName() + ".dense", M);
  Copies.push_back({&Callee, Arg, Functions, New});
  ValueToValueMapTy Map;
  for (Argument &A : Callee.args()) {
    New->getArg(A.getArgNo())->setName(A.getName());
    Map[&A] = New->getArg(A.getArgNo());
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(New, &Callee, Map,
                    CloneFunctionChangeType::LocalChangesOnly, Returns);
  New->setLinkage(GlobalValue::InternalLinkage);
  New->setComdat(nullptr);
  Argument *Pointer = New->getArg(Arg);
  New->removeParamAttrs(Arg, AttributeFuncs::getUBImplyingAttributes());
  New->removeParamAttr(Arg, Attribute::NonNull);
  New->removeParamAttr(Arg, Attribute::Returned);
  forgetEffects(*New);
  DenseView View{Functions, {}};
  unsigned First = Old->getNumParams();
  for (unsigned I = 0; I < Functions.Captured.size(); ++I)
    View.Captured.push_back(New->getArg(First + 1 + I));
  return replaceUses(*this, View, Pointer, New->getArg(First)) ? New : nullptr;
}

/// A function of the program that returns a view becomes a part of its callers.
static bool inlineMaker(CallBase &Marker, FunctionAnalysisManager &AM) {
  Function &Maker = *Marker.getFunction();
  promoteVariablesOf(&Marker);
  bool Returns =
      any_of(Marker.users(), [](User *U) { return isa<ReturnInst>(U); });
  if (!Returns)
    return false;
  SmallVector<CallBase *, 8> Calls;
  for (User *U : Maker.users())
    if (auto *Call = dyn_cast<CallBase>(U);
        Call && Call->getCalledFunction() == &Maker &&
        Call->getFunction() != &Maker)
      Calls.push_back(Call);
  bool Inlined = false;
  for (CallBase *Call : Calls) {
    InlineFunctionInfo Info;
    Inlined |= InlineFunction(*Call, Info).isSuccess();
  }
  if (!Maker.use_empty() || !Maker.isDiscardableIfUnused())
    return Inlined;
  AM.clear(Maker, Maker.getName());
  Maker.eraseFromParent();
  return true;
}

bool adze::lowerDenseViews(Module &M, FunctionAnalysisManager &AM,
                           Diagnostics &Diags) {
  constexpr unsigned MaxDepth = 8;
  std::vector<CallBase *> Markers = findDenseViews(M);
  for (unsigned Depth = 0; Depth < MaxDepth; ++Depth) {
    if (none_of(Markers,
                [&](CallBase *Call) { return inlineMaker(*Call, AM); }))
      break;
    Markers = findDenseViews(M);
  }
  return DenseViews(M, Diags).run(Markers);
}
