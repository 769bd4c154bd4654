"""The reader on small profiles: each construct of the format, with its numbers."""

from __future__ import annotations

import time
import unittest

from toolsupport import Position, key, part, read

HEADER = "# callgrind format\nevents: Ir\n"


class Manual(unittest.TestCase):
    """The examples of the format's own manual."""

    def test_simple_example(self) -> None:
        """Costs in the order of events:, those missing at the end are 0."""
        only = part(
            "# callgrind format\n"
            "events: Cycles Instructions Flops\n"
            "fl=file.f\n"
            "fn=main\n"
            "15 90 14 2\n"
            "16 20 12"
        )
        self.assertEqual(only.events, ["Cycles", "Instructions", "Flops"])
        self.assertEqual(only.positions, ["line"])
        (main,) = only.functions.values()
        self.assertEqual(main.key, key("main", "file.f"))
        self.assertEqual(
            main.costs,
            {
                Position("file.f", 0, 15): [90, 14, 2],
                Position("file.f", 0, 16): [20, 12, 0],
            },
        )
        self.assertEqual(main.self_cost(), [110, 26, 2])
        self.assertEqual(only.self_total(), [110, 26, 2])

    CALLS = """\
        fl=file1.c
        fn=main
        16 20
        cfn=func1
        calls=1 50
        16 400
        cfi=file2.c
        cfn=func2
        calls=3 20
        16 400

        fn=func1
        51 100
        cfi=file2.c
        cfn=func2
        calls=2 20
        51 300

        fl=file2.c
        fn=func2
        20 700
        """

    COMPRESSED = """\
        fl=(1) file1.c
        fn=(1) main
        16 20
        cfn=(2) func1
        calls=1 50
        16 400
        cfi=(2) file2.c
        cfn=(3) func2
        calls=3 20
        16 400

        fn=(2)
        51 100
        cfi=(2)
        cfn=(3)
        calls=2 20
        51 300

        fl=(2)
        fn=(3)
        20 700
        """

    FIRST_NAMES_THEN_COSTS = """\
        # define file ID mapping
        fl=(1) file1.c
        fl=(2) file2.c
        # define function ID mapping
        fn=(1) main
        fn=(2) func1
        fn=(3) func2

        fl=(1)
        fn=(1)
        16 20
        cfn=(2)
        calls=1 50
        16 400
        cfl=(2)
        cfn=(3)
        calls=3 20
        16 400
        fn=(2)
        51 100
        cfi=(2)
        cfn=(3)
        calls=2 20
        51 300
        fl=(2)
        fn=(3)
        20 700
        """

    def test_calls(self) -> None:
        """The extended example, plain, compressed, and with names first."""
        for body in (self.CALLS, self.COMPRESSED, self.FIRST_NAMES_THEN_COSTS):
            with self.subTest(body.strip().splitlines()[0]):
                self.check_calls(body.replace("        ", ""))

    def check_calls(self, body: str) -> None:
        only = part("events: Instructions\n\n" + body)
        main = key("main", "file1.c")
        func1 = key("func1", "file1.c")
        func2 = key("func2", "file2.c")
        self.assertEqual(list(only.functions), [main, func1, func2])
        self.assertEqual(
            {k: f.self_cost() for k, f in only.functions.items()},
            {main: [20], func1: [100], func2: [700]},
        )
        calls = [call for f in only.functions.values() for call in f.calls]
        self.assertEqual(
            [(c.caller, c.callee, c.count, c.inclusive) for c in calls],
            [
                (main, func1, 1, [400]),
                (main, func2, 3, [400]),
                (func1, func2, 2, [300]),
            ],
        )
        self.assertEqual(
            [(c.source, c.target) for c in calls],
            [
                (Position("file1.c", 0, 16), Position("file1.c", 0, 50)),
                (Position("file1.c", 0, 16), Position("file2.c", 0, 20)),
                (Position("file1.c", 0, 51), Position("file2.c", 0, 20)),
            ],
        )

    def test_compressed_positions(self) -> None:
        """Relative and hexadecimal subpositions of two columns."""
        absolute = part(
            "positions: instr line\nevents: ticks\n"
            "fn=func\n0x80001234 90 1\n0x80001237 90 5\n0x80001238 91 6\n"
        )
        relative = part(
            "positions: instr line\nevents: ticks\nfn=func\n0x80001234 90 1\n+3 * 5\n+1 +1 6\n"
        )
        self.assertEqual(
            absolute.functions[key("func")].costs,
            {
                Position("???", 0x80001234, 90): [1],
                Position("???", 0x80001237, 90): [5],
                Position("???", 0x80001238, 91): [6],
            },
        )
        self.assertEqual(absolute.functions, relative.functions)


class Header(unittest.TestCase):
    def test_every_key(self) -> None:
        profile = read(
            "# callgrind format\n"
            "version: 1\n"
            "creator: callgrind-3.19.0\n"
            "pid: 4711\n"
            "cmd:  ./prog -x a=b c:d\n"
            "part: 2\n"
            "thread: 3\n"
            "\n"
            "desc: I1 cache: \n"
            "desc: Timerange: Basic block 0 - 29968\n"
            "desc: Trigger: Client Request: hint: x\n"
            "\n"
            "positions: instr line\n"
            "event: Dr : Data Reads\n"
            "event: Sum = Ir + Dr\n"
            "event: Est = 10 Ir + 2*Dr - 3 * Sum : Estimate: all\n"
            "events: Ir Dr\n"
            "summary: 5 7\n"
            "\n"
            "fn=f\n"
            "0x10 1 5 7\n"
            "\n"
            "totals: 5 7\n"
        )
        self.assertEqual((profile.version, profile.creator), (1, "callgrind-3.19.0"))
        (only,) = profile.parts
        self.assertEqual((only.pid, only.part, only.thread), (4711, 2, 3))
        self.assertEqual(only.cmd, "./prog -x a=b c:d")
        self.assertEqual(
            only.descriptions,
            {
                "I1 cache": "",
                "Timerange": "Basic block 0 - 29968",
                "Trigger": "Client Request: hint: x",
            },
        )
        self.assertEqual(only.positions, ["instr", "line"])
        self.assertEqual(only.events, ["Ir", "Dr"])
        self.assertEqual((only.summary, only.totals), ([5, 7], [5, 7]))
        definitions = only.event_definitions
        self.assertEqual(definitions["Dr"].long_name, "Data Reads")
        self.assertEqual(definitions["Dr"].terms, [])
        self.assertEqual(definitions["Sum"].terms, [(1, "Ir"), (1, "Dr")])
        self.assertEqual(definitions["Est"].terms, [(10, "Ir"), (2, "Dr"), (-3, "Sum")])
        self.assertEqual(definitions["Est"].long_name, "Estimate: all")

    def test_defaults(self) -> None:
        profile = read("events: Ir\n")
        self.assertEqual((profile.version, profile.creator), (1, ""))
        (only,) = profile.parts
        self.assertEqual((only.pid, only.part, only.thread), (None, None, None))
        self.assertEqual((only.summary, only.totals), (None, None))
        self.assertEqual((only.cmd, only.descriptions, only.functions), ("", {}, {}))
        self.assertEqual(only.self_total(), [0])

    def test_version_0(self) -> None:
        self.assertEqual(read("version: 0\nevents: Ir\n").version, 0)

    def test_sums_drop_trailing_zeros(self) -> None:
        only = part("events: Ir Dr Dw\nsummary: 5\nfn=f\n1 5\ntotals: 5 0\n")
        self.assertEqual((only.summary, only.totals), ([5, 0, 0], [5, 0, 0]))
        only.check()

    def test_what_viewers_know_besides(self) -> None:
        """arch:, timeframe and the inline marks of a fork say nothing of costs."""
        only = part("arch: arm\ntimeframe (BB): 0 - 9\nevents: Ir\nfn=f\ncfni=g\n1 5\n")
        self.assertEqual(only.self_total(), [5])


class Names(unittest.TestCase):
    def test_kinds_have_ids_of_their_own(self) -> None:
        only = part(
            HEADER + "ob=(1) /bin/app\nfl=(1) a.c\nfn=(1) main\n1 2\n"
            "cob=(2) /lib/libx.so\ncfi=(2) x.c\ncfn=(2) x\ncalls=1 7\n2 40\n"
            "ob=(2)\nfl=(2)\nfn=(2)\n7 40\n"
        )
        main = key("main", "a.c", "/bin/app")
        x = key("x", "x.c", "/lib/libx.so")
        self.assertEqual(list(only.functions), [main, x])
        (call,) = only.functions[main].calls
        self.assertEqual((call.callee, call.count), (x, 1))
        self.assertEqual(call.target, Position("x.c", 0, 7))

    def test_callee_is_in_the_callers_object_unless_told(self) -> None:
        """cob= and cfi= hold for one call only."""
        only = part(
            HEADER + "ob=app\nfl=a.c\nfn=main\n1 2\n"
            "cob=lib\ncfi=l.c\ncfn=f\ncalls=1 7\n2 40\n"
            "cfn=f\ncalls=1 3\n2 50\n"
        )
        calls = only.functions[key("main", "a.c", "app")].calls
        self.assertEqual(
            [call.callee for call in calls],
            [key("f", "l.c", "lib"), key("f", "a.c", "app")],
        )
        self.assertEqual(calls[1].target, Position("a.c", 0, 3))

    def test_a_callee_without_lines_is_a_function_too(self) -> None:
        only = part(HEADER + "fn=main\n1 2\ncfn=f\ncalls=1 3\n2 0\n")
        self.assertEqual(only.functions[key("f")].self_cost(), [0])
        self.assertEqual(only.functions[key("f")].costs, {})

    def test_inlined_code_belongs_to_the_function(self) -> None:
        """fi= and fe= change the file of costs, not the function's."""
        only = part(
            HEADER + "fl=(1) a.c\nfn=(1) main\n10 1\nfi=(2) b.h\n5 20\n"
            "fe=(1)\n11 300\nfi=(2)\n6 4000\nfn=(2) next\n20 7\n"
        )
        main = only.functions[key("main", "a.c")]
        self.assertEqual(
            main.costs,
            {
                Position("a.c", 0, 10): [1],
                Position("b.h", 0, 5): [20],
                Position("a.c", 0, 11): [300],
                Position("b.h", 0, 6): [4000],
            },
        )
        self.assertEqual(main.self_cost(), [4321])
        following = only.functions[key("next", "a.c")]
        self.assertEqual(following.costs, {Position("a.c", 0, 20): [7]})

    def test_a_call_in_inlined_code(self) -> None:
        """Without cfi= the callee is in the file of the inlined code."""
        only = part(HEADER + "fl=a.c\nfn=main\n10 1\nfi=b.h\ncfn=helper\ncalls=2 30\n5 60\n")
        (call,) = only.functions[key("main", "a.c")].calls
        self.assertEqual(call.callee, key("helper", "b.h"))
        self.assertEqual(call.source, Position("b.h", 0, 5))
        self.assertEqual(call.target, Position("b.h", 0, 30))

    def test_one_function_in_several_blocks(self) -> None:
        only = part(HEADER + "fn=f\n1 2\nfn=g\n1 5\nfn=f\n1 30\n2 400\n")
        self.assertEqual(
            only.functions[key("f")].costs,
            {Position("???", 0, 1): [32], Position("???", 0, 2): [400]},
        )

    def test_same_name_in_other_file_or_object(self) -> None:
        only = part(
            HEADER + "ob=x\nfl=a.c\nfn=f\n1 1\nfl=b.c\nfn=f\n1 10\nob=y\nfl=a.c\nfn=f\n1 100\n"
        )
        self.assertEqual(
            {k: f.self_cost() for k, f in only.functions.items()},
            {
                key("f", "a.c", "x"): [1],
                key("f", "b.c", "x"): [10],
                key("f", "a.c", "y"): [100],
            },
        )

    def test_odd_names(self) -> None:
        names = [
            "(below main)",
            "operator()(int)",
            "(anonymous namespace)::f<(E)(1)>",
            "fib'2",
            "0x0000000000001139 [Data]",
            "std::map<int, a=b>::operator[]: x",
            "naïve",
        ]
        only = part(HEADER + "".join(f"fn=({i}) {n}\n1 {i + 1}\n" for i, n in enumerate(names)))
        self.assertEqual([k.name for k in only.functions], names)
        self.assertEqual(only.self_total(), [28])
        plain = part(HEADER + "".join(f"fn={name}\n1 2\n" for name in names))
        self.assertEqual([k.name for k in plain.functions], names)

    def test_bytes_that_are_not_utf8_survive(self) -> None:
        (name,) = part(b"events: Ir\nfn=(1) caf\xe9\n1 2\n").functions
        self.assertEqual(name.name.encode("utf-8", "surrogateescape"), b"caf\xe9")

    def test_empty_name_can_be_defined(self) -> None:
        only = part(HEADER + "fl=(3) \nfn=(1) f\n1 2\nfl=(3)\n2 3\n")
        self.assertEqual(list(only.functions), [key("f", "")])

    def test_id_defined_again_with_the_same_name(self) -> None:
        only = part(HEADER + "fn=(1) f\n1 2\nfn=(1) f\n2 3\nfn=(0x1)\n3 4\n")
        self.assertEqual(only.functions[key("f")].self_cost(), [9])

    def test_names_made_of_names(self) -> None:
        """--compress-mangled=yes: ids within a compressed name."""
        only = part(HEADER + "fn=(1) fib\n1 2\nfn=(2) main\n1 3\nfn=(3) (1)'2'(2)\n1 4\n")
        self.assertIn(key("fib'2'main"), only.functions)


class Costs(unittest.TestCase):
    def test_lines_for_one_position_add_up(self) -> None:
        only = part("events: A B\nfn=f\n1 2 3\n1 10\n* 100 200\n")
        self.assertEqual(only.functions[key("f")].costs, {Position("???", 0, 1): [112, 203]})

    def test_equal_lines_do_not_share_their_cost(self) -> None:
        """Lines that repeat are parsed once, but counted each by itself."""
        only = part(HEADER + "fn=f\n1 5\n2 5\n1 5\nfn=g\n1 5\n")
        self.assertEqual(
            only.functions[key("f")].costs,
            {Position("???", 0, 1): [10], Position("???", 0, 2): [5]},
        )
        self.assertEqual(only.functions[key("g")].self_cost(), [5])

    def test_relative_positions(self) -> None:
        """Relative to the last cost line, across functions, calls included."""
        only = part(
            HEADER + "fn=f\n100 1\n+5 2\n-10 3\n* 4\n"
            "cfn=g\ncalls=1 +7\n+1 50\n+1 6\n"
            "fn=g\n+3 50\n"
        )
        f = only.functions[key("f")]
        self.assertEqual(
            {position.line: cost[0] for position, cost in f.costs.items()},
            {100: 1, 105: 2, 95: 7, 97: 6},
        )
        (call,) = f.calls
        self.assertEqual((call.target.line, call.source.line), (102, 96))
        self.assertEqual(list(only.functions[key("g")].costs), [Position("???", 0, 100)])

    def test_relative_hexadecimal(self) -> None:
        only = part("positions: instr\nevents: Ir\nfn=f\n0xff 1\n+0x10 2\n-0xF 3\n")
        self.assertEqual(
            [position.instr for position in only.functions[key("f")].costs],
            [0xFF, 0x10F, 0x100],
        )

    def test_hexadecimal_costs_and_counts(self) -> None:
        only = part(HEADER + "fn=f\n0x10 0x20\ncfn=g\ncalls=0x3 0x5\n17 0x40\n")
        f = only.functions[key("f")]
        self.assertEqual(f.costs, {Position("???", 0, 16): [32]})
        self.assertEqual((f.calls[0].count, f.calls[0].inclusive), (3, [64]))

    def test_numbers_of_64_bits(self) -> None:
        most = (1 << 64) - 1
        only = part(f"positions: instr\nevents: Ir\nfn=f\n0x{most:x} {most}\n")
        self.assertEqual(only.functions[key("f")].costs, {Position("???", most, 0): [most]})

    def test_columns(self) -> None:
        """instr, addr (its other name), bb, line."""
        for positions, numbers, instr, line, block in (
            ("line", "7", 0, 7, 0),
            ("instr", "0x20", 0x20, 0, 0),
            ("addr line", "0x20 7", 0x20, 7, 0),
            ("instr line", "0x20 7", 0x20, 7, 0),
            ("bb line", "0x9 7", 0, 7, 9),
            ("instr bb line", "0x20 0x9 7", 0x20, 7, 9),
            ("bb", "0x9", 0, 0, 9),
        ):
            with self.subTest(positions):
                only = part(f"positions: {positions}\nevents: Ir\nfn=f\n{numbers} 5\n")
                self.assertEqual(only.positions, positions.split())
                self.assertEqual(
                    only.functions[key("f")].costs,
                    {Position("???", instr, line, block): [5]},
                )

    def test_blocks(self) -> None:
        """The block's address is relative to that of the last cost line, in calls too."""
        only = part(
            "positions: instr bb line\nevents: Ir\nfn=f\n0x20 0x18 7 1\n+4 * * 2\n* +12 +1 3\n"
            "cfn=g\ncalls=2 0x40 -4 1\n+4 * * 9\n"
        )
        f = only.functions[key("f")]
        self.assertEqual(
            f.costs,
            {
                Position("???", 0x20, 7, 0x18): [1],
                Position("???", 0x24, 7, 0x18): [2],
                Position("???", 0x24, 8, 0x24): [3],
            },
        )
        [call] = f.calls
        self.assertEqual(call.source, Position("???", 0x28, 8, 0x24))
        self.assertEqual(call.target, Position("???", 0x40, 1, 0x20))

    def test_ranges(self) -> None:
        """A range of positions stands at its beginning."""
        only = part(HEADER + "fn=f\n10+5 1\n20-29 2\n0x20:0x30 3\n+1 4\n")
        self.assertEqual(
            [position.line for position in only.functions[key("f")].costs],
            [10, 20, 32, 33],
        )

    def test_position_without_costs(self) -> None:
        only = part("events: Ir Dr\nfn=f\n12\n")
        self.assertEqual(only.functions[key("f")].costs, {Position("???", 0, 12): [0, 0]})

    def test_blanks_comments_and_line_ends(self) -> None:
        only = part(
            b"# one\r\nevents:  Ir\tDr \r\n# two\r\n\r\nfn= f\r\n1\t2  3 \r\n"
            b"# three\r\ncfn=\tg\r\ncalls= 2  9 \r\n# four\r\n1 5\r\n   \r\n"
        )
        f = only.functions[key("f")]
        self.assertEqual(f.self_cost(), [2, 3])
        self.assertEqual((f.calls[0].callee, f.calls[0].count), (key("g"), 2))


class Jumps(unittest.TestCase):
    def test_unconditional(self) -> None:
        only = part(HEADER + "fl=a.c\nfn=f\n10 1\njump=41 +8 \n* \n12 2\n")
        f = only.functions[key("f", "a.c")]
        (jump,) = f.jumps
        self.assertEqual((jump.taken, jump.executed, jump.conditional), (41, 41, False))
        self.assertEqual(jump.source, Position("a.c", 0, 10))
        self.assertEqual(jump.target, Position("a.c", 0, 18))
        self.assertEqual((jump.function, jump.target_function), (f.key, f.key))
        self.assertEqual(f.self_cost(), [3])
        self.assertEqual(len(f.costs), 2)

    def test_conditional_as_callgrind_writes_it(self) -> None:
        """taken/executed."""
        only = part(HEADER + "fn=f\n10 1\njcnd=3/17 81 \n+1 \n+1 40\n")
        f = only.functions[key("f")]
        (jump,) = f.jumps
        self.assertEqual((jump.taken, jump.executed, jump.conditional), (3, 17, True))
        self.assertEqual((jump.source.line, jump.target.line), (11, 81))
        self.assertIn(Position("???", 0, 12), f.costs)

    def test_conditional_as_the_manual_says(self) -> None:
        """executed taken."""
        only = part(HEADER + "fn=f\n10 1\njcnd=17 3 81\n11\n")
        (jump,) = only.functions[key("f")].jumps
        self.assertEqual((jump.taken, jump.executed, jump.conditional), (3, 17, True))

    def test_target_file_as_the_grammar_says(self) -> None:
        """cfi= holds for one jump, as jfi= does."""
        only = part(
            HEADER + "fl=(1) a.c\nfn=f\n10 1 \ncfi=(2) b.h\njcnd=17 3 81 \n* \njump=2 9 \n* \n"
        )
        first, second = only.functions[key("f", "a.c")].jumps
        self.assertEqual(
            (first.source, first.target), (Position("a.c", 0, 10), Position("b.h", 0, 81))
        )
        self.assertEqual(second.target, Position("a.c", 0, 9))

    def test_target_elsewhere(self) -> None:
        """jfi= and jfn= hold for one jump; they share ids with fl= and fn=."""
        only = part(
            "positions: instr line\n" + HEADER + "fl=(1) a.c\nfn=(1) f\n0x10 1 1\n"
            "jfi=(2) b.h\njfn=(2) g\njump=5 0x40 4\n* *\n"
            "jump=6 +2 *\n+1 +1\n"
            "fl=(2)\nfn=(2)\n0x40 4 9\n"
        )
        f = key("f", "a.c")
        first, second = only.functions[f].jumps
        self.assertEqual(first.target_function, key("g", "b.h"))
        self.assertEqual(first.target, Position("b.h", 0x40, 4))
        self.assertEqual(first.source, Position("a.c", 0x10, 1))
        self.assertEqual(second.target_function, f)
        self.assertEqual(second.target, Position("a.c", 0x12, 1))
        self.assertEqual(second.source, Position("a.c", 0x11, 2))
        self.assertIn(key("g", "b.h"), only.functions)


class Parts(unittest.TestCase):
    TWO = (
        "# callgrind format\nversion: 1\ncreator: c\npid: 9\ncmd: ./x\n"
        "part: 1\ndesc: I1 cache: none\ndesc: Trigger: first\n"
        "positions: line\nevents: Ir\nsummary: 3\n"
        "ob=(1) app\nfl=(1) a.c\nfn=(1) main\n1 3\ntotals: 3\n"
        "part: 2\nthread: 4\ndesc: Trigger: second\n"
        "positions: instr line\nevents: Ir Dr\nsummary: 7 1\n"
        "ob=(1) app\nfl=(1) b.c\nfn=(1) other\n+1 2 7 1\ntotals: 7 1\n"
    )

    def test_two_parts(self) -> None:
        """Ids, positions, events and the last position begin anew."""
        first, second = read(self.TWO).parts
        self.assertEqual((first.part, second.part), (1, 2))
        self.assertEqual((first.thread, second.thread), (None, 4))
        self.assertEqual((second.pid, second.cmd), (9, "./x"))
        self.assertEqual(second.descriptions, {"I1 cache": "none", "Trigger": "second"})
        self.assertEqual(first.descriptions["Trigger"], "first")
        self.assertEqual(list(first.functions), [key("main", "a.c", "app")])
        other = second.functions[key("other", "b.c", "app")]
        self.assertEqual(other.costs, {Position("b.c", 1, 2): [7, 1]})
        first.check()
        second.check()

    def test_ids_of_earlier_parts(self) -> None:
        """A part may use ids of an earlier one, as Callgrind's do: they are of its own functions, whatever
        numbers parts and files have."""
        n, parts = 12, range(30)
        orders = [range(1, n + 1) if number % 2 == 0 else range(n, 0, -1) for number in parts]
        text = "".join(f"fl=({i}) {i}.c\nfn=({i}) f{i}\n1 {i}\n" for i in orders[0])
        for number in parts[1:]:
            own = orders[number][number % n :]
            text += "events: Ir\n" + "".join(f"fl=({i})\nfn=({i})\n1 {i}\n" for i in own)
        found = read(f"events: Ir\n{text}").parts
        self.assertEqual(len(found), len(parts))
        for number, one in enumerate(found):
            own = orders[number][number % n :]
            self.assertEqual(list(one.functions), [key(f"f{i}", f"{i}.c") for i in own])
            costs = [function.self_cost() for function in one.functions.values()]
            self.assertEqual(costs, [[i] for i in own])

    def test_skipped(self) -> None:
        """Calls of functions that were left out, of each part; what reads otherwise is a description."""
        head = "desc: Skipped: 21 f(int, int)\ndesc: Skipped: 3 g\ndesc: Skipped: 4 g\n"
        profile = read(
            f"{head}desc: Skipped: no\nevents: Ir\ntotals: 0\n"
            "part: 2\ndesc: Skipped: 5 g\nevents: Ir\ntotals: 0\n"
        )
        first, second = profile.parts
        self.assertEqual(first.skipped, {"f(int, int)": 21, "g": 7})
        self.assertEqual(first.descriptions, {"Skipped": "no"})
        self.assertEqual(second.skipped, {"g": 5})
        self.assertEqual(profile.merged().skipped, {"f(int, int)": 21, "g": 12})
        self.assertEqual(first.skipped, {"f(int, int)": 21, "g": 7})

    def test_parts_without_costs(self) -> None:
        parts = read("events: Ir\nsummary: 0\ntotals: 0\n\npart: 2\nevents: Ir\n").parts
        self.assertEqual([p.part for p in parts], [None, 2])

    def test_positions_default_in_each_part(self) -> None:
        _, second = read("positions: instr\nevents: Ir\nfn=f\n0x1 2\nevents: Ir\nfn=f\n7 3\n").parts
        self.assertEqual(second.positions, ["line"])
        self.assertEqual(list(second.functions[key("f")].costs), [Position("???", 0, 7)])

    def test_id_of_an_earlier_part(self) -> None:
        """Callgrind writes such files; they are read, and fail the check."""
        _, second = read("events: Ir\nfn=(1) f\n1 2\ntotals: 2\nevents: Ir\nfn=(1)\n1 5\n").parts
        self.assertEqual(second.functions[key("f")].self_cost(), [5])
        with self.assertRaisesRegex(
            Exception, r":6: function \(1\) is defined in an earlier part only"
        ):
            second.check()

    def test_merged(self) -> None:
        text = (
            "events: Ir\nsummary: 5\nfn=f\n1 2\n2 3\ncfn=g\ncalls=1 1\n2 9\n"
            "part: 2\nevents: Ir\nsummary: 50\nfn=f\n1 20\nfn=g\n1 30\n"
        )
        merged = read(text).merged()
        f = merged.functions[key("f")]
        self.assertEqual(f.costs, {Position("???", 0, 1): [22], Position("???", 0, 2): [3]})
        self.assertEqual([call.inclusive for call in f.calls], [[9]])
        self.assertEqual(merged.functions[key("g")].self_cost(), [30])
        self.assertEqual((merged.summary, merged.totals), ([55], None))
        merged.check()

    def test_merged_leaves_the_parts_alone(self) -> None:
        profile = read("events: Ir\nfn=f\n1 2\npart: 2\nevents: Ir\nfn=f\n1 20\n")
        profile.merged()
        self.assertEqual([p.self_total() for p in profile.parts], [[2], [20]])

    def test_merged_needs_the_same_events(self) -> None:
        profile = read("events: Ir\nfn=f\n1 2\nevents: Ir Dr\nfn=f\n1 20\n")
        with self.assertRaisesRegex(Exception, r":4: events: Ir Dr; expected .*\(Ir\)"):
            profile.merged()


class Cachegrind(unittest.TestCase):
    def test_its_files(self) -> None:
        """No calls, no positions:, summary: after the body."""
        profile = read(
            "desc: I1 cache:         32768 B, 64 B, 8-way associative\n"
            "desc: LL cache:         8388608 B, 64 B, 16-way associative\n"
            "cmd: ./prog\n"
            "events: Ir I1mr Dr\n"
            "fl=/src/a.c\n"
            "fn=main\n"
            "3 10 1 2\n"
            "4 20 0 3\n"
            "fi=/src/b.h\n"
            "9 5 0 0\n"
            "fn=helper\n"
            "1 7 1 0\n"
            "summary: 42 2 5\n"
        )
        (only,) = profile.parts
        only.check()
        self.assertEqual(only.summary, [42, 2, 5])
        self.assertEqual(only.descriptions["I1 cache"], "32768 B, 64 B, 8-way associative")
        self.assertEqual(
            {k: f.self_cost() for k, f in only.functions.items()},
            {key("main", "/src/a.c"): [35, 1, 5], key("helper", "/src/a.c"): [7, 1, 0]},
        )


class Check(unittest.TestCase):
    def failure(self, text: str) -> str:
        with self.assertRaises(Exception) as caught:
            part(text).check()
        return str(caught.exception).split(":", 1)[1]

    def test_sums_that_agree(self) -> None:
        part("events: Ir Dr\nsummary: 5 2\nfn=f\n1 3 2\n2 2\ntotals: 5 2\n").check()
        part("events: Ir\nfn=f\n1 3\n").check()

    def test_summary(self) -> None:
        self.assertEqual(
            self.failure("events: Ir Dr\nsummary: 5 1\nfn=f\n1 5 2\ntotals: 5 2\n"),
            "2: summary: says 1 Dr, but the self costs add up to 2; expected the same",
        )

    def test_totals(self) -> None:
        self.assertEqual(
            self.failure("events: Ir\nsummary: 5\nfn=f\n1 5\n\ntotals: 6\n"),
            "6: totals: says 6 Ir, but the self costs add up to 5; expected the same",
        )

    def test_inclusive_costs_are_not_counted(self) -> None:
        part("events: Ir\nsummary: 5\nfn=f\n1 5\ncfn=f\ncalls=1 1\n1 99\n").check()


class Size(unittest.TestCase):
    """Large files: one pass, and time in proportion to their length."""

    def test_many_lines_and_functions(self) -> None:
        functions, lines = 20_000, 20
        body = []
        for number in range(functions):
            body.append(f"fn=({number}) function_{number}\n{number} 1\n")
            body.append("+1 3\n" * (lines - 1))
        start = time.process_time()
        only = part("events: Ir\n" + "".join(body))
        self.assertEqual(only.self_total(), [functions * (1 + 3 * (lines - 1))])
        # 0.4 million lines: a second or so of processor time, even if each is different
        self.assertLess(time.process_time() - start, 20)

    def test_many_different_lines(self) -> None:
        count = 400_000
        text = "events: Ir\nfn=f\n" + "".join(f"{i} {i * 3}\n" for i in range(count))
        start = time.process_time()
        self.assertEqual(part(text).self_total(), [3 * count * (count - 1) // 2])
        self.assertLess(time.process_time() - start, 20)


if __name__ == "__main__":
    unittest.main()
