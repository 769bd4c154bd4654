"""Verdicts for the programs that run a comparison: JUnit's XML, and annotations of GitHub."""

import re
from collections.abc import Iterator, Sequence

from cg2tools.diff.places import Place
from cg2tools.diff.verdicts import Verdict, exceeded
from cg2tools.profile.terms import readable

_NO_XML = "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Characters that XML cannot have; to compile this takes so long that a start of a command notices."""


def junit_report(verdicts: Sequence[Verdict]) -> Iterator[bytes]:
    """A test case for each verdict, as CI systems read them."""
    counts = f'tests="{len(verdicts)}" failures="{len(exceeded(verdicts))}" errors="0"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="cg2_diff" {counts}>',
        f'<testsuite name="limits" {counts} skipped="0">',
    ]
    for verdict in verdicts:
        lines += _case(verdict)
    lines += ["</testsuite>", "</testsuites>"]
    for line in lines:
        yield f"{line}\n".encode()


def _case(verdict: Verdict) -> Iterator[str]:
    limit = verdict.limit
    file = verdict.function.file if verdict.function else "total"
    subject = verdict.subject or "total"
    name = f"{subject}: {verdict.growth.event} {'grows by ' * limit.is_soft}at most {limit.allowed}"
    case = f"<testcase classname={_attribute(file)} name={_attribute(name)}"
    if not verdict.is_exceeded:
        yield f"{case}/>"
        return
    said = str(verdict)
    yield f"{case}>"
    yield f'<failure type="limit" message={_attribute(said)}>{_content(said)}</failure>'
    yield "</testcase>"


def _attribute(text: str) -> str:
    from xml.sax.saxutils import quoteattr  # only here: it imports all that speaks HTTP

    return quoteattr(_xml(text))


def _content(text: str) -> str:
    from xml.sax.saxutils import escape

    return escape(_xml(text))


def _xml(text: str) -> str:
    return re.sub(_NO_XML, "\ufffd", readable(text))


def annotation(said: str, place: Place | None = None) -> str:
    """A line that GitHub shows beside the source of a pull request."""
    properties = ["title=cg2_diff"]
    if place and place.file:
        properties.insert(0, f"file={_property(place.file)}")
        if place.line:
            properties.insert(1, f"line={place.line}")
    return f"::error {','.join(properties)}::{_data(said)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
