// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BlockFunctions.h"
#include "FloatBits.h"
#include "Words.h"
#include "adze/AtomicSum.h"
#include "adze/OwnFunction.h"
#include "adze/RuleContext.h"
#include "adze/RuntimeStop.h"
#include "adze/WordMoves.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

constexpr const char *EndName = "adze.block.end";
constexpr const char *TestName = "adze.block.test";
constexpr const char *BitsName = "adze.block.bits";
constexpr const char *SharedBitsName = "adze.block.sharedbits";
constexpr const char *DoublesName = ".doubles";

const char *nameOf(BlockOp Op) {
  switch (Op) {
  case BlockOp::AddAndClear:
    return "adze.block.add";
  case BlockOp::AddApart:
    return "adze.block.addapart";
  case BlockOp::Clear:
    return "adze.block.clear";
  case BlockOp::CopyPointers:
    break;
  case BlockOp::MoveWords:
    return "adze.block.movewords";
  case BlockOp::PlainWords:
    return "adze.block.plainwords";
  case BlockOp::AddShared:
    return "adze.block.addshared";
  case BlockOp::AddWords:
    return "adze.block.addwords";
  case BlockOp::AddSharedWords:
    return "adze.block.addsharedwords";
  }
  return "adze.block.copy";
}

/// Words that may be pointers or floats.
bool addsWords(BlockOp Op) {
  return Op == BlockOp::AddWords || Op == BlockOp::AddSharedWords;
}

bool addsShared(BlockOp Op) {
  return Op == BlockOp::AddShared || Op == BlockOp::AddSharedWords;
}

bool addsFloats(BlockOp Op) {
  return Op == BlockOp::AddAndClear || Op == BlockOp::AddApart ||
         addsShared(Op) || addsWords(Op);
}

/// Whether a block is walked upwards (i1); null if it may always be. The primal
/// of an overlapping move upwards runs from the last element to the first, so
/// its adjoint runs upwards, and the other way round; what goes forward runs as
/// the primal does.
Value *isWalkedUpwards(IRBuilder<> &B, BlockOp Op, Value *To, Value *From) {
  if (Op == BlockOp::AddApart)
    return nullptr;
  return addsFloats(Op) || Op == BlockOp::Clear ? B.CreateICmpUGE(To, From)
                                                : B.CreateICmpULT(To, From);
}

/// Going forward, of words alone.
bool isOfWords(BlockOp Op) {
  return Op == BlockOp::MoveWords || Op == BlockOp::PlainWords;
}

bool takesPart(BlockOp Op, const TypedRange &R) {
  if (isOfWords(Op))
    return R.Type.isKnown() ? !R.Type.isFloat() : isInWords(R);
  if (addsWords(Op) && R.Type.isPointer())
    return true;
  if (Op == BlockOp::AddShared)
    return R.Type.isFloat();
  bool Floats = R.Type.isFloat() || !R.Type.isKnown();
  return Floats == (Op != BlockOp::CopyPointers);
}

Function *declareBlockFunction(Module &M, const std::string &Name, bool &New) {
  New = false;
  if (Function *F = M.getFunction(Name))
    return F;
  New = true;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  auto *Ty = FunctionType::get(Type::getVoidTy(C),
                               {Ptr, Ptr, Type::getInt64Ty(C)}, false);
  Function *F = createOwn(Ty, GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::AlwaysInline);
  F->addFnAttr(Attribute::NoUnwind);
  return F;
}

/// A loop of \p Count iterations (none if 0). \p Body gets the index, which
/// runs upwards where \p Upwards (i1) is true or null, else downwards.
void emitLoop(IRBuilder<> &B, Value *Count, Value *Upwards,
              function_ref<void(Value *)> Body) {
  Function *F = B.GetInsertBlock()->getParent();
  LLVMContext &C = F->getContext();
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Loop = BasicBlock::Create(C, "loop", F);
  BasicBlock *Done = BasicBlock::Create(C, "done", F);
  B.CreateCondBr(B.CreateICmpEQ(Count, B.getInt64(0)), Done, Loop);
  B.SetInsertPoint(Loop);
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2, "i");
  I->addIncoming(B.getInt64(0), Before);
  Value *Index = I;
  if (Upwards) {
    Value *Last = B.CreateSub(Count, B.getInt64(1));
    Index = B.CreateSelect(Upwards, I, B.CreateSub(Last, I));
  }
  Body(Index);
  Value *Next =
      B.CreateAdd(I, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  I->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpEQ(Next, Count), Done, Loop);
  B.SetInsertPoint(Done);
}

/// bytes divided by the size, rounded up. A block that does not repeat has no
/// size: it is there once.
Value *countOf(IRBuilder<> &B, Value *Bytes, uint64_t Size) {
  if (Size == UINT64_MAX)
    return B.CreateZExt(B.CreateICmpNE(Bytes, B.getInt64(0)), B.getInt64Ty());
  return B.CreateUDiv(B.CreateAdd(Bytes, B.getInt64(Size - 1)),
                      B.getInt64(Size));
}

/// Of a block of floats at \p Shadow that ends within the last one: its adjoint
/// must be zero, for a part of a float has none. The count of whole floats.
Value *emitEndCheck(IRBuilder<> &B, Value *Shadow, Value *Bytes, Type *Float) {
  const DataLayout &DL = B.GetInsertBlock()->getModule()->getDataLayout();
  Function *F = B.GetInsertBlock()->getParent();
  uint64_t Size = DL.getTypeAllocSize(Float);
  // What lies between floats is none of them (x86_fp80).
  uint64_t Gap = Size - DL.getTypeStoreSize(Float);
  Value *Count =
      B.CreateUDiv(B.CreateAdd(Bytes, B.getInt64(Gap)), B.getInt64(Size));
  BasicBlock *Cut = BasicBlock::Create(B.getContext(), "cut", F);
  BasicBlock *Used = BasicBlock::Create(B.getContext(), "used", F);
  BasicBlock *Whole = BasicBlock::Create(B.getContext(), "whole", F);
  Value *End = B.CreateMul(Count, B.getInt64(Size));
  B.CreateCondBr(B.CreateICmpUGT(Bytes, End), Cut, Whole);
  B.SetInsertPoint(Cut);
  Value *Last =
      B.CreateAlignedLoad(Float, B.CreateGEP(Float, Shadow, Count), Align(1));
  B.CreateCondBr(B.CreateFCmpUNE(Last, ConstantFP::get(Float, 0.0)), Used,
                 Whole);
  B.SetInsertPoint(Used);
  emitRuntimeStop(B,
                  "a part of an active float was overwritten by a block, and "
                  "the whole is used");
  B.CreateUnreachable();
  B.SetInsertPoint(Whole);
  return Count;
}

/// The sums of one kind of float, densely packed.
Function *uniformFunction(Module &M, BlockOp Op, Type *Float) {
  std::string Name = nameOf(Op);
  raw_string_ostream(Name) << '.' << *Float;
  bool New;
  Function *F = declareBlockFunction(M, Name, New);
  if (!New)
    return F;
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  Value *To = F->getArg(0), *From = F->getArg(1), *Bytes = F->getArg(2);
  Value *Upwards = isWalkedUpwards(B, Op, To, From);
  Value *Count = emitEndCheck(B, To, Bytes, Float);
  emitLoop(B, Count, Upwards, [&](Value *I) {
    Value *Destination = B.CreateGEP(Float, To, I);
    Value *Source = B.CreateGEP(Float, From, I);
    Value *Adjoint = B.CreateAlignedLoad(Float, Destination, Align(1));
    B.CreateAlignedStore(ConstantFP::get(Float, 0.0), Destination, Align(1));
    if (addsShared(Op))
      return addAtomically(B, Source, Adjoint);
    Value *Old = B.CreateAlignedLoad(Float, Source, Align(1));
    B.CreateAlignedStore(B.CreateFAdd(Old, Adjoint), Source, Align(1));
  });
  B.CreateRetVoid();
  return F;
}

/// The adjoint of a copy of bytes of unknown type.
Function *bitsFunction(Module &M, bool Shared) {
  bool New;
  Function *F =
      declareBlockFunction(M, Shared ? SharedBitsName : BitsName, New);
  if (!New)
    return F;
  F->removeFnAttr(Attribute::AlwaysInline);
  setWordMove(*F, WordMove::Adds);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  Value *To = F->getArg(0), *From = F->getArg(1), *Bytes = F->getArg(2);
  emitLoop(B, Bytes, B.CreateICmpUGE(To, From), [&](Value *I) {
    Value *D = B.CreateGEP(B.getInt8Ty(), To, I);
    Value *S = B.CreateGEP(B.getInt8Ty(), From, I);
    Value *Adjoint = B.CreateLoad(B.getInt8Ty(), D);
    B.CreateStore(B.getInt8(0), D);
    if (Shared) {
      B.CreateCall(sharedByteSum(M), {S, Adjoint});
      return;
    }
    Value *Old = B.CreateLoad(B.getInt8Ty(), S);
    B.CreateStore(addBits(B, Old, Adjoint), S);
  });
  B.CreateRetVoid();
  return F;
}

/// MoveWords, PlainWords, AddWords or AddSharedWords, of words of unknown type.
/// \p Typed: what could be an address is one.
/// \p Doubles: what could be a float is a double.
Function *wordsFunction(Module &M, BlockOp Op, bool Typed, bool Doubles) {
  bool New;
  const bool Adds = addsWords(Op), Shared = addsShared(Op);
  std::string Name = nameOf(Op);
  Name += Typed ? ".typed" : "";
  Name += Doubles ? DoublesName : "";
  Function *F = declareBlockFunction(M, Name, New);
  if (!New)
    return F;
  F->removeFnAttr(Attribute::AlwaysInline);
  setWordMove(*F, Adds ? WordMove::Adds : WordMove::Copies);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  Value *To = F->getArg(0), *From = F->getArg(1), *Bytes = F->getArg(2);
  Value *Upwards = isWalkedUpwards(B, Op, To, From);
  Value *Count = B.CreateLShr(Bytes, 3), *Zero = B.getInt64(0);
  Type *Word = B.getInt64Ty();
  emitLoop(B, Count, Upwards, [&](Value *I) {
    Value *D = B.CreateGEP(Word, To, I), *S = B.CreateGEP(Word, From, I);
    if (Op == BlockOp::PlainWords) {
      Value *Here = B.CreateLoad(Word, S);
      B.CreateStore(B.CreateSelect(looksLikeAddress(B, Here), Here, Zero), D);
      return;
    }
    Value *There = B.CreateLoad(Word, D);
    if (!Adds) {
      B.CreateStore(movedWord(B, B.CreateLoad(Word, S), There, Typed), D);
      return;
    }
    Value *Left = nullptr;
    Value *Adjoint = takenFromWord(B, There, Typed, Left);
    B.CreateStore(Left, D);
    if (Shared) {
      B.CreateCall(sharedWordSum(M, Typed, Doubles), {S, Adjoint});
      return;
    }
    B.CreateStore(
        addedToWord(B, B.CreateLoad(Word, S), Adjoint, Typed, Doubles), S);
  });
  if (Adds) { // no pointer fits in
    Value *Done = B.CreateShl(Count, 3);
    B.CreateCall(bitsFunction(M, Shared),
                 {B.CreateGEP(B.getInt8Ty(), To, Done),
                  B.CreateGEP(B.getInt8Ty(), From, Done),
                  B.CreateSub(Bytes, Done)});
  }
  B.CreateRetVoid();
  return F;
}

/// Calls \p Body upwards where \p Upwards (i1) is true or null, else downwards.
void emitInOrder(IRBuilder<> &B, Value *Upwards,
                 ArrayRef<const TypedRange *> Ranges,
                 function_ref<void(const TypedRange &)> Body) {
  if (Ranges.size() < 2 || !Upwards) {
    for (const TypedRange *R : Ranges)
      Body(*R);
    return;
  }
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Up = BasicBlock::Create(B.getContext(), "up", F);
  BasicBlock *Down = BasicBlock::Create(B.getContext(), "down", F);
  BasicBlock *Next = BasicBlock::Create(B.getContext(), "next", F);
  B.CreateCondBr(Upwards, Up, Down);
  B.SetInsertPoint(Up);
  for (const TypedRange *R : Ranges)
    Body(*R);
  B.CreateBr(Next);
  B.SetInsertPoint(Down);
  for (const TypedRange *R : reverse(Ranges))
    Body(*R);
  B.CreateBr(Next);
  B.SetInsertPoint(Next);
}

/// Calls \p Body for a period of which all ranges are there, if \p Left bytes
/// have one, so that their lengths are constants; and for one that may end
/// within them. Of many ranges there is only the second.
void emitByWholeness(IRBuilder<> &B, const BlockLayout &Layout,
                     size_t NumRanges, Value *Left,
                     function_ref<void(bool IsWhole)> Body) {
  constexpr size_t MostRanges = 8;
  if (Layout.Period == UINT64_MAX || NumRanges > MostRanges)
    return Body(/*IsWhole=*/false);
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Whole = BasicBlock::Create(B.getContext(), "period", F);
  BasicBlock *Part = BasicBlock::Create(B.getContext(), "part", F);
  BasicBlock *Next = BasicBlock::Create(B.getContext(), "next", F);
  B.CreateCondBr(B.CreateICmpUGE(Left, B.getInt64(Layout.Period)), Whole, Part);
  B.SetInsertPoint(Whole);
  Body(/*IsWhole=*/true);
  B.CreateBr(Next);
  B.SetInsertPoint(Part);
  Body(/*IsWhole=*/false);
  B.CreateBr(Next);
  B.SetInsertPoint(Next);
}

/// Calls \p Add unless the \p Bytes at \p Adjoint are zero, as those between
/// members of a record are: one test instead of one for each byte.
void emitUnlessZero(IRBuilder<> &B, Value *Adjoint, uint64_t Bytes,
                    function_ref<void()> Add) {
  constexpr uint64_t MostBytes = 16;
  if (Bytes > MostBytes)
    return Add();
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Used = BasicBlock::Create(B.getContext(), "used", F);
  BasicBlock *Next = BasicBlock::Create(B.getContext(), "next", F);
  Value *Bits = B.CreateAlignedLoad(B.getIntNTy(Bytes * 8), Adjoint, Align(1));
  B.CreateCondBr(B.CreateIsNull(Bits), Next, Used);
  B.SetInsertPoint(Used);
  Add();
  B.CreateBr(Next);
  B.SetInsertPoint(Next);
}

/// min(Length, Bytes - Begin), not below zero.
Value *clampLength(IRBuilder<> &B, Value *Begin, uint64_t Length,
                   Value *Bytes) {
  Value *Left = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Bytes, Begin);
  return B.CreateBinaryIntrinsic(Intrinsic::umin, Left, B.getInt64(Length));
}

} // namespace

/// The type of the floats that such a block is full of; null if it is not.
static Type *onlyFloatOf(const BlockLayout &Layout) {
  return Layout.Ranges.size() == 1 && Layout.Ranges[0].Type.isFloat() &&
                 Layout.Ranges[0].Begin == 0 &&
                 Layout.Ranges[0].End == Layout.Period
             ? Layout.Ranges[0].Type.floatType()
             : nullptr;
}

bool canAddAtomically(const BlockLayout &Layout, bool InWords) {
  return all_of(Layout.Ranges, [&](const TypedRange &R) {
    if (!R.Type.isKnown()) // between members: tested, or added by bytes
      return (InWords && isInWords(R)) || R.End - R.Begin < WordSize;
    if (!R.Type.isFloat())
      return true;
    const Type *Float = R.Type.floatType();
    const uint64_t Size = Float->getPrimitiveSizeInBits() / 8;
    return canAddAtomically(Float) && R.Begin % Size == 0 &&
           (Layout.Period == UINT64_MAX || Layout.Period % Size == 0);
  });
}

bool isInWords(const TypedRange &R) { return R.Begin % WordSize == 0; }

bool keepsToWords(const BlockLayout &Layout) {
  return Layout.Period == UINT64_MAX || Layout.Period % WordSize == 0;
}

Function *blockFunction(Module &M, BlockOp Op, const BlockLayout &Layout,
                        bool Doubles) {
  if (addsFloats(Op))
    if (Type *Float = onlyFloatOf(Layout))
      return uniformFunction(M, Op, Float);

  // The name says what was decided: a function that another file brought along
  // (LTO) was made for other floats.
  std::string Name = nameOf(Op);
  raw_string_ostream OS(Name);
  OS << (Doubles ? DoublesName : "") << '.' << Layout.Period;
  for (const TypedRange &R : Layout.Ranges)
    if (takesPart(Op, R))
      OS << '.' << R.Begin << '-' << R.End << R.Type.str();
  bool New;
  Function *F = declareBlockFunction(M, OS.str(), New);
  if (!New)
    return F;
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  Value *To = F->getArg(0), *From = F->getArg(1), *Bytes = F->getArg(2);
  SmallVector<const TypedRange *, 8> Ranges;
  for (const TypedRange &R : Layout.Ranges)
    if (takesPart(Op, R))
      Ranges.push_back(&R);
  if (Op == BlockOp::Clear && Ranges.size() == 1 && Ranges[0]->Begin == 0 &&
      Ranges[0]->End == Layout.Period) {
    B.CreateMemSet(To, B.getInt8(0), Bytes, MaybeAlign());
    B.CreateRetVoid();
    return F;
  }
  auto move = [&](const TypedRange &R, Value *Base, bool IsWhole) {
    Value *Begin = B.CreateAdd(Base, B.getInt64(R.Begin));
    Value *Length = IsWhole ? B.getInt64(R.End - R.Begin)
                            : clampLength(B, Begin, R.End - R.Begin, Bytes);
    Value *D = B.CreateGEP(B.getInt8Ty(), To, Begin);
    Value *S = B.CreateGEP(B.getInt8Ty(), From, Begin);
    if (Op == BlockOp::CopyPointers || (isOfWords(Op) && R.Type.isKnown()))
      B.CreateMemMove(D, Align(1), S, Align(1), Length);
    else if (Op == BlockOp::Clear) // not one byte more: another float's
      B.CreateMemSet(D, B.getInt8(0), Length, MaybeAlign());
    else if (R.Type.isFloat())
      B.CreateCall(uniformFunction(M, Op, R.Type.floatType()), {D, S, Length});
    else if (Op == BlockOp::AddAndClear || Op == BlockOp::AddApart)
      emitUnlessZero(B, D, IsWhole ? R.End - R.Begin : UINT64_MAX, [&] {
        B.CreateCall(bitsFunction(M, /*Shared=*/false), {D, S, Length});
      });
    else
      B.CreateCall(
          Op == BlockOp::AddSharedWords && !isInWords(R)
              ? bitsFunction(M, /*Shared=*/true)
              : wordsFunction(M, Op, R.Type.isPointer() || Doubles, Doubles),
          {D, S, Length});
  };
  Value *Upwards = isWalkedUpwards(B, Op, To, From);
  emitLoop(B, countOf(B, Bytes, Layout.Period), Upwards, [&](Value *I) {
    Value *Base = B.CreateMul(I, B.getInt64(Layout.Period));
    emitByWholeness(
        B, Layout, Ranges.size(), B.CreateSub(Bytes, Base), [&](bool IsWhole) {
          emitInOrder(B, Upwards, Ranges,
                      [&](const TypedRange &R) { move(R, Base, IsWhole); });
        });
  });
  B.CreateRetVoid();
  return F;
}

Function *pointerTest(Module &M, const BlockLayout &Layout) {
  std::string Name = TestName;
  raw_string_ostream OS(Name);
  OS << '.' << Layout.Period;
  SmallVector<const TypedRange *, 8> Ranges;
  for (const TypedRange &R : Layout.Ranges)
    if (!R.Type.isKnown()) {
      Ranges.push_back(&R);
      OS << '.' << R.Begin << '-' << R.End;
    }
  bool New;
  Function *F = declareBlockFunction(M, Name, New);
  if (!New)
    return F;
  F->removeFnAttr(Attribute::AlwaysInline);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  Value *Shadow = F->getArg(0), *Bytes = F->getArg(2);
  emitLoop(B, countOf(B, Bytes, Layout.Period), nullptr, [&](Value *I) {
    Value *Base = B.CreateMul(I, B.getInt64(Layout.Period));
    for (const TypedRange *R : Ranges) {
      Value *Begin = B.CreateAdd(Base, B.getInt64(R->Begin));
      Value *Length = clampLength(B, Begin, R->End - R->Begin, Bytes);
      Value *At = B.CreateGEP(B.getInt8Ty(), Shadow, Begin);
      emitLoop(B, Length, nullptr, [&](Value *K) {
        Value *Byte =
            B.CreateLoad(B.getInt8Ty(), B.CreateGEP(B.getInt8Ty(), At, K));
        emitRuntimeStopIf(B, B.CreateIsNotNull(Byte),
                          "bytes of unknown type are copied that may be floats "
                          "or pointers: their shadow is not zero");
      });
    }
  });
  B.CreateRetVoid();
  return F;
}

void ReverseContext::accumulateBlock(Value *Into, Value *From, Value *Bytes,
                                     const BlockLayout &Layout, BlockSum How) {
  const bool InWords = How == BlockSum::Words || How == BlockSum::SharedWords;
  const BlockOp Op = How == BlockSum::SharedWords ? BlockOp::AddSharedWords
                     : How == BlockSum::Words     ? BlockOp::AddWords
                     : How == BlockSum::Shared    ? BlockOp::AddShared
                     : How == BlockSum::Apart     ? BlockOp::AddApart
                                                  : BlockOp::AddAndClear;
  if (Op == BlockOp::AddShared &&
      any_of(Layout.Ranges,
             [](const TypedRange &R) { return !R.Type.isKnown(); }))
    B.CreateCall(pointerTest(module(), Layout), {From, From, Bytes});
  B.CreateCall(blockFunction(module(), Op, Layout, InWords && F.DoublesAlone),
               {From, Into, Bytes});
}

Function *endFunction(Module &M, Type *Float) {
  std::string Name = EndName;
  raw_string_ostream(Name) << '.' << *Float;
  bool New;
  Function *F = declareBlockFunction(M, Name, New);
  if (!New)
    return F;
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  emitEndCheck(B, F->getArg(0), F->getArg(2), Float);
  B.CreateRetVoid();
  return F;
}

} // namespace adze
