// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module that is compiled into this process.
#ifndef ADZE_TEST_KNOWNJIT_H
#define ADZE_TEST_KNOWNJIT_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

namespace adze {

class KnownJit {
public:
  KnownJit() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    if (auto Made = llvm::orc::LLJITBuilder().create())
      Jit = std::move(*Made);
    else
      fail(Made.takeError());
    if (!Jit)
      return;
    M->setTargetTriple(Jit->getTargetTriple().str());
    M->setDataLayout(Jit->getDataLayout());
  }
  llvm::Module &module() { return *M; }
  llvm::LLVMContext &context() { return M->getContext(); }

  bool compile() {
    if (!Jit)
      return false;
    llvm::Error E = Jit->addIRModule(
        llvm::orc::ThreadSafeModule(std::move(M), std::move(Ctx)));
    return !E || fail(std::move(E));
  }
  template <typename Fn> Fn *find(llvm::StringRef Name) {
    auto Address = Jit->lookup(Name);
    if (Address)
      return Address->template toPtr<Fn *>();
    fail(Address.takeError());
    return nullptr;
  }

private:
  bool fail(llvm::Error E) {
    ADD_FAILURE() << llvm::toString(std::move(E));
    return false;
  }
  std::unique_ptr<llvm::LLVMContext> Ctx =
      std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> M = std::make_unique<llvm::Module>("jit", *Ctx);
  std::unique_ptr<llvm::orc::LLJIT> Jit;
};

} // namespace adze
#endif
