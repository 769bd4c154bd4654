"""The command cg2_merge: many profiles added up into one."""
