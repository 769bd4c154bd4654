"""The command cg2_report: a profile as a page for a browser."""
