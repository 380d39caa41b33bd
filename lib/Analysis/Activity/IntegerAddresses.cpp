// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers that are taken for numbers, although the address of memory with a
// shadow went into them. A mark, an offset within its object, and the distance
// between two places in one object are the same for the shadow; what else is
// made of an address and becomes one again would be the primal's, not the
// shadow's.
#include "Analysis/Activity/ActivityTable.h"
#include "Analysis/Activity/Conflicts.h"
#include "Analysis/Activity/FunctionActivity.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

/// What is left of an address by so few bits is a mark, or an offset.
constexpr unsigned MarkBits = 16;
/// Operations behind one integer that are looked at.
constexpr unsigned MaxOperations = 64;

class IntegerAddresses {
public:
  IntegerAddresses(const FunctionActivity &A, const ActivityTable &Table,
                   Diagnostics &Diags, const Origin &From)
      : A(A), Table(Table), M(A.M), G(A.M.G), Diags(Diags), From(From) {}

  void run() {
    for (const CallSite &Site : M.Calls) {
      checkResult(Site);
      checkStoresIn(Site);
    }
    checkStores();
    for (const Instruction &I : instructions(*M.P.F)) {
      if (!I.isBinaryOp() || !isAddressSized(I))
        continue;
      if (A.hasShadow(&I) && !A.isActive(&I))
        checkOperands(I);
      else if (I.getOpcode() == Instruction::Sub && isUsed(I) &&
               mixesObjects(I) &&
               !(isSize(I.getOperand(0)) && isSize(I.getOperand(1))))
        report(I, "as the distance between two objects");
    }
  }

private:
  bool isAddressSized(const Value &V) const {
    return V.getType()->isIntegerTy(M.DL.getPointerSizeInBits());
  }

  /// A callee that returns an address must know that it is one.
  void checkResult(const CallSite &Site) {
    const CallBase &Call = *Site.Call;
    if (!isAddressSized(Call) || !A.hasShadow(&Call) || A.isActive(&Call) ||
        !M.Types || !M.Types->scalarKind(&Call).isPointer())
      return;
    const FunctionActivity *Callee = Table.solved(Site);
    if (!Callee)
      return;
    IntegerAddresses Inner(*Callee, Table, Diags, From);
    for (const Instruction &I : instructions(*Callee->M.P.F))
      if (auto *Return = dyn_cast<ReturnInst>(&I))
        if (!Inner.isNumber(*Return->getReturnValue()))
          report(Call, "as a result that the function takes for a number",
                 Return->getReturnValue());
  }

  /// A quotient of an address that is stored where an address with a shadow is
  /// read again must be known for one: else nobody stores its dual.
  void checkStores() {
    for (const Instruction &I : instructions(*M.P.F)) {
      auto *Store = dyn_cast<StoreInst>(&I);
      const Value *V = Store ? Store->getValueOperand() : nullptr;
      auto *Part = dyn_cast_or_null<BinaryOperator>(V);
      if (!Part || !isAddressSized(*V) || A.hasShadow(V) || A.isActive(V) ||
          !reachesShadow(*V) || !G.isDemanded(M.find(V)))
        continue;
      unsigned Opcode = Part->getOpcode();
      bool Quotient =
          Opcode == Instruction::UDiv || Opcode == Instruction::SDiv ||
          Opcode == Instruction::LShr || Opcode == Instruction::AShr;
      if (Quotient && !isNumber(*V))
        report(*Part, "as a quotient that is taken for a number and stored", V);
    }
  }

  /// The same of a callee, which may take no part in the derivative.
  void checkStoresIn(const CallSite &Site) {
    if (const FunctionActivity *Callee = Table.solved(Site))
      IntegerAddresses(*Callee, Table, Diags, From).checkStores();
  }

  bool reachesShadow(const Value &V) const {
    NodeId N = M.find(&V);
    return N != None && G.reachesShadow(N);
  }

  /// Otherwise than by a comparison.
  static bool isUsed(const Instruction &I) {
    return any_of(I.users(), [](const User *U) { return !isa<ICmpInst>(U); });
  }

  void checkOperands(const Instruction &I) {
    for (const Value *Op : I.operand_values())
      if (!isNumber(*Op)) {
        report(I,
               ("by '" + Twine(I.getOpcodeName()) +
                "' with an integer that is taken for a number")
                   .str(),
               Op);
        return;
      }
  }

  /// \p V has a dual, or is the same for the shadow as for the primal.
  bool isNumber(const Value &V) const {
    if (A.hasShadow(&V))
      return true;
    SmallPtrSet<const Value *, 16> Seen;
    SmallVector<const Value *, 16> Work(1, &V);
    while (!Work.empty()) {
      const Value *Part = Work.pop_back_val();
      if (!Seen.insert(Part).second || !reachesShadow(*Part))
        continue;
      auto *I = dyn_cast<Instruction>(Part);
      if (A.hasShadow(Part) || !I || Seen.size() > MaxOperations)
        return false;
      // What is read or comes back, and is known to be a number, is one.
      bool Distance = I->getOpcode() == Instruction::Sub && ofAddresses(*I) &&
                      !mixesObjects(*I);
      if (Distance || isMark(*I) || isa<LoadInst, CallBase>(I))
        continue;
      if (!isa<BinaryOperator, SelectInst, PHINode>(I) &&
          !(isa<CastInst>(I) && !isa<PtrToIntInst>(I)))
        return false;
      Work.append(I->value_op_begin(), I->value_op_end());
    }
    return true;
  }

  static bool isMark(const Instruction &I) {
    auto *C = I.getNumOperands() == 2 ? dyn_cast<ConstantInt>(I.getOperand(1))
                                      : nullptr;
    if (!C)
      return I.getType()->isIntegerTy() &&
             I.getType()->getIntegerBitWidth() <= MarkBits / 2;
    unsigned Bits = C->getBitWidth();
    switch (I.getOpcode()) {
    case Instruction::And:
      return C->getValue().getActiveBits() <= MarkBits ||
             C->getValue().countr_zero() + MarkBits >= Bits;
    case Instruction::URem:
      return C->getValue().getActiveBits() <= MarkBits;
    case Instruction::LShr:
    case Instruction::AShr:
      return C->getValue().uge(Bits - MarkBits);
    default:
      return false;
    }
  }

  bool ofAddresses(const Instruction &I) const {
    return all_of(I.operand_values(), [&](const Value *Op) {
      NodeId N = M.find(Op);
      return N != None && !G.targets(N).empty();
    });
  }

  /// The difference of addresses that lead to different objects, one of them
  /// with a shadow. (Memory from outside may be one object.)
  bool mixesObjects(const Instruction &I) const {
    NodeId Left = M.find(I.getOperand(0)), Right = M.find(I.getOperand(1));
    if (Left == None || Right == None || G.targets(Left).empty() ||
        G.targets(Right).empty() ||
        !(G.reachesShadow(Left) || G.reachesShadow(Right)))
      return false;
    SmallSet<ObjectId, 8> Objects;
    bool Made = true, OtherMade = true;
    for (Target T : G.targets(Left)) {
      Objects.insert(G.representative(T.first));
      Made &= !G.Objects[G.representative(T.first)].isExternal();
    }
    for (Target T : G.targets(Right)) {
      if (Objects.count(G.representative(T.first)))
        return false;
      OtherMade &= !G.Objects[G.representative(T.first)].isExternal();
    }
    return Made || OtherMade;
  }

  /// The distance between two places in one object, scaled: how many elements
  /// a vector has.
  bool isSize(const Value *V) const {
    for (unsigned Steps = 0; Steps < MaxOperations; ++Steps) {
      auto *I = dyn_cast<Instruction>(V);
      if (!I || isa<PtrToIntInst>(I))
        return false;
      if (I->getOpcode() == Instruction::Sub && ofAddresses(*I))
        return !mixesObjects(*I);
      bool Scaled = I->isShift() || I->getOpcode() == Instruction::Mul ||
                    I->getOpcode() == Instruction::SDiv ||
                    I->getOpcode() == Instruction::UDiv;
      if (!(Scaled && isa<ConstantInt>(I->getOperand(1))) && !isa<CastInst>(I))
        return false;
      V = I->getOperand(0);
    }
    return false;
  }

  void report(const Instruction &I, StringRef How,
              const Value *Number = nullptr) {
    SmallVector<Witness, 2> Facts;
    for (const Value *Op : I.operand_values())
      if (auto *At = dyn_cast<Instruction>(Op))
        Facts.push_back(
            {Op == Number ? "this is taken for a number" : "this is an address",
             At});
    if (auto *At = dyn_cast_or_null<Instruction>(Number);
        At && At->getFunction() != I.getFunction())
      Facts.assign({{"this is taken for a number", At}});
    Diags.report(Diag::IntegerAddress, From, &I, {How.str()}, Facts);
  }

  const FunctionActivity &A;
  const ActivityTable &Table;
  const Model &M;
  const DataFlow &G;
  Diagnostics &Diags;
  const Origin &From;
};

} // namespace

void reportIntegerAddresses(const FunctionActivity &A,
                            const ActivityTable &Table, Diagnostics &Diags,
                            const Origin &From) {
  IntegerAddresses(A, Table, Diags, From).run();
}

} // namespace adze
