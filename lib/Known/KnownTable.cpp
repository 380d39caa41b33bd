// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KnownTable.h"
#include "NameVariants.h"
#include "TableWords.h"
#include "adze/ComplexFunction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/IntrinsicsX86.h"
#include <cmath>

using namespace adze;
using llvm::StringRef;
namespace Intrinsic = llvm::Intrinsic;

/// So many that the index of names is not made anew while it grows.
static constexpr unsigned ExpectedNames = 4096;

const KnownTable &KnownTable::get() {
  // Never destroyed: a compiler that ends has better to do.
  static const KnownTable &Table = *new KnownTable;
  return Table;
}

KnownTable::KnownTable() : Names(ExpectedNames) {
  addScalars();
  addOutputs();
  addComplex();
  addInactive();
  addAllocators();
  addTeams();
  addDeviceMeetings();
  addMpi();
  addGpu();
  addIntrinsics();
  addDeviceFunctions();
  addDeviceIntrinsics();
  // Of several that fit the longest comes first.
  llvm::sort(Prefixes, std::greater<>());
}

static void become(FamilyRecord &R, KnownKind Kind) {
  R.Known.Kind = Kind;
  R.Known.Facts = factsOf(Kind);
}

FamilyRecord &KnownTable::add(const char *Family, KnownKind Kind,
                              const char *Signature) {
  FamilyRecord &R = Records.emplace_back();
  R.Known.Family = Family;
  become(R, Kind);
  R.Known.Signature = Signature;
  R.Known.Row.Family = Family;
  if (!Families.try_emplace(Family, &R).second)
    Duplicates.push_back(Family);
  return R;
}

void KnownTable::spell(FamilyRecord &R, StringRef Name) {
  auto [At, New] = Names.try_emplace(Name, &R);
  if (!New)
    Duplicates.push_back(Name.str());
}

void KnownTable::spellAll(FamilyRecord &R, StringRef Family) {
  forEachSpelling(Family, [&](StringRef Name) { spell(R, Name); });
}

void KnownTable::spell(FamilyRecord &R, Intrinsic::ID ID) {
  if (!Intrinsics.try_emplace(ID, &R).second)
    Duplicates.push_back(Intrinsic::getBaseName(ID).str());
}

FamilyRecord &KnownTable::addScalar(const char *Family, const char *Signature,
                                    Intrinsic::ID ID, bool InLibrary,
                                    std::vector<Expr> Partials) {
  FamilyRecord &R = add(Family, KnownKind::Scalar, Signature);
  R.Known.Row.Partials.append(Partials.begin(), Partials.end());
  R.Intrinsic = ID;
  R.InLibrary = InLibrary;
  if (InLibrary)
    spellAll(R, Family);
  if (ID != Intrinsic::not_intrinsic)
    spell(R, ID);
  return R;
}

void KnownTable::addConstant(const char *Family, const char *Signature,
                             Intrinsic::ID ID, bool InLibrary) {
  const size_t NumOperands = StringRef(Signature).split(':').second.size();
  FamilyRecord &R = addScalar(Family, Signature, ID, InLibrary,
                              std::vector<Expr>(NumOperands));
  become(R, KnownKind::Constant);
}

FamilyRecord &KnownTable::addOutputs(const char *Family, const char *Signature,
                                     Intrinsic::ID ID, bool InLibrary,
                                     std::vector<OutputRow> Outputs) {
  FamilyRecord &R = addScalar(Family, Signature, ID, InLibrary, {});
  become(R, KnownKind::OutScalar);
  for (OutputRow &Output : Outputs) {
    Output.Row.Family = Family;
    R.Known.Outputs.push_back(std::move(Output));
  }
  return R;
}

void KnownTable::addScalars() {
  const Expr x = arg(0), y = arg(1), out = result(), None;
  const Expr Zero = constant(0), One = constant(1), Pi = constant(PiNumber),
             OverPi = constant(1 / PiNumber), Ln2 = constant(std::log(2.0)),
             Ln10 = constant(std::log(10.0)),
             OverLn2 = constant(1 / std::log(2.0)),
             OverLn10 = constant(1 / std::log(10.0)),
             TwoOverSqrtPi = constant(2 / std::sqrt(PiNumber));
  const Expr r = call("hypot", x, y);
  const Expr powerOfTwo = select(equal(x, Zero), One, out / x);

#define ADZE_SCALAR(NAME, SIGNATURE, INTRINSIC, ...)                           \
  addScalar(#NAME, SIGNATURE, Intrinsic::INTRINSIC, true, {__VA_ARGS__});
#define ADZE_INTRINSIC(NAME, SIGNATURE, INTRINSIC, ...)                        \
  addScalar(#NAME, SIGNATURE, Intrinsic::INTRINSIC, false, {__VA_ARGS__});
#define ADZE_CONSTANT(NAME, SIGNATURE, INTRINSIC)                              \
  addConstant(#NAME, SIGNATURE, Intrinsic::INTRINSIC, true);
#define ADZE_CONSTANT_INTRINSIC(NAME, SIGNATURE, INTRINSIC)                    \
  addConstant(#NAME, SIGNATURE, Intrinsic::INTRINSIC, false);
#define ADZE_ALIAS(NAME, SPELLING) spellAll(*Families.lookup(#NAME), SPELLING);
#define ADZE_SYMMETRIC(NAME) Families.lookup(#NAME)->Known.Symmetric = true;
#define ADZE_PRICE(CALL, INTRINSIC, ...)                                       \
  for (const char *Name : {__VA_ARGS__}) {                                     \
    KnownFunction &Known = Families.lookup(Name)->Known;                       \
    Known.CallPrice = Price::CALL;                                             \
    Known.IntrinsicPrice = Price::INTRINSIC;                                   \
  }
#define ADZE_CONSTRAINED(NAME, INTRINSIC)                                      \
  spell(*Families.lookup(#NAME), Intrinsic::INTRINSIC);
#define ADZE_INSTRUCTION(NAME, OPCODE, SIGNATURE, ...)                         \
  Opcodes[llvm::Instruction::OPCODE] =                                         \
      &addScalar(#NAME, SIGNATURE, Intrinsic::not_intrinsic, false,            \
                 {__VA_ARGS__})                                                \
           .Known.Row;
#include "Scalars.def"

  // Not a function of any library: lib/Runtime/Digamma.c is its body.
  add("adze.digamma", KnownKind::Scalar, "f:f");
  // GuardedProduct.h: a name for each type.
  Prefixes.emplace_back("adze.product.",
                        &addScalar("adze.product", "f:ff",
                                   Intrinsic::not_intrinsic, false, {y, x}));
}

void KnownTable::addOutputs() {
  const Expr x = arg(0), y = arg(1), out = result(), None;
  const Expr One = constant(1), Pi = constant(PiNumber);
  const Expr powerOfTwo = select(equal(x, constant(0)), One, out / x);
#define ADZE_OUTPUTS(NAME, SIGNATURE, INTRINSIC, ...)                          \
  addOutputs(#NAME, SIGNATURE, Intrinsic::INTRINSIC, true, {__VA_ARGS__});
#define ADZE_OUTPUTS_INTRINSIC(NAME, SIGNATURE, INTRINSIC, ...)                \
  addOutputs(#NAME, SIGNATURE, Intrinsic::INTRINSIC, false, {__VA_ARGS__});
#include "Outputs.def"
}

void KnownTable::addComplex() {
  for (const ComplexRow &Row : complexRows()) {
    FamilyRecord &R = add(Row.Family, KnownKind::ComplexScalar);
    if (!Row.CompilerRuntime)
      forEachComplexSpelling(Row.Family,
                             [&](StringRef Name) { spell(R, Name); });
    for (const char *Spelling : Row.Spellings)
      spell(R, Spelling);
  }
}

void KnownTable::addInactive() {
  size_t Before = Records.size();
  auto Add = [&](const char *Name, KnownKind Kind, int Ways) -> FamilyRecord & {
    FamilyRecord &R = add(Name, Kind);
    R.Known.TextWays = Ways;
    return R;
  };
#define ADZE_KNOWN(KIND, ...)                                                  \
  for (const char *Name : {__VA_ARGS__})                                       \
    spell(add(Name, KnownKind::KIND), Name);
#define ADZE_KNOWN_THROWS(KIND, ...)                                           \
  for (const char *Name : {__VA_ARGS__}) {                                     \
    FamilyRecord &R = add(Name, KnownKind::KIND);                              \
    R.Known.Throws = true;                                                     \
    spell(R, StringRef(Name));                                                 \
  }
#define ADZE_KNOWN_WAYS(KIND, WAYS, ...)                                       \
  for (const char *Name : {__VA_ARGS__})                                       \
    spell(Add(Name, KnownKind::KIND, WAYS), Name);
#define ADZE_KNOWN_TEXT(EXTENT, WAYS, ...)                                     \
  for (const char *Name : {__VA_ARGS__}) {                                     \
    FamilyRecord &R = Add(Name, KnownKind::Overwrites, WAYS);                  \
    R.Known.Text = TextExtent::EXTENT;                                         \
    R.Known.Facts.By = Derivation::Text;                                       \
    spell(R, StringRef(Name));                                                 \
  }
#define ADZE_KNOWN_WITHIN(OPERAND, ...)                                        \
  for (const char *Name : {__VA_ARGS__}) {                                     \
    FamilyRecord &R = add(Name, KnownKind::ReadOnly);                          \
    R.Known.Within = OPERAND;                                                  \
    R.Known.Facts.By = Derivation::Within;                                     \
    spell(R, StringRef(Name));                                                 \
  }
#define ADZE_KNOWN_PRINTS(...)                                                 \
  for (const char *Name : {__VA_ARGS__})                                       \
    Families.lookup(Name)->Known.Facts.Writes = Reach::Counts;
#define ADZE_KNOWN_SIGNATURE(SIGNATURE, ...)                                   \
  for (const char *Name : {__VA_ARGS__})                                       \
    Families.lookup(Name)->Known.Signature = SIGNATURE;
#define ADZE_KNOWN_PREFIX(KIND, ...)                                           \
  for (const char *Prefix : {__VA_ARGS__})                                     \
    Prefixes.emplace_back(Prefix, &add(Prefix, KnownKind::KIND));
#define ADZE_KNOWN_PREFIX_WAYS(KIND, WAYS, ...)                                \
  for (const char *Prefix : {__VA_ARGS__})                                     \
    Prefixes.emplace_back(Prefix, &Add(Prefix, KnownKind::KIND, WAYS));
#define ADZE_KNOWN_CLASS(KIND, WAYS, OWNS, ...)                                \
  for (const char *Prefix : {__VA_ARGS__}) {                                   \
    FamilyRecord &R = Add(Prefix, KnownKind::KIND, WAYS);                      \
    R.Known.Owns = KnownFunction::OWNS;                                        \
    Prefixes.emplace_back(Prefix, &R);                                         \
  }
#define ADZE_KNOWN_TEMPLATE(KIND, WAYS, OWNS, ...)                             \
  for (const char *Prefix : {__VA_ARGS__}) {                                   \
    FamilyRecord &R = Add(Prefix, KnownKind::KIND, WAYS);                      \
    R.Known.Template = true;                                                   \
    R.Known.Owns = KnownFunction::OWNS;                                        \
    Prefixes.emplace_back(Prefix, &R);                                         \
    Templates.emplace_back(Prefix, &R);                                        \
  }
#include "Inactive.def"
  // The C library does not throw, C++ functions may.
  for (FamilyRecord &R : llvm::drop_begin(Records, Before)) {
    R.Known.Throws |= StringRef(R.Known.Family).starts_with("_Z");
    R.Known.OfInactiveClass = R.Known.Kind == KnownKind::Inactive &&
                              StringRef(R.Known.Family).starts_with("_ZN");
  }
}

void KnownTable::addTeams() {
#define ADZE_TEAM(KIND, ...)                                                   \
  for (const char *Name : {__VA_ARGS__})                                       \
    spell(add(Name, KnownKind::KIND), Name);
#define ADZE_TEAM_SYNC(NAME, MIRROR)                                           \
  {                                                                            \
    FamilyRecord &R = add(NAME, KnownKind::TeamSync);                          \
    R.Known.Mirror = MIRROR;                                                   \
    spell(R, StringRef(NAME));                                                 \
  }
#define ADZE_TASK_WAIT(NAME, MIRROR)                                           \
  {                                                                            \
    FamilyRecord &R = add(NAME, KnownKind::TaskWait);                          \
    R.Known.Mirror = MIRROR;                                                   \
    spell(R, StringRef(NAME));                                                 \
  }
#include "OpenMP.def"
#define ADZE_THREAD(KIND, ...)                                                 \
  for (const char *Name : {__VA_ARGS__})                                       \
    spell(add(Name, KnownKind::KIND), StringRef(Name));
#define ADZE_THREAD_WAIT(...) ADZE_THREAD(TeamSync, __VA_ARGS__)
#include "Threads.def"
}

void KnownTable::addDeviceMeetings() {
#define ADZE_DEVICE_SYNC(INTRINSIC, MIRROR)                                    \
  {                                                                            \
    FamilyRecord &R = add("llvm." #INTRINSIC, KnownKind::TeamSync);            \
    R.Known.Mirror = MIRROR;                                                   \
    spell(R, Intrinsic::INTRINSIC);                                            \
  }
#define ADZE_LANE_SHUFFLE(...)                                                 \
  for (const char *Name : {__VA_ARGS__})                                       \
    spell(add(Name, KnownKind::Shuffle), StringRef(Name));
#define ADZE_LANE_QUESTION(INTRINSIC)                                          \
  spell(add("llvm." #INTRINSIC, KnownKind::Inactive), Intrinsic::INTRINSIC);
#include "DeviceSync.def"
}

void KnownTable::addMpi() {
#define ADZE_MPI_INACTIVE(KIND, ...)                                           \
  for (const char *Name : {__VA_ARGS__}) {                                     \
    FamilyRecord &R = add(Name, KnownKind::KIND);                              \
    spell(R, ("MPI_" + llvm::Twine(Name)).str());                              \
    spell(R, ("PMPI_" + llvm::Twine(Name)).str());                             \
    const std::string Fortran = "mpi_" + llvm::StringRef(Name).lower() + "_";  \
    for (const char *End : {"", "f08_"}) {                                     \
      spell(R, Fortran + End);                                                 \
      spell(R, "p" + Fortran + End);                                           \
    }                                                                          \
  }
#include "Mpi.def"
}

void KnownTable::addAllocators() {
  enum { No = -1, Unset = 0, Zeroed = 1 };
  auto Allocate = [&](const char *Name, KnownKind Kind, AllocationInfo Info) {
    FamilyRecord &R = add(Name, Kind);
    R.Known.Allocation = Info;
    spell(R, StringRef(Name));
  };
#define ADZE_ALLOCATE(NAME, KIND, SIZE, COUNT, ALIGN, CONTENT, DEALLOCATOR)    \
  Allocate(NAME, KnownKind::KIND,                                              \
           {SIZE, COUNT, ALIGN, CONTENT == Zeroed, DEALLOCATOR});
#define ADZE_FREE(NAME, OPERAND)                                               \
  {                                                                            \
    FamilyRecord &R = add(NAME, KnownKind::Free);                              \
    R.Known.FreeArg = OPERAND;                                                 \
    spell(R, StringRef(NAME));                                                 \
  }
#define ADZE_BLOCK(KIND, ...)                                                  \
  for (const char *Name : {__VA_ARGS__})                                       \
    spell(add(Name, KnownKind::KIND), StringRef(Name));
#include "Allocators.def"
}

void KnownTable::addGpu() {
#define ADZE_GPU(KIND, ...)                                                    \
  for (const char *Name : {__VA_ARGS__}) {                                     \
    FamilyRecord &R = add(Name, KnownKind::KIND);                              \
    for (const char *Prefix : {"cuda", "hip", "__cuda", "__hip"})              \
      spell(R, (Prefix + llvm::Twine(Name)).str());                            \
  }
#define ADZE_GPU_BLAS(KIND, ...)                                               \
  for (const char *Name : {__VA_ARGS__})                                       \
    spell(add(Name, KnownKind::KIND), (llvm::Twine("cublas") + Name).str());
#define ADZE_GPU_ALLOCATE(NAME, DEALLOCATOR, CLEAR)                            \
  {                                                                            \
    FamilyRecord &R = add(NAME, KnownKind::AllocateTo);                        \
    R.Known.Allocation.SizeArg = 1;                                            \
    R.Known.Allocation.Deallocator = DEALLOCATOR;                              \
    R.Known.Allocation.Clear = CLEAR;                                          \
    spell(R, StringRef(NAME));                                                 \
  }
#define ADZE_GPU_FREE(NAME, PLAIN)                                             \
  {                                                                            \
    FamilyRecord &R = add(NAME, KnownKind::Free);                              \
    R.Known.FreeArg = 0;                                                       \
    R.Known.Allocation.Deallocator = PLAIN;                                    \
    spell(R, StringRef(NAME));                                                 \
  }
#include "Gpu.def"
}

void KnownTable::addIntrinsics() {
#define ADZE_KNOWN_INTRINSIC(KIND, INTRINSIC)                                  \
  spell(add("llvm." #INTRINSIC, KnownKind::KIND), Intrinsic::INTRINSIC);
#include "Intrinsics.def"
}

/// Whether \p Name begins with \p Pattern, in which # stands for digits.
static bool beginsWith(StringRef Name, StringRef Pattern) {
  auto [Head, Tail] = Pattern.split('#');
  if (!Name.consume_front(Head))
    return false;
  if (Head.size() == Pattern.size())
    return true;
  StringRef Rest = Name.ltrim("0123456789");
  return Rest.size() < Name.size() && Rest.starts_with(Tail);
}

const FamilyRecord *KnownTable::byName(StringRef Name) const {
  Name.consume_front("\1"); // an assembler name, as it stands
  Name.consume_front(ComplexWrapperPrefix);
  if (const FamilyRecord *R = Names.lookup(Name))
    return R;
  if (StringRef Scalar = scalarOfVectorName(Name); !Scalar.empty()) {
    const FamilyRecord *R = Names.lookup(Scalar);
    return R && R->Known.Kind == KnownKind::Scalar ? R : nullptr;
  }
  for (const auto &[Pattern, R] : Prefixes)
    if (beginsWith(Name, Pattern))
      return R;
  return nullptr;
}

const FamilyRecord *KnownTable::byTemplate(StringRef Name) const {
  for (const auto &[Prefix, R] : Templates)
    if (Name.starts_with(Prefix))
      return R;
  return nullptr;
}
