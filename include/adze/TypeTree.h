// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the bytes of a value, and of the memory behind it, hold.
//
// A ConcreteType is a point of the flat lattice
//
//        Anything            (any reading is right: zero bytes, undef)
//   Integer  Pointer  Float(t)
//        Unknown             (nothing known yet: bottom)
//
// and a TypeTree maps paths of byte offsets to such points: path {8} is the
// value's own bytes from 8 on, path {0, 16} the bytes at offset 16 of the
// memory behind the pointer stored at byte 0. The offset Every stands for
// "every multiple of the stride from 0 on" (arrays). See lib/Analysis/Type.
#ifndef ADZE_TYPETREE_H
#define ADZE_TYPETREE_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace llvm {
class Type;
class DataLayout;
class raw_ostream;
} // namespace llvm

namespace adze {

class ConcreteType {
public:
  enum Kind { Unknown, Anything, Integer, Pointer, Float };
  ConcreteType() = default;
  ConcreteType(Kind K) : K(K) {}
  /// A float kind: the scalar IR type (double, float, x86_fp80, ...).
  static ConcreteType floating(llvm::Type *Scalar);

  Kind kind() const { return K; }
  bool isFloat() const { return K == Float; }
  bool isPointer() const { return K == Pointer; }
  bool isInteger() const { return K == Integer; }
  bool isKnown() const { return K != Unknown; }
  llvm::Type *floatType() const { return FloatTy; }
  bool operator==(const ConcreteType &O) const {
    return K == O.K && FloatTy == O.FloatTy;
  }
  bool operator!=(const ConcreteType &O) const { return !(*this == O); }
  std::string str() const;

private:
  Kind K = Unknown;
  llvm::Type *FloatTy = nullptr;
};

} // namespace adze
#endif
