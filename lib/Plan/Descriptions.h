// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What types say of the buffers of an exchange, for its derivatives at run time
// (given::Described, Runtime/MpiDescribed.h), as a text:
//
//   24 0+8d 8+12n 12+24u@MPI_Send (f.c:3:10)
//
// Each 24 bytes (0: it does not repeat): a double, numbers up to byte 12, and
// what nobody knows. f, d, l: float, double, long double, one behind the other.
// The last end is 0 where that is not known. Behind the @ stands the call.
#ifndef ADZE_PLAN_DESCRIPTIONS_H
#define ADZE_PLAN_DESCRIPTIONS_H

#include <string>
#include <vector>

namespace llvm {
class CallBase;
} // namespace llvm

namespace adze {

class TypeInfo;

/// Request::Descriptions for \p Call.
std::vector<std::string> descriptionsFor(const llvm::CallBase &Call,
                                         const TypeInfo &Types);

} // namespace adze
#endif
