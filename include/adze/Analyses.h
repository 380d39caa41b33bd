// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points of the analysis layer. Each analysis answers one question on a
// canonical primal and is const once built.
#ifndef ADZE_ANALYSES_H
#define ADZE_ANALYSES_H

#include "adze/ActivityInfo.h"
#include "adze/Diagnostics.h"
#include "adze/MemoryInfo.h"
#include "adze/Primal.h"
#include "adze/Request.h"
#include "adze/TypeInfo.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <memory>

namespace adze {

/// Gives the canonical primal of a callee with a body, null for declarations
/// and where preparing it failed. Interprocedural analyses look through it.
using PrimalLookup = llvm::function_ref<const Primal *(llvm::Function &Callee)>;

/// Type analysis of \p P, whose caller knows \p Known. Contradictions are
/// reported only where somebody asks (TypeInfo users), never here.
std::unique_ptr<TypeInfo>
analyzeTypes(const Primal &P, const CallerTypes &Known, PrimalLookup Callees);

class ActivityTable;

/// What callers must know of functions, for all analyses of one run: every
/// function is summarized once, and not for each of its callers anew. (What
/// type analysis knows is kept with each primal.) Valid as long as neither the
/// primals nor the functions of the module change. It may be left out.
class SummaryStore {
public:
  SummaryStore();
  ~SummaryStore();

  std::unique_ptr<ActivityTable> Activity;
};

/// Activity of \p P under the argument and return activities of \p R.
/// Active data that is stored to memory declared inactive (a const argument,
/// an __enzyme_inactive_global) is reported as ActivityConflict with both
/// witnesses.
std::unique_ptr<ActivityInfo>
analyzeActivity(const Primal &P, const Request &R, const TypeInfo &Types,
                PrimalLookup Callees, Diagnostics &Diags, const Origin &From,
                SummaryStore *Store = nullptr);

/// Says of a release of memory (a call of free and the like, a stackrestore)
/// that the derivative puts it off until the reverse pass is done.
using ReleaseFilter = std::function<bool(const llvm::Instruction &Release)>;

/// Overwrite analysis of \p P under the promises of \p R. Releases count as
/// overwriting what they release, but for those that \p StaysAllocated names
/// (called only while analyzeMemory runs).
std::unique_ptr<MemoryInfo>
analyzeMemory(const Primal &P, const Request &R,
              const ReleaseFilter &StaysAllocated = nullptr);

/// How a call of a function with a body takes part, from the caller's
/// ActivityInfo: which arguments get shadows or return adjoints, and what
/// becomes of the result. The request for the callee is made from this.
struct CallActivity {
  llvm::SmallVector<ArgActivity, 8> Args;
  RetActivity Ret = RetActivity::Const;
  llvm::SmallVector<uint16_t, 8> ArgumentFlags; // as in Request
};
CallActivity activityOfCall(const ActivityInfo &Activity,
                            const llvm::Instruction &Call, DerivativeKind Kind);

/// The only floats in \p M are doubles, on the grid of words of 8 bytes: so
/// are those of unknown type. (Derivatives walk blocks of shadows off the grid,
/// too; what they hold comes from the rest.)
bool hasDoublesAlone(const llvm::Module &M);

} // namespace adze
#endif
