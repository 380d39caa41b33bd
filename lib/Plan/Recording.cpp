// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Recording.h"
#include "adze/Checkpoints.h"
#include "adze/GivenDerivatives.h"
#include "adze/GivenPlan.h"
#include "adze/KnownFunction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

static Replayed replayedAs(const CallBase &Call) {
  if (Call.getIntrinsicID() == Intrinsic::stacksave ||
      Call.getIntrinsicID() == Intrinsic::stackrestore)
    return Replayed::Again; // of its own stack
  const bool HasValue = !Call.getType()->isVoidTy();
  const Replayed FromRecord = HasValue ? Replayed::Recorded : Replayed::Left;
  if (!Call.doesNotAccessMemory() || Call.isInlineAsm() ||
      !isa<IntrinsicInst>(Call))
    return FromRecord;
  // A sine costs more than eight bytes of the record.
  const KnownFunction *Known = lookupKnown(Call);
  const bool IsFunction = Known && Known->Facts.By == Derivation::Partials &&
                          Known->IntrinsicPrice == Price::Function;
  return IsFunction || !HasValue ? FromRecord : Replayed::Again;
}

Replayed replayedAs(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return replayedAs(*Call);
  if (isa<AllocaInst, FreezeInst>(I))
    return Replayed::Recorded;
  if (!I.mayReadOrWriteMemory())
    return Replayed::Again;
  return I.getType()->isVoidTy() ? Replayed::Left : Replayed::Recorded;
}

/// Rules of calls that read shadows, and values of the primal, alone.
static bool readsShadowsAlone(const CallBase &Call, const Facts &F) {
  const KnownFunction *Known = lookupKnown(Call);
  if (!Known)
    return isa<IntrinsicInst>(Call) && Call.doesNotAccessMemory();
  switch (Known->Facts.By) {
  case Derivation::Zero:
  case Derivation::Partials:
  case Derivation::Conversion:
  case Derivation::ComplexPartials:
    return none_of(Call.args(), [](const Use &Arg) {
      return Arg->getType()->isPointerTy();
    });
  case Derivation::NewException:
  case Derivation::CaughtException: // else it is found by its address
    return !F.hasShadow(&Call);
  case Derivation::OutputPartials:
  case Derivation::NewBlock:
  case Derivation::NewBlockTo:
  case Derivation::Release:
  case Derivation::BlockCopy:
  case Derivation::BlockSet:
  case Derivation::FirstOperand:
    return true;
  default:
    return false;
  }
}

static std::string inWords(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? "a call of '" + sourceName(*Callee) + "'"
                : "a call through a pointer";
}

/// What stands in the way of \p Call; empty if nothing does.
static std::string obstacle(const CallBase &Call, const Facts &F,
                            const Plan &P) {
  if (!P.Rules.lookup(&Call))
    return "";
  const CallPlan *Plan = P.callPlan(Call);
  if (!Plan)
    return readsShadowsAlone(Call, F) ? "" : inWords(Call);
  if (Plan->ByTeam || Plan->ByTask)
    return "a parallel region";
  const Request &Callee = Plan->Callee->Req;
  if (given::has(*Callee.Primal, DerivativeMode::Forward))
    if (std::optional<std::string> Why = whyNotRecorded(Callee))
      return inWords(Call) + ", whose derivative the program gives, and " +
             *Why;
  return "";
}

std::optional<NotReplayed> whyNotReplayed(const Facts &F, const Plan &P) {
  if (checkpoints::layoutOf(*F.P->F))
    return NotReplayed{&F.P->F->getEntryBlock().front(),
                       "a loop with states that are saved"};
  for (const Instruction &I : instructions(*F.P->F)) {
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (std::string What = obstacle(*Call, F, P); !What.empty())
        return NotReplayed{&I, What};
    } else if (P.Rules.lookup(&I) && isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
      return NotReplayed{&I, "an atomic operation"};
    } else if (isa<VAArgInst>(I)) {
      return NotReplayed{&I, "a variable argument"};
    }
  }
  return std::nullopt;
}

} // namespace adze
