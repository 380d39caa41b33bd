// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow of a pointer to a function may be a table that the program made of
// functions of its own, which are the derivatives then:
//
//   void *table[] = {augmented, reverse};     in reverse mode
//   void *table[] = {forward};  or forward    in forward mode
//
// Only the run knows the shadow. So where the program has functions that could
// stand in a table for calls of one type,
//
//   r = (*p)(x)   becomes   query(p, &which)       whose derivative looks at p'
//                           if (which == 1)      r = call1(p, x)
//                           else if (which == 2) r = call2(p, x)
//                           else                 r = (*p)(x)
//
// call1 and call2 are functions whose derivatives are given
// (GivenDerivatives.h): those of one table. Outside of derivatives `which` is
// 0.
#ifndef ADZE_LIB_PREPARE_FUNCTIONTABLES_H
#define ADZE_LIB_PREPARE_FUNCTIONTABLES_H

namespace llvm {
class CallInst;
} // namespace llvm

namespace adze {

/// Makes that of \p Call, a call through a pointer. False, and nothing changes,
/// if the program has no such functions.
bool callThroughTables(llvm::CallInst &Call);

/// Ends derivatives in front of \p Call, a call through a pointer, where the
/// shadow is a table of functions that look like derivatives of what is called
/// and cannot serve: functions return pointers or structures. False, and
/// nothing changes, if the program has no such functions.
bool stopAtUnservedTables(llvm::CallInst &Call);

} // namespace adze

#endif
