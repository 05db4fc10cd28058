"""The API table (YAML beside this file) and what is generated from it. Loaded through ``grader.contract.api``."""
