// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of expressions. Where a pointer changes between `void *` (or a pointer
// to characters) and a pointer that says something, only the AST knows what is
// behind it:
//
//   (double *)buffer              the cast's operand points to doubles
//   memcpy(to, (double *)from, n) so does the second argument
//   sort(void *data, ...), called sort(items, ...)   and the first one here
//   new Node[n]                   and the result
//
// Such an expression is wrapped into a builtin that clang emits as the
// expression itself and an assumption with a number (AnnotationText.h).
#ifndef ADZE_LIB_CLANG_EXPRESSIONHINTS_H
#define ADZE_LIB_CLANG_EXPRESSIONHINTS_H

#include "Clang/SourceTypes.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace clang {
class CallExpr;
class CastExpr;
class CXXNewExpr;
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace adze {

class ExpressionHints {
public:
  /// \p Allowed: else nothing is wrapped.
  ExpressionHints(clang::ASTContext &Ctx, SourceTypes &Types, bool Allowed)
      : Ctx(Ctx), Types(Types), Allowed(Allowed) {}

  /// Wraps what is to be wrapped among the direct children of \p S.
  void visit(clang::Stmt &S);
  /// The lines of the table (AnnotationText.h) for what was wrapped.
  const std::string &text() const { return Text; }

private:
  void visitCast(clang::CastExpr &Cast);
  void visitCall(clang::CallExpr &Call);
  void visitArgument(clang::CallExpr &Call, unsigned I, uint64_t Bytes);
  std::string newText(clang::CXXNewExpr &New);
  std::string pointeeText(clang::Expr &E, clang::QualType Pointee,
                          uint64_t Bytes);
  uint64_t constantBytes(clang::CallExpr &Call, unsigned I) const;
  clang::Expr *wrap(clang::Expr *E, const std::string &Tree);
  clang::FunctionDecl *wrapper();
  uint64_t numberOf(const std::string &Tree);

  clang::ASTContext &Ctx;
  SourceTypes &Types;
  bool Allowed;
  clang::FunctionDecl *Wrapper = nullptr;
  llvm::DenseSet<const clang::Expr *> Done;
  llvm::StringMap<uint64_t> Numbers; // only looked up, never iterated
  std::string Text;
};

} // namespace adze
#endif
