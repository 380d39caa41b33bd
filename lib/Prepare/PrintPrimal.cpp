// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Primal.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {
namespace {

/// Operand form of a value, "none" for null.
struct Shown {
  const Value *V;
};
raw_ostream &operator<<(raw_ostream &OS, Shown S) {
  if (!S.V)
    return OS << "none";
  S.V->printAsOperand(OS, /*PrintType=*/false);
  return OS;
}

void printLoop(raw_ostream &OS, const LoopRecord &R) {
  OS << "; loop " << Shown{R.L->getHeader()} << " depth " << R.L->getLoopDepth()
     << ": counter " << Shown{R.Counter} << ", last iteration "
     << Shown{R.LastIteration} << ", bound " << Shown{R.Bound} << ", exit ";
  if (R.ExitBlock)
    OS << Shown{R.ExitingBlock} << " -> " << Shown{R.ExitBlock} << "\n";
  else
    OS << "none or several\n";
}

} // namespace

void Primal::print(raw_ostream &OS) const {
  OS << "; primal of " << Shown{Source} << "\n";
  F->print(OS);
  for (const auto &R : Loops)
    printLoop(OS, *R);
  for (const auto &[B, E] : EnteredFrom) {
    OS << "; merge " << Shown{B} << ": " << Shown{E.Index} << " in";
    for (const BasicBlock *Pred : E.Preds)
      OS << " " << Shown{Pred};
    OS << "\n";
  }
  for (const auto &[B, Exits] : ExitCounters)
    for (const LoopExit &E : Exits)
      OS << "; exit " << Shown{B} << ": leaves "
         << Shown{E.Loop->L->getHeader()} << " in iteration "
         << Shown{E.Counter} << "\n";
  for (const Instruction *I : Elsewhere.code())
    OS << "; alternative in " << Shown{blockOf(I)} << ":" << *I << "\n";
  for (const Instruction &I : instructions(*F))
    if (const Value *V = Equivalents.lookup(&I))
      OS << (isa<LoadInst>(I) ? "; load " : "; phi ") << Shown{&I}
         << (isa<LoadInst>(I) ? ": reads the stored " : ": carries ")
         << Shown{V} << "\n";
  for (const BasicBlock &B : *F)
    if (!canReturn(&B))
      OS << "; never returns from " << Shown{&B} << "\n";
}

} // namespace adze
