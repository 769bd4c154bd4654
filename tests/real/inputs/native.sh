#!/bin/sh
# Compile a program for 32 bits and run it.
gcc -m32 -O0 -o tree tree.c -lm && exec ./tree
