// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward mode in two steps (__enzyme_fwdsplit): the primal runs once and
// records, tangents are computed later, as often as the user likes, without
// memory of the primal:
//
//   record:  r = f(x..), and what the primal has read, in the order of reading
//   replay:  (r, dr) = fwd_f(x.., dx..), where each read takes the next value
//            of the record, and nothing is written but shadows
//
// Both take the same branches, so the order is the same. What the primal reads
// is what its instructions cannot tell from their operands: loads, results of
// calls, addresses of its own memory. All else is computed again. Calls of
// functions that have derivatives of their own record and replay in turn.
//
// Memory of the primal that its function gives back lives until the record
// ends, so that no shadow that is made by a replay has the address of a block
// of the primal (see self-shadowed pointers in docs/Activity.md).
#ifndef ADZE_RECORDING_H
#define ADZE_RECORDING_H

#include "adze/Plan.h"

namespace adze {

/// What becomes of the copy of a primal instruction in a replay.
enum class Replayed : uint8_t {
  Again,    // it is computed again
  Recorded, // its value comes from the record
  Left      // it has no value and is left out
};
Replayed replayedAs(const llvm::Instruction &I);

/// Why a function cannot be replayed, and at which instruction.
struct NotReplayed {
  const llvm::Instruction *At;
  std::string What;
};
std::optional<NotReplayed> whyNotReplayed(const Facts &F, const Plan &P);

} // namespace adze
#endif
