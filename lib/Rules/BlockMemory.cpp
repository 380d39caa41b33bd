// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block copies and fills.
//
//   memcpy d, s, n       forward: memcpy dd, ds, n
//                        floats, reverse:  *ds += *dd;  *dd = 0
//                        pointers and the rest: shadows move with the primal
//   memset d, c, n       forward: tangents 0
//                        floats, reverse:  *dd = 0
//                        pointers: shadows filled as the primal is
//
// A block of mixed contents is walked by its layout (BlockFunctions.h). Bytes
// of unknown type are moved as bytes, also in reverse (FloatBits.h); words that
// may be pointers or floats, as what the run shows them to be
// (BlockFunctions.h).
#include "BlockFunctions.h"
#include "BlockLayouts.h"
#include "FloatBits.h"
#include "RefuseTypes.h"
#include "Rules.h"
#include "Words.h"
#include "adze/PartialFloatWrites.h"
#include "adze/RuntimeStop.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

using namespace llvm;

namespace adze {

namespace {

const Value *destination(const Instruction &I) { return I.getOperand(0); }
const Value *source(const Instruction &I) { return I.getOperand(1); }
const Value *bytes(const Instruction &I) { return I.getOperand(2); }

uint64_t constantBytes(const Instruction &I) {
  auto *C = dyn_cast<ConstantInt>(bytes(I));
  return C ? C->getZExtValue() : UINT64_MAX;
}

/// Where the first byte of unknown contents is; the period if there is none.
uint64_t firstUnknown(const BlockLayout &Layout) {
  uint64_t Known = 0;
  bool BehindX87 = false;
  for (const TypedRange &R : Layout.Ranges) {
    bool IsTail = BehindX87 && R.Begin % X87Stride == X87Size &&
                  R.End - R.Begin == X87Stride - X87Size;
    if ((!R.Type.isKnown() && !IsTail) || R.Begin > Known)
      return Known;
    BehindX87 = R.Type.isFloat() && R.Type.floatType()->isX86_FP80Ty();
    Known = R.End;
  }
  return std::min(Known, Layout.Period);
}

bool hasUnknown(const BlockLayout &Layout) {
  return firstUnknown(Layout) < Layout.Period;
}

/// Bytes [\p Begin, \p End) hold no varied float, at neither end, or nobody
/// reads one from the copy: what they do hold makes no difference to any
/// derivative.
bool isHarmless(const Instruction &I, const RuleContext &C, uint64_t Begin,
                uint64_t End) {
  const ActivityInfo &Activity = *C.facts().Activity;
  return (!Activity.mayHoldVaried(destination(I), Begin, End) &&
          !Activity.mayHoldVaried(source(I), Begin, End)) ||
         !Activity.mayHoldUseful(destination(I), Begin, End);
}

/// Bytes [\p Begin, \p End) may hold pointers with shadows, at some end.
bool mayHoldShadows(const Instruction &I, const RuleContext &C, uint64_t Begin,
                    uint64_t End) {
  const ActivityInfo &Activity = *C.facts().Activity;
  if (!C.hasShadow(source(I))) // then they are self-shadowed
    return !(Activity.memoryBits(source(I)) & HoldsNoPointers);
  return Activity.mayHoldShadows(destination(I), Begin, End) ||
         Activity.mayHoldShadows(source(I), Begin, End);
}

/// What bytes of unknown type are is seen at run time, if both ends have a
/// shadow for sure that holds no adjoints going forward: shadows of pointers
/// are not zero.
bool showsPointers(const Instruction &I, const RuleContext &C) {
  const ActivityInfo &Activity = *C.facts().Activity;
  return all_of(ArrayRef({destination(I), source(I)}), [&](const Value *End) {
    return C.hasShadow(End) && !C.mayBeSelfShadowed(End) &&
           (Activity.memoryBits(End) & IsOfDerivative);
  });
}

/// Bytes [\p Begin, \p End) behind \p Ptr hold numbers, by their types, but
/// may be the bits of floats.
bool mayHoldBits(const Value *Ptr, const RuleContext &C, uint64_t Begin,
                 uint64_t End) {
  return C.facts().Activity->mayHoldVariedBits(Ptr, Begin, End);
}

/// How a block is laid out, and the byte of unknown contents that stands in
/// the way. What else is Unknown in the layout may be floats, but no pointers;
/// \p Tested: if it is, the program stops; \p InWords: its words may be either,
/// and the run tells them apart; \p Buffers: so may be what are pointers by
/// their types. Of a copy whose length only the run knows,
/// types may be known up to \p Limit: that is checked when it runs.
/// \p Stale: what of the copy makes no difference, but stands where adjoints
/// of floats come together at another time. Going forward it was copied, so it
/// is zeroed before those come.
struct CopyLayout {
  BlockLayout Layout, Stale;
  std::optional<uint64_t> Unknown;
  bool Tested = false, InWords = false, Buffers = false;
  uint64_t Limit = UINT64_MAX;
};

/// It is sure which ends have a shadow.
bool isSurelyShadowed(const Instruction &I, const RuleContext &C) {
  return !C.mayBeSelfShadowed(destination(I)) &&
         !C.mayBeSelfShadowed(source(I));
}

/// The destination has a shadow, and both ends stand on the grid of pointers,
/// which \p Layout and the pointers in bytes [\p Begin, \p End) keep to.
bool standsInWords(const Instruction &I, const RuleContext &C,
                   const BlockLayout &Layout, uint64_t Begin, uint64_t End) {
  auto *Copy = dyn_cast<AnyMemTransferInst>(&I);
  const TypeInfo &Types = *C.facts().Types;
  if (seesPointerOffGrid(Types, destination(I), Begin, End) ||
      seesPointerOffGrid(Types, source(I), Begin, End))
    return false;
  return Copy && C.dataLayout().getPointerSize() == WordSize &&
         Copy->getDestAlign().valueOrOne() >= WordSize &&
         Copy->getSourceAlign().valueOrOne() >= WordSize &&
         keepsToWords(Layout) && C.hasShadow(destination(I));
}

/// Bytes of which nothing is known, as those of a text, become the words in
/// which a pointer may stand, and parts of words in front and behind.
void splitAtWords(BlockLayout &Layout) {
  SmallVector<TypedRange, 4> Split;
  for (const TypedRange &R : Layout.Ranges) {
    const uint64_t Begin = alignTo(R.Begin, WordSize),
                   End =
                       R.End == UINT64_MAX ? R.End : alignDown(R.End, WordSize);
    if (R.Type.isKnown() || Begin >= End) {
      Split.push_back(R);
      continue;
    }
    if (R.Begin < Begin)
      Split.push_back({R.Begin, Begin, R.Type});
    Split.push_back({Begin, End, R.Type});
    if (End < R.End)
      Split.push_back({End, R.End, R.Type});
  }
  Layout.Ranges = std::move(Split);
}

/// What is Unknown and cannot be floats counts as Integer: its shadow goes with
/// the primal. What may be floats, and pointers too, stands in the way, unless
/// the run can tell: \p ByWord, whatever stands around each word, and whether
/// or not the ends have shadows of their own.
CopyLayout settled(const Instruction &I, const RuleContext &C,
                   BlockLayout Layout, bool ByWord) {
  uint64_t Bytes = constantBytes(I);
  if (Layout.Ranges.size() == 1 && !Layout.Ranges[0].Type.isKnown() &&
      Layout.Ranges[0].End == Layout.Period)
    Layout = {Bytes, {{0, Bytes, ConcreteType()}}};
  unsigned PointerSize = C.dataLayout().getPointerSize();
  if (ByWord && PointerSize == WordSize && keepsToWords(Layout))
    splitAtWords(Layout);
  bool Repeats = Layout.Period < Bytes; // its bytes stand at many places
  CopyLayout Result;
  for (TypedRange &R : Layout.Ranges) {
    uint64_t Begin = Repeats ? 0 : R.Begin;
    uint64_t End = Repeats ? Bytes : std::min(R.End, Bytes);
    // A buffer may hold pointers at one time and floats at another, and types
    // may have seen the first only (std::function keeps small objects so).
    Result.Buffers |= R.Type.isPointer() && isInWords(R) &&
                      C.hasShadow(source(I)) && isSurelyShadowed(I, C) &&
                      !isHarmless(I, C, Begin, End) &&
                      standsInWords(I, C, Layout, Begin, End);
    if (R.Type.isKnown() && !R.Type.isInteger())
      continue;
    // Numbers by their types may be the bits of floats, and handles.
    bool Number = R.Type.isInteger();
    if (Number && !mayHoldBits(source(I), C, Begin, End) &&
        !mayHoldBits(destination(I), C, Begin, End))
      continue;
    R.Type = ConcreteType();
    if (!Number && isHarmless(I, C, Begin, End)) {
      if (C.facts().Activity->mayHoldVaried(destination(I), Begin, End))
        Result.Stale.Ranges.push_back(R);
      R.Type = ConcreteType::Integer;
    } else if ((R.End - R.Begin >= PointerSize ||
                (Repeats && R.End == Layout.Period)) &&
               !Result.Unknown && mayHoldShadows(I, C, Begin, End)) {
      if (isInWords(R) && (ByWord || isSurelyShadowed(I, C)) &&
          standsInWords(I, C, Layout, Begin, End)) {
        Result.InWords = true;
      } else if (showsPointers(I, C)) {
        Result.Tested = true;
      } else if (Number) {
        continue;
      } else if (R.End == UINT64_MAX && R.Begin > 0) {
        Result.Limit = R.Begin;
        R.Type = ConcreteType::Integer; // not reached
      } else {
        Result.Unknown = R.Begin;
      }
    }
  }
  // The test is of all that is not known.
  Result.InWords &= !Result.Tested;
  Result.Stale.Period = Layout.Period;
  Result.Layout = std::move(Layout);
  return Result;
}

/// A copy makes both ends hold the same types.
CopyLayout copyLayout(const Instruction &I, const RuleContext &C) {
  const TypeInfo &Types = *C.facts().Types;
  uint64_t Bytes = constantBytes(I);
  auto endOf = [&](const Value *Ptr) {
    return CopyEnd{Types.memoryLayout(Ptr, Bytes),
                   pointerBytes(Types, Ptr, std::min(Bytes, MaxComparedBytes))};
  };
  BlockLayout Both =
      bothLayouts(endOf(destination(I)), endOf(source(I)), Bytes);
  CopyLayout Known = settled(I, C, Both, /*ByWord=*/false);
  return Known.Unknown ? settled(I, C, std::move(Both), /*ByWord=*/true)
                       : Known;
}

/// A tangent is laid out as its primal, and moves with it as a whole: no type
/// is needed in forward mode, unless one end has no tangents.
bool movesWhole(const Instruction &I, const RuleContext &C) {
  return C.carriesFloats() && C.hasShadow(source(I)) &&
         !C.mayBeSelfShadowed(source(I));
}

/// How many bytes behind \p End of a copy have a type.
uint64_t knownBytes(const Value *End, const Instruction &I,
                    const RuleContext &C) {
  return firstUnknown(C.facts().Types->memoryLayout(End, constantBytes(I)));
}

bool hasOthers(const BlockLayout &Layout) {
  return any_of(Layout.Ranges, [](const TypedRange &R) {
    return R.Type.isKnown() && !R.Type.isFloat();
  });
}

/// It may hold floats.
bool hasFloats(const BlockLayout &Layout) {
  return Layout.has(ConcreteType::Float) || Layout.has(ConcreteType::Unknown);
}

/// Where a fill of \p Bytes may end within a float: its adjoint must be zero.
/// (Of constant length: see PartialFloatWrites.cpp.)
void emitEndChecks(EmitContext &C, Value *Shadow, Value *Bytes,
                   const BlockLayout &Layout) {
  IRBuilder<> &B = C.B;
  for (const TypedRange &R : Layout.Ranges) {
    bool Repeats = Layout.Period != UINT64_MAX;
    if (!R.Type.isFloat() || (Repeats && R.End - R.Begin != Layout.Period))
      continue;
    Value *Begin = B.getInt64(R.Begin);
    Value *Length = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Bytes, Begin);
    if (!Repeats)
      Length = B.CreateBinaryIntrinsic(Intrinsic::umin, Length,
                                       B.getInt64(R.End - R.Begin));
    B.CreateCall(endFunction(C.module(), R.Type.floatType()),
                 {B.CreateGEP(B.getInt8Ty(), Shadow, Begin), Shadow, Length});
  }
}

Value *length(const Instruction &I, EmitContext &C) {
  return C.B.CreateZExtOrTrunc(C.primal(bytes(I)), C.B.getInt64Ty());
}

/// How many of \p Bytes to write through lane \p Shadow of \p Ptr.
Value *writableLength(EmitContext &C, const Value *Ptr, Value *Shadow,
                      Value *Bytes) {
  Value *SelfShadowed = C.isSelfShadowed(Ptr, Shadow);
  return SelfShadowed ? C.B.CreateSelect(SelfShadowed, C.B.getInt64(0), Bytes)
                      : Bytes;
}

/// How many of \p Bytes count as zeros, read through lane \p Shadow of \p Ptr;
/// null if there are never any.
Value *plainLength(EmitContext &C, const Value *Ptr, Value *Shadow,
                   Value *Bytes) {
  Value *SelfShadowed = C.isSelfShadowed(Ptr, Shadow);
  return SelfShadowed ? C.B.CreateSelect(SelfShadowed, Bytes, C.B.getInt64(0))
                      : nullptr;
}

/// The library's functions return their destination.
void returnDestination(const Instruction &I, ForwardSweepContext &C) {
  if (!I.getType()->isVoidTy() && C.carries(&I))
    C.setDual(&I, C.dual(destination(I)));
}

/// Going forward no adjoint has come to memory yet whose bytes are not known:
/// what is not zero there is a pointer's shadow.
void emitPointerTest(const Instruction &I, ForwardSweepContext &C,
                     const BlockLayout &Layout, Value *Bytes) {
  Function *Test = pointerTest(C.module(), Layout);
  C.L.map(C.B, {C.dual(destination(I)), C.dual(source(I))},
          [&](ArrayRef<Value *> D) -> Value * {
            const ActivityInfo &Activity = *C.facts().Activity;
            for (unsigned End : {0, 1})
              if (Activity.mayHoldShadows(I.getOperand(End), 0, UINT64_MAX))
                C.B.CreateCall(Test, {D[End], D[End], Bytes});
            return nullptr;
          });
}

BlockSum howToAdd(const Instruction &I, const CopyLayout &Known,
                  const RuleContext &C) {
  const bool InWords = Known.InWords || Known.Buffers;
  if (C.facts().mayBeShared(I))
    return InWords ? BlockSum::SharedWords : BlockSum::Shared;
  if (InWords)
    return BlockSum::Words;
  return isa<AnyMemCpyInst>(I) ? BlockSum::Apart : BlockSum::Plain;
}

class BlockCopyRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (!C.hasShadow(destination(I)) || constantBytes(I) == 0 ||
        movesWhole(I, C))
      return;
    CopyLayout Known = copyLayout(I, C);
    if (Known.Unknown)
      return refuseUnknownCopy(I,
                               {destination(I), source(I), *Known.Unknown,
                                knownBytes(destination(I), I, C),
                                knownBytes(source(I), I, C)},
                               C);
    bool Clears = !Known.Stale.Ranges.empty();
    if (!hasFloats(Known.Layout) && !Known.Buffers && !Clears)
      return;
    if (C.facts().mayBeShared(I) && !C.carriesFloats() &&
        C.hasShadow(source(I)) &&
        !canAddAtomically(Known.Layout, Known.InWords || Known.Buffers))
      return C.refuse(I, Diag::InTeam,
                      {"threads may copy the same block, of which it is not "
                       "known where it holds a float or a double, or which "
                       "holds other floats"});
    C.shadow(destination(I));
    if (C.hasShadow(source(I)))
      C.shadow(source(I));
    C.primal(bytes(I));
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(destination(I)))
      return;
    returnDestination(I, C);
    if (movesWhole(I, C)) {
      C.L.map(C.B, {C.dual(destination(I)), C.dual(source(I))},
              [&](ArrayRef<Value *> D) -> Value * {
                C.B.CreateMemMove(
                    D[0], MaybeAlign(), D[1], MaybeAlign(),
                    writableLength(C, destination(I), D[0], length(I, C)));
                return nullptr;
              });
      return;
    }
    CopyLayout Known = copyLayout(I, C);
    const BlockLayout &Layout = Known.Layout;
    bool Floats = hasFloats(Layout);
    bool MoveFloats = Floats && C.carriesFloats();
    Value *Bytes = length(I, C);
    if (Known.Limit != UINT64_MAX)
      emitRuntimeStopIf(
          C.B, C.B.CreateICmpUGT(Bytes, C.B.getInt64(Known.Limit)),
          "a block copy is longer than the memory whose type is known");
    if (Known.Tested && C.reversesLater())
      emitPointerTest(I, C, Layout, Bytes);
    auto call = [&](BlockOp Op, Value *To, Value *From, Value *Length) {
      bool Doubles = Op == BlockOp::MoveWords && C.facts().DoublesAlone;
      C.B.CreateCall(blockFunction(C.module(), Op, Layout, Doubles),
                     {To, From, Length});
    };
    // Of a source that is its own shadow, pointers are, and floats are zero.
    auto moveWords = [&](ArrayRef<Value *> D, Value *Length) {
      Value *Zeros = plainLength(C, source(I), D[1], Length);
      call(BlockOp::MoveWords, D[0], D[1],
           Zeros ? C.B.CreateSub(Length, Zeros) : Length);
      if (Zeros)
        call(BlockOp::PlainWords, D[0], D[1], Zeros);
    };
    bool FromShadow = C.carries(source(I));
    // The shadow of numbers, which the tests for cut floats look at, stays as
    // it is, as where they are stored one by one.
    bool NoPointers =
        !FromShadow &&
        (C.facts().Activity->memoryBits(source(I)) & HoldsNoPointers);
    bool Words = Known.InWords && (C.reversesLater() || !FromShadow);
    if (Floats && !MoveFloats && !hasOthers(Layout) && !Words)
      return;
    C.L.map(C.B, {C.dual(destination(I)), C.dual(source(I))},
            [&](ArrayRef<Value *> D) -> Value * {
              Value *Length = writableLength(C, destination(I), D[0], Bytes);
              bool Whole = FromShadow && (!Floats || MoveFloats);
              if (Whole)
                C.B.CreateMemMove(D[0], MaybeAlign(), D[1], MaybeAlign(),
                                  Length);
              else if (Words && FromShadow)
                moveWords(D, Length);
              else if (Words)
                call(BlockOp::PlainWords, D[0], D[1], Length);
              else if (hasOthers(Layout) && !NoPointers)
                call(BlockOp::CopyPointers, D[0], D[1], Length);
              if (!MoveFloats)
                return nullptr;
              if (!FromShadow)
                call(BlockOp::Clear, D[0], D[0], Length);
              else if (Value *Zeros = plainLength(C, source(I), D[1], Length)) {
                call(BlockOp::Clear, D[0], D[0], Zeros);
                if (Known.InWords)
                  call(BlockOp::PlainWords, D[0], D[1], Zeros);
              }
              return nullptr;
            });
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (!C.hasShadow(destination(I)) || constantBytes(I) == 0)
      return;
    CopyLayout Known = copyLayout(I, C);
    const BlockLayout &Layout = Known.Layout;
    if (!Known.Stale.Ranges.empty()) {
      Function *Clear = blockFunction(C.module(), BlockOp::Clear, Known.Stale);
      Value *Bytes = length(I, C);
      C.L.map(
          C.B, {C.shadow(destination(I))}, [&](ArrayRef<Value *> D) -> Value * {
            C.B.CreateCall(
                Clear,
                {D[0], D[0], writableLength(C, destination(I), D[0], Bytes)});
            return nullptr;
          });
    }
    if (!hasFloats(Layout) && !Known.Buffers)
      return;
    Value *Bytes = length(I, C);
    bool FromShadow = C.hasShadow(source(I));
    SmallVector<Value *, 2> In{C.shadow(destination(I))};
    if (FromShadow)
      In.push_back(C.shadow(source(I)));
    auto call = [&](BlockOp Op, Value *To, Value *From, Value *Length) {
      C.B.CreateCall(blockFunction(C.module(), Op, Layout), {To, From, Length});
    };
    C.L.map(C.B, In, [&](ArrayRef<Value *> D) -> Value * {
      Value *Length = writableLength(C, destination(I), D[0], Bytes);
      if (!FromShadow) {
        call(BlockOp::Clear, D[0], D[0], Length);
        return nullptr;
      }
      Value *Zeros = plainLength(C, source(I), D[1], Length);
      C.accumulateBlock(D[1], D[0],
                        Zeros ? C.B.CreateSub(Length, Zeros) : Length, Layout,
                        howToAdd(I, Known, C));
      if (Zeros)
        call(BlockOp::Clear, D[0], D[0], Zeros);
      return nullptr;
    });
  }
};

class BlockSetRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (!C.hasShadow(destination(I)) || constantBytes(I) == 0)
      return;
    C.shadow(destination(I));
    C.primal(bytes(I));
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(destination(I)))
      return;
    returnDestination(I, C);
    BlockLayout Layout = layoutOf(I, C);
    bool Floats = C.carriesFloats();
    bool Others =
        Layout.has(ConcreteType::Pointer) || Layout.has(ConcreteType::Integer);
    if (Floats || (Others && !Layout.has(ConcreteType::Float))) {
      Value *Bytes = length(I, C);
      C.L.map(C.B, {C.dual(destination(I))},
              [&](ArrayRef<Value *> D) -> Value * {
                C.B.CreateMemSet(D[0], C.B.getInt8(0),
                                 writableLength(C, destination(I), D[0], Bytes),
                                 MaybeAlign());
                return nullptr;
              });
    }
  }

  /// Where something is not known of the contents all of the shadow becomes
  /// zero: right for floats, and what stood there otherwise has been
  /// overwritten, so nothing before this point in the primal reads it again.
  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (!C.hasShadow(destination(I)) || constantBytes(I) == 0)
      return;
    BlockLayout Layout = layoutOf(I, C);
    bool Floats = Layout.has(ConcreteType::Float);
    if (!Floats && !hasUnknown(Layout))
      return;
    Value *Bytes = length(I, C);
    C.L.map(
        C.B, {C.shadow(destination(I))}, [&](ArrayRef<Value *> D) -> Value * {
          Value *Length = writableLength(C, destination(I), D[0], Bytes);
          if (constantBytes(I) == UINT64_MAX)
            emitEndChecks(C, D[0], Length, Layout);
          if (!hasUnknown(Layout) && hasOthers(Layout))
            C.B.CreateCall(blockFunction(C.module(), BlockOp::Clear, Layout),
                           {D[0], D[0], Length});
          else
            C.B.CreateMemSet(D[0], C.B.getInt8(0), Length, MaybeAlign());
          return nullptr;
        });
  }

private:
  static BlockLayout layoutOf(const Instruction &I, const RuleContext &C) {
    uint64_t Bytes = constantBytes(I);
    BlockLayout Layout = C.facts().Types->memoryLayout(destination(I), Bytes);
    return mayHoldBits(destination(I), C, 0, Bytes)
               ? withoutNumbers(std::move(Layout))
               : Layout;
  }
};

} // namespace

const Rule &blockCopyRule() {
  static const BlockCopyRule R;
  return R;
}

const Rule &blockSetRule() {
  static const BlockSetRule R;
  return R;
}

} // namespace adze
