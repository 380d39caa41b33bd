// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SharedShadows.h"
#include "adze/DeviceSync.h"
#include "adze/DeviceTarget.h"
#include "adze/OwnFunction.h"
#include "adze/ReachableConstants.h"
#include "adze/Runtime.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace adze {

namespace {

constexpr unsigned Dimensions = 3;
constexpr StringLiteral SharedResetName = "adze.reset.shared.";

struct BlockIntrinsics {
  Intrinsic::ID Thread[Dimensions];
};

constexpr BlockIntrinsics OfNVPTX = {{Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                      Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                      Intrinsic::nvvm_read_ptx_sreg_tid_z}};
constexpr BlockIntrinsics OfAMDGPU = {{Intrinsic::amdgcn_workitem_id_x,
                                       Intrinsic::amdgcn_workitem_id_y,
                                       Intrinsic::amdgcn_workitem_id_z}};

/// void adze.reset.shared.DERIVATIVE()
class SharedReset {
public:
  explicit SharedReset(Function &F)
      : F(F), M(*F.getParent()), IsNVPTX(Triple(M.getTargetTriple()).isNVPTX()),
        Names(IsNVPTX ? OfNVPTX : OfAMDGPU),
        B(BasicBlock::Create(F.getContext(), "entry", &F)) {}

  void write(ArrayRef<GlobalVariable *> Shadows) {
    number();
    createBarrierOfAll(B);
    for (GlobalVariable *G : Shadows)
      clear(*G);
    createBarrierOfAll(B);
    B.CreateRetVoid();
  }

private:
  Value *call(Intrinsic::ID ID) { return B.CreateIntrinsic(ID, {}, {}); }
  Value *extent(unsigned Dimension);
  void number();
  void clear(GlobalVariable &G);
  Value *bytesOfLaunch() {
    return B.CreateCall(
        runtimeFunction(M, DynamicSharedUnit, "adze.shared.bytes"));
  }

  Function &F;
  Module &M;
  const bool IsNVPTX;
  const BlockIntrinsics &Names;
  IRBuilder<> B;
  Value *Thread = nullptr, *Threads = nullptr; // its number, and how many
};

/// How many threads the block has in one dimension.
Value *SharedReset::extent(unsigned Dimension) {
  constexpr Intrinsic::ID Sizes[] = {Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                                     Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                                     Intrinsic::nvvm_read_ptx_sreg_ntid_z};
  if (IsNVPTX)
    return call(Sizes[Dimension]);
  // hsa_kernel_dispatch_packet_t: workgroup_size_x is its third word of 16
  // bits.
  Value *Packet = call(Intrinsic::amdgcn_dispatch_ptr);
  Type *Half = B.getInt16Ty();
  Value *At =
      B.CreateConstInBoundsGEP1_64(Half, Packet, 2 + uint64_t(Dimension));
  return B.CreateZExt(B.CreateAlignedLoad(Half, At, Align(2)), B.getInt32Ty());
}

void SharedReset::number() {
  for (unsigned K = Dimensions; K-- > 0;) {
    Value *Here = call(Names.Thread[K]), *Extent = extent(K);
    Thread = Thread ? B.CreateAdd(B.CreateMul(Thread, Extent), Here) : Here;
    Threads = Threads ? B.CreateMul(Threads, Extent) : Extent;
  }
}

/// for (i = thread; i < units; i += threads) shadow[i] = 0
void SharedReset::clear(GlobalVariable &G) {
  const DataLayout &DL = M.getDataLayout();
  uint64_t Unit = 8;
  Value *Units = nullptr;
  if (isDynamicShared(G)) {
    Unit = 4;
    Units = B.CreateUDiv(bytesOfLaunch(), B.getInt32(Unit));
  } else {
    const uint64_t Bytes = DL.getTypeAllocSize(G.getValueType());
    const Align Known = G.getPointerAlignment(DL);
    while (Bytes % Unit != 0 || Known < Unit)
      Unit /= 2;
    Units = B.getInt32(Bytes / Unit);
  }
  Type *Ty = B.getIntNTy(8 * Unit);
  LLVMContext &C = F.getContext();
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Header = BasicBlock::Create(C, "next", &F);
  BasicBlock *Body = BasicBlock::Create(C, "clear", &F);
  BasicBlock *After = BasicBlock::Create(C, "cleared", &F);
  B.CreateBr(Header);
  B.SetInsertPoint(Header);
  PHINode *I = B.CreatePHI(B.getInt32Ty(), 2);
  I->addIncoming(Thread, Before);
  B.CreateCondBr(B.CreateICmpULT(I, Units), Body, After);
  B.SetInsertPoint(Body);
  B.CreateAlignedStore(Constant::getNullValue(Ty),
                       B.CreateInBoundsGEP(Ty, &G, I), Align(Unit));
  I->addIncoming(B.CreateAdd(I, Threads), Body);
  B.CreateBr(Header);
  B.SetInsertPoint(After);
}

} // namespace

void resetSharedShadowsBefore(CallBase &Call, StringRef Suffix) {
  Function &Derivative = *Call.getCalledFunction();
  Module &M = *Call.getModule();
  const std::string Name = (SharedResetName + Derivative.getName()).str();
  Function *Reset = M.getFunction(Name);
  if (!Reset) {
    // No others: who does not share memory need not come together.
    const auto Reached = reachableConstants({&Derivative});
    SmallVector<GlobalVariable *, 8> Shadows;
    for (GlobalVariable &G : M.globals())
      if (G.getName().ends_with(Suffix) && isSharedVariable(G) &&
          Reached.contains(&G))
        Shadows.push_back(&G);
    if (Shadows.empty())
      return;
    Reset = createOwn(FunctionType::get(Type::getVoidTy(M.getContext()), false),
                      GlobalValue::InternalLinkage, Name, M);
    Reset->addFnAttr(Attribute::NoUnwind);
    SharedReset(*Reset).write(Shadows);
  }
  IRBuilder<>(&Call).CreateCall(Reset);
}

} // namespace adze
