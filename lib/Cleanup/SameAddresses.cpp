// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SameAddresses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

/// More addresses of a loop, of one array in it, and terms of one are not
/// looked at.
constexpr unsigned MaxAddresses = 2000, MaxOfArray = 32, MaxTerms = 16;

/// Base + Constant + the sum of products.
struct AddressSum {
  const Value *Base = nullptr;
  uint64_t Constant = 0;
  SmallVector<std::pair<const Value *, uint64_t>, 4> Terms;
  /// All that it was computed by.
  SmallVector<Instruction *, 8> Code;

  bool operator==(const AddressSum &O) const {
    return Base == O.Base && Constant == O.Constant &&
           Terms.size() == O.Terms.size() &&
           all_of(Terms, [&](auto &T) { return is_contained(O.Terms, T); });
  }
  void add(const Value *V, uint64_t Times);
  bool addIndex(Value *V, uint64_t Times);
  bool addAddress(GetElementPtrInst &Address);
};

/// What cancels stays, times zero: if it is poison, so is the address.
void AddressSum::add(const Value *V, uint64_t Times) {
  auto *Old = find_if(Terms, [&](auto &T) { return T.first == V; });
  if (Old == Terms.end())
    Terms.push_back({V, Times});
  else
    Old->second += Times;
}

/// False if there are too many terms. \p V has 64 bits.
bool AddressSum::addIndex(Value *V, uint64_t Times) {
  SmallVector<std::pair<Value *, uint64_t>, 8> Open{{V, Times}};
  while (!Open.empty()) {
    const auto Last = Open.pop_back_val();
    Value *Part = Last.first;
    const uint64_t Factor = Last.second;
    Value *X, *Y;
    const APInt *C;
    auto isStep = [&] {
      if (match(Part, m_Add(m_Value(X), m_Value(Y))))
        Open.append({{X, Factor}, {Y, Factor}});
      else if (match(Part, m_Sub(m_Value(X), m_Value(Y))))
        Open.append({{X, Factor}, {Y, -Factor}});
      else if (match(Part, m_Mul(m_Value(X), m_APInt(C))))
        Open.push_back({X, Factor * C->getZExtValue()});
      else if (match(Part, m_Shl(m_Value(X), m_APInt(C))) && C->ult(64))
        Open.push_back({X, Factor << C->getZExtValue()});
      else
        return false;
      return true;
    };
    if (auto *Number = dyn_cast<ConstantInt>(Part))
      Constant += Factor * Number->getZExtValue();
    else if (isa<Instruction>(Part) && isStep())
      Code.push_back(cast<Instruction>(Part));
    else
      add(Part, Factor);
    if (Open.size() + Terms.size() > MaxTerms || Code.size() > MaxTerms)
      return false;
  }
  return true;
}

bool AddressSum::addAddress(GetElementPtrInst &Address) {
  const DataLayout &DL = Address.getDataLayout();
  Value *Ptr = &Address;
  for (auto *GEP = &Address; GEP; GEP = dyn_cast<GetElementPtrInst>(Ptr)) {
    MapVector<Value *, APInt> Variable;
    APInt Fixed(64, 0);
    if (!GEP->collectOffset(DL, 64, Variable, Fixed) ||
        any_of(Variable, [&](auto &V) {
          return !V.first->getType()->isIntegerTy(64) ||
                 !addIndex(V.first, V.second.getZExtValue());
        }))
      return false;
    Constant += Fixed.getZExtValue();
    Code.push_back(GEP);
    Ptr = GEP->getPointerOperand();
  }
  Base = Ptr;
  return true;
}

class Joining {
public:
  explicit Joining(const DominatorTree &DT) : DT(DT) {}

  bool run(const Loop &L);

private:
  bool replace(GetElementPtrInst &Address);

  struct Seen {
    GetElementPtrInst *Address;
    AddressSum Sum;
  };
  const DominatorTree &DT;
  DenseMap<const Value *, SmallVector<Seen, 2>> Known; // by base
};

/// By one that is known, and executed before. What that promises not to do is
/// promised of its own uses, which are executed if nothing leads elsewhere.
bool Joining::replace(GetElementPtrInst &Address) {
  AddressSum Sum;
  if (!Sum.addAddress(Address))
    return false;
  SmallVector<Seen, 2> &OfArray = Known[Sum.Base];
  for (const Seen &Before : OfArray) {
    if (!(Before.Sum == Sum) ||
        Before.Address->getType() != Address.getType() ||
        !DT.dominates(Before.Address, &Address))
      continue;
    if (!programUndefinedIfPoison(Before.Address))
      for (Instruction *I : Before.Sum.Code)
        I->dropPoisonGeneratingAnnotations();
    Address.replaceAllUsesWith(Before.Address);
    return true;
  }
  if (OfArray.size() < MaxOfArray)
    OfArray.push_back({&Address, std::move(Sum)});
  return false;
}

bool Joining::run(const Loop &L) {
  bool Changed = false;
  unsigned Count = 0;
  SmallVector<const DomTreeNode *, 8> Nodes{DT.getNode(L.getHeader())};
  while (!Nodes.empty()) {
    const DomTreeNode *Node = Nodes.pop_back_val();
    for (Instruction &I : *Node->getBlock())
      if (auto *GEP = dyn_cast<GetElementPtrInst>(&I);
          GEP && GEP->getType()->isPointerTy() && GEP->getAddressSpace() == 0 &&
          ++Count <= MaxAddresses)
        Changed |= replace(*GEP);
    for (const DomTreeNode *Below : reverse(*Node))
      if (L.contains(Below->getBlock()))
        Nodes.push_back(Below);
  }
  return Changed;
}

} // namespace

PreservedAnalyses SameAddressesPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  if (F.getDataLayout().getIndexSizeInBits(0) != 64)
    return PreservedAnalyses::all();
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  bool Changed = false;
  for (const Loop *L : Loops.getLoopsInPreorder())
    if (L->isInnermost())
      Changed |= Joining(DT).run(*L);
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace adze
