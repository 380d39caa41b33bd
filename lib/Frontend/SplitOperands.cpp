// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/SplitOperands.h"

#include "Frontend/Materialize.h"
#include "Frontend/ResultType.h"

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

/// A call for the size: one tag for each parameter, or none at all.
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
                  "write one tag for each parameter, or none, or the same "
                  "arguments as for __enzyme_augmentfwd"});
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

namespace {

/// The operands of a second half without the last ones.
struct Trimmed {
  MarkerCall C;
  std::vector<Group> Groups;
  Match How = Match::None;
};

} // namespace

/// Takes the tape and the adjoint off the end and matches the rest.
static Trimmed trim(const MarkerCall &C, bool TakesTape, bool TakesAdjoint) {
  Trimmed T{C, {}, Match::None};
  auto last = [&](bool Pointer) -> Value * {
    if (T.C.Operands.empty())
      return nullptr;
    Operand O = T.C.Operands.back();
    bool Fits = O.T == Tag::None && !O.ByVal &&
                (Pointer ? O.V->getType()->isPointerTy()
                         : O.V->getType()->isFloatingPointTy());
    T.C.Operands.pop_back();
    return Fits ? O.V : nullptr;
  };
  if (TakesTape && !(T.C.Tape = last(/*Pointer=*/true)))
    return T;
  for (unsigned K = 0; K != C.Width && TakesAdjoint; ++K) {
    T.C.ReturnAdjoints.push_back(last(/*Pointer=*/false));
    if (!T.C.ReturnAdjoints.back())
      return T;
  }
  std::reverse(T.C.ReturnAdjoints.begin(), T.C.ReturnAdjoints.end());
  T.How = matchArguments(T.C, T.Groups);
  return T;
}

static std::optional<Match> matchReverse(MarkerCall &C,
                                         std::vector<Group> &Groups,
                                         Diagnostics &Diags,
                                         const Origin &From) {
  bool MayHaveAdjoint =
      C.Primal->getReturnType()->isFloatingPointTy() && !C.NoReturn;
  bool TakesTape = !C.Tape;
  Trimmed Found;
  for (bool TakesAdjoint : {true, false}) {
    if (TakesAdjoint && !MayHaveAdjoint)
      continue;
    Trimmed T = trim(C, TakesTape, TakesAdjoint);
    if (T.How == Match::None)
      continue;
    if (Found.How != Match::None)
      return Match::Ambiguous;
    Found = std::move(T);
  }
  if (Found.How != Match::None) {
    C = std::move(Found.C);
    Groups = std::move(Found.Groups);
    return Found.How;
  }
  if (!TakesTape)
    return Match::None;
  // Does it fit without a tape?
  for (bool TakesAdjoint : {true, false}) {
    bool Fits = (!TakesAdjoint || MayHaveAdjoint) &&
                trim(C, /*TakesTape=*/false, TakesAdjoint).How != Match::None;
    if (!Fits)
      continue;
    Diags.report(Diag::SplitUse, From, C.Call,
                 {C.Name.str(), "there is no tape",
                  "pass the tape that __enzyme_augmentfwd returned last, or "
                  "after enzyme_tape"});
    return std::nullopt;
  }
  return Match::None;
}

std::optional<Match> adze::matchSplitArguments(MarkerCall &C,
                                               std::vector<Group> &Groups,
                                               Diagnostics &Diags,
                                               const Origin &From) {
  bool TagsOnly =
      all_of(C.Operands, [](const Operand &O) { return O.T != Tag::None; });
  std::optional<Match> Result;
  if (C.half() == SplitHalf::Size && TagsOnly)
    Result = matchTags(C, Groups, Diags, From);
  else if (C.half() == SplitHalf::Reverse)
    Result = matchReverse(C, Groups, Diags, From);
  else
    Result = matchArguments(C, Groups);
  if (Result == Match::Unique && C.Primal->hasStructRetAttr()) {
    // The memory of the result would have to be the same for both halves.
    Diags.report(
        Diag::SplitUse, From, C.Call,
        {C.Name.str(),
         "'" + sourceName(*C.Primal) + "' returns a structure in memory",
         "differentiate a function that stores it through a pointer "
         "argument"});
    return std::nullopt;
  }
  return Result;
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
  Type *Returned = C.Primal->getReturnType();
  if (retTakesAdjoint(M.Req.Ret)) {
    SmallVector<Value *, 1> Adjoints;
    for (Value *V : C.ReturnAdjoints)
      Adjoints.push_back(B.CreateFPCast(V, Returned));
    if (Adjoints.empty())
      Adjoints.assign(C.Width, seedOfReturn(Returned));
    M.Operands.push_back(Materializer(C).together(Adjoints));
  }
  M.Operands.push_back(B.CreateAddrSpaceCast(C.Tape, B.getPtrTy()));
}
