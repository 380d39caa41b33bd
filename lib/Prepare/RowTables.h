// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The test of the rows of a table (RowTables.cpp).
#ifndef ADZE_LIB_PREPARE_ROWTABLES_H
#define ADZE_LIB_PREPARE_ROWTABLES_H

#include "Prepare/AddressInspector.h"

namespace adze {

/// No two rows behind pointers that \p Table holds have a byte in common, nor
/// has one with the pointers: an i1. \p Slots: bytes from the table to the
/// first and the last pointer, both of which may be read; \p Stride: from one
/// to the next. \p Columns: bytes from where a pointer leads to the first one
/// that is accessed, and behind the last one.
llvm::Value *areRowsApart(llvm::IRBuilder<> &B, llvm::Value *Table,
                          const AddressInspector::Extent &Slots,
                          const AddressInspector::Extent &Columns,
                          uint64_t Stride);

} // namespace adze
#endif
