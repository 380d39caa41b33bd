// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/HeaderBodies.h"
#include "adze/KnownFunction.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace adze;

[[maybe_unused]] static constexpr bool Called = false, Inlined = true;

static const llvm::StringMap<LibraryBody> &bodies() {
  static const llvm::StringMap<LibraryBody> Table = [] {
    llvm::StringMap<LibraryBody> T;
#define ADZE_BODY(BODY, PLACE, ...)                                            \
  for (const char *Name : {__VA_ARGS__})                                       \
    T[Name] = {"body_" #BODY, PLACE};
#include "Bodies.def"
    return T;
  }();
  return Table;
}

std::optional<DataMover> adze::dataMoverOf(const llvm::CallBase &Call) {
  [[maybe_unused]] constexpr int Nothing = -1;
  static const llvm::StringMap<int> Table = [] {
    llvm::StringMap<int> T;
#define ADZE_MOVING_BODY(BODY, PLACE, CALLED, ...)                             \
  for (const char *Name : {__VA_ARGS__})                                       \
    T[Name] = CALLED;
#include "Bodies.def"
    return T;
  }();
  if (!libraryBodyOf(Call))
    return std::nullopt;
  auto It = Table.find(Call.getCalledFunction()->getName());
  if (It == Table.end())
    return std::nullopt;
  const bool Calls = It->second >= 0;
  return DataMover{Calls ? Call.getArgOperand(It->second) : nullptr};
}

/// The row of Bodies.def for a member that a header has.
static const LibraryBody *bodyBesideHeader(const llvm::Function &F) {
  struct Row {
    llvm::StringRef Prefix;
    LibraryBody Body;
  };
  static const std::vector<Row> Table = [] {
    std::vector<Row> T;
#define ADZE_BODY_OF_HEADER(BODY, PLACE, ...)                                  \
  for (const char *Prefix : {__VA_ARGS__})                                     \
    T.push_back({Prefix, {"body_" #BODY, PLACE}});
#include "Bodies.def"
    return T;
  }();
  if (!F.getName().starts_with("_ZNSt") && !F.getName().starts_with("_ZNKSt"))
    return nullptr;
  auto It = llvm::find_if(
      Table, [&](const Row &R) { return F.getName().starts_with(R.Prefix); });
  return It == Table.end() ? nullptr : &It->Body;
}

bool adze::hasBodyBesideHeader(const llvm::Function &F) {
  return !F.hasFnAttribute(declared::Like) && !isDeclaredInactive(F) &&
         bodyBesideHeader(F);
}

bool adze::isStdAsync(const llvm::Function &F) {
  return F.getName().starts_with("_ZSt5asyncI");
}

bool adze::keepsExceptionInFuture(const llvm::Function &F) {
  return F.getName().starts_with("_ZN") &&
         F.getName().contains("St13__future_base") &&
         F.getName().contains("12_Task_setterI");
}

const LibraryBody *adze::libraryBodyOf(const llvm::CallBase &Call) {
  const llvm::Function *F = Call.getCalledFunction();
  if (!F || isDeclaredInactive(Call) || F->hasFnAttribute(declared::Like))
    return nullptr;
  if (!F->isDeclaration())
    return bodyBesideHeader(*F);
  auto It = bodies().find(F->getName());
  return It == bodies().end() ? nullptr : &It->second;
}
