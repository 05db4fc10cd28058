"""The Python packages that learners import: `libcudnn` and the stand-in for `cupy`. Built by `generate`, not imported
from here, since they need the API table as a Python file."""
