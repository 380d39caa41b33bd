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
// were written. The exception are self-shadowed pointers, which are their own
// shadows: accesses through the shadow of a pointer that may be plain are of no
// kind, and may overlap everything. So may whatever else is not tagged: calls,
// atomics, block operations.
//
// Two shadows may overlap where the primal's memory may. A `noalias` argument
// promises less than it seems: what nobody writes may be read through two of
// them, and their shadows are the same memory then, and are written.
//
//   dot(const double *restrict a, const double *restrict b);   dot(x, x);
//
// So the attribute does not hold for shadow parameters. What holds is: if the
// primal writes a place through such an argument, it accesses it through no
// other pointer. Each access to a shadow mirrors an access of the primal. It
// says through which argument, or that it is through something else that is
// known; and if the primal writes the place, that it is disjoint from all that
// is not through the same argument.
//
// Tangents in different directions are different memory: what is stored there
// for one would be overwritten by another. (Of adjoints that is not said: who
// gives one shadow for several directions gets the sum.)
//
// Naming: !"adze.primal", !"adze.shadow", !"adze.tape" are scopes of a domain
// made for each derivative function, !"adze.NAME" for each such argument and
// !"adze.other" of another one, !"adze.direction.N" for each direction. They
// are declared at its entry, so that two runs of it, inlined into one function,
// are not taken for one.
#ifndef ADZE_ALIASSCOPES_H
#define ADZE_ALIASSCOPES_H

#include <optional>

namespace llvm {
class Argument;
class Function;
class Instruction;
class MDNode;
} // namespace llvm

namespace adze {

struct Facts;
struct Request;

enum class MemoryKind { Primal, Shadow, Tape };

/// \p I, which stands in a derivative, accesses memory of this kind only.
/// Nothing is done where \p I is not a plain load or store.
void tagAccess(llvm::Instruction &I, MemoryKind Kind);

/// \p I has been tagged so, and its function has not forgotten its scopes.
bool isAccessOf(const llvm::Instruction &I, MemoryKind Kind);

/// \p I is a load of the primal that the reverse pass repeats, from memory of
/// this kind. What the primal says of it holds for one iteration of its loops,
/// and the copy stands in another loop.
void tagRepeated(llvm::Instruction &I, MemoryKind Kind);

/// \p I accesses shadow memory as \p Mirrored, a load or store of the primal,
/// does primal memory.
void tagShadow(llvm::Instruction &I, const llvm::Instruction &Mirrored,
               const Facts &F);

/// \p I accesses the tangents of direction \p K of \p Count.
void tagDirection(llvm::Instruction &I, unsigned K, unsigned Count);

/// A direction of which an instruction accesses the shadow.
struct TaggedDirection {
  unsigned Number;
  const llvm::MDNode *Among; // equal for the directions of one derivative
};

/// The direction of whose shadow memory, and no other memory, \p I accesses a
/// part. Those of other directions are other memory, but for adjoints that go
/// into one sum.
std::optional<TaggedDirection> directionOf(const llvm::Instruction &I);

/// \p I accesses the shadow of direction \p K of \p Count: of tangents or of
/// adjoints, and with no promise.
void numberDirection(llvm::Instruction &I, unsigned K, unsigned Count);
struct NumberedDirection {
  unsigned Number, Count;
};
std::optional<NumberedDirection> numberedDirection(const llvm::Instruction &I);

/// \p I accesses the copy \p K of \p Count parts of shadows (Replicas.h), which
/// are different memory.
void tagCopy(llvm::Instruction &I, unsigned K, unsigned Count);

/// What the primal writes through \p Arg it accesses through nothing else, and
/// the shadow is another block.
bool isExclusive(const llvm::Argument &Arg, const Request &R);

/// No access will be tagged any more.
void forgetScopes(llvm::Function &F);

} // namespace adze
#endif
