// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/ResultType.h"

#include "Frontend/Activities.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace adze;

/// Places the results one after the other as members of a C structure.
static void place(Marker &M, const DataLayout &DL) {
  uint64_t End = 0, Alignment = 1;
  for (MarkerResult &R : M.Results) {
    SizeAndAlign L = R.Memory ? SizeAndAlign{DL.getTypeAllocSize(R.Ty),
                                             DL.getABITypeAlign(R.Ty).value()}
                              : sourceLayout(R.Ty, DL);
    R.Offset = alignTo(End, L.Align);
    End = R.Offset + L.Size;
    Alignment = std::max(Alignment, L.Align);
  }
  M.ResultSize = alignTo(End, Alignment);
}

static std::string inWords(const Marker &M, const DataLayout &DL) {
  if (M.Results.empty())
    return "nothing";
  std::string Text;
  for (const MarkerResult &R : M.Results) {
    if (!Text.empty())
      Text += ", ";
    Text += typeInWords(R.Ty, DL);
  }
  return M.Results.size() == 1 ? Text : "{" + Text + "}";
}

bool adze::isScalarConversion(const Marker &M, Type *MarkerType) {
  return M.Results.size() == 1 && !M.Results[0].Memory &&
         M.Results[0].Ty->isFloatingPointTy() &&
         MarkerType->isFloatingPointTy();
}

/// Every float and pointer of the result must come to lie on one of the same
/// kind in the marker's type, or within an integer, where a calling convention
/// returns small structures in integer registers.
static bool kindsAgree(const Marker &M, Type *MarkerType,
                       const DataLayout &DL) {
  SmallVector<AbiScalar, 16> Have, Want;
  for (const MarkerResult &R : M.Results) {
    SmallVector<AbiScalar, 8> Scalars;
    if (!collectAbiScalars(R.Ty, DL, Scalars))
      return true; // too large to compare; the sizes agree
    for (const AbiScalar &L : Scalars)
      Have.push_back({R.Offset + L.Offset, L.Ty});
  }
  if (!collectAbiScalars(MarkerType, DL, Want))
    return true;
  for (const AbiScalar &H : Have) {
    if (!H.Ty->isFloatingPointTy() && !H.Ty->isPointerTy())
      continue;
    bool Found = false;
    for (const AbiScalar &W : Want) {
      bool Same = W.Offset == H.Offset && W.Ty == H.Ty;
      uint64_t Size = DL.getTypeStoreSize(W.Ty).getFixedValue();
      bool Within = W.Ty->isIntegerTy() && Have.size() > 1 &&
                    W.Offset <= H.Offset && H.Offset < W.Offset + Size;
      Found |= Same || Within;
    }
    if (!Found)
      return false;
  }
  return true;
}

static bool fits(const Marker &M, Type *MarkerType, const DataLayout &DL) {
  if (isScalarConversion(M, MarkerType))
    return true;
  if (M.Results.size() == 1 && M.Results[0].Ty->isIntegerTy())
    return M.Results[0].Ty == MarkerType;
  // A register at the end may be larger than what is in it.
  uint64_t Size = DL.getTypeAllocSize(MarkerType).getFixedValue();
  return M.ResultSize != 0 && M.ResultSize <= Size && Size - M.ResultSize < 8 &&
         kindsAgree(M, MarkerType, DL);
}

bool adze::layOutAugmented(const MarkerCall &C, const Origin &From,
                           Diagnostics &Diags, Marker &M) {
  const DataLayout &DL = C.layout();
  Type *MarkerType = C.SRet ? C.SRetType : C.Call->getType();
  std::vector<MarkerResult> All = std::move(M.Results);
  auto takes = [&](unsigned First, unsigned Count) {
    M.Results.assign(All.begin() + First, All.begin() + First + Count);
    place(M, DL);
    return fits(M, MarkerType, DL);
  };
  if (MarkerType->isVoidTy() || (!C.SRet && C.Call->use_empty())) {
    M.Results.clear();
    return true;
  }
  if (C.Tape) // whoever gave the memory has its address
    for (unsigned Count = All.size() - 1; Count; --Count)
      if (takes(1, Count))
        return true;
  for (unsigned Count = All.size(); Count; --Count)
    if (takes(0, Count))
      return true;
  takes(0, All.size());
  Diags.report(
      Diag::MarkerResult, From, C.Call,
      {inWords(M, DL) + (All.size() > 1 ? ", or the first of it alone" : ""),
       C.Name.str(), typeInWords(MarkerType, DL)});
  return false;
}

bool adze::layOutResult(const MarkerCall &C, const Origin &From,
                        Diagnostics &Diags, Marker &M) {
  const DataLayout &DL = C.layout();
  place(M, DL);
  Type *MarkerType = C.SRet ? C.SRetType : C.Call->getType();
  // Nobody looks at the result: any will do. (Memory may be looked at.)
  if (MarkerType->isVoidTy() || (!C.SRet && C.Call->use_empty()))
    return true;
  if (fits(M, MarkerType, DL))
    return true;
  Marker Fewer = M;
  erase_if(Fewer.Results, [](const MarkerResult &R) { return R.Optional; });
  place(Fewer, DL);
  if (fits(Fewer, MarkerType, DL)) {
    M.Results = std::move(Fewer.Results);
    M.ResultSize = Fewer.ResultSize;
    return true;
  }
  if (C.isInactive())
    Diags.report(Diag::InactiveCallResult, From, C.Call,
                 {sourceName(*C.Primal), inWords(M, DL), C.Name.str(),
                  typeInWords(MarkerType, DL)});
  else
    Diags.report(Diag::MarkerResult, From, C.Call,
                 {inWords(M, DL), C.Name.str(), typeInWords(MarkerType, DL)});
  return false;
}
