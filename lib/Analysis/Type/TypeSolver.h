// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types across calls. A task is a function in a context, the trees that a
// caller adds to what the function says of its arguments and result itself.
// Every task has a summary, at first bottom; a task runs again when a summary
// that it used has grown. Call chains and recursion need no recursion here: all
// tasks stand on one worklist.
//
// Contexts are made in rounds, after the summaries have settled, and only for
// callees that move bytes whose type they cannot tell: so functions that are
// clear by themselves are analyzed once, however often they are called. A call
// back into a recursion gets no new context, which bounds their number; a
// limit on tasks bounds it in any case (what is beyond stays Unknown). A call
// whose context has grown leaves its task to others, or out of use: such a task
// makes no contexts of its own.
//
// What functions know of the module's variables is shared between all that are
// solved together, but for numbers: a variable may be used as something else
// where nobody sees it, and then it is better not to know.
//
// Declared integers are believed in a second phase, when all contexts that tell
// floats and pointers are made: `long *` may well point to doubles that are
// only moved, and then a caller knows it.
//
// Every function is asked about many times: for its own derivatives and for
// those of all its callers. Solved tasks never change again and are kept with
// their primal.
#ifndef ADZE_LIB_ANALYSIS_TYPE_TYPESOLVER_H
#define ADZE_LIB_ANALYSIS_TYPE_TYPESOLVER_H

#include "Analysis/Type/FunctionTypes.h"
#include "adze/Analyses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <map>

namespace adze {

using CallContexts = llvm::MapVector<const llvm::Instruction *, CallerTypes>;

/// One function in one context, solved.
struct SolvedFunction {
  std::shared_ptr<const FunctionTypes> Types;
  TypeSummary Early; // before declared integers were believed
  TypeSummary Summary;
  bool Dropped = false; // facts, here or elsewhere in the same solution
  /// The context in which each call of a function with a body is seen.
  CallContexts Contexts;
};

/// What is kept with a primal.
class TypeCache {
public:
  std::map<CallerTypes, SolvedFunction> Solved; // looked up only
  std::vector<const Primal *> Callees;
};

class TypeSolver {
public:
  explicit TypeSolver(PrimalLookup Callees);
  ~TypeSolver();

  /// Solves \p P in the context \p Known and everything it calls.
  SolvedFunction solve(const Primal &P, const CallerTypes &Known);

private:
  struct Task;
  class Source;
  using TaskKey = std::pair<const Primal *, CallerTypes>;

  const Primal *calleeOf(const llvm::CallBase &Call);
  unsigned taskFor(const Primal &P, const CallerTypes &Context);
  void settle();
  void settleContexts();
  bool shareGlobals();
  void tell(const Task &T);
  bool believeIntegers();
  CallContexts contextsOf(const Task &T);
  void keep(const Task &T);
  bool refineContexts();
  bool refineContextsIn(unsigned N);
  void findRecursion();
  /// What of \p T may pass from one function to another.
  TypeTree passed(const TypeTree &T);
  bool isRecursive(const Primal *Caller, const Primal *Callee) const;
  CallerTypes contextOf(const Task &T, const llvm::CallBase &Call,
                        const Primal &Callee);

  PrimalLookup Callees;
  std::shared_ptr<DeclaredTypes> Declared;
  Believe Trust = Believe::NoIntegers;
  unsigned Root = 0; // the task that is asked for
  std::vector<std::unique_ptr<Task>> Tasks;
  std::map<TaskKey, unsigned> TaskOf; // looked up only, never walked
  llvm::SetVector<unsigned> Work;
  llvm::SetVector<unsigned> Used; // tasks that some call still stands for
  std::vector<const Primal *> Functions;
  llvm::DenseMap<const Primal *, unsigned> NumberOf;
  std::vector<unsigned> RecursionOf; // per function, 0: none
  bool Dropped = false;              // a fact, for there were too many
};

} // namespace adze
#endif
