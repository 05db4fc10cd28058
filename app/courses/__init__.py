"""Course page and lesson pages."""
