"""cg2tools: read and understand profiles in the Callgrind format; control runs.

The packages, what each is and which may import which: README beside this file.
"""

VERSION = "1.0"
