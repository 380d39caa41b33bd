// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Precision/FloatFormat.h"

#include "llvm/IR/Type.h"

using namespace llvm;
using namespace adze;

namespace {

struct Widths {
  uint64_t Bits;
  unsigned Exponent, Significand;
};

/// (The significand of 80 bits shows its leading one.)
constexpr Widths Known[] = {
    {16, 5, 10}, {32, 8, 23}, {64, 11, 52}, {80, 15, 63}, {128, 15, 112}};

const Widths *widthsOf(uint64_t Bits) {
  for (const Widths &W : Known)
    if (W.Bits == Bits)
      return &W;
  return nullptr;
}

Error wrong(const Twine &What) {
  return createStringError(inconvertibleErrorCode(), What);
}

} // namespace

Expected<FloatFormat> FloatFormat::of(ArrayRef<uint64_t> Numbers) {
  if (Numbers.size() < 2 || Numbers.size() > 4)
    return wrong("two to four numbers are needed");
  const Widths *From = widthsOf(Numbers[0]);
  if (!From || From->Bits == 16)
    return wrong("no floats of " + Twine(Numbers[0]) +
                 " bits can be narrowed: 32, 64, 80 or 128");
  ArrayRef<uint64_t> To = Numbers.drop_front();
  // What follows may be said in front of it.
  if ((To.size() == 2 && To[0] == 0) || (To.size() == 3 && To[0] <= 1))
    To = To.drop_front();
  if (To.size() == 3)
    return wrong("three numbers behind the first begin with 0 or 1");
  FloatFormat Format;
  Format.From = unsigned(From->Bits);
  if (To.size() == 1) {
    const Widths *W = widthsOf(To[0]);
    if (!W)
      return wrong("no format has " + Twine(To[0]) +
                   " bits: 16, 32 or 64, or an exponent and a significand");
    Format.Exponent = W->Exponent;
    Format.Significand = W->Significand;
  } else {
    if (To[0] < 2 || To[0] > From->Exponent || To[1] < 1 ||
        To[1] > From->Significand)
      return wrong("exponent and significand of " + Twine(To[0]) + " and " +
                   Twine(To[1]) + " bits are not within 2 to " +
                   Twine(From->Exponent) + " and 1 to " +
                   Twine(From->Significand));
    Format.Exponent = unsigned(To[0]);
    Format.Significand = unsigned(To[1]);
  }
  if (Format.Exponent > From->Exponent ||
      Format.Significand > From->Significand ||
      (Format.Exponent == From->Exponent &&
       Format.Significand == From->Significand))
    return wrong("it is not narrower than " + Twine(From->Bits) + " bits");
  LLVMContext Context;
  if (Format.From > 64 && !Format.nativeType(Context))
    return wrong("floats of " + Twine(Format.From) +
                 " bits can be narrowed to 32 and 64 bits alone");
  return Format;
}

Type *FloatFormat::fromType(LLVMContext &Context) const {
  switch (From) {
  case 32:
    return Type::getFloatTy(Context);
  case 64:
    return Type::getDoubleTy(Context);
  case 80:
    return Type::getX86_FP80Ty(Context);
  default:
    return Type::getFP128Ty(Context);
  }
}

Type *FloatFormat::nativeType(LLVMContext &Context) const {
  if (From > 32 && Exponent == 8 && Significand == 23)
    return Type::getFloatTy(Context);
  if (From > 64 && Exponent == 11 && Significand == 52)
    return Type::getDoubleTy(Context);
  return nullptr;
}

std::string FloatFormat::text() const {
  return ("f" + Twine(From) + ".e" + Twine(Exponent) + ".m" +
          Twine(Significand))
      .str();
}
