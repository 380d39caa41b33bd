// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declaring a function of a library in a module that may have used its name.
#ifndef ADZE_KNOWN_DECLARELIBRARY_H
#define ADZE_KNOWN_DECLARELIBRARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DerivedTypes.h"

namespace llvm {
class Module;
} // namespace llvm

namespace adze {

/// The library function \p Name with type \p FT. Null if the program has
/// another object of that name which every module sees; a private one only
/// makes room.
llvm::FunctionCallee declareLibrary(llvm::Module &M, llvm::StringRef Name,
                                    llvm::FunctionType *FT);

} // namespace adze
#endif
