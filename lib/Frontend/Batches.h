// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __enzyme_batch: the function itself on n sets of arguments.
//
//   r = __enzyme_batch((void *)f, enzyme_width, n, enzyme_vector, x0, .., xn-1,
//                      enzyme_scalar, y, enzyme_buffer, stride, p);
//
// is {f(x0, y, p), f(x1, y, p + stride), ..}. No derivative takes part, so it
// becomes n calls before derivatives are made, and before all optimization,
// which then joins what the calls do.
#ifndef ADZE_LIB_FRONTEND_BATCHES_H
#define ADZE_LIB_FRONTEND_BATCHES_H

#include "Frontend/MarkerCall.h"

namespace adze {

/// How the sets of a batch take one argument.
enum class BatchTag {
  None,   // as Vector
  Vector, // n values follow
  Scalar, // one value for all
  Buffer  // a number of bytes follows, and the address of the first value
};

/// One argument of the function in the source: its parameters, and where the
/// operands of each set stand.
struct BatchArgument {
  BatchTag T = BatchTag::None;
  unsigned FirstParam = 0, NumParams = 1;
  Instance First;                // the others follow one after the other
  llvm::Value *Stride = nullptr; // of a buffer

  Group group() const;
  Instance instance(unsigned Set) const;
};

/// A call of the marker, taken apart.
struct Batch {
  MarkerCall C;
  uint64_t Width = 1;
  /// The operands with a tag of the batch in front, and the strides of buffers.
  llvm::SmallVector<BatchTag, 8> TagBefore;
  llvm::SmallVector<llvm::Value *, 8> StrideBefore;
  llvm::SmallVector<BatchArgument, 8> Arguments;

  /// Operands that the sets take for an argument that one takes as \p Each.
  unsigned operandsOf(BatchTag T, unsigned Each) const {
    return T == BatchTag::Scalar || T == BatchTag::Buffer ? Each : Width * Each;
  }
};

/// Finds the only assignment of operands to parameters.
Match matchBatch(Batch &B);

/// The calls of \p B, in a function that takes the place of the marker call and
/// is inlined there; false after a report.
bool emitBatch(Batch &B, const std::shared_ptr<const Origin> &From,
               Diagnostics &Diags);

} // namespace adze
#endif
