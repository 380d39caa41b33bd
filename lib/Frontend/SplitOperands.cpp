// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/SplitOperands.h"

#include "Frontend/Materialize.h"
#include "Frontend/Resolve.h"
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
  case MarkerKind::ForwardHalf:
    return SplitHalf::Forward;
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
  bool HasTape = C.half() == SplitHalf::Augment ||
                 C.half() == SplitHalf::Reverse ||
                 C.half() == SplitHalf::Forward;
  if (!HasTape)
    return wrong("'" + C.Name + "' has no tape",
                 "use it with __enzyme_augmentfwd, __enzyme_reverse and "
                 "__enzyme_fwdsplit");
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

/// What a marker differentiates, as it is written.
static const Function *functionOf(const CallBase &Call) {
  const unsigned At = Call.hasStructRetAttr();
  return At < Call.arg_size() ? functionBehind(Call.getArgOperand(At))
                              : nullptr;
}

bool adze::servesTangents(const MarkerCall &C) {
  if (C.half() != SplitHalf::Augment && C.half() != SplitHalf::Size)
    return false;
  const Function *Of = functionOf(*C.Call);
  bool Forward = false, Reverse = false;
  for (CallBase *Call : findMarkers(*C.Call->getModule())) {
    const Function *Callee = functionBehind(Call->getCalledOperand());
    if (!Callee || functionOf(*Call) != Of)
      continue;
    const MarkerKind Kind = markerKind(*Callee);
    Forward |= Kind == MarkerKind::ForwardHalf;
    Reverse |= Kind == MarkerKind::ReverseHalf;
  }
  if (!Forward || !Reverse)
    return Forward;
  for (unsigned I = 0; I + 1 < C.Operands.size(); ++I)
    if (C.Operands[I].T == Tag::Dup &&
        C.Operands[I + 1].V->getType()->isFloatingPointTy())
      return true;
  return false;
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

/// \p Found of C, of which there is no tape.
static std::nullopt_t reportNoTape(const MarkerCall &C, Diagnostics &Diags,
                                   const Origin &From) {
  Diags.report(Diag::SplitUse, From, C.Call,
               {C.Name.str(), "there is no tape",
                "pass the tape that __enzyme_augmentfwd returned last, or "
                "after enzyme_tape"});
  return std::nullopt;
}

/// The second half of forward mode, likewise.
static std::optional<Match> matchForward(MarkerCall &C,
                                         std::vector<Group> &Groups,
                                         Diagnostics &Diags,
                                         const Origin &From) {
  if (C.Tape)
    return matchArguments(C, Groups);
  MarkerCall Taken = C;
  if (!Taken.Operands.empty()) {
    const Operand O = Taken.Operands.pop_back_val();
    const auto *Zero = dyn_cast<ConstantInt>(O.V);
    if (O.T == Tag::None && !O.ByVal && O.V->getType()->isPointerTy())
      Taken.Tape = O.V;
    else if (O.T == Tag::None && Zero && Zero->isZero()) // a literal 0 for NULL
      Taken.Tape =
          ConstantPointerNull::get(PointerType::getUnqual(O.V->getContext()));
  }
  if (Taken.Tape) {
    const Match Found = matchArguments(Taken, Groups);
    if (Found != Match::None) {
      C = Taken;
      return Found;
    }
  }
  if (matchArguments(C, Groups) == Match::None) {
    if (Taken.Tape)
      C = Taken; // to tell what is wrong with the arguments
    return Match::None;
  }
  return reportNoTape(C, Diags, From);
}

/// The first half of forward mode: tangents may be given, as for the second, or
/// left out.
static Match matchRecording(MarkerCall &C, std::vector<Group> &Groups) {
  Match Found = matchArguments(C, Groups);
  if (Found != Match::None)
    return Found;
  MarkerCall Alone = C;
  Alone.FloatsAlone = true;
  Found = matchArguments(Alone, Groups);
  if (Found != Match::None)
    C = Alone;
  return Found;
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
  return reportNoTape(C, Diags, From);
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
  if (C.half() == SplitHalf::Forward)
    return matchForward(C, Groups, Diags, From);
  if (C.ForTangents)
    return matchRecording(C, Groups);
  return matchArguments(C, Groups);
}

void adze::addSplitOperands(const MarkerCall &C, Marker &M) {
  M.Half = C.half();
  M.KeepsTape = C.NoFree && C.half() != SplitHalf::Augment;
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
  case SplitHalf::Forward:
    break;
  }
  if (C.half() == SplitHalf::Reverse && retTakesAdjoint(M.Req.Ret)) {
    Value *Seed = M.Seed;
    M.Operands.push_back(
        Seed ? Seed
             : seedOfReturn(dualTypeOf(C.Primal->getReturnType(), C.Width)));
    M.Seed = nullptr;
  }
  M.Operands.push_back(B.CreateAddrSpaceCast(C.Tape, B.getPtrTy()));
}
