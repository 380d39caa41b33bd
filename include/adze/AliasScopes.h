// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the optimizer that memory of different kinds is different memory. What
// derivative code reads and writes is of three kinds:
//
//   Primal   what the primal accesses, by the primal's own pointers;
//   Shadow   what shadows lead to;
//   Tape     elements of slots.
//
// No byte is of two kinds while a derivative runs. The tape is memory that we
// allocate. Shadow memory is memory of its own: that is what a shadow is, and
// the plan relies on it already, for it reads primal memory again after shadows
// were written. The exception are plain pointers, which are their own shadows:
// accesses through the shadow of a pointer that may be plain are of no kind,
// and may overlap everything. So may whatever else is not tagged: calls,
// atomics, block operations.
//
// Nothing is said about two shadows, or two blocks of the primal: whether they
// overlap is for the primal's attributes to promise, which are copied to the
// shadow parameters (see Skeleton.cpp).
//
// Naming: !"adze.primal", !"adze.shadow", !"adze.tape" are scopes of a domain
// made for each derivative function. They are declared at its entry, so that
// two runs of it, inlined into one function, are not taken for one.
#ifndef ADZE_ALIASSCOPES_H
#define ADZE_ALIASSCOPES_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace adze {

enum class MemoryKind { Primal, Shadow, Tape };

/// \p I, which stands in a derivative, accesses memory of this kind only.
/// Nothing is done where \p I is not a plain load or store.
void tagAccess(llvm::Instruction &I, MemoryKind Kind);

/// \p I is a load of the primal that the reverse pass repeats. What the primal
/// says of it holds for one iteration of its loops, and the copy stands in
/// another loop.
void tagRepeated(llvm::Instruction &I);

} // namespace adze
#endif
