// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of exceptions (lib/Runtime/ExceptionShadows.c). That of one is found
// by its address, or, where a pointer was thrown, by the object of the
// unwinder.
#ifndef ADZE_EXCEPTIONSHADOWS_H
#define ADZE_EXCEPTIONSHADOWS_H

namespace llvm {
class CallBase;
class Instruction;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace adze::exceptions {

/// How far the shadows of an exception of \p Bytes lie apart, if there are
/// several directions.
llvm::Value *emitDistance(llvm::IRBuilderBase &B, llvm::Value *Bytes);
/// \p Shadow is that of the exception at \p Thrown, of \p Bytes, in the first
/// direction. With \p EndsWithIt it is freed when the exception is destroyed.
void emitSetShadow(llvm::IRBuilderBase &B, llvm::Value *Thrown,
                   llvm::Value *Bytes, llvm::Value *Shadow, bool EndsWithIt);
/// The shadow of \p Caught in \p Direction, which was caught as \p Object;
/// \p Caught itself if it has none.
llvm::Value *emitShadowOf(llvm::IRBuilderBase &B, llvm::Value *Object,
                          llvm::Value *Caught, unsigned Direction);
/// Before \p Throw, of what may have a shadow: lets its end be noticed, and
/// knows it by the object of the unwinder from \p Handler on.
void emitKeepShadow(llvm::CallBase &Throw, llvm::Instruction &Handler,
                    llvm::Value *Object);
/// The exception at \p Thrown ends without having been thrown.
void emitDropShadow(llvm::IRBuilderBase &B, llvm::Value *Thrown);

/// \p Call makes or finds the shadow of an exception, in a derivative.
bool isOfShadows(const llvm::CallBase &Call);

} // namespace adze::exceptions
#endif
