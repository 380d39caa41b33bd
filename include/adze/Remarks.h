// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimization remarks (-Rpass=adze, -Rpass-missed=adze, -Rpass-analysis=adze,
// -fsave-optimization-record): a plan told to the user of the compiler, at the
// lines of the user's function. See docs/Remarks.md.
#ifndef ADZE_REMARKS_H
#define ADZE_REMARKS_H

namespace llvm {
class LLVMContext;
} // namespace llvm

namespace adze {

class Plan;

/// Whether anybody listens. If not, emitRemarks() need not be called.
bool remarksEnabled(llvm::LLVMContext &C);

/// Tells of the finished plan \p P: what the reverse pass keeps and why, what
/// it computes again, how calls are differentiated, and how large the tape is.
void emitRemarks(const Plan &P);

} // namespace adze
#endif
