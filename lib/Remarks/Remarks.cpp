// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Remarks.h"
#include "Analysis/Sharing/LaunchSums.h"
#include "RemarkText.h"
#include "adze/Checkpoints.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

constexpr const char *PassName = "adze";

using Remark = DiagnosticInfoIROptimization;
using Arg = DiagnosticInfoOptimizationBase::Argument;
using setExtraArgs = DiagnosticInfoOptimizationBase::setExtraArgs;

/// What stands under a key in the record may be read as text in the message.
Arg named(StringRef Key, const Twine &Text) { return Arg(Key, Text.str()); }

class Writer {
public:
  explicit Writer(const Plan &P)
      : P(P), F(*P.F), User(*P.F->P->Source), Body(&User.getEntryBlock()),
        ORE(&User), T{P, F, ""} {}

  void write() {
    writeCalls();
    if (F.R.Kind.isForward())
      return;
    writeKept();
    writeRecomputed();
    writeReruns();
    writeSteps();
    writeSums();
    writeTape();
    writeGeneral();
  }

private:
  DiagnosticLocation placeOf(const Value *V) const;
  DiagnosticLocation begin(const Value *V);
  std::string derivativeWords() const;
  std::string whyNotAtReverse(const CallBase &Call, const CallPlan &C) const;
  bool isInRegister(const Slot &S) const;
  bool isGeneral(const Value *V) const;
  std::string bytesOf(bool General) const;
  void perElement(Remark &R, unsigned Index, unsigned Times) const;
  void explain(Remark &R, const Cause &C) const;

  void writeCalls();
  void writeKept();
  void writeRecomputed();
  void writeReruns();
  void writeSteps();
  void writeCopies(const LoadInst &Load, const Replica &Copy,
                   StringSet<> &Told);
  void writeSums();
  void writeTape();
  void writeGeneral();

  const Plan &P;
  const Facts &F;
  const Function &User;
  const BasicBlock *Body; // names the function to LLVM
  OptimizationRemarkEmitter ORE;
  RemarkContext T; // File is that of the remark being written
};

/// Remarks stand at the user's function, whose instructions the clone's are
/// not; but their locations are.
DiagnosticLocation Writer::placeOf(const Value *V) const {
  auto hasLine = [](const Instruction &I) {
    return I.getDebugLoc() && I.getDebugLoc().getLine() != 0;
  };
  auto *I = dyn_cast_or_null<Instruction>(V);
  if (I && hasLine(*I))
    return DiagnosticLocation(I->getDebugLoc());
  // A phi has no line where it joins variables; its block begins at one.
  if (I)
    for (const Instruction &Near : *F.P->blockOf(I))
      if (hasLine(Near))
        return DiagnosticLocation(Near.getDebugLoc());
  if (const DISubprogram *SP = User.getSubprogram())
    return DiagnosticLocation(SP);
  return DiagnosticLocation();
}

/// The place of a remark about \p V, which is then read in that file.
DiagnosticLocation Writer::begin(const Value *V) {
  DiagnosticLocation Place = placeOf(V);
  T.File = Place.isValid() ? Place.getRelativePath().str() : "";
  return Place;
}

std::string Writer::derivativeWords() const {
  StringRef Kind = F.R.Kind.isForward() ? "forward derivative"
                   : F.R.Kind.isSplit() ? "split gradient"
                                        : "gradient";
  return (Kind + " of '" + sourceName(User) + "'").str();
}

/// Such a variable of a fused derivative is promoted to a register.
bool Writer::isInRegister(const Slot &S) const {
  return !F.R.Kind.isSplit() && S.Size == Sizing::Scalar && !S.InMemory &&
         S.Element->isSingleValueType() && !P.copyIn(S);
}

/// It belongs to the version for arrays that may overlap.
bool Writer::isGeneral(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return I && F.P->isGeneral(F.P->blockOf(I));
}

void Writer::perElement(Remark &R, unsigned Index, unsigned Times) const {
  const Slot &S = P.Slots[Index];
  const DataLayout &DL = User.getParent()->getDataLayout();
  const Snapshot *Copied = P.copyIn(S);
  uint64_t Bytes = S.Element->isSized() ? DL.getTypeAllocSize(S.Element) : 0;
  if (Copied && Copied->Over.empty()) {
    R << "as many bytes as the regions read that are called";
    return;
  }
  if (Copied)
    Bytes = Copied->Bytes;
  R << Arg("Bytes", Bytes * Times) << " bytes";
  if (S.Dims.empty() && !Copied) {
    R << " in each call";
    return;
  }
  const LoopRecord &Inner = *(Copied ? Copied->Over : S.Dims).back();
  R << " per iteration of " << named("Loop", loopWords(Inner, T)) << ", "
    << named("Total", slotBytes(T, Index, Times)) << " in all";
}

void Writer::explain(Remark &R, const Cause &C) const {
  Arg Why = named("Cause", C.Text);
  if (C.Overwriter)
    Why.Loc = DiagnosticLocation(C.Overwriter->getDebugLoc());
  R << "; " << Why;
  if (!C.Cure.empty())
    R << "; to avoid this, " << named("Cure", C.Cure);
}

std::string Writer::whyNotAtReverse(const CallBase &Call,
                                    const CallPlan &C) const {
  if (retHasShadow(C.Callee->Req.Ret))
    return "it returns a pointer to active data";
  if (F.Memory->mayBeOverwritten(&Call))
    return overwrittenBy(Call, T).Text;
  return "it writes memory or calls other functions";
}

void Writer::writeCalls() {
  for (const auto &[Call, C] : P.Calls) {
    if (!C.Callee || isGeneral(Call))
      continue;
    std::string Callee = "'" + sourceName(*C.Callee->Req.Primal) + "'";
    bool Split = C.Strategy == CallStrategy::Split;
    DiagnosticLocation Place = begin(Call);
    if (C.Strategy == CallStrategy::AtReverse) {
      OptimizationRemark R(PassName, "CallAtReverse", Place, Body);
      R << "in the " << named("Derivative", derivativeWords())
        << ", the reverse pass differentiates the call of "
        << named("Callee", Callee)
        << ": it runs once more then, and keeps nothing";
      ORE.emit(R);
    } else if (Split && !C.HasTape) {
      OptimizationRemark R(PassName, "SplitCallWithoutTape", Place, Body);
      R << "in the " << named("Derivative", derivativeWords())
        << ", the call of " << named("Callee", Callee)
        << " is split, and keeps nothing";
      ORE.emit(R);
    } else if (Split) {
      OptimizationRemarkMissed R(PassName, "SplitCall", Place, Body);
      R << "in the " << named("Derivative", derivativeWords())
        << ", the call of " << named("Callee", Callee)
        << " keeps a tape for its reverse pass: ";
      if (const Decision *D = P.find(Call, Part::Tape); D && D->Slot != NoSlot)
        perElement(R, D->Slot, 1);
      explain(R, {whyNotAtReverse(*Call, C), nullptr, ""});
      ORE.emit(R);
    }
  }
}

/// writeGeneral() tells of versions.
bool choosesVersion(const Value *V) {
  return any_of(V->users(), [](const User *U) {
    auto *I = dyn_cast<Instruction>(U);
    return I && I->hasMetadata(VersionsName);
  });
}

/// Unrolled loops and expanded calls keep the same several times.
void Writer::writeKept() {
  struct Group {
    PlanValue First;
    unsigned Slot = NoSlot;
    unsigned Count = 0;
    Cause Why;
  };
  MapVector<std::pair<const DILocation *, StringRef>, Group> Groups;
  StringSet<> Texts;
  for (const auto &[Key, D] : P.Decisions) {
    PlanValue V{Key.first, Part(Key.second)};
    // writeCalls() tells of tapes.
    if (D.From != Source::Cache || D.Rerun || V.Which == Part::Tape ||
        isInRegister(P.Slots[D.Slot]) || isGeneral(V.V) || choosesVersion(V.V))
      continue;
    begin(V.V);
    Cause Why = causeOf(V, T);
    std::string Text =
        wordsFor(V, T) + ";" + Why.Text + ";" + slotBytes(T, D.Slot, 1);
    StringRef Kept = Texts.insert(Text).first->getKey();
    auto *I = dyn_cast<Instruction>(V.V);
    Group &G = Groups[{I ? I->getDebugLoc().get() : nullptr, Kept}];
    if (G.Count++ == 0)
      G = {V, D.Slot, 1, std::move(Why)};
  }
  for (const auto &[Key, G] : Groups) {
    OptimizationRemarkMissed R(PassName, "Keep", begin(G.First.V), Body);
    R << "the " << named("Derivative", derivativeWords()) << " keeps "
      << named("Value", wordsFor(G.First, T));
    if (G.Count > 1)
      R << ", " << Arg("Times", G.Count) << " times";
    R << ": ";
    perElement(R, G.Slot, G.Count);
    explain(R, G.Why);
    ORE.emit(R);
  }
}

/// Repeating these is as good as free, and says nothing to anybody.
bool isWorthTelling(PlanValue V, const Primal &P) {
  if (V.Which != Part::Primal)
    return false;
  // Beside it stands the load that it repeats.
  if (auto *Load = dyn_cast<LoadInst>(V.V);
      Load && P.snapshotBehind(Load->getPointerOperand()))
    return false;
  return isa<LoadInst, CallBase>(V.V) ||
         (V.V->getType()->isFPOrFPVectorTy() && !isa<PHINode, CastInst>(V.V));
}

/// One remark for each line.
void Writer::writeRecomputed() {
  struct Line {
    const Value *First;
    unsigned Count = 0;
    SmallVector<std::string, 4> Values;
  };
  MapVector<std::pair<StringRef, unsigned>, Line> Lines;
  for (const auto &[Key, D] : P.Decisions) {
    PlanValue V{Key.first, Part(Key.second)};
    bool Reload = D.From == Source::Reload;
    if ((!Reload && D.From != Source::Recompute) || !isWorthTelling(V, *F.P) ||
        isGeneral(V.V))
      continue;
    const DILocation *At = cast<Instruction>(V.V)->getDebugLoc().get();
    Line &L = Lines[{At ? At->getFilename() : "", At ? At->getLine() : 0}];
    if (L.Count++ == 0)
      L.First = V.V;
    begin(V.V);
    std::string Words = wordsFor(V, T);
    if (Reload)
      Words += " (read from where it is stored)";
    if (!is_contained(L.Values, Words))
      L.Values.push_back(Words);
  }
  for (const auto &[Place, L] : Lines) {
    OptimizationRemark R(PassName, "Recompute", begin(L.First), Body);
    R << "the reverse pass of the " << named("Derivative", derivativeWords())
      << " computes again instead of keeping: "
      << named("Values", join(L.Values, ", ")) << setExtraArgs()
      << Arg("Count", L.Count);
    ORE.emit(R);
  }
}

/// Iterations that run again.
void Writer::writeReruns() {
  for (const auto &[L, Again] : P.Reruns) {
    if (isGeneral(&L->L->getHeader()->front()))
      continue;
    unsigned Values = count_if(P.Decisions, [Loop = L](const auto &Entry) {
      return Entry.second.Rerun == Loop;
    });
    OptimizationRemark R(PassName, "RunsAgain", begin(L->Counter), Body);
    R << "the reverse pass of the " << named("Derivative", derivativeWords())
      << " runs each iteration of " << named("Loop", loopWords(*L, T))
      << " again, instead of keeping " << Arg("Values", Values)
      << (Values == 1 ? " value" : " values") << " of it";
    ORE.emit(R);
  }
}

/// A loop with adze_checkpoint: what a state is, and when it is saved.
void Writer::writeSteps() {
  const auto L = checkpoints::layoutOf(*F.P->F);
  if (!L || !P.Steps || !P.Steps->Step)
    return;
  const CallPlan *Step = P.callPlan(*P.Steps->Step);
  if (!Step)
    return;
  const Instruction *First = nullptr;
  for (const Instruction &I : instructions(*Step->Callee->Req.Primal))
    if (!First && I.getDebugLoc() && I.getDebugLoc().getLine() != 0)
      First = &I;
  OptimizationRemarkAnalysis R(PassName, "Steps", begin(First), Body);
  R << "the " << named("Derivative", derivativeWords())
    << " runs iterations again from saved states, by "
    << named("Schedule", L->KnowsCount
                             ? "the binomial schedule"
                             : "the schedule for counts that are not known")
    << "; a state is ";
  uint64_t Bytes = 0;
  std::string Others;
  for (const checkpoints::Layout::Region &Region : L->Regions) {
    const StringRef Name =
        L->Loop->getAttributes()
            .getParamAttr(Region.Base, checkpoints::NameOfArgument)
            .getValueAsString();
    Bytes += Region.Size;
    if (!Region.Size)
      // Without a name in the source it is code.
      Others += Name.empty() || Name.starts_with("'%") ? ", a block"
                                                       : (", " + Name).str();
  }
  R << Arg("Bytes", Bytes) << " bytes" << named("Others", Others);
  if (P.Steps->Tracks)
    R << ", and what iterations write "
      << (P.Steps->tracksReads() ? "or read " : "")
      << "elsewhere, as they say when they run first";
  ORE.emit(R);
}

/// The tape of one of the two versions.
std::string Writer::bytesOf(bool General) const {
  return tapeBytes(T, [&](const Slot &S) {
    return !S.Rerun && !isInRegister(S) && isGeneral(S.Holds.V) == General;
  });
}

/// Whose adjoint the sum goes to.
static std::string readWords(const LoadInst &Load) {
  std::string Object = objectWords(Load.getPointerOperand());
  return Object.empty() ? "what is read here" : Object;
}

/// Where each thread adds to a copy, and when it does not.
void Writer::writeCopies(const LoadInst &Load, const Replica &Copy,
                         StringSet<> &Told) {
  OptimizationRemark R(PassName, "SumInCopies", begin(&Load), Body);
  const std::string Object = readWords(Load);
  if (!Told.insert(R.getLocationStr() + Object).second)
    return;
  R << "each thread of the reverse pass of the "
    << named("Derivative", derivativeWords())
    << " adds to a copy of its own of the adjoint of "
    << named("Value", Object);
  if (const NearBounds *Near = F.nearBounds(Load))
    R << " in the first " << Arg("AtBegin", Near->AtBegin) << " and the last "
      << Arg("AtEnd", Near->AtEnd) << " of its iterations";
  if (Copy.ByPages) {
    R << ", of each page of memory to which it adds often"
      << (Copy.IsClaimed ? " and another thread has added before" : "")
      << ", because other threads may read the same, and none writes it";
    ORE.emit(R);
    return;
  }
  R << ", because all threads read it, ";
  R << (Copy.Parts.empty()
            ? "and none writes it"
            : "so none writes it as long as two threads have iterations");
  R << "; where the copy would have more than " << Arg("Bytes", Copy.MostBytes)
    << " bytes, it adds atomically";
  ORE.emit(R);
}

/// Where threads may add to one adjoint. One remark for each line and array.
void Writer::writeSums() {
  StringSet<> Told;
  const LaunchSums Launch(F);
  for (const Instruction &I : instructions(*F.P->F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !F.isActive(Load) || !F.mayBeShared(*Load))
      continue;
    const auto Copy = find_if(
        P.Replicas, [&](const Replica &Of) { return Of.Loads.contains(Load); });
    if (Copy != P.Replicas.end()) {
      writeCopies(*Load, *Copy, Told);
      continue;
    }
    OptimizationRemarkMissed R(PassName, "AtomicSum", begin(Load), Body);
    const std::string Object = readWords(*Load);
    if (!Told.insert(R.getLocationStr() + Object).second)
      continue;
    const NearBounds *Near = F.nearBounds(*Load);
    R << "the reverse pass of the " << named("Derivative", derivativeWords())
      << " adds atomically to the adjoint of " << named("Value", Object);
    if (Near)
      R << " in the first " << Arg("AtBegin", Near->AtBegin) << " and the last "
        << Arg("AtEnd", Near->AtEnd)
        << " iterations of each thread, because others read what is read there";
    else if (Launch.testOf(*Load))
      R << " unless a test shows, when the kernel begins, that each thread "
           "reads places of its own";
    else
      R << ", because other threads may read the same at the same time; to "
           "avoid this, let iterations read what belongs to them alone, or "
           "give each thread a copy (firstprivate)";
    ORE.emit(R);
  }
}

void Writer::writeTape() {
  unsigned Registers = 0;
  bool Callees = false;
  for (const auto &[Key, D] : P.Decisions) {
    if (isGeneral(Key.first))
      continue;
    Registers +=
        D.From == Source::Cache && !D.Rerun && isInRegister(P.Slots[D.Slot]);
    Callees |= Part(Key.second) == Part::Tape;
  }
  OptimizationRemarkAnalysis R(PassName, "Tape", begin(nullptr), Body);
  std::string Bytes = bytesOf(/*General=*/false);
  R << "the " << named("Derivative", derivativeWords());
  if (Bytes == "0")
    R << " needs no tape";
  else
    R << " needs a tape of " << named("Bytes", Bytes) << " bytes";
  if (Callees)
    R << ", and what the tapes of the calls in it allocate";
  if (Registers != 0)
    R << "; " << Arg("Registers", Registers)
      << (Registers == 1 ? " value stays in a register"
                         : " values stay in registers");
  ORE.emit(R);
}

/// The version for arrays that may overlap, where there is one.
void Writer::writeGeneral() {
  if (!F.P->General)
    return;
  OptimizationRemarkAnalysis R(PassName, "Versions", begin(nullptr), Body);
  R << "the " << named("Derivative", derivativeWords())
    << " has another version for arrays that overlap, chosen at run time";
  if (std::string Bytes = bytesOf(/*General=*/true); Bytes != "0")
    R << ": it needs a tape of " << named("Bytes", Bytes) << " bytes";
  for (const auto &[Key, D] : P.Decisions)
    if (D.From == Source::Cache && isGeneral(Key.first))
      if (Cause Why = causeOf({Key.first, Part(Key.second)}, T);
          !Why.Cure.empty()) {
        explain(R, Why);
        break;
      }
  ORE.emit(R);
}

} // namespace

bool remarksEnabled(LLVMContext &C) {
  return OptimizationRemarkEmitter::allowExtraAnalysis(C, PassName);
}

void emitRemarks(const Plan &P) { Writer(P).write(); }

} // namespace adze
