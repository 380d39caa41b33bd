// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of device libraries and of the intrinsics of NVPTX and AMDGPU.
#include "KnownTable.h"
#include "NameVariants.h"
#include "TableWords.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <cmath>

using namespace adze;
using llvm::StringRef;

FamilyRecord &KnownTable::nameOnDevices(FamilyRecord &R, const char *Nvidia,
                                        const char *Amd) {
  auto Use = [&](StringRef Name) { spell(R, Name); };
  if (Nvidia)
    forEachNvidiaSpelling(Nvidia, Use);
  if (Amd)
    forEachAmdSpelling(Amd, Use);
  // The first of the names is the one that derivatives call.
  if (!R.InLibrary && !R.Nvidia)
    R.Nvidia = Nvidia;
  if (!R.InLibrary && !R.Amd)
    R.Amd = Amd;
  return R;
}

void KnownTable::addDeviceFunctions() {
  namespace Intrinsic = llvm::Intrinsic;
  const Expr x = arg(0), y = arg(1), z = arg(2), w = arg(3), out = result(),
             None;
  const Expr Zero = constant(0), One = constant(1), Pi = constant(PiNumber),
             TwoPi = constant(2 * PiNumber),
             SqrtTwoPi = constant(std::sqrt(2 * PiNumber)),
             TwoOverSqrtPi = constant(2 / std::sqrt(PiNumber));
  const Expr absX = call("fabs", x), absY = call("fabs", y);
  auto within = [&](const Expr &E) {
    return select(less(Zero, out), select(less(out, One), E, Zero), Zero);
  };
  auto Scalar = [&](const char *Name, const char *Signature,
                    std::vector<Expr> Partials) -> FamilyRecord & {
    return addScalar(Name, Signature, Intrinsic::not_intrinsic,
                     /*InLibrary=*/false, std::move(Partials));
  };
#define ADZE_DEVICE(NAME, SIGNATURE, NVIDIA, AMD, ...)                         \
  nameOnDevices(Scalar(#NAME, SIGNATURE, {__VA_ARGS__}), NVIDIA, AMD);
#define ADZE_DEVICE_CONSTANT(NAME, SIGNATURE, NVIDIA, AMD)                     \
  addConstant(#NAME, SIGNATURE, Intrinsic::not_intrinsic, false);              \
  nameOnDevices(*Families.lookup(#NAME), NVIDIA, AMD);
#define ADZE_DEVICE_OUTPUTS(NAME, SIGNATURE, NVIDIA, AMD, ...)                 \
  nameOnDevices(addOutputs(#NAME, SIGNATURE, Intrinsic::not_intrinsic, false,  \
                           {__VA_ARGS__}),                                     \
                NVIDIA, AMD);
#define ADZE_DEVICE_ALIAS(FAMILY, NVIDIA, AMD)                                 \
  nameOnDevices(*Families.lookup(#FAMILY), NVIDIA, AMD);
#define ADZE_DEVICE_NAMES(FAMILY, ...)                                         \
  for (const char *Name : {__VA_ARGS__})                                       \
    spell(*Families.lookup(#FAMILY), StringRef(Name));
#define ADZE_DEVICE_ROUNDED(FAMILY, NVIDIA, AMD)                               \
  spellRounded(*Families.lookup(#FAMILY), NVIDIA, AMD);
#define ADZE_DEVICE_OTHERWISE(FAMILY)                                          \
  forEachAmdSpelling(#FAMILY, [&](StringRef Name) { Names.erase(Name); });
#define ADZE_DEVICE_CONVERSION(...)                                            \
  ADZE_DEVICE_INACTIVE(Conversion, __VA_ARGS__)
#define ADZE_DEVICE_INACTIVE(KIND, ...)                                        \
  for (const char *Name : {__VA_ARGS__})                                       \
    spell(add(Name, KnownKind::KIND), StringRef(Name));
#include "Device.def"
}

void KnownTable::spellRounded(FamilyRecord &R, const char *Nvidia,
                              const char *Amd) {
  for (const char *Way : {"_rn", "_rz", "_ru", "_rd"})
    spell(R, ("__nv_" + StringRef(Nvidia) + Way).str());
  if (Amd)
    for (const char *Way : {"_rte", "_rtz", "_rtp", "_rtn"})
      for (const char *Suffix : {"_f32", "_f64"})
        spell(R, ("__ocml_" + StringRef(Amd) + Way + Suffix).str());
}

void KnownTable::addDeviceIntrinsics() {
  using namespace llvm::Intrinsic;
#define ADZE_DEVICE_INTRINSICS(FAMILY, ...)                                    \
  for (llvm::Intrinsic::ID ID :                                                \
       std::initializer_list<llvm::Intrinsic::ID>{__VA_ARGS__})                \
    spell(*Families.lookup(#FAMILY), ID);
#define ADZE_DEVICE_INACTIVE_INTRINSICS(KIND, ...)                             \
  for (llvm::Intrinsic::ID ID :                                                \
       std::initializer_list<llvm::Intrinsic::ID>{__VA_ARGS__})                \
    spell(add(getBaseName(ID).data(), KnownKind::KIND), ID);
#define ADZE_DEVICE_EMITS(FAMILY, NVIDIA, AMD)                                 \
  Families.lookup(#FAMILY)->NvidiaIntrinsic = NVIDIA;                          \
  Families.lookup(#FAMILY)->AmdIntrinsic = AMD;
#include "DeviceIntrinsics.def"
}
