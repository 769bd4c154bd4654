"""What is made of the parsers of the commands: man pages, tables, what shells complete."""
