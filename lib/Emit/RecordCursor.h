// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the two steps of forward mode write and read (Recording.h).
#ifndef ADZE_EMIT_RECORDCURSOR_H
#define ADZE_EMIT_RECORDCURSOR_H

#include "adze/Runtime.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace adze {

inline uint64_t bytesOf(llvm::Type *Ty, const llvm::Module &M) {
  return M.getDataLayout().getTypeAllocSize(Ty).getFixedValue();
}

/// The place in a record, in a variable of its own between the calls that move
/// it, too.
class RecordCursor {
public:
  /// Begins at the end of the entry block's variables of \p F, whose last
  /// parameter is the record.
  explicit RecordCursor(llvm::Function &F)
      : Record(F.getArg(F.arg_size() - 1)), Ptr(Record->getType()) {
    llvm::IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
    Variable = B.CreateAlloca(Ptr, nullptr, "record.at");
    take(B);
  }

  llvm::Value *get(llvm::IRBuilder<> &B) const {
    return B.CreateLoad(Ptr, Variable);
  }
  void set(llvm::IRBuilder<> &B, llvm::Value *Place) const {
    B.CreateStore(Place, Variable);
  }
  /// Others go on from here.
  void give(llvm::IRBuilder<> &B) const { B.CreateStore(get(B), Record); }
  /// And we from where they left it.
  void take(llvm::IRBuilder<> &B) const { set(B, B.CreateLoad(Ptr, Record)); }
  llvm::Value *record() const { return Record; }

  /// The place of a value of type \p Ty by the function \p Name of the
  /// runtime, and goes behind it.
  llvm::Value *pass(llvm::IRBuilder<> &B, llvm::Type *Ty,
                    llvm::StringRef Name) const {
    llvm::Module &M = *B.GetInsertBlock()->getModule();
    const uint64_t Bytes = bytesOf(Ty, M);
    llvm::Value *Place = B.CreateCall(runtimeFunction(M, RecordsUnit, Name),
                                      {Record, get(B), B.getInt64(Bytes)});
    set(B, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Place, Bytes));
    return Place;
  }

private:
  llvm::Argument *Record;
  llvm::Type *Ptr;
  llvm::AllocaInst *Variable;
};

} // namespace adze
#endif
