// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a marker call to a request:
//   take the call apart -> find the function -> match operands to parameters
//   -> roles from tags and types -> build the operands -> lay out the result
#include "adze/AggregateParts.h"
#include "adze/DeviceTarget.h"
#include "adze/GivenDerivatives.h"
#include "adze/KnownFunction.h"
#include "adze/Marker.h"
#include "adze/Options.h"

#include "Frontend/Activities.h"
#include "Frontend/InactiveCalls.h"
#include "Frontend/Materialize.h"
#include "Frontend/Resolve.h"
#include "Frontend/ResultType.h"
#include "Frontend/SeedOperands.h"
#include "Frontend/SplitOperands.h"
#include "Frontend/SplitParameters.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace adze;

std::shared_ptr<const Origin> adze::originOf(const CallBase &Call,
                                             const Function &Callee) {
  auto From = std::make_shared<Origin>();
  From->Place = sourcePlace(&Call);
  From->Callee = markerName(Callee).str();
  From->Caller = Call.getFunction()->getName().str();
  From->In = Call.getFunction();
  From->Location = Call.getDebugLoc().get();
  return From;
}

/// \p V as the same bytes of type \p Ty.
static Value *sameBytes(IRBuilder<> &B, Value *V, Type *Ty) {
  if (V->getType() == Ty)
    return V;
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  Type *Larger = DL.getTypeAllocSize(Ty) > DL.getTypeAllocSize(V->getType())
                     ? Ty
                     : V->getType();
  AllocaInst *Memory = B.CreateAlloca(Larger);
  Memory->setAlignment(Align(16));
  Value *Place = B.CreateAddrSpaceCast(Memory, B.getPtrTy());
  B.CreateAlignedStore(V, Place, Align(16));
  return B.CreateAlignedLoad(Ty, Place, Align(16));
}

/// A function of ours for \p F, with the same arguments: without attributes of
/// the function, and of types that have changed.
static Function *declareCaller(Function &F, Type *Result, bool MemoryAsValue,
                               StringRef Name) {
  LLVMContext &Context = F.getContext();
  const AttributeList Given = F.getAttributes();
  AttributeList Attributes;
  if (Result == F.getReturnType())
    Attributes = Attributes.addRetAttributes(
        Context, AttrBuilder(Context, Given.getRetAttrs()));
  SmallVector<Type *, 8> Params;
  for (const Argument &A : F.args()) {
    if (A.hasStructRetAttr() && MemoryAsValue)
      continue;
    AttrBuilder Kept(Context, Given.getParamAttrs(A.getArgNo()));
    Type *Ty = shownParameter(F, A.getArgNo());
    if (Ty != A.getType())
      Kept.remove(AttributeFuncs::typeIncompatible(Ty));
    Attributes = Attributes.addParamAttributes(Context, Params.size(), Kept);
    Params.push_back(Ty);
  }
  Function *Caller =
      createOwn(FunctionType::get(Result, Params, false),
                GlobalValue::InternalLinkage, Name, *F.getParent());
  Caller->setCallingConv(F.getCallingConv());
  Caller->setAttributes(Attributes);
  markOwn(*Caller);
  copySplitNote(F, *Caller);
  return Caller;
}

/// A function of ours that calls \p F. It returns what \p F stores to memory
/// behind sret as a value, for in split mode the two halves have no memory for
/// a result in common, and shows the floats in integer registers.
///
/// A function without a body may be a known one (sin): the derivative of a
/// function that calls it is the same, and what is not known is reported as
/// any other call of it would be.
static Function *callerOf(Function &F, bool MemoryAsValue) {
  Module &M = *F.getParent();
  const StringRef Prefix = MemoryAsValue    ? ValuePrefix
                           : hidesFloats(F) ? ShownPrefix
                                            : HelperPrefix;
  std::string Name = (Prefix + F.getName()).str();
  if (Function *Made = M.getFunction(Name))
    return Made;
  Type *Returned = MemoryAsValue ? sourceResult(F) : shownResult(F);
  Function *Caller = declareCaller(F, Returned, MemoryAsValue, Name);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "", Caller));
  SmallVector<Value *, 8> Args;
  Value *Memory = nullptr;
  unsigned Next = 0;
  for (const Argument &A : F.args())
    if (A.hasStructRetAttr() && MemoryAsValue) {
      Memory = B.CreateAddrSpaceCast(B.CreateAlloca(Returned), A.getType());
      Args.push_back(Memory);
    } else {
      Args.push_back(sameBytes(B, Caller->getArg(Next++), A.getType()));
    }
  CallInst *Call = B.CreateCall(&F, Args);
  Call->setCallingConv(F.getCallingConv());
  Call->setAttributes(F.getAttributes().removeFnAttributes(M.getContext()));
  if (Returned->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Memory ? B.CreateLoad(Returned, Memory)
                       : sameBytes(B, Call, Returned));
  return Caller;
}

namespace {

class Parser {
public:
  Parser(CallBase &Call, Diagnostics &Diags) : Diags(Diags) {
    C.Call = &Call;
    Function *Callee = functionBehind(Call.getCalledOperand());
    C.Kind = markerKind(*Callee);
    C.Name = markerName(*Callee);
    M.Call = &Call;
    M.From = originOf(Call, *Callee);
  }

  std::optional<Marker> run() {
    if (!takeApart() || !match() || !decide())
      return std::nullopt;
    if (C.half() == SplitHalf::Size || C.half() == SplitHalf::Table)
      return buildWithoutOperands();
    build();
    addSplitOperands(C, M);
    bool Fits = C.half() == SplitHalf::Augment
                    ? layOutAugmented(C, *M.From, Diags, M)
                    : layOutResult(C, *M.From, Diags, M);
    if (!Fits)
      return std::nullopt;
    return std::move(M);
  }

  /// A call of the function itself: no shadows, no tags, one result.
  std::optional<Marker> runInactive() {
    if (!takeApart())
      return std::nullopt;
    SmallVector<Value *, 4> Variadic = takeVariadic();
    if (!match())
      return std::nullopt;
    Returned = returnedType(C, Groups, SRetParam);
    M.Req.Primal = C.Primal;
    M.Req.Kind = DerivativeKind::Forward;
    Materializer Build(C);
    for (const Group &G : Groups)
      for (unsigned N = 0; N != G.NumParams; ++N) {
        bool IsResult = G.ImplicitSRet;
        M.Operands.push_back(IsResult
                                 ? Build.memory(Returned)
                                 : Build.value(G, G.Value, G.FirstParam + N));
        if (IsResult)
          M.Results.push_back({M.Operands.back(), 0, Returned, 0});
      }
    append_range(M.Operands, Variadic);
    if (Returned && !SRetParam)
      M.Results.push_back({nullptr, 0, Returned, 0});
    if (!layOutResult(C, *M.From, Diags, M))
      return std::nullopt;
    return std::move(M);
  }

private:
  /// What goes into the `...` of the function goes on as it is.
  SmallVector<Value *, 4> takeVariadic() {
    SmallVector<Value *, 4> Taken;
    unsigned Fixed = C.Primal->arg_size() - C.Primal->hasStructRetAttr();
    if (!C.Primal->isVarArg() || C.Operands.size() <= Fixed)
      return Taken;
    for (const Operand &O : drop_begin(C.Operands, Fixed))
      Taken.push_back(O.V);
    C.Operands.truncate(Fixed);
    return Taken;
  }

  const Origin &from() const { return *M.From; }

  bool takeApart() {
    CallBase &Call = *C.Call;
    unsigned At = 0;
    if (Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet)) {
      C.SRet = Call.getArgOperand(0);
      C.SRetType = Call.getParamStructRetType(0);
      At = 1;
    }
    if (At == Call.arg_size()) {
      Diags.report(Diag::NoFunction, from(), &Call,
                   {C.Name.str(), "there is none"});
      return false;
    }
    if (!findFunction(Call.getArgOperand(At)))
      return false;
    for (++At; At != Call.arg_size(); ++At)
      if (!addOperand(At))
        return false;
    return true;
  }

  bool findFunction(Value *First) {
    Function *F = functionBehind(First);
    const Value *Found = lookThrough(First);
    if (!F && isa<Constant>(Found)) {
      std::string What =
          isa<ConstantPointerNull>(Found) ? "it is null"
          : isa<GlobalVariable>(Found)
              ? "it is the variable " + describe(Found)
              : "it is " + typeInWords(Found->getType(),
                                       C.Call->getModule()->getDataLayout());
      Diags.report(Diag::NoFunction, from(), C.Call, {C.Name.str(), What});
      return false;
    }
    if (!F && !Found->getType()->isPointerTy()) {
      Diags.report(
          Diag::NoFunction, from(), C.Call,
          {C.Name.str(),
           "it is " + typeInWords(Found->getType(),
                                  C.Call->getModule()->getDataLayout())});
      return false;
    }
    if (!F) {
      Diags.report(Diag::UnknownFunction, from(), C.Call, {describe(Found)});
      return false;
    }
    if (C.isInactive()) {
      C.Primal = F;
      return true;
    }
    if (F->isVarArg()) {
      Diags.report(Diag::VariadicFunction, from(), C.Call, {sourceName(*F)});
      return false;
    }
    if (!F->hasName())
      F->setName("adze.unnamed");
    // What the program declares of a function holds for calls of it.
    bool Declared = isDeclaredInactive(*F) ||
                    F->hasFnAttribute(declared::Like) || given::hasAny(*F);
    const bool AsValue = F->hasStructRetAttr() && C.half() != SplitHalf::None;
    if (AsValue && !checkReturned(*F))
      return false;
    const bool NeedsCaller =
        F->isDeclaration() || Declared || AsValue || hidesFloats(*F);
    C.Primal = NeedsCaller ? callerOf(*F, AsValue) : F;
    return true;
  }

  /// A value of too many members would keep LLVM busy.
  bool checkReturned(const Function &F) {
    const unsigned Limit = 256;
    if (countParts(sourceResult(F), Limit) <= Limit)
      return true;
    Diags.report(Diag::SplitUse, from(), C.Call,
                 {C.Name.str(),
                  "'" + sourceName(F) + "' returns a structure of more than " +
                      std::to_string(Limit) + " members",
                  "differentiate a function that stores it through a pointer "
                  "argument"});
    return false;
  }

  bool addOperand(unsigned &At) {
    CallBase &Call = *C.Call;
    Operand O;
    O.V = Call.getArgOperand(At);
    O.T = C.isInactive() ? Tag::None : tagOf(O.V, O.TagName);
    switch (O.T) {
    case Tag::Unsupported:
      Diags.report(Diag::UnsupportedTag, from(), &Call, {O.TagName.str()});
      return false;
    case Tag::Allocated:
    case Tag::Tape:
    case Tag::NoFree:
      return addSplitTag(C, O.T, O.TagName, At, Diags, from());
    case Tag::Width:
      return addWidth(O.TagName, At);
    case Tag::DupV:
    case Tag::DupNoNeedV:
      if (!addStride(O, At))
        return false;
      break;
    case Tag::NoReturn:
      C.NoReturn = true;
      return true;
    case Tag::PrimalReturn:
      C.PrimalReturn = true;
      return true;
    case Tag::ActiveReturn:
    case Tag::DupReturn:
    case Tag::DupNoNeedReturn:
      return addReturnTag(O);
    case Tag::Seed:
      return addSeedTag();
    case Tag::RuntimeActivity:
      C.RuntimeActivity = true;
      return true;
    case Tag::StrongZero:
      C.StrongZero = true;
      return true;
    case Tag::SharedShadows:
      C.SharedShadows = true;
      return true;
    default:
      break;
    }
    if (O.T == Tag::None) {
      O.ByVal = Call.getParamByValType(At);
      O.NoUndef = Call.paramHasAttr(At, Attribute::NoUndef);
    }
    C.Operands.push_back(O);
    return true;
  }

  /// The number that follows the tag at \p At; null, after a report, if none
  /// does.
  Value *numberAfter(StringRef Name, unsigned &At, StringRef What) {
    const CallBase &Call = *C.Call;
    Value *V = ++At < Call.arg_size() ? Call.getArgOperand(At) : nullptr;
    if (V && V->getType()->isIntegerTy())
      return V;
    Diags.report(Diag::TagWithoutValue, from(), C.Call,
                 {Name.str(), What.str(), " after it"});
    return nullptr;
  }

  bool addWidth(StringRef Name, unsigned &At) {
    Value *V = numberAfter(Name, At, "a number of directions");
    if (!V)
      return false;
    auto *Number = dyn_cast<ConstantInt>(lookThrough(V));
    auto wrong = [&](const Twine &Why) {
      Diags.report(Diag::Width, from(), C.Call,
                   {Why.str(), std::to_string(MaxWidth)});
      return false;
    };
    if (!Number)
      return wrong("it is not known at compile time: " + describe(V));
    if (Number->isNegative() || Number->isZero() ||
        Number->getValue().ugt(MaxWidth))
      return wrong("it is " + toString(Number->getValue(), 10, true));
    unsigned Width = Number->getZExtValue();
    if (C.Width != 1 && C.Width != Width)
      return wrong("it is said twice, as " + Twine(C.Width) + " and " +
                   Twine(Width));
    C.Width = Width;
    return true;
  }

  /// From here on the tag is one that shadows follow.
  bool addStride(Operand &O, unsigned &At) {
    O.T = O.T == Tag::DupV ? Tag::Dup : Tag::DupNoNeed;
    O.Stride = numberAfter(O.TagName, At, "the bytes between two shadows");
    return O.Stride;
  }

  bool addReturnTag(const Operand &O) {
    if (C.Return != Tag::None && C.Return != O.T) {
      Diags.report(Diag::SplitUse, from(), C.Call,
                   {O.TagName.str(),
                    "'" + C.ReturnTagName.str() + "' is said as well",
                    "say one of them"});
      return false;
    }
    C.Return = O.T;
    C.ReturnTagName = O.TagName;
    return true;
  }

  bool addSeedTag() {
    const bool GoesBack =
        C.Kind == MarkerKind::Reverse || C.Kind == MarkerKind::ReverseHalf;
    if (GoesBack && !C.SeedFrom) {
      C.SeedFrom = C.Operands.size();
      return true;
    }
    Diags.report(Diag::SplitUse, from(), C.Call,
                 {"adze_seed",
                  GoesBack ? "it stands there twice"
                           : "'" + C.Name.str() + "' has no reverse pass",
                  "leave it out"});
    return false;
  }

  std::optional<Match> matchOperands() {
    if (C.half() != SplitHalf::None)
      return matchSplitArguments(C, Groups, Diags, from());
    if (C.Kind == MarkerKind::Reverse)
      return matchBackward(C, /*TakesTape=*/false, Groups, Diags, from());
    return matchArguments(C, Groups);
  }

  bool match() {
    std::optional<Match> Found = matchOperands();
    if (!Found)
      return false;
    switch (*Found) {
    case Match::Unique:
      return true;
    case Match::None:
      reportMismatch(C, Diags, from());
      return false;
    case Match::Ambiguous:
      Diags.report(Diag::AmbiguousArguments, from(), C.Call,
                   {sourceName(*C.Primal)});
      return false;
    }
    return false;
  }

  bool decide() {
    bool Fine = true;
    for (const Group &G : Groups)
      Fine &= assignRoles(C, G, Diags, from(), Roles);
    Returned = returnedType(C, Groups, SRetParam);
    Fine &= assignReturn(C, Returned, Diags, from(), Ret);
    if (!Fine || !checkMemoryTypes())
      return false;
    Request &R = M.Req;
    R.Primal = C.Primal;
    R.Kind = {C.isForward() ? DerivativeMode::Forward : DerivativeMode::Reverse,
              C.half() == SplitHalf::None ? DerivativeShape::Fused
                                          : DerivativeShape::Split};
    for (const ParamRole &Role : Roles)
      R.Args.push_back(Role.Activity);
    // What comes back through memory is no return value.
    R.Ret = SRetParam ? RetActivity::Const : Ret;
    R.Width = C.Width;
    if (R.Width != 1 && isDevice(*C.Primal->getParent())) {
      Diags.report(Diag::SeveralDirections, from(), C.Call,
                   {"code of a device"});
      return false;
    }
    bool Split = R.Kind.isSplit();
    R.ReturnPrimal = (returnsPrimal() || Split) && Returned && !SRetParam;
    // Between the halves of split mode the program may do what it likes.
    R.MayBeOverwritten.Arguments.assign(R.Args.size(), Split);
    R.MayBeOverwritten.Elsewhere = Split;
    R.RuntimeActivity = C.RuntimeActivity || Options::get().RuntimeActivity;
    R.StrongZero = C.StrongZero;
    // Other threads run the derivative on the same shadows.
    if ((C.SharedShadows && !C.isForward()) || isDevice(*C.Primal->getParent()))
      R.InTeam = TeamRole::Within;
    return true;
  }

  /// Asked for, or there for who declares the marker so.
  bool returnsPrimal() const {
    return C.PrimalReturn || C.Return == Tag::DupReturn;
  }
  MarkerResult primalResult(Value *Memory) const {
    return {Memory, 0, Returned, 0, /*Optional=*/!C.PrimalReturn};
  }

  /// Memory whose floats are written one by one must not hold too many.
  bool checkMemoryTypes() {
    for (unsigned P = 0; P != Roles.size(); ++P) {
      if (!Roles[P].OutInMemory && !Roles[P].Result)
        continue;
      SmallVector<AbiScalar, 8> Scalars;
      Type *Ty = memoryType(*C.Primal, P);
      if (collectAbiScalars(Ty, C.layout(), Scalars) ||
          !scalarClasses(Ty).mixed())
        continue;
      Diags.report(Diag::UnsupportedArgument, from(), C.Call,
                   {argumentInWords(C, P), sourceName(*C.Primal),
                    "it is a structure of more than a thousand members, "
                    "pointers and floats"});
      return false;
    }
    return true;
  }

  void build() {
    Materializer Build(C);
    std::vector<MarkerResult> Outs;
    unsigned Element = C.half() == SplitHalf::None && M.Req.ReturnPrimal;
    if (C.isForward() && Ret != RetActivity::Const && !SRetParam)
      addDuals(Outs, {nullptr, Element, Returned, 0});
    for (const Group &G : Groups)
      for (unsigned N = 0; N != G.NumParams; ++N) {
        unsigned P = G.FirstParam + N;
        if (Roles[P].Result)
          buildResultMemory(Build, P, Outs);
        else
          buildArgument(Build, G, P, Outs, Element);
      }
    if (C.half() == SplitHalf::Augment)
      return addAugmentedResults();
    if (M.Req.ReturnPrimal && C.half() == SplitHalf::None)
      M.Results.push_back(primalResult(nullptr));
    append_range(M.Results, Outs);
    if (!C.Seed.empty() && retTakesAdjoint(M.Req.Ret))
      M.Seed = Build.seeds(Returned);
  }

  /// Adds \p R, an element of the derivative's result, for each direction.
  void addDuals(std::vector<MarkerResult> &To, MarkerResult R) {
    for (unsigned K = 0; K != C.Width; ++K) {
      if (C.Width != 1)
        R.Direction = K;
      To.push_back(R);
    }
  }

  void addAugmentedResults() {
    Type *Pointer = PointerType::getUnqual(C.Call->getContext());
    M.Results.push_back({nullptr, 0, Pointer, 0});
    if (M.Req.ReturnPrimal && C.Return != Tag::DupNoNeedReturn)
      M.Results.push_back({nullptr, 1, Returned, 0});
    if (retHasShadow(M.Req.Ret))
      addDuals(M.Results, {nullptr, 2, Returned, 0});
  }

  /// The size and the table need the request only.
  std::optional<Marker> buildWithoutOperands() {
    addSplitOperands(C, M);
    const Type *Ty = C.Call->getType();
    const bool IsTable = C.half() == SplitHalf::Table;
    if ((IsTable ? Ty->isPointerTy() : Ty->isIntegerTy()) ||
        (!C.SRet && C.Call->use_empty()))
      return std::move(M);
    Diags.report(
        Diag::MarkerResult, from(), C.Call,
        {IsTable ? "a pointer" : "a number of bytes", C.Name.str(),
         typeInWords(C.SRet ? C.SRetType : C.Call->getType(), C.layout())});
    return std::nullopt;
  }

  void buildResultMemory(Materializer &Build, unsigned P,
                         std::vector<MarkerResult> &Outs) {
    Value *Primal = Build.memory(Returned);
    M.Operands.push_back(Primal);
    if (returnsPrimal())
      M.Results.push_back(primalResult(Primal));
    if (!hasShadowParam(Roles[P].Activity))
      return;
    SmallVector<Value *, 1> Shadows;
    for (unsigned K = 0; K != C.Width; ++K) {
      Shadows.push_back(Build.zeroedMemory(Returned));
      if (Ret == RetActivity::Const)
        continue;
      if (C.isForward())
        Outs.push_back({Shadows.back(), 0, Returned, 0});
      else if (C.Seed.empty())
        Build.seedFloats(Shadows.back(), Returned);
      else
        Build.storeSeed(Shadows.back(), Returned, K);
    }
    M.Operands.push_back(Build.together(Shadows));
  }

  bool mayBeUnwanted(const Group &G, unsigned P) const {
    return (!G.Shadows.empty() && G.T != Tag::None) ||
           (G.T == Tag::None && hidesFloats(*C.Primal, P));
  }

  void buildArgument(Materializer &Build, const Group &G, unsigned P,
                     std::vector<MarkerResult> &Outs, unsigned &Element) {
    const ParamRole &Role = Roles[P];
    Type *Ty = C.Primal->getArg(P)->getType();
    M.Operands.push_back(Build.value(G, G.Value, P));
    if (returnsAdjoint(Role.Activity))
      addDuals(Outs, {nullptr, Element++, Ty, 0, mayBeUnwanted(G, P)});
    if (!hasShadowParam(Role.Activity))
      return;
    Type *Memory = memoryType(*C.Primal, P);
    SmallVector<Value *, 1> Shadows;
    for (unsigned K = 0; K != C.Width; ++K) {
      Value *Shadow;
      if (G.Shadows.empty()) {
        Shadow = Build.zeroedMemory(Memory);
      } else {
        Shadow = Build.shadow(G, P, K, /*Shared=*/G.hasShadowByAddress(C));
        if (Role.OutInMemory)
          Build.zeroFloats(Shadow, Memory);
      }
      Shadows.push_back(Shadow);
      if (Role.OutInMemory)
        Outs.push_back(
            {Shadow, 0, Memory, 0, G.T != Tag::None && !G.Shadows.empty()});
    }
    M.Operands.push_back(Build.together(Shadows));
  }

  Diagnostics &Diags;
  MarkerCall C;
  Marker M;
  std::vector<Group> Groups;
  std::vector<ParamRole> Roles;
  Type *Returned = nullptr;
  std::optional<unsigned> SRetParam;
  RetActivity Ret = RetActivity::Const;
};

} // namespace

std::optional<Marker> adze::parseMarker(CallBase &Call, Diagnostics &Diags) {
  return Parser(Call, Diags).run();
}

std::optional<Marker> adze::parseInactiveCall(CallBase &Call,
                                              Diagnostics &Diags) {
  return Parser(Call, Diags).runInactive();
}
