// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of functions whose tangents are bounds of rounding errors. With e(x)
// such a bound of x, and u the unit roundoff of z's type,
//
//   z = f(x, y)     e(z) = |df/dx| e(x) + |df/dy| e(y) + c u |z|
//
// which is running error analysis to first order (N. J. Higham, "Accuracy and
// Stability of Numerical Algorithms", 2nd ed., sections 3.3 and 3.5). c is 1
// for what IEEE 754 rounds correctly, 2 for other functions of the library
// (errors below one unit in the last place), and 0 for what is exact.
//
// A copy says so to forward mode by functions with given derivatives:
//
//   z = x * y       z1 = x * exact(y)            exact has no derivative
//                   z2 = exact(x) * y
//                   z  = rounded(either(z1, z2))
//
//   either(a, b) = a      tangent |a.| + |b.|
//   rounded(z) = z        tangent |z.| + c u |z|
//
// so no bound is negative.
//
// What depends on no active argument is exact. Operations on vectors are taken
// apart first.
#ifndef ADZE_LIB_PRECISION_ERRORBOUNDS_H
#define ADZE_LIB_PRECISION_ERRORBOUNDS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Module;
class Type;
class Value;
} // namespace llvm

namespace adze {

class BoundedCopies {
public:
  BoundedCopies(llvm::Module &M, llvm::FunctionAnalysisManager &AM)
      : M(M), AM(AM) {}

  /// The copy of \p F, of which all that it calls are copies, too. Null if
  /// there is none: refusedAt() and reason() say why.
  llvm::Function *copyFor(llvm::Function &F);

  const llvm::Instruction *refusedAt() const { return Refused; }
  const std::string &reason() const { return Reason; }

private:
  llvm::Function *copyOf(llvm::Function &F);
  llvm::Function *createCopy(llvm::Function &F);
  bool rewrite(llvm::Function &Copy);
  bool rewriteCall(llvm::CallBase &Call);
  bool passCopies(llvm::CallBase &Call);
  bool rewriteOperation(llvm::Instruction &I, unsigned Roundoffs);
  bool rewriteAtomic(llvm::AtomicRMWInst &I);
  void splitMultiplyAdd(llvm::CallBase &Call);
  bool refuse(const llvm::Instruction &I, const std::string &Why);

  llvm::Module &M;
  llvm::FunctionAnalysisManager &AM;
  llvm::DenseMap<llvm::Function *, llvm::Function *> Copies;
  const llvm::Instruction *Refused = nullptr;
  std::string Reason;
};

} // namespace adze
#endif
