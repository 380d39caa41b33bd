// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckGradients.h"
#include "Analysis/Type/Layout.h"
#include "EmitCheck.h"
#include "adze/DeviceTarget.h"
#include "adze/ReachableConstants.h"
#include "adze/Remarks.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

GradientChecks::GradientChecks(Module &M, ArrayRef<CallBase *> Calls,
                               FunctionAnalysisManager &FAM, Diagnostics &Diags)
    : M(M), FAM(FAM), Diags(Diags) {
  SmallVector<const Function *, 4> Roots;
  for (const CallBase *Call : findMarkers(M)) {
    if (is_contained(Calls, Call))
      continue;
    size_t Before = Roots.size();
    for (const Value *Arg : Call->args())
      if (auto *F = dyn_cast<Function>(Arg->stripPointerCasts()))
        Roots.push_back(F);
    AnyLater |= Roots.size() == Before;
  }
  Later = reachableConstants(Roots);
}

void GradientChecks::learn(const Marker &Of, const Facts &F) {
  std::vector<TypeTree> &All = Types[Of.Call];
  for (const Argument &A : F.P->F->args())
    All.push_back(F.Types->treeOf(&A).pointeeAt(0));
}

/// Where numbers are in the memory of each region that has a shadow.
std::vector<BlockLayout> GradientChecks::layoutsOf(const Marker &Of,
                                                   const ProbePrimal &P) const {
  std::vector<TypeTree> Trees;
  std::vector<BlockLayout> Layouts;
  for (const ProbeRegion &Region : P.Regions) {
    Trees.emplace_back();
    Layouts.emplace_back();
    auto *Arg = dyn_cast<Argument>(Region.Root);
    if (!Arg || !hasShadowParam(Of.Req.Args[Arg->getArgNo()]))
      continue;
    Trees.back() = Region.Parent >= 0
                       ? Trees[Region.Parent].pointeeAt(Region.Offset)
                       : Types.find(Of.Call)->second[Arg->getArgNo()];
    Layouts.back() = layoutOf(Trees.back(), UINT64_MAX, Doubt::FloatWins);
  }
  return Layouts;
}

/// Why nothing is known of how to check \p Of, whatever its function does.
std::string GradientChecks::whyNot(const Marker &Of,
                                   const Derivative &D) const {
  if (M.getDataLayout().getPointerSizeInBits() != 64 || isDevice(M))
    return "there is no code for it on this machine";
  if (D.Req.Kind.isSplit() || Of.Half != SplitHalf::None)
    return "it is computed in two halves";
  if (D.Req.Width != 1)
    return "it has several directions";
  if (AnyLater || Later.contains(Of.Call->getFunction()))
    return "it is part of another derivative";
  if (retHasShadow(D.Req.Ret))
    return "the function returns a pointer";
  SmallVector<FloatLeaf, 8> Floats;
  const Function &Primal = *Of.Req.Primal;
  for (const Argument &A : Primal.args()) {
    ArgActivity Activity = D.Req.Args[A.getArgNo()];
    bool IsByValue =
        !A.getType()->isPointerTy() && Activity != ArgActivity::Const;
    if (!IsByValue)
      continue;
    bool HasShadow = hasShadowParam(Activity);
    if (HasShadow != (D.Req.Kind.isForward()) ||
        !findFloats(A.getType(), M.getDataLayout(), Floats))
      return "a structure is passed in registers";
  }
  if (D.Req.Ret == RetActivity::Active &&
      !findFloats(Primal.getReturnType(), M.getDataLayout(), Floats))
    return "a structure is returned in registers";
  return "";
}

std::string GradientChecks::whyNotMemory(const Marker &Of,
                                         const ProbePrimal &P) const {
  // What is found there has a direction of its own, which is not ours to
  // choose.
  if (P.FollowsPointers && Of.Req.Kind.isForward())
    return "it reads through pointers that it finds in memory";
  for (const BlockLayout &Layout : layoutsOf(Of, P))
    for (const TypedRange &R : Layout.Ranges)
      if (Type *Ty = R.Type.floatType();
          Ty && !Ty->isFloatTy() && !Ty->isDoubleTy())
        return "memory holds numbers that are neither float nor double";
  return "";
}

const ProbePrimal &GradientChecks::primalOf(Function &F) {
  auto [It, New] = Primals.try_emplace(&F);
  if (New)
    It->second = makeProbePrimal(F, FAM);
  return It->second;
}

void GradientChecks::tell(const Marker &Of, const ProbePrimal &P) const {
  if (!remarksEnabled(M.getContext()))
    return;
  OptimizationRemarkAnalysis Remark("adze", "Checked", Of.Call->getDebugLoc(),
                                    Of.Call->getParent());
  Remark << "the derivative of '"
         << ore::NV("Function", sourceName(*Of.Req.Primal))
         << "' is checked when the program runs";
  if (P.FollowsPointers)
    Remark << ", but for what lies behind pointers in memory";
  M.getContext().diagnose(Remark);
}

Derivative GradientChecks::checked(const Marker &Of, const Derivative &D) {
  if (Of.Half == SplitHalf::Size)
    return D;
  std::string Why = whyNot(Of, D);
  if (Why.empty()) {
    const ProbePrimal &P = primalOf(*Of.Req.Primal);
    Why = P.WhyNot.empty() ? whyNotMemory(Of, P) : P.WhyNot;
    if (Why.empty())
      return checked(Of, D, P);
  }
  Diags.report(Diag::NotChecked, *Of.From, Of.Call,
               {sourceName(*Of.Req.Primal), Why});
  return D;
}

Derivative GradientChecks::checked(const Marker &Of, const Derivative &D,
                                   const ProbePrimal &P) const {
  tell(Of, P);
  Derivative Checked = D;
  Function *F = emitChecked({Of, D, P, layoutsOf(Of, P)});
  (D.Req.Kind.isForward() ? Checked.Forward : Checked.Fused) = F;
  return Checked;
}

} // namespace adze
