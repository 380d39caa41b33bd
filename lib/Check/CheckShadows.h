// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -adze-check-shadows: what can be seen of shadows where a derivative is
// called. See docs/Checking.md.
#ifndef ADZE_CHECK_CHECKSHADOWS_H
#define ADZE_CHECK_CHECKSHADOWS_H

#include "adze/Marker.h"

namespace adze {

/// Emits before the call of \p M: the program ends with a message if the shadow
/// of a pointer
///   * is null, and the pointer is not;
///   * is the pointer itself, unless that means that there is no derivative;
///   * is the shadow of another pointer, too (in reverse mode, where both would
///     be added up);
///   * is a block smaller than the one behind the pointer, where the calling
///     function shows how large both are.
void checkShadows(const Marker &M);

} // namespace adze
#endif
