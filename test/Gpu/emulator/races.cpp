// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "races.h"
#include "memory.h"

using namespace gpu;

namespace {

const char *nameOf(Access A) {
  return A == Access::Read ? "read" : A == Access::Write ? "write" : "atomic";
}

// Whether what the record says happened before what the thread does now.
bool ordered(const Record &R, const Machine &M) {
  const Thread &Now = *M.Current;
  if (R.Thread == Now.Number || R.Epoch < M.Epoch)
    return true;
  const Thread &Then = M.Threads[R.Thread];
  return Then.Warp == Now.Warp && Now.Met[Then.Lane] > R.Meeting;
}

class Checker {
public:
  Checker(Region &R, Access Kind, uint32_t Place)
      : M(machine()), R(R), Kind(Kind), Place(Place),
        MyBlock(static_cast<int>(M.BlockNumber)) {}

  void check(Cell &C, uint64_t Offset) {
    if (C.Block != MyBlock) {
      C.Block = MyBlock;
      C.Writes = C.Reads[0] = C.Reads[1] = C.Atomics[0] = C.Atomics[1] =
          Record();
    }
    if (Kind == Access::Read)
      against(C, Offset, Access::Write), against(C, Offset, Access::Atomic);
    else if (Kind == Access::Atomic)
      against(C, Offset, Access::Write), against(C, Offset, Access::Read);
    else
      for (Access Other : {Access::Write, Access::Read, Access::Atomic})
        against(C, Offset, Other);
    record(C);
  }

private:
  void against(const Cell &C, uint64_t Offset, Access Other) {
    const Record *Records = Other == Access::Write  ? &C.Writes
                            : Other == Access::Read ? C.Reads
                                                    : C.Atomics;
    const BlockRecord *Blocks = Other == Access::Write  ? &C.BlockWrites
                                : Other == Access::Read ? C.BlockReads
                                                        : C.BlockAtomics;
    for (unsigned I = 0; I < (Other == Access::Write ? 1 : 2); ++I) {
      if (Records[I].Valid && !ordered(Records[I], M))
        report(Offset, Other, Records[I].Place,
               "thread " + std::to_string(Records[I].Thread));
      if (R.Where == Space::Global && Blocks[I].Block >= 0 &&
          Blocks[I].Block != MyBlock)
        report(Offset, Other, Blocks[I].Place,
               "block " + std::to_string(Blocks[I].Block));
    }
  }

  void report(uint64_t Offset, Access Other, uint32_t OtherPlace,
              const std::string &Who) {
    M.fault("race: " + memory().describe(R, Offset) + ": " + nameOf(Kind) +
            " in " + M.placeName(Place) + " by thread " +
            std::to_string(M.Current->Number) + " of block " +
            std::to_string(MyBlock) + ", " + nameOf(Other) + " in " +
            M.placeName(OtherPlace) + " by " + Who);
  }

  void record(Cell &C) {
    Record Now{true, static_cast<uint16_t>(M.Current->Number), M.Epoch,
               M.Current->Met[M.Current->Lane], Place};
    BlockRecord Block{MyBlock, Place};
    if (Kind == Access::Write) {
      C.Writes = Now;
      C.BlockWrites = Block;
      return;
    }
    Record *Records = Kind == Access::Read ? C.Reads : C.Atomics;
    BlockRecord *Blocks = Kind == Access::Read ? C.BlockReads : C.BlockAtomics;
    // Of several, one that is ordered before this access says nothing more than
    // it.
    unsigned Slot = 0;
    if (Records[0].Valid && Records[0].Thread != Now.Thread &&
        !ordered(Records[0], M))
      Slot = 1;
    Records[Slot] = Now;
    if (Blocks[0].Block < 0 || Blocks[0].Block == MyBlock)
      Blocks[0] = Block;
    else
      Blocks[1] = Block;
  }

  Machine &M;
  Region &R;
  Access Kind;
  uint32_t Place;
  int MyBlock;
};

} // namespace

void gpu::checkAccess(Region &R, uint64_t Offset, uint64_t Size, Access Kind,
                      uint32_t Place) {
  uint64_t Granule = machine().Module->Granule;
  if (R.Cells.empty())
    R.Cells.resize((R.Size + Granule - 1) / Granule);
  Checker Check(R, Kind, Place);
  for (uint64_t I = Offset / Granule; I <= (Offset + Size - 1) / Granule; ++I)
    Check.check(R.Cells[I], I * Granule);
}
