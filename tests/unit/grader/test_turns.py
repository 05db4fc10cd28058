"""Jobs share a GPU; whoever reports times has it alone, and is not starved by those that come after."""

import threading
import time
from pathlib import Path

from grader.timing import alone
from grader.turns import Turn

WAIT_S = 5.0


def test_two_jobs_share_and_one_alone_waits_for_both(tmp_path: Path) -> None:
    alone = threading.Event()

    def timed() -> None:
        with Turn(tmp_path, 0) as turn, turn.alone():
            alone.set()

    with Turn(tmp_path, 0), Turn(tmp_path, 0):
        thread = threading.Thread(target=timed)
        thread.start()
        assert not alone.wait(0.2)
    assert alone.wait(WAIT_S)
    thread.join()


def test_jobs_that_come_later_wait_behind_the_gate(tmp_path: Path) -> None:
    order: list[str] = []
    closed = threading.Event()

    def timed(turn: Turn) -> None:
        with turn.alone():
            order.append("timed")

    def later() -> None:
        closed.wait(WAIT_S)
        with Turn(tmp_path, 0):
            order.append("later")

    with Turn(tmp_path, 0) as own:
        other = Turn(tmp_path, 0)
        threads = [threading.Thread(target=timed, args=(other,)), threading.Thread(target=later)]
        for thread in threads:
            thread.start()
        while not gate_is_closed(tmp_path):
            pass
        closed.set()
        threads[1].join(0.2)
        assert order == []
        del own
    for thread in threads:
        thread.join(WAIT_S)
    assert order == ["timed", "later"]


def gate_is_closed(folder: Path) -> bool:
    import fcntl
    import os

    gate = os.open(folder / "gpu0.gate", os.O_RDWR)
    try:
        fcntl.flock(gate, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(gate)
    return False


def test_jobs_that_are_all_timed_do_not_wait_for_one_another(tmp_path: Path) -> None:
    inside: list[int] = []
    together = threading.Barrier(3)

    def timed(number: int) -> None:
        with Turn(tmp_path, 0) as turn:
            together.wait(WAIT_S)  # every job shares the device when the first one wants it alone
            with alone(turn):
                inside.append(number)

    threads = [threading.Thread(target=timed, args=(number,), daemon=True) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S)
    assert sorted(inside) == [0, 1, 2]


def test_many_jobs_timed_and_not_over_two_devices_all_have_their_turn(tmp_path: Path) -> None:
    rounds, shared, now_alone = 40, {0: 0, 1: 0}, [0]
    done: list[int] = []
    counting = threading.Lock()
    wrong: list[str] = []

    def enter(device: int, change: int) -> None:
        with counting:
            shared[device] += change

    def timed(device: int, turn: Turn) -> None:
        enter(device, -1)
        with alone(turn):
            with counting:
                now_alone[0] += 1
                if now_alone[0] != 1 or shared[device]:
                    wrong.append(f"{now_alone[0]} timed, {shared[device]} beside them on device {device}")
            time.sleep(0.0005)
            with counting:
                now_alone[0] -= 1
        enter(device, 1)

    def jobs(number: int) -> None:
        for job in range(rounds):
            device = (number + job) % 2
            with Turn(tmp_path, device) as turn:
                enter(device, 1)
                if (number + job) % 3:
                    timed(device, turn)
                enter(device, -1)
        done.append(number)

    threads = [threading.Thread(target=jobs, args=(number,), daemon=True) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(12 * WAIT_S)
    assert sorted(done) == list(range(6))
    assert wrong == []


def test_devices_are_apart(tmp_path: Path) -> None:
    with Turn(tmp_path, 0), Turn(tmp_path, 1) as turn, turn.alone():
        pass
