// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of the pass among LLVM's own. See Pipeline.cpp for the reasons.
#ifndef ADZE_LIB_PLUGIN_PIPELINE_H
#define ADZE_LIB_PLUGIN_PIPELINE_H

namespace llvm {
class PassBuilder;
}

namespace adze {

/// Registers `adze` as a pass name for `opt -passes=` and puts the pass into
/// the default pipelines of \p PB. Calling it again on the same builder, as
/// happens when the plugin is given twice, changes nothing.
void registerPipeline(llvm::PassBuilder &PB);

/// Registers `print<adze-types>`, `print<adze-activity>` and `print<adze-plan>`
/// as pass names.
void registerPrinterPasses(llvm::PassBuilder &PB);

} // namespace adze

#endif
