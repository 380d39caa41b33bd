// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Request.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace adze;

Type *adze::dualTypeOf(Type *Ty, unsigned Width) {
  return Width == 1 || Ty->isVoidTy() ? Ty : ArrayType::get(Ty, Width);
}

bool Request::operator==(const Request &O) const {
  return Primal == O.Primal && Kind == O.Kind && Args == O.Args &&
         Ret == O.Ret && ReturnPrimal == O.ReturnPrimal &&
         MayBeOverwritten == O.MayBeOverwritten && Copied == O.Copied &&
         Types == O.Types && Descriptions == O.Descriptions &&
         Width == O.Width && ArgumentFlags == O.ArgumentFlags &&
         RuntimeActivity == O.RuntimeActivity && StrongZero == O.StrongZero &&
         RunsAgain == O.RunsAgain && InTeam == O.InTeam && Pairs == O.Pairs;
}

static const char *text(DerivativeKind K) {
  if (K.isForward())
    return K.isSplit() ? "fwdsplit" : "fwd";
  return K.isSplit() ? "split" : "rev";
}

static const char *text(ArgActivity A) {
  switch (A) {
  case ArgActivity::Const:
    return "c";
  case ArgActivity::Dup:
    return "d";
  case ArgActivity::DupNoNeed:
    return "n";
  case ArgActivity::Out:
    return "o";
  case ArgActivity::OutDup:
    return "b";
  }
  return "";
}

static const char *text(RetActivity R) {
  switch (R) {
  case RetActivity::Const:
    return "c";
  case RetActivity::Active:
    return "a";
  case RetActivity::Dup:
    return "d";
  case RetActivity::ActiveDup:
    return "b";
  }
  return "";
}

/// kind.function.arguments.return[p][wN][r][z][k][.plain][.overwritten][.types]
/// Lists that differ in length would otherwise give equal texts, so every
/// optional part has its own letter and the types carry their lengths.
std::string Request::key() const {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << text(Kind) << '.' << (Primal ? Primal->getName() : StringRef("?"))
     << '.';
  for (ArgActivity A : Args)
    OS << text(A);
  OS << '.' << text(Ret);
  if (ReturnPrimal)
    OS << 'p';
  if (Width != 1)
    OS << 'w' << Width;
  if (RuntimeActivity)
    OS << 'r';
  if (StrongZero)
    OS << 'z';
  if (RunsAgain)
    OS << 'k';
  if (InTeam != TeamRole::None)
    OS << (InTeam == TeamRole::Region   ? "tr"
           : InTeam == TeamRole::Called ? "tc"
                                        : "tw");
  if (!Pairs.empty())
    OS << 'q';
  for (AddressPair Is : Pairs.all())
    OS << (Is == AddressPair::Apart   ? 'a'
           : Is == AddressPair::Equal ? 'e'
                                      : '-');
  if (!ArgumentFlags.empty()) {
    OS << ".i";
    for (uint16_t Bits : ArgumentFlags)
      OS << unsigned(Bits);
  }
  if (!MayBeOverwritten.Arguments.empty() || MayBeOverwritten.Elsewhere) {
    OS << ".m";
    for (bool B : MayBeOverwritten.Arguments)
      OS << (B ? '1' : '0');
    if (Kind.isSplit())
      OS << (MayBeOverwritten.Elsewhere ? '1' : '0');
  }
  for (unsigned K : Copied)
    OS << ".c" << K;
  if (!Types.empty()) {
    OS << ".t";
    for (const std::string &T : Types.Arguments)
      OS << T.size() << ':' << T;
    if (!Types.Result.empty())
      OS << ".r" << Types.Result;
  }
  if (!Descriptions.empty()) {
    OS << ".x";
    for (const std::string &D : Descriptions)
      OS << D.size() << ':' << D;
  }
  return Text;
}
