// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/SourceTypes.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

const DIType *adze::withoutQualifiers(const DIType *Ty) {
  // Longer chains are circles, in metadata that is not valid.
  for (unsigned N = 0; N != 64; ++N) {
    auto *D = dyn_cast_or_null<DIDerivedType>(Ty);
    if (!D)
      return Ty;
    switch (D->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
    case dwarf::DW_TAG_immutable_type:
      Ty = D->getBaseType();
      continue;
    default:
      return Ty;
    }
  }
  return nullptr;
}
