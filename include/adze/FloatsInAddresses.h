// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doubles that are passed on as pointers: `void *` for any word, the pointer of
// a union that is passed in a register. A pointer has a shadow and no adjoint,
// so what goes through one would lose its derivative.
#ifndef ADZE_FLOATSINADDRESSES_H
#define ADZE_FLOATSINADDRESSES_H

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace adze {

class TypeInfo;

/// \p I makes a pointer of the bits of a float (an inttoptr of what was cast
/// from one), or makes a float of the bits of a pointer (a ptrtoint of which
/// something is cast to one and computed with), be they chosen between. Not so
/// where types see memory behind the pointer: then it is one, in a union whose
/// float is used at another time.
bool makesAddressOfFloat(const llvm::Instruction &I, const TypeInfo &Types);
bool makesFloatOfAddress(const llvm::Instruction &I, const TypeInfo &Types);

/// \p I loads a pointer from where types see a float as well, and passes it on
/// without a choice, or stores one that a call returned there. (What goes
/// between memory and memory, on the grid of words, is moved as the word that
/// it is.)
bool loadsFloatAsAddress(const llvm::Instruction &I, const TypeInfo &Types);
bool storesFloatAsAddress(const llvm::Instruction &I, const TypeInfo &Types);

/// \p I loads a pointer and passes it on to a function, to its caller or, off
/// the grid of words or after a choice, to memory.
bool passesPointer(const llvm::Instruction &I);

/// It does, and nothing else is known of the pointer: a float to a caller that
/// knows more of the memory.
bool passesAnyWord(const llvm::Instruction &I, const TypeInfo &Types);

/// \p I loads a pointer, or a vector of them, that goes on: to a function, to
/// the caller, to any memory, or to where it becomes a float.
bool passesFloat(const llvm::Instruction &I);

/// The address that \p I makes an integer becomes a float, maybe by a choice.
bool becomesFloat(const llvm::Instruction &I);

/// \p Place walks over the object that it leads into: of such a pointer types
/// say nothing of single places.
bool walksOverObject(const llvm::Value *Place);

/// \p Place walks over an object, and types see both a pointer and a float at
/// some place of that.
bool isOfMixedObject(const llvm::Value *Place, const TypeInfo &Types);

} // namespace adze
#endif
