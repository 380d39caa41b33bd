// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeclareLibrary.h"
#include "DigammaFunction.h"
#include "KnownTable.h"
#include "NameVariants.h"
#include "adze/DeviceTarget.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace adze;
using llvm::FunctionCallee;
using llvm::FunctionType;
using llvm::Module;
using llvm::StringRef;
using llvm::Type;
namespace Intrinsic = llvm::Intrinsic;

FunctionCallee adze::declareLibrary(Module &M, StringRef Name,
                                    FunctionType *FT) {
  if (llvm::GlobalValue *Taken = M.getNamedValue(Name)) {
    if (Taken->hasLocalLinkage()) {
      Taken->setName(Name + ".local");
    } else {
      auto *F = llvm::dyn_cast<llvm::Function>(Taken);
      const bool Usable =
          F && (F->isDeclaration() || F->getFunctionType() == FT);
      return Usable ? FunctionCallee(FT, F) : FunctionCallee();
    }
  }
  // No attributes: they would hold for the program's own calls as well when
  // modules are linked, and those may want errno.
  return M.getOrInsertFunction(Name, FT);
}

/// GPU back ends lower only these; the rest comes from the device library.
static bool isNativeOnDevices(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::sqrt:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
    return true;
  default:
    return false;
  }
}

static FunctionCallee declareIntrinsic(Module &M, Intrinsic::ID ID, Type *Ty,
                                       Type *IntTy) {
  switch (ID) {
  case Intrinsic::powi: // one exponent for all elements
    return Intrinsic::getDeclaration(&M, ID, {Ty, IntTy->getScalarType()});
  case Intrinsic::ldexp: // an exponent for each element
    if (auto *V = llvm::dyn_cast<llvm::VectorType>(Ty))
      IntTy =
          llvm::VectorType::get(IntTy->getScalarType(), V->getElementCount());
    return Intrinsic::getDeclaration(&M, ID, {Ty, IntTy});
  default:
    return Intrinsic::getDeclaration(&M, ID, {Ty});
  }
}

FunctionCallee adze::declareScalar(Module &M, StringRef Family, Type *Ty,
                                   Type *IntTy) {
  const FamilyRecord *R = KnownTable::get().byFamily(Family);
  if (!R || !R->Known.Signature || R->Known.Signature[0] != 'f')
    return {};
  Type *Scalar = Ty->getScalarType();
  if (Scalar->isHalfTy() || Scalar->isBFloatTy())
    return {};
  if (!IntTy)
    IntTy = Type::getInt32Ty(M.getContext());
  llvm::Triple Target(M.getTargetTriple());
  const bool OnDevice = isDevice(Target);
  if (R->Intrinsic != Intrinsic::not_intrinsic &&
      Intrinsic::isOverloaded(R->Intrinsic) &&
      (!OnDevice || isNativeOnDevices(R->Intrinsic)))
    return declareIntrinsic(M, R->Intrinsic, Ty, IntTy);
  if (Ty->isVectorTy())
    return {};
  if (Family == "adze.digamma")
    return digammaFunction(M, Ty);
  std::string Name = libraryName(Family, Ty, Target);
  if (!R->InLibrary || Name.empty())
    return {};
  llvm::SmallVector<Type *, 3> Params;
  for (char Letter : StringRef(R->Known.Signature).split(':').second)
    Params.push_back(Letter == 'i' ? IntTy->getScalarType() : Ty);
  return declareLibrary(M, Name, FunctionType::get(Ty, Params, false));
}
