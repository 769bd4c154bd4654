#!/bin/sh
# Assemble, link and run.
nasm -f elf64 -o hello.o hello.asm && ld -o hello hello.o && exec ./hello
