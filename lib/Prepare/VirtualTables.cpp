// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A virtual call loads its callee at a constant distance from the address that
// its object begins with. A virtual table is an array of the Itanium C++ ABI:
// offsets, the type information, then functions; objects point to the first of
// these. So a function that stands in virtual tables alone is called only
// through pointers that are loaded from its own distance.
#include "Prepare/VirtualTables.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

namespace adze {
namespace {

bool isMarker(const Function *F) {
  return F && F->getName().contains("__enzyme_");
}

/// From which distance behind an address \p Callee is loaded; nothing if it
/// does not come from a load, or from a distance that only the run knows.
std::optional<int64_t> distanceOf(const Value &Callee, const DataLayout &DL) {
  auto *Load = dyn_cast<LoadInst>(&Callee);
  if (!Load)
    return std::nullopt;
  APInt Distance(DL.getIndexTypeSizeInBits(Load->getPointerOperandType()), 0);
  const Value *Table =
      Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          DL, Distance, /*AllowNonInbounds=*/true);
  auto isAddressOfTable = [](const Value *V) {
    return isa<LoadInst, Argument>(V);
  };
  auto *Phi = dyn_cast<PHINode>(Table);
  if (Phi ? !all_of(Phi->operand_values(), isAddressOfTable)
          : !isAddressOfTable(Table))
    return std::nullopt;
  return Distance.getSExtValue();
}

bool isTypeInfo(const Constant &C) {
  const Value *V = C.stripPointerCasts();
  return V->hasName() && V->getName().starts_with("_ZTI");
}

/// The element of \p Table that objects point to: behind the type information,
/// or, without such, the first function.
unsigned addressPoint(const ConstantArray &Table) {
  unsigned Size = Table.getNumOperands();
  for (unsigned I = 0; I != Size; ++I)
    if (isTypeInfo(*Table.getOperand(I)))
      return I + 1;
  for (unsigned I = 0; I != Size; ++I)
    if (isa<Function, GlobalAlias>(Table.getOperand(I)->stripPointerCasts()))
      return I;
  return Size;
}

/// That of memory resources (MemoryBodies.c).
constexpr StringRef ResourceTable = "adze.memory.body.heap_table";

/// Whether \p C is a part of virtual tables and of nothing else.
bool isInVirtualTables(const Constant &C) {
  return all_of(C.users(), [](const User *U) {
    if (auto *G = dyn_cast<GlobalVariable>(U))
      return G->getName().starts_with("_ZTV") ||
             G->getName().starts_with("_ZTC") || G->getName() == ResourceTable;
    return isa<ConstantStruct>(U) && isInVirtualTables(*cast<Constant>(U));
  });
}

/// Whether the call reads its callee from where \p Table has \p Entry.
bool isReadFrom(const ConstantArray &Table, const Value &Entry,
                int64_t Distance, const DataLayout &DL) {
  int64_t Step = DL.getTypeAllocSize(Table.getType()->getElementType());
  int64_t First = addressPoint(Table);
  return any_of(Table.operands(), [&](const Use &Element) {
    return Element.get() == &Entry &&
           Distance == (int64_t(Element.getOperandNo()) - First) * Step;
  });
}

/// The name of the virtual table that \p C is a part of, or one of them.
StringRef tableOf(const Constant &C) {
  for (const User *U : C.users()) {
    if (isa<GlobalVariable>(U))
      return U->getName();
    if (isa<ConstantStruct>(U))
      return tableOf(*cast<Constant>(U));
  }
  return "";
}

constexpr StringRef ResultTable = "_ZTVNSt13__future_base7_ResultI";

/// What only the library calls, where derivatives have a body of ours: what a
/// thread of std::thread runs, and whether a future is ready; and the end of a
/// future's result. (Objects of other classes have their functions at the same
/// distance.)
bool isCalledByLibrary(StringRef Table, int64_t Distance) {
  constexpr int64_t Third = 16, Fourth = 24;
  if (Table.starts_with("_ZTVNSt6thread11_State_implI"))
    return Distance == Third;
  return Table.starts_with("_ZTVNSt13__future_base") &&
         (Distance == Third || Distance == Fourth);
}

/// The thread of std::async: derivatives call what it runs (FutureBodies.c).
bool isThreadOfAsync(StringRef Table) {
  return Table.starts_with("_ZTVNSt6thread11_State_implINS_8_InvokerISt5tupleIJ"
                           "MNSt13__future_base17_Async_state_impl");
}

/// What gives a future its result.
bool isMakerOfResult(const Function &F) {
  return F.getName().starts_with("_ZNSt17_Function_handlerIFSt10unique_ptrINSt"
                                 "13__future_base12_Result_base") &&
         F.getName().contains("9_M_invokeERKSt9_Any_data");
}

/// What \p Call calls, and nobody else does: names begin so. Empty if it calls
/// what others do.
StringRef calleesOf(const CallBase &Call) {
  const StringRef In = Call.getFunction()->getName();
  if (In.contains("_ZNSt13__future_base7_ResultI") &&
      In.ends_with("E10_M_destroyEv"))
    return ResultTable;
  return Call.getFnAttr(CalleesAttribute).getValueAsString();
}

/// What a marker differentiates is not called through a pointer for that. Its
/// other operands may be.
bool isNamedByMarker(const CallBase &Call, const Use &U) {
  return isMarker(Call.getCalledFunction()) &&
         Call.getArgOperandNo(&U) == unsigned(Call.hasStructRetAttr());
}

/// mayBeCallee of \p V, which is the function or another name of it.
bool mayBeReached(const GlobalValue &V, std::optional<int64_t> Distance,
                  StringRef Callees) {
  const DataLayout &DL = V.getParent()->getDataLayout();
  return any_of(V.uses(), [&](const Use &U) {
    if (auto *Call = dyn_cast<CallBase>(U.getUser()))
      return !Call->isCallee(&U) && !isNamedByMarker(*Call, U);
    // Prepare has put those of calls through pointers there.
    if (isa<ICmpInst>(U.getUser()))
      return false;
    if (auto *Alias = dyn_cast<GlobalAlias>(U.getUser()))
      return mayBeReached(*Alias, Distance, Callees);
    auto *Table = dyn_cast<ConstantArray>(U.getUser());
    if (!Table || !Distance || !isInVirtualTables(*Table))
      return true;
    const StringRef Name = tableOf(*Table);
    const bool Fits = Callees.empty()
                          ? !isCalledByLibrary(Name, *Distance)
                          : Name.starts_with(Callees) && !isThreadOfAsync(Name);
    return Fits && isReadFrom(*Table, V, *Distance, DL);
  });
}

/// References are passed as addresses of objects, by what calls and by what is
/// called. Where the call says so and the function does not, it is of another
/// type of C++. (Of arguments that nobody uses the optimizer drops what is
/// said, and of the object of virtual functions not everything is.)
bool takesReferencesOf(const Function &F, const CallBase &Call) {
  for (const Argument &A : F.args())
    if (!A.use_empty() && Call.getParamDereferenceableBytes(A.getArgNo()) &&
        !A.hasNonNullAttr(/*AllowUndefOrPoison=*/false) &&
        !A.getDereferenceableBytes())
      return false;
  return true;
}

} // namespace

bool isVirtual(const GlobalValue &V) {
  return any_of(V.users(), [](const User *U) {
    if (auto *Alias = dyn_cast<GlobalAlias>(U))
      return isVirtual(*Alias);
    return isa<ConstantArray>(U) && isInVirtualTables(*cast<Constant>(U));
  });
}

bool mayBeCallee(const Function &F, const CallBase &Call) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  const StringRef Callees = calleesOf(Call);
  if (!isVirtual(F) && (Callees.empty() ? isMakerOfResult(F)
                                        : !F.getName().starts_with(Callees)))
    return false;
  return (F.isDeclaration() || isVirtual(F) || takesReferencesOf(F, Call)) &&
         mayBeReached(F, distanceOf(*Call.getCalledOperand(), DL), Callees);
}

} // namespace adze
