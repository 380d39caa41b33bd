// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From which floats to which format a function is narrowed.
#ifndef ADZE_LIB_PRECISION_FLOATFORMAT_H
#define ADZE_LIB_PRECISION_FLOATFORMAT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace llvm {
class LLVMContext;
class Type;
} // namespace llvm

namespace adze {

/// A binary format of IEEE 754's kind, with gradual underflow, infinities and
/// NaN: `Exponent` bits of exponent, and `Significand` bits that are stored.
struct FloatFormat {
  unsigned From = 0; // bits of the floats that are narrowed
  unsigned Exponent = 0, Significand = 0;

  /// The numbers behind a marker's function: (from, to), (from, exponent,
  /// significand), or with 0 (a width follows) or 1 (a pair follows) after
  /// from. An error says what is wrong.
  static llvm::Expected<FloatFormat> of(llvm::ArrayRef<uint64_t> Numbers);

  /// The type of the floats that are narrowed.
  llvm::Type *fromType(llvm::LLVMContext &Context) const;
  /// The type whose format this is, where arithmetic in it is exact to the
  /// last bit on every target; null where numbers are rounded by their bits.
  llvm::Type *nativeType(llvm::LLVMContext &Context) const;
  /// "f64.e8.m23", for names.
  std::string text() const;
};

} // namespace adze
#endif
