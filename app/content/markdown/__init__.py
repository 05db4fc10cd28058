"""Markdown of lessons, prompts and hints to sanitised HTML."""
