// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The states of a loop with adze_checkpoint, in a gradient that is
// differentiated again (Runtime/Checkpoints.c). What is saved of memory and
// comes back is saved of its tangents, too, and comes back with it.
//
//   region(p, p, bytes, s, states)         region(dp, dp, bytes, ds, states)
//
// In reverse, the order of steps would be that of the states that come back:
// that is refused (Planner.cpp).
#include "Rules.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace adze {

namespace {

class StatesRule : public Rule {
public:
  void needs(const Instruction &, NeedsContext &) const override {}

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    auto &Call = cast<CallBase>(I);
    const Value *Place = Call.getArgOperand(0), *Other = Call.getArgOperand(3);
    if (!C.carries(Place))
      return;
    Value *Bytes = C.primal(Call.getArgOperand(2));
    Value *States = C.primal(Call.getArgOperand(4));
    C.L.map(C.B, {C.dual(Place), C.dual(Other)},
            [&](ArrayRef<Value *> D) -> Value * {
              SmallVector<Value *, 6> Args = {D[0], D[0], Bytes, D[1], States};
              // The direction of the gradient.
              if (Call.arg_size() > Args.size())
                Args.push_back(C.primal(Call.getArgOperand(Args.size())));
              C.B.CreateCall(Call.getFunctionType(), Call.getCalledOperand(),
                             Args);
              return nullptr;
            });
  }

  void reverse(const Instruction &, ReverseContext &) const override {}
};

} // namespace

const Rule &statesRule() {
  static const StatesRule R;
  return R;
}

} // namespace adze
