// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic read-modify-write of numbers, as in the counters of shared pointers.
//
//   n = atomicrmw op p, k      no derivative; the shadow of a number is unused
//
// The primal does it once, in the order in which it does everything else.
#include "FloatLeaves.h"
#include "Rules.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

namespace {

class AtomicNumberRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    Type *Ty = I.getOperand(1)->getType();
    Content In =
        contentOf(Ty,
                  C.facts().Types->memoryLayout(
                      I.getOperand(0), C.dataLayout().getTypeStoreSize(Ty)),
                  C.dataLayout());
    if (!C.isActive(&I) && !C.hasShadow(&I) && In.Others && !In.Floats &&
        !In.Pointers && !In.Unknown)
      return;
    std::string Text;
    raw_string_ostream OS(Text);
    I.print(OS);
    C.refuse(I, Diag::UnsupportedInstruction,
             {StringRef(OS.str()).ltrim().str()});
  }
  void propagate(const Instruction &I, TangentContext &C) const override {}
  void reverse(const Instruction &I, ReverseContext &C) const override {}
};

} // namespace

const Rule &atomicNumberRule() {
  static const AtomicNumberRule R;
  return R;
}

} // namespace adze
