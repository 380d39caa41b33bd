// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Diagnostics.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;
using namespace adze;

namespace {

struct Row {
  DiagnosticSeverity Severity;
  StringRef Text, Cure;
};

const Row Rows[] = {
#define ADZE_DIAG(ID, SEVERITY, TEXT, CURE) {DS_##SEVERITY, TEXT, CURE},
#include "adze/Diagnostics.def"
};

const Row &row(Diag ID) { return Rows[static_cast<unsigned>(ID)]; }

std::string placeOf(const DILocation *L) {
  if (!L)
    return "";
  std::string Text;
  raw_string_ostream OS(Text);
  OS << L->getFilename() << ':' << L->getLine() << ':' << L->getColumn();
  return Text;
}

/// Clang shows an error of this kind at its source line, or, without debug
/// information, at the declaration of the function. Other programs print it.
class Message final : public DiagnosticInfoUnsupported {
public:
  Message(const Function &In, const std::string &Text, DiagnosticLocation Where,
          DiagnosticSeverity Severity)
      : DiagnosticInfoUnsupported(In, Text, Where, Severity), Text(Text) {}

  void print(DiagnosticPrinter &DP) const override {
    if (isLocationAvailable())
      DP << getLocationStr() << ": ";
    else
      DP << "in function '" << sourceName(getFunction()) << "': ";
    DP << Text;
  }

private:
  const std::string &Text;
};

/// A message without any place.
class PlainMessage final : public DiagnosticInfo {
public:
  PlainMessage(const std::string &Text, DiagnosticSeverity Severity)
      : DiagnosticInfo(getNextAvailablePluginDiagnosticKind(), Severity),
        Text(Text) {}

  void print(DiagnosticPrinter &DP) const override { DP << Text; }

private:
  const std::string &Text;
};

/// Fills {N}; a number without an argument stays as it is.
std::string fill(StringRef Format, ArrayRef<std::string> Args) {
  std::string Text;
  while (!Format.empty()) {
    auto [Before, After] = Format.split('{');
    Text += Before;
    Format = After;
    unsigned Number;
    StringRef Rest = After;
    if (!Rest.consumeInteger(10, Number) && Rest.consume_front("}") &&
        Number < Args.size()) {
      Text += Args[Number];
      Format = Rest;
    } else if (!After.empty()) {
      Text += '{';
    }
  }
  return Text;
}

/// The user's function that \p F is or was cloned from.
const Function *userFunction(const Function *F) {
  StringRef Name = F->getName();
  if (!Name.consume_front(ClonePrefix))
    return F;
  const Function *User = F->getParent()->getFunction(Name);
  return User ? User : F;
}

std::string place(StringRef Place) {
  return Place.empty() ? "" : (" at " + Place).str();
}

/// The chain of calls, one line a link, from the trouble up to the marker.
std::string chainText(const Origin &From) {
  std::string Text;
  const Origin *O = &From;
  for (; O->Parent; O = O->Parent.get())
    Text += "\n  in '" + sourceName(O->Callee) + "', called" + place(O->Place) +
            " by '" + sourceName(O->Caller) + "'";
  StringRef Marker = O->Callee;
  // Of a mangled marker the name proper says enough.
  if (size_t At = Marker.find("__enzyme_"); At != StringRef::npos) {
    Marker = Marker.drop_front(At);
    Marker = Marker.take_while([](char C) { return isAlpha(C) || C == '_'; });
  }
  if (O->Caller.empty())
    return Text;
  Text += "\n  in the derivative that '" + Marker.str() + "' asks for" +
          place(O->Place) + " in '" + sourceName(O->Caller) + "'";
  return Text;
}

std::string inlinedText(const DILocation *L) {
  std::string Text;
  for (; L && L->getInlinedAt(); L = L->getInlinedAt())
    Text += "\n  in '" + L->getScope()->getSubprogram()->getName().str() +
            "', inlined at " + placeOf(L->getInlinedAt());
  return Text;
}

std::string witnessText(const Witness &W) {
  std::string Text = "\n  " + W.Fact;
  if (!W.At)
    return Text;
  std::string Place = sourcePlace(W.At);
  if (!Place.empty())
    return Text + " (" + Place + ")";
  if (const Function *F = W.At->getFunction())
    Text += " (in '" + sourceName(*F) + "')";
  return Text;
}

std::string cureText(const Row &R, ArrayRef<std::string> Args) {
  return R.Cure.empty() ? "" : "\n  to fix: " + fill(R.Cure, Args);
}

} // namespace

Diagnostics::Spot Diagnostics::spotOf(const Origin &From,
                                      const Instruction *At) {
  const Origin &Root = From.root();
  if (!At || !At->getFunction())
    return {Root.In, Root.Location};
  return {userFunction(At->getFunction()), At->getDebugLoc().get()};
}

std::string Diagnostics::keyOf(Spot At) {
  std::string Key = placeOf(At.Location);
  if (!At.Location && At.In)
    Key += At.In->getName();
  return Key;
}

void Diagnostics::report(Diag ID, const Origin &From, const Instruction *At,
                         ArrayRef<std::string> Args, ArrayRef<Witness> Facts) {
  const Row &R = row(ID);
  Spot Where = spotOf(From, At);
  if ((ID == Diag::MissingBody || ID == Diag::ParallelRuntime) &&
      !Args.empty()) {
    addMissing(ID, From, Where, Args);
    return;
  }
  std::string Text = fill(R.Text, Args) + inlinedText(Where.Location);
  for (const Witness &W : Facts)
    Text += witnessText(W);
  // One problem is told once for each marker, however many calls lead there;
  // but each derivative that has it has failed.
  if (Seen.insert(Text + chainText(From.root()) + keyOf(Where)).second)
    emit(ID, Where, Text + chainText(From) + cureText(R, Args));
  else
    NumErrors += R.Severity == DS_Error;
}

/// One entry a marker call, one line a function.
void Diagnostics::addMissing(Diag ID, const Origin &From, Spot At,
                             ArrayRef<std::string> Args) {
  std::string Marker = chainText(From.root());
  std::vector<std::string> Rest = Args.drop_front().vec();
  auto It = find_if(MissingFunctions, [&](const Missing &M) {
    return M.ID == ID && M.Marker == Marker && M.Args == Rest;
  });
  bool New = It == MissingFunctions.end();
  if (New)
    It = MissingFunctions.insert(It, Missing());
  Missing &M = *It;
  if (New) {
    M.ID = ID;
    M.Marker = Marker;
    M.Args = Rest;
    M.At = At;
    M.Chain = inlinedText(At.Location) + chainText(From);
    ++NumErrors;
    if (!Context && At.In)
      Context = &At.In->getContext();
  }
  std::string Readable = "'" + sourceName(Args[0]) + "'";
  if (is_contained(M.Names, Readable))
    return;
  M.Names.push_back(Readable);
  std::string Fact = "\n  " + Readable + " is called";
  if (At.Location)
    Fact += " at " + placeOf(At.Location);
  if (At.In)
    Fact += " in '" + sourceName(*At.In) + "'";
  M.Facts.push_back(Fact);
}

void Diagnostics::flush() {
  for (Missing &M : MissingFunctions) {
    // The message itself points at the first one.
    std::string Lines;
    if (M.Facts.size() > 1)
      Lines = join(M.Facts, "");
    std::vector<std::string> Args = {join(M.Names, ", ")};
    Args.insert(Args.end(), M.Args.begin(), M.Args.end());
    --NumErrors; // emit() counts it
    emit(M.ID, M.At,
         fill(row(M.ID).Text, Args) + Lines + M.Chain +
             cureText(row(M.ID), Args));
  }
  MissingFunctions.clear();
}

/// flang's handler drops all that passes report but remarks, and goes on.
static bool isDroppedByCompiler(DiagnosticSeverity Severity) {
  static const bool InFlang =
      sys::path::filename(sys::fs::getMainExecutable(nullptr, nullptr))
          .starts_with("flang");
  return InFlang && (Severity == DS_Error || Severity == DS_Warning);
}

static void diagnose(LLVMContext &Context, const DiagnosticInfo &Report) {
  Context.diagnose(Report);
  if (!isDroppedByCompiler(Report.getSeverity()))
    return;
  raw_ostream &OS = Report.getSeverity() == DS_Error ? WithColor::error()
                                                     : WithColor::warning();
  DiagnosticPrinterRawOStream DP(OS);
  Report.print(DP);
  DP << "\n";
}

void adze::stopIfErrorsAreDropped() {
  if (isDroppedByCompiler(DS_Error))
    std::exit(1);
}

void Diagnostics::emit(Diag ID, Spot At, const std::string &Text) {
  DiagnosticSeverity Severity = row(ID).Severity;
  NumErrors += Severity == DS_Error;
  if (Muted)
    return;
  if (At.In) {
    DiagnosticLocation Where;
    if (At.Location)
      Where = DiagnosticLocation(At.Location);
    else if (const DISubprogram *SP = At.In->getSubprogram())
      Where = DiagnosticLocation(SP);
    Context = &At.In->getContext();
    diagnose(*Context, Message(*At.In, Text, Where, Severity));
  } else if (Context) {
    diagnose(*Context, PlainMessage(Text, Severity));
  }
  // Otherwise there is nobody to tell. Origins made from a marker always know
  // their function, so only tests of single layers come here, and errors()
  // counts the report for them.
}

std::string adze::sourcePlace(const Instruction *I) {
  return I ? placeOf(I->getDebugLoc().get()) : "";
}

std::string adze::sourceName(StringRef MangledName) {
  ItaniumPartialDemangler D;
  std::string Terminated = MangledName.str();
  if (!MangledName.starts_with("_Z") || D.partialDemangle(Terminated.c_str()))
    return Terminated;
  size_t Size = 0;
  char *Text = D.finishDemangle(nullptr, &Size);
  if (!Text)
    return Terminated;
  std::string Name = Text;
  std::free(Text);
  return Name;
}

std::string adze::sourceName(const Function &F) {
  StringRef Name = F.getName();
  Name.consume_front(ClonePrefix);
  if (!Name.consume_front(ValuePrefix) && !Name.consume_front(ShownPrefix))
    Name.consume_front(HelperPrefix);
  return sourceName(Name);
}
