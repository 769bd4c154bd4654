"""exec: the profile of the program that is replaced is written, and what comes after it does not overwrite
it."""

from __future__ import annotations

import re
import subprocess
import unittest
from pathlib import Path

from case import LEVELS, Case
from cg2test import TOOL, Run, compile, lean_env, new_directory, run_cg2
from cg2tools.profile.reader import read_profile
from facts import Graph


def graph_of(path: Path) -> Graph:
    """The graph of the one part in a file, whose sums are right."""
    (part,) = read_profile(path).parts
    part.check()
    return Graph(part)


class Exec(Case):
    def run_images(self, level: str, count: int, *options: str) -> Run:
        """Run a program that is replaced `count` times."""
        run = run_cg2([compile("exec.c", level, "-static"), str(count)], *options)
        self.assertEqual(run.status, 0, run.stderr)
        return run

    def test_not_traced(self) -> None:
        """The program that is replaced is the last one that is profiled: its profile has the usual name."""
        for level in LEVELS:
            with self.subTest(level):
                run = self.run_images(level, 1)
                (path,) = run.profile_paths
                self.assertCallers(graph_of(path), "once", {"work": 2})
                program = compile("exec.c", level, "-static")
                self.assertIn(f"\ndesc: Trigger: exec {program}\n", path.read_text())

    def test_traced(self) -> None:
        """Each program has a file, and says which of the process it is."""
        for level in LEVELS:
            with self.subTest(level):
                run = self.run_images(level, 2, "--trace-children=yes")
                paths = sorted(
                    run.profile_paths, key=lambda path: ("exec" not in path.name, path.name)
                )
                self.assertEqual([path.suffix for path in paths], [".exec1", ".exec2", ".profile"])
                for number, path in enumerate(paths):
                    graph = graph_of(path)
                    self.assertCallers(graph, "once", {"work": 3 - number})
                    self.assertIn(f"\ndesc: Image: {number + 1}\n", path.read_text())

    def test_other_directory(self) -> None:
        """Relative names are of the directory in which the run was started, wherever another program is
        started; messages give whole paths there."""
        where = new_directory() / "a%b c"
        (where / "below").mkdir(parents=True)
        names = ["--cg2-out-file=run.%p", "--data-out-file=data.%p", "--paths-out-file=paths.%p"]
        names += ["--json-summary=json.%p", "--log-file=log.%p"]
        counting = ["--contexts=full", "--data=accesses", "--cache-sim=yes", "--trace-children=yes"]
        script = "(cd below && /bin/true); cd /; /bin/true; /bin/true"
        command = ["/bin/sh", "-c", script]
        ways: list[tuple[list[str], dict[str, str]]] = [(names, {}), ([], {})]
        ways.append(([], {"VALGRIND_OPTS": " ".join(names)}))
        for given, more in ways:
            with self.subTest(given=given, more=more):
                subprocess.run(
                    ["valgrind", f"--tool={TOOL}", *counting, *given, *command],
                    cwd=where,
                    env=lean_env(**more),
                    check=True,
                    capture_output=True,
                )
                kinds = ["run", "data", "paths", "json", "log"]
                if not given and not more:
                    kinds = ["cg2.out", "cg2.data", "cg2.paths"]
                self.assertEqual(list((where / "below").iterdir()), [])
                found = {kind: list(where.glob(f"{kind}.*[0-9]")) for kind in kinds}
                last = {
                    kind: [path for path in found[kind] if "exec" not in path.name]
                    for kind in kinds
                }
                self.assertEqual({len(paths) for paths in last.values()}, {4})
                for log in last.get("log", []):
                    pid = log.suffix.removeprefix(".")
                    (path,) = re.findall("Profile: (.*?); to see", log.read_text())
                    self.assertIn(path, (f"{where}/run.{pid}", f"'{where}/run.{pid}'"))
                for path in where.glob("*.*"):
                    path.unlink()

    def parts_of_images(self, *options: str) -> dict[str, list[Graph]]:
        """Three programs, each of which writes a part before each call of once; the graphs of all parts, by
        what comes behind the profile's name."""
        run = self.run_images("-O0", 2, "--trace-children=yes", "--dump-before=once", *options)
        base = min((path.name for path in run.profile_paths), key=len)
        parts = {
            path.name.removeprefix(base): read_profile(path).parts for path in run.profile_paths
        }
        for part in [part for found in parts.values() for part in found]:
            part.check()
        return {name: [Graph(part) for part in found] for name, found in parts.items()}

    def test_parts(self) -> None:
        """Parts of a program do not overwrite those of the ones before it."""
        graphs = {name: graph for name, [graph] in self.parts_of_images().items()}
        images = [
            [".1", ".2", ".3", ".exec1"],
            [".exec2.1", ".exec2.2", ".exec2"],
            [".exec3.1", ""],
        ]
        self.assertEqual(set(graphs), {name for names in images for name in names})
        for image, names in enumerate(images):
            self.assertEqual(
                [graphs[name].part.part for name in names], list(range(1, len(names) + 1))
            )
            self.assertEqual(
                [graphs[name].called("once") for name in names], [0] + [1] * (3 - image)
            )
            self.assertEqual(
                [graphs[name].part.descriptions.get("Image") for name in names],
                ([None] * 3 + ["1"]) if image == 0 else [str(image + 1)] * len(names),
            )

    def test_combined_parts(self) -> None:
        """All parts of a program are in the one file that it leaves."""
        found = self.parts_of_images("--combine-dumps=yes")
        self.assertEqual(
            {
                name: [(graph.part.part, graph.called("once")) for graph in graphs]
                for name, graphs in found.items()
            },
            {
                ".exec1": [(1, 0), (2, 1), (3, 1), (4, 1)],
                ".exec2": [(1, 0), (2, 1), (3, 1)],
                "": [(1, 0), (2, 1)],
            },
        )

    def test_one_name(self) -> None:
        """Children of a shell that have its name: the programs in them have that of the child."""
        fork, calls = compile("fork.c", "-O0", "-static"), compile("calls.c", "-O0", "-static")
        script = f"{fork}; {calls}; true"
        run = run_cg2(
            ["/bin/sh", "-c", script],
            "--trace-children=yes",
            out_file="one",
            environment=lean_env(),
        )
        self.assertEqual(run.status, 0, run.stderr)
        self.assertEqual(
            sorted(re.sub(r"\d+", "N", path.name, count=1) for path in run.profile_paths),
            ["one", *3 * ["one.pidN"], *2 * ["one.pidN.exec1"]],
        )
        graphs = [graph_of(path) for path in run.profile_paths if path.suffix != ".exec1"]
        calls_of = {
            name: sum(graph.called(name) for graph in graphs)
            for name in ("before", "in_parent", "in_child")
        }
        self.assertEqual(calls_of, {"before": 7, "in_parent": 3, "in_child": 5})
        self.assertEqual(
            [graph.called("branch") for graph in graphs if graph.called("branch")], [7]
        )

    def test_by_descriptor(self) -> None:
        """A program that is named by a descriptor, or in an open directory, is as one named by its path."""
        for level in LEVELS:
            program = compile("fexec.c", level, "-static")
            for way in "file", "directory":
                with self.subTest(level, way=way):
                    run = run_cg2([program, way])
                    (path,) = run.profile_paths
                    self.assertIn(f"\ndesc: Trigger: exec {program}\n", path.read_text())
                    self.assertEqual(graph_of(path).called("once"), 3)
                    run = run_cg2([program, way], "--trace-children=yes")
                    calls = {
                        path.suffix: graph_of(path).called("once") for path in run.profile_paths
                    }
                    self.assertEqual(calls, {".exec1": 3, ".profile": 1})

    def test_failed(self) -> None:
        """An exec that fails leaves nothing behind, and nothing is lost or counted twice."""
        broken = new_directory() / "broken"
        broken.write_bytes(b"\x7fELF is not enough")
        broken.chmod(0o755)
        graph = self.graph_of(compile("exec.c", "-O0", "-static"), args=["0", broken])
        self.assertCallers(graph, "once", {"work": 1})

    def test_failed_in_place(self) -> None:
        """Where the profile is written through a link, an exec that fails does not take that away."""
        broken = new_directory() / "broken"
        broken.write_bytes(b"\x7fELF is not enough")
        broken.chmod(0o755)
        where = new_directory()
        (where / "profiles").mkdir()
        (where / "profiles" / "link").symlink_to(where / "target")
        run = run_cg2(
            [compile("exec.c", "-O0", "-static"), "0", broken], out_file="link", directory=where
        )
        self.assertEqual(run.status, 0, run.stderr)
        self.assertTrue((where / "profiles" / "link").is_symlink())
        self.assertCallers(graph_of(where / "target"), "once", {"work": 1})


WAYS = ["exec", "fexec", "vfork", "spawn", "system", "thread", "again"]
"""How session.c starts children that are replaced."""


class Session(Case):
    """--collect-scope=session and --instr-atstart=inherit: a program goes on as the one did that it replaces.

    Of session.c the child of 5, and no other, is started where costs are collected: it calls leaf 5 times,
    region, which calls tick, and leaf 5 times more.
    """

    def calls(self, what: str, way: str, *options: str) -> dict[str, int]:
        """How often functions are called in all programs of a run."""
        program = compile("session.c", "-O0", "-pthread", "-static")
        run = run_cg2(
            [program, what, way], "--trace-children=yes", *options, environment=lean_env()
        )
        self.assertEqual(run.status, 0, run.stderr)
        graphs = [graph_of(path) for path in run.profile_paths]
        return {name: sum(graph.called(name) for graph in graphs) for name in ("leaf", "tick")}

    def test_function(self) -> None:
        """What a function that toggles collection starts is collected as a whole, another such call in it or
        not."""
        for way in WAYS:
            with self.subTest(way):
                found = self.calls(
                    "region", way, "--toggle-collect=region", "--collect-scope=session"
                )
                self.assertEqual(found, {"leaf": 10, "tick": 4})

    def test_other_scopes(self) -> None:
        """Other scopes end where a program is replaced; a forked child goes on in each."""
        for scope in "thread", "process", "session":
            with self.subTest(scope):
                options = ["--toggle-collect=region", f"--collect-scope={scope}"]
                self.assertEqual(self.calls("region", "fork", *options), {"leaf": 10, "tick": 4})
                if scope != "session":
                    found = self.calls("region", "exec", *options)
                    self.assertEqual(found, {"leaf": 0, "tick": 4})

    def test_all_but_a_function(self) -> None:
        """With --collect-atstart=yes what the function starts is not collected."""
        options = ["--toggle-collect=region", "--collect-atstart=yes", "--collect-scope=session"]
        self.assertEqual(self.calls("region", "spawn", *options), {"leaf": 2 * (3 + 11), "tick": 0})

    def test_request(self) -> None:
        """What requests have toggled remains so; a function that toggles it turns it round there, too."""
        options = ["--collect-atstart=no", "--collect-scope=session"]
        self.assertEqual(self.calls("request", "spawn", *options), {"leaf": 10, "tick": 1})
        options.append("--toggle-collect=region")
        self.assertEqual(self.calls("request", "spawn", *options), {"leaf": 10, "tick": 2})

    def test_instrumentation(self) -> None:
        """Instrumentation remains as it is with either option; else each program begins anew."""
        for options, leaf in (
            (["--instr-atstart=inherit"], 10),
            (["--instr-atstart=no", "--collect-scope=session"], 10),
            (["--instr-atstart=inherit", "--collect-scope=session"], 10),
            (["--instr-atstart=no"], 0),
        ):
            with self.subTest(options=options):
                self.assertEqual(self.calls("instrument", "again", *options)["leaf"], leaf)

    def test_environment(self) -> None:
        """The program sees nothing of it: its environment and its arguments are what they are without."""
        script = "tr '\\0' '\\n' </proc/self/cmdline; env | sort"
        where = new_directory()
        said = [
            run_cg2(
                ["/bin/sh", "-c", f'exec /bin/sh -c "{script}"'],
                "--trace-children=yes",
                scope,
                directory=where,
                environment=lean_env(),
            ).stdout
            for scope in ("--collect-scope=process", "--collect-scope=session")
        ]
        self.assertEqual(said[0], said[1])
        self.assertIn("PATH=", said[0])

    def test_not_handed_on(self) -> None:
        """What no program hands on is refused."""
        run = run_cg2(["/bin/true"], "--inherited-state=maybe")
        self.assertEqual(run.status, 1)
        self.assertIn("--inherited-state=maybe\n", run.stderr)
        self.assertIn(
            "expected what a program has handed on to the one that replaced it", run.stderr
        )


if __name__ == "__main__":
    unittest.main()
