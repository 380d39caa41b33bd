// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of complex functions, one row a family, as Scalars.def has them
// for real ones.
//
// A holomorphic f has one complex derivative f'(z). With tangents and adjoints
// as complex numbers (the adjoint's parts are the adjoints of the parts),
//   forward:  dw = sum_k f_k(z) dz_k
//   reverse:  zbar_k += conj(f_k(z)) wbar
// since the real Jacobian of multiplication by a + ib is [a -b; b a], and its
// transpose is multiplication by a - ib. What is not holomorphic (cabs, carg,
// conj) gives its real Jacobian instead.
#ifndef ADZE_COMPLEXFUNCTION_H
#define ADZE_COMPLEXFUNCTION_H

#include "adze/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class Function;
class FunctionCallee;
class Module;
class Type;
} // namespace llvm

namespace adze {

struct ComplexRow {
  const char *Family; // "cexp", "complex.mul"
  unsigned NumOperands;
  /// The result is one real number, not a complex one.
  bool RealResult = false;
  /// Holomorphic: d out / d operand k, an expression over complex numbers:
  /// arg(k) is operand k, result() the result, families are complex ones.
  llvm::SmallVector<Expr, 2> Partials;
  /// Else: for each part of the result, the partials by each part of each
  /// operand, over reals: arg(2k), arg(2k + 1) are the parts of operand k,
  /// result() the (real) result. Null is zero.
  llvm::SmallVector<llvm::SmallVector<Expr, 2>, 2> Jacobian;
  /// Called by the compiler for * and /, not by programs; its operands are
  /// always separate parts.
  bool CompilerRuntime = false;
  /// Names beyond those of <complex.h>.
  llvm::SmallVector<const char *, 4> Spellings;

  bool isHolomorphic() const { return Jacobian.empty(); }
};

/// All rows. Live as long as the process.
llvm::ArrayRef<ComplexRow> complexRows();
/// The row of \p Family; null if there is none.
const ComplexRow *complexRow(llvm::StringRef Family);

// Platforms pass complex numbers in many ways: two doubles, <2 x float>, a
// copy in memory. In canonical form (see Primal.h) a call of a complex function
// has the parts as separate operands, all of one type T, and returns {T, T}, or
// T. Where the platform's way is another, the call is one of a wrapper named
// adze.complex.<name>, internal and inlined in the end, which is as known as
// what it wraps.

/// Brings the calls of complex functions in \p F to that form. A call in a way
/// that is not understood stays as it is.
void lowerComplexCalls(llvm::Function &F);

/// The row of the complex function that \p Call calls in that form; null if
/// it calls none or in another form.
const ComplexRow *complexRowOf(const llvm::CallBase &Call);

/// A callable in that form for the complex function \p Family of <complex.h>
/// with parts of type \p PartTy. Null where the platform's way is not known,
/// or the program has given the name to something else.
llvm::FunctionCallee declareComplex(llvm::Module &M, llvm::StringRef Family,
                                    llvm::Type *PartTy);

} // namespace adze
#endif
