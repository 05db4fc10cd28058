"""Search over lessons, exercises, reference and glossary."""
