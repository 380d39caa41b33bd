// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How threads of a team give each other addresses (Prepare/TeamBodies.c).
#ifndef ADZE_TEAMEXCHANGE_H
#define ADZE_TEAMEXCHANGE_H

namespace adze::teams {

/// The variable in which a thread leaves the address of what others copy
/// (`copyprivate` in a function that a region calls).
inline constexpr char ExchangedName[] = "adze.team.body.Exchanged";

} // namespace adze::teams

#endif
