"""`python -m grader`: grades a file, serves jobs, verifies exercises, checks this machine, builds the native part."""

import sys

from grader.cli import main

sys.exit(main(sys.argv[1:]))
