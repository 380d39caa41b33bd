// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markers of a module: found, parsed into requests, and replaced.
#ifndef ADZE_MARKER_H
#define ADZE_MARKER_H

#include "adze/Diagnostics.h"
#include "adze/Request.h"
#include <optional>
#include <vector>

namespace llvm {
class CallBase;
class Module;
class Value;
class raw_ostream;
} // namespace llvm

namespace adze {

/// One marker call, parsed.
struct Marker {
  llvm::CallBase *Call = nullptr;
  Request Req;
  std::shared_ptr<const Origin> From;
  /// Operands for the derivative's parameters in its order (argument, then
  /// shadow if it has one), already loaded where the ABI passed them indirect.
  std::vector<llvm::Value *> Operands;
};

/// Every call of a marker in \p M in module order. Includes markers reached
/// through bitcasts, -O0 spills of the function pointer or of tags, invokes,
/// and mangled names.
std::vector<llvm::CallBase *> findMarkers(llvm::Module &M);

/// Parses \p Call; nullopt after a report.
std::optional<Marker> parseMarker(llvm::CallBase &Call, Diagnostics &Diags);

/// Replaces the marker call by a call of the finished \p D, adapting its
/// result to the marker's return type (void, scalar, struct in order, sret),
/// seeding the return's adjoint with 1 in reverse mode.
void replaceMarker(Marker &M, const Derivative &D, Diagnostics &Diags);

/// Reports every use of a marker that is still there (and not already
/// reported), and replaces it so that no link error follows.
void reportLeftovers(llvm::Module &M, Diagnostics &Diags);

} // namespace adze
#endif
