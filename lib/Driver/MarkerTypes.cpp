// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the time of the analysis, the function that holds a marker calls the
// marker's function directly:
//
//   autodiff(f, x, dx)   becomes   f(x) [ "adze.marker"(i32 0) ]
//                                  autodiff(f, x, dx)
//
// A canonical clone of that is analysed as any function is; what it says of the
// call is what it knows of the marker's arguments. The operand bundle keeps the
// call from being simplified away, and tells which one it is.
#include "MarkerTypes.h"
#include "adze/Prepare.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {
namespace {

constexpr const char *MarkerBundle = "adze.marker";
/// Larger functions are not looked at: it would cost more than their markers.
constexpr unsigned MaxInstructions = 20000;

/// The operands of \p M that are the primal's own; empty if they do not fit.
SmallVector<Value *, 8> primalArguments(const Marker &M) {
  SmallVector<Value *, 8> Args;
  unsigned Next = 0;
  const Function &F = *M.Req.Primal;
  for (const Argument &A : F.args()) {
    bool Shadow = hasShadowParam(M.Req.Args[A.getArgNo()]) && !M.isRecording();
    if (Next >= M.Operands.size() || M.Operands[Next]->getType() != A.getType())
      return {};
    Args.push_back(M.Operands[Next]);
    Next += Shadow ? 2 : 1;
  }
  return Args;
}

/// A direct call of the primal before the marker, or null.
CallInst *insertCall(const Marker &M, unsigned Number) {
  SmallVector<Value *, 8> Args = primalArguments(M);
  Function &F = *M.Req.Primal;
  if (Args.size() != F.arg_size() || F.isVarArg())
    return nullptr;
  Value *Id = ConstantInt::get(Type::getInt32Ty(F.getContext()), Number);
  OperandBundleDef Bundle(MarkerBundle, ArrayRef<Value *>(Id));
  CallInst *Call = CallInst::Create(F.getFunctionType(), &F, Args, {Bundle}, "",
                                    M.Call->getIterator());
  Call->setCallingConv(F.getCallingConv());
  Call->setDebugLoc(M.Call->getDebugLoc());
  return Call;
}

/// The marker that \p I stands for; no value for other instructions.
std::optional<unsigned> markerOf(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return std::nullopt;
  for (unsigned N = 0; N != Call->getNumOperandBundles(); ++N) {
    OperandBundleUse Bundle = Call->getOperandBundleAt(N);
    if (Bundle.getTagName() == MarkerBundle)
      return cast<ConstantInt>(Bundle.Inputs[0])->getZExtValue();
  }
  return std::nullopt;
}

/// Primals for the time of the analysis: those that derivatives are made of
/// where a marker's function reaches them, others only as far as it is cheap.
/// Trouble with those others is none of the user's.
class Bystanders {
public:
  Bystanders(const SmallPtrSetImpl<Function *> &Reached, PrimalLookup Prepared)
      : Reached(Reached), Prepared(Prepared), Store(Silent) {
    Silent.mute();
  }
  ~Bystanders() { Store.eraseClones(); }

  const Primal *get(Function &F) {
    if (Reached.count(&F))
      return Prepared(F);
    if (F.isDeclaration() || F.getInstructionCount() > MaxInstructions / 4)
      return nullptr;
    if (!Known.count(&F) && Known.size() == MaxFunctions)
      return nullptr;
    Known.insert(&F);
    return Store.get(F, None);
  }

private:
  static constexpr unsigned MaxFunctions = 32;
  const SmallPtrSetImpl<Function *> &Reached;
  PrimalLookup Prepared;
  Origin None;
  Diagnostics Silent;
  PrimalStore Store;
  SmallPtrSet<Function *, 32> Known;
};

/// The markers \p Numbers stand in \p Caller.
void askCaller(Function &Caller, ArrayRef<unsigned> Numbers,
               MutableArrayRef<Marker> Markers, Bystanders &Others) {
  SmallVector<CallInst *, 4> Inserted;
  for (unsigned N : Numbers)
    if (CallInst *Call = insertCall(Markers[N], N))
      Inserted.push_back(Call);
  Diagnostics Silent;
  Silent.mute();
  std::unique_ptr<Primal> P;
  if (!Inserted.empty())
    P = preparePrimal(Caller, Silent, Origin());
  for (CallInst *Call : Inserted)
    Call->eraseFromParent();
  if (!P)
    return;
  {
    auto callees = [&](Function &F) { return Others.get(F); };
    std::unique_ptr<TypeInfo> Types = analyzeTypes(*P, {}, callees);
    for (const Instruction &I : instructions(*P->F))
      if (std::optional<unsigned> N = markerOf(I))
        Markers[*N].Req.Types = Types->typesOfCall(I);
  }
  Function *Clone = P->F;
  P.reset();
  Clone->eraseFromParent();
}

} // namespace

void takeTypesFromCallers(
    MutableArrayRef<Marker> Markers,
    function_ref<const Primal *(Function &, const Origin &)> Prepared) {
  MapVector<Function *, SmallVector<unsigned, 4>> ByCaller;
  SmallPtrSet<Function *, 32> Reached; // by what the markers differentiate
  for (unsigned N = 0; N != Markers.size(); ++N) {
    const Marker &M = Markers[N];
    auto callees = [&](Function &F) {
      Reached.insert(&F);
      return Prepared(F, *M.From);
    };
    const Primal *P = callees(*M.Req.Primal);
    Function *Caller = M.Call->getFunction();
    if (P && analyzeTypes(*P, {}, callees)->asksForContext() &&
        Caller->getInstructionCount() <= MaxInstructions)
      ByCaller[Caller].push_back(N);
  }
  for (auto &[Caller, Numbers] : ByCaller) {
    const Origin &From = *Markers[Numbers.front()].From;
    auto prepared = [&](Function &F) { return Prepared(F, From); };
    Bystanders Others(Reached, prepared);
    askCaller(*Caller, Numbers, Markers, Others);
  }
}

} // namespace adze
