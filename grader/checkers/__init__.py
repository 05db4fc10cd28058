"""Judgements of what a program did: pure functions over its outputs, its source and its calls."""
