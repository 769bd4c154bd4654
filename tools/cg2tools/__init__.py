"""cg2tools: read and understand profiles in the Callgrind format; control runs.

`profile` is the model, `reader` the one parser and `writer` its inverse.
`events` knows formulas, `transform` makes profiles of others.  `callgraph` is
what follows from a profile: inclusive costs, callers and callees, recursion;
`checks` says what is wrong with one.
`columns`, `sources`, `arrows`, `assembly`, `misscurve`, `export`, `annotate` and
`command` make the report of cg2_annotate; `compare`, `changes` and `difference` that of
cg2_diff; `merge`, `imbalance` and `merging` are cg2_merge.
`stacks` is which calls led to costs; `formats`, `pprof` and `foldedstacks` are
other programs' formats, and `convert` is cg2_convert.
`blocks`, `pagedata`, `pagecomparison` and `pagetexts` are what the page of
cg2_report is told, `curves` finds events of several sizes, `page` is the file, and
`reporting` is cg2_report.
`inputs` is what commands on profiles share.
`runs`, `status` and `control` are cg2_control; they know nothing of profiles.
`console` is what all commands share.
"""

VERSION = "0.1"
