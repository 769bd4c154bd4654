"""What shells complete on the command lines of the commands."""
