// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every scalar row in three directions, forward and reverse: what the
// derivative gives in each is its partials times that direction.
#include "Known/KnownTable.h"
#include "KnownJit.h"
#include "KnownReference.h"
#include "Managers.h"
#include "adze/Derive.h"
#include "adze/Diagnostics.h"
#include "adze/ExprEmitter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace adze;
using namespace llvm;

namespace {

constexpr unsigned Width = 3;
const double Directions[3][Width] = {
    {1, 0, -0.5}, {0, 2, 1.25}, {0.75, -1, 0}}; // of operands
const double Adjoints[Width] = {1, -2, 0};      // of the result

class KnownDirections : public testing::Test {
protected:
  struct Row {
    const KnownFunction *Known;
    StringRef Operands;
    Function *Primal;
    std::string symbol(const char *Mode) const {
      return std::string(Mode) + "." + Known->Family;
    }
  };

  Type *typeOf(const KnownFunction &Known, char Letter) {
    if (Letter == 'f')
      return Type::getDoubleTy(Jit.context());
    return Known.Family == std::string("scalbln")
               ? Type::getInt64Ty(Jit.context())
               : Type::getInt32Ty(Jit.context());
  }

  /// A function that does what \p Known does; null if it cannot run here.
  Function *primalOf(const KnownFunction &Known, StringRef Operands) {
    SmallVector<Type *, 3> Types;
    for (char Letter : Operands)
      Types.push_back(typeOf(Known, Letter));
    Type *Double = Type::getDoubleTy(Jit.context());
    Function *F = Function::Create(
        FunctionType::get(Double, Types, false), GlobalValue::ExternalLinkage,
        std::string("primal.") + Known.Family, Jit.module());
    IRBuilder<> B(BasicBlock::Create(Jit.context(), "", F));
    SmallVector<Value *, 3> Args;
    for (Argument &A : F->args())
      Args.push_back(&A);
    Value *Result = apply(B, Known.Family, Args);
    if (!Result) {
      F->eraseFromParent();
      return nullptr;
    }
    B.CreateRet(Result);
    return F;
  }

  Value *apply(IRBuilder<> &B, StringRef Family, ArrayRef<Value *> Args) {
    const unsigned Opcode = StringSwitch<unsigned>(Family)
                                .Case("fadd", Instruction::FAdd)
                                .Case("fsub", Instruction::FSub)
                                .Case("fmul", Instruction::FMul)
                                .Case("fdiv", Instruction::FDiv)
                                .Case("frem", Instruction::FRem)
                                .Default(0);
    if (Opcode)
      return B.CreateBinOp(Instruction::BinaryOps(Opcode), Args[0], Args[1]);
    if (Family == "fneg")
      return B.CreateFNeg(Args[0]);
    if (Family == "canonicalize") // that LLVM has no code for on x86
      return nullptr;
    const FamilyRecord *R = KnownTable::get().byFamily(Family);
    if (R->Intrinsic == Intrinsic::not_intrinsic && !isInProcess(Family))
      return nullptr; // C23's functions, those of GPUs
    ExprNode Call{ExprKind::Call};
    Call.Family = R->Known.Family;
    for (unsigned I = 0; I != Args.size(); ++I)
      Call.Operands.push_back(arg(I));
    return emitExpr(B, std::make_shared<const ExprNode>(Call), Args, nullptr,
                    B.getDoubleTy());
  }

  static bool isInProcess(StringRef Name) {
    sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
    return sys::DynamicLibrary::SearchForAddressOfSymbol(Name.str());
  }

  std::vector<Row> rows() {
    std::vector<Row> All;
    for (const FamilyRecord &R : KnownTable::get().records()) {
      const KnownFunction &Known = R.Known;
      if (Known.Kind != KnownKind::Scalar || !referenceOf(Known.Family))
        continue;
      const StringRef Operands = StringRef(Known.Signature).split(':').second;
      if (Operands.find_first_not_of("fi") != StringRef::npos)
        continue;
      if (Function *F = primalOf(Known, Operands))
        All.push_back({&Known, Operands, F});
    }
    return All;
  }

  static Request requestFor(const Row &R, DerivativeKind Kind) {
    Request Made;
    Made.Primal = R.Primal;
    Made.Kind = Kind;
    Made.Ret = RetActivity::Active;
    Made.Width = Width;
    for (char Letter : R.Operands) {
      Made.Args.push_back(Letter == 'i'                     ? ArgActivity::Const
                          : Kind == DerivativeKind::Forward ? ArgActivity::Dup
                                                            : ArgActivity::Out);
      Made.MayBeOverwritten.Arguments.push_back(false);
    }
    return Made;
  }

  /// void SYMBOL(const double *operands, double *results): calls \p Derivative
  /// in the directions above.
  void enter(const Row &R, Function *Derivative, const std::string &Symbol,
             bool Forward) {
    IRBuilder<> B(Jit.context());
    Type *Pointer = B.getPtrTy(), *Double = B.getDoubleTy();
    Function *Entry = Function::Create(
        FunctionType::get(B.getVoidTy(), {Pointer, Pointer}, false),
        GlobalValue::ExternalLinkage, Symbol, Jit.module());
    B.SetInsertPoint(BasicBlock::Create(Jit.context(), "", Entry));
    SmallVector<Value *, 8> Args;
    for (unsigned I = 0; I != R.Operands.size(); ++I) {
      Value *X = B.CreateLoad(
          Double, B.CreateConstGEP1_32(Double, Entry->getArg(0), I));
      if (R.Operands[I] == 'i')
        X = B.CreateFPToSI(X, typeOf(*R.Known, 'i'));
      Args.push_back(X);
      if (Forward && R.Operands[I] == 'f')
        Args.push_back(
            ConstantDataArray::get(Jit.context(), ArrayRef(Directions[I])));
    }
    if (!Forward)
      Args.push_back(ConstantDataArray::get(Jit.context(), ArrayRef(Adjoints)));
    B.CreateStore(B.CreateCall(Derivative, Args), Entry->getArg(1));
    B.CreateRetVoid();
  }

  void check(const Row &R, const Reals &Point) {
    Reals X;
    std::vector<double> Operands;
    for (Real V : Point) {
      X.push_back(double(V));
      Operands.push_back(double(V));
    }
    const Real Result = referenceOf(R.Known->Family)->Function(X);
    double Tangents[Width] = {}, Gradients[3 * Width] = {};
    auto run = [&](const char *Mode, double *Results) {
      if (auto *Run = Jit.find<void(const double *, double *)>(R.symbol(Mode)))
        Run(Operands.data(), Results);
    };
    run("forward", Tangents);
    run("reverse", Gradients);
    double Expected[Width] = {};
    unsigned Place = 0;
    for (unsigned I = 0; I != R.Operands.size(); ++I) {
      if (R.Operands[I] == 'i')
        continue;
      const Expr &E = R.Known->Row.Partials[I];
      const double Partial = E ? double(evaluate(E, X, Result)) : 0;
      for (unsigned K = 0; K != Width; ++K, ++Place) {
        Expected[K] += Partial * Directions[I][K];
        near(R, "reverse", K, Gradients[Place], Partial * Adjoints[K]);
      }
    }
    for (unsigned K = 0; K != Width; ++K)
      near(R, "forward", K, Tangents[K], Expected[K]);
  }

  static void near(const Row &R, const char *Mode, unsigned K, double Is,
                   double Expected) {
    EXPECT_NEAR(Is, Expected, 1e-10 * std::max(1.0, std::fabs(Expected)))
        << R.Known->Family << ", " << Mode << ", direction " << K;
  }

  Managers Of;
  KnownJit Jit;
};

TEST_F(KnownDirections, EveryRowInThree) {
  const std::vector<Row> Rows = rows();
  EXPECT_GT(Rows.size(), 60u);
  std::vector<Request> Requests;
  for (const Row &R : Rows)
    for (auto Kind : {DerivativeKind::Forward, DerivativeKind::Fused})
      Requests.push_back(requestFor(R, Kind));
  Diagnostics Diags(nullptr);
  const auto Made = derive(Jit.module(), Of.MAM, Requests, Diags);
  ASSERT_EQ(Made.size(), Requests.size());
  for (size_t I = 0; I != Rows.size(); ++I) {
    enter(Rows[I], Made[2 * I].Forward, Rows[I].symbol("forward"), true);
    enter(Rows[I], Made[2 * I + 1].Fused, Rows[I].symbol("reverse"), false);
  }
  ASSERT_FALSE(verifyModule(Jit.module(), &errs()));
  ASSERT_TRUE(Jit.compile());
  ASSERT_TRUE(Jit.find<void()>(Rows.front().symbol("forward")));
  for (const Row &R : Rows)
    for (const Reals &Point : referenceOf(R.Known->Family)->Points)
      check(R, Point);
}

} // namespace
