// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MpiTable.h"
#include "adze/KnownFunction.h"
#include "adze/Mpi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

namespace adze::mpi {

static const Row Rows[] = {
#define ADZE_MPI(NAME, PARAMETERS) {#NAME, PARAMETERS},
#include "Mpi.def"
};

/// What follows "MPI_" in the name of \p F; empty if it is none.
static StringRef nameOf(const Function &F) {
  StringRef Name = F.getName();
  Name.consume_front("P");
  return Name.consume_front("MPI_") ? Name : StringRef();
}

const Row *rowOf(const Function &F) {
  const StringRef Name = nameOf(F);
  const Row *It = find_if(Rows, [&](const Row &R) { return R.Name == Name; });
  return It == std::end(Rows) ? nullptr : It;
}

bool isForTeams(const Row &R) {
  static const StringRef Names[] = {
#define ADZE_MPI_TEAM(...) __VA_ARGS__
#include "Mpi.def"
  };
  return is_contained(Names, R.Name);
}

bool isForAllDirections(const Row &R) {
  static const StringRef Names[] = {
#define ADZE_MPI_ONCE(...) __VA_ARGS__
#include "Mpi.def"
  };
  return is_contained(Names, R.Name);
}

bool isQuery(const Function &F) {
  static const StringSet<> Names = {
#define ADZE_MPI_QUERY(...) __VA_ARGS__,
#include "Mpi.def"
  };
  if (const StringRef Name = nameOf(F); !Name.empty())
    return Names.contains(Name);
  const KnownFunction *Known = lookupKnown(F);
  return Known && F.getName().contains("mpi_") && Names.contains(Known->Family);
}

bool isBuffer(char Role) { return StringRef("rwm").contains(Role); }
bool isKeptBuffer(char Role) { return StringRef("RWM").contains(Role); }

//===----------------------------------------------------------------------===//
// Datatypes of numbers
//===----------------------------------------------------------------------===//

namespace {

/// A predefined datatype, as Runtime/MpiTypes.def has it.
struct Predefined {
  StringRef Name;
  uint64_t Mpich;
  enum Class { Numbers, Chars, Bytes, Floats } Is;

  /// Bytes, which MPICH's handle tells; 0 if it does not.
  uint64_t size() const {
    const bool IsPair = (Mpich & 0xFF000000) == 0x8C000000;
    return IsPair ? 0 : (Mpich >> 8) & 0xFF;
  }
};

} // namespace

/// Null if \p V is none.
static const Predefined *predefinedOf(const Value *V) {
  static const Predefined Types[] = {
#define ADZE_MPI_NUMBERS(NAME, MPICH) {#NAME, MPICH, Predefined::Numbers},
#define ADZE_MPI_CHARS(NAME, MPICH) {#NAME, MPICH, Predefined::Chars},
#define ADZE_MPI_BYTES(NAME, MPICH) {#NAME, MPICH, Predefined::Bytes},
#define ADZE_MPI_FLOATS(NAME, MPICH, KIND, COUNT)                              \
  {#NAME, MPICH, Predefined::Floats},
#define ADZE_MPI_PAIR(NAME, MPICH, KIND) {#NAME, MPICH, Predefined::Floats},
#include "Runtime/MpiTypes.def"
  };
  auto *Number = dyn_cast<ConstantInt>(V);
  auto *Variable = V->getType()->isPointerTy()
                       ? dyn_cast<GlobalVariable>(V->stripPointerCasts())
                       : nullptr;
  const Predefined *It = find_if(Types, [&](const Predefined &T) {
    if (Number)
      return T.Mpich && Number->getZExtValue() == T.Mpich;
    StringRef Name = Variable ? Variable->getName() : StringRef();
    return Name.consume_front("ompi_mpi_") && Name == T.Name;
  });
  return It == std::end(Types) ? nullptr : It;
}

/// \p Call reduces by an operation of MPI's own. Of bytes these are operations
/// on bits.
static bool reducesByMpi(const CallBase &Call, const Row &R) {
  if (!R.Parameters.starts_with_insensitive("rm") ||
      !R.Parameters.drop_front(3).starts_with("th"))
    return false;
  const Value *Op = Call.getArgOperand(4);
  if (auto *Number = dyn_cast<ConstantInt>(Op))
    return (Number->getZExtValue() & 0xFF000000) == 0x58000000;
  auto *Variable = Op->getType()->isPointerTy()
                       ? dyn_cast<GlobalVariable>(Op->stripPointerCasts())
                       : nullptr;
  return Variable && Variable->getName().starts_with("ompi_mpi_op_");
}

/// By its datatype \p V, a parameter of \p Role is made of numbers; \p OfBits
/// also if it is of bytes.
static bool isOfNumbers(const Value *V, char Role, bool OfBits) {
  const Predefined *T = predefinedOf(V);
  return T && (T->Is == Predefined::Numbers ||
               (T->Is == Predefined::Chars && Role == 't') ||
               (T->Is == Predefined::Bytes && OfBits));
}

bool isDatatype(char Role) { return StringRef("tdD").contains(Role); }
bool isDescribed(char Role) { return StringRef("dD").contains(Role); }

bool hasTypesOfNumbers(const CallBase &Call, const Row &R) {
  bool HasType = false;
  const bool OfBits = reducesByMpi(Call, R);
  for (auto [Arg, Role] : zip(Call.args(), R.Parameters))
    if (isDatatype(Role)) {
      HasType = true;
      if (Role == 'D' || !isOfNumbers(Arg, Role, OfBits))
        return false;
    }
  return HasType;
}

/// MPI_ANY_TAG, of all libraries.
static constexpr int64_t AnyTag = -1;

bool receivesAnyTag(const CallBase &Call, const Row &R) {
  // In front of the communicator; the others do not wait.
  if (R.Name != "Recv" && !R.Name.starts_with("Sendrecv"))
    return false;
  auto *Tag =
      dyn_cast<ConstantInt>(Call.getArgOperand(R.Parameters.size() - 3));
  return Tag && Tag->getSExtValue() == AnyTag;
}

bool tellsFloats(const Value *Datatype) {
  const Predefined *T = predefinedOf(Datatype);
  return T && T->Is == Predefined::Floats;
}

static constexpr char NumbersKind[] = "adze.mpi.numbers";

void declareNumbers(CallBase &Call) {
  LLVMContext &C = Call.getContext();
  Call.addFnAttr(Attribute::get(C, declared::Inactive));
  Call.addFnAttr(Attribute::get(C, NumbersKind));
}

bool exchangesNumbers(const CallBase &Call) {
  return Call.hasFnAttr(NumbersKind);
}

std::optional<size_t> typeOfBuffer(const Row &R, size_t Buffer) {
  const StringRef Roles = R.Parameters;
  size_t K = Roles.find_first_not_of("rwmRWM", Buffer); // others share it
  K = Roles.find_first_not_of("ni", K);
  return K < Roles.size() && isDatatype(Roles[K]) ? std::optional(K)
                                                  : std::nullopt;
}

/// Those of the object that \p V points into; UINT64_MAX if that is not known.
static uint64_t bytesBehind(const Value *V, const DataLayout &DL) {
  uint64_t Bytes = 0;
  return getObjectSize(V, Bytes, DL, /*TLI=*/nullptr) ? Bytes : UINT64_MAX;
}

/// As many as one message has, where the function has but one for \p Buffer, a
/// parameter.
static uint64_t bytesOf(const CallBase &Call, const Row &R, size_t Buffer,
                        size_t Type) {
  const uint64_t All = bytesBehind(Call.getArgOperand(Buffer),
                                   Call.getModule()->getDataLayout());
  const bool IsOneMessage =
      count_if(R.Parameters, isDatatype) == 1 || R.Name.starts_with("Sendrecv");
  if (!IsOneMessage || R.Parameters[Type - 1] != 'n')
    return All;
  auto *Count = dyn_cast<ConstantInt>(Call.getArgOperand(Type - 1));
  const uint64_t Size = predefinedOf(Call.getArgOperand(Type))->size();
  if (!Count || Count->isNegative() || Size == 0)
    return All;
  return std::min(All, Count->getZExtValue() * Size);
}

SmallVector<NumberBuffer, 2> numberBuffers(const CallBase &Call) {
  SmallVector<NumberBuffer, 2> Buffers;
  const Row *R = rowOf(*Call.getCalledFunction());
  for (size_t K = 0; K < R->Parameters.size(); ++K) {
    const char Role = toLower(R->Parameters[K]);
    const Value *Arg = Call.getArgOperand(K);
    const std::optional<size_t> Type =
        isBuffer(Role) ? typeOfBuffer(*R, K) : std::nullopt;
    if (!Type || isa<ConstantData>(Arg))
      continue;
    if (const uint64_t Bytes = bytesOf(Call, *R, K, *Type))
      Buffers.push_back(
          {unsigned(K), unsigned(*Type), Bytes, Role != 'w', Role != 'r'});
  }
  return Buffers;
}

std::string numberTypeName(const CallBase &Call, const NumberBuffer &B) {
  return "MPI_" + predefinedOf(Call.getArgOperand(B.Datatype))->Name.upper();
}

} // namespace adze::mpi
