"""The contract between the web program and the grader: jobs in, events and one verdict out. Imports nothing of ours."""
