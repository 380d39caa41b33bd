// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both halves of split mode must say the same of every argument, else the
// second would read a tape that was never written so.
#include "adze/Marker.h"

#include "Frontend/Resolve.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace adze;

static std::string inWords(ArgActivity A) {
  switch (A) {
  case ArgActivity::Const:
    return "enzyme_const";
  case ArgActivity::Dup:
    return "enzyme_dup";
  case ArgActivity::DupNoNeed:
    return "enzyme_dupnoneed";
  case ArgActivity::Out:
    return "enzyme_out";
  case ArgActivity::OutDup:
    return "a structure with a shadow";
  }
  return "";
}

/// What \p R says and \p Other does not.
static std::string difference(const Request &R, const Request &Other) {
  if (!(R.Kind == Other.Kind))
    return "one tape cannot serve __enzyme_reverse and __enzyme_fwdsplit; "
           "differentiate a function that calls '" +
           sourceName(*R.Primal) + "' for one of them";
  for (unsigned I = 0; I != R.Args.size() && I != Other.Args.size(); ++I)
    if (R.Args[I] != Other.Args[I])
      return "argument " + std::to_string(I + 1) + " is " + inWords(R.Args[I]) +
             " here and " + inWords(Other.Args[I]) + " there";
  if (R.Ret != Other.Ret)
    return "enzyme_noret is said in one of them";
  if (R.ReturnPrimal != Other.ReturnPrimal)
    return "enzyme_primal_return is said in one of them";
  if (R.Width != Other.Width)
    return "enzyme_width is " + std::to_string(R.Width) + " here and " +
           std::to_string(Other.Width) + " there";
  if (R.InTeam != Other.InTeam)
    return "adze_shared_shadows is said in one of them";
  if (R.StrongZero != Other.StrongZero)
    return "enzyme_strong_zero is said in one of them";
  return "enzyme_runtime_activity is said in one of them";
}

std::optional<uint64_t>
adze::sizeGiven(const Marker &M,
                function_ref<std::optional<uint64_t>(const CallBase &)> Of) {
  const Value *Size = lookThrough(M.Operands.back());
  if (auto *C = dyn_cast<ConstantInt>(Size))
    return C->getValue().getActiveBits() <= 64
               ? std::optional<uint64_t>(C->getZExtValue())
               : std::nullopt;
  auto *Call = dyn_cast<CallBase>(Size);
  return Call ? Of(*Call) : std::nullopt;
}

void adze::shareForwardTapes(MutableArrayRef<Marker> Markers) {
  for (Marker &M : Markers) {
    if (!M.isRecording() &&
        (M.Half != SplitHalf::Size || !M.Req.Kind.isForward()))
      continue;
    // The size is the same for all.
    auto *Later = find_if(Markers, [&](const Marker &Other) {
      return Other.Half == SplitHalf::Forward &&
             Other.Req.Primal == M.Req.Primal &&
             (M.Half == SplitHalf::Size ||
              (Other.Req.Args == M.Req.Args && Other.Req.Width == M.Req.Width));
    });
    if (Later != Markers.end())
      M.Req = Later->Req;
  }
}

bool adze::matchSplitHalves(ArrayRef<Marker> Markers, Diagnostics &Diags) {
  bool Fine = true;
  for (const Marker &M : Markers) {
    if (M.Half != SplitHalf::Reverse && M.Half != SplitHalf::Forward &&
        M.Half != SplitHalf::Size)
      continue;
    std::vector<Witness> Others;
    const Marker *First = nullptr;
    bool Found = false;
    for (const Marker &Other : Markers) {
      if (Other.Half != SplitHalf::Augment || Other.Req.Primal != M.Req.Primal)
        continue;
      Found |= Other.Req == M.Req;
      First = First ? First : &Other;
      Others.push_back({"'" + Other.From->Callee + "' is called", Other.Call});
    }
    // (Without a tape __enzyme_fwdsplit runs the primal itself.)
    if (Found || (M.Half != SplitHalf::Reverse && !First))
      continue;
    Fine = false;
    std::string Name = sourceName(*M.Req.Primal);
    if (First)
      Diags.report(Diag::SplitConflict, *M.From, M.Call,
                   {M.From->Callee, Name, difference(M.Req, First->Req)},
                   Others);
    else
      Diags.report(Diag::SplitAlone, *M.From, M.Call, {Name});
  }
  return Fine;
}
