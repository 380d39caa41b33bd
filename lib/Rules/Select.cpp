// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   y = c ? a : b      dy = c ? da : db
//                      a' += c ? y' : 0     b' += c ? 0 : y'
//
// One select is none: that of EmitContext::product(), in code that was made by
// an inner marker. It is a product, and an adjoint that is zero here need not
// be zero beside:
//   y = d == 0 or NaN ? d : p * d      dy = p * dd + d * dp
//                                      d' += p * y'     p' += d * y'
#include "Rules.h"

#include "llvm/IR/PatternMatch.h"

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

/// Sign * Partial * Dual, zero where Dual is.
struct KeptZero {
  Value *Partial = nullptr, *Dual = nullptr;
  bool Negative = false;
};

Value *withoutSign(Value *V, bool &Negative) {
  Value *Negated;
  if (!match(V, m_FNeg(m_Value(Negated))))
    return V;
  Negative = !Negative;
  return Negated;
}

/// The arms of a select between \p Kept, which is compared with zero up to its
/// sign, and another value.
bool keepsZero(Value *V, Value *&Kept, Value *&Other) {
  FCmpInst::Predicate Predicate;
  Value *Compared;
  if (!match(V, m_Select(m_FCmp(Predicate, m_Value(Compared), m_AnyZeroFP()),
                         m_Value(Kept), m_Value(Other))))
    return false;
  if (Predicate == FCmpInst::FCMP_ONE)
    std::swap(Kept, Other);
  else if (Predicate != FCmpInst::FCMP_UEQ)
    return false;
  bool Ignored = false;
  return withoutSign(Kept, Ignored) == withoutSign(Compared, Ignored);
}

/// A product as EmitContext::product() and productOf() below write it. Nobody
/// else compares like this: `x == 0 ? x : x * y` of a program has another
/// predicate, and the derivative of the branch that it takes.
std::optional<KeptZero> keptZero(Value *V) {
  Value *Kept, *Product;
  if (!keepsZero(V, Kept, Product))
    return std::nullopt;
  KeptZero K;
  Value *Inner, *InnerKept; // the other factor may be kept at zero, too
  if (keepsZero(Product, InnerKept, Inner))
    Product = Inner;
  bool Ignored = false;
  K.Dual = withoutSign(Kept, Ignored);
  Value *Left, *Right;
  if (!match(withoutSign(Product, K.Negative),
             m_FMul(m_Value(Left), m_Value(Right))))
    return std::nullopt;
  bool LeftSign = false, RightSign = false;
  if (withoutSign(Right, RightSign) == K.Dual) {
    K.Partial = Left;
    K.Negative ^= RightSign;
  } else if (withoutSign(Left, LeftSign) == K.Dual) {
    K.Partial = Right;
    K.Negative ^= LeftSign;
  } else {
    return std::nullopt;
  }
  return K;
}

class SelectRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (!C.isActive(&I))
      return;
    if (auto K = keptZero(const_cast<Instruction *>(&I))) {
      if (C.isActive(K->Dual))
        C.primal(K->Partial);
      if (C.isActive(K->Partial))
        C.primal(K->Dual);
      return;
    }
    C.primal(cast<SelectInst>(I).getCondition());
  }

  void propagate(const Instruction &I, TangentContext &C) const override {
    if (!C.carries(&I))
      return;
    if (auto K = keptZero(const_cast<Instruction *>(&I))) {
      C.setDual(&I, tangentOf(*K, C));
      return;
    }
    auto &S = cast<SelectInst>(I);
    Value *Condition = C.primal(S.getCondition());
    C.setDual(&I, C.L.map(C.B,
                          {C.dual(S.getTrueValue()), C.dual(S.getFalseValue())},
                          [&](ArrayRef<Value *> D) {
                            return C.B.CreateSelect(Condition, D[0], D[1]);
                          }));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Adjoint = C.takeAdjoint(&I);
    if (!Adjoint)
      return;
    if (auto K = keptZero(const_cast<Instruction *>(&I))) {
      if (K->Negative)
        Adjoint = negated(Adjoint, C);
      if (C.isActive(K->Dual))
        C.addAdjoint(K->Dual, C.product(C.primal(K->Partial), Adjoint, false));
      if (C.isActive(K->Partial))
        C.addAdjoint(K->Partial, productOf(C.primal(K->Dual), Adjoint, C));
      return;
    }
    auto &S = cast<SelectInst>(I);
    Value *Condition = C.primal(S.getCondition());
    Value *Zero = C.L.zero(I.getType());
    auto choose = [&](Value *Then, Value *Else) {
      return C.L.map(C.B, {Then, Else}, [&](ArrayRef<Value *> D) {
        return C.B.CreateSelect(Condition, D[0], D[1]);
      });
    };
    if (C.isActive(S.getTrueValue()))
      C.addAdjoint(S.getTrueValue(), choose(Adjoint, Zero));
    if (C.isActive(S.getFalseValue()))
      C.addAdjoint(S.getFalseValue(), choose(Zero, Adjoint));
  }

private:
  static Value *negated(Value *V, EmitContext &C) {
    return C.L.map(C.B, {V},
                   [&](ArrayRef<Value *> D) { return C.B.CreateFNeg(D[0]); });
  }

  /// \p Factor * \p Dual, zero where either is, whatever the other.
  static Value *productOf(Value *Factor, Value *Dual, EmitContext &C) {
    bool Guard = !C.B.getFastMathFlags().noNaNs();
    IRBuilderBase::FastMathFlagGuard KeepFlags(C.B);
    C.B.setFastMathFlags(EmitContext::guardFlags(C.B.getFastMathFlags()));
    return C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) -> Value * {
      if (!Guard)
        return C.B.CreateFMul(Factor, D[0]);
      Value *Zero = Constant::getNullValue(Factor->getType());
      Value *Product = C.B.CreateSelect(C.B.CreateFCmpUEQ(Factor, Zero), Factor,
                                        C.B.CreateFMul(Factor, D[0]));
      return C.B.CreateSelect(C.B.CreateFCmpUEQ(D[0], Zero), D[0], Product);
    });
  }

  static Value *tangentOf(const KeptZero &K, TangentContext &C) {
    Value *Sum = nullptr;
    if (C.isActive(K.Dual))
      Sum = C.product(C.primal(K.Partial), C.dual(K.Dual), false);
    if (C.isActive(K.Partial)) {
      Value *Term = productOf(C.primal(K.Dual), C.dual(K.Partial), C);
      Sum = Sum ? C.L.map(C.B, {Sum, Term},
                          [&](ArrayRef<Value *> T) {
                            return C.B.CreateFAdd(T[0], T[1]);
                          })
                : Term;
    }
    if (!Sum)
      return C.L.zero(K.Dual->getType());
    return K.Negative ? negated(Sum, C) : Sum;
  }
};

} // namespace

const Rule &selectRule() {
  static const SelectRule R;
  return R;
}

} // namespace adze
