// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   low  = trunc bits            joined = bits
//   high = trunc (lshr bits, 32)
//   joined = or (zext low), (shl (zext high), 32)
//
// A float that is taken apart and put together again is itself. And there is
// one value for its bits: adjoints of parts lie side by side there, whoever
// takes them, while those of several bit casts would be added as floats.
#include "Prepare/Stages.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

/// Operations behind one value that are looked at, and the bytes of a value.
constexpr unsigned MaxDepth = 24, MaxBytes = 16;

bool isBitsOfFloat(const Instruction &I) {
  return isa<BitCastInst>(I) && I.getType()->isIntegerTy() &&
         I.getOperand(0)->getType()->isFloatingPointTy();
}

/// Which byte of which value; of none: zero.
struct Byte {
  Value *Of = nullptr;
  unsigned Index = 0;
  bool operator==(const Byte &B) const {
    return Of == B.Of && Index == B.Index;
  }
};
using Bytes = SmallVector<Byte, 8>;

class ByteOrigins {
public:
  /// Of an integer of whole bytes.
  const Bytes &of(Value *V, unsigned Depth = 0) {
    if (auto It = Known.find(V); It != Known.end())
      return *It->second;
    auto Found = std::make_unique<Bytes>(find(V, Depth));
    return *(Known[V] = std::move(Found));
  }

  static bool isWhole(const Value *V) {
    return V->getType()->isIntegerTy() &&
           V->getType()->getIntegerBitWidth() % 8 == 0 &&
           V->getType()->getIntegerBitWidth() <= 8 * MaxBytes;
  }

private:
  static Bytes itself(Value *V) {
    Bytes Result;
    auto *C = dyn_cast<ConstantInt>(V);
    for (unsigned K = 0; K < V->getType()->getIntegerBitWidth() / 8; ++K)
      Result.push_back(C && C->getValue().extractBits(8, 8 * K).isZero()
                           ? Byte()
                           : Byte{V, K});
    return Result;
  }

  Bytes find(Value *V, unsigned Depth) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || Depth == MaxDepth || I->getNumOperands() == 0 ||
        !isWhole(I->getOperand(0)))
      return itself(V);
    const unsigned Size = V->getType()->getIntegerBitWidth() / 8;
    Value *X;
    const APInt *C;
    if (isa<TruncInst, ZExtInst>(I)) {
      Bytes Result = of(I->getOperand(0), Depth + 1);
      Result.resize(Size);
      return Result;
    }
    if (match(I, m_BSwap(m_Value(X)))) {
      Bytes Result = of(X, Depth + 1);
      std::reverse(Result.begin(), Result.end());
      return Result;
    }
    bool Left = match(I, m_Shl(m_Value(X), m_APInt(C)));
    if ((Left || match(I, m_LShr(m_Value(X), m_APInt(C)))) && C->ult(8 * Size))
      return C->urem(8) == 0
                 ? shifted(of(X, Depth + 1), C->getZExtValue() / 8, Left)
                 : itself(V);
    if (match(I, m_And(m_Value(X), m_APInt(C))))
      return masked(V, of(X, Depth + 1), *C);
    if (I->getOpcode() == Instruction::Or ||
        I->getOpcode() == Instruction::Add ||
        I->getOpcode() == Instruction::Xor)
      return joined(V, Bytes(of(I->getOperand(0), Depth + 1)),
                    of(I->getOperand(1), Depth + 1));
    return itself(V);
  }

  static Bytes shifted(const Bytes &From, unsigned By, bool Left) {
    Bytes Result(From.size());
    for (unsigned K = By; K < From.size(); ++K)
      (Left ? Result[K] : Result[K - By]) = Left ? From[K - By] : From[K];
    return Result;
  }

  static Bytes masked(Value *V, Bytes From, const APInt &Mask) {
    for (unsigned K = 0; K < From.size(); ++K) {
      APInt Part = Mask.extractBits(8, 8 * K);
      if (Part.isZero())
        From[K] = Byte();
      else if (!Part.isAllOnes() && From[K].Of)
        From[K] = Byte{V, K};
    }
    return From;
  }

  /// (Where one side is zero, a sum has no carry.)
  static Bytes joined(Value *V, Bytes A, const Bytes &B) {
    for (unsigned K = 0; K < A.size(); ++K) {
      if (A[K].Of && B[K].Of)
        return itself(V);
      if (!A[K].Of)
        A[K] = B[K];
    }
    return A;
  }

  DenseMap<Value *, std::unique_ptr<Bytes>> Known;
};

class PartJoiner {
public:
  explicit PartJoiner(Function &F) : F(F) {}

  bool run() {
    bool Changed = uniteBits();
    SmallVector<WeakTrackingVH, 16> Dead;
    for (Instruction &I : instructions(F)) {
      bool Joins = I.getOpcode() == Instruction::Or ||
                   I.getOpcode() == Instruction::Add ||
                   I.getOpcode() == Instruction::Xor ||
                   match(&I, m_BSwap(m_Value()));
      if (!Joins || !ByteOrigins::isWhole(&I) || I.use_empty())
        continue;
      Value *Whole = wholeOf(I);
      if (!Whole)
        continue;
      I.replaceAllUsesWith(Whole);
      Dead.push_back(&I);
    }
    for (WeakTrackingVH &I : Dead)
      if (I)
        RecursivelyDeleteTriviallyDeadInstructions(I);
    return Changed || !Dead.empty();
  }

private:
  /// One cast of each float, where the float is made.
  bool uniteBits() {
    MapVector<std::pair<Value *, Type *>, SmallVector<Instruction *, 2>> Casts;
    for (Instruction &I : instructions(F))
      if (isBitsOfFloat(I) && isa<Instruction, Argument>(I.getOperand(0)))
        Casts[{I.getOperand(0), I.getType()}].push_back(&I);
    bool Changed = false;
    for (auto &[Of, All] : Casts) {
      std::optional<BasicBlock::iterator> At = behind(*Of.first);
      if (!At || (All.size() == 1 && All[0]->getParent() == (*At)->getParent()))
        continue;
      auto *One = new BitCastInst(Of.first, Of.second, "adze.bits", *At);
      One->setDebugLoc(All[0]->getDebugLoc());
      for (Instruction *Cast : All) {
        Cast->replaceAllUsesWith(One);
        Cast->eraseFromParent();
      }
      Changed = true;
    }
    return Changed;
  }

  std::optional<BasicBlock::iterator> behind(Value &Float) {
    if (isa<Argument>(Float))
      return F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    return cast<Instruction>(Float).getInsertionPointAfterDef();
  }

  /// The value of which \p I has all bytes, or bytes in a row, or all in the
  /// opposite order; null where there is none.
  Value *wholeOf(Instruction &I) {
    const Bytes &From = Origins.of(&I);
    Value *Of = From.front().Of;
    if (!Of || Of == &I || isa<Constant>(Of))
      return nullptr;
    const unsigned Size = From.size(), First = From.front().Index;
    bool Up = true, Down = true;
    for (unsigned K = 0; K < Size; ++K) {
      Up &= From[K] == Byte{Of, First + K};
      Down &= From[K] == Byte{Of, First - K};
    }
    IRBuilder<> B(&I);
    const unsigned SizeOf = Of->getType()->getIntegerBitWidth() / 8;
    if (Up && Size == SizeOf)
      return Of;
    if (Up)
      return B.CreateTrunc(B.CreateLShr(Of, 8 * First), I.getType());
    if (Down && Size == SizeOf && Size % 2 == 0 &&
        I.getOpcode() != Instruction::Call)
      return B.CreateUnaryIntrinsic(Intrinsic::bswap, Of);
    return nullptr;
  }

  Function &F;
  ByteOrigins Origins;
};

} // namespace

bool joinParts(Function &F) {
  if (none_of(instructions(F), [](const Instruction &I) {
        return isa<BitCastInst>(I) &&
               I.getType()->isIntegerTy() !=
                   I.getOperand(0)->getType()->isIntegerTy();
      }))
    return false;
  return PartJoiner(F).run();
}

} // namespace adze
