"""Whole programs for the rules: planted bugs that must be found, and clean programs that must not be blamed."""
