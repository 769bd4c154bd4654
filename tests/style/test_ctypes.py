"""Where the commands know the C libraries: in a package of its own."""

from __future__ import annotations

import re
import unittest

from cg2test import SOURCE

PACKAGES = SOURCE / "tools" / "cg2tools"


class Seam(unittest.TestCase):
    def test_ctypes(self) -> None:
        """Only bindings/ imports ctypes."""
        importing = {
            str(path.relative_to(PACKAGES).parent)
            for path in (SOURCE / "tools").rglob("*.py")
            if re.search(r"^\s*(?:import|from) .*\bctypes\b", path.read_text(), re.MULTILINE)
        }
        self.assertEqual(importing, {"bindings"})


if __name__ == "__main__":
    unittest.main()
