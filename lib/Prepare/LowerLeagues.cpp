// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   __kmpc_push_num_teams(place, number, n, 0)
//   __kmpc_fork_teams(place, count, region, a, b, ..)
//
// starts a league of teams on the host, n at most. Teams wait for each other
// nowhere, and how many there are is the implementation's choice; a derivative
// has one:
//
//   region(&number, &bound, a, b, ..)
//
// which uses all threads for the regions of `parallel` within. Where the
// program says how small teams must be (thread_limit), or how many there must
// be at least, the calls stay, and are refused.
#include "Prepare/Stages.h"
#include "adze/Teams.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace adze {

namespace {

void lowerLeague(CallInst &Fork, Function &Region) {
  Function &F = *Fork.getFunction();
  IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
  Type *Number = Entry.getInt32Ty();
  Value *Global = Entry.CreateAlloca(Number, nullptr, "number");
  Value *Bound = Entry.CreateAlloca(Number, nullptr, "bound");
  IRBuilder<> B(&Fork);
  const FunctionCallee Asks = F.getParent()->getOrInsertFunction(
      "__kmpc_global_thread_num",
      FunctionType::get(Number, {B.getPtrTy()}, false));
  B.CreateStore(B.CreateCall(Asks, {Fork.getArgOperand(0)}), Global);
  B.CreateStore(B.getInt32(0), Bound);
  SmallVector<Value *, 8> Args{Global, Bound};
  append_range(Args, drop_begin(Fork.args(), teams::ForkFirst));
  B.CreateCall(&Region, Args)->setDoesNotThrow();
  Fork.eraseFromParent();
}

/// \p Call says how many teams a league may have, and nothing else.
bool asksForTeams(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() &&
         Callee->getName() == "__kmpc_push_num_teams" && Call.arg_size() == 4 &&
         match(Call.getArgOperand(3), PatternMatch::m_Zero());
}

} // namespace

void lowerLeagues(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (Call && asksForTeams(*Call))
      Call->eraseFromParent();
    else if (Function *Region = Call ? teams::leagueOf(*Call) : nullptr)
      lowerLeague(*Call, *Region);
  }
}

} // namespace adze
