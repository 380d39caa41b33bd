// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers have shadows, not adjoints: the shadow moves as the pointer does.
//
//   q = gep p, i         dq = gep dp, i
//   q = cast p           dq = cast dp      (bitcast, addrspacecast, ptrtoint,
//                                           inttoptr)
//
// Addresses computed in integers (marks in low bits, alignment):
//
//   j = i op n           dj = di + (j - i)    both lie equally far from i
//   j = i op k           dj = di op dk        both are addresses: p - q, p ^ q
#include "Rules.h"

using namespace llvm;

namespace adze {

namespace {

class PointerRule : public Rule {
public:
  void needs(const Instruction &, NeedsContext &) const override {}

  void propagate(const Instruction &I, TangentContext &C) const override {
    if (!C.carries(&I))
      return;
    if (auto *G = dyn_cast<GetElementPtrInst>(&I)) {
      SmallVector<Value *, 4> Indices;
      for (const Use &Index : G->indices())
        Indices.push_back(C.primal(Index.get()));
      C.setDual(&I, C.L.map(C.B, {C.dual(G->getPointerOperand())},
                            [&](ArrayRef<Value *> D) {
                              return C.B.CreateGEP(G->getSourceElementType(),
                                                   D[0], Indices, "",
                                                   G->isInBounds());
                            }));
      return;
    }
    auto &Cast = cast<CastInst>(I);
    C.setDual(
        &I,
        C.L.map(C.B, {C.dual(Cast.getOperand(0))}, [&](ArrayRef<Value *> D) {
          return C.B.CreateCast(Cast.getOpcode(), D[0], Cast.getDestTy());
        }));
  }

  void reverse(const Instruction &, ReverseContext &) const override {}
};

class AddressRule : public Rule {
public:
  void needs(const Instruction &, NeedsContext &) const override {}

  void propagate(const Instruction &I, TangentContext &C) const override {
    if (!C.carries(&I))
      return;
    const Value *A = I.getOperand(0), *B = I.getOperand(1);
    if (C.hasShadow(A) && C.hasShadow(B)) {
      C.setDual(&I,
                C.L.map(C.B, {C.dual(A), C.dual(B)}, [&](ArrayRef<Value *> D) {
                  return C.B.CreateBinOp(Instruction::BinaryOps(I.getOpcode()),
                                         D[0], D[1]);
                }));
      return;
    }
    const Value *From = C.hasShadow(A) ? A : B;
    Value *Distance = C.B.CreateSub(C.primal(&I), C.primal(From));
    C.setDual(&I, C.L.map(C.B, {C.dual(From)}, [&](ArrayRef<Value *> D) {
      return C.B.CreateAdd(D[0], Distance);
    }));
  }

  void reverse(const Instruction &, ReverseContext &) const override {}
};

} // namespace

const Rule &addressRule() {
  static const AddressRule R;
  return R;
}

const Rule &pointerRule() {
  static const PointerRule R;
  return R;
}

} // namespace adze
