// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages to other processes that are numbers by their datatype. If types do
// not see the same in the buffer, floats may be there: the call takes part
// where such floats are active. (Of functions that others call nothing is known
// here of what their callers know of types.)
#include "Analysis/Activity/Model.h"
#include "adze/Mpi.h"

#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace adze {

static bool mayHoldFloats(const Model &M, const Value *Buffer, uint64_t Bytes) {
  if (!M.Types)
    return true;
  const BlockLayout Layout = M.Types->memoryLayout(Buffer, Bytes);
  return Layout.has(ConcreteType::Float) || Layout.has(ConcreteType::Unknown);
}

void buildNumberExchange(Model &M, const CallBase &Call) {
  DataFlow &G = M.G;
  for (const mpi::NumberBuffer &B : mpi::numberBuffers(Call)) {
    const Value *Arg = Call.getArgOperand(B.Argument);
    if (!mayHoldFloats(M, Arg, B.Bytes))
      continue;
    const NodeId Buffer = M.node(Arg);
    const int64_t Size = B.Bytes > uint64_t(INT64_MAX) ? AnySize : B.Bytes;
    if (B.IsRead) { // others may use it
      const NodeId Out = G.addNode();
      G.setUseful(Out);
      G.load(Buffer, 0, Size, Out, Floats);
      M.Uses.push_back({MemoryUse::Load, &Call, Buffer, None, {Out}});
      M.Numbers[&Call].push_back(Out);
    }
    if (B.IsWritten) { // it may come from their inputs
      const NodeId In = G.addNode();
      G.setVaried(In);
      G.store(Buffer, 0, Size, In, StoredAs::Float);
      M.Uses.push_back({MemoryUse::Store, &Call, Buffer, None, {In}});
      M.Numbers[&Call].push_back(In);
    }
  }
}

bool Model::exchangesFloatsAsNumbers(const CallBase &Call) const {
  auto It = Numbers.find(&Call);
  return It != Numbers.end() &&
         any_of(It->second, [&](NodeId N) { return G.isActive(N); });
}

} // namespace adze
