// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/SplitParameters.h"

#include "Frontend/AbiScalars.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <string>

using namespace llvm;
using namespace adze;

namespace {

constexpr const char *KnownAttribute = "adze-pieces-known";
constexpr const char *FirstAttribute = "adze-first-piece";
/// "4f 8h": a float at byte 4, a half at byte 8.
constexpr const char *FloatsAttribute = "adze-floats";

/// The variable that a parameter is stored to, and where in it.
struct Home {
  const AllocaInst *Variable = nullptr;
  uint64_t Offset = 0;
};

} // namespace

static Home homeBehind(const Value *Place, const DataLayout &DL) {
  Home H;
  APInt Offset(DL.getIndexTypeSizeInBits(Place->getType()), 0);
  const Value *Base = Place->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/false);
  if (isa<AllocaInst>(Base))
    H = {cast<AllocaInst>(Base), Offset.getZExtValue()};
  return H;
}

/// None if it is used in another way: \p A comes from an optimizer.
static Home homeOf(const Argument &A) {
  if (!A.hasOneUse())
    return {};
  const auto *Store = dyn_cast<StoreInst>(*A.user_begin());
  if (!Store || Store->getValueOperand() != &A)
    return {};
  return homeBehind(Store->getPointerOperand(),
                    A.getParent()->getParent()->getDataLayout());
}

/// What is returned is loaded from there, or where the last register is not
/// full, from a copy of it.
static Home homeOfResult(const Function &F) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  for (const BasicBlock &Block : F)
    if (const auto *Ret = dyn_cast<ReturnInst>(Block.getTerminator()))
      if (const auto *Load = dyn_cast_or_null<LoadInst>(Ret->getReturnValue()))
        return homeBehind(Load->getPointerOperand(), DL);
  return {};
}

/// The variable that the whole of \p V is copied from or to, else \p V.
static const AllocaInst *sourceVariable(const AllocaInst *V, bool From) {
  for (const User *U : V->users()) {
    const auto *Copy = dyn_cast<MemCpyInst>(U);
    if (!Copy || (From ? Copy->getRawDest() : Copy->getRawSource()) != V)
      continue;
    const Value *Other = From ? Copy->getRawSource() : Copy->getRawDest();
    if (const auto *A = dyn_cast<AllocaInst>(Other))
      return A;
  }
  return V;
}

static char letterOf(const Type &Ty) {
  return Ty.isFloatTy()    ? 'f'
         : Ty.isDoubleTy() ? 'd'
         : Ty.isHalfTy()   ? 'h'
         : Ty.isBFloatTy() ? 'b'
                           : 0;
}

static Type *typeOf(char Letter, LLVMContext &C) {
  return Letter == 'f'   ? Type::getFloatTy(C)
         : Letter == 'd' ? Type::getDoubleTy(C)
         : Letter == 'h' ? Type::getHalfTy(C)
                         : Type::getBFloatTy(C);
}

/// A union holds what was stored last.
static bool hasUnion(const Type *Ty) {
  const auto *S = dyn_cast<StructType>(Ty);
  return (S && S->hasName() && S->getName().starts_with("union.")) ||
         any_of(Ty->subtypes(), hasUnion);
}

/// The floats of \p Variable, from byte \p First on, that come to lie in
/// integers of \p Register; "" for none.
static std::string floatsInIntegers(const AllocaInst &Variable, uint64_t First,
                                    Type *Register, const DataLayout &DL) {
  std::string Text;
  Type *Source = Variable.getAllocatedType();
  SmallVector<AbiScalar, 8> Carriers, Members;
  if (Variable.isArrayAllocation() || hasUnion(Source) ||
      !collectAbiScalars(Register, DL, Carriers) ||
      !collectAbiScalars(Source, DL, Members))
    return Text;
  for (const AbiScalar &M : Members)
    for (const AbiScalar &Carrier : Carriers) {
      const uint64_t Begin = First + Carrier.Offset;
      const uint64_t End = Begin + DL.getTypeStoreSize(Carrier.Ty);
      if (!Carrier.Ty->isIntegerTy() || !letterOf(*M.Ty) || M.Offset < Begin ||
          M.Offset + DL.getTypeStoreSize(M.Ty) > End)
        continue;
      Text += (Text.empty() ? "" : " ") + std::to_string(M.Offset - First) +
              letterOf(*M.Ty);
    }
  return Text;
}

static void noteFloats(Function &F, ArrayRef<Home> Homes) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  LLVMContext &C = F.getContext();
  for (auto [P, H] : enumerate(Homes)) {
    if (!H.Variable)
      continue;
    const AllocaInst &Variable = *sourceVariable(H.Variable, /*From=*/false);
    std::string Floats =
        floatsInIntegers(Variable, H.Offset, F.getArg(P)->getType(), DL);
    if (!Floats.empty())
      F.addParamAttr(P, Attribute::get(C, FloatsAttribute, Floats));
  }
  const Home Result = homeOfResult(F);
  if (!Result.Variable)
    return;
  const AllocaInst &Variable = *sourceVariable(Result.Variable, /*From=*/true);
  std::string Floats =
      floatsInIntegers(Variable, Result.Offset, F.getReturnType(), DL);
  if (!Floats.empty())
    F.addRetAttr(Attribute::get(C, FloatsAttribute, Floats));
}

/// \p Register with the floats of \p Note in place of parts of integers.
static Type *shown(Type *Register, Attribute Note, const DataLayout &DL) {
  if (!Note.isValid())
    return Register;
  LLVMContext &C = Register->getContext();
  SmallVector<Type *, 8> Members;
  uint64_t End = 0;
  auto fill = [&](uint64_t To) {
    if (To > End)
      Members.push_back(ArrayType::get(Type::getInt8Ty(C), To - End));
    End = std::max(End, To);
  };
  auto add = [&](uint64_t At, Type *Ty) {
    fill(At);
    Members.push_back(Ty);
    End = At + DL.getTypeStoreSize(Ty);
  };
  SmallVector<StringRef, 4> Floats;
  Note.getValueAsString().split(Floats, ' ');
  SmallVector<AbiScalar, 8> Carriers;
  collectAbiScalars(Register, DL, Carriers);
  for (const AbiScalar &Carrier : Carriers) {
    if (!Carrier.Ty->isIntegerTy()) {
      add(Carrier.Offset, Carrier.Ty);
      continue;
    }
    const uint64_t Last = Carrier.Offset + DL.getTypeStoreSize(Carrier.Ty);
    for (StringRef Float : Floats) {
      uint64_t At = 0;
      if (!Float.drop_back().getAsInteger(10, At) && At >= Carrier.Offset &&
          At < Last)
        add(At, typeOf(Float.back(), C));
    }
    fill(Last);
  }
  fill(DL.getTypeStoreSize(Register));
  return StructType::get(C, Members, /*isPacked=*/true);
}

bool adze::noteSplitParameters(Function &F) {
  if (F.isDeclaration() || splitIsKnown(F))
    return false;
  SmallVector<Home, 8> Homes;
  for (const Argument &A : F.args()) {
    Homes.push_back(homeOf(A));
    // What is passed in memory is a variable itself.
    if (!Homes.back().Variable && !A.hasPassPointeeByValueCopyAttr() &&
        !A.hasStructRetAttr() && !A.use_empty())
      return false;
  }
  for (unsigned P = 0; P + 1 < Homes.size(); ++P)
    if (Homes[P].Variable && Homes[P].Variable == Homes[P + 1].Variable)
      F.addParamAttr(P, Attribute::get(F.getContext(), FirstAttribute));
  noteFloats(F, Homes);
  F.addFnAttr(KnownAttribute);
  return true;
}

void adze::copySplitNote(const Function &From, Function &To) {
  if (splitIsKnown(From))
    To.addFnAttr(KnownAttribute);
}

bool adze::splitIsKnown(const Function &F) {
  return F.hasFnAttribute(KnownAttribute);
}

bool adze::isFirstPiece(const Function &F, unsigned Param) {
  return F.getAttributes().hasParamAttr(Param, FirstAttribute);
}

bool adze::hidesFloats(const Function &F, unsigned Param) {
  return F.getAttributes().hasParamAttr(Param, FloatsAttribute);
}

bool adze::hidesFloats(const Function &F) {
  return F.getAttributes().hasRetAttr(FloatsAttribute) ||
         any_of(F.args(), [&](const Argument &A) {
           return hidesFloats(F, A.getArgNo());
         });
}

Type *adze::shownParameter(const Function &F, unsigned Param) {
  return shown(
      F.getArg(Param)->getType(),
      F.getAttributes().getParamAttrs(Param).getAttribute(FloatsAttribute),
      F.getParent()->getDataLayout());
}

Type *adze::shownResult(const Function &F) {
  return shown(F.getReturnType(),
               F.getAttributes().getRetAttrs().getAttribute(FloatsAttribute),
               F.getParent()->getDataLayout());
}
