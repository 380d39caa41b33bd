// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions of a kind have in common. All else in Adze goes by these facts
// and those of the row; a new kind is a line here.
#include "adze/KnownFunction.h"

namespace adze {

namespace {
struct KindRow {
  KnownKind Kind;
  CallFacts Facts;
};
constexpr bool Numbers = true;
using A = Reach;
using S = Stores;
using R = Returns;
using K = KnownKind;
using D = Derivation;
using E = ExceptionStep;
} // namespace

// (errno aside, which no derivative reads.)
static constexpr KindRow Kinds[] = {
    // kind, reads, writes, stored, returned, repeatable, derivation
    {K::Scalar,
     {A::None, A::None, S::Nothing, R::Result, Repeats::Yes, D::Partials,
      Numbers}},
    {K::Conversion,
     {A::None, A::None, S::Nothing, R::Result, Repeats::Yes, D::Conversion,
      Numbers}},
    {K::Constant,
     {A::None, A::None, S::Nothing, R::Constant, Repeats::Yes, D::Zero,
      Numbers}},
    {K::OutScalar,
     {A::AsDeclared, A::AsDeclared, S::Results, R::Result, Repeats::Yes,
      D::OutputPartials, Numbers}},
    {K::ComplexScalar,
     {A::AsDeclared, A::AsDeclared, S::Results, R::Result, Repeats::Yes,
      D::ComplexPartials}},
    {K::Inactive,
     {A::AsDeclared, A::AsDeclared, S::Nothing, R::Unrelated, Repeats::IfPure,
      D::Zero}},
    {K::Overwrites,
     {A::AsDeclared, A::AsDeclared, S::Constants, R::Unrelated, Repeats::No,
      D::Constants}},
    {K::NoReturn,
     {A::None, A::None, S::Nothing, R::Never, Repeats::Yes, D::Zero}},
    {K::Allocate,
     {A::None, A::None, S::Nothing, R::NewBlock, Repeats::No, D::NewBlock,
      Numbers}},
    {K::Reallocate,
     {A::AsDeclared, A::Released, S::Copy, R::NewBlock, Repeats::No, D::None,
      Numbers}},
    {K::Free,
     {A::None, A::Released, S::Nothing, R::Nothing, Repeats::No, D::Release}},
    {K::NewException,
     {A::None, A::None, S::Nothing, R::Exception, Repeats::No, D::NewException,
      Numbers, E::Makes}},
    {K::CaughtException,
     {A::None, A::None, S::Nothing, R::Exception, Repeats::No,
      D::CaughtException, false, E::Catches}},
    {K::ThrowException,
     {A::None, A::None, S::Nothing, R::Nothing, Repeats::No, D::Zero, false,
      E::Throws}},
    {K::DropException,
     {A::None, A::First, S::Nothing, R::Nothing, Repeats::No, D::Zero, false,
      E::Drops}},
    {K::AllocateTo,
     {A::None, A::First, S::NewBlock, R::Nothing, Repeats::No, D::NewBlockTo,
      Numbers}},
    {K::AllocateToThird,
     {A::None, A::AsDeclared, S::NewBlock, R::Nothing, Repeats::No,
      D::NewBlockTo, Numbers}},
    {K::BlockCopy,
     {A::Second, A::First, S::Copy, R::First, Repeats::Yes, D::BlockCopy}},
    {K::BlockSet,
     {A::None, A::First, S::Constants, R::First, Repeats::Yes, D::BlockSet}},
    {K::SavesState,
     {A::Second, A::First, S::Copy, R::Nothing, Repeats::No, D::States}},
    {K::ReadOnly,
     {A::AsDeclared, A::None, S::Nothing, R::Unrelated, Repeats::Yes, D::Zero}},
    {K::Ignorable,
     {A::None, A::None, S::Nothing, R::Nothing, Repeats::Yes, D::Zero}},
    {K::TeamBound,
     {A::None, A::None, S::Nothing, R::Constant, Repeats::Yes, D::Zero}},
    {K::Shuffle,
     {A::None, A::None, S::Nothing, R::First, Repeats::No, D::Shuffle}},
    // What other threads have written is seen behind it.
    {K::TeamSync,
     {A::None, A::Anywhere, S::Nothing, R::Nothing, Repeats::No, D::Mirror}},
    {K::TaskWait,
     {A::None, A::None, S::Nothing, R::Nothing, Repeats::No, D::Mirror}},
    {K::Passthrough,
     {A::None, A::None, S::Nothing, R::First, Repeats::Yes, D::FirstOperand}},
    {K::DeclaredInactive,
     {A::AsDeclared, A::Anywhere, S::Nothing, R::Inactive, Repeats::No,
      D::Zero}},
};

CallFacts factsOf(KnownKind Kind) {
  for (const KindRow &Row : Kinds)
    if (Row.Kind == Kind)
      return Row.Facts;
  // As of a function of which nothing is known.
  return {Reach::AsDeclared, Reach::Anywhere};
}

bool KnownFunction::mayActivate(unsigned I) const {
  switch (Facts.Stored) {
  case Stores::Results:
  case Stores::NewBlock:
    return true;
  case Stores::Constants:
    return false;
  case Stores::Copy:
    return I == 0;
  case Stores::Nothing:
    return Within == int(I) || (Facts.Result == Returns::First && I == 0);
  }
  return true;
}

} // namespace adze
