// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Clang/Padding.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace adze;
using clang::ASTContext;
using clang::RecordDecl;

namespace {

using Span = std::pair<uint64_t, uint64_t>; // [begin, end)

/// The end of what nobody but \p R keeps members in.
uint64_t ownEnd(const RecordDecl &R, ASTContext &Ctx) {
  const clang::ASTRecordLayout &Layout = Ctx.getASTRecordLayout(&R);
  const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(&R);
  if (!Class || Class->isEffectivelyFinal())
    return Layout.getSize().getQuantity();
  return std::max(Layout.getDataSize(), Layout.getNonVirtualSize())
      .getQuantity();
}

/// Where \p F keeps something; empty for what has no content.
Span spanOf(const clang::FieldDecl &F, ASTContext &Ctx) {
  uint64_t Bit = Ctx.getFieldOffset(&F);
  if (F.isBitField())
    return {Bit / 8, (Bit + F.getBitWidthValue(Ctx) + 7) / 8};
  uint64_t Begin = Bit / 8;
  if (F.isZeroSize(Ctx))
    return {Begin, Begin};
  clang::QualType T = F.getType();
  const auto *Class = T->getAsCXXRecordDecl();
  if (Class && Class->isEmpty())
    return {Begin, Begin};
  if (const RecordDecl *R = T->getAsRecordDecl(); R && !R->isUnion())
    return {Begin, Begin + ownEnd(*R, Ctx)};
  // A flexible array goes on behind the structure.
  if (T->isIncompleteArrayType())
    return {Begin, UINT64_MAX};
  return {Begin, Begin + Ctx.getTypeSizeInChars(T).getQuantity()};
}

void addBases(const clang::CXXRecordDecl &Class, ASTContext &Ctx,
              llvm::SmallVectorImpl<Span> &Used) {
  const clang::ASTRecordLayout &Layout = Ctx.getASTRecordLayout(&Class);
  if (Class.isDynamicClass())
    Used.push_back({0, Ctx.getTypeSizeInChars(Ctx.VoidPtrTy).getQuantity()});
  for (const clang::CXXBaseSpecifier &B : Class.bases()) {
    const auto *Base = B.getType()->getAsCXXRecordDecl();
    if (Base->isEmpty())
      continue;
    uint64_t Begin = Layout.getBaseClassOffset(Base).getQuantity();
    Used.push_back({Begin, Begin + ownEnd(*Base, Ctx)});
  }
}

} // namespace

TypeTree adze::paddingOf(const RecordDecl &R, ASTContext &Ctx) {
  llvm::SmallVector<Span, 16> Used;
  if (const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(&R)) {
    // An empty base shares its place with members of the derived class.
    if (Class->isEmpty() || Class->getNumVBases() != 0 ||
        llvm::any_of(Class->bases(), [](const clang::CXXBaseSpecifier &B) {
          const auto *Base = B.getType()->getAsCXXRecordDecl();
          return !Base || Base->isInvalidDecl();
        }))
      return TypeTree();
    addBases(*Class, Ctx, Used);
  }
  for (const clang::FieldDecl *F : R.fields()) {
    if (F->isInvalidDecl() || F->getType()->isDependentType())
      return TypeTree();
    Used.push_back(spanOf(*F, Ctx));
  }
  llvm::sort(Used);

  TypeTree Padding;
  uint64_t End = 0;
  auto gap = [&](uint64_t To) {
    if (To > End)
      Padding.join(TypeTree::at(End, To - End, ConcreteType::Anything,
                                Certainty::Hint, nullptr));
  };
  for (auto [Begin, Last] : Used) {
    if (Begin == Last)
      continue;
    gap(Begin);
    End = std::max(End, Last);
  }
  gap(ownEnd(R, Ctx));
  return Padding;
}
