// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Clang/Consumer.h"

#include "adze/AnnotationText.h"
#include "Clang/AnnotateDecls.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/Expr.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace adze;
using namespace clang;

namespace {

class AnnotatingConsumer : public ASTConsumer {
public:
  explicit AnnotatingConsumer(CompilerInstance &CI) : CI(CI) {}

  void Initialize(ASTContext &Ctx) override {
    // The sanitizer of alignments would check what only carries a number.
    bool Hints = !CI.getLangOpts().Sanitize.has(SanitizerKind::Alignment);
    Annotate = std::make_unique<AnnotateDecls>(Ctx, Hints);
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      if (D != Carrier)
        Annotate->topLevel(*D);
    return true;
  }
  void HandleInterestingDecl(DeclGroupRef Group) override {
    HandleTopLevelDecl(Group);
  }
  void HandleInlineFunctionDefinition(FunctionDecl *F) override {
    Annotate->definition(*F);
  }
  void HandleTagDeclDefinition(TagDecl *D) override {
    if (auto *R = dyn_cast<RecordDecl>(D))
      Annotate->completed(*R);
  }
  void CompleteTentativeDefinition(VarDecl *V) override {
    Annotate->variable(*V);
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *V) override {
    Annotate->variable(*V);
  }

  void HandleTranslationUnit(ASTContext &Ctx) override {
    std::string Text = Annotate->table();
    if (!Text.empty() && !Ctx.getDiagnostics().hasErrorOccurred())
      emitTable(Ctx, Text);
  }

private:
  /// The table is the annotation of a variable that the pass erases.
  void emitTable(ASTContext &Ctx, const std::string &Text) {
    auto *V = VarDecl::Create(
        Ctx, Ctx.getTranslationUnitDecl(), SourceLocation(), SourceLocation(),
        &Ctx.Idents.get("__adze_table"), Ctx.CharTy, nullptr, SC_Static);
    V->setImplicit();
    // In C it would be a mere tentative definition without a value.
    V->setInit(IntegerLiteral::Create(
        Ctx, llvm::APInt(unsigned(Ctx.getTypeSize(Ctx.CharTy)), 0), Ctx.CharTy,
        SourceLocation()));
    V->addAttr(UsedAttr::CreateImplicit(Ctx));
    V->addAttr(NoDebugAttr::CreateImplicit(Ctx));
    // Of other variables no code is made for a device.
    if (Ctx.getLangOpts().CUDAIsDevice)
      V->addAttr(CUDADeviceAttr::CreateImplicit(Ctx));
    V->addAttr(AnnotateAttr::CreateImplicit(Ctx, (AnnotationTable + Text).str(),
                                            nullptr, 0));
    Carrier = V;
    CI.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(V));
  }

  CompilerInstance &CI;
  std::unique_ptr<AnnotateDecls> Annotate;
  const Decl *Carrier = nullptr;
};

} // namespace

std::unique_ptr<ASTConsumer>
adze::makeAnnotatingConsumer(CompilerInstance &CI) {
  return std::make_unique<AnnotatingConsumer>(CI);
}
