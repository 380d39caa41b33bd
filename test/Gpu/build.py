# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a test program to device code, to a program for the emulator, to PTX and objects."""
import os
import re
import resource
import shutil
import signal
import subprocess
from pathlib import Path

import convert

HERE = Path(__file__).resolve().parent
REFUSAL = re.compile(r"error:.*(to fix:|in the derivative that ')", re.S)
CUDA = ["/usr/local/cuda", "/usr/lib/cuda", "/opt/cuda"]


class Target:
    def __init__(self, name, flags, warp):
        self.name, self.flags, self.warp = name, flags, warp


TARGETS = {
    "nvptx": Target("nvptx", ["-x", "cuda", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib",
                              "-Wno-unknown-cuda-version"], 32),
    "amdgcn": Target("amdgcn", ["-x", "hip", "--offload-arch=gfx90a", "-nogpuinc", "-nogpulib"],
                     64),
}
# Processors that PTX is made for, with the version of PTX that knows them.
PROCESSORS = {"sm_70": "ptx63", "sm_80": "ptx70", "sm_90": "ptx78"}


def cuda_program(name):
    """ptxas or nvcc, on PATH or where the toolkit usually lies; None if there is none."""
    found = shutil.which(name)
    for root in [] if found else [os.environ.get("CUDA_PATH", ""), *CUDA]:
        candidate = Path(root) / "bin" / name
        if root and candidate.is_file():
            return str(candidate)
    return found


def libdevice():
    for root in [os.environ.get("CUDA_PATH", ""), *CUDA]:
        candidate = Path(root) / "nvvm" / "libdevice" / "libdevice.10.bc"
        if root and candidate.is_file():
            return candidate
    return None


def execute(command, seconds=60):
    """Exit status (None: out of time) and what was printed. Limits processor time."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds * 10, preexec_fn=limit,
                              check=False)
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace") + "\ntime limit"
    if done.returncode == -signal.SIGXCPU:
        return None, done.stdout.decode(errors="replace") + "\ntime limit"
    return done.returncode, done.stdout.decode(errors="replace")


class BuildError(Exception):
    """text, and whether the compiler refused with a message of the plugin's own."""

    def __init__(self, text, refused=False):
        super().__init__(text)
        self.refused = refused


class Builder:
    def __init__(self, clang, plugin, out):
        self.plugin, self.out = plugin, Path(out)
        self.clang = re.sub(r"clang(\+\+)?(?=[^/]*$)", "clang++", clang, count=1)
        tools = subprocess.run([self.clang, "-print-prog-name=opt"], stdout=subprocess.PIPE,
                               check=True, text=True).stdout.strip()
        self.tools = Path(tools).parent
        self.libraries = Path(plugin).resolve().parent
        self.out.mkdir(parents=True, exist_ok=True)
        self.triple, self.layout = self.host()

    def tool(self, name):
        beside = self.tools / name
        return str(beside) if beside.is_file() else f"{name}-19"

    def host(self):
        source = self.out / "host.c"
        source.write_text("int host;\n")
        code, text = execute([self.clang, "-x", "c", "-S", "-emit-llvm", source, "-o", "-"])
        if code:
            raise BuildError(text)
        return (re.search(r'target triple = "(.*)"', text)[1],
                re.search(r'target datalayout = "(.*)"', text)[1])

    def device_code(self, program, target, level, modes, stem):
        """LLVM IR of the device, after the plugin and clang's optimizer."""
        source, result = self.out / f"{stem}.cu", self.out / f"{stem}.ll"
        source.write_text(program.wrapper())
        macros = [f"-D{m.upper()}" for m in modes]
        code, text = execute([self.clang, *TARGETS[target].flags, f"-{level}", "--cuda-device-only",
                              "-std=c++17", "-gline-tables-only", f"-I{HERE / 'include'}", *macros,
                              f"-fpass-plugin={self.plugin}", "-S", "-emit-llvm", source,
                              "-o", result])
        if code:
            crash = code is None or code < 0 or "PLEASE submit a bug report" in text
            raise BuildError(text, bool(REFUSAL.search(text)) and not crash)
        return result

    def for_emulator(self, device, stem):
        """A library for the emulator."""
        host, code_file = self.out / f"{stem}.host.ll", self.out / f"{stem}.bc"
        library = self.out / f"{stem}.so"
        try:
            host.write_text(convert.to_host(device.read_text(), self.triple, self.layout))
        except convert.NotConverted as why:
            raise BuildError(str(why)) from why
        for command in (
                [self.tool("opt"), "-load-pass-plugin", self.libraries / "GpuHostCode.so",
                 "-passes=gpu-host-code", host, "-o", code_file],
                [self.clang, "-O1", "-fPIC", "-shared", "-Wl,-z,defs", "-x", "ir", code_file,
                 "-x", "none", self.libraries / "GpuEmulator.so", "-o", library]):
            code, text = execute(command)
            if code:
                raise BuildError(text)
        return library

    def retargeted(self, device, processor, stem):
        """The same code for another processor than the one that clang made it for."""
        text = device.read_text()
        text = re.sub(r'"target-cpu"="sm_\d+"', f'"target-cpu"="{processor}"', text)
        text = re.sub(r'"target-features"="[^"]*"',
                      f'"target-features"="+{PROCESSORS[processor]},+{processor}"', text)
        source = self.out / f"{stem}.{processor}.ll"
        source.write_text(text)
        return source

    def ptx(self, device, processor, stem):
        """PTX that calls the device library's functions."""
        source = self.retargeted(device, processor, stem)
        result = source.with_suffix(".ptx")
        code, said = execute([self.tool("llc"), f"-mcpu={processor}",
                              f"-mattr=+{PROCESSORS[processor]}", source, "-o", result])
        source.unlink()
        if code:
            raise BuildError(said)
        return result

    def linked_ptx(self, device, processor, stem):
        """PTX with the device library's functions in it."""
        if "@__nv_" not in device.read_text():
            return self.ptx(device, processor, stem)
        library = libdevice()
        if not library:
            raise BuildError("there is no libdevice: the CUDA toolkit is not installed")
        source = self.retargeted(device, processor, stem)
        result = source.with_suffix(".ptx")
        code, said = execute([self.clang, "--target=nvptx64-nvidia-cuda", f"-march={processor}",
                              "-Wno-unknown-cuda-version", "-Wno-override-module", "-O2",
                              "-nogpulib", "-Xclang", "-target-feature", "-Xclang",
                              f"+{PROCESSORS[processor]}", "-Xclang", "-mlink-builtin-bitcode",
                              "-Xclang", library, "-x", "ir", "-S", source, "-o", result])
        source.unlink()
        if code:
            raise BuildError(said)
        return result

    @staticmethod
    def assembler_knows(processor):
        """Whether ptxas is there, and makes code for this processor."""
        if not cuda_program("ptxas"):
            return False
        _, text = execute([cuda_program("ptxas"), "--help"])
        return f"'{processor}'" in text

    def cubin(self, ptx, processor, relocatable=True):
        """What ptxas makes of PTX."""
        result = ptx.with_suffix(".cubin")
        code, text = execute([cuda_program("ptxas"), f"-arch={processor}",
                              *(["-c"] if relocatable else []), ptx, "-o", result])
        if code:
            raise BuildError(text)
        return result

    def amd_object(self, device, stem):
        result = self.out / f"{stem}.o"
        code, text = execute([self.tool("llc"), "-mcpu=gfx90a", "-filetype=obj", device,
                              "-o", result])
        if code:
            raise BuildError(text)
        return result
