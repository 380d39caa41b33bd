// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees of constants and of global variables. Constants may refer to each other
// in cycles (tables of functions and of tables), so what is behind pointers in
// initializers is followed to a small depth, each global once per depth.
#include "Analysis/Type/IRTypes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;
using namespace adze;

namespace {

class ConstantTrees {
public:
  explicit ConstantTrees(const DataLayout &DL) : DL(DL) {}

  TypeTree ofConstant(const Constant &C, unsigned Depth);
  TypeTree ofGlobal(const GlobalVariable &G, unsigned Depth);

private:
  static constexpr unsigned MaxDepth = 3;
  /// Elements of one constant that are looked at one by one.
  static constexpr unsigned MaxElements = 64;
  static constexpr uint64_t MaxWeight = 512;

  TypeTree ofPointer(const Constant &C, unsigned Depth);

  const DataLayout &DL;
  DenseMap<std::pair<const GlobalVariable *, unsigned>, TypeTree> Known;
};

} // namespace

TypeTree ConstantTrees::ofPointer(const Constant &C, unsigned Depth) {
  APInt Offset(DL.getIndexTypeSizeInBits(C.getType()), 0);
  const Value *Base = C.stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  TypeTree Behind;
  auto *G = dyn_cast<GlobalVariable>(Base);
  if (G && Depth < MaxDepth)
    Behind = ofGlobal(*G, Depth + 1).shifted(-Offset.getSExtValue());
  return Behind.behindPointer(storeSize(C.getType(), DL), &C);
}

TypeTree ConstantTrees::ofConstant(const Constant &C, unsigned Depth) {
  Type *Ty = C.getType();
  if (isa<UndefValue>(C) || C.isNullValue())
    return TypeTree::at(0, storeSize(Ty, DL), ConcreteType::Anything);
  if (Ty->isPointerTy())
    return ofPointer(C, Depth);
  auto *Aggregate = dyn_cast<ConstantAggregate>(&C);
  if (!Aggregate || Aggregate->getNumOperands() > MaxElements)
    return treeOfType(Ty, DL, Certainty::Definite, &C, IntegersAre::Anything);
  TypeTree T;
  for (unsigned I = 0; I != Aggregate->getNumOperands(); ++I) {
    uint64_t Offset =
        Ty->isVectorTy() ? I * vectorStride(Ty, DL) : elementOffset(Ty, I, DL);
    T.join(
        ofConstant(*Aggregate->getOperand(I), Depth).shifted(int64_t(Offset)));
  }
  return T.limited(MaxWeight);
}

TypeTree ConstantTrees::ofGlobal(const GlobalVariable &G, unsigned Depth) {
  auto [It, New] = Known.try_emplace({&G, Depth});
  if (!New)
    return It->second;
  Type *Ty = G.getValueType();
  TypeTree T = treeOfObject(Ty, DL, &G);
  if (G.isConstant() && G.hasDefinitiveInitializer()) {
    T.join(ofConstant(*G.getInitializer(), Depth)
               .dropping(ConcreteType::Anything));
    // The integers of a constant table of integers are numbers as far as
    // declared types go.
    while (auto *AT = dyn_cast<ArrayType>(Ty))
      Ty = AT->getElementType();
    if (Ty->isIntegerTy())
      T.join(TypeTree::at(0, storeSize(G.getValueType(), DL),
                          ConcreteType::Integer, Certainty::Hint, &G));
  }
  Known[{&G, Depth}] = T;
  return T;
}

TypeTree adze::treeOfConstant(const Constant &C, const DataLayout &DL) {
  return ConstantTrees(DL).ofConstant(C, 0);
}

TypeTree adze::treeOfGlobal(const GlobalVariable &G, const DataLayout &DL) {
  return ConstantTrees(DL).ofGlobal(G, 0);
}
