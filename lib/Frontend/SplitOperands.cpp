// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/SplitOperands.h"

#include "Frontend/Materialize.h"
#include "Frontend/ResultType.h"
#include "Frontend/SeedOperands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace adze;

SplitHalf MarkerCall::half() const {
  switch (Kind) {
  case MarkerKind::Augment:
    return SplitHalf::Augment;
  case MarkerKind::ReverseHalf:
    return SplitHalf::Reverse;
  case MarkerKind::TapeSize:
    return SplitHalf::Size;
  case MarkerKind::Table:
    return SplitHalf::Table;
  default:
    return SplitHalf::None;
  }
}

bool adze::addSplitTag(MarkerCall &C, Tag T, StringRef Name, unsigned &At,
                       Diagnostics &Diags, const Origin &From) {
  auto wrong = [&](const Twine &Why, const Twine &Cure) {
    Diags.report(Diag::SplitUse, From, C.Call,
                 {Name.str(), Why.str(), Cure.str()});
    return false;
  };
  bool HasTape =
      C.half() == SplitHalf::Augment || C.half() == SplitHalf::Reverse;
  if (!HasTape)
    return wrong("'" + C.Name + "' has no tape",
                 "use it with __enzyme_augmentfwd and __enzyme_reverse");
  if (T == Tag::NoFree) {
    C.NoFree = true;
    return true;
  }
  bool IsSize = T == Tag::Allocated;
  Value *&Place = IsSize ? C.Allocated : C.Tape;
  Value *V = ++At < C.Call->arg_size() ? C.Call->getArgOperand(At) : nullptr;
  if (Place)
    return wrong("it stands there twice", "leave one out");
  if (!V ||
      !(IsSize ? V->getType()->isIntegerTy() : V->getType()->isPointerTy()))
    return wrong(IsSize ? "no number of bytes follows it"
                        : "no address follows it",
                 IsSize ? "write the size of the memory after it"
                        : "write the tape's address after it");
  Place = V;
  C.TapeTagged |= !IsSize;
  return true;
}

/// A call for the size or for both halves: one tag for each parameter, or none
/// at all.
static std::optional<Match> matchTags(const MarkerCall &C,
                                      std::vector<Group> &Groups,
                                      Diagnostics &Diags, const Origin &From) {
  const Function &F = *C.Primal;
  unsigned Given = C.Operands.size();
  unsigned Wanted = F.arg_size() - F.hasStructRetAttr();
  if (Given && Given != Wanted) {
    Diags.report(Diag::SplitUse, From, C.Call,
                 {C.Name.str(),
                  "it has " + std::to_string(Given) + " tags, and '" +
                      sourceName(F) + "' has " + std::to_string(Wanted) +
                      " parameters",
                  C.half() == SplitHalf::Table
                      ? "write one tag for each parameter, or none"
                      : "write one tag for each parameter, or none, or the "
                        "same arguments as for __enzyme_augmentfwd"});
    return std::nullopt;
  }
  unsigned Next = 0;
  for (unsigned P = 0; P != F.arg_size(); ++P) {
    Group G;
    G.FirstParam = P;
    G.ImplicitSRet = F.hasParamAttribute(P, Attribute::StructRet);
    if (Given && !G.ImplicitSRet) {
      G.T = C.Operands[Next].T;
      G.TagName = C.Operands[Next++].TagName;
    }
    Groups.push_back(G);
  }
  return Match::Unique;
}

/// The second half: the tape stands at the end, unless a tag says where it is.
static std::optional<Match> matchReverse(MarkerCall &C,
                                         std::vector<Group> &Groups,
                                         Diagnostics &Diags,
                                         const Origin &From) {
  const bool TakesTape = !C.Tape;
  std::optional<Match> Found = matchBackward(C, TakesTape, Groups, Diags, From);
  if (!TakesTape || Found != Match::None)
    return Found;
  MarkerCall Without = C;
  std::vector<Group> Ignored;
  if (matchBackward(Without, /*TakesTape=*/false, Ignored, Diags, From) ==
      Match::None)
    return Match::None;
  Diags.report(Diag::SplitUse, From, C.Call,
               {C.Name.str(), "there is no tape",
                "pass the tape that __enzyme_augmentfwd returned last, or "
                "after enzyme_tape"});
  return std::nullopt;
}

std::optional<Match> adze::matchSplitArguments(MarkerCall &C,
                                               std::vector<Group> &Groups,
                                               Diagnostics &Diags,
                                               const Origin &From) {
  bool TagsOnly =
      all_of(C.Operands, [](const Operand &O) { return O.T != Tag::None; });
  const bool MayBeTags =
      C.half() == SplitHalf::Size || C.half() == SplitHalf::Table;
  if (MayBeTags && TagsOnly)
    return matchTags(C, Groups, Diags, From);
  if (C.half() == SplitHalf::Table) {
    Diags.report(Diag::SplitUse, From, C.Call,
                 {C.Name.str(), "it is given values",
                  "write the function, and one tag for each parameter or "
                  "none"});
    return std::nullopt;
  }
  if (C.half() == SplitHalf::Reverse)
    return matchReverse(C, Groups, Diags, From);
  return matchArguments(C, Groups);
}

void adze::addSplitOperands(const MarkerCall &C, Marker &M) {
  M.Half = C.half();
  M.KeepsTape = C.NoFree && C.half() == SplitHalf::Reverse;
  // What the first half is told of the size only, it returns: its address.
  if (C.TapeTagged)
    M.Place = C.Allocated ? TapePlace::Provided : TapePlace::Variable;
  IRBuilder<> B(C.Call);
  switch (C.half()) {
  case SplitHalf::None:
    return;
  case SplitHalf::Size:
  case SplitHalf::Table:
    M.Operands.clear();
    return;
  case SplitHalf::Augment:
    if (C.Tape)
      M.Operands.push_back(B.CreateAddrSpaceCast(C.Tape, B.getPtrTy()));
    if (C.Tape && C.Allocated)
      M.Operands.push_back(B.CreateZExtOrTrunc(C.Allocated, B.getInt64Ty()));
    return;
  case SplitHalf::Reverse:
    break;
  }
  if (retTakesAdjoint(M.Req.Ret)) {
    Value *Seed = M.Seed;
    M.Operands.push_back(
        Seed ? Seed
             : seedOfReturn(dualTypeOf(C.Primal->getReturnType(), C.Width)));
    M.Seed = nullptr;
  }
  M.Operands.push_back(B.CreateAddrSpaceCast(C.Tape, B.getPtrTy()));
}
