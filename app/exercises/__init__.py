"""Exercise pages, drafts, hints and solutions."""
