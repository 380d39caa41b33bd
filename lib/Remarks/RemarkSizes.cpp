// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of tapes as expressions in what the source calls the bounds of its
// loops. They are text for people: widths of integers are left out, and a
// bound is evaluated as if it did not overflow.
#include "RemarkText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

/// Deeper expressions help nobody.
constexpr unsigned MaxDepth = 8;

/// A sum of products of names, with a constant.
struct Sum {
  int64_t Constant = 0;
  SmallVector<std::pair<std::string, int64_t>, 2> Terms;

  void add(StringRef Name, int64_t Factor) {
    for (auto &[Known, Old] : Terms)
      if (Known == Name) {
        Old = int64_t(uint64_t(Old) + uint64_t(Factor));
        return;
      }
    Terms.push_back({Name.str(), Factor});
  }
  void add(const Sum &Other, int64_t Factor) {
    Constant = int64_t(uint64_t(Constant) +
                       uint64_t(Other.Constant) * uint64_t(Factor));
    for (const auto &[Name, Times] : Other.Terms)
      add(Name, int64_t(uint64_t(Times) * uint64_t(Factor)));
  }
  bool isConstant() const {
    return all_of(Terms, [](const auto &T) { return T.second == 0; });
  }
  /// No parentheses are needed around it in a product.
  bool isAtom() const {
    unsigned Count = count_if(Terms, [](const auto &T) { return T.second; });
    return Count == 0 ||
           (Count == 1 && Constant == 0 && all_of(Terms, [](const auto &T) {
              return T.second == 0 || T.second == 1;
            }));
  }
  std::string text() const;
};

std::string magnitude(int64_t N) {
  return std::to_string(N < 0 ? 0 - uint64_t(N) : uint64_t(N));
}

std::string Sum::text() const {
  std::string Text;
  auto append = [&](int64_t Factor, const std::string &What) {
    if (Text.empty())
      Text = Factor < 0 ? "-" : "";
    else
      Text += Factor < 0 ? " - " : " + ";
    Text += What;
  };
  for (const auto &[Name, Factor] : Terms) {
    if (Factor == 0)
      continue;
    bool One = Factor == 1 || Factor == -1;
    append(Factor, One ? Name : magnitude(Factor) + " * " + Name);
  }
  if (Constant != 0 || Text.empty())
    append(Constant, magnitude(Constant));
  return Text;
}

std::string inProduct(const Sum &S) {
  return S.isAtom() ? S.text() : "(" + S.text() + ")";
}

std::optional<Sum> sumOf(const Value *V, unsigned Depth);

std::optional<Sum> named(const std::string &Name) {
  Sum S;
  S.add(Name, 1);
  return S;
}

/// The name of what is no arithmetic; none if two values might share it.
std::optional<Sum> leaf(const Value *V) {
  if (std::string Name = uniqueName(V); !Name.empty())
    return named(Name[0] == '*' ? "(" + Name + ")" : Name);
  if (isa<Argument>(V))
    return named("(" + describe(V) + ")");
  return std::nullopt;
}

std::optional<Sum> binary(const Value *L, const Value *R, StringRef Operator,
                          unsigned Depth) {
  auto A = sumOf(L, Depth), B = sumOf(R, Depth);
  if (!A || !B)
    return std::nullopt;
  if (Operator == "*" && (A->isConstant() || B->isConstant())) {
    Sum S;
    if (A->isConstant())
      std::swap(A, B);
    S.add(*A, B->Constant);
    return S;
  }
  if (Operator == "max" || Operator == "min")
    return named((Operator + "(" + A->text() + ", " + B->text() + ")").str());
  return named((inProduct(*A) + " " + Operator + " " + inProduct(*B)).str());
}

std::optional<Sum> linear(const Value *L, const Value *R, int64_t Sign,
                          unsigned Depth) {
  auto A = sumOf(L, Depth), B = sumOf(R, Depth);
  if (!A || !B)
    return std::nullopt;
  A->add(*B, Sign);
  return A;
}

std::optional<Sum> sumOf(const Value *V, unsigned Depth) {
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    if (C->getBitWidth() > 64)
      return std::nullopt;
    Sum S;
    S.Constant = C->getSExtValue();
    return S;
  }
  if (isa<Argument>(V))
    return leaf(V);
  if (Depth == 0)
    return std::nullopt;
  auto *Mutable = const_cast<Value *>(V);
  Value *L, *R;
  uint64_t Shift;
  std::optional<Sum> Result;
  if (isa<ZExtInst, SExtInst, TruncInst, FreezeInst>(V))
    Result = sumOf(cast<Instruction>(V)->getOperand(0), Depth - 1);
  else if (match(Mutable, m_Add(m_Value(L), m_Value(R))) ||
           match(Mutable, m_DisjointOr(m_Value(L), m_Value(R))))
    Result = linear(L, R, 1, Depth - 1);
  else if (match(Mutable, m_Sub(m_Value(L), m_Value(R))))
    Result = linear(L, R, -1, Depth - 1);
  else if (match(Mutable, m_Mul(m_Value(L), m_Value(R))))
    Result = binary(L, R, "*", Depth - 1);
  else if (match(Mutable, m_Shl(m_Value(L), m_ConstantInt(Shift))) &&
           Shift < 63) {
    if (auto A = sumOf(L, Depth - 1)) {
      Result.emplace();
      Result->add(*A, int64_t(1) << Shift);
    }
  } else if (match(Mutable, m_Shr(m_Value(L), m_ConstantInt(Shift))) &&
             Shift < 63) {
    if (auto A = sumOf(L, Depth - 1))
      Result =
          named(inProduct(*A) + " / " + std::to_string(uint64_t(1) << Shift));
  } else if (match(Mutable, m_UDiv(m_Value(L), m_Value(R))) ||
             match(Mutable, m_SDiv(m_Value(L), m_Value(R))))
    Result = binary(L, R, "/", Depth - 1);
  else if (match(Mutable, m_SMax(m_Value(L), m_Value(R))) ||
           match(Mutable, m_UMax(m_Value(L), m_Value(R))))
    Result = binary(L, R, "max", Depth - 1);
  else if (match(Mutable, m_SMin(m_Value(L), m_Value(R))) ||
           match(Mutable, m_UMin(m_Value(L), m_Value(R))))
    Result = binary(L, R, "min", Depth - 1);
  return Result ? Result : leaf(V);
}

Sum iterationsOf(const LoopRecord &L, const RemarkContext &T) {
  Sum S;
  S.add("(iterations of " + loopWords(L, T) + ")", 1);
  return S;
}

Sum countOf(const LoopRecord &L, const RemarkContext &T) {
  const Value *Last = L.LastIteration;
  // A guard makes the count 0 where the loop is not entered.
  if (auto *Guard = dyn_cast_or_null<SelectInst>(Last))
    if (match(Guard->getFalseValue(), m_Zero()))
      Last = Guard->getTrueValue();
  if (!Last)
    return iterationsOf(L, T);
  // max(n - 1, 0) + 1 is max(n, 1).
  while (isa<ZExtInst, SExtInst, TruncInst, FreezeInst>(Last))
    Last = cast<Instruction>(Last)->getOperand(0);
  auto *Mutable = const_cast<Value *>(Last);
  Value *AtLeast;
  const APInt *Least;
  bool AtLeastThat = match(Mutable, m_SMax(m_Value(AtLeast), m_APInt(Least))) ||
                     match(Mutable, m_UMax(m_Value(AtLeast), m_APInt(Least)));
  std::optional<Sum> S = sumOf(AtLeastThat ? AtLeast : Last, MaxDepth);
  if (!S || (AtLeastThat && !Least->isSignedIntN(32)))
    return iterationsOf(L, T);
  ++S->Constant;
  if (!AtLeastThat)
    return *S;
  Sum Max;
  Max.add("max(" + S->text() + ", " +
              std::to_string(Least->getSExtValue() + 1) + ")",
          1);
  return Max;
}

/// A product of counts, its constants gathered in front.
struct Product {
  uint64_t Factor = 1;
  SmallVector<std::string, 3> Names;

  void times(const Sum &S) {
    if (S.isConstant())
      Factor = SaturatingMultiply(Factor,
                                  uint64_t(std::max<int64_t>(S.Constant, 0)));
    else
      Names.push_back(inProduct(S));
  }
  std::string names() const { return join(Names, " * "); }
  std::string text() const {
    if (Names.empty())
      return std::to_string(Factor);
    return (Factor == 1 ? "" : std::to_string(Factor) + " * ") + names();
  }
};

/// Entered several times, \p L may run another number of times each time.
bool variesIn(const LoopRecord &L, ArrayRef<const LoopRecord *> Outer) {
  const Value *Last = L.LastIteration;
  if (!Last)
    return !Outer.empty();
  auto *I = dyn_cast<Instruction>(Last);
  return I && any_of(Outer, [&](const LoopRecord *O) {
           return O->L->contains(I->getParent());
         });
}

Product sizeOf(const RemarkContext &T, unsigned Index) {
  const DataLayout &DL = T.F.P->F->getParent()->getDataLayout();
  // Of a copy, what it takes; the pointers to it are little.
  const Snapshot *Copied = T.P.copyIn(T.P.Slots[Index]);
  Type *Element = T.P.Slots[Index].Element;
  uint64_t Bytes = Element->isSized() ? DL.getTypeAllocSize(Element) : 0;
  if (Copied)
    Bytes = Copied->Bytes;
  SmallVector<const LoopRecord *, 4> Loops;
  SmallVector<std::optional<uint64_t>, 4> Extents;
  bool IsOfPath = false;
  for (unsigned At = Index; At != NoSlot; At = T.P.Slots[At].Base) {
    const Slot &S = T.P.Slots[At];
    IsOfPath |= S.Size == Sizing::ByVisit;
    Loops.insert(Loops.begin(), S.Dims.begin(), S.Dims.end());
    SmallVector<std::optional<uint64_t>, 4> Known(S.Dims.size());
    std::copy(S.Extents.begin(), S.Extents.end(), Known.begin());
    Extents.insert(Extents.begin(), Known.begin(), Known.end());
  }
  if (Copied) {
    Loops.append(Copied->Over.begin(), Copied->Over.end());
    Extents.resize(Loops.size());
  }
  Product Size;
  Size.Factor = Bytes;
  for (unsigned K = 0; K < Loops.size(); ++K) {
    if (const std::optional<uint64_t> &Extent = Extents[K]) {
      Size.Factor = SaturatingMultiply(Size.Factor, *Extent);
    } else if (IsOfPath || variesIn(*Loops[K], ArrayRef(Loops).take_front(K))) {
      // All that it runs, each time that it is entered.
      Size = Product();
      Size.Factor = Bytes;
      Size.times(iterationsOf(*Loops[K], T));
    } else {
      Size.times(countOf(*Loops[K], T));
    }
  }
  return Size;
}

} // namespace

std::string slotBytes(const RemarkContext &T, unsigned Index, unsigned Times) {
  Product Size = sizeOf(T, Index);
  Size.Factor = SaturatingMultiply(Size.Factor, uint64_t(Times));
  return Size.text();
}

std::string tapeBytes(const RemarkContext &T,
                      function_ref<bool(const Slot &)> Counts) {
  Sum Total;
  for (unsigned I = 0; I < T.P.Slots.size(); ++I) {
    if (!Counts(T.P.Slots[I]))
      continue;
    Product Size = sizeOf(T, I);
    if (Size.Names.empty())
      Total.Constant += int64_t(Size.Factor);
    else
      Total.add(Size.names(), int64_t(Size.Factor));
  }
  return Total.text();
}

} // namespace adze
