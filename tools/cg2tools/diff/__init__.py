"""The command cg2_diff: what differs between two profiles."""
