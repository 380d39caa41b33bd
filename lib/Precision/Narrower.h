// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of a function and of all that it calls, in a narrower format.
#ifndef ADZE_LIB_PRECISION_NARROWER_H
#define ADZE_LIB_PRECISION_NARROWER_H

#include "Precision/FloatFormat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace adze {

struct NarrowForm {
  FloatFormat Format;
  /// What lies in memory and is returned is narrow, too.
  bool Memory = false;

  std::string text() const { return Format.text() + (Memory ? ".mem" : ""); }
};

/// The functions with a body that \p F reaches, itself first: those that it
/// calls or whose address it takes.
std::vector<llvm::Function *> reachedFrom(llvm::Function &F);

/// Makes narrow copies of functions, one of each.
class Narrower {
public:
  /// What cannot be narrowed: where it stands, what it is, the way out.
  using Report = llvm::function_ref<void(llvm::Instruction &At,
                                         std::string What, std::string Cure)>;

  explicit Narrower(const NarrowForm &Form) : Form(Form) {}

  /// Null after reports.
  llvm::Function *narrowed(llvm::Function &F, Report Tell);

private:
  llvm::Function &copyOf(llvm::Function &F);

  NarrowForm Form;
  llvm::MapVector<llvm::Function *, llvm::Function *> Copies;
};

/// Why \p I cannot be narrowed; nothing if it can.
struct NarrowObstacle {
  std::string What, Cure;
};
std::optional<NarrowObstacle> obstacleOf(llvm::Instruction &I,
                                         const NarrowForm &Form);

/// Narrows what the function \p F does, which has no obstacle.
void narrowOperations(llvm::Function &F, const NarrowForm &Form);

} // namespace adze
#endif
