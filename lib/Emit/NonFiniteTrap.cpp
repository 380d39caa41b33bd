// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NonFiniteTrap.h"
#include "adze/NotFinite.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace adze {

Value *NonFiniteTrap::in(Value *V) {
  if (IsWatched && V)
    In.insert(V);
  return V;
}

void NonFiniteTrap::contribute(const Value *V, Value *A) {
  if (IsWatched && !In.contains(A))
    Contributions.push_back({V, A});
  ReverseEmitter::contribute(V, A);
}

/// "the adjoint of operand 2 of"
static std::string operandText(const Instruction &I, const Value *V) {
  std::string Of;
  for (unsigned K = 0; K != I.getNumOperands() && Of.empty(); ++K)
    if (I.getOperand(K) == V)
      Of = "operand " + std::to_string(K + 1);
  return "the adjoint of " + (Of.empty() ? "an operand" : Of) + " of";
}

void NonFiniteTrap::reverseRule(const Rule &R, const Instruction &Ruled) {
  I = &Ruled;
  IsWatched = mayLeaveFinite(Ruled);
  In.clear();
  Contributions.clear();
  ReverseEmitter::reverseRule(R, Ruled);
  bool ReadsResult = !Contributions.empty() && mayHavePole(Ruled);
  if (ReadsResult)
    primal(&Ruled);
  IsWatched = false;
  for (auto [To, A] : Contributions)
    reportNotFinite(B, In.getArrayRef(), A,
                    operationText(Ruled, operandText(Ruled, To), *F.P->F),
                    ReadsResult ? "the primal is finite"
                                : "what it is computed from is finite");
  I = nullptr;
}

void NonFiniteTrap::summed(const Value *V, Value *Old, Value *A, Value *Sum) {
  auto *Made = dyn_cast<Instruction>(V);
  std::string Place = sourcePlace(Made ? Made : I);
  if (!Place.empty())
    Place += ": ";
  reportNotFinite(B, {Old, A}, Sum,
                  Place + "the sum of the adjoints of " + describe(V) +
                      " in '" + sourceName(*F.P->F) + "'",
                  "its terms are finite");
}

void NonFiniteTrap::finish() { forgetFinitePromises(Out); }

} // namespace adze
