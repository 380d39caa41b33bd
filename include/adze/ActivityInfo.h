// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answer of the activity analysis for one request: what depends on an active
// input (varied) and influences an active output (useful). Sound: "inactive"
// is a proof. const once built; valid for the canonical primal it was built on.
//
// Conventions (docs/Activity.md gives reasons):
//  * memory behind an argument with a shadow is active at any depth;
//  * memory behind a Const argument is inactive by the user's word, and may be
//    written with active data as long as that is not read again from there
//    (with Request::RuntimeActivity: what is read from there is constant);
//  * a global variable may be active if it is defined in this module and the
//    differentiated region stores floats or pointers to it; what code outside
//    of the region stored is constant.
#ifndef ADZE_ACTIVITYINFO_H
#define ADZE_ACTIVITYINFO_H

#include <cstdint>

namespace llvm {
class Argument;
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
  /// some leaf does. An integer may carry float bits.
  virtual bool isActiveValue(const llvm::Value *V) const = 0;

  /// \p V is a word, or a vector of words, that is loaded to be stored
  /// elsewhere: a pointer each time it runs, or an active float. It has an
  /// adjoint and, where such pointers have, a shadow; the run tells which.
  virtual bool isMovedWord(const llvm::Value *V) const = 0;

  /// \p V is (or holds) a pointer that may be the bits of an active float: it
  /// was loaded from where one may stand, and goes to where one may be read.
  virtual bool mayBeActiveFloat(const llvm::Value *V) const = 0;

  /// \p V is (or holds, for aggregates) a pointer into memory that carries
  /// active floats, at any depth, and whose shadow somebody needs: it must
  /// have a shadow. Whatever else it may point to has one too, where one can be
  /// made: a local variable, allocation, or global variable for which this says
  /// so (also constant ones, whose shadow is zeros). Where none can be made the
  /// pointer is self-shadowed: its shadow is the pointer itself. Arguments:
  /// exactly those whose request gives pointers a shadow.
  virtual bool hasShadow(const llvm::Value *V) const = 0;

  /// The memory of argument \p A has none, and active data is stored there and
  /// read again: that has been reported.
  virtual bool lacksShadow(const llvm::Argument &A) const = 0;

  /// Pointer \p V has a shadow, but may be self-shadowed: whoever uses the
  /// shadow must compare it with the pointer at run time.
  virtual bool mayBeSelfShadowed(const llvm::Value *V) const = 0;

  /// So may pointers in memory that is reached through \p V.
  virtual bool mayHoldPlain(const llvm::Value *V) const = 0;

  /// Pointer \p V is null, or was read by way of a null pointer: it leads
  /// nowhere, whatever its type.
  virtual bool leadsNowhere(const llvm::Value *V) const = 0;

  /// All memory that pointer \p V leads to was declared inactive by the
  /// program: active data that is stored there is constant when it is read
  /// again.
  virtual bool dropsActive(const llvm::Value *V) const = 0;

  /// Floats that depend on an active input may ever stand in bytes [\p Begin,
  /// \p End) of the memory that pointer \p V points to.
  virtual bool mayHoldVaried(const llvm::Value *V, uint64_t Begin,
                             uint64_t End) const = 0;

  /// Floats that somebody may read from bytes [\p Begin, \p End) of the memory
  /// that pointer \p V points to may influence an active output.
  virtual bool mayHoldUseful(const llvm::Value *V, uint64_t Begin,
                             uint64_t End) const = 0;

  /// The same, of floats whose bits were stored as integers: memory that is
  /// used for numbers holds floats nevertheless.
  virtual bool mayHoldVariedBits(const llvm::Value *V, uint64_t Begin,
                                 uint64_t End) const = 0;

  /// MemoryBits (Request.h) of pointer \p V.
  virtual uint16_t memoryBits(const llvm::Value *V) const = 0;

  /// Pointers with a shadow may ever stand in these bytes.
  virtual bool mayHoldShadows(const llvm::Value *V, uint64_t Begin,
                              uint64_t End) const = 0;

  /// \p I takes part in derivative code at all: it defines an active value or
  /// a pointer with a shadow, or it moves active data or shadow pointers
  /// (store, memcpy, call, free of such memory), or it calls a function that
  /// touches global variables that may be active.
  virtual bool isActiveInstruction(const llvm::Instruction *I) const = 0;

  enum Question {
    Values,       // "active" or "inactive"
    Pointers,     // "shadow", "shadow or self", or "no shadow"
    Instructions, // "takes part" or "inactive"
    All           // the first that applies, or "inactive"
  };
  /// One line per argument, instruction, and global variable with a shadow, as
  /// far as the question applies to them.
  virtual void print(llvm::raw_ostream &OS, Question Q = All) const = 0;
};

} // namespace adze
#endif
