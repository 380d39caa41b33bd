// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random parallel regions: as IR for the analyses, and as a tree that is walked
// through for each thread of a team, which tells who touches what and when.
//
// A region reads and writes arrays (arguments, which may be the same memory; a
// variable of the file; rows of a table of pointers; a variable of the thread)
// at addresses that are linear in the variables of loops, the sizes n and m,
// the number of the thread, and elements of a table of indices. Its loops are
// run by each thread, or shared out: in one block, in chunks, as threads come.
#ifndef ADZE_TEST_UNIT_RANDOMREGION_H
#define ADZE_TEST_UNIT_RANDOMREGION_H

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace random_region {

/// Constant + N n + M m + Thread t + sum of (By[c] + ByN[c] n) c
struct Linear {
  int64_t Constant = 0, N = 0, M = 0, Thread = 0;
  std::map<unsigned, int64_t> By, ByN; // variables of loops, by their numbers
};

enum class Array { A, B, Global, Row, Private };
enum class Kind { Loop, Barrier, If, Load, Store, Copy };
enum class Share { Nothing, Block, Chunks, AsTheyCome };

struct Node {
  Kind K = Kind::Barrier;
  std::vector<Node> Body; // Loop, If
  // Loop: its variable goes from 0 below End, by Step. A loop that ends early
  // does so where the index table is odd at its variable.
  unsigned Number = 0;
  Share How = Share::Nothing;
  Linear End;
  int64_t Step = 1, Chunk = 0;
  bool Is32 = false, EndsEarly = false;
  // If: Condition is even, or zero.
  Linear Condition;
  bool IsEven = false;
  // Accesses, by Number; a copy has 16 bytes.
  Array Of = Array::A;
  int64_t Bytes = 8;
  Linear At;           // in bytes
  int64_t ByIndex = 0; // times index[At / 8 modulo the table] instead
  Linear RowNumber;    // of Array::Row
};

/// What the program is run with.
struct Setting {
  int64_t N, M;
  unsigned Threads;
  uint64_t Seed; // of contents of tables, of which thread takes which chunk
  bool Overlap;  // b begins within a, as do some rows
};

/// A thread of the team touches memory.
struct Touch {
  unsigned Phase; // how often threads have met
  unsigned Thread, Access;
  int64_t Address, Bytes;
  bool IsWrite;
  /// Iterations of the innermost shared loop that this thread has in the
  /// interval of this one: in front of it, and behind it. -1: no shared loop.
  int64_t Before = -1, Behind = -1;
  std::vector<int64_t> Instance; // of the shared loop: variables around it
  int64_t Iteration = 0;
};

/// An iteration of a shared loop.
struct Iteration {
  unsigned Loop, Thread;
  std::vector<int64_t> Instance;
  int64_t Number;
};

struct Trace {
  std::vector<Touch> Touches;
  std::vector<Iteration> Iterations;
  /// Threads write what others access before they meet: no program.
  bool hasRace() const;
};

class Region {
public:
  explicit Region(uint64_t Seed);

  /// void f(ptr, ptr, ptr a, ptr b, ptr rows, ptr index, ptr out, i32 n, i64 m)
  /// and its loops are named loopK, its reads accessK (of copies, the address).
  std::string text() const;
  Trace run(const Setting &S) const;
  unsigned accesses() const { return Accesses; }
  /// The number of the shared loop around each access; -1: none.
  const std::vector<int> &sharedLoops() const { return SharedLoops; }
  /// b, and the rows, are reached by those arguments alone.
  bool isApart() const { return Apart; }

private:
  unsigned pick(unsigned Below) { return Random() % Below; }
  Node loop(std::vector<unsigned> Around, int SharedLoop, unsigned Depth);
  std::vector<Node> body(const std::vector<unsigned> &Around, int SharedLoop,
                         unsigned Depth);
  Node access(const std::vector<unsigned> &Around, int SharedLoop);
  Linear address(const std::vector<unsigned> &Around, int SharedLoop,
                 int64_t Unit);
  Linear end(const std::vector<unsigned> &Around, bool IsUniform);

  std::mt19937_64 Random;
  std::vector<Node> Top;
  unsigned Loops = 0, Accesses = 0;
  std::vector<int> SharedLoops;
  std::vector<Node> Earlier; // accesses whose addresses come again
  bool Apart = false;
  /// Addresses are those of stencils over the variables around: elements or
  /// rows of the shared loop's.
  bool IsRegular = false, HasRows = false;
};

constexpr int64_t IndexTable = 16; // entries
constexpr int64_t Grain = 4;       // of all addresses and sizes

} // namespace random_region
#endif
