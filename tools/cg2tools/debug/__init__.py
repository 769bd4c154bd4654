"""The program that was profiled: its source files and its machine code."""
