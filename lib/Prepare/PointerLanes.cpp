// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures of a register's size are read as one vector, of doubles mostly,
// whatever their members are: a pointer among them is taken out by an integer.
//
//   v = load <4 x double>, p          a = load double, p
//   s = shuffle v, 0 0 0 0            s = a in all lanes
//   i = extract (bitcast v), 2        q = load ptr, p + 16
//   q = inttoptr i
//
// What a vector of floats says of the memory's type is not so there. The
// members are read one by one.
#include "Prepare/Stages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <optional>
#include <utility>

using namespace llvm;

namespace adze {

namespace {

/// A vector in memory that is read lane by lane.
class LaneReader {
public:
  LaneReader(LoadInst &Load, unsigned Lanes)
      : Load(Load), As(Lanes, nullptr), Read(Lanes, nullptr), B(&Load) {
    SmallVector<Instruction *, 4> Work = {&Load};
    while (!Work.empty())
      collect(*Work.pop_back_val(), Work);
  }

  /// Whether a lane is turned into a pointer.
  bool holdsPointers() { return is_contained(As, B.getPtrTy()); }

  void split() {
    for (auto [Extract, Lane] : Extracts)
      replaceExtract(*Extract, Lane);
    for (Use *U : Wholes)
      U->set(gathered(*U));
    for (Instruction *Cast : reverse(Casts))
      Cast->eraseFromParent();
    Load.eraseFromParent();
  }

private:
  /// Users that take lanes, through casts that keep them apart.
  void collect(Instruction &V, SmallVectorImpl<Instruction *> &Work) {
    for (Use &U : V.uses()) {
      auto *User = cast<Instruction>(U.getUser());
      auto *Extract = dyn_cast<ExtractElementInst>(User);
      std::optional<unsigned> Lane =
          Extract ? constantLane(*Extract) : std::nullopt;
      if (Lane) {
        Extracts.emplace_back(Extract, *Lane);
        usedAs(*Lane, any_of(Extract->users(), isPointer) ? B.getPtrTy()
                                                          : Extract->getType());
      } else if (isa<BitCastInst>(User) && keepsLanes(*User)) {
        Casts.push_back(User);
        Work.push_back(User);
      } else {
        Wholes.push_back(&U);
        for (unsigned K = 0; K < As.size(); ++K)
          if (looksAt(U, K))
            usedAs(K, V.getType()->getScalarType());
      }
    }
  }

  /// A pointer that is looked at as an integer is one; so is a float.
  void usedAs(unsigned K, Type *Ty) {
    if (!As[K] || Ty->isPointerTy() ||
        (Ty->isFloatingPointTy() && !As[K]->isPointerTy()))
      As[K] = Ty;
  }

  /// Whether the user in \p U may look at lane \p K.
  bool looksAt(const Use &U, unsigned K) const {
    auto *Shuffle = dyn_cast<ShuffleVectorInst>(U.getUser());
    return !Shuffle || is_contained(Shuffle->getShuffleMask(),
                                    int(U.getOperandNo() * As.size() + K));
  }

  static bool isPointer(const User *U) { return isa<IntToPtrInst>(U); }

  bool keepsLanes(const Instruction &Cast) const {
    auto *Ty = dyn_cast<FixedVectorType>(Cast.getType());
    return Ty && Ty->getNumElements() == As.size();
  }

  std::optional<unsigned> constantLane(const ExtractElementInst &I) const {
    auto *At = dyn_cast<ConstantInt>(I.getIndexOperand());
    if (!At || At->getValue().uge(As.size()))
      return std::nullopt;
    return unsigned(At->getZExtValue());
  }

  /// Lane \p K as it lies in memory: a pointer, or an element of the vector.
  Value *lane(unsigned K) {
    if (Read[K])
      return Read[K];
    Type *Element = Load.getType()->getScalarType();
    uint64_t Offset = K * (Element->getPrimitiveSizeInBits() / 8);
    Value *Place = B.CreateConstInBoundsGEP1_64(
        B.getInt8Ty(), Load.getPointerOperand(), Offset);
    return Read[K] = B.CreateAlignedLoad(
               As[K], Place, commonAlignment(Load.getAlign(), Offset));
  }

  /// Lane \p K as bits of type \p Ty.
  Value *laneAs(unsigned K, Type *Ty) {
    Value *V = lane(K);
    if (V->getType()->isPointerTy() && !Ty->isPointerTy())
      V = B.CreatePtrToInt(V, B.getIntNTy(Ty->getPrimitiveSizeInBits()));
    return B.CreateBitCast(V, Ty);
  }

  void replaceExtract(ExtractElementInst &Extract, unsigned K) {
    for (User *U : make_early_inc_range(Extract.users()))
      if (isPointer(U)) {
        U->replaceAllUsesWith(lane(K));
        cast<Instruction>(U)->eraseFromParent();
      }
    if (!Extract.use_empty())
      Extract.replaceAllUsesWith(laneAs(K, Extract.getType()));
    Extract.eraseFromParent();
  }

  /// What \p U uses, put together from the lanes that its user looks at.
  Value *gathered(const Use &U) {
    auto *Ty = cast<FixedVectorType>(U->getType());
    Value *V = PoisonValue::get(Ty);
    for (unsigned K = 0; K < As.size(); ++K)
      if (looksAt(U, K))
        V = B.CreateInsertElement(V, laneAs(K, Ty->getElementType()), K);
    return V;
  }

  LoadInst &Load;
  SmallVector<Type *, 8> As; // what a lane is read as; null: not at all
  SmallVector<Value *, 8> Read;
  IRBuilder<> B;
  SmallVector<std::pair<ExtractElementInst *, unsigned>, 4> Extracts;
  SmallVector<Instruction *, 2> Casts;
  SmallVector<Use *, 4> Wholes;
};

} // namespace

void readPointerLanes(Function &F) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  SmallVector<LoadInst *, 8> Loads;
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I))
      if (isa<FixedVectorType>(Load->getType()) && Load->isSimple() &&
          Load->getType()->getScalarSizeInBits() == DL.getPointerSizeInBits())
        Loads.push_back(Load);
  for (LoadInst *Load : Loads) {
    LaneReader Reader(*Load,
                      cast<FixedVectorType>(Load->getType())->getNumElements());
    if (Reader.holdsPointers())
      Reader.split();
  }
}

} // namespace adze
