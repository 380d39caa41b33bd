// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Sharing/LaunchSums.h"
#include "Analysis/Sharing/ThreadObjects.h"
#include "adze/DeviceTarget.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

constexpr unsigned QueryBudget = 100000;
/// Beyond, all sums are atomic; and what is tested costs time in each thread.
constexpr size_t MaxReads = 256, MaxPlaces = 32, MaxPairs = 24;

/// What threads read by one instruction or by several, most often the members
/// of a structure.
struct Place {
  const Value *Object;
  LaunchForm Form;
  SmallVector<const LoadInst *, 4> Loads;
  bool IsOfThread = true;
};

/// All of \p A and of \p B are the same in all threads, if it is in one. (Of
/// what a thread reads in loops, it does not matter in which of them.)
bool haveEqualParts(const LaunchForm &A, const LaunchForm &B,
                    const LaunchForms &Forms) {
  return A.Parts.size() == B.Parts.size() &&
         all_of(zip(A.Parts, B.Parts), [&](const auto &Pair) {
           const auto &[X, Y] = Pair;
           return ((X.Digit == Y.Digit && X.IsTurned == Y.IsTurned) ||
                   (Forms.isCounter(X.Digit) && Forms.isCounter(Y.Digit))) &&
                  areEqual(X.Coefficient, Y.Coefficient);
         });
}

void joinBounds(LaunchForm &F, const LaunchForm &With) {
  for (auto [Mine, Other] : zip(F.Parts, With.Parts))
    erase_if(Mine.Bounds, [&, &Bounds = Other.Bounds](const Polynomial &P) {
      return none_of(Bounds,
                     [&](const Polynomial &Q) { return areEqual(P, Q); });
    });
  if (F.Way && !(With.Way && areEqual(*F.Way, *With.Way)))
    F.Way.reset();
  append_range(F.Fits, With.Fits);
}

/// From one thread's place to that of a neighbour, or of one nearby: there,
/// threads do meet.
bool isNearby(const LaunchForm &F, const Polynomial &Distance) {
  constexpr int64_t Most = 4;
  if (constantOf(Distance) == 0)
    return false;
  SmallVector<Polynomial, 4> Steps;
  for (const LaunchForm::Part &P : F.Parts)
    Steps.push_back(P.Coefficient);
  while (Steps.size() < 2)
    Steps.push_back(Polynomial(0));
  for (size_t I = 0; I < Steps.size(); ++I)
    for (size_t J = 0; J < I; ++J)
      for (int64_t A = -Most; A <= Most; ++A)
        for (int64_t B = -Most; B <= Most; ++B)
          if (areEqual(Steps[I] * Polynomial(A) + Steps[J] * Polynomial(B),
                       Distance))
            return true;
  return false;
}

class Finder {
public:
  Finder(const Facts &F, LaunchForms &Forms)
      : F(F), Forms(Forms), Objects(F.R) {}

  void run(std::vector<LaunchSums::Test> &Tests,
           DenseMap<const LoadInst *, unsigned> &TestOf);

private:
  bool collect();
  void add(const LoadInst *Load, const Value *Object, LaunchForm Form);
  bool mayMeet(const Place &A, const Place &B) {
    return A.Object == B.Object || !Objects.areApart(A.Object, B.Object);
  }
  bool mayMeetUnknown(const Place &A);
  std::vector<std::vector<size_t>> groups();
  std::optional<LaunchSums::Test> test(ArrayRef<size_t> Group);
  bool addRanges(LaunchSums::Test &T, ArrayRef<const Place *> Of);
  bool addInObject(LaunchSums::Test &T, size_t First, size_t Last,
                   ArrayRef<const Place *> Of);

  const Facts &F;
  LaunchForms &Forms;
  ThreadObjects Objects;
  std::vector<Place> Places;
  SmallVector<SmallVector<const Value *, 2>, 4> Unknown; // objects
};

void Finder::add(const LoadInst *Load, const Value *Object, LaunchForm Form) {
  auto Same = find_if(Places, [&](const Place &P) {
    if (P.Object != Object || !haveEqualParts(P.Form, Form, Forms))
      return false;
    auto Distance = constantOf(Form.Start - P.Form.Start);
    return Distance && !isNearby(P.Form, Form.Start - P.Form.Start) &&
           *Distance < 1024 && *Distance > -1024;
  });
  if (Same == Places.end()) {
    Places.push_back({Object, std::move(Form), {}});
    Same = std::prev(Places.end());
  } else {
    LaunchForm &All = Same->Form;
    const int64_t From = constantOf(Form.Start - All.Start).value_or(0);
    const int64_t Begin = std::min<int64_t>(From, 0);
    const int64_t End = std::max<int64_t>(From + Form.Size, All.Size);
    All.Start = All.Start + Polynomial(Begin);
    All.Size = End - Begin;
    joinBounds(All, Form);
    All.IsShared |= Form.IsShared;
  }
  if (Load)
    Same->Loads.push_back(Load);
}

/// All that threads read, of what they may share.
bool Finder::collect() {
  size_t Count = 0;
  for (const Instruction &I : instructions(*F.P->F)) {
    if (!F.mayBeShared(I))
      continue;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || ++Count > MaxReads || Places.size() > MaxPlaces)
      return false; // a block, or a call
    auto Behind = ThreadObjects::objectsBehind(Load->getPointerOperand());
    std::optional<LaunchForm> Form;
    if (Behind.size() == 1 && isa<Argument>(Behind.front()) && Load->isSimple())
      Form = Forms.of(I);
    if (Form)
      add(Load, Behind.front(), std::move(*Form));
    else
      Unknown.push_back(std::move(Behind));
  }
  return true;
}

bool Finder::mayMeetUnknown(const Place &A) {
  return any_of(Unknown, [&](const auto &Behind) {
    return !Objects.areApart(A.Object, Behind);
  });
}

/// Of places that may meet, or may do so with others of their group.
std::vector<std::vector<size_t>> Finder::groups() {
  std::vector<std::vector<size_t>> Groups;
  for (size_t I = 0; I < Places.size(); ++I) {
    std::vector<size_t> Joined{I};
    erase_if(Groups, [&](const std::vector<size_t> &Group) {
      const bool Meets = any_of(
          Group, [&](size_t J) { return mayMeet(Places[I], Places[J]); });
      if (Meets)
        append_range(Joined, Group);
      return Meets;
    });
    Groups.push_back(std::move(Joined));
  }
  return Groups;
}

/// That the places from \p First to \p Last, of one object, do not meet.
bool Finder::addInObject(LaunchSums::Test &T, size_t First, size_t Last,
                         ArrayRef<const Place *> Of) {
  auto isBehind = [&](size_t I, size_t J) {
    return (Of[J]->Form.Start - Of[I]->Form.Start).hasNoNegativeTerm();
  };
  bool Ascends = true;
  for (size_t I = First; I < Last; ++I)
    Ascends &= isBehind(I, I + 1) && Of[I]->IsOfThread && Of[I + 1]->IsOfThread;
  if (Ascends) {
    for (size_t I = First; I < Last; ++I)
      T.Ascending.push_back({I, I + 1});
    return true;
  }
  for (size_t I = First; I <= Last; ++I)
    for (size_t J = First; J < I; ++J)
      if (Of[I]->IsOfThread || Of[J]->IsOfThread)
        T.Ranges.push_back(
            {unsigned(J), unsigned(J), unsigned(I), unsigned(I)});
  return false;
}

/// That places of different threads do not meet.
bool Finder::addRanges(LaunchSums::Test &T, ArrayRef<const Place *> Of) {
  SmallVector<std::pair<size_t, size_t>, 8> Ordered; // first and last of each
  for (size_t First = 0; First < Of.size();) {
    size_t Last = First;
    while (Last + 1 < Of.size() && Of[Last + 1]->Object == Of[First]->Object)
      ++Last;
    if (addInObject(T, First, Last, Of))
      Ordered.push_back({First, Last});
    else
      for (size_t I = First; I <= Last; ++I)
        Ordered.push_back({I, I});
    First = Last + 1;
  }
  for (size_t I = 0; I < Ordered.size(); ++I)
    for (size_t J = 0; J < I; ++J) {
      auto [A, B] = Ordered[I];
      auto [C, D] = Ordered[J];
      if (Of[A]->Object != Of[C]->Object && mayMeet(*Of[A], *Of[C]) &&
          (Of[A]->IsOfThread || Of[C]->IsOfThread))
        T.Ranges.push_back(
            {unsigned(C), unsigned(D), unsigned(A), unsigned(B)});
    }
  return T.Ranges.size() <= MaxPairs;
}

std::optional<LaunchSums::Test> Finder::test(ArrayRef<size_t> Group) {
  SmallVector<Place *, 8> Of;
  for (size_t I : Group)
    Of.push_back(&Places[I]);
  if (any_of(Of, [&](const Place *P) { return mayMeetUnknown(*P); }) ||
      (Of.size() > 1 &&
       any_of(Of, [](const Place *P) { return !P->Form.hasBounds(); })))
    return std::nullopt;
  // Objects one after the other, and their places as they lie there.
  orderAsKnown(Of, [](const Place *A, const Place *B) {
    auto *X = cast<Argument>(A->Object), *Y = cast<Argument>(B->Object);
    if (X != Y)
      return X->getArgNo() < Y->getArgNo();
    const Polynomial Between = B->Form.Start - A->Form.Start;
    return constantOf(Between) != 0 && Between.hasNoNegativeTerm();
  });
  auto isUnbounded = [](const LaunchForm::Part &P) { return P.Bounds.empty(); };
  for (Place *A : Of) {
    if (A->Form.IsShared || A->Form.Parts.empty() ||
        count_if(A->Form.Parts, isUnbounded) > 1 ||
        any_of(A->Loads, [&](auto *Load) { return F.isLikelyAlike(*Load); }))
      A->IsOfThread = false;
    for (Place *B : Of)
      if (A != B && A->Object == B->Object &&
          haveEqualParts(A->Form, B->Form, Forms) &&
          isNearby(A->Form, B->Form.Start - A->Form.Start))
        A->IsOfThread = B->IsOfThread = false;
    // One step of all threads must be wide enough.
    for (const LaunchForm::Part &P : A->Form.Parts)
      if (auto C = constantOf(P.Coefficient);
          C && (*C <= 0 || uint64_t(*C) < A->Form.Size))
        A->IsOfThread = false;
  }
  LaunchSums::Test T;
  for (auto [I, P] : enumerate(Of)) {
    T.Places.push_back(P->Form);
    if (P->IsOfThread)
      T.OfThreads.push_back(I);
  }
  SmallVector<const Place *, 8> Const(Of.begin(), Of.end());
  if (T.OfThreads.empty() || !addRanges(T, Const))
    return std::nullopt;
  return T;
}

void Finder::run(std::vector<LaunchSums::Test> &Tests,
                 DenseMap<const LoadInst *, unsigned> &TestOf) {
  if (!collect())
    return;
  for (const std::vector<size_t> &Group : groups())
    if (std::optional<LaunchSums::Test> T = test(Group)) {
      for (size_t I : Group)
        if (Places[I].IsOfThread)
          for (const LoadInst *Load : Places[I].Loads)
            TestOf[Load] = Tests.size();
      Tests.push_back(std::move(*T));
    }
}

} // namespace

LaunchSums::LaunchSums(const Facts &F) {
  if (F.R.InTeam != TeamRole::Region || F.R.Kind.isForward() ||
      !isDevice(*F.P->F->getParent()))
    return;
  Forms = std::make_unique<LaunchForms>(*F.P, loopMemoryOf(*F.P, QueryBudget));
  Finder(F, *Forms).run(Tests, TestOf);
}

} // namespace adze
