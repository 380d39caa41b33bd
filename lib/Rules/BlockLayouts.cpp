// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BlockLayouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include <numeric>

using namespace llvm;

namespace adze {

namespace {

/// What one byte holds, and its place in the scalar (0 for bytes that are none
/// of a float). \p Contradicted: a pointer, or something else.
struct ByteOf {
  ConcreteType Type;
  uint64_t Part = 0;
  bool Contradicted = false;
  bool operator==(const ByteOf &O) const {
    return Type == O.Type && Part == O.Part && Contradicted == O.Contradicted;
  }
};

uint64_t sizeOf(ConcreteType T) {
  return T.isFloat() ? T.floatType()->getPrimitiveSizeInBits() / 8 : 1;
}

bool isAnything(ConcreteType T) { return T.kind() == ConcreteType::Anything; }

/// The \p Size bytes that \p End begins with.
SmallVector<ByteOf, 64> bytesOf(const CopyEnd &End, uint64_t Size) {
  const BlockLayout &L = End.Layout;
  SmallVector<ByteOf, 64> Out(Size);
  uint64_t Period = std::max<uint64_t>(L.Period, 1);
  for (uint64_t Base = 0; Base < Size; Base += Period) {
    for (const TypedRange &R : L.Ranges)
      for (uint64_t B = R.Begin; B < R.End && Base + B < Size; ++B)
        Out[Base + B] = {R.Type, (B - R.Begin) % sizeOf(R.Type)};
    if (Size - Base < Period)
      break;
  }
  for (unsigned B : End.Pointers.set_bits())
    if (B < Size)
      Out[B].Contradicted = !Out[B].Type.isKnown();
  return Out;
}

/// Behind an 80-bit float nothing stands.
void fillTails(SmallVectorImpl<ByteOf> &Bytes) {
  for (uint64_t B = X87Size; B < Bytes.size(); ++B) {
    const ByteOf &Before = Bytes[B - 1];
    bool Ends = Before.Type.isFloat() &&
                Before.Type.floatType()->isX86_FP80Ty() &&
                Before.Part + 1 == X87Size;
    for (uint64_t K = 0; Ends && K < X87Stride - X87Size; ++K)
      if (B + K < Bytes.size() && !Bytes[B + K].Type.isKnown())
        Bytes[B + K] = {ConcreteType::Anything};
  }
}

/// \p BelieveNumbers: where one end alone speaks of one.
ByteOf both(const ByteOf &A, const ByteOf &B, bool BelieveNumbers) {
  if (A == B || isAnything(B.Type))
    return A.Type.isKnown() ? A : ByteOf();
  if (isAnything(A.Type))
    return B;
  if (A.Contradicted || B.Contradicted)
    return {};
  bool Known = A.Type.isKnown() && B.Type.isKnown();
  const ByteOf &One = A.Type.isKnown() ? A : B;
  if (!Known)
    return One.Type.isInteger() && !BelieveNumbers ? ByteOf() : One;
  if (A.Type.isInteger())
    return B;
  return B.Type.isInteger() ? A : ByteOf();
}

/// Floats of which a part became something else are Unknown.
void dropParts(SmallVectorImpl<ByteOf> &Bytes) {
  for (uint64_t B = 0; B < Bytes.size();) {
    uint64_t Size = sizeOf(Bytes[B].Type), N = 0;
    if (!Bytes[B].Type.isFloat()) {
      ++B;
      continue;
    }
    while (B + N < Bytes.size() && N < Size &&
           Bytes[B + N] == ByteOf{Bytes[B].Type, N})
      ++N;
    if (N == Size) {
      B += Size;
      continue;
    }
    uint64_t End = B + std::max<uint64_t>(N, 1);
    for (; B < End; ++B)
      Bytes[B] = ByteOf();
  }
}

BlockLayout layoutOf(ArrayRef<ByteOf> Bytes) {
  BlockLayout L;
  L.Period = Bytes.size();
  for (uint64_t B = 0; B < Bytes.size(); ++B) {
    if (!L.Ranges.empty() && L.Ranges.back().Type == Bytes[B].Type)
      L.Ranges.back().End = B + 1;
    else
      L.Ranges.push_back({B, B + 1, Bytes[B].Type});
  }
  return L;
}

BlockLayout merged(const CopyEnd &A, const CopyEnd &B, uint64_t Size,
                   bool BelieveNumbers) {
  SmallVector<ByteOf, 64> Bytes = bytesOf(A, Size), Other = bytesOf(B, Size);
  fillTails(Bytes);
  fillTails(Other);
  for (auto [Left, Right] : zip(Bytes, Other))
    Left = both(Left, Right, BelieveNumbers);
  dropParts(Bytes);
  return layoutOf(Bytes);
}

/// How many bytes of it are described one by one.
uint64_t shown(const BlockLayout &L) {
  if (L.Period != UINT64_MAX)
    return L.Period;
  uint64_t End = 1;
  for (const TypedRange &R : L.Ranges)
    End = std::max(End, R.End == UINT64_MAX ? R.Begin : R.End);
  return End;
}

/// The type that goes on to the end of a block that does not repeat.
ByteOf tailOf(const BlockLayout &L, uint64_t At) {
  if (L.Ranges.empty())
    return {};
  if (L.Period == UINT64_MAX) {
    const TypedRange &R = L.Ranges.back();
    return R.End == UINT64_MAX ? ByteOf{R.Type, (At - R.Begin) % sizeOf(R.Type)}
                               : ByteOf();
  }
  const TypedRange &R = L.Ranges.front();
  bool Uniform = L.Ranges.size() == 1 && R.End == L.Period;
  return Uniform ? ByteOf{R.Type, At % sizeOf(R.Type)} : ByteOf();
}

} // namespace

BlockLayout bothLayouts(const CopyEnd &To, const CopyEnd &From,
                        uint64_t Bytes) {
  const BlockLayout &A = To.Layout, &B = From.Layout;
  bool BelieveNumbers = Bytes != UINT64_MAX;
  if (BelieveNumbers && Bytes <= MaxComparedBytes &&
      std::lcm(A.Period, B.Period) > Bytes)
    return merged(To, From, std::max<uint64_t>(Bytes, 1), BelieveNumbers);
  if (A.Period != UINT64_MAX && B.Period != UINT64_MAX) {
    uint64_t Gcd = std::gcd(A.Period, B.Period);
    uint64_t Period =
        A.Period / Gcd <= MaxComparedBytes / std::max<uint64_t>(B.Period, 1)
            ? A.Period / Gcd * B.Period
            : UINT64_MAX;
    if (Period <= MaxComparedBytes && (!BelieveNumbers || Bytes % Period == 0))
      return merged(To, From, Period, BelieveNumbers);
  }
  // One of them does not repeat: a part that is described, and a tail.
  uint64_t Shown = std::min(std::max(shown(A), shown(B)), MaxComparedBytes);
  BlockLayout L = merged(To, From, Shown, BelieveNumbers);
  ByteOf Tail = both(tailOf(A, Shown), tailOf(B, Shown), BelieveNumbers);
  // A float that goes on begins where the last one ends.
  bool Goes =
      Tail.Part == 0 && (!Tail.Type.isFloat() || Shown < MaxComparedBytes);
  L.Period = Bytes;
  ConcreteType Type = Goes ? Tail.Type : ConcreteType();
  if (!L.Ranges.empty() && L.Ranges.back().Type == Type)
    L.Ranges.back().End = Bytes;
  else
    L.Ranges.push_back({Shown, Bytes, Type});
  return L;
}

} // namespace adze
