// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Teams.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"
#include "adze/TeamTurns.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze::teams {

/// Its value is the number of the half and that of the bytes.
static constexpr char TeamAttribute[] = "adze.team";

bool isTeamCall(const CallBase &Call) {
  return Call.getAttributes().hasFnAttr(TeamAttribute);
}

void markTeamCall(CallBase &Call, Half H, uint64_t TapeBytes) {
  Call.addFnAttr(Attribute::NoInline);
  Call.addFnAttr(Attribute::get(Call.getContext(), TeamAttribute,
                                utostr(unsigned(H)) + ":" + utostr(TapeBytes)));
}

static std::pair<unsigned, uint64_t> valueOf(const CallBase &Call) {
  auto [First, Second] = Call.getAttributes()
                             .getFnAttr(TeamAttribute)
                             .getValueAsString()
                             .split(':');
  unsigned Number = 0;
  uint64_t Bytes = 0;
  First.getAsInteger(10, Number);
  Second.getAsInteger(10, Bytes);
  return {Number, Bytes};
}

Half halfOf(const CallBase &Call) { return Half(valueOf(Call).first); }

uint64_t tapeBytesOf(const CallBase &Call) { return valueOf(Call).second; }

StructType *recordType(LLVMContext &C) {
  Type *Number = Type::getInt64Ty(C);
  return StructType::get(C, {PointerType::getUnqual(C), Number, Number});
}

/// Metadata; with an operand if it comes first.
static constexpr char CopyMetadata[] = "adze.team.copy";

void markCopy(Instruction &Copy, bool First) {
  LLVMContext &C = Copy.getContext();
  Copy.setMetadata(CopyMetadata, First
                                     ? MDNode::get(C, MDString::get(C, "first"))
                                     : MDNode::get(C, {}));
}

bool isMarkedCopy(const Instruction &I) {
  return isa<MemCpyInst>(I) && I.getMetadata(CopyMetadata);
}

bool comesFirst(const Instruction &Copy) {
  return Copy.getMetadata(CopyMetadata)->getNumOperands() > 0;
}

static Function *regionOf(const CallBase &Call, StringRef Forks) {
  constexpr unsigned RegionOperand = 2;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->getName() != Forks || !Callee->isDeclaration() ||
      Call.arg_size() < ForkFirst)
    return nullptr;
  auto *Region = dyn_cast<Function>(
      Call.getArgOperand(RegionOperand)->stripPointerCasts());
  const unsigned Passed = Call.arg_size() - ForkFirst;
  if (!Region || Region->isDeclaration() || Region->isVarArg() ||
      !Region->getReturnType()->isVoidTy() ||
      Region->arg_size() != RuntimeArgs + Passed)
    return nullptr;
  for (unsigned K = 0; K < Passed; ++K)
    if (Region->getArg(RuntimeArgs + K)->getType() !=
        Call.getArgOperand(ForkFirst + K)->getType())
      return nullptr;
  return Region;
}

Function *forkedBy(const CallBase &Call) {
  return regionOf(Call, "__kmpc_fork_call");
}

Function *leagueOf(const CallBase &Call) {
  return regionOf(Call, "__kmpc_fork_teams");
}

bool mayStart(const Function &F) {
  constexpr size_t MostFunctions = 100;
  if (!F.getParent()->getFunction("__kmpc_fork_call"))
    return false;
  SmallSetVector<const Function *, 16> Called;
  Called.insert(&F);
  for (size_t K = 0; K < Called.size(); ++K) {
    for (const Instruction &I : instructions(*Called[K])) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Call && (isTeamCall(*Call) || forkedBy(*Call)))
        return true;
      if (Callee && !Callee->isDeclaration())
        Called.insert(Callee);
    }
    if (Called.size() > MostFunctions)
      return true;
  }
  return false;
}

bool isOfRuntime(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  return F && F->isDeclaration() &&
         (F->getName().starts_with("__kmpc_") ||
          F->getName().starts_with("omp_") ||
          F->getName().starts_with("adze.team.")) &&
         lookupKnown(Call);
}

bool comesBack(const CallBase &Call) {
  if (!isOfRuntime(Call))
    return false;
  StringRef Name = Call.getCalledFunction()->getName();
  return Name != "__kmpc_error" && !Name.starts_with("__kmpc_cancel");
}

bool isMeeting(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  return Known && Known->Facts.By == Derivation::Mirror &&
         Known->Facts.Writes == Reach::Anywhere;
}

bool isRun(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  return F && isOwn(*F) && F->getName() == "adze.team.run";
}

static bool calls(const Value *V, StringRef Prefix) {
  auto *Call = dyn_cast<CallBase>(V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->isDeclaration() && F->getName().starts_with(Prefix);
}

bool isLowerBound(const Value *V) { return calls(V, "adze.team.lower."); }

bool isUpperBound(const Value *V) { return calls(V, "adze.team.upper."); }

bool isStride(const Value *V) { return calls(V, "adze.team.stride."); }

bool isTurnBegin(const CallBase &Call) {
  return calls(&Call, "adze.team.turn.begin");
}

bool isTurnEnd(const CallBase &Call) {
  return calls(&Call, "adze.team.turn.end");
}

const Value *partsOf(const Value &Lower) {
  return cast<CallBase>(Lower).getArgOperand(1);
}

const Value *limitOf(const Value &Bound) {
  auto &Call = cast<CallBase>(Bound);
  return Call.arg_size() > 2 ? Call.getArgOperand(2) : nullptr;
}

bool takesIterations(const Instruction &I) {
  return calls(&I, "__kmpc_dispatch_next_");
}

bool isBoundFunction(const CallBase &Call) {
  return isLowerBound(&Call) || isUpperBound(&Call) || isStride(&Call);
}

} // namespace adze::teams
