// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Activity/ActivityTable.h"
#include "adze/Analyses.h"

using namespace adze;

SummaryStore::SummaryStore() : Activity(std::make_unique<ActivityTable>()) {}
SummaryStore::~SummaryStore() = default;
