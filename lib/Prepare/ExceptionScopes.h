// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where exceptions become values (docs/Exceptions.md). That costs a comparison
// behind each call that may throw, and makes loops that such a call leaves ones
// with several exits; so it is done only where a handler of the differentiated
// code may catch, or where the program itself throws:
//
//   Handles   the function holds a handler from which it goes on. Its invokes
//             are lowered; its other calls are not, as nothing in it sees
//             their exceptions.
//   Whole     it is called, at any depth, by an invoke of such a function; or
//             it is differentiated, or called by such a function, and the
//             program throws in it an exception that no handler here catches.
//             All its calls are lowered.
//
// Elsewhere exceptions leave the derivative as they leave any function.
#ifndef ADZE_LIB_PREPARE_EXCEPTIONSCOPES_H
#define ADZE_LIB_PREPARE_EXCEPTIONSCOPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class BasicBlock;
class CallBase;
class Function;
class InvokeInst;
class Module;
} // namespace llvm

namespace adze {

class ExceptionScopes {
public:
  enum Scope { None, Handles, Whole };

  /// \p Roots are to be differentiated, with all that they call.
  explicit ExceptionScopes(llvm::ArrayRef<llvm::Function *> Roots);

  Scope of(const llvm::Function &F) const;
  /// \p Call, of the program or of a clone, may end by an exception.
  bool mayThrow(const llvm::CallBase &Call) const;
  /// The clone of \p F, and its derivatives, may return with an exception in
  /// flight.
  bool mayLeave(const llvm::Function &F) const;
  /// The same of the function, or functions, that \p Call may call.
  bool mayLeave(const llvm::CallBase &Call) const;
  /// Nothing is lowered anywhere.
  bool empty() const { return Scopes.empty(); }

private:
  void findThrowing(const llvm::Module &M);
  void findReached(llvm::ArrayRef<llvm::Function *> Roots);
  void findCaught();
  bool findCaughtInTasks();
  void findLeaving(llvm::ArrayRef<llvm::Function *> Roots);
  bool mayCatchOnPurpose(const llvm::Function &F,
                         llvm::ArrayRef<const llvm::InvokeInst *> Invokes);
  void findThrowingOnPurpose();
  void makeWhole(const llvm::CallBase &Call);
  bool throwsPlainly(const llvm::Function &F) const;

  /// Functions with bodies that an exception may leave.
  llvm::DenseSet<const llvm::Function *> Throwing;
  llvm::SetVector<llvm::Function *> Reached;
  /// Those that throw what a program may well go on from; found where asked
  /// for.
  llvm::DenseSet<const llvm::Function *> OnPurpose;
  bool HasOnPurpose = false;
  llvm::DenseMap<const llvm::Function *, Scope> Scopes;
  llvm::SmallVector<llvm::Function *, 8> Todo;
};

} // namespace adze
#endif
