// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/AtomicSum.h"
#include "FloatBits.h"
#include "adze/DeviceTarget.h"
#include "adze/Facts.h"
#include "adze/OwnFunction.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

bool canAddAtomically(const Type *Ty) {
  if (isa<ScalableVectorType>(Ty))
    return false;
  const Type *Float = Ty->getScalarType();
  return Float->isFloatTy() || Float->isDoubleTy();
}

/// GPUs add such floats, by an instruction or in a loop that LLVM makes of it.
static bool isNarrowOnDevice(const Type *Ty, const Module &M) {
  const Type *Float = Ty->getScalarType();
  return (Float->isHalfTy() || Float->isBFloatTy()) && isDevice(M);
}

Type *atomicTypeOf(const LoadInst &Load, const Facts &F) {
  Type *Ty = Load.getType();
  const DataLayout &DL = Load.getDataLayout();
  if (Ty->isIntegerTy()) {
    const BlockLayout Layout = layoutOfBits(&Load, F);
    const bool IsOne = Layout.Ranges.size() == 1 &&
                       Layout.Ranges[0].Type.isFloat() &&
                       Layout.Ranges[0].Begin == 0;
    Type *Float = IsOne ? Layout.Ranges[0].Type.floatType() : nullptr;
    Ty = Float && DL.getTypeStoreSize(Float) == DL.getTypeStoreSize(Ty) ? Float
                                                                        : Ty;
  }
  // Loads that were moved may know less of their address than it says itself.
  const Align Known = std::max(
      Load.getAlign(),
      getKnownAlignment(const_cast<Value *>(Load.getPointerOperand()), DL));
  return (canAddAtomically(Ty) || isNarrowOnDevice(Ty, *Load.getModule())) &&
                 Known >= DL.getTypeStoreSize(Ty->getScalarType())
             ? Ty
             : nullptr;
}

/// \p Do with each float of \p Term, and where it belongs, from \p Place on.
static void eachFloat(IRBuilderBase &B, Value *Place, Value *Term,
                      function_ref<void(Value *, Value *)> Do) {
  auto *Vector = dyn_cast<FixedVectorType>(Term->getType());
  if (!Vector)
    return Do(Place, Term);
  for (unsigned K = 0; K < Vector->getNumElements(); ++K)
    Do(B.CreateConstInBoundsGEP1_64(Vector->getElementType(), Place, K),
       B.CreateExtractElement(Term, K));
}

/// The order of contributions is ours to choose (EmitContext::sum).
static void setSumFlags(IRBuilderBase &B) {
  FastMathFlags Flags;
  Flags.setAllowReassoc();
  Flags.setNoSignedZeros();
  Flags.setAllowContract();
  B.setFastMathFlags(Flags);
}

static AtomicRMWInst *addFloat(IRBuilderBase &B, Value *To, Value *Float) {
  const Align Aligned(Float->getType()->getPrimitiveSizeInBits() / 8);
  return B.CreateAtomicRMW(AtomicRMWInst::FAdd, To, Float, Aligned,
                           AtomicOrdering::Monotonic);
}

static void addPlainly(IRBuilderBase &B, Value *To, Value *Term) {
  setSumFlags(B);
  Type *Ty = Term->getType();
  const Align Aligned(Ty->getScalarSizeInBits() / 8);
  Value *Sum = B.CreateFAdd(B.CreateAlignedLoad(Ty, To, Aligned), Term);
  B.CreateAlignedStore(Sum, To, Aligned);
}

/// An internal void function of this name, which is to be inlined.
static Function *inlinedFunction(Module &M, const Twine &Name,
                                 ArrayRef<Type *> Params) {
  Function *F = createOwn(
      FunctionType::get(Type::getVoidTy(M.getContext()), Params, false),
      GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::AlwaysInline);
  F->addFnAttr(Attribute::NoUnwind);
  return F;
}

/// void f(ptr place, T term), to be inlined: GPUs have no atomic operations on
/// memory of the thread, to which an address may lead.
static Function *deviceFunction(Module &M, Type *Ty, bool ForLanes) {
  std::string Name = ForLanes ? "adze.add.lanes." : "adze.add.device.";
  raw_string_ostream(Name) << *Ty;
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Function *F = inlinedFunction(M, Name, {PointerType::getUnqual(C), Ty});
  Value *Place = F->getArg(0), *Term = F->getArg(1);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F);
  BasicBlock *Own = BasicBlock::Create(C, "own", F);
  BasicBlock *Shared = BasicBlock::Create(C, "shared", F);
  IRBuilder<> B(Entry);
  B.CreateCondBr(isMemoryOfThread(B, Place), Own, Shared);
  B.SetInsertPoint(Own);
  addPlainly(B, Place, Term);
  B.CreateRetVoid();
  B.SetInsertPoint(Shared);
  AtomicRMWInst *Sum = addFloat(B, Place, Term);
  if (ForLanes)
    Sum->setMetadata(LanesMetadata, MDNode::get(C, {}));
  B.CreateRetVoid();
  return F;
}

static void addFloats(IRBuilderBase &B, Value *Place, Value *Term,
                      bool ForLanes) {
  Module &M = *B.GetInsertBlock()->getModule();
  // (Lanes add up what Runtime/LaneSums.c has: no narrow ones.)
  ForLanes = ForLanes && canAddAtomically(Term->getType());
  eachFloat(B, Place, Term, [&](Value *To, Value *Float) {
    if (isDevice(M) && To->getType()->getPointerAddressSpace() == 0)
      B.CreateCall(deviceFunction(M, Float->getType(), ForLanes), {To, Float});
    else if (AtomicRMWInst *Sum = addFloat(B, To, Float); ForLanes)
      Sum->setMetadata(LanesMetadata, MDNode::get(B.getContext(), {}));
  });
}

void addAtomically(IRBuilderBase &B, Value *Place, Value *Term) {
  addFloats(B, Place, Term, /*ForLanes=*/false);
}

void addForLanes(IRBuilderBase &B, Value *Place, Value *Term) {
  addFloats(B, Place, Term, /*ForLanes=*/true);
}

static constexpr char UnlessPrefix[] = "adze.add.unless.";

/// void f(ptr place, T term, i1 alone): emitters of single instructions do not
/// branch; it is to be inlined.
static Function *unlessFunction(Module &M, Type *Ty) {
  std::string Name = UnlessPrefix;
  raw_string_ostream(Name) << *Ty;
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Function *F = inlinedFunction(
      M, Name, {PointerType::getUnqual(C), Ty, Type::getInt1Ty(C)});
  Value *Place = F->getArg(0), *Term = F->getArg(1);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F);
  BasicBlock *Alone = BasicBlock::Create(C, "alone", F);
  BasicBlock *Together = BasicBlock::Create(C, "together", F);
  IRBuilder<> B(Entry);
  B.CreateCondBr(F->getArg(2), Alone, Together)
      ->setMetadata(AloneMetadata, MDNode::get(C, {}));
  B.SetInsertPoint(Alone);
  addPlainly(B, Place, Term);
  B.CreateRetVoid();
  B.SetInsertPoint(Together);
  addAtomically(B, Place, Term);
  B.CreateRetVoid();
  return F;
}

CallInst *addAtomicallyUnless(IRBuilderBase &B, Value *Alone, Value *Place,
                              Value *Term) {
  Module &M = *B.GetInsertBlock()->getModule();
  return B.CreateCall(unlessFunction(M, Term->getType()), {Place, Term, Alone});
}

static constexpr char PagedPrefix[] = "adze.add.paged.";
/// As in Runtime/TeamPages.h.
static constexpr unsigned PageBits = 12, CachedPages = 1024, Claims = 1 << 14;

namespace {

/// void f(ptr place, T term, ptr pages, i1 alone, i1 mayClaim)
class PagedFunction {
public:
  PagedFunction(Function &F, StringRef Kind)
      : F(F), Kind(Kind), B(F.getContext()), Word(B.getInt64Ty()),
        Cached(StructType::get(Word, B.getPtrTy())) {}

  void write();

private:
  BasicBlock *block(StringRef Name) {
    return BasicBlock::Create(F.getContext(), Name, &F);
  }
  Value *isOwn(Value *Number);
  Value *cachedAt(Value *Number);
  void add(PHINode *To);
  void askRuntime();

  Function &F;
  StringRef Kind;
  IRBuilder<> B;
  Type *Word;
  StructType *Cached;
  Value *Place = F.getArg(0), *Term = F.getArg(1), *Pages = F.getArg(2);
};

/// The bytes behind the cached pages, one for each claim.
Value *PagedFunction::isOwn(Value *Number) {
  Value *Own = B.CreateInBoundsGEP(ArrayType::get(Cached, CachedPages), Pages,
                                   B.getInt64(1));
  return B.CreateIsNotNull(B.CreateLoad(
      B.getInt8Ty(),
      B.CreateInBoundsPtrAdd(Own, B.CreateAnd(Number, uint64_t(Claims - 1)))));
}

Value *PagedFunction::cachedAt(Value *Number) {
  return B.CreateInBoundsGEP(Cached, Pages,
                             B.CreateAnd(Number, uint64_t(CachedPages - 1)));
}

void PagedFunction::add(PHINode *To) {
  addPlainly(B, To, Term);
  B.CreateRetVoid();
}

void PagedFunction::askRuntime() {
  FunctionCallee Callee = F.getParent()->getOrInsertFunction(
      ("adze.team.pages.add." + Kind).str(),
      FunctionType::get(B.getVoidTy(),
                        {B.getPtrTy(), B.getPtrTy(), Term->getType()}, false));
  B.CreateCall(Callee, {Pages, Place, Term})->setDoesNotThrow();
  B.CreateRetVoid();
}

void PagedFunction::write() {
  BasicBlock *Entry = block("entry"), *Together = block("together"),
             *Ask = block("ask"), *Look = block("look"),
             *Known = block("known"), *Unknown = block("unknown"),
             *Add = block("add");
  MDNode *Likely = MDBuilder(F.getContext()).createLikelyBranchWeights();
  B.SetInsertPoint(Entry);
  B.CreateCondBr(F.getArg(3), Add, Together)
      ->setMetadata(AloneMetadata, MDNode::get(F.getContext(), {}));
  B.SetInsertPoint(Together);
  Value *Address = B.CreatePtrToInt(Place, Word);
  Value *Number = B.CreateLShr(Address, PageBits);
  B.CreateCondBr(F.getArg(4), Ask, Look);
  B.SetInsertPoint(Ask);
  B.CreateCondBr(isOwn(Number), Add, Look, Likely);
  B.SetInsertPoint(Look);
  Value *At = cachedAt(Number);
  Value *IsKnown = B.CreateICmpEQ(
      B.CreateLoad(Word, B.CreateStructGEP(Cached, At, 0)), Number);
  B.CreateCondBr(IsKnown, Known, Unknown, Likely);
  B.SetInsertPoint(Known);
  Value *Copy = B.CreateLoad(B.getPtrTy(), B.CreateStructGEP(Cached, At, 1));
  Value *InCopy =
      B.CreatePtrAdd(Copy, B.CreateAnd(Address, (1u << PageBits) - 1));
  B.CreateBr(Add);
  B.SetInsertPoint(Add);
  PHINode *To = B.CreatePHI(B.getPtrTy(), 3);
  To->addIncoming(Place, Entry);
  To->addIncoming(Place, Ask);
  To->addIncoming(InCopy, Known);
  add(To);
  B.SetInsertPoint(Unknown);
  askRuntime();
}

} // namespace

static Function *pagedFunction(Module &M, Type *Ty) {
  std::string Kind;
  raw_string_ostream(Kind) << *Ty;
  const std::string Name = PagedPrefix + Kind;
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *Bit = Type::getInt1Ty(C);
  Function *F = inlinedFunction(M, Name, {Ptr, Ty, Ptr, Bit, Bit});
  PagedFunction(*F, Kind).write();
  return F;
}

SmallVector<CallInst *, 1> addInPages(IRBuilderBase &B, const PagedSum &How,
                                      Value *Place, Value *Term) {
  SmallVector<CallInst *, 1> Calls;
  auto add = [&](Value *To, Value *Float) {
    Module &M = *B.GetInsertBlock()->getModule();
    Calls.push_back(B.CreateCall(
        pagedFunction(M, Float->getType()),
        {To, Float, How.Pages, How.Alone, B.getInt1(How.MayClaim)}));
  };
  eachFloat(B, Place, Term, add);
  return Calls;
}

static bool callsOwn(const Value &V, StringRef Prefix) {
  auto *Call = dyn_cast<CallInst>(&V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName().starts_with(Prefix) && isOwn(*F);
}

bool isAtomicSumUnless(const Instruction &I) {
  return callsOwn(I, UnlessPrefix) || isSumInPages(I);
}

bool isSumInPages(const Instruction &I) { return callsOwn(I, PagedPrefix); }

static constexpr char BetweenName[] = "adze.between.bounds";

static Function *betweenFunction(Module &M) {
  if (Function *F = M.getFunction(BetweenName))
    return F;
  IRBuilder<> B(M.getContext());
  Type *Number = B.getInt64Ty();
  Function *F = createOwn(
      FunctionType::get(B.getInt1Ty(),
                        {Number, Number, Number, Number, B.getInt1Ty()}, false),
      GlobalValue::InternalLinkage, BetweenName, M);
  // Not by the inliner of LLVM, if it comes by before loops are cut.
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::WillReturn);
  F->addFnAttr(Attribute::Speculatable);
  F->setDoesNotAccessMemory();
  B.SetInsertPoint(BasicBlock::Create(M.getContext(), "entry", F));
  Value *Left = B.CreateSub(F->getArg(Last), F->getArg(Counter));
  Value *IsWithin =
      B.CreateAnd(B.CreateICmpUGE(F->getArg(Counter), F->getArg(AtBegin)),
                  B.CreateICmpUGE(Left, F->getArg(AtEnd)));
  B.CreateRet(B.CreateOr(F->getArg(Always), IsWithin));
  return F;
}

CallInst *isBetweenBounds(IRBuilderBase &B, Value *Counter, Value *Last,
                          uint64_t AtBegin, uint64_t AtEnd, Value *Always) {
  return B.CreateCall(
      betweenFunction(*B.GetInsertBlock()->getModule()),
      {Counter, Last, B.getInt64(AtBegin), B.getInt64(AtEnd), Always});
}

bool isBetweenBounds(const Value *V) { return callsOwn(*V, BetweenName); }

} // namespace adze
