// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/InternalCopy.h"

#include "llvm/ADT/Twine.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

Function *adze::internalCopy(Function &F, const Twine &Name) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  Copy->setName(Name);
  Copy->setLinkage(GlobalValue::InternalLinkage); // and default visibility
  Copy->setComdat(nullptr);
  return Copy;
}
