"""Profiles in the Callgrind format: read, changed, understood, written."""
