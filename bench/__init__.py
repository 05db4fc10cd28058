"""Benchmarks: each module measures one thing against a baseline in the same run and prints a ratio."""
