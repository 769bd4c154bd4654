"""Takes the pictures of docs/first-profile.md: views of a page of cg2_report, of the program that it is
about."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

import cg2test  # noqa: E402
from webdriver import Browser, missing  # noqa: E402

DOCS = cg2test.SOURCE / "docs"

SIZE = 1000, 640  # of the window


def page() -> Path:
    """The page of the program of docs/first-profile.md."""
    folder = cg2test.new_directory()
    shutil.copy(DOCS / "words.c", folder)
    for command in (
        ["gcc", "-g", "-O2", f"-ffile-prefix-map={folder}=.", "-o", "words", "words.c"],
        [cg2test.VALGRIND, "--tool=cg2", "--cg2-out-file=words.out", "./words"],
        [f"{cg2test.TOOLS}/cg2_report", "-o", "page.html", "words.out"],
    ):
        subprocess.run(command, cwd=folder, env=cg2test.env(), check=True, capture_output=True)
    return folder / "page.html"


def main() -> None:
    if missing():
        sys.exit(f"pictures: {missing()}")
    path = page()
    with Browser() as browser:
        browser.resize(*SIZE)
        browser.open(path)
        browser.wait("document.querySelector('.ranked a[href^=\"#source\"]')")
        browser.screenshot(DOCS / "first-summary.png")
        browser.click('.ranked a[href^="#source"]')
        browser.wait("document.querySelector('#view').className === 'source'")
        browser.wait("document.querySelector('.text-rows .line')")
        browser.screenshot(DOCS / "first-source.png")


if __name__ == "__main__":
    main()
