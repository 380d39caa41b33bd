// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for the arrays of the tape.
//
// A gradient is asked for again and again, and each time its tape has the same
// sizes. The system hands out big blocks as pages that do not exist yet, and
// making them exist costs more than writing and reading the tape does. So
// blocks of some size are not given back but kept for the next tape: at most
// 16 blocks of up to 32 MiB, in a table that all threads share. A thread takes
// a block out by exchanging its entry with null, and puts one in by a compare
// and exchange with null, so no lock is needed and no entry is ever in two
// hands. Every block begins with its capacity.
//
// The functions are written as IR and linked into the module at first use.
// Nobody else touches the table, so to the optimizer they are what malloc and
// free are: an array that nothing reads goes away with its block.
#include "TapeIO.h"
#include "adze/RuntimeStop.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace adze {

namespace {

constexpr const char *AllocName = "adze.tape.alloc";
constexpr const char *FreeName = "adze.tape.free";
constexpr const char *GrowName = "adze.tape.grow";
constexpr const char *KeepName = "adze.tape.keep";
constexpr const char *PoolName = "adze.tape.pool";
constexpr const char *ExhaustedName = "adze.tape.exhausted";
constexpr const char *TooBigName = "adze.tape.too.big";

constexpr const char *Code = R"(
@adze.tape.pool = global [16 x ptr] zeroinitializer

declare ptr @malloc(i64)
declare void @free(ptr)
declare void @adze.tape.exhausted()
declare void @adze.tape.too.big()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.umax.i64(i64, i64)

; A block of at least this many bytes, aligned as malloc aligns. A size that
; does not fit its 64 bits is asked for as the largest number.
define noalias nonnull align 16 ptr @adze.tape.alloc(i64 %bytes) #2 {
entry:
  %over.small = sub i64 %bytes, 32768
  %kept.size = icmp ule i64 %over.small, 33521664
  br i1 %kept.size, label %search, label %make
search:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %entry.i = getelementptr ptr, ptr @adze.tape.pool, i64 %i
  %seen = load atomic ptr, ptr %entry.i monotonic, align 8
  %empty = icmp eq ptr %seen, null
  br i1 %empty, label %next, label %take
take:
  %taken = atomicrmw xchg ptr %entry.i, ptr null acquire
  %lost = icmp eq ptr %taken, null
  br i1 %lost, label %next, label %measure
measure:
  %capacity = load i64, ptr %taken
  %enough = icmp uge i64 %capacity, %bytes
  %most = shl i64 %bytes, 1
  %not.wasted = icmp ule i64 %capacity, %most
  %fits = and i1 %enough, %not.wasted
  br i1 %fits, label %done, label %back
back:
  call void @adze.tape.keep(ptr %taken)
  br label %next
next:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %search, label %make
make:
  %possible = icmp ult i64 %bytes, 4611686018427387904
  br i1 %possible, label %ask, label %too.big
ask:
  %total = add i64 %bytes, 16
  %made = call ptr @malloc(i64 %total)
  %none = icmp eq ptr %made, null
  br i1 %none, label %exhausted, label %mark
mark:
  store i64 %bytes, ptr %made
  br label %done
too.big:
  call void @adze.tape.too.big()
  unreachable
exhausted:
  call void @adze.tape.exhausted()
  unreachable
done:
  %head = phi ptr [ %taken, %measure ], [ %made, %mark ]
  %block = getelementptr i8, ptr %head, i64 16
  ret ptr %block
}

; The block is no longer used; null is none.
define void @adze.tape.free(ptr allocptr %block) #3 {
entry:
  %none = icmp eq ptr %block, null
  br i1 %none, label %done, label %measure
measure:
  %head = getelementptr i8, ptr %block, i64 -16
  %capacity = load i64, ptr %head
  %over.small = sub i64 %capacity, 32768
  %kept.size = icmp ule i64 %over.small, 33521664
  br i1 %kept.size, label %keep, label %release
keep:
  call void @adze.tape.keep(ptr %head)
  br label %done
release:
  call void @free(ptr %head)
  br label %done
done:
  ret void
}

; Puts a block into the table, or gives it back to the system.
define void @adze.tape.keep(ptr %head) #0 {
entry:
  br label %search
search:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %entry.i = getelementptr ptr, ptr @adze.tape.pool, i64 %i
  %seen = load atomic ptr, ptr %entry.i monotonic, align 8
  %empty = icmp eq ptr %seen, null
  br i1 %empty, label %put, label %next
put:
  %tried = cmpxchg ptr %entry.i, ptr null, ptr %head release monotonic
  %was.put = extractvalue { ptr, i1 } %tried, 1
  br i1 %was.put, label %done, label %next
next:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %search, label %release
release:
  call void @free(ptr %head)
  br label %done
done:
  ret void
}

; An array of elements of some bytes that has room for element %index: the old
; one, or, where the index is a power of two, one of twice its size.
define ptr @adze.tape.grow(ptr %old, i64 %index, i64 %bytes) #1 {
entry:
  %first = icmp eq ptr %old, null
  %below = sub i64 %index, 1
  %common = and i64 %index, %below
  %power = icmp eq i64 %common, 0
  %later = icmp uge i64 %index, 16
  %full = and i1 %power, %later
  %grow = or i1 %first, %full
  br i1 %grow, label %make, label %done
make:
  %twice = shl i64 %index, 1
  %count = call i64 @llvm.umax.i64(i64 %twice, i64 16)
  %size = mul i64 %count, %bytes
  %new = call ptr @adze.tape.alloc(i64 %size)
  br i1 %first, label %done, label %move
move:
  %used = mul i64 %index, %bytes
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %old, i64 %used, i1 false)
  call void @adze.tape.free(ptr %old)
  br label %done
done:
  %array = phi ptr [ %old, %entry ], [ %new, %make ], [ %new, %move ]
  ret ptr %array
}

attributes #0 = { noinline nounwind }
attributes #1 = { inlinehint nounwind }
attributes #2 = { noinline nounwind memory(inaccessiblemem: readwrite)
    allockind("alloc,uninitialized") allocsize(0) "alloc-family"="adze.tape" }
attributes #3 = { noinline nounwind
    memory(argmem: readwrite, inaccessiblemem: readwrite)
    allockind("free") "alloc-family"="adze.tape" }
)";

/// The code above as a module of its own. The parser needs the names of
/// values, which a compiler's context drops otherwise.
std::unique_ptr<Module> parseCode(LLVMContext &C) {
  bool DropsNames = C.shouldDiscardValueNames();
  C.setDiscardValueNames(false);
  SMDiagnostic Error;
  std::unique_ptr<Module> Parsed = parseAssemblyString(Code, Error, C);
  C.setDiscardValueNames(DropsNames);
  return Parsed;
}

/// What the code above calls where it cannot go on.
void defineStop(Module &M, StringRef Name, StringRef Reason) {
  Function *F = M.getFunction(Name);
  if (!F || !F->isDeclaration())
    return;
  F->setLinkage(GlobalValue::InternalLinkage);
  F->addFnAttr(Attribute::Cold);
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::NoReturn);
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  emitRuntimeStop(B, Reason);
  B.CreateUnreachable();
}

/// The function \p Name of the code above, which \p M gets if it lacks it.
Function *function(Module &M, StringRef Name, FunctionType *Ty) {
  if (Function *F = M.getFunction(Name))
    return F;
  // The text is a constant and parses; if it did not, the function would be
  // missed by the linker, by name.
  if (std::unique_ptr<Module> Library = parseCode(M.getContext())) {
    Library->setDataLayout(M.getDataLayout());
    Library->setTargetTriple(M.getTargetTriple());
    Linker::linkModules(M, std::move(Library));
    for (StringRef Ours : {AllocName, FreeName, GrowName, KeepName, PoolName})
      if (GlobalValue *G = M.getNamedValue(Ours))
        G->setLinkage(GlobalValue::InternalLinkage);
    defineStop(M, ExhaustedName, "out of memory for the tape of a derivative");
    defineStop(M, TooBigName,
               "the tape of a derivative is larger than memory can be");
  }
  return cast<Function>(M.getOrInsertFunction(Name, Ty).getCallee());
}

} // namespace

Function *tapeAllocFunction(Module &M) {
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Type *I64 = Type::getInt64Ty(M.getContext());
  return function(M, AllocName, FunctionType::get(Ptr, {I64}, false));
}

Function *tapeFreeFunction(Module &M) {
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Type *Void = Type::getVoidTy(M.getContext());
  return function(M, FreeName, FunctionType::get(Void, {Ptr}, false));
}

Function *growFunction(Module &M) {
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Type *I64 = Type::getInt64Ty(M.getContext());
  return function(M, GrowName, FunctionType::get(Ptr, {Ptr, I64, I64}, false));
}

} // namespace adze
