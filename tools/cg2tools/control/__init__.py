"""The command cg2_control: observe and control programs that run under cg2."""
