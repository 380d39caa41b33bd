// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a function's activity, for its callers.
#include "Analysis/Activity/FunctionActivity.h"
#include "adze/GivenDerivatives.h"
#include "adze/Mpi.h"
#include "adze/Options.h"

using namespace llvm;

namespace adze {

std::optional<SharedMemory> FunctionActivity::shared(ObjectId Id) const {
  Id = M.G.representative(Id);
  const Object &O = M.G.Objects[Id];
  SharedMemory S;
  S.Index = O.Index;
  switch (O.Kind) {
  case ObjectKind::Local:
    return std::nullopt;
  case ObjectKind::Heap:
    S.K = SharedMemory::New;
    return S;
  case ObjectKind::Argument:
    S.K = O.Deep ? SharedMemory::BehindArg : SharedMemory::Argument;
    S.Field = O.Field;
    return S;
  case ObjectKind::Global:
  case ObjectKind::ConstantGlobal:
    S.K = O.Deep ? SharedMemory::BehindGlobal : SharedMemory::Global;
    S.Variable = cast<GlobalVariable>(O.Origin);
    return S;
  case ObjectKind::Foreign:
    S.K = O.ReadOnly ? SharedMemory::Language : SharedMemory::Foreign;
    return S;
  }
  return std::nullopt;
}

/// A pointer to what many members of one argument lead to may lead to what any
/// of them does: that is shorter, and includes them.
static void shorten(std::vector<SharedPointer> &Pointers) {
  const unsigned MaxMembers = 3 * Options::get().ActivityDetail;
  std::map<unsigned, unsigned> Members; // by argument
  for (const SharedPointer &P : Pointers)
    if (P.To.K == SharedMemory::BehindArg)
      Members[P.To.Index] += P.To.Field == AnyOffset ? MaxMembers + 1 : 1;
  std::vector<SharedPointer> Short;
  for (SharedPointer P : Pointers) {
    if (P.To.K == SharedMemory::BehindArg && Members[P.To.Index] > MaxMembers)
      P.To.Field = AnyOffset;
    if (!is_contained(Short, P))
      Short.push_back(P);
  }
  Pointers = std::move(Short);
}

std::vector<SharedPointer> FunctionActivity::sharedTargets(NodeId N) const {
  std::vector<SharedPointer> Pointers;
  auto Add = [&](SharedPointer P) {
    if (!is_contained(Pointers, P))
      Pointers.push_back(P);
  };
  for (Target T : M.G.targets(N)) {
    if (std::optional<SharedMemory> S = shared(T.first))
      Add({*S, T.second});
    // Callers have to know too that this one may be any.
    if (T.first == M.G.LostObject || T.first == M.G.LostObject + 1)
      Add({{SharedMemory::Lost, 0, nullptr}, AnyOffset});
  }
  shorten(Pointers);
  return Pointers;
}

/// Objects that floats or pointers are written to, constants too.
/// With \p Seen only by instructions, not by unknown functions.
BitVector FunctionActivity::writtenObjects(bool Seen) const {
  BitVector Written(M.G.Objects.size());
  for (const CallSite &Site : M.Calls)
    for (NodeId N : Seen ? Site.Seen : Site.Silent)
      for (Target T : M.G.targets(N))
        Written.set(T.first);
  for (const MemoryUse &U : M.Uses) {
    auto *Call = dyn_cast<CallBase>(U.I);
    if (Seen && Call && (M.Unknown.count(Call) || SiteOf.count(Call)))
      continue;
    auto *S = dyn_cast<StoreInst>(U.I);
    if (U.K == MemoryUse::Load ||
        (S && !M.mayHoldFloats(S->getValueOperand()) &&
         !M.mayHoldPointers(S->getValueOperand())))
      continue;
    for (Target T : M.G.targets(U.Ptr))
      Written.set(T.first);
  }
  return Written;
}

/// Memory behind an argument that is reached through pointers in \p O whose
/// shadows are used.
std::vector<SharedMemory>
FunctionActivity::demandedBehind(const Object &O) const {
  std::vector<SharedMemory> Behind;
  for (const MemoryCell &C : O.Loads) {
    if (!M.G.isDemanded(C.Node))
      continue;
    bool IsField = !O.Deep && any_of(O.Stores, [&](const MemoryCell &Entry) {
      return Entry.OnEntry && Entry.Offset == C.Offset &&
             Entry.Size == C.Size && C.Offset != AnyOffset;
    });
    Behind.push_back({SharedMemory::BehindArg, O.Index, nullptr,
                      IsField ? C.Offset : O.Field});
  }
  // Blocks that are copied out of the object take its pointers along.
  for (const MemoryCell &C : O.Stores)
    if (C.OnEntry && !O.Copies.empty() && M.G.isDemanded(C.Node))
      Behind.push_back({SharedMemory::BehindArg, O.Index, nullptr,
                        O.Deep || C.Offset == AnyOffset ? O.Field : C.Offset});
  return Behind;
}

CalleeSummary FunctionActivity::summary() const {
  const DataFlow &G = M.G;
  CalleeSummary S;
  BitVector Written = writtenObjects(/*Seen=*/false),
            Seen = writtenObjects(/*Seen=*/true);
  unsigned Args = Context.Args.size();
  for (BitVector *B : {&S.ValueUseful, &S.WantsShadow})
    B->resize(Args);
  for (ObjectId Id = 0; Id < G.Objects.size(); ++Id) {
    const Object &O = G.Objects[Id];
    std::optional<SharedMemory> To = shared(Id);
    if (!To || O.Merged != None || O.Kind == ObjectKind::ConstantGlobal)
      continue;
    for (const MemoryCell &C : O.Stores) {
      if (C.OnEntry)
        continue;
      StoreEffect E{*To,  C.Offset,           C.Size,
                    C.As, G.isVaried(C.Node), sharedTargets(C.Node)};
      if (E.Varied || !E.Pointers.empty())
        S.Stores.push_back(std::move(E));
    }
    if (O.isExternal() && O.Kind != ObjectKind::Foreign && Written.test(Id))
      S.Written.push_back(*To);
    if (O.isExternal() && O.Kind != ObjectKind::Foreign && Seen.test(Id))
      S.Seen.push_back(*To);
    bool Read = any_of(O.Stores, [&](const MemoryCell &C) {
      return C.OnEntry && G.isUseful(C.Node);
    });
    std::vector<SharedMemory> Demanded = demandedBehind(O);
    if (O.Kind == ObjectKind::Global && O.isActive())
      S.TakesPart |= Read || !Demanded.empty() || Written.test(Id);
    if (O.Kind != ObjectKind::Argument)
      continue;
    if (Read && !O.Deep)
      for (auto [Offset, Size] : G.usefulReads(Id))
        S.Reads.push_back({O.Index, Offset, Size});
    if (Read && O.Deep)
      S.DeepUseful.push_back(*To);
    for (const SharedMemory &Behind : Demanded)
      if (!is_contained(S.DeepDemanded, Behind))
        S.DeepDemanded.push_back(Behind);
    if (O.isMissingShadow())
      S.WantsShadow.set(O.Index);
  }
  for (const Argument &A : M.P.F->args())
    for (unsigned L = 0; L < M.numFields(&A); ++L)
      if (NodeId N = M.find(&A, L); N != None && G.isUseful(N))
        S.ValueUseful.set(A.getArgNo());
  for (const CallSite &Site : M.Calls)
    S.TakesPart |= Site.Touches;
  S.TakesPart |= any_of(M.Given, [](const auto &Entry) {
    return given::isExchange(
        *cast<Function>(Entry.first->getCalledOperand()->stripPointerCasts()));
  });
  S.TakesPart |= any_of(M.Unknown, [](const auto &Entry) {
    auto *F = dyn_cast<Function>(
        Entry.first->getCalledOperand()->stripPointerCasts());
    return F && mpi::isUnknown(*F);
  });
  S.TakesPart |= any_of(M.Numbers, [&](const auto &Entry) {
    return M.exchangesFloatsAsNumbers(*Entry.first);
  });
  S.ActiveInUnknown = activeInUnknownCallee();
  for (NodeId N : M.Returned)
    S.Returns.push_back({G.isVaried(N), sharedTargets(N)});
  return S;
}

} // namespace adze
