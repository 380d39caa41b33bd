// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers have shadows, not adjoints: the shadow moves as the pointer does.
//
//   q = gep p, i         dq = gep dp, i
//   q = cast p           dq = cast dp      (bitcast, addrspacecast, ptrtoint,
//                                           inttoptr)
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

} // namespace

const Rule &pointerRule() {
  static const PointerRule R;
  return R;
}

} // namespace adze
