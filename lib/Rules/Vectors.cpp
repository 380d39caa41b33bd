// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves of vector elements; linear in the vector, so only run-time indices are
// read.
//
//   y = extractelement v, i      dy = dv[i]           v'[i] += y'
//   w = insertelement v, s, i    dw = dv with ds at i
//                                s' += w'[i]          v' += w' with [i] = 0
//   w = shufflevector a, b, m    dw = shuffle da, db, m
//                                a'[m_k] += w'[k]     b'[m_k - n] += w'[k]
//
// Elements may be integers that carry floats, also parts of one, as long as the
// shuffle moves whole floats.
#include "Rules.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace adze {

namespace {

/// The transposed shuffle onto one operand of \p Size elements, whose lanes
/// stand in \p Mask from \p First on. A source lane that is read several times
/// collects several adjoints: one shuffle per round, each lane once a round.
Value *unshuffle(IRBuilderBase &B, Value *Adjoint, ArrayRef<int> Mask,
                 int First, int Size) {
  int Lanes = Mask.size();
  Value *Zero = Constant::getNullValue(Adjoint->getType());
  SmallVector<bool, 16> Done(Lanes, false);
  Value *Sum = nullptr;
  for (bool Found = true; Found;) {
    Found = false;
    SmallVector<int, 16> Round(Size, Lanes); // lane 'Lanes' is Zero's first
    for (int K = 0; K < Lanes; ++K) {
      int From = Mask[K] - First;
      if (Done[K] || Mask[K] < 0 || From < 0 || From >= Size ||
          Round[From] != Lanes)
        continue;
      Round[From] = K;
      Done[K] = Found = true;
    }
    if (!Found)
      break;
    Value *Part = B.CreateShuffleVector(Adjoint, Zero, Round);
    Sum = Sum ? B.CreateFAdd(Sum, Part) : Part;
  }
  return Sum;
}

class VectorElementRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (!C.isActive(&I))
      return;
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
      SmallVector<int, 16> Mask;
      if (!maskOfFloats(*Shuffle, C, Mask))
        C.refuse(I, Diag::UnsupportedInstruction,
                 {"a shuffle of parts of active floats"});
      return;
    }
    C.primal(I.getOperand(isa<InsertElementInst>(I) ? 2 : 1));
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
      C.setDual(&I,
                C.L.map(C.B, {C.dual(I.getOperand(0)), C.dual(I.getOperand(1))},
                        [&](ArrayRef<Value *> D) {
                          return C.B.CreateShuffleVector(
                              D[0], D[1], Shuffle->getShuffleMask());
                        }));
      return;
    }
    if (isa<ExtractElementInst>(I)) {
      Value *Index = C.primal(I.getOperand(1));
      C.setDual(
          &I, C.L.map(C.B, {C.dual(I.getOperand(0))}, [&](ArrayRef<Value *> D) {
            return C.B.CreateExtractElement(D[0], Index);
          }));
      return;
    }
    Value *Index = C.primal(I.getOperand(2));
    C.setDual(&I,
              C.L.map(C.B, {C.dual(I.getOperand(0)), C.dual(I.getOperand(1))},
                      [&](ArrayRef<Value *> D) {
                        return C.B.CreateInsertElement(D[0], D[1], Index);
                      }));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (!C.isActive(&I))
      return;
    Value *Adjoint = C.takeAdjoint(&I);
    if (!Adjoint)
      return;
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
      reverseShuffle(*Shuffle, Adjoint, C);
      return;
    }
    if (isa<ExtractElementInst>(I)) {
      Value *Index = C.primal(I.getOperand(1));
      Constant *Zero = Constant::getNullValue(I.getOperand(0)->getType());
      C.addAdjoint(I.getOperand(0),
                   C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> A) {
                     return C.B.CreateInsertElement(Zero, A[0], Index);
                   }));
      return;
    }
    Value *Index = C.primal(I.getOperand(2));
    if (C.isActive(I.getOperand(1)))
      C.addAdjoint(I.getOperand(1),
                   C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> A) {
                     return C.B.CreateExtractElement(A[0], Index);
                   }));
    Constant *Zero = Constant::getNullValue(I.getOperand(1)->getType());
    if (C.isActive(I.getOperand(0)))
      C.addAdjoint(I.getOperand(0),
                   C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> A) {
                     return C.B.CreateInsertElement(A[0], Zero, Index);
                   }));
  }

private:
  /// The float that the lanes of \p I are made of; null if that is not known.
  static Type *floatOf(const ShuffleVectorInst &I, const RuleContext &C) {
    Type *Ty = I.getType()->getScalarType();
    // Lanes of no value go with those that are floats.
    return Ty->isFloatingPointTy()
               ? Ty
               : C.facts().Types->scalarKind(&I).floatType();
  }

  /// Bits of unknown type are moved, if no lane goes to two places: nobody
  /// knows how to add what comes back from there.
  static bool movesLanes(const ShuffleVectorInst &I,
                         SmallVectorImpl<int> &Mask) {
    Mask.assign(I.getShuffleMask().begin(), I.getShuffleMask().end());
    SmallSet<int, 16> Moved;
    return I.getType()->isIntOrIntVectorTy() && all_of(Mask, [&](int Lane) {
             return Lane < 0 || Moved.insert(Lane).second;
           });
  }

  /// The mask of \p I in terms of whole floats; false if there is none.
  static bool maskOfFloats(const ShuffleVectorInst &I, const RuleContext &C,
                           SmallVectorImpl<int> &Mask) {
    Type *Float = floatOf(I, C);
    if (!Float)
      return movesLanes(I, Mask);
    unsigned Lane = I.getType()->getScalarSizeInBits();
    unsigned Size = Float->getPrimitiveSizeInBits();
    if (Lane % Size == 0) {
      narrowShuffleMaskElts(Lane / Size, I.getShuffleMask(), Mask);
      return true;
    }
    return Size % Lane == 0 &&
           widenShuffleMaskElts(Size / Lane, I.getShuffleMask(), Mask);
  }

  static void reverseShuffle(const ShuffleVectorInst &I, Value *Adjoint,
                             ReverseContext &C) {
    Type *Float = floatOf(I, C), *From = I.getOperand(0)->getType();
    if (!Float)
      Float = I.getType()->getScalarType();
    SmallVector<int, 16> Mask;
    if (!maskOfFloats(I, C, Mask))
      return; // refused by needs()
    int Size = From->getPrimitiveSizeInBits() / Float->getPrimitiveSizeInBits();
    for (unsigned Operand = 0; Operand < 2; ++Operand)
      if (C.isActive(I.getOperand(Operand)))
        C.addAdjoint(
            I.getOperand(Operand),
            C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> A) -> Value * {
              Value *Floats = C.B.CreateBitCast(
                  A[0], FixedVectorType::get(Float, Mask.size()));
              Value *Part = unshuffle(C.B, Floats, Mask, Operand * Size, Size);
              return Part ? C.B.CreateBitCast(Part, From)
                          : Constant::getNullValue(From);
            }));
  }
};

} // namespace

const Rule &vectorElementRule() {
  static const VectorElementRule R;
  return R;
}

} // namespace adze
