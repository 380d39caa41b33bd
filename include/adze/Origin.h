// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a request comes from: the marker call and the chain of calls below it.
#ifndef ADZE_ORIGIN_H
#define ADZE_ORIGIN_H

#include <memory>
#include <string>

namespace llvm {
class DILocation;
class Function;
} // namespace llvm

namespace adze {

/// One link of the chain. The root link is the marker call; each nested
/// request adds the call that asked for it. Immutable and shared.
struct Origin {
  /// "file:line:column" of the call, or "" when there is no debug location.
  std::string Place;
  /// Root: the marker's name. Nested: the name of the function called.
  std::string Callee;
  /// The function in which that call stands.
  std::string Caller;
  /// The link above; null at the marker.
  std::shared_ptr<const Origin> Parent;
  /// Root only: the user's function that holds the marker, and the marker's
  /// debug location or null. Reports without an instruction are shown there.
  const llvm::Function *In = nullptr;
  const llvm::DILocation *Location = nullptr;

  /// The marker's link.
  const Origin &root() const {
    const Origin *O = this;
    while (O->Parent)
      O = O->Parent.get();
    return *O;
  }
};

} // namespace adze
#endif
