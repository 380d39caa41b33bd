// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program says of its own functions and variables, beside its markers.
//
//   void *__enzyme_inactivefn_x[] = {(void *)f, (void *)g};
//   void *__enzyme_inactive_global_x[] = {&counter};
//   void *__enzyme_function_like_x[] = {(void *)f, "sin"};
//   void *__enzyme_nofree_x[] = {(void *)f};
//   void *__enzyme_register_gradient_x[] = {(void *)f, (void *)augmented,
//                                           (void *)reverse};
//   void *__enzyme_register_derivative_x[] = {(void *)f, (void *)forward};
//   r = __enzyme_call_inactive((void *)f, a, b);
//
// Front ends say the same by string attributes and metadata. Everything is
// brought to one form, which lib/Known answers from (KnownFunction.h).
//
// The optimizer runs first, and knows nothing of derivatives: it would inline
// an inactive function, or see that it returns its argument. So before all
// optimization the calls of such functions become calls of declarations of
// which nothing can be known, and calls of the function again afterwards.
#ifndef ADZE_ANNOTATIONS_H
#define ADZE_ANNOTATIONS_H

#include "adze/Diagnostics.h"

namespace llvm {
class Module;
} // namespace llvm

namespace adze {

/// Before optimization: hides what the program makes statements about. With
/// \p Always also in a module without markers, which may meet some in a link.
/// True if anything changed.
bool pinAnnotated(llvm::Module &M, bool Always);

/// After it: undoes that. True if anything changed.
bool unpinAnnotated(llvm::Module &M);

/// In a module with markers: turns registrations into attributes and metadata,
/// removes them, and replaces inactive calls. Also unpins. True if anything
/// changed.
bool adoptAnnotations(llvm::Module &M, Diagnostics &Diags);

} // namespace adze
#endif
