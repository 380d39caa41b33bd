// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Sharing/LaunchForms.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

constexpr unsigned Kinds = unsigned(LaunchNumber::Items) + 1;

/// Of AMDGPU: what lies at a byte of the packet of the launch, and of the
/// arguments that the runtime gives.
std::optional<LaunchForms::Number> numberInPacket(Intrinsic::ID Of,
                                                  uint64_t Byte) {
  struct Row {
    Intrinsic::ID Of;
    uint64_t First, Step;
    LaunchNumber Is;
  };
  static constexpr Row Rows[] = {
      {Intrinsic::amdgcn_dispatch_ptr, 4, 2, LaunchNumber::BlockSize},
      {Intrinsic::amdgcn_dispatch_ptr, 12, 4, LaunchNumber::Items},
      {Intrinsic::amdgcn_implicitarg_ptr, 0, 4, LaunchNumber::GridSize},
      {Intrinsic::amdgcn_implicitarg_ptr, 12, 2, LaunchNumber::BlockSize}};
  for (const Row &R : Rows)
    for (unsigned D = 0; D < LaunchDimensions; ++D)
      if (R.Of == Of && Byte == R.First + D * R.Step)
        return {{R.Is, D}};
  return std::nullopt;
}

std::optional<LaunchForms::Number> numberOfCall(const IntrinsicInst &Call) {
  using N = LaunchNumber;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::amdgcn_workitem_id_x:
    return {{N::Thread, 0}};
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::amdgcn_workitem_id_y:
    return {{N::Thread, 1}};
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::amdgcn_workitem_id_z:
    return {{N::Thread, 2}};
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::amdgcn_workgroup_id_x:
    return {{N::Block, 0}};
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::amdgcn_workgroup_id_y:
    return {{N::Block, 1}};
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::amdgcn_workgroup_id_z:
    return {{N::Block, 2}};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return {{N::BlockSize, 0}};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return {{N::BlockSize, 1}};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return {{N::BlockSize, 2}};
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return {{N::GridSize, 0}};
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return {{N::GridSize, 1}};
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return {{N::GridSize, 2}};
  default:
    return std::nullopt;
  }
}

size_t degreeOf(const Polynomial &P) {
  size_t Degree = 0;
  for (const auto &[Symbols, Coefficient] : P.terms())
    Degree = std::max<size_t>(Degree, Symbols.size());
  return Degree;
}

bool isZero(const Polynomial &P) { return constantOf(P) == 0; }

} // namespace

std::optional<LaunchForms::Number> LaunchForms::numberOf(const Value &V) {
  if (auto *Call = dyn_cast<IntrinsicInst>(&V))
    return numberOfCall(*Call);
  auto *Load = dyn_cast<LoadInst>(&V);
  if (!Load)
    return std::nullopt;
  const DataLayout &DL = Load->getDataLayout();
  APInt Byte(DL.getIndexTypeSizeInBits(Load->getPointerOperandType()), 0);
  auto *Packet = dyn_cast<IntrinsicInst>(
      Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          DL, Byte, /*AllowNonInbounds=*/true));
  auto Found =
      Packet && !Byte.isNegative()
          ? numberInPacket(Packet->getIntrinsicID(), Byte.getZExtValue())
          : std::nullopt;
  const bool IsHalf = Found && Found->first == LaunchNumber::BlockSize;
  return Found && Load->getType()->isIntegerTy(IsHalf ? 16 : 32) ? Found
                                                                 : std::nullopt;
}

Polynomial LaunchForms::number(LaunchNumber N, unsigned Dimension) {
  return Polynomial::symbol(unsigned(N) * LaunchDimensions + Dimension);
}

std::optional<LaunchForms::Number>
LaunchForms::numberOf(Polynomial::Symbol S) const {
  if (S >= Kinds * LaunchDimensions)
    return std::nullopt;
  return {{LaunchNumber(S / LaunchDimensions), S % LaunchDimensions}};
}

LaunchForms::LaunchForms(const Primal &P, LoopMemory &M)
    : P(P), M(M), Next(Kinds * LaunchDimensions) {
  for (unsigned D = 0; D < LaunchDimensions; ++D)
    for (auto [Is, Bound] :
         {std::pair(LaunchNumber::Thread, LaunchNumber::BlockSize),
          std::pair(LaunchNumber::Block, LaunchNumber::GridSize),
          std::pair(LaunchNumber::Item, LaunchNumber::Items)})
      Digits[unsigned(Is) * LaunchDimensions + D] = {Number(Is, D),
                                                     number(Bound, D)};
}

/// It is the same in all threads, and can be calculated where they begin.
bool LaunchForms::isUniform(const SCEV *S) {
  return !SCEVExprContains(S, [](const SCEV *Part) {
    if (auto *Leaf = dyn_cast<SCEVUnknown>(Part)) {
      auto Is = numberOf(*Leaf->getValue());
      return !isa<Argument>(Leaf->getValue()) &&
             !(Is && Is->first >= LaunchNumber::BlockSize);
    }
    if (auto *Quotient = dyn_cast<SCEVUDivExpr>(Part)) {
      // The size of a block is not 0.
      const SCEV *By = Quotient->getRHS();
      while (auto *Cast = dyn_cast<SCEVIntegralCastExpr>(By))
        By = Cast->getOperand();
      auto *Leaf = dyn_cast<SCEVUnknown>(By);
      return !(isa<SCEVConstant>(By) && !By->isZero()) &&
             !(Leaf && numberOf(*Leaf->getValue()));
    }
    return !isa<SCEVConstant, SCEVAddExpr, SCEVMulExpr, SCEVIntegralCastExpr,
                SCEVMinMaxExpr>(Part);
  });
}

/// A truncation of what fits, whatever the sign: of threadIdx.x to 16 bits.
bool LaunchForms::keepsValue(const SCEVIntegralCastExpr &Cast) const {
  const ConstantRange Range = M.SE.getUnsignedRange(Cast.getOperand());
  return Range.getUnsignedMax().getActiveBits() <
         M.SE.getTypeSizeInBits(Cast.getType());
}

/// Of an integer with sign, or of an address.
Polynomial LaunchForms::symbolOf(const SCEV *S) {
  auto numberIn = [](const SCEV *S) {
    auto *Leaf = dyn_cast<SCEVUnknown>(S);
    return Leaf ? numberOf(*Leaf->getValue()) : std::nullopt;
  };
  while (auto *Cast = dyn_cast<SCEVIntegralCastExpr>(S)) {
    const SCEV *Of = Cast->getOperand();
    if ((isa<SCEVTruncateExpr>(Cast) && !keepsValue(*Cast)) ||
        (isa<SCEVZeroExtendExpr>(Cast) && !numberIn(Of) &&
         !M.SE.isKnownNonNegative(Of)))
      break;
    S = Of;
  }
  if (std::optional<Number> Is = numberIn(S))
    return number(Is->first, Is->second);
  if (!isUniform(S))
    return Polynomial::invalid();
  auto [It, New] = Symbols.try_emplace(S, Next);
  if (New)
    Values[Next++] = S;
  return Polynomial::symbol(It->second);
}

/// blockIdx.x * blockDim.x + threadIdx.x is one digit.
Polynomial LaunchForms::joined(Polynomial P) {
  for (unsigned D = 0; D < LaunchDimensions && P.isValid(); ++D) {
    const auto Thread = unsigned(LaunchNumber::Thread) * LaunchDimensions + D;
    const auto Block = unsigned(LaunchNumber::Block) * LaunchDimensions + D;
    const Polynomial Of = coefficientOf(P, Thread);
    if (!Of.isValid() || isZero(Of) ||
        !areEqual(coefficientOf(P, Block),
                  Of * number(LaunchNumber::BlockSize, D)))
      continue;
    P = P.with(Block, Polynomial(0))
            .with(Thread, number(LaunchNumber::Item, D));
  }
  return P;
}

bool LaunchForms::hasDigits(const Polynomial &P) const {
  return any_of(P.terms(), [&](const auto &Term) {
    return any_of(Term.first, [&](auto S) { return Digits.count(S) != 0; });
  });
}

/// \p P, and what it is calculated of, is not to leave 31 bits: false if that
/// cannot be asked.
bool LaunchForms::addFitting(const Polynomial &P, LaunchForm &F) const {
  constexpr int64_t MostFactor = 1 << 24;
  constexpr size_t MostTerms = 8;
  Polynomial Most(0);
  const Polynomial Joined = joined(P);
  for (const auto &[Symbols, Coefficient] : Joined.terms()) {
    Polynomial Term(std::abs(Coefficient));
    for (Polynomial::Symbol S : Symbols) {
      auto Of = Digits.find(S);
      Term = Term * (Of == Digits.end()
                         ? Polynomial::symbol(S)
                         : Of->second.Bound.value_or(Polynomial::invalid()));
    }
    Most = Most + Term;
  }
  if (!Joined.isValid() || !Most.isValid() || Most.terms().size() > MostTerms ||
      any_of(Most.terms(), [](const auto &T) {
        return T.second > MostFactor || T.second < -MostFactor;
      }))
    return false;
  F.Fits.push_back(Most);
  return true;
}

/// What does not wrap around has the value that its parts make.
Polynomial LaunchForms::exactParts(const SCEVNAryExpr &S, bool Signed,
                                   LaunchForm &F) {
  if (auto *Advance = dyn_cast<SCEVAddRecExpr>(&S))
    return Advance->isAffine()
               ? exact(Advance->getStart(), Signed, F) +
                     exact(Advance->getStepRecurrence(M.SE), Signed, F) *
                         counterOf(*Advance->getLoop())
               : Polynomial::invalid();
  if (!isa<SCEVAddExpr, SCEVMulExpr>(S))
    return polynomial(&S, F);
  const bool IsSum = isa<SCEVAddExpr>(S);
  Polynomial Result(IsSum ? 0 : 1);
  for (const SCEV *Op : S.operands())
    Result =
        IsSum ? Result + exact(Op, Signed, F) : Result * exact(Op, Signed, F);
  return Result;
}

/// \p S as a number, with or without sign, if it has not wrapped around in its
/// type. (Of 64 bits, what counts is the address modulo 2^64.)
Polynomial LaunchForms::exact(const SCEV *S, bool Signed, LaunchForm &F) {
  const Polynomial Result = polynomial(S, F);
  const uint64_t Bits = M.SE.getTypeSizeInBits(S->getType());
  if (Bits >= 64)
    return Result;
  auto fits = [&](bool Does) { return Does ? Result : Polynomial::invalid(); };
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return fits(Signed || !C->getAPInt().isNegative());
  if (isa<SCEVUnknown, SCEVIntegralCastExpr>(S))
    return fits(Signed || M.SE.isKnownNonNegative(S) ||
                (Result.hasNoNegativeTerm() && addFitting(Result, F)));
  if (auto *Of = dyn_cast<SCEVNAryExpr>(S);
      Of && (Signed ? Of->hasNoSignedWrap() : Of->hasNoUnsignedWrap()))
    return exactParts(*Of, Signed, F);
  if (Bits != 32)
    return Polynomial::invalid();
  // It is below the bound in each iteration, and in the last one less than a
  // step behind it.
  if (auto *A = dyn_cast<SCEVAddRecExpr>(S); A && A->isAffine())
    if (std::optional<Guard> Below = guardOf(*A)) {
      const Polynomial Start = exact(A->getStart(), Signed, F);
      const Polynomial Step = polynomial(A->getStepRecurrence(M.SE), F);
      return fits(Start.hasNoNegativeTerm() && Step.hasNoNegativeTerm() &&
                  addFitting(Start, F) &&
                  addFitting(polynomial(Below->Bound, F) + Step, F));
    }
  return fits((Signed || Result.hasNoNegativeTerm()) && addFitting(Result, F));
}

/// What \p A is less than in all iterations of its loop.
std::optional<LaunchForms::Guard>
LaunchForms::guardOf(const SCEVAddRecExpr &A) const {
  const Loop &L = *A.getLoop();
  const BasicBlock *Exiting = L.getExitingBlock();
  auto *Br = Exiting ? dyn_cast<BranchInst>(Exiting->getTerminator()) : nullptr;
  auto *Compare = Br && Br->isConditional()
                      ? dyn_cast<ICmpInst>(Br->getCondition())
                      : nullptr;
  if (!Compare || Compare->getOperand(0)->getType() != A.getType())
    return std::nullopt;
  for (Value *Op : Compare->operands()) {
    const SCEV *Bound = M.SE.getSCEV(Op);
    if (!isUniform(Bound))
      continue;
    for (auto Is : {ICmpInst::ICMP_SLT, ICmpInst::ICMP_ULT})
      if (M.SE.isLoopEntryGuardedByCond(&L, Is, A.getStart(), Bound) &&
          M.SE.isLoopBackedgeGuardedByCond(&L, Is, A.getPostIncExpr(M.SE),
                                           Bound))
        return {{Is, Bound}};
  }
  return std::nullopt;
}

Polynomial LaunchForms::ofCast(const SCEVIntegralCastExpr &Cast,
                               LaunchForm &F) {
  const SCEV *Of = Cast.getOperand();
  if (isUniform(&Cast))
    return symbolOf(&Cast);
  // It has not wrapped around.
  if (std::optional<Polynomial> Wrapped = wrappedOf(Of, F))
    return isa<SCEVZeroExtendExpr>(Cast) && !Wrapped->hasNoNegativeTerm()
               ? Polynomial::invalid()
               : *Wrapped;
  if (!isa<SCEVTruncateExpr>(Cast)) {
    auto *Leaf = dyn_cast<SCEVUnknown>(Of);
    if (Leaf && !numberOf(*Leaf->getValue()))
      return Polynomial::invalid();
    return exact(Of, isa<SCEVSignExtendExpr>(Cast), F);
  }
  Polynomial Result = polynomial(Of, F);
  if (keepsValue(Cast))
    return Result;
  const bool Fits = M.SE.getTypeSizeInBits(Cast.getType()) == 32 &&
                    Result.hasNoNegativeTerm() && addFitting(Result, F);
  return Fits ? Result : Polynomial::invalid();
}

Polynomial LaunchForms::counterOf(const Loop &L) {
  auto [It, New] = Counters.try_emplace(&L, Next);
  if (!New)
    return Polynomial::symbol(It->second);
  const Polynomial::Symbol S = Next++;
  Digit Counter;
  const SCEV *Last = M.SE.getBackedgeTakenCount(&L);
  if (!isa<SCEVCouldNotCompute>(Last) && isUniform(Last)) {
    auto *Count = dyn_cast<SCEVConstant>(Last);
    if (!Count)
      Counter.Bound = symbolOf(Last) + Polynomial(1);
    else if (Count->getAPInt().getActiveBits() < 31)
      Counter.Bound = Polynomial(Count->getAPInt().getZExtValue() + 1);
  }
  Digits[S] = Counter;
  return Polynomial::symbol(S);
}

Polynomial LaunchForms::polynomial(const SCEV *S, LaunchForm &F) {
  if (std::optional<Polynomial> Wrapped = wrappedOf(S, F))
    return *Wrapped;
  if (std::optional<Polynomial> Of = polynomialOf(
          S, M.SE, [&](const SCEV *Op) { return polynomial(Op, F); },
          [&](const Loop &L) { return counterOf(L); }))
    return withoutQuotients(*Of);
  if (auto *Cast = dyn_cast<SCEVIntegralCastExpr>(S))
    return ofCast(*Cast, F);
  return symbolOf(S);
}

bool LaunchForms::takeApart(Polynomial Address, LaunchForm &F) const {
  Address = joined(Address);
  for (const auto &[S, Of] : Digits) {
    Polynomial Coefficient = coefficientOf(Address, S);
    if (!Coefficient.isValid() || hasDigits(Coefficient))
      return false;
    if (isZero(Coefficient))
      continue;
    Address = Address.with(S, Polynomial(0));
    F.Parts.push_back({S, Coefficient, {}});
    if (!Of.Bound)
      continue;
    F.Parts.back().Bounds.push_back(*Of.Bound);
    // The count of a loop is a number without sign.
    if (!Of.Tells)
      F.Fits.push_back(*Of.Bound);
  }
  F.Start = Address;
  return Address.isValid();
}

/// Where a coefficient is negative, the digit is counted from its other end.
void LaunchForms::turnAround(LaunchForm &F) const {
  for (LaunchForm::Part &P : F.Parts) {
    const Polynomial Turned = Polynomial(0) - P.Coefficient;
    if (!Turned.hasNoNegativeTerm() || P.Bounds.empty() || F.Way)
      continue;
    const Polynomial Bound = P.Bounds.back();
    F.Start = F.Start + P.Coefficient * (Bound - Polynomial(1));
    P.Coefficient = Turned;
    P.Bounds.assign(1, Bound);
    P.IsTurned = true;
  }
}

std::optional<LaunchForm> LaunchForms::of(const Instruction &I) {
  std::optional<LoopAccess> Access = accessOf(I, M.SE);
  if (!Access)
    return std::nullopt;
  LaunchForm F;
  F.Size = Access->Size;
  At = &I;
  if (!takeApart(polynomial(Access->Address, F), F))
    return std::nullopt;
  F.IsShared = mayBeShared(F);
  addGuards(I, F);
  turnAround(F);
  orderAsKnown(F.Parts, [](const auto &A, const auto &B) {
    if (A.Bounds.empty() != B.Bounds.empty())
      return B.Bounds.empty();
    if (degreeOf(A.Coefficient) != degreeOf(B.Coefficient))
      return degreeOf(A.Coefficient) < degreeOf(B.Coefficient);
    const Polynomial Between = B.Coefficient - A.Coefficient;
    return !isZero(Between) && Between.hasNoNegativeTerm();
  });
  return F;
}

SmallVector<Polynomial, 6> LaunchForms::untold(const LaunchForm &F) const {
  SmallVector<Polynomial, 6> Result;
  auto isTold = [&](LaunchNumber N, unsigned D) {
    return any_of(F.Parts, [&](const LaunchForm::Part &P) {
      const auto &Tells = Digits.at(P.Digit).Tells;
      return Tells && Tells->second == D &&
             (Tells->first == N || Tells->first == LaunchNumber::Item);
    });
  };
  for (unsigned D = 0; D < LaunchDimensions; ++D) {
    const bool Thread = isTold(LaunchNumber::Thread, D);
    const bool Block = isTold(LaunchNumber::Block, D);
    if (!Thread || !Block)
      Result.push_back(number(Thread  ? LaunchNumber::GridSize
                              : Block ? LaunchNumber::BlockSize
                                      : LaunchNumber::Items,
                              D));
  }
  return Result;
}

/// \p Less is less than, or at most, \p More where the access is.
void LaunchForms::addGuard(ICmpInst::Predicate Is, const SCEV *Less,
                           const SCEV *More, LaunchForm &F) {
  if (ICmpInst::isGT(Is) || ICmpInst::isGE(Is)) {
    Is = ICmpInst::getSwappedPredicate(Is);
    std::swap(Less, More);
  }
  const bool Signed = ICmpInst::isSigned(Is);
  if (!ICmpInst::isLT(Is) && !ICmpInst::isLE(Is))
    return;
  if (!Less->getType()->isIntegerTy() || !isUniform(More) || isUniform(Less))
    return;
  LaunchForm With;
  With.Fits = F.Fits;
  Polynomial Bound = exact(More, Signed, With);
  // Without sign, it could be more than it seems.
  if (!Signed && !M.SE.isKnownNonNegative(More) && !addFitting(Bound, With))
    return;
  LaunchForm Of;
  if (!takeApart(exact(Less, Signed, With), Of))
    return;
  std::optional<int64_t> Rest = constantOf(Of.Start);
  if (!Rest || *Rest > INT32_MAX || *Rest < INT32_MIN || !Bound.isValid())
    return;
  Bound = Bound + Polynomial(int64_t(ICmpInst::isLE(Is)) - *Rest);
  bool Helps = false;
  for (LaunchForm::Part &P : F.Parts)
    if (Of.Parts.size() == 1 && P.Digit == Of.Parts.front().Digit &&
        constantOf(Of.Parts.front().Coefficient) == 1) {
      P.Bounds.push_back(Bound);
      Helps = true;
    }
  // The parts of the address are a multiple of what is compared.
  if (!Helps && Of.Parts.size() == F.Parts.size() && !F.Way)
    for (uint64_t Times : {uint64_t(1), F.Size}) {
      auto isMultiple = [&](const auto &Pair) {
        const auto &[A, B] = Pair;
        return A.Digit == B.Digit &&
               areEqual(A.Coefficient, B.Coefficient * Polynomial(Times));
      };
      if (!Helps && all_of(zip(F.Parts, Of.Parts), isMultiple) &&
          addFitting(Bound, With)) {
        F.Way = (Bound - Polynomial(1)) * Polynomial(Times);
        Helps = true;
      }
    }
  if (Helps)
    F.Fits = With.Fits;
}

void LaunchForms::addCondition(const Value *V, bool Holds, LaunchForm &F,
                               unsigned Depth) {
  constexpr unsigned MaxDepth = 4;
  Value *A, *B;
  auto *Both = const_cast<Value *>(V);
  if (Depth < MaxDepth &&
      (Holds ? match(Both, m_LogicalAnd(m_Value(A), m_Value(B)))
             : match(Both, m_LogicalOr(m_Value(A), m_Value(B))))) {
    addCondition(A, Holds, F, Depth + 1);
    addCondition(B, Holds, F, Depth + 1);
    return;
  }
  auto *Compare = dyn_cast<ICmpInst>(V);
  if (!Compare || !M.SE.isSCEVable(Compare->getOperand(0)->getType()))
    return;
  addGuard(Holds ? Compare->getPredicate() : Compare->getInversePredicate(),
           M.SE.getSCEV(Compare->getOperand(0)),
           M.SE.getSCEV(Compare->getOperand(1)), F);
}

/// Numbers that stay below a bound in all iterations.
void LaunchForms::addGuards(const Loop &L, LaunchForm &F) {
  const BasicBlock *Exiting = L.getExitingBlock();
  auto *Br = Exiting ? dyn_cast<BranchInst>(Exiting->getTerminator()) : nullptr;
  auto *Compare = Br && Br->isConditional()
                      ? dyn_cast<ICmpInst>(Br->getCondition())
                      : nullptr;
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy())
    return;
  for (Value *Op : Compare->operands()) {
    auto *X = dyn_cast<SCEVAddRecExpr>(M.SE.getSCEV(Op));
    if (!X || X->getLoop() != &L || !X->isAffine())
      continue;
    const SCEV *Before = M.SE.getMinusSCEV(X, X->getStepRecurrence(M.SE));
    for (const SCEV *Number : {static_cast<const SCEV *>(X), Before})
      if (auto *A = dyn_cast<SCEVAddRecExpr>(Number))
        if (std::optional<Guard> Below = guardOf(*A))
          addGuard(Below->Is, A, Below->Bound, F);
  }
}

void LaunchForms::addGuards(const Instruction &At, LaunchForm &F) {
  constexpr unsigned MaxBlocks = 32;
  const BasicBlock *Here = At.getParent();
  unsigned Count = 0;
  for (const DomTreeNode *N = P.DT->getNode(Here);
       N && N->getIDom() && Count < MaxBlocks; N = N->getIDom(), ++Count) {
    const BasicBlock *Above = N->getIDom()->getBlock();
    auto *Br = dyn_cast<BranchInst>(Above->getTerminator());
    if (!Br || !Br->isConditional() ||
        Br->getSuccessor(0) == Br->getSuccessor(1))
      continue;
    for (unsigned K : {0, 1})
      if (P.DT->dominates(BasicBlockEdge(Above, Br->getSuccessor(K)), Here))
        addCondition(Br->getCondition(), K == 0, F);
  }
  for (const Loop *L = P.LI->getLoopFor(Here); L; L = L->getParentLoop())
    addGuards(*L, F);
}

} // namespace adze
