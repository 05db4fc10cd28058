"""The simulator against the real libcudnn: the same CPU-side calls in both, statuses and outputs compared.

``python -m tests.native.parity`` installs the wheel where it is missing (716 MB) and prints every disagreement.
"""
