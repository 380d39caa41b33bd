// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program declares inactive has no derivative, but it may store
// numbers where there were active ones. The adjoint (tangent) of that memory
// would have to become zero there and then; only a derivative of the call
// could do so.
#include "Analysis/Activity/Conflicts.h"
#include "Analysis/Activity/FunctionActivity.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

class InactiveWriteCheck {
public:
  InactiveWriteCheck(const FunctionActivity &A, Diagnostics &Diags,
                     const Origin &From)
      : M(A.M), G(A.M.G), Diags(Diags), From(From) {}

  void run() {
    for (const CallSite &Site : M.Calls)
      if (any_of(Site.Silent, [&](NodeId N) { return G.reachesShadow(N); }))
        report(Site, *Site.Call, "");
      else if (Site.Returned != None && G.reachesShadow(Site.Returned))
        checkResult(Site);
  }

private:
  /// The result is inactive memory by declaration, and in truth memory with a
  /// shadow: it may be read, not written.
  void checkResult(const CallSite &Site) {
    for (const MemoryUse &U : M.Uses) {
      auto *S = dyn_cast<StoreInst>(U.I);
      if (U.K == MemoryUse::Load ||
          (S && !M.mayHoldFloats(S->getValueOperand()) &&
           !M.mayHoldPointers(S->getValueOperand())))
        continue;
      if (any_of(G.targets(U.Ptr), [&](Target T) {
            return G.Objects[T.first].Origin == Site.Call;
          })) {
        report(Site, *U.I, "the pointer returned by ");
        return;
      }
    }
  }

  void report(const CallSite &Site, const Instruction &At, StringRef Through) {
    const Primal &Callee = *Site.Callee;
    const Function *F = Callee.Source ? Callee.Source : Callee.F;
    std::string What = (Through + "'" + sourceName(*F) + "'").str();
    if (!Site.Inactive)
      What = "an inactive parameter of " + What;
    else if (Through.empty())
      What = "the inactive function " + What;
    Diags.report(Diag::InactiveWrites, From, &At, {What});
  }

  const Model &M;
  const DataFlow &G;
  Diagnostics &Diags;
  const Origin &From;
};

} // namespace

void reportInactiveWrites(const FunctionActivity &A, Diagnostics &Diags,
                          const Origin &From) {
  InactiveWriteCheck(A, Diags, From).run();
}

} // namespace adze
