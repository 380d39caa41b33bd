// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives without markers: request in, functions out, for a front end that
// knows what it wants (the compiler of another language, a lowering of MLIR).
//
//   Request R;                    // the gradient of double f(double, double *)
//   R.Primal = F;
//   R.Args = {ArgActivity::Out, ArgActivity::Dup};
//   R.Ret = RetActivity::Active;
//   std::vector<Derivative> D = derive(M, AM, R, Diags);
//   ... calls D[0].Fused: {double} (double x, ptr p, ptr shadow, double seed)
#ifndef ADZE_DERIVE_H
#define ADZE_DERIVE_H

#include "adze/Request.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"
#include <vector>

namespace adze {

class Diagnostics;

/// One derivative for each of \p Requests, in their order, with the signatures
/// of Request.h, simplified, internal to \p M. None at all if one cannot be
/// made, after a report to \p Diags; \p M is then as it was before, but for
/// helpers that nothing calls.
///
/// Calls of them are as those in the place of markers: of the shadows of global
/// variables, which resetShadowsBefore() (Emit.h) clears, the caller takes
/// care. Markers in \p M stay what they are, so what a primal reaches must have
/// none.
std::vector<Derivative> derive(llvm::Module &M, llvm::ModuleAnalysisManager &AM,
                               llvm::ArrayRef<Request> Requests,
                               Diagnostics &Diags);

} // namespace adze
#endif
