// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the source calls a value, by debug information: a variable ("n"), a
// member behind a pointer ("box->n"), an element at a constant index ("w[2]").
// What is not known for sure has no name: a size that is told in the wrong
// variables would be worse than one told in none.
#include "RemarkText.h"
#include "adze/SourceTypes.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

namespace {

/// Longer chains of pointers help nobody.
constexpr unsigned MaxDepth = 6;

struct Named {
  std::string Text;
  const DIType *Type = nullptr;
  explicit operator bool() const { return !Text.empty(); }
};

/// What \p T points to; null if it is no pointer.
const DIType *pointee(const DIType *T) {
  auto *D = dyn_cast_or_null<DIDerivedType>(withoutQualifiers(T));
  if (!D || (D->getTag() != dwarf::DW_TAG_pointer_type &&
             D->getTag() != dwarf::DW_TAG_reference_type &&
             D->getTag() != dwarf::DW_TAG_rvalue_reference_type))
    return nullptr;
  return D->getBaseType();
}

/// Whose variables count. A function that is inlined several times has a
/// variable of one name each time.
enum class Whose { Own, Inlined };

/// The variable that is \p V, not one computed from it.
Named variable(const Value *V, Whose Wanted) {
  SmallVector<DbgVariableIntrinsic *, 4> Intrinsics;
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(Intrinsics, const_cast<Value *>(V), &Records);
  Named Result;
  auto offer = [&](const DILocalVariable *Variable, const DIExpression *Moved,
                   const DILocation *At) {
    if (Result || !Moved || Moved->getNumElements() != 0 || !At ||
        Variable->getName().empty())
      return;
    // An argument is its parameter, whatever starts with it.
    bool Other = isa<Argument>(V) && !Variable->isParameter();
    if ((At->getInlinedAt() ? Whose::Inlined : Whose::Own) == Wanted && !Other)
      Result = {Variable->getName().str(), Variable->getType()};
  };
  for (DbgVariableRecord *R : Records)
    if (R->isDbgValue() && !R->hasArgList())
      offer(R->getVariable(), R->getExpression(), R->getDebugLoc());
  for (const DbgVariableIntrinsic *I : Intrinsics)
    if (isa<DbgValueInst>(I) && !I->hasArgList())
      offer(I->getVariable(), I->getExpression(), I->getDebugLoc());
  return Result;
}

/// A global as an object: its address is no variable.
Named globalObject(const GlobalVariable &G) {
  SmallVector<DIGlobalVariableExpression *, 1> Infos;
  G.getDebugInfo(Infos);
  for (const DIGlobalVariableExpression *Info : Infos)
    if (Info->getExpression()->getNumElements() == 0)
      return {Info->getVariable()->getName().str(),
              Info->getVariable()->getType()};
  return {};
}

/// The member or base class of \p Type in which \p Offset lies.
const DIDerivedType *memberAt(const DICompositeType &Type, uint64_t Offset) {
  for (const DINode *Node : Type.getElements()) {
    auto *Member = dyn_cast<DIDerivedType>(Node);
    if (!Member || Member->isBitField() || Member->isStaticMember() ||
        (Member->getTag() != dwarf::DW_TAG_member &&
         Member->getTag() != dwarf::DW_TAG_inheritance))
      continue;
    const DIType *Is = withoutQualifiers(Member->getBaseType());
    uint64_t Begin = Member->getOffsetInBits() / 8;
    if (Is && Begin <= Offset && Offset < Begin + Is->getSizeInBits() / 8)
      return Member;
  }
  return nullptr;
}

/// The element of an array in which \p Offset lies, the rest of which is left.
Named elementAt(const Named &Array, const DICompositeType &Type,
                uint64_t &Offset) {
  const DIType *Element = withoutQualifiers(Type.getBaseType());
  uint64_t Size = Element ? Element->getSizeInBits() / 8 : 0;
  if (Type.getElements().size() != 1 || Size == 0)
    return {};
  uint64_t Index = Offset / Size;
  Offset %= Size;
  return {Array.Text + "[" + std::to_string(Index) + "]", Element};
}

/// The part of an object at \p Offset: members and elements, down to what is
/// neither.
Named partOf(Named Object, uint64_t Offset) {
  for (unsigned Steps = 0; Steps < 32; ++Steps) {
    auto *Type =
        dyn_cast_or_null<DICompositeType>(withoutQualifiers(Object.Type));
    if (!Type || Type->getTag() == dwarf::DW_TAG_enumeration_type)
      return Offset == 0 ? Object : Named{};
    if (Type->getTag() == dwarf::DW_TAG_array_type) {
      Object = elementAt(Object, *Type, Offset);
      continue;
    }
    const DIDerivedType *Member = Type->getTag() == dwarf::DW_TAG_union_type
                                      ? nullptr
                                      : memberAt(*Type, Offset);
    if (!Member)
      return {};
    Offset -= Member->getOffsetInBits() / 8;
    if (Member->getTag() == dwarf::DW_TAG_member)
      Object.Text += (StringRef(Object.Text).ends_with("->") ? "" : ".") +
                     Member->getName().str();
    Object.Type = Member->getBaseType();
  }
  return {};
}

Named valueName(const Value *V, unsigned Depth);

/// What lies at the address \p Pointer.
Named objectAt(const Value *Pointer, const DataLayout &DL, unsigned Depth) {
  APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  const Value *Base = Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/false);
  if (Offset.isNegative())
    return {};
  uint64_t At = Offset.getZExtValue();
  if (auto *G = dyn_cast<GlobalVariable>(Base)) {
    Named Object = globalObject(*G);
    return Object ? partOf(Object, At) : Named{};
  }
  Named To = valueName(Base, Depth);
  const DIType *Behind = To ? withoutQualifiers(pointee(To.Type)) : nullptr;
  if (!Behind)
    return {};
  if (isa<DICompositeType>(Behind)) {
    if (At >= Behind->getSizeInBits() / 8)
      return {};
    Named Part = partOf({To.Text + "->", Behind}, At);
    return StringRef(Part.Text).contains("->[") ? Named{} : Part;
  }
  uint64_t Size = Behind->getSizeInBits() / 8;
  if (Size == 0 || At % Size != 0)
    return {};
  return {At == 0 ? "*" + To.Text
                  : To.Text + "[" + std::to_string(At / Size) + "]",
          Behind};
}

Named valueName(const Value *V, unsigned Depth) {
  // A place says more than the variable that begins with what lies there.
  auto *Load = dyn_cast<LoadInst>(V);
  if (Load && Depth != 0)
    if (Named Place = objectAt(
            Load->getPointerOperand(),
            Load->getFunction()->getParent()->getDataLayout(), Depth - 1))
      return Place;
  if (Named Variable = variable(V, Whose::Own))
    return Variable;
  if (auto *A = dyn_cast<Argument>(V))
    return {A->getName().str(), nullptr};
  return {};
}

} // namespace

std::string uniqueName(const Value *V) { return valueName(V, MaxDepth).Text; }

std::string nameOf(const Value *V) {
  for (Whose W : {Whose::Own, Whose::Inlined})
    if (Named Variable = variable(V, W))
      return Variable.Text;
  return uniqueName(V);
}

std::string arrayName(const Value *Pointer) {
  for (unsigned Steps = 0; Steps < 16; ++Steps) {
    if (std::string Name = nameOf(Pointer); !Name.empty())
      return Name;
    if (auto *G = dyn_cast<GlobalVariable>(Pointer))
      return globalObject(*G).Text;
    auto *U = dyn_cast<User>(Pointer);
    if (!U || !(isa<GEPOperator>(U) || isa<CastInst>(U)))
      return "";
    Pointer = U->getOperand(0);
  }
  return "";
}

} // namespace adze
