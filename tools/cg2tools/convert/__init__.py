"""The command cg2_convert: profiles in the formats of other programs."""
