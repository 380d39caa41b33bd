// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Versions of functions that compute in a narrower format (docs/Precision.md).
// They are made before anything is differentiated, so that a marker may
// differentiate one.
#ifndef ADZE_PRECISION_H
#define ADZE_PRECISION_H

namespace llvm {
class Module;
} // namespace llvm

namespace adze {

class Diagnostics;

/// Before all optimization: narrows the functions that an option names, and
/// keeps calls of markers apart. True if \p M changed.
bool prepareNarrowing(llvm::Module &M);

/// Replaces the markers that ask for narrower functions or values, and narrows
/// the functions that an option names, unless that has been done. True if \p M
/// changed. What cannot be narrowed is reported.
bool narrowFunctions(llvm::Module &M, Diagnostics &Diags);

/// Puts roundings where they are called: nothing is differentiated any more.
void inlineRoundings(llvm::Module &M);

/// Makes markers of rounding errors into markers of forward mode, on copies of
/// their functions. What these are told by is put away when nothing is
/// differentiated any more.
void estimateErrors(llvm::Module &M, llvm::FunctionAnalysisManager &AM,
                    Diagnostics &Diags);
void lowerErrorBounds(llvm::Module &M);

} // namespace adze
#endif
