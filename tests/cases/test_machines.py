"""Described machines (--machine, --private-caches) and a second level (--L2), as a run shows them."""

from __future__ import annotations

import re
import unittest
from collections.abc import Mapping
from pathlib import Path

import together
from case import Case
from cg2test import SOURCE, can_run_32_bits, compile, host_flags, new_directory, run_cg2
from cg2tools.profile.model import Part
from cg2tools.profile.reader import read_profile

LEVELS = "--I1=1024,2,32", "--D1=4096,4,64", "--LL=65536,8,64"
FIRST = "cache I1 size=1K ways=2 line=32 write={first}\ncache D1 size=4K ways=4 write={first}\n"
LAST = "cache L{n} size=64K ways=8 write={last}\nlevels ask=whole\n"
MACHINES = sorted(path.stem for path in (SOURCE / "cg2" / "machines").glob("*.machine"))


def machine(text: str) -> str:
    path = new_directory() / "some.machine"
    path.write_text(text)
    return f"--machine={path}"


def costs(part: Part) -> Mapping[str, Mapping[str, int]]:
    """What each function costs itself, by event."""
    return {
        key.name: dict(zip(part.events, f.self_cost(), strict=True))
        for key, f in part.functions.items()
    }


class Machines(Case):
    def part(self, *options: str, program: Path | None = None, args: tuple[str, ...] = ()) -> Part:
        run = run_cg2([program or compile("misses.c", "-O2", "-static"), *args], *options)
        self.assertEqual(run.status, 0, run.stderr)
        [part] = read_profile(run.profile_paths[0]).parts
        part.check()
        return part

    def check_same(self, plain: Part, described: Part, n_events: int) -> None:
        """All events of `plain` are what they are in `described`, for each function."""
        self.assertEqual(len(plain.events), n_events)
        expected = costs(plain)
        found = costs(described)
        for name, events in expected.items():
            self.assertEqual({e: found[name][e] for e in events}, events, name)
        self.assertTrue(all(plain.self_total()[:9]), plain.self_total())

    def test_as_plain(self) -> None:
        """Callgrind's machine, described, counts what it does; also when each thread has a copy."""
        plain = self.part(*LEVELS)
        text = FIRST.format(first="none") + LAST.format(n=2, last="none")
        self.check_same(plain, self.part(machine(text)), 9)
        self.check_same(plain, self.part(*LEVELS, "--private-caches=yes"), 9)

    def test_as_written_back(self) -> None:
        plain = self.part(*LEVELS, "--simulate-wb=yes")
        text = FIRST.format(first="through") + LAST.format(n=2, last="back")
        self.check_same(plain, self.part(machine(text)), 12)
        self.check_same(plain, self.part(*LEVELS, "--simulate-wb=yes", "--private-caches=yes"), 12)

    def test_second_level(self) -> None:
        """--L2 is between the others: they count what they do without it, or less."""
        without = self.part(*LEVELS)
        plain = self.part(*LEVELS, "--L2=16384,4,64")
        self.assertEqual(plain.events[9:], ["I2mr", "D2mr", "D2mw"])
        at = {event: i for i, event in enumerate(plain.events)}
        total, before = plain.self_total(), without.self_total()
        for event in ("Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw"):
            self.assertEqual(total[at[event]], before[at[event]])
        for i1, i2, last in (
            ("I1mr", "I2mr", "ILmr"),
            ("D1mr", "D2mr", "DLmr"),
            ("D1mw", "D2mw", "DLmw"),
        ):
            self.assertTrue(total[at[i1]] > total[at[i2]] >= total[at[last]] > 0)
        text = (
            FIRST.format(first="none")
            + "cache L2 size=16K ways=4 write=none\n"
            + LAST.format(n=3, last="none")
        )
        self.check_same(plain, self.part(machine(text)), 12)
        self.check_same(plain, self.part(*LEVELS, "--L2=16384,4,64", "--private-caches=yes"), 12)
        wb = self.part(*LEVELS, "--L2=16384,4,64", "--simulate-wb=yes")
        self.assertEqual(wb.events[9:], ["ILdmr", "DLdmr", "DLdmw", "I2mr", "D2mr", "D2mw"])
        self.check_same(
            wb,
            self.part(*LEVELS, "--L2=16384,4,64", "--simulate-wb=yes", "--private-caches=yes"),
            15,
        )

    def test_geometries(self) -> None:
        """Any number of sets, any number of ways, lines of 16 to 4096 bytes."""
        for option in (
            "--LL=5242880,2,64",
            "--LL=5242880,20,64",
            "--LL=12582912,24,64",
            "--LL=37748736,18,64",
            "--LL=1048576,16384,64",
            "--D1=49152,12,64",
            "--D1=1024,64,16",
            "--D1=16384,4,4096",
            "--I1=96,2,16",
        ):
            with self.subTest(option):
                _, reads, writes, i1, d1r, d1w, il, dlr, dlw = self.part(option).self_total()
                self.assertTrue(reads > d1r >= dlr > 0 and writes > d1w >= dlw > 0 and i1 >= il > 0)

    def test_estimate(self) -> None:
        """Each event costs what the next level takes longer; viewers add it up."""
        text = (
            "machine Small\ncache I1 size=1K ways=2 latency=3\ncache D1 size=1K ways=2 latency=4\n"
            "cache L2 size=16K ways=4 latency=14\nmemory latency=100\n"
            "tlb L1 entries=8 ways=full\ntlb L2 entries=64 ways=4 latency=7\nwalk latency=25\n"
        )
        run = run_cg2([compile("calls.c", "-O0", "-static")], machine(text))
        profile = run.profile_paths[0].read_text()
        formula = (
            "Ir + 11 I1mr + 10 D1mr + 10 D1mw + 86 ILmr + 86 DLmr + 86 DLmw"
            " + 7 IT1mr + 7 DT1mr + 7 DT1mw + 25 IT2mr + 25 DT2mr + 25 DT2mw"
        )
        self.assertIn(f"\nevent: CEst = {formula} : Cycle Estimation\nevents: Ir ", profile)
        self.assertIn("\nevent: DT2mw : L2 TLB Data Write Miss\n", profile)
        self.assertIn("\ndesc: Machine: Small\n", profile)
        self.assertIn("\ndesc: D1 cache: 1024 B, 64 B, 2-way associative\n", profile)
        part = read_profile(run.profile_paths[0]).parts[0]
        counts = dict(zip(part.events, part.self_total(), strict=True))
        for level in ("L1", "L2 TLB"):
            kinds = ("I1mr", "D1mr", "D1mw") if level == "L1" else ("IT2mr", "DT2mr", "DT2mw")
            numbers = [f"{counts[kind]:,}" for kind in kinds]
            found = re.search(
                rf"{level} misses +([\d,]+)  \((\S+) fetches \+ (\S+) rd \+ (\S+) wr\)", run.stderr
            )
            assert found is not None, run.stderr
            self.assertEqual(list(found.groups()[1:]), numbers)
            self.assertEqual(int(found[1].replace(",", "")), sum(counts[kind] for kind in kinds))

    def test_branches(self) -> None:
        """With --branch-sim a misprediction costs what is described; the predictor has a name. Without, it is
        not used."""
        text = machine("cache L1 size=1K ways=2\nbranches predictor=gshare bits=9 latency=17\n")
        run = run_cg2([compile("calls.c", "-O0", "-static")], text, "--branch-sim=yes")
        profile = run.profile_paths[0].read_text()
        self.assertIn(
            "\nevent: CEst = Ir + 17 Bcm + 17 Bim : Cycle Estimation\nevents: Ir ", profile
        )
        self.assertIn("\ndesc: Branch predictor: gshare bits=9 history=9\n", profile)
        lines = [line.split("== ", 1)[-1] for line in run.stderr.splitlines()]
        self.assertIn("Predictor:     gshare bits=9 history=9", lines)
        part = read_profile(run.profile_paths[0]).parts[0]
        part.check()
        counts = dict(zip(part.events, part.self_total(), strict=True))
        self.assertRegex(
            run.stderr,
            rf"Mispredicts: +{counts['Bcm'] + counts['Bim']:,}  \( *{counts['Bcm']:,} cond \+",
        )
        run = run_cg2([compile("calls.c", "-O0", "-static")], text)
        profile = run.profile_paths[0].read_text()
        self.assertNotRegex(profile, "CEst|Branch predictor|Bcm")
        self.assertNotIn("redict", run.stderr)

    def test_branches_last(self) -> None:
        """Their terms stand behind those of caches, in the order of the columns."""
        text = "cache L1 size=1K ways=2\nmemory latency=50\nbranches predictor=tage latency=3\n"
        profile = (
            run_cg2([compile("calls.c", "-O0", "-static")], machine(text), "--branch-sim=yes")
            .profile_paths[0]
            .read_text()
        )
        self.assertIn(
            "\nevent: CEst = Ir + 50 I1mr + 50 D1mr + 50 D1mw + 3 Bcm + 3 Bim + 3 Brm : Cycle Estimation\n",
            profile,
        )
        self.assertRegex(profile, r"\nevents: Ir Dr Dw .* Bc Bcm Bi Bim Brm\n")

    def check_branches(self, *flags: str) -> None:
        """What each predictor changes of a program, against none described."""
        program = compile("misses.c", "-O2", "-static", *flags)
        plain = costs(self.part("--branch-sim=yes", program=program))
        text = "cache L1 size=32K ways=8\nbranches predictor={}\n"
        for predictor in ("callgrind", "gshare", "perceptron", "tage"):
            with self.subTest(predictor):
                part = self.part(
                    "--branch-sim=yes", machine(text.format(predictor)), program=program
                )
                found = costs(part)
                same = ["Ir", "Bc", "Bi"]
                if predictor == "callgrind":
                    same.append("Bcm")
                if predictor != "tage":  # which predicts computed targets, too
                    same.append("Bim")
                for name, events in plain.items():
                    self.assertEqual(
                        {e: found[name][e] for e in same}, {e: events[e] for e in same}, name
                    )
                total = dict(zip(part.events, part.self_total(), strict=True))
                self.assertTrue(0 < total["Bcm"] < total["Bc"] // 4, total)

    def test_branches_as_plain(self) -> None:
        """A described predictor changes what is mispredicted, and nothing else; Callgrind's changes
        nothing."""
        self.check_branches()

    @unittest.skipUnless(can_run_32_bits(), "no 32-bit programs here")
    def test_branches_as_plain_x86(self) -> None:
        """The same in a 32-bit program."""
        self.check_branches("-m32")

    def test_prefetched(self) -> None:
        """What a prefetcher brings is counted where it is used, by level: it is what would have missed
        without one. The estimate has nothing of it."""
        levels = (
            "cache I1 size=32K ways=8\ncache D1 size=32K ways=8 latency=4 {}\n"
            "cache L2 size=256K ways=8 latency=14 {}\nmemory latency=100\n"
        )
        program = compile("streamed.c", "-O1", "-static")

        def walk(first: str, second: str) -> Mapping[str, int]:
            part = self.part(machine(levels.format(first, second)), program=program)
            return costs(part)["walk"]

        plain = walk("", "")
        self.assertNotIn("DLpr", plain)
        lines = 16384 + 1  # of 1 MB, and of the stack
        self.assertEqual((plain["D1mr"], plain["DLmr"]), (lines, lines))
        stride = walk("prefetch=stride", "")
        both = walk("prefetch=stride", "prefetch=stream")
        for found in (stride, both):
            self.assertGreater(found["D1pr"], lines * 9 // 10)
            self.assertEqual(found["D1mr"] + found["D1pr"], lines)
            self.assertEqual(found["DLmr"] + found["DLpr"], lines)
        self.assertLess(both["DLmr"], stride["DLmr"])
        stream = walk("", "prefetch=stream")
        self.assertEqual(stream["D1mr"], lines)
        self.assertEqual(stream["DLmr"] + stream["DLpr"], lines)
        self.assertGreater(stream["DLpr"], lines * 9 // 10)
        self.assertNotIn("D1pr", stream)
        page = walk("", "prefetch=page degree=8")
        self.assertEqual(page["DLmr"] + page["DLpr"], lines)
        self.assertLessEqual(page["DLmr"], lines // 64 + 2)  # the first of each page

        run = run_cg2([program], machine(levels.format("prefetch=stride", "")))
        text = run.profile_paths[0].read_text()
        self.assertIn("\nevent: DLpr : LL Data Read Prefetched\n", text)
        self.assertNotRegex(text, r"\nevent: CEst = .*[0-9L]p[rw]")
        self.assertRegex(
            run.stderr, r"LL prefetched +[\d,]+  \(\d+ fetches \+ [\d,]+ rd \+ \d+ wr\)"
        )

    def test_cleared(self) -> None:
        """A page that the kernel clears is in the caches when the program touches it first: each of its
        lines misses without that, none with it. Where a layout places memory, a page begins elsewhere: some
        lines of each map are as the page beside them."""
        levels = (
            "cache I1 size=32K ways=8\ncache D1 size=32K ways=8\ncache L2 size=64K ways=8\n"
            "page size=4K{}\ntlb I1 entries=16 ways=full\ntlb D1 entries=16 ways=full\n"
        )
        program = compile("freshpages.c", "-O1", "-static")
        fresh = ("bss", "map", "map_again", "grown", "brk", "brk_again", "new")
        others = ("moved", "file", "old")
        lines, pages = 64 * 64, 64
        cleared = " cleared=yes"
        for word, layout, far in (("", (), 0), (cleared, (), 0), (cleared, ("--layout=3",), 1)):
            found = costs(self.part(machine(levels.format(word)), *layout, program=program))
            for name in (*fresh, *others):
                with self.subTest(word, layout=layout, name=name):
                    events = found[f"fill_{name}"]
                    misses = 0 if word and name in fresh else lines
                    for event in "D1mw", "DLmw":
                        self.assertAlmostEqual(events[event], misses, delta=far * lines // 100)
                    self.assertEqual(events["Dw"], lines)
                    self.assertAlmostEqual(events["DT1mw"], pages, delta=far)

    def test_targets(self) -> None:
        """An interpreter's jumps, of which each place goes elsewhere each time: tage knows them by what came
        before. Returns are known, but for those of too many calls."""
        text = "cache L1 size=32K ways=8\nbranches predictor={}\n"
        program = compile("targets.c", "-O1", "-static")
        found = {}
        for predictor in ("gshare", "tage"):
            run = run_cg2([program], "--branch-sim=yes", machine(text.format(predictor)))
            [part] = read_profile(run.profile_paths[0]).parts
            found[predictor] = costs(part)
            if predictor == "tage":
                wrong = part.self_total()[part.events.index("Brm")]
                self.assertRegex(run.stderr, rf"(?m)^==\d+==   of returns: +{wrong}$")
        self.assertEqual(found["tage"]["interpret"]["Bi"], 6000)
        # The target is the last one for one operation in six, the third of a pair.
        self.assertGreater(found["gshare"]["interpret"]["Bim"], 4000)
        self.assertLess(found["tage"]["interpret"]["Bim"], 100)
        self.assertEqual(found["tage"]["interpret"]["Brm"], 0)
        # 60 calls in each other, of which 32 are remembered.
        names = [name for name in found["tage"] if name.split("'")[0] in ("one", "two", "three")]
        self.assertEqual(sum(found["tage"][name]["Brm"] for name in names), 60 - 32)
        self.assertNotIn("Brm", found["gshare"]["interpret"])

    def test_sharing(self) -> None:
        """Words that two threads write in turn, in one line: each write takes it from the other. In two: none
        does."""
        program = compile("sharing.c", "-O1", "-pthread", "-static")
        for distance, expected in (("8", 2 * 200 - 1), ("512", 0)):
            with self.subTest(distance):
                part = self.part(
                    "--private-caches=yes", "--D1=32768,8,64", program=program, args=(distance,)
                )
                bump = costs(part)["bump"]
                self.assertEqual(bump["Dciw"], expected)
                self.assertEqual(bump["Dw"], 2 * 200)
                # The other has written it since; but not before the first two.
                self.assertIn(bump["Dcmr"] + bump["Dcmw"], (expected - 1, 0))

    def test_gathers(self) -> None:
        """Gathers in a row, each with eight accesses, are counted as without a machine; VEX has no room for
        a block of so many, but for half of one."""
        if "avx2" not in host_flags():
            self.skipTest("this processor has no AVX2")
        program = compile("gathers.c", "-O1")
        described = "--machine=zen4", "--branch-sim=yes", "--vex-guest-max-insns=30"
        for options in (("--cache-sim=yes",), described):
            part = self.part(*options, program=program)
            self.assertEqual(costs(part)["gather"]["Dr"], 30 * 8 + 2, options)

    def test_named(self) -> None:
        """Each machine that comes with the tool has a name and sources, says what no source says, and
        runs."""
        self.assertGreaterEqual(len(MACHINES), 12)
        program = compile("misses.c", "-O2", "-static")
        help = run_cg2(["/bin/echo", "ran"], "--machine=help", out_file=None)
        self.assertEqual((help.status, help.stdout), (0, ""))
        listed = help.stderr
        for name in MACHINES:
            with self.subTest(name):
                text = (SOURCE / "cg2" / "machines" / f"{name}.machine").read_text()
                title = re.search(r"^machine (.*\S)$", text, re.MULTILINE)
                assert title is not None
                self.assertRegex(listed, rf"\n(==\d+==)? +{name} +{re.escape(title[1])}\n")
                self.assertRegex(text, r"(?m)^source \S")
                self.assertRegex(text, r"(?m)^# Assumed: \S")
                part = self.part(f"--machine={name}", program=program)
                at = {event: i for i, event in enumerate(part.events)}
                total = part.self_total()
                last = at.get("DLmr", at["D1mr"])
                self.assertTrue(total[at["Dr"]] > total[at["D1mr"]] >= total[last] > 0, name)

    def test_bad(self) -> None:
        """A bad description is refused in one line, before the program starts."""
        file = machine("cache I1 size=32K ways=8\ncache D1 size=32K ways=7\n")
        for options, expected in (
            (
                (file,),
                r"some\.machine:2: the size is no multiple of 7 \* 64 bytes, as 32704 and 33152 are",
            ),
            (
                ("--machine=pdp11",),
                r"cg2-machines/pdp11\.machine: there is no such file; --machine=help lists what",
            ),
            (
                (machine("branches predictor=gshare bits=21\n"), "--branch-sim=yes"),
                r"some\.machine:1: bits is a number from 4 to 20; K, M and G may follow; not '21'",
            ),
            (
                (machine("cache L1 size=1K ways=2\nbranches history=9\n"), "--branch-sim=yes"),
                r"some\.machine:2: bits and history are of predictor=gshare, perceptron or tage",
            ),
            (("--machine=/nowhere/a.machine",), r"/nowhere/a\.machine: there is no such file"),
            (("--machine=./",), r"\./: is no file"),
            (("--machine=",), "expected the name of a machine, or a file"),
            (("--machine=skylake", "--D1=1024,2,32"), "--D1 does not go together with --machine"),
            (
                ("--machine=skylake", "--simulate-wb=yes"),
                "--simulate-wb=yes does not go together with --machine",
            ),
            (
                ("--private-caches=yes", "--simulate-hwpref=yes"),
                "--simulate-hwpref=yes does not go together with --private-caches=yes",
            ),
            (("--L2=100,1,64",), r"the size is no multiple of 1 \* 64 bytes, as 64 and 128 are"),
        ):
            with self.subTest(" ".join(options)):
                run = run_cg2(["/bin/echo", "ran"], *options)
                self.assertEqual(run.status, 1)
                self.assertNotIn("ran", run.stdout)
                self.assertRegex(run.stderr, expected)
                self.assertNotRegex(run.stderr, "assert|Traceback")


class Together(together.Together):
    COUNTED = ("--machine=skylake",)
    OTHERS = (
        (
            "--separate-threads=yes",
            "--dump-instr=yes",
            "--collect-jumps=yes",
            "--private-caches=yes",
        ),
        ("--toggle-collect=main", "--collect-systime=nsec", "--collect-bus=yes"),
        ("--fn-skip=leaf", "--dump-every-bb=20000", "--skip-plt=no"),
        (
            "--branch-sim=yes",
            "--separate-threads=yes",
            "--collect-jumps=yes",
            "--private-caches=yes",
        ),
        ("--branch-sim=yes", "--toggle-collect=main", "--separate-callers=2", "--collect-bus=yes"),
    )
    X86 = ("--private-caches=yes", "--separate-threads=yes")

    def check_costs(self, part: Part) -> None:
        at = dict(zip(part.events, part.self_total(), strict=True))
        self.assertTrue(
            at["Dr"] >= at["D1mr"] >= at["D2mr"] >= at["DLmr"]
            and at["Dr"] >= at["DT1mr"] >= at["DT2mr"]
        )


if __name__ == "__main__":
    unittest.main()
