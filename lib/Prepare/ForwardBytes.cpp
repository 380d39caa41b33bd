// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of a float that is loaded from where the float was stored becomes bits
// of the stored value. The optimizer does so too, but looks back for so many
// instructions only: where a float moves byte by byte, some of the bytes then
// are bits of the value and the others are loads. The adjoints of such parts
// would come by two ways, and could not be added as floats.
#include "Prepare/Stages.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/VNCoercion.h"

using namespace llvm;

namespace adze {

/// Writes that are looked at for one load, and for all of a function.
static constexpr unsigned MaxWrites = 2000, MaxQuestions = 200000;

static bool mayReadPart(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isSimple() && Load->getType()->isIntegerTy() &&
         Load->getType()->getIntegerBitWidth() < 64;
}

/// The store of a float that \p Load reads a part of, and the part's offset.
static std::pair<StoreInst *, int> storeOfWhole(LoadInst &Load, MemorySSA &MSSA,
                                                BatchAAResults &AA,
                                                unsigned &Questions) {
  const DataLayout &DL = Load.getDataLayout();
  MemoryLocation Loc = MemoryLocation::get(&Load);
  MemoryAccess *At = MSSA.getMemoryAccess(&Load)->getDefiningAccess();
  for (unsigned N = 0; N != MaxWrites && ++Questions < MaxQuestions; ++N) {
    auto *Def = dyn_cast<MemoryDef>(At);
    if (!Def || MSSA.isLiveOnEntryDef(Def))
      break;
    Instruction *Writer = Def->getMemoryInst();
    auto *Store = dyn_cast<StoreInst>(Writer);
    if (Store && Store->isSimple() &&
        Store->getValueOperand()->getType()->isFloatingPointTy()) {
      int Offset = VNCoercion::analyzeLoadFromClobberingStore(
          Load.getType(), Load.getPointerOperand(), Store, DL);
      if (Offset >= 0)
        return {Store, Offset};
    }
    if (isModSet(AA.getModRefInfo(Writer, Loc)))
      break;
    At = Def->getDefiningAccess();
  }
  return {nullptr, 0};
}

/// What \p Store stores as an integer: one for all parts, and the same as the
/// optimizer has made, so that parts are known to be of one value.
static Value *bitsOf(StoreInst &Store) {
  Value *V = Store.getValueOperand();
  auto *Ty =
      IntegerType::get(V->getContext(), V->getType()->getPrimitiveSizeInBits());
  for (User *U : V->users())
    if (auto *Cast = dyn_cast<BitCastInst>(U); Cast && Cast->getType() == Ty) {
      if (auto *Def = dyn_cast<Instruction>(V); Def && !isa<PHINode>(Def)) {
        Cast->moveAfter(Def);
        return Cast;
      }
    }
  return IRBuilder<>(&Store).CreateBitCast(V, Ty, "adze.bits");
}

void forwardBytes(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<LoadInst *, 16> Loads;
  for (Instruction &I : instructions(F))
    if (mayReadPart(I))
      Loads.push_back(cast<LoadInst>(&I));
  if (Loads.empty())
    return;
  MemorySSA &MSSA = FAM.getResult<MemorySSAAnalysis>(F).getMSSA();
  BatchAAResults AA(FAM.getResult<AAManager>(F));
  SmallVector<std::pair<LoadInst *, Value *>, 16> Found;
  DenseMap<StoreInst *, Value *> BitsOf;
  unsigned Questions = 0;
  for (LoadInst *Load : Loads)
    if (auto [Store, Offset] = storeOfWhole(*Load, MSSA, AA, Questions);
        Store) {
      Value *&Bits = BitsOf[Store];
      if (!Bits)
        Bits = bitsOf(*Store);
      Found.push_back(
          {Load, VNCoercion::getValueForLoad(Bits, Offset, Load->getType(),
                                             Load, F.getDataLayout())});
    }
  for (auto [Load, Bits] : Found) {
    Load->replaceAllUsesWith(Bits);
    Load->eraseFromParent();
  }
  if (!Found.empty())
    FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace adze
