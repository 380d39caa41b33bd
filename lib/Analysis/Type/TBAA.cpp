// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types from type-based alias analysis metadata. A scalar type node is
// !{"double", parent, i64 0}, a struct node !{"S", T0, i64 off0, T1, ...}, an
// access tag !{base type, access type, i64 offset}. Names are those of C and
// C++ front ends; "omnipotent char" and names we do not know say nothing.
#include "Analysis/Type/IRTypes.h"
#include "Analysis/Type/TypeTreeBuilder.h"
#include "adze/Options.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace adze;

namespace {

struct ScalarName {
  ConcreteType Type;
  uint64_t Size = 0; // 0: not known from the name alone
};

ScalarName typeOfName(StringRef Name, LLVMContext &Context,
                      const DataLayout &DL) {
  ScalarName S;
  Type *Float = StringSwitch<Type *>(Name)
                    .Case("double", Type::getDoubleTy(Context))
                    .Case("float", Type::getFloatTy(Context))
                    .Cases("_Float16", "__fp16", "half", "_Half",
                           Type::getHalfTy(Context))
                    .Case("__bf16", Type::getBFloatTy(Context))
                    .Case("__float128", Type::getFP128Ty(Context))
                    .Default(nullptr);
  if (Float) {
    S.Type = ConcreteType::floating(Float);
    S.Size = storeSize(Float, DL);
    return S;
  }
  if (Name == "any pointer" || Name == "vtable pointer" ||
      (Name.size() > 2 && Name[0] == 'p' && llvm::isDigit(Name[1]) &&
       Name.contains(' '))) {
    S.Type = ConcreteType::Pointer;
    S.Size = DL.getPointerSize();
    return S;
  }
  int Size = StringSwitch<int>(Name)
                 .Cases("bool", "_Bool", 1)
                 .Case("short", 2)
                 .Case("int", 4)
                 .Case("long long", 8)
                 .Case("__int128", 16)
                 .Cases("long", "wchar_t", "char16_t", "char32_t", 0)
                 .Default(-1);
  if (Size >= 0) {
    S.Type = ConcreteType::Integer;
    S.Size = uint64_t(Size);
  }
  return S;
}

ScalarName typeOfNode(const MDNode *Node, LLVMContext &Context,
                      const DataLayout &DL) {
  // A chain of parents: "enum E" -> "omnipotent char" says nothing at once.
  for (int Step = 0; Step != 8 && Node && Node->getNumOperands() >= 2; ++Step) {
    auto *Name = dyn_cast<MDString>(Node->getOperand(0));
    if (!Name)
      break;
    ScalarName S = typeOfName(Name->getString(), Context, DL);
    if (S.Type.isKnown())
      return S;
    if (Node->getNumOperands() > 3)
      break;
    if (Node->getNumOperands() == 3) {
      auto *Offset = mdconst::dyn_extract<ConstantInt>(Node->getOperand(2));
      if (!Offset || !Offset->isZero())
        break;
    }
    Node = dyn_cast<MDNode>(Node->getOperand(1));
  }
  return ScalarName();
}

/// The scalars of a struct node, nested ones included.
void collectFields(const MDNode *Base, const Value *Witness,
                   LLVMContext &Context, const DataLayout &DL,
                   TypeTreeBuilder &Out) {
  const unsigned MaxFields = Options::get().MaxTypeFacts;
  SmallVector<std::pair<const MDNode *, uint64_t>, 8> Stack;
  Stack.push_back({Base, 0});
  for (unsigned Seen = 0; !Stack.empty() && Seen != MaxFields; ++Seen) {
    auto [Node, Offset] = Stack.pop_back_val();
    ScalarName S = typeOfNode(Node, Context, DL);
    if (S.Type.isKnown()) {
      if (S.Size)
        Out.add(
            TypeTree::at(Offset, S.Size, S.Type, Certainty::Indirect, Witness));
      continue;
    }
    for (unsigned I = 1; I + 1 < Node->getNumOperands(); I += 2) {
      auto *Member = dyn_cast<MDNode>(Node->getOperand(I));
      auto *At = mdconst::dyn_extract<ConstantInt>(Node->getOperand(I + 1));
      if (Member && At && Member != Node)
        Stack.push_back({Member, Offset + At->getZExtValue()});
    }
  }
}

} // namespace

/// The type of an access tag, and its base with the offset in it.
static ScalarName accessType(const MDNode *Tag, LLVMContext &Context,
                             const DataLayout &DL, const MDNode *&Base,
                             uint64_t &Offset) {
  Base = nullptr;
  Offset = 0;
  if (Tag->getNumOperands() < 3 || !isa<MDNode>(Tag->getOperand(0)))
    return typeOfNode(Tag, Context, DL); // old scalar form: the type itself
  Base = dyn_cast<MDNode>(Tag->getOperand(0));
  auto *At = mdconst::dyn_extract<ConstantInt>(Tag->getOperand(2));
  if (At)
    Offset = At->getZExtValue();
  // Nodes whose first operand is no name are of the newer format with sizes.
  if (!At || Base->getNumOperands() == 0 || !isa<MDString>(Base->getOperand(0)))
    Base = nullptr;
  return typeOfNode(dyn_cast<MDNode>(Tag->getOperand(1)), Context, DL);
}

/// An integer name holds for all accessed bytes; a float or pointer for one
/// scalar, or for a row of them where the access may hold several. ("long
/// double" has no one size: its accesses have a float type of their own.)
static TypeTree treeOfAccess(const ScalarName &S, uint64_t Size, bool Several,
                             const Value *Witness) {
  if (!S.Type.isKnown() || Size == 0)
    return TypeTree();
  if (S.Type.isInteger())
    return TypeTree::at(0, Size, S.Type, Certainty::Definite, Witness);
  if (Size % S.Size != 0 || (Size != S.Size && !Several))
    return TypeTree();
  TypePlace P;
  P.Size = S.Size;
  P.Count = Size / S.Size;
  P.Stride = P.Count > 1 ? S.Size : 0;
  return TypeTree::of(P, S.Type, Certainty::Definite, Witness);
}

TBAAFacts adze::factsOfTBAA(const Instruction &Access, Type *AccessTy,
                            const DataLayout &DL) {
  TBAAFacts Facts;
  const MDNode *Tag = Access.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag)
    return Facts;
  LLVMContext &Context = Access.getContext();
  const MDNode *Base;
  uint64_t Offset;
  ScalarName S = accessType(Tag, Context, DL, Base, Offset);
  // A vector access of scalars carries the tag of one of them.
  TypeTree Here = treeOfAccess(S, storeSize(AccessTy, DL),
                               isa<FixedVectorType>(AccessTy), &Access);
  if (!Base || Offset >= TypeTree::MaxOffset ||
      typeOfNode(Base, Context, DL).Type.isKnown()) {
    Facts.Tree = Here;
    return Facts;
  }
  Facts.Back = Offset;
  TypeTreeBuilder B;
  collectFields(Base, &Access, Context, DL, B);
  B.add(Here.shifted(int64_t(Offset)));
  Facts.Tree = B.take();
  return Facts;
}

/// A copy loop of scalars became this block copy, and kept their access tag.
static TypeTree treeOfScalarCopy(const Instruction &Copy,
                                 const DataLayout &DL) {
  const MDNode *Tag = Copy.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag)
    return TypeTree();
  LLVMContext &Context = Copy.getContext();
  const MDNode *Base;
  uint64_t Offset;
  ScalarName S = accessType(Tag, Context, DL, Base, Offset);
  bool IsScalar = !Base || typeOfNode(Base, Context, DL).Type.isKnown();
  if (!IsScalar || !(S.Type.isFloat() || S.Type.isPointer()) || S.Size == 0)
    return TypeTree();
  auto *Bytes = dyn_cast<ConstantInt>(Copy.getOperand(2));
  if (Bytes)
    return treeOfAccess(S, Bytes->getZExtValue(), /*Several=*/true, &Copy);
  TypePlace P;
  P.Size = P.Stride = S.Size;
  P.Count = TypePlace::Unbounded;
  return TypeTree::of(P, S.Type, Certainty::Definite, &Copy);
}

TypeTree adze::treeOfTBAAStruct(const Instruction &Copy, const DataLayout &DL) {
  const MDNode *Node = Copy.getMetadata(LLVMContext::MD_tbaa_struct);
  if (!Node)
    return treeOfScalarCopy(Copy, DL);
  TypeTreeBuilder B;
  for (unsigned I = 0; I + 2 < Node->getNumOperands(); I += 3) {
    auto *Offset = mdconst::dyn_extract<ConstantInt>(Node->getOperand(I));
    auto *Size = mdconst::dyn_extract<ConstantInt>(Node->getOperand(I + 1));
    auto *Tag = dyn_cast<MDNode>(Node->getOperand(I + 2));
    if (!Offset || !Size || !Tag)
      continue;
    const MDNode *Base;
    uint64_t Within;
    ScalarName S = accessType(Tag, Copy.getContext(), DL, Base, Within);
    B.add(treeOfAccess(S, Size->getZExtValue(), /*Several=*/true, &Copy)
              .shifted(int64_t(Offset->getZExtValue())));
  }
  return B.take();
}

TypeTree adze::floatOfTBAA(const Instruction &Access, Type *AccessTy,
                           const DataLayout &DL) {
  const MDNode *Tag = Access.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag || !AccessTy->isIntegerTy())
    return TypeTree();
  const MDNode *Base;
  uint64_t Offset;
  ScalarName S = accessType(Tag, Access.getContext(), DL, Base, Offset);
  if (!S.Type.isFloat() || S.Size != storeSize(AccessTy, DL))
    return TypeTree();
  return treeOfAccess(S, S.Size, /*Several=*/false, &Access);
}

/// A pointer by its tag.
static bool isTaggedPointer(const Value *V, const DataLayout &DL) {
  auto *Load = dyn_cast<LoadInst>(V);
  const MDNode *Tag = Load ? Load->getMetadata(LLVMContext::MD_tbaa) : nullptr;
  if (!Tag)
    return false;
  const MDNode *Base;
  uint64_t Offset;
  return accessType(Tag, Load->getContext(), DL, Base, Offset).Type.isPointer();
}

/// What is put into \p Slot, if it is a variable that is only read and written
/// as a whole. False otherwise.
static bool storesTo(const Value *Slot, Type *Whole,
                     SmallSetVector<const Value *, 8> &Stored) {
  auto *Var = dyn_cast<AllocaInst>(Slot);
  return Var && all_of(Var->users(), [&](const User *U) {
           if (auto *S = dyn_cast<StoreInst>(U)) {
             Stored.insert(S->getValueOperand());
             return S->getPointerOperand() == Var &&
                    S->getValueOperand()->getType() == Whole;
           }
           return isa<LoadInst>(U) && U->getType() == Whole;
         });
}

/// \p V is the address of a pointer at hand, aligned or moved by constants: it
/// passes through no other function and no memory but variables.
static bool isAddressAtHand(const Value *V) {
  constexpr unsigned MaxValues = 16;
  SmallSetVector<const Value *, 8> From;
  From.insert(V);
  for (unsigned K = 0; K < From.size(); ++K) {
    if (K == MaxValues)
      return false;
    if (isa<PtrToIntOperator>(From[K]))
      continue;
    if (auto *Load = dyn_cast<LoadInst>(From[K])) {
      if (!storesTo(Load->getPointerOperand(), Load->getType(), From))
        return false;
      continue;
    }
    auto *Op = dyn_cast<BinaryOperator>(From[K]);
    auto *By = Op ? dyn_cast<ConstantInt>(Op->getOperand(1)) : nullptr;
    bool Moves = By && (Op->getOpcode() == Instruction::Add ||
                        Op->getOpcode() == Instruction::Sub);
    bool Aligns = By && Op->getOpcode() == Instruction::And &&
                  By->getValue().isNegatedPowerOf2();
    if (!Moves && !Aligns)
      return false;
    From.insert(Op->getOperand(0));
  }
  return true;
}

bool adze::makesPointersOfIntegers(const Module &M) {
  return any_of(M, [&](const Function &F) {
    return any_of(instructions(F), [&](const Instruction &I) {
      return isa<IntToPtrInst>(I) &&
             !isTaggedPointer(I.getOperand(0), M.getDataLayout()) &&
             !isAddressAtHand(I.getOperand(0));
    });
  });
}
