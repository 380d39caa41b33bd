// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Sharing/ThreadAddress.h"
#include "Loops/ChunkBounds.h"
#include "adze/Teams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

/// Larger steps could come around to where they were.
constexpr int64_t MostStep = int64_t(1) << 31;

/// \p P is not negative. (isAtLeast takes all symbols for non-negative.)
bool isNeverNegative(const Polynomial &P,
                     const DenseSet<Polynomial::Symbol> &Sizes,
                     ArrayRef<Polynomial> NonNegative) {
  if (std::optional<int64_t> C = constantOf(P))
    return *C >= 0;
  auto areSizes = [&](const Polynomial &Q) {
    return Q.isValid() && all_of(Q.terms(), [&](const auto &Term) {
             return all_of(Term.first,
                           [&](auto S) { return Sizes.contains(S); });
           });
  };
  return areSizes(P) && all_of(NonNegative, areSizes) &&
         isAtLeast(P, 0, NonNegative);
}

/// The count of a loop is often written as zext(n - c) where rows are sext(n)
/// long: where the loop is entered, n is not less than c, and not negative.
class SignedCount : public SCEVRewriteVisitor<SignedCount> {
public:
  SignedCount(ScalarEvolution &SE, const Loop &L)
      : SCEVRewriteVisitor(SE), L(L) {}
  SmallVector<const SCEV *, 2> NonNegative;

  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    const SCEV *Of = E->getOperand();
    const SCEV *Less = SE.getZero(Of->getType());
    if (auto *Sum = dyn_cast<SCEVAddExpr>(Of);
        Sum && Sum->getNumOperands() == 2 &&
        isa<SCEVConstant>(Sum->getOperand(0)) &&
        SE.isKnownNegative(Sum->getOperand(0))) {
      Less = SE.getNegativeSCEV(Sum->getOperand(0));
      Of = Sum->getOperand(1);
    }
    if (!SE.isKnownNonNegative(Less) ||
        !SE.isLoopEntryGuardedByCond(&L, ICmpInst::ICMP_SGE, Of, Less))
      return E;
    const SCEV *Wide = SE.getSignExtendExpr(Of, E->getType());
    NonNegative.push_back(Wide);
    return SE.getMinusSCEV(Wide, SE.getSignExtendExpr(Less, E->getType()));
  }

private:
  const Loop &L;
};

/// What a load reads, or a block copy of known length.
std::optional<LoopAccess> readOf(const Instruction &I, ScalarEvolution &SE) {
  auto *Copy = dyn_cast<AnyMemTransferInst>(&I);
  if (!Copy)
    return accessOf(I, SE);
  auto *Bytes = dyn_cast<ConstantInt>(Copy->getLength());
  if (!Bytes || Bytes->getValue().getActiveBits() > 31)
    return std::nullopt;
  return LoopAccess{const_cast<Instruction *>(&I),
                    SE.getSCEV(Copy->getRawSource()), Bytes->getZExtValue()};
}

} // namespace

void ThreadAddresses::unite(const ArgumentPairs &Equal) {
  for (unsigned Later = 1; Later < P.F->arg_size(); ++Later)
    for (unsigned First = 0; First < Later; ++First)
      if (Equal.of(First, Later) == AddressPair::Equal) {
        Representatives[M.SE.getSCEV(P.F->getArg(Later))] =
            M.SE.getSCEV(P.F->getArg(First));
        break;
      }
}

/// The bounds of a loop between which all its iterations lie.
std::optional<ThreadAddresses::Shares>
ThreadAddresses::boundsOf(const LoopRecord &L) {
  const SCEV *Count = withoutCasts(M.SE.getBackedgeTakenCount(L.L));
  if (isa<SCEVCouldNotCompute>(Count))
    return std::nullopt;
  Shares Result;
  Result.Step = 1;
  if (auto *Part = dyn_cast<SCEVUDivExpr>(Count)) {
    auto *By = dyn_cast<SCEVConstant>(Part->getRHS());
    if (!By || By->getAPInt().getActiveBits() > 31)
      return std::nullopt;
    Result.Step = int64_t(By->getAPInt().getZExtValue());
    Count = Part->getLHS();
  }
  BoundsDistance D;
  D.add(Count, 1);
  if (!D.isRight())
    return std::nullopt;
  Result.Lower = D.Lower;
  Result.Upper = D.Upper;
  Result.Chunks = D.Chunks;
  return Result;
}

/// Threads take the iterations between \p S from each other while \p Outer, and
/// no loop around it, runs: what the runtime has written to memory in that
/// loop.
static bool isTaken(const ThreadAddresses::Shares &S, const LoopRecord &Outer,
                    const LoopInfo &LI) {
  auto isWithin = [&](const Value *Bound) {
    auto *Call = cast<CallBase>(Bound);
    return isa<LoadInst>(Call->getArgOperand(0)) &&
           LI.getLoopFor(Call->getParent()) == Outer.L;
  };
  return !Outer.Parent && isWithin(S.Lower) && isWithin(S.Upper) &&
         any_of(Outer.L->blocks(), [&](const BasicBlock *B) {
           return LI.getLoopFor(B) == Outer.L &&
                  any_of(*B, [](const Instruction &I) {
                    return teams::takesIterations(I);
                  });
         });
}

/// \p V is the same whenever an iteration of \p L computes it: the runtime
/// tells a thread the same all through a region.
static bool isSameIn(const Loop &L, const Value &V, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 12;
  if (L.isLoopInvariant(&V))
    return true;
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || Depth == MaxDepth)
    return false;
  auto *Call = dyn_cast<CallBase>(I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  const bool IsSame =
      Call ? Callee && (teams::isBoundFunction(*Call) ||
                        Callee->getName() == "omp_get_thread_num" ||
                        Callee->getName() == "omp_get_num_threads" ||
                        isa<MinMaxIntrinsic>(Call))
           : isa<BinaryOperator, CastInst, CmpInst, SelectInst>(I);
  return IsSame && all_of(I->operands(), [&](const Use &Op) {
           return isa<Function>(Op) || isSameIn(L, *Op, Depth + 1);
         });
}

/// Two threads never have a common iteration, each time that the loop runs.
std::optional<ThreadAddresses::Shares>
ThreadAddresses::sharesOf(const LoopRecord &L) {
  std::optional<Shares> Result = boundsOf(L);
  if (!Result)
    return std::nullopt;
  for (const LoopRecord *Outer = L.Parent; Outer; Outer = Outer->Parent)
    if ((!isSameIn(*Outer->L, *Result->Lower) ||
         !isSameIn(*Outer->L, *Result->Upper)) &&
        !isTaken(*Result, *Outer, *P.LI))
      return std::nullopt;
  return Result;
}

const Value *ThreadAddresses::partsOf(const LoopRecord &L) {
  std::optional<Shares> S = boundsOf(L);
  return S ? teams::partsOf(*S->Lower) : nullptr;
}

Polynomial ThreadAddresses::counterOf(const Loop &L) {
  auto [It, New] = Counters.insert({&L, Next});
  Next += New;
  return Polynomial::symbol(It->second);
}

/// Of a value, cast or not, or of what is calculated of uniform ones.
Polynomial ThreadAddresses::symbolOf(const SCEV *S) {
  if (const SCEV *First = Representatives.lookup(S))
    S = First;
  const Loop *Chunks = nullptr;
  const Value *Bound = lowerBoundIn(S, Chunks);
  const bool IsStride = isStride(S);
  if (!Bound && !IsStride && SCEVExprContains(S, [&](const SCEV *Part) {
        auto *V = dyn_cast<SCEVUnknown>(Part);
        return isa<SCEVAddRecExpr, SCEVCouldNotCompute>(Part) ||
               (V && !IsUniform(*V->getValue()));
      }))
    return Polynomial::invalid();
  auto [It, New] = Symbols.try_emplace(S, Next);
  Next += New;
  if (Bound)
    Bounds[It->second] = Bound;
  else if (IsStride)
    Strides.insert(It->second);
  else if (New && M.SE.isKnownNonNegative(S))
    Sizes.insert(It->second);
  return Polynomial::symbol(It->second);
}

Polynomial ThreadAddresses::polynomial(const SCEV *S) {
  if (std::optional<Polynomial> Of = polynomialOf(
          S, M.SE, [&](const SCEV *Op) { return polynomial(Op); },
          [&](const Loop &L) { return counterOf(L); }))
    return *Of;
  // A cast of what does not wrap around is that of its parts.
  if (auto *Cast = dyn_cast<SCEVIntegralCastExpr>(S))
    if (auto *Of = dyn_cast<SCEVNAryExpr>(Cast->getOperand()))
      if ((isa<SCEVSignExtendExpr>(Cast) && Of->hasNoSignedWrap()) ||
          (isa<SCEVZeroExtendExpr>(Cast) && Of->hasNoUnsignedWrap()))
        return polynomial(Of);
  return symbolOf(S);
}

/// Of a loop that is entered.
Polynomial ThreadAddresses::lastIterationOf(const LoopRecord &L,
                                            ThreadAddress &At) {
  const SCEV *Last = M.SE.getBackedgeTakenCount(L.L);
  if (isa<SCEVCouldNotCompute>(Last))
    return Polynomial::invalid();
  SignedCount Signed(M.SE, *L.L);
  const Polynomial Result = polynomial(Signed.visit(Last));
  for (const SCEV *S : Signed.NonNegative)
    if (auto It = Symbols.find(S); It != Symbols.end())
      At.Sizes.insert(It->second);
  return Result;
}

std::optional<ThreadAddress> ThreadAddresses::find(const Instruction &I) {
  std::optional<LoopAccess> Access = readOf(I, M.SE);
  if (!Access)
    return std::nullopt;
  ThreadAddress Result;
  Result.Size = Access->Size;
  const LoopRecord *Shared = nullptr;
  const Loop *Chunks = nullptr;
  for (const LoopRecord *L = P.loopOf(I.getParent()); L && !Shared;
       L = L->Parent)
    if (std::optional<Shares> S = sharesOf(*L)) {
      Shared = Result.L = L;
      Result.Lower = S->Lower;
      Result.Upper = S->Upper;
      Result.Step = S->Step;
      Chunks = S->Chunks;
    }
  if (!Shared)
    return std::nullopt;
  Polynomial Address = polynomial(Access->Address);
  // start + step * counter, with start = rest + scale * lower.
  Result.Scale = Polynomial(0);
  for (auto [Symbol, Bound] : Bounds)
    if (Bound == Result.Lower)
      Result.Scale = Result.Scale + coefficientOf(Address, Symbol);
  auto Counter = Counters.find(Shared->L);
  if (Counter == Counters.end() ||
      !areEqual(coefficientOf(Address, Counter->second),
                Result.Scale * Polynomial(Result.Step)))
    return std::nullopt;
  Address = Address.with(Counter->second, Polynomial(0));
  // From chunk to chunk with the bounds.
  if (auto Chunk = Counters.find(Chunks); Chunk != Counters.end()) {
    const Polynomial Advance = coefficientOf(Address, Chunk->second);
    if (any_of(Strides, [&](Polynomial::Symbol S) {
          return areEqual(Advance, Result.Scale * Polynomial::symbol(S));
        }))
      Address = Address.with(Chunk->second, Polynomial(0));
  }
  for (auto [Symbol, Bound] : Bounds)
    if (Bound == Result.Lower)
      Address = Address.with(Symbol, Polynomial(0));
    else if (!areEqual(Address, Address.with(Symbol, Polynomial(0))))
      return std::nullopt; // the bound of another loop
  Result.Extent = Polynomial(0);
  Result.Sizes = Sizes;
  for (auto [L, Symbol] : Counters) {
    const Polynomial Step = coefficientOf(Address, Symbol);
    if (constantOf(Step) == 0)
      continue;
    const LoopRecord *Inner = P.LoopOf.lookup(L);
    if (!Inner || !Shared->L->contains(L) || L == Shared->L)
      return std::nullopt;
    const Polynomial Last = lastIterationOf(*Inner, Result);
    Result.NonNegative.push_back(Last);
    if (!isNeverNegative(Step, Result.Sizes, Result.NonNegative))
      return std::nullopt;
    Result.Extent = Result.Extent + Step * Last;
    Address = Address.with(Symbol, Polynomial(0));
  }
  Result.Start = Address;
  if (!Result.Start.isValid() || !Result.Extent.isValid())
    return std::nullopt;
  return Result;
}

namespace {

/// A row begins where an address of it is, and \p Distance bytes behind that of
/// another one.
struct InRow {
  int64_t Row = 0, Distance = 0;
};

constexpr int64_t MostRows = 8, MostDistance = 1 << 20;

/// Where \p B lies, seen from \p A, if rows are \p Row apart.
std::optional<InRow> positionOf(const ThreadAddress &A, const ThreadAddress &B,
                                const Polynomial &Row) {
  std::optional<InRow> Best;
  for (int64_t K = -MostRows; K <= MostRows; ++K) {
    std::optional<int64_t> D =
        constantOf(B.Start - A.Start - Row * Polynomial(K));
    if (D && std::abs(*D) <= MostDistance &&
        (!Best || std::abs(*D) < std::abs(Best->Distance)))
      Best = InRow{K, *D};
  }
  return Best;
}

} // namespace

std::optional<SmallVector<int64_t, 4>>
ThreadAddresses::rowsOf(ArrayRef<const ThreadAddress *> Addresses) {
  const ThreadAddress &First = *Addresses.front();
  const Polynomial Row = First.Scale * Polynomial(First.Step);
  if (std::optional<int64_t> Step = constantOf(Row); Step && *Step > MostStep)
    return std::nullopt;
  SmallVector<int64_t, 4> Rows;
  SmallVector<Polynomial, 4> Known;
  DenseSet<Polynomial::Symbol> Sizes;
  int64_t Least = 0;
  SmallVector<int64_t, 4> Distances;
  for (const ThreadAddress *A : Addresses) {
    std::optional<InRow> At = positionOf(First, *A, Row);
    if (!At || A->Lower != First.Lower || A->Upper != First.Upper ||
        A->Step != First.Step || !areEqual(A->Scale, First.Scale))
      return std::nullopt;
    Rows.push_back(At->Row);
    Distances.push_back(At->Distance);
    Least = std::min(Least, At->Distance);
    append_range(Known, A->NonNegative);
    Sizes.insert(A->Sizes.begin(), A->Sizes.end());
  }
  // From the first byte of any to the last byte of each.
  for (auto [A, Distance] : zip(Addresses, Distances)) {
    const int64_t Most = Distance - Least + int64_t(A->Size);
    if (!isNeverNegative(Row - A->Extent - Polynomial(Most), Sizes, Known))
      return std::nullopt;
  }
  return Rows;
}

bool ThreadAddresses::areApart(const ThreadAddress &A, const ThreadAddress &B) {
  if (A.Lower != B.Lower || A.Upper != B.Upper || A.Step != B.Step ||
      !areEqual(A.Scale, B.Scale))
    return false;
  std::optional<int64_t> Distance = constantOf(B.Start - A.Start);
  constexpr int64_t Most = 1 << 20;
  if (!Distance || *Distance > Most || *Distance < -Most)
    return false;
  SmallVector<Polynomial, 4> Known(A.NonNegative.begin(), A.NonNegative.end());
  append_range(Known, B.NonNegative);
  DenseSet<Polynomial::Symbol> Sizes(A.Sizes);
  for (Polynomial::Symbol S : B.Sizes)
    Sizes.insert(S);
  const Polynomial Row = A.Scale * Polynomial(A.Step);
  if (std::optional<int64_t> Step = constantOf(Row);
      Step && (*Step > MostStep || *Step < -MostStep))
    return false;
  // Both ends of both, from the first byte of one to the last of the other.
  auto fits = [&](const ThreadAddress &To, int64_t Offset) {
    const Polynomial Bytes = To.Extent + Polynomial(Offset + int64_t(To.Size));
    return isNeverNegative(Row - Bytes, Sizes, Known) ||
           isNeverNegative(Polynomial(0) - Row - Bytes, Sizes, Known);
  };
  const int64_t FromA = *Distance < 0 ? -*Distance : 0;
  const int64_t FromB = *Distance > 0 ? *Distance : 0;
  return fits(A, FromA) && fits(B, FromB);
}

} // namespace adze
