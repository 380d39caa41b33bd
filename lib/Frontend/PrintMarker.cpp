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
  switch (K) {
  case DerivativeKind::Forward:
    return "forward";
  case DerivativeKind::Fused:
    return "reverse";
  case DerivativeKind::Split:
    return "split reverse";
  }
  return "";
}

void adze::printMarker(const Marker &M, raw_ostream &OS) {
  const Request &R = M.Req;
  OS << "marker " << M.From->Callee << " in '" << M.From->Caller << "'";
  if (!M.From->Place.empty())
    OS << " at " << M.From->Place;
  OS << "\n  " << text(R.Kind) << " of '" << R.Primal->getName() << "'\n";
  auto Operand = M.Operands.begin();
  for (unsigned I = 0; I != R.Args.size(); ++I) {
    OS << "  arg " << I << ": " << *R.Primal->getArg(I)->getType() << ' '
       << text(R.Args[I]) << " = ";
    (*Operand++)->printAsOperand(OS, false);
    if (hasShadowParam(R.Args[I])) {
      OS << ", shadow ";
      (*Operand++)->printAsOperand(OS, false);
    }
    OS << '\n';
  }
  OS << "  return: " << *R.Primal->getReturnType() << ' ' << text(R.Ret)
     << (R.ReturnPrimal ? ", primal too\n" : "\n");
  if (R.RuntimeActivity)
    OS << "  activity of memory is seen at run time\n";
  OS << "  result: " << M.ResultSize << " bytes\n";
  for (const MarkerResult &Part : M.Results) {
    OS << "    at " << Part.Offset << ": " << *Part.Ty;
    if (Part.Memory) {
      OS << " in memory ";
      Part.Memory->printAsOperand(OS, false);
    } else {
      OS << " element " << Part.Element;
    }
    OS << '\n';
  }
}
