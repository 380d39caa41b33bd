// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions of libraries do whose own body is not visible, but which move
// pointers, or the program's data. Clang makes bitcode of this file while the
// plugin is built. A call in a canonical clone becomes a call of the body
// (LibraryBodies.cpp), which is then differentiated like any function; the rows
// are in lib/Known/Bodies.def.
//
// Structures are those of the libraries' headers, which their users compile in:
// a tree or list that is changed here stays one for the library. Where several
// results would be right (the shape of a balanced tree), another one than the
// library's may come out; what its users can see is the same.
#include <stddef.h>

extern void *malloc(size_t Bytes);
extern void free(void *Block);

//===-- libstdc++: the tree of map, set, multimap, multiset ---------------===//
//
// A red-black tree (Cormen et al., Introduction to Algorithms, chapter 13; its
// null nodes are null pointers here). The header's parent is the root, its left
// and right are the first and the last node; the root's parent is the header.

enum Color { Red = 0, Black = 1 };

struct TreeNode {
  enum Color Color;
  struct TreeNode *Parent, *Left, *Right;
};

static struct TreeNode *leftmost(struct TreeNode *N) {
  while (N->Left)
    N = N->Left;
  return N;
}

static struct TreeNode *rightmost(struct TreeNode *N) {
  while (N->Right)
    N = N->Right;
  return N;
}

struct TreeNode *body_tree_increment(struct TreeNode *N) {
  if (N->Right)
    return leftmost(N->Right);
  struct TreeNode *Above = N->Parent;
  while (N == Above->Right) {
    N = Above;
    Above = Above->Parent;
  }
  // The root without a right child leads to the header, which is the end.
  return N->Right != Above ? Above : N;
}

struct TreeNode *body_tree_decrement(struct TreeNode *N) {
  // The header is red, and the root's parent.
  if (N->Color == Red && N->Parent->Parent == N)
    return N->Right;
  if (N->Left)
    return rightmost(N->Left);
  struct TreeNode *Above = N->Parent;
  while (N == Above->Left) {
    N = Above;
    Above = Above->Parent;
  }
  return Above;
}

/// \p New takes the place of \p Old below the parent of \p Old.
static void replaceChild(struct TreeNode *Old, struct TreeNode *New,
                         struct TreeNode *Header) {
  struct TreeNode *Above = Old->Parent;
  if (Header->Parent == Old)
    Header->Parent = New;
  else if (Above->Left == Old)
    Above->Left = New;
  else
    Above->Right = New;
}

static void rotateLeft(struct TreeNode *N, struct TreeNode *Header) {
  struct TreeNode *Up = N->Right;
  N->Right = Up->Left;
  if (Up->Left)
    Up->Left->Parent = N;
  Up->Parent = N->Parent;
  replaceChild(N, Up, Header);
  Up->Left = N;
  N->Parent = Up;
}

static void rotateRight(struct TreeNode *N, struct TreeNode *Header) {
  struct TreeNode *Up = N->Left;
  N->Left = Up->Right;
  if (Up->Right)
    Up->Right->Parent = N;
  Up->Parent = N->Parent;
  replaceChild(N, Up, Header);
  Up->Right = N;
  N->Parent = Up;
}

void body_tree_insert(_Bool AsLeft, struct TreeNode *New,
                      struct TreeNode *Above, struct TreeNode *Header) {
  New->Parent = Above;
  New->Left = NULL;
  New->Right = NULL;
  New->Color = Red;
  if (AsLeft) {
    Above->Left = New; // of an empty tree: the header's, too
    if (Above == Header) {
      Header->Parent = New;
      Header->Right = New;
    } else if (Above == Header->Left) {
      Header->Left = New;
    }
  } else {
    Above->Right = New;
    if (Above == Header->Right)
      Header->Right = New;
  }
  struct TreeNode *N = New;
  while (N != Header->Parent && N->Parent->Color == Red) {
    struct TreeNode *Parent = N->Parent, *Grand = Parent->Parent;
    int IsLeft = Parent == Grand->Left;
    struct TreeNode *Uncle = IsLeft ? Grand->Right : Grand->Left;
    if (Uncle && Uncle->Color == Red) {
      Parent->Color = Black;
      Uncle->Color = Black;
      Grand->Color = Red;
      N = Grand;
      continue;
    }
    if (IsLeft) {
      if (N == Parent->Right) {
        rotateLeft(Parent, Header);
        Parent = N;
      }
      Parent->Color = Black;
      Grand->Color = Red;
      rotateRight(Grand, Header);
    } else {
      if (N == Parent->Left) {
        rotateRight(Parent, Header);
        Parent = N;
      }
      Parent->Color = Black;
      Grand->Color = Red;
      rotateLeft(Grand, Header);
    }
    break;
  }
  Header->Parent->Color = Black;
}

/// A black node is missing above \p N, which may be null, below \p Above.
static void repairBlack(struct TreeNode *N, struct TreeNode *Above,
                        struct TreeNode *Header) {
  while (N != Header->Parent && (!N || N->Color == Black)) {
    int IsLeft = N == Above->Left;
    struct TreeNode *Other = IsLeft ? Above->Right : Above->Left;
    if (Other->Color == Red) {
      Other->Color = Black;
      Above->Color = Red;
      if (IsLeft)
        rotateLeft(Above, Header);
      else
        rotateRight(Above, Header);
      Other = IsLeft ? Above->Right : Above->Left;
    }
    struct TreeNode *Near = IsLeft ? Other->Left : Other->Right;
    struct TreeNode *Far = IsLeft ? Other->Right : Other->Left;
    int NearRed = Near && Near->Color == Red, FarRed = Far && Far->Color == Red;
    if (!NearRed && !FarRed) {
      Other->Color = Red;
      N = Above;
      Above = Above->Parent;
      continue;
    }
    if (!FarRed) {
      Near->Color = Black;
      Other->Color = Red;
      if (IsLeft)
        rotateRight(Other, Header);
      else
        rotateLeft(Other, Header);
      Far = Other;
      Other = Near;
    }
    Other->Color = Above->Color;
    Above->Color = Black;
    Far->Color = Black;
    if (IsLeft)
      rotateLeft(Above, Header);
    else
      rotateRight(Above, Header);
    break;
  }
  if (N)
    N->Color = Black;
}

/// Takes \p Old out of the tree, and returns it.
struct TreeNode *body_tree_erase(struct TreeNode *Old,
                                 struct TreeNode *Header) {
  if (Header->Left == Old)
    Header->Left = Old->Right ? leftmost(Old->Right) : Old->Parent;
  if (Header->Right == Old)
    Header->Right = Old->Left ? rightmost(Old->Left) : Old->Parent;
  enum Color Removed = Old->Color;
  struct TreeNode *Child, *Above;
  if (Old->Left && Old->Right) {
    // The next node takes the place of the old one.
    struct TreeNode *Next = leftmost(Old->Right);
    Removed = Next->Color;
    Child = Next->Right;
    Above = Next;
    if (Next != Old->Right) {
      Above = Next->Parent;
      if (Child)
        Child->Parent = Above;
      Above->Left = Child;
      Next->Right = Old->Right;
      Old->Right->Parent = Next;
    }
    Next->Left = Old->Left;
    Old->Left->Parent = Next;
    replaceChild(Old, Next, Header);
    Next->Parent = Old->Parent;
    Next->Color = Old->Color;
  } else {
    Child = Old->Left ? Old->Left : Old->Right;
    Above = Old->Parent;
    if (Child)
      Child->Parent = Above;
    replaceChild(Old, Child, Header);
  }
  if (Removed == Black)
    repairBlack(Child, Above, Header);
  return Old;
}

//===-- libstdc++: the ring of list ---------------------------------------===//

struct ListNode {
  struct ListNode *Next, *Prev;
};

void body_list_hook(struct ListNode *N, struct ListNode *Before) {
  N->Next = Before;
  N->Prev = Before->Prev;
  Before->Prev->Next = N;
  Before->Prev = N;
}

void body_list_unhook(struct ListNode *N) {
  N->Next->Prev = N->Prev;
  N->Prev->Next = N->Next;
}

/// Moves [First, Last) before \p N.
void body_list_transfer(struct ListNode *N, struct ListNode *First,
                        struct ListNode *Last) {
  if (N == Last)
    return;
  struct ListNode *End = Last->Prev, *Start = First->Prev, *Before = N->Prev;
  Start->Next = Last;
  Last->Prev = Start;
  Before->Next = First;
  First->Prev = Before;
  End->Next = N;
  N->Prev = End;
}

void body_list_reverse(struct ListNode *N) {
  struct ListNode *At = N;
  do {
    struct ListNode *Next = At->Next;
    At->Next = At->Prev;
    At->Prev = Next;
    At = Next;
  } while (At != N);
}

/// Puts \p To where \p From is in its ring; a ring of one becomes one.
static void takeRing(struct ListNode *To, struct ListNode *From,
                     struct ListNode *Next, struct ListNode *Prev) {
  if (Next == From) {
    To->Next = To;
    To->Prev = To;
    return;
  }
  To->Next = Next;
  To->Prev = Prev;
  Next->Prev = To;
  Prev->Next = To;
}

void body_list_swap(struct ListNode *A, struct ListNode *B) {
  struct ListNode *NextA = A->Next, *PrevA = A->Prev;
  struct ListNode *NextB = B->Next, *PrevB = B->Prev;
  takeRing(A, B, NextB, PrevB);
  takeRing(B, A, NextA, PrevA);
}

//===-- C: sorted arrays --------------------------------------------------===//

typedef int Comparison(const void *, const void *);

/// Sorts \p From[0, N) in runs of \p Width into \p To, in runs twice as long.
/// The numbers are those of elements of \p Data.
static void mergeRuns(const char *Data, size_t N, size_t Size,
                      Comparison *Compare, const size_t *From, size_t *To,
                      size_t Width) {
  for (size_t Start = 0; Start < N; Start += 2 * Width) {
    size_t Middle = Start + Width < N ? Start + Width : N;
    size_t End = Middle + Width < N ? Middle + Width : N;
    size_t A = Start, B = Middle;
    for (size_t I = Start; I < End; ++I) {
      int FromA = A < Middle;
      if (FromA && B < End)
        FromA = Compare(Data + From[A] * Size, Data + From[B] * Size) <= 0;
      To[I] = FromA ? From[A++] : From[B++];
    }
  }
}

/// Merge sort of the numbers of the elements; equal ones stay in order, as with
/// the C library of GNU. The order is a number: it has no derivative. The
/// elements then move, each as a whole.
void body_qsort(void *Elements, size_t N, size_t Size, Comparison *Compare) {
  if (N < 2 || !Size)
    return;
  size_t *Order = malloc(N * sizeof *Order), *Other = malloc(N * sizeof *Other);
  for (size_t I = 0; I < N; ++I)
    Order[I] = I;
  for (size_t Width = 1; Width < N; Width *= 2) {
    mergeRuns(Elements, N, Size, Compare, Order, Other, Width);
    size_t *Sorted = Other;
    Other = Order;
    Order = Sorted;
  }
  char *Old = malloc(N * Size);
  __builtin_memcpy(Old, Elements, N * Size);
  for (size_t I = 0; I < N; ++I)
    __builtin_memcpy((char *)Elements + I * Size, Old + Order[I] * Size, Size);
  free(Old);
  free(Order);
  free(Other);
}

void *body_bsearch(const void *Key, const void *Elements, size_t N, size_t Size,
                   Comparison *Compare) {
  size_t Begin = 0, End = N;
  while (Begin < End) {
    size_t Middle = Begin + (End - Begin) / 2;
    char *At = (char *)Elements + Middle * Size;
    int Order = Compare(Key, At);
    if (Order == 0)
      return At;
    if (Order < 0)
      End = Middle;
    else
      Begin = Middle + 1;
  }
  return NULL;
}

//===-- libc++: std::sort of a plain array --------------------------------===//
//
// Merge sort of the array itself. Of equal numbers either may come first.

#define ADZE_BODY_SORT(TYPE)                                                   \
  void body_sort_##TYPE(TYPE *First, TYPE *Last, void *Less) {                 \
    (void)Less;                                                                \
    const size_t N = Last - First;                                             \
    if (N < 2)                                                                 \
      return;                                                                  \
    TYPE *Other = malloc(N * sizeof *Other);                                   \
    for (size_t Width = 1; Width < N; Width *= 2) {                            \
      __builtin_memcpy(Other, First, N * sizeof *Other);                       \
      for (size_t Start = 0; Start < N; Start += 2 * Width) {                  \
        const size_t Middle = Start + Width < N ? Start + Width : N;           \
        const size_t End = Middle + Width < N ? Middle + Width : N;            \
        size_t A = Start, B = Middle;                                          \
        for (size_t I = Start; I < End; ++I) {                                 \
          int FromA = A < Middle && (B == End || !(Other[B] < Other[A]));      \
          First[I] = Other[FromA ? A : B];                                     \
          A += FromA;                                                          \
          B += !FromA;                                                         \
        }                                                                      \
      }                                                                        \
    }                                                                          \
    free(Other);                                                               \
  }

typedef long double long_double;
ADZE_BODY_SORT(float)
ADZE_BODY_SORT(double)
ADZE_BODY_SORT(long_double)

//===-- libc++: the owners of a shared pointer ----------------------------===//

struct SharedCount;
typedef void SharedFunction(struct SharedCount *);

struct SharedCount {
  SharedFunction **Table; // two destructors, on_zero_shared, get_deleter,
                          // on_zero_shared_weak
  long Owners, WeakOwners;
};

void body_shared_release_weak(struct SharedCount *C) {
  if (__atomic_fetch_sub(&C->WeakOwners, 1, __ATOMIC_ACQ_REL) == 0)
    C->Table[4](C);
}

struct SharedCount *body_shared_lock(struct SharedCount *C) {
  if (__atomic_load_n(&C->Owners, __ATOMIC_SEQ_CST) == -1)
    return NULL;
  __atomic_fetch_add(&C->Owners, 1, __ATOMIC_SEQ_CST);
  return C;
}

void body_shared_end(struct SharedCount *C) { (void)C; }
