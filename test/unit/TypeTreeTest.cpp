// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of the lattice of type trees, on thousands of random trees.
#include "adze/TypeTree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Type.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace adze;

namespace {

/// Few places and types, so that facts meet often.
class RandomTrees {
public:
  RandomTrees(LLVMContext &Context, unsigned Seed)
      : Context(Context), Random(Seed) {}

  TypeTree tree(unsigned Depth = 3) {
    TypeTree T;
    for (unsigned N = pick(5); N != 0; --N)
      T.join(fact(Depth));
    return T;
  }

  unsigned pick(unsigned Bound) { return unsigned(Random() % Bound); }

  TypeTree fact(unsigned Depth) {
    TypePlace P;
    ConcreteType T;
    TypeTree Pointee;
    switch (pick(6)) {
    case 0:
      T = ConcreteType::floating(Type::getDoubleTy(Context));
      P.Size = 8;
      break;
    case 1:
      T = ConcreteType::floating(Type::getFloatTy(Context));
      P.Size = 4;
      break;
    case 2:
      T = ConcreteType::Integer;
      P.Size = 1u << pick(4);
      break;
    case 3:
      T = ConcreteType::Anything;
      P.Size = 1u << pick(6);
      break;
    default:
      T = ConcreteType::Pointer;
      P.Size = 8;
      if (Depth)
        Pointee = tree(Depth - 1);
    }
    P.Start = 4 * pick(8);
    if (pick(2)) {
      P.Stride = 8u << pick(3);
      const uint64_t Counts[] = {2, 3, 5, TypePlace::Unbounded};
      P.Count = Counts[pick(4)];
    }
    return TypeTree::of(P, T, Certainty(pick(3)), nullptr, Pointee);
  }

private:
  LLVMContext &Context;
  std::mt19937 Random;
};

TypeTree joined(TypeTree A, const TypeTree &B) {
  A.join(B);
  return A;
}

constexpr unsigned Rounds = 3000;

} // namespace

TEST(TypeTreeLaws, JoinIsCommutative) {
  LLVMContext C;
  RandomTrees R(C, 1);
  for (unsigned I = 0; I != Rounds; ++I) {
    TypeTree A = R.tree(), B = R.tree();
    ASSERT_EQ(joined(A, B).str(), joined(B, A).str()) << A.str() << "\n"
                                                      << B.str();
  }
}

TEST(TypeTreeLaws, JoinIsAssociative) {
  LLVMContext C;
  RandomTrees R(C, 2);
  for (unsigned I = 0; I != Rounds; ++I) {
    TypeTree A = R.tree(), B = R.tree(), D = R.tree();
    ASSERT_EQ(joined(joined(A, B), D).str(), joined(A, joined(B, D)).str())
        << A.str() << "\n"
        << B.str() << "\n"
        << D.str();
  }
}

TEST(TypeTreeLaws, JoinIsIdempotentAndTellsChanges) {
  LLVMContext C;
  RandomTrees R(C, 3);
  for (unsigned I = 0; I != Rounds; ++I) {
    TypeTree A = R.tree(), B = R.tree();
    TypeTree Sum = joined(A, B);
    TypeTree Again = Sum;
    ASSERT_FALSE(Again.join(A)) << Sum.str() << "\n" << A.str();
    ASSERT_FALSE(Again.join(B));
    ASSERT_FALSE(Again.join(Sum));
    ASSERT_TRUE(Again == Sum);
    TypeTree Copy = A;
    ASSERT_EQ(Copy.join(B), !(Sum == A)) << A.str() << "\n" << B.str();
  }
}

TEST(TypeTreeLaws, UnknownIsBottom) {
  LLVMContext C;
  RandomTrees R(C, 4);
  for (unsigned I = 0; I != Rounds; ++I) {
    TypeTree A = R.tree();
    ASSERT_TRUE(joined(TypeTree(), A) == A);
    ASSERT_TRUE(joined(A, TypeTree()) == A);
    ASSERT_TRUE(TypeTree().isImpliedBy(A));
    ASSERT_EQ(A.isImpliedBy(TypeTree()), A.isUnknown());
  }
}

TEST(TypeTreeLaws, JoinIsMonotoneAndLeast) {
  LLVMContext C;
  RandomTrees R(C, 5);
  for (unsigned I = 0; I != Rounds; ++I) {
    TypeTree A = R.tree(), B = R.tree(), D = R.tree();
    TypeTree Larger = joined(A, B);
    ASSERT_TRUE(A.isImpliedBy(Larger));
    ASSERT_TRUE(joined(A, D).isImpliedBy(joined(Larger, D))) << A.str() << "\n"
                                                             << B.str() << "\n"
                                                             << D.str();
    if (A.isImpliedBy(D) && B.isImpliedBy(D)) {
      ASSERT_TRUE(Larger.isImpliedBy(D));
    }
  }
}

TEST(TypeTreeLaws, MeetIsCommutativeAndIdempotent) {
  LLVMContext C;
  RandomTrees R(C, 6);
  for (unsigned I = 0; I != Rounds; ++I) {
    TypeTree A = R.tree(), B = R.tree();
    ASSERT_EQ(TypeTree::meet(A, B).str(), TypeTree::meet(B, A).str())
        << A.str() << "\n"
        << B.str();
    ASSERT_TRUE(TypeTree::meet(A, A) == A);
    ASSERT_TRUE(TypeTree::meet(A, TypeTree()).isUnknown());
  }
}

TEST(TypeTreeLaws, MeetClaimsNothingNew) {
  LLVMContext C;
  RandomTrees R(C, 7);
  for (unsigned I = 0; I != Rounds; ++I) {
    TypeTree A = R.tree(), B = R.tree();
    ASSERT_TRUE(TypeTree::meet(A, B).isImpliedBy(joined(A, B)))
        << A.str() << "\n"
        << B.str();
  }
}

TEST(TypeTreeLaws, TextGoesBothWays) {
  LLVMContext C;
  RandomTrees R(C, 8);
  for (unsigned I = 0; I != Rounds; ++I) {
    TypeTree A = R.tree(), Back;
    ASSERT_TRUE(TypeTree::parse(A.str(), C, Back)) << A.str();
    ASSERT_TRUE(A == Back) << A.str() << "\n" << Back.str();
  }
}

TEST(TypeTreeLaws, MovesAreMonotone) {
  LLVMContext C;
  RandomTrees R(C, 9);
  for (unsigned I = 0; I != Rounds; ++I) {
    // Without Anything, which a scalar implies that a cut may lose.
    TypeTree A = R.tree().dropping(ConcreteType::Anything);
    TypeTree B = joined(A, R.tree().dropping(ConcreteType::Anything));
    int64_t Delta = int64_t(R.pick(64)) - 32;
    ASSERT_TRUE(A.shifted(Delta).isImpliedBy(B.shifted(Delta)))
        << A.str() << "\n"
        << B.str() << "\n"
        << Delta;
    ASSERT_TRUE(A.slice(8, 24).isImpliedBy(B.slice(8, 24))) << A.str() << "\n"
                                                            << B.str();
    ASSERT_TRUE(A.folded(16).isImpliedBy(B.folded(16))) << A.str() << "\n"
                                                        << B.str();
    ASSERT_TRUE(A.demoted(Certainty::Indirect)
                    .isImpliedBy(B.demoted(Certainty::Indirect)));
  }
}

TEST(TypeTreeLaws, RepeatedHoldsAtEachElement) {
  LLVMContext C;
  RandomTrees R(C, 11);
  for (unsigned I = 0; I != Rounds; ++I) {
    TypeTree A = R.fact(2);
    // (Padding repeats with whole objects only.)
    if (!A.facts()[0].Place.isSingle() || A.facts()[0].Place.Size > 8 ||
        A.facts()[0].Type.kind() == ConcreteType::Anything)
      continue;
    Dimension Inner, Outer;
    Inner.Stride = 8u << R.pick(2);
    Inner.Count = 2 + R.pick(4);
    Outer.Stride = Inner.Stride * (Inner.Count + R.pick(2));
    TypeTree All = A.repeated({Outer, Inner});
    for (uint64_t O = 0; O != 3; ++O)
      for (uint64_t N = 0; N != Inner.Count; ++N)
        ASSERT_TRUE(
            A.shifted(int64_t(O * Outer.Stride + N * Inner.Stride))
                .demoted(O + N == 0 ? Certainty::Definite : Certainty::Indirect)
                .isImpliedBy(All))
            << A.str() << "\n"
            << All.str();
    // What is known at each element is known of whichever element it is.
    if (!All.isUnknown()) {
      ASSERT_TRUE(A.isImpliedBy(All.invariant({Outer, Inner})))
          << A.str() << "\n"
          << All.str();
    }
  }
}

TEST(TypeTreeLaws, PaddingRepeatsWithWholeObjectsOnly) {
  LLVMContext C;
  TypeTree Record =
      TypeTree::at(0, 8, ConcreteType::floating(Type::getDoubleTy(C)));
  Record.join(TypeTree::at(8, 4, ConcreteType::Integer));
  Record.join(TypeTree::at(12, 4, ConcreteType::Anything));
  auto hasPadding = [](const TypeTree &T) {
    return any_of(T.facts(), [](const TypeFact &F) {
      return F.Type.kind() == ConcreteType::Anything;
    });
  };
  EXPECT_TRUE(hasPadding(Record.repeated({{16, 4}})));
  EXPECT_TRUE(hasPadding(Record.folded(16)));
  EXPECT_FALSE(hasPadding(Record.repeated({{8, 4}})));
  EXPECT_FALSE(hasPadding(Record.folded(8)));
}

TEST(TypeTreeLaws, LimitsOnlyForget) {
  LLVMContext C;
  RandomTrees R(C, 10);
  for (unsigned I = 0; I != Rounds; ++I) {
    TypeTree A = R.tree();
    TypeTree Small = A.limited(4);
    ASSERT_TRUE(Small.isImpliedBy(A));
    ASSERT_LE(Small.weight(), 4u);
    ASSERT_TRUE(A.limited(1000) == A);
  }
}

TEST(TypeTreeLaws, LimitsKeepTheFirstProgressions) {
  LLVMContext C;
  Type *Double = Type::getDoubleTy(C);
  TypeTree Many;
  constexpr unsigned Count = 3 * TypeTree::MaxProgressions;
  for (unsigned I = 0; I != Count; ++I) {
    TypePlace Place;
    Place.Start = 8 * I;
    Place.Size = 8;
    Place.Stride = 8 * Count;
    Place.Count = TypePlace::Unbounded;
    Many.join(TypeTree::of(Place, ConcreteType::floating(Double)));
    Many.join(TypeTree::at(8 * (Count + I), 4, ConcreteType::Integer));
  }
  TypeTree Small = Many.limited(4 * Count);
  ASSERT_TRUE(Small.isImpliedBy(Many));
  unsigned Progressions = 0, Last = 0;
  for (const TypeFact &F : Small.facts())
    if (!F.Place.isSingle()) {
      ++Progressions;
      Last = F.Place.Start;
    }
  EXPECT_EQ(Progressions, TypeTree::MaxProgressions);
  EXPECT_EQ(Last, 8 * (TypeTree::MaxProgressions - 1));
  EXPECT_EQ(Small.facts().size(), Progressions + Count);
}

/// Pointers in a row of \p N, each to what \p Behind says.
template <typename Fn> static TypeTree rowOf(unsigned N, Fn Behind) {
  TypeTree T;
  for (unsigned I = 0; I != N; ++I)
    T.join(TypeTree::at(8 * I, 8, ConcreteType::Pointer, Certainty::Definite,
                        nullptr, Behind(I)));
  return T;
}

TEST(TypeTreeLaws, RowsThatEndAreNoProgressions) {
  LLVMContext C;
  ConcreteType Double = ConcreteType::floating(Type::getDoubleTy(C));
  auto goesOn = [](const TypeTree &T) {
    return !T.widened().pointeeAt(8 * 100).isUnknown() ||
           any_of(T.widened().facts(),
                  [](const TypeFact &F) { return F.Place.isUnbounded(); });
  };
  auto toDoubles = [&](unsigned) { return TypeTree::at(0, 8, Double); };
  TypeTree Row = rowOf(10, toDoubles);
  EXPECT_TRUE(goesOn(Row));
  EXPECT_FALSE(goesOn(rowOf(7, toDoubles)));
  // Behind the row stands something else.
  TypeTree Ended = Row;
  Ended.join(TypeTree::at(80, 4, ConcreteType::Integer));
  EXPECT_FALSE(goesOn(Ended));
  // Not right behind it, or not for sure.
  TypeTree Later = Row;
  Later.join(TypeTree::at(88, 4, ConcreteType::Integer));
  EXPECT_TRUE(goesOn(Later));
  TypeTree Perhaps = Row;
  Perhaps.join(TypeTree::at(80, 8, Double, Certainty::Hint));
  EXPECT_TRUE(goesOn(Perhaps));
  // Pointers to nothing in common.
  EXPECT_FALSE(goesOn(rowOf(10, [&](unsigned I) {
    return TypeTree::at(0, 8, I % 2 ? Double : ConcreteType::Pointer);
  })));
  EXPECT_TRUE(goesOn(rowOf(10, [](unsigned) { return TypeTree(); })));
}

TEST(TypeTreeConflicts, BothWitnessesAreNamed) {
  LLVMContext C;
  Constant *A = ConstantInt::get(Type::getInt32Ty(C), 1);
  Constant *B = ConstantInt::get(Type::getInt32Ty(C), 2);
  TypeTree T = TypeTree::at(8, 8, ConcreteType::floating(Type::getDoubleTy(C)),
                            Certainty::Definite, A);
  T.join(TypeTree::at(12, 4, ConcreteType::Integer, Certainty::Definite, B));
  TypeTree Ptr = T.behindPointer(8, nullptr);
  SmallVector<TypeTree::Conflict, 2> Found;
  Ptr.findConflicts(Found);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].A->Witness, A);
  EXPECT_EQ(Found[0].B->Witness, B);
  ASSERT_EQ(Found[0].Path.size(), 1u);
  EXPECT_EQ(Found[0].Path[0], 0u);
}

TEST(TypeTreeConflicts, OnlyEqualCertaintyIsAConflict) {
  LLVMContext C;
  ConcreteType Double = ConcreteType::floating(Type::getDoubleTy(C));
  SmallVector<TypeTree::Conflict, 2> Found;
  TypeTree T = TypeTree::at(0, 8, Double);
  T.join(TypeTree::at(0, 8, ConcreteType::Pointer, Certainty::Indirect));
  T.join(TypeTree::at(0, 8, ConcreteType::Integer, Certainty::Hint));
  T.join(TypeTree::at(0, 8, ConcreteType::Anything));
  T.findConflicts(Found);
  EXPECT_TRUE(Found.empty());
  // An array's later elements are extrapolated: no conflict either.
  TypePlace P;
  P.Size = P.Stride = 8;
  P.Count = TypePlace::Unbounded;
  TypeTree Array = TypeTree::of(P, Double);
  Array.join(TypeTree::at(24, 4, ConcreteType::Integer));
  Array.findConflicts(Found);
  EXPECT_TRUE(Found.empty());
  P.Count = 10; // a declared or bounded one is certain of all
  TypeTree Bounded = TypeTree::of(P, Double);
  Bounded.join(TypeTree::at(24, 4, ConcreteType::Integer));
  Bounded.findConflicts(Found);
  EXPECT_EQ(Found.size(), 1u);
}

TEST(TypeTreeText, RejectsWhatIsNoTree) {
  LLVMContext C;
  TypeTree T;
  for (const char *Text :
       {"", "{", "}", "{[0]}", "{[0]:}", "{[0]:Float}", "{[0]:Float@quad}",
        "{[*0]:Integer}", "{[*8x1]:Integer}", "{[0]:Integer -> {}}",
        "{[0]:Pointer -> }", "{} {}", "{[x]:Pointer}", "{[0]:Integer(0)}",
        "{[0]:Pointer,}"})
    EXPECT_FALSE(TypeTree::parse(Text, C, T)) << Text;
  EXPECT_TRUE(T.isUnknown());
  std::string Deep;
  for (int I = 0; I != 1000; ++I)
    Deep += "{[0]:Pointer -> ";
  EXPECT_FALSE(TypeTree::parse(Deep, C, T));
}

TEST(TypeTreeText, IsReadable) {
  LLVMContext C;
  TypePlace P;
  P.Size = P.Stride = 8;
  P.Count = TypePlace::Unbounded;
  TypeTree T = TypeTree::of(P, ConcreteType::floating(Type::getDoubleTy(C)));
  EXPECT_EQ(T.behindPointer(8, nullptr).str(),
            "{[0]:Pointer -> {[*8]:Float@double}}");
}

TEST(TypeTreeDepth, IsBounded) {
  LLVMContext C;
  TypeTree T = TypeTree::at(0, 4, ConcreteType::Integer);
  for (int I = 0; I != 20; ++I)
    T = T.behindPointer(8, nullptr);
  EXPECT_EQ(T.depth(), unsigned(TypeTree::MaxDepth));
}
