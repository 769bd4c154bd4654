"""What programs are measured under: tools, and the tool's modes."""

from __future__ import annotations

NATIVE, NONE, CALLGRIND, CACHEGRIND = "no tool", "none", "callgrind", "cachegrind"
CG2, CACHES = "cg2", "cg2, caches"

# The arguments of Valgrind for each, but NATIVE.
OPTIONS = {
    NONE: ["--tool=none"],
    CALLGRIND: ["--tool=callgrind", "--callgrind-out-file=profile.callgrind"],
    CACHEGRIND: [
        "--tool=cachegrind",
        "--cache-sim=yes",
        "--cachegrind-out-file=profile.cachegrind",
    ],
    CG2: ["--tool=cg2", "--cg2-out-file=profile.cg2"],
    CACHES: ["--tool=cg2", "--cache-sim=yes", "--cg2-out-file=profile.cg2"],
}
