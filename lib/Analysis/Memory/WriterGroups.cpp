// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Memory/WriterGroups.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include <tuple>

using namespace llvm;

namespace adze {

const Value *stripOffset(const Value *Ptr, const DataLayout &DL,
                         int64_t &Offset) {
  APInt Off(DL.getIndexTypeSizeInBits(Ptr->getType()), 0);
  const Value *Base = Ptr->stripAndAccumulateConstantOffsets(
      DL, Off, /*AllowNonInbounds=*/true);
  Offset = Off.getSExtValue();
  return Base;
}

void WriterGroups::add(const WriteEffect &E) {
  for (const MemoryLocation &Loc : E.Locations) {
    Access W{E.I, Loc, 0, Order++};
    Group &G = ByBase[stripOffset(Loc.Ptr, DL, W.Offset)];
    bool Known = Loc.Size.hasValue() && !Loc.Size.mayBeBeforePointer() &&
                 !Loc.Size.isScalable();
    G.LargestWrite =
        std::max(G.LargestWrite,
                 Known ? Loc.Size.getValue().getFixedValue() : UINT64_MAX);
    G.Writers.push_back(W);
  }
}

std::vector<Group> WriterGroups::take() {
  std::vector<Group> Groups;
  for (auto &[Base, G] : ByBase) {
    G.Base = Base;
    sort(G.Writers, [](const Access &A, const Access &B) {
      return std::tie(A.Offset, A.Order) < std::tie(B.Offset, B.Order);
    });
    Groups.push_back(std::move(G));
  }
  return Groups;
}

} // namespace adze
