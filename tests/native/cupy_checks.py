"""What programs may rely on in CuPy and in its stand-in alike. Use: ``python -m tests.native.cupy_checks``."""

import sys
import traceback

from tests.native import cupy_arrays, cupy_device, cupy_functions
from tests.native.cupy_tools import CHECKS

__all__ = ["CHECKS", "cupy_arrays", "cupy_device", "cupy_functions"]


def main() -> int:
    import cupy

    passed = 0
    for function in CHECKS:
        try:
            function(cupy)
            passed += 1
        except Exception:
            print(f"{function.__name__} over CuPy {cupy.__version__}:")
            traceback.print_exc(file=sys.stdout)
    print(f"{passed} of {len(CHECKS)} checks pass")
    return passed != len(CHECKS)


if __name__ == "__main__":
    sys.exit(main())
