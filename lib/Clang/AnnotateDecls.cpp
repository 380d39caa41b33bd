// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Clang/AnnotateDecls.h"

#include "adze/AnnotationText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace adze;
using namespace clang;
using llvm::StringRef;

namespace {

/// Annotates what the code of one function mentions.
class BodyVisitor : public RecursiveASTVisitor<BodyVisitor> {
public:
  /// \p Evaluated: the body may also be run by the compiler, which must find
  /// the expressions as they were written.
  BodyVisitor(AnnotateDecls &Annotate, bool Evaluated)
      : Annotate(Annotate), Evaluated(Evaluated) {}

  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }

  bool VisitStmt(Stmt *S) {
    if (!Evaluated && InitializerOfStatic == 0)
      Annotate.hints().visit(*S);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    Annotate.variable(*V);
    return true;
  }
  bool TraverseVarDecl(VarDecl *V) {
    // What the compiler computes stays as it is.
    bool Static = V->hasGlobalStorage() || V->isConstexpr();
    InitializerOfStatic += Static;
    bool Result = RecursiveASTVisitor::TraverseVarDecl(V);
    InitializerOfStatic -= Static;
    return Result;
  }
  bool TraverseLambdaExpr(LambdaExpr *L) {
    if (CXXMethodDecl *Body = L->getCallOperator())
      Annotate.definition(*Body);
    for (Expr *Capture : L->capture_inits())
      if (Capture && !TraverseStmt(Capture))
        return false;
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) {
    if (auto *F = dyn_cast<FieldDecl>(E->getMemberDecl()))
      Annotate.member(*F);
    else if (auto *M = dyn_cast<FunctionDecl>(E->getMemberDecl()))
      Annotate.mentioned(*M);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (auto *V = dyn_cast<VarDecl>(E->getDecl()))
      Annotate.variable(*V);
    else if (auto *F = dyn_cast<FunctionDecl>(E->getDecl()))
      Annotate.mentioned(*F);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    Annotate.mentioned(*E->getConstructor());
    return true;
  }

private:
  AnnotateDecls &Annotate;
  bool Evaluated;
  unsigned InitializerOfStatic = 0;
};

bool isTemplate(const Decl &D) {
  return D.isTemplated() || D.getDeclContext()->isDependentContext();
}

/// Versions of a function for several processors may differ in nothing but
/// the attribute that says so.
bool isMultiVersioned(const FunctionDecl &F) {
  return F.isMultiVersion() || F.hasAttr<TargetAttr>() ||
         F.hasAttr<TargetVersionAttr>() || F.hasAttr<TargetClonesAttr>() ||
         F.hasAttr<CPUSpecificAttr>() || F.hasAttr<CPUDispatchAttr>();
}

/// Passed as one IR argument, whatever the calling convention.
bool isOneArgument(QualType T, ASTContext &Ctx) {
  if (T->isPointerType() || T->isReferenceType())
    return true;
  return (T->isIntegralOrEnumerationType() || T->isRealFloatingType()) &&
         !T->isBitIntType() && Ctx.getTypeSize(T) <= 64;
}

} // namespace

void AnnotateDecls::annotate(ValueDecl &D, StringRef Kind,
                             const std::string &Text) {
  if (Text.empty() || D.isInvalidDecl())
    return;
  // A redeclaration inherits the annotation of the first one.
  for (const auto *A : D.specific_attrs<AnnotateAttr>())
    if (A->getAnnotation().starts_with(Kind))
      return;
  D.addAttr(AnnotateAttr::CreateImplicit(Ctx, (Kind + Text).str(), nullptr, 0));
}

/// What registers something is used by nobody: clang makes no code of a
/// variable that is static or inline.
static void keepRegistration(VarDecl &V, ASTContext &Ctx) {
  if (V.hasGlobalStorage() && V.isThisDeclarationADefinition() &&
      V.getIdentifier() && V.getName().starts_with("__enzyme_") &&
      !V.hasAttr<UsedAttr>())
    V.addAttr(UsedAttr::CreateImplicit(Ctx));
}

void AnnotateDecls::variable(VarDecl &V) {
  if (isTemplate(V) || V.isInvalidDecl() || !Seen.insert(&V).second)
    return;
  keepRegistration(V, Ctx);
  if (!V.isLocalVarDeclOrParm() && !V.hasGlobalStorage())
    return;
  // The address of a reference is that of the pointer it is made of.
  annotate(V, AnnotationOfType,
           Types.pointerText(Types.contentOf(V.getType())));
  // `int a[];` may be completed yet.
  if (V.getType()->isIncompleteType())
    Seen.erase(&V);
}

void AnnotateDecls::member(FieldDecl &F) {
  // clang computes no address for the members of a union, nor for bit-fields
  // one of their own.
  if (F.isInvalidDecl() || F.isBitField() || F.getParent()->isUnion() ||
      F.getParent()->isDependentContext() || !Seen.insert(&F).second)
    return;
  Types.contentOf(Ctx.getRecordType(F.getParent()));
  annotate(F, AnnotationOfType, Types.pointerText(Types.contentOf(F)));
}

/// Only what surely is one IR argument can be told by its number.
std::string AnnotateDecls::functionText(FunctionDecl &F) {
  // What is a float, IR says itself.
  std::string Text;
  if (!F.getReturnType()->isRealFloatingType())
    Text = Types.valueText(F.getReturnType());
  bool Known = !Text.empty();
  auto Add = [&](const std::string &Tree) {
    Text += ";" + Tree;
    Known |= !Tree.empty();
  };
  if (auto *M = dyn_cast<CXXMethodDecl>(&F);
      M && M->isImplicitObjectMemberFunction()) {
    QualType Class = Ctx.getRecordType(M->getParent());
    Add(Types.pointerText(Types.contentOf(Class)));
    // Constructors and destructors may have a table of virtual bases next.
    if ((isa<CXXConstructorDecl>(F) || isa<CXXDestructorDecl>(F)) &&
        M->getParent()->getNumVBases() != 0)
      return Known ? Text : std::string();
  }
  for (ParmVarDecl *P : F.parameters()) {
    if (!isOneArgument(P->getType(), Ctx))
      break;
    Add(P->getType()->isAnyPointerType() || P->getType()->isReferenceType()
            ? Types.pointerText(Types.contentOf(P->getType()->getPointeeType()))
            : std::string());
  }
  return Known ? Text : std::string();
}

void AnnotateDecls::mentioned(FunctionDecl &F) {
  if (isTemplate(F) || F.isInvalidDecl() || isMultiVersioned(F) ||
      F.getBuiltinID() != 0 || F.isDeleted() || F.isConsteval())
    return;
  if (F.getIdentifier() && F.getName().contains("__enzyme_"))
    return;
  if (Seen.insert(&F).second)
    annotate(F, AnnotationOfFunction, functionText(F));
  // Members that the compiler wrote come to no consumer.
  if (F.isImplicit() || F.isDefaulted())
    if (FunctionDecl *Body = F.getDefinition(); Body && Body->getBody())
      definition(*Body);
}

void AnnotateDecls::definition(FunctionDecl &F) {
  if (isTemplate(F) || F.isInvalidDecl() || !F.doesThisDeclarationHaveABody() ||
      !Bodies.insert(&F).second)
    return;
  mentioned(F);
  for (ParmVarDecl *P : F.parameters())
    variable(*P);
  BodyVisitor Visitor(*this, F.isConstexpr());
  if (auto *Constructor = dyn_cast<CXXConstructorDecl>(&F))
    for (CXXCtorInitializer *Init : Constructor->inits()) {
      if (FieldDecl *Member = Init->getAnyMember())
        member(*Member);
      Visitor.TraverseStmt(Init->getInit());
    }
  Visitor.TraverseStmt(F.getBody());
}

void AnnotateDecls::topLevel(Decl &D) {
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D)) {
    for (Decl *Inner : cast<DeclContext>(&D)->decls())
      topLevel(*Inner);
  } else if (auto *F = dyn_cast<FunctionDecl>(&D)) {
    definition(*F);
  } else if (auto *R = dyn_cast<CXXRecordDecl>(&D); R && !isTemplate(*R)) {
    for (Decl *Member : R->decls())
      if (auto *V = dyn_cast<VarDecl>(Member))
        keepRegistration(*V, Ctx);
  } else if (auto *V = dyn_cast<VarDecl>(&D)) {
    variable(*V);
    // Initializers of globals can hold functions, and calls of them.
    if (!isTemplate(*V) && V->hasInit())
      BodyVisitor(*this, /*Evaluated=*/true).TraverseStmt(V->getInit());
  }
}

std::string AnnotateDecls::table() {
  return Hints.text() + Table.text(Ctx, Types);
}
