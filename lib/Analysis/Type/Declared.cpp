// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Type/Declared.h"
#include "Analysis/Type/IRTypes.h"
#include "Analysis/Type/TypeTreeBuilder.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace adze;

/// Facts taken from one declaration.
static constexpr uint64_t MaxDeclared = 512;

/// !adze.struct_types holds {name, size, tree of the contents}.
DeclaredTypes::DeclaredTypes(const Module &M)
    : M(M), DL(M.getDataLayout()), IntegerPointers(makesPointersOfIntegers(M)) {
  const NamedMDNode *All = M.getNamedMetadata("adze.struct_types");
  if (!All)
    return;
  for (const MDNode *Entry : All->operands()) {
    auto *Name = Entry->getNumOperands() == 3
                     ? dyn_cast_or_null<MDString>(Entry->getOperand(0))
                     : nullptr;
    if (Name)
      Structures[Name->getString()] = Entry;
  }
}

/// As hints with \p Witness.
static TypeTree asHints(const TypeTree &T, Believe What, const Value *Witness,
                        unsigned Depth = TypeTree::MaxDepth) {
  TypeTreeBuilder B;
  for (TypeFact F : T.facts()) {
    if (F.Type.isInteger() && What == Believe::NoIntegers)
      continue;
    F.Sure = Certainty::Hint;
    F.Witness = Witness;
    if (Depth != 0)
      F.Pointee = asHints(F.Pointee, What, Witness, Depth - 1);
    B.add(std::move(F));
  }
  return B.take();
}

TypeTree adze::withoutIntegers(const TypeTree &T) {
  TypeTreeBuilder B;
  for (TypeFact F : T.facts()) {
    if (F.Type.isInteger())
      continue;
    F.Pointee = withoutIntegers(F.Pointee); // MaxDepth deep at most
    B.add(std::move(F));
  }
  return B.take();
}

TypeTree DeclaredTypes::parsed(StringRef Text) {
  auto [It, New] = Texts.try_emplace(Text);
  TypeTree T;
  if (New && TypeTree::parse(Text, M.getContext(), T))
    It->second = T.limited(MaxDeclared);
  return It->second;
}

TypeTree DeclaredTypes::of(const Metadata &Type, Believe What,
                           const Value *Witness) {
  if (auto *Text = dyn_cast<MDString>(&Type))
    return asHints(parsed(Text->getString()), What, Witness);
  auto *Ty = dyn_cast<DIType>(&Type);
  if (!Ty)
    return TypeTree();
  auto It = DebugTypes.find(Ty);
  if (It == DebugTypes.end())
    It =
        DebugTypes.try_emplace(Ty, treeOfDebugType(*Ty, M).limited(MaxDeclared))
            .first;
  return asHints(It->second, What, Witness);
}

TypeTree DeclaredTypes::of(const AttributeSet &Attributes, Believe What,
                           const Value *Witness) {
  Attribute A = Attributes.getAttribute("adze_type");
  if (!A.isStringAttribute())
    return TypeTree();
  return asHints(parsed(A.getValueAsString()), What, Witness);
}

TypeTree DeclaredTypes::ofGlobal(const GlobalVariable &G, Believe What) {
  TypeTree T;
  const MDNode *Node = G.getMetadata("adze.type");
  if (Node && Node->getNumOperands() > 0)
    if (auto *Text = dyn_cast_or_null<MDString>(Node->getOperand(0)))
      T = asHints(parsed(Text->getString()), What, &G).pointeeAt(0);
  SmallVector<DIGlobalVariableExpression *, 1> Debug;
  G.getDebugInfo(Debug);
  for (const DIGlobalVariableExpression *E : Debug)
    if (E->getExpression()->getNumElements() == 0 &&
        E->getVariable()->getType())
      T.join(of(*E->getVariable()->getType(), What, &G));
  T.join(ofType(*G.getValueType(), What, &G));
  return T;
}

TypeTree DeclaredTypes::ofType(Type &Declared, Believe What,
                               const Value *Witness) {
  Type *Ty = &Declared;
  SmallVector<Dimension, 2> Dims;
  while (auto *AT = dyn_cast<ArrayType>(Ty)) {
    Ty = AT->getElementType();
    Dimension D;
    D.Stride = allocSize(Ty, DL);
    D.Count = AT->getNumElements();
    if (D.Stride == 0 || D.Count == 0)
      return TypeTree();
    Dims.push_back(D);
  }
  auto *ST = dyn_cast<StructType>(Ty);
  if (!ST || !ST->hasName() || Structures.empty())
    return TypeTree();
  const MDNode *Entry = Structures.lookup(ST->getName());
  if (!Entry)
    return TypeTree();
  auto *Size = mdconst::dyn_extract<ConstantInt>(Entry->getOperand(1));
  auto *Text = dyn_cast<MDString>(Entry->getOperand(2));
  if (!Size || !Text || Size->getZExtValue() != allocSize(ST, DL))
    return TypeTree();
  TypeTree T = asHints(parsed(Text->getString()), What, Witness);
  return Dims.empty() ? T : T.repeated(Dims);
}
