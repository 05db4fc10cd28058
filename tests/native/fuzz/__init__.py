"""Random calls of the simulated libraries, which they must survive: ``python -m tests.native.fuzz --seconds 600``."""
