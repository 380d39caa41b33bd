// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spellings of one mathematical function. A table names a family once
// ("sin"); this file knows that the C library calls it sin, sinf, sinl, sinf128
// and __sin_finite, that NVIDIA's device library calls it __nv_sin, AMD's
// __ocml_sin_f64, and a vectorizer _ZGVdN4v_sin.
#ifndef ADZE_KNOWN_NAMEVARIANTS_H
#define ADZE_KNOWN_NAMEVARIANTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Triple;
class Type;
} // namespace llvm

namespace adze {

/// Begins the names of wrappers of complex functions (see ComplexFunction.h).
inline constexpr llvm::StringLiteral ComplexWrapperPrefix = "adze.complex.";

/// Calls \p Use with every spelling of the scalar function \p Family.
void forEachSpelling(llvm::StringRef Family,
                     llvm::function_ref<void(llvm::StringRef)> Use);

/// The spellings of what libdevice, and ocml, call \p Name.
void forEachNvidiaSpelling(llvm::StringRef Name,
                           llvm::function_ref<void(llvm::StringRef)> Use);
void forEachAmdSpelling(llvm::StringRef Name,
                        llvm::function_ref<void(llvm::StringRef)> Use);

/// As forEachSpelling, for <complex.h>: only the C library's three.
void forEachComplexSpelling(llvm::StringRef Family,
                            llvm::function_ref<void(llvm::StringRef)> Use);

/// The scalar name within a vector variant's name (_ZGVdN4v_sin: sin), by the
/// vector function ABI; empty if \p Name is none, is masked, or has operands
/// that are no vectors.
llvm::StringRef scalarOfVectorName(llvm::StringRef Name);

/// The name under which the library of \p Target has \p Family for scalars of
/// type \p Ty; empty if it has none.
std::string libraryName(llvm::StringRef Family, const llvm::Type *Ty,
                        const llvm::Triple &Target);

/// True for names that belong to a device library, whose bodies may stand in
/// the module but are not the user's.
bool isDeviceLibraryName(llvm::StringRef Name);

} // namespace adze
#endif
