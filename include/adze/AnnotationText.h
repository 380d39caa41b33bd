// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How ClangAdze (lib/Clang) hands types to the pass (ImportAnnotations).
//
// clang turns its `annotate` attribute into IR wherever a declaration becomes
// IR: llvm.var.annotation on allocas, llvm.ptr.annotation on addresses of
// members, llvm.global.annotations on globals and functions. ClangAdze adds
// such attributes to the AST; their texts start with one of the words below.
// ImportAnnotations turns them into the metadata of docs/ClangAdze.md and
// erases every trace before any optimization.
//
//   adze-type:TREE            of an object, a member: tree of a pointer to it
//   adze-fn:RET;P0;P1...      of a function: trees of its result and leading
//                             parameters, without an `sret` one, with `this`
//   adze-table:LINE LINE...   once in a module, each line ended by '\n':
//       expr N TREE             tree of the expression with this number
//       record SIZE NAME<TAB>TREE  content of a named LLVM structure
//
// Annotations do not reach expressions. ClangAdze wraps a pointer expression
// into __builtin_assume_aligned(E, 1, ExpressionTag + N), which clang emits as
// E and an assumption that nothing else would make:
//   call void @llvm.assume(i1 true) [ "align"(ptr %E, i64 1, i64 TAG) ]
#ifndef ADZE_ANNOTATIONTEXT_H
#define ADZE_ANNOTATIONTEXT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace adze {

constexpr llvm::StringLiteral AnnotationOfType = "adze-type:";
constexpr llvm::StringLiteral AnnotationOfFunction = "adze-fn:";
constexpr llvm::StringLiteral AnnotationTable = "adze-table:";

/// The upper half of the offset that carries an expression's number: "ADZE".
constexpr uint64_t ExpressionTag = uint64_t(0x4144'5A45) << 32;
constexpr uint64_t ExpressionTagMask = uint64_t(0xFFFF'FFFF) << 32;

/// Spellings of the user, both as `annotate("...")` and as attributes of
/// ClangAdze.
constexpr llvm::StringLiteral AnnotationInactive = "enzyme_inactive";
constexpr llvm::StringLiteral AnnotationNoFree = "enzyme_nofree";
constexpr llvm::StringLiteral AnnotationRecompute = "enzyme_shouldrecompute";
constexpr llvm::StringLiteral AnnotationAccumulate = "enzyme_sparse_accumulate";
/// The name of a library function follows.
constexpr llvm::StringLiteral AnnotationLike = "enzyme_function_like=";

} // namespace adze
#endif
