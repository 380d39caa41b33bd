// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether derivatives that the program gives (GivenDerivatives.h) serve.
#ifndef ADZE_GIVENPLAN_H
#define ADZE_GIVENPLAN_H

#include "adze/Request.h"
#include <optional>

namespace adze {

struct GivenFault {
  std::string Why, Cure;
};

/// Why \p R, of a function with derivatives of its own in that mode, cannot be
/// answered by them, if so.
std::optional<GivenFault> whyNotGiven(const Request &R);
/// The primal of \p R writes memory and the program's functions are called once
/// for each direction: behind each call but the last one, what it has written
/// is to be put back.
bool isPutBack(const Request &R);
/// Why the program's functions cannot be the two steps of forward mode
/// (Recording.h), of which the first one knows no shadows, if so.
std::optional<std::string> whyNotRecorded(const Request &R);
/// The same as whyNotGiven() of calls of a table's functions, which are told at
/// run time.
std::optional<GivenFault> whyNotFromTable(const Request &R);

} // namespace adze
#endif
