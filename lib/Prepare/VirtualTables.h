// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What C++ says of a call through a pointer beyond the type of the function:
// which entry of a virtual table it calls, and which operands are references.
#ifndef ADZE_LIB_PREPARE_VIRTUALTABLES_H
#define ADZE_LIB_PREPARE_VIRTUALTABLES_H

namespace llvm {
class CallBase;
class Function;
class GlobalValue;
} // namespace llvm

namespace adze {

/// Whether code may get the address of \p F other than from a virtual table:
/// any use but as a callee, in such a table, or as what a marker
/// differentiates; or at the entry of a table that \p Call reads its callee
/// from.
bool mayBeCallee(const llvm::Function &F, const llvm::CallBase &Call);

/// String attribute of a call in a body of ours: it calls nothing but functions
/// whose name begins so, or that stand in a virtual table whose name does.
inline constexpr char CalleesAttribute[] = "adze.callees";

/// String attribute of such a call: why the program ends where it would call
/// another function.
inline constexpr char StopAttribute[] = "adze.callees.else";

/// Whether \p V, a function or another name of one, is in a virtual table.
bool isVirtual(const llvm::GlobalValue &V);

} // namespace adze

#endif
