// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadow of a variable in constant memory is one in global memory: nobody
// can write to the other. So an address that leads there is a plain pointer,
// as the program wrote it, and not one that only constant memory has. (The back
// end finds out again.)
//
//   p = gep ptr addrspace(4) @c, i      p = gep (addrspacecast @c to ptr), i
//   load ptr addrspace(4) p             load ptr p
#include "Prepare/Stages.h"
#include "adze/DeviceTarget.h"
#include "adze/GivenShadows.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

bool isShadowedConstant(const GlobalVariable &G) {
  return isDeviceConstant(G) && givenShadow(G);
}

/// \p V is an address in a space of its own.
bool isSpecial(const Value &V) {
  return V.getType()->isPointerTy() &&
         V.getType()->getPointerAddressSpace() != 0;
}

/// A constant that leads to such a variable, by an address of its own space.
bool startsChain(const Value &V) {
  auto *G = isa<Constant>(V) && isSpecial(V)
                ? dyn_cast<GlobalVariable>(getUnderlyingObject(&V))
                : nullptr;
  return G && isShadowedConstant(*G) &&
         G->getAddressSpace() == V.getType()->getPointerAddressSpace();
}

class PlainAddresses {
public:
  explicit PlainAddresses(Function &F)
      : F(F), Plain(PointerType::getUnqual(F.getContext())) {}

  void run() {
    collect();
    for (Instruction *I : Chain)
      I->mutateType(Plain);
    SmallVector<Instruction *, 64> All;
    for (Instruction &I : instructions(F))
      All.push_back(&I);
    for (Instruction *I : All)
      if (Chain.contains(I))
        takePlain(*I);
      else if (any_of(I->operands(), [&](const Use &U) { return leads(*U); }))
        settle(*I);
  }

private:
  bool leads(Value &V) const {
    auto *I = dyn_cast<Instruction>(&V);
    return startsChain(V) || (I && Chain.contains(I));
  }

  void collect() {
    SmallVector<Instruction *, 16> Work;
    auto add = [&](Instruction &I) {
      if (isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst>(I) &&
          isSpecial(I) && Chain.insert(&I)) {
        Space = I.getType()->getPointerAddressSpace();
        Work.push_back(&I);
      }
    };
    for (Instruction &I : instructions(F))
      if (any_of(I.operands(), [](const Use &U) { return startsChain(*U); }))
        add(I);
    while (!Work.empty())
      for (User *U : Work.pop_back_val()->users())
        add(*cast<Instruction>(U));
  }

  Value *plain(Value &V, Instruction &Before) {
    if (auto *C = dyn_cast<Constant>(&V))
      return isSpecial(V) ? ConstantExpr::getAddrSpaceCast(C, Plain) : C;
    return isSpecial(V) ? IRBuilder<>(&Before).CreateAddrSpaceCast(&V, Plain)
                        : &V;
  }

  /// \p I has plain addresses for operands.
  void takePlain(Instruction &I) {
    auto *Phi = dyn_cast<PHINode>(&I);
    for (Use &U : I.operands())
      if (isSpecial(*U))
        U.set(plain(*U, Phi ? *Phi->getIncomingBlock(U)->getTerminator() : I));
  }

  /// What is done with such an address.
  void settle(Instruction &I) {
    IRBuilder<> B(&I);
    if (auto *Cast = dyn_cast<AddrSpaceCastInst>(&I)) {
      Value *Same = plain(*Cast->getOperand(0), I);
      Cast->replaceAllUsesWith(B.CreateAddrSpaceCast(Same, Cast->getType()));
      Cast->eraseFromParent();
      return;
    }
    if (auto *Move = dyn_cast<MemTransferInst>(&I)) {
      B.CreateMemCpy(Move->getRawDest(), Move->getDestAlign(),
                     plain(*Move->getRawSource(), I), Move->getSourceAlign(),
                     Move->getLength(), Move->isVolatile())
          ->setAAMetadata(Move->getAAMetadata());
      Move->eraseFromParent();
      return;
    }
    if (isa<LoadInst, ICmpInst, PtrToIntInst>(I))
      return takePlain(I);
    // Others get what they had; without a shadow (Plan/DeviceLimits.cpp).
    for (Use &U : I.operands())
      if (Value *V = U; leads(*V) && !startsChain(*V))
        U.set(
            B.CreateAddrSpaceCast(V, PointerType::get(F.getContext(), Space)));
  }

  Function &F;
  PointerType *Plain;
  unsigned Space = 0;
  SmallSetVector<Instruction *, 16> Chain;
};

} // namespace

bool usePlainConstants(Function &F) {
  if (!isDevice(*F.getParent()) ||
      none_of(F.getParent()->globals(), isShadowedConstant))
    return false;
  PlainAddresses(F).run();
  return true;
}

} // namespace adze
