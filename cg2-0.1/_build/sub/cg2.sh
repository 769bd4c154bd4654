#!/bin/sh
# Profiles a program: cg2 [OPTIONS] PROGRAM [ARGUMENTS]
VALGRIND_LIB='/work/w-report/cg2-0.1/_inst/libexec/cg2' exec '/usr/bin/valgrind' --tool=cg2 "$@"
