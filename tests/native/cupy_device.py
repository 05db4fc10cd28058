"""Memory, streams, events, devices and errors."""

from typing import Any

import numpy as np

from tests.native.cupy_tools import check, raises, same


@check
def own_memory_as_an_array(cp: Any) -> None:
    memory = cp.cuda.alloc(64)
    a = cp.ndarray((4,), dtype=np.float32, memptr=memory + 16)
    a.fill(5)
    assert a.data.ptr == memory.ptr + 16
    same(a, np.full(4, 5, np.float32))
    foreign = cp.cuda.UnownedMemory(a.data.ptr, 16, a)
    same(cp.ndarray(4, np.float32, cp.cuda.MemoryPointer(foreign, 0)), np.full(4, 5, np.float32))


@check
def memory_pool(cp: Any) -> None:
    pool = cp.get_default_memory_pool()
    before = pool.used_bytes()
    a = cp.zeros(1 << 18, dtype=np.float32)
    assert pool.used_bytes() >= before + a.nbytes
    del a
    pool.free_all_blocks()
    assert pool.used_bytes() <= before
    assert pool.total_bytes() >= pool.used_bytes()
    assert cp.get_default_pinned_memory_pool().n_free_blocks() >= 0


@check
def streams_and_events(cp: Any) -> None:
    stream = cp.cuda.Stream(non_blocking=True)
    start, end = cp.cuda.Event(), cp.cuda.Event()
    with stream:
        assert cp.cuda.get_current_stream() == stream
        start.record()
        a = cp.ones(8, dtype=np.float32) * 2
        end.record(stream)
    stream.synchronize()
    assert stream.done
    end.synchronize()
    assert cp.cuda.get_elapsed_time(start, end) >= 0
    assert cp.cuda.get_current_stream() == cp.cuda.Stream.null
    assert cp.cuda.Stream.null.ptr == 0
    assert stream.ptr != 0
    stream.wait_event(end)
    cp.cuda.Stream.null.synchronize()
    same(a, np.full(8, 2, np.float32))


@check
def devices(cp: Any) -> None:
    device = cp.cuda.Device(0)
    device.synchronize()
    with device:
        assert cp.cuda.runtime.getDevice() == 0
    free, total = device.mem_info
    assert 0 < free <= total
    assert int(device) == device.id == cp.cuda.Device().id
    assert int(device.compute_capability) >= 50
    assert cp.cuda.runtime.getDeviceCount() >= 1
    assert cp.cuda.is_available()
    assert isinstance(cp.cuda.runtime.getDeviceProperties(0)["name"], bytes)


@check
def runtime_functions(cp: Any) -> None:
    runtime = cp.cuda.runtime
    pointer = runtime.malloc(64)
    host = np.arange(16, dtype=np.float32)
    back = np.empty_like(host)
    runtime.memcpy(pointer, host.ctypes.data, 64, runtime.memcpyHostToDevice)
    runtime.memset(pointer, 0, 4)
    runtime.deviceSynchronize()
    runtime.memcpy(back.ctypes.data, pointer, 64, runtime.memcpyDeviceToHost)
    rows = np.zeros((2, 4), np.float32)
    runtime.memcpy2D(rows.ctypes.data, 16, pointer, 32, 16, 2, runtime.memcpyDeviceToHost)
    np.testing.assert_array_equal(rows, back.reshape(2, 8)[:, :4])
    runtime.memcpy2DAsync(pointer + 16, 32, rows.ctypes.data, 16, 16, 2, runtime.memcpyHostToDevice, 0)
    runtime.memcpy2D(rows.ctypes.data, 16, pointer + 16, 32, 16, 2, runtime.memcpyDeviceToHost)
    np.testing.assert_array_equal(rows, back.reshape(2, 8)[:, :4])
    runtime.free(pointer)
    assert back[0] == 0
    np.testing.assert_array_equal(back[1:], host[1:])
    assert runtime.runtimeGetVersion() >= 11000
    stream = runtime.streamCreate()
    runtime.streamSynchronize(stream)
    runtime.streamDestroy(stream)


@check
def runtime_errors_carry_their_status(cp: Any) -> None:
    runtime = cp.cuda.runtime
    error = raises(runtime.CUDARuntimeError, lambda: runtime.memcpy(0, 0, 16, 99))
    assert error.status == 21
    assert str(error).startswith("cudaErrorInvalidMemcpyDirection: ")
    raises(cp.cuda.memory.OutOfMemoryError, lambda: cp.empty(1 << 50, dtype=np.uint8))
