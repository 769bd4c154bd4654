"""The commands by name, as the door `cg2` and the scripts cg2_NAME run them."""
