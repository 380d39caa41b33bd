// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/GivenPlan.h"
#include "Loops/StepMemory.h"
#include "Loops/WriteEffects.h"
#include "adze/GivenDerivatives.h"
#include "adze/OwnAnalyses.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

namespace {

/// What a function does where it returns: a copy of it, as long as this lives.
/// Behind an exception there is no other direction.
class WhereItReturns {
public:
  explicit WhereItReturns(const Function &F) : F(&F) {
    SmallVector<const BasicBlock *, 4> Todo;
    for (const BasicBlock &B : F)
      if (isa<ReturnInst>(B.getTerminator()))
        Todo.push_back(&B);
    SmallPtrSet<const BasicBlock *, 16> Returning;
    while (!Todo.empty()) {
      const BasicBlock *B = Todo.pop_back_val();
      if (Returning.insert(B).second)
        append_range(Todo, predecessors(B));
    }
    if (Returning.size() == F.size())
      return;
    ValueToValueMapTy Map;
    Copy = CloneFunction(const_cast<Function *>(&F), Map);
    Copy->setLinkage(GlobalValue::InternalLinkage);
    for (const BasicBlock &B : F) {
      auto *Same = cast<BasicBlock>(Map.lookup(&B));
      BasicBlock::iterator At = Same->getFirstInsertionPt();
      if (!Returning.contains(&B) && At != Same->end())
        changeToUnreachable(&*At);
    }
    this->F = Copy;
  }
  WhereItReturns(const WhereItReturns &) = delete;
  WhereItReturns &operator=(const WhereItReturns &) = delete;
  ~WhereItReturns() {
    if (Copy)
      Copy->eraseFromParent();
  }
  const Function &operator*() const { return *F; }

private:
  const Function *F;
  Function *Copy = nullptr;
};

/// What runs once for each direction writes nothing.
bool onlyReads(const Function &Primal) {
  if (Primal.isDeclaration())
    return Primal.onlyReadsMemory();
  const WhereItReturns Body(Primal);
  CalleeWritesCache Cache;
  const CalleeWrites &W = Cache.of(*Body);
  return !W.Elsewhere && W.Args.none();
}

/// The function that does what the primal of \p R does.
const Function &doerOf(const Request &R) {
  if (!given::isTableCall(*R.Primal))
    return *R.Primal;
  return R.Kind.isForward() ? *cantFail(given::tangentOf(*R.Primal)).Forward
                            : *cantFail(given::gradientOf(*R.Primal)).Augmented;
}

/// Why what \p Primal writes cannot be told by a run of it, if so: what follows
/// "it writes memory".
std::optional<std::string> whyNotPutBack(const Function &Primal) {
  if (given::isTableCall(Primal) || Primal.isDeclaration())
    return "";
  const WhereItReturns Body(Primal);
  OwnAnalyses Own;
  StepMemory Memory(Own.FAM, Recursion::AsOuter);
  const MemoryEffects &Effects = Memory.ofFunction(*Body);
  if (Effects.Once)
    return ", and it " + Effects.Why;
  if (!Effects.Uncounted.empty())
    return ", by a library function";
  return std::nullopt;
}

std::optional<GivenFault> faultOf(const Request &R) {
  const bool Forward = R.Kind.isForward();
  for (const Argument &A : R.Primal->args()) {
    const unsigned K = A.getArgNo();
    const uint16_t Flags =
        K < R.ArgumentFlags.size() ? R.ArgumentFlags[K] : uint16_t(0);
    const bool Shadow = hasShadowParam(R.Args[K]);
    std::string Name = "argument " + std::to_string(K + 1);
    if (given::takesShadow(A)) {
      if (given::isExchange(*R.Primal))
        continue;
      if (!Shadow && !(Flags & IsNull))
        return GivenFault{
            "no derivative goes through what is passed as " + Name +
                ", so there is no shadow to pass",
            "pass memory with a shadow (enzyme_dup), or declare the parameter "
            "inactive (enzyme_inactive) and leave its shadow out"};
      if (Flags & MayBeSelfShadowed)
        return GivenFault{"the shadow of " + Name +
                              " may be the memory itself, to which they would "
                              "add",
                          "leave out enzyme_runtime_activity"};
    } else if (Shadow && !(Forward && given::isFloat(A))) {
      return GivenFault{Name + " holds an address in a number",
                        "pass it as a pointer"};
    }
  }
  if (R.InTeam != TeamRole::None && given::isExchange(*R.Primal) &&
      !given::teamHookOf(*R.Primal))
    return GivenFault{"threads of a parallel region call it, and the order of "
                      "such calls would be lost",
                      "call it outside of the region (docs/Mpi.md lists what "
                      "threads may call)"};
  if (R.InTeam != TeamRole::None && !given::isExchange(*R.Primal))
    return GivenFault{"threads of a parallel region call it, and would add to "
                      "shadows that they share",
                      "call it outside of the region"};
  if (R.Width != 1 && given::isExchange(*R.Primal) &&
      given::exchangingOf(*R.Primal) == given::Exchanging::OneDirection)
    return GivenFault{"it communicates in one direction, and the request is "
                      "for several (enzyme_width)",
                      "call the marker once for each direction"};
  if (isPutBack(R))
    if (std::optional<std::string> Why = whyNotPutBack(*R.Primal))
      return GivenFault{"they would be called once for each direction "
                        "(enzyme_width), and the function may write memory "
                        "that it reads" +
                            *Why,
                        "call the marker once for each direction, or return "
                        "the result by value"};
  if (R.RunsAgain)
    return GivenFault{"the tape is to serve several reverse passes",
                      "leave out enzyme_nofree"};
  return std::nullopt;
}

} // namespace

std::optional<std::string> whyNotRecorded(const Request &R) {
  const Function &F = *R.Primal;
  const bool TakesShadows = any_of(F.args(), [](const Argument &A) {
    return given::isPassed(A) && given::takesShadow(A);
  });
  if (given::isExchange(F) || given::isTableCall(F) || TakesShadows)
    return "it takes shadows, which a tape does not know";
  Expected<given::Tangent> T = given::tangentOf(F);
  if (!T) {
    consumeError(T.takeError());
    return "it does not fit";
  }
  if (!onlyReads(F) && (R.Width != 1 || !T->Augmented))
    return "the function may write memory";
  return std::nullopt;
}

bool isPutBack(const Request &R) {
  return R.Width != 1 && !given::isExchange(*R.Primal) && !onlyReads(doerOf(R));
}

std::optional<GivenFault> whyNotFromTable(const Request &R) {
  if (!given::isTableCall(*R.Primal))
    return std::nullopt;
  if (R.Kind.isForward() && R.ReturnPrimal &&
      !cantFail(given::tangentOf(*R.Primal)).ReturnsPrimal &&
      any_of(R.Primal->args(), given::takesShadow))
    return GivenFault{"the one for tangents does not return the result, and "
                      "the function may write memory",
                      "return the result, too, in front of the tangent"};
  return faultOf(R);
}

std::optional<GivenFault> whyNotGiven(const Request &R) {
  if (given::isShadowQuery(*R.Primal) || given::isTableCall(*R.Primal))
    return std::nullopt;
  if (std::optional<GivenFault> Fault = faultOf(R))
    return Fault;
  const Function &F = *R.Primal;
  auto unfit = [](Error Wrong) {
    return GivenFault{toString(std::move(Wrong)), "give it the form that fits"};
  };
  if (!R.Kind.isForward()) {
    if (Error Wrong = given::gradientOf(F).takeError())
      return unfit(std::move(Wrong));
    return std::nullopt;
  }
  Expected<given::Tangent> T = given::tangentOf(F);
  if (!T)
    return unfit(T.takeError());
  if (!T->ReturnsPrimal && !T->Augmented && !F.getReturnType()->isVoidTy() &&
      !onlyReads(F))
    return GivenFault{"the function may write memory, so it cannot be called "
                      "beside its derivative for the result",
                      "return the result, too, in front of the tangent"};
  return std::nullopt;
}

} // namespace adze
