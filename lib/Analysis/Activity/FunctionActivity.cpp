// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Activity/FunctionActivity.h"
#include "Analysis/Activity/ActivityTable.h"
#include "adze/Exceptions.h"
#include "adze/FloatsInAddresses.h"
#include "adze/KnownFunction.h"
#include "adze/PartialFloatWrites.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace adze {

FunctionActivity::FunctionActivity(const Primal &P, const TypeInfo *Types,
                                   const CallContext &Context,
                                   ActivityTable &Table, bool Outermost)
    : M(P, Types, Table.globals(), Outermost), Context(Context) {
  seedArguments();
  buildConstraints(M, [&](Function &F) { return Table.calleeOf(F); });
  for (unsigned I = 0; I < M.Calls.size(); ++I)
    SiteOf[M.Calls[I].Call] = I;
  for (NodeId N : M.Returned) {
    if (Context.ReturnActive)
      M.G.setUseful(N);
    if (Context.ReturnShadow)
      M.G.setDemanded(N);
  }
}

void FunctionActivity::seedArguments() {
  for (const Argument &A : M.P.F->args()) {
    uint16_t Bits = Context.Args[A.getArgNo()];
    if (Bits & IsAddress)
      M.Handles.insert(&A);
    ObjectId Behind = None;
    SmallVector<ScalarField, 2> Fields = scalarFieldsOf(A.getType(), M.DL);
    bool Whole = !A.getType()->isAggregateType();
    for (unsigned L = 0; L < Fields.size(); ++L) {
      NodeId N = M.node(&A, L);
      bool OfFloats = typeHasFloats(Fields[L].Ty);
      bool OfPointers = typeHasPointers(Fields[L].Ty);
      bool Integer = !OfFloats && !OfPointers;
      // (A caller says that bits are varied only if they may be floats.)
      if (Bits & ValueVaried)
        M.G.setVaried(N);
      if (!OfPointers && !(Integer && (!Whole || M.mayHoldPointers(&A))))
        continue;
      if (Bits & LeadsNowhere) {
        M.G.point(N, {M.G.TextObject, AnyOffset}); // as to a constant
        continue;
      }
      // What may be a handle is a number unless the caller knows better.
      if (Whole && !(Bits & (MemoryShadow | IsAddress)) &&
          (M.isDoubtfulNumber(&A) || M.isHalfOfPointer(&A)))
        continue;
      if (Behind == None)
        Behind = M.argument(A, Bits);
      M.G.point(N, {Behind, OfPointers && Whole ? 0 : AnyOffset});
    }
    M.ArgObjects.push_back(Behind);
  }
}

void FunctionActivity::run(ActivityTable &Table) {
  for (bool Changed = true; Changed;) {
    M.G.solve();
    Changed = updateShadows();
    for (CallSite &Site : M.Calls)
      Changed |= updateCall(Site, Table);
  }
}

//===----------------------------------------------------------------------===//
// Which memory has a shadow
//===----------------------------------------------------------------------===//

/// Objects that a shadow is needed for; false if that is known already.
bool FunctionActivity::wantShadow(ObjectId Id) {
  Id = M.G.representative(Id);
  Object &O = M.G.Objects[Id];
  if (O.hasShadow() || O.isMissingShadow())
    return false;
  O.Shadow = O.canHaveShadow() ? ObjectShadow::Needed : ObjectShadow::Missing;
  return true;
}

/// A pointer that has a shadow has it whatever it points to: memory that
/// cannot have one makes it plain. But of memory whose address was computed in
/// unknown ways nothing is known, not even that it is inactive.
bool FunctionActivity::wantAll(NodeId N) {
  bool Changed = false;
  if (M.G.isDemanded(N) && M.G.reachesShadow(N))
    for (Target T : M.G.targets(N)) {
      ObjectId Id = M.G.representative(T.first);
      const Object &O = M.G.Objects[Id];
      bool Lost = Id == M.G.LostObject || Id == M.G.LostObject + 1;
      if (!O.Irrelevant && (O.canHaveShadow() || Lost))
        Changed |= wantShadow(Id);
    }
  return Changed;
}

bool FunctionActivity::readEmptyMembers() {
  bool Changed = false;
  for (const MemoryUse &U : M.Uses) {
    auto *Load = dyn_cast<LoadInst>(U.I);
    if (!Load || !Load->getType()->isPointerTy())
      continue;
    NodeId N = M.find(Load);
    if (N == None || !M.G.targets(N).empty() || M.isConstantNode(N))
      continue;
    for (Target T : M.G.targets(U.Ptr)) {
      const Object &O = M.G.Objects[M.G.representative(T.first)];
      if (!O.has(NoPointers) || !O.isActive() || O.Initial == None)
        continue;
      M.G.flow(O.Initial, N, Pointers);
      Changed = true;
    }
  }
  return Changed;
}

bool FunctionActivity::findLostPointers() {
  if (readEmptyMembers())
    return true;
  bool Changed = false;
  for (const MemoryUse &U : M.Uses) {
    auto *Call = dyn_cast<CallBase>(U.I);
    const Value *Address = getLoadStorePointerOperand(U.I);
    if ((Call && !isa<AnyMemIntrinsic>(Call)) ||
        (Address && leadsNowhere(Address)))
      continue;
    for (NodeId N : {U.Ptr, U.Source})
      if (N != None && M.G.targets(N).empty() && !M.isConstantNode(N)) {
        M.G.point(N, {M.G.LostObject, AnyOffset});
        Changed = true;
      }
  }
  return Changed;
}

bool FunctionActivity::updateShadows() {
  DataFlow &G = M.G;
  bool Changed = false;
  for (ObjectId Id = 0; Id < G.Objects.size(); ++Id) {
    if (G.Objects[Id].hasShadow() || G.Objects[Id].isMissingShadow())
      continue;
    for (const MemoryCell &C : G.Objects[Id].Stores) {
      // In memory that has no shadow by declaration, active floats matter
      // only where they are read again: there alone are cells useful.
      bool Shadows = G.isDemanded(C.Node) && G.reachesShadow(C.Node);
      if (G.isActive(C.Node) || Shadows) {
        Changed |= wantShadow(Id);
        break;
      }
    }
  }
  for (NodeId N = 0; N < G.numNodes(); ++N)
    Changed |= wantAll(N);
  Changed |= updateDemands();
  Changed |= updateExposure();
  return Changed;
}

/// Instructions that touch memory with a shadow need its address.
bool FunctionActivity::updateDemands() {
  DataFlow &G = M.G;
  bool Changed = false;
  auto Demand = [&](NodeId N) {
    if (N == None || G.isDemanded(N))
      return;
    G.setDemanded(N);
    Changed = true;
  };
  for (const MemoryUse &U : M.Uses) {
    bool Active = any_of(U.Values, [&](NodeId N) { return G.isActive(N); });
    if (Active || (U.K != MemoryUse::Load && G.reachesShadow(U.Ptr)))
      Demand(U.Ptr);
    if (U.Source != None && G.reachesShadow(U.Source))
      Demand(U.Source);
  }
  return Changed;
}

/// Memory that others reach through memory with a shadow.
bool FunctionActivity::updateExposure() {
  DataFlow &G = M.G;
  bool Changed = false;
  auto Expose = [&](NodeId N) {
    for (Target T : G.targets(N)) {
      ObjectId Id = G.representative(T.first);
      // Constants of the program: others may mix their address with addresses
      // of memory that has a shadow.
      if (G.Objects[Id].Kind == ObjectKind::ConstantGlobal &&
          !G.Objects[Id].Irrelevant)
        Changed |= wantShadow(Id);
      if (G.Objects[Id].isExternal() || G.Objects[Id].Exposed)
        continue;
      wantShadow(Id);
      G.expose(Id);
      Changed = true;
    }
  };
  for (ObjectId Id = 0; Id < G.Objects.size(); ++Id)
    if ((G.Objects[Id].isExternal() && G.Objects[Id].isActive()) ||
        G.Objects[Id].Exposed)
      for (unsigned I = 0; I < G.Objects[Id].Stores.size(); ++I)
        Expose(G.Objects[Id].Stores[I].Node);
  if (Context.ReturnShadow)
    for (NodeId N : M.Returned)
      Expose(N);
  return Changed;
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

bool FunctionActivity::isActive(const Value *V) const {
  if (isa<Constant>(V) || !V->getType()->isSized() || M.find(V) == None)
    return false;
  SmallVector<ScalarField, 2> Fields = scalarFieldsOf(V->getType(), M.DL);
  for (unsigned L = 0; L < Fields.size(); ++L)
    if (!(typeHasPointers(Fields[L].Ty) && !Fields[L].Ty->isAggregateType()) &&
        leafActive(M.find(V, L)))
      return true;
  return V->getType()->isPtrOrPtrVectorTy() && isMovedWord(V);
}

bool FunctionActivity::isMovedWord(const Value *V) const {
  return isa<LoadInst>(V) && M.find(V) != None && leafActive(M.find(V)) &&
         M.isMovedWord(V);
}

bool FunctionActivity::mayBeActiveFloat(const Value *V) const {
  if (isa<Constant>(V) || !V->getType()->isSized() || M.find(V) == None)
    return false;
  SmallVector<ScalarField, 2> Fields = scalarFieldsOf(V->getType(), M.DL);
  for (unsigned L = 0; L < Fields.size(); ++L)
    if (Fields[L].Ty->isPtrOrPtrVectorTy() && M.find(V, L) != None &&
        leafActive(M.find(V, L)))
      return true;
  return false;
}

bool FunctionActivity::hasShadow(const Value *V) const {
  if (auto *A = dyn_cast<Argument>(V))
    return (Context.Args[A->getArgNo()] & MemoryShadow) &&
           M.ArgObjects[A->getArgNo()] != None && M.mayHoldPointers(A);
  if (auto *C = dyn_cast<Constant>(V)) {
    if (isa<ConstantData, Function>(C))
      return false;
    if (auto *Variable = dyn_cast<GlobalVariable>(C)) {
      std::optional<ObjectId> O = M.findGlobal(*Variable);
      return O && M.G.Objects[*O].hasShadow();
    }
    NodeId N = M.find(C);
    return N != None && M.G.reachesShadow(N);
  }
  if (!V->getType()->isSized() || M.find(V) == None || !M.mayHoldPointers(V))
    return false;
  for (unsigned L = 0; L < M.numFields(V); ++L)
    if (leafShadow(M.find(V, L)))
      return true;
  return false;
}

/// Memory that pointers with a shadow may lead to although it has none.
bool FunctionActivity::isPlainObject(ObjectId Id) const {
  const Object &O = M.G.Objects[M.G.representative(Id)];
  return !O.Irrelevant && (O.MayBeSelfShadowed || !O.hasShadow());
}

bool FunctionActivity::pointsToPlain(NodeId N) const {
  return N != None && any_of(M.G.targets(N),
                             [&](Target T) { return isPlainObject(T.first); });
}

/// All memory that \p N may point to is declared inactive by the program.
bool FunctionActivity::pointsToDropping(NodeId N) const {
  return N != None && !M.G.targets(N).empty() &&
         all_of(M.G.targets(N), [&](Target T) {
           return M.G.Objects[M.G.representative(T.first)].has(MemoryDrops);
         });
}

bool FunctionActivity::leadsNowhere(const Value *V) const {
  // Behind a function there is code.
  while (!isa<ConstantPointerNull, Function>(V)) {
    if (!V->getType()->isPointerTy())
      return false;
    if (auto *A = dyn_cast<Argument>(V))
      return A->getArgNo() < Context.Args.size() &&
             (Context.Args[A->getArgNo()] & LeadsNowhere);
    auto *GEP = dyn_cast<GEPOperator>(V);
    auto *Load = dyn_cast<LoadInst>(V);
    if (!GEP && !Load)
      return false;
    V = GEP ? GEP->getPointerOperand() : Load->getPointerOperand();
  }
  return true;
}

bool FunctionActivity::dropsActive(const Value *V) const {
  if (leadsNowhere(V))
    return true;
  return V->getType()->isPointerTy() && !hasShadow(V) &&
         pointsToDropping(M.find(V));
}

bool FunctionActivity::mayBeSelfShadowed(const Value *V) const {
  if (isa<GlobalVariable>(V) || !hasShadow(V))
    return false;
  if (isa<Constant>(V))
    return pointsToPlain(M.find(V));
  for (unsigned L = 0; L < M.numFields(V); ++L)
    if (pointsToPlain(M.find(V, L)))
      return true;
  return false;
}

bool FunctionActivity::mayHoldPlain(const Value *V) const {
  if (!hasShadow(V))
    return false;
  const DataFlow &G = M.G;
  SmallSetVector<ObjectId, 8> Reached;
  for (unsigned L = 0; L < M.numFields(V); ++L)
    if (NodeId N = M.find(V, isa<Constant>(V) ? 0 : L); N != None)
      for (Target T : G.targets(N))
        Reached.insert(G.representative(T.first));
  unsigned Direct = Reached.size();
  for (unsigned I = 0; I < Reached.size(); ++I) {
    if (I >= Direct && isPlainObject(Reached[I]))
      return true;
    for (const MemoryCell &C : G.Objects[Reached[I]].Stores)
      for (Target T : G.targets(C.Node)) {
        ObjectId Id = G.representative(T.first);
        if (isPlainObject(Id))
          return true;
        Reached.insert(Id);
      }
  }
  return false;
}

/// Pointers in global variables were stored by whoever ran before.
void FunctionActivity::setPlain(const Request &R) {
  for (Object &O : M.G.Objects) {
    if (!O.isExternal() || !O.isActive())
      continue;
    if (O.Kind == ObjectKind::Global)
      // What code that is not differentiated throws has no shadow.
      O.MayBeSelfShadowed = O.Deep || O.Origin->getName() == exceptions::Memory;
    if (O.Kind != ObjectKind::Argument)
      continue;
    unsigned Bits =
        O.Index < R.ArgumentFlags.size() ? R.ArgumentFlags[O.Index] : 0;
    O.MayBeSelfShadowed = R.RuntimeActivity || (Bits & MayBeSelfShadowed) ||
                          (O.Deep && (Bits & MayHoldSelfShadowed));
  }
}

/// A number is written over a part of a float that has a derivative.
bool FunctionActivity::mayCutFloat(const StoreInst &S) const {
  const Value *Ptr = S.getPointerOperand();
  uint64_t Size = M.DL.getTypeStoreSize(S.getValueOperand()->getType());
  return M.Types && mayHoldVaried(Ptr, 0, Size) &&
         (!floatsCutBy(*M.Types, M.DL, Ptr, Size).empty() ||
          (numberOffGrid(S) && seesNoFloatAround(*M.Types, M.DL, Ptr)));
}

bool FunctionActivity::takesPart(const Instruction &I) const {
  if (isActive(&I) || hasShadow(&I))
    return true;
  if (M.Types && makesAddressOfFloat(I, *M.Types))
    return isActive(I.getOperand(0));
  if (passesPointer(I) || (passesFloat(I) && mayBeActiveFloat(&I)))
    return mayHoldVaried(I.getOperand(0), 0, sizeof(double));
  if (auto *S = dyn_cast<StoreInst>(&I))
    return hasShadow(S->getPointerOperand()) &&
           (M.mayHoldFloats(S->getValueOperand()) ||
            M.mayHoldPointers(S->getValueOperand()) ||
            isActive(S->getValueOperand()) ||
            mayHoldVariedBits(
                S->getPointerOperand(), 0,
                M.DL.getTypeStoreSize(S->getValueOperand()->getType())) ||
            mayCutFloat(*S));
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
    const Value *New = I.getOperand(I.getNumOperands() - 1);
    return hasShadow(I.getOperand(0)) &&
           (M.mayHoldFloats(New) || M.mayHoldPointers(New) || isActive(New) ||
            mayHoldVaried(I.getOperand(0), 0,
                          M.DL.getTypeStoreSize(New->getType())));
  }
  if (auto *R = dyn_cast<ReturnInst>(&I))
    return R->getReturnValue() &&
           ((Context.ReturnActive && isActive(R->getReturnValue())) ||
            (Context.ReturnShadow && hasShadow(R->getReturnValue())));
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || Call->isDebugOrPseudoInst() || isBarrier(*Call))
    return false;
  // A number, be it made of addresses.
  if (isa<IntrinsicInst>(Call) && Call->doesNotAccessMemory() &&
      Call->getType()->isIntegerTy())
    return false;
  if (M.exchangesFloatsAsNumbers(*Call))
    return true;
  if (const KnownFunction *Known = lookupKnown(*Call)) {
    if (std::optional<unsigned> Block = Known->released())
      return hasShadow(Call->getArgOperand(*Block));
    if (!Known->movesData())
      return false;
  }
  if (auto It = M.Unknown.find(Call); It != M.Unknown.end()) {
    if (M.G.isActive(It->second))
      return true;
    if (Call->onlyReadsMemory()) // and nothing active comes back
      return false;
  }
  if (auto It = M.Given.find(Call);
      It != M.Given.end() && M.G.isActive(It->second))
    return true;
  auto It = SiteOf.find(Call);
  const CallSite *Site = It == SiteOf.end() ? nullptr : &M.Calls[It->second];
  if (Site && Site->Touches)
    return true;
  return any_of(Call->args(), [&](const Use &Arg) {
    unsigned No = Call->getArgOperandNo(&Arg);
    return (hasShadow(Arg) ||
            (isActive(Arg) && (!Site || Site->ValueUseful[No]))) &&
           !isDeclaredInactive(*Call, No);
  });
}

bool FunctionActivity::activeInUnknownCallee() const {
  return any_of(
             M.Unknown,
             [&](const auto &Entry) { return M.G.isActive(Entry.second); }) ||
         any_of(M.Calls,
                [](const CallSite &Site) { return Site.ActiveInUnknown; });
}

} // namespace adze
