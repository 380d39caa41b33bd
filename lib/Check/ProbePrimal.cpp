// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The region of a pointer is an i32 beside it: the number of an argument, of a
// global variable, or of a pointer at a fixed place in one of these; Local for
// what the function has allocated itself, Foreign for pointers that were loaded
// or made of integers. It is a constant, or, where pointers merge, a phi or
// select like theirs.
#include "ProbePrimal.h"
#include "InlineAll.h"
#include "ProbeRuntime.h"
#include "adze/Diagnostics.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

namespace {

enum : int { Local = -1, Foreign = -2 };
/// Pointers in memory are followed so often, and tell so many regions apart.
constexpr unsigned MaxDepth = 3, MaxRegions = 64;
/// Merges of pointers; each is compared with all that it may come from.
constexpr unsigned MaxMerges = 2000;

/// Where the pointers of a function lead.
class RegionMap {
public:
  RegionMap(Function &F, std::vector<ProbeRegion> &Regions)
      : DL(F.getDataLayout()), I32(Type::getInt32Ty(F.getContext())),
        Regions(Regions) {}

  Value *regionOf(Value *Ptr) {
    Value *Region = ofBase(baseOf(Ptr));
    while (!Unfilled.empty())
      fill(Unfilled.pop_back_val());
    return Region;
  }

  unsigned merges() const { return Merges.size(); }

  /// Merges of one region with itself are that region. To be called when all
  /// are known; what was returned before is out of date then.
  void simplify() {
    for (auto &[Base, Merge] : Merges) {
      SetVector<int> All = valuesOf(Merge);
      if (All.size() != 1)
        continue;
      auto *Old = cast<Instruction>(Merge);
      Merge = ConstantInt::getSigned(I32, All[0]);
      Old->replaceAllUsesWith(Merge);
      Unused.push_back(Old);
    }
  }

  /// All that \p Region may be.
  static SetVector<int> valuesOf(Value *Region) {
    SetVector<int> Result;
    SetVector<Value *> Seen;
    Seen.insert(Region);
    for (unsigned I = 0; I != Seen.size(); ++I) {
      if (auto *C = dyn_cast<ConstantInt>(Seen[I])) {
        Result.insert(C->getSExtValue());
        continue;
      }
      auto *Merge = cast<Instruction>(Seen[I]);
      for (unsigned K = isa<SelectInst>(Merge); K != Merge->getNumOperands();
           ++K)
        Seen.insert(Merge->getOperand(K));
    }
    return Result;
  }

  void eraseUnused() {
    for (Instruction *I : Unused)
      I->eraseFromParent();
  }

private:
  static Value *baseOf(Value *V) {
    for (;;) {
      if (auto *GEP = dyn_cast<GEPOperator>(V))
        V = GEP->getPointerOperand();
      else if (auto *Cast = dyn_cast<BitCastOperator>(V))
        V = Cast->getOperand(0);
      else if (auto *Frozen = dyn_cast<FreezeInst>(V))
        V = Frozen->getOperand(0);
      else if (Value *Same = passedThrough(V))
        V = Same;
      else
        return V;
    }
  }

  static Value *passedThrough(Value *V) {
    auto *Call = dyn_cast<CallBase>(V);
    const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
    return Known && Known->returnsOperand() ? Call->getArgOperand(0) : nullptr;
  }

  Value *numbered(const ProbeRegion &New) {
    auto It = find_if(Regions, [&](const ProbeRegion &R) {
      return R.Root == New.Root && R.Parent == New.Parent &&
             R.Offset == New.Offset;
    });
    int Number = It - Regions.begin();
    if (It == Regions.end())
      Regions.push_back(New);
    return ConstantInt::get(I32, Number);
  }

  /// What \p Load finds at a fixed place of a region is one, too: as long as
  /// nobody writes to that place, which the runtime looks after.
  Value *behind(LoadInst &Load) {
    Value *Foreigner = ConstantInt::getSigned(I32, Foreign);
    SmallVector<LoadInst *, MaxDepth> Way{&Load};
    SmallVector<uint64_t, MaxDepth> Offsets;
    Value *Base = nullptr;
    for (;;) {
      APInt Offset(64, 0);
      Base = Way.back()->getPointerOperand()->stripAndAccumulateConstantOffsets(
          DL, Offset, /*AllowNonInbounds=*/true);
      if (Offset.isNegative())
        return Foreigner;
      Offsets.push_back(Offset.getZExtValue());
      auto *Next = dyn_cast<LoadInst>(Base);
      if (!Next)
        break;
      Way.push_back(Next);
      if (Way.size() > MaxDepth)
        return Foreigner;
    }
    if (!isa<Argument, GlobalVariable>(Base) || Regions.size() >= MaxRegions)
      return Foreigner;
    auto *Region = dyn_cast<ConstantInt>(ofBase(Base));
    while (Region && !Region->isNegative() && !Offsets.empty())
      Region = cast<ConstantInt>(numbered(
          {Base, int(Region->getSExtValue()), Offsets.pop_back_val()}));
    return Region && !Region->isNegative() ? Region : Foreigner;
  }

  Value *ofBase(Value *Base) {
    if (isa<PHINode, SelectInst>(Base) && Base->getType()->isPointerTy())
      return merge(cast<Instruction>(Base));
    if (isa<Argument>(Base))
      return numbered({Base});
    if (auto *Load = dyn_cast<LoadInst>(Base))
      return behind(*Load);
    if (auto *G = dyn_cast<GlobalVariable>(Base))
      if (!G->isConstant() && !G->isThreadLocal())
        return numbered({Base});
    auto *Call = dyn_cast<CallBase>(Base);
    const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
    bool IsOwn = isa<AllocaInst, ConstantPointerNull, UndefValue>(Base) ||
                 (Known && Known->Facts.Result == Returns::NewBlock);
    // Constants are no memory that anybody writes to.
    if (auto *G = dyn_cast<GlobalVariable>(Base))
      IsOwn = G->isConstant();
    return ConstantInt::getSigned(I32, IsOwn ? Local : Foreign);
  }

  /// A phi or select of regions beside that of pointers, operands to come.
  Value *merge(Instruction *Of) {
    auto [It, New] = Merges.try_emplace(Of);
    if (!New)
      return It->second;
    Value *Open = PoisonValue::get(I32);
    Instruction *Made;
    if (auto *Phi = dyn_cast<PHINode>(Of)) {
      PHINode *Regions = PHINode::Create(I32, Phi->getNumIncomingValues(), "",
                                         Of->getIterator());
      for (BasicBlock *From : Phi->blocks())
        Regions->addIncoming(Open, From);
      Made = Regions;
    } else {
      Made = SelectInst::Create(cast<SelectInst>(Of)->getCondition(), Open,
                                Open, "", Of->getIterator());
    }
    It->second = Made;
    Unfilled.push_back(Of);
    return Made;
  }

  void fill(Instruction *Of) {
    auto *Made = cast<Instruction>(Merges.lookup(Of));
    for (unsigned K = isa<SelectInst>(Of); K != Of->getNumOperands(); ++K)
      Made->setOperand(K, ofBase(baseOf(Of->getOperand(K))));
  }

  const DataLayout &DL;
  Type *I32;
  std::vector<ProbeRegion> &Regions;
  MapVector<Value *, Value *> Merges;
  SmallVector<Instruction *, 8> Unfilled;
  SmallVector<Instruction *, 8> Unused;
};

/// Bytes that are read or written.
struct Access {
  Use *Pointer;
  Value *Bytes; // i64
  bool Writes;
};

class Redirection {
public:
  Redirection(ProbePrimal &P)
      : P(P), F(*P.F), Where(F, P.Regions),
        Runtime(probeRuntime(*F.getParent())) {}

  std::string run() {
    cutStops();
    collect();
    if (Why.empty() && Where.merges() > MaxMerges)
      Why = "with all that it calls it is too large";
    if (!Why.empty())
      return Why;
    Where.simplify();
    // Only now does each pointer have one answer.
    for (const Access &A : Accesses)
      if (std::string Wrong = refused(A); !Wrong.empty())
        return Wrong;
    for (Use *U : Own)
      if (!isOwn(Where.regionOf(U->get())))
        return "memory of its caller is passed to " +
               calleeText(*cast<CallBase>(U->getUser()));
    // An address that is asked for tells nothing of what it was made of.
    SmallVector<Value *, 32> Regions;
    for (const Access &A : Accesses)
      Regions.push_back(Where.regionOf(A.Pointer->get()));
    for (auto [A, Region] : zip(Accesses, Regions))
      redirect(A, Region);
    Where.eraseUnused();
    return "";
  }

private:
  Value *state() { return F.getArg(F.arg_size() - 1); }

  static std::string calleeText(const CallBase &Call) {
    const Function *Callee = Call.getCalledFunction();
    return Callee ? "'" + sourceName(*Callee) + "'" : "a pointer";
  }

  /// Blocks that lead to no return end at once: an exception, an assertion.
  void cutStops() {
    SetVector<BasicBlock *> Stops;
    for (bool Again = true; Again;) {
      Again = false;
      for (BasicBlock &B : F) {
        Instruction *End = B.getTerminator();
        bool Leads = isa<UnreachableInst, ResumeInst>(End) ||
                     (succ_begin(&B) != succ_end(&B) &&
                      all_of(successors(&B), [&](BasicBlock *To) {
                        return Stops.contains(To);
                      }));
        Again |= Leads && Stops.insert(&B);
      }
    }
    for (BasicBlock *B : Stops) {
      Instruction *First = &*B->getFirstNonPHIIt();
      Type *Ty = F.getReturnType();
      ReturnInst *Return = ReturnInst::Create(
          F.getContext(), Ty->isVoidTy() ? nullptr : Constant::getNullValue(Ty),
          First->getIterator());
      CallInst::Create(Runtime.Stopped, {state()}, "", Return->getIterator());
      for (BasicBlock *To : successors(B))
        To->removePredecessor(B);
      while (&B->back() != Return) {
        Instruction &Last = B->back();
        Last.replaceAllUsesWith(PoisonValue::get(Last.getType()));
        Last.eraseFromParent();
      }
    }
    removeUnreachableBlocks(F);
  }

  void add(Use &Pointer, Value *Bytes, bool Writes) {
    if (Pointer->getType()->getPointerAddressSpace() != 0)
      return refuse("it accesses memory of another address space");
    Where.regionOf(Pointer);
    Accesses.push_back({&Pointer, Bytes, Writes});
  }

  void add(Use &Pointer, Type *Ty, bool Writes) {
    TypeSize Size = F.getDataLayout().getTypeStoreSize(Ty);
    if (Size.isScalable())
      return refuse("it uses vectors of a length that is not known");
    add(Pointer,
        ConstantInt::get(Type::getInt64Ty(F.getContext()),
                         Size.getFixedValue()),
        Writes);
  }

  void refuse(const std::string &Reason) {
    if (Why.empty())
      Why = Reason;
  }

  void collect() {
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      noteType(I.getType());
      for (const Use &U : I.operands())
        noteType(U->getType());
      if (auto *Load = dyn_cast<LoadInst>(&I)) {
        checkVolatile(Load->isVolatile(), Load->getPointerOperand());
        add(I.getOperandUse(0), I.getType(), /*Writes=*/false);
      } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
        checkVolatile(Store->isVolatile(), Store->getPointerOperand());
        add(I.getOperandUse(1), I.getOperand(0)->getType(), /*Writes=*/true);
      } else if (auto *Call = dyn_cast<CallBase>(&I)) {
        collectCall(*Call);
      } else if (isa<VAArgInst, CatchPadInst, CleanupPadInst>(I) ||
                 (I.isAtomic() && !isa<FenceInst>(I))) {
        refuse("it accesses memory by " + std::string(I.getOpcodeName()));
      }
    }
  }

  /// Variables may be volatile; what else is may be a device.
  void checkVolatile(bool IsVolatile, Value *Pointer) {
    if (IsVolatile &&
        !isa<GlobalVariable, AllocaInst>(getUnderlyingObject(Pointer)))
      refuse("it accesses volatile memory");
  }

  void noteType(Type *Ty) {
    Type *Scalar = Ty->getScalarType();
    P.IsSingle |=
        Scalar->isFloatTy() || Scalar->isHalfTy() || Scalar->isBFloatTy();
  }

  void addBlock(CallBase &Call, unsigned Pointer, unsigned Bytes, bool Writes) {
    IRBuilder<> B(&Call);
    add(Call.getArgOperandUse(Pointer),
        B.CreateZExtOrTrunc(Call.getArgOperand(Bytes), B.getInt64Ty()), Writes);
  }

  void collectCall(CallBase &Call) {
    if (Call.isInlineAsm())
      return refuse("it holds inline assembly");
    if (isa<MemTransferInst>(Call)) {
      addBlock(Call, 0, 2, /*Writes=*/true);
      return addBlock(Call, 1, 2, /*Writes=*/false);
    }
    if (isa<MemSetInst>(Call))
      return addBlock(Call, 0, 2, /*Writes=*/true);
    const KnownFunction *Known = lookupKnown(Call);
    if (Known && Known->isRemark()) {
      // It says something of addresses that are others now.
      if (Call.getIntrinsicID() == Intrinsic::assume)
        Call.eraseFromParent();
      return;
    }
    if (Known && Known->Facts.Reads == Reach::Second) {
      addBlock(Call, 0, 2, /*Writes=*/true);
      return addBlock(Call, 1, 2, /*Writes=*/false);
    }
    Intrinsic::ID ID = Call.getIntrinsicID();
    if (Call.doesNotAccessMemory() || ID == Intrinsic::stacksave ||
        ID == Intrinsic::stackrestore ||
        Call.getCalledFunction() == Runtime.Stopped)
      return;
    if (!Known || !isHarmless(*Known))
      return refuse("it calls " + calleeText(Call));
    if (!Known->Outputs.empty())
      return addOutputs(Call, *Known);
    for (Use &Arg : Call.args())
      if (Arg->getType()->isPointerTy()) {
        Where.regionOf(Arg);
        Own.push_back(&Arg);
      }
  }

  /// sincos, frexp: what is stored is a number, or, without a row, an integer.
  void addOutputs(CallBase &Call, const KnownFunction &Known) {
    for (Use &Arg : Call.args()) {
      if (!Arg->getType()->isPointerTy())
        continue;
      int Place = Call.getArgOperandNo(&Arg);
      bool IsNumber = any_of(Known.Outputs, [&](const OutputRow &Row) {
        return Row.Place == Place;
      });
      Type *Int = Type::getInt32Ty(F.getContext());
      add(Arg, IsNumber ? Call.getArgOperand(0)->getType() : Int,
          /*Writes=*/true);
    }
  }

  /// May be called again and again, given memory of the function's own.
  static bool isHarmless(const KnownFunction &Known) {
    return Known.allocates() || Known.released() ||
           (Known.Facts.Repeatable == Repeats::Yes &&
            Known.Facts.Result != Returns::Never);
  }

  static bool isOwn(Value *Region) {
    SetVector<int> Regions = RegionMap::valuesOf(Region);
    return Regions.size() == 1 && Regions[0] == Local;
  }

  std::string refused(const Access &A) {
    SetVector<int> Regions = regionsOf(A);
    P.FollowsPointers |= Regions.contains(Foreign);
    if (!A.Writes)
      return "";
    if (Regions.contains(Foreign))
      return "it writes through pointers that it finds in memory";
    for (int Region : Regions)
      for (int R = Region; R >= 0 && P.Regions[R].Parent >= 0;
           R = P.Regions[R].Parent)
        if (mayBeReplaced(P.Regions[R]))
          return "it writes pointers by which it finds memory";
    return "";
  }

  SetVector<int> regionsOf(const Access &A) {
    return RegionMap::valuesOf(Where.regionOf(A.Pointer->get()));
  }

  /// The pointer that leads to \p R may be another one while the function runs:
  /// to memory of its own, say, which ends before what was written to it can be
  /// put back.
  bool mayBeReplaced(const ProbeRegion &R) {
    return any_of(Accesses, [&](const Access &A) {
      return A.Writes && regionsOf(A).contains(R.Parent) &&
             mayWritePointer(A, R.Offset);
    });
  }

  bool mayWritePointer(const Access &A, uint64_t At) {
    auto *Store = dyn_cast<StoreInst>(A.Pointer->getUser());
    if (!Store)
      return true;
    if (Store->getValueOperand()->getType()->isFPOrFPVectorTy())
      return false;
    APInt Offset(64, 0);
    Value *Base = A.Pointer->get()->stripAndAccumulateConstantOffsets(
        F.getDataLayout(), Offset, /*AllowNonInbounds=*/true);
    if (!isa<Argument, GlobalVariable, LoadInst>(Base))
      return true;
    int64_t From = Offset.getSExtValue(), To = At;
    int64_t Bytes = cast<ConstantInt>(A.Bytes)->getZExtValue();
    return From < To + 8 && From + Bytes > To;
  }

  void redirect(const Access &A, Value *Region) {
    if (isOwn(Region))
      return;
    auto *User = cast<Instruction>(A.Pointer->getUser());
    IRBuilder<> B(User);
    A.Pointer->set(B.CreateCall(Runtime.At, {state(), Region, A.Pointer->get(),
                                             A.Bytes, B.getInt32(A.Writes)}));
  }

  ProbePrimal &P;
  Function &F;
  RegionMap Where;
  ProbeRuntime Runtime;
  std::vector<Access> Accesses;
  std::vector<Use *> Own; // pointers given to functions without body
  std::string Why;
};

/// void-or-result F(parameters of the primal, ptr state): calls the primal.
Function *callOf(Function &Primal) {
  LLVMContext &C = Primal.getContext();
  SmallVector<Type *, 8> Types(Primal.getFunctionType()->params());
  Types.push_back(PointerType::getUnqual(C));
  Function *F = createOwn(
      FunctionType::get(Primal.getReturnType(), Types, false),
      GlobalValue::InternalLinkage, "adze.probe.primal", *Primal.getParent());
  F->addFnAttr(Attribute::NoInline);
  for (const char *Name : {"target-cpu", "target-features", "tune-cpu",
                           "denormal-fp-math", "denormal-fp-math-f32"})
    if (Attribute A = Primal.getFnAttribute(Name); A.isValid())
      F->addFnAttr(A);
  if (Primal.hasFnAttribute(Attribute::StrictFP))
    F->addFnAttr(Attribute::StrictFP);
  if (Primal.hasPersonalityFn())
    F->setPersonalityFn(Primal.getPersonalityFn());
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  SmallVector<Value *, 8> Args;
  for (unsigned I = 0; I != Primal.arg_size(); ++I)
    Args.push_back(F->getArg(I));
  CallInst *Call = B.CreateCall(&Primal, Args);
  Call->setCallingConv(Primal.getCallingConv());
  Call->setAttributes(Primal.getAttributes().removeFnAttributes(C));
  if (F->getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
  return F;
}

} // namespace

ProbePrimal makeProbePrimal(Function &Primal, FunctionAnalysisManager &FAM) {
  ProbePrimal P;
  P.F = callOf(Primal);
  P.WhyNot = inlineAll(*P.F, FAM);
  if (P.WhyNot.empty())
    P.WhyNot = Redirection(P).run();
  FAM.clear(*P.F, P.F->getName());
  if (!P.WhyNot.empty()) {
    P.Regions.clear();
    P.F->eraseFromParent();
    P.F = nullptr;
  }
  for (ProbeRegion &Region : P.Regions)
    if (auto *A = dyn_cast<Argument>(Region.Root))
      Region.Root = Primal.getArg(A->getArgNo());
  return P;
}

} // namespace adze
