// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   result adze.checked.f(arguments and shadows, seed):
//     frame = arguments
//     state = adze_probe_begin(probe, frame, pointers, numbers, given)
//     result = derivative(arguments and shadows, seed)
//     adze_probe_end(state, computed)
//
//   adze.probe.run.f(state, frame, in, out):
//     out = f(arguments of frame, numbers of in)
#include "EmitCheck.h"
#include "ArgumentText.h"
#include "ProbeRuntime.h"
#include "adze/AggregateParts.h"
#include "adze/Diagnostics.h"
#include "adze/OwnFunction.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

bool findFloats(Type *Ty, const DataLayout &DL,
                SmallVectorImpl<FloatLeaf> &Out) {
  bool Only = true;
  forEachPart(Ty, DL, [&](const AggregatePart &Part) {
    FloatLeaf At{to_vector<2>(Part.Path)};
    auto *Vector = dyn_cast<FixedVectorType>(Part.Ty);
    if (Vector && Vector->isFPOrFPVectorTy()) {
      for (unsigned I = 0; I != Vector->getNumElements(); ++I) {
        At.Lane = I;
        Out.push_back(At);
      }
    } else if (Part.Ty->isFloatTy() || Part.Ty->isDoubleTy() ||
               Part.Ty->isX86_FP80Ty() || Part.Ty->isFP128Ty()) {
      Out.push_back(At);
    } else {
      Only = false;
    }
  });
  return Only;
}

namespace {

class CheckEmitter {
public:
  explicit CheckEmitter(const CheckedMarker &C)
      : C(C), R(C.D.Req), Primal(*C.Of.Req.Primal), M(*Primal.getParent()),
        IsForward(R.Kind.isForward()),
        Target(*(IsForward ? C.D.Forward : C.D.Fused)), B(M.getContext()),
        Runtime(probeRuntime(M)) {
    Double = B.getDoubleTy();
    SmallVector<Type *, 8> Types(Primal.getFunctionType()->params());
    Frame = StructType::get(M.getContext(), Types);
    Name = Primal.getName().str();
  }

  Function *run() {
    for (const Argument &A : Primal.args())
      if (isScalar(A))
        findFloats(A.getType(), M.getDataLayout(), Scalars);
    if (R.Ret == RetActivity::Active)
      findFloats(Primal.getReturnType(), M.getDataLayout(), Results);
    return emitChecked(emitProbe(emitRun()));
  }

private:
  using Leaves = SmallVector<FloatLeaf, 8>;

  /// Numbers given by value that there is a derivative with respect to.
  bool isScalar(const Argument &A) const {
    ArgActivity Activity = R.Args[A.getArgNo()];
    return !A.getType()->isPointerTy() && Activity != ArgActivity::Const;
  }

  /// Writes the floats of \p V to \p Array from \p Next on.
  void scatter(Value *V, Value *Array, unsigned &Next) {
    Leaves Floats;
    findFloats(V->getType(), M.getDataLayout(), Floats);
    for (const FloatLeaf &Leaf : Floats) {
      Value *X = Leaf.Path.empty() ? V : B.CreateExtractValue(V, Leaf.Path);
      if (Leaf.Lane >= 0)
        X = B.CreateExtractElement(X, Leaf.Lane);
      B.CreateStore(B.CreateFPCast(X, Double), element(Array, Next++));
    }
  }

  /// A value of \p Ty of numbers from \p Array.
  Value *gather(Type *Ty, Value *Array, unsigned &Next) {
    Leaves Floats;
    findFloats(Ty, M.getDataLayout(), Floats);
    Value *V = PoisonValue::get(Ty);
    for (const FloatLeaf &Leaf : Floats) {
      Value *Old = Leaf.Path.empty() ? V : B.CreateExtractValue(V, Leaf.Path);
      Value *X = B.CreateFPCast(B.CreateLoad(Double, element(Array, Next++)),
                                Old->getType()->getScalarType());
      if (Leaf.Lane >= 0)
        X = B.CreateInsertElement(Old, X, Leaf.Lane);
      V = Leaf.Path.empty() ? X : B.CreateInsertValue(V, X, Leaf.Path);
    }
    return V;
  }

  Value *element(Value *Array, unsigned I) {
    return B.CreateConstInBoundsGEP1_64(Double, Array, I);
  }

  Function *function(const std::string &Named, FunctionType *Ty) {
    Function *F = createOwn(Ty, GlobalValue::InternalLinkage, Named, M);
    F->addFnAttr(Attribute::NoInline);
    B.SetInsertPoint(BasicBlock::Create(M.getContext(), "entry", F));
    return F;
  }

  Function *emitRun() {
    Type *Ptr = B.getPtrTy();
    Function *F =
        function("adze.probe.run." + Name,
                 FunctionType::get(B.getVoidTy(), {Ptr, Ptr, Ptr, Ptr}, false));
    copyTarget(*F);
    SmallVector<Value *, 8> Args;
    unsigned Next = 0;
    for (const Argument &A : Primal.args()) {
      if (isScalar(A))
        Args.push_back(gather(A.getType(), F->getArg(2), Next));
      else
        Args.push_back(B.CreateLoad(
            A.getType(), B.CreateStructGEP(Frame, F->getArg(1), A.getArgNo())));
    }
    Args.push_back(F->getArg(0));
    Value *Result = B.CreateCall(C.P.F, Args);
    Next = 0;
    if (!Results.empty())
      scatter(Result, F->getArg(3), Next);
    B.CreateRetVoid();
    return F;
  }

  /// Vectors are passed in the same registers.
  void copyTarget(Function &F) {
    for (const char *Attr : {"target-cpu", "target-features", "tune-cpu"})
      if (Attribute A = Primal.getFnAttribute(Attr); A.isValid())
        F.addFnAttr(A);
  }

  Constant *constant(Constant *Value, const Twine &Named, bool IsConst = true) {
    return new GlobalVariable(M, Value->getType(), IsConst,
                              GlobalValue::PrivateLinkage, Value,
                              "adze.probe." + Named);
  }

  /// Copies of one marker, as of a loop that is unrolled, share it.
  Constant *counter(const char *Of, const std::string &Place) {
    std::string Named = Of + Place;
    GlobalVariable *Old =
        M.getGlobalVariable("adze.probe." + Named, /*AllowInternal=*/true);
    return Old && !Place.empty()
               ? Old
               : constant(B.getInt64(0), Named, /*IsConst=*/false);
  }

  Constant *text(const std::string &Text) {
    return constant(ConstantDataArray::getString(M.getContext(), Text), "text");
  }

  Constant *layouts(const BlockLayout &L, uint64_t &Count) {
    Type *I64 = B.getInt64Ty();
    auto *Ty = StructType::get(I64, I64, I64, I64);
    SmallVector<Constant *, 8> All;
    for (const TypedRange &Range : L.Ranges) {
      uint64_t Kind;
      if (Range.Type.isFloat())
        Kind = Range.Type.floatType()->isDoubleTy() ? 1 : 0;
      else if (!Range.Type.isKnown())
        Kind = 2;
      else
        continue;
      All.push_back(ConstantStruct::get(
          Ty, {B.getInt64(Range.Begin), B.getInt64(Range.End),
               B.getInt64(L.Period), B.getInt64(Kind)}));
    }
    Count = All.size();
    return constant(ConstantArray::get(ArrayType::get(Ty, Count), All),
                    "layouts");
  }

  /// const char *[]
  Constant *scalarNames() {
    SmallVector<Constant *, 8> All;
    for (const Argument &A : Primal.args()) {
      Leaves Floats;
      if (isScalar(A) && findFloats(A.getType(), M.getDataLayout(), Floats))
        All.append(Floats.size(), text(argumentText(A)));
    }
    return constant(
        ConstantArray::get(ArrayType::get(B.getPtrTy(), All.size()), All),
        "scalars");
  }

  /// struct RegionText[]
  Constant *regions() {
    Type *I64 = B.getInt64Ty();
    auto *Ty = StructType::get(B.getPtrTy(), B.getPtrTy(), I64, I64, I64);
    SmallVector<Constant *, 8> All;
    std::vector<std::string> Names;
    for (auto [Region, Layout] : zip(C.P.Regions, C.Layouts)) {
      uint64_t Count = 0;
      Constant *Layouts = layouts(Layout, Count);
      auto *Arg = dyn_cast<Argument>(Region.Root);
      std::string Words = Arg ? argumentText(*Arg) : describe(Region.Root);
      if (Region.Parent >= 0)
        Words = "memory behind byte " + std::to_string(Region.Offset) + " of " +
                Names[Region.Parent];
      Names.push_back(Words);
      All.push_back(
          ConstantStruct::get(Ty, {text(Words), Layouts, B.getInt64(Count),
                                   ConstantInt::getSigned(I64, Region.Parent),
                                   B.getInt64(Region.Offset)}));
    }
    return constant(ConstantArray::get(ArrayType::get(Ty, All.size()), All),
                    "regions");
  }

  /// struct Probe
  Constant *emitProbe(Function *Run) {
    std::string Place = sourcePlace(C.Of.Call);
    if (!Place.empty())
      Place += ": ";
    auto number = [&](uint64_t N) -> Constant * { return B.getInt64(N); };
    return constant(
        ConstantStruct::getAnon(
            {text(Place), text(sourceName(Primal)), Run, regions(),
             scalarNames(), number(C.P.Regions.size()), number(Scalars.size()),
             number(Results.size()), number(IsForward), number(C.P.IsSingle),
             counter("calls.", Place), counter("told.", Place)}),
        "of." + Name);
  }

  /// The parameter of the derivative for \p A, and its shadow or null.
  std::pair<Value *, Value *> paramsOf(Function &F, const Argument &A) const {
    unsigned I = 0;
    for (unsigned K = 0; K != A.getArgNo(); ++K)
      I += 1 + hasShadowParam(R.Args[K]);
    return {F.getArg(I),
            hasShadowParam(R.Args[A.getArgNo()]) ? F.getArg(I + 1) : nullptr};
  }

  Value *array(Type *Ty, uint64_t Count) {
    return B.CreateAlloca(ArrayType::get(Ty, Count ? Count : 1));
  }

  Value *pointersOf(Function &F) {
    Value *Pointers = array(B.getPtrTy(), 2 * C.P.Regions.size());
    unsigned Next = 0;
    auto add = [&](Value *P) {
      B.CreateStore(
          P, B.CreateConstInBoundsGEP1_64(B.getPtrTy(), Pointers, Next++));
    };
    Value *Null = ConstantPointerNull::get(B.getPtrTy());
    for (const ProbeRegion &Region : C.P.Regions) {
      // Others are found when they are used.
      if (Region.Parent >= 0) {
        add(Null);
        add(Null);
        continue;
      }
      auto *Arg = dyn_cast<Argument>(Region.Root);
      auto [Base, Shadow] =
          Arg ? paramsOf(F, *Arg)
              : std::pair<Value *, Value *>(Region.Root, nullptr);
      add(Base);
      add(Shadow ? Shadow : Null);
    }
    return Pointers;
  }

  Function *emitChecked(Constant *Probe) {
    Function *F = function("adze.checked." + Name, Target.getFunctionType());
    F->setAttributes(Target.getAttributes().removeFnAttributes(M.getContext()));
    copyTarget(*F);
    F->addFnAttr(Attribute::NoInline);
    Value *Args = B.CreateAlloca(Frame), *Pointers = pointersOf(*F);
    Value *In = array(Double, Scalars.size());
    Value *Given = array(Double, IsForward ? Scalars.size() : Results.size());
    Value *Computed =
        array(Double, IsForward ? Results.size() : Scalars.size());
    unsigned NextIn = 0, NextGiven = 0, NextComputed = 0;
    for (const Argument &A : Primal.args()) {
      auto [Value, Shadow] = paramsOf(*F, A);
      B.CreateStore(Value, B.CreateStructGEP(Frame, Args, A.getArgNo()));
      if (!isScalar(A))
        continue;
      scatter(Value, In, NextIn);
      if (IsForward)
        scatter(Shadow, Given, NextGiven);
    }
    if (!IsForward && !Results.empty())
      scatter(F->getArg(F->arg_size() - 1), Given, NextGiven);
    Value *State =
        B.CreateCall(Runtime.Begin, {Probe, Args, Pointers, In, Given});
    SmallVector<Value *, 8> All;
    for (Argument &A : F->args())
      All.push_back(&A);
    CallInst *Result = B.CreateCall(&Target, All);
    Result->setCallingConv(Target.getCallingConv());
    unsigned First = R.ReturnPrimal;
    unsigned Count = 0;
    if (auto *S = dyn_cast<StructType>(Result->getType()))
      Count = S->getNumElements();
    if (!(IsForward ? Results : Scalars).empty())
      for (unsigned I = First; I != Count; ++I)
        scatter(B.CreateExtractValue(Result, I), Computed, NextComputed);
    B.CreateCall(Runtime.End, {State, Computed});
    if (Result->getType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(Result);
    return F;
  }

  const CheckedMarker &C;
  const Request &R;
  Function &Primal;
  Module &M;
  const bool IsForward;
  Function &Target;
  IRBuilder<> B;
  ProbeRuntime Runtime;
  Type *Double;
  StructType *Frame;
  std::string Name;
  Leaves Scalars, Results;
};

} // namespace

Function *emitChecked(const CheckedMarker &C) { return CheckEmitter(C).run(); }

} // namespace adze
