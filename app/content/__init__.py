"""Lessons and exercises: loading, validating, rendering."""
