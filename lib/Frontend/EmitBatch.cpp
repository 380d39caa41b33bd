// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of a batch are made in a function of ours, so that a marker that
// may end by an exception is one call, too; it is inlined at once. Few calls
// stand one after the other, for LLVM to join them to vector code; many are a
// loop, whose operands come from memory.
#include "Frontend/Batches.h"
#include "Frontend/Materialize.h"
#include "Frontend/ResultType.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace adze;

namespace {

/// More calls than this are a loop.
constexpr unsigned MostUnrolled = 16;

class BatchEmitter {
public:
  explicit BatchEmitter(Batch &B)
      : B(B), C(B.C), F(*B.C.Primal), DL(B.C.layout()), Build(B.C),
        Here(B.C.Call), IsLoop(B.Width > MostUnrolled),
        Result(F.hasStructRetAttr() ? F.getParamStructRetType(0)
                                    : F.getReturnType()),
        InMemory(F.hasStructRetAttr() || (IsLoop && !Result->isVoidTy())) {}

  bool run(const std::shared_ptr<const Origin> &From, Diagnostics &Diags) {
    Marker M;
    M.Call = C.Call;
    M.From = From;
    M.Req.Primal = &F;
    layOutResults(M);
    if (!layOutResult(C, *From, Diags, M))
      return false;
    for (const BatchArgument &A : B.Arguments)
      for (unsigned K = 0; K != A.NumParams; ++K)
        pass(A, A.FirstParam + K);
    makeFunction();
    M.Operands.assign(Passed.begin(), Passed.end());
    replaceMarkerBy(M, *Made);
    auto *Call = cast<CallBase>(*Made->user_begin());
    InlineFunctionInfo Info;
    if (InlineFunction(*Call, Info).isSuccess())
      Made->eraseFromParent();
    return true;
  }

private:
  /// Where a parameter's value comes from in the function that is made: one
  /// argument for all sets, one for each, or an address and a stride.
  struct Source {
    BatchTag T;
    unsigned First;      // argument
    uint64_t Offset = 0; // of a piece, in a buffer
  };

  void layOutResults(Marker &M) {
    if (Result->isVoidTy())
      return;
    if (!InMemory) {
      for (unsigned Set = 0; Set != B.Width; ++Set)
        M.Results.push_back({nullptr, Set, Result, 0});
      return;
    }
    Type *All = ArrayType::get(Result, B.Width);
    M.Results.push_back({Build.memory(All), 0, All, 0});
    Passed.push_back(M.Results.front().Memory);
  }

  /// Adds to the operands what parameter \p P takes.
  void pass(const BatchArgument &A, unsigned P) {
    Source S = {A.T, unsigned(Passed.size())};
    const Group G = A.group();
    switch (A.T) {
    case BatchTag::Scalar:
      Passed.push_back(Build.value(G, A.First, P));
      break;
    case BatchTag::Buffer:
      Passed.push_back(C.Operands[A.First.First].V);
      Passed.push_back(Here.CreateSExtOrTrunc(A.Stride, Here.getInt64Ty()));
      S.Offset = offsetOf(A, P);
      break;
    case BatchTag::None:
    case BatchTag::Vector:
      passAll(A, P);
      break;
    }
    Sources.push_back(S);
  }

  void passAll(const BatchArgument &A, unsigned P) {
    const Group G = A.group();
    Type *Ty = F.getArg(P)->getType();
    Value *Array = IsLoop ? Build.memory(ArrayType::get(Ty, B.Width)) : nullptr;
    for (unsigned Set = 0; Set != B.Width; ++Set) {
      Value *V = Build.value(G, A.instance(Set), P);
      if (Array)
        Here.CreateStore(V, Here.CreateConstInBoundsGEP1_64(Ty, Array, Set));
      else
        Passed.push_back(V);
    }
    if (Array)
      Passed.push_back(Array);
  }

  uint64_t offsetOf(const BatchArgument &A, unsigned P) const {
    SmallVector<Type *, 2> Pieces;
    for (unsigned K = 0; K != A.NumParams; ++K)
      Pieces.push_back(F.getArg(A.FirstParam + K)->getType());
    SmallVector<uint64_t, 2> Offsets;
    pieceOffsets(Pieces, DL, Offsets);
    return Offsets[P - A.FirstParam];
  }

  void makeFunction() {
    LLVMContext &Context = F.getContext();
    Module &M = *C.Call->getModule();
    SmallVector<Type *, 16> Types;
    for (Value *V : Passed)
      Types.push_back(V->getType());
    Type *Returned =
        InMemory || Result->isVoidTy()
            ? Type::getVoidTy(Context)
            : StructType::get(Context,
                              SmallVector<Type *, 16>(B.Width, Result));
    Made = createOwn(FunctionType::get(Returned, Types, /*isVarArg=*/false),
                     GlobalValue::InternalLinkage,
                     ("adze.batch." + F.getName()).str(), M);
    BasicBlock *Entry = BasicBlock::Create(Context, "", Made);
    if (IsLoop)
      makeLoop(Entry);
    else
      makeCalls(Entry);
  }

  void makeCalls(BasicBlock *Entry) {
    IRBuilder<> At(Entry);
    Value *All = Made->getReturnType()->isVoidTy()
                     ? nullptr
                     : PoisonValue::get(Made->getReturnType());
    for (unsigned Set = 0; Set != B.Width; ++Set) {
      Value *One = call(At, At.getInt64(Set));
      if (All)
        All = At.CreateInsertValue(All, One, Set);
    }
    if (All)
      At.CreateRet(All);
    else
      At.CreateRetVoid();
  }

  void makeLoop(BasicBlock *Entry) {
    LLVMContext &Context = F.getContext();
    BasicBlock *Body = BasicBlock::Create(Context, "set", Made);
    BasicBlock *Done = BasicBlock::Create(Context, "done", Made);
    IRBuilder<> At(Entry);
    At.CreateBr(Body);
    At.SetInsertPoint(Body);
    PHINode *Set = At.CreatePHI(At.getInt64Ty(), 2);
    Set->addIncoming(At.getInt64(0), Entry);
    Value *One = call(At, Set);
    if (!One->getType()->isVoidTy())
      At.CreateStore(One, At.CreateInBoundsGEP(Result, Made->getArg(0), {Set}));
    Value *Next = At.CreateNUWAdd(Set, At.getInt64(1));
    Set->addIncoming(Next, Body);
    At.CreateCondBr(At.CreateICmpEQ(Next, At.getInt64(B.Width)), Done, Body);
    At.SetInsertPoint(Done);
    At.CreateRetVoid();
  }

  Value *call(IRBuilder<> &At, Value *Set) {
    SmallVector<Value *, 8> Args;
    const Source *Next = Sources.begin();
    for (const Argument &A : F.args())
      Args.push_back(A.hasStructRetAttr()
                         ? At.CreateInBoundsGEP(Result, Made->getArg(0), {Set})
                         : valueOf(At, *Next++, A, Set));
    CallInst *Call = At.CreateCall(&F, Args);
    Call->setCallingConv(F.getCallingConv());
    Call->setAttributes(F.getAttributes().removeFnAttributes(F.getContext()));
    return Call;
  }

  Value *valueOf(IRBuilder<> &At, const Source &S, const Argument &A,
                 Value *Set) {
    Type *Ty = A.getType();
    Value *First = Made->getArg(S.First);
    if (S.T == BatchTag::Scalar)
      return First;
    if (S.T == BatchTag::Buffer) {
      Value *Bytes = At.CreateMul(Set, Made->getArg(S.First + 1));
      Value *Place =
          At.CreatePtrAdd(First, At.CreateAdd(Bytes, At.getInt64(S.Offset)));
      return Ty->isPointerTy() ? At.CreateAddrSpaceCast(Place, Ty)
                               : At.CreateAlignedLoad(Ty, Place, Align(1));
    }
    if (auto *Number = dyn_cast<ConstantInt>(Set); Number && !IsLoop)
      return Made->getArg(S.First + Number->getZExtValue());
    return At.CreateLoad(Ty, At.CreateInBoundsGEP(Ty, First, {Set}));
  }

  Batch &B;
  const MarkerCall &C;
  Function &F;
  const DataLayout &DL;
  Materializer Build;
  IRBuilder<> Here;
  const bool IsLoop;
  Type *Result;
  const bool InMemory; // results are written behind the first argument
  SmallVector<Value *, 16> Passed;
  SmallVector<Source, 8> Sources; // of the parameters but for sret
  Function *Made = nullptr;
};

} // namespace

bool adze::emitBatch(Batch &B, const std::shared_ptr<const Origin> &From,
                     Diagnostics &Diags) {
  return BatchEmitter(B).run(From, Diags);
}
