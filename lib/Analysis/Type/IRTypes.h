// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees from what the IR itself declares: types, constants, addresses, TBAA.
#ifndef ADZE_LIB_ANALYSIS_TYPE_IRTYPES_H
#define ADZE_LIB_ANALYSIS_TYPE_IRTYPES_H

#include "adze/TypeTree.h"

namespace llvm {
class Constant;
class DataLayout;
class GEPOperator;
class GlobalVariable;
class Instruction;
class MDNode;
} // namespace llvm

namespace adze {

/// What a type says of the integers in it.
enum class IntegersAre { Unknown, Anything, Numbers };

/// The tree of bytes that hold a value of type \p Ty: its floats and pointers
/// (and integers as \p Ints says). Large aggregates are cut. As a hint (of a
/// declared object, not of bytes that are moved), a named structure is one of
/// the source language: its integers are numbers, except rows of bytes, which
/// may be storage for anything; a union says nothing.
TypeTree treeOfType(llvm::Type *Ty, const llvm::DataLayout &DL, Certainty C,
                    const llvm::Value *Witness,
                    IntegersAre Ints = IntegersAre::Unknown);

/// The tree of a constant's bytes: floats and pointers; integers, zero and
/// undef are Anything.
TypeTree treeOfConstant(const llvm::Constant &C, const llvm::DataLayout &DL);

/// What is known of a global's memory without looking at any code: its declared
/// type, and its initializer if it can never change.
TypeTree treeOfGlobal(const llvm::GlobalVariable &G,
                      const llvm::DataLayout &DL);

/// Size in memory and in the bytes of a value; 0 for scalable types.
uint64_t storeSize(llvm::Type *Ty, const llvm::DataLayout &DL);
uint64_t allocSize(llvm::Type *Ty, const llvm::DataLayout &DL);

/// The distance of elements of a fixed vector in its bytes; 0 if elements are
/// no whole bytes.
uint64_t vectorStride(llvm::Type *Ty, const llvm::DataLayout &DL);

/// Byte offset of an aggregate's element.
uint64_t elementOffset(llvm::Type *Ty, llvm::ArrayRef<unsigned> Indices,
                       const llvm::DataLayout &DL);

/// What the declaration of an object of type \p Ty tells: treeOfType() as
/// hints, and that padding holds nothing of interest. Not for the type of a
/// mere access: that may be one member of a union.
TypeTree treeOfObject(llvm::Type *Ty, const llvm::DataLayout &DL,
                      const llvm::Value *Witness);

/// A constant that divides \p V; 1 if none is known. 0 divides only 0.
uint64_t knownFactor(const llvm::Value *V, unsigned Depth = 0);

/// An address relative to a GEP's base pointer: a constant and array
/// dimensions, outermost first. The first index walks over memory without an
/// end; an index into an array type is bounded by it.
struct AddressOffset {
  int64_t Constant = 0;
  llvm::SmallVector<Dimension, 2> Dims;
  bool Known = true;
};
AddressOffset offsetOf(const llvm::GEPOperator &GEP,
                       const llvm::DataLayout &DL);

/// What is known of the memory at a GEP's base if its source elements hold
/// \p Element.
TypeTree treeOfArray(const llvm::GEPOperator &GEP, const llvm::DataLayout &DL,
                     const TypeTree &Element);

/// What the source element type of a GEP hints about the memory at its base.
TypeTree hintOfGEP(const llvm::GEPOperator &GEP, const llvm::DataLayout &DL);

/// What the !tbaa tag of an access of type \p AccessTy at some address says of
/// the memory from Back bytes before that address on.
struct TBAAFacts {
  TypeTree Tree;
  uint64_t Back = 0;
};
TBAAFacts factsOfTBAA(const llvm::Instruction &Access, llvm::Type *AccessTy,
                      const llvm::DataLayout &DL);

/// The value of an access of integer type \p AccessTy that is one float by its
/// !tbaa tag; unknown for all others.
TypeTree floatOfTBAA(const llvm::Instruction &Access, llvm::Type *AccessTy,
                     const llvm::DataLayout &DL);

/// Some integer of \p M becomes a pointer: `long` may be the type of addresses
/// then. (Not counted: what was loaded as an integer and is a pointer by its
/// !tbaa tag, as the optimizer copies structures of one pointer; and the
/// address of a pointer at hand, aligned or moved by constants in the same
/// function.)
bool makesPointersOfIntegers(const llvm::Module &M);

/// What a !tbaa.struct tag says of the block that is copied.
TypeTree treeOfTBAAStruct(const llvm::Instruction &Copy,
                          const llvm::DataLayout &DL);

} // namespace adze
#endif
