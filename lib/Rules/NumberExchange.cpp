// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats that go to other processes, or come from them, as numbers
// (exchangesNumbers()). Nobody could tell both ends of the message that there
// are adjoints to exchange, so it is refused.
#include "Rules.h"
#include "adze/Mpi.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace adze {

namespace {

/// What lies in \p B, in words; empty if it is numbers.
std::string inWords(const CallBase &Call, const mpi::NumberBuffer &B,
                    const Facts &F) {
  const BlockLayout Layout =
      F.Types->memoryLayout(Call.getArgOperand(B.Argument), B.Bytes);
  std::string Text;
  raw_string_ostream OS(Text);
  for (const TypedRange &R : Layout.Ranges)
    if (R.Type.isFloat()) {
      OS << "hold a " << *R.Type.floatType() << " at byte " << R.Begin;
      return Text;
    }
  return Text;
}

class NumberExchangeRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    auto &Call = cast<CallBase>(I);
    for (const mpi::NumberBuffer &B : mpi::numberBuffers(Call)) {
      const std::string What = inWords(Call, B, C.facts());
      if (!What.empty())
        return C.refuse(I, Diag::FloatsAsNumbers,
                        {sourceName(*Call.getCalledFunction()),
                         mpi::numberTypeName(Call, B), What});
    }
  }
  void propagate(const Instruction &, ForwardSweepContext &) const override {}
  void reverse(const Instruction &, ReverseContext &) const override {}
};

} // namespace

const Rule &numberExchangeRule() {
  static const NumberExchangeRule R;
  return R;
}

} // namespace adze
