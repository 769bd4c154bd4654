"""What programs are measured under: tools, and the tool's modes."""

from __future__ import annotations

NATIVE, NONE, CALLGRIND, CACHEGRIND = "no tool", "none", "callgrind", "cachegrind"
CG2, CACHES = "cg2", "cg2, caches"
INSTRUCTIONS, BOTH = "instr + jumps", "caches + branches"
ZEN3, SKYLAKE = "zen3", "skylake"  # described machines
CALLGRIND_CACHES = "callgrind, caches"

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
    INSTRUCTIONS: [
        *("--tool=cg2", "--cg2-out-file=profile.cg2"),
        *("--dump-instr=yes", "--collect-jumps=yes"),
    ],
    BOTH: [
        *("--tool=cg2", "--cg2-out-file=profile.cg2"),
        *("--cache-sim=yes", "--branch-sim=yes"),
    ],
    ZEN3: ["--tool=cg2", "--machine=zen3", "--cg2-out-file=profile.cg2"],
    SKYLAKE: ["--tool=cg2", "--machine=skylake", "--cg2-out-file=profile.cg2"],
    CALLGRIND_CACHES: [
        *("--tool=callgrind", "--cache-sim=yes"),
        "--callgrind-out-file=profile.callgrind",
    ],
}
