// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/WordMoves.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace adze {

/// String attributes.
static constexpr char AddsKind[] = "adze.words.add";
static constexpr char CopiesKind[] = "adze.words.copy";

void setWordMove(Function &F, WordMove Kind) {
  F.addFnAttr(Kind == WordMove::Adds ? AddsKind : CopiesKind);
}

bool isWordMove(const Function &F) {
  return F.hasFnAttribute(AddsKind) || F.hasFnAttribute(CopiesKind);
}

WordMove kindOfWordMove(const Function &F) {
  return F.hasFnAttribute(AddsKind) ? WordMove::Adds : WordMove::Copies;
}

} // namespace adze
