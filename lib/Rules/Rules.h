// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of this layer, one per instruction family. Stateless, so one
// object each serves every request.
#ifndef ADZE_RULES_RULES_H
#define ADZE_RULES_RULES_H

#include "adze/KnownFunction.h"
#include "adze/Options.h"
#include "adze/Rule.h"

namespace adze {

const Rule &scalarRule();         // Scalars.cpp: rows of partials
const Rule &castRule();           // Casts.cpp
const Rule &bitArithmeticRule();  // BitArithmetic.cpp
const Rule &bitIntrinsicRule();   // BitIntrinsics.cpp
const Rule &selectRule();         // Select.cpp
const Rule &integerChoiceRule();  // IntegerChoice.cpp: smin, umax
const Rule &guardedProductRule(); // GuardedProduct.cpp
const Rule &vectorElementRule();  // Vectors.cpp
const Rule &vectorReduceRule();   // VectorReduce.cpp
const Rule &aggregateRule();      // Aggregates.cpp
const Rule &loadRule();           // Memory.cpp
const Rule &storeRule();
/// Atomics.cpp and AtomicBits.cpp: atomicrmw and cmpxchg.
const Rule &atomicRule(const llvm::Instruction &I, const Facts &F);
const Rule &atomicBitsRule();
const Rule &pointerRule(); // Pointers.cpp
/// llvm.ptrmask, and functions that move the bits of an address.
bool isAddressIntrinsic(const llvm::CallBase &Call);
const Rule &addressIntrinsicRule();
const Rule &addressRule();        // Pointers.cpp: addresses as integers
const Rule &blockCopyRule();      // BlockMemory.cpp
const Rule &blockSetRule();       // BlockMemory.cpp
const Rule &allocaRule();         // Allocation.cpp
const Rule &allocateRule();       // Allocation.cpp
const Rule &allocateToRule();     // Allocation.cpp
const Rule &freeRule();           // Allocation.cpp
const Rule &callRule();           // Calls.cpp
const Rule &fenceRule();          // Mirror.cpp
const Rule &shuffleRule();        // LaneShuffles.cpp
const Rule &mirrorRule();         // Mirror.cpp: where threads meet
const Rule &statesRule();         // States.cpp
const Rule &numberExchangeRule(); // NumberExchange.cpp: MPI_INT
const Rule &withinRule();         // Text.cpp: strchr, memchr
const Rule &textRule();           // Text.cpp
const Rule &passthroughRule();    // Passthrough.cpp
const Rule &zeroRule();           // Passthrough.cpp: active in, zero derivative
const Rule *outScalarRule(llvm::StringRef Family); // MultiOutputScalars.cpp
const Rule *complexRule(llvm::StringRef Family);   // Complex.cpp
/// Exceptions.cpp: memory for what is thrown, and where a handler finds it.
const Rule &newExceptionRule();
const Rule &caughtExceptionRule();
/// BitMoves.cpp: integers that carry floats.
const Rule &bitMoveRule(const llvm::Instruction &I, const Facts &F);
/// PartialFloatWrites.cpp: the rule of \p I if it overwrites parts of floats,
/// else null.
const Rule *cutRule(const llvm::Instruction &I, const Facts &F);

/// Which products of a derivative keep zeros: what its marker says comes before
/// the option.
ZeroGuards zeroGuardsOf(const Facts &F);

/// The row of partials of \p I, if its derivative is one.
const ScalarRow *scalarRowOf(const llvm::Instruction &I);

/// The fast-math flags of \p I for operations of its derivative: not that there
/// are no NaN and no infinities. That is promised of the primal's values, and
/// says nothing of slopes where a condition has made the dual zero.
llvm::FastMathFlags flagsOfDerivative(const llvm::Instruction &I);
/// \p Partial of \p I needs no guard: it is finite whatever it reads; or where
/// the operands are, and the program itself computes \p I (with
/// -adze-strong-zero=all: and promises that none is NaN or infinite).
bool isFinitePartial(const llvm::Instruction &I, const Expr &Partial,
                     const Facts &F);

/// Asks for what \p Partial of \p I reads; refuses \p I if it cannot be
/// written on type \p Ty (see canEmitExpr).
void needPartial(const llvm::Instruction &I, const Expr &Partial,
                 llvm::Type *Ty, NeedsContext &C);

/// Whether \p I computes with the bits of active floats as numbers.
bool isBitArithmetic(const llvm::Instruction &I, const Facts &F);
/// Whether \p Call is an intrinsic that computes integers of integers.
bool isBitIntrinsic(const llvm::CallBase &Call);

/// Whether \p I is a vector reduction intrinsic with a rule.
bool isVectorReduction(const llvm::Instruction &I);

} // namespace adze
#endif
