"""What the commands share: their streams and arguments, finding and reading profiles."""
