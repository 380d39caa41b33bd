// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang tells a pass nothing of the library that it links, so the ways are
// those by which clang finds it itself (CudaInstallationDetector,
// RocmInstallationDetector).
#include "Plugin/FindDeviceLibrary.h"

#include "adze/Options.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace adze {

namespace {

using Paths = std::vector<std::string>;

/// The words that this process was started with; none where the system does
/// not say.
std::vector<std::string> commandLine() {
  std::vector<std::string> Words;
  auto Buffer = MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  if (!Buffer)
    return Words;
  SmallVector<StringRef, 64> Parts;
  (*Buffer)->getBuffer().split(Parts, '\0', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts)
    if (Part != "-Xclang") // which hands the next word on
      Words.push_back(Part.str());
  return Words;
}

/// What follows option \p Name on the command line, as the next word or behind
/// '='; the last one first.
Paths givenBy(ArrayRef<std::string> Words, StringRef Name) {
  Paths Given;
  for (size_t I = 0; I != Words.size(); ++I) {
    StringRef Word = Words[I];
    if (!Word.consume_front(Name))
      continue;
    if (Word.empty() && I + 1 != Words.size())
      Given.insert(Given.begin(), Words[I + 1]);
    else if (Word.consume_front("="))
      Given.insert(Given.begin(), Word.str());
  }
  return Given;
}

void addVariable(Paths &Folders, StringRef Name) {
  if (std::optional<std::string> Value = sys::Process::GetEnv(Name))
    Folders.push_back(*Value);
}

std::string in(StringRef Folder, const Twine &A, const Twine &B = "",
               const Twine &C = "") {
  SmallString<128> Path(Folder);
  sys::path::append(Path, A, B, C);
  return std::string(Path);
}

/// The folder above the one in which program \p Name is, symbolic links
/// followed.
void addPrefixOf(Paths &Folders, StringRef Name) {
  ErrorOr<std::string> Program = sys::findProgramByName(Name);
  SmallString<128> Real;
  if (Program && !sys::fs::real_path(*Program, Real))
    Folders.push_back(
        sys::path::parent_path(sys::path::parent_path(Real)).str());
}

Paths libdevice(ArrayRef<std::string> Words) {
  Paths Folders = givenBy(Words, "--cuda-path");
  for (StringRef Name : {"CUDA_PATH", "CUDA_HOME", "CUDA_ROOT"})
    addVariable(Folders, Name);
  addPrefixOf(Folders, "ptxas");
  for (const char *Folder : {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda",
                             "/usr/lib/nvidia-cuda-toolkit"})
    Folders.push_back(Folder);
  for (const std::string &Folder : Folders)
    for (const char *Below : {"nvvm/libdevice", "libdevice"})
      if (std::string File = in(Folder, Below, "libdevice.10.bc");
          sys::fs::exists(File))
        return {File};
  return {};
}

/// One of the files by which ocml is told of the device and of options: what
/// clang chooses without any.
std::string control(StringRef Folder, StringRef Name, StringRef Value) {
  return in(Folder, "oclc_" + Name + "_" + Value + ".bc");
}

Paths ocml(const Module &M, ArrayRef<std::string> Words) {
  Paths Folders = givenBy(Words, "--rocm-device-lib-path");
  addVariable(Folders, "HIP_DEVICE_LIB_PATH");
  Paths Roots = givenBy(Words, "--rocm-path");
  for (StringRef Name : {"ROCM_PATH", "HIP_PATH"})
    addVariable(Roots, Name);
  for (const char *Root : {"/opt/rocm", "/usr"})
    Roots.push_back(Root);
  for (const std::string &Root : Roots)
    for (const char *Below : {"amdgcn/bitcode", "lib/amdgcn/bitcode",
                              "lib/x86_64-linux-gnu/amdgcn/bitcode"})
      Folders.push_back(in(Root, Below));
  StringRef Device, Features;
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasFnAttribute("target-cpu")) {
      Device = F.getFnAttribute("target-cpu").getValueAsString();
      Features = F.getFnAttribute("target-features").getValueAsString();
      break;
    }
  Device.consume_front("gfx");
  for (const std::string &Folder : Folders) {
    if (!sys::fs::exists(in(Folder, "ocml.bc")))
      continue;
    const bool Wide = !Features.contains("+wavefrontsize32");
    Paths Files = {in(Folder, "ocml.bc"),
                   in(Folder, "ockl.bc"),
                   control(Folder, "isa_version", Device),
                   control(Folder, "daz_opt", "off"),
                   control(Folder, "unsafe_math", "off"),
                   control(Folder, "finite_only", "off"),
                   control(Folder, "correctly_rounded_sqrt", "on"),
                   control(Folder, "wavefrontsize64", Wide ? "on" : "off"),
                   control(Folder, "abi_version", "500")};
    erase_if(Files, [](const std::string &F) { return !sys::fs::exists(F); });
    return Files;
  }
  return {};
}

} // namespace

std::vector<std::string> findDeviceLibrary(const Module &M) {
  Paths Files;
  SmallVector<StringRef, 4> Named;
  StringRef(Options::get().DeviceLibrary)
      .split(Named, ',', -1, /*KeepEmpty=*/false);
  for (StringRef File : Named)
    Files.push_back(File.str());
  if (!Files.empty())
    return Files;
  const std::vector<std::string> Words = commandLine();
  Files = givenBy(Words, "-mlink-builtin-bitcode");
  if (!Files.empty())
    return Files;
  return Triple(M.getTargetTriple()).isNVPTX() ? libdevice(Words)
                                               : ocml(M, Words);
}

} // namespace adze
