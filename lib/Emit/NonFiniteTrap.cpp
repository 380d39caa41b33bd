// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NonFiniteTrap.h"
#include "adze/NotFinite.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace adze {

void NonFiniteTrap::begin(const Instruction &Ruled) {
  I = &Ruled;
  IsWatched = mayLeaveFinite(Ruled);
  In.clear();
  Out.clear();
}

void NonFiniteTrap::in(Value *V) {
  if (IsWatched && V)
    In.insert(V);
}

void NonFiniteTrap::out(const Value *To, Value *A) {
  if (IsWatched && !In.contains(A))
    Out.push_back({To, A});
}

/// "the adjoint of operand 2 of"
static std::string operandText(const Instruction &I, const Value *V) {
  std::string Of;
  for (unsigned K = 0; K != I.getNumOperands() && Of.empty(); ++K)
    if (I.getOperand(K) == V)
      Of = "operand " + std::to_string(K + 1);
  return "the adjoint of " + (Of.empty() ? "an operand" : Of) + " of";
}

void NonFiniteTrap::end(EmitContext &C) {
  bool ReadsResult = !Out.empty() && mayHavePole(*I);
  if (ReadsResult)
    in(C.primal(I));
  IsWatched = false; // reading the result was ours
  for (auto [To, A] : Out)
    reportNotFinite(C.B, In.getArrayRef(), A,
                    operationText(*I, operandText(*I, To), Primal),
                    ReadsResult ? "the primal is finite"
                                : "what it is computed from is finite");
  I = nullptr;
}

void NonFiniteTrap::sum(const Value *Of, Value *Old, Value *A, Value *Sum,
                        IRBuilder<> &B) {
  auto *Made = dyn_cast<Instruction>(Of);
  std::string Place = sourcePlace(Made ? Made : I);
  if (!Place.empty())
    Place += ": ";
  reportNotFinite(B, {Old, A}, Sum,
                  Place + "the sum of the adjoints of " + describe(Of) +
                      " in '" + sourceName(Primal) + "'",
                  "its terms are finite");
}

} // namespace adze
