// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recursion over types is bounded by the nesting of declarations and, through
// pointers, by TypeTree::MaxDepth. Sizes are bounded at each step, so that
// structures that point to each other do not grow trees exponentially.
#include "Clang/SourceTypes.h"
#include "Clang/Padding.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/IR/Type.h"

using namespace adze;
using clang::QualType;
using clang::RecordDecl;

namespace {
// Facts that one tree may have, all depths together.
constexpr uint64_t MaxWeight = 256;
constexpr size_t MaxText = 1 << 14;

TypeTree oneFact(uint64_t Start, uint64_t Size, ConcreteType T,
                 const TypeTree &Pointee = TypeTree()) {
  return TypeTree::at(Start, Size, T, Certainty::Hint, nullptr, Pointee);
}

bool isCharacter(QualType T) {
  return T->isCharType() || T->isChar8Type() || T->isStdByteType() ||
         T->isSpecificBuiltinType(clang::BuiltinType::SChar);
}
} // namespace

uint64_t SourceTypes::sizeOf(QualType T) const {
  if (T.isNull() || T->isIncompleteType() || T->isDependentType() ||
      T->isSizelessType() || T->isFunctionType() || T->isUndeducedType() ||
      T->isVariablyModifiedType())
    return 0;
  if (const RecordDecl *R = T->getAsRecordDecl(); R && R->isInvalidDecl())
    return 0;
  return Ctx.getTypeSizeInChars(T).getQuantity();
}

TypeTree SourceTypes::contentOf(QualType T) {
  return content(T, TypeTree::MaxDepth - 1, Alone);
}

TypeTree SourceTypes::contentOf(const clang::FieldDecl &Field) {
  return content(Field.getType(), TypeTree::MaxDepth - 1, Member);
}

/// A structure that may go on behind its end: nothing like it follows.
static bool endsOpen(QualType T) {
  const RecordDecl *R = T->getAsRecordDecl();
  R = R ? R->getDefinition() : nullptr;
  if (!R || R->isUnion() || R->field_empty())
    return false;
  const clang::FieldDecl *Last = nullptr;
  for (const clang::FieldDecl *F : R->fields())
    Last = F;
  if (R->hasFlexibleArrayMember())
    return true;
  const auto *A = llvm::dyn_cast<clang::ConstantArrayType>(
      Last->getType()->getUnqualifiedDesugaredType());
  return A && A->getSize().ule(1);
}

TypeTree SourceTypes::arrayOf(QualType T, uint64_t Count) {
  if (endsOpen(T))
    Count = 1;
  return elements(T, Count, TypeTree::MaxDepth - 1, Alone);
}

std::string SourceTypes::pointerText(const TypeTree &Content) const {
  if (Content.isUnknown())
    return std::string();
  uint64_t Size = Ctx.getTypeSizeInChars(Ctx.VoidPtrTy).getQuantity();
  TypeTree Tree =
      oneFact(0, Size, ConcreteType::Pointer, Content.limited(MaxWeight));
  std::string Text = Tree.str();
  return Text.size() <= MaxText ? Text : std::string();
}

std::string SourceTypes::valueText(QualType T) {
  TypeTree Tree = contentOf(T);
  if (Tree.isUnknown())
    return std::string();
  std::string Text = Tree.str();
  return Text.size() <= MaxText ? Text : std::string();
}

TypeTree SourceTypes::content(QualType T, unsigned Depth, Place At) {
  T = Ctx.getCanonicalType(T);
  Key K{T.getTypePtr(), Depth, At};
  auto Found = Memo.find(K);
  if (Found != Memo.end())
    return Found->second;
  bool MetBefore = MetIncomplete;
  MetIncomplete = false;
  TypeTree Tree = contentNow(T, Depth, At).limited(MaxWeight);
  if (!MetIncomplete)
    Memo[K] = Tree;
  MetIncomplete |= MetBefore;
  return Tree;
}

TypeTree SourceTypes::contentNow(QualType T, unsigned Depth, Place At) {
  using namespace clang;
  if (T->isDependentType() || T->isUndeducedType() || T->isFunctionType() ||
      T->isVoidType())
    return TypeTree();
  // An array that is not complete has elements that are.
  if (const auto *A = Ctx.getAsArrayType(T)) {
    uint64_t Count = TypePlace::Unbounded;
    if (const auto *C = dyn_cast<ConstantArrayType>(A))
      Count = C->getSize().getLimitedValue();
    return elements(A->getElementType(), Count, Depth, At);
  }
  if (T->isIncompleteType()) {
    MetIncomplete = true;
    return TypeTree();
  }
  if (T->isSizelessType())
    return TypeTree();
  if (const auto *P = T->getAs<clang::PointerType>())
    return pointer(T, P->getPointeeType(), Depth);
  if (const auto *R = T->getAs<ReferenceType>())
    return pointer(T, R->getPointeeType(), Depth);
  if (T->isBlockPointerType() || T->isObjCObjectPointerType())
    return pointer(T, Ctx.VoidTy, Depth);
  if (T->isMemberPointerType())
    return oneFact(0, sizeOf(T), ConcreteType::Integer);
  if (const auto *A = T->getAs<AtomicType>())
    return content(A->getValueType(), Depth, At);
  if (const auto *C = T->getAs<ComplexType>())
    return elements(C->getElementType(), 2, Depth, At);
  if (const auto *V = T->getAs<clang::VectorType>())
    return V->isExtVectorBoolType()
               ? TypeTree()
               : elements(V->getElementType(), V->getNumElements(), Depth, At);
  if (const auto *M = T->getAs<ConstantMatrixType>())
    return elements(M->getElementType(), M->getNumElementsFlattened(), Depth,
                    At);
  if (T->isEnumeralType())
    return T->isStdByteType() ? TypeTree()
                              : oneFact(0, sizeOf(T), ConcreteType::Integer);
  if (const auto *B = T->getAs<BuiltinType>())
    return builtin(*B, At);
  if (const auto *R = T->getAsRecordDecl())
    return record(*R, Depth);
  if (T->isBitIntType())
    return At == Member ? oneFact(0, sizeOf(T), ConcreteType::Integer)
                        : TypeTree();
  return TypeTree();
}

llvm::Type *SourceTypes::floatType(QualType T) const {
  const llvm::fltSemantics &S = Ctx.getFloatTypeSemantics(T);
  return llvm::Type::getFloatingPointTy(Names, S);
}

TypeTree SourceTypes::builtin(const clang::BuiltinType &B, Place At) const {
  QualType T(&B, 0);
  if (B.isFloatingPoint()) {
    llvm::Type *Ty = floatType(T);
    return oneFact(0, Ty->getPrimitiveSizeInBits().getFixedValue() / 8,
                   ConcreteType::floating(Ty));
  }
  if (B.isNullPtrType())
    return oneFact(0, sizeOf(T), ConcreteType::Pointer);
  if (B.isInteger())
    return integer(T, At);
  return TypeTree();
}

TypeTree SourceTypes::integer(QualType T, Place At) const {
  uint64_t Size = sizeOf(T);
  bool WordLike = Size >= 8 || (Size == 4 && T->isUnsignedIntegerType() &&
                                !T->isChar32Type() && !T->isWideCharType());
  if (At == Alone && (isCharacter(T) || WordLike))
    return TypeTree();
  return oneFact(0, Size, ConcreteType::Integer);
}

TypeTree SourceTypes::pointer(QualType T, QualType Pointee, unsigned Depth) {
  uint64_t Size =
      T->isReferenceType()
          ? Ctx.getTypeSizeInChars(Ctx.getPointerType(Pointee)).getQuantity()
          : sizeOf(T);
  TypeTree Behind;
  if (Depth > 0)
    Behind = content(Pointee, Depth - 1, Alone);
  return oneFact(0, Size, ConcreteType::Pointer, Behind);
}

TypeTree SourceTypes::elements(QualType Element, uint64_t Count, unsigned Depth,
                               Place At) {
  // Rows of characters are storage, in a structure as well.
  if (isCharacter(Ctx.getBaseElementType(Element)))
    At = Alone;
  TypeTree One = content(Element, Depth, At);
  uint64_t Size = sizeOf(Element);
  if (Count == 0) // the older spelling of a flexible array
    Count = TypePlace::Unbounded;
  if (One.isUnknown() || Size == 0 || Count == 1)
    return One;
  return One.repeated({Dimension{Size, Count}});
}

TypeTree SourceTypes::record(const RecordDecl &Any, unsigned Depth) {
  const RecordDecl *R = Any.getDefinition();
  if (!R || R->isInvalidDecl() || R->isDependentContext())
    return TypeTree();
  Records.insert(R);
  return R->isUnion() ? unionOf(*R, Depth) : structure(*R, Depth);
}

TypeTree SourceTypes::member(const clang::FieldDecl &F, unsigned Depth) {
  if (F.isInvalidDecl() || F.isZeroLengthBitField(Ctx))
    return TypeTree();
  uint64_t Bit = Ctx.getFieldOffset(&F);
  if (F.isBitField()) {
    uint64_t First = Bit / 8;
    uint64_t Last = (Bit + F.getBitWidthValue(Ctx) - 1) / 8;
    return oneFact(First, Last - First + 1, ConcreteType::Integer);
  }
  if (F.isZeroSize(Ctx))
    return TypeTree();
  return content(F.getType(), Depth, Member).shifted(int64_t(Bit / 8));
}

TypeTree SourceTypes::structure(const RecordDecl &R, unsigned Depth) {
  const clang::ASTRecordLayout &Layout = Ctx.getASTRecordLayout(&R);
  TypeTree Tree;
  if (const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(&R)) {
    // In the Itanium ABI a class with virtual functions or bases starts with
    // the pointer to its table; the other ABI says less here.
    if (Class->isDynamicClass() &&
        Ctx.getTargetInfo().getCXXABI().isItaniumFamily())
      Tree.join(oneFact(0, Ctx.getTypeSizeInChars(Ctx.VoidPtrTy).getQuantity(),
                        ConcreteType::Pointer));
    auto Base = [&](const clang::CXXBaseSpecifier &B, bool Virtual) {
      const auto *BaseDecl = B.getType()->getAsCXXRecordDecl();
      if (!BaseDecl || BaseDecl->isInvalidDecl() || BaseDecl->isEmpty())
        return;
      int64_t Offset = (Virtual ? Layout.getVBaseClassOffset(BaseDecl)
                                : Layout.getBaseClassOffset(BaseDecl))
                           .getQuantity();
      // Of the base's own virtual bases only the most derived class knows
      // where they are.
      uint64_t Own =
          Ctx.getASTRecordLayout(BaseDecl).getNonVirtualSize().getQuantity();
      Tree.join(
          content(B.getType(), Depth, Member).slice(0, Own).shifted(Offset));
    };
    for (const auto &B : Class->bases())
      if (!B.isVirtual())
        Base(B, false);
    for (const auto &B : Class->vbases())
      Base(B, true);
  }
  for (const clang::FieldDecl *F : R.fields())
    Tree.join(member(*F, Depth));
  Tree.join(paddingOf(R, Ctx));
  return Tree;
}

TypeTree SourceTypes::unionOf(const RecordDecl &R, unsigned Depth) {
  TypeTree Tree;
  bool First = true;
  for (const clang::FieldDecl *F : R.fields()) {
    TypeTree One = member(*F, Depth);
    Tree = First ? One : TypeTree::meet(Tree, One);
    First = false;
  }
  return Tree;
}
