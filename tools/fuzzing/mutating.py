# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random changes of a module's text, of which most leave it a module: operands
and marker arguments dropped, doubled and exchanged, other attributes, types,
opcodes, constants, flags, and now and then a byte."""
import re

VALUE = re.compile(r"%[-\w.$]+")
NUMBER = re.compile(r"(?<=[ ,(])-?\d+(?=[,) \n]|$)")
FLOAT = re.compile(r"(?<=[ ,(])-?\d+\.\d+e[-+]\d+")
TYPE = re.compile(r"\b(double|float|half|bfloat|fp128|x86_fp80|i1|i8|i16|i32|i64|i128|ptr)\b")
RESULT = re.compile(r"^\s+(%[-\w.$]+) = (?:(?:tail|notail|musttail) )?(\w+)(.*)$")
TAG = re.compile(r"@(enzyme_\w+|diffe_\w+)")
MARKER = re.compile(r"@(__enzyme_\w+)\((.*)\)")
TYPES = ["double", "float", "half", "bfloat", "fp128", "x86_fp80", "i1", "i8", "i16", "i32",
         "i64", "i128", "ptr", "<2 x double>", "<4 x float>", "<2 x ptr>", "[3 x double]",
         "{ double, i32 }", "<vscale x 2 x double>"]
NUMBERS = ["0", "1", "-1", "2", "7", "8", "255", "-128", "65536", "2147483647", "-2147483648",
           "4294967295", "9223372036854775807", "undef", "poison"]
FLOATS = ["0.000000e+00", "-0.000000e+00", "1.000000e+00", "1.000000e+308",
          "0x7FF0000000000000", "0x7FF8000000000000", "undef", "poison"]
# Words of which one may stand for another.
FAMILIES = [["fadd", "fsub", "fmul", "fdiv", "frem"],
            ["add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "udiv", "sdiv",
             "urem", "srem"],
            ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "une",
             "true", "false"],
            ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"],
            ["sext", "zext", "trunc"], ["fpext", "fptrunc"], ["sitofp", "uitofp"],
            ["fptosi", "fptoui"], ["internal", "private", "linkonce_odr", "weak", "external",
                                   "available_externally", "dso_local", "hidden", "common"],
            ["enzyme_const", "enzyme_dup", "enzyme_out", "enzyme_dupnoneed", "enzyme_dupv",
             "enzyme_width", "enzyme_tape", "enzyme_allocated", "enzyme_primal_return",
             "enzyme_noret", "enzyme_nofree", "enzyme_runtime_activity", "enzyme_scalar",
             "enzyme_vector"],
            ["__enzyme_autodiff", "__enzyme_fwddiff", "__enzyme_augmentfwd",
             "__enzyme_reverse", "__enzyme_batch", "__enzyme_fwdsplit",
             "__enzyme_augmentsize", "__enzyme_virtualreverse", "__enzyme_call_inactive"],
            ["memcpy", "memmove", "memset"], ["sin", "cos", "exp", "log", "sqrt", "fabs", "pow"],
            ["malloc", "calloc", "free", "realloc"]]
WORDS = {word: family for family in FAMILIES for word in family}
ATTRIBUTES = ["noalias", "nocapture", "readonly", "writeonly", "readnone", "nonnull", "noundef",
              "returned", "inreg", "signext", "dereferenceable(8)", "align 1", "align 64",
              "immarg", "nofree", "byval(double)", "sret(double)", "nest", "swiftself"]
FUNCTION = ["noinline", "alwaysinline", "optnone noinline", "nounwind", "memory(none)",
            "memory(read)", "memory(argmem: readwrite)", "noreturn", "willreturn", "nosync",
            "convergent", "strictfp", "naked", "cold", "returns_twice", "presplitcoroutine",
            "\"enzyme_inactive\"", "gc \"shadow-stack\"", "null_pointer_is_valid",
            "personality ptr null"]
FLAGS = [("load ", "load volatile "), ("store ", "store volatile "), ("fadd ", "fadd fast "),
         ("fmul ", "fmul nnan ninf "), ("add ", "add nuw nsw "), ("call ", "tail call "),
         ("call ", "notail call "), ("call ", "musttail call "), ("call ", "call fast "),
         (" inbounds", ""), (" noundef", ""), (" fast", ""), ("ret ", "ret "),
         ("define ", "define fastcc "), ("define ", "define weak "),
         ("getelementptr ", "getelementptr inbounds "), ("br i1 ", "br i1 ")]


def is_code(line):
    return line.startswith("  ") and not line.lstrip().startswith(";")


class Mutator:
    """Changes text by the choices of one random generator."""

    def __init__(self, choices):
        self.r = choices
        self.ways = [self.operand, self.operand, self.number, self.float, self.type_of_line,
                     self.word, self.word, self.delete_line, self.double_line, self.swap_lines,
                     self.tag, self.marker_arguments, self.marker_arguments, self.attribute,
                     self.function_attribute, self.flag, self.result_type, self.label,
                     self.constant_operand, self.byte]

    def mutate(self, text, count):
        """The text after count changes."""
        lines = [l for l in text.split("\n") if not l.startswith(";")]
        done = 0
        for _ in range(8 * count):
            if done == count:
                break
            changed = self.r.choice(self.ways)(list(lines))
            if changed is not None and changed != lines:
                lines, done = changed, done + 1
        return "\n".join(lines)

    # Each way takes the lines and returns them changed, or None.
    def some_line(self, lines, pattern):
        fits = [i for i, l in enumerate(lines) if not l.startswith(";") and pattern.search(l)]
        return self.r.choice(fits) if fits else None

    def replace_one(self, lines, pattern, choose):
        at = self.some_line(lines, pattern)
        if at is None:
            return None
        match = self.r.choice(list(pattern.finditer(lines[at])))
        lines[at] = lines[at][:match.start()] + choose(match.group()) + lines[at][match.end():]
        return lines

    def around(self, lines, at):
        """(first, last) line of the function at a line."""
        begin = next((i for i in range(at, -1, -1) if lines[i].startswith("define")), 0)
        end = next((i for i in range(at, len(lines)) if lines[i] == "}"), len(lines))
        return begin, end

    def operand(self, lines):
        """Another value of the function instead, most often of the same type."""
        at = self.some_line([l if is_code(l) else "" for l in lines], VALUE)
        if at is None:
            return None
        uses = list(VALUE.finditer(lines[at]))
        if "=" in lines[at] and len(uses) > 1:
            uses = uses[1:]
        use = self.r.choice(uses)
        begin, end = self.around(lines, at)
        kind = self.type_before(lines[at], use.start())
        before = VALUE.findall(lines[begin]) + [
            m.group(1) for l in lines[begin:at] for m in [RESULT.match(l)]
            if m and (kind is None or re.search(rf"\b{re.escape(kind)}\b", m.group(3)))]
        if not before:
            return None
        lines[at] = (lines[at][:use.start()] + self.r.choice(before) + lines[at][use.end():])
        return lines

    @staticmethod
    def type_before(line, at):
        found = TYPE.findall(line[:at])
        return found[-1] if found else None

    def constant_operand(self, lines):
        """A constant instead of a value."""
        at = self.some_line([l if is_code(l) else "" for l in lines], VALUE)
        uses = list(VALUE.finditer(lines[at]))[1:] if at is not None else []
        if not uses:
            return None
        use = self.r.choice(uses)
        kind = self.type_before(lines[at], use.start()) or "i32"
        value = self.r.choice(["poison", "undef", "zeroinitializer"] +
                              (["null"] if kind == "ptr" else
                               NUMBERS[:5] if kind.startswith("i") else FLOATS))
        lines[at] = lines[at][:use.start()] + value + lines[at][use.end():]
        return lines

    def number(self, lines):
        return self.replace_one(lines, NUMBER, lambda _: self.r.choice(NUMBERS))

    def float(self, lines):
        return self.replace_one(lines, FLOAT, lambda _: self.r.choice(FLOATS))

    def type_of_line(self, lines):
        """One type of a line, or all that are the same in it."""
        at = self.some_line(lines, TYPE)
        if at is None:
            return None
        old, new = self.r.choice(TYPE.findall(lines[at])), self.r.choice(TYPES)
        count = self.r.choice([0, 1])
        lines[at] = re.sub(rf"\b{old}\b", lambda _: new, lines[at], count=count)
        return lines

    def result_type(self, lines):
        """One type for another in a whole function."""
        at = self.some_line(lines, re.compile(r"^define"))
        if at is None:
            return None
        begin, end = self.around(lines, at)
        old, new = self.r.choice(["double", "float", "i32", "i64"]), self.r.choice(TYPES)
        for i in range(begin, end):
            lines[i] = re.sub(rf"\b{old}\b", lambda _: new, lines[i])
        return lines

    def word(self, lines):
        """Another opcode, predicate, linkage, tag or marker of the same family."""
        pattern = re.compile(r"\b(" + "|".join(WORDS) + r")\b")
        return self.replace_one(lines, pattern, lambda w: self.r.choice(WORDS[w]))

    def tag(self, lines):
        return self.replace_one(lines, TAG, lambda _: "@" + self.r.choice(
            WORDS["enzyme_const"]))

    def delete_line(self, lines):
        at = self.some_line(lines, re.compile(r"^\s+(store|call|tail call|br|%)|^declare|^@"))
        return lines[:at] + lines[at + 1:] if at is not None else None

    def double_line(self, lines):
        at = self.some_line(lines, re.compile(r"^\s+(store|call void|tail call void)"))
        return lines[:at + 1] + lines[at:] if at is not None else None

    def swap_lines(self, lines):
        at = self.some_line(lines, re.compile(r"^  "))
        if at is None or at + 1 >= len(lines) or not is_code(lines[at + 1]):
            return None
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
        return lines

    def marker_arguments(self, lines):
        """Drops, doubles or exchanges arguments of a marker."""
        at = self.some_line([l if is_code(l) else "" for l in lines], MARKER)
        if at is None:
            return None
        match = MARKER.search(lines[at])
        arguments = self.split(match.group(2))
        i, j = self.r.randrange(len(arguments)), self.r.randrange(len(arguments))
        how = self.r.randrange(5)
        if how == 0:
            del arguments[i]
        elif how == 1:
            arguments.insert(j, arguments[i])
        elif how == 2:
            arguments[i], arguments[j] = arguments[j], arguments[i]
        elif how == 3:
            arguments[i] = arguments[j]
        else:
            arguments.insert(i, self.r.choice(["i32 7", "ptr null", "double 1.000000e+00",
                                               "ptr undef", "i64 -1", "float poison"]))
        lines[at] = (lines[at][:match.start(2)] + ", ".join(arguments) +
                     lines[at][match.end(2):])
        return lines

    @staticmethod
    def split(text):
        """Arguments, at the commas that are in no bracket."""
        parts, depth, begin = [], 0, 0
        for i, c in enumerate(text):
            depth += (c in "([{<") - (c in ")]}>")
            if c == "," and depth == 0:
                parts.append(text[begin:i].strip())
                begin = i + 1
        return parts + [text[begin:].strip()]

    def attribute(self, lines):
        """An attribute more, of an argument or a parameter."""
        pattern = re.compile(r"(?<=[(, ])(double|ptr|float|i32|i64)(?= [%@n])")
        return self.replace_one(lines, pattern,
                                lambda t: f"{t} {self.r.choice(ATTRIBUTES)}")

    def function_attribute(self, lines):
        at = self.some_line(lines, re.compile(r"^define.*\{\s*$"))
        if at is None:
            return None
        lines[at] = re.sub(r"\s*\{\s*$", f" {self.r.choice(FUNCTION)} {{", lines[at])
        return lines

    def flag(self, lines):
        old, new = self.r.choice(FLAGS)
        at = self.some_line(lines, re.compile(re.escape(old)))
        if at is None:
            return None
        lines[at] = lines[at].replace(old, new, 1)
        return lines

    def label(self, lines):
        """A branch to another block."""
        at = self.some_line(lines, re.compile(r"label %"))
        if at is None:
            return None
        begin, end = self.around(lines, at)
        labels = [m.group(1) for l in lines[begin:end] for m in [re.match(r"([-\w.$]+):", l)] if m]
        if not labels:
            return None
        uses = list(re.finditer(r"label %([-\w.$]+)", lines[at]))
        use = self.r.choice(uses)
        lines[at] = (lines[at][:use.start(1)] + self.r.choice(labels) + lines[at][use.end(1):])
        return lines

    def byte(self, lines):
        at = self.r.randrange(len(lines))
        if not lines[at]:
            return None
        i = self.r.randrange(len(lines[at]))
        lines[at] = lines[at][:i] + chr(self.r.randrange(32, 127)) + lines[at][i + 1:]
        return lines
