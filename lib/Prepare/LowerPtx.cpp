// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly for NVPTX that computes in a straight line, as the operators of
// __half and __nv_bfloat16 in CUDA's headers do: each of its instructions
// becomes one of LLVM's, or one intrinsic. Whatever is not in the table here
// leaves the assembly as it is, which is refused by its rule. Semantics: PTX
// ISA.
//
// In assembly a register is bits; so are the values here, and instructions take
// them for floats as their names say ("add.f16x2").
#include "Prepare/PtxAssembly.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace adze {

namespace {

class PtxLowering {
public:
  PtxLowering(CallInst &Call, const InlineAsm &Asm)
      : Call(Call), Asm(Asm), B(&Call) {}

  /// The result of the call, or null; what has been written then is dead.
  Value *lower();

private:
  bool bindOperands();
  bool run(StringRef Statement);
  bool runOn(StringRef Name, ArrayRef<StringRef> Operands);
  bool move(StringRef To, StringRef From);
  bool signOf(StringRef Op, StringRef To, ArrayRef<Value *> In);
  bool compare(StringRef Name, ArrayRef<StringRef> Operands);
  Value *arithmetic(StringRef Op, Type *Ty, ArrayRef<Value *> In);
  Value *convert(StringRef Name, ArrayRef<StringRef> Operands);

  /// The content of a register, or a number, of \p Bits; null if it has none.
  Value *read(StringRef Operand, unsigned Bits);
  Value *readAs(StringRef Operand, Type *Ty);
  bool write(StringRef Register, Value *V);
  Type *typeOf(StringRef Name);

  CallInst &Call;
  const InlineAsm &Asm;
  IRBuilder<> B;
  StringMap<Value *> Registers;
  SmallPtrSet<const Value *, 4> Signs; // 0x8000 or 0
};

/// f16, bf16x2, b32: what the last part of an instruction's name says.
Type *PtxLowering::typeOf(StringRef Name) {
  const bool Two = Name.consume_back("x2");
  Type *Ty = StringSwitch<Type *>(Name)
                 .Case("f16", B.getHalfTy())
                 .Case("bf16", B.getBFloatTy())
                 .Case("f32", B.getFloatTy())
                 .Case("f64", B.getDoubleTy())
                 .Cases("b16", "u16", "s16", B.getInt16Ty())
                 .Cases("b32", "u32", "s32", B.getInt32Ty())
                 .Cases("b64", "u64", "s64", B.getInt64Ty())
                 .Default(nullptr);
  return Ty && Two ? FixedVectorType::get(Ty, 2) : Ty;
}

/// Results are $0, $1 ..; an operand that is tied to one is its content before.
bool PtxLowering::bindOperands() {
  unsigned Place = 0, Operand = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber)
      continue;
    if (C.isIndirect || C.Codes.size() != 1)
      return false;
    unsigned Tied;
    if (C.Type == InlineAsm::isInput) {
      const bool IsTied = !StringRef(C.Codes[0]).getAsInteger(10, Tied);
      Value *V = Call.getArgOperand(Operand++);
      if (!V->getType()->isIntegerTy() && !V->getType()->isFloatingPointTy())
        return false;
      Registers["$" + utostr(Place)] = V;
      if (IsTied)
        Registers["$" + utostr(Tied)] = V;
    }
    ++Place;
  }
  return !Call.getType()->isVoidTy() && !Call.getType()->isStructTy();
}

Value *PtxLowering::read(StringRef Operand, unsigned Bits) {
  Type *Int = B.getIntNTy(Bits);
  StringRef Number = Operand;
  uint64_t Constant;
  if (Number.consume_back("U") || !Number.starts_with("$")) {
    if (!Number.consume_front("0x"))
      Number.consume_front("0X");
    const bool IsHex = Number.size() != Operand.rtrim("U").size();
    if (!Number.getAsInteger(IsHex ? 16 : 10, Constant))
      return ConstantInt::get(Int, Constant);
  }
  Value *V = Registers.lookup(Operand);
  if (!V || V->getType()->getPrimitiveSizeInBits() != Bits)
    return nullptr;
  return V->getType() == Int ? V : B.CreateBitCast(V, Int);
}

Value *PtxLowering::readAs(StringRef Operand, Type *Ty) {
  Value *V = Registers.lookup(Operand);
  if (V && V->getType() == Ty)
    return V;
  V = read(Operand, Ty->getPrimitiveSizeInBits());
  return V && V->getType() != Ty ? B.CreateBitCast(V, Ty) : V;
}

bool PtxLowering::write(StringRef Register, Value *V) {
  if (!V)
    return false;
  Registers[Register] = V;
  return true;
}

// mov.b32 r, {a,b}: the first is the lower half; mov.b32 {a,b}, r
bool PtxLowering::move(StringRef To, StringRef From) {
  auto halves = [](StringRef Braced) {
    auto [Low, High] = Braced.drop_front().drop_back().split(',');
    return std::pair(Low.trim(), High.trim());
  };
  if (From.starts_with("{")) {
    auto [Low, High] = halves(From);
    Value *L = read(Low, 16), *H = read(High, 16);
    if (!L || !H)
      return false;
    Value *Upper = B.CreateShl(B.CreateZExt(H, B.getInt32Ty()), 16);
    return write(To, B.CreateOr(Upper, B.CreateZExt(L, B.getInt32Ty())));
  }
  if (To.starts_with("{")) {
    Value *V = read(From, 32);
    if (!V)
      return false;
    auto [Low, High] = halves(To);
    return write(Low, B.CreateTrunc(V, B.getInt16Ty())) &&
           write(High, B.CreateTrunc(B.CreateLShr(V, 16), B.getInt16Ty()));
  }
  return false;
}

/// Instructions on floats without memory; `ftz` and ways to round are in \p Op.
Value *PtxLowering::arithmetic(StringRef Op, Type *Ty, ArrayRef<Value *> In) {
  auto intrinsic = [&](Intrinsic::ID ID) -> Value * {
    return B.CreateIntrinsic(ID, {Ty}, In);
  };
  // Those of NVIDIA's that there are for float alone.
  auto onFloat = [&](Intrinsic::ID ID) -> Value * {
    return Ty->isFloatTy() ? B.CreateIntrinsic(ID, {}, In) : nullptr;
  };
  const size_t Expected = StringSwitch<size_t>(Op.split('.').first)
                              .Cases("add", "sub", "mul", "min", "max", 2)
                              .Case("fma", 3)
                              .Default(1);
  if (In.size() != Expected || !Ty->isFPOrFPVectorTy())
    return nullptr;
  if (Op == "add" || Op == "add.rn")
    return B.CreateFAdd(In[0], In[1]);
  if (Op == "sub" || Op == "sub.rn")
    return B.CreateFSub(In[0], In[1]);
  if (Op == "mul" || Op == "mul.rn")
    return B.CreateFMul(In[0], In[1]);
  if (Op == "fma.rn")
    return intrinsic(Intrinsic::fma);
  if (Op == "min")
    return intrinsic(Intrinsic::minnum);
  if (Op == "max")
    return intrinsic(Intrinsic::maxnum);
  if (Op == "min.NaN")
    return intrinsic(Intrinsic::minimum);
  if (Op == "max.NaN")
    return intrinsic(Intrinsic::maximum);
  if (Op == "abs")
    return intrinsic(Intrinsic::fabs);
  if (Op == "neg")
    return B.CreateFNeg(In[0]);
  Intrinsic::ID ID =
      StringSwitch<Intrinsic::ID>(Op)
          .Case("ex2.approx", Intrinsic::nvvm_ex2_approx_f)
          .Case("ex2.approx.ftz", Intrinsic::nvvm_ex2_approx_ftz_f)
          .Case("lg2.approx", Intrinsic::nvvm_lg2_approx_f)
          .Case("lg2.approx.ftz", Intrinsic::nvvm_lg2_approx_ftz_f)
          .Case("rcp.approx", Intrinsic::nvvm_rcp_approx_ftz_f)
          .Case("rcp.approx.ftz", Intrinsic::nvvm_rcp_approx_ftz_f)
          .Case("sqrt.approx", Intrinsic::nvvm_sqrt_approx_f)
          .Case("sqrt.approx.ftz", Intrinsic::nvvm_sqrt_approx_ftz_f)
          .Case("rsqrt.approx", Intrinsic::nvvm_rsqrt_approx_f)
          .Case("rsqrt.approx.ftz", Intrinsic::nvvm_rsqrt_approx_ftz_f)
          .Case("sin.approx", Intrinsic::nvvm_sin_approx_f)
          .Case("sin.approx.ftz", Intrinsic::nvvm_sin_approx_ftz_f)
          .Case("cos.approx", Intrinsic::nvvm_cos_approx_f)
          .Case("cos.approx.ftz", Intrinsic::nvvm_cos_approx_ftz_f)
          .Default(Intrinsic::not_intrinsic);
  return ID == Intrinsic::not_intrinsic ? nullptr : onFloat(ID);
}

// cvt.f32.f16 d, a;  cvt.rn.f16.f32 d, a;  cvt.rn.f16x2.f32 d, high, low
Value *PtxLowering::convert(StringRef Name, ArrayRef<StringRef> Operands) {
  auto [Rest, FromName] = Name.rsplit('.');
  StringRef ToName = Rest.rsplit('.').second;
  StringRef Way = Rest.drop_back(ToName.size()).trim('.');
  Type *To = typeOf(ToName), *From = typeOf(FromName);
  if (Way.empty()) // "cvt.f32.f16"
    Way = "cvt";
  if (!To || !From || !From->isFloatingPointTy() || !To->isFPOrFPVectorTy() ||
      (Way != "cvt" && Way != "cvt.rn" && Way != "cvt.ftz"))
    return nullptr;
  if (!To->isVectorTy()) {
    Value *V = Operands.size() == 2 ? readAs(Operands[1], From) : nullptr;
    return V && V->getType() != To ? B.CreateFPCast(V, To) : nullptr;
  }
  Value *High = Operands.size() == 3 ? readAs(Operands[1], From) : nullptr;
  Value *Low = High ? readAs(Operands[2], From) : nullptr;
  if (!Low)
    return nullptr;
  Type *Scalar = To->getScalarType();
  Value *Pair = B.CreateInsertElement(PoisonValue::get(To),
                                      B.CreateFPCast(Low, Scalar), uint64_t(0));
  return B.CreateInsertElement(Pair, B.CreateFPCast(High, Scalar), 1);
}

// setp.lt.f16 p, a, b;  set.eq.f16.f16 r, a, b: 1 or 0
bool PtxLowering::compare(StringRef Name, ArrayRef<StringRef> Operands) {
  SmallVector<StringRef, 4> Parts;
  Name.split(Parts, '.');
  Type *Ty = typeOf(Parts.back());
  CmpInst::Predicate P = StringSwitch<CmpInst::Predicate>(Parts[1])
                             .Case("eq", CmpInst::FCMP_OEQ)
                             .Case("ne", CmpInst::FCMP_ONE)
                             .Case("lt", CmpInst::FCMP_OLT)
                             .Case("le", CmpInst::FCMP_OLE)
                             .Case("gt", CmpInst::FCMP_OGT)
                             .Case("ge", CmpInst::FCMP_OGE)
                             .Case("equ", CmpInst::FCMP_UEQ)
                             .Case("neu", CmpInst::FCMP_UNE)
                             .Case("ltu", CmpInst::FCMP_ULT)
                             .Case("leu", CmpInst::FCMP_ULE)
                             .Case("gtu", CmpInst::FCMP_UGT)
                             .Case("geu", CmpInst::FCMP_UGE)
                             .Default(CmpInst::BAD_FCMP_PREDICATE);
  if (!Ty || !Ty->isFloatingPointTy() || P == CmpInst::BAD_FCMP_PREDICATE ||
      Operands.size() != 3)
    return false;
  Value *X = readAs(Operands[1], Ty),
        *Y = X ? readAs(Operands[2], Ty) : nullptr;
  if (!Y)
    return false;
  Value *Holds = B.CreateFCmp(P, X, Y);
  if (Parts[0] == "setp" && Parts.size() == 3)
    return write(Operands[0], Holds);
  Type *To = Parts.size() == 4 ? typeOf(Parts[2]) : nullptr;
  return Parts[0] == "set" && To && To->isFloatingPointTy() &&
         write(Operands[0], B.CreateSelect(Holds, ConstantFP::get(To, 1),
                                           ConstantFP::get(To, 0)));
}

// and.b16 t, r, 0x8000: the sign of a half;  or.b16 r, r, t: with that sign,
// unless it is negative already
bool PtxLowering::signOf(StringRef Op, StringRef To, ArrayRef<Value *> In) {
  if (Op == "and") {
    auto *Mask = dyn_cast<ConstantInt>(In[1]);
    if (!Mask || Mask->getZExtValue() != 0x8000)
      return false;
    Value *Sign = B.CreateAnd(In[0], Mask);
    Signs.insert(Sign);
    return write(To, Sign);
  }
  if (!Signs.contains(In[1]))
    return false;
  Value *X = B.CreateBitCast(In[0], B.getHalfTy());
  Value *Negative = B.CreateFNeg(B.CreateUnaryIntrinsic(Intrinsic::fabs, X));
  return write(To, B.CreateSelect(B.CreateIsNull(In[1]), X, Negative));
}

bool PtxLowering::runOn(StringRef Name, ArrayRef<StringRef> Operands) {
  auto [Op, TypeName] = Name.rsplit('.');
  Type *Ty = typeOf(TypeName);
  if (!Ty || Operands.size() < 2)
    return false;
  if (Op == "mov")
    return Operands[0].starts_with("{") || Operands[1].starts_with("{")
               ? Ty == B.getInt32Ty() && move(Operands[0], Operands[1])
               : write(Operands[0], readAs(Operands[1], Ty));
  if (Op.starts_with("cvt"))
    return write(Operands[0], convert(Name, Operands));
  if (Op.starts_with("set"))
    return compare(Name, Operands);
  if (Op == "selp" && Operands.size() == 4) {
    Value *P = Registers.lookup(Operands[3]);
    Value *X = readAs(Operands[1], Ty), *Y = readAs(Operands[2], Ty);
    return P && P->getType()->isIntegerTy(1) && X && Y &&
           write(Operands[0], B.CreateSelect(P, X, Y));
  }
  SmallVector<Value *, 3> In;
  for (StringRef Operand : Operands.drop_front()) {
    In.push_back(readAs(Operand, Ty));
    if (!In.back())
      return false;
  }
  if (Ty == B.getInt16Ty() && In.size() == 2 && (Op == "and" || Op == "or"))
    return signOf(Op, Operands[0], In);
  return write(Operands[0], arithmetic(Op, Ty, In));
}

bool PtxLowering::run(StringRef Statement) {
  if (Statement.starts_with(".reg"))
    return true;
  size_t Space = Statement.find_first_of(" \t");
  if (Space == StringRef::npos)
    return false;
  // Commas within braces are no separators.
  SmallVector<StringRef, 4> Operands;
  StringRef Rest = Statement.drop_front(Space);
  while (!Rest.trim().empty()) {
    Rest = Rest.trim();
    size_t Close = Rest.starts_with("{") ? Rest.find('}') : 0;
    size_t End = Rest.find(',', Close == StringRef::npos ? 0 : Close);
    Operands.push_back(Rest.take_front(End).trim());
    Rest = End == StringRef::npos ? StringRef() : Rest.drop_front(End + 1);
  }
  return runOn(Statement.take_front(Space), Operands);
}

/// The statements of \p Text. Braces around some of them are scopes, of
/// registers that are written before they are read.
SmallVector<StringRef, 16> statementsOf(StringRef Text) {
  SmallVector<StringRef, 16> Statements;
  while (!Text.trim().empty()) {
    Text = Text.ltrim(" \t\n{}");
    size_t End = Text.find(';');
    if (StringRef One = Text.take_front(End).trim(); !One.empty())
      Statements.push_back(One);
    if (End == StringRef::npos)
      break;
    Text = Text.drop_front(End + 1);
  }
  return Statements;
}

Value *PtxLowering::lower() {
  if (!bindOperands())
    return nullptr;
  for (StringRef Statement : statementsOf(Asm.getAsmString()))
    if (!run(Statement))
      return nullptr;
  return readAs("$0", Call.getType());
}

} // namespace

Value *lowerPtx(CallInst &Call, const InlineAsm &Asm) {
  return PtxLowering(Call, Asm).lower();
}

} // namespace adze
