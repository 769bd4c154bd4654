"""Exact counts for compilers and optimisers: of which object, and whether it is what ran."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from cg2tools.debug.libcg2debug import DebugError, DebugObject
from cg2tools.profile.feedback import AUTOFDO, BOLT, GCC, LCOV, LLVM, Feedback
from cg2tools.profile.model import UNKNOWN, Profile, ProfileError
from cg2tools.profile.ranprogram import program_run
from cg2tools.profile.terms import OBJECTS
from cg2tools.profile.transform import as_file
from cg2tools.program.ran import changed_object, warn

FEEDBACK_FORMS = {"bolt": BOLT, "autofdo": AUTOFDO, "llvm": LLVM, "gcc": GCC, "lcov": LCOV}


def feedback_writer(profile: Profile, form: str, named: str) -> Callable[[str], None]:
    """What writes the counts of an object to a file; of the program itself if none is named."""
    name = _object(profile, named)
    _check_ran(profile, name)
    feedback = Feedback(as_file(profile), name)
    needs_debug = form in ("llvm", "gcc", "lcov")
    try:
        objects = [DebugObject(name, only_code=True)]
        if needs_debug:
            objects.append(DebugObject(name))
        _add(feedback, form, *objects)
    except DebugError as error:
        wanted = "an object with debug information (-g)" if needs_debug else "the object that ran"
        raise ProfileError(profile.path, 1, f"{error}; expected {wanted}") from error

    def write(path: str) -> None:
        try:
            feedback.write(path, FEEDBACK_FORMS[form])
        finally:
            for opened in objects:
                opened.close()

    return write


def _add(
    feedback: Feedback, form: str, code: DebugObject, debug: DebugObject | None = None
) -> None:
    """Say what machine code and debug information say, each of which is read by a processor of its own."""
    addresses = feedback.addresses()
    if not debug:
        feedback.add(code.steps(*addresses))
        return
    with ThreadPoolExecutor(1) as beside:
        if form == "lcov":
            sources = beside.submit(debug.sources)
        else:
            bodies = beside.submit(debug.bodies, *addresses)
        feedback.add(code.steps(*addresses))
    if form == "lcov":
        feedback.add_sources(sources.result())
    else:
        feedback.add_bodies(bodies.result())


def _object(profile: Profile, named: str) -> str:
    """The object that is asked for, as the profile calls it."""
    names = sorted({key.object for part in profile.parts for key in part.keys} - {UNKNOWN})
    wanted = named or program_run(profile.parts[0].cmd, names)
    found = [name for name in names if name == wanted or _is_same(name, wanted)]
    if not found:
        found = [name for name in names if os.path.basename(name) == os.path.basename(wanted)]
    if len(found) == 1:
        return found[0]
    said = f"the object {named}" if named else f"the program {wanted}"
    wrong = "is several in" if found else "is not in"
    listed = ", ".join(found or names)
    raise ProfileError(
        profile.path,
        1,
        f"{said} {wrong} the profile; expected --object= and one of {listed}",
    )


def _is_same(name: str, wanted: str) -> bool:
    try:
        return os.path.samefile(name, wanted)
    except OSError:
        return False


def _check_ran(profile: Profile, name: str) -> None:
    """Refuse an object that is not the one that ran."""
    for part in profile.parts:
        changed = changed_object(name, part)
        if changed and OBJECTS in part.descriptions:
            raise ProfileError(
                part.path, 1, f"{changed.partition('; ')[0]}; expected the object that ran"
            )
        warn(part, changed)
