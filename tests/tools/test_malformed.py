"""What the reader says of malformed files: the line, what is wrong, what was expected."""

from __future__ import annotations

import unittest

from toolsupport import fault, read

START = "events: Ir Dr\nfn=f\n"  # two lines


class Malformed(unittest.TestCase):
    """Each text is wrong in one place; `says` is the whole message."""

    def says(self, text: str | bytes, message: str) -> None:
        self.assertEqual(fault(text), message)

    def test_empty_file(self) -> None:
        self.says("", "1: the file is empty; expected a profile")

    def test_no_events(self) -> None:
        self.says(
            "version: 1\ncmd: x\n",
            "2: the file ends without an events: line; expected one",
        )

    def test_other_files(self) -> None:
        self.says(
            "#include <stdio.h>\nint main(void)\n",
            "2: unknown line 'int main(void)'; "
            "expected 'key: value', 'spec=name' or a cost line",
        )
        self.says(
            b"\x7fELF\x02\x01\x01\x00\n",
            "1: binary data; expected a profile, which is text",
        )

    def test_unknown_line_is_shortened(self) -> None:
        self.says(
            START + "x" * 100 + "\n",
            f"3: unknown line '{'x' * 57}...'; "
            "expected 'key: value', 'spec=name' or a cost line",
        )

    def test_bytes_of_no_character(self) -> None:
        """What is no UTF-8, as are too many bytes for a character, or one that there is not, is shown as
        bytes."""
        self.says(
            START.encode()
            + b"\xe0\x80\x80 \xf4\x90\x80\x80 \xf0\x90\x80 \xff \xc3\xa9 \xef\xbf\xbd\n",
            r"3: unknown line '\xe0\x80\x80 \xf4\x90\x80\x80 \xf0\x90\x80 \xff é �'; "
            "expected 'key: value', 'spec=name' or a cost line".replace(r"�", "\ufffd"),
        )

    def test_byte_0(self) -> None:
        """A name is text."""
        for line in "fn=a\0b", "fn=(1) a\0b", "fl=(1) (2)\0b":
            self.says(
                START + "fl=(2) x\n" + line + "\n",
                "4: binary data; expected a profile, which is text",
            )

    def test_unknown_keys(self) -> None:
        end = "; expected 'key: value', 'spec=name' or a cost line"
        self.says(START + "xyz=1\n", f"3: unknown line 'xyz=1'{end}")
        self.says("colour: red\n" + START, f"1: unknown line 'colour: red'{end}")
        self.says(" events: Ir\n", f"1: unknown line 'events: Ir'{end}")

    def test_what_hidden_options_write(self) -> None:
        for line, option in (
            ("rec=1", "--mangle-names=no"),
            ("frfn=(1) g", "--mangle-names=no"),
            ("bb=0x10 3 1 4 0", "--dump-bbs=yes"),
        ):
            self.says(
                START + line,
                f"3: '{line}' is written with {option} only; "
                "expected a profile made without that option",
            )

    def test_version(self) -> None:
        self.says("version: 2\n", "1: version 2; expected version 0 or 1")
        self.says("version: one\n", "1: version: 'one'; expected a number")

    def test_header_numbers(self) -> None:
        for header in ("pid", "part", "thread"):
            for value in ("-1", "1 2", "", "1_0", "٣", "18446744073709551616"):
                self.says(f"{header}: {value}\n", f"1: {header}: '{value}'; expected a number")

    def test_events(self) -> None:
        for value in ("", "Ir Dr Ir"):
            self.says(
                f"events: {value}\n",
                f"1: events: '{value}'; expected one or more different names",
            )
        self.says(
            "events: Ir\nevents: Dr\n",
            "2: a second events: line; expected one in each part",
        )

    def test_positions(self) -> None:
        for value in ("", "column", "line instr", "line line", "addr instr"):
            self.says(
                f"positions: {value}\n",
                f"1: positions: '{value}'; expected 'line', 'instr' or 'instr line'",
            )

    def test_descriptions(self) -> None:
        self.says("desc: nothing\n", "1: desc: 'nothing'; expected 'desc: type: value'")

    def test_event_definitions(self) -> None:
        for formula in ("", "Ir +", "2 3 Ir", "Ir = Dr", "+ + Ir"):
            self.says(
                f"event: X = {formula}\n",
                f"1: event formula '{formula}'; expected a sum as 'Ir + 10 Bm'",
            )
        self.says(
            "event: : long\n",
            "1: event: ': long'; expected 'event: name [= formula] [: long name]'",
        )

    def test_sums(self) -> None:
        self.says(
            "summary: 5\nevents: Ir\n",
            "1: summary: before events:; expected events: first",
        )
        self.says("events: Ir\ntotals: x\n", "2: cost 'x'; expected a number")
        self.says("events: Ir\ntotals: 1 2\n", "2: 2 costs; expected at most 1 (Ir)")
        self.says(
            "events: Ir\nsummary: 1\nsummary: 1\n",
            "3: a second summary: line; expected one in each part",
        )

    def test_body_before_events(self) -> None:
        self.says(
            "version: 1\nfn=main\n1 2\nevents: Ir\n",
            "2: the body begins before the events: line; expected events: in the header",
        )

    def test_costs_before_function(self) -> None:
        for line in ("1 2\n", "cfn=g\ncalls=1 1\n1 2\n", "jump=1 2\n1\n"):
            self.assertEqual(
                fault("events: Ir\nfl=a.c\n" + line).split(": ", 1)[1],
                "a cost line before the first fn=; expected fn= first",
            )

    def test_costs(self) -> None:
        self.says(START + "1 2 3 4\n", "3: 3 costs; expected at most 2 (Ir Dr)")
        for cost in ("-5", "+5", "*", "5x", "0x", "1_000", "1.5", "²"):
            self.says(START + f"1 2 {cost}\n", f"3: cost '{cost}'; expected a number")
        for cost in (str(1 << 64), hex(1 << 64)):
            self.says(START + f"1 {cost}\n", f"3: cost '{cost}'; expected a number")
        many = "9" * 5000
        self.says(START + f"1 {many}\n", f"3: cost '{many[:57]}...'; expected a number")

    def test_positions_of_costs(self) -> None:
        for position in ("1x", "*1", "0x1g", "1+", "12:"):
            self.says(
                START + f"{position} 2\n",
                f"3: position '{position}'; expected a number, +number, -number or *",
            )
        self.says(
            START + "10 2\n-11 2\n",
            "4: position -1 after relative steps; expected 0 or more",
        )
        self.says(
            "positions: instr line\n" + START + "0x10\n",
            "4: 1 numbers; expected a position of 2 (instr line)",
        )

    def test_ids(self) -> None:
        self.says(
            START + "fn=(3)\n",
            "3: function (3) is used before its definition; expected '(3) name' first",
        )
        self.says(
            START + "fl=(3) a.c\nfn=(3)\n",
            "4: function (3) is used before its definition; expected '(3) name' first",
        )
        self.says(
            START + "ob=(1) a\ncob=(1) b\n",
            "4: object (1) is 'b' here and was 'a' before; expected one name for an id",
        )
        self.says(START + "fl=(1 a.c\n", "3: '(1 a.c'; expected '(number) name'")
        self.says(
            START + f"fl=({'1' * 5000}) a.c\n",
            f"3: '({'1' * 56}...'; expected '(number) name'",
        )

    def test_calls(self) -> None:
        self.says(
            START + "calls=1 5\n1 2\n",
            "3: calls= without a callee; expected cfn= first",
        )
        self.says(
            START + "cfn=g\ncalls=1 5\n1 2\ncalls=1 5\n1 2\n",
            "6: calls= without a callee; expected cfn= first",
        )
        for count in ("", "x 5", "-1 5"):
            self.says(
                START + f"cfn=g\ncalls={count}\n1 2\n",
                "4: calls= without a count; expected a number and a position",
            )
        self.says(
            START + "cfn=g\ncalls=1\n1 2\n",
            "4: 0 numbers; expected a position of 1 (line)",
        )
        self.says(
            START + "cfn=g\ncalls=1 5 0\n1 2\n",
            "4: calls= with 2 numbers after the count; expected a position of 1 (line)",
        )

    def test_line_after_calls(self) -> None:
        for line in ("fn=g", "", "totals: 5"):
            self.says(
                START + f"cfn=g\ncalls=1 5\n{line}\n1 2\n",
                f"5: '{line}' after calls=; expected the position the calls= is at",
            )
        self.says(
            START + "cfn=g\ncalls=1 5\n",
            "4: the file ends after calls=; expected the position the calls= is at",
        )

    def test_jumps(self) -> None:
        for line in ("jump=", "jump=x 3", "jump=-1 3"):
            self.says(
                START + line,
                "3: jump= without a count; expected a number and a position",
            )
        for line in ("jcnd=", "jcnd=3/ 5", "jcnd=/3 5", "jcnd=3 x 5", "jcnd=1/2/3 5"):
            self.says(
                START + line,
                "3: jcnd= without a count; expected a number and a position",
            )
        self.says(START + "jcnd=3 5\n", "3: 0 numbers; expected a position of 1 (line)")
        self.says(
            START + "jump=3 5\n1 2\n",
            "4: costs after jump=; expected the jump's position alone",
        )
        self.says(
            START + "jcnd=1/3 5\nfn=g\n",
            "4: 'fn=g' after jcnd=; expected the position the jcnd= is at",
        )
        self.says(
            START + "jump=3 5 6\n1\n",
            "3: jump= with 2 numbers after the count; expected a position of 1 (line)",
        )

    def test_message_is_one_printable_line(self) -> None:
        message = fault(b"events: Ir\nx\x1b[31m\r\x85\xff\xe2\x80\xa8y\n")
        self.assertTrue(message.isprintable(), message)
        self.assertIn("x\\x1b[31m", message)

    def test_no_such_file(self) -> None:
        from cg2tools.profile.reader import read_profile

        with self.assertRaises(FileNotFoundError):
            read_profile("/nonexistent/profile")

    def test_start_is_well_formed(self) -> None:
        """What the texts above begin with is not what is wrong with them."""
        self.assertEqual(read(START + "1 2 3\n").parts[0].self_total(), [2, 3])


if __name__ == "__main__":
    unittest.main()
