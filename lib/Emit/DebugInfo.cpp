// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debug information of derivative functions. Emitted code carries the
// locations of the primal's instructions; a location names the function that
// it lies in, which is now another one. So each derivative gets a subprogram
// of its own, an artificial function at the file and line of its primal, and
// the locations are moved there: code inlined into the primal stays "inlined
// at" the same lines.
//
// Locations only: variables of the primal are not described in a derivative,
// whose registers hold adjoints of them as well as themselves.
#include "llvm/IR/DebugInfo.h"
#include "adze/Emit.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

DISubprogram *derivativeSubprogram(const Function &F,
                                   const DISubprogram &Primal) {
  LLVMContext &C = F.getContext();
  DIFile *File = Primal.getFile();
  // The signature is none of the source's.
  DISubroutineType *Type =
      DISubroutineType::get(C, DINode::FlagZero, 0, MDTuple::get(C, {nullptr}));
  DISubprogram::DISPFlags Flags = DISubprogram::toSPFlags(
      /*IsLocalToUnit=*/true, /*IsDefinition=*/true, Primal.isOptimized());
  return DISubprogram::getDistinct(
      C, File, F.getName(), F.getName(), File, Primal.getLine(), Type,
      Primal.getScopeLine(), /*ContainingType=*/nullptr, /*VirtualIndex=*/0,
      /*ThisAdjustment=*/0, DINode::FlagArtificial, Flags, Primal.getUnit(),
      /*TemplateParams=*/nullptr, /*Declaration=*/nullptr,
      /*RetainedNodes=*/nullptr, /*ThrownTypes=*/nullptr);
}

/// Descriptions of the primal's variables name scopes of the primal.
void dropVariables(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    I.dropDbgRecords();
    if (isa<DbgInfoIntrinsic>(I))
      I.eraseFromParent();
  }
}

void moveLocations(Function &F, DISubprogram &To) {
  LLVMContext &C = F.getContext();
  DenseMap<const MDNode *, MDNode *> Cache;
  auto moved = [&](const DebugLoc &Loc) {
    return DebugLoc::replaceInlinedAtSubprogram(Loc, To, C, Cache);
  };
  for (Instruction &I : instructions(F)) {
    if (const DebugLoc &Loc = I.getDebugLoc())
      I.setDebugLoc(moved(Loc));
    // Loops name where they begin and end.
    updateLoopMetadataDebugLocations(I, [&](Metadata *MD) -> Metadata * {
      if (auto *Loc = dyn_cast_or_null<DILocation>(MD))
        return moved(Loc).get();
      return MD;
    });
  }
}

/// What stands between located instructions belongs to the one that it is
/// made for, which follows: operands are computed right before they are used.
/// What ends a block belongs to what came last.
void fillGaps(BasicBlock &Block) {
  DebugLoc Near;
  for (Instruction &I : reverse(Block)) {
    if (I.getDebugLoc())
      Near = I.getDebugLoc();
    else if (Near && !isa<PHINode>(I) && !isa<AllocaInst>(I))
      I.setDebugLoc(Near);
  }
  Near = DebugLoc();
  for (Instruction &I : Block) {
    if (I.getDebugLoc())
      Near = I.getDebugLoc();
    else if (Near)
      I.setDebugLoc(Near);
  }
}

const DebugLoc *firstLocation(const BasicBlock &Block) {
  for (const Instruction &I : Block)
    if (I.getDebugLoc())
      return &I.getDebugLoc();
  return nullptr;
}

void locateAll(BasicBlock &Block, const DebugLoc &At) {
  for (Instruction &I : Block)
    if (!isa<PHINode>(I) && !isa<AllocaInst>(I))
      I.setDebugLoc(At);
}

/// Blocks of control flow and counters alone belong to where they lead to: an
/// edge of the primal taken back leads to what happened before it. At the end,
/// to where they come from. A hot latch without a line would be a hole in a
/// profile.
void fillBlocks(Function &F, DISubprogram &In) {
  for (BasicBlock *Block : post_order(&F)) {
    if (firstLocation(*Block))
      continue;
    for (const BasicBlock *Succ : successors(Block))
      if (const DebugLoc *At = firstLocation(*Succ)) {
        locateAll(*Block, DebugLoc(*At));
        break;
      }
  }
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F)) {
    if (firstLocation(*Block))
      continue;
    DebugLoc At = DILocation::get(F.getContext(), In.getScopeLine(), 0, &In);
    for (const BasicBlock *Pred : predecessors(Block))
      if (const DebugLoc &Last = Pred->getTerminator()->getDebugLoc()) {
        At = Last;
        break;
      }
    locateAll(*Block, At);
  }
}

/// A call that may be inlined must have a location: the inlined code's own
/// locations hang on it.
void locateCalls(Function &F, DISubprogram &In) {
  DILocation *Generated = nullptr;
  for (Instruction &I : instructions(F)) {
    if (!isa<CallBase>(I) || I.getDebugLoc())
      continue;
    if (!Generated)
      Generated = DILocation::get(F.getContext(), 0, 0, &In);
    I.setDebugLoc(Generated);
  }
}

} // namespace

void giveDebugInfo(Function &Derivative, const DISubprogram &Primal) {
  if (Derivative.isDeclaration() || !Primal.getFile() || !Primal.getUnit())
    return;
  DISubprogram *Own = derivativeSubprogram(Derivative, Primal);
  dropVariables(Derivative);
  moveLocations(Derivative, *Own);
  for (BasicBlock &Block : Derivative)
    fillGaps(Block);
  fillBlocks(Derivative, *Own);
  locateCalls(Derivative, *Own);
  Derivative.setSubprogram(Own);
}

void locateCallsOf(const Function &Derivative) {
  if (!Derivative.getSubprogram())
    return;
  for (const User *U : Derivative.users()) {
    auto *Call = dyn_cast<CallBase>(U);
    if (!Call || Call->getDebugLoc())
      continue;
    if (DISubprogram *In = Call->getFunction()->getSubprogram())
      const_cast<CallBase *>(Call)->setDebugLoc(
          DILocation::get(Derivative.getContext(), 0, 0, In));
  }
}

} // namespace adze
