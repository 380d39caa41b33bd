// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of a structure that belong to no member: nothing that is stored there
// has a meaning. Members of empty classes are such bytes too; as types of the
// IR, both look like members of their own.
#ifndef ADZE_LIB_CLANG_PADDING_H
#define ADZE_LIB_CLANG_PADDING_H

#include "adze/TypeTree.h"

namespace clang {
class ASTContext;
class RecordDecl;
} // namespace clang

namespace adze {

/// The padding of the complete structure (no union) \p R, of the records in it
/// only what lies outside of them. Bytes behind its end, up to its size, are
/// left out where a derived class may put members of its own there (Itanium
/// C++ ABI, 2.4: what is not POD lends its tail padding), as is everything of a
/// class with virtual bases.
TypeTree paddingOf(const clang::RecordDecl &R, clang::ASTContext &Ctx);

} // namespace adze
#endif
