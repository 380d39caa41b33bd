// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a marker call to a request:
//   take the call apart -> find the function -> match operands to parameters
//   -> roles from tags and types -> build the operands -> lay out the result
#include "adze/DeviceTarget.h"
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
#include "Frontend/TakeApart.h"
#include "Frontend/WorkOfLaunch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

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
    if (!takeApart(C, Diags, from()))
      return std::nullopt;
    C.ForTangents = servesTangents(C);
    if (!match() || !decide())
      return std::nullopt;
    if (C.half() == SplitHalf::Size || C.half() == SplitHalf::Table)
      return buildWithoutOperands();
    build();
    if (M.Req.InTeam == TeamRole::Within &&
        M.Req.Kind == DerivativeKind::Fused &&
        isWorkOfLaunch(*C.Call, SmallVector<Value *, 8>(M.Operands.begin(),
                                                        M.Operands.end())))
      M.Req.InTeam = TeamRole::Region;
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
    if (!takeApart(C, Diags, from()))
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
    // (A record is made beside the derivative, see Recording.h.)
    const bool Split = C.half() != SplitHalf::None && !C.isForward();
    R.Kind = C.isForward() ? DerivativeKind::Forward
             : Split       ? DerivativeKind::Split
                           : DerivativeKind::Fused;
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
    R.ReturnPrimal =
        (returnsPrimal() || Split || isRecording()) && Returned && !SRetParam;
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

  /// The first half of forward mode.
  bool isRecording() const {
    return C.ForTangents && C.half() == SplitHalf::Augment;
  }
  /// All that it returns comes in one call.
  bool isWhole() const {
    return C.half() == SplitHalf::None || C.half() == SplitHalf::Forward;
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
    unsigned Element = isWhole() && M.Req.ReturnPrimal;
    if (C.isForward() && isWhole() && Ret != RetActivity::Const && !SRetParam)
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
    if (M.Req.ReturnPrimal && isWhole())
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
    if (retHasShadow(M.Req.Ret) && !isRecording())
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
    if (!hasShadowParam(Role.Activity) || isRecording())
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
