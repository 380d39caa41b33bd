// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tangents of moves of words (WordMoves.h). Memory without a shadow has
// tangents that are zero, and its addresses lead to what has none either:
//
//   add      dto alone:  floats there become zero
//   copy     dto alone:  f(dto, from, bytes)
//   either   dfrom alone: nothing
#include "adze/WordMoves.h"
#include "adze/Emit.h"
#include "adze/RuleContext.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace adze {

namespace {

class MoveEmitter {
public:
  explicit MoveEmitter(const Derivative &D)
      : Move(*D.Req.Primal), F(*D.Forward), L(D.Req.Width),
        B(BasicBlock::Create(F.getContext(), "", &F)) {
    Argument *Next = F.arg_begin();
    for (auto [V, Dual, Activity] : zip(Primals, Duals, ArrayRef(D.Req.Args))) {
      V = Next++;
      Dual = hasShadowParam(Activity) ? Next++ : nullptr;
    }
  }

  void run() {
    B.CreateCall(&Move, Primals);
    Instruction *End = B.CreateRetVoid();
    for (unsigned K = 0; Duals[0] && K != L.count(); ++K) {
      B.SetInsertPoint(End);
      moveTangents(K, End);
    }
  }

private:
  Value *direction(Value *Dual, unsigned K) {
    return L.isOne() ? Dual : B.CreateExtractValue(Dual, K);
  }

  /// In direction \p K, in front of \p End.
  void moveTangents(unsigned K, Instruction *End) {
    auto [To, From, Bytes] = Primals;
    Value *DTo = direction(Duals[0], K);
    // Its own shadow: there are no tangents.
    Instruction *Then = SplitBlockAndInsertIfThen(B.CreateICmpNE(DTo, To), End,
                                                  /*Unreachable=*/false);
    B.SetInsertPoint(Then);
    if (kindOfWordMove(Move) == WordMove::Copies) {
      Value *DFrom = Duals[1] ? direction(Duals[1], K) : From;
      B.CreateCall(&Move, {DTo, DFrom, Bytes});
      return;
    }
    if (!Duals[1])
      return clear(DTo, Bytes);
    Value *DFrom = direction(Duals[1], K);
    Instruction *Plain = nullptr, *Shadowed = nullptr;
    SplitBlockAndInsertIfThenElse(B.CreateICmpEQ(DFrom, From), Then, &Plain,
                                  &Shadowed);
    B.SetInsertPoint(Plain);
    clear(DTo, Bytes);
    B.SetInsertPoint(Shadowed);
    B.CreateCall(&Move, {DTo, DFrom, Bytes});
  }

  /// What is taken from \p DTo is added to memory that nobody reads.
  void clear(Value *DTo, Value *Bytes) {
    Module &M = *F.getParent();
    Type *Ptr = B.getPtrTy(), *Size = B.getInt64Ty();
    Value *Sink = B.CreateCall(M.getOrInsertFunction("calloc", Ptr, Size, Size),
                               {Bytes, B.getInt64(1)});
    B.CreateCall(&Move, {DTo, Sink, Bytes});
    B.CreateCall(M.getOrInsertFunction("free", B.getVoidTy(), Ptr), Sink);
  }

  Function &Move, &F;
  const Lanes L;
  IRBuilder<> B;
  std::array<Value *, 3> Primals, Duals;
};

} // namespace

void declareWordMove(Derivative &D, Module &M) {
  declareDerivative(D, *D.Req.Primal, *D.Req.Primal, M);
}

void emitWordMove(const Derivative &D) { MoveEmitter(D).run(); }

} // namespace adze
