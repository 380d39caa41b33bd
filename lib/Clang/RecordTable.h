// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of LLVM's structures. clang calls the structure of a record
// "struct.ns::Name", and appends a number where a name is taken: by another
// instance of a template, or by a record of another scope. Which one has which
// number cannot be told; of such records nothing is said.
#ifndef ADZE_LIB_CLANG_RECORDTABLE_H
#define ADZE_LIB_CLANG_RECORDTABLE_H

#include "Clang/SourceTypes.h"

#include "llvm/ADT/DenseMap.h"

namespace clang {
class IdentifierInfo;
} // namespace clang

namespace adze {

class RecordTable {
public:
  /// A record that may become a structure of the module.
  void add(const clang::RecordDecl &R);
  /// The lines of the table (AnnotationText.h) for the records that \p Types
  /// looked into.
  std::string text(clang::ASTContext &Ctx, SourceTypes &Types) const;

private:
  bool isAlone(const clang::RecordDecl &R, const std::string &Name) const;

  // Only looked up, never iterated.
  llvm::DenseMap<const clang::IdentifierInfo *,
                 llvm::SmallVector<const clang::RecordDecl *, 1>>
      ByIdentifier;
};

} // namespace adze
#endif
