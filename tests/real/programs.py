"""The real programs that run under cg2: what each does, and what cg2 is asked for meanwhile.

They run in a copy of inputs/, with `text`, 140 KB of prose. What they print is the same each time, and so are
the files that are `made`: where a result depends on chance, as that of a key generator, the input prints what
does not.
"""

from __future__ import annotations

from dataclasses import dataclass

# What cg2 is asked for, each by many programs.
CELLS = "--check-cells=yes"
JUMPS = "--dump-instr=yes --collect-jumps=yes"
THREADS = "--separate-threads=yes"
CALLERS = "--separate-callers=2"
CHILDREN = "--trace-children=yes"


@dataclass(frozen=True)
class Program:
    """A program and what it does. Lists are separated by blanks."""

    name: str
    package: str  # Debian's, which has the program
    command: str  # as for a shell
    options: str  # of cg2
    needs: str = ""  # what has to be installed, if it is not the command's program
    prepare: str = ""  # a command that makes something first, without a tool
    stdin: str = ""  # a file
    made: str = ""  # files that are compared as well
    images: str = ""  # the programs that leave profiles, if it is not the command's
    profiles: int = 1  # how many it leaves at least
    roots: int = 0  # how many functions nobody calls in any of them, at most; 0: not looked at
    full: bool = False  # too slow, or its package too large, for every day


NUMPY = """
import numpy
a = numpy.arange(2500.0).reshape(50, 50) % 17
print((a @ a.T).trace(), numpy.sort(a, axis=None)[::500],
    round(numpy.linalg.det(a[:5, :5] + numpy.eye(5)), 6))
"""

INTERPRETERS = [
    Program("python3", "python3", "python3 -S words.py", f"{JUMPS} {CELLS}"),
    Program(
        "processes", "python3", "python3 processes.py", f"{CHILDREN} {CELLS}", images="python3 tr"
    ),
    Program("numpy", "python3-numpy", f"python3 -c '{NUMPY}'", CELLS),
    Program("perl", "perl", "perl words.pl", f"{CALLERS} {CELLS}"),
    Program("ruby", "ruby", "ruby --disable=gems words.rb", f"{THREADS} {CELLS}", profiles=2),
    Program("ruby_fibers", "ruby", "ruby --disable=gems fibers.rb", f"{JUMPS} {CELLS}", roots=2),
    Program("lua", "lua5.4", "lua5.4 words.lua", f"{CALLERS} {JUMPS}"),
    Program("tclsh", "tcl", "tclsh words.tcl", CELLS),
    Program("gawk", "gawk", "gawk -f words.awk text", f"{JUMPS} {CELLS}"),
    Program(
        "bash",
        "bash",
        "bash words.bash",
        f"{CHILDREN} {CELLS}",
        images="bash head sort tr paste sed",
    ),
    Program("dash", "dash", "dash words.sh", f"{CHILDREN} {JUMPS}", images="dash tr wc"),
    Program("guile", "guile-3.0", "guile --no-auto-compile words.scm", CELLS),
    Program("php", "php-cli", "php words.php", f"{CALLERS} {CELLS}"),
    Program("php_fibers", "php-cli", "php -n fibers.php", f"{JUMPS} {CELLS}", roots=1),
    Program("bc", "bc", "bc -lq sizes.bc", f"{JUMPS} {CELLS}"),
    Program(
        "sqlite3", "sqlite3", "sqlite3 -batch :memory:", f"{CALLERS} {CELLS}", stdin="tables.sql"
    ),
    Program(
        "jq", "jq", "jq -c 'map({(.name): (.tags | length)}) | add' data.json", f"{JUMPS} {CELLS}"
    ),
]

COMPILERS = [
    Program(
        "gcc",  # whose result is a program of 32 bits
        "gcc-multilib",
        "sh native.sh",
        f"{CHILDREN} {CELLS}",
        needs="gcc",
        images="gcc cc1 as ld tree",
    ),
    Program(
        "gxx",
        "g++",
        "sh template.sh",
        CHILDREN,
        needs="g++",
        images="g++ cc1plus as ld words",
        full=True,
    ),
    Program(
        "words", "g++", "./words", f"{JUMPS} {CELLS}", needs="g++", prepare="g++ -o words words.cc"
    ),
    Program(
        "clang",
        "clang",
        "clang -c -O1 -o tree.o tree.c",
        f"{CHILDREN} {CALLERS}",
        made="tree.o",
        full=True,
    ),
    Program(
        "nasm",
        "nasm",
        "sh hello.sh",
        f"{CHILDREN} {JUMPS}",
        needs="nasm ld",
        images="nasm ld hello",
    ),
    Program("make", "make", "make -s -f chain.mk", f"{CHILDREN} {CELLS}", images="make tr head"),
    Program("cmake", "cmake", "cmake -P lists.cmake", CALLERS),
    Program(
        "gdb",
        "gdb",
        "gdb -nx --batch -ex 'print 6 * 7' -ex 'info line main' -ex 'disassemble main' tree",
        CELLS,
        prepare="gcc -g -O1 -o tree tree.c -lm",
    ),
    Program(
        "go",
        "golang-go",
        "./words",
        CELLS,
        needs="go",
        prepare="env GOCACHE=/tmp/cg2test-go GO111MODULE=off go build words.go",
        full=True,
    ),
    Program(
        "rust",
        "rustc",
        "./words",
        f"{THREADS} {CELLS}",
        needs="rustc",
        prepare="rustc -O words.rs",
        full=True,
    ),
]

# A JavaScript interpreter in Java. Java repairs faults of its own, for which it needs all registers.
RHINO = (
    "-XX:-UsePerfData -Xshare:auto -cp /usr/share/java/js.jar org.mozilla.javascript.tools.shell.Main "
    "rhino.js"
)
# Java spends half of the time reading and verifying 500 classes of that, which it can be given ready. The
# program exits with 6.
ARCHIVE = "classes.jsa"
ARCHIVED = f"sh -c 'java -XX:ArchiveClassesAtExit={ARCHIVE} {RHINO} >log; test $? = 6'"
ALLREGS = "--px-default=allregs-at-mem-access"

JITS = [
    Program("luajit", "luajit", "luajit words.lua", CELLS),
    Program("node", "nodejs", "node words.js", CELLS),
    Program(
        "java",
        "rhino",
        f"java -XX:TieredStopAtLevel=1 -XX:SharedArchiveFile={ARCHIVE} {RHINO}",
        ALLREGS,
        needs="java rhino",
        prepare=ARCHIVED,
    ),
    Program(
        "java_all_tiers",
        "rhino",
        f"java {RHINO}",
        f"{ALLREGS} {CELLS}",
        needs="java rhino",
        full=True,
    ),
    Program("grep", "grep", r"grep -nP '\b(\w)(\w)\w*\2\1\b' text", f"{JUMPS} {CELLS}"),
]

SYSTEMS = [
    Program(
        "redis",
        "redis-tools",
        "sh redis.sh",
        f"{CHILDREN} {CELLS}",
        needs="redis-check-rdb redis-cli",
        images="sh redis-server redis-cli",
    ),
    Program("git", "git", "sh history.sh", f"{CHILDREN} {CELLS}", needs="git", images="sh git"),
    Program(
        "curl", "curl", "sh -c 'curl -s file://$PWD/text'", CHILDREN, needs="curl", images="curl"
    ),
    Program("openssl", "openssl", "sh sign.sh", CHILDREN, needs="openssl", images="openssl"),
    Program(
        "ssh_keygen",
        "openssh-client",
        "sh keys.sh",
        f"{CHILDREN} {CELLS}",
        needs="ssh-keygen",
        images="ssh-keygen cmp cut",
    ),
]

UTILITIES = [
    Program(
        "xz",
        "xz-utils",
        "xz -T2 --block-size=30KiB -k text",
        f"{THREADS} {CELLS}",
        made="text.xz",
        profiles=3,
    ),
    Program(
        "zstd",
        "zstd",
        "zstd -q -T2 -B32KiB text",
        f"{THREADS} {CELLS}",
        made="text.zst",
        profiles=3,
    ),
    Program(
        "qemu_img",  # copies in coroutines
        "qemu-utils",
        "qemu-img convert -O qcow2 text copy",
        f"{THREADS} {CELLS}",
        prepare="truncate -s 8M text",
        made="copy",
        profiles=2,
        roots=2,
    ),
    Program(
        "pigz", "pigz", "pigz -n -p2 -b32 -k text", f"{THREADS} {JUMPS}", made="text.gz", profiles=3
    ),
    Program("bzip2", "bzip2", "bzip2 -1 -k text", JUMPS, made="text.bz2"),
    Program(
        "tar",
        "tar",
        "tar -czf all.tar.gz --mtime=@0 --owner=0 --group=0 tree.c words.py",
        CHILDREN,
        images="tar gzip",
        made="all.tar.gz",
    ),
    Program(
        "find",
        "findutils",
        "sh -c 'find . -name \\*.sh -exec wc -l {} + | sort'",
        f"{CHILDREN} {CELLS}",
        needs="find",
        images="find wc sort",
    ),
    Program(
        "sort",  # by several threads if there is enough to sort
        "coreutils",
        "sort --parallel=2 -r -o sorted numbers",
        THREADS,
        prepare="sh -c 'seq 140000 >numbers'",
        made="sorted",
        profiles=2,
    ),
    Program(
        "groff",
        "groff-base",
        "groff -man -Tutf8 page.1",
        f"{CHILDREN} {CALLERS}",
        images="groff troff grotty",
    ),
    Program(
        "gm",
        "graphicsmagick",
        "gm convert -size 60x40 gradient:red-blue -blur 3 picture.ppm",
        THREADS,
        made="picture.ppm",
    ),
    Program(
        "ffmpeg",
        "ffmpeg",
        "ffmpeg -v error -f lavfi -i testsrc=s=64x48:d=1:r=5 -bitexact -threads 2 out.avi",
        THREADS,
        made="out.avi",
        full=True,
    ),
]

PROGRAMS = [*INTERPRETERS, *COMPILERS, *JITS, *SYSTEMS, *UTILITIES]
