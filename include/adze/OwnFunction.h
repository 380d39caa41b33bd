// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions of a module Adze has made to stay: derivatives, helpers, the
// runtime; not the canonical clones (ClonePrefix). They bear an attribute,
// which stays where bitcode is written and read again. Their names begin with
// "adze." for readers; a function of the program may be called so, too, and
// proves nothing by it.
#ifndef ADZE_OWNFUNCTION_H
#define ADZE_OWNFUNCTION_H

#include "llvm/IR/GlobalValue.h"

namespace llvm {
class CallBase;
class Function;
class FunctionType;
class Module;
class Twine;
} // namespace llvm

namespace adze {

/// Begins the name of a function that stands for one of the program: a body
/// around a call of it, or a copy.
inline constexpr char HelperPrefix[] = "adze.call.";
/// And returns what the other one stores behind sret.
inline constexpr char ValuePrefix[] = "adze.call.value.";
/// And whose arguments and result show the floats in integer registers.
inline constexpr char ShownPrefix[] = "adze.call.shown.";

/// A new function of ours.
llvm::Function *createOwn(llvm::FunctionType *Ty,
                          llvm::GlobalValue::LinkageTypes Linkage,
                          const llvm::Twine &Name, llvm::Module &M);
/// \p F is one, whatever attributes it has been given since.
void markOwn(llvm::Function &F);
bool isOwn(const llvm::Function &F);

/// \p Call is made once more later, which changes nothing and gives the same:
/// it only reads memory, and may go if nobody uses its result; should it not
/// return, the later one does not either.
void markRepeated(llvm::CallBase &Call);
bool isRepeated(const llvm::CallBase &Call);

} // namespace adze
#endif
