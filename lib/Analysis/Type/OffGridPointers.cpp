// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/OffGridPointers.h"
#include "adze/TypeInfo.h"
#include "adze/TypeTree.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace adze {

bool seesPointerOffGrid(const TypeInfo &Types, const Value *Ptr, uint64_t Begin,
                        uint64_t End) {
  const TypeTree Behind = Types.treeOf(Ptr).pointeeAt(0);
  return any_of(Behind.facts(), [&](const TypeFact &F) {
    const TypePlace &P = F.Place;
    return F.Type.isPointer() && P.Start < End && P.end() > Begin &&
           (P.Start % P.Size != 0 || P.Stride % P.Size != 0);
  });
}

} // namespace adze
