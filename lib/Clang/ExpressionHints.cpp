// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Clang/ExpressionHints.h"

#include "adze/AnnotationText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"

using namespace adze;
using namespace clang;
using llvm::StringRef;

namespace {
constexpr uint64_t Unbounded = TypePlace::Unbounded;
constexpr size_t MaxText = 1 << 20;

/// void, or a type that C uses for bytes of anything.
bool isStorage(QualType T) {
  return T->isVoidType() || T->isCharType() || T->isChar8Type() ||
         T->isStdByteType();
}

/// `&x`: one object, however its pointer is used.
bool isAddressOfObject(const Expr &E) {
  const auto *Unary = llvm::dyn_cast<UnaryOperator>(E.IgnoreParenCasts());
  return Unary && Unary->getOpcode() == UO_AddrOf &&
         !llvm::isa<ArraySubscriptExpr>(Unary->getSubExpr()->IgnoreParens());
}

/// An array says itself what it holds.
bool isWholeArray(const Expr &E) {
  const auto *Cast = llvm::dyn_cast<CastExpr>(E.IgnoreParens());
  return Cast && Cast->getCastKind() == CK_ArrayToPointerDecay;
}
} // namespace

FunctionDecl *ExpressionHints::wrapper() {
  if (Wrapper)
    return Wrapper;
  FunctionProtoType::ExtProtoInfo Info;
  Info.Variadic = true;
  QualType Params[] = {Ctx.getPointerType(Ctx.VoidTy.withConst()),
                       Ctx.getSizeType()};
  QualType T = Ctx.getFunctionType(Ctx.VoidPtrTy, Params, Info);
  // As clang declares its builtins: with C linkage.
  DeclContext *Outer = Ctx.getTranslationUnitDecl();
  if (Ctx.getLangOpts().CPlusPlus) {
    auto *Linkage =
        LinkageSpecDecl::Create(Ctx, Outer, SourceLocation(), SourceLocation(),
                                LinkageSpecLanguageIDs::C, /*HasBraces=*/false);
    Linkage->setImplicit();
    Outer = Linkage;
  }
  Wrapper = FunctionDecl::Create(Ctx, Outer, SourceLocation(), SourceLocation(),
                                 &Ctx.Idents.get("__builtin_assume_aligned"), T,
                                 nullptr, SC_Extern);
  llvm::SmallVector<ParmVarDecl *, 2> Declared;
  for (QualType Param : Params)
    Declared.push_back(ParmVarDecl::Create(Ctx, Wrapper, SourceLocation(),
                                           SourceLocation(), nullptr, Param,
                                           nullptr, SC_None, nullptr));
  Wrapper->setParams(Declared);
  Wrapper->setImplicit();
  Wrapper->addAttr(
      BuiltinAttr::CreateImplicit(Ctx, Builtin::BI__builtin_assume_aligned));
  return Wrapper;
}

uint64_t ExpressionHints::numberOf(const std::string &Tree) {
  auto [It, IsNew] = Numbers.try_emplace(Tree, Numbers.size());
  if (IsNew)
    Text += "expr " + std::to_string(It->second) + " " + Tree + "\n";
  return It->second;
}

/// (T *)__builtin_assume_aligned((void *)E, 1, Tag). The casts keep clang from
/// taking the result for less aligned than \p E.
Expr *ExpressionHints::wrap(Expr *E, const std::string &Tree) {
  QualType T = E->getType();
  if (Tree.empty() || !E->isPRValue() || !T->isPointerType() ||
      T->getPointeeType().hasAddressSpace() || E->isTypeDependent() ||
      E->isValueDependent() || Text.size() > MaxText)
    return E;
  FunctionDecl *Builtin = wrapper();
  SourceLocation Where = E->getExprLoc();
  auto Cast = [&](QualType To, CastKind Kind, Expr *From) -> Expr * {
    return ImplicitCastExpr::Create(Ctx, To, Kind, From, nullptr, VK_PRValue,
                                    FPOptionsOverride());
  };
  auto Number = [&](QualType Ty, uint64_t N) -> Expr * {
    return IntegerLiteral::Create(
        Ctx, llvm::APInt(unsigned(Ctx.getTypeSize(Ty)), N), Ty, Where);
  };
  Expr *Callee =
      DeclRefExpr::Create(Ctx, NestedNameSpecifierLoc(), SourceLocation(),
                          Builtin, false, Where, Builtin->getType(), VK_LValue);
  Callee = Cast(Ctx.getPointerType(Builtin->getType()),
                CK_FunctionToPointerDecay, Callee);
  Expr *Args[] = {
      Cast(Ctx.getPointerType(Ctx.VoidTy.withConst()), CK_BitCast, E),
      Number(Ctx.getSizeType(), 1),
      Number(Ctx.UnsignedLongLongTy, ExpressionTag | numberOf(Tree))};
  Expr *Call = CallExpr::Create(Ctx, Callee, Args, Ctx.VoidPtrTy, VK_PRValue,
                                Where, FPOptionsOverride());
  Done.insert(E);
  Done.insert(Call);
  return Cast(T, CK_BitCast, Call);
}

std::string ExpressionHints::pointeeText(Expr &E, QualType Pointee,
                                         uint64_t Bytes) {
  if (isWholeArray(E))
    return std::string();
  uint64_t Size = Types.sizeOf(Pointee);
  if (Size == 0 || isStorage(Pointee))
    return std::string();
  uint64_t Count = Bytes == Unbounded ? Unbounded : Bytes / Size;
  if (isAddressOfObject(E) || Count == 0)
    Count = 1;
  return Types.pointerText(Types.arrayOf(Pointee, Count));
}

/// Storage that is taken for a row of objects.
void ExpressionHints::visitCast(CastExpr &Cast) {
  if (Cast.getCastKind() != CK_BitCast || Cast.isTypeDependent())
    return;
  Expr *From = Cast.getSubExpr();
  const auto *To = Cast.getType()->getAs<clang::PointerType>();
  const auto *Of = From->getType()->getAs<clang::PointerType>();
  if (!To || !Of || !isStorage(Of->getPointeeType()) || Done.contains(From))
    return;
  // Implicit conversions are C's, of what is given to a variable or parameter
  // that says the same. Allocations are arrays, which the variable does not
  // say.
  if (llvm::isa<ImplicitCastExpr>(Cast) &&
      !llvm::isa<CallExpr>(From->IgnoreParenImpCasts()))
    return;
  // Storage often has numbers in front and something else behind; and many
  // objects of one structure show where they are indexed.
  QualType T = To->getPointeeType();
  if (T->isIntegralOrEnumerationType())
    return;
  uint64_t Bytes = T->isRecordType() ? 1 : Unbounded;
  Cast.setSubExpr(wrap(From, pointeeText(*From, T, Bytes)));
}

uint64_t ExpressionHints::constantBytes(CallExpr &Call, unsigned I) const {
  if (I >= Call.getNumArgs() || Call.getArg(I)->isValueDependent())
    return Unbounded;
  Expr::EvalResult Result;
  if (!Call.getArg(I)->EvaluateAsInt(Result, Ctx) || Result.HasSideEffects)
    return Unbounded;
  return Result.Val.getInt().getLimitedValue();
}

void ExpressionHints::visitArgument(CallExpr &Call, unsigned I,
                                    uint64_t Bytes) {
  auto *Cast = llvm::dyn_cast<CastExpr>(Call.getArg(I)->IgnoreParens());
  if (!Cast || Cast->getCastKind() != CK_BitCast ||
      !Cast->getType()->isPointerType() ||
      !isStorage(Cast->getType()->getPointeeType()))
    return;
  Expr *From = Cast->getSubExpr();
  if (!From->getType()->isPointerType() || Done.contains(From))
    return;
  Cast->setSubExpr(
      wrap(From, pointeeText(*From, From->getType()->getPointeeType(), Bytes)));
}

/// Objects that are given to a function as storage.
void ExpressionHints::visitCall(CallExpr &Call) {
  FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || Callee == Wrapper)
    return;
  uint64_t Bytes = Unbounded;
  switch (Callee->getBuiltinID()) {
  case 0:
    // A marker's arguments are tags and the values they speak of.
    if (Callee->getIdentifier() && Callee->getName().contains("__enzyme_"))
      return;
    break;
  case Builtin::BImemcpy:
  case Builtin::BImemmove:
  case Builtin::BImemset:
  case Builtin::BI__builtin_memcpy:
  case Builtin::BI__builtin_memmove:
  case Builtin::BI__builtin_memset:
  case Builtin::BI__builtin___memcpy_chk:
  case Builtin::BI__builtin___memmove_chk:
  case Builtin::BI__builtin___memset_chk:
    Bytes = constantBytes(Call, 2);
    break;
  default:
    // clang looks into the arguments of some other builtins.
    return;
  }
  for (unsigned I = 0; I < Call.getNumArgs() && I < Callee->getNumParams(); ++I)
    visitArgument(Call, I, Bytes);
}

std::string ExpressionHints::newText(CXXNewExpr &New) {
  uint64_t Count = 1;
  if (New.isArray()) {
    Count = Unbounded;
    if (std::optional<Expr *> Size = New.getArraySize();
        Size && *Size && !(*Size)->isValueDependent()) {
      Expr::EvalResult Result;
      if ((*Size)->EvaluateAsInt(Result, Ctx) && !Result.HasSideEffects)
        Count = Result.Val.getInt().getLimitedValue();
    }
  }
  QualType T = New.getAllocatedType();
  return Types.sizeOf(T) == 0 || isStorage(T)
             ? std::string()
             : Types.pointerText(
                   Types.arrayOf(T, std::max<uint64_t>(Count, 1)));
}

void ExpressionHints::visit(Stmt &S) {
  if (!Allowed || llvm::isa<ConstantExpr>(S))
    return;
  if (auto *Cast = llvm::dyn_cast<CastExpr>(&S))
    visitCast(*Cast);
  else if (auto *Call = llvm::dyn_cast<CallExpr>(&S))
    visitCall(*Call);
  for (Stmt *&Child : S.children())
    if (auto *New = llvm::dyn_cast_or_null<CXXNewExpr>(Child);
        New && !New->isTypeDependent() && Done.insert(New).second)
      Child = wrap(New, newText(*New));
}
