// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Marker.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace adze;

static StringRef text(ArgActivity A) {
  switch (A) {
  case ArgActivity::Const:
    return "const";
  case ArgActivity::Dup:
    return "dup";
  case ArgActivity::DupNoNeed:
    return "dupnoneed";
  case ArgActivity::Out:
    return "out";
  case ArgActivity::OutDup:
    return "outdup";
  }
  return "";
}

static StringRef text(RetActivity R) {
  switch (R) {
  case RetActivity::Const:
    return "const";
  case RetActivity::Active:
    return "active";
  case RetActivity::Dup:
    return "dup";
  case RetActivity::ActiveDup:
    return "activedup";
  }
  return "";
}

static StringRef text(DerivativeKind K) {
  if (K.isForward())
    return K.isSplit() ? "split forward" : "forward";
  return K.isSplit() ? "split reverse" : "reverse";
}

static StringRef text(SplitHalf H) {
  switch (H) {
  case SplitHalf::None:
    return "";
  case SplitHalf::Augment:
    return "first half of ";
  case SplitHalf::Reverse:
    return "second half of ";
  case SplitHalf::Forward:
    return "tangents from the tape of ";
  case SplitHalf::Size:
    return "size of the tape of ";
  case SplitHalf::Table:
    return "table of ";
  }
  return "";
}

void adze::printMarker(const Marker &M, raw_ostream &OS) {
  const Request &R = M.Req;
  OS << "marker " << M.From->Callee << " in '" << M.From->Caller << "'";
  if (!M.From->Place.empty())
    OS << " at " << M.From->Place;
  OS << "\n  " << text(M.Half) << text(R.Kind) << " of '" << R.Primal->getName()
     << "'\n";
  auto Operand = M.Operands.begin();
  for (unsigned I = 0; I != R.Args.size(); ++I) {
    OS << "  arg " << I << ": " << *R.Primal->getArg(I)->getType() << ' '
       << text(R.Args[I]) << " = ";
    if (M.Operands.empty()) {
      OS << "any\n";
      continue;
    }
    (*Operand++)->printAsOperand(OS, false);
    if (hasShadowParam(R.Args[I])) {
      OS << ", shadow ";
      (*Operand++)->printAsOperand(OS, false);
    }
    OS << '\n';
  }
  if (M.Half != SplitHalf::None)
    for (; Operand != M.Operands.end(); ++Operand) {
      OS << "  also: ";
      (*Operand)->printAsOperand(OS, true);
      OS << '\n';
    }
  if (M.Place == TapePlace::Provided)
    OS << "  the tape lies in memory of the caller\n";
  if (M.Place == TapePlace::Variable)
    OS << "  the tape's address is in a variable of the caller\n";
  if (M.KeepsTape)
    OS << "  the tape is left as it is\n";
  OS << "  return: " << *R.Primal->getReturnType() << ' ' << text(R.Ret)
     << (R.ReturnPrimal ? ", primal too\n" : "\n");
  if (R.RuntimeActivity)
    OS << "  activity of memory is seen at run time\n";
  if (R.StrongZero)
    OS << "  a zero stays a zero under every partial\n";
  if (R.InTeam != TeamRole::None)
    OS << "  other threads add to the same shadows\n";
  if (R.Width != 1)
    OS << "  directions: " << R.Width << '\n';
  OS << "  result: " << M.ResultSize << " bytes\n";
  for (const MarkerResult &Part : M.Results) {
    OS << "    at " << Part.Offset << ": " << *Part.Ty;
    if (Part.Memory) {
      OS << " in memory ";
      Part.Memory->printAsOperand(OS, false);
    } else {
      OS << " element " << Part.Element;
      if (Part.Direction)
        OS << " of direction " << *Part.Direction;
    }
    OS << '\n';
  }
}
