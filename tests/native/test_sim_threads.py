"""Several threads at once: right results, and (with a sanitizer build in FP_SIM_LIBRARIES) no race."""

import os
import subprocess
from pathlib import Path

from tests.native.simulator import LIBRARIES, ROOT

SOURCE = Path(__file__).with_suffix(".cpp")


def test_threads_with_their_own_handles(native_build: object, tmp_path: Path) -> None:
    program = tmp_path / "threads"
    flags = os.environ.get("FP_SIM_TEST_CXXFLAGS", "").split()
    libraries = [str(LIBRARIES / "libcudnn.so.9"), str(LIBRARIES / "libcudart.so.12")]
    include = f"-I{ROOT / 'build' / 'native' / 'include'}"
    compiler = ["g++", "-std=c++20", "-O1", "-pthread", *flags, include, str(SOURCE), *libraries]
    subprocess.run([*compiler, f"-Wl,-rpath,{LIBRARIES}", "-o", str(program)], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
