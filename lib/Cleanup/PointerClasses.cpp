// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PointerClasses.h"
#include "adze/Deferred.h"
#include "adze/Teams.h"

#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// All calls of \p F are direct, and in \p Functions.
static bool isClosed(const Function &F,
                     const SetVector<Function *> &Functions) {
  return F.hasLocalLinkage() && !F.isVarArg() && !F.hasAddressTaken() &&
         all_of(F.users(), [&](const User *U) {
           auto *Call = dyn_cast<CallBase>(U);
           return Call && Functions.contains(
                              const_cast<Function *>(Call->getFunction()));
         });
}

PointerClasses::PointerClasses(const SetVector<Function *> &Functions,
                               LibraryOf Library) {
  create(/*IsUnknown=*/true); // 0 is no class
  for (Function *F : Functions)
    if (isClosed(*F, Functions))
      Closed.insert(F);
  for (Function *F : Functions) {
    TLI = &Library(*F);
    for (const Instruction &I : instructions(*F))
      visit(I);
  }
}

unsigned PointerClasses::create(bool IsUnknown) {
  Nodes.push_back({unsigned(Nodes.size()), 0, IsUnknown});
  return unsigned(Nodes.size()) - 1;
}

/// What \p V leads to is not known from where it comes from, which is not
/// looked at later either.
bool PointerClasses::beginsUnknown(const Value &V) const {
  if (auto *A = dyn_cast<Argument>(&V))
    return !Closed.contains(A->getParent()) ||
           A->hasPassPointeeByValueCopyAttr();
  return !isa<AllocaInst, GetElementPtrInst, PHINode, SelectInst, FreezeInst,
              BitCastInst, AddrSpaceCastInst, LoadInst>(V) &&
         !isAllocLikeFn(&V, TLI);
}

unsigned PointerClasses::node(const Value &V) {
  // It leads nowhere, and must not bring together what it is assigned to.
  if (isa<ConstantPointerNull, UndefValue>(V) && V.getType()->isPointerTy())
    return create(/*IsUnknown=*/false);
  auto [It, Inserted] = NodeOf.try_emplace(&V, 0);
  if (Inserted)
    It->second = create(!V.getType()->isPointerTy() || beginsUnknown(V));
  return It->second;
}

unsigned PointerClasses::find(unsigned N) {
  while (Nodes[N].Parent != N)
    N = Nodes[N].Parent = Nodes[Nodes[N].Parent].Parent;
  return N;
}

void PointerClasses::unite(unsigned A, unsigned B) {
  SmallVector<std::pair<unsigned, unsigned>, 4> Work{{A, B}};
  while (!Work.empty()) {
    auto [First, Second] = Work.pop_back_val();
    const unsigned To = find(First), From = find(Second);
    if (To == From)
      continue;
    const bool IsUnknown = Nodes[To].IsUnknown || Nodes[From].IsUnknown;
    const unsigned Contents = Nodes[To].Contents;
    const unsigned Others = Nodes[From].Contents;
    Nodes[From].Parent = To;
    if (!Contents)
      Nodes[To].Contents = Others;
    else if (Others)
      Work.push_back({Contents, Others});
    if (!IsUnknown)
      continue;
    // What only one of them had is unknown now as well.
    Nodes[To].IsUnknown = true;
    for (unsigned C : {Contents, Others})
      if (C)
        markUnknown(C);
  }
}

void PointerClasses::markUnknown(unsigned N) {
  for (N = find(N); !Nodes[N].IsUnknown; N = find(Nodes[N].Contents)) {
    Nodes[N].IsUnknown = true;
    if (!Nodes[N].Contents)
      return;
  }
}

unsigned PointerClasses::contents(unsigned N) {
  N = find(N);
  if (!Nodes[N].Contents) {
    const unsigned New = create(Nodes[N].IsUnknown);
    Nodes[N].Contents = New;
  }
  return find(Nodes[N].Contents);
}

void PointerClasses::escape(const Value &V) {
  if (V.getType()->isPtrOrPtrVectorTy())
    markUnknown(node(V));
}

void PointerClasses::escapeOperands(const User &U) {
  for (const Use &Operand : U.operands())
    escape(*Operand);
}

void PointerClasses::visitCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (isa<DbgInfoIntrinsic>(Call) || isa<MemSetInst>(Call) ||
      Call.isLifetimeStartOrEnd())
    return;
  if (auto *Move = dyn_cast<MemTransferInst>(&Call)) {
    unite(contents(node(*Move->getRawDest())),
          contents(node(*Move->getRawSource())));
    return;
  }
  if (getFreedOperand(&Call, TLI) || putsOffFree(Call))
    return;
  if (!Callee || !Closed.contains(Callee) || Call.hasOperandBundles()) {
    escapeOperands(Call);
    if (Callee && Closed.contains(Callee))
      for (const Argument &A : Callee->args())
        escape(A);
    return;
  }
  // Each thread has a tape to which the record leads.
  const bool HasRecord =
      teams::isTeamCall(Call) && teams::halfOf(Call) != teams::Half::Whole;
  for (const Argument &A : Callee->args()) {
    if (!A.getType()->isPtrOrPtrVectorTy())
      continue;
    const unsigned Given = node(*Call.getArgOperand(A.getArgNo()));
    const bool IsRecord = HasRecord && A.getArgNo() + 1 == Call.arg_size();
    unite(node(A), IsRecord ? contents(Given) : Given);
  }
}

void PointerClasses::visit(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    visitCall(*Call);
  } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (I.getType()->isPointerTy())
      unite(node(I), contents(node(*Load->getPointerOperand())));
    else // it may be a pointer all the same
      markContentsUnknown(*Load->getPointerOperand());
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    const Value &Stored = *Store->getValueOperand();
    if (Stored.getType()->isPointerTy()) {
      unite(contents(node(*Store->getPointerOperand())), node(Stored));
    } else {
      escape(Stored);
      markContentsUnknown(*Store->getPointerOperand());
    }
  } else if (isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst,
                 BitCastInst, AddrSpaceCastInst>(I)) {
    if (!I.getType()->isPointerTy())
      return escapeOperands(I);
    for (const Use &Operand : I.operands())
      if (Operand->getType()->isPtrOrPtrVectorTy())
        unite(node(I), node(*Operand));
  } else if (auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
    escape(*Update->getValOperand());
    markContentsUnknown(*Update->getPointerOperand());
  } else if (!isa<ICmpInst, AllocaInst>(I)) {
    escapeOperands(I); // returned, exchanged, made numbers of, put into vectors
  }
}

} // namespace adze
