"""Builds a learner's program and says how it is started: one module a language."""
