#!/bin/sh
# Compile a C++ program and run it.
g++ -std=c++17 -O1 -o words words.cc && exec ./words
