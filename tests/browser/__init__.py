"""Tests in Chromium against the real server with its real grader."""
