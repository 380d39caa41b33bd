// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the source declares of its variables, from debug info and from the
// !adze.type that the clang plugin writes. A declaration belongs to a variable,
// and most variables are promoted to values here: so it is noted for each value
// that is loaded from the variable or stored to it. The notes follow values
// that replace others.
#include "Prepare/Stages.h"
#include "adze/Primal.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace adze {
namespace {

/// Uses of one variable that are looked at.
constexpr unsigned MaxUses = 4096;

class Collector {
public:
  explicit Collector(Primal &P) : P(P), DL(P.F->getParent()->getDataLayout()) {}

  void collect(Instruction &I);

private:
  void note(Value *V, Declaration D);
  void ofVariable(Value *Address, Declaration D);
  void ofAccesses(AllocaInst &Slot, Declaration D);
  void annotated(Instruction &I, const MDNode &Node);
  void ofRecord(Value *Location, bool IsDeclare, const DILocalVariable &Var,
                const DIExpression &Expr);

  Primal &P;
  const DataLayout &DL;
};

void Collector::note(Value *V, Declaration D) {
  if (isa<Constant>(V) || V->getType()->isFPOrFPVectorTy())
    return;
  D.Of = V;
  P.Declared.push_back(std::move(D));
}

/// \p D is of the object at \p Address.
void Collector::ofVariable(Value *Address, Declaration D) {
  D.IsAddress = true;
  note(Address, D);
  if (auto *Slot = dyn_cast<AllocaInst>(Address))
    ofAccesses(*Slot, D);
}

void Collector::ofAccesses(AllocaInst &Slot, Declaration D) {
  D.IsAddress = false;
  SmallVector<std::pair<Value *, int64_t>, 8> Work{{&Slot, 0}};
  for (unsigned N = 0; !Work.empty() && N != MaxUses; ++N) {
    auto [Address, Offset] = Work.pop_back_val();
    for (User *U : Address->users()) {
      D.Offset = uint64_t(Offset);
      if (auto *Load = dyn_cast<LoadInst>(U))
        note(Load, D);
      auto *Store = dyn_cast<StoreInst>(U);
      if (Store && Store->getPointerOperand() == Address)
        note(Store->getValueOperand(), D);
      auto *GEP = dyn_cast<GetElementPtrInst>(U);
      APInt Step(DL.getIndexTypeSizeInBits(Address->getType()), 0);
      if (GEP && GEP->accumulateConstantOffset(DL, Step) &&
          Offset + Step.getSExtValue() >= 0)
        Work.push_back({GEP, Offset + Step.getSExtValue()});
    }
  }
}

/// !adze.type !{!"result", !"argument 0", ...}; the result of an alloca is a
/// pointer to the variable.
void Collector::annotated(Instruction &I, const MDNode &Node) {
  auto textAt = [&](unsigned N) -> const MDString * {
    auto *S = dyn_cast_or_null<MDString>(Node.getOperand(N));
    return S && !S->getString().empty() ? S : nullptr;
  };
  if (Node.getNumOperands() == 0)
    return;
  Declaration D;
  D.Type = textAt(0);
  D.Behind = isa<AllocaInst>(I);
  if (D.Type && D.Behind)
    ofVariable(&I, D);
  else if (D.Type)
    note(&I, D);
  auto *Call = dyn_cast<CallBase>(&I);
  D.Behind = false;
  for (unsigned N = 1; Call && N < Node.getNumOperands(); ++N) {
    D.Type = textAt(N);
    if (D.Type && N <= Call->arg_size())
      note(Call->getArgOperand(N - 1), D);
  }
}

void Collector::ofRecord(Value *Location, bool IsDeclare,
                         const DILocalVariable &Var, const DIExpression &Expr) {
  if (!Location || !Var.getType())
    return;
  Declaration D;
  D.Type = Var.getType();
  ArrayRef<uint64_t> Elements = Expr.getElements();
  if (IsDeclare) {
    if (Elements.empty())
      ofVariable(Location, D);
    return;
  }
  if (Elements.size() == 1 && Elements[0] == dwarf::DW_OP_deref &&
      Location->getType()->isPointerTy())
    return ofVariable(Location, D);
  std::optional<DIExpression::FragmentInfo> Part = Expr.getFragmentInfo();
  if (Part && Elements.size() == 3 && Part->OffsetInBits % 8 == 0)
    D.Offset = Part->OffsetInBits / 8;
  else if (!Elements.empty())
    return;
  note(Location, D);
}

void Collector::collect(Instruction &I) {
  if (const MDNode *Node = I.getMetadata("adze.type"))
    annotated(I, *Node);
  for (DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange())) {
    // Assignments name the variable's memory beside the value.
    if (R.isDbgAssign() && R.getAddressExpression()->getNumElements() == 0)
      ofRecord(R.getAddress(), /*IsDeclare=*/true, *R.getVariable(),
               *R.getAddressExpression());
    if (R.getNumVariableLocationOps() == 1 && !R.isKillLocation())
      ofRecord(R.getVariableLocationOp(0), R.isDbgDeclare(), *R.getVariable(),
               *R.getExpression());
  }
  if (auto *R = dyn_cast<DbgVariableIntrinsic>(&I))
    if (R->getNumVariableLocationOps() == 1 && !R->isKillLocation())
      ofRecord(R->getVariableLocationOp(0), isa<DbgDeclareInst>(R),
               *R->getVariable(), *R->getExpression());
}

} // namespace

void collectDeclarations(Primal &P) {
  Collector C(P);
  for (Instruction &I : instructions(*P.F))
    C.collect(I);
}

void settleDeclarations(Primal &P) {
  using Key = std::pair<std::pair<const Value *, const Metadata *>,
                        std::pair<unsigned, uint64_t>>;
  DenseSet<Key> Seen;
  auto isGone = [&](const Declaration &D) {
    const Value *V = D.Of;
    return !V || isa<Constant>(V) ||
           !Seen.insert({{V, D.Type},
                         {unsigned(D.Behind) * 2 + D.IsAddress, D.Offset}})
                .second;
  };
  llvm::erase_if(P.Declared, isGone);
}

} // namespace adze
