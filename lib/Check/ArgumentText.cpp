// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ArgumentText.h"
#include "adze/Diagnostics.h"

#include "llvm/IR/Function.h"

using namespace llvm;

namespace adze {

std::string argumentText(const Argument &Arg) {
  unsigned Number = Arg.getArgNo() + 1;
  for (const Argument &Before : Arg.getParent()->args())
    if (Before.getArgNo() < Arg.getArgNo() && Before.hasStructRetAttr())
      --Number;
  std::string Text = "argument " + std::to_string(Number);
  // Only a name from the source adds anything.
  std::string Name = describe(&Arg);
  if (StringRef(Name).starts_with("'"))
    Text += " (" + StringRef(Name).split("' ").first.rtrim('\'').str() + "')";
  return Text;
}

} // namespace adze
