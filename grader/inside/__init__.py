"""The little that runs beside learner code in the sandbox: takes inputs, calls the learner, ships raw outputs."""
