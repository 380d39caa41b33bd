// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one lookup of known functions: by what a call calls, checked against
// the signature of the row, so that a program's own `double y1(struct p *)` is
// never taken for a Bessel function.
#include "KnownTable.h"
#include "NameVariants.h"
#include "adze/Exceptions.h"
#include "adze/GivenDerivatives.h"
#include "adze/OwnFunction.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include <map>
#include <mutex>

using namespace adze;
using llvm::StringRef;
using llvm::Type;

/// Whether \p Ty may stand where a signature has \p Letter; \p Common is the
/// type shared by all 'f', null until the first is met.
static bool fits(char Letter, Type *Ty, Type *&Common) {
  switch (Letter) {
  case 'f':
    if (!Common)
      Common = Ty;
    return Ty->isFPOrFPVectorTy() && Ty == Common;
  case 'g':
    return Ty->isFPOrFPVectorTy();
  case 'i':
    return Ty->isIntOrIntVectorTy();
  case 'p':
    return Ty->isPointerTy();
  case 'v':
    return Ty->isVoidTy();
  case 's':
    return Ty->isStructTy();
  default: // '*': anything
    return true;
  }
}

static bool fits(const char *Signature, const llvm::FunctionType *FT) {
  if (!Signature)
    return true;
  auto [Result, Operands] = StringRef(Signature).split(':');
  unsigned NumParams = FT->getNumParams();
  while (NumParams && FT->getParamType(NumParams - 1)->isMetadataTy())
    --NumParams;
  if (NumParams != Operands.size())
    return false;
  Type *Common = nullptr;
  for (unsigned I = 0; I != NumParams; ++I)
    if (!fits(Operands[I], FT->getParamType(I), Common))
      return false;
  return fits(Result.front(), FT->getReturnType(), Common);
}

/// Whether operands and result can be what the facts take them for.
static bool fitsFacts(const KnownFunction &Known, Type *Result,
                      llvm::ArrayRef<Type *> Operands) {
  auto isPointer = [&](int I) {
    return I < int(Operands.size()) && Operands[I]->isPointerTy();
  };
  auto isNumber = [&](int I) {
    return I < 0 || (I < int(Operands.size()) && Operands[I]->isIntegerTy());
  };
  const CallFacts &Facts = Known.Facts;
  const AllocationInfo &A = Known.Allocation;
  if (!isNumber(A.SizeArg) || !isNumber(A.CountArg) || !isNumber(A.AlignArg))
    return false;
  const bool ReturnsAddress = Facts.Result == Returns::NewBlock ||
                              Facts.Result == Returns::Exception ||
                              Known.Within >= 0;
  if (ReturnsAddress && !Result->isPointerTy())
    return false;
  if (Known.Within >= 0 && !isPointer(Known.Within))
    return false;
  if (std::optional<unsigned> Block = Known.released();
      Block && !isPointer(int(*Block)))
    return false;
  if (Facts.Writes == Reach::First && !isPointer(0))
    return false;
  if (Facts.Stored == Stores::NewBlock && !isPointer(int(Known.placeOfBlock())))
    return false;
  if (Facts.Reads == Reach::Second && !(isPointer(1) && isNumber(2)))
    return false;
  // (block, byte, bytes), or (block, bytes) for zeros.
  if (Facts.Writes == Reach::First && Facts.Stored == Stores::Constants &&
      !(isNumber(1) && (Operands.size() == 2 || isNumber(2))))
    return false;
  return Known.Text == TextExtent::NoText ||
         (isPointer(0) && (Known.Text != TextExtent::Source || isPointer(1)) &&
          (Known.Text != TextExtent::Count || isNumber(2)));
}

/// A body is the user's word about a function, unless it is one that a header
/// gave beside the library's (available_externally), a device library's, or
/// a helper of the compiler's or of ours.
static bool bodyCounts(const llvm::Function &F) {
  StringRef Name = F.getName();
  bool HasRow =
      isOwn(F)
          ? Name.starts_with(ComplexWrapperPrefix) ||
                Name == "adze.tape.alloc" || Name == "adze.tape.free" ||
                Name == "adze.tape.hold" || Name.starts_with("adze.kept.") ||
                Name.starts_with("adze.checkpoint.") ||
                Name.starts_with("adze.team.") ||
                Name.starts_with("adze.placed.") ||
                Name.starts_with(exceptions::Prefix)
          : isDeviceLibraryName(Name) || Name == "__clang_call_terminate";
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage() && !HasRow;
}

/// The row of a function that the program declares to be like malloc or free,
/// by what it says. Rows live as long as the process.
static const FamilyRecord *declaredMemory(KnownKind Kind, StringRef Text) {
  static auto *Rows = new std::map<std::string, FamilyRecord>;
  static auto *Lock = new std::mutex;
  std::lock_guard<std::mutex> Guard(*Lock);
  auto [It, IsNew] = Rows->try_emplace(
      (llvm::Twine(Kind == KnownKind::Free ? "-" : "+") + Text).str());
  KnownFunction &Known = It->second.Known;
  if (!IsNew)
    return &It->second;
  Known.Family = "declared memory";
  Known.Kind = Kind;
  Known.Facts = factsOf(Kind);
  int Operand = 0;
  Text.consumeInteger(10, Operand);
  if (Kind == KnownKind::Free) {
    Known.FreeArg = Operand;
  } else {
    Known.Allocation.SizeArg = Operand;
    // The key ends with the name.
    Known.Allocation.Deallocator =
        It->first.c_str() + (It->first.size() - Text.ltrim().size());
  }
  return &It->second;
}

/// What the program says of \p F itself comes first.
static const FamilyRecord *recordOf(const llvm::Function &F) {
  const KnownTable &Table = KnownTable::get();
  if (given::hasAny(F))
    return nullptr;
  if (llvm::Attribute Like = F.getFnAttribute(declared::Like); Like.isValid())
    return Table.byName(Like.getValueAsString());
  if (llvm::Attribute New = F.getFnAttribute(declared::Allocation);
      New.isValid())
    return declaredMemory(KnownKind::Allocate, New.getValueAsString());
  if (llvm::Attribute Old = F.getFnAttribute(declared::Deallocation);
      Old.isValid())
    return declaredMemory(KnownKind::Free, Old.getValueAsString());
  if (F.isIntrinsic())
    return Table.byIntrinsic(F.getIntrinsicID());
  if (!bodyCounts(F))
    return Table.byName(F.getName());
  bool OfHeader = F.hasLinkOnceODRLinkage() || F.hasWeakODRLinkage();
  return OfHeader ? Table.byTemplate(F.getName()) : nullptr;
}

/// Without \p Call: as the declaration says that it is called.
static const KnownFunction *lookup(const llvm::Function &F,
                                   const llvm::CallBase *Call) {
  const FamilyRecord *R = recordOf(F);
  if (!R)
    return nullptr;
  const llvm::FunctionType *FT =
      Call ? Call->getFunctionType() : F.getFunctionType();
  llvm::SmallVector<Type *, 4> Operands(FT->params());
  if (Call)
    for (const llvm::Use &Open :
         llvm::drop_begin(Call->args(), Operands.size()))
      Operands.push_back(Open->getType());
  return fits(R->Known.Signature, FT) &&
                 fitsFacts(R->Known, FT->getReturnType(), Operands)
             ? &R->Known
             : nullptr;
}

/// A declaration that a function is inactive is about derivatives. That it
/// allocates memory or never returns stays true, and what it stores is known.
static const KnownFunction *inactive(const KnownFunction *Known) {
  static const KnownFunction Declared = {"declared inactive",
                                         KnownKind::DeclaredInactive,
                                         factsOf(KnownKind::DeclaredInactive)};
  static const KnownFunction Writes = {"declared inactive, stores",
                                       KnownKind::Overwrites,
                                       factsOf(KnownKind::Overwrites)};
  if (!Known)
    return &Declared;
  if (Known->allocates() || Known->released())
    return Known;
  switch (Known->Facts.Stored) {
  case Stores::Results:
  case Stores::Copy:
    return &Writes;
  case Stores::Nothing:
    return Known->movesData() ? &Declared : Known;
  default:
    return Known;
  }
}

const llvm::Function *adze::libraryFunctionOf(const llvm::Function &F) {
  const FamilyRecord *R = F.isIntrinsic() ? recordOf(F) : nullptr;
  if (!R || !R->InLibrary)
    return nullptr;
  std::string Name = R->Known.Family;
  Type *Ty = F.getReturnType()->getScalarType();
  if (Ty->isFloatTy())
    Name += "f";
  else if (!Ty->isDoubleTy())
    Name += "l";
  return F.getParent()->getFunction(Name);
}

static bool libraryNameIsInactive(const llvm::Function &F) {
  const llvm::Function *Library = libraryFunctionOf(F);
  return Library && isDeclaredInactive(*Library);
}

const KnownFunction *adze::lookupKnown(const llvm::Function &F) {
  const KnownFunction *Known = lookup(F, nullptr);
  bool Inactive = isDeclaredInactive(F) || libraryNameIsInactive(F);
  return Inactive ? inactive(Known) : Known;
}

const KnownFunction *adze::lookupKnown(const llvm::CallBase &Call) {
  const auto *F = llvm::dyn_cast<llvm::Function>(
      Call.getCalledOperand()->stripPointerCastsAndAliases());
  const KnownFunction *Known = F ? lookup(*F, &Call) : nullptr;
  bool Inactive = isDeclaredInactive(Call) || (F && libraryNameIsInactive(*F));
  return Inactive ? inactive(Known) : Known;
}

bool adze::mayBeLike(StringRef Name, const llvm::FunctionType &Ty) {
  const FamilyRecord *R = KnownTable::get().byName(Name);
  return R && fits(R->Known.Signature, &Ty) && !R->Known.allocates() &&
         !R->Known.released();
}

const KnownFunction *adze::lookupFamily(StringRef Family) {
  const FamilyRecord *R = KnownTable::get().byFamily(Family);
  return R ? &R->Known : nullptr;
}

const ScalarRow *adze::arithmeticRow(unsigned Opcode) {
  return KnownTable::get().byOpcode(Opcode);
}
