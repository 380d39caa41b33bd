// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the threads of a launch have places of their own (LaunchSums.h),
// asked once by each of them.
#ifndef ADZE_EMIT_LAUNCHTESTS_H
#define ADZE_EMIT_LAUNCHTESTS_H

#include "Analysis/Sharing/LaunchSums.h"
#include "llvm/IR/IRBuilder.h"

namespace adze {

class LaunchTests {
public:
  /// \p AddressOf: what to take for an argument; the shadow of a pointer.
  LaunchTests(llvm::IRBuilder<> &B, const LaunchForms &Forms,
              std::function<llvm::Value *(const llvm::Argument &)> ArgumentOf)
      : B(B), Forms(Forms), ArgumentOf(std::move(ArgumentOf)) {}

  /// i1, the same in all threads.
  llvm::Value *emit(const LaunchSums::Test &T);

private:
  /// Of the bytes that threads have.
  struct Range {
    llvm::Value *Start, *Bytes; // Bytes is null if nothing is known
  };

  llvm::Value *number(LaunchForms::Number N);
  llvm::Value *packetWord(unsigned Byte, llvm::Type *Ty);
  llvm::Value *value(const llvm::SCEV *S);
  llvm::Value *value(Polynomial::Symbol S);
  llvm::Value *value(const Polynomial &P);
  void require(llvm::Value *V);
  void requireFits(const Polynomial &P);
  llvm::Value *boundOf(const LaunchForm::Part &P);
  Range rangeOf(const LaunchForm &F, bool IsOfThread);
  llvm::Value *isBehind(llvm::Value *Start, const Range &Of);

  llvm::IRBuilder<> &B;
  const LaunchForms &Forms;
  std::function<llvm::Value *(const llvm::Argument &)> ArgumentOf;
  llvm::DenseMap<Polynomial::Symbol, llvm::Value *> Symbols;
  llvm::Value *All = nullptr;
};

} // namespace adze
#endif
