// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From tags and types to the activities of a request.
#ifndef ADZE_LIB_FRONTEND_ACTIVITIES_H
#define ADZE_LIB_FRONTEND_ACTIVITIES_H

#include "Frontend/MarkerCall.h"

namespace adze {

/// What happens to one parameter.
struct ParamRole {
  ArgActivity Activity = ArgActivity::Const;
  /// Memory passed by value whose float leaves are returned: the shadow is
  /// ours, and its floats start at zero.
  bool OutInMemory = false;
  /// sret: the memory receives the result, its shadow the tangent or starts as
  /// the seed.
  bool Result = false;
};

/// The roles of the parameters of \p G; false after a report of a tag that
/// contradicts the types.
bool assignRoles(const MarkerCall &C, const Group &G, Diagnostics &Diags,
                 const Origin &From, std::vector<ParamRole> &Roles);

/// The type that the primal returns in the source: what it returns in
/// registers, or the memory behind sret; null for void. \p Param receives the
/// number of the sret parameter that is no operand.
llvm::Type *returnedType(const MarkerCall &C, llvm::ArrayRef<Group> Groups,
                         std::optional<unsigned> &Param);

/// What the return takes part in; false after a report of a function with
/// several floating-point results in reverse mode.
bool assignReturn(const MarkerCall &C, llvm::Type *Returned, Diagnostics &Diags,
                  const Origin &From, RetActivity &Ret);

/// \p Ty in words: "double", "a structure of 24 bytes", "a pointer".
std::string typeInWords(llvm::Type *Ty, const llvm::DataLayout &DL);

/// "argument 2" (numbered as in the source, from 1).
std::string argumentInWords(const MarkerCall &C, unsigned Param);

} // namespace adze
#endif
