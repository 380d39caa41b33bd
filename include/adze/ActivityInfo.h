// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answer of the activity analysis for one request: what depends on an active
// input (varied) and influences an active output (useful). Sound: "inactive"
// is a proof. const once built; valid for the canonical primal it was built on.
#ifndef ADZE_ACTIVITYINFO_H
#define ADZE_ACTIVITYINFO_H

namespace llvm {
class Instruction;
class Value;
class raw_ostream;
} // namespace llvm

namespace adze {

class ActivityInfo {
public:
  virtual ~ActivityInfo();

  /// \p V's own bits carry floats that are varied and useful: it has a
  /// tangent in forward mode and an adjoint in reverse mode. For aggregates:
  /// some leaf does.
  virtual bool isActiveValue(const llvm::Value *V) const = 0;

  /// \p V is (or holds, for aggregates) a pointer into memory that carries
  /// active floats, at any depth: it must have a shadow.
  virtual bool hasShadow(const llvm::Value *V) const = 0;

  /// \p I takes part in derivative code at all: it defines an active value or
  /// a pointer with a shadow, or it moves active data or shadow pointers
  /// (store, memcpy, call, free of such memory).
  virtual bool isActiveInstruction(const llvm::Instruction *I) const = 0;

  virtual void print(llvm::raw_ostream &OS) const = 0;
};

} // namespace adze
#endif
