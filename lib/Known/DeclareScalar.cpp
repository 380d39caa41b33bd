// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeclareLibrary.h"
#include "DigammaFunction.h"
#include "KnownTable.h"
#include "NameVariants.h"
#include "adze/DeviceTarget.h"
#include "adze/OwnFunction.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
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
    // Clang links the functions of a device's library as local ones.
    if (Taken->hasLocalLinkage() && !isDeviceLibraryName(Name)) {
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

/// ocml has Bessel functions of order 0 and 1 alone, and derivatives of those
/// ask for no others. A function of the order that chooses; it is inlined.
static FunctionCallee besselFunction(Module &M, StringRef Family, Type *Ty) {
  const std::string Name =
      ("adze.bessel." + Family + (Ty->isFloatTy() ? ".f32" : ".f64")).str();
  if (llvm::Function *F = M.getFunction(Name))
    return F;
  llvm::LLVMContext &C = M.getContext();
  Type *Int = Type::getInt32Ty(C);
  llvm::Function *F = createOwn(FunctionType::get(Ty, {Int, Ty}, false),
                                llvm::GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(llvm::Attribute::AlwaysInline);
  F->setDoesNotThrow();
  F->setDoesNotAccessMemory();
  F->setWillReturn();
  llvm::IRBuilder<> B(llvm::BasicBlock::Create(C, "", F));
  auto Of = [&](const char *Order) {
    FunctionCallee Callee =
        declareScalar(M, (Family.take_front() + Order).str(), Ty);
    return B.CreateCall(Callee, {F->getArg(1)});
  };
  llvm::Value *First = Of("1"), *Zeroth = Of("0");
  llvm::Value *IsZero = B.CreateICmpEQ(F->getArg(0), B.getInt32(0));
  llvm::Value *IsOne = B.CreateICmpEQ(F->getArg(0), B.getInt32(1));
  llvm::Value *Else =
      B.CreateSelect(IsOne, First, llvm::ConstantFP::getNaN(Ty));
  B.CreateRet(B.CreateSelect(IsZero, Zeroth, Else));
  return F;
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

/// The name of \p R in the library of \p Target, empty if it has none.
static std::string nameOn(const llvm::Triple &Target, const FamilyRecord &R,
                          Type *Ty) {
  StringRef Name = R.InLibrary ? R.Known.Family : "";
  if (const char *Own = Target.isNVPTX()    ? R.Nvidia
                        : Target.isAMDGPU() ? R.Amd
                                            : nullptr)
    Name = Own;
  return Name.empty() ? std::string() : libraryName(Name, Ty, Target);
}

/// An instruction of the device for \p R on \p Ty, null if it has none.
static FunctionCallee instructionOn(const llvm::Triple &Target, Module &M,
                                    const FamilyRecord &R, Type *Ty) {
  Intrinsic::ID ID = Target.isNVPTX()    ? R.NvidiaIntrinsic
                     : Target.isAMDGPU() ? R.AmdIntrinsic
                                         : Intrinsic::not_intrinsic;
  if (ID == Intrinsic::not_intrinsic || !Ty->isFloatTy())
    return {};
  if (Intrinsic::isOverloaded(ID))
    return Intrinsic::getDeclaration(&M, ID, {Ty});
  return Intrinsic::getDeclaration(&M, ID);
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
  if (FunctionCallee Instruction = instructionOn(Target, M, *R, Ty))
    return Instruction;
  if (Target.isAMDGPU() && (Family == "jn" || Family == "yn"))
    return besselFunction(M, Family, Ty);
  std::string Name = nameOn(Target, *R, Ty);
  if (Name.empty())
    return {};
  llvm::SmallVector<Type *, 3> Params;
  for (char Letter : StringRef(R->Known.Signature).split(':').second)
    Params.push_back(Letter == 'i' ? IntTy->getScalarType() : Ty);
  return declareLibrary(M, Name, FunctionType::get(Ty, Params, false));
}
