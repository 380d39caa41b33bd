# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device code as text becomes code with the host's layout and one address space.

What opt could not read any more after a change of types is changed here: spaces of
pointers, casts between them, names of the target's intrinsics. Variables keep their space
as a section. HostCode.cpp does the rest.
"""
import re

SPACE_OF_SECTION = {"3": "gpu.shared", "4": "gpu.constant"}


class NotConverted(Exception):
    """Device code that the emulator has no equal for."""


def variable(line, dynamic):
    """One line that defines or declares a variable."""
    match = re.match(r"^(@(?:\"[^\"]*\"|[\w.$-]+)) = (.*)$", line)
    name, rest = match.groups()
    space = re.search(r"\baddrspace\((\d+)\) (?:externally_initialized )?(?:global|constant)\b", rest)
    number = space[1] if space else "0"
    rest = re.sub(r"\baddrspace\(\d+\) ?", "", rest)
    rest = rest.replace("externally_initialized ", "")
    if rest.startswith("external "):
        if number == "3":
            dynamic.add(name)
            return None
        return f"{name} = {rest}"
    section = SPACE_OF_SECTION.get(number, "gpu.global")
    if number == "3":
        # Shared memory has no initial values; what is local to the module stays so.
        rest = re.sub(r"\b(undef|poison)(?=,|$)", "zeroinitializer", rest)
    if re.search(r"\bconstant\b", rest):
        section = "gpu.constant"
    # Sections come behind the value, before the alignment.
    value, comma, attributes = rest.rpartition(", align ")
    if not comma:
        return f'{name} = {rest}, section "{section}"'
    return f'{name} = {value}, section "{section}", align {attributes}'


def to_host(text, triple, layout):
    """The text of a module for the host."""
    lines, dynamic, declared = [], set(), set()
    for line in text.split("\n"):
        if line.startswith("target datalayout"):
            line = f'target datalayout = "{layout}"'
        elif line.startswith("target triple"):
            line = f'target triple = "{triple}"'
        elif re.match(r"^@\S+ = .*\b(global|constant)\b", line) and not line.startswith("@llvm."):
            line = variable(line, dynamic)
        elif line.startswith(("@llvm.used", "@llvm.compiler.used")):
            line = None
        if line is None:
            continue
        if re.search(r"ptrtoint ptr addrspace\([35]\)", line):
            raise NotConverted("a pointer of a small address space becomes a number:\n" + line)
        line = re.sub(r",? ?\baddrspace\(\d+\)", "", line)
        line = re.sub(r"\baddrspacecast (\(?)", r"bitcast \1", line)
        line = re.sub(r"@llvm\.(nvvm\.|amdgcn\.|trap\b)", r"@gpu.\1", line)
        line = re.sub(r"(@(?:llvm|gpu)\.[\w.]+)", lambda m: re.sub(r"\.p\d+(?=\.|$)", ".p0", m[1]), line)
        if line.startswith("declare "):
            name = re.search(r"@[\w.]+", line)[0]
            if name in declared:
                continue
            declared.add(name)
            if name.startswith("@gpu."):
                # Attributes of results and operands speak of the device's types.
                line = re.sub(r" #\d+$", "", line).replace(" immarg", "")
        lines.append(line)
    text = "\n".join(lines)
    if dynamic:
        names = "|".join(re.escape(n) for n in sorted(dynamic, key=len, reverse=True))
        text = re.sub(rf"(?:{names})(?![\w.$-])", "@gpu_dynamic_shared", text)
        text = re.sub(r"^(target triple.*)$", r"\1\n\n@gpu_dynamic_shared = external global [0 x i8]",
                      text, count=1, flags=re.M)
    return text


ATOMIC = re.compile(r"^  (?:(%\S+) = )?atomicrmw fadd (ptr(?: addrspace\(\d\))?) (\S+), (\w+) (\S+) .*$")
TESTED = re.compile(r"(\s+br i1 )[%\w.]+(, .*!adze\.alone .*)")
BARRIER = re.compile(r"^  (?:tail )?call void @llvm\.(?:nvvm\.barrier|nvvm\.bar|amdgcn\.s\.barrier)\S*\(.*$")


def called_from(text, function):
    """The functions that one calls, directly or not, and itself."""
    calls, inside = {}, ""
    for line in text.split("\n"):
        if line.startswith("define "):
            inside = re.search(r"@([\w.$]+)", line)[1]
            calls[inside] = set()
        elif inside:
            calls[inside].update(re.findall(r"call .*?@([\w.$]+)\(", line))
    found, waiting = set(), [function]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += calls.get(name, ())
    return found


def without(what, text, but):
    """Device code in which sums are not atomic any more, no barriers are left, or what the
    test of a launch is asked for is taken for true, except in the function `but` and what it
    calls; and how many there were."""
    lines, inside, number = [], "", 0
    but = called_from(text, but)
    for line in text.split("\n"):
        if line.startswith("define "):
            inside = re.search(r"@([\w.$]+)", line)[1]
        atomic, barrier = ATOMIC.match(line), BARRIER.match(line)
        if inside not in but and what == "atomics" and atomic:
            number += 1
            _, pointer, address, kind, value = atomic.groups()
            value = value.rstrip(",")
            name = atomic[1] or f"%planted.{number}"
            lines.append(f"  {name} = load {kind}, {pointer} {address}")
            lines.append(f"  %planted.sum.{number} = fadd {kind} {name}, {value}")
            lines.append(f"  store {kind} %planted.sum.{number}, {pointer} {address}")
        elif inside not in but and what == "barriers" and barrier:
            number += 1
        elif what == "tests" and TESTED.match(line):
            number += 1
            lines.append(TESTED.sub(r"\1true\2", line))
        else:
            lines.append(line)
    return "\n".join(lines), number
