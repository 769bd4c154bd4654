"""Exact counts of one object, which programs take that make programs faster.

    feedback = Feedback(library_profile, "/bin/app")
    feedback.add(address_of_a_cg2p_code)
    feedback.write("app.bolt", BOLT)
"""

from cg2tools.bindings.interface import profile_library, reference
from cg2tools.bindings.structures import ADDRESS, ENUM, SIZE, cg2p_error
from cg2tools.profile.libcg2profile import LibraryProfile, raise_error

BOLT, AUTOFDO, LCOV, LLVM, GCC = range(5)
"""Forms."""


class Feedback:
    """What a profile has of an object; the library's, which is freed with it."""

    def __init__(self, profile: LibraryProfile, name: str) -> None:
        error = cg2p_error()
        self._path = profile.path
        self._handle = ADDRESS(
            profile_library().cg2p_feedback_new(
                profile.handle, name.encode("utf-8", "surrogateescape"), reference(error)
            )
        )
        if not self._handle:
            raise_error(error, profile.path)

    def __del__(self) -> None:
        profile_library().cg2p_feedback_free(self._handle)

    def addresses(self) -> tuple[int, int]:
        """Where the addresses of the instructions lie that ran, and how many there are."""
        length = SIZE()
        where = profile_library().cg2p_feedback_addresses(self._handle, reference(length))
        return where, length.value

    def add(self, code: int) -> None:
        """Say what machine code says of them: where a cg2p_code lies."""
        error = cg2p_error()
        if not profile_library().cg2p_feedback_add(self._handle, ADDRESS(code), reference(error)):
            raise_error(error, self._path)

    def add_sources(self, sources: int) -> None:
        """Say what debug information says of the sources: where a cg2p_sources lies, which stays."""
        profile_library().cg2p_feedback_add_sources(self._handle, ADDRESS(sources))

    def add_bodies(self, bodies: int) -> None:
        """Say whose code the addresses are: where a cg2p_bodies lies, which stays."""
        profile_library().cg2p_feedback_add_bodies(self._handle, ADDRESS(bodies))

    def write(self, path: str, form: int) -> None:
        """Write the file, which appears when it is complete; "-" is standard output."""
        error = cg2p_error()
        if not profile_library().cg2p_feedback_write(
            self._handle, ENUM(form), path.encode("utf-8", "surrogateescape"), reference(error)
        ):
            raise_error(error, path)
