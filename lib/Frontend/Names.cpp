// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Names.h"

#include "Frontend/Resolve.h"
#include "adze/Marker.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace adze;

namespace {

struct MarkerRow {
  StringRef Name;
  MarkerKind Kind;
};

// A name that begins with another one's stands before it.
const MarkerRow Markers[] = {
    {"__enzyme_autodiff", MarkerKind::Reverse},
    {"__enzyme_fwddiff", MarkerKind::Forward},
    {"__enzyme_fwdsplit", MarkerKind::ForwardHalf},
    {"__enzyme_augmentfwd", MarkerKind::Augment},
    {"__enzyme_augmentsize", MarkerKind::TapeSize},
    {"__enzyme_reverse", MarkerKind::ReverseHalf},
    {"__enzyme_virtualreverse", MarkerKind::Table},
    {"__enzyme_batch", MarkerKind::Batch},
    {"__enzyme_call_inactive", MarkerKind::CallInactive},
    {"__enzyme_error_estimate", MarkerKind::ErrorEstimate},
    {"__enzyme_todense", MarkerKind::Dense},
    {"__enzyme_truncate_func", MarkerKind::TruncateFunction},
    {"__enzyme_truncate_op_func", MarkerKind::TruncateFunction},
    {"__enzyme_truncate_mem_func", MarkerKind::TruncateMemory},
    {"__enzyme_truncate_mem_value", MarkerKind::TruncateValue},
    {"__enzyme_expand_mem_value", MarkerKind::ExpandValue},
};

const StringRef AnyMarker = "__enzyme_";

struct TagRow {
  StringRef Name;
  Tag Kind;
};

const TagRow Tags[] = {
    {"enzyme_const", Tag::Const},
    {"enzyme_dup", Tag::Dup},
    {"enzyme_dupnoneed", Tag::DupNoNeed},
    {"enzyme_out", Tag::Out},
    {"enzyme_noret", Tag::NoReturn},
    {"enzyme_const_return", Tag::NoReturn},
    {"enzyme_primal_return", Tag::PrimalReturn},
    {"enzyme_active_return", Tag::ActiveReturn},
    {"enzyme_dup_return", Tag::DupReturn},
    {"enzyme_dupnoneed_return", Tag::DupNoNeedReturn},
    {"adze_seed", Tag::Seed},
    {"enzyme_runtime_activity", Tag::RuntimeActivity},
    {"enzyme_strong_zero", Tag::StrongZero},
    {"adze_shared_shadows", Tag::SharedShadows},
    {"diffe_const", Tag::Const},
    {"diffe_dup", Tag::Dup},
    {"diffe_dupnoneed", Tag::DupNoNeed},
    {"diffe_out", Tag::Out},
    {"enzyme_dupv", Tag::DupV},
    {"enzyme_dupnoneedv", Tag::DupNoNeedV},
    {"enzyme_width", Tag::Width},
    {"enzyme_vector", Tag::Unsupported},
    {"enzyme_scalar", Tag::Unsupported},
    {"enzyme_buffer", Tag::Unsupported},
    {"enzyme_allocated", Tag::Allocated},
    {"enzyme_tape", Tag::Tape},
    {"enzyme_nofree", Tag::NoFree},
};

struct RegistrationRow {
  StringRef Name;
  Registration Kind;
};

const RegistrationRow Registrations[] = {
    {"__enzyme_register_gradient", Registration::Gradient},
    {"__enzyme_register_derivative", Registration::Tangent},
    {"__adze_register_exchange", Registration::Exchange},
    {"__adze_register_shadow", Registration::Shadow},
    {"__enzyme_register_splitderivative", Registration::SplitTangent},
    {"__enzyme_inactivefn", Registration::InactiveFunction},
    {"__enzyme_inactive_global", Registration::InactiveGlobal},
    {"__enzyme_function_like", Registration::FunctionLike},
    {"__enzyme_allocation_like", Registration::AllocationLike},
    {"__enzyme_deallocation_like", Registration::DeallocationLike},
    {"__enzyme_nofree", Registration::NoFree},
    {"__enzyme_shouldrecompute", Registration::ShouldRecompute},
    // A misspelled or newer one.
    {"__enzyme_register_", Registration::Unsupported},
};

/// \p Name is \p Plain itself, a copy of it that LLVM numbered (x.1), or a C++
/// variable of that name in a namespace or with internal linkage, which are
/// mangled as _ZN2ns12enzyme_constE and _ZL12enzyme_const.
bool names(StringRef Name, StringRef Plain) {
  if (Name.starts_with("_Z")) {
    std::string Component = utostr(Plain.size()) + Plain.str();
    size_t At = Name.rfind(Component);
    if (At == StringRef::npos || isDigit(Name[At - 1]))
      return false;
    Name = Name.drop_front(At + Component.size());
    Name.consume_front("E");
  } else if (!Name.consume_front(Plain)) {
    return false;
  }
  return Name.empty() || Name.starts_with(".");
}

Tag tagNamed(StringRef Text, StringRef &Name) {
  for (const TagRow &Row : Tags)
    if (names(Text, Row.Name)) {
      Name = Row.Name;
      return Row.Kind;
    }
  return Tag::None;
}

} // namespace

MarkerKind adze::markerKind(const Function &F) {
  if (!F.isDeclaration() || F.isIntrinsic())
    return MarkerKind::None;
  for (const MarkerRow &Row : Markers)
    if (F.getName().contains(Row.Name))
      return Row.Kind;
  // A misspelled or newer one: better refused here than missed by the linker.
  return F.getName().contains(AnyMarker) ? MarkerKind::Unsupported
                                         : MarkerKind::None;
}

StringRef adze::markerName(const Function &F) {
  StringRef Name = F.getName();
  for (const MarkerRow &Row : Markers)
    if (size_t At = Name.find(Row.Name); At != StringRef::npos)
      return Name.substr(At, Row.Name.size());
  if (size_t At = Name.find(AnyMarker); At != StringRef::npos)
    return Name.drop_front(At).take_while(
        [](char C) { return isAlnum(C) || C == '_'; });
  return Name;
}

Tag adze::tagOf(const Value *V, StringRef &Name) {
  if (const auto *MV = dyn_cast<MetadataAsValue>(V)) {
    const auto *Text = dyn_cast<MDString>(MV->getMetadata());
    return Text ? tagNamed(Text->getString(), Name) : Tag::None;
  }
  // The variable counts, not its value: two tags may have equal values.
  Tag Found = Tag::None;
  lookThrough(V, [&](const Value *Step) {
    if (const auto *L = dyn_cast<LoadInst>(Step))
      Step = L->getPointerOperand()->stripPointerCasts();
    if (const auto *G = dyn_cast<GlobalVariable>(Step))
      Found = tagNamed(G->getName(), Name);
    return Found != Tag::None;
  });
  return Found;
}

Registration adze::registrationKind(const GlobalVariable &G) {
  for (const RegistrationRow &Row : Registrations)
    if (G.getName().contains(Row.Name))
      return Row.Kind;
  return Registration::None;
}

bool adze::asksForPrecision(MarkerKind Kind) {
  return Kind == MarkerKind::TruncateFunction ||
         Kind == MarkerKind::TruncateMemory ||
         Kind == MarkerKind::TruncateValue || Kind == MarkerKind::ExpandValue;
}

bool adze::hasMarkers(const Module &M) {
  return any_of(
      M, [](const Function &F) { return markerKind(F) != MarkerKind::None; });
}
