// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes that programs of the field spell:
//
//   __attribute__((enzyme_inactive))  [[enzyme::inactive]]
//   [[clang::enzyme_inactive]]
//   __attribute__((enzyme_nofree))    [[enzyme::nofree]]
//   [[clang::enzyme_nofree]]
//   __attribute__((enzyme_shouldrecompute)), enzyme_sparse_accumulate, and
//   __attribute__((enzyme_function_like("log1p"))), spelled as these two
//
// They become `annotate` attributes of the same meaning, which the pass
// understands whoever wrote them.
#include "adze/AnnotationText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using llvm::StringRef;

namespace {

bool isFunction(const Decl *D) { return isa<FunctionDecl>(D); }

bool isFunctionOrVariable(const Decl *D) {
  const auto *V = dyn_cast<VarDecl>(D);
  return isFunction(D) || isa<ParmVarDecl>(D) || (V && V->hasGlobalStorage());
}

class AnnotatingAttr : public ParsedAttrInfo {
public:
  AnnotatingAttr(StringRef Annotation, ArrayRef<Spelling> Names,
                 bool (*Fits)(const Decl *), StringRef Subjects)
      : Annotation(Annotation), Fits(Fits), Subjects(Subjects) {
    Spellings = Names;
  }

  bool diagAppertainsToDecl(Sema &S, const ParsedAttr &Attr,
                            const Decl *D) const override {
    if (Fits(D))
      return true;
    unsigned ID = S.Diags.getCustomDiagID(DiagnosticsEngine::Warning,
                                          "%0 attribute only applies to %1");
    S.Diags.Report(Attr.getLoc(), ID) << Attr.getAttrName() << Subjects;
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *D,
                                   const ParsedAttr &Attr) const override {
    std::string Text = Annotation.str();
    if (NumArgs != 0) {
      StringRef Name;
      if (!S.checkStringLiteralArgumentAttr(Attr, 0, Name))
        return AttributeNotApplied;
      Text += Name;
    }
    D->addAttr(
        AnnotateAttr::Create(S.Context, Text, nullptr, 0, Attr.getRange()));
    return AttributeApplied;
  }

private:
  StringRef Annotation;
  bool (*Fits)(const Decl *);
  StringRef Subjects;
};

class InactiveAttr : public AnnotatingAttr {
public:
  InactiveAttr()
      : AnnotatingAttr(adze::AnnotationInactive, Names, isFunctionOrVariable,
                       "functions, parameters, and variables with static "
                       "storage") {}

private:
  static constexpr Spelling Names[] = {
      {ParsedAttr::AS_GNU, "enzyme_inactive"},
      {ParsedAttr::AS_CXX11, "enzyme::inactive"},
      {ParsedAttr::AS_C23, "enzyme::inactive"},
      {ParsedAttr::AS_CXX11, "enzyme_inactive"},
      {ParsedAttr::AS_C23, "enzyme_inactive"},
      {ParsedAttr::AS_CXX11, "clang::enzyme_inactive"},
      {ParsedAttr::AS_C23, "clang::enzyme_inactive"}};
};

class NoFreeAttr : public AnnotatingAttr {
public:
  NoFreeAttr()
      : AnnotatingAttr(adze::AnnotationNoFree, Names, isFunction, "functions") {
  }

private:
  static constexpr Spelling Names[] = {
      {ParsedAttr::AS_GNU, "enzyme_nofree"},
      {ParsedAttr::AS_CXX11, "enzyme::nofree"},
      {ParsedAttr::AS_C23, "enzyme::nofree"},
      {ParsedAttr::AS_CXX11, "clang::enzyme_nofree"},
      {ParsedAttr::AS_C23, "clang::enzyme_nofree"}};
};

class RecomputeAttr : public AnnotatingAttr {
public:
  RecomputeAttr()
      : AnnotatingAttr(adze::AnnotationRecompute, Names, isFunction,
                       "functions") {}

private:
  static constexpr Spelling Names[] = {
      {ParsedAttr::AS_GNU, "enzyme_shouldrecompute"},
      {ParsedAttr::AS_CXX11, "enzyme::shouldrecompute"},
      {ParsedAttr::AS_C23, "enzyme::shouldrecompute"},
      {ParsedAttr::AS_CXX11, "clang::enzyme_shouldrecompute"},
      {ParsedAttr::AS_C23, "clang::enzyme_shouldrecompute"}};
};

class AccumulateAttr : public AnnotatingAttr {
public:
  AccumulateAttr()
      : AnnotatingAttr(adze::AnnotationAccumulate, Names, isFunction,
                       "functions") {}

private:
  static constexpr Spelling Names[] = {
      {ParsedAttr::AS_GNU, "enzyme_sparse_accumulate"},
      {ParsedAttr::AS_CXX11, "enzyme::sparse_accumulate"},
      {ParsedAttr::AS_C23, "enzyme::sparse_accumulate"},
      {ParsedAttr::AS_CXX11, "clang::enzyme_sparse_accumulate"},
      {ParsedAttr::AS_C23, "clang::enzyme_sparse_accumulate"}};
};

class FunctionLikeAttr : public AnnotatingAttr {
public:
  FunctionLikeAttr()
      : AnnotatingAttr(adze::AnnotationLike, Names, isFunction, "functions") {
    NumArgs = 1;
  }

private:
  static constexpr Spelling Names[] = {
      {ParsedAttr::AS_GNU, "enzyme_function_like"},
      {ParsedAttr::AS_CXX11, "enzyme::function_like"},
      {ParsedAttr::AS_C23, "enzyme::function_like"},
      {ParsedAttr::AS_CXX11, "clang::enzyme_function_like"},
      {ParsedAttr::AS_C23, "clang::enzyme_function_like"}};
};

const ParsedAttrInfoRegistry::Add<InactiveAttr>
    Inactive("enzyme_inactive", "no derivative flows through this");
const ParsedAttrInfoRegistry::Add<NoFreeAttr> NoFree("enzyme_nofree",
                                                     "this frees no memory");
const ParsedAttrInfoRegistry::Add<RecomputeAttr>
    Recompute("enzyme_shouldrecompute",
              "this is rather called again than kept");
const ParsedAttrInfoRegistry::Add<AccumulateAttr>
    Accumulate("enzyme_sparse_accumulate", "this takes an entry of a matrix");
const ParsedAttrInfoRegistry::Add<FunctionLikeAttr>
    FunctionLike("enzyme_function_like", "this is like a library's function");

} // namespace
