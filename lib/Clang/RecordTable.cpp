// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Clang/RecordTable.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/Support/raw_ostream.h"

using namespace adze;
using clang::RecordDecl;

// A program has few records that its functions look into; this only keeps
// generated code from filling the module with text.
static constexpr size_t MaxText = 1 << 20;

/// The identifier that names \p R, its own or of the typedef around it.
static const clang::IdentifierInfo *identifierOf(const RecordDecl &R) {
  if (const clang::IdentifierInfo *Own = R.getIdentifier())
    return Own;
  const clang::TypedefNameDecl *Named = R.getTypedefNameForAnonDecl();
  return Named ? Named->getIdentifier() : nullptr;
}

/// As clang names the structure (CodeGenTypes::addRecordTypeName); empty for
/// a record without name.
static std::string structureName(const RecordDecl &R) {
  clang::PrintingPolicy Policy = R.getASTContext().getPrintingPolicy();
  Policy.SuppressInlineNamespace = false;
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  OS << R.getKindName() << '.';
  if (R.getIdentifier())
    R.printQualifiedName(OS, Policy);
  else if (const auto *Named = R.getTypedefNameForAnonDecl())
    Named->printQualifiedName(OS, Policy);
  else
    return std::string();
  return OS.str();
}

void RecordTable::add(const RecordDecl &R) {
  const clang::IdentifierInfo *Name = identifierOf(R);
  if (Name && !R.isDependentContext())
    ByIdentifier[Name].push_back(R.getDefinition());
}

bool RecordTable::isAlone(const RecordDecl &R, const std::string &Name) const {
  auto Found = ByIdentifier.find(identifierOf(R));
  if (Found == ByIdentifier.end())
    return true;
  return llvm::none_of(Found->second, [&](const RecordDecl *Other) {
    return Other && Other->getCanonicalDecl() != R.getCanonicalDecl() &&
           structureName(*Other) == Name;
  });
}

std::string RecordTable::text(clang::ASTContext &Ctx,
                              SourceTypes &Types) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  // Looking into records can find more of them, further down: one round says
  // all that functions can name.
  llvm::SmallVector<const RecordDecl *, 32> Records(Types.records().begin(),
                                                    Types.records().end());
  for (const RecordDecl *R : Records) {
    // Other instances of a template are completed unseen.
    if (R->isUnion() || !identifierOf(*R) ||
        llvm::isa<clang::ClassTemplateSpecializationDecl>(R))
      continue;
    std::string Name = structureName(*R);
    clang::QualType T = Ctx.getRecordType(R);
    std::string Tree = Types.valueText(T);
    if (Name.empty() || Tree.empty() || !isAlone(*R, Name))
      continue;
    std::string Line = "record " + std::to_string(Types.sizeOf(T)) + " " +
                       Name + "\t" + Tree + "\n";
    if (Text.size() + Line.size() > MaxText)
      break;
    OS << Line;
  }
  return OS.str();
}
