// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees as text, both ways. The grammar (docs/Types.md):
//
//   tree   := '{' [ fact { ', ' fact } ] '}'
//   fact   := '[' place ']' ':' type [ certainty ] [ ' -> ' tree ]
//   place  := [ start ] [ '*' stride [ 'x' count ] ]
//   type   := 'Float@' name | 'Pointer' | 'Integer' | 'Anything'
//             each of the last three with '(' bytes ')' unless it is 8 for
//             Pointer, 1 for the others
//   certainty := '?' (Hint) | '~' (Indirect), nothing for Definite
#include "Analysis/Type/TypeTreeBuilder.h"
#include "adze/TypeTree.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace adze;

std::string ConcreteType::str() const {
  switch (K) {
  case Unknown:
    return "Unknown";
  case Anything:
    return "Anything";
  case Integer:
    return "Integer";
  case Pointer:
    return "Pointer";
  case Float:
    break;
  }
  std::string S = "Float@";
  raw_string_ostream OS(S);
  FloatTy->print(OS);
  return S;
}

static uint64_t usualSize(ConcreteType T) { return T.isPointer() ? 8 : 1; }

static void printPlace(raw_ostream &OS, const TypePlace &P) {
  OS << '[';
  if (P.Start != 0 || P.isSingle())
    OS << P.Start;
  if (!P.isSingle())
    OS << '*' << P.Stride;
  if (!P.isSingle() && !P.isUnbounded())
    OS << 'x' << P.Count;
  OS << ']';
}

void TypeTree::print(raw_ostream &OS) const {
  OS << '{';
  const char *Separator = "";
  for (const TypeFact &F : facts()) {
    OS << Separator;
    Separator = ", ";
    printPlace(OS, F.Place);
    OS << ':' << F.Type.str();
    if (!F.Type.isFloat() && F.Place.Size != usualSize(F.Type))
      OS << '(' << F.Place.Size << ')';
    if (F.Type.kind() != ConcreteType::Anything) {
      if (F.Sure == Certainty::Hint)
        OS << '?';
      else if (F.Sure == Certainty::Indirect)
        OS << '~';
    }
    if (!F.Pointee.isUnknown()) {
      OS << " -> ";
      F.Pointee.print(OS);
    }
  }
  OS << '}';
}

std::string TypeTree::str() const {
  std::string S;
  raw_string_ostream OS(S);
  print(OS);
  return S;
}

namespace {

class Parser {
public:
  Parser(StringRef Text, LLVMContext &Context) : Rest(Text), Context(Context) {}

  bool tree(TypeTree &Out, unsigned Depth) {
    if (Depth > TypeTree::MaxDepth || !Rest.consume_front("{"))
      return false;
    if (Rest.consume_front("}"))
      return true;
    TypeTreeBuilder B;
    do {
      TypeFact F;
      Rest = Rest.ltrim();
      if (!fact(F, Depth))
        return false;
      B.add(std::move(F));
    } while (Rest.consume_front(","));
    Out = B.take();
    return Rest.consume_front("}");
  }

  bool atEnd() const { return Rest.trim().empty(); }

private:
  bool fact(TypeFact &F, unsigned Depth) {
    if (!place(F.Place) || !Rest.consume_front(":") || !type(F))
      return false;
    if (Rest.consume_front("?") || F.Type.kind() == ConcreteType::Anything)
      F.Sure = Certainty::Hint;
    else if (Rest.consume_front("~"))
      F.Sure = Certainty::Indirect;
    StringRef Ahead = Rest.ltrim();
    if (!Ahead.consume_front("->"))
      return true;
    Rest = Ahead.ltrim();
    return F.Type.isPointer() && tree(F.Pointee, Depth + 1);
  }

  bool place(TypePlace &P) {
    if (!Rest.consume_front("["))
      return false;
    bool HasStart = !Rest.consumeInteger(10, P.Start);
    if (Rest.consume_front("*")) {
      if (Rest.consumeInteger(10, P.Stride) || P.Stride == 0)
        return false;
      P.Count = TypePlace::Unbounded;
      if (Rest.consume_front("x") &&
          (Rest.consumeInteger(10, P.Count) || P.Count < 2))
        return false;
    } else if (!HasStart) {
      return false;
    }
    return Rest.consume_front("]");
  }

  bool type(TypeFact &F) {
    if (Rest.consume_front("Float@"))
      return floatType(F);
    if (Rest.consume_front("Pointer"))
      F.Type = ConcreteType::Pointer;
    else if (Rest.consume_front("Integer"))
      F.Type = ConcreteType::Integer;
    else if (Rest.consume_front("Anything"))
      F.Type = ConcreteType::Anything;
    else
      return false;
    F.Place.Size = usualSize(F.Type);
    if (!Rest.consume_front("("))
      return true;
    return !Rest.consumeInteger(10, F.Place.Size) && F.Place.Size != 0 &&
           Rest.consume_front(")");
  }

  bool floatType(TypeFact &F) {
    StringRef Name =
        Rest.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    Rest = Rest.drop_front(Name.size());
    Type *Ty = StringSwitch<Type *>(Name)
                   .Case("half", Type::getHalfTy(Context))
                   .Case("bfloat", Type::getBFloatTy(Context))
                   .Case("float", Type::getFloatTy(Context))
                   .Case("double", Type::getDoubleTy(Context))
                   .Case("x86_fp80", Type::getX86_FP80Ty(Context))
                   .Case("fp128", Type::getFP128Ty(Context))
                   .Case("ppc_fp128", Type::getPPC_FP128Ty(Context))
                   .Default(nullptr);
    if (!Ty)
      return false;
    F.Type = ConcreteType::floating(Ty);
    F.Place.Size = Ty->getPrimitiveSizeInBits().getFixedValue() / 8;
    return true;
  }

  StringRef Rest;
  LLVMContext &Context;
};

} // namespace

bool TypeTree::parse(StringRef Text, LLVMContext &Context, TypeTree &Out) {
  Parser P(Text.trim(), Context);
  TypeTree T;
  if (!P.tree(T, 0) || !P.atEnd())
    return false;
  Out = T;
  return true;
}
