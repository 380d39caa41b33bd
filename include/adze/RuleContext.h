// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rule sees of the world. A rule is run in three contexts:
//
//   NeedsContext    records which primal values and shadows the reverse pass
//                   of this instruction will read;
//   ForwardSweepContext  carries duals forward. In forward mode a dual is the
//                   tangent of a float and the shadow of a pointer; in the
//                   augmented primal of reverse mode only shadows of pointers
//                   are carried. The same rule serves both: it asks carries();
//   ReverseContext  takes the adjoint of the result and adds to the adjoints
//                   of the operands.
//
// Rules never see mode, vector width, tape or thread model. Duals and adjoints
// have the type of the primal value they belong to (an integer that carries
// float bits has an integer dual of the same bits); with width W > 1 they are
// arrays [W x T], and Lanes::map runs scalar code once per direction.
#ifndef ADZE_RULECONTEXT_H
#define ADZE_RULECONTEXT_H

#include "adze/CallPlan.h"
#include "adze/Diagnostics.h"
#include "adze/Facts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace adze {

class RuleContext {
public:
  RuleContext(const Facts &F) : F(F) {}
  virtual ~RuleContext();
  const Facts &facts() const { return F; }
  bool isActive(const llvm::Value *V) const { return F.isActive(V); }
  bool hasShadow(const llvm::Value *V) const { return F.hasShadow(V); }
  bool mayBeSelfShadowed(const llvm::Value *V) const {
    return F.mayBeSelfShadowed(V);
  }
  /// Duals of floats go forward with the primal, beside shadows of pointers, in
  /// values and in memory. Else adjoints come back, which are added up.
  bool carriesFloats() const;
  const llvm::DataLayout &dataLayout() const;
  /// The decision taken for an active call of a function with a body.
  virtual const CallPlan *callPlan(const llvm::CallBase &Call) = 0;

protected:
  const Facts &F;
};

class NeedsContext : public RuleContext {
public:
  using RuleContext::RuleContext;
  /// The reverse pass reads the primal value of \p V.
  virtual void primal(const llvm::Value *V) = 0;
  /// The reverse pass uses the shadow of \p V, and \p V to tell whether it is
  /// plain.
  virtual void shadow(const llvm::Value *V) = 0;
  /// The reverse pass reads what this call's augmented half stored (its
  /// sub-tape): CallPlan::Callee says of which type.
  virtual void tape(const llvm::CallBase *Call) = 0;
  /// No right code can be emitted for \p I, and \p Facts say why not.
  virtual void refuse(const llvm::Instruction &I, Diag ID,
                      llvm::ArrayRef<std::string> Args,
                      llvm::ArrayRef<Witness> Facts) = 0;
  void refuse(const llvm::Instruction &I, Diag ID,
              llvm::ArrayRef<std::string> Args) {
    refuse(I, ID, Args, {});
  }
};

/// The one place that knows how many directions a dual carries.
class Lanes {
public:
  explicit Lanes(unsigned Width) : Width(Width) {}
  unsigned count() const { return Width; }
  bool isOne() const { return Width == 1; }
  /// The direction that a body of map() or make() is run for.
  unsigned current() const { return Current; }
  /// The type of the dual of a value of type \p Ty.
  llvm::Type *dualType(llvm::Type *Ty) const;
  llvm::Constant *zero(llvm::Type *Ty) const;
  /// Runs \p Body once per direction on that direction's element of each
  /// dual in \p In and packs the results (null result: returns null).
  llvm::Value *
  map(llvm::IRBuilderBase &B, llvm::ArrayRef<llvm::Value *> In,
      llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> Body)
      const;
  /// A dual of type \p Ty of what \p Body makes, once per direction
  /// (current()).
  llvm::Value *make(llvm::IRBuilderBase &B, llvm::Type *Ty,
                    llvm::function_ref<llvm::Value *()> Body) const;
  /// \p V in all directions.
  llvm::Value *splat(llvm::IRBuilderBase &B, llvm::Value *V) const;
  /// The first direction of \p Dual.
  llvm::Value *first(llvm::IRBuilderBase &B, llvm::Value *Dual) const;

private:
  llvm::Value *insert(llvm::IRBuilderBase &B, llvm::Value *Packed,
                      llvm::Value *V, unsigned Lane) const;

  unsigned Width;
  mutable unsigned Current = 0;
};

/// Common to the contexts that emit code.
class EmitContext : public RuleContext {
public:
  EmitContext(const Facts &F, llvm::IRBuilder<> &B, const Lanes &L)
      : RuleContext(F), B(B), L(L) {}
  llvm::IRBuilder<> &B;
  const Lanes &L;
  llvm::Module &module() const;
  /// The primal value of \p V at this place.
  virtual llvm::Value *primal(const llvm::Value *V) = 0;
  /// The shadow of pointer (or aggregate with pointers) \p V at this place.
  virtual llvm::Value *shadow(const llvm::Value *V) = 0;
  /// partial * dual, zero where the dual is exactly zero (strong zero) unless
  /// \p PartialIsFinite.
  llvm::Value *product(llvm::Value *Partial, llvm::Value *Dual,
                       bool PartialIsFinite = false);
  /// \p Sum + \p Term in every direction; either may be null, for zero.
  llvm::Value *plus(llvm::Value *Sum, llvm::Value *Term);
  /// a + b on every float leaf of a value like \p Like (whose layout tells
  /// which bits are floats); other bits come from \p A. One lane.
  llvm::Value *sum(const llvm::Value *Like, llvm::Value *A, llvm::Value *C);
  /// The same for what two uses of \p V contribute to its adjoint, of which
  /// some may be parts of floats.
  llvm::Value *sumOfUses(const llvm::Value *V, llvm::Value *A, llvm::Value *C);

  // Accesses through a shadow. A pointer may be self-shadowed (see Request.h):
  // reading through its shadow is then harmless, but counts as zero, and must
  // not write. \p Shadow is one lane of the shadow of \p Ptr.

  /// The dual of \p V, which has none of its own: zero for numbers; pointers
  /// are self-shadowed.
  llvm::Value *dualOrSelf(const llvm::Value *V);
  /// i1: \p Ptr is self-shadowed; null if it never is.
  llvm::Value *isSelfShadowed(const llvm::Value *Ptr, llvm::Value *Shadow);
  /// \p V, or zero where \p Ptr is self-shadowed. Pointers in \p V stay.
  llvm::Value *zeroIfSelfShadowed(const llvm::Value *Ptr, llvm::Value *Shadow,
                                  llvm::Value *V);
  /// Where to write a \p Ty: to the shadow, or to where nobody reads.
  llvm::Value *writable(const llvm::Value *Ptr, llvm::Value *Shadow,
                        llvm::Type *Ty);
  /// \p Access is made through the shadow of the pointer of \p Mirrored, a
  /// load or store of the primal: shadow memory, and no other, unless that
  /// pointer may be self-shadowed.
  llvm::Instruction *tagShadow(llvm::Instruction *Access,
                               const llvm::Instruction &Mirrored) const;

private:
  llvm::DenseMap<llvm::Type *, llvm::Value *> Discarded;
};

/// Some part of \p V is a pointer: its dualOrSelf() reads the primal value.
bool holdsPointers(const llvm::Value *V, const Facts &F);
/// \p To, an integer that is an address, may be \p V, which has no shadow: a
/// number, which is its own dual there.
bool isNumberBesideAddress(const llvm::Instruction &To, const llvm::Value *V,
                           const Facts &F);

class ForwardSweepContext : public EmitContext {
public:
  using EmitContext::EmitContext;
  /// Whether \p V has a dual here.
  virtual bool carries(const llvm::Value *V) const = 0;
  /// The dual of \p V; dualOrSelf() where it carries none.
  virtual llvm::Value *dual(const llvm::Value *V) = 0;
  llvm::Value *shadow(const llvm::Value *V) override { return dual(V); }
  /// The dual of \p V that goes into the dual of \p To: a number is its own
  /// dual where \p To is an integer that may be an address.
  llvm::Value *dualFor(const llvm::Instruction &To, const llvm::Value *V);
  virtual void setDual(const llvm::Instruction *I, llvm::Value *D) = 0;
  /// The primal result, for rules that own the primal instruction.
  virtual void setPrimal(const llvm::Instruction *I, llvm::Value *V) = 0;
  /// Copies the primal instruction here, with mapped operands.
  virtual llvm::Instruction *clonePrimal(const llvm::Instruction *I) = 0;
  /// True in the augmented primal: memory must live on until the reverse pass.
  virtual bool reversesLater() const = 0;
  /// Address of the tape memory for what \p Call keeps (null if nothing).
  virtual llvm::Value *tapeOf(const llvm::CallBase *Call) = 0;
  /// The primal's or the shadow's storage of static alloca \p A.
  virtual llvm::Value *storageOf(const llvm::AllocaInst *A, bool Shadow) = 0;
};

/// How blocks are added up.
enum class BlockSum {
  Plain,
  Apart,      // the blocks do not overlap, unless they are one
  Words,      // words that are Unknown there may be pointers (BlockFunctions.h)
  Shared,     // other threads may add to the same memory
  SharedWords // both
};

class ReverseContext : public EmitContext {
public:
  using EmitContext::EmitContext;
  /// The adjoint of \p I, which becomes zero; null if it is zero for sure.
  virtual llvm::Value *takeAdjoint(const llvm::Value *I) = 0;
  /// adjoint(V) += A; nothing if V is inactive or A is null.
  virtual void addAdjoint(const llvm::Value *V, llvm::Value *A) = 0;
  /// memory at \p Place += A, on the float leaves of what \p Load read.
  /// \p Place is writable() of its pointer. This and its block form are the
  /// only places that accumulate into shadow memory.
  virtual void accumulate(const llvm::LoadInst &Load, llvm::Value *Place,
                          llvm::Value *A) = 0;
  /// The block form of accumulate(): memory at \p Into += memory at \p From
  /// on the floats of blocks of \p Bytes that are laid out as \p Layout;
  /// floats at \p From become zero.
  void accumulateBlock(llvm::Value *Into, llvm::Value *From, llvm::Value *Bytes,
                       const BlockLayout &Layout, BlockSum How);
  /// Address of the tape memory that the augmented half of \p Call filled.
  virtual llvm::Value *tapeOf(const llvm::CallBase *Call) = 0;
  /// Another reverse pass on the same tape may follow: nothing that it reads
  /// may end here.
  virtual bool runsAgain() const = 0;
  /// That memory is no longer read.
  virtual void releaseTape(const llvm::CallBase *Call) = 0;
};

} // namespace adze
#endif
