// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/KnownFunction.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace adze;

static const llvm::StringMap<LibraryBody> &bodies() {
  static const llvm::StringMap<LibraryBody> Table = [] {
    llvm::StringMap<LibraryBody> T;
    [[maybe_unused]] constexpr bool Called = false, Inlined = true;
#define ADZE_BODY(BODY, PLACE, ...)                                            \
  for (const char *Name : {__VA_ARGS__})                                       \
    T[Name] = {"body_" #BODY, PLACE};
#include "Bodies.def"
    return T;
  }();
  return Table;
}

const LibraryBody *adze::libraryBodyOf(const llvm::CallBase &Call) {
  const llvm::Function *F = Call.getCalledFunction();
  if (!F || !F->isDeclaration() || isDeclaredInactive(Call) ||
      F->hasFnAttribute(declared::Like))
    return nullptr;
  auto It = bodies().find(F->getName());
  return It == bodies().end() ? nullptr : &It->second;
}
