// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity and overwrite analysis against what programs do. Random programs
// with arrays, tables of pointers, loops that swap buffers, branches, block
// copies, allocations and calls are run by a small interpreter that records
// every data dependence. Then
//  * a float that depends on an active input, and on which an active output
//    depends, must be called active, in the caller and in callees under the
//    requests that their calls make;
//  * wherever the analysis asks for a shadow there must be a valid one: the
//    object has one, and the shadow pointer was stored where it is loaded;
//  * memory that changes after a read must be called overwritten.
#include "adze/Analyses.h"
#include "adze/KnownFunction.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
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

namespace {

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Writes functions of type (ptr %d0, ptr %d1, ptr %t0, double %x, i64 %k):
/// d are arrays of four doubles, t is a table of four pointers to such.
class Generator {
public:
  explicit Generator(uint64_t Seed)
      : State(Seed * 2654435761u + 88172645463u) {}

  std::string program(unsigned Callees) {
    std::string Text =
        "declare noalias ptr @malloc(i64)\n"
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
        "@table = internal constant [4 x double] [double 1.0, double 2.0, "
        "double 3.0, double 4.0]\n"
        "@state = internal global [4 x double] zeroinitializer\n"
        "@taken = global ptr @f\n"; // as a marker does
    for (unsigned I = 0; I < Callees; ++I)
      Text += function("g" + std::to_string(I), I, pick(2) == 0);
    return Text + function("f", Callees, false);
  }

  unsigned pick(unsigned N) {
    State ^= State << 13;
    State ^= State >> 7;
    State ^= State << 17;
    return unsigned((State >> 11) % N);
  }

private:
  struct Scope {
    std::vector<std::string> Floats, Arrays, Tables, Counters;
  };

  std::string function(const std::string &Name, unsigned Callees,
                       bool ReturnsPointer) {
    Body.clear();
    NumCallees = Callees;
    Outermost = Name == "f";
    Scope S{{"%x", "1.5"}, {"%d0", "%d1", "@table", "@state"}, {"%t0"}, {"%k"}};
    Block = "entry";
    newArray(S);
    newTable(S);
    statements(S, 12, 2);
    ReturnsPointers.push_back(ReturnsPointer);
    std::string Type = ReturnsPointer ? "ptr" : "double";
    std::string Result = ReturnsPointer ? any(S.Arrays) : any(S.Floats);
    return "define " + Type + " @" + Name +
           "(ptr %d0, ptr %d1, ptr %t0, double %x, i64 %k) {\nentry:\n" + Body +
           "  ret " + Type + " " + Result + "\n}\n";
  }

  const std::string &any(const std::vector<std::string> &From) {
    // Prefer what is new.
    if (From.size() > 3 && pick(2))
      return From[From.size() - 1 - pick(3)];
    return From[pick(From.size())];
  }
  std::string fresh() { return "%v" + std::to_string(Number++); }
  void line(const std::string &Text) { Body += "  " + Text + "\n"; }
  void label(const std::string &Name) {
    Body += Name + ":\n";
    Block = Name;
  }

  std::string element(const Scope &S, const std::string &Base) {
    std::string P = fresh();
    if (pick(3)) {
      line(P + " = getelementptr i8, ptr " + Base + ", i64 " +
           std::to_string(8 * pick(4)));
      return P;
    }
    std::string I = fresh();
    line(I + " = and i64 " + any(S.Counters) + ", 3");
    line(P + " = getelementptr double, ptr " + Base + ", i64 " + I);
    return P;
  }

  std::string allocate() {
    std::string P = fresh();
    // Variables of a callee must not be returned: only f has some.
    if (pick(2) || Depth > 0 || !Outermost)
      line(P + " = call noalias ptr @malloc(i64 32)");
    else
      line(P + " = alloca [4 x double]");
    return P;
  }

  void newArray(Scope &S) {
    std::string P = allocate();
    for (unsigned I = 0; I < 4; ++I) {
      std::string E = fresh();
      line(E + " = getelementptr i8, ptr " + P + ", i64 " +
           std::to_string(8 * I));
      line("store double 0.5, ptr " + E);
    }
    S.Arrays.push_back(P);
  }

  void newTable(Scope &S) {
    std::string P = allocate();
    for (unsigned I = 0; I < 4; ++I) {
      std::string E = fresh();
      line(E + " = getelementptr i8, ptr " + P + ", i64 " +
           std::to_string(8 * I));
      line("store ptr " + any(S.Arrays) + ", ptr " + E);
    }
    S.Tables.push_back(P);
  }

  std::string condition(const Scope &S) {
    std::string I = fresh(), C = fresh();
    line(I + " = and i64 " + any(S.Counters) + ", 1");
    line(C + " = icmp eq i64 " + I + ", 0");
    return C;
  }

  void call(Scope &S) {
    unsigned Callee = pick(NumCallees);
    std::string V = fresh();
    bool Pointer = ReturnsPointers[Callee];
    line(V + " = call " + (Pointer ? "ptr" : "double") + " @g" +
         std::to_string(Callee) + "(ptr " + array(S) + ", ptr " + array(S) +
         ", ptr " + any(S.Tables) + ", double " + any(S.Floats) + ", i64 " +
         any(S.Counters) + ")");
    (Pointer ? S.Arrays : S.Floats).push_back(V);
  }

  /// An array that may be written, as far as can be seen here; programs that
  /// write to the constant one after all are not compared.
  const std::string &array(const Scope &S) {
    for (;;)
      if (const std::string &A = any(S.Arrays); A != "@table")
        return A;
  }

  void simple(Scope &S) {
    std::string V = fresh();
    switch (pick(NumCallees ? 12 : 11)) {
    case 0:
    case 1:
      line(V + " = fmul double " + any(S.Floats) + ", " + any(S.Floats));
      S.Floats.push_back(V);
      return;
    case 2:
    case 3: {
      std::string P = element(S, any(S.Arrays));
      line(V + " = load double, ptr " + P);
      S.Floats.push_back(V);
      return;
    }
    case 4:
    case 5: {
      std::string P = element(S, array(S));
      line("store double " + any(S.Floats) + ", ptr " + P);
      return;
    }
    case 6: {
      std::string P = element(S, any(S.Tables));
      line(V + " = load ptr, ptr " + P);
      S.Arrays.push_back(V);
      return;
    }
    case 7: {
      std::string P = element(S, any(S.Tables));
      line("store ptr " + array(S) + ", ptr " + P);
      return;
    }
    case 8: {
      std::string C = condition(S);
      line(V + " = select i1 " + C + ", ptr " + any(S.Arrays) + ", ptr " +
           any(S.Arrays));
      S.Arrays.push_back(V);
      return;
    }
    case 9: {
      bool OfTables = pick(3) == 0;
      line("call void @llvm.memcpy.p0.p0.i64(ptr " +
           (OfTables ? any(S.Tables) : array(S)) + ", ptr " +
           (OfTables ? any(S.Tables) : any(S.Arrays)) + ", i64 " +
           std::to_string(8 + 8 * pick(4)) + ", i1 false)");
      return;
    }
    case 10:
      return pick(2) ? newArray(S) : newTable(S);
    default:
      return call(S);
    }
  }

  void branch(Scope &S, unsigned Nested) {
    std::string N = std::to_string(Number++), C = condition(S);
    line("br i1 " + C + ", label %then" + N + ", label %else" + N);
    std::string Ends[2], Floats[2], Arrays[2];
    for (unsigned Side = 0; Side < 2; ++Side) {
      label((Side ? "else" : "then") + N);
      Scope Inner = S;
      statements(Inner, 3, Nested);
      Ends[Side] = Block;
      Floats[Side] = any(Inner.Floats);
      Arrays[Side] = any(Inner.Arrays);
      line("br label %join" + N);
    }
    label("join" + N);
    std::string F = fresh(), A = fresh();
    line(F + " = phi double [ " + Floats[0] + ", %" + Ends[0] + " ], [ " +
         Floats[1] + ", %" + Ends[1] + " ]");
    line(A + " = phi ptr [ " + Arrays[0] + ", %" + Ends[0] + " ], [ " +
         Arrays[1] + ", %" + Ends[1] + " ]");
    S.Floats.push_back(F);
    S.Arrays.push_back(A);
  }

  /// Three rounds that carry a float and swap two arrays.
  void loop(Scope &S, unsigned Nested) {
    std::string N = std::to_string(Number++), Before = Block;
    std::string I = "%i" + N, F = "%f" + N, A = "%a" + N, B = "%b" + N;
    std::string F0 = any(S.Floats), A0 = array(S), B0 = array(S);
    line("br label %loop" + N);
    label("loop" + N);
    size_t Place = Body.size();
    Scope Inner = S;
    Inner.Counters.push_back(I);
    Inner.Floats.push_back(F);
    Inner.Arrays.insert(Inner.Arrays.end(), {A, B});
    ++Depth;
    statements(Inner, 5, Nested);
    --Depth;
    std::string Next = fresh(), More = fresh(), Carried = any(Inner.Floats);
    std::string NewA = pick(2) ? B : any(Inner.Arrays);
    line(Next + " = add nuw nsw i64 " + I + ", 1");
    line(More + " = icmp ult i64 " + Next + ", 3");
    line("br i1 " + More + ", label %loop" + N + ", label %exit" + N);
    auto Phi = [&](const char *Type, const std::string &Name,
                   const std::string &First, const std::string &Later) {
      return "  " + Name + " = phi " + Type + " [ " + First + ", %" + Before +
             " ], [ " + Later + ", %" + Block + " ]\n";
    };
    if (NewA == "@table")
      NewA = B;
    Body.insert(Place, Phi("i64", I, "0", Next) +
                           Phi("double", F, F0, Carried) +
                           Phi("ptr", A, A0, NewA) + Phi("ptr", B, B0, A));
    label("exit" + N);
    S.Floats.push_back(F);
    S.Arrays.insert(S.Arrays.end(), {A, B});
  }

  void statements(Scope &S, unsigned Count, unsigned Nested) {
    for (unsigned I = 0; I < Count; ++I) {
      unsigned Kind = Nested ? pick(10) : 9;
      if (Kind == 0)
        branch(S, Nested - 1);
      else if (Kind == 1)
        loop(S, Nested - 1);
      else
        simple(S);
    }
  }

  uint64_t State;
  std::string Body, Block;
  unsigned Number = 0, NumCallees = 0, Depth = 0;
  bool Outermost = false;
  std::vector<bool> ReturnsPointers;
};

//===----------------------------------------------------------------------===//
// Running them
//===----------------------------------------------------------------------===//

/// Eight bytes of memory. Floats are numbers of events; 0 is a constant.
struct Slot {
  unsigned Event = 0;
  int Points = -1; // object
  bool TangentValid = true, ShadowValid = true;
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
    if (P.Points >= 0 && !(Writes && P.Points == Table))
      return &Memories[P.Points].Slots[P.Offset / 8];
    Undefined = true;
    return nullptr;
  }
  /// A pointer said to have a shadow must lead to memory that has one.
  void checkShadow(Frame &F, const Value *V, const RunValue &P) {
    if (F.shadow(V) && P.Points >= 0 && !Memories[P.Points].HasShadow)
      problem("shadow asked of memory without one", V);
  }

  int Table = -1, State = -1;
};

RunValue Machine::get(Frame &F, const Value *V) {
  RunValue R;
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    R.Number = C->getSExtValue();
  } else if (isa<GlobalVariable>(V)) {
    // Whoever asks for the shadow of a global gets one, made of zeros.
    int &Object = V->getName() == "table" ? Table : State;
    if (Object < 0)
      Object = newMemory(true);
    R.Points = Object;
  } else if (!isa<Constant>(V)) {
    R = F.Values[V];
  }
  return R;
}

void Machine::load(Frame &F, const LoadInst &I) {
  RunValue P = get(F, I.getPointerOperand()), R;
  Slot *Place = slot(P, false);
  if (!Place)
    return;
  Slot &S = *Place;
  if (F.Outermost)
    S.ReadBy.push_back(&I);
  if (I.getType()->isPointerTy()) {
    R.Points = S.Points;
    if (F.shadow(&I) && (!F.shadow(I.getPointerOperand()) || !S.ShadowValid))
      problem("no valid shadow to load", &I);
  } else {
    R.Event = event({S.Event}, &I, F.A);
    if (F.active(&I) && (!F.shadow(I.getPointerOperand()) || !S.TangentValid))
      problem("no valid tangent to load", &I, S.By);
  }
  F.Values[&I] = R;
}

void Machine::store(Frame &F, const StoreInst &I) {
  RunValue P = get(F, I.getPointerOperand()), V = get(F, I.getValueOperand());
  Slot *Place = slot(P, true);
  if (!Place)
    return;
  Slot &S = *Place;
  bool Handled = F.A && F.shadow(I.getPointerOperand());
  if (Handled && !F.A->Activity->isActiveInstruction(&I))
    problem("store to memory with shadow does not take part", &I);
  overwrite(S);
  if (I.getValueOperand()->getType()->isPointerTy()) {
    S.Points = V.Points;
    S.ShadowValid = Handled && F.shadow(I.getValueOperand());
    return;
  }
  S.Event = event({V.Event}, &I, F.A);
  S.TangentValid = Handled;
  S.By = &I;
}

void Machine::copy(Frame &F, const MemCpyInst &I) {
  RunValue To = get(F, I.getRawDest()), From = get(F, I.getRawSource());
  if (!slot(To, true) || !slot(From, false))
    return;
  bool Handled = F.shadow(I.getRawDest());
  bool FromShadow = F.shadow(I.getRawSource());
  int64_t Count = cast<ConstantInt>(I.getLength())->getSExtValue() / 8;
  // Copying memory onto itself is allowed, and nothing happens.
  if (To.Points == From.Points)
    Count = 0;
  for (int64_t K = 0; K < Count; ++K) {
    Slot &Source = Memories[From.Points].Slots[K];
    if (F.Outermost)
      Source.ReadBy.push_back(&I);
    Slot &S = Memories[To.Points].Slots[K];
    overwrite(S);
    S.Points = Source.Points;
    S.By = &I;
    S.Event = event({Source.Event}, &I, F.A);
    S.ShadowValid = Handled && FromShadow && Source.ShadowValid;
    // Without a shadow of the source the copy's tangent is zero.
    S.TangentValid = Handled && (!FromShadow || Source.TangentValid);
  }
}

void Machine::call(Frame &F, const CallInst &I) {
  Function &Callee = *I.getCalledFunction();
  RunValue R;
  if (Callee.getName() == "malloc") {
    R.Points = newMemory(F.shadow(&I));
    F.Values[&I] = R;
    return;
  }
  const Answers *A = nullptr;
  if (F.A && F.A->Activity->isActiveInstruction(&I)) {
    CallActivity Activity =
        activityOfCall(*F.A->Activity, *F.A->Types, I, DerivativeKind::Fused);
    Request Q;
    Q.Primal = &Callee;
    Q.Args = Activity.Args;
    Q.Ret = Activity.Ret;
    A = &analyze(Q);
  }
  std::vector<RunValue> Args;
  for (const Value *V : I.args()) {
    RunValue Arg = get(F, V);
    checkShadow(F, V, Arg);
    Args.push_back(Arg);
  }
  R = run(Callee, Args, A, false);
  if (!I.getType()->isPointerTy())
    R.Event = event({R.Event}, &I, F.A);
  F.Values[&I] = R;
}

void Machine::step(Frame &F, const Instruction &I) {
  RunValue R;
  if (auto *L = dyn_cast<LoadInst>(&I))
    return load(F, *L);
  if (auto *S = dyn_cast<StoreInst>(&I))
    return store(F, *S);
  if (auto *C = dyn_cast<MemCpyInst>(&I))
    return copy(F, *C);
  if (auto *C = dyn_cast<CallInst>(&I))
    return call(F, *C);
  if (isa<AllocaInst>(I)) {
    R.Points = newMemory(F.shadow(&I));
  } else if (auto *G = dyn_cast<GetElementPtrInst>(&I)) {
    R = get(F, G->getPointerOperand());
    R.Offset += get(F, G->getOperand(1)).Number *
                (G->getSourceElementType()->isDoubleTy() ? 8 : 1);
  } else if (auto *S = dyn_cast<SelectInst>(&I)) {
    R = get(F, get(F, S->getCondition()).Number ? S->getTrueValue()
                                                : S->getFalseValue());
  } else if (auto *C = dyn_cast<ICmpInst>(&I)) {
    int64_t X = get(F, C->getOperand(0)).Number,
            Y = get(F, C->getOperand(1)).Number;
    R.Number = C->getPredicate() == CmpInst::ICMP_EQ ? X == Y : X < Y;
  } else if (I.getOpcode() == Instruction::And) {
    R.Number = get(F, I.getOperand(0)).Number & get(F, I.getOperand(1)).Number;
  } else if (I.getOpcode() == Instruction::Add) {
    R.Number = get(F, I.getOperand(0)).Number + get(F, I.getOperand(1)).Number;
  } else if (I.getOpcode() == Instruction::FMul) {
    R.Event =
        event({get(F, I.getOperand(0)).Event, get(F, I.getOperand(1)).Event},
              &I, F.A);
  }
  F.Values[&I] = R;
}

RunValue Machine::run(Function &Fn, ArrayRef<RunValue> Args, const Answers *A,
                      bool Outermost) {
  Frame F{{}, A, Outermost};
  for (Argument &Arg : Fn.args()) {
    RunValue V = Args[Arg.getArgNo()];
    if (Arg.getType()->isDoubleTy())
      V.Event = event({V.Event}, &Arg, A);
    F.Values[&Arg] = V;
    checkShadow(F, &Arg, V);
  }
  const BasicBlock *B = &Fn.getEntryBlock(), *From = nullptr;
  while (!Undefined && ++Steps < 20000) {
    std::map<const Value *, RunValue> Phis;
    for (const PHINode &P : B->phis()) {
      RunValue V = get(F, P.getIncomingValueForBlock(From));
      if (P.getType()->isDoubleTy())
        V.Event = event({V.Event}, &P, A);
      Phis[&P] = V;
    }
    for (auto &[P, V] : Phis)
      F.Values[P] = V;
    for (const Instruction &I : *B) {
      if (!isa<PHINode>(I) && !I.isTerminator())
        step(F, I);
      if (Undefined)
        return RunValue();
      if (I.getType()->isPointerTy())
        checkShadow(F, &I, F.Values[&I]);
    }
    if (auto *R = dyn_cast<ReturnInst>(B->getTerminator())) {
      const Value *V = R->getReturnValue();
      if (A && retHasShadow(A->R.Ret) && !F.shadow(V))
        problem("returned pointer has no shadow", R);
      return get(F, V);
    }
    auto *Br = cast<BranchInst>(B->getTerminator());
    From = B;
    B = Br->isUnconditional() || get(F, Br->getCondition()).Number
            ? Br->getSuccessor(0)
            : Br->getSuccessor(1);
  }
  return RunValue();
}

/// Everything that is active must have been called so.
void Machine::finish(unsigned Result, bool ResultActive,
                     ArrayRef<int> Outputs) {
  if (ResultActive)
    Events[Result].Useful = true;
  for (int O : Outputs)
    for (const Slot &S : Memories[O].Slots)
      Events[S.Event].Useful = true;
  for (size_t I = 1; I < Events.size(); ++I)
    for (unsigned From : Events[I].From)
      Events[I].Varied |= Events[From].Varied;
  for (size_t I = Events.size(); I-- > 1;)
    for (unsigned From : Events[I].From)
      Events[From].Useful |= Events[I].Useful;
  for (const Event &E : Events) {
    if (!E.By || !E.Varied || !E.Useful)
      continue;
    if (!E.Info) {
      problem("active in a call that does not take part", E.By);
      continue;
    }
    if (auto *S = dyn_cast<StoreInst>(E.By)) {
      if (!E.Info->hasShadow(S->getPointerOperand()))
        problem("active float stored without shadow", S);
    } else if (auto *C = dyn_cast<MemCpyInst>(E.By)) {
      if (!E.Info->hasShadow(C->getRawDest()))
        problem("active float copied without shadow", C);
    } else if (!E.Info->isActiveValue(E.By)) {
      problem("active float called inactive", E.By);
    }
  }
}

struct Outcome {
  bool Refused = false;
  unsigned ActiveValues = 0;
  std::vector<std::string> Problems;
  std::string Text;
};

Outcome check(uint64_t Seed) {
  Outcome O;
  Generator G(Seed);
  O.Text = G.program(G.pick(4));
  LLVMContext Context;
  Context.setDiagnosticHandlerCallBack([](const DiagnosticInfo *, void *) {});
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseAssemblyString(O.Text, Error, Context);
  if (!M) {
    O.Problems.push_back("does not parse: " + Error.getMessage().str() +
                         Error.getLineContents().str());
    return O;
  }
  Machine Run(*M, O.Problems);
  Request R;
  R.Primal = M->getFunction("f");
  for (unsigned I = 0; I < 3; ++I)
    R.Args.push_back(G.pick(3) ? ArgActivity::Dup : ArgActivity::Const);
  R.Args.push_back(G.pick(3) ? ArgActivity::Out : ArgActivity::Const);
  R.Args.push_back(ArgActivity::Const);
  R.Ret = RetActivity::Active;
  R.MayBeOverwritten.assign(5, false);
  const Machine::Answers &A = Run.analyze(R);
  if (Run.Diags.errors()) {
    O.Refused = true;
    return O;
  }
  std::unique_ptr<MemoryInfo> Memory = analyzeMemory(*Run.primal(*R.Primal), R);

  // Arguments: two arrays, and a table of one array.
  std::vector<RunValue> Args(5);
  std::vector<int> Outputs;
  auto Fill = [&](unsigned Arg, int Object) {
    if (R.Args[Arg] != ArgActivity::Dup)
      return;
    Outputs.push_back(Object);
    for (Slot &S : Run.Memories[Object].Slots) {
      S.Event = Run.event({}, nullptr, nullptr);
      Run.Events[S.Event].Varied = true;
    }
  };
  for (unsigned I = 0; I < 3; ++I)
    Args[I].Points = Run.newMemory(R.Args[I] == ArgActivity::Dup);
  int Behind = Run.newMemory(R.Args[2] == ArgActivity::Dup);
  for (Slot &S : Run.Memories[Args[2].Points].Slots)
    S.Points = Behind;
  Fill(0, Args[0].Points);
  Fill(1, Args[1].Points);
  Fill(2, Behind);
  Args[3].Event = Run.event({}, nullptr, nullptr);
  Run.Events[Args[3].Event].Varied = R.Args[3] == ArgActivity::Out;
  Args[4].Number = G.pick(2);

  unsigned Result = Run.run(*R.Primal, Args, &A, true).Event;
  if (Run.Undefined) {
    O.Problems.clear();
    O.Refused = true;
    return O;
  }
  if (Run.Diags.errors())
    O.Problems.push_back("a callee is refused that the caller accepted");
  // What the caller can reach through a table with shadow is output too, but
  // for what it called constant.
  if (R.Args[2] == ArgActivity::Dup)
    for (const Slot &S : Run.Memories[Args[2].Points].Slots)
      if (S.Points >= 0 && Run.Memories[S.Points].HasShadow)
        Outputs.push_back(S.Points);
  Run.finish(Result, true, Outputs);
  for (auto [I, Changed] : Run.Changed)
    if (!Memory->mayBeOverwritten(I))
      Run.problem("memory changes after this read", I);
  for (const Instruction &I : instructions(*R.Primal))
    O.ActiveValues += A.Activity->isActiveValue(&I);
  return O;
}

unsigned fromEnvironment(const char *Name, unsigned Default) {
  const char *Text = std::getenv(Name);
  return Text ? unsigned(std::atoi(Text)) : Default;
}

// ADZE_RANDOM_PROGRAMS: how many; ADZE_RANDOM_SEED: that one alone, printed.
TEST(AnalysisRandom, AgreesWithRuns) {
  const unsigned Programs = fromEnvironment("ADZE_RANDOM_PROGRAMS", 600);
  const unsigned Only = fromEnvironment("ADZE_RANDOM_SEED", 0);
  unsigned Checked = 0, Active = 0, Failed = 0;
  for (unsigned Seed = Only ? Only : 1; Seed <= (Only ? Only : Programs);
       ++Seed) {
    Outcome O = check(Seed);
    Checked += !O.Refused;
    Active += O.ActiveValues > 0;
    if (O.Problems.empty())
      continue;
    std::string All;
    for (const std::string &P : ArrayRef(O.Problems).take_front(5))
      All += P + "\n";
    if (Only)
      All += O.Text;
    if (++Failed <= 5)
      ADD_FAILURE() << "seed " << Seed << "\n" << All;
  }
  EXPECT_EQ(Failed, 0u);
  if (Only)
    return;
  RecordProperty("checked", int(Checked));
  RecordProperty("active", int(Active));
  // The comparison must not run empty.
  EXPECT_GT(Checked, Programs / 8);
  EXPECT_GT(Active, Programs / 10);
}

} // namespace
