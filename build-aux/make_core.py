#!/usr/bin/env python3
"""Makes cg2/machines/NAME.core: what a processor's core does, for estimates of cycles.

    build-aux/make_core.py --llvm-mca=PATH [--check] NAME...

Where the figures come from:
- build-aux/cores/NAME.recipe has the head of the file as it is, which of LLVM's models is asked, what LLVM's
  resources are called here, and corrections of what LLVM has wrong, each with its reason.
- build-aux/cores/CODE.forms has the forms of instructions that real programs have, as libcg2debug names them:
  "add r64,m64". An operand in memory becomes a register of its kind where there is such an instruction, as the load is
  not part of a form's line.
- build-aux/cores/NAME.measured, if there is one, has latencies and cycles an instruction that were measured.

The same input gives the same file. With --check nothing is written, and the status is 1 if a file would change.
"""

from __future__ import annotations

import argparse
import itertools
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
CORES = SOURCE / "build-aux" / "cores"
MACHINES = SOURCE / "cg2" / "machines"


# ------------------------------------------------------------ instances of forms

GENERAL = {
    "r8": ["dl", "sil", "r8b", "r9b"],
    "r16": ["dx", "si", "r8w", "r9w"],
    "r32": ["edx", "esi", "r8d", "r9d"],
    "r64": ["rdx", "rsi", "r8", "r9"],
}
WORDS = {8: "byte", 16: "word", 32: "dword", 64: "qword", 80: "tbyte"}
WORDS |= {128: "xmmword", 256: "ymmword", 512: "zmmword"}
LEA = {"b": "[rdi+8]", "bi": "[rdi+rbx]", "bid": "[rdi+rbx+8]", "is": "[4*rbx+8]"}
LEA |= {"bis": "[rdi+4*rbx]", "bisd": "[rdi+4*rbx+8]"}
STRINGS = {"movs", "stos", "lods", "cmps", "scas"}


def split_form(form: str) -> tuple[str, list[str]]:
    """The mnemonic, with its prefix, and the kinds of the operands."""
    words = form.split(" ")
    if words[0] in ("lock", "rep", "repne") and len(words) > 1:
        words[:2] = [" ".join(words[:2])]
    return words[0], words[1].split(",") if len(words) > 1 else []


def operand_of(kind: str, place: int) -> str:
    """An operand of a kind at a place among operands, in Intel's syntax."""
    if kind in GENERAL:
        return GENERAL[kind][place]
    if kind[0] == "m" and kind[1:].isdigit():
        return f"{WORDS[int(kind[1:])]} ptr [rdi]"
    if kind in ("x", "y", "z"):
        return f"{kind}mm{place + 1}"
    fixed = {"i": "5", "cl": "cl", "k": f"k{place + 1}", "mm": f"mm{place + 1}"}
    return fixed.get(kind) or LEA[kind]


def x86_instance(form: str) -> str:
    """An instruction of a form, as an assembler reads it."""
    mnemonic, kinds = split_form(form)
    operands = [operand_of(kind, place) for place, kind in enumerate(kinds) if kind != "st"]
    if kinds[-1:] == ["st"]:
        operands = ["st", "st(1)"] if len(kinds) == 2 else ["st(1)"]
    if mnemonic == "lea":
        operands[1] = LEA[kinds[1]]
    if (
        mnemonic.endswith("blendvb")
        and len(kinds) == 2
        or mnemonic in ("blendvps", "blendvpd", "sha256rnds2")
    ):
        operands.append("xmm0")
    if "gather" in mnemonic:
        index = kinds[-1] if kinds[-1] in "xyz" else kinds[0]
        operands[1] = operands[1].replace("]", f"+{'x' if index == 'x' else index}mm5]")
    return f"{mnemonic} {', '.join(operands)}".strip()


def is_memory(kind: str) -> bool:
    return kind in ("m", "m!") or (kind[0] == "m" and kind[1:].isdigit())


ARM_VECTORS = {
    "vb": ("16b", "8b"),
    "vh": ("8h", "4h"),
    "vs": ("4s", "2s"),
    "vd": ("2d", "1d"),
    "v": ("16b", "8b"),
}
ARM_SHIFTS = {
    "lsl",
    "lsr",
    "asr",
    "ror",
    "uxtb",
    "uxth",
    "uxtw",
    "uxtx",
    "sxtb",
    "sxth",
    "sxtw",
    "sxtx",
    "msl",
}


def arm_operand(mnemonic: str, kind: str, place: int, shape: tuple[int, ...], lane: str) -> str:
    """An operand of a kind; a vector is whole or half, by its place in `shape`."""
    if kind in ARM_VECTORS:
        return f"v{place + 1}.{ARM_VECTORS[kind][shape[min(place, len(shape) - 1)]]}"
    if kind == "ve":
        return f"v{place + 1}.{lane}[1]"
    if kind in ("m", "m!"):
        behind = "x11" if re.match(r"(ld|st)[1-4]", mnemonic) else "#16"
        return "[x10]" + (f", {behind}" if kind == "m!" else "")
    if kind in ARM_SHIFTS:
        return kind + (
            " #8" if kind == "msl" else " #2" if kind in ("lsl", "lsr", "asr", "ror") else ""
        )
    numbers = {"fmov": "#1.0", "fcmp": "#0.0", "fcmpe": "#0.0"}
    zero = (
        "#0.0"
        if mnemonic.startswith("fcm")
        else "#0"
        if mnemonic.startswith(("cm", "movi"))
        else "#1"
    )
    fixed = {"i": numbers.get(mnemonic, zero), "c": "eq"}
    return fixed.get(kind) or f"{kind}{place + 1}"


def arm_instances(form: str) -> list[str]:
    """Instructions of which the first that there is has the form."""
    mnemonic, kinds = split_form(form)
    found = []
    for lane in "bhsd":
        for shape in ((0,), (0, 1), (1, 0), (0, 0, 1), (1,), (0, 1, 1)):
            operands = [arm_operand(mnemonic, kind, i, shape, lane) for i, kind in enumerate(kinds)]
            if re.match(r"(ld|st)[1-4]r?$", mnemonic):
                n = sum(kind[0] == "v" for kind in kinds)
                ends = [operands[0].partition(".")[2].partition("[")] * n
                names = ", ".join(f"v{i + 1}.{end[0]}" for i, end in enumerate(ends))
                lanes = "[1]" if kinds[0] == "ve" else ""
                operands[:n] = ["{ " + names + " }" + lanes]
            if mnemonic in ("tbl", "tbx"):
                operands[1:-1] = ["{ " + ", ".join(operands[1:-1]) + " }"]
            found.append(f"{mnemonic} {', '.join(operands)}".strip())
    return list(dict.fromkeys(found))


def instances_of(code: str, form: str) -> list[str]:
    """Instructions of a form; more than one where the form does not tell all."""
    if code == "arm64":
        return arm_instances(form)
    try:
        return [x86_instance(form)]
    except (KeyError, IndexError):
        return ["?"]


# ------------------------------------------------------------ what LLVM says


@dataclass
class Figures:
    """What a table has for a form."""

    latency: float
    slots: int
    uses: dict[frozenset[str], float] = field(default_factory=dict)  # micro-operations by ports
    occupied: dict[frozenset[str], int] = field(
        default_factory=dict
    )  # cycles that each holds a port
    divider: int = 0
    reasons: list[str] = field(default_factory=list)


@dataclass
class Row:
    """An instruction as llvm-mca has it."""

    slots: int
    latency: int
    resources: dict[str, int]
    text: str


@dataclass
class Model:
    """What llvm-mca says of instructions: a row for each, None if there is no such instruction."""

    members: dict[str, list[str]]
    rows: list[Row | None]


ROW = re.compile(r" *(\d+) +(\d+) +(\S+) [ *U]*?(\d+) +(\S.*?) +(\w+) +\t?")


def ask(command: list[str], instances: list[str], syntax: list[str]) -> Model:
    """Asks llvm-mca, without the instances that its assembler does not take."""
    left = list(range(len(instances)))
    while True:
        done = subprocess.run(
            [
                *command,
                "-instruction-tables=full",
                "-skip-unsupported-instructions=lack-sched",
                *syntax,
            ],
            input="".join(f"{instances[i]}\n" for i in left),
            capture_output=True,
            text=True,
        )
        wrong = {
            int(line) - 1 for line in re.findall(r"^<stdin>:(\d+):\d+: error", done.stderr, re.M)
        }
        if not wrong:
            break
        left = [i for place, i in enumerate(left) if place not in wrong]
    if done.returncode:
        raise SystemExit(f"make_core: {command[0]}: {done.stderr[:400]}")
    skipped = [plain(text) for text in re.findall(r"^note: instruction: *(.*)", done.stderr, re.M)]
    answers = aligned([plain(instances[i]) for i in left], parse_rows(done.stdout), skipped)
    rows: list[Row | None] = [None] * len(instances)
    for i, row in zip(left, answers):
        rows[i] = row
    return Model(parse_members(done.stdout), rows)


def plain(text: str) -> str:
    """An instruction with one blank where there are any."""
    return " ".join(text.replace(",", ", ").split())


def likeness(asked: str, said: str) -> int:
    """How much of an instruction is as it was asked for: llvm-mca has other names for some."""
    mnemonic, _, operands = asked.partition(" ")
    return 2 * (said.split(" ")[0] == mnemonic) + (said.partition(" ")[2] == operands)


def aligned(asked: list[str], rows: list[Row], skipped: list[str]) -> list[Row | None]:
    """The answer to each question: rows and what was skipped each stand in the order of the questions, of all ways to
    merge them it is the one that is most like these."""
    if len(rows) + len(skipped) != len(asked):
        raise SystemExit(
            f"make_core: {len(rows)} answers and {len(skipped)} refusals to {len(asked)} questions"
        )
    best = [0] * (len(skipped) + 1)  # by how many were skipped so far
    takes_row = []
    for i, text in enumerate(asked):
        now, took = [], []
        for skip in range(len(skipped) + 1):
            row = i - skip
            by_row = best[skip] + likeness(text, rows[row].text) if 0 <= row < len(rows) else -1
            by_skip = (
                best[skip - 1] + likeness(text, skipped[skip - 1]) if 0 < skip <= i + 1 else -1
            )
            now.append(max(by_row, by_skip))
            took.append(by_row >= by_skip)
        best = now
        takes_row.append(took)
    found: list[Row | None] = []
    skip = len(skipped)
    for i in reversed(range(len(asked))):
        found.append(rows[i - skip] if takes_row[i][skip] else None)
        skip -= not takes_row[i][skip]
    return found[::-1]


def parse_members(text: str) -> dict[str, list[str]]:
    """The units that each of the model's resources has; a unit has itself."""
    members = {}
    for line in text.splitlines():
        found = re.match(r"\[\d+\] +- (\w+):(\d+) *(.*)", line)
        if found:
            names = [name.strip() for name in found.group(3).split(",") if name.strip()]
            members[found.group(1)] = sorted(set(names)) or [found.group(1)]
    return members


def parse_rows(text: str) -> list[Row]:
    rows: list[Row] = []
    reading = False
    for line in text.splitlines():
        if "[9]" in line and "Instructions:" in line:
            reading = True
        elif reading and not line.strip():
            break
        elif reading:
            rows.append(parse_row(line))
    return rows


def parse_row(line: str) -> Row:
    numbers = re.match(r" *(\d+) +(\d+) +([\d.]+)(.*)", line)
    assert numbers, line
    rest = re.match(r"[ *U]*(\d+) +(.*)", numbers.group(4))
    assert rest, line
    resources = {}
    before, _, operands = rest.group(2).partition("\t")
    fields = before.split()
    text = f"{fields[-1]} {operands}"
    for item in fields[0].split(",") if len(fields) > 1 else []:
        found = re.match(r"(\w+)(?:\[(?:\d+,)?(\d+)\])?$", item)
        if found:
            resources[found.group(1)] = int(found.group(2) or 1)
    return Row(int(numbers.group(1)), int(numbers.group(2)), resources, plain(text))


# ------------------------------------------------------------ recipes


@dataclass
class Fix:
    """A correction: of all forms that a pattern fits, or one that is added."""

    pattern: str
    values: dict[str, str]
    reason: str


@dataclass
class Recipe:
    name: str
    head: list[str] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)  # what of the head needs groups
    command: list[str] = field(default_factory=list)  # options of llvm-mca
    forms: str = ""
    ports: list[str] = field(default_factory=list)
    units: dict[str, list[str]] = field(default_factory=dict)  # LLVM's unit: ports
    groups: dict[str, list[str]] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)  # patterns of units of loads and stores
    loads: dict[str, int] = field(default_factory=dict)  # LLVM's latencies of a load
    dividers: list[str] = field(default_factory=list)  # LLVM's units that hold a divider
    measured: str = ""  # of which processor measurements are used
    reason: str = ""  # what a line says that a measurement has changed
    fixes: list[Fix] = field(default_factory=list)
    ops: list[Fix] = field(default_factory=list)


def values_of(words: list[str]) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words)


def read_recipe(name: str) -> Recipe:
    recipe = Recipe(name)
    read_lines(recipe, f"{name}.recipe")
    return recipe


def read_lines(recipe: Recipe, name: str) -> None:
    for line in (CORES / name).read_text().splitlines():
        text, _, comment = line.partition("#")
        key, _, rest = text.strip().partition(" ")
        rest = rest.strip()
        if key == "mca":
            recipe.command = rest.split()
        elif key == "forms":
            recipe.forms = rest
        elif key == "unit":
            unit, *ports = rest.split()
            recipe.units[unit] = ports
        elif key == "ignore":
            recipe.ignored += rest.split()
        elif key == "mcaload":
            recipe.loads = {kind: int(cycles) for kind, cycles in values_of(rest.split()).items()}
        elif key == "dividers":
            recipe.dividers = rest.split()
        elif key == "measurements":
            recipe.measured, _, recipe.reason = rest.partition(" ")
        elif key == "include":
            read_lines(recipe, rest)
        elif key == "fix":
            pattern, *values = re.split(r"\s+(?=\w+=)", rest)
            recipe.fixes.append(Fix(pattern, values_of(values), comment.strip()))
        elif key == "op":
            pattern, *values = re.split(r"\s+(?=\w+=)", rest)
            recipe.ops.append(Fix(pattern, values_of(values), comment.strip()))
        else:
            take_head(recipe, key, rest, line)


def take_head(recipe: Recipe, key: str, rest: str, line: str) -> None:
    if key == "ports":
        recipe.ports = rest.split()
    if key == "group":
        group, ports = rest.split("=")
        recipe.groups[group.strip()] = ports.split()
    elif key in ("access", "default"):
        recipe.tail.append(line)
    else:
        recipe.head.append(line)


# ------------------------------------------------------------ from LLVM's to ours


def own_use(recipe: Recipe, members: dict[str, list[str]], row: Row) -> dict[frozenset[str], int]:
    """Cycles of ports that an instruction takes, by the smallest set of ports that LLVM names: it counts each also for
    all larger ones."""
    sets: dict[frozenset[str], int] = {}
    for resource, cycles in row.resources.items():
        units = members.get(resource, [resource])
        ports = {port for unit in units for port in recipe.units.get(unit, [])}
        is_memory = any(re.fullmatch(pattern, resource) for pattern in recipe.ignored)
        if ports and not is_memory:
            sets[frozenset(ports)] = max(cycles, sets.get(frozenset(ports), 0))
    own: dict[frozenset[str], int] = {}
    for ports in sorted(sets, key=lambda one: (len(one), sorted(one))):
        rest = sets[ports] - sum(cycles for inner, cycles in own.items() if inner < ports)
        if rest > 0:
            own[ports] = rest
    return own


def figures_of(recipe: Recipe, members: dict[str, list[str]], form: str, row: Row) -> Figures:
    """With more cycles than micro-operations, one of them holds its port."""
    figures = Figures(row.latency, row.slots)
    kinds = split_form(form)[1]
    has_memory = any(is_memory(kind) for kind in kinds)
    is_arm = recipe.forms == "arm64"
    stored = has_memory and (form.startswith("st") if is_arm else is_memory(kinds[0]))
    loaded = has_memory and not stored
    if loaded:
        letters = "vqdshb" if is_arm else "xyz"
        is_vector = any(kind[0] in letters and (is_arm or len(kind) == 1) for kind in kinds)
        is_wide = not is_arm and {"y", "z"} & set(kinds)
        load = recipe.loads["wide" if is_wide else "vector" if is_vector else "integer"]
        figures.latency = max(0, row.latency - load)
    if loaded or stored:
        figures.slots = max(1, row.slots - 1)
    figures.divider = max((row.resources.get(unit, 0) for unit in recipe.dividers), default=0)
    own = own_use(recipe, members, row)
    for ports, cycles in own.items():
        is_one = len(own) == 1 and row.slots == 1 and cycles > 1
        figures.uses[ports] = 1 if is_one else cycles
        if is_one:
            figures.occupied[ports] = cycles
    return figures


def ports_of(recipe: Recipe, name: str) -> frozenset[str]:
    """Those of a group or port; "alu03" are alu0 and alu3."""
    prefix = name.rstrip("0123456789")
    ports = recipe.groups.get(name) or ([name] if name in recipe.ports else [])
    ports = ports or [prefix + digit for digit in name[len(prefix) :]]
    if not ports or set(ports) - set(recipe.ports):
        raise SystemExit(f"make_core: {recipe.name}: there is no port or group {name}")
    return frozenset(ports)


def uses_of(
    recipe: Recipe, text: str
) -> tuple[dict[frozenset[str], float], dict[frozenset[str], int]]:
    """`GROUP*COUNT@CYCLES,...` of a correction."""
    uses: dict[frozenset[str], float] = {}
    occupied = {}
    for item in text.split(","):
        found = re.fullmatch(r"(\w+)(?:\*(\d+))?(?:@(\d+))?", item)
        assert found, text
        if found.group(1) == "none":
            continue
        ports = ports_of(recipe, found.group(1))
        uses[ports] = int(found.group(2) or 1)
        if found.group(3):
            occupied[ports] = int(found.group(3))
    return uses, occupied


def correct(recipe: Recipe, figures: Figures, fix: Fix) -> None:
    for key, value in fix.values.items():
        if key == "uses":
            figures.uses, figures.occupied = uses_of(recipe, value)
        elif key == "latency":
            figures.latency = float(value)
        elif key == "slots":
            figures.slots = int(value)
        elif key == "divider":
            figures.divider = int(value)
        else:
            raise SystemExit(f"make_core: {recipe.name}: {key} is not a word of a correction")
    if fix.reason:
        figures.reasons = [fix.reason]


def throughput_of(figures: Figures) -> float:
    """Cycles an instruction takes of the ports that bound it, if ports are used evenly."""
    sets = list(figures.uses)
    chosen = [
        frozenset().union(*some)
        for n in range(1, len(sets) + 1)
        for some in itertools.combinations(sets, n)
    ]
    return max((load_of(figures, union) / len(union) for union in chosen), default=0)


def load_of(figures: Figures, union: frozenset[str]) -> float:
    """Cycles of ports that can be taken of these ports alone."""
    return sum(
        n * figures.occupied.get(ports, 1) for ports, n in figures.uses.items() if ports <= union
    )


@dataclass
class Measured:
    latency: float | None
    throughput: float | None


def read_measured(name: str) -> dict[str, Measured]:
    path = CORES / f"{name}.measured"
    measured = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        text = line.partition("#")[0].strip()
        if text:
            form, *values = re.split(r"\s+(?=\w+=)", text)
            found = {key: float(value) for key, value in values_of(values).items()}
            measured[form] = Measured(found.get("latency"), found.get("cycles"))
    return measured


def take_measured(recipe: Recipe, figures: Figures, measured: Measured) -> None:
    """A latency is what was measured; and if an instruction takes more or fewer cycles than its ports say by a
    fifth, ports are held for longer, or there are more of them."""
    reasons = []
    if measured.latency is not None and round(measured.latency) != figures.latency:
        figures.latency = round(measured.latency)
        reasons.append("latency")
    if measured.throughput is not None and figures.uses:
        now = throughput_of(figures)
        differs = abs(measured.throughput - now) > 0.2 * max(now, measured.throughput)
        if differs and fit(recipe, figures, measured.throughput):
            reasons.append("cycles")
    if reasons:
        figures.reasons.append(f"{recipe.reason} " + ", ".join(reasons))


def fit(recipe: Recipe, figures: Figures, cycles: float) -> bool:
    """Makes the ports that are used by most take that many cycles an instruction; false: they do already."""
    before = dict(figures.uses), dict(figures.occupied)
    load = {
        ports: n * figures.occupied.get(ports, 1) / len(ports) for ports, n in figures.uses.items()
    }
    ports = max(load, key=lambda one: (load[one], sorted(one)))
    wider = [frozenset(group) for group in recipe.groups.values() if ports < frozenset(group)]
    if figures.uses[ports] == 1 and cycles * len(ports) < 0.85:
        ports = min(wider, key=lambda one: abs(1 / len(one) - cycles), default=ports)
    n = figures.uses.get(ports, 1)
    taken = max(1, round(cycles * len(ports)))
    figures.uses = {ports: min(n, taken)}
    held = max(1, round(taken / figures.uses[ports]))
    figures.occupied = {ports: held} if held > 1 else {}
    return before != (figures.uses, figures.occupied)


# ------------------------------------------------------------ forms


def register_form(form: str) -> str:
    """The form with a register in the place of memory, as the estimate looks for it."""
    mnemonic, kinds = split_form(form)
    if (
        "m" in kinds or "m!" in kinds
    ):  # of aarch64, where no instruction but loads and stores has memory
        return form
    is_vector = any(kind in ("x", "y", "z") for kind in kinds)
    vector = {128: "x", 256: "y", 512: "z"}
    made = []
    for kind in kinds:
        if kind[0] == "m" and kind[1:].isdigit():
            bits = int(kind[1:])
            kind = vector.get(bits, "x") if is_vector else f"r{bits}"
        made.append(kind)
    return f"{mnemonic} {','.join(made)}" if made else mnemonic


def read_forms(name: str) -> list[str]:
    lines = (CORES / f"{name}.forms").read_text().splitlines()
    return [line for line in lines if line and line[0] != "#"]


def asked_of(recipe: Recipe) -> dict[str, Figures]:
    """What LLVM says of all forms."""
    forms = read_forms(recipe.forms)
    wanted = sorted({register_form(form) for form in forms} | set(forms))
    syntax = ["-x86-asm-syntax=intel", "--output-asm-variant=1"] if recipe.forms == "x86" else []
    questions = [(form, text) for form in wanted for text in instances_of(recipe.forms, form)]
    model = ask(recipe.command, [text for _, text in questions], syntax)
    known: dict[str, Row] = {}
    for (form, _), row in zip(questions, model.rows):
        if row:
            known.setdefault(form, row)
    found = {}
    for form in forms:
        plain = register_form(form)
        best = plain if plain in known else form
        if best in known:
            found[best] = figures_of(recipe, model.members, best, known[best])
    return found


# ------------------------------------------------------------ the file


def group_name(recipe: Recipe, ports: frozenset[str]) -> str:
    for name, members in recipe.groups.items():
        if set(members) == ports:
            return name
    prefixes = {re.sub(r"\d+$", "", port) for port in ports}
    order = [port for port in recipe.ports if port in ports]
    if len(order) == 1:
        return order[0]
    if len(prefixes) == 1:
        prefix = prefixes.pop()
        return prefix + "".join(port[len(prefix) :] for port in order)
    return "_".join(order)


def use_text(recipe: Recipe, figures: Figures) -> str:
    items = []
    for ports in sorted(figures.uses, key=lambda one: (len(one), group_name(recipe, one))):
        n, held = figures.uses[ports], figures.occupied.get(ports, 1)
        items.append(
            group_name(recipe, ports)
            + (f"*{n:.0f}" if n != 1 else "")
            + (f"@{held}" if held != 1 else "")
        )
    return ",".join(items) or "none"


def op_line(recipe: Recipe, form: str, figures: Figures) -> str:
    words = [f"op {form} latency={figures.latency:g}", f"slots={figures.slots}"]
    words.append(f"uses={use_text(recipe, figures)}")
    if figures.divider:
        words.append(f"divider={figures.divider}")
    if figures.reasons:
        words.append("# " + "; ".join(figures.reasons))
    return " ".join(words)


def corrected(recipe: Recipe) -> dict[str, Figures]:
    found = asked_of(recipe)
    for form, measured in read_measured(recipe.measured).items():
        if form in found:
            take_measured(recipe, found[form], measured)
    for fix in recipe.fixes:
        fitting = [form for form in found if re.fullmatch(fix.pattern, form)]
        for form in fitting:
            correct(recipe, found[form], fix)
    for fix in recipe.ops:
        figures = found.setdefault(fix.pattern, Figures(1, 1))
        correct(recipe, figures, fix)
    return found


def made(name: str, mca: str) -> str:
    recipe = read_recipe(name)
    recipe.command = [mca, *recipe.command]
    found = corrected(recipe)
    used = {ports for figures in found.values() for ports in figures.uses}
    groups = {name: ports for name, ports in recipe.groups.items()}
    for ports in used:
        groups.setdefault(
            group_name(recipe, ports), [port for port in recipe.ports if port in ports]
        )
    lines = list(recipe.head)
    while lines and not lines[-1]:
        lines.pop()
    lines += [f"group {group} = {' '.join(groups[group])}" for group in sorted(groups)]
    lines += [*recipe.tail, ""]
    lines += [op_line(recipe, form, found[form]) for form in sorted(found)]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--llvm-mca", default="llvm-mca-22", metavar="PATH")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if a file would change"
    )
    parser.add_argument("name", nargs="+")
    options = parser.parse_args()
    changed = False
    for name in options.name:
        path = MACHINES / f"{name}.core"
        text = made(name, options.llvm_mca)
        if path.exists() and path.read_text() == text:
            continue
        changed = True
        if options.check:
            print(f"{path.name} would change")
        else:
            path.write_text(text)
    return 1 if changed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
