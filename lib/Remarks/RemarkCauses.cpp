// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why something is kept: a value that can neither be computed again nor read
// where it was read. Each advice is what the alias analysis would believe; it
// says under which condition it may be given to the compiler.
#include "Plan/Varying.h"
#include "RemarkText.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

/// A longer way to a cause is none that helps.
constexpr unsigned MaxSearch = 100;

/// The pointer through which \p I writes, if there is one.
const Value *writesThrough(const Instruction &I) {
  if (const Value *P = getLoadStorePointerOperand(&I))
    return P;
  if (auto *M = dyn_cast<AnyMemIntrinsic>(&I))
    return M->getRawDest();
  if (auto *A = dyn_cast<AtomicRMWInst>(&I))
    return A->getPointerOperand();
  if (auto *A = dyn_cast<AtomicCmpXchgInst>(&I))
    return A->getPointerOperand();
  return nullptr;
}

std::string overwriterWords(const Instruction &I, const RemarkContext &T) {
  std::string Line = atLine(I.getDebugLoc(), T);
  const Value *Pointer = writesThrough(I);
  std::string Object = Pointer ? objectWords(Pointer) : "";
  std::string To = Object.empty() ? "" : " to " + Object;
  if (auto *M = dyn_cast<AnyMemIntrinsic>(&I))
    return (isa<AnyMemSetInst>(M) ? "the memset" : "the memcpy") + To + Line;
  if (auto *Call = dyn_cast<CallBase>(&I))
    return "the call of " + calleeWords(*Call) + Line;
  return "the store" + To + Line;
}

using Objects = SmallVector<const Value *, 4>;

Objects objectsBehind(const Value *Pointer) {
  Objects Result;
  getUnderlyingObjects(Pointer, Result, nullptr, /*MaxLookup=*/16);
  return Result;
}

/// The object is a parameter whose declaration may say restrict.
const Argument *mayBeRestricted(const Objects &Behind) {
  auto *A = Behind.size() == 1 ? dyn_cast<Argument>(Behind[0]) : nullptr;
  return A && !A->hasNoAliasAttr() ? A : nullptr;
}

const GlobalVariable *mayBeConst(const Objects &Behind) {
  auto *G = Behind.size() == 1 ? dyn_cast<GlobalVariable>(Behind[0]) : nullptr;
  return G && !G->isConstant() ? G : nullptr;
}

/// The object itself in the words of the function that is differentiated, in
/// which an advice can be followed.
std::string ownWords(const Objects &Behind) {
  if (Behind.size() != 1)
    return "";
  if (isa<GlobalVariable, AllocaInst>(Behind[0]))
    return objectWords(Behind[0]);
  std::string Name = uniqueName(Behind[0]);
  if (!Name.empty())
    return "'" + Name + "'";
  return isa<Argument>(Behind[0]) ? describe(Behind[0]) : "";
}

/// A loop around both, in each iteration of which \p Read finds what \p Writer
/// may have stored there in the one before.
bool comesAround(const Instruction &Read, const Instruction &Writer,
                 const Facts &F) {
  const Value *Pointer = getLoadStorePointerOperand(&Read);
  Varying::Loops With = Varying(F).loopsOf({Pointer, Part::Primal});
  for (const LoopRecord *L = F.P->loopOf(Read.getParent()); L; L = L->Parent)
    if (L->L->contains(Writer.getParent()) && !is_contained(With, L))
      return true;
  return false;
}

std::string cureForStore(const Instruction &Reader, const Instruction &Writer,
                         const RemarkContext &T) {
  const Value *Pointer = getLoadStorePointerOperand(&Reader);
  const Value *Target = writesThrough(Writer);
  Objects Read = objectsBehind(Pointer), Written = objectsBehind(Target);
  std::string Name = ownWords(Read), Other = ownWords(Written);
  // Buffers that are swapped are meant to be overwritten, and have no name.
  if (Name.empty() || Other.empty())
    return "";
  if (Read == Written)
    return comesAround(Reader, Writer, T.F)
               ? ""
               : "write to another array than " + Name +
                     ", unless what is stored is read here again";
  std::string NoOverlap = " if it never overlaps ";
  if (mayBeRestricted(Written))
    return "declare " + Other + " restrict" + NoOverlap + Name;
  if (mayBeRestricted(Read))
    return "declare " + Name + " restrict" + NoOverlap + Other;
  if (mayBeConst(Read))
    return "declare " + Name + " const if it is never written";
  // restrict says nothing to the compiler but in parameters.
  bool FromMemory = isa<LoadInst>(Written[0]);
  if (!FromMemory && !isa<LoadInst>(Read[0]))
    return "";
  if (!FromMemory)
    std::swap(Name, Other);
  return "hand " + Other + " to '" + sourceName(*T.F.P->Source) +
         "' as a parameter of its own, declared restrict," + NoOverlap + Name;
}

std::string cureForCall(const Value *Pointer, const CallBase &Call) {
  Objects Read = objectsBehind(Pointer);
  std::string Name = ownWords(Read), Callee = calleeWords(Call);
  if (mayBeConst(Read))
    return "declare " + Name + " const if it is never written";
  bool Passed = any_of(Call.args(), [&](const Use &Arg) {
    return Arg->getType()->isPointerTy() &&
           any_of(objectsBehind(Arg), [&](const Value *O) {
             return is_contained(Read, O) || !isIdentifiedObject(O);
           });
  });
  if (!Passed && mayBeRestricted(Read))
    return "declare " + Name + " restrict if " + Callee + " never writes to it";
  // The compiler drops a pure call whose result nobody reads.
  const Function *F = Call.getCalledFunction();
  if (!F || !F->isDeclaration() || F->isIntrinsic() || Call.use_empty())
    return "";
  return "declare " + Callee + " __attribute__((pure)) if it writes no memory";
}

/// Why \p V itself cannot be computed from other values.
Cause causeOfRoot(PlanValue V, const RemarkContext &T) {
  if (V.Which == Part::Tape)
    return {"it is what the callee keeps", nullptr, ""};
  if (auto *Load = dyn_cast<LoadInst>(V.V)) {
    if (!Load->isSimple())
      return {"it is volatile or atomic", nullptr, ""};
    return overwrittenBy(*Load, T);
  }
  if (auto *Phi = dyn_cast<PHINode>(V.V)) {
    if (T.F.P->LI->isLoopHeader(Phi->getParent()))
      return {"each iteration computes it from the one before", nullptr, ""};
    if (T.F.P->ExitCounters.count(const_cast<BasicBlock *>(Phi->getParent())))
      return {"it is what the last iteration left", nullptr, ""};
    return {"it depends on the path that was taken", nullptr, ""};
  }
  if (const Snapshot *S = T.F.P->snapshotAt(V.V))
    return overwrittenBy(*S->Reader, T);
  if (auto *Call = dyn_cast<CallBase>(V.V))
    return {"the call of " + calleeWords(*Call) + " cannot be repeated",
            nullptr, ""};
  return {"it cannot be computed again", nullptr, ""};
}

} // namespace

std::string cureFor(const Instruction &Read, const Instruction &Writer,
                    const RemarkContext &T) {
  const Value *Pointer = getLoadStorePointerOperand(&Read);
  if (!Pointer)
    return "";
  if (writesThrough(Writer))
    return cureForStore(Read, Writer, T);
  if (auto *Call = dyn_cast<CallBase>(&Writer))
    return cureForCall(Pointer, *Call);
  return "";
}

Cause overwrittenBy(const Instruction &Reader, const RemarkContext &T) {
  const Instruction *Writer = T.F.Memory->overwriter(&Reader);
  const Instruction &Read = *T.F.P->Elsewhere.ofPrimal(&Reader);
  const Value *Pointer = getLoadStorePointerOperand(&Read);
  std::string What = Pointer ? objectWords(Pointer) : "";
  if (What.empty())
    What = isa<CallBase>(Read) ? "what it reads" : "its memory";
  if (Writer == &Read)
    return {"it overwrites what it reads", Writer, ""};
  if (!Writer)
    return {What + " may be overwritten by the caller before the reverse pass",
            nullptr, ""};
  return {What + " may be overwritten by " + overwriterWords(*Writer, T),
          Writer, cureFor(Read, *Writer, T)};
}

Cause causeOf(PlanValue V, const RemarkContext &T) {
  // Computing V again leads to operands, and so on. Where a chain ends in
  // something that can neither be computed nor is kept, there is a cause. The
  // first one is told; what to do about it only if all have a remedy.
  Cause First;
  bool AllCured = true;
  SetVector<std::pair<const Value *, unsigned>> Work;
  Work.insert({V.V, unsigned(V.Which)});
  for (unsigned Next = 0; Next < Work.size(); ++Next) {
    if (Next == MaxSearch) {
      AllCured = false;
      break;
    }
    PlanValue At{Work[Next].first, Part(Work[Next].second)};
    if (isa<Constant>(At.V) || isAvailable(At, T.F))
      continue;
    const Decision *D = T.P.find(At.V, At.Which);
    bool IsV = Next == 0;
    if (!IsV && D && D->From != Source::Recompute)
      continue;
    if (auto Again = recompute(At, T.F)) {
      for (PlanValue Operand : Again->Reads)
        Work.insert({Operand.V, unsigned(Operand.Which)});
      continue;
    }
    Cause C = causeOfRoot(At, T);
    if (IsV)
      return C;
    AllCured &= !C.Cure.empty();
    if (!First.Text.empty())
      continue;
    First = std::move(C);
    if (const Snapshot *S = T.F.P->snapshotAt(At.V))
      At.V = S->Reader;
    auto *I = dyn_cast<Instruction>(At.V);
    First.Text = "it is computed from " + wordsFor(At, T) +
                 (I ? atLine(I->getDebugLoc(), T) : "") + ", and " + First.Text;
  }
  if (First.Text.empty())
    return {AllCured ? "computing it again costs more than keeping it"
                     : "too much would have to be computed again",
            nullptr, ""};
  if (!AllCured)
    First.Cure.clear();
  return First;
}

} // namespace adze
