// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NameVariants.h"
#include "adze/DeviceTarget.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Type.h"
#include "llvm/TargetParser/Triple.h"

using namespace adze;
using llvm::StringRef;

void adze::forEachSpelling(StringRef Family,
                           llvm::function_ref<void(StringRef)> Use) {
  const std::string F = Family.str();
  // C99, and the named widths of TS 18661-3.
  for (const char *Suffix :
       {"", "f", "l", "f16", "f32", "f64", "f128", "f32x", "f64x"})
    Use(F + Suffix);
  // glibc's headers under -ffinite-math-only, up to 2.30.
  for (const char *Suffix : {"", "f", "l"})
    Use("__" + F + Suffix + "_finite");
  forEachNvidiaSpelling(Family, Use);
  forEachAmdSpelling(Family, Use);
}

void adze::forEachNvidiaSpelling(StringRef Name,
                                 llvm::function_ref<void(StringRef)> Use) {
  for (const char *Suffix : {"", "f"})
    Use(("__nv_" + Name + Suffix).str());
}

void adze::forEachAmdSpelling(StringRef Name,
                              llvm::function_ref<void(StringRef)> Use) {
  for (const char *Suffix : {"_f16", "_2f16", "_f32", "_f64"})
    Use(("__ocml_" + Name + Suffix).str());
}

void adze::forEachComplexSpelling(StringRef Family,
                                  llvm::function_ref<void(StringRef)> Use) {
  const std::string F = Family.str();
  for (const char *Suffix : {"", "f", "l"})
    Use(F + Suffix);
}

StringRef adze::scalarOfVectorName(StringRef Name) {
  // _ZGV <isa> <mask> <vlen> <parameters> _ <name>
  if (!Name.consume_front("_ZGV") || Name.size() < 2 || Name[1] != 'N')
    return {};
  Name = Name.drop_front(2).ltrim("0123456789");
  StringRef Parameters = Name.take_while([](char C) { return C == 'v'; });
  Name = Name.drop_front(Parameters.size());
  if (Parameters.empty() || !Name.consume_front("_"))
    return {};
  return Name.take_until([](char C) { return C == '('; });
}

/// The suffix of the C library for \p Ty. Where long double is 80 bits wide,
/// fp128 is _Float128.
static const char *librarySuffix(const llvm::Type *Ty,
                                 const llvm::Triple &Target) {
  switch (Ty->getTypeID()) {
  case llvm::Type::FloatTyID:
    return "f";
  case llvm::Type::DoubleTyID:
    return "";
  case llvm::Type::X86_FP80TyID:
  case llvm::Type::PPC_FP128TyID:
    return "l";
  case llvm::Type::FP128TyID:
    return Target.isX86() || Target.isPPC() ? "f128" : "l";
  default:
    return nullptr;
  }
}

std::string adze::libraryName(StringRef Family, const llvm::Type *Ty,
                              const llvm::Triple &Target) {
  const bool IsFloat = Ty->isFloatTy(), IsDouble = Ty->isDoubleTy();
  if (isDevice(Target)) {
    if (!IsFloat && !IsDouble)
      return {};
    if (Target.isNVPTX())
      return ("__nv_" + Family + (IsFloat ? "f" : "")).str();
    return ("__ocml_" + Family + (IsFloat ? "_f32" : "_f64")).str();
  }
  const char *Suffix = librarySuffix(Ty, Target);
  return Suffix ? (Family + Suffix).str() : std::string();
}

bool adze::isDeviceLibraryName(StringRef Name) {
  return Name.starts_with("__nv_") || Name.starts_with("__ocml_") ||
         Name.starts_with("__ockl_") || Name.starts_with("__ocmlpriv_") ||
         Name.starts_with("__internal_"); // of libdevice
}
