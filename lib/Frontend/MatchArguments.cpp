// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operands of a marker call belong to which parameters.
//
// The source has one value an argument, and one shadow; the IR may have two of
// each, where a structure was split into registers. With p a structure of two
// doubles and x, y doubles, the operands of
//     __enzyme_fwddiff(f, p, dp)         p.a p.b dp.a dp.b
//     __enzyme_fwddiff(f, x, dx, y, dy)  x   dx  y    dy
// look the same, and so may the functions. Clang tells the two apart by
// `noundef`, which it puts on scalars and not on the pieces of structures,
// which may hold padding. So a group of two parameters must lack it, where the
// attribute is in use at all. Where the function was seen before it was
// optimized, it says itself which parameters are one argument
// (SplitParameters.h). Then all ways to group the parameters are
// counted by dynamic programming over (parameter, operand). Where the program
// uses tags, every argument is taken to have one if that is possible. If more
// than one way is left, the user has to say more: a guess could give a wrong
// gradient silently.
#include "Frontend/MarkerCall.h"
#include "Frontend/SplitParameters.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace adze;

const DataLayout &MarkerCall::layout() const {
  return Primal->getParent()->getDataLayout();
}

Type *adze::memoryType(const Function &F, unsigned Param) {
  if (Type *T = F.getParamByValType(Param))
    return T;
  return F.getParamStructRetType(Param);
}

ScalarClasses adze::classesOf(const MarkerCall &C, unsigned FirstParam,
                              unsigned NumParams) {
  ScalarClasses Sum;
  Sum.Inactive = true;
  for (unsigned P = FirstParam; P != FirstParam + NumParams; ++P) {
    Type *Memory = memoryType(*C.Primal, P);
    Sum.add(scalarClasses(Memory ? Memory : C.Primal->getArg(P)->getType()));
    Sum.Inactive &= isDeclaredInactive(*C.Primal->getArg(P));
  }
  return Sum;
}

bool adze::wantsShadow(const MarkerCall &C, const ScalarClasses &Classes,
                       Tag T) {
  switch (T) {
  case Tag::Dup:
  case Tag::DupNoNeed:
    return true;
  case Tag::None:
    if (C.isInactive() || Classes.Inactive)
      return false;
    return Classes.Pointers ||
           (C.isForward() && !C.FloatsAlone && Classes.Floats);
  default:
    return false;
  }
}

bool adze::isConvertible(const Operand &O, Type *Ty, const DataLayout &DL) {
  Type *From = O.V->getType();
  if (O.ByVal)
    return false; // by value to by value is looked at before
  if (From == Ty)
    return true;
  if (From->isFloatingPointTy() && Ty->isFloatingPointTy())
    return true;
  if (From->isIntegerTy() && Ty->isIntegerTy())
    return true;
  if (From->isPointerTy() && Ty->isPointerTy())
    return true;
  if (Ty->isPointerTy()) {
    const auto *Zero = dyn_cast<ConstantInt>(O.V);
    return Zero && Zero->isZero(); // a literal 0 for NULL
  }
  // The same structure in other registers.
  auto IsCarrier = [](Type *T) {
    return T->isVectorTy() || T->isAggregateType();
  };
  return (IsCarrier(From) || IsCarrier(Ty)) && From->isSized() &&
         !scalarClasses(From).Pointers && !scalarClasses(Ty).Pointers &&
         DL.getTypeStoreSize(From) == DL.getTypeStoreSize(Ty);
}

uint64_t adze::pieceOffsets(ArrayRef<Type *> Pieces, const DataLayout &DL,
                            SmallVectorImpl<uint64_t> &Offsets) {
  // All calling conventions that split do so into registers, of which each
  // but the last is full (or ends in padding).
  const uint64_t Register = DL.getPointerSize();
  uint64_t End = 0;
  for (Type *T : Pieces) {
    uint64_t Offset = alignTo(End, Register);
    Offsets.push_back(Offset);
    End = Offset + DL.getTypeStoreSize(T).getFixedValue();
  }
  return alignTo(End, Register);
}

bool adze::piecesCover(ArrayRef<Type *> Pieces, uint64_t Size,
                       const DataLayout &DL) {
  SmallVector<uint64_t, 2> Offsets;
  uint64_t End = pieceOffsets(Pieces, DL, Offsets);
  return Offsets.back() < Size && Size <= End;
}

Type *adze::sourceResult(const Function &F) {
  for (unsigned P = 0; P != F.arg_size(); ++P)
    if (Type *Memory = F.getParamStructRetType(P))
      return Memory;
  Type *Ty = F.getReturnType();
  return Ty->isVoidTy() ? nullptr : Ty;
}

namespace {

enum class Grouping {
  Scalars,    // every parameter for itself
  ByEvidence, // two only where both lack noundef
  Any
};

class Matcher {
public:
  Matcher(const MarkerCall &C, Grouping G, bool SkipSRet)
      : C(C), F(*C.Primal), DL(C.layout()), How(G), SkipSRet(SkipSRet),
        NumParams(F.arg_size()), NumOperands(C.Operands.size()),
        UsesTags(any_of(C.Operands,
                        [](const Operand &O) { return O.T != Tag::None; })),
        Best((NumParams + 1) * (NumOperands + 1)) {}

  Match run(std::vector<Group> &Groups) {
    at(NumParams, NumOperands) = {0, 1, {}, 0};
    for (unsigned P = NumParams; P-- != 0;)
      for (unsigned O = 0; O <= NumOperands; ++O)
        tryGroups(P, O);
    const State &Start = at(0, 0);
    if (Start.Ways == 0)
      return Match::None;
    if (Start.Ways > 1)
      return Match::Ambiguous;
    for (unsigned P = 0, O = 0; P != NumParams;) {
      const State &S = at(P, O);
      Groups.push_back(S.Choice);
      P += S.Choice.NumParams;
      O = S.NextOperand;
    }
    return Match::Unique;
  }

private:
  /// The ways to match what follows: the least number of arguments without a
  /// tag, how many ways have it (two stands for more), and the first of them.
  struct State {
    unsigned Untagged = ~0u;
    unsigned Ways = 0;
    Group Choice;
    unsigned NextOperand = 0;
  };
  State &at(unsigned Param, unsigned Operand) {
    return Best[Param * (NumOperands + 1) + Operand];
  }

  void tryGroups(unsigned P, unsigned O) {
    if (SkipSRet && F.hasParamAttribute(P, Attribute::StructRet)) {
      Group G;
      G.FirstParam = P;
      G.ImplicitSRet = true;
      offer(P, O, G, O);
      return;
    }
    const unsigned Least = isFirstPiece(F, P) ? MaxPieces : 1;
    for (unsigned Size = Least; Size <= MaxPieces && P + Size <= NumParams;
         ++Size)
      if (Size == 1 || mayBeOneStructure(P))
        tryGroup(P, O, Size);
  }

  void tryGroup(unsigned P, unsigned O, unsigned Size) {
    Group G;
    G.FirstParam = P;
    G.NumParams = Size;
    unsigned At = O;
    if (At != NumOperands && C.Operands[At].T != Tag::None) {
      G.T = C.Operands[At].T;
      G.TagName = C.Operands[At].TagName;
      G.Stride = C.Operands[At].Stride;
      ++At;
    }
    bool Shadow = wantsShadow(C, classesOf(C, P, Size), G.T);
    if (Shadow && G.T == Tag::None && Size == 1 && hidesFloats(F, P)) {
      // An integer without a tag is constant, and so may this one be.
      G.T = Tag::Const;
      tryValues(P, At, G, /*Shadow=*/false);
      G.T = Tag::None;
    }
    tryValues(P, At, G, Shadow);
  }

  /// The value of \p G begins at operand \p At, behind its tag if it has one.
  void tryValues(unsigned P, unsigned At, Group G, bool Shadow) {
    const unsigned O = G.TagName.empty() ? At : At - 1;
    const unsigned Size = G.NumParams;
    // Without tag and shadow, two parameters apart say the same.
    bool Apart = Size > 1 && G.T == Tag::None && !Shadow && !splitIsKnown(F);
    for (const Instance &Value : instances(P, Size, At)) {
      if (Apart && (Value.How == Instance::Direct || !C.isInactive()))
        continue;
      G.Value = Value;
      unsigned Next = Value.First + Value.Count;
      if (!Shadow) {
        offer(P, O, G, Next);
        continue;
      }
      for (const Instance &Twin : instances(P, Size, Next))
        if (addShadows(G, Twin, Size))
          offer(P, O, G, G.Shadows.back().First + Twin.Count);
      for (unsigned Count = 1; Count <= MaxPieces; ++Count)
        if (Size == 1 && fitsPacked(P, Next, Count)) {
          G.Shadows = {{Instance::Packed, Next, Count}};
          offer(P, O, G, Next + Count);
        }
    }
  }

  /// The shadows of \p G, of which \p First is the first one: the others come
  /// behind it in the same form.
  bool addShadows(Group &G, const Instance &First, unsigned Size) const {
    G.Shadows = {First};
    unsigned At = First.First + First.Count;
    for (unsigned K = 1; K < C.Width && !G.Stride; ++K, At += First.Count) {
      auto Next = instances(G.FirstParam, Size, At);
      auto *Same = find_if(Next, [&](const Instance &I) {
        return I.How == First.How && I.Count == First.Count;
      });
      if (Same == Next.end())
        return false;
      G.Shadows.push_back(*Same);
    }
    return true;
  }

  void offer(unsigned P, unsigned O, const Group &G, unsigned Next) {
    const State &Rest = at(P + G.NumParams, Next);
    if (Rest.Ways == 0)
      return;
    bool CountsAsUntagged = UsesTags && G.TagName.empty() && !G.ImplicitSRet;
    unsigned Untagged = Rest.Untagged + CountsAsUntagged;
    State &S = at(P, O);
    if (Untagged < S.Untagged)
      S = {Untagged, Rest.Ways, G, Next};
    else if (Untagged == S.Untagged)
      S.Ways = std::min(2u, S.Ways + Rest.Ways);
  }

  bool isPiece(unsigned P) const {
    Type *T = F.getArg(P)->getType();
    return !memoryType(F, P) && !T->isAggregateType() &&
           DL.getTypeStoreSize(T).getKnownMinValue() <= DL.getPointerSize();
  }

  bool mayBeOneStructure(unsigned P) const {
    if (splitIsKnown(F))
      return isFirstPiece(F, P);
    if (How == Grouping::Scalars || !isPiece(P) || !isPiece(P + 1))
      return false;
    return How == Grouping::Any ||
           (!F.hasParamAttribute(P, Attribute::NoUndef) &&
            !F.hasParamAttribute(P + 1, Attribute::NoUndef));
  }

  SmallVector<Instance, 2> instances(unsigned P, unsigned Size,
                                     unsigned At) const {
    SmallVector<Instance, 2> Found;
    Type *Memory = Size == 1 ? memoryType(F, P) : nullptr;
    if (Memory ? fitsMemory(At, Memory) : fitsDirectly(P, Size, At))
      Found.push_back({Instance::Direct, At, Size});
    if (!Memory && fitsIndirectly(P, Size, At))
      Found.push_back({Instance::Indirect, At, 1});
    for (unsigned Count = 1; Memory && Count <= MaxPieces; ++Count)
      if (fitsGathered(Memory, At, Count))
        Found.push_back({Instance::Gathered, At, Count});
    return Found;
  }

  const Operand *valueAt(unsigned O) const {
    return O < NumOperands && C.Operands[O].T == Tag::None ? &C.Operands[O]
                                                           : nullptr;
  }

  /// Memory passed by value on both sides, or an address for it.
  bool fitsMemory(unsigned At, Type *Memory) const {
    const Operand *O = valueAt(At);
    if (!O || !O->V->getType()->isPointerTy())
      return false;
    return !O->ByVal ||
           DL.getTypeAllocSize(O->ByVal) == DL.getTypeAllocSize(Memory);
  }

  bool fitsDirectly(unsigned P, unsigned Size, unsigned At) const {
    for (unsigned I = 0; I != Size; ++I) {
      const Operand *O = valueAt(At + I);
      if (!O || !isConvertible(*O, F.getArg(P + I)->getType(), DL))
        return false;
      if (Size > 1 && How == Grouping::ByEvidence && O->NoUndef &&
          !splitIsKnown(F))
        return false;
    }
    return true;
  }

  bool fitsIndirectly(unsigned P, unsigned Size, unsigned At) const {
    const Operand *O = valueAt(At);
    if (!O || !O->ByVal)
      return false;
    SmallVector<Type *, 2> Pieces;
    for (unsigned I = 0; I != Size; ++I)
      Pieces.push_back(F.getArg(P + I)->getType());
    return covers(Pieces, O->ByVal);
  }

  bool fitsGathered(Type *Memory, unsigned At, unsigned Count) const {
    SmallVector<Type *, 2> Pieces;
    for (unsigned I = 0; I != Count; ++I) {
      const Operand *O = valueAt(At + I);
      if (!O || O->ByVal || (How == Grouping::ByEvidence && O->NoUndef))
        return false;
      Pieces.push_back(O->V->getType());
    }
    // One pointer is the memory's address, not a structure around a pointer.
    return (Count > 1 || !Pieces[0]->isPointerTy()) && covers(Pieces, Memory);
  }

  /// The shadows of float \p P in all directions, as one value.
  bool fitsPacked(unsigned P, unsigned At, unsigned Count) const {
    Type *Float = F.getArg(P)->getType();
    if (C.Width == 1 || !Float->isFloatingPointTy())
      return false;
    uint64_t Bytes = 0;
    for (unsigned I = 0; I != Count; ++I) {
      const Operand *O = valueAt(At + I);
      if (!O || (O->ByVal && Count > 1))
        return false;
      Type *Ty = O->ByVal ? O->ByVal : O->V->getType();
      if (I == 0 && !O->ByVal && !Ty->isAggregateType() && !Ty->isVectorTy())
        return false; // scalars one by one
      SmallVector<AbiScalar, 8> Scalars;
      if (!collectAbiScalars(Ty, DL, Scalars) ||
          any_of(Scalars, [&](const AbiScalar &S) { return S.Ty != Float; }))
        return false;
      Bytes += Scalars.size() * DL.getTypeAllocSize(Float).getFixedValue();
    }
    return Bytes == C.Width * DL.getTypeAllocSize(Float).getFixedValue();
  }

  bool covers(ArrayRef<Type *> Pieces, Type *Memory) const {
    return piecesCover(Pieces, DL.getTypeAllocSize(Memory).getFixedValue(), DL);
  }

  const MarkerCall &C;
  const Function &F;
  const DataLayout &DL;
  Grouping How;
  bool SkipSRet;
  unsigned NumParams, NumOperands;
  bool UsesTags;
  std::vector<State> Best;
};

} // namespace

/// Whether clang says by noundef what is a scalar.
static bool hasEvidence(const MarkerCall &C) {
  return any_of(C.Operands, [](const Operand &O) { return O.NoUndef; }) ||
         any_of(C.Call->args(),
                [&](const Use &U) {
                  return C.Call->paramHasAttr(U.getOperandNo(),
                                              Attribute::NoUndef);
                }) ||
         any_of(C.Primal->args(), [](const Argument &A) {
           return A.hasAttribute(Attribute::NoUndef);
         });
}

Match adze::matchArguments(ArrayRef<MarkerCall> Ways, unsigned &Way,
                           std::vector<Group> &Groups) {
  for (bool SkipSRet : {true, false})
    for (bool Any : {false, true}) {
      Match Found = Match::None;
      for (auto [I, C] : enumerate(Ways)) {
        // The adjoint is that of a result that is no argument.
        if (!C.Seed.empty() && !SkipSRet)
          continue;
        Grouping Strict =
            hasEvidence(C) ? Grouping::ByEvidence : Grouping::Scalars;
        std::vector<Group> Here;
        Match How =
            Matcher(C, Any ? Grouping::Any : Strict, SkipSRet).run(Here);
        if (How == Match::None)
          continue;
        if (How == Match::Ambiguous || Found != Match::None)
          return Match::Ambiguous;
        Found = How;
        Way = I;
        Groups = std::move(Here);
      }
      if (Found != Match::None)
        return Found;
    }
  return Match::None;
}

Match adze::matchArguments(const MarkerCall &C, std::vector<Group> &Groups) {
  unsigned Way = 0;
  return matchArguments(C, Way, Groups);
}
