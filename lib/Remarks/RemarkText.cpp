// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RemarkText.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace adze {

namespace {

/// What describe() says in words. It prints instructions without a name, which
/// numbers the whole function each time.
std::string knownWords(const Value *V) {
  bool Named = isa<Argument, GlobalValue>(V) ||
               (isa<AllocaInst>(V) && (V->hasName() || V->isUsedByMetadata()));
  std::string Words = Named ? describe(V) : "";
  return StringRef(Words).contains('=') ? "" : Words;
}

StringRef arithmeticWords(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FMul:
  case Instruction::Mul:
    return "a product";
  case Instruction::FAdd:
  case Instruction::Add:
    return "a sum";
  case Instruction::FSub:
  case Instruction::Sub:
    return "a difference";
  case Instruction::FDiv:
  case Instruction::SDiv:
  case Instruction::UDiv:
    return "a quotient";
  case Instruction::FNeg:
    return "a negative";
  case Instruction::Select:
    return "a choice";
  case Instruction::FCmp:
  case Instruction::ICmp:
    return "a condition";
  case Instruction::Load:
    return "a value loaded";
  case Instruction::GetElementPtr:
    return "an address";
  case Instruction::Call:
    return "the result of a call";
  default:
    return "a value";
  }
}

/// What tells how a block was entered, or a loop left.
std::string controlWords(const Value *V, const RemarkContext &T) {
  for (const auto &[Block, Entry] : T.F.P->EnteredFrom)
    if (Entry.Index == V)
      return "which branch was taken";
  for (const auto &[Block, Exits] : T.F.P->ExitCounters)
    for (const LoopExit &Exit : Exits)
      if (Exit.Counter == V)
        return "in which iteration " + loopWords(*Exit.Loop, T) + " was left";
  return "";
}

std::string primalWords(const Value *V, const RemarkContext &T) {
  if (std::string Control = controlWords(V, T); !Control.empty())
    return Control;
  const Alternatives &Elsewhere = T.F.P->Elsewhere;
  if (auto *Load = dyn_cast<LoadInst>(V))
    V = Elsewhere.ofPrimal(Load);
  auto *I = dyn_cast<Instruction>(V);
  if (!isa<Argument>(V) && !(I && Elsewhere.contains(I)))
    if (std::string Name = nameOf(V); !Name.empty())
      return "'" + Name + "'";
  auto arrayOf = [&](const LoadInst &Load) {
    return objectWords(getLoadStorePointerOperand(Elsewhere.ofPrimal(&Load)));
  };
  if (auto *Load = dyn_cast<LoadInst>(V))
    if (std::string From = arrayOf(*Load); !From.empty())
      return "the value loaded from " + From;
  if (const Snapshot *Copied = T.F.P->snapshotAt(V)) {
    std::string Of = arrayOf(*Copied->Reader);
    return "a copy of " + (Of.empty() ? "an array" : Of);
  }
  if (auto *Call = dyn_cast<CallBase>(V))
    return "the result of " + calleeWords(*Call);
  if (std::string Words = knownWords(V); !Words.empty())
    return Words;
  return I ? arithmeticWords(*I).str() : "a value";
}

} // namespace

std::string calleeWords(const CallBase &Call) {
  if (auto *M = dyn_cast<AnyMemIntrinsic>(&Call))
    return isa<AnyMemSetInst>(M) ? "'memset'" : "'memcpy'";
  if (const Function *F = Call.getCalledFunction()) {
    // llvm.exp.f64 is what the source calls exp.
    StringRef Name = F->getName();
    if (Name.consume_front("llvm."))
      return ("'" + Name.split('.').first + "'").str();
    return "'" + sourceName(*F) + "'";
  }
  return "a function through a pointer";
}

std::string atLine(const DebugLoc &Where, const RemarkContext &T) {
  if (!Where || Where.getLine() == 0)
    return "";
  std::string Line = std::to_string(Where.getLine());
  StringRef File = Where->getFilename();
  if (T.File.empty() || File == T.File)
    return " at line " + Line;
  return (" at " + sys::path::filename(File) + ":").str() + Line;
}

std::string loopWords(const LoopRecord &L, const RemarkContext &T) {
  std::string Line = atLine(L.L->getStartLoc(), T);
  if (!Line.empty())
    return "the loop" + Line;
  for (unsigned I = 0; I < T.F.P->Loops.size(); ++I)
    if (T.F.P->Loops[I].get() == &L)
      return "loop " + std::to_string(I + 1);
  return "a loop";
}

std::string objectWords(const Value *Pointer) {
  if (std::string Name = arrayName(Pointer); !Name.empty())
    return "'" + Name + "'";
  // What else has a name is the object itself.
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/16);
  if (auto *Call = dyn_cast<CallBase>(Object))
    return "the result of " + calleeWords(*Call);
  auto *Load = dyn_cast<LoadInst>(Object);
  if (!Load)
    return knownWords(Object);
  std::string From = arrayName(Load->getPointerOperand());
  if (From.empty())
    From = knownWords(
        getUnderlyingObject(Load->getPointerOperand(), /*MaxLookup=*/16));
  else
    From = "'" + From + "'";
  return From.empty() ? "" : "the value loaded from " + From;
}

std::string wordsFor(PlanValue V, const RemarkContext &T) {
  switch (V.Which) {
  case Part::Primal:
    return primalWords(V.V, T);
  case Part::Shadow:
    return "the shadow of " + primalWords(V.V, T);
  case Part::Tape:
    return "the tape of the call of " + calleeWords(*cast<CallBase>(V.V));
  }
  return "";
}

} // namespace adze
