# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How the FileCheck tests run. Substitutions:
#   %clang %clangxx   the compiler of LLVM 19, without the plugin
#   %plugin           path of Adze.so
#   %adze             -fpass-plugin=%plugin
#   %clang-adze       -fplugin=ClangAdze.so, where that is built
#   %opt %adze-opt    opt with the plugin loaded; the tool of this project
#   %include          the folder of the public headers
#   %python           the Python that runs lit
import os

import lit.formats

config.name = "Adze"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp", ".test"]
config.excludes = ["Cpp", "Gpu", "GpuHost", "Inputs", "Mpi", "Numeric", "unit",
                   "CMakeLists.txt"]
config.test_source_root = os.path.join(config.adze_src_root, "test")
config.test_exec_root = os.path.join(config.adze_obj_root, "test")

plugin = os.path.join(config.adze_obj_root, "lib", "Adze.so")
clang_plugin = os.path.join(config.adze_obj_root, "lib", "ClangAdze.so")
tools = config.llvm_tools_dir
own_tools = os.path.join(config.adze_obj_root, "bin")

# lit replaces in order and by regular expression: the longer name goes first.
for name, value in [
    ("%clangxx", config.clangxx),
    ("%clang-adze", "-fplugin=" + clang_plugin),
    ("%clang", config.clang),
    ("%adze-opt", os.path.join(own_tools, "adze-opt")),
    ("%adze", "-fpass-plugin=" + plugin),
    ("%plugin", plugin),
    ("%opt", os.path.join(tools, "opt") + " -load-pass-plugin=" + plugin),
    ("%include", os.path.join(config.adze_src_root, "include")),
    ("%srcroot", config.adze_src_root),
    ("%python", config.python),
    ("%{lit}", config.lit),
]:
    config.substitutions.append((name + ("" if name.endswith("}") else r"(?![\w-])"), value))

path = os.pathsep.join([own_tools, tools, config.environment.get("PATH", "")])
config.environment["PATH"] = path
# Options of the surrounding shell must not change what a test compiles.
for name in ["CFLAGS", "CXXFLAGS", "CPATH", "CCC_OVERRIDE_OPTIONS"]:
    config.environment.pop(name, None)

# Compilers know nothing of the sanitizers in a plugin that they load. They leak by
# intention, and LLVM's own allocators are half instrumented, half not.
if config.sanitizer:
    config.available_features.add("sanitized")
    config.environment["LD_PRELOAD"] = config.sanitizer
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"

# A test that hangs must fail, not block; lit needs psutil to enforce that.
try:
    import psutil  # noqa: F401

    lit_config.maxIndividualTestTime = 300
except ImportError:
    pass

# The toolkits of GPUs (test/Device): libdevice and ptxas; ocml.
cuda = os.environ.get("CUDA_PATH", "/usr/local/cuda")
if all(os.path.exists(os.path.join(cuda, *p)) for p in
       [("nvvm", "libdevice", "libdevice.10.bc"), ("bin", "ptxas"), ("include", "cuda.h")]):
    config.available_features.add("cuda")
    config.substitutions.append(("%cuda", cuda))
ocml = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"
if os.path.exists(os.path.join(ocml, "ocml.bc")) and os.path.exists("/usr/include/hip/hip_runtime.h"):
    config.available_features.add("hip")
    config.substitutions.append(("%ocml", ocml))

if os.path.exists(clang_plugin):
    config.available_features.add("clang-plugin")
for feature, program in [("lld", "ld.lld"), ("lli", "lli"), ("gdb", "gdb"),
                         ("llvm-stress", "llvm-stress"), ("flang", "flang-new-19")]:
    if any(os.access(os.path.join(d, program), os.X_OK) for d in path.split(os.pathsep)):
        config.available_features.add(feature)
