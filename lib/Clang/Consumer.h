// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_LIB_CLANG_CONSUMER_H
#define ADZE_LIB_CLANG_CONSUMER_H

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace adze {

/// A consumer that annotates each declaration before clang makes IR of it.
std::unique_ptr<clang::ASTConsumer>
makeAnnotatingConsumer(clang::CompilerInstance &CI);

} // namespace adze
#endif
