// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials in unknown integers, with integer coefficients: what addresses in
// nests of loops are, in the counters of the loops and the sizes of arrays.
#ifndef ADZE_LIB_LOOPS_POLYNOMIAL_H
#define ADZE_LIB_LOOPS_POLYNOMIAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace adze {

/// A sum of monomials. An operation whose result has coefficients out of range,
/// too many monomials or too high a degree gives an invalid polynomial, and so
/// does any operation on one.
class Polynomial {
public:
  using Symbol = unsigned;
  /// Its symbols in ascending order, each as often as it is a factor.
  using Monomial = llvm::SmallVector<Symbol, 2>;

  Polynomial() = default; // zero
  explicit Polynomial(int64_t Constant);
  static Polynomial symbol(Symbol S);
  static Polynomial invalid();

  bool isValid() const { return Valid; }
  Polynomial operator+(const Polynomial &Other) const;
  Polynomial operator-(const Polynomial &Other) const;
  Polynomial operator*(const Polynomial &Other) const;
  /// What is left without terms that are multiples of \p Size, a positive
  /// monomial; of a constant, the multiple next to it is taken off.
  Polynomial modulo(const Polynomial &Size) const;
  bool contains(Symbol S) const;
  /// With \p Value in place of \p S.
  Polynomial with(Symbol S, const Polynomial &Value) const;

  /// No coefficient is negative: nor is the polynomial, if no symbol is.
  bool hasNoNegativeTerm() const;
  /// The term without symbols, 0 if there is none.
  int64_t constantTerm() const;
  /// In ascending order. Each is there once; their coefficients are not 0.
  using TermList = llvm::SmallVector<std::pair<Monomial, int64_t>, 4>;
  const TermList &terms() const { return Terms; }

private:
  TermList::iterator place(const Monomial &M);
  void add(const Monomial &M, int64_t Coefficient);
  void erase(const Monomial &M);

  TermList Terms;
  bool Valid = true;
};

/// The terms of \p P that have \p S as a factor once, without it; invalid if
/// one has it more often.
Polynomial coefficientOf(const Polynomial &P, Polynomial::Symbol S);
std::optional<int64_t> constantOf(const Polynomial &P);
bool areEqual(const Polynomial &A, const Polynomial &B);

/// \p P is a multiple of \p Divisor, which is positive, for all integers that
/// its symbols may be. A proof: true is certain, false is not.
bool isMultipleOf(const Polynomial &P, int64_t Divisor);

/// What \p S is, if it is a constant, or else a sum, a product or an affine
/// recurrence: of what \p Part says of its operands and \p Counter of its loop.
/// Nothing of other expressions.
std::optional<Polynomial>
polynomialOf(const llvm::SCEV *S, llvm::ScalarEvolution &SE,
             llvm::function_ref<Polynomial(const llvm::SCEV *)> Part,
             llvm::function_ref<Polynomial(const llvm::Loop &)> Counter);

/// \p P is at least \p Least wherever all of \p NonNegative and all symbols are
/// non-negative. A proof: true is certain, false is not.
bool isAtLeast(const Polynomial &P, int64_t Least,
               llvm::ArrayRef<Polynomial> NonNegative);

} // namespace adze
#endif
