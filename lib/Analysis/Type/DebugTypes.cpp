// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DWARF types. Characters, void and what may be several things (unions whose
// members differ, variant parts) say nothing. Integers say that they are
// numbers only as members of structures: a variable, an array or what a pointer
// leads to may be words of anything, which are moved.
#include "Analysis/Type/Declared.h"
#include "Analysis/Type/IRTypes.h"
#include "Analysis/Type/TypeTreeBuilder.h"
#include "adze/SourceTypes.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace adze;

namespace {

class DebugTrees {
public:
  explicit DebugTrees(const Module &M)
      : M(M), DL(M.getDataLayout()), Context(M.getContext()) {}

  /// Where a type stands.
  struct Place {
    unsigned Pointers = 0; // that were gone through
    unsigned Nesting = 0;  // types in types
    bool InStructure = false;
    Place inner() const { return {Pointers, Nesting + 1, InStructure}; }
  };
  TypeTree of(const DIType *Ty, Place At);

private:
  static constexpr unsigned MaxPointers = 3, MaxNesting = 24;
  static constexpr uint64_t MaxWeight = 96;
  static constexpr unsigned MaxMembers = 256;

  TypeTree build(const DIType &Ty, Place At);
  TypeTree ofBasic(const DIBasicType &Ty, Place At) const;
  TypeTree ofPointer(const DIDerivedType &Ty, Place At);
  TypeTree ofArray(const DICompositeType &Ty, Place At);
  TypeTree ofStructure(const DICompositeType &Ty, Place At);
  TypeTree ofUnion(const DICompositeType &Ty, Place At);
  TypeTree scalar(uint64_t Size, ConcreteType T) const {
    return TypeTree::at(0, Size, T, Certainty::Hint);
  }
  Type *floatOf(uint64_t Bits, StringRef Name) const;

  const Module &M;
  const DataLayout &DL;
  LLVMContext &Context;
  DenseMap<std::pair<const DIType *, unsigned>, TypeTree> Known;
};

} // namespace

TypeTree DebugTrees::of(const DIType *Ty, Place At) {
  Ty = withoutQualifiers(Ty);
  if (!Ty || At.Pointers > MaxPointers || At.Nesting > MaxNesting)
    return TypeTree();
  std::pair<const DIType *, unsigned> Key(Ty, At.Pointers * 2 + At.InStructure);
  auto It = Known.find(Key);
  if (It != Known.end())
    return It->second;
  TypeTree T = build(*Ty, At).limited(MaxWeight);
  Known[Key] = T;
  return T;
}

TypeTree DebugTrees::build(const DIType &Ty, Place At) {
  if (auto *B = dyn_cast<DIBasicType>(&Ty))
    return ofBasic(*B, At);
  if (auto *D = dyn_cast<DIDerivedType>(&Ty)) {
    switch (D->getTag()) {
    case dwarf::DW_TAG_pointer_type:
    case dwarf::DW_TAG_reference_type:
    case dwarf::DW_TAG_rvalue_reference_type:
      return ofPointer(*D, At);
    default:
      return TypeTree();
    }
  }
  auto *C = dyn_cast<DICompositeType>(&Ty);
  if (!C || C->isForwardDecl())
    return TypeTree();
  switch (C->getTag()) {
  case dwarf::DW_TAG_enumeration_type:
    if (C->getName() == "byte") // std::byte: storage, like a character
      return TypeTree();
    return scalar(C->getSizeInBits() / 8, ConcreteType::Integer);
  case dwarf::DW_TAG_array_type:
    return ofArray(*C, At);
  case dwarf::DW_TAG_structure_type:
  case dwarf::DW_TAG_class_type:
    return ofStructure(*C, At);
  case dwarf::DW_TAG_union_type:
    return ofUnion(*C, At);
  default:
    return TypeTree();
  }
}

Type *DebugTrees::floatOf(uint64_t Bits, StringRef Name) const {
  bool X86 = Triple(M.getTargetTriple()).isX86();
  switch (Bits) {
  case 16:
    return Name.contains("bf") ? Type::getBFloatTy(Context)
                               : Type::getHalfTy(Context);
  case 32:
    return Type::getFloatTy(Context);
  case 64:
    return Type::getDoubleTy(Context);
  case 96:
    return X86 ? Type::getX86_FP80Ty(Context) : nullptr;
  case 128:
    if (Name.contains("128"))
      return Type::getFP128Ty(Context);
    return X86 ? Type::getX86_FP80Ty(Context) : nullptr;
  default:
    return nullptr;
  }
}

TypeTree DebugTrees::ofBasic(const DIBasicType &Ty, Place At) const {
  uint64_t Bits = Ty.getSizeInBits();
  switch (Ty.getEncoding()) {
  case dwarf::DW_ATE_float:
  case dwarf::DW_ATE_imaginary_float:
  case dwarf::DW_ATE_complex_float: {
    bool Complex = Ty.getEncoding() == dwarf::DW_ATE_complex_float;
    uint64_t Part = Complex ? Bits / 2 : Bits;
    Type *Float = floatOf(Part, Ty.getName());
    if (!Float)
      return TypeTree();
    TypeTree T = scalar(storeSize(Float, DL), ConcreteType::floating(Float));
    if (Complex)
      T.join(T.shifted(int64_t(Part / 8)));
    return T;
  }
  case dwarf::DW_ATE_signed:
  case dwarf::DW_ATE_unsigned:
    return At.InStructure ? scalar(Bits / 8, ConcreteType::Integer)
                          : TypeTree();
  case dwarf::DW_ATE_boolean:
  case dwarf::DW_ATE_UTF:
    return scalar(Bits / 8, ConcreteType::Integer);
  default:
    return TypeTree();
  }
}

/// Objects are often parts of a larger one (a base class, a header before
/// bytes): a pointer to one says nothing of what follows it.
static bool mayBeElement(const DIType *Ty) {
  auto *C = dyn_cast_or_null<DICompositeType>(Ty);
  return !C || (C->getTag() != dwarf::DW_TAG_class_type &&
                C->getTag() != dwarf::DW_TAG_structure_type &&
                C->getTag() != dwarf::DW_TAG_union_type);
}

TypeTree DebugTrees::ofPointer(const DIDerivedType &Ty, Place At) {
  const DIType *Base = withoutQualifiers(Ty.getBaseType());
  TypeTree Behind = of(Base, {At.Pointers + 1, At.Nesting + 1, false});
  uint64_t Size = Base ? Base->getSizeInBits() / 8 : 0;
  if (Ty.getTag() == dwarf::DW_TAG_pointer_type && Size != 0 &&
      mayBeElement(Base)) {
    Dimension D;
    D.Stride = Size;
    Behind = Behind.repeated(D);
  }
  uint64_t Own = Ty.getSizeInBits() / 8;
  return Behind.behindPointer(Own ? Own : DL.getPointerSize(), nullptr)
      .demoted(Certainty::Hint);
}

TypeTree DebugTrees::ofArray(const DICompositeType &Ty, Place At) {
  const DIType *Base = withoutQualifiers(Ty.getBaseType());
  TypeTree Element = of(Base, At.inner());
  Dimension D;
  D.Stride = Base ? Base->getSizeInBits() / 8 : 0;
  if (D.Stride == 0 || Element.isUnknown())
    return TypeTree();
  if (uint64_t Total = Ty.getSizeInBits() / 8)
    D.Count = Total / D.Stride;
  return D.Count == 0 ? TypeTree() : Element.repeated(D);
}

/// The bytes that hold (a part of) a bit-field.
static TypeTree bitField(const DIDerivedType &Member) {
  uint64_t Begin = Member.getOffsetInBits() / 8;
  uint64_t End = (Member.getOffsetInBits() + Member.getSizeInBits() + 7) / 8;
  return End > Begin ? TypeTree::at(Begin, End - Begin, ConcreteType::Integer,
                                    Certainty::Hint)
                     : TypeTree();
}

TypeTree DebugTrees::ofStructure(const DICompositeType &Ty, Place At) {
  TypeTreeBuilder B;
  Place In = {At.Pointers, At.Nesting + 1, true};
  unsigned Seen = 0;
  for (const DINode *Node : Ty.getElements()) {
    auto *Member = dyn_cast_or_null<DIDerivedType>(Node);
    if (!Member || Member->isStaticMember() || ++Seen > MaxMembers)
      continue;
    if (Member->getTag() != dwarf::DW_TAG_member &&
        Member->getTag() != dwarf::DW_TAG_inheritance)
      continue;
    // The place of a virtual base is known at run time only.
    if (Member->isVirtual())
      continue;
    if (Member->isBitField()) {
      B.add(bitField(*Member));
      continue;
    }
    B.add(of(Member->getBaseType(), In)
              .shifted(int64_t(Member->getOffsetInBits() / 8)));
  }
  return B.take();
}

/// What all members agree on.
TypeTree DebugTrees::ofUnion(const DICompositeType &Ty, Place At) {
  TypeTree All;
  Place In = {At.Pointers, At.Nesting + 1, true};
  bool First = true;
  for (const DINode *Node : Ty.getElements()) {
    auto *Member = dyn_cast_or_null<DIDerivedType>(Node);
    if (!Member || Member->getTag() != dwarf::DW_TAG_member ||
        Member->isStaticMember())
      continue;
    TypeTree T = of(Member->getBaseType(), In);
    All = First ? T : TypeTree::meet(All, T);
    First = false;
  }
  return All;
}

TypeTree adze::treeOfDebugType(const DIType &Ty, const Module &M) {
  return DebugTrees(M).of(&Ty, {});
}
