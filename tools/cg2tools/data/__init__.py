"""Data files: data objects, the code that touches them, their types."""
