// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Descriptions.h"
#include "adze/Diagnostics.h"
#include "adze/GivenDerivatives.h"
#include "adze/TypeInfo.h"

#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

namespace {

/// A long double of x86 in memory.
constexpr uint64_t LongSize = 16;

char letterOf(ConcreteType T) {
  if (!T.isKnown())
    return 'u';
  if (!T.isFloat())
    return 'n';
  if (T.floatType()->isDoubleTy())
    return 'd';
  if (T.floatType()->isFloatTy())
    return 'f';
  // Bits of other floats are moved as they are.
  return T.floatType()->isX86_FP80Ty() ? 'l' : 'u';
}

void print(raw_ostream &OS, const BlockLayout &Layout) {
  OS << (Layout.Period == UINT64_MAX ? 0 : Layout.Period);
  uint64_t End = 0;
  for (const TypedRange &R : Layout.Ranges) {
    const char Letter = letterOf(R.Type);
    const uint64_t Begin = std::max(R.Begin, End);
    End = Letter == 'l' ? R.Begin + LongSize : R.End;
    if (Begin < End)
      OS << ' ' << Begin << '+' << (End == UINT64_MAX ? 0 : End) << Letter;
  }
}

uint64_t bytesBehind(const Value *V, const DataLayout &DL) {
  uint64_t Bytes = 0;
  return getObjectSize(V, Bytes, DL, /*TLI=*/nullptr) ? Bytes : UINT64_MAX;
}

std::string placeOf(const CallBase &Call) {
  const std::string Place = sourcePlace(&Call);
  return sourceName(*Call.getCalledFunction()) +
         (Place.empty() ? "" : " (" + Place + ")");
}

} // namespace

std::vector<std::string> descriptionsFor(const CallBase &Call,
                                         const TypeInfo &Types) {
  std::vector<std::string> All;
  const DataLayout &DL = Call.getModule()->getDataLayout();
  for (const given::Described &D : given::describedOf(Call)) {
    const Value *Buffer = Call.getArgOperand(D.Buffer);
    All.resize(Call.arg_size());
    raw_string_ostream OS(All[D.By]);
    // Null leads nowhere, and small numbers stand for what is elsewhere.
    if (isa<Constant>(Buffer) && !isa<GlobalVariable>(Buffer))
      OS << "0 0+0u";
    else
      print(OS, Types.memoryLayout(Buffer, bytesBehind(Buffer, DL)));
    OS << '@' << placeOf(Call);
  }
  return All;
}

} // namespace adze
