// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   y = extractvalue s, i      dy = extractvalue ds, i     s'[i] += y'
//   t = insertvalue s, v, i    dt = insertvalue ds, dv, i
//                              v' += t'[i]      s' += t' with [i] = 0
#include "Rules.h"

using namespace llvm;

namespace adze {

namespace {

class AggregateRule : public Rule {
public:
  void needs(const Instruction &, NeedsContext &) const override {}

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    if (auto *E = dyn_cast<ExtractValueInst>(&I)) {
      C.setDual(&I, C.L.map(C.B, {C.dual(E->getAggregateOperand())},
                            [&](ArrayRef<Value *> D) {
                              return C.B.CreateExtractValue(D[0],
                                                            E->getIndices());
                            }));
      return;
    }
    auto &Insert = cast<InsertValueInst>(I);
    C.setDual(&I, C.L.map(C.B,
                          {C.dual(Insert.getAggregateOperand()),
                           C.dual(Insert.getInsertedValueOperand())},
                          [&](ArrayRef<Value *> D) {
                            return C.B.CreateInsertValue(D[0], D[1],
                                                         Insert.getIndices());
                          }));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Adjoint = C.takeAdjoint(&I);
    if (!Adjoint)
      return;
    if (auto *E = dyn_cast<ExtractValueInst>(&I)) {
      const Value *Whole = E->getAggregateOperand();
      Constant *Zero = Constant::getNullValue(Whole->getType());
      C.addAdjoint(Whole, C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> A) {
        return C.B.CreateInsertValue(Zero, A[0], E->getIndices());
      }));
      return;
    }
    auto &Insert = cast<InsertValueInst>(I);
    const Value *Part = Insert.getInsertedValueOperand();
    C.addAdjoint(Part, C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> A) {
      return C.B.CreateExtractValue(A[0], Insert.getIndices());
    }));
    Constant *Zero = Constant::getNullValue(Part->getType());
    C.addAdjoint(Insert.getAggregateOperand(),
                 C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> A) {
                   return C.B.CreateInsertValue(A[0], Zero,
                                                Insert.getIndices());
                 }));
  }
};

} // namespace

const Rule &aggregateRule() {
  static const AggregateRule R;
  return R;
}

} // namespace adze
