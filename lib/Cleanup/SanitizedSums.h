// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ThreadSanitizer does not see atomic additions of floats: of such a sum in one
// thread and a plain one in another, it would say nothing. It sees exchanges.
#ifndef ADZE_CLEANUP_SANITIZEDSUMS_H
#define ADZE_CLEANUP_SANITIZEDSUMS_H

namespace llvm {
class Function;
} // namespace llvm

namespace adze {

/// Where \p F is to be sanitized so, its atomic sums become
///
///   old = load atomic place
///   while (!compare_exchange(place, old, old + term));
///
/// Whether there was one.
bool exposeSumsToSanitizer(llvm::Function &F);

} // namespace adze
#endif
