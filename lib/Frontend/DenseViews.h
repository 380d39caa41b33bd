// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is none: what __enzyme_todense(load, store, captured...) returns
// looks like an array to markers, and is two functions of the program. When all
// derivatives are made, each access to it becomes a call:
//
//   x = p[i]   becomes   x = load(i * sizeof(*p), captured...)
//   p[i] = x   becomes   store(x, i * sizeof(*p), captured...)
//
// A function that is passed a view gets a copy that is passed what the two
// functions are called with.
#ifndef ADZE_LIB_FRONTEND_DENSEVIEWS_H
#define ADZE_LIB_FRONTEND_DENSEVIEWS_H

#include "adze/Diagnostics.h"
#include "adze/Origin.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <map>
#include <memory>
#include <vector>

namespace adze {

/// The functions behind a view. Without them it is nowhere: the address 1, say,
/// in the place of a result that is not needed. What is read there is zero.
struct DenseFunctions {
  llvm::Function *Load = nullptr;
  llvm::Function *Store = nullptr;
  llvm::SmallVector<llvm::Type *, 4> Captured;

  bool isNowhere() const { return !Load; }
  bool operator==(const DenseFunctions &F) const {
    return Load == F.Load && Store == F.Store && Captured == F.Captured;
  }
};

/// A view within one function.
struct DenseView {
  DenseFunctions Is;
  llvm::SmallVector<llvm::Value *, 4> Captured;
};

/// Replaces what a module does with views.
class DenseViews {
public:
  DenseViews(llvm::Module &M, Diagnostics &Diags) : M(M), Diags(Diags) {}

  /// Replaces all calls of markers; false after a report.
  bool run(llvm::ArrayRef<llvm::CallBase *> Markers);

  /// \p Callee with its argument \p Arg as a view: in the place of the argument
  /// it takes null, and at the end the distance and what the functions are
  /// called with. Null after a report.
  llvm::Function *withView(llvm::Function &Callee, unsigned Arg,
                           const DenseFunctions &Functions);

  /// Reports that a view cannot be used in this way. False.
  bool refuse(const llvm::Instruction *At, const llvm::Twine &Why);

private:
  std::optional<DenseView> parse(llvm::CallBase &Call);
  bool replaceNowhere(llvm::Function &F);

  struct Copy {
    llvm::Function *Of;
    unsigned Arg;
    DenseFunctions Functions;
    llvm::Function *Made;
  };

  llvm::Module &M;
  Diagnostics &Diags;
  std::vector<Copy> Copies;
  std::shared_ptr<const Origin> From;
};

/// Replaces what the function that \p Pointer is of does with the view there,
/// which begins at \p Distance. False after a report.
bool replaceUses(DenseViews &Views, const DenseView &View, llvm::Value *Pointer,
                 llvm::Value *Distance);

/// A call in the place of an access to a view.
struct DenseAccess {
  llvm::CallInst *Call;
  llvm::Value *Distance;
};

/// Many views collect what is stored and say that nothing is there. That is
/// right of sums: where what is loaded is added to and stored there again, and
/// what is stored is loaded before more is added. Returns an access that is
/// used in another way, or null. \p Loads are those of a view that says so.
const llvm::Instruction *findLostSum(llvm::ArrayRef<DenseAccess> Loads,
                                     llvm::ArrayRef<DenseAccess> Stores);

} // namespace adze
#endif
