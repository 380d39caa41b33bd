// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees from what the source declares: the text that the clang plugin writes
// into metadata and attributes, and DWARF types. All of it is hints: C lets a
// program use memory as something else than what was declared.
//
// An integer in a declaration is the weakest of them. `long` often stands for
// eight bytes of anything, which are moved; that they are numbers is believed
// only after everyone who could know better was asked. So every tree here comes
// in two versions, with integers and without.
#ifndef ADZE_LIB_ANALYSIS_TYPE_DECLARED_H
#define ADZE_LIB_ANALYSIS_TYPE_DECLARED_H

#include "adze/TypeTree.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace llvm {
class AttributeSet;
class DataLayout;
class DIType;
class GlobalVariable;
class Metadata;
class MDNode;
class Module;
class Type;
class Value;
} // namespace llvm

namespace adze {

/// How much of a declaration is believed.
enum class Believe { NoIntegers, All };

/// The declarations of one module.
class DeclaredTypes {
public:
  explicit DeclaredTypes(const llvm::Module &M);

  /// The object or value that \p Type declares: a DIType, or an MDString.
  TypeTree of(const llvm::Metadata &Type, Believe What,
              const llvm::Value *Witness);
  /// The value of a parameter or result with these attributes.
  TypeTree of(const llvm::AttributeSet &Attributes, Believe What,
              const llvm::Value *Witness);
  /// The memory of \p G.
  TypeTree ofGlobal(const llvm::GlobalVariable &G, Believe What);
  /// The contents of \p Ty, an array or structure, by the module's
  /// !adze.struct_types.
  TypeTree ofType(llvm::Type &Ty, Believe What, const llvm::Value *Witness);
  bool knowsStructures() const { return !Structures.empty(); }
  /// Somewhere in the module an integer becomes a pointer: `long` may be the
  /// type of addresses then.
  bool hasIntegerPointers() const { return IntegerPointers; }

private:
  TypeTree parsed(llvm::StringRef Text);

  const llvm::Module &M;
  const llvm::DataLayout &DL;
  bool IntegerPointers;
  llvm::StringMap<const llvm::MDNode *> Structures;
  llvm::StringMap<TypeTree> Texts;
  llvm::DenseMap<const llvm::DIType *, TypeTree> DebugTypes;
};

/// \p T without integers at any depth.
TypeTree withoutIntegers(const TypeTree &T);

/// The tree of an object of DWARF type \p Ty, as hints.
TypeTree treeOfDebugType(const llvm::DIType &Ty, const llvm::Module &M);

} // namespace adze
#endif
