"""The C libraries of the commands, as Python calls them."""
