// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives of functions of MPI (docs/Mpi.md), given as a program gives those
// of its own functions (docs/GivenDerivatives.md): augmented, reverse, forward.
// A rank on which a buffer has no shadow takes part all the same. The floats of
// a message are exchanged if the datatype has any, which all ranks agree on.
#include "MpiBuffered.h"
#include "MpiDistributionCalls.h"
#include "MpiFetches.h"
#include "MpiNeighborCalls.h"
#include "MpiNonblockingCalls.h"
#include "MpiObjects.h"
#include "MpiPack.h"
#include "MpiPersistent.h"
#include "MpiPrefix.h"
#include "MpiProbe.h"
