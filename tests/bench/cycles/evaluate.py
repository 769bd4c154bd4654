#!/usr/bin/env python3
"""How near the estimate of cycles comes to native time.

    tests/bench/cycles/evaluate.py study             kernels: after one scale factor; own
    tests/bench/cycles/evaluate.py real              programs: without one
    tests/bench/cycles/evaluate.py causes            kernels made to be bound by one cause
    tests/bench/cycles/evaluate.py functions         the largest functions of ten programs, against samples
    tests/bench/cycles/evaluate.py study --native=study-zen4-repeated

A subject is profiled where its profile is older than it; native time is that of measure.py. Then cg2 convert
estimates each profile anew. --only-profile makes profiles and no more.
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import inputs
from measure import cycles
from sampling import SAMPLED, owners, samples_of
from subjects import HERE, TOP, WORK, Subject, build, profile, subjects

from cg2tools.profile.columns import Columns
from cg2tools.profile.reader import read_profile

ESTIMATES = ("Ir", "CEst", "Cyc")
LARGEST = 20  # functions of a program
CHANGED = 1.2  # a pair counts whose time changes by more


@dataclass(frozen=True)
class Row:
    """What was measured of a subject, and what each event makes of it."""

    subject: Subject
    native: float
    estimates: Mapping[str, float]  # Ir, CEst, Cyc, and each part of Cyc
    seconds: float  # of the command


def cycles_by_function(path: Path) -> Counter[tuple[str, str]]:
    """The estimated cycles of each function, as sampling.py knows functions."""
    found: Counter[tuple[str, str]] = Counter()
    known = owners(path)
    for part in read_profile(str(path)).parts:
        columns = Columns(part, ["Cyc"], [])
        for key, function in part.functions.items():
            for position, cost in function.costs.items():
                place = (key.object, position.instr)
                if place in known:
                    found[known[place]] += int(columns.value("Cyc", cost))
    return found


def totals(path: Path) -> dict[str, float]:
    """The totals of a profile by event, formulas among them."""
    found: dict[str, float] = {}
    for part in read_profile(str(path)).parts:
        total = part.self_total()
        for event in [*part.events, *part.event_definitions]:
            columns = Columns(part, [event], [])
            found[event] = found.get(event, 0) + columns.value(event, total)
    return found


def estimated(subject: Subject, cpu: str) -> tuple[dict[str, float], float]:
    """The totals of a subject's profile with its cycles, and how long the command took."""
    out = WORK / f"{subject.name}.cycles"
    command: list[str | Path] = [
        TOP / "tools" / "cg2_convert",
        f"--cycles={cpu}",
        subject.profile,
        "-o",
        out,
    ]
    begun = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    taken = time.monotonic() - begun
    return totals(out), taken


LEVEL = re.compile(r"^cache \S+ size=\d+[KM]", re.M)
"""What a machine says of a level."""


def with_last_level(machine: str, size: str) -> str:
    """A file of the machine whose last level is smaller: a host may give a guest a part of its ways."""
    text = (TOP / "cg2" / "machines" / f"{machine}.machine").read_text()
    *_, last = LEVEL.finditer(text)
    smaller = re.sub(r"=.*", f"={size}", last[0])
    file = WORK / f"{machine}-{size}.machine"
    file.write_text(text[: last.start()] + smaller + text[last.end() :])
    return str(file)


def tau(x: Sequence[float], y: Sequence[float]) -> float:
    """Kendall's: pairs in the same order less those in the other, of all."""
    n = len(x)
    signs = ((x[i] - x[j]) * (y[i] - y[j]) for i in range(n) for j in range(i))
    return sum((sign > 0) - (sign < 0) for sign in signs) / (n * (n - 1) / 2)


def spearman(x: Sequence[float], y: Sequence[float]) -> float:
    """The correlation of ranks."""

    def ranks(values: Sequence[float]) -> list[int]:
        order = sorted(range(len(values)), key=values.__getitem__)
        return [rank for _, rank in sorted(zip(order, range(len(order)), strict=True))]

    n = len(x)
    squares = sum((a - b) ** 2 for a, b in zip(ranks(x), ranks(y), strict=True))
    return 1 - 6 * squares / (n * (n * n - 1))


def nine_tenths(values: Sequence[float]) -> float:
    return sorted(values)[int(0.9 * (len(values) - 1) + 0.5)]


def factor(rows: Sequence[Row], estimate: str) -> float:
    """What all estimates are multiplied by: the median of what each would need."""
    return math.exp(
        statistics.median(math.log(row.native / row.estimates[estimate]) for row in rows)
    )


def print_errors(rows: Sequence[Row], scaled: bool) -> None:
    for estimate in ESTIMATES:
        values = [row.estimates[estimate] for row in rows]
        native = [row.native for row in rows]
        scale = factor(rows, estimate) if scaled else 1.0
        errors = [abs(scale * value / true - 1) for value, true in zip(values, native, strict=True)]
        print(
            f"{estimate:5} n {len(rows)}  tau {tau(values, native):.3f}  Spearman"
            f" {spearman(values, native):.3f}  factor {scale:.3f}  error: median"
            f" {100 * statistics.median(errors):.1f} %, 90 % within {100 * nine_tenths(errors):.0f} %,"
            f" largest {100 * max(errors):.0f} %"
        )


def print_kinds(rows: Sequence[Row], scaled: bool) -> None:
    """The error of each class of code."""
    scale = factor(rows, "Cyc") if scaled else 1.0
    kinds: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        kinds[row.subject.kind].append(abs(scale * row.estimates["Cyc"] / row.native - 1))
    for kind, errors in sorted(kinds.items()):
        print(f"  {kind:9} n {len(errors):3}  median {100 * statistics.median(errors):.0f} %")


def print_pairs(rows: Sequence[Row]) -> None:
    """How often the sign is right where one kernel becomes another, and how far off the ratio is."""
    by_name = {row.subject.name: row for row in rows}
    for estimate in ESTIMATES:
        right, wrong, off = 0, [], []
        for line in (HERE / "pairs.tsv").read_text().splitlines():
            pair, before, after, _ = line.split("\t")
            if before not in by_name or after not in by_name:
                continue
            a, b = by_name[before], by_name[after]
            true = b.native / a.native
            said = b.estimates[estimate] / a.estimates[estimate]
            off.append(math.exp(abs(math.log(said / true))))
            if abs(math.log(true)) > math.log(CHANGED):
                right += (true > 1) == (said > 1)
                wrong += [pair] if (true > 1) != (said > 1) else []
        if off:
            print(
                f"{estimate:5} pairs that change by > 20 %: sign right in {right} of"
                f" {right + len(wrong)}; ratio off by {statistics.median(off):.2f} in the median,"
                f" 90 % within {nine_tenths(off):.2f}; wrong: {' '.join(wrong) or 'none'}"
            )


def largest_cause(row: Row) -> str:
    """The part of Cyc that is largest beside CyRet."""
    causes = [
        name for name in row.estimates if name.startswith("Cy") and name not in ("Cyc", "CyRet")
    ]
    return max(causes, key=lambda name: row.estimates[name])


def print_causes(rows: Sequence[Row]) -> None:
    right = 0
    for row in rows:
        found = largest_cause(row)
        right += found == row.subject.kind
        parts = {n: v for n, v in row.estimates.items() if n.startswith("Cy") and n != "Cyc"}
        shown = sorted(parts.items(), key=lambda part: -part[1])[:4]
        print(
            f"{row.subject.name:12} {row.subject.kind:6} found {found:6} Cyc/native"
            f" {row.estimates['Cyc'] / row.native:.2f} "
            + " ".join(
                f"{name} {100 * value / row.estimates['Cyc']:.0f} %" for name, value in shown
            )
        )
    print(f"largest beside CyRet: right in {right} of {len(rows)}")


def print_functions(subject: Subject, cpu: str) -> float | None:
    """How the order of the largest functions by samples agrees with that by cycles."""
    samples = samples_of(subject.name, cpu)
    if not samples:
        print(f"evaluate.py: {subject.name} was not sampled", file=sys.stderr)
        return None
    estimated(subject, cpu)
    estimate = cycles_by_function(WORK / f"{subject.name}.cycles")
    n, total = sum(samples.values()), sum(estimate.values())
    largest = [function for function, _ in samples.most_common(LARGEST)]
    shares = [(samples[one] / n, estimate[one] / total) for one in largest]
    agreement = spearman([a for a, _ in shares], [b for _, b in shares])
    off = statistics.median(abs(b / a - 1) for a, b in shares)
    print(
        f"{subject.name:10} {n:6} samples  {len(largest)} functions have"
        f" {100 * sum(a for a, _ in shares):.0f} %  Spearman {agreement:.3f}"
        f"  shares off by {100 * off:.0f} % in the median"
    )
    return agreement


def print_all_functions(chosen: Sequence[Subject], cpu: str) -> None:
    found = [print_functions(subject, cpu) for subject in chosen]
    known = [one for one in found if one is not None]
    if known:
        good = sum(one >= 0.95 for one in known)
        print(
            f"Spearman: median {statistics.median(known):.3f}; at least .95 in {good} of {len(known)}"
        )


def print_rows(rows: Sequence[Row]) -> None:
    for row in sorted(rows, key=lambda row: row.estimates["Cyc"] / row.native):
        print(
            f"{row.subject.name:16} {row.subject.kind:9} cycles {row.native:12.0f}  Cyc/native"
            f" {row.estimates['Cyc'] / row.native:5.2f}  CEst/native"
            f" {row.estimates['CEst'] / row.native:5.2f}  {row.seconds:.2f} s"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("set", choices=("own", "study", "causes", "real", "functions"))
    parser.add_argument("names", nargs="*", help="of these alone")
    parser.add_argument("--cycles", default="zen4", help="the processor's name")
    parser.add_argument("--machine", default="zen4", help="the machine that profiles simulate")
    parser.add_argument("--last-level", help="how much of it a guest had that was measured: 4M")
    parser.add_argument("--native", help="another file of native/, without .csv")
    parser.add_argument("--only-profile", action="store_true")
    parser.add_argument("--rows", action="store_true", help="print each subject")
    asked = parser.parse_args()
    WORK.mkdir(exist_ok=True)
    by_function = asked.set == "functions"
    names = asked.names or (SAMPLED if by_function else ())
    chosen = [
        one
        for one in subjects("real" if by_function else asked.set)
        if not names or one.name in names
    ]
    if asked.set in ("real", "functions") and not (WORK / "work.sql").exists():
        inputs.make(WORK)
    machine = (
        with_last_level(asked.machine, asked.last_level) if asked.last_level else asked.machine
    )
    for subject in chosen:
        build(subject)
        profile(subject, machine)
    if asked.only_profile:
        return
    if by_function:
        print_all_functions(chosen, asked.cycles)
        return
    native = cycles(HERE / "native" / f"{asked.native or asked.set + '-' + asked.cycles}.csv")
    rows = []
    for subject in chosen:
        if subject.name not in native:
            print(f"evaluate.py: {subject.name} was not measured", file=sys.stderr)
            continue
        estimates, seconds = estimated(subject, asked.cycles)
        rows.append(Row(subject, native[subject.name], estimates, seconds))
    scaled = asked.set != "real"
    if asked.set == "causes":
        print_causes(rows)
    elif len(rows) > 1:
        print_errors(rows, scaled)
        print_kinds(rows, scaled)
        print_pairs(rows)
    if asked.rows:
        print_rows(rows)
    print(
        f"cg2 convert took {sum(row.seconds for row in rows) / len(rows):.2f} s on average,"
        f" {max(row.seconds for row in rows):.2f} s at most"
    )


if __name__ == "__main__":
    main()
