// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees of the types of C and C++.
//
// All facts are hints: an object may hold something else than its declaration
// says. Where saying something wrong is a common idiom, nothing is said:
//
//  * void, characters and std::byte, alone or in arrays, are storage for
//    anything. A single character member of a structure is a number.
//  * Integers as wide as a machine word, and unsigned ones of four bytes, are
//    used to move bytes whose type the code does not know, and for tricks on
//    the bits of floats. As variables and behind pointers they say nothing;
//    as members of a structure they are numbers.
//  * Of a union, bytes on which all members agree.
//  * A pointer points to one object; that it is an array shows where it is
//    indexed, and in the expressions that ExpressionHints looks at.
#ifndef ADZE_LIB_CLANG_SOURCETYPES_H
#define ADZE_LIB_CLANG_SOURCETYPES_H

#include "adze/TypeTree.h"

#include "clang/AST/Type.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/LLVMContext.h"
#include <map>

namespace clang {
class ASTContext;
class FieldDecl;
class RecordDecl;
} // namespace clang

namespace adze {

class SourceTypes {
public:
  explicit SourceTypes(clang::ASTContext &Ctx) : Ctx(Ctx) {}

  /// What the bytes of an object of type \p T hold.
  TypeTree contentOf(clang::QualType T);
  /// The same of a member: see above.
  TypeTree contentOf(const clang::FieldDecl &Member);
  /// What lies behind a pointer to the first of \p Count objects of type \p T.
  TypeTree arrayOf(clang::QualType T, uint64_t Count = TypePlace::Unbounded);
  /// The tree of a pointer to memory with this content, as text; empty if
  /// nothing is known or the text would be unreasonably long.
  std::string pointerText(const TypeTree &Content) const;
  /// The tree of a value of type \p T, as text; empty if nothing is known.
  std::string valueText(clang::QualType T);

  /// The records that were looked into, in order.
  llvm::ArrayRef<const clang::RecordDecl *> records() const {
    return Records.getArrayRef();
  }
  /// Bytes of a complete type, 0 for others.
  uint64_t sizeOf(clang::QualType T) const;

private:
  enum Place { Alone, Member };
  struct Key {
    const void *Type;
    unsigned Depth;
    Place At;
    bool operator<(const Key &O) const {
      return std::tie(Type, Depth, At) < std::tie(O.Type, O.Depth, O.At);
    }
  };

  TypeTree content(clang::QualType T, unsigned Depth, Place At);
  TypeTree contentNow(clang::QualType T, unsigned Depth, Place At);
  TypeTree builtin(const clang::BuiltinType &T, Place At) const;
  TypeTree integer(clang::QualType T, Place At) const;
  TypeTree pointer(clang::QualType T, clang::QualType Pointee, unsigned Depth);
  TypeTree elements(clang::QualType Element, uint64_t Count, unsigned Depth,
                    Place At);
  TypeTree record(const clang::RecordDecl &R, unsigned Depth);
  TypeTree structure(const clang::RecordDecl &R, unsigned Depth);
  TypeTree unionOf(const clang::RecordDecl &R, unsigned Depth);
  TypeTree member(const clang::FieldDecl &F, unsigned Depth);
  llvm::Type *floatType(clang::QualType T) const;

  clang::ASTContext &Ctx;
  mutable llvm::LLVMContext Names; // of the float types in trees
  std::map<Key, TypeTree> Memo;    // only looked up, never iterated
  llvm::SmallSetVector<const clang::RecordDecl *, 32> Records;
  /// An incomplete type was met: what depends on it must not be remembered.
  bool MetIncomplete = false;
};

} // namespace adze
#endif
