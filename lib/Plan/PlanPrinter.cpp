// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan as text, in program order, with the names of the canonical IR:
//
//   plan of f (fused)
//     %x                      available
//     %m = fmul               keep in slot 0
//     shadow of %p            recompute from shadow of %x, %i
//   tape
//     0: double [%for.body x %for.inner] on entry, at slot 1     %m
//     1: ptr                                                     %m
//     bytes: 8 + 8 [%for.body x %for.inner]
//   calls
//     %r = call @g            split, tape in slot 3, reads a0 s1
#include "adze/Checkpoints.h"
#include "adze/Plan.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace adze {

namespace {

constexpr unsigned NameWidth = 40;

class Printer {
public:
  Printer(const Plan &P, raw_ostream &OS)
      : P(P), Body(*P.F->P->F), OS(OS), Names(Body.getParent()) {
    Names.incorporateFunction(Body);
  }

  void print();

private:
  std::string operand(const Value *V);
  std::string nameOf(PlanValue V);
  std::string nest(ArrayRef<const LoopRecord *> Loops,
                   ArrayRef<uint64_t> Extents = {});
  void printMaking(const Decision &D);
  void printDecision(PlanValue V, const Decision &D);
  void printSlot(unsigned Index);
  void printBytes();
  void printSteps();
  void printRerun(const Rerun &Again);
  void printCall(const CallBase &Call, const CallPlan &Plan);

  const Plan &P;
  Function &Body;
  raw_ostream &OS;
  ModuleSlotTracker Names;
};

std::string Printer::operand(const Value *V) {
  std::string Text;
  raw_string_ostream Out(Text);
  if (V->getType()->isVoidTy())
    Out << "call " << cast<CallBase>(V)->getCalledOperand()->getName();
  else
    V->printAsOperand(Out, /*PrintType=*/false, Names);
  return Out.str();
}

std::string Printer::nameOf(PlanValue V) {
  switch (V.Which) {
  case Part::Primal:
    if (auto *I = dyn_cast<Instruction>(V.V))
      return operand(V.V) + " = " + I->getOpcodeName();
    return operand(V.V);
  case Part::Shadow:
    return "shadow of " + operand(V.V);
  case Part::Tape:
    return "tape of " + operand(V.V);
  }
  return "";
}

/// What a value is recomputed from.
void Printer::printMaking(const Decision &D) {
  if (D.Index)
    OS << " as " << operand(D.Index) << " ? " << operand(D.Instead) << " : "
       << operand(D.Otherwise);
  else if (D.Instead)
    OS << " as " << operand(D.Instead);
  else
    for (const PlanValue &Read : D.Reads)
      OS << (&Read == D.Reads.begin() ? " from " : ", ")
         << (Read.Which == Part::Shadow ? "shadow of " : "") << operand(Read.V);
  if (D.Copy)
    OS << " in a copy";
}

void Printer::printDecision(PlanValue V, const Decision &D) {
  OS << "  ";
  std::string Name = nameOf(V);
  OS << Name;
  OS.indent(Name.size() < NameWidth ? NameWidth - Name.size() : 1);
  switch (D.From) {
  case Source::Available:
    if (D.Slot != NoSlot)
      OS << "stored in slot " << D.Slot;
    else
      OS << "available";
    break;
  case Source::Recompute:
    OS << "recompute";
    printMaking(D);
    if (D.Rerun)
      OS << " when " << operand(D.Rerun->L->getHeader()) << " fills it again";
    break;
  case Source::Reload:
    OS << "read from " << operand(D.Store->getPointerOperand());
    break;
  case Source::Cache:
    OS << "keep in slot " << D.Slot;
    if (D.Rerun)
      OS << " when " << operand(D.Rerun->L->getHeader()) << " runs again";
    break;
  }
  OS << '\n';
}

/// Extents only of arrays whose size is known.
std::string Printer::nest(ArrayRef<const LoopRecord *> Loops,
                          ArrayRef<uint64_t> Extents) {
  std::string Text;
  for (unsigned K = 0; K < Loops.size(); ++K) {
    Text += (K ? " x " : "") + operand(Loops[K]->L->getHeader());
    if (!Extents.empty())
      Text += " " + std::to_string(Extents[K]);
  }
  return Text;
}

void Printer::printSlot(unsigned Index) {
  const Slot &S = P.Slots[Index];
  OS << "  " << Index << ": ";
  auto *Struct = dyn_cast<StructType>(S.Element);
  if (Struct && Struct->hasName())
    OS << '%' << Struct->getName();
  else
    S.Element->print(OS);
  if (S.Visited)
    OS << " [" << operand(S.Visited) << ']';
  else if (!S.Dims.empty())
    OS << " [" << nest(S.Dims, S.Extents) << ']';
  switch (S.Size) {
  case Sizing::Scalar:
    break;
  case Sizing::Static:
    OS << " static";
    break;
  case Sizing::OnEntry:
    OS << " on entry, at slot " << S.Base;
    break;
  case Sizing::Growing:
    OS << " growing, at slot " << S.Base;
    break;
  case Sizing::ByVisit:
    OS << " by visit, at slot " << S.Base;
    break;
  }
  if (S.Rerun)
    OS << " of one iteration";
  OS << (S.IsStorage ? " storage of " : " for ") << nameOf(S.Holds);
  if (const Snapshot *Copied = P.copyIn(S)) {
    OS << ", a copy of ";
    Copied->Reader->getType()->print(OS);
    if (Copied->Over.empty())
      OS << " for calls";
    else
      OS << " [" << nest(Copied->Over) << ']';
  }
  OS << '\n';
}

/// What one iteration of each nest, and what stands outside of arrays, takes on
/// the tape. A sub-tape counts with its own struct, what that points to not.
void Printer::printBytes() {
  const DataLayout &DL = Body.getDataLayout();
  uint64_t Fixed = 0;
  std::map<std::string, uint64_t> PerIteration;
  for (const Slot &First : P.Slots) {
    if (First.Rerun)
      continue;
    uint64_t Bytes = DL.getTypeAllocSize(First.Element);
    std::string Nest;
    for (const Slot *S = &First;; S = &P.Slots[S->Base]) {
      for (const LoopRecord *L : reverse(S->Dims))
        if (S->Size != Sizing::Static)
          Nest = operand(S->Visited ? S->Visited : L->L->getHeader()) +
                 (Nest.empty() ? "" : " x ") + Nest;
      for (uint64_t Extent : S->Extents)
        Bytes = SaturatingMultiply(Bytes, Extent);
      if (S->Base == NoSlot)
        break;
    }
    (Nest.empty() ? Fixed : PerIteration[Nest]) += Bytes;
    const Snapshot *Copied = P.copyIn(First);
    if (!Copied || Copied->Over.empty())
      continue;
    Nest += (Nest.empty() ? "" : " x ") + nest(Copied->Over);
    PerIteration[Nest] += Copied->Bytes;
  }
  OS << "  bytes: " << Fixed;
  for (const auto &[Nest, Bytes] : PerIteration)
    OS << " + " << Bytes << " [" << Nest << ']';
  OS << '\n';
}

void Printer::printRerun(const Rerun &Again) {
  OS << "runs again: each iteration of " << operand(Again.L->L->getHeader());
  if (!Again.Scratch.empty())
    OS << ", in copies of";
  for (const Value *A : Again.Scratch)
    OS << ' ' << operand(A);
  if (!Again.Filled.empty())
    OS << ", and fills";
  for (const Value *A : Again.Filled)
    OS << ' ' << operand(A);
  OS << '\n';
  auto print = [&](const Instruction &I) {
    if (!Again.Code.contains(&I))
      return;
    OS << "  ";
    if (I.getType()->isVoidTy())
      OS << I.getOpcodeName();
    else
      OS << nameOf({&I, Part::Primal});
    if (const Value *Other = Again.Instead.lookup(&I))
      OS << " as " << operand(Other);
    OS << '\n';
  };
  for (const Instruction &I : instructions(Body)) {
    for (const Instruction *Other : P.F->P->Elsewhere.before(&I))
      print(*Other);
    print(I);
  }
}

void Printer::printCall(const CallBase &Call, const CallPlan &Plan) {
  OS << "  " << operand(&Call) << ": ";
  switch (Plan.Strategy) {
  case CallStrategy::Inactive:
    OS << "inactive\n";
    return;
  case CallStrategy::AtReverse:
    OS << "at reverse";
    break;
  case CallStrategy::AtOnce:
    OS << "at once " << Plan.Callee->Req.key() << '\n';
    return;
  case CallStrategy::Split:
    OS << "split";
    break;
  case CallStrategy::Steps:
    OS << "by steps";
    break;
  }
  OS << ' ' << Plan.Callee->Req.key();
  if (Plan.Strategy == CallStrategy::Split)
    OS << (!Plan.HasTape        ? ", no tape"
           : Plan.TapeByPointer ? ", tape by pointer"
                                : ", tape in place");
  if (Plan.ByTask)
    OS << (Plan.BesideUpTo ? ", a task that begins with the wait" : ", a task");
  OS << ", reads";
  for (unsigned K = 0; K < Plan.NeedsPrimal.size(); ++K) {
    if (Plan.NeedsPrimal[K])
      OS << " arg" << K;
    if (Plan.NeedsShadow[K] && hasShadowParam(Plan.Callee->Req.Args[K]))
      OS << " shadow" << K;
  }
  for (unsigned N = 0; N < Plan.Copies.size(); ++N)
    if (Plan.Copies[N])
      OS << " copy" << Plan.Callee->Req.Copied[N];
  OS << '\n';
}

void Printer::printSteps() {
  const auto L = checkpoints::layoutOf(Body);
  if (!L || !P.Steps)
    return;
  OS << "state\n";
  for (unsigned K = 0; K < L->Regions.size(); ++K) {
    const checkpoints::Layout::Region &R = L->Regions[K];
    OS << "  " << operand(L->Loop->getArg(R.Base)) << ": ";
    if (R.Size)
      OS << R.Size;
    else
      OS << operand(L->Loop->getArg(R.Bytes));
    OS << " bytes";
    for (const StateWords &W : P.Steps->Words)
      if (W.Region == K && W.Bytes)
        OS << ", pointers at " << W.Offset << " to " << W.Offset + W.Bytes;
      else if (W.Region == K)
        OS << ", all pointers";
    OS << '\n';
  }
  if (P.Steps->Tracks)
    OS << "  steps say what they write"
       << (P.Steps->tracksReads() ? ", and what they read\n" : "\n");
}

void Printer::print() {
  const Request &R = P.F->R;
  OS << "plan of " << R.key() << '\n';
  if (!P.Decisions.empty())
    OS << "decisions\n";
  for (const auto &[K, D] : P.Decisions)
    printDecision({K.first, Part(K.second)}, D);
  if (!P.Slots.empty())
    OS << "tape\n";
  for (unsigned Index = 0; Index < P.Slots.size(); ++Index)
    printSlot(Index);
  if (P.hasTape())
    printBytes();
  for (const auto &[L, Again] : P.Reruns)
    printRerun(Again);
  if (!P.Replicas.empty())
    OS << "copies of each thread\n";
  for (const Replica &R : P.Replicas) {
    OS << "  ";
    R.print(OS);
    OS << '\n';
  }
  if (!P.Calls.empty())
    OS << "calls\n";
  for (const auto &[Call, Plan] : P.Calls)
    printCall(*Call, Plan);
  if (P.Steps)
    printSteps();
}

} // namespace

void Plan::print(raw_ostream &OS) const { Printer(*this, OS).print(); }

} // namespace adze
