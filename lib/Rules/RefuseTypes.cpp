// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types that stand in the way of a derivative, in words: what was seen, where,
// and what is known of the memory concerned.
#include "RefuseTypes.h"
#include "adze/DeviceTarget.h"
#include "adze/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

std::string inWords(ConcreteType T) {
  switch (T.kind()) {
  case ConcreteType::Float: {
    std::string Text;
    raw_string_ostream OS(Text);
    T.floatType()->print(OS);
    return Text;
  }
  case ConcreteType::Pointer:
    return "pointer";
  case ConcreteType::Integer:
    return "integer";
  default:
    return "unknown";
  }
}

Witness usedAs(ConcreteType T, const Value *Seen) {
  auto *At = dyn_cast_or_null<Instruction>(Seen);
  if (At)
    return {"used as " + inWords(T) + " here", At};
  if (Seen)
    return {"used as " + inWords(T) + ": " + describe(Seen), nullptr};
  return {"used as " + inWords(T) + " by the caller", nullptr};
}

Witness endOfCopy(const char *End, const Value *Pointer, uint64_t Known) {
  std::string Text = std::string(End) + " " + describe(Pointer);
  Text += Known == 0
              ? ", of which no type is known"
              : ", whose types are known up to byte " + std::to_string(Known);
  return {Text, dyn_cast<Instruction>(Pointer)};
}

/// A conflict about byte \p Byte behind \p Pointer, or about a scalar that it
/// may be part of.
bool conflictAt(const Value *Pointer, uint64_t Byte, TypeConflict &Seen,
                const NeedsContext &C) {
  constexpr uint64_t LargestScalar = 16;
  if (!C.facts().Types->conflictOf(Pointer, Seen))
    return false;
  StringRef Path = Seen.Path;
  uint64_t Place;
  return Path.consume_front("[0][") && !Path.consumeInteger(10, Place) &&
         Path == "]" && Place < Byte + LargestScalar &&
         Byte < Place + LargestScalar;
}

} // namespace

static void refuseConflict(const Instruction &I, const TypeConflict &Seen,
                           NeedsContext &C) {
  // One report a conflict, not one an access.
  auto *At = dyn_cast_or_null<Instruction>(Seen.WitnessA);
  if (!At || At->getFunction() != I.getFunction())
    At = &I;
  C.refuse(*At, Diag::TypeConflict,
           {describe(Seen.Where), inWords(Seen.A), inWords(Seen.B)},
           {usedAs(Seen.A, Seen.WitnessA), usedAs(Seen.B, Seen.WitnessB)});
}

/// Both read the same bytes, and nothing writes between the two: a union of
/// which a run uses one member or the other would not be read like this.
static bool readTogether(const Value *A, const Value *B) {
  auto *First = dyn_cast_or_null<LoadInst>(A);
  auto *Second = dyn_cast_or_null<LoadInst>(B);
  if (!First || !Second || First->getParent() != Second->getParent())
    return false;
  if (Second->comesBefore(First))
    std::swap(First, Second);
  return none_of(make_range(First->getIterator(), Second->getIterator()),
                 [](const Instruction &I) { return I.mayWriteToMemory(); });
}

bool refuseFloatPointer(const Instruction &I, const Value *Pointer,
                        NeedsContext &C) {
  TypeConflict Seen;
  if (!conflictAt(Pointer, 0, Seen, C) ||
      Seen.A.isFloat() + Seen.B.isFloat() != 1 ||
      (Seen.A.kind() != ConcreteType::Pointer &&
       Seen.B.kind() != ConcreteType::Pointer) ||
      !readTogether(Seen.WitnessA, Seen.WitnessB))
    return false;
  refuseConflict(I, Seen, C);
  return true;
}

/// An access that the language lets read nothing but what was stored with its
/// own type.
static bool isStrictlyTyped(const Value *V) {
  auto *I = dyn_cast_or_null<Instruction>(V);
  const MDNode *Tag = I ? I->getMetadata(LLVMContext::MD_tbaa) : nullptr;
  auto *Ty = Tag && Tag->getNumOperands() > 2
                 ? dyn_cast_or_null<MDNode>(Tag->getOperand(1))
                 : nullptr;
  auto *Name = Ty && Ty->getNumOperands() > 0
                   ? dyn_cast_or_null<MDString>(Ty->getOperand(0))
                   : nullptr;
  return Name && (Name->getString() == "float" ||
                  Name->getString() == "double" || Name->getString() == "int");
}

bool isOfPartOfBlock(const Instruction &I, const Value *Pointer) {
  auto *Object =
      dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer, /*MaxLookup=*/0));
  return Object && isDynamicShared(*Object) && isStrictlyTyped(&I);
}

bool refuseMixedFloats(const Instruction &I, const Value *Pointer,
                       NeedsContext &C) {
  TypeConflict Seen;
  if (!C.facts().Types->conflictOf(Pointer, Seen) || !Seen.A.isFloat() ||
      !Seen.B.isFloat() || isOfPartOfBlock(I, Pointer))
    return false;
  refuseConflict(I, Seen, C);
  return true;
}

void refuseFloatAsPointer(const Instruction &I, NeedsContext &C) {
  C.refuse(I, Diag::UnsupportedInstruction,
           {"an active float is passed on as a pointer, which has no "
            "derivative: pass it as a float or as an integer (of a union, "
            "declare the float first)"});
}

/// Facts that there was no room for may be what is missing.
static void addLimit(SmallVectorImpl<Witness> &Facts, const NeedsContext &C) {
  if (C.facts().Types->hasDroppedFacts())
    Facts.push_back({"more is known of types than the " +
                     std::to_string(Options::get().MaxTypeFacts) +
                     " facts that are kept for one pointer: raise the limit "
                     "with -mllvm -adze-max-type-facts"});
}

void refuseUnknown(const Instruction &I, const Value *Pointer,
                   const std::string &What, NeedsContext &C) {
  TypeConflict Seen;
  if (conflictAt(Pointer, 0, Seen, C))
    return refuseConflict(I, Seen, C);
  SmallVector<Witness, 1> Facts;
  addLimit(Facts, C);
  C.refuse(I, Diag::UnknownType, {What}, Facts);
}

void refuseUnknownCopy(const Instruction &I, UnknownCopy Copy,
                       NeedsContext &C) {
  TypeConflict Seen;
  for (const Value *End : {Copy.To, Copy.From})
    if (conflictAt(End, Copy.Byte, Seen, C))
      return refuseConflict(I, Seen, C);
  SmallVector<Witness, 3> Facts{
      endOfCopy("copied to", Copy.To, Copy.KnownTo),
      endOfCopy("copied from", Copy.From, Copy.KnownFrom)};
  addLimit(Facts, C);
  C.refuse(I, Diag::UnknownType,
           {"byte " + std::to_string(Copy.Byte) + " of the memory copied here"},
           Facts);
}

} // namespace adze
