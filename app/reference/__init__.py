"""Reference pages and editor completions from the table of the API."""
