// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Did the program itself execute this operation on the path taken, or may an
// optimizer have moved it there?
//
//   r = c ? a * sqrt(b) : 0      becomes    t = a * sqrt(b);  r = select c, t,
//   0
//
// What the program promises of its values (that none is NaN or infinite) holds
// of t only where c does. Where t is stored, returned or compared for a branch
// the program executed it, for optimizers do not move those.
#pragma once

namespace llvm {
class Instruction;
}

namespace adze {

/// True unless some use of \p I that is executed whenever \p I is shows that
/// the program executed it. Looks at a bounded number of uses: past it, true.
bool mayBeSpeculated(const llvm::Instruction &I);

} // namespace adze
