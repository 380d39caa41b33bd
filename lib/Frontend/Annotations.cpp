// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Annotations.h"

#include "Frontend/InactiveCalls.h"
#include "Frontend/Names.h"
#include "Frontend/UserOperations.h"
#include "adze/GivenDerivatives.h"
#include "adze/GivenShadows.h"
#include "adze/KnownFunction.h"
#include "adze/Launches.h"
#include "adze/Mpi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace adze;

//===----------------------------------------------------------------------===//
// Registrations
//===----------------------------------------------------------------------===//

namespace {

/// The text that \p C points to, if it is a string.
std::optional<StringRef> stringOf(const Constant *C) {
  auto *G = dyn_cast<GlobalVariable>(C);
  if (!G || !G->isConstant() || !G->hasInitializer())
    return std::nullopt;
  auto *Data = dyn_cast<ConstantDataArray>(G->getInitializer());
  if (!Data || !Data->isCString())
    return std::nullopt;
  return Data->getAsCString();
}

/// The addresses that \p Initializer holds, in order.
SmallVector<Constant *, 4> addressesIn(Constant *Initializer) {
  SmallVector<Constant *, 4> Found, Work(1, Initializer);
  while (!Work.empty()) {
    Constant *C = Work.pop_back_val();
    if (isa<ConstantAggregate>(C)) {
      for (Use &U : reverse(C->operands()))
        Work.push_back(cast<Constant>(U));
      continue;
    }
    if (auto *E = dyn_cast<ConstantExpr>(C); E && E->isCast()) {
      Work.push_back(E->getOperand(0)); // an address as a number
      continue;
    }
    if (!C->getType()->isPointerTy())
      continue;
    C = C->stripPointerCastsAndAliases() == C
            ? C
            : cast<Constant>(C->stripPointerCastsAndAliases());
    if (!C->isNullValue())
      Found.push_back(C);
  }
  return Found;
}

std::string noFunctionLike(StringRef Name, const Function &F) {
  return ("no function '" + Name + "' is known that is called as '" +
          sourceName(F) + "' is")
      .str();
}

/// The form in which front ends say it.
constexpr const char LikeOfFrontEnd[] = "enzyme_function_like";

/// Reads the registrations of a module. Without diagnostics, before all
/// optimization, what is wrong is left for later.
class Reader {
public:
  Reader(Module &M, Diagnostics *Diags) : M(M), Diags(Diags) {}

  bool run() {
    SmallVector<std::pair<GlobalVariable *, Registration>, 4> All;
    for (GlobalVariable &G : M.globals()) {
      Registration Kind = registrationKind(G);
      if (Kind != Registration::None && Kind != Registration::Unsupported)
        All.push_back({&G, Kind});
    }
    for (auto [G, Kind] : All) {
      read(*G, Kind);
      if (Diags)
        erase(*G);
    }
    return !All.empty();
  }

private:
  void read(GlobalVariable &G, Registration Kind) {
    SmallVector<Constant *, 4> Items;
    if (G.hasInitializer())
      Items = addressesIn(G.getInitializer());
    if (Items.empty())
      return refuse(G, Kind, "it has no value at compile time");
    if (Kind == Registration::AllocationLike)
      return readAllocation(G);
    if (Kind == Registration::DeallocationLike)
      return readDeallocation(G);
    if (Kind == Registration::Gradient || Kind == Registration::Tangent ||
        Kind == Registration::SplitTangent)
      return readDerivatives(G, Kind, Items);
    if (Kind == Registration::Exchange)
      return readExchange(G, Items);
    if (Kind == Registration::Shadow)
      return readShadow(G, Items);
    for (unsigned I = 0; I < Items.size(); ++I) {
      if (Kind == Registration::InactiveGlobal) {
        if (!readGlobal(Items[I]))
          return refuse(G, Kind, describe(Items[I]) + " is no global variable");
        continue;
      }
      Function *F = functionOf(Items[I]);
      if (!F)
        return refuse(G, Kind, describe(Items[I]) + " is no function");
      if (Kind == Registration::InactiveFunction)
        F->addFnAttr(declared::Inactive);
      else if (Kind == Registration::ShouldRecompute)
        F->addFnAttr(declared::ShouldRecompute);
      else if (Kind == Registration::NoFree)
        F->addFnAttr(Attribute::NoFree);
      else if (!readLike(G, *F, ++I < Items.size() ? Items[I] : nullptr))
        return;
    }
  }

  Function *functionOf(Constant *C) {
    if (std::optional<StringRef> Name = stringOf(C))
      return M.getFunction(*Name);
    return dyn_cast<Function>(C);
  }

  bool readGlobal(Constant *C) {
    auto *G = dyn_cast<GlobalVariable>(C);
    if (std::optional<StringRef> Name = stringOf(C))
      if (GlobalVariable *Named = M.getNamedGlobal(*Name))
        G = Named;
    if (!G)
      return false;
    G->setMetadata(declared::InactiveGlobal, MDNode::get(M.getContext(), {}));
    return true;
  }

  /// A variable and its shadow.
  void readShadow(GlobalVariable &G, ArrayRef<Constant *> Items) {
    auto variable = [&](unsigned K) {
      return dyn_cast<GlobalVariable>(getUnderlyingObject(Items[K]));
    };
    const bool AreTwo = Items.size() == 2 && variable(0) && variable(1);
    if (!AreTwo)
      return refuse(G, Registration::Shadow, "it does not name two variables");
    if (std::optional<std::string> Why = giveShadow(*variable(0), *variable(1)))
      return refuse(G, Registration::Shadow, *Why);
    if (!Diags)
      appendToCompilerUsed(M, {&G});
  }

  /// A function and its derivatives.
  void readDerivatives(GlobalVariable &G, Registration Kind,
                       ArrayRef<Constant *> Items) {
    const bool IsTangent = Kind == Registration::Tangent;
    SmallVector<Function *, 3> Functions;
    for (Constant *Item : Items)
      Functions.push_back(functionOf(Item));
    if (Functions.size() != (IsTangent ? 2 : 3) ||
        is_contained(Functions, nullptr))
      return refuse(G, Kind,
                    IsTangent ? "it does not name two functions"
                              : "it does not name three functions");
    Function &F = *Functions.front();
    if (IsTangent)
      given::setForward(F, *Functions[1]);
    else if (Kind == Registration::SplitTangent)
      given::setSplitForward(F, *Functions[1], *Functions[2]);
    else
      given::setGradient(F, *Functions[1], *Functions[2]);
    if (!Diags) // optimizations to come may leave nothing but the list
      return appendToCompilerUsed(M, {&G});
    Error Wrong = Kind == Registration::Gradient
                      ? given::gradientOf(F).takeError()
                      : given::tangentOf(F).takeError();
    if (Wrong)
      refuse(G, Kind, toString(std::move(Wrong)));
  }

  /// {allocate, (void *)SIZE, "-1", release}: which parameter is the size in
  /// bytes, and what the other function takes, -1 for the block.
  void readAllocation(GlobalVariable &G) {
    const Registration Kind = Registration::AllocationLike;
    SmallVector<Constant *, 4> Fields = fieldsOf(G);
    if (Fields.size() != 4)
      return refuse(G, Kind, "it has not four members");
    Function *New = functionOf(Fields[0]), *Old = functionOf(Fields[3]);
    std::optional<uint64_t> Size = numberIn(Fields[1]);
    std::optional<StringRef> Taken = stringOf(Fields[2]);
    if (!New || !Old)
      return refuse(G, Kind, "it does not name two functions");
    if (!Size || *Size >= New->arg_size() ||
        !New->getArg(*Size)->getType()->isIntegerTy() ||
        !New->getReturnType()->isPointerTy())
      return refuse(G, Kind,
                    "'" + sourceName(*New) +
                        "' does not take a number of bytes there, or does not "
                        "return a pointer");
    if (!Taken || Taken->trim() != "-1" || Old->arg_size() != 1 ||
        !Old->getArg(0)->getType()->isPointerTy())
      return refuse(G, Kind,
                    "'" + sourceName(*Old) +
                        "' must take the block alone, and be said to by "
                        "\"-1\"");
    New->addFnAttr(declared::Allocation,
                   (Twine(*Size) + " " + Old->getName()).str());
    New->addRetAttr(Attribute::NoAlias);
    if (const KnownFunction *Known = lookupKnown(*Old);
        !Known || !Known->frees())
      Old->addFnAttr(declared::Deallocation, "0");
    keep(G, {New, Old});
  }

  /// {release}: a function that takes the block alone.
  void readDeallocation(GlobalVariable &G) {
    for (Constant *Field : fieldsOf(G)) {
      Function *F = functionOf(Field);
      if (!F || F->arg_size() != 1 || !F->getArg(0)->getType()->isPointerTy())
        return refuse(G, Registration::DeallocationLike,
                      "it does not name functions that take the block alone");
      F->addFnAttr(declared::Deallocation, "0");
      keep(G, F);
    }
  }

  /// Derivatives call what the program would call itself.
  void keep(GlobalVariable &G, ArrayRef<Function *> Functions) {
    for (Function *F : Functions)
      F->addFnAttr(Attribute::NoInline);
    if (!Diags)
      appendToCompilerUsed(M, {&G});
  }

  static Constant *withoutCasts(const Value *V) {
    return const_cast<Constant *>(
        cast<Constant>(V->stripPointerCastsAndAliases()));
  }
  /// The members of an array or structure, without casts.
  static SmallVector<Constant *, 4> fieldsOf(const GlobalVariable &G) {
    const Constant *Init = G.getInitializer();
    SmallVector<Constant *, 4> Fields;
    if (!isa<ConstantAggregate>(Init))
      return {withoutCasts(Init)};
    for (const Use &U : Init->operands())
      Fields.push_back(withoutCasts(U));
    return Fields;
  }

  /// The number that \p C is, perhaps as an address.
  static std::optional<uint64_t> numberIn(Constant *C) {
    if (C->isNullValue())
      return 0;
    if (auto *E = dyn_cast<ConstantExpr>(C);
        E && E->getOpcode() == Instruction::IntToPtr)
      C = E->getOperand(0);
    auto *Number = dyn_cast<ConstantInt>(C);
    return Number && Number->getValue().isIntN(32)
               ? std::optional<uint64_t>(Number->getZExtValue())
               : std::nullopt;
  }

  /// A function, its derivatives in both modes, and what its parameters are.
  void readExchange(GlobalVariable &G, ArrayRef<Constant *> Items) {
    constexpr unsigned Wanted = 5;
    SmallVector<Function *, 4> Functions;
    for (Constant *Item : Items.take_front(Wanted - 1))
      Functions.push_back(kernelStubOf(Item));
    std::optional<StringRef> Roles =
        Items.size() == Wanted ? stringOf(Items.back()) : std::nullopt;
    if (!Roles || is_contained(Functions, nullptr))
      return refuse(G, Registration::Exchange,
                    "it does not name four functions and what the parameters "
                    "of the first are");
    Function &F = *Functions.front();
    given::setGradient(F, *Functions[1], *Functions[2]);
    given::setForward(F, *Functions[3]);
    if (!given::setExchange(F, *Roles))
      return refuse(G, Registration::Exchange,
                    "'" + sourceName(F) + "' has other parameters");
    if (!Diags)
      return appendToCompilerUsed(M, {&G});
    Error Wrong = joinErrors(given::gradientOf(F).takeError(),
                             given::tangentOf(F).takeError());
    if (Wrong)
      refuse(G, Registration::Exchange, toString(std::move(Wrong)));
  }

  /// \p C as a function. A kernel of HIP is a variable that holds its stub.
  Function *kernelStubOf(Constant *C) {
    auto *Handle = dyn_cast<GlobalVariable>(C);
    if (Handle && Handle->isConstant() && Handle->hasInitializer())
      C = cast<Constant>(
          Handle->getInitializer()->stripPointerCastsAndAliases());
    return dyn_cast<Function>(C);
  }

  bool readLike(const GlobalVariable &G, Function &F, const Constant *Name) {
    std::optional<StringRef> Text = Name ? stringOf(Name) : std::nullopt;
    std::string Wrong;
    if (!Text)
      Wrong = "no name follows '" + sourceName(F) + "'";
    else if (!mayBeLike(*Text, *F.getFunctionType()))
      Wrong = noFunctionLike(*Text, F);
    else
      F.addFnAttr(declared::Like, *Text);
    if (!Wrong.empty())
      refuse(G, Registration::FunctionLike, Wrong);
    return Wrong.empty();
  }

  static const char *form(Registration Kind) {
    switch (Kind) {
    case Registration::InactiveGlobal:
      return "void *{0}[] = {&variable};";
    case Registration::Gradient:
      return "void *{0}[] = {(void *)function, (void *)augmented, (void "
             "*)reverse};";
    case Registration::Tangent:
      return "void *{0}[] = {(void *)function, (void *)forward};";
    case Registration::SplitTangent:
      return "void *{0}[] = {(void *)function, (void *)augmented, (void "
             "*)forward};";
    case Registration::AllocationLike:
      return "void *{0}[] = {(void *)allocate, (void *)0, (void *)\"-1\", "
             "(void *)release};";
    case Registration::DeallocationLike:
      return "void *{0}[] = {(void *)release};";
    case Registration::Exchange:
      return "void *{0}[] = {(void *)function, (void *)augmented, (void "
             "*)reverse, (void *)forward, (void *)\"rwn\"};";
    case Registration::Shadow:
      return "void *{0}[] = {&variable, &shadow};";
    case Registration::FunctionLike:
      return "void *{0}[] = {(void *)function, \"sin\"};";
    default:
      return "void *{0}[] = {(void *)function};";
    }
  }

  void refuse(const GlobalVariable &G, Registration Kind,
              const std::string &Why) {
    if (!Diags)
      return;
    Origin From;
    From.Callee = G.getName().str();
    std::string Name = sourceName(G.getName()), Place;
    SmallVector<DIGlobalVariableExpression *, 1> Infos;
    G.getDebugInfo(Infos);
    if (!Infos.empty())
      Place = (" (" + Infos.front()->getVariable()->getFilename() + ":" +
               Twine(Infos.front()->getVariable()->getLine()) + ")")
                  .str();
    StringRef Form = form(Kind);
    auto [Before, After] = Form.split("{0}");
    Diags->report(
        Diag::RegistrationContent, From, nullptr,
        {"'" + Name + "'" + Place, Why, (Before + Name + After).str()});
  }

  /// A registration that the program's code does not use leaves no trace.
  void erase(GlobalVariable &G) {
    removeFromUsedLists(
        M, [&](Constant *C) { return C->stripPointerCasts() == &G; });
    G.removeDeadConstantUsers();
    if (!G.use_empty())
      return;
    SmallVector<Constant *, 4> Items;
    if (G.hasInitializer())
      Items = addressesIn(G.getInitializer());
    G.eraseFromParent();
    for (Constant *C : Items) {
      C->removeDeadConstantUsers();
      auto *Text = dyn_cast<GlobalVariable>(C);
      if (Text && Text->hasPrivateLinkage() && Text->use_empty())
        Text->eraseFromParent();
    }
  }

  Module &M;
  Diagnostics *Diags;
};

//===----------------------------------------------------------------------===//
// Hiding from the optimizer
//===----------------------------------------------------------------------===//

/// Pairs of a declaration and the function that it stands for, and of a
/// variable and itself: so that neither is lost.
constexpr char PinTable[] = "adze.pins";
constexpr char PinPrefix[] = "adze.pinned.";

/// What a program says of functions that must not be lost by inlining.
constexpr const char *PinnedBy[] = {declared::Like, declared::Allocation,
                                    declared::Deallocation,
                                    declared::ShouldRecompute};

bool isAnnotated(const Function &F) {
  return isDeclaredInactive(F) ||
         any_of(PinnedBy,
                [&](const char *Name) { return F.hasFnAttribute(Name); }) ||
         given::hasAny(F) || any_of(F.args(), [](const Argument &A) {
           return isDeclaredInactive(A);
         });
}

/// A declaration with the attributes that the program's source gives \p F.
Function *standInFor(Function &F) {
  Function *D =
      Function::Create(F.getFunctionType(), GlobalValue::ExternalLinkage,
                       PinPrefix + F.getName(), F.getParent());
  D->setCallingConv(F.getCallingConv());
  D->setAttributes(F.getAttributes());
  for (Attribute::AttrKind Kind :
       {Attribute::AlwaysInline, Attribute::InlineHint, Attribute::NoInline,
        Attribute::OptimizeNone, Attribute::AllocSize})
    D->removeFnAttr(Kind);
  for (Argument &A : D->args())
    D->removeParamAttr(A.getArgNo(), Attribute::Returned);
  return D;
}

/// Also the calls that the compiler has made intrinsics.
void pinCalls(Function &F, ArrayRef<Function *> Intrinsics,
              SmallVectorImpl<Constant *> &Pairs) {
  SmallVector<Function *, 2> Called(1, &F);
  for (Function *I : Intrinsics)
    if (libraryFunctionOf(*I) == &F &&
        I->getFunctionType() == F.getFunctionType())
      Called.push_back(I);
  Function *StandIn = nullptr;
  for (Function *C : Called)
    for (Use &U : make_early_inc_range(C->uses())) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      if (!Call || !Call->isCallee(&U))
        continue;
      if (!StandIn)
        StandIn = standInFor(F);
      Call->setCalledOperand(StandIn);
    }
  if (StandIn)
    Pairs.append({StandIn, &F});
}

/// What is inferred from the body of \p F or said of its namesake in the
/// library must not connect the result to the arguments.
void forgetReturned(Function &F) {
  AttributeMask Mask;
  Mask.addAttribute(Attribute::Returned);
  for (Argument &A : F.args())
    F.removeParamAttr(A.getArgNo(), Attribute::Returned);
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      for (unsigned I = 0; I != Call->arg_size(); ++I)
        Call->removeParamAttrs(I, Mask);
}

/// `annotate("enzyme_function_like=NAME")`, with the checks of a registration.
bool adoptLike(Function &F, Diagnostics *Diags) {
  Attribute Name = F.getFnAttribute(LikeOfFrontEnd);
  if (!Name.isValid())
    return false;
  const std::string Text = Name.getValueAsString().str();
  F.removeFnAttr(LikeOfFrontEnd);
  if (mayBeLike(Text, *F.getFunctionType())) {
    F.addFnAttr(declared::Like, Text);
    return true;
  }
  Origin From;
  From.Callee = F.getName().str();
  if (!Diags)
    F.addFnAttr(LikeOfFrontEnd, Text); // told when all is read again
  else
    Diags->report(Diag::RegistrationContent, From, nullptr,
                  {"'enzyme_function_like' of '" + sourceName(F) + "'",
                   noFunctionLike(Text, F),
                   "__attribute__((enzyme_function_like(\"sin\")))"});
  return true;
}

/// `annotate("enzyme_nofree")` of a function or parameter.
bool adoptNoFree(Function &F) {
  bool Changed = F.hasFnAttribute(declared::NoFree);
  if (Changed)
    F.addFnAttr(Attribute::NoFree);
  for (Argument &A : F.args()) {
    if (!A.getType()->isPointerTy() ||
        !F.getAttributes().hasParamAttr(A.getArgNo(), declared::NoFree))
      continue;
    A.addAttr(Attribute::NoFree);
    Changed = true;
  }
  return Changed;
}

} // namespace

bool adze::pinAnnotated(Module &M, bool Always) {
  if ((!Always && !hasMarkers(M)) || M.getNamedGlobal(PinTable))
    return false;
  bool Changed = Reader(M, nullptr).run();
  for (Function &F : M)
    Changed |= adoptLike(F, nullptr);
  Changed |= launches::keepStubs(M);
  SmallVector<Constant *, 8> Pairs;
  SmallVector<Function *, 8> Annotated, Intrinsics;
  for (Function &F : M)
    if (F.isIntrinsic())
      Intrinsics.push_back(&F);
    else if (isAnnotated(F))
      Annotated.push_back(&F);
  for (Function *F : Annotated)
    pinCalls(*F, Intrinsics, Pairs);
  for (GlobalVariable &G : M.globals())
    if (isDeclaredInactive(G) && !G.isDeclaration())
      Pairs.append({&G, &G});
  if (Pairs.empty())
    return Changed;
  PointerType *Ty = PointerType::getUnqual(M.getContext());
  for (Constant *&C : Pairs)
    C = ConstantExpr::getPointerBitCastOrAddrSpaceCast(C, Ty);
  auto *Table = ArrayType::get(Ty, Pairs.size());
  auto *G = new GlobalVariable(M, Table, /*isConstant=*/true,
                               GlobalValue::PrivateLinkage,
                               ConstantArray::get(Table, Pairs), PinTable);
  appendToCompilerUsed(M, {G});
  return true;
}

bool adze::unpinAnnotated(Module &M) {
  GlobalVariable *Table = M.getNamedGlobal(PinTable);
  if (!Table)
    return false;
  SmallVector<Constant *, 8> Pairs;
  for (Use &U : Table->getInitializer()->operands())
    Pairs.push_back(cast<Constant>(U->stripPointerCasts()));
  removeFromUsedLists(
      M, [&](Constant *C) { return C->stripPointerCasts() == Table; });
  Table->eraseFromParent();
  for (unsigned I = 0; I + 1 < Pairs.size(); I += 2) {
    Pairs[I]->removeDeadConstantUsers();
    if (Pairs[I] == Pairs[I + 1])
      continue;
    Pairs[I]->replaceAllUsesWith(Pairs[I + 1]);
    cast<Function>(Pairs[I])->eraseFromParent();
    forgetReturned(*cast<Function>(Pairs[I + 1]));
  }
  return true;
}

bool adze::adoptAnnotations(Module &M, Diagnostics &Diags) {
  bool Changed = unpinAnnotated(M);
  if (!hasMarkers(M))
    return Changed;
  Diags.attach(M.getContext());
  Changed |= Reader(M, &Diags).run();
  for (Function &F : M)
    Changed |= adoptLike(F, &Diags);
  Changed |= tellUserOperations(M);
  Changed |= mpi::giveDerivatives(M);
  Changed |= replaceInactiveCalls(M, Diags);
  for (Function &F : M)
    Changed |= adoptNoFree(F);
  for (Function &F : M)
    if (!F.isIntrinsic() && isAnnotated(F)) {
      forgetReturned(F);
      Changed = true;
    }
  return Changed;
}
