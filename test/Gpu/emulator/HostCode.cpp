// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass plugin for opt: device code whose text convert.py has brought to one
// address space becomes host code that tells the emulator what it does:
//   - a call for each access to memory that other threads may see (gpu_access),
//   - a call for each basic block, with its instructions (gpu_count),
//   - the place in the source before each call of the emulator (gpu_at), and
//     around calls of the program's functions (gpu_enter, gpu_leave),
//   - tables of kernels, variables and places (gpu_module).
// What the emulator does not know ends the compilation with its name.
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace {

// What an access is; memory.h has the same numbers.
enum Access { Read, Write, Atomic };

[[noreturn]] void refuse(const Twine &Message) {
  WithColor::error(errs(), "emulator") << Message << "\n";
  exit(1);
}

// Functions of the device that have a host function of the same name.
StringRef replacementOf(StringRef Name) {
  return StringSwitch<StringRef>(Name)
      .Case("malloc", "gpu_malloc")
      .Case("free", "gpu_free")
      .Case("vprintf", "gpu_vprintf")
      .Case("__assertfail", "gpu_assertfail")
      .Default("");
}

bool isKnownOutside(StringRef Name) {
  return Name.starts_with("gpu_") || Name.starts_with("__nv_") ||
         Name.starts_with("__ocml_");
}

// The blocks of a function so that lanes can wait at a later one for those in
// earlier ones: where ways come together stands behind both, what is behind a
// loop behind all of it. The optimizer keeps no such order.
std::vector<BasicBlock *> inOrder(Function &F) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  std::vector<BasicBlock *> Order, Waiting;
  SmallPtrSet<BasicBlock *, 32> Done;
  for (BasicBlock &Block : F)
    Waiting.push_back(&Block);
  auto isReady = [&](BasicBlock *Block) {
    return all_of(predecessors(Block), [&](BasicBlock *From) {
      return Done.contains(From) || DT.dominates(Block, From);
    });
  };
  while (!Waiting.empty()) {
    auto Next = Waiting.end();
    for (auto It = Waiting.begin(); It != Waiting.end(); ++It)
      if (isReady(*It) && (Next == Waiting.end() ||
                           LI.getLoopDepth(*It) > LI.getLoopDepth(*Next)))
        Next = It;
    if (Next == Waiting.end())
      Next = Waiting.begin(); // an irreducible cycle
    Order.push_back(*Next);
    Done.insert(*Next);
    Waiting.erase(Next);
  }
  return Order;
}

class HostCode {
public:
  explicit HostCode(Module &M)
      : M(M), DL(M.getDataLayout()), Ctx(M.getContext()),
        Void(Type::getVoidTy(Ctx)), Ptr(PointerType::getUnqual(Ctx)),
        I32(Type::getInt32Ty(Ctx)), I64(Type::getInt64Ty(Ctx)),
        AccessFn(M.getOrInsertFunction("gpu_access", Void, Ptr, I64, I32, I32)),
        CountFn(M.getOrInsertFunction("gpu_count", Void, I64, I64)),
        AtFn(M.getOrInsertFunction("gpu_at", Void, I32)),
        EnterFn(M.getOrInsertFunction("gpu_enter", Void, I32)),
        LeaveFn(M.getOrInsertFunction("gpu_leave", Void)) {}

  void run() {
    findKernels();
    renameOutside();
    SmallVector<Function *> Defined;
    for (Function &F : M)
      if (!F.isDeclaration())
        Defined.push_back(&F);
    for (Function *F : Defined) {
      // Lanes exchange values in what touches no memory on AMDGPU.
      F->removeFnAttr(Attribute::Memory);
      convert(*F);
    }
    writeTables();
  }

private:
  void findKernels() {
    for (Function &F : M)
      if (F.getCallingConv() == CallingConv::AMDGPU_KERNEL)
        Kernels.push_back(&F);
    if (NamedMDNode *Notes = M.getNamedMetadata("nvvm.annotations"))
      for (MDNode *Note : Notes->operands())
        for (unsigned I = 1; I + 1 < Note->getNumOperands(); I += 2)
          if (auto *What = dyn_cast<MDString>(Note->getOperand(I));
              What && What->getString() == "kernel")
            if (auto *F =
                    mdconst::dyn_extract_or_null<Function>(Note->getOperand(0)))
              Kernels.push_back(F);
  }

  // Intrinsics of the target, whose names convert.py has changed, become
  // functions of C.
  void renameOutside() {
    for (Function &F : M) {
      F.setCallingConv(CallingConv::C);
      F.setVisibility(GlobalValue::DefaultVisibility);
      if (!F.isDeclaration() || F.isIntrinsic())
        continue;
      std::string Name = F.getName().str();
      if (StringRef Other = replacementOf(Name); !Other.empty())
        Name = Other.str();
      std::replace(Name.begin(), Name.end(), '.', '_');
      if (!isKnownOutside(Name) && !F.use_empty())
        refuse("device code calls " + Name + ", which no device library has");
      if (Name != F.getName())
        F.setName(Name);
    }
  }

  unsigned placeOf(const Instruction &I) {
    std::string Text = I.getFunction()->getName().str();
    if (const DILocation *L = I.getDebugLoc())
      Text += (" (" + L->getFilename() + ":" + Twine(L->getLine()) + ")").str();
    Places.push_back(Text);
    return static_cast<unsigned>(Places.size() - 1);
  }

  void note(Instruction &I, Value *Address, Value *Size, Access Kind) {
    const Value *Object = getUnderlyingObject(Address, 0);
    if (isa<AllocaInst>(Object))
      return;
    if (auto *Bytes = dyn_cast<ConstantInt>(Size);
        Bytes && Bytes->getZExtValue())
      Granule = std::min(Granule,
                         uint64_t(1) << countr_zero(Bytes->getZExtValue() | 4));
    else
      Granule = 1;
    IRBuilder<> B(&I);
    B.CreateCall(AccessFn, {Address, B.CreateZExtOrTrunc(Size, I64),
                            B.getInt32(Kind), B.getInt32(placeOf(I))});
  }
  void note(Instruction &I, Value *Address, Type *T, Access Kind) {
    note(I, Address, ConstantInt::get(I64, DL.getTypeStoreSize(T)), Kind);
  }

  // Intrinsics for what atomicrmw and cmpxchg say, too. Unknown ones are left:
  // the linker will name them.
  bool replaceAtomic(CallInst &Call) {
    StringRef Name =
        Call.getCalledFunction() ? Call.getCalledFunction()->getName() : "";
    if (!Name.consume_front("gpu_nvvm_atomic_") &&
        !Name.consume_front("gpu_amdgcn_global_atomic_") &&
        !Name.consume_front("gpu_amdgcn_flat_atomic_") &&
        !Name.consume_front("gpu_amdgcn_ds_f"))
      return false;
    IRBuilder<> B(&Call);
    Value *Address = Call.getArgOperand(0), *Operand = Call.getArgOperand(1),
          *Old = nullptr;
    constexpr auto Order = AtomicOrdering::Monotonic;
    if (Name.starts_with("cas_")) {
      Old = B.CreateAtomicCmpXchg(Address, Operand, Call.getArgOperand(2),
                                  MaybeAlign(), Order, Order);
      Old = B.CreateExtractValue(Old, 0);
    } else {
      bool Float = Operand->getType()->isFPOrFPVectorTy();
      using RMW = AtomicRMWInst;
      Name.consume_front("load_");
      auto Op = StringSwitch<RMW::BinOp>(Name.ltrim('f').take_front(3))
                    .Case("add", Float ? RMW::FAdd : RMW::Add)
                    .Case("min", Float ? RMW::FMin : RMW::Min)
                    .Case("max", Float ? RMW::FMax : RMW::Max)
                    .Case("exc", RMW::Xchg)
                    .Case("inc", RMW::UIncWrap)
                    .Case("dec", RMW::UDecWrap)
                    .Case("and", RMW::And)
                    .Case("or_", RMW::Or)
                    .Case("xor", RMW::Xor)
                    .Default(RMW::BAD_BINOP);
      if (Op == RMW::BAD_BINOP)
        return false;
      Old = B.CreateAtomicRMW(Op, Address, Operand, MaybeAlign(), Order);
    }
    Call.replaceAllUsesWith(Old);
    Call.eraseFromParent();
    return true;
  }

  // Sums of floats in assembly: "atom.add.f32 $0,[$1],$2;", "red.add.f64".
  static bool replaceAssembly(CallInst &Call) {
    auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
    const std::string Said = Asm ? Asm->getAsmString() : "";
    StringRef Text = Said;
    if (!Text.contains(".add.") || Call.arg_size() != 2 ||
        (!Text.starts_with("atom.") && !Text.starts_with("red.")))
      return false;
    IRBuilder<> B(&Call);
    Value *Address = Call.getArgOperand(0);
    if (Address->getType()->isIntegerTy())
      Address = B.CreateIntToPtr(Address, B.getPtrTy());
    Value *Old =
        B.CreateAtomicRMW(AtomicRMWInst::FAdd, Address, Call.getArgOperand(1),
                          MaybeAlign(), AtomicOrdering::Monotonic);
    if (!Call.getType()->isVoidTy())
      Call.replaceAllUsesWith(Old);
    Call.eraseFromParent();
    return true;
  }

  // ldg is a load that promises that nobody writes.
  bool replaceReadOnlyLoad(CallInst &Call) {
    StringRef Name =
        Call.getCalledFunction() ? Call.getCalledFunction()->getName() : "";
    if (!Name.starts_with("gpu_nvvm_ldg_global_") &&
        !Name.starts_with("gpu_nvvm_ldu_global_"))
      return false;
    IRBuilder<> B(&Call);
    Align A(cast<ConstantInt>(Call.getArgOperand(1))->getZExtValue());
    LoadInst *Load =
        B.CreateAlignedLoad(Call.getType(), Call.getArgOperand(0), A);
    Load->setDebugLoc(Call.getDebugLoc());
    Call.replaceAllUsesWith(Load);
    Call.eraseFromParent();
    return true;
  }

  void convertCall(CallBase &Call) {
    if (auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
        Asm && Asm->getAsmString() == "mov.u32 $0, %dynamic_smem_size;") {
      Call.setCalledFunction(M.getOrInsertFunction(
          "gpu_nvvm_read_ptx_sreg_dynamic_smem_size", Call.getFunctionType()));
      return;
    }
    if (Call.isInlineAsm())
      refuse("assembly in " + Call.getFunction()->getName());
    if (auto *Move = dyn_cast<AnyMemTransferInst>(&Call)) {
      note(Call, Move->getRawSource(), Move->getLength(), Read);
      note(Call, Move->getRawDest(), Move->getLength(), Write);
    } else if (auto *Set = dyn_cast<AnyMemSetInst>(&Call)) {
      note(Call, Set->getRawDest(), Set->getLength(), Write);
    }
    Call.setCallingConv(CallingConv::C);
    Function *Callee = Call.getCalledFunction();
    if (Callee && !Callee->isDeclaration() && !isa<InvokeInst>(Call)) {
      IRBuilder<>(&Call).CreateCall(EnterFn,
                                    {ConstantInt::get(I32, placeOf(Call))});
      IRBuilder<>(Call.getNextNode()).CreateCall(LeaveFn);
    }
    if (Callee && Callee->getName().starts_with("gpu_"))
      IRBuilder<>(&Call).CreateCall(AtFn,
                                    {ConstantInt::get(I32, placeOf(Call))});
  }

  void convertAccess(Instruction &I) {
    if (auto *L = dyn_cast<LoadInst>(&I))
      note(I, L->getPointerOperand(), L->getType(),
           L->isAtomic() ? Atomic : Read);
    else if (auto *S = dyn_cast<StoreInst>(&I))
      note(I, S->getPointerOperand(), S->getValueOperand()->getType(),
           S->isAtomic() ? Atomic : Write);
    else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
      note(I, RMW->getPointerOperand(), RMW->getType(), Atomic);
    else if (auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I))
      note(I, CAS->getPointerOperand(), CAS->getNewValOperand()->getType(),
           Atomic);
    else if (auto *Call = dyn_cast<CallBase>(&I))
      convertCall(*Call);
  }

  // The bytes that an instruction moves to or from the thread's own memory.
  uint64_t localBytes(Instruction &I) const {
    const Value *Address = getLoadStorePointerOperand(&I);
    if (!Address || !isa<AllocaInst>(getUnderlyingObject(Address, 0)))
      return 0;
    return DL.getTypeStoreSize(getLoadStoreType(&I));
  }

  void convert(Function &F) {
    F.removeFnAttr("target-cpu");
    F.removeFnAttr("target-features");
    for (BasicBlock *B : inOrder(F)) {
      BasicBlock &Block = *B;
      for (Instruction &I : make_early_inc_range(Block))
        if (auto *Call = dyn_cast<CallInst>(&I);
            Call && !replaceReadOnlyLoad(*Call) && !replaceAssembly(*Call))
          replaceAtomic(*Call);
      SmallVector<Instruction *> Code;
      uint64_t Instructions = 0, Local = 0;
      for (Instruction &I : Block) {
        Code.push_back(&I);
        Instructions +=
            !isa<PHINode, DbgInfoIntrinsic>(I) && !I.isLifetimeStartOrEnd();
        Local += localBytes(I);
      }
      for (Instruction *I : Code)
        convertAccess(*I);
      IRBuilder<>(&Block, Block.getFirstInsertionPt())
          .CreateCall(CountFn, {ConstantInt::get(I64, Instructions),
                                ConstantInt::get(I64, Local)});
    }
  }

  // void thunk(void **Arguments): calls a kernel as cuLaunchKernel does.
  Function *thunkFor(Function &Kernel) {
    auto *Thunk =
        Function::Create(FunctionType::get(Void, {Ptr}, false),
                         GlobalValue::InternalLinkage, "gpu.launch", M);
    IRBuilder<> B(BasicBlock::Create(Ctx, "", Thunk));
    SmallVector<Value *> Values;
    for (Argument &A : Kernel.args()) {
      Value *Place =
          B.CreateLoad(Ptr, B.CreateConstInBoundsGEP1_64(Ptr, Thunk->getArg(0),
                                                         A.getArgNo()));
      bool InMemory = A.hasByValAttr() || A.hasByRefAttr();
      Values.push_back(InMemory ? Place : B.CreateLoad(A.getType(), Place));
    }
    CallInst *Call = B.CreateCall(&Kernel, Values);
    Call->setAttributes(
        AttributeList::get(Ctx, AttributeSet(), AttributeSet(), {}));
    for (Argument &A : Kernel.args())
      if (A.hasByValAttr())
        Call->addParamAttr(A.getArgNo(), Attribute::getWithByValType(
                                             Ctx, A.getParamByValType()));
    B.CreateRetVoid();
    return Thunk;
  }

  Constant *text(StringRef S) {
    Constant *Data = ConstantDataArray::getString(Ctx, S);
    auto *GV = new GlobalVariable(M, Data->getType(), true,
                                  GlobalValue::PrivateLinkage, Data);
    return GV;
  }

  // A variable's space is in its section, where convert.py has put it.
  void writeTables() {
    SmallVector<GlobalVariable *> Own;
    for (GlobalVariable &GV : M.globals())
      if (!GV.isDeclaration() && GV.getSection().starts_with("gpu."))
        Own.push_back(&GV);
    auto *Row = StructType::get(Ctx, {Ptr, Ptr, I64});
    SmallVector<Constant *> Variables, KernelRows, PlaceRows;
    for (GlobalVariable *GV : Own) {
      uint64_t Space = StringSwitch<uint64_t>(GV->getSection())
                           .Case("gpu.shared", 1)
                           .Case("gpu.constant", 2)
                           .Default(0);
      GV->setSection("");
      GV->setLinkage(GlobalValue::InternalLinkage);
      uint64_t Size = DL.getTypeAllocSize(GV->getValueType());
      Variables.push_back(
          ConstantStruct::get(Row, {text(GV->getName()), GV,
                                    ConstantInt::get(I64, Size << 2 | Space)}));
    }
    for (Function *F : Kernels)
      KernelRows.push_back(
          ConstantStruct::get(Row, {text(F->getName()), thunkFor(*F),
                                    ConstantInt::get(I64, F->arg_size())}));
    for (const std::string &Name : Places)
      PlaceRows.push_back(
          ConstantStruct::get(Row, {text(Name), ConstantPointerNull::get(Ptr),
                                    ConstantInt::get(I64, 0)}));
    SmallVector<Constant *> Fields;
    for (auto *Rows : {&KernelRows, &Variables, &PlaceRows}) {
      Constant *Data =
          ConstantArray::get(ArrayType::get(Row, Rows->size()), *Rows);
      Fields.push_back(new GlobalVariable(M, Data->getType(), true,
                                          GlobalValue::PrivateLinkage, Data));
      Fields.push_back(ConstantInt::get(I64, Rows->size()));
    }
    Fields.push_back(ConstantInt::get(I64, Granule));
    Constant *All = ConstantStruct::getAnon(Fields);
    new GlobalVariable(M, All->getType(), true, GlobalValue::ExternalLinkage,
                       All, "gpu_module");
  }

  Module &M;
  const DataLayout &DL;
  LLVMContext &Ctx;
  Type *Void;
  PointerType *Ptr;
  Type *I32, *I64;
  FunctionCallee AccessFn, CountFn, AtFn, EnterFn, LeaveFn;
  SmallVector<Function *> Kernels;
  std::vector<std::string> Places;
  uint64_t Granule = 4; // The accesses' greatest common size, at most 4.
};

struct HostCodePass : PassInfoMixin<HostCodePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    HostCode(M).run();
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "gpu-host-code", "1", [](PassBuilder &PB) {
            PB.registerPipelineParsingCallback(
                [](StringRef Name, ModulePassManager &MPM,
                   ArrayRef<PassBuilder::PipelineElement>) {
                  if (Name == "gpu-host-code")
                    MPM.addPass(HostCodePass());
                  return Name == "gpu-host-code";
                });
          }};
}
