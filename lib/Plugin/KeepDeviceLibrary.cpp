// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plugin/KeepDeviceLibrary.h"

#include "Plugin/FindDeviceLibrary.h"
#include "Plugin/KeepClasses.h"
#include "adze/DeviceLibrary.h"
#include "adze/DeviceTarget.h"
#include "adze/Diagnostics.h"
#include "adze/OwnFunction.h"
#include "adze/ReachableConstants.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/FunctionComparator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

/// String attribute of a call that is not inlined because of us, and of a
/// function of the library that is kept for derivatives.
constexpr char Kept[] = "adze.kept.device";

// ---- Before optimization ---------------------------------------------------

/// Calls in functions that markers lead to, but not within the library.
SmallVector<CallBase *, 32> markedCalls(Module &M) {
  SetVector<const Function *> Roots = adze::markedFunctions(M);
  SetVector<const Constant *> Reachable =
      adze::reachableConstants(Roots.getArrayRef());
  SmallVector<CallBase *, 32> Calls;
  for (Function &F : M)
    if (Reachable.contains(&F) && !adze::isOfDeviceLibrary(F))
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallBase>(&I);
            Call && Call->getCalledFunction())
          Calls.push_back(Call);
  return Calls;
}

void keepCall(CallBase &Call) {
  Call.setIsNoInline();
  Call.addFnAttr(Attribute::get(Call.getContext(), Kept));
}

/// Used otherwise than by calls, functions keep their types, and stay.
void keepFunctions(Module &M, ArrayRef<Function *> Functions) {
  for (Function *F : Functions)
    F->addFnAttr(Kept);
  appendToCompilerUsed(
      M, SmallVector<GlobalValue *, 16>(Functions.begin(), Functions.end()));
}

/// The functions of the program say for which device, and how, the library is
/// compiled.
void takeTarget(Module &Library, const Module &M) {
  Library.setTargetTriple(M.getTargetTriple());
  Library.setDataLayout(M.getDataLayout());
  const auto From = find_if(M, [](const Function &F) {
    return !F.isDeclaration() && F.hasFnAttribute("target-cpu");
  });
  if (From == M.end())
    return;
  for (Function &F : Library)
    for (const char *Name : {"target-cpu", "target-features",
                             "denormal-fp-math", "denormal-fp-math-f32"})
      if (Attribute Given = From->getFnAttribute(Name);
          Given.isValid() && !F.hasFnAttribute(Name))
        F.addFnAttr(Given);
}

/// What \p M lacks, and file \p Path has.
void linkFrom(StringRef Path, Module &M) {
  SMDiagnostic Wrong;
  std::unique_ptr<Module> Library =
      getLazyIRFileModule(Path, Wrong, M.getContext());
  if (!Library)
    return;
  takeTarget(*Library, M);
  Linker::linkModules(
      M, std::move(Library), Linker::LinkOnlyNeeded,
      [](Module &Linked, const StringSet<> &Names) {
        internalizeModule(Linked, [&Names](const GlobalValue &G) {
          return !G.hasName() || Names.count(G.getName()) == 0;
        });
      });
}

SmallVector<Function *, 16> lacking(Module &M) {
  SmallVector<Function *, 16> Found;
  for (Function &F : M)
    if (adze::lacksDeviceBody(F))
      Found.push_back(&F);
  return Found;
}

/// The program leaves the library to a later link (-nogpulib).
bool leavesLibrary(Module &M) { return !lacking(M).empty(); }

/// What of the library is there, as local functions, is what others of it call
/// once they are linked: as long as all have names that count.
SmallVector<Function *, 32> showLocal(Module &M) {
  SmallVector<Function *, 32> Local;
  for (Function &F : M)
    if (F.hasInternalLinkage() && adze::isOfDeviceLibrary(F)) {
      F.setLinkage(GlobalValue::ExternalLinkage);
      Local.push_back(&F);
    }
  return Local;
}

/// The functions that derivatives may call, with bodies where these are found.
/// True if anything changed.
bool linkCompanions(Module &M, ArrayRef<CallBase *> Calls) {
  SmallPtrSet<const GlobalValue *, 32> Before;
  for (Function &F : M)
    Before.insert(&F);
  const std::vector<std::string> Names = adze::declareCompanions(Calls);
  bool Linked = false;
  SmallVector<Function *, 32> Local = showLocal(M);
  if (!lacking(M).empty())
    for (const std::string &File : adze::findDeviceLibrary(M)) {
      linkFrom(File, M);
      Linked = true;
    }
  for (Function *F : Local)
    F->setLinkage(GlobalValue::InternalLinkage);
  for (Function &F : make_early_inc_range(M))
    if (!Before.contains(&F) && F.use_empty() &&
        (F.isDeclaration() || adze::isOwn(F)))
      F.eraseFromParent(); // ours are made again when they are called
  SmallVector<Function *, 16> Companions;
  for (const std::string &Name : Names)
    if (Function *F = M.getFunction(Name); F && !F->isDeclaration())
      Companions.push_back(F);
  keepFunctions(M, Companions);
  return Linked || !Companions.empty();
}

/// A name as it was before the linker made it unique.
StringRef nameInLibrary(const GlobalValue &G) {
  StringRef Name = G.getName().rtrim("0123456789");
  Name.consume_back(".");
  return Name;
}

bool areSame(const GlobalVariable &A, const GlobalVariable &B) {
  return A.isConstant() && B.isConstant() && A.hasInitializer() &&
         B.hasInitializer() && A.getInitializer() == B.getInitializer() &&
         A.getType() == B.getType();
}

bool areSame(Function &A, Function &B) {
  if (A.isDeclaration() || B.isDeclaration())
    return false;
  // Clang says more of the functions that it links.
  const AttributeList Own = B.getAttributes();
  B.setAttributes(A.getAttributes());
  GlobalNumberState Numbers;
  const bool Same = FunctionComparator(&A, &B, &Numbers).compare() == 0;
  if (!Same)
    B.setAttributes(Own);
  return Same;
}

/// Those of \p Values that the module had before, under a shorter name.
template <typename Values> bool shareSame(Module &M, Values &&All) {
  bool Changed = false;
  for (auto &Second : make_early_inc_range(All)) {
    using Kind = std::remove_reference_t<decltype(Second)>;
    StringRef Name = nameInLibrary(Second);
    if (!Second.hasLocalLinkage() || Name == Second.getName())
      continue;
    auto *First = dyn_cast_or_null<Kind>(M.getNamedValue(Name));
    if (!First || !First->hasLocalLinkage() || !areSame(*First, Second))
      continue;
    Second.replaceAllUsesWith(First);
    Second.eraseFromParent();
    Changed = true;
  }
  return Changed;
}

// ---- After differentiation -------------------------------------------------

/// Calls in \p F that are to be inlined now: those that were kept, and those
/// of derivatives.
SmallVector<CallBase *, 16> callsIn(Function &F) {
  SmallVector<CallBase *, 16> Calls;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->isDeclaration())
      continue;
    if (Call->hasFnAttr(Kept) || adze::isKnownOfDeviceLibrary(*Callee))
      Calls.push_back(Call);
  }
  return Calls;
}

/// As LLVM's inliner decides it.
bool isWorthInlining(CallBase &Call, FunctionAnalysisManager &FAM) {
  auto assumptionsOf = [&](Function &F) -> AssumptionCache & {
    return FAM.getResult<AssumptionAnalysis>(F);
  };
  auto libraryOf = [&](Function &F) -> const TargetLibraryInfo & {
    return FAM.getResult<TargetLibraryAnalysis>(F);
  };
  return bool(
      getInlineCost(Call, getInlineParams(/*OptLevel=*/3, /*SizeOptLevel=*/0),
                    FAM.getResult<TargetIRAnalysis>(*Call.getCalledFunction()),
                    assumptionsOf, libraryOf));
}

void simplifyAfterInlining(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(InstCombinePass());
  Passes.addPass(GVNPass());
  LoopPassManager Loops;
  Loops.addPass(LICMPass(LICMOptions()));
  Passes.addPass(
      createFunctionToLoopPassAdaptor(std::move(Loops), /*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(InstCombinePass());
  FAM.invalidate(F, Passes.run(F, FAM));
}

bool inlineInto(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<CallBase *, 16> Calls = callsIn(F);
  if (Calls.empty())
    return false;
  bool Inlined = false;
  for (CallBase *Call : Calls) {
    if (Call->hasFnAttr(Kept)) {
      Call->removeFnAttr(Kept);
      Call->removeFnAttr(Attribute::NoInline);
    }
    InlineFunctionInfo Info;
    if (!F.hasOptNone() && isWorthInlining(*Call, FAM))
      Inlined |=
          InlineFunction(*Call, Info, /*MergeAttributes=*/true).isSuccess();
    else if (Call->hasFnAttr(Attribute::AlwaysInline))
      Inlined |= InlineFunction(*Call, Info).isSuccess();
  }
  FAM.invalidate(F, PreservedAnalyses::none());
  if (Inlined && !F.hasOptNone())
    simplifyAfterInlining(F, FAM);
  return true;
}

/// Where bodies of the library are, those of the functions that derivatives
/// call must be, too.
void reportMissing(Module &M) {
  std::string Names;
  for (Function *F : lacking(M)) {
    if (F->use_empty())
      continue;
    Names += (Names.empty() ? "'" : ", '") + F->getName().str() + "'";
  }
  if (Names.empty() || none_of(M, adze::isKnownOfDeviceLibrary))
    return;
  adze::Diagnostics Diags(&M.getContext());
  adze::Origin From;
  Diags.report(adze::Diag::NoDeviceLibrary, From, nullptr, {Names});
}

} // namespace

PreservedAnalyses adze::KeepDeviceLibraryPass::run(Module &M,
                                                   ModuleAnalysisManager &) {
  if (!isDevice(M))
    return PreservedAnalyses::all();
  SmallVector<CallBase *, 32> Calls = markedCalls(M);
  if (Calls.empty() || leavesLibrary(M))
    return PreservedAnalyses::all();
  SetVector<Function *> Functions;
  for (CallBase *Call : Calls)
    if (isKnownOfDeviceLibrary(*Call->getCalledFunction())) {
      keepCall(*Call);
      Functions.insert(Call->getCalledFunction());
    }
  keepFunctions(M, Functions.getArrayRef());
  return linkCompanions(M, Calls) || !Functions.empty()
             ? PreservedAnalyses::none()
             : PreservedAnalyses::all();
}

PreservedAnalyses adze::ShareDeviceLibraryPass::run(Module &M,
                                                    ModuleAnalysisManager &) {
  if (!isDevice(M) ||
      none_of(M, [](const Function &F) { return F.hasFnAttribute(Kept); }))
    return PreservedAnalyses::all();
  bool Changed = shareSame(M, M.globals());
  Changed |= shareSame(M, M.functions());
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

void adze::releaseDeviceLibrary(Module &M) {
  if (none_of(M, [](const Function &F) { return F.hasFnAttribute(Kept); }))
    return;
  removeFromUsedLists(M, [](Constant *C) {
    auto *F = dyn_cast<Function>(C->stripPointerCasts());
    return F && F->hasFnAttribute(Kept);
  });
}

bool adze::inlineDeviceLibrary(Module &M, ModuleAnalysisManager &MAM) {
  if (!isDevice(M))
    return false;
  // Of others there is none that was not to be inlined, in modules that hold
  // derivatives; no other is changed.
  if (none_of(M, [](const Function &F) { return F.hasFnAttribute(Kept); }))
    return false;
  reportMissing(M);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = false, HadFunctions = false;
  for (Function &F : M)
    Changed |= !F.isDeclaration() && inlineInto(F, FAM);
  for (Function &F : M)
    if (F.hasFnAttribute(Kept)) {
      F.removeFnAttr(Kept);
      HadFunctions = true;
    }
  if (HadFunctions)
    GlobalDCEPass().run(M, MAM);
  return Changed || HadFunctions;
}
