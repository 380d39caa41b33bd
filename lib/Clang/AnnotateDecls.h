// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes types into the AST as `annotate` attributes (AnnotationText.h), before
// clang makes IR of each declaration.
#ifndef ADZE_LIB_CLANG_ANNOTATEDECLS_H
#define ADZE_LIB_CLANG_ANNOTATEDECLS_H

#include "Clang/ExpressionHints.h"
#include "Clang/RecordTable.h"
#include "Clang/SourceTypes.h"

#include "llvm/ADT/DenseSet.h"

namespace clang {
class FunctionDecl;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace adze {

/// What one translation unit says of its types. Declarations are annotated at
/// most once, and only where they are complete and not templates.
class AnnotateDecls {
public:
  AnnotateDecls(clang::ASTContext &Ctx, bool HintsAllowed)
      : Ctx(Ctx), Types(Ctx), Hints(Ctx, Types, HintsAllowed) {}

  /// A declaration at namespace level, with all that it contains.
  void topLevel(clang::Decl &D);
  /// A function of which code will be made: its parameters, itself, the
  /// variables, members and expressions in its body.
  void definition(clang::FunctionDecl &F);
  /// A function that is mentioned.
  void mentioned(clang::FunctionDecl &F);
  /// Any variable.
  void variable(clang::VarDecl &V);
  /// A member whose address is computed.
  void member(clang::FieldDecl &F);
  /// A structure that was completed.
  void completed(clang::RecordDecl &R) { Table.add(R); }
  ExpressionHints &hints() { return Hints; }

  /// The text of the module's table; empty if there is nothing to say.
  std::string table();

private:
  void annotate(clang::ValueDecl &D, llvm::StringRef Kind,
                const std::string &Text);
  std::string functionText(clang::FunctionDecl &F);

  clang::ASTContext &Ctx;
  SourceTypes Types;
  ExpressionHints Hints;
  RecordTable Table;
  // Only looked up, never iterated.
  llvm::DenseSet<const clang::Decl *> Seen;
  llvm::DenseSet<const clang::FunctionDecl *> Bodies;
};

} // namespace adze
#endif
