// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Mpi.h"
#include "MpiAllocations.h"
#include "MpiMeetings.h"
#include "MpiTable.h"
#include "Runtime/MpiUnits.h"
#include "adze/GivenDerivatives.h"
#include "adze/KnownFunction.h"
#include "adze/MpiFortran.h"
#include "adze/OwnFunction.h"
#include "adze/ParallelRuntime.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace adze::mpi {

namespace {

constexpr char Prefix[] = "adze.mpi.";

bool isNumber(char Role) { return StringRef("na").contains(Role); }
bool isHandle(char Role) { return Role == 'h' || isDatatype(Role); }

/// \p F is called as \p R says. \p Unit becomes the runtime for such handles as
/// it has, if it has any.
bool fits(const Function &F, const Row &R, const RuntimeUnit *&Unit) {
  if (F.isVarArg() || F.arg_size() != R.Parameters.size() ||
      !F.getReturnType()->isIntegerTy(32))
    return false;
  Unit = nullptr;
  for (auto [A, Role] : zip(F.args(), R.Parameters)) {
    const bool IsPointer = A.getType()->isPointerTy();
    if (!IsPointer && !A.getType()->isIntegerTy(Role == 'a' ? 64 : 32))
      return false;
    if (!isHandle(Role)) {
      if (IsPointer == isNumber(Role))
        return false;
      continue;
    }
    const RuntimeUnit *Wanted = IsPointer ? &MpiUnit : &MpiNumberedUnit;
    if (Unit && Unit != Wanted)
      return false;
    Unit = Wanted;
  }
  return true;
}

/// The runtime for functions without handles (MPI_Wait): that of others in
/// \p M. Null if none tells.
const RuntimeUnit *unitOf(const Module &M) {
  for (const GlobalVariable &G : M.globals())
    if (G.getName().starts_with("ompi_"))
      return &MpiUnit;
  for (const Function &F : M) {
    const Row *R = rowOf(F);
    const RuntimeUnit *Unit = nullptr;
    if (R && fits(F, *R, Unit) && Unit)
      return Unit;
  }
  return nullptr;
}

/// Says what \p F does to memory, and which parameters have no derivative.
void describe(Function &F, const Row &R) {
  F.setDoesNotThrow();
  F.addFnAttr(Attribute::NoFree);
  // A barrier may stand between accesses to memory that processes share, and a
  // wait completes what others have begun.
  if (any_of(R.Parameters, isBuffer))
    F.setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  for (auto [A, Role] : zip(F.args(), R.Parameters)) {
    if (!A.getType()->isPointerTy())
      continue;
    if (!isKeptBuffer(Role))
      A.addAttr(Attribute::NoCapture);
    if (toLower(Role) == 'r')
      A.addAttr(Attribute::ReadOnly);
    if (toLower(Role) == 'w')
      A.addAttr(Attribute::WriteOnly);
    if (!isBuffer(Role) && !isKeptBuffer(Role))
      F.addParamAttr(A.getArgNo(),
                     Attribute::get(F.getContext(), declared::Inactive));
  }
}

void describeQuery(Function &F) {
  F.setDoesNotThrow();
  F.addFnAttr(Attribute::NoFree);
  F.setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  for (Argument &A : F.args())
    if (A.getType()->isPointerTy())
      A.addAttr(Attribute::NoCapture);
}

void give(Function &F, const Row &R, const RuntimeUnit &Unit) {
  std::string Name = Prefix + R.Name.lower() + ".";
  std::replace(Name.begin(), Name.end(), '_', '.');
  auto half = [&](StringRef Which) -> Function & {
    return *runtimeFunction(*F.getParent(), Unit, (Name + Which).str());
  };
  given::setGradient(F, half("augmented"), half("reverse"));
  given::setForward(F, half("forward"));
  given::setExchange(F);
  if (isForTeams(R))
    given::setTeamHook(F, *runtimeFunction(*F.getParent(), Unit,
                                           (Prefix + Twine("team")).str()));
  if (isForAllDirections(R))
    given::setExchanging(F, given::Exchanging::Once);
  else
    given::setExchanging(F, given::Exchanging::Each,
                         runtimeFunction(*F.getParent(), Unit,
                                         (Prefix + Twine("direction")).str()));
  SmallVector<given::Described, 2> Described;
  for (unsigned K = 0; K < R.Parameters.size(); ++K)
    if (const std::optional<size_t> Type = typeOfBuffer(R, K);
        Type && isDescribed(R.Parameters[*Type]) &&
        (isBuffer(R.Parameters[K]) || isKeptBuffer(R.Parameters[K])))
      Described.push_back({K, unsigned(*Type)});
  if (!Described.empty())
    given::setDescribed(F,
                        *runtimeFunction(*F.getParent(), Unit,
                                         (Prefix + Twine("described")).str()),
                        Described);
}

/// Says of \p Call what its datatypes say, and whether they say all.
void annotate(CallBase &Call, const Row &R) {
  if (hasTypesOfNumbers(Call, R) && !receivesAnyTag(Call, R))
    return declareNumbers(Call);
  for (unsigned K = 0; K < R.Parameters.size(); ++K)
    if (isDescribed(R.Parameters[K]) && tellsFloats(Call.getArgOperand(K)))
      given::setTold(Call, K);
}

/// The parameter of \p R that is an operation; none where there is no value.
std::optional<unsigned> operationIn(const Row &R) {
  const bool Has =
      is_contained({"Reduce", "Allreduce", "Scan", "Exscan", "Reduce_scatter",
                    "Reduce_scatter_block", "Ireduce", "Iallreduce", "Iscan",
                    "Iexscan", "Ireduce_scatter", "Ireduce_scatter_block"},
                   R.Name);
  return Has ? std::optional(4u) : std::nullopt;
}

} // namespace

Function *operationHook(Module &M, StringRef Which) {
  const RuntimeUnit *Unit = unitOf(M);
  return Unit ? runtimeFunction(M, *Unit,
                                (Prefix + Twine("operation.") + Which).str())
              : nullptr;
}

bool reducesByUserOperation(const Module &M) {
  return any_of(M, [](const Function &F) {
    const Row *R = rowOf(F);
    const RuntimeUnit *Unit = nullptr;
    if (!R || !operationIn(*R) || !fits(F, *R, Unit))
      return false;
    return any_of(F.users(), [&](const User *U) {
      auto *Call = dyn_cast<CallBase>(U);
      if (Call && isOwn(*Call->getFunction()))
        return false; // of the runtime
      return !Call || Call->getCalledOperand() != &F ||
             (!isa<Constant>(Call->getArgOperand(*operationIn(*R))) &&
              !hasTypesOfNumbers(*Call, *R));
    });
  });
}

bool giveDerivatives(Module &M) {
  bool Changed = lowerFortranCalls(M);
  if (const RuntimeUnit *Unit = unitOf(M)) {
    Changed |= lowerWindowAllocations(M, *Unit);
    Changed |= insertMeetings(M, *Unit);
  }
  SmallVector<std::pair<Function *, const Row *>, 8> Found;
  for (Function &F : M) {
    const bool ByProgram = given::hasAny(F) && !given::isExchange(F);
    if (!F.isDeclaration() || ByProgram || isDeclaredInactive(F))
      continue;
    if (const Row *R = rowOf(F)) {
      Found.push_back({&F, R});
    } else if (isQuery(F) && !F.onlyAccessesInaccessibleMemOrArgMem()) {
      describeQuery(F);
      Changed = true;
    }
  }
  for (auto [F, R] : Found) {
    const RuntimeUnit *Unit = nullptr;
    if (!fits(*F, *R, Unit))
      continue;
    if (!Unit)
      Unit = unitOf(M);
    if (!Unit)
      continue;
    Changed = true;
    describe(*F, *R);
    give(*F, *R, *Unit);
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledOperand() == F &&
          Call->getFunctionType() == F->getFunctionType())
        annotate(*Call, *R);
  }
  return Changed;
}

bool isUnknown(const Function &F) {
  return F.isDeclaration() && parallelModelOf(F) == "MPI" &&
         !given::hasAny(F) && !lookupKnown(F);
}

bool isRuntime(const Function &F) {
  return isOwn(F) && F.getName().starts_with(Prefix);
}

} // namespace adze::mpi
