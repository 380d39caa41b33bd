// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadows of exceptions that live: a list of the thread, newest first,
// since memory is used again. A node is { next, thrown, bytes, shadow,
// destructor, object of the unwinder, ends with it }; it ends with the
// exception, whose destructor it takes the place of.
#include "adze/Exceptions.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace adze::exceptions {

namespace {

constexpr const char *Text = R"(
%node = type { ptr, ptr, i64, ptr, ptr, ptr, i1 }

@adze.exception.list = thread_local global ptr null

declare ptr @malloc(i64)
declare void @free(ptr)

define void @adze.exception.set(ptr %thrown, i64 %bytes, ptr %shadow, i1 %ends) nounwind noinline {
  %size = ptrtoint ptr getelementptr (%node, ptr null, i64 1) to i64
  %new = call ptr @malloc(i64 %size)
  %list = call ptr @llvm.threadlocal.address.p0(ptr @adze.exception.list)
  %first = load ptr, ptr %list
  store ptr %first, ptr %new
  %p1 = getelementptr %node, ptr %new, i64 0, i32 1
  store ptr %thrown, ptr %p1
  %p2 = getelementptr %node, ptr %new, i64 0, i32 2
  store i64 %bytes, ptr %p2
  %p3 = getelementptr %node, ptr %new, i64 0, i32 3
  store ptr %shadow, ptr %p3
  %p4 = getelementptr %node, ptr %new, i64 0, i32 4
  store ptr null, ptr %p4
  %p5 = getelementptr %node, ptr %new, i64 0, i32 5
  store ptr null, ptr %p5
  %p6 = getelementptr %node, ptr %new, i64 0, i32 6
  store i1 %ends, ptr %p6
  store ptr %new, ptr %list
  ret void
}

define ptr @adze.exception.shadow(ptr %object, ptr %caught) nounwind noinline {
entry:
  %list = call ptr @llvm.threadlocal.address.p0(ptr @adze.exception.list)
  %first = load ptr, ptr %list
  %address = ptrtoint ptr %caught to i64
  br label %test
test:
  %here = phi ptr [ %first, %entry ], [ %next, %other ]
  %end = icmp eq ptr %here, null
  br i1 %end, label %none, label %look
look:
  %p1 = getelementptr %node, ptr %here, i64 0, i32 1
  %thrown = load ptr, ptr %p1
  %p2 = getelementptr %node, ptr %here, i64 0, i32 2
  %bytes = load i64, ptr %p2
  %p3 = getelementptr %node, ptr %here, i64 0, i32 3
  %shadow = load ptr, ptr %p3
  %p5 = getelementptr %node, ptr %here, i64 0, i32 5
  %known = load ptr, ptr %p5
  %begin = ptrtoint ptr %thrown to i64
  %offset = sub i64 %address, %begin
  %within = icmp ult i64 %offset, %bytes
  br i1 %within, label %found, label %ask
found:
  %member = getelementptr i8, ptr %shadow, i64 %offset
  ret ptr %member
ask:
  %same = icmp eq ptr %known, %object
  %wide = icmp uge i64 %bytes, 8
  %both = and i1 %same, %wide
  br i1 %both, label %pointer, label %other
pointer:
  %was = load ptr, ptr %thrown, align 1
  %its = load ptr, ptr %shadow, align 1
  %nothing = icmp eq ptr %its, null
  %from = ptrtoint ptr %was to i64
  %shift = sub i64 %address, %from
  %to = getelementptr i8, ptr %its, i64 %shift
  %result = select i1 %nothing, ptr %caught, ptr %to
  ret ptr %result
other:
  %next = load ptr, ptr %here
  br label %test
none:
  ret ptr %caught
}

define internal ptr @adze.exception.find(ptr %thrown) nounwind noinline {
entry:
  %list = call ptr @llvm.threadlocal.address.p0(ptr @adze.exception.list)
  br label %test
test:
  %link = phi ptr [ %list, %entry ], [ %here, %look ]
  %here = load ptr, ptr %link
  %end = icmp eq ptr %here, null
  br i1 %end, label %none, label %look
look:
  %p1 = getelementptr %node, ptr %here, i64 0, i32 1
  %its = load ptr, ptr %p1
  %same = icmp eq ptr %its, %thrown
  br i1 %same, label %found, label %test
found:
  ret ptr %link
none:
  ret ptr null
}

define ptr @adze.exception.keep(ptr %thrown, ptr %destructor) nounwind noinline {
  %link = call ptr @adze.exception.find(ptr %thrown)
  %unknown = icmp eq ptr %link, null
  br i1 %unknown, label %none, label %found
found:
  %here = load ptr, ptr %link
  %p4 = getelementptr %node, ptr %here, i64 0, i32 4
  store ptr %destructor, ptr %p4
  ret ptr @adze.exception.destroy
none:
  ret ptr %destructor
}

define void @adze.exception.bind(ptr %thrown, ptr %object) nounwind noinline {
  %link = call ptr @adze.exception.find(ptr %thrown)
  %unknown = icmp eq ptr %link, null
  br i1 %unknown, label %none, label %found
found:
  %here = load ptr, ptr %link
  %p5 = getelementptr %node, ptr %here, i64 0, i32 5
  store ptr %object, ptr %p5
  ret void
none:
  ret void
}

define internal ptr @adze.exception.end(ptr %thrown) nounwind noinline {
  %link = call ptr @adze.exception.find(ptr %thrown)
  %unknown = icmp eq ptr %link, null
  br i1 %unknown, label %none, label %found
found:
  %here = load ptr, ptr %link
  %next = load ptr, ptr %here
  store ptr %next, ptr %link
  %p3 = getelementptr %node, ptr %here, i64 0, i32 3
  %shadow = load ptr, ptr %p3
  %p4 = getelementptr %node, ptr %here, i64 0, i32 4
  %destructor = load ptr, ptr %p4
  %p6 = getelementptr %node, ptr %here, i64 0, i32 6
  %ends = load i1, ptr %p6
  call void @free(ptr %here)
  br i1 %ends, label %owned, label %done
owned:
  call void @free(ptr %shadow)
  br label %done
done:
  ret ptr %destructor
none:
  ret ptr null
}

define void @adze.exception.drop(ptr %thrown) nounwind noinline {
  %destructor = call ptr @adze.exception.end(ptr %thrown)
  ret void
}

; The library calls it in place of the destructor.
define void @adze.exception.destroy(ptr %thrown) noinline {
  %destructor = call ptr @adze.exception.end(ptr %thrown)
  %none = icmp eq ptr %destructor, null
  br i1 %none, label %done, label %destroy
destroy:
  call void %destructor(ptr %thrown)
  br label %done
done:
  ret void
}

declare ptr @llvm.threadlocal.address.p0(ptr)
)";

/// The text, linked into \p M. What an earlier round of markers has there is
/// code of the program by now, and keeps its own list.
void link(Module &M) {
  LLVMContext &C = M.getContext();
  bool DropsNames = C.shouldDiscardValueNames();
  C.setDiscardValueNames(false);
  SMDiagnostic Error;
  std::unique_ptr<Module> Runtime = parseAssemblyString(Text, Error, C);
  C.setDiscardValueNames(DropsNames);
  if (!Runtime) // the text is a constant; the linker would name what is missed
    return;
  Runtime->setDataLayout(M.getDataLayout());
  Runtime->setTargetTriple(M.getTargetTriple());
  std::vector<std::string> Defined;
  for (GlobalValue &G : Runtime->global_values()) {
    if (G.isDeclaration())
      continue;
    G.setLinkage(GlobalValue::ExternalLinkage);
    Defined.push_back(G.getName().str());
    if (GlobalValue *Old = M.getNamedValue(G.getName()))
      Old->setName(G.getName() + ".inner");
  }
  Linker::linkModules(M, std::move(Runtime));
  for (const std::string &Name : Defined)
    if (GlobalValue *G = M.getNamedValue(Name))
      G->setLinkage(GlobalValue::InternalLinkage);
}

CallInst *call(IRBuilderBase &B, StringRef Name, Type *Ret,
               ArrayRef<Value *> Args) {
  Module &M = *B.GetInsertBlock()->getModule();
  std::string Full = (Twine(Prefix) + Name).str();
  if (!M.getFunction(Full))
    link(M);
  SmallVector<Type *, 4> Types;
  for (Value *Arg : Args)
    Types.push_back(Arg->getType());
  return B.CreateCall(
      M.getOrInsertFunction(Full, FunctionType::get(Ret, Types, false)), Args);
}

} // namespace

void emitSetShadow(IRBuilderBase &B, Value *Thrown, Value *Bytes, Value *Shadow,
                   bool EndsWithIt) {
  call(B, "set", B.getVoidTy(), {Thrown, Bytes, Shadow, B.getInt1(EndsWithIt)});
}

Value *emitShadowOf(IRBuilderBase &B, Value *Object, Value *Caught) {
  return call(B, "shadow", B.getPtrTy(), {Object, Caught});
}

void emitKeepShadow(CallBase &Throw, Instruction &Handler, Value *Object) {
  Value *Thrown = Throw.getArgOperand(0);
  IRBuilder<> B(&Throw);
  Throw.setArgOperand(
      2, call(B, "keep", B.getPtrTy(), {Thrown, Throw.getArgOperand(2)}));
  B.SetInsertPoint(&Handler);
  call(B, "bind", B.getVoidTy(), {Thrown, Object});
}

bool isOfShadows(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  StringRef Name = F ? F->getName() : "";
  return Name.consume_front(Prefix) &&
         (Name.starts_with("set") || Name.starts_with("shadow"));
}

void emitDropShadow(IRBuilderBase &B, Value *Thrown) {
  call(B, "drop", B.getVoidTy(), {Thrown});
}

} // namespace adze::exceptions
