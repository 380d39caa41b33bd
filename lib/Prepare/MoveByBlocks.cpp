// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's own memcpy and swap, by bytes or by words:
//
//   for (i < n) d[i] = s[i]       becomes  memmove(d, s, n)
//   for (i < n) a[i] <-> b[i]     becomes  memcpy(t, a, n), memmove(a, b, n),
//                                          memcpy(b, t, n)
//
// So bytes that are parts of floats and addresses move together, and the rules
// of blocks see whole ones. Where the two ranges may overlap a test decides
// when the program runs; where they do, the elements move one by one as they
// did. Only integers move so: what is loaded and stored as a float or a pointer
// stays a loop. (LLVM's LoopIdiomRecognize does the first, where it can prove
// that nothing overlaps.)
//
// Elements follow each other in a block of code (a loop that was unrolled), in
// the iterations of a loop, or in both.
#include "Loops/LoopAccess.h"
#include "Prepare/ByteChains.h"
#include "Prepare/Stages.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

using namespace llvm;

namespace adze {
namespace {

/// What two ranges are exchanged through. Larger ones go element by element.
constexpr uint64_t BufferSize = 1024;
/// In a block of code fewer bytes than this are no whole float or address.
constexpr uint64_t WholeSize = 8;

/// Two ranges of equal length, and when their elements may move as a block.
struct BlockMove {
  Value *To = nullptr, *Source = nullptr, *Bytes = nullptr;
  Align ToAlign, SourceAlign;
  bool Exchange = false, Down = false;
  bool Safe = false; // always
  /// i1: the pointers are right; null: always.
  Value *Starts = nullptr;
};

/// A chain that a loop repeats.
struct LoopMove {
  Chain Repeated;
  BlockMove Move;
  BasicBlock *Preheader = nullptr, *Exit = nullptr;
  SmallVector<std::pair<PHINode *, Value *>, 2> Results;
};

/// ScalarEvolution proves that a counter does not wrap when it counts the loop,
/// and what it made of the counter before stays as it was: the extended counter
/// becomes a counter of the wider type.
class ExtendCounters : public SCEVRewriteVisitor<ExtendCounters> {
public:
  explicit ExtendCounters(ScalarEvolution &SE) : SCEVRewriteVisitor(SE) {}

  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    auto *Counter = dyn_cast<SCEVAddRecExpr>(visit(E->getOperand()));
    if (!Counter || !Counter->isAffine() || !Counter->hasNoUnsignedWrap())
      return SCEVRewriteVisitor::visitZeroExtendExpr(E);
    return SE.getAddRecExpr(
        SE.getZeroExtendExpr(Counter->getStart(), E->getType()),
        SE.getZeroExtendExpr(Counter->getStepRecurrence(SE), E->getType()),
        Counter->getLoop(), SCEV::FlagAnyWrap);
  }

  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *E) {
    auto *Counter = dyn_cast<SCEVAddRecExpr>(visit(E->getOperand()));
    if (!Counter || !Counter->isAffine() || !Counter->hasNoSignedWrap())
      return SCEVRewriteVisitor::visitSignExtendExpr(E);
    return SE.getAddRecExpr(
        SE.getSignExtendExpr(Counter->getStart(), E->getType()),
        SE.getSignExtendExpr(Counter->getStepRecurrence(SE), E->getType()),
        Counter->getLoop(), SCEV::FlagAnyWrap);
  }
};

/// The program tells, by its type, that \p I moves bytes of just anything.
bool isOfAnything(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  auto *Type = Tag && Tag->getNumOperands() > 1
                   ? dyn_cast<MDNode>(Tag->getOperand(1))
                   : nullptr;
  auto *Name = Type && Type->getNumOperands() > 0
                   ? dyn_cast<MDString>(Type->getOperand(0))
                   : nullptr;
  return Name && Name->getString() == "omnipotent char";
}

class BlockMoving {
public:
  BlockMoving(Function &F, FunctionAnalysisManager &FAM)
      : F(F), DL(F.getDataLayout()), AA(FAM.getResult<AAManager>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        Expander(SE, DL, "adze.move") {}

  bool run();

private:
  Function &F;
  const DataLayout &DL;
  AAResults &AA;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  SCEVExpander Expander;

  enum class Overlap { None, Possible, Bad };
  Overlap overlap(const BlockMove &M, const SCEV *To, const SCEV *Source,
                  const SCEV *Bytes);
  std::optional<Chain> onlyChain(Loop &L);
  std::optional<LoopMove> findLoopMove(Loop &L);
  bool findResults(Loop &L, LoopMove &Found);
  Value *pointerBefore(Loop &L, Value *Ptr);
  Value *expandPointer(Loop &L, Value *Ptr, const SCEV *Address, BlockMove &M);
  std::optional<BlockMove> straightMove(const Chain &C);

  Value *mayMove(IRBuilder<> &B, const BlockMove &M);
  AllocaInst *buffer(uint64_t Size);
  void emitMove(IRBuilder<> &B, const BlockMove &M);
  void emitElement(const Element &E, IRBuilder<> &B);
  void replaceLoop(LoopMove &Found);
  void replaceChain(const Chain &C, const BlockMove &M);
};

/// Of ranges with these lowest addresses: None, where \p M is right for all
/// that is known; Bad, where it will seldom be.
BlockMoving::Overlap BlockMoving::overlap(const BlockMove &M, const SCEV *To,
                                          const SCEV *Source,
                                          const SCEV *Bytes) {
  const SCEV *D = SE.getMinusSCEV(To, Source);
  if (isa<SCEVCouldNotCompute>(D))
    return Overlap::Possible;
  const SCEV *Back = SE.getNegativeSCEV(D);
  if (SE.isKnownPredicate(ICmpInst::ICMP_SGE, D, Bytes) ||
      SE.isKnownPredicate(ICmpInst::ICMP_SGE, Back, Bytes))
    return Overlap::None;
  if (!M.Exchange && SE.isKnownNonNegative(M.Down ? D : Back))
    return Overlap::None;
  return isa<SCEVConstant>(D) ? Overlap::Bad : Overlap::Possible;
}

/// The chain that \p L repeats, if it does nothing else with memory.
std::optional<Chain> BlockMoving::onlyChain(Loop &L) {
  SmallVector<Chain, 1> Chains;
  unsigned Accesses = 0;
  for (BasicBlock *B : L.blocks()) {
    for (Instruction &I : *B) {
      Accesses += isa<LoadInst>(I) || isa<StoreInst>(I);
      if (!isa<LoadInst>(I) && !isa<StoreInst>(I) &&
          (I.mayReadOrWriteMemory() ||
           !isGuaranteedToTransferExecutionToSuccessor(&I)))
        return std::nullopt;
    }
    findChains(*B, SE, Chains);
  }
  if (Chains.size() != 1)
    return std::nullopt;
  const Element &E = Chains[0].Elements.front();
  if (Accesses !=
      Chains[0].Elements.size() * (E.Loads.size() + E.Stores.size()))
    return std::nullopt;
  return std::move(Chains[0]);
}

/// What the code behind \p L reads of it, from values before it.
bool BlockMoving::findResults(Loop &L, LoopMove &Found) {
  Instruction *At = Found.Preheader->getTerminator();
  for (PHINode &Phi : Found.Exit->phis()) {
    Value *V = Phi.getIncomingValue(0);
    if (Phi.use_empty()) {
      Found.Results.push_back({&Phi, PoisonValue::get(Phi.getType())});
      continue;
    }
    if (!L.isLoopInvariant(V)) {
      if (!SE.isSCEVable(V->getType()))
        return false;
      const SCEV *Last = SE.getSCEVAtScope(V, L.getParentLoop());
      if (!SE.isLoopInvariant(Last, &L) || !Expander.isSafeToExpandAt(Last, At))
        return false;
      V = Expander.expandCodeFor(Last, V->getType(), At);
    }
    Found.Results.push_back({&Phi, V});
  }
  return true;
}

/// What \p Ptr, in \p L, starts from before the loop.
Value *BlockMoving::pointerBefore(Loop &L, Value *Ptr) {
  SmallPtrSet<Value *, 8> Seen;
  while (!L.isLoopInvariant(Ptr) && Seen.insert(Ptr).second) {
    auto *Phi = dyn_cast<PHINode>(Ptr);
    if (auto *Step = dyn_cast<GEPOperator>(Ptr))
      Ptr = Step->getPointerOperand();
    else if (Phi && Phi->getParent() == L.getHeader())
      Ptr = Phi->getIncomingValueForBlock(L.getLoopPreheader());
    else
      return nullptr;
  }
  return L.isLoopInvariant(Ptr) ? Ptr : nullptr;
}

/// \p Address, of what \p Ptr runs over, before \p L. It is made from the
/// pointer that the program has there: types know more of that than of what
/// ScalarEvolution makes of all steps together. A loop that runs \p M down
/// mostly ends there, and if it cannot be told, the run tells.
Value *BlockMoving::expandPointer(Loop &L, Value *Ptr, const SCEV *Address,
                                  BlockMove &M) {
  Instruction *At = L.getLoopPreheader()->getTerminator();
  Value *Base = pointerBefore(L, Ptr);
  const SCEV *Offset = Base ? SE.getMinusSCEV(Address, SE.getSCEV(Base))
                            : SE.getCouldNotCompute();
  if (isa<SCEVCouldNotCompute>(Offset) ||
      !Expander.isSafeToExpandAt(Offset, At))
    return Expander.expandCodeFor(Address, Address->getType(), At);
  if (Offset->isZero())
    return Base;
  Value *By = Expander.expandCodeFor(Offset, Offset->getType(), At);
  IRBuilder<> B(At);
  if (!M.Down || isa<Constant>(By))
    return B.CreatePtrAdd(Base, By);
  Value *Starts = B.CreateIsNull(By);
  M.Starts = M.Starts ? B.CreateAnd(M.Starts, Starts) : Starts;
  return Base;
}

std::optional<LoopMove> BlockMoving::findLoopMove(Loop &L) {
  LoopMove Found;
  Found.Preheader = L.getLoopPreheader();
  Found.Exit = L.getUniqueExitBlock();
  BasicBlock *Exiting = L.getExitingBlock(), *Latch = L.getLoopLatch();
  if (!Found.Preheader || !Found.Exit || !Exiting || !Latch ||
      Found.Exit->getSinglePredecessor() != Exiting)
    return std::nullopt;
  std::optional<Chain> C = onlyChain(L);
  if (!C)
    return std::nullopt;
  const Element &First = C->Elements.front();
  BasicBlock *B = First.Stores.front()->getParent();
  const SCEV *Back = SE.getBackedgeTakenCount(&L);
  ExtendCounters Extended(SE);
  auto advance = [&](Value *Ptr) {
    return advanceIn(Extended.visit(SE.getSCEV(Ptr)), L);
  };
  const SCEVAddRecExpr *To = advance(First.To), *Source = advance(First.Source);
  if (!To || !Source || !DT.dominates(B, Latch) ||
      isa<SCEVCouldNotCompute>(Back))
    return std::nullopt;
  const SCEVConstant *Step = constantStepIn(To, L, SE);
  if (!Step || Step != Source->getStepRecurrence(SE) ||
      Step->getAPInt().abs() != C->size())
    return std::nullopt;
  bool Down = Step->getAPInt().isNegative();
  if (C->Elements.size() > 1 && Down != C->Down)
    return std::nullopt;
  C->Down = Down;

  Type *I64 = Type::getInt64Ty(F.getContext());
  const SCEV *Count = DT.dominates(B, Exiting)
                          ? SE.getTripCountFromExitCount(Back, I64, &L)
                          : SE.getTruncateOrZeroExtend(Back, I64);
  if (isa<SCEVCouldNotCompute>(Count))
    return std::nullopt;
  const SCEV *Bytes = SE.getMulExpr(Count, SE.getConstant(I64, C->size()));
  const SCEV *ToStart = To->getStart(), *SourceStart = Source->getStart();
  if (Down) { // the last element of the last iteration
    const SCEV *Ahead = SE.getMinusSCEV(Bytes, SE.getConstant(I64, First.Size));
    ToStart = SE.getMinusSCEV(ToStart, Ahead);
    SourceStart = SE.getMinusSCEV(SourceStart, Ahead);
  }
  BlockMove &M = Found.Move;
  M.Exchange = C->exchanges();
  M.Down = Down;
  Instruction *At = Found.Preheader->getTerminator();
  if (!Expander.isSafeToExpandAt(Bytes, At) ||
      !Expander.isSafeToExpandAt(ToStart, At) ||
      !Expander.isSafeToExpandAt(SourceStart, At) || !findResults(L, Found))
    return std::nullopt;
  Overlap O = overlap(M, ToStart, SourceStart, Bytes);
  if (O == Overlap::Bad)
    return std::nullopt;
  M.To = expandPointer(L, First.To, ToStart, M);
  M.Source = expandPointer(L, First.Source, SourceStart, M);
  M.Bytes = Expander.expandCodeFor(Bytes, I64, At);
  M.ToAlign = First.ToAlign;
  M.SourceAlign = First.SourceAlign;
  M.Safe = O == Overlap::None ||
           AA.isNoAlias(MemoryLocation::getBeforeOrAfter(M.To),
                        MemoryLocation::getBeforeOrAfter(M.Source));
  Found.Repeated = std::move(*C);
  return Found;
}

/// How \p C moves by itself.
std::optional<BlockMove> BlockMoving::straightMove(const Chain &C) {
  const Element &First = C.Elements.front();
  bool OfWords = First.Size >= WholeSize;
  if (C.Elements.size() < 2 || C.size() < WholeSize ||
      (OfWords && !isOfAnything(*First.Stores.front())) ||
      (First.Exchange && C.size() > BufferSize))
    return std::nullopt;
  BlockMove M;
  M.To = C.lowest().To;
  M.Source = C.lowest().Source;
  M.ToAlign = C.lowest().ToAlign;
  M.SourceAlign = C.lowest().SourceAlign;
  M.Exchange = C.exchanges();
  M.Down = C.Down;
  Type *I64 = Type::getInt64Ty(F.getContext());
  M.Bytes = ConstantInt::get(I64, C.size());
  Overlap O = overlap(M, SE.getSCEV(M.To), SE.getSCEV(M.Source),
                      SE.getConstant(I64, C.size()));
  if (O == Overlap::Bad)
    return std::nullopt;
  LocationSize Size = LocationSize::precise(C.size());
  M.Safe = O == Overlap::None || AA.isNoAlias(MemoryLocation(M.To, Size),
                                              MemoryLocation(M.Source, Size));
  return M;
}

/// i1: the elements of \p M may move together; null if they may always.
Value *BlockMoving::mayMove(IRBuilder<> &B, const BlockMove &M) {
  Value *May = M.Starts;
  auto also = [&](Value *Condition) {
    May = May ? B.CreateAnd(May, Condition) : Condition;
  };
  if (M.Exchange && !isa<ConstantInt>(M.Bytes))
    also(B.CreateICmpULE(M.Bytes, B.getInt64(BufferSize)));
  if (M.Safe)
    return May;
  auto end = [&](Value *Begin) { return B.CreatePtrAdd(Begin, M.Bytes); };
  // As memmove does, each element is read before it is overwritten.
  Value *Above = M.Exchange || !M.Down ? B.CreateICmpUGE(M.To, end(M.Source))
                                       : B.CreateICmpUGE(M.To, M.Source);
  Value *Below = M.Exchange || M.Down ? B.CreateICmpULE(end(M.To), M.Source)
                                      : B.CreateICmpULE(M.To, M.Source);
  Value *Apart = B.CreateOr(Above, Below);
  also(M.Exchange ? B.CreateOr(Apart, B.CreateICmpEQ(M.To, M.Source)) : Apart);
  return May;
}

AllocaInst *BlockMoving::buffer(uint64_t Size) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstInsertionPt());
  AllocaInst *Room = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Size),
                                    nullptr, "adze.exchanged");
  Room->setAlignment(Align(16));
  return Room;
}

void BlockMoving::emitMove(IRBuilder<> &B, const BlockMove &M) {
  if (!M.Exchange) {
    B.CreateMemMove(M.To, M.ToAlign, M.Source, M.SourceAlign, M.Bytes);
    return;
  }
  auto *Constant = dyn_cast<ConstantInt>(M.Bytes);
  AllocaInst *Room = buffer(Constant ? Constant->getZExtValue() : BufferSize);
  B.CreateMemCpy(Room, Room->getAlign(), M.To, M.ToAlign, M.Bytes);
  B.CreateMemMove(M.To, M.ToAlign, M.Source, M.SourceAlign, M.Bytes);
  B.CreateMemCpy(M.Source, M.SourceAlign, Room, Room->getAlign(), M.Bytes);
}

void BlockMoving::emitElement(const Element &E, IRBuilder<> &B) {
  BlockMove M;
  M.To = E.To;
  M.Source = E.Source;
  M.ToAlign = E.ToAlign;
  M.SourceAlign = E.SourceAlign;
  M.Exchange = E.Exchange;
  M.Bytes = B.getInt64(E.Size);
  emitMove(B, M);
}

void eraseAccesses(const Chain &C) {
  for (const Element &E : C.Elements) {
    for (StoreInst *S : E.Stores)
      S->eraseFromParent();
    for (LoadInst *L : E.Loads)
      L->eraseFromParent();
  }
}

void BlockMoving::replaceLoop(LoopMove &Found) {
  const Element &First = Found.Repeated.Elements.front();
  Instruction *End = Found.Preheader->getTerminator();
  BasicBlock *Header = End->getSuccessor(0);
  IRBuilder<> B(End);
  B.SetCurrentDebugLocation(First.Stores.front()->getDebugLoc());
  BasicBlock *Last = Found.Preheader;
  Value *May = mayMove(B, Found.Move);
  if (May) {
    Last = BasicBlock::Create(F.getContext(), "adze.block", &F, Header);
    B.CreateCondBr(May, Last, Header);
    B.SetInsertPoint(Last);
  } else {
    Header->removePredecessor(Found.Preheader, /*KeepOneInputPHIs=*/true);
  }
  emitMove(B, Found.Move);
  B.CreateBr(Found.Exit);
  End->eraseFromParent();
  for (auto &[Phi, V] : Found.Results)
    Phi->addIncoming(V, Last);
  if (May)
    for (const Element &E : Found.Repeated.Elements) {
      IRBuilder<> Here(E.Stores.back());
      emitElement(E, Here);
    }
  eraseAccesses(Found.Repeated);
}

void BlockMoving::replaceChain(const Chain &C, const BlockMove &M) {
  StoreInst *At = C.Elements.back().Stores.back();
  IRBuilder<> B(At);
  if (Value *May = mayMove(B, M)) {
    Instruction *Then = nullptr, *Else = nullptr;
    SplitBlockAndInsertIfThenElse(May, At, &Then, &Else);
    B.SetInsertPoint(Else);
    for (const Element &E : C.Elements) {
      B.SetCurrentDebugLocation(E.Stores.front()->getDebugLoc());
      emitElement(E, B);
    }
    B.SetInsertPoint(Then);
  }
  B.SetCurrentDebugLocation(C.Elements.front().Stores.front()->getDebugLoc());
  emitMove(B, M);
  eraseAccesses(C);
}

/// What is found first, and expanded before the loops; then the control flow
/// changes, and what is known of it is no longer true.
bool BlockMoving::run() {
  SmallVector<LoopMove, 4> Loops;
  SmallVector<std::pair<Chain, BlockMove>, 4> Straight;
  SmallPtrSet<BasicBlock *, 8> Done;
  for (Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost())
      if (std::optional<LoopMove> Found = findLoopMove(*L)) {
        Done.insert(Found->Repeated.Elements[0].Stores[0]->getParent());
        Loops.push_back(std::move(*Found));
      }
  for (BasicBlock &B : F) {
    SmallVector<Chain, 4> Chains;
    if (!Done.contains(&B))
      findChains(B, SE, Chains);
    for (Chain &C : Chains)
      if (std::optional<BlockMove> M = straightMove(C))
        Straight.push_back({std::move(C), *M});
  }
  Expander.clear();
  for (LoopMove &Found : Loops)
    replaceLoop(Found);
  for (auto &[C, M] : Straight)
    replaceChain(C, M);
  return !Loops.empty() || !Straight.empty();
}

bool movesBits(Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *Store = dyn_cast<StoreInst>(&I);
    return Store && isa<LoadInst>(Store->getValueOperand()) &&
           Store->getValueOperand()->getType()->isIntOrIntVectorTy();
  });
}

} // namespace

bool moveByBlocks(Function &F, FunctionAnalysisManager &FAM) {
  if (!movesBits(F) || !BlockMoving(F, FAM).run())
    return false;
  removeUnreachableBlocks(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  return true;
}

} // namespace adze
