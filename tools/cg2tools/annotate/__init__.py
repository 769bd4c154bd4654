"""The command cg2_annotate: the cost of a profile by function and by source line."""
