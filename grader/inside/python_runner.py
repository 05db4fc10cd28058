"""Runs a learner's Python module in the sandbox. Started through `start.py` as

    python -I -S start.py <feed> <results> <trace> <libcudnn> <libcudart>

Order: import what every job needs, say `ready`, wait for the job, seal the process, and only then touch learner code.
"""

import atexit
import contextlib
import ctypes
import json
import linecache
import os
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from grader.inside import frames
from grader.inside.frames import Frame
from grader.inside.python_check import check

RECORDER = "/fp/lib/libfp_recorder.so"
SOURCE_NAME = "solution.py"
STORAGE = {"bfloat16": "uint16"}
SCALARS: dict[str, Callable[[str], int | float]] = {
    "int": int,
    "size_t": int,
    "int64_t": int,
    "float": float,
    "double": float,
    "bool": lambda text: bool(int(text)),
}
SECCOMP = {"x86_64": 317, "aarch64": 277}
SET_MODE_FILTER, FILTER_FLAG_TSYNC = 1, 1


class Harness:
    def __init__(self, feed: BinaryIO, results: int) -> None:
        self.feed = feed
        self.results = results
        self.recorder: Any = None
        self.cupy: Any = None
        self.libcudnn: Any = None
        self.handle = ctypes.c_void_p()
        self.source = ""
        self.function: Any = None

    def receive(self) -> Frame:
        """The next frame; `end` where the grader has closed the feed."""
        head = self.feed.read(frames.HEAD.size)
        if len(head) < frames.HEAD.size:
            return Frame("end")
        size = frames.frame_size(head, 1 << 40) or 0
        return frames.decode(head + self.feed.read(size - len(head)))

    def send(self, frame: Frame) -> None:
        data = memoryview(frame.encode())
        while data:
            data = data[os.write(self.results, data) :]

    def warm(self, trace: int, cudnn: str, cudart: str) -> None:
        """Loads the libraries and makes the handle, none of which belongs to the learner's trace."""
        self.recorder = ctypes.CDLL(RECORDER)
        self.recorder.fp_recorder_symbol.restype = ctypes.c_void_p
        self.recorder.fp_recorder_buffer.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]
        if self.recorder.fp_recorder_open(cudnn.encode(), cudart.encode()) != 0:
            raise OSError(f"{cudnn} or {cudart} cannot be loaded")
        self.recorder.fp_recorder_attach(trace)
        import cupy
        import libcudnn

        self.cupy, self.libcudnn = cupy, libcudnn
        libcudnn.set_learner_file(SOURCE_NAME)
        cupy.asnumpy(cupy.zeros(1, dtype=cupy.float32))
        self.cudnn_call("cudnnCreate", ctypes.byref(self.handle))
        if "FP_WARM_UP" in os.environ:
            self.recorder.fp_recorder_warm(self.handle)

    def cudnn_call(self, name: str, *arguments: Any) -> None:
        """A call of the harness itself, past the recorder."""
        function = ctypes.CFUNCTYPE(ctypes.c_int)(self.recorder.fp_recorder_symbol(name.encode()))
        if (status := function(*arguments)) != 0:
            raise OSError(f"{name} failed with {status}")

    def mark(self, case: str) -> None:
        """Calls from here on belong to this case; to the harness where it is empty."""
        self.recorder.fp_recorder_case(case.encode())

    def seal(self, program: bytes) -> None:
        """Loads the filter for every thread. Raises OSError where the kernel refuses: then nothing is run."""
        libc = ctypes.CDLL(None, use_errno=True)
        instructions = ctypes.create_string_buffer(program, len(program))
        descriptor = SockFprog(len(program) // 8, ctypes.cast(instructions, ctypes.c_void_p))
        number = SECCOMP[os.uname().machine]
        if libc.syscall(number, SET_MODE_FILTER, FILTER_FLAG_TSYNC, ctypes.byref(descriptor)) != 0:
            raise OSError(ctypes.get_errno(), "seccomp refused the filter")

    def keep(self, source: str) -> None:
        """Takes the source, and lets tracebacks show its lines."""
        self.source = source
        linecache.cache[SOURCE_NAME] = (len(source), None, source.splitlines(keepends=True), SOURCE_NAME)

    def execute(self, name: str) -> dict[str, Any]:
        """Executes the source as the module `name`; its variables."""
        module = types.ModuleType(name)
        module.__dict__["__file__"] = SOURCE_NAME
        sys.modules[name] = module
        # The sandbox exists for this line.
        exec(compile(self.source, SOURCE_NAME, "exec"), module.__dict__)  # noqa: S102
        return module.__dict__

    def run_case(self, frame: Frame) -> Frame:
        arguments, checked, outputs = self.arguments(frame)
        self.mark(frame.kind.split(" ", 1)[1])
        self.function(*arguments)
        self.mark("")
        sys.stdout.flush()
        if (fault := self.synchronize()) is not None:
            return fault
        self.recorder.fp_recorder_gpu_times()
        result = Frame("result")
        for name, array, before in checked:
            if self.host(array).tobytes() != before:
                result.fields.append(["changed", name])
        self.add_all(result, outputs)
        return result

    def time_case(self, frame: Frame) -> Frame:
        """One timed call. The grader's clock runs from its `go` to the answer, which holds the outputs."""
        arguments, _, outputs = self.arguments(frame)
        self.mark(frame.kind.split(" ", 1)[1])
        self.synchronize()
        self.send(Frame("armed"))
        self.receive()
        if self.function is not None:
            self.function(*arguments)
        if (fault := self.synchronize()) is not None:
            return fault
        result = Frame("result")
        self.add_all(result, outputs)
        return result

    def add_all(self, result: Frame, outputs: list[Any]) -> None:
        for name, dtype, array in outputs:
            self.add(result, name, dtype, self.host(array))

    def synchronize(self) -> Frame | None:
        """Waits for the learner's work; a fault where it left a CUDA error."""
        try:
            self.cupy.cuda.runtime.deviceSynchronize()
        except self.cupy.cuda.runtime.CUDARuntimeError as error:
            return Frame("fault", [["cuda", str(int(error.status))]], str(error).encode())
        return None

    def arguments(self, frame: Frame) -> tuple[list[Any], list[Any], list[Any]]:
        arguments: list[Any] = []
        checked: list[Any] = []
        outputs: list[Any] = []
        offset = 0
        for what, name, *rest in frame.fields:
            if what == "handle":
                arguments.append(self.libcudnn.cudnnHandle_t(self.handle.value))
            elif what == "scalar":
                arguments.append(self.scalar(*rest))
            else:
                kind, dtype, size, sizes = rest
                raw = frame.body[offset : offset + int(size)]
                offset += int(size)
                shape = tuple(map(int, sizes.split("x")))
                array = self.array(kind, dtype, shape, raw)
                self.name(array, name)
                arguments.append(array)
                if kind in ("input", "host_input"):
                    checked.append((name, array, raw))
                else:
                    outputs.append((name, dtype, array))
        return arguments, checked, outputs

    def scalar(self, type_: str, text: str) -> Any:
        if type_ in SCALARS:
            return SCALARS[type_](text)
        name, number = text.split("=")
        return getattr(self.libcudnn, name, int(number))

    def array(self, kind: str, dtype: str, shape: tuple[int, ...], raw: bytes) -> Any:
        host = np.frombuffer(bytearray(raw), STORAGE.get(dtype, dtype)).reshape(shape)
        return host if kind.startswith("host_") else self.cupy.asarray(host)

    def name(self, array: Any, name: str) -> None:
        """Names a device array in the trace. Not CuPy's own: its pool hands out the memory again."""
        if not isinstance(array, np.ndarray) and array.nbytes and "FP_GPU" not in os.environ:
            self.recorder.fp_recorder_buffer(array.data.ptr, array.nbytes, name.encode())

    def host(self, array: Any) -> Any:
        return array if isinstance(array, np.ndarray) else self.cupy.asnumpy(array)

    def add(self, result: Frame, name: str, dtype: str, array: Any) -> None:
        stored = STORAGE.get(dtype, dtype)
        shown = dtype if array.dtype.name == stored else array.dtype.name
        data = np.ascontiguousarray(array).tobytes()
        result.fields.append(["array", name, shown, str(len(data)), "x".join(map(str, array.shape))])
        result.body += data

    def fault(self, error: BaseException) -> Frame:
        """The exception as a frame, its traceback cut to the learner's own lines."""
        frames_ = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames_ if frame.filename == SOURCE_NAME]
        lines = traceback.format_list(own) + traceback.format_exception_only(error)
        line = own[-1].lineno if own else getattr(error, "lineno", 0)
        fields = [["exception", type(error).__name__], ["line", str(line or 0)]]
        status = getattr(error, "status", None)
        if isinstance(status, int):
            fields.append(["status", str(int(status))])
        return Frame("fault", fields, "".join(lines).encode("utf-8", "replace")[:60_000])

    def finish(self) -> None:
        """Gives back the handle, then asks the simulator for leaks and overruns, which become notes in the trace."""
        self.mark("")
        if "FP_GPU" in os.environ:
            with contextlib.suppress(Exception):  # the learner's code may have left cupy in any state
                self.cupy.cuda.runtime.deviceSynchronize()
                self.recorder.fp_recorder_gpu_times()
        with contextlib.suppress(OSError):  # where the learner's code has destroyed it
            self.cudnn_call("cudnnDestroy", self.handle)
        self.recorder.fp_recorder_report()


class SockFprog(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def serve(harness: Harness) -> None:
    """Takes frames until the grader closes the feed."""
    while True:
        frame = harness.receive()
        kind, *words = frame.kind.split(" ")
        if kind == "keep":
            harness.keep(frame.body.decode())
        elif kind == "seal":
            harness.seal(frame.body)
            harness.send(Frame("sealed"))
        elif kind == "health":
            harness.send(harness.synchronize() or Frame("healthy"))
        elif kind == "check":
            function = words[0] if words else ""
            report = check(harness.source, function, int(words[1]) if words else 0)
            harness.send(Frame("checked", body=json.dumps(report).encode("utf-8", "replace")))
        elif kind == "load":
            harness.function = harness.execute("solution").get(words[0])
            if not callable(harness.function):
                harness.send(Frame("fault", [["missing", words[0]]]))
                return
            harness.send(Frame("loaded"))
        elif kind == "program":
            harness.send(Frame("loaded"))
            harness.mark(words[0])
            sys.argv = [SOURCE_NAME, *(word for (word,) in frame.all("word"))]
            harness.execute("__main__")
            return
        elif kind == "case":
            harness.send(harness.run_case(frame))
        elif kind == "time":
            harness.send(harness.time_case(frame))
            harness.mark("")
        else:
            return


def run(harness: Harness) -> int:
    """Serves the job, then does what learner code left for the interpreter's end; the exit status."""
    atexit._clear()  # what the libraries registered: the process ends without them
    try:
        serve(harness)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException as error:
        sys.stdout.flush()
        harness.send(harness.fault(error))
        return 1
    finally:
        with contextlib.suppress(Exception):  # each is printed as it fails, and the others still run
            atexit._run_exitfuncs()
    return 0


def main() -> None:
    feed, results, trace = (int(text) for text in sys.argv[1:4])
    harness = Harness(os.fdopen(feed, "rb"), results)
    harness.warm(trace, *sys.argv[4:6])
    harness.send(Frame("ready"))
    status = run(harness)
    harness.finish()
    sys.stdout.flush()
    sys.stderr.flush()
    if "FP_GPU" in os.environ:  # the driver takes its time to tear the process down: the grader need not wait for it
        harness.send(Frame(f"left {status & 0xFF}"))
    os._exit(status)
