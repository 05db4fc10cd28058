"""What a reader has read, answered and solved, and where to resume."""
