"""The action of GitHub: its steps are run as a runner does, on a repository with two commits."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

import cg2test
from cg2test import IN_PLACE, SOURCE, TOOLS

try:
    import yaml  # type: ignore[import]
except ImportError:
    yaml = None

# `work` takes 100 times 2 + 2 * ROUNDS instructions, `rest` 500002: 3 % of one is 0.1 % of all.
PROGRAM = """\
#define BODY(TEXT) { __asm__(TEXT); }
__attribute__((naked)) void work(void)
BODY("mov $ROUNDS, %ecx\\n1: dec %ecx\\n jnz 1b\\n ret")
__attribute__((naked)) void rest(void)
BODY("mov $250000, %ecx\\n1: dec %ecx\\n jnz 1b\\n ret")
__attribute__((naked)) int main(void)
BODY("mov $100, %edx\\n1: call work\\n dec %edx\\n jnz 1b\\n call rest\\n xor %eax, %eax\\n ret")
"""
LIMITS = '[total]\nIr = "1%"\n[functions.work]\nIr = "2%"\n'

# gh notes what it is asked, and lists the comments that comments.json has.
GH = """\
#!/bin/sh
printf '%s\\n' "$*" >>{folder}/gh.log
case $* in
   *" user "*) test -f {folder}/user.json && exec jq -r "$4" {folder}/user.json; exit 1 ;;
   *--jq*) exec jq -r "$5" {folder}/comments.json ;;
esac
for word; do case $word in body=@*) cp "${{word#body=@}}" {folder}/body.md ;; esac; done
test "$GH_TOKEN" = secret
"""


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
        cwd=folder, capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip


def heard(said: str) -> list[str]:
    """The commands to the runner in what a step says, without those between a stop and its word."""
    found, word = [], ""
    for line in said.splitlines():
        if word:
            word = "" if line == f"::{word}::" else word
        elif line.startswith("::stop-commands::"):
            word = line.removeprefix("::stop-commands::")
        elif line.startswith("::"):
            found.append(line)
    return found


class Runner:
    """What GitHub's runner does with a composite action: expressions, environment, outputs."""

    def __init__(self, folder: Path, workspace: Path, action: Path, event: dict[str, Any]) -> None:
        self.folder = folder
        self.workspace = workspace
        self.action = action
        self.said = yaml.safe_load((action / "action.yml").read_text())
        self.context: dict[str, Any] = {"github": {"token": "secret", "event": event}, "steps": {}}
        self.status: dict[str, int] = {}
        self.stderr = ""
        self.commands: list[str] = []

    def value(self, path: str) -> str:
        found: Any = self.context
        for name in path.split("."):
            found = found.get(name, "") if isinstance(found, dict) else ""
        return str(found)

    def expanded(self, text: str) -> str:
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: self.value(found[1]), text)

    def is_wanted(self, condition: str) -> bool:
        left, right = condition.split(" == ")
        return self.value(left) == right.strip("'")

    def run(self, **inputs: str) -> None:
        """Run the steps up to the first that fails."""
        self.context["inputs"] = {
            name: inputs.get(name.replace("-", "_"), self.expanded(str(said.get("default", ""))))
            for name, said in self.said["inputs"].items()
        }
        for step in self.said["runs"]["steps"]:
            if "if" in step and not self.is_wanted(step["if"]):
                continue
            self.status[step["name"]] = self.step(step)
            if self.status[step["name"]]:
                return

    def step(self, step: dict[str, Any]) -> int:
        script, output = self.folder / "step.sh", self.folder / "output"
        script.write_text(self.expanded(step["run"]))
        output.write_text("")
        environment = cg2test.env(
            GITHUB_ACTION_PATH=str(self.action),
            GITHUB_ENV=str(self.folder / "environment"),
            GITHUB_OUTPUT=str(output),
            GITHUB_REPOSITORY="owner/app",
            GITHUB_STEP_SUMMARY=str(self.folder / "summary.md"),
            RUNNER_TEMP=str(self.folder / "temp"),
            GITHUB_TOKEN="token of the job",
            ACTIONS_ID_TOKEN_REQUEST_TOKEN="token of the runner",
            **{name: self.expanded(text) for name, text in step.get("env", {}).items()},
        )
        environment["PATH"] = f"{self.folder}/bin:{environment['PATH']}"
        ended = subprocess.run(
            [step["shell"], "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],
            cwd=self.workspace, env=environment, capture_output=True, text=True, check=False,
            timeout=cg2test.HANG,
        )  # fmt: skip
        self.stderr += ended.stderr + ended.stdout
        self.commands += heard(ended.stdout) + heard(ended.stderr)
        outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
        self.context["steps"][step.get("id", "")] = {"outputs": outputs}
        return ended.returncode


class Action(unittest.TestCase):
    """A repository whose head makes a function 3 % worse, as a pull request has it: a shallow clone."""

    def setUp(self) -> None:
        if yaml is None:
            self.skipTest("there is no yaml (Debian: apt-get install python3-yaml)")
        for program in "git", "jq":
            if not shutil.which(program):
                self.skipTest(f"{program} is not installed (Debian: apt-get install {program})")
        if not list(IN_PLACE.glob("cg2-*")):
            self.skipTest(f"{IN_PLACE} has no cg2")
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.folder.chmod(0o755)  # as another user enters it who runs apart
        self.add_action()
        self.add_repository()

    def add_action(self) -> None:
        """What GitHub checks out of cg2, built; bootstrap, which tests/build runs, only notes that it was."""
        self.action = self.folder / "action"
        self.action.mkdir()
        for name, target in (
            ("action.yml", SOURCE / "action.yml"), ("packaging", SOURCE / "packaging"), ("tools", TOOLS),
        ):  # fmt: skip
            (self.action / name).symlink_to(target)
        # Without Valgrind's own tools, of which each seal would read 50 MB.
        (self.action / ".in_place").mkdir()
        for path in IN_PLACE.iterdir():
            if path.name.startswith("cg2") or not re.search(r"-(amd64|x86|arm64)-linux", path.name):
                (self.action / ".in_place" / path.name).symlink_to(path)
        self.add_script(self.action / "bootstrap", f'#!/bin/sh\necho "$*" >{self.folder}/built\n')
        (self.folder / "bin").mkdir()
        self.add_script(self.folder / "bin" / "gh", GH.format(folder=self.folder))
        (self.folder / "comments.json").write_text("[]")

    def add_script(self, path: Path, text: str) -> None:
        path.write_text(text)
        path.chmod(0o755)

    def add_repository(self) -> None:
        origin = self.folder / "origin"
        (origin / "src").mkdir(parents=True)
        git(origin, "init", "-q")
        for rounds in 99, 102:
            (origin / "src" / "app.c").write_text(PROGRAM.replace("ROUNDS", str(rounds)))
            (origin / "cg2-limits.toml").write_text(LIMITS)
            git(origin, "add", ".")
            git(origin, "commit", "-q", "-m", f"{rounds} rounds")
        self.base, self.head = git(origin, "rev-parse", "HEAD~", "HEAD").split()
        git(self.folder, "clone", "-q", "--depth=1", f"file://{origin}", "workspace")
        self.workspace = self.folder / "workspace"

    def runner(self, base: str) -> Runner:
        event = {"pull_request": {"number": 7, "base": {"sha": base}}} if base else {}
        return Runner(self.folder, self.workspace, self.action, event)

    def run_action(self, base: str, **inputs: str) -> Runner:
        runner = self.runner(base)
        runner.run(
            **{"build": "gcc -g -O1 -static -o app src/app.c", "run": "./app >/dev/null", **inputs}
        )
        return runner

    def test_form(self) -> None:
        """Keys are those that GitHub has for composite actions; what a user says is no part of a script."""
        said = self.runner(self.base).said
        self.assertLessEqual(
            set(said), {"name", "description", "author", "branding", "inputs", "outputs", "runs"}
        )
        self.assertEqual(said["runs"]["using"], "composite")
        for each in said["inputs"].values():
            self.assertLessEqual(set(each), {"description", "required", "default"})
        for each in said["outputs"].values():
            self.assertEqual(set(each), {"description", "value"})
        for step in said["runs"]["steps"]:
            self.assertLessEqual(set(step), {"name", "id", "if", "shell", "env", "run"})
            self.assertLessEqual({"name", "shell", "run"}, set(step))
            self.assertNotIn("${{", step["run"])

    def test_caught(self) -> None:
        """A limit catches the function; comment, summary, annotation and files say so; then the job fails."""
        runner = self.run_action(self.base)
        self.assertEqual(
            runner.status,
            {"Build cg2": 0, "Profile the base": 0, "Seal the base": 0, "Profile the head": 0,
             "Check the seal": 0, "Compare": 0, "Comment": 0, "Judge": 3},
            runner.stderr,
        )  # fmt: skip
        self.assertEqual((self.folder / "built").read_text(), "build\n")
        said = "app.c:work [app]: Ir grew by 3.00 %, from 20,000 to 20,600; expected at most 2 %"
        self.assertIn(
            f"::error file=src/app.c,line=3,title=cg2_diff::{said.replace('%', '%25')}\n",
            runner.stderr,
        )
        lines = (self.folder / "body.md").read_text().splitlines()
        self.assertEqual(lines[0], "<!-- cg2 -->")
        self.assertRegex(lines[1], r"^### Ir grew by 0\.[01][0-9] %, from ")
        self.assertEqual(
            lines[3:6], ["**FAILED**: 1 of 2 costs is above its limit.", "", f"- `{said}`"]
        )
        self.assertEqual((self.folder / "summary.md").read_text().splitlines(), lines[1:])
        found = self.folder / "temp" / "cg2"
        for name in "base.out", "head.out", "junit.xml":
            self.assertGreater((found / name).stat().st_size, 100, name)
        outputs = runner.context["steps"]["compare"]["outputs"]
        self.assertEqual(outputs, {"status": "3", "folder": str(found)})
        asked = (self.folder / "gh.log").read_text().splitlines()
        self.assertIn("api --silent repos/owner/app/issues/7/comments --field body=@", asked[-1])

    def test_passes(self) -> None:
        """The total alone does not see it; a comment that is there is written anew."""
        bot, other = {"login": "github-actions[bot]"}, {"login": "mallory"}
        comments = [
            {"id": 1, "body": "fine", "user": bot},
            {"id": 22, "body": "<!-- cg2 -->\nnot ours", "user": other},
            {"id": 23, "body": "<!-- cg2 -->\nold", "user": bot},
        ]
        (self.folder / "comments.json").write_text(json.dumps(comments))
        runner = self.run_action(
            self.base, limits="none.toml", fail_above="1%\nrest:Ir=0%\n", options="--cache-sim=yes"
        )
        self.assertEqual(set(runner.status.values()), {0}, runner.stderr)
        asked = (self.folder / "gh.log").read_text().splitlines()
        self.assertIn(
            "api --silent --method PATCH repos/owner/app/issues/comments/23 --field body=@",
            asked[-1],
        )
        text = (self.folder / "body.md").read_text()
        self.assertIn("**Passed**: all costs are within their limits.", text)
        self.assertRegex(text, r"\| `LLm` \| [\d,]+ \| [\d,]+ \| \S+ \| \w+ \|")

    def test_other_user(self) -> None:
        """With the token of a user, the comment of that user is the one that is written anew."""
        (self.folder / "user.json").write_text('{"login": "robot"}')
        comments = [
            {"id": at, "body": "<!-- cg2 -->", "user": {"login": name}}
            for at, name in ((1, "github-actions[bot]"), (2, "robot"))
        ]
        (self.folder / "comments.json").write_text(json.dumps(comments))
        self.run_action(self.head)
        self.assertIn("comments/2 --field", (self.folder / "gh.log").read_text().splitlines()[-1])

    def copy_packaging(self) -> None:
        """In place of the link: a head may change it."""
        (self.action / "packaging").unlink()
        shutil.copytree(SOURCE / "packaging", self.action / "packaging")

    def refuse_namespaces(self) -> None:
        self.add_script(self.folder / "bin" / "unshare", "#!/bin/sh\nexit 1\n")

    def require_apart(self) -> None:
        own = self.folder / "probe"
        own.mkdir()
        ended = subprocess.run(
            [SOURCE / "packaging" / "action" / "apart", own, "test", "-x", IN_PLACE / "bin" / "cg2"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if ended.returncode:
            self.skipTest(f"no command runs apart here: {ended.stderr.strip() or IN_PLACE}")

    def test_apart(self) -> None:
        """A head changes neither the base's profile nor a command, now or later; it reads no token."""
        self.require_apart()
        self.copy_packaging()
        git(self.workspace, "config", "http.extraheader", "AUTHORIZATION: secret")
        profile, left = self.folder / "temp" / "cg2" / "base.out", Path(
            f"/var/tmp/{self.folder.name}-left"
        )
        says = Path(f"/var/tmp/{self.folder.name}-says")
        for path in left, says:
            path.unlink(missing_ok=True)
            self.addCleanup(path.unlink, missing_ok=True)
        build = f"""gcc -g -O1 -static -o app src/app.c; [ -s {profile} ] || exit 0
            exec 2>/dev/null
            printf 'events: Ir\\nfn=main\\n1 999999999\\n' >{profile} || echo profile >>{says}
            echo 'exit 0' >{self.action}/packaging/action/compare || echo compare >>{says}
            echo 'exit 0' >{self.folder}/bin/gh || echo gh >>{says}
            git config http.extraheader || echo token >>{says}
            grep secret {self.workspace}/.git/config || echo settings >>{says}
            (setsid sh -c 'sleep 1; touch {left}') & """
        runner = self.run_action(self.base, build=build)
        self.assertEqual(runner.status["Judge"], 3, runner.stderr)
        self.assertIn("Ir grew by 3.00 %25, from 20,000 to 20,600;", runner.stderr)
        self.assertNotIn("::notice", runner.stderr)
        self.assertEqual(
            re.findall("^[a-z]+$", says.read_text(), re.M),
            ["profile", "compare", "gh", "token", "settings"],
        )
        time.sleep(1.5)
        self.assertFalse(left.exists())

    def test_head_cheats(self) -> None:
        """A head that does not run apart, and replaces the base's profile or the judge, does not pass."""
        self.refuse_namespaces()
        profile = self.folder / "temp" / "cg2" / "base.out"
        self.copy_packaging()
        for cheat in (
            f"[ ! -s {profile} ] || printf 'events: Ir\nfn=main\n1 999999999\n' >{profile}",
            f"[ ! -s {profile} ] || echo 'exit 0' >{self.action}/packaging/action/compare",
        ):
            with self.subTest(cheat):
                runner = self.run_action(
                    self.base, build=f"gcc -g -O1 -static -o app src/app.c; {cheat}"
                )
                self.assertIn(
                    "::notice title=cg2::the head runs as the user of the job, as it cannot run apart:"
                    " apart: no namespaces of its own\n",
                    runner.stderr,
                )
                self.assertIn("changed cg2 or the base's profile", runner.stderr)
                self.assertEqual(runner.status["Check the seal"], 1)
                self.assertNotIn("Judge", runner.status)

    def test_environment(self) -> None:
        """What the head's program tells the runner is not heard: no variable and no directory of commands."""
        self.refuse_namespaces()
        tell = "echo BASH_ENV=/evil >>$GITHUB_ENV; echo /evil >>$GITHUB_PATH; echo a=b >>$GITHUB_OUTPUT"
        found = f"echo PATH=/evil >>{self.folder}/environment"
        build = f"gcc -g -O1 -static -o app src/app.c; ({tell}) 2>/dev/null || :; {found}"
        runner = self.run_action(self.head, build=build)
        self.assertEqual(runner.status["Judge"], 0, runner.stderr)
        self.assertEqual((self.folder / "environment").read_text(), "")
        self.assertEqual(set(runner.context["steps"]["compare"]["outputs"]), {"status", "folder"})

    def test_commands(self) -> None:
        """What a commit prints is no command to the runner, and no token of the job is the commit's."""
        self.add_script(
            self.folder / "says",
            "#!/bin/sh\necho ::error::forged\n"
            'echo "::error::$GITHUB_TOKEN$ACTIONS_ID_TOKEN_REQUEST_TOKEN." >&2\nprintf ::error::open\n',
        )
        says = self.folder / "says"
        for can_run_apart in True, False:
            if not can_run_apart:
                self.refuse_namespaces()
            runner = self.run_action(
                self.base,
                build=f"gcc -g -O1 -static -o app src/app.c; {says}",
                run=f"./app; {says}",
            )
            self.assertIn("Judge", runner.status, runner.stderr)
            self.assertIn("::error::forged", runner.stderr)
            self.assertIn("\n::error::.\n", runner.stderr)
            self.assertNotIn("token of", runner.stderr)
            told = [line for line in runner.commands if "title=cg2" not in line]
            self.assertEqual(told, [])

    def test_limits_elsewhere(self) -> None:
        """Limits that are a link to what the commit itself may not read are not read for it."""
        self.require_apart()
        secret = self.folder / "settings"
        secret.write_text("[secret-of-the-job]\na = 1\n")
        secret.chmod(0o600)
        limits = self.folder / "origin" / "cg2-limits.toml"
        limits.unlink()
        limits.symlink_to(secret)
        git(self.folder / "origin", "add", ".")
        git(self.folder / "origin", "commit", "-q", "-m", "a link")
        git(self.workspace, "fetch", "-q", "--depth=1", "origin", "HEAD")
        git(self.workspace, "checkout", "-q", "FETCH_HEAD")
        runner = self.run_action(self.base)
        self.assertEqual(runner.status["Profile the head"], 1, runner.stderr)
        self.assertIn("the limits of the head cannot be read", runner.stderr)
        self.assertNotIn("secret-of-the-job", runner.stderr)

    def test_same(self) -> None:
        """Two profiles of one commit are the same, to the instruction."""
        runner = self.run_action(self.head, fail_above="0%", comment="false")
        self.assertEqual(runner.status["Judge"], 0, runner.stderr)
        self.assertFalse((self.folder / "gh.log").exists())
        self.assertRegex((self.folder / "summary.md").read_text(), "^### Ir is the same, ")

    def test_read_only(self) -> None:
        """A pull request from a fork may not write comments: the verdict is the same."""
        runner = self.run_action(self.base, token="none")
        self.assertEqual((runner.status["Comment"], runner.status["Judge"]), (0, 3))
        self.assertIn("::notice title=cg2::the comment could not be written", runner.stderr)

    def test_wrong(self) -> None:
        """What is wrong is an error of the step that finds it."""
        cases: list[tuple[str, dict[str, str], str, str]] = [
            ("", {}, "Profile the base", "there is no base to compare with"),
            ("0" * 40, {}, "Profile the base", f"no commit {'0' * 40} in the repository"),
            ("--upload-pack=x", {}, "Profile the base", "no commit --upload-pack=x in the repository"),
            (self.base, {"build": "false"}, "Profile the base", "the base cannot be built"),
            (self.base, {"run": "sh -c 'exit 7'"}, "Profile the base", "ended with status 7; expected 0"),
            (self.base, {"fail_above": "nosuch:Ir=1%"}, "Compare", "no function 'nosuch'"),
            (self.base, {"fail_above": "1"}, "Compare", "argument --fail-above: '1'; expected"),
        ]  # fmt: skip
        for base, inputs, step, error in cases:
            with self.subTest(error):
                runner = self.run_action(base, **inputs)
                self.assertIn(error, runner.stderr)
                self.assertEqual([name for name, status in runner.status.items() if status], [step])


if __name__ == "__main__":
    unittest.main()
