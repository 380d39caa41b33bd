// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one lookup of known functions: by what a call calls, checked against
// the signature of the row, so that a program's own `double y1(struct p *)` is
// never taken for a Bessel function.
#include "KnownTable.h"
#include "NameVariants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace adze;
using llvm::StringRef;
using llvm::Type;

/// Whether \p Ty may stand where a signature has \p Letter; \p Common is the
/// type shared by all 'f', null until the first is met.
static bool fits(char Letter, Type *Ty, Type *&Common) {
  switch (Letter) {
  case 'f':
    if (!Common)
      Common = Ty;
    return Ty->isFPOrFPVectorTy() && Ty == Common;
  case 'g':
    return Ty->isFPOrFPVectorTy();
  case 'i':
    return Ty->isIntOrIntVectorTy();
  case 'p':
    return Ty->isPointerTy();
  case 'v':
    return Ty->isVoidTy();
  case 's':
    return Ty->isStructTy();
  default: // '*': anything
    return true;
  }
}

static bool fits(const char *Signature, const llvm::FunctionType *FT) {
  if (!Signature)
    return true;
  auto [Result, Operands] = StringRef(Signature).split(':');
  unsigned NumParams = FT->getNumParams();
  while (NumParams && FT->getParamType(NumParams - 1)->isMetadataTy())
    --NumParams;
  if (NumParams != Operands.size())
    return false;
  Type *Common = nullptr;
  for (unsigned I = 0; I != NumParams; ++I)
    if (!fits(Operands[I], FT->getParamType(I), Common))
      return false;
  return fits(Result.front(), FT->getReturnType(), Common);
}

/// A body is the user's word about a function, unless it is one that a header
/// gave beside the library's (available_externally), a device library's, or
/// a helper of the compiler's or of ours.
static bool bodyCounts(const llvm::Function &F) {
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
         !isDeviceLibraryName(F.getName()) &&
         !F.getName().starts_with(ComplexWrapperPrefix) &&
         F.getName() != "adze.tape.alloc" && F.getName() != "adze.tape.free" &&
         F.getName() != "__clang_call_terminate";
}

static const KnownFunction *lookup(const llvm::Function &F,
                                   const llvm::FunctionType *FT) {
  const KnownTable &Table = KnownTable::get();
  const FamilyRecord *R = nullptr;
  if (F.isIntrinsic())
    R = Table.byIntrinsic(F.getIntrinsicID());
  else if (!bodyCounts(F))
    R = Table.byName(F.getName());
  return R && fits(R->Known.Signature, FT) ? &R->Known : nullptr;
}

const KnownFunction *adze::lookupKnown(const llvm::Function &F) {
  return lookup(F, F.getFunctionType());
}

const KnownFunction *adze::lookupKnown(const llvm::CallBase &Call) {
  const auto *F = llvm::dyn_cast<llvm::Function>(
      Call.getCalledOperand()->stripPointerCastsAndAliases());
  return F ? lookup(*F, Call.getFunctionType()) : nullptr;
}

const KnownFunction *adze::lookupFamily(StringRef Family) {
  const FamilyRecord *R = KnownTable::get().byFamily(Family);
  return R ? &R->Known : nullptr;
}

const ScalarRow *adze::arithmeticRow(unsigned Opcode) {
  return KnownTable::get().byOpcode(Opcode);
}
