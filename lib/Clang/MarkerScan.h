// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_LIB_CLANG_MARKERSCAN_H
#define ADZE_LIB_CLANG_MARKERSCAN_H

namespace clang {
class CompilerInstance;
}

namespace adze {

/// Whether the translation unit that \p CI is about to compile may name a
/// marker. A unit that does not is left alone altogether: annotations take
/// numbers that clang appends to names, and a unit without markers must give
/// the same object as without the plugin. This must be known before the first
/// declaration, so the unit is preprocessed once ahead of time, unless its main
/// file already names one.
bool mayNameMarkers(clang::CompilerInstance &CI);

} // namespace adze
#endif
