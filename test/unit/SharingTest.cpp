// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sharing and UniformReads against what teams of threads do: random regions are
// walked through thread by thread. To a place that a plain sum goes to, no
// other thread may add until they meet; a read that is called the same in all
// iterations of a loop must be. Settings in which the region has a race do not
// count. And the analysis has to prove its share of what is true.
#include "adze/Sharing.h"
#include "Analysis/Sharing/UniformReads.h"
#include "Managers.h"
#include "RandomRegion.h"
#include "adze/Analyses.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "gtest/gtest.h"

#include <set>

using namespace adze;
using namespace llvm;
using namespace random_region;

namespace {

/// What the analyses say of a region.
class Analyzed {
public:
  explicit Analyzed(const Region &Random) {
    SMDiagnostic Error;
    M = parseAssemblyString(Random.text(), Error, Context);
    if (!M) {
      ADD_FAILURE() << Error.getMessage().str() << "\n" << Random.text();
      return;
    }
    Function &F = *M->getFunction("f");
    if (verifyFunction(F, &errs())) {
      ADD_FAILURE() << Random.text();
      M = nullptr;
      return;
    }
    Managers A;
    FunctionPassManager Passes;
    Passes.addPass(LoopSimplifyPass());
    Passes.addPass(LCSSAPass());
    Passes.run(F, A.FAM);
    recordStructure(F);
    R = request(F, Random.isApart());
    auto None = [](Function &) -> const Primal * { return nullptr; };
    Types = analyzeTypes(P, {}, None);
    Activity = analyzeActivity(P, R, *Types, None, Diags, Origin());
    Shared = std::make_unique<Sharing>(P, R, *Activity);
    Memory = std::make_unique<LoopMemory>(P, /*Budget=*/1000000);
    Values = std::make_unique<UniformValues>(P, *Memory);
    Uniform = std::make_unique<UniformReads>(P, *Memory, *Values);
    find(F, Random.accesses());
  }
  bool isValid() const { return M != nullptr; }
  const Instruction *access(unsigned K) const { return Accesses[K]; }
  bool isActive(unsigned K) const {
    return Accesses[K] && Activity->isActiveInstruction(Accesses[K]);
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  Primal P;
  Request R;
  Diagnostics Diags;
  std::unique_ptr<TypeInfo> Types;
  std::unique_ptr<ActivityInfo> Activity;
  std::unique_ptr<Sharing> Shared;
  std::unique_ptr<LoopMemory> Memory;
  std::unique_ptr<UniformValues> Values;
  std::unique_ptr<UniformReads> Uniform;

private:
  void recordStructure(Function &F) {
    P.F = P.Source = &F;
    P.DT = std::make_unique<DominatorTree>(F);
    P.LI = std::make_unique<LoopInfo>(*P.DT);
    for (Loop *L : P.LI->getLoopsInPreorder()) {
      auto Record = std::make_unique<LoopRecord>();
      Record->L = L;
      Record->Parent = P.LoopOf.lookup(L->getParentLoop());
      Record->ExitingBlock = L->getExitingBlock();
      Record->ExitBlock = L->getExitBlock();
      StringRef Name = L->getHeader()->getName();
      if (Record->ExitingBlock && Name.consume_front("loop"))
        Record->LastIteration =
            F.getValueSymbolTable()->lookup(("last" + Name).str());
      P.LoopOf[L] = Record.get();
      P.Loops.push_back(std::move(Record));
    }
  }
  static Request request(Function &F, bool IsApart) {
    Request R;
    R.Primal = &F;
    R.Kind = DerivativeKind::Split;
    R.InTeam = TeamRole::Region;
    for (const Argument &A : F.args()) {
      StringRef Name = A.getName();
      const bool IsConst =
          !A.getType()->isPointerTy() || A.getArgNo() < 2 || Name == "index";
      R.Args.push_back(IsConst ? ArgActivity::Const : ArgActivity::Dup);
      if (Name != "out" && Name != "index" && !(IsApart && Name == "b"))
        continue;
      for (const Argument &Other : F.args())
        R.Pairs.set(A.getArgNo(), Other.getArgNo(), AddressPair::Apart);
    }
    return R;
  }
  void find(Function &F, unsigned Count) {
    Accesses.assign(Count, nullptr);
    for (unsigned K = 0; K < Count; ++K)
      if (Value *V =
              F.getValueSymbolTable()->lookup("access" + std::to_string(K)))
        Accesses[K] =
            cast<Instruction>(isa<GetElementPtrInst>(V) ? V->user_back() : V);
  }
  std::vector<const Instruction *> Accesses;
};

struct Count {
  unsigned Proved = 0, True = 0, Near = 0, Uniform = 0, Settings = 0;
};

/// \p A is one of the few in which threads may meet.
bool isNearBounds(const Touch &A, const NearBounds *Near) {
  return Near &&
         (A.Before < int64_t(Near->AtBegin) || A.Behind < int64_t(Near->AtEnd));
}

/// The accesses that touch, in a plain sum, what another thread adds to.
/// \p All: what would do so if all sums were plain.
std::set<unsigned> meetings(const Trace &T, const Analyzed &Of,
                            std::set<unsigned> &All) {
  struct User {
    unsigned Thread, Access;
    bool IsPlain;
  };
  std::map<std::pair<unsigned, int64_t>, std::vector<User>> Bytes;
  for (const Touch &A : T.Touches) {
    if (A.IsWrite || !Of.isActive(A.Access))
      continue;
    const Instruction &I = *Of.access(A.Access);
    const NearBounds *Near = Of.Shared->nearBounds(I);
    const bool IsPlain =
        Near ? !isNearBounds(A, Near) : !Of.Shared->mayBeShared(I);
    for (int64_t K = 0; K < A.Bytes; K += Grain)
      Bytes[{A.Phase, A.Address + K}].push_back({A.Thread, A.Access, IsPlain});
  }
  std::set<unsigned> Wrong;
  for (const auto &[Where, Users] : Bytes)
    for (const User &A : Users)
      for (const User &B : Users)
        if (A.Thread != B.Thread) {
          All.insert(A.Access);
          if (A.IsPlain)
            Wrong.insert(A.Access);
        }
  return Wrong;
}

/// Iterations of a shared loop do not all read the same at \p Access.
bool differs(const Trace &T, unsigned Access, unsigned SharedLoop) {
  std::map<std::vector<int64_t>, std::map<int64_t, std::multiset<int64_t>>>
      Reads;
  for (const Iteration &I : T.Iterations)
    if (I.Loop == SharedLoop)
      Reads[I.Instance][I.Number];
  for (const Touch &A : T.Touches)
    if (A.Access == Access)
      Reads[A.Instance][A.Iteration].insert(A.Address);
  for (const auto &[Instance, Iterations] : Reads)
    for (const auto &[Number, Addresses] : Iterations)
      if (Addresses != Iterations.begin()->second)
        return true;
  return false;
}

void check(uint64_t Seed, Count &Total) {
  Region Random(Seed);
  Analyzed Of(Random);
  if (!Of.isValid())
    return;
  std::set<unsigned> All;
  bool Any = false;
  for (unsigned K = 0; K < 10 && !testing::Test::HasFailure(); ++K) {
    Setting S{1 + K % 5, int64_t(K % 4), 2 + K % 3, Seed * 16 + K,
              K % 2 == 0 && !Random.isApart()};
    Trace T = Random.run(S);
    if (T.hasRace())
      continue;
    Any = true;
    ++Total.Settings;
    for (unsigned Access : meetings(T, Of, All))
      ADD_FAILURE() << "seed " << Seed << ", n " << S.N << ", m " << S.M << ", "
                    << S.Threads << " threads: access " << Access << "\n"
                    << Random.text();
    for (unsigned A = 0; A < Random.accesses(); ++A)
      if (auto *Load = dyn_cast_or_null<LoadInst>(Of.access(A));
          Load && Of.Uniform->partsOf(*Load) &&
          differs(T, A, unsigned(Random.sharedLoops()[A])))
        ADD_FAILURE() << "seed " << Seed << ": access " << A
                      << " is not uniform\n"
                      << Random.text();
  }
  for (unsigned A = 0; Any && A < Random.accesses(); ++A) {
    if (!Of.isActive(A) || Random.sharedLoops()[A] < 0)
      continue;
    const Instruction &I = *Of.access(A);
    Total.True += !All.count(A);
    Total.Proved += !Of.Shared->mayBeShared(I);
    Total.Near += Of.Shared->nearBounds(I) != nullptr;
    auto *Load = dyn_cast<LoadInst>(&I);
    Total.Uniform += Load && Of.Uniform->partsOf(*Load);
  }
}

TEST(Sharing, IsRightOnRandomRegions) {
  Count Total;
  for (uint64_t Seed = 0; Seed < 1500 && !testing::Test::HasFailure(); ++Seed)
    check(Seed, Total);
  EXPECT_GE(Total.Settings, 10000u);
  EXPECT_GE(Total.Proved * 100, Total.True * 12)
      << Total.Proved << " of " << Total.True;
  EXPECT_GE(Total.Near, 10u);
  EXPECT_GE(Total.Uniform, 100u);
}

} // namespace
