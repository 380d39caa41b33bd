// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small interpreter that runs random programs, records every data
// dependence, and holds the answers of the analyses against them.
#ifndef ADZE_TEST_UNIT_RANDOMMACHINE_H
#define ADZE_TEST_UNIT_RANDOMMACHINE_H

#include "adze/Analyses.h"
#include "adze/KnownFunction.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>

using namespace adze;
using namespace llvm;

namespace analysis_random {

/// Eight bytes of memory. Floats are numbers of events; 0 is a constant.
struct Slot {
  unsigned Event = 0;
  int Points = -1; // object
  bool TangentValid = true, ShadowValid = true;
  bool SelfShadowed = false; // what is in the shadow is the pointer itself
  const Instruction *By = nullptr;         // what stored last
  std::vector<const Instruction *> ReadBy; // in the outermost function
};

struct Memory {
  bool HasShadow = false;
  std::vector<Slot> Slots = std::vector<Slot>(4);
};

struct RunValue {
  int64_t Number = 0;
  unsigned Event = 0;
  int Points = -1;
  int64_t Offset = 0;
  bool SelfShadowed =
      false; // its shadow, if it is asked for, is the pointer itself
};

/// A float was made (or stored) by \p By under the answers of \p Info.
struct Event {
  std::vector<unsigned> From;
  const Value *By = nullptr;
  const ActivityInfo *Info = nullptr;
  bool InFrameWithInfo = false;
  bool Varied = false, Useful = false;
};

class Machine {
public:
  Machine(Module &M, std::vector<std::string> &Problems)
      : M(M), Problems(Problems), Events(1) {}

  const Primal *primal(Function &F) {
    if (F.isDeclaration())
      return nullptr;
    std::unique_ptr<Primal> &P = Primals[F.getName().str()];
    if (!P) {
      P = std::make_unique<Primal>();
      P->F = P->Source = &F;
      P->DT = std::make_unique<DominatorTree>(F);
      P->LI = std::make_unique<LoopInfo>(*P->DT);
    }
    return P.get();
  }

  struct Answers {
    Request R;
    std::unique_ptr<TypeInfo> Types;
    std::unique_ptr<ActivityInfo> Activity;
  };

  const Answers &analyze(const Request &R) {
    Answers &A = Known[R.key()];
    if (A.Activity)
      return A;
    auto Callees = [this](Function &F) { return primal(F); };
    const Primal &P = *primal(*R.Primal);
    A.R = R;
    A.Types = analyzeTypes(P, {}, Callees);
    A.Activity = analyzeActivity(P, R, *A.Types, Callees, Diags, Origin());
    return A;
  }

  int newMemory(bool HasShadow) {
    Memories.emplace_back();
    Memories.back().HasShadow = HasShadow;
    return int(Memories.size() - 1);
  }

  unsigned event(std::vector<unsigned> From, const Value *By,
                 const Answers *A) {
    Event E;
    E.From = std::move(From);
    E.By = By;
    E.Info = A ? A->Activity.get() : nullptr;
    Events.push_back(std::move(E));
    return unsigned(Events.size() - 1);
  }

  void problem(const std::string &What, const Value *V,
               const Instruction *Stored = nullptr) {
    std::string Text;
    raw_string_ostream OS(Text);
    OS << What << ": " << *V;
    if (auto *I = dyn_cast<Instruction>(V))
      OS << " in " << I->getFunction()->getName();
    if (Stored)
      OS << ", stored by " << *Stored << " in "
         << Stored->getFunction()->getName();
    Problems.push_back(OS.str());
  }

  RunValue run(Function &F, ArrayRef<RunValue> Args, const Answers *A,
               bool Outermost);
  void finish(unsigned Result, bool ResultActive, ArrayRef<int> Outputs);

  Module &M;
  std::vector<std::string> &Problems;
  Diagnostics Diags;
  std::vector<Event> Events;
  std::vector<Memory> Memories;
  std::map<const Instruction *, bool> Changed; // reads whose memory changed
  std::map<std::string, std::unique_ptr<Primal>> Primals;
  std::map<std::string, Answers> Known;
  unsigned Steps = 0;
  bool Undefined = false; // the program did what it must not

private:
  struct Frame {
    std::map<const Value *, RunValue> Values;
    const Answers *A;
    bool Outermost;
    bool active(const Value *V) const {
      return A && A->Activity->isActiveValue(V);
    }
    bool shadow(const Value *V) const { return A && A->Activity->hasShadow(V); }
  };

  RunValue get(Frame &F, const Value *V);
  void step(Frame &F, const Instruction &I);
  void load(Frame &F, const LoadInst &I);
  void store(Frame &F, const StoreInst &I);
  void copy(Frame &F, const MemCpyInst &I);
  void call(Frame &F, const CallInst &I);
  void overwrite(Slot &S) {
    for (const Instruction *I : S.ReadBy)
      Changed[I] = true;
    S.ReadBy.clear();
  }
  Slot *slot(const RunValue &P, bool Writes) {
    if (P.Points >= 0 && !(Writes && P.Points == Globals["table"] - 1))
      return &Memories[P.Points].Slots[P.Offset / 8];
    Undefined = true;
    return nullptr;
  }
  /// A pointer said to have a shadow must lead to memory that has one, or be
  /// plain and said to be so.
  void checkShadow(Frame &F, const Value *V, const RunValue &P) {
    if (!F.shadow(V) || P.Points < 0)
      return;
    if (P.SelfShadowed && !F.A->Activity->mayBeSelfShadowed(V))
      problem("plain, but not said to be", V);
    if (!P.SelfShadowed && !Memories[P.Points].HasShadow)
      problem("shadow asked of memory without one", V);
  }
  /// What was read through a self-shadowed pointer must not be active.
  void readSelfShadowed(unsigned From, unsigned To, const Value *V) {
    SelfShadowedReads.push_back({From, To, V});
  }
  struct SelfShadowedRead {
    unsigned From, To;
    const Value *By;
  };
  std::vector<SelfShadowedRead> SelfShadowedReads;

  int global(StringRef Name);
  std::map<std::string, int> Globals; // numbers of objects, from 1
};

} // namespace analysis_random
#endif
