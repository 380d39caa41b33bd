// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are written as text, or to a file, and read again. A file has no
// shadow, and text no derivative: what is read is constant for the derivative,
// though the program's result depends on what was written. To tell users of it,
// the analysis runs once more, on a model in which text and files carry floats
// like memory (GlobalRegion::FollowsText). A number that is read from text and
// is active there is one whose derivative is lost.
//
// The model knows the ways from the rows of the functions (TextWay):
//   ToText     what operands hold, and all they lead to, is in the memory that
//              is written, operand 0 of C's functions, the objects of C++;
//   ToFile     it is in memory of unknown origin, which stands for all files,
//              and in what fmemopen, which is unknown, was handed;
//   FromFile   it comes from there;
//   ToNumber   what the first operand leads to, or a file, is in the result and
//              behind the other pointers.
// An object of a C++ class owns memory of which nothing is seen: it is taken to
// be the object itself, by a pointer from the object to itself.
//
// Own code that encodes numbers does so by tables: bits of a float choose a
// character (base64), and the character chooses bits again. In this model the
// entry of a table of integers of up to four bytes carries the floats whose
// bits are in the index. (Larger ones, floats and pointers do not: a function
// may be computed by a table that the upper bits of its argument index, and a
// hash table finds an entry so; their derivative is that of the entry.)
//
// Nothing is decided by this model: derivatives are made from the other one.
#include "Analysis/Activity/ActivityTable.h"
#include "Analysis/Activity/Conflicts.h"
#include "Analysis/Activity/FunctionActivity.h"
#include "adze/KnownFunction.h"
#include "adze/Options.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

bool isPointerOperand(const Value *V) {
  return V->getType()->isPointerTy() && !isa<ConstantData>(V);
}

/// What the program writes there is for people to read. What `cout << x`
/// returns is cout.
bool isConsole(const Value *Stream) {
  while (auto *Call = dyn_cast<CallBase>(Stream)) {
    const KnownFunction *Known = lookupKnown(*Call);
    if (!Known || !Known->TextWays || !Call->arg_size())
      return false;
    Stream = Call->getArgOperand(0);
  }
  if (auto *Load = dyn_cast<LoadInst>(Stream))
    Stream = Load->getPointerOperand();
  auto *G = dyn_cast<GlobalVariable>(Stream);
  return G && G->isDeclaration() &&
         is_contained({"stdout", "stderr", "__stdoutp", "__stderrp",
                       "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZNSt3__14coutE",
                       "_ZNSt3__14cerrE", "_ZNSt3__14clogE"},
                      G->getName());
}

class TextFlow {
public:
  TextFlow(Model &M, const CallBase &Call, const KnownFunction &Known)
      : M(M), G(M.G), Call(Call), Known(Known), Ways(Known.TextWays),
        Data(G.addNode()) {}

  void run() {
    if ((Ways & (ToFile | ToText)) &&
        any_of(Call.args(), [](const Use &Arg) { return isConsole(Arg); }))
      return;
    int Source = Ways & ToNumber ? sourceOfNumber() : -1;
    bool Given = Ways & ToFile;
    for (const Use &Arg : Call.args()) {
      int No = Call.getArgOperandNo(&Arg);
      if (isa<ConstantData>(Arg) || Arg->getType()->isMetadataTy() ||
          (Source >= 0 && No != Source))
        continue;
      Given |= Arg->getType()->isFPOrFPVectorTy();
      take(Arg);
    }
    NodeId Files = G.addNode();
    if (Ways & (ToFile | FromFile)) {
      G.point(Files, {G.ForeignObject, AnyOffset});
      G.load(Files, AnyOffset, AnySize, Files, Pointers);
    }
    if (Ways & FromFile)
      G.load(Files, AnyOffset, AnySize, Data, Floats);
    if (Ways & ToFile)
      put(Files);
    for (const Use &Arg : Call.args())
      if (isWritten(Arg, Source))
        put(M.node(Arg));
    if ((Ways & ToNumber) && Call.getType()->isFPOrFPVectorTy())
      G.flow(Data, M.node(&Call), Floats);
    M.Texts.push_back({&Call, Data, Given, (Ways & ToNumber) != 0});
  }

private:
  /// The operand that text is read from; none for a file; -1: any.
  int sourceOfNumber() const {
    if (Known.Template)
      return -1;
    return Ways & FromFile ? int(Call.arg_size()) : 0;
  }

  /// Operand \p Arg, and all that it leads to.
  void take(const Value *Arg) {
    for (unsigned L = 0; L < M.numFields(Arg); ++L) {
      NodeId N = M.node(Arg, L), Reach = G.addNode();
      G.flow(N, Data, Floats);
      G.flow(N, Reach, Pointers, AnyOffset);
      G.load(Reach, AnyOffset, AnySize, Reach, Pointers);
      G.load(Reach, AnyOffset, AnySize, Data, Floats);
    }
  }

  bool isWritten(const Use &Arg, int Source) const {
    int No = Call.getArgOperandNo(&Arg);
    if (!isPointerOperand(Arg) || Call.onlyReadsMemory(No))
      return false;
    if (Known.Text != TextExtent::NoText)
      return No == 0;
    if (Ways & ToNumber)
      return No != Source;
    return !(Ways & ToFile) || isOfClass();
  }

  bool isOfClass() const { return Known.Owns != KnownFunction::OwnsNothing; }

  void put(NodeId Pointer) {
    G.store(Pointer, AnyOffset, AnySize, Data, StoredAs::Float);
    bool AtStart = Known.Owns == KnownFunction::OwnsAtStart;
    if (isOfClass())
      G.store(Pointer, AtStart ? 0 : AnyOffset,
              AtStart ? int64_t(M.DL.getPointerSize()) : AnySize, Pointer,
              StoredAs::Number);
  }

  Model &M;
  DataFlow &G;
  const CallBase &Call;
  const KnownFunction &Known;
  const uint8_t Ways;
  const NodeId Data;
};

/// The region has a function that makes text of numbers, and one that makes
/// numbers of text.
bool mayComeBack(const GlobalRegion &Region) {
  uint8_t Ways = NoTextWay;
  for (const Function *F : Region.functions())
    for (const Instruction &I : instructions(*F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
      Ways |= Known ? Known->TextWays : 0;
      if ((Ways & ToNumber) && (Ways & (ToText | ToFile)))
        return true;
    }
  return false;
}

/// Bits of varied floats choose an entry of some table.
bool hasTables(const FunctionActivity &A) {
  return any_of(A.M.Tables,
                [&](const TableUse &T) { return A.M.G.isVaried(T.Data); });
}

/// Bytes that are read from a file into a buffer of characters are no numbers.
bool readsNumber(const FunctionActivity &A, const TextUse &T) {
  if (T.Call->getType()->isFPOrFPVectorTy())
    return A.M.G.isActive(T.Data) && A.isActive(T.Call);
  if (!A.M.G.isActive(T.Data))
    return false;
  const Value *To = T.Call->getArgOperand(0);
  if (!A.M.Types || !To->getType()->isPointerTy())
    return true;
  BlockLayout Layout = A.M.Types->memoryLayout(To, 1);
  const KnownFunction *Known = lookupKnown(*T.Call);
  return !(Known->TextWays & FromFile) || Layout.Ranges.empty() ||
         Layout.Ranges.front().Type.kind() != ConcreteType::Integer;
}

} // namespace

void buildTextFlow(Model &M, const CallBase &Call, const KnownFunction &Known) {
  if (Known.TextWays)
    TextFlow(M, Call, Known).run();
}

void buildTableFlow(Model &M, const LoadInst &Load) {
  constexpr unsigned LargestEntry = 32;
  auto *Ty = dyn_cast<IntegerType>(Load.getType());
  auto *Place = dyn_cast<GetElementPtrInst>(Load.getPointerOperand());
  if (!Ty || !Place || Ty->getBitWidth() > LargestEntry ||
      Place->getType()->isVectorTy() || Place->hasAllConstantIndices())
    return;
  NodeId Data = M.G.addNode();
  for (const Use &Index : Place->indices())
    if (!isa<Constant>(Index))
      M.G.flow(M.node(Index), Data, Floats);
  if (M.Globals.FollowsText)
    M.G.flow(Data, M.node(&Load), Floats);
  M.Tables.push_back({&Load, Data});
}

void reportTextCuts(const ActivityTable &Solved, const FunctionActivity &Main,
                    const Primal &P, const Request &R, const TypeInfo &Types,
                    PrimalLookup Callees, Diagnostics &Diags,
                    const Origin &From) {
  const TextCuts Wish = Options::get().Text;
  if (Wish == TextCuts::Cut)
    return;
  ActivityTable Table(/*FollowsText=*/true);
  Table.enter(P, Callees);
  if (!mayComeBack(Table.globals()) && !hasTables(Main) &&
      none_of(Solved.functions(),
              [](const FunctionActivity *A) { return hasTables(*A); }))
    return;
  FunctionActivity Root(P, &Types, contextOf(P, R), Table, /*Outermost=*/true);
  Table.solve(Root);
  std::vector<const FunctionActivity *> Functions = Table.functions();
  Functions.push_back(&Root);
  SmallVector<Witness, 1> Written;
  for (const FunctionActivity *A : Functions)
    for (const TextUse &T : A->M.Texts)
      if (Written.empty() && T.Given && A->M.G.isActive(T.Data))
        Written.push_back({"an active number is written here", T.Call});
  for (const FunctionActivity *A : Functions)
    for (const TextUse &T : A->M.Texts)
      if (T.ToNumber && readsNumber(*A, T))
        Diags.report(Wish == TextCuts::Warn ? Diag::TextCut : Diag::TextRefused,
                     From, T.Call, {describe(T.Call->getCalledOperand())},
                     Written);
  for (const FunctionActivity *A : Functions)
    for (const TableUse &T : A->M.Tables)
      if (A->M.G.isActive(T.Data))
        Diags.report(Wish == TextCuts::Warn ? Diag::TableCut
                                            : Diag::TableRefused,
                     From, T.Load, {});
}

} // namespace adze
