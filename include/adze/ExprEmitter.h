// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From expressions (Expr.h, ComplexFunction.h) to IR.
#ifndef ADZE_EXPREMITTER_H
#define ADZE_EXPREMITTER_H

#include "adze/Expr.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class IRBuilderBase;
class Module;
class Type;
class Value;
} // namespace llvm

namespace adze {

/// Emits \p E at the builder's place, as a value of type \p Ty: a
/// floating-point scalar or a vector of them, elementwise. \p Args are the
/// operands of the instruction (null where \p E does not read them): of type
/// \p Ty or integers. \p Result is its primal result. Shared subexpressions
/// are emitted once; the builder's fast-math flags apply. Half and bfloat are
/// computed in float where a function is called. Null if a function in \p E
/// does not exist on \p Ty, or if the program defines something else by its
/// name; nothing but dead code has then been emitted.
llvm::Value *emitExpr(llvm::IRBuilderBase &B, const Expr &E,
                      llvm::ArrayRef<llvm::Value *> Args, llvm::Value *Result,
                      llvm::Type *Ty);

/// Whether emitExpr will succeed in \p M (given the operands it reads). Adds
/// nothing to the module but declarations.
bool canEmitExpr(llvm::Module &M, const Expr &E, llvm::Type *Ty);

/// A complex number as the two values of its parts. Null parts: none.
struct ComplexValue {
  llvm::Value *Re = nullptr;
  llvm::Value *Im = nullptr;
  explicit operator bool() const { return Re && Im; }
};

/// Emits an expression over complex numbers (a partial of a holomorphic
/// ComplexRow) with parts of type \p Ty; null as emitExpr.
ComplexValue emitComplexExpr(llvm::IRBuilderBase &B, const Expr &E,
                             llvm::ArrayRef<ComplexValue> Args,
                             ComplexValue Result, llvm::Type *Ty);
bool canEmitComplexExpr(llvm::Module &M, const Expr &E, llvm::Type *PartTy);

} // namespace adze
#endif
