// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges of values between the lanes of a warp of a GPU. In canonical form
// each is one call, whatever type of number it moves and in how many parts the
// target does so:
//
//   T adze.lanes.shuffle.T(T x, i32 kind, i32 mask, i32 b, i32 c)
//
// It has the operands of PTX's shfl.sync. Those of AMDGPU have no mask, and as
// b the address (ds_bpermute, ds_permute), the lane (readlane), the pattern
// (ds_swizzle) or the control (DPP, whose masks of rows and banks are c). What
// lanes have that do not read is zero. The adjoint of x is
//
//   T adze.lanes.back.T(T y', i32 kind, i32 mask, i32 b, i32 c, i1 alike)
//
// where alike says that all lanes have the same b. Their bodies are in
// lib/Runtime/LaneShuffles.c; modules get them when all derivatives are made.
#ifndef ADZE_LANESHUFFLES_H
#define ADZE_LANESHUFFLES_H

namespace llvm {
class FunctionCallee;
class Module;
class Type;
} // namespace llvm

namespace adze::shuffles {

enum Kind {
  Down,
  Up,
  Xor,
  Index,
  Permute, // ds_bpermute
  Push,    // ds_permute: lanes say who gets it
  Lane,    // readlane
  First,   // readfirstlane
  Swizzle,
  Dpp
};
enum Operand { X, Which, Mask, B, C, Alike };

inline constexpr char Prefix[] = "adze.lanes.shuffle.";
inline constexpr char BackPrefix[] = "adze.lanes.back.";

/// For a number of 32 or 64 bits.
llvm::FunctionCallee function(llvm::Module &M, llvm::Type *Ty);
/// For a float or a double.
llvm::FunctionCallee back(llvm::Module &M, llvm::Type *Ty);

} // namespace adze::shuffles
#endif
