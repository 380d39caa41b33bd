// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI by Fortran's names: in their place stands what
// Runtime/MpiFortran.c has for them, which calls the functions of C.
#include "adze/MpiFortran.h"
#include "Runtime/MpiUnits.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <algorithm>

using namespace llvm;

namespace adze::mpi {

namespace {

/// A variable of Fortran's interface, by which a library is known, and how many
/// bytes it has where an integer has four.
struct Sentinel {
  StringRef Name;
  uint64_t Bytes;
  const RuntimeUnit *Unit;
};

const Sentinel Sentinels[] = {
    {"mpi_fortran_bottom_", 4, &MpiFortranUnit},
    {"mpi_fortran_in_place_", 4, &MpiFortranUnit},
    {"mpi_fortran_status_ignore_", 24, &MpiFortranUnit},
    {"mpipriv1_", 28, &MpiFortranNumberedUnit}};

/// The bodies for the library that \p M is written for. Null if nothing tells,
/// if it is two, or if an integer has not four bytes.
const RuntimeUnit *unitOf(const Module &M) {
  const RuntimeUnit *Unit = nullptr;
  for (const Sentinel &S : Sentinels) {
    const GlobalVariable *G = M.getNamedGlobal(S.Name);
    if (!G)
      continue;
    // A declaration of C may leave the size open.
    const uint64_t Bytes =
        M.getDataLayout().getTypeAllocSize(G->getValueType()).getFixedValue();
    if ((Bytes && Bytes != S.Bytes) || (Unit && Unit != S.Unit))
      return nullptr;
    Unit = S.Unit;
  }
  return Unit;
}

struct Spelling {
  std::string Body;
  bool Is2008; // the last argument may be missing
};

/// What stands for \p F, if its name is one of Fortran's for a function of the
/// table: mpi_send_, or mpi_send_f08_ (Open MPI's module mpi_f08).
std::optional<Spelling> spellingOf(const Function &F, const RuntimeUnit &Unit) {
  static const StringRef Names[] = {
#define ADZE_MPI(NAME, PARAMETERS) #NAME,
#include "Mpi.def"
  };
  StringRef Name = F.getName();
  Name.consume_front("p");
  if (!Name.consume_front("mpi_") || !Name.consume_back("_"))
    return std::nullopt;
  const bool Is2008 = Name.consume_back("_f08");
  if (Is2008 && &Unit != &MpiFortranUnit)
    return std::nullopt;
  if (none_of(Names, [&](StringRef N) { return N.lower() == Name; }))
    return std::nullopt;
  std::string Body = Name.str();
  std::replace(Body.begin(), Body.end(), '_', '.');
  return Spelling{"adze.mpi.fortran." + Body, Is2008};
}

/// Where \p Call stores its error, if its caller does not want to know it.
void storeErrorAnyway(CallBase &Call) {
  Function &Caller = *Call.getFunction();
  IRBuilder<> Entry(&*Caller.getEntryBlock().getFirstInsertionPt());
  Value *Own = Entry.CreateAlloca(Entry.getInt32Ty());
  IRBuilder<> B(&Call);
  const unsigned Last = Call.arg_size() - 1;
  Value *Given = Call.getArgOperand(Last);
  Call.setArgOperand(Last, B.CreateSelect(B.CreateIsNull(Given), Own, Given));
}

/// A call of type \p Called is one as the compiler of Fortran makes it. Behind
/// the parameters come the lengths of those that are text.
bool fits(const FunctionType &Called, const Function &Body) {
  const FunctionType &Wanted = *Body.getFunctionType();
  const unsigned N = Wanted.getNumParams();
  return !Called.isVarArg() && Called.getNumParams() >= N &&
         Called.getReturnType() == Wanted.getReturnType() &&
         Called.params().take_front(N) == Wanted.params() &&
         all_of(Called.params().drop_front(N),
                [](const Type *T) { return T->isIntegerTy(64); });
}

/// \p Call becomes one of \p Body, without the lengths of texts.
CallBase &callBody(CallBase &Call, Function &Body) {
  SmallVector<Value *, 12> Args(Call.args());
  CallBase *New = &Call;
  if (Args.size() > Body.arg_size()) {
    Args.truncate(Body.arg_size());
    New = CallInst::Create(&Body, Args, "", Call.getIterator());
    New->setDebugLoc(Call.getDebugLoc());
    Call.eraseFromParent();
  }
  New->setCalledFunction(&Body);
  // What the declaration promises is about the library's function.
  New->setAttributes(AttributeList());
  New->setCallingConv(Body.getCallingConv());
  return *New;
}

bool inlineBody(Function &F, Function &Body, bool Is2008) {
  SmallVector<CallBase *, 8> Calls;
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U);
        Call && Call->getCalledOperand() == &F &&
        fits(*Call->getFunctionType(), Body) &&
        (isa<CallInst>(Call) || Call->arg_size() == Body.arg_size()))
      Calls.push_back(Call);
  for (CallBase *Old : Calls) {
    CallBase &Call = callBody(*Old, Body);
    if (Is2008)
      storeErrorAnyway(Call);
    InlineFunctionInfo Info;
    InlineFunction(Call, Info);
  }
  return !Calls.empty();
}

} // namespace

bool lowerFortranCalls(Module &M) {
  const RuntimeUnit *Unit = unitOf(M);
  if (!Unit || M.getDataLayout().getPointerSize() != 8)
    return false;
  SmallVector<std::pair<Function *, Spelling>, 8> Found;
  for (Function &F : M)
    if (F.isDeclaration() && !F.use_empty())
      if (std::optional<Spelling> S = spellingOf(F, *Unit))
        Found.push_back({&F, *S});
  bool Changed = false;
  for (const auto &[F, S] : Found) {
    Function *Body = runtimeFunction(M, *Unit, S.Body);
    if (!Body || Body->isDeclaration())
      continue;
    Changed |= inlineBody(*F, *Body, S.Is2008);
    if (Body->use_empty())
      Body->eraseFromParent();
  }
  return Changed;
}

} // namespace adze::mpi
