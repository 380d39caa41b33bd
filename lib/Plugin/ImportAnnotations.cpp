// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass runs first of all, when each source variable still has its alloca
// and each parameter is still stored to one: later neither would be left.
#include "Plugin/ImportAnnotations.h"

#include "Plugin/DeferToLink.h"
#include "adze/AnnotationText.h"
#include "adze/Marker.h"
#include "adze/TypeTree.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

/// The string that an annotation points to; none if it is no plain string.
StringRef textOf(const Value *V) {
  auto *G = dyn_cast<GlobalVariable>(V->stripPointerCasts());
  if (!G || !G->hasInitializer())
    return StringRef();
  auto *Data = dyn_cast<ConstantDataArray>(G->getInitializer());
  return Data && Data->isCString() ? Data->getAsCString() : StringRef();
}

bool isOfClangAdze(StringRef Text) {
  return Text.starts_with(adze::AnnotationOfType) ||
         Text.starts_with(adze::AnnotationOfFunction) ||
         Text.starts_with(adze::AnnotationTable);
}

/// Of the user, where they say nothing of anything but functions.
bool isOfFunctions(StringRef Text) {
  return Text == adze::AnnotationRecompute ||
         Text == adze::AnnotationAccumulate ||
         Text.starts_with(adze::AnnotationLike);
}

bool isOfUser(StringRef Text) {
  return Text == adze::AnnotationInactive || Text == adze::AnnotationNoFree ||
         isOfFunctions(Text);
}

class Importer {
public:
  explicit Importer(Module &M)
      : M(M), Context(M.getContext()), DL(M.getDataLayout()),
        Wanted(!adze::findMarkers(M).empty()),
        UsersWanted(Wanted || adze::goesIntoFullLink(M)) {}

  bool run();

private:
  void importGlobals();
  void importGlobal(Constant *Subject, StringRef Text);
  void importFunction(Function &F, StringRef Text);
  void importTable(GlobalVariable &Carrier, StringRef Text);
  void importRecord(StringRef Line);
  void importInstructions();
  void importVariable(Value *Subject, StringRef Text);
  void importMember(CallInst &Call, StringRef Text);
  void importAssumption(AssumeInst &Assume);
  void foldUsers(Value *From, Constant *To);
  void eraseLeftOvers();

  bool isTree(StringRef Text, adze::TypeTree &Tree) const {
    return adze::TypeTree::parse(Text, Context, Tree);
  }
  void setTree(Value *V, StringRef Text);
  void setParamTree(Argument &A, StringRef Text);
  void setOperandTree(CallBase &Call, unsigned I, StringRef Text);
  void tellArguments(AllocaInst &Variable, StringRef Text);
  /// Arguments that are stored into \p Variable, and at which offset.
  SmallVector<std::pair<Argument *, uint64_t>, 2>
  argumentsIn(AllocaInst &Variable) const;

  Module &M;
  LLVMContext &Context;
  const DataLayout &DL;
  const bool Wanted;      // else annotations of ClangAdze are only erased
  const bool UsersWanted; // those of the user: markers may come in a link
  bool Changed = false;
  DenseMap<uint64_t, std::string> Expressions;
  SmallSetVector<GlobalVariable *, 8> Unused; // strings of erased annotations
  SmallVector<GlobalVariable *, 1> Carriers;
};

/// Sets \p V's metadata unless something is already known.
void Importer::setTree(Value *V, StringRef Text) {
  MDNode *Node = MDNode::get(Context, MDString::get(Context, Text));
  if (auto *G = dyn_cast<GlobalVariable>(V)) {
    if (!G->hasMetadata("adze.type"))
      G->setMetadata("adze.type", Node);
  } else if (isa<AllocaInst, CallBase, GetElementPtrInst, LoadInst>(V)) {
    auto *I = cast<Instruction>(V);
    const MDNode *Known = I->getMetadata("adze.type");
    if (!Known) {
      I->setMetadata("adze.type", Node);
    } else if (cast<MDString>(Known->getOperand(0))->getString().empty()) {
      SmallVector<Metadata *, 4> Trees(Known->op_begin(), Known->op_end());
      Trees[0] = Node->getOperand(0);
      I->setMetadata("adze.type", MDNode::get(Context, Trees));
    }
  }
}

/// The string at \p I + 1 of \p Call's metadata; the first one is the result's.
void Importer::setOperandTree(CallBase &Call, unsigned I, StringRef Text) {
  SmallVector<Metadata *, 4> Trees;
  if (const MDNode *Known = Call.getMetadata("adze.type"))
    Trees.append(Known->op_begin(), Known->op_end());
  MDString *Nothing = MDString::get(Context, "");
  if (Trees.size() < I + 2)
    Trees.resize(I + 2, Nothing);
  if (Trees[I + 1] != Nothing)
    return;
  Trees[I + 1] = MDString::get(Context, Text);
  Call.setMetadata("adze.type", MDNode::get(Context, Trees));
}

void Importer::setParamTree(Argument &A, StringRef Text) {
  AttributeSet Known =
      A.getParent()->getAttributes().getParamAttrs(A.getArgNo());
  if (!Known.hasAttribute("adze_type"))
    A.addAttr(Attribute::get(Context, "adze_type", Text));
}

SmallVector<std::pair<Argument *, uint64_t>, 2>
Importer::argumentsIn(AllocaInst &Variable) const {
  SmallVector<std::pair<Argument *, uint64_t>, 2> Found;
  SmallVector<std::pair<Value *, uint64_t>, 4> Addresses{{&Variable, 0}};
  for (unsigned I = 0; I < Addresses.size(); ++I) {
    auto [Address, Offset] = Addresses[I];
    for (User *U : Address->users()) {
      if (auto *Store = dyn_cast<StoreInst>(U)) {
        if (Store->getPointerOperand() == Address)
          if (auto *A = dyn_cast<Argument>(Store->getValueOperand()))
            Found.emplace_back(A, Offset);
      } else if (auto *GEP = dyn_cast<GetElementPtrInst>(U)) {
        // The pieces of a structure that came in registers.
        APInt Delta(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
        if (GEP->accumulateConstantOffset(DL, Delta) && !Delta.isNegative())
          Addresses.emplace_back(GEP, Offset + Delta.getZExtValue());
      }
    }
  }
  return Found;
}

void Importer::tellArguments(AllocaInst &Variable, StringRef Text) {
  adze::TypeTree Tree;
  if (!isTree(Text, Tree))
    return;
  adze::TypeTree Content = Tree.pointeeAt(0);
  for (auto [A, Offset] : argumentsIn(Variable)) {
    TypeSize Size = DL.getTypeStoreSize(A->getType());
    if (Size.isScalable() || A->getType()->isFPOrFPVectorTy())
      continue;
    adze::TypeTree Piece = Content.slice(Offset, Size.getFixedValue());
    // That it is a pointer, IR says itself.
    bool Tells = !A->getType()->isPointerTy() ? !Piece.isUnknown()
                                              : !Piece.pointeeAt(0).isUnknown();
    if (Tells)
      setParamTree(*A, Piece.str());
  }
}

void Importer::importVariable(Value *Subject, StringRef Text) {
  auto *Variable = dyn_cast<AllocaInst>(Subject->stripPointerCasts());
  if (Text.consume_front(adze::AnnotationOfType)) {
    if (auto *A = dyn_cast<Argument>(Subject))
      setParamTree(*A, Text); // passed or returned in memory
    else
      setTree(Subject, Text);
    if (Variable)
      tellArguments(*Variable, Text);
    return;
  }
  if (isOfFunctions(Text))
    return;
  // The user's: on a parameter; a local variable has its activity from what is
  // stored in it.
  if (auto *A = dyn_cast<Argument>(Subject))
    A->addAttr(Attribute::get(Context, Text));
  else if (Variable)
    for (auto [A, Offset] : argumentsIn(*Variable))
      A->addAttr(Attribute::get(Context, Text));
}

/// Replaces \p From, by a constant, in address calculations that clang would
/// have folded had there been no annotation.
void Importer::foldUsers(Value *From, Constant *To) {
  SmallVector<std::pair<Value *, Constant *>, 4> Work{{From, To}};
  SmallVector<Instruction *, 4> Folded;
  for (unsigned I = 0; I < Work.size(); ++I) {
    auto [Old, New] = Work[I];
    SmallSetVector<Instruction *, 4> Users;
    for (User *U : Old->users())
      if (auto *GEP = dyn_cast<GetElementPtrInst>(U))
        Users.insert(GEP);
    Old->replaceAllUsesWith(New);
    for (Instruction *User : Users)
      if (Constant *C = ConstantFoldInstruction(User, DL)) {
        Work.emplace_back(User, C);
        Folded.push_back(User);
      }
  }
  for (Instruction *User : reverse(Folded))
    if (User->use_empty())
      User->eraseFromParent();
}

void Importer::importMember(CallInst &Call, StringRef Text) {
  Value *Address = Call.getArgOperand(0);
  // The user's annotations of the same member come first.
  Value *Computed = Address;
  while (auto *Other = dyn_cast<IntrinsicInst>(Computed)) {
    if (Other->getIntrinsicID() != Intrinsic::ptr_annotation)
      break;
    Computed = Other->getArgOperand(0);
  }
  if (Wanted && Text.consume_front(adze::AnnotationOfType) &&
      isa<GetElementPtrInst>(Computed))
    setTree(Computed, Text);
  if (auto *C = dyn_cast<Constant>(Address))
    foldUsers(&Call, C);
  else
    Call.replaceAllUsesWith(Address);
}

void Importer::importAssumption(AssumeInst &Assume) {
  OperandBundleUse Bundle = Assume.getOperandBundleAt(0);
  uint64_t Tag = cast<ConstantInt>(Bundle.Inputs[2])->getZExtValue();
  auto Found = Expressions.find(Tag & ~adze::ExpressionTagMask);
  if (!Wanted || Found == Expressions.end())
    return;
  Value *Expression = Bundle.Inputs[0];
  setTree(Expression, Found->second);
  // The optimizer replaces the loads of variables, but leaves calls.
  if (isa<LoadInst, CallBase, GetElementPtrInst>(Expression))
    for (Use &U : Expression->uses())
      if (auto *Call = dyn_cast<CallBase>(U.getUser());
          Call && Call->isArgOperand(&U) &&
          (isa<MemIntrinsic>(Call) || !isa<IntrinsicInst>(Call)))
        setOperandTree(*Call, Call->getArgOperandNo(&U), Found->second);
}

/// An assumption that only carries an expression's number.
bool carriesNumber(const AssumeInst &Assume) {
  if (Assume.getNumOperandBundles() != 1)
    return false;
  OperandBundleUse Bundle = Assume.getOperandBundleAt(0);
  if (Bundle.getTagName() != "align" || Bundle.Inputs.size() != 3)
    return false;
  auto *Align = dyn_cast<ConstantInt>(Bundle.Inputs[1]);
  auto *Tag = dyn_cast<ConstantInt>(Bundle.Inputs[2]);
  return Align && Align->isOne() && Tag && Tag->getBitWidth() == 64 &&
         (Tag->getZExtValue() & adze::ExpressionTagMask) == adze::ExpressionTag;
}

void Importer::importInstructions() {
  // All are found first: importing one erases address calculations around it.
  SmallVector<IntrinsicInst *, 32> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<IntrinsicInst>(&I))
        Calls.push_back(Call);
  for (IntrinsicInst *Call : Calls) {
    if (auto *Assume = dyn_cast<AssumeInst>(Call)) {
      if (!carriesNumber(*Assume))
        continue;
      importAssumption(*Assume);
    } else {
      bool Variable = Call->getIntrinsicID() == Intrinsic::var_annotation;
      if (!Variable && Call->getIntrinsicID() != Intrinsic::ptr_annotation)
        continue;
      StringRef Text = textOf(Call->getArgOperand(1));
      if (!isOfClangAdze(Text) &&
          !(Variable && UsersWanted && Text == adze::AnnotationInactive))
        continue;
      for (unsigned Operand : {1, 2, 4})
        if (auto *G = dyn_cast<GlobalVariable>(Call->getArgOperand(Operand)))
          Unused.insert(G);
      if (!Variable)
        importMember(*Call, Text);
      else if (Wanted || isOfUser(Text))
        importVariable(Call->getArgOperand(0), Text);
    }
    Call->eraseFromParent();
    Changed = true;
  }
}

/// The trees of a function's result and leading parameters, as far as they
/// have the form that the text expects.
void Importer::importFunction(Function &F, StringRef Text) {
  SmallVector<StringRef, 8> Trees;
  Text.split(Trees, ';');
  adze::TypeTree Tree;
  if (!Trees[0].empty() && isTree(Trees[0], Tree) &&
      !F.getReturnType()->isVoidTy())
    F.addRetAttr(Attribute::get(Context, "adze_type", Trees[0]));
  unsigned Next = 1;
  for (Argument &A : F.args()) {
    if (A.hasStructRetAttr())
      continue;
    if (Next == Trees.size())
      break;
    StringRef Given = Trees[Next++];
    if (A.getType()->isPointerTy() && !Given.empty() && isTree(Given, Tree))
      setParamTree(A, Given);
  }
}

void Importer::importRecord(StringRef Line) {
  uint64_t Size = 0;
  if (Line.consumeInteger(10, Size) || !Line.consume_front(" "))
    return;
  auto [Name, Text] = Line.split('\t');
  StructType *Ty = StructType::getTypeByName(Context, Name);
  adze::TypeTree Tree;
  if (!Ty || Ty->isOpaque() || DL.getTypeAllocSize(Ty).isScalable() ||
      DL.getTypeAllocSize(Ty) != Size || !isTree(Text, Tree))
    return;
  auto *Bytes = ConstantInt::get(Type::getInt64Ty(Context), Size);
  M.getOrInsertNamedMetadata("adze.struct_types")
      ->addOperand(MDNode::get(Context, {MDString::get(Context, Name),
                                         ConstantAsMetadata::get(Bytes),
                                         MDString::get(Context, Text)}));
}

void Importer::importTable(GlobalVariable &Carrier, StringRef Text) {
  Carriers.push_back(&Carrier);
  while (Wanted && !Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    uint64_t Number = 0;
    if (Line.consume_front("record "))
      importRecord(Line);
    else if (Line.consume_front("expr ") && !Line.consumeInteger(10, Number))
      Expressions[Number] = Line.ltrim().str();
  }
}

void Importer::importGlobal(Constant *Subject, StringRef Text) {
  auto *Object = dyn_cast<GlobalObject>(Subject->stripPointerCasts());
  if (!Object)
    return;
  if (Text.consume_front(adze::AnnotationTable)) {
    if (auto *Carrier = dyn_cast<GlobalVariable>(Object))
      importTable(*Carrier, Text);
    return;
  }
  if (!Wanted && !isOfUser(Text))
    return;
  auto *F = dyn_cast<Function>(Object);
  if (Text.consume_front(adze::AnnotationOfType)) {
    if (!F)
      setTree(Object, Text);
  } else if (Text.consume_front(adze::AnnotationOfFunction)) {
    if (F)
      importFunction(*F, Text);
  } else if (F && Text.consume_front(adze::AnnotationLike)) {
    // What it says is checked with the registrations.
    F->addFnAttr(adze::AnnotationLike.drop_back(), Text);
  } else if (F && Text == adze::AnnotationNoFree) {
    F->addFnAttr(Attribute::NoFree); // as its registration says
  } else if (F) {
    F->addFnAttr(Text);
  } else if (Text == adze::AnnotationInactive) {
    Object->setMetadata("adze.inactive", MDNode::get(Context, {}));
  }
}

void Importer::importGlobals() {
  GlobalVariable *All = M.getGlobalVariable("llvm.global.annotations");
  auto *List = All && All->hasInitializer()
                   ? dyn_cast<ConstantArray>(All->getInitializer())
                   : nullptr;
  if (!List)
    return;
  SmallVector<Constant *, 16> Kept;
  for (Value *Operand : List->operands()) {
    auto *Entry = dyn_cast<ConstantStruct>(Operand);
    StringRef Text = Entry ? textOf(Entry->getOperand(1)) : StringRef();
    if (!isOfClangAdze(Text) && !(UsersWanted && isOfUser(Text))) {
      Kept.push_back(cast<Constant>(Operand));
      continue;
    }
    importGlobal(Entry->getOperand(0), Text);
    for (Value *Part : drop_begin(Entry->operands()))
      if (auto *G = dyn_cast<GlobalVariable>(Part))
        Unused.insert(G);
  }
  if (Kept.size() == List->getNumOperands())
    return;
  Changed = true;
  if (!Kept.empty()) {
    auto *Ty = ArrayType::get(List->getType()->getElementType(), Kept.size());
    auto *Less = new GlobalVariable(M, Ty, All->isConstant(), All->getLinkage(),
                                    ConstantArray::get(Ty, Kept), "", All);
    Less->setSection(All->getSection());
    Less->takeName(All);
  }
  All->eraseFromParent();
  // The list's constant still uses what it names, and keeps it alive.
  List->destroyConstant();
}

void Importer::eraseLeftOvers() {
  if (!Carriers.empty()) {
    removeFromUsedLists(M, [&](Constant *C) {
      return is_contained(Carriers, C->stripPointerCasts());
    });
    for (GlobalVariable *Carrier : Carriers) {
      Carrier->removeDeadConstantUsers();
      if (Carrier->use_empty())
        Carrier->eraseFromParent();
    }
  }
  for (GlobalVariable *Text : Unused) {
    Text->removeDeadConstantUsers();
    if (Text->use_empty() && Text->hasPrivateLinkage())
      Text->eraseFromParent();
  }
  for (Function &F : make_early_inc_range(M))
    if (F.use_empty() && F.isDeclaration() &&
        (F.getIntrinsicID() == Intrinsic::var_annotation ||
         F.getIntrinsicID() == Intrinsic::ptr_annotation ||
         F.getIntrinsicID() == Intrinsic::assume))
      F.eraseFromParent();
}

bool Importer::run() {
  importGlobals(); // first: it has the table of expressions
  importInstructions();
  if (Changed)
    eraseLeftOvers();
  return Changed;
}

} // namespace

bool adze::importAnnotations(Module &M) {
  // Annotations are rare: most modules need no search for markers.
  auto Has = [&](StringRef Name) {
    return any_of(M, [&](const Function &F) {
      return F.isIntrinsic() && F.getName().starts_with(Name);
    });
  };
  if (!M.getGlobalVariable("llvm.global.annotations") &&
      !Has("llvm.var.annotation") && !Has("llvm.ptr.annotation"))
    return false;
  return Importer(M).run();
}
