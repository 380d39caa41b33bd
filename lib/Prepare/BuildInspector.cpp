// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes an inspector, of what AddressInspector.cpp has found.
#include "Prepare/AddressInspector.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace adze {

/// Bits of the longest loop that is left out, and of the largest distance: 3
/// ways of 2^(18 + 40) bytes are less than that, so that a way which wraps
/// around is recognized.
static constexpr unsigned CountBits = 40, DistanceBits = 61;
/// Bits of a number with sign that is multiplied.
static constexpr unsigned VaryingBits = 50;

class AddressInspector::Builder {
public:
  /// \p Walks: rows that follow on each other are read as one.
  Builder(AddressInspector &A, ArrayRef<SmallVector<unsigned, 4>> Groups,
          ArrayRef<Value *> Needed, Test Holds, bool Walks);
  Function *build();
  ArrayRef<Value *> inputs() const { return Inputs.getArrayRef(); }

private:
  /// The least and the greatest value of something.
  struct Range {
    AllocaInst *Least = nullptr, *Greatest = nullptr;
    bool Signed = true;
  };
  /// One row behind another.
  struct Rows {
    AllocaInst *Begin = nullptr, *End = nullptr;
  };

  bool walks(const Number &N) const { return Walks && N.Rows.Load; }
  void findInputs();
  void makeFunction();
  SmallVector<const BasicBlock *, 2> waysFrom(const BasicBlock &B) const;
  void copyBlocks();
  void connect(const BasicBlock &B);
  void count(const SCEV *S);
  Range makeRange(Type *Ty, bool Signed);
  void update(IRBuilder<> &B, const Range &R, Value *Low, Value *High);
  void require(IRBuilder<> &B, Value *Condition);
  void record(const Number &N, const Range &Group);
  void recordRow(const Number &N);
  void readRows(const Number &N, const Range &Found);
  void goTheLongWay();
  void widen(const Number &N, const Range &Found, const Range &Group);
  void end();
  Value *of(const Value *V) const;
  BasicBlock *copyOf(const BasicBlock *B) const {
    return B ? Copies.lookup(B) : Exit;
  }
  Value *expand(const SCEV *S, IRBuilder<> &B);
  AllocaInst *variable(Constant *First);

  AddressInspector &A;
  ArrayRef<SmallVector<unsigned, 4>> Groups;
  ArrayRef<Value *> Needed;
  Test Holds;
  bool Walks;
  InspectedCode Code; // of all numbers
  SetVector<Value *> Inputs;
  Function *New = nullptr;
  BasicBlock *Entry = nullptr, *Exit = nullptr;
  MapVector<const BasicBlock *, BasicBlock *> Copies;
  DenseMap<const Value *, Value *> Map;
  DenseMap<const Loop *, PHINode *> Counters;
  SmallVector<AllocaInst *, 16> Variables;
  AllocaInst *Valid = nullptr, *Following = nullptr;
  SmallVector<Range, 8> Found; // in the groups
  DenseMap<const Number *, Rows> Joined;
};

AddressInspector::Builder::Builder(AddressInspector &A,
                                   ArrayRef<SmallVector<unsigned, 4>> Groups,
                                   ArrayRef<Value *> Needed, Test Holds,
                                   bool Walks)
    : A(A), Groups(Groups), Needed(Needed), Holds(Holds), Walks(Walks) {
  for (ArrayRef<unsigned> Group : Groups)
    for (unsigned No : Group) {
      const Number &N = A.Numbers[No];
      const InspectedCode &C = walks(N) ? N.Rows.Code : N.Code;
      Code.Values.insert(C.Values.begin(), C.Values.end());
      Code.Branches.insert(C.Branches.begin(), C.Branches.end());
      Code.Blocks.insert(C.Blocks.begin(), C.Blocks.end());
    }
}

void AddressInspector::Builder::findInputs() {
  auto take = [&](const Value *V) {
    if (isa<Instruction, Argument>(V) && A.isKnown(V))
      Inputs.insert(const_cast<Value *>(V));
  };
  auto takeLeaves = [&](const SCEV *S) {
    SCEVExprContains(S, [&](const SCEV *Part) {
      if (auto *Leaf = dyn_cast<SCEVUnknown>(Part))
        take(Leaf->getValue());
      return false;
    });
  };
  auto takeCode = [&](const InspectedCode &C) {
    for (const Instruction *I : C.Values)
      for (const Value *Op : I->operands())
        take(Op);
    for (const BasicBlock *B : C.Branches)
      take(B->getTerminator()->getOperand(0));
  };
  // A global variable too: an expression of its address would be one more
  // constant that uses it.
  for (Value *V : Needed)
    if (!isa<ConstantData>(V))
      Inputs.insert(V);
  // The same, whether rows are joined or not.
  for (ArrayRef<unsigned> Group : Groups)
    for (unsigned No : Group) {
      const Number &N = A.Numbers[No];
      takeLeaves(N.Low);
      takeLeaves(N.High);
      for (const SCEV *Count : N.Counts)
        takeLeaves(Count);
      takeCode(N.Code);
      if (!N.Rows.Load)
        continue;
      take(N.Rows.Base);
      takeLeaves(N.Rows.Begin);
      takeLeaves(N.Rows.Count);
      takeCode(N.Rows.Code);
    }
}

void AddressInspector::Builder::makeFunction() {
  LLVMContext &C = A.F.getContext();
  SmallVector<Type *, 8> Arguments;
  for (Value *V : Inputs)
    Arguments.push_back(V->getType());
  New = createOwn(FunctionType::get(Type::getInt1Ty(C), Arguments,
                                    /*isVarArg=*/false),
                  GlobalValue::InternalLinkage, "adze.inspect." + A.F.getName(),
                  *A.F.getParent());
  New->addFnAttr(declared::Inactive);
  for (Attribute::AttrKind Kind :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync,
        Attribute::NoFree, Attribute::NoRecurse})
    New->addFnAttr(Kind);
  New->setOnlyReadsMemory();
  for (StringRef Target : {"target-cpu", "target-features", "tune-cpu"})
    if (A.F.hasFnAttribute(Target))
      New->addFnAttr(A.F.getFnAttribute(Target));
  for (auto [V, Argument] : zip(Inputs, New->args())) {
    Map[V] = &Argument;
    if (!V->getType()->isPointerTy())
      continue;
    Argument.addAttr(Attribute::ReadOnly);
    Argument.addAttr(Attribute::NoCapture);
  }
  Entry = BasicBlock::Create(C, "entry", New);
  Exit = BasicBlock::Create(C, "exit", New);
}

Value *AddressInspector::Builder::of(const Value *V) const {
  Value *Mapped = Map.lookup(V);
  return Mapped ? Mapped : const_cast<Value *>(V);
}

AllocaInst *AddressInspector::Builder::variable(Constant *First) {
  IRBuilder<> B(Entry);
  AllocaInst *Made = B.CreateAlloca(First->getType());
  B.CreateStore(First, Made);
  Variables.push_back(Made);
  return Made;
}

/// The blocks behind \p B; null: the end.
SmallVector<const BasicBlock *, 2>
AddressInspector::Builder::waysFrom(const BasicBlock &B) const {
  SmallVector<const BasicBlock *, 2> Ways(successors(&B));
  if (!Code.Branches.contains(&B) && Ways.size() != 1) {
    const DomTreeNode *Node = A.PDT.getNode(&B);
    const DomTreeNode *Meeting = Node ? Node->getIDom() : nullptr;
    Ways = {Meeting ? Meeting->getBlock() : nullptr};
  }
  for (const BasicBlock *&Way : Ways)
    if (Way && !A.DT.properlyDominates(&A.At, Way))
      Way = nullptr;
  return Ways;
}

void AddressInspector::Builder::copyBlocks() {
  LLVMContext &C = A.F.getContext();
  SmallPtrSet<const BasicBlock *, 32> Reached = {&A.At};
  SmallVector<const BasicBlock *, 32> Open = {&A.At};
  while (!Open.empty())
    for (const BasicBlock *Way : waysFrom(*Open.pop_back_val()))
      if (Way && Reached.insert(Way).second)
        Open.push_back(Way);
  for (BasicBlock &B : A.F) {
    if (!Reached.contains(&B))
      continue;
    BasicBlock *Copy = BasicBlock::Create(C, B.getName(), New, Exit);
    Copies[&B] = Copy;
    for (const Instruction &I : B) {
      if (!Code.Values.contains(&I))
        continue;
      Instruction *Same = isa<PHINode>(I)
                              ? PHINode::Create(I.getType(), 2, I.getName())
                              : I.clone();
      Same->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa});
      Same->setDebugLoc({});
      Same->insertInto(Copy, Copy->end());
      Map[&I] = Same;
    }
  }
}

/// What \p B reads, and where it goes.
void AddressInspector::Builder::connect(const BasicBlock &B) {
  BasicBlock *Copy = copyOf(&B);
  for (Instruction &I : *Copy)
    for (Use &U : I.operands())
      U.set(of(U.get()));
  SmallVector<const BasicBlock *, 2> Ways = waysFrom(B);
  if (!Code.Branches.contains(&B)) {
    BranchInst::Create(copyOf(Ways.front()), Copy);
  } else {
    Instruction *End = B.getTerminator()->clone();
    End->dropUnknownNonDebugMetadata();
    End->setDebugLoc({});
    End->insertInto(Copy, Copy->end());
    End->setOperand(0, of(End->getOperand(0)));
    for (unsigned I = 0; I < Ways.size(); ++I)
      End->setSuccessor(I, copyOf(Ways[I]));
  }
  for (const BasicBlock *Way : Ways)
    if (Way)
      for (const PHINode &Phi : Way->phis())
        if (Value *Same = Map.lookup(&Phi))
          cast<PHINode>(Same)->addIncoming(of(Phi.getIncomingValueForBlock(&B)),
                                           Copy);
}

/// Counters for the loops in which \p S advances.
void AddressInspector::Builder::count(const SCEV *S) {
  SCEVExprContains(S, [&](const SCEV *Part) {
    auto *Advance = dyn_cast<SCEVAddRecExpr>(Part);
    if (!Advance || Counters.count(Advance->getLoop()))
      return false;
    const Loop *L = Advance->getLoop();
    BasicBlock *Header = copyOf(L->getHeader());
    IRBuilder<> B(Header, Header->begin());
    PHINode *Counter = B.CreatePHI(B.getInt64Ty(), 2);
    B.SetInsertPoint(Header, Header->getFirstInsertionPt());
    Value *Next = B.CreateAdd(Counter, B.getInt64(1));
    SmallPtrSet<const BasicBlock *, 8> Inside;
    for (const BasicBlock *Block : L->blocks())
      Inside.insert(copyOf(Block));
    for (BasicBlock *From : predecessors(Header))
      Counter->addIncoming(Inside.contains(From) ? Next : B.getInt64(0), From);
    Counters[L] = Counter;
    return false;
  });
}

Value *AddressInspector::Builder::expand(const SCEV *S, IRBuilder<> &B) {
  auto combine = [&](auto With) {
    Value *Sum = nullptr;
    for (const SCEV *Op : S->operands()) {
      Value *V = expand(Op, B);
      Sum = Sum ? With(Sum, V) : V;
    }
    return Sum;
  };
  auto extreme = [&](Intrinsic::ID Which) {
    return combine([&](Value *X, Value *Y) -> Value * {
      return B.CreateBinaryIntrinsic(Which, X, Y);
    });
  };
  auto operand = [&] { return expand(S->operands()[0], B); };
  switch (S->getSCEVType()) {
  case scConstant:
    return cast<SCEVConstant>(S)->getValue();
  case scUnknown:
    return of(cast<SCEVUnknown>(S)->getValue());
  case scTruncate:
    return B.CreateTrunc(operand(), S->getType());
  case scZeroExtend:
    return B.CreateZExt(operand(), S->getType());
  case scSignExtend:
    return B.CreateSExt(operand(), S->getType());
  case scPtrToInt:
    return B.CreatePtrToInt(operand(), S->getType());
  case scMulExpr:
    return combine([&](Value *X, Value *Y) { return B.CreateMul(X, Y); });
  case scSMaxExpr:
    return extreme(Intrinsic::smax);
  case scSMinExpr:
    return extreme(Intrinsic::smin);
  case scUMaxExpr:
    return extreme(Intrinsic::umax);
  case scUMinExpr:
    return extreme(Intrinsic::umin);
  case scUDivExpr:
    return combine([&](Value *X, Value *Y) { return B.CreateUDiv(X, Y); });
  case scAddRecExpr: {
    auto *Advance = cast<SCEVAddRecExpr>(S);
    Value *Times =
        B.CreateZExtOrTrunc(Counters.lookup(Advance->getLoop()), S->getType());
    Value *Way =
        B.CreateMul(expand(Advance->getStepRecurrence(A.SE), B), Times);
    return B.CreateAdd(expand(Advance->getStart(), B), Way);
  }
  default: // a sum: canBuild() lets nothing else through
    return combine([&](Value *X, Value *Y) { return B.CreateAdd(X, Y); });
  }
}

AddressInspector::Builder::Range
AddressInspector::Builder::makeRange(Type *Ty, bool Signed) {
  unsigned Bits = Ty->getIntegerBitWidth();
  Range R;
  R.Signed = Signed;
  R.Least = variable(ConstantInt::get(
      Ty, Signed ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits)));
  R.Greatest = variable(ConstantInt::get(
      Ty, Signed ? APInt::getSignedMinValue(Bits) : APInt::getMinValue(Bits)));
  return R;
}

static Value *valueOf(IRBuilder<> &B, AllocaInst *Variable) {
  return B.CreateLoad(Variable->getAllocatedType(), Variable);
}

void AddressInspector::Builder::update(IRBuilder<> &B, const Range &R,
                                       Value *Low, Value *High) {
  B.CreateStore(
      B.CreateBinaryIntrinsic(R.Signed ? Intrinsic::smin : Intrinsic::umin,
                              valueOf(B, R.Least), Low),
      R.Least);
  B.CreateStore(
      B.CreateBinaryIntrinsic(R.Signed ? Intrinsic::smax : Intrinsic::umax,
                              valueOf(B, R.Greatest), High),
      R.Greatest);
}

void AddressInspector::Builder::require(IRBuilder<> &B, Value *Condition) {
  B.CreateStore(B.CreateAnd(valueOf(B, Valid), Condition), Valid);
}

static Value *isShort(IRBuilder<> &B, Value *Count) {
  return B.CreateICmpULT(B.CreateZExt(Count, B.getInt64Ty()),
                         B.getInt64(uint64_t(1) << CountBits));
}

/// Where \p N is computed; widen() has the rest.
void AddressInspector::Builder::record(const Number &N, const Range &Into) {
  BasicBlock *Place = copyOf(N.Place);
  if (!Place)
    return; // never executed
  count(N.Low);
  count(N.High);
  for (const SCEV *Count : N.Counts)
    count(Count);
  IRBuilder<> B(Place->getTerminator());
  if (N.Varying) {
    Value *V = expand(N.Varying, B);
    update(B, Into, V, V);
    return;
  }
  Value *Low = expand(N.Low, B), *High = expand(N.High, B);
  update(B, Into, Low, High);
  require(B, B.CreateICmpSLE(Low, High));
  for (const SCEV *Count : N.Counts)
    require(B, isShort(B, expand(Count, B)));
}

/// A row begins where the last one has ended.
void AddressInspector::Builder::recordRow(const Number &N) {
  BasicBlock *Place = copyOf(N.Rows.Place);
  if (!Place)
    return;
  count(N.Rows.Begin);
  count(N.Rows.Count);
  auto *None =
      ConstantInt::get(Type::getInt64Ty(A.F.getContext()), uint64_t(INT64_MIN));
  Rows &All = Joined[&N] = {variable(None), variable(None)};
  IRBuilder<> B(Place->getTerminator());
  Value *Begin = expand(N.Rows.Begin, B), *Count = expand(N.Rows.Count, B);
  require(B, isShort(B, Count));
  TypeSize Size = A.F.getDataLayout().getTypeStoreSize(N.Rows.Load->getType());
  Value *Times =
      B.CreateAdd(B.CreateZExt(Count, B.getInt64Ty()), B.getInt64(1));
  Value *End =
      B.CreateAdd(Begin, B.CreateMul(Times, B.getInt64(Size.getFixedValue())));
  Value *First = valueOf(B, All.Begin);
  Value *IsFirst = B.CreateICmpEQ(First, None);
  Value *Follows = B.CreateICmpEQ(Begin, valueOf(B, All.End));
  B.CreateStore(
      B.CreateAnd(valueOf(B, Following), B.CreateOr(IsFirst, Follows)),
      Following);
  B.CreateStore(B.CreateSelect(IsFirst, Begin, First), All.Begin);
  B.CreateStore(End, All.End);
}

/// At the end: what is in all rows, which the program reads from the first to
/// the last element.
void AddressInspector::Builder::readRows(const Number &N, const Range &Found) {
  auto It = Joined.find(&N);
  if (It == Joined.end())
    return;
  LLVMContext &C = A.F.getContext();
  const LoadInst &Load = *N.Rows.Load;
  uint64_t Size =
      A.F.getDataLayout().getTypeStoreSize(Load.getType()).getFixedValue();
  auto *Body = BasicBlock::Create(C, "rows", New);
  auto *Behind = BasicBlock::Create(C, "behind", New);
  IRBuilder<> B(Exit);
  Value *Begin = valueOf(B, It->second.Begin);
  Value *End = valueOf(B, It->second.End);
  B.CreateCondBr(B.CreateICmpEQ(Begin, End), Behind, Body);
  B.SetInsertPoint(Body);
  PHINode *At = B.CreatePHI(B.getInt64Ty(), 2);
  LoadInst *Element = B.CreateAlignedLoad(
      Load.getType(), B.CreatePtrAdd(of(N.Rows.Base), At), Load.getAlign());
  if (MDNode *Types = Load.getMetadata(LLVMContext::MD_tbaa))
    Element->setMetadata(LLVMContext::MD_tbaa, Types);
  update(B, Found, Element, Element);
  Value *Next = B.CreateAdd(At, B.getInt64(Size));
  At->addIncoming(Begin, Exit);
  At->addIncoming(Next, Body);
  B.CreateCondBr(B.CreateICmpEQ(Next, End), Behind, Body);
  Exit = Behind;
}

/// Where rows do not follow on each other: as the program goes.
void AddressInspector::Builder::goTheLongWay() {
  LLVMContext &C = A.F.getContext();
  Function *Long = Builder(A, Groups, Needed, Holds, /*Walks=*/false).build();
  auto *Call = BasicBlock::Create(C, "apart", New);
  auto *Rest = BasicBlock::Create(C, "following", New);
  IRBuilder<> B(Exit);
  B.CreateCondBr(valueOf(B, Following), Rest, Call);
  B.SetInsertPoint(Call);
  SmallVector<Value *, 8> Arguments;
  for (Argument &Each : New->args())
    Arguments.push_back(&Each);
  B.CreateRet(B.CreateCall(Long, Arguments));
  Exit = Rest;
}

/// At the end: from what varies to the whole.
void AddressInspector::Builder::widen(const Number &N, const Range &Found,
                                      const Range &Group) {
  IRBuilder<> B(Exit);
  Value *Least = valueOf(B, Found.Least),
        *Greatest = valueOf(B, Found.Greatest);
  Value *Empty = B.CreateICmp(
      Found.Signed ? ICmpInst::ICMP_SGT : ICmpInst::ICMP_UGT, Least, Greatest);
  auto whole = [&](Value *V, const SCEV *Rest) {
    Value *Long = N.Signed ? B.CreateSExt(V, B.getInt64Ty())
                           : B.CreateZExt(V, B.getInt64Ty());
    return B.CreateAdd(B.CreateMul(Long, B.getInt64(uint64_t(N.Scale))),
                       expand(Rest, B));
  };
  Value *Low = whole(Least, N.LowRest), *High = whole(Greatest, N.HighRest);
  Value *Right = B.CreateICmpSLE(Low, High);
  if (Least->getType()->isIntegerTy(64)) {
    Value *Limit = B.getInt64(uint64_t(1) << VaryingBits);
    Right = B.CreateAnd(Right, B.CreateICmpSGE(Least, B.CreateNeg(Limit)));
    Right = B.CreateAnd(Right, B.CreateICmpSLE(Greatest, Limit));
  }
  require(B, B.CreateOr(Right, Empty));
  update(B, Group, B.CreateSelect(Empty, B.getInt64(uint64_t(INT64_MAX)), Low),
         B.CreateSelect(Empty, B.getInt64(uint64_t(INT64_MIN)), High));
}

/// The result. What is out of reach is not right, unless nothing was found.
void AddressInspector::Builder::end() {
  IRBuilder<> B(Exit);
  SmallVector<Extent, 8> Extents;
  Value *Limit = B.getInt64(uint64_t(1) << DistanceBits);
  for (const Range &Group : Found) {
    Value *Least = valueOf(B, Group.Least);
    Value *Greatest = valueOf(B, Group.Greatest);
    Value *Within = B.CreateAnd(B.CreateICmpSGE(Least, B.CreateNeg(Limit)),
                                B.CreateICmpSLE(Greatest, Limit));
    require(B, B.CreateOr(Within, B.CreateICmpSGT(Least, Greatest)));
    Extents.push_back({Least, Greatest});
  }
  LLVMContext &C = A.F.getContext();
  auto *Right = BasicBlock::Create(C, "right", New);
  auto *Wrong = BasicBlock::Create(C, "wrong", New);
  B.CreateCondBr(valueOf(B, Valid), Right, Wrong);
  IRBuilder<>(Wrong).CreateRet(B.getFalse());
  B.SetInsertPoint(Right);
  B.CreateRet(Holds(B, Extents, [&](Value *V) { return of(V); }));
  DominatorTree DT(*New);
  PromoteMemToReg(Variables, DT);
}

Function *AddressInspector::Builder::build() {
  findInputs();
  makeFunction();
  copyBlocks();
  for (auto &[B, Copy] : Copies)
    connect(*B);
  Valid = variable(ConstantInt::getTrue(A.F.getContext()));
  Type *Long = Type::getInt64Ty(A.F.getContext());
  SmallVector<std::tuple<const Number *, Range, Range>, 16> Narrow;
  for (ArrayRef<unsigned> Group : Groups) {
    Found.push_back(makeRange(Long, /*Signed=*/true));
    for (unsigned No : Group) {
      const Number &N = A.Numbers[No];
      Range Into = Found.back();
      if (N.Varying) {
        Into = makeRange(N.Varying->getType(), N.Signed);
        Narrow.push_back({&N, Into, Found.back()});
      }
      if (!walks(N)) {
        record(N, Into);
        continue;
      }
      if (!Following)
        Following = variable(ConstantInt::getTrue(A.F.getContext()));
      recordRow(N);
    }
  }
  BranchInst::Create(copyOf(&A.At), Entry);
  if (Following)
    goTheLongWay();
  for (const auto &[N, Varying, Group] : Narrow) {
    if (walks(*N))
      readRows(*N, Varying);
    widen(*N, Varying, Group);
  }
  end();
  return New;
}

Value *AddressInspector::emit(ArrayRef<SmallVector<unsigned, 4>> Groups,
                              ArrayRef<Value *> Inputs, Test Holds) {
  Builder Whole(*this, Groups, Inputs, Holds, /*Walks=*/true);
  Function *Inspector = Whole.build();
  return IRBuilder<>(At.getTerminator()).CreateCall(Inspector, Whole.inputs());
}

} // namespace adze
