// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types as debug information tells them.
#ifndef ADZE_SOURCETYPES_H
#define ADZE_SOURCETYPES_H

namespace llvm {
class DIType;
} // namespace llvm

namespace adze {

/// \p Ty without typedefs and qualifiers, which say what their base says. Null
/// is void.
const llvm::DIType *withoutQualifiers(const llvm::DIType *Ty);

} // namespace adze
#endif
