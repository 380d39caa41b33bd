// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vocabulary of LowerX86.cpp: lanes, masks, immediates.
#ifndef ADZE_PREPARE_X86LANES_H
#define ADZE_PREPARE_X86LANES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"

namespace llvm {
class IntrinsicInst;
} // namespace llvm

namespace adze {

/// The number of lanes of \p V.
unsigned lanes(const llvm::Value *V);
/// How many lanes of \p V are in 128 bits.
unsigned lanesInBlock(const llvm::Value *V);

/// Operand \p K of \p I, which is a constant by the intrinsic's definition.
uint64_t immediate(const llvm::IntrinsicInst &I, unsigned K);
/// AVX-512's operand says: as the machine rounds, or to the nearest.
bool isDefaultRounding(const llvm::Value *Operand);
/// The intrinsic that rounds to an integer as \p Imm says.
llvm::Intrinsic::ID rounding(uint64_t Imm);
/// The comparison that \p Imm names.
llvm::CmpInst::Predicate predicate(uint64_t Imm);

/// Lane 0 of \p V.
llvm::Value *first(llvm::IRBuilderBase &B, llvm::Value *V);
/// \p V with \p Lane in lane 0.
llvm::Value *withFirst(llvm::IRBuilderBase &B, llvm::Value *V,
                       llvm::Value *Lane);
/// The first \p N lanes of \p V.
llvm::Value *firstLanes(llvm::IRBuilderBase &B, llvm::Value *V, unsigned N);
/// \p V with zeros behind it, \p N lanes in all.
llvm::Value *padded(llvm::IRBuilderBase &B, llvm::Value *V, unsigned N);
/// Lane K of \p Yes where \p Choose says so, else of \p No.
llvm::Value *chooseLanes(llvm::IRBuilderBase &B, llvm::Value *Yes,
                         llvm::Value *No,
                         llvm::function_ref<bool(unsigned)> Choose);
/// Even lanes of \p Even, odd ones of \p Odd.
llvm::Value *evenOdd(llvm::IRBuilderBase &B, llvm::Value *Even,
                     llvm::Value *Odd);

/// <N x i1>: the sign bits of the lanes of \p V.
llvm::Value *negative(llvm::IRBuilderBase &B, llvm::Value *V);
/// <N x i1> \p Holds as lanes of type \p Ty, all bits set or none.
llvm::Value *asMask(llvm::IRBuilderBase &B, llvm::Value *Holds, llvm::Type *Ty);
/// The \p N lowest bits of the integer or <N x i1> \p Mask, as <N x i1>.
llvm::Value *maskLanes(llvm::IRBuilderBase &B, llvm::Value *Mask, unsigned N);

/// <N x ptr>: \p Base + index * \p Scale.
llvm::Value *addresses(llvm::IRBuilderBase &B, llvm::Value *Base,
                       llvm::Value *Indices, uint64_t Scale);

/// Which lane an index names: First + (index >> Shift & Mask).
struct LaneIndex {
  unsigned Shift, Mask, First;
};
/// Lanes of \p X, then of \p Y (may be null), named by \p Indices.
llvm::Value *permuted(llvm::IRBuilderBase &B, llvm::Value *X, llvm::Value *Y,
                      llvm::Value *Indices,
                      llvm::function_ref<LaneIndex(unsigned)> Of);

} // namespace adze
#endif
