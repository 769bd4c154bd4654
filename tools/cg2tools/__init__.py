"""cg2tools: read and understand profiles in the Callgrind format.

`profile` is the model and `reader` the one parser.  `callgraph` is what
follows from a profile: inclusive costs, callers and callees, recursion.
`columns`, `sources`, `annotate` and `command` make the report of cg2_annotate.
"""

VERSION = "0.1"
