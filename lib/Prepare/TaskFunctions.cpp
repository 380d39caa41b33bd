// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   entry(thread, block):    p = block.area.0, i = block.40, .. p[i] ..
//
// becomes a function of what the block holds, which makes a block of its own:
//
//   entry.task(p, i, ..):    .. p[i] ..
#include "Prepare/TaskFunctions.h"
#include "Prepare/Stages.h"
#include "adze/Teams.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

namespace {

/// The bits of \p V, an integer, may be those of a float that is kept, or
/// calculated with.
bool mayBeFloat(const Value &V) {
  if (!V.getType()->isIntOrIntVectorTy())
    return V.getType()->isFPOrFPVectorTy();
  SmallPtrSet<const Value *, 8> Seen;
  SmallVector<const Value *, 8> Work{&V};
  while (!Work.empty()) {
    const Value *From = Work.pop_back_val();
    if (!Seen.insert(From).second)
      continue;
    for (const User *U : From->users()) {
      if (isa<BitCastInst, StoreInst>(U))
        return true;
      if (isa<TruncInst, PHINode, SelectInst, FreezeInst, ZExtInst>(U))
        Work.push_back(U);
    }
  }
  return false;
}

/// Finds the words that the function of a task reads.
class WordFinder {
public:
  WordFinder(const Function &Entry, const TaskBlock &Block)
      : DL(Entry.getDataLayout()), Block(Block) {}

  bool find(const Function &Entry) {
    return visit(*Entry.getArg(1), /*InArea=*/false) && areApart();
  }

  SmallVector<TaskWord, 8> Words;

private:
  bool visit(const Value &Base, bool InArea);
  bool visitLoad(const LoadInst &Load, bool InArea, uint64_t At);
  bool areApart() const;

  struct Access {
    bool InArea;
    uint64_t Begin, End;
  };
  const DataLayout &DL;
  const TaskBlock &Block;
  SmallVector<Access, 4> Writes;
};

bool WordFinder::visitLoad(const LoadInst &Load, bool InArea, uint64_t At) {
  Type *Ty = Load.getType();
  if (!InArea && At == 0)
    return Ty->isPointerTy() && visit(Load, /*InArea=*/true);
  if (!Load.isSimple() || !Ty->isSingleValueType() ||
      isa<ScalableVectorType>(Ty))
    return false;
  for (TaskWord &Known : Words)
    if (Known.InArea == InArea && Known.Offset == At && Known.Ty == Ty) {
      Known.MayBeFloat |= mayBeFloat(Load);
      return true;
    }
  Words.push_back({InArea, At, Ty, mayBeFloat(Load)});
  return true;
}

/// All that is done with \p Base, the block or its area.
bool WordFinder::visit(const Value &Base, bool InArea) {
  const uint64_t Size = InArea ? Block.AreaBytes : Block.Bytes;
  SmallVector<std::pair<const Value *, uint64_t>, 8> Work{{&Base, 0}};
  while (!Work.empty()) {
    auto [V, At] = Work.pop_back_val();
    for (const Use &U : V->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (I->isDebugOrPseudoInst() || I->isLifetimeStartOrEnd())
        continue;
      if (auto *Step = dyn_cast<GetElementPtrInst>(I)) {
        APInt Offset(64, At);
        if (!Step->accumulateConstantOffset(DL, Offset))
          return false;
        Work.push_back({Step, Offset.getZExtValue()});
        continue;
      }
      if (auto *Load = dyn_cast<LoadInst>(I)) {
        if (At + DL.getTypeStoreSize(Load->getType()).getFixedValue() > Size ||
            !visitLoad(*Load, InArea, At))
          return false;
        continue;
      }
      // The task changes its copy.
      auto *Store = dyn_cast<StoreInst>(I);
      if (!Store || !Store->isSimple() || U.getOperandNo() != 1)
        return false;
      const uint64_t End =
          At + DL.getTypeStoreSize(Store->getValueOperand()->getType())
                   .getFixedValue();
      if (End > Size)
        return false;
      Writes.push_back({InArea, At, End});
    }
  }
  return true;
}

/// No word has bytes of another one, or is written in part.
bool WordFinder::areApart() const {
  auto endOf = [&](const TaskWord &W) {
    return W.Offset + DL.getTypeStoreSize(W.Ty).getFixedValue();
  };
  for (const TaskWord &W : Words) {
    auto overlaps = [&](bool InArea, uint64_t Begin, uint64_t End) {
      return InArea == W.InArea && Begin < endOf(W) && W.Offset < End;
    };
    for (const TaskWord &Other : Words)
      if (&Other != &W && overlaps(Other.InArea, Other.Offset, endOf(Other)))
        return false;
    for (const Access &Write : Writes)
      if (overlaps(Write.InArea, Write.Begin, Write.End) &&
          (Write.Begin != W.Offset || Write.End != endOf(W)))
        return false;
  }
  return true;
}

Value *threadNumber(IRBuilder<> &B, const Function &Entry, Constant &Place) {
  if (Entry.getArg(0)->use_empty())
    return B.getInt32(0);
  Module &M = *B.GetInsertBlock()->getModule();
  return B.CreateCall(M.getOrInsertFunction("__kmpc_global_thread_num",
                                            B.getInt32Ty(), B.getPtrTy()),
                      {&Place});
}

void copyDescription(Function &F, const Function &Entry) {
  F.setIsNewDbgInfoFormat(Entry.IsNewDbgInfoFormat);
  for (Attribute A : Entry.getAttributes().getFnAttrs())
    F.addFnAttr(A);
  F.removeFnAttr(Attribute::AlwaysInline);
  F.removeFnAttr(Attribute::Memory);
  F.addFnAttr(teams::RegionAttribute, "task");
  noteOriginal(F, Entry);
  F.setSubprogram(Entry.getSubprogram());
}

Function *makeFunction(Function &Entry, const TaskBlock &Block,
                       ArrayRef<TaskWord> Words, ArrayRef<Type *> Types,
                       const Twine &Name) {
  Module &M = *Entry.getParent();
  LLVMContext &C = M.getContext();
  auto *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), Types, false),
                       GlobalValue::InternalLinkage, Name, &M);
  copyDescription(*F, Entry);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  auto variable = [&](uint64_t Bytes, const Twine &Name) {
    AllocaInst *New =
        B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes), nullptr, Name);
    New->setAlignment(Align(16));
    return New;
  };
  AllocaInst *Own = variable(Block.Bytes, "task");
  AllocaInst *Area = variable(std::max<uint64_t>(Block.AreaBytes, 1), "area");
  B.CreateStore(Area, Own);
  for (auto [Word, Arg] : zip(Words, F->args())) {
    Value *V = &Arg;
    if (Arg.getType() != Word.Ty)
      V = B.CreateLoad(Word.Ty, &Arg);
    B.CreateStore(V, B.CreateConstInBoundsGEP1_64(
                         B.getInt8Ty(), Word.InArea ? Area : Own, Word.Offset));
  }
  CallInst *Call =
      B.CreateCall(&Entry, {threadNumber(B, Entry, *Block.Place), Own});
  if (DISubprogram *Scope = F->getSubprogram())
    Call->setDebugLoc(DILocation::get(C, Scope->getScopeLine(), 0, Scope));
  B.CreateRetVoid();
  InlineFunctionInfo Info;
  InlineFunction(*Call, Info);
  return F;
}

} // namespace

std::optional<TaskFunction>
taskFunction(Function &Entry, const TaskBlock &Block, bool ByReference) {
  WordFinder Finder(Entry, Block);
  if (Entry.hasOptNone() || !Finder.find(Entry))
    return std::nullopt;
  TaskFunction Result;
  Result.Words = std::move(Finder.Words);
  SmallVector<Type *, 8> Types;
  for (TaskWord &Word : Result.Words) {
    Word.MayBeFloat &= ByReference;
    Types.push_back(Word.MayBeFloat ? PointerType::getUnqual(Entry.getContext())
                                    : Word.Ty);
  }
  const std::string Name =
      (Entry.getName() + (ByReference ? ".task" : ".task.values")).str();
  // What it reads is the same each time.
  Result.F = Entry.getParent()->getFunction(Name);
  if (!Result.F)
    Result.F = makeFunction(Entry, Block, Result.Words, Types, Name);
  return Result;
}

} // namespace adze
