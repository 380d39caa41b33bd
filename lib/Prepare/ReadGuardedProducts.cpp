// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gradient that was compiled before (in another module that was linked to
// this one) has choices for its guarded products.
#include "Stages.h"
#include "adze/GuardedProduct.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

/// First * Second, or minus that.
struct Factors {
  Value *First = nullptr, *Second = nullptr;
  bool Negative = false;
  KeptZeros Kept = KeptZeros::OfSecond;
};

} // namespace

/// What \p V is the negative of, or \p V itself. \p Negative, if given, is
/// turned around for a negative.
static Value *withoutSign(Value *V, bool *Negative = nullptr) {
  Value *Negated;
  if (!match(V, m_FNeg(m_Value(Negated))))
    return V;
  if (Negative)
    *Negative = !*Negative;
  return Negated;
}

/// \p V as a choice that may have been written for a guarded product, up to
/// signs that LLVM has moved: \p Kept where that is 0 or NaN, else \p Product,
/// of which nothing is said. False if it is none. `x == 0 ? x : x * y` of a
/// program has another comparison, and the derivative of the branch that it
/// takes.
static bool keepsZero(Value *V, Value *&Kept, Value *&Product) {
  FCmpInst::Predicate Predicate;
  Value *Compared;
  if (!match(V, m_Select(m_FCmp(Predicate, m_Value(Compared), m_AnyZeroFP()),
                         m_Value(Kept), m_Value(Product))))
    return false;
  if (Predicate == FCmpInst::FCMP_ONE)
    std::swap(Kept, Product);
  else if (Predicate != FCmpInst::FCMP_UEQ)
    return false;
  return withoutSign(Kept) == withoutSign(Compared);
}

/// A choice as lowerProducts() makes it, in code that was compiled before.
static std::optional<Factors> factorsOfChoice(Value *V) {
  Value *Kept, *Product;
  if (!keepsZero(V, Kept, Product))
    return std::nullopt;
  Factors Of;
  Value *Inner, *AlsoKept = nullptr;
  if (keepsZero(Product, AlsoKept, Inner)) {
    Of.Kept = KeptZeros::OfBoth;
    Product = Inner;
  }
  Of.Second = withoutSign(Kept);
  Value *Left, *Right;
  if (!match(withoutSign(Product, &Of.Negative),
             m_FMul(m_Value(Left), m_Value(Right))))
    return std::nullopt;
  bool LeftSign = false, RightSign = false;
  if (withoutSign(Right, &RightSign) == Of.Second) {
    Of.First = Left;
    Of.Negative ^= RightSign;
  } else if (withoutSign(Left, &LeftSign) == Of.Second) {
    Of.First = Right;
    Of.Negative ^= LeftSign;
  } else {
    return std::nullopt;
  }
  if (AlsoKept && withoutSign(AlsoKept) != withoutSign(Of.First))
    return std::nullopt;
  return Of;
}

void readGuardedProducts(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    std::optional<Factors> Of = factorsOfChoice(&I);
    if (!Of)
      continue;
    IRBuilder<> B(&I);
    FastMathFlags Flags = I.getFastMathFlags();
    Flags.setNoNaNs(false); // it was guarded, and stays so
    B.setFastMathFlags(Flags);
    Value *Product = guardedProduct(B, Of->First, Of->Second, Of->Kept);
    if (Of->Negative)
      Product = B.CreateFNeg(Product);
    Product->takeName(&I);
    I.replaceAllUsesWith(Product);
    I.eraseFromParent();
  }
}

} // namespace adze
