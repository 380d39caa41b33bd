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
// A block of mixed contents is walked by its layout (BlockFunctions.h).
#include "BlockFunctions.h"
#include "Rules.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

const Value *destination(const Instruction &I) { return I.getOperand(0); }
const Value *bytes(const Instruction &I) { return I.getOperand(2); }

uint64_t constantBytes(const Instruction &I) {
  auto *C = dyn_cast<ConstantInt>(bytes(I));
  return C ? C->getZExtValue() : UINT64_MAX;
}

/// The 80-bit float is stored in 16 bytes, of which it uses ten.
constexpr uint64_t X87Size = 10, X87Stride = 16;

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

/// How a block is laid out, and up to how many bytes that is known.
struct CopyLayout {
  BlockLayout Layout;
  uint64_t Limit = UINT64_MAX;
};

/// A copy makes both ends hold the same types: the end of which more is known
/// speaks for both. Of a copy whose length is a number of the run time the
/// types may be known up to some length only: it is checked when it runs.
CopyLayout copyLayout(const Instruction &I, const RuleContext &C) {
  const TypeInfo &Types = *C.facts().Types;
  const Value *Ends[] = {destination(I), I.getOperand(1)};
  uint64_t Bytes = constantBytes(I);
  CopyLayout Best;
  uint64_t BestKnown = 0;
  const Value *BestEnd = Ends[0];
  for (const Value *End : Ends) {
    BlockLayout Layout = Types.memoryLayout(End, Bytes);
    if (!hasUnknown(Layout))
      return {Layout, UINT64_MAX};
    uint64_t Known = firstUnknown(Layout);
    if (End == Ends[0] || Known > BestKnown) {
      Best.Layout = Layout;
      BestKnown = Known;
      BestEnd = End;
    }
  }
  if (Bytes == UINT64_MAX && BestKnown > 0)
    return {Types.memoryLayout(BestEnd, BestKnown), BestKnown};
  return Best;
}

/// Ends the program with a message if a block is longer than its known part.
void emitLimitCheck(EmitContext &C, Value *Bytes, uint64_t Limit) {
  if (Limit != UINT64_MAX)
    C.B.CreateCall(limitFunction(C.module()), {Bytes, C.B.getInt64(Limit)});
}

bool hasOthers(const BlockLayout &Layout) {
  for (const TypedRange &R : Layout.Ranges)
    if (!R.Type.isFloat())
      return true;
  return false;
}

Value *length(const Instruction &I, EmitContext &C) {
  return C.B.CreateZExtOrTrunc(C.primal(bytes(I)), C.B.getInt64Ty());
}

/// The library's functions return their destination.
void returnDestination(const Instruction &I, TangentContext &C) {
  if (!I.getType()->isVoidTy() && C.carries(&I))
    C.setDual(&I, C.dual(destination(I)));
}

class BlockCopyRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (!C.hasShadow(destination(I)) || constantBytes(I) == 0)
      return;
    BlockLayout Layout = copyLayout(I, C).Layout;
    if (hasUnknown(Layout))
      return C.refuse(I, Diag::UnknownType,
                      {("byte " + Twine(firstUnknown(Layout)) +
                        " of the memory copied here")
                           .str()});
    if (!Layout.has(ConcreteType::Float))
      return;
    C.shadow(destination(I));
    if (C.hasShadow(I.getOperand(1)))
      C.shadow(I.getOperand(1));
    C.primal(bytes(I));
  }

  void propagate(const Instruction &I, TangentContext &C) const override {
    if (!C.carries(destination(I)))
      return;
    returnDestination(I, C);
    auto [Layout, Limit] = copyLayout(I, C);
    bool Floats = Layout.has(ConcreteType::Float);
    bool MoveFloats = Floats && C.carries(ConcreteType(ConcreteType::Float));
    Value *Bytes = length(I, C);
    if (Floats)
      emitLimitCheck(C, Bytes, Limit);
    if (Floats && !MoveFloats && !hasOthers(Layout))
      return;
    bool FromShadow = C.carries(I.getOperand(1));
    SmallVector<Value *, 2> In{C.dual(destination(I))};
    if (FromShadow)
      In.push_back(C.dual(I.getOperand(1)));
    const BlockLayout &Blocks = Layout;
    C.L.map(C.B, In, [&](ArrayRef<Value *> D) -> Value * {
      if (!FromShadow) {
        if (MoveFloats)
          C.B.CreateCall(blockFunction(C.module(), BlockOp::Clear, Blocks),
                         {D[0], D[0], Bytes});
        return nullptr;
      }
      if (!Floats || MoveFloats)
        C.B.CreateMemMove(D[0], MaybeAlign(), D[1], MaybeAlign(), Bytes);
      else
        C.B.CreateCall(blockFunction(C.module(), BlockOp::CopyPointers, Blocks),
                       {D[0], D[1], Bytes});
      return nullptr;
    });
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (!C.hasShadow(destination(I)) || constantBytes(I) == 0)
      return;
    BlockLayout Layout = copyLayout(I, C).Layout;
    if (!Layout.has(ConcreteType::Float))
      return;
    Value *Bytes = length(I, C);
    bool FromShadow = C.hasShadow(I.getOperand(1));
    SmallVector<Value *, 2> In{C.shadow(destination(I))};
    if (FromShadow)
      In.push_back(C.shadow(I.getOperand(1)));
    BlockOp Op = FromShadow ? BlockOp::AddAndClear : BlockOp::Clear;
    C.L.map(C.B, In, [&](ArrayRef<Value *> D) -> Value * {
      C.B.CreateCall(blockFunction(C.module(), Op, Layout),
                     {D[0], D.back(), Bytes});
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

  void propagate(const Instruction &I, TangentContext &C) const override {
    if (!C.carries(destination(I)))
      return;
    returnDestination(I, C);
    BlockLayout Layout = layoutOf(I, C);
    bool Floats = C.carries(ConcreteType(ConcreteType::Float));
    bool Others =
        Layout.has(ConcreteType::Pointer) || Layout.has(ConcreteType::Integer);
    if (Floats || (Others && !Layout.has(ConcreteType::Float))) {
      Value *Bytes = length(I, C);
      C.L.map(C.B, {C.dual(destination(I))},
              [&](ArrayRef<Value *> D) -> Value * {
                C.B.CreateMemSet(D[0], C.B.getInt8(0), Bytes, MaybeAlign());
                return nullptr;
              });
    }
  }

  /// Where nothing is known of the contents all of the shadow becomes zero:
  /// right for floats, and what stood there otherwise has been overwritten, so
  /// nothing before this point in the primal reads it again.
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
          if (Floats && hasOthers(Layout))
            C.B.CreateCall(blockFunction(C.module(), BlockOp::Clear, Layout),
                           {D[0], D[0], Bytes});
          else
            C.B.CreateMemSet(D[0], C.B.getInt8(0), Bytes, MaybeAlign());
          return nullptr;
        });
  }

private:
  static BlockLayout layoutOf(const Instruction &I, const RuleContext &C) {
    return C.facts().Types->memoryLayout(destination(I), constantBytes(I));
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
