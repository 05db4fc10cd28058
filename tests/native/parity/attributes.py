"""Every attribute of every descriptor of the graph API, set and read in every way; every descriptor finalised.

``python -m tests.native.parity.attributes record`` stores what the real library answers, so that CI can ask the
simulator the same questions without it (tests/native/test_sim_attributes.py).
"""

import argparse
import ctypes
import gzip
import hashlib
import json
import os
import pickle
import random
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NoReturn

from tests.native.parity.finalising import FINALISED
from tests.native.parity.installed import install_real
from tests.native.parity.nodes import KINDS, NAMES, NODE, SUBJECTS, TYPES, Library

STORE = Path(__file__).parent / "attributes.json.gz"
COUNTS = (-1, 0, 1, 2, 9)
"""Elements that are given or asked for: of an attribute with one, and of one with several."""
ALL_NAMES = (*NAMES.values(), 5555, -1)
ALL_TYPES = (*TYPES.values(), 99, -1)
DIED = "died"
Answer = list[Any] | str
Question = tuple[Any, ...]
"""What is asked (a key of `ASKED`), and of what."""

OWN = {
    "POINTWISE": ("POINTWISE_",),
    "CONVOLUTION": ("CONVOLUTION_",),
    "ENGINE": ("ENGINE_",),
    "ENGINECFG": ("ENGINECFG_",),
    "ENGINEHEUR": ("ENGINEHEUR_",),
    "EXECUTION_PLAN": ("EXECUTION_PLAN_",),
    "KNOB_CHOICE": ("KNOB_CHOICE_",),
    "KNOB_INFO": ("KNOB_INFO_",),
    "OPERATION_CONVOLUTION_FORWARD": ("OPERATION_CONVOLUTION_FORWARD_",),
    "OPERATION_CONVOLUTION_BACKWARD_DATA": ("OPERATION_CONVOLUTION_BWD_DATA_", "OPERATION_CONVOLUTION_BWD_FILTER_CONV"),
    "OPERATION_CONVOLUTION_BACKWARD_FILTER": ("OPERATION_CONVOLUTION_BWD_FILTER_",),
    "OPERATION_POINTWISE": ("OPERATION_POINTWISE_",),
    "OPERATIONGRAPH": ("OPERATIONGRAPH_",),
    "VARIANT_PACK": ("VARIANT_PACK_",),
    "TENSOR": ("TENSOR_",),
    "MATMUL": ("MATMUL_",),
    "OPERATION_MATMUL": ("OPERATION_MATMUL_",),
    "REDUCTION": ("REDUCTION_",),
    "OPERATION_REDUCTION": ("OPERATION_REDUCTION_",),
}
"""How the names of a descriptor's attributes begin."""


def has(kind: str, name: int) -> bool:
    """Whether an attribute is one of a descriptor's, by its name."""
    return any(name == value and known.startswith(OWN.get(kind, ())) for known, value in NAMES.items())


# ---- what is asked --------------------------------------------------------------------------------------------------


def set_questions() -> Iterator[tuple[bool, Question]]:
    """Each with whether the attribute is one of the descriptor's."""
    for kind, name in product(KINDS, ALL_NAMES):
        own = has(kind, name)
        for asked in product(ALL_TYPES, COUNTS, (False, True)):
            yield own, ("set", kind, name, *asked)


def get_questions() -> Iterator[tuple[bool, Question]]:
    for subject, name in product(SUBJECTS, ALL_NAMES):
        own = has(SUBJECTS[subject].kind, name)
        for asked in product(ALL_TYPES, COUNTS, (False, True), (False, True)):
            yield own, ("get", subject, name, *asked)
    for subject, name, into, count in product(SUBJECTS, ALL_NAMES, INTO, (1, 2)):
        if has(SUBJECTS[subject].kind, name):
            yield True, ("get parts", subject, name, into, count)


def other_questions() -> Iterator[tuple[bool, Question]]:
    for kind in range(-2, 62):
        yield True, ("create", kind, False)
        yield True, ("create", kind, True)
    yield from ((True, ("finalise", place)) for place in range(len(FINALISED)))


SWEEPS: dict[str, Callable[[], Iterator[tuple[bool, Question]]]] = {
    "set": set_questions,
    "get": get_questions,
    "other": other_questions,
}


# ---- how it is asked ------------------------------------------------------------------------------------------------


def ask_set(library: Library, kind: str, name: int, dtype: int, count: int, null: bool) -> Answer:
    node = library.create(KINDS[kind])[1]
    return [library.put(node, name, dtype, count, None if null else ctypes.create_string_buffer(512))]


def subject_of(library: Library, subject: str) -> int:
    """The descriptor of this name, which stays as long as the library."""
    if subject not in library.kept:
        node = library.make(SUBJECTS[subject])[0]
        library.finalize(node)
        library.kept[subject] = node
        library.made.clear()
    return library.kept[subject]


def ask_get(library: Library, subject: str, name: int, dtype: int, asked: int, *nulls: bool) -> Answer:
    """Status, number of elements and their bytes; of a descriptor, into a null one."""
    node, array, count = subject_of(library, subject), ctypes.create_string_buffer(128), ctypes.c_int64(-7)
    out = (None if nulls[0] else ctypes.byref(count), None if nulls[1] else array)
    return [library.get(node, name, dtype, asked, *out), count.value, array.raw.rstrip(b"\0").hex()]


INTO = ("tensor", "convolution", "matmul", "reduction", "pointwise", "finalised")


def ask_parts(library: Library, subject: str, name: int, into: str, asked: int) -> Answer:
    """Reads descriptors into fresh ones of a kind, or into one that is finalised; what they tell then."""
    node = subject_of(library, subject)
    known = {v: k for k, v in NAMES.items()}[name]
    given = SUBJECTS[subject].given.get(known)
    part = given.values[0] if given and given.type == NODE else SUBJECTS["tensor"]
    spec = part if into == "finalised" else SUBJECTS[into]
    nodes = [library.create(KINDS[spec.kind])[1] for _ in range(asked)]
    if into == "finalised":
        nodes[0] = library.part(spec)
    array, count = (ctypes.c_void_p * 16)(*nodes), ctypes.c_int64(-7)
    status = library.get(node, name, TYPES[NODE], asked, ctypes.byref(count), array)
    told = [library.told(nodes[0], key, value.type) for key, value in spec.given.items() if value.type != NODE]
    end = [] if spec.kind == "REDUCTION" else [library.finalize(nodes[0])]
    return [status, count.value, list(array)[:asked] == nodes, *told, *end]


UNCLEARED = {KINDS["REDUCTION"], KINDS["OPERATION_BN_FINALIZE_STATISTICS"]}
"""The real library finalises these by what the memory holds, where nothing was set."""


def ask_create(library: Library, kind: int, null: bool) -> Answer:
    if null:
        return [int(library.dnn.cudnnBackendCreateDescriptor(kind, None))]
    status, node = library.create(kind)
    return [status] if status or kind in UNCLEARED else [status, library.finalize(node)]


def ask_finalise(library: Library, place: int) -> Answer:
    """The first refusal of a setting, the status of finalising, and what the descriptor then tells."""
    spec = FINALISED[place]
    node, statuses = library.make(spec)
    found: list[Any] = [next((status for status in statuses if status), 0), library.finalize(node)]
    if found[-1] == 0:
        found += [library.told(node, name, given.type) for name, given in spec.given.items() if given.type != NODE]
    return found


ASKED: dict[str, Callable[..., Answer]] = {
    "set": ask_set,
    "get": ask_get,
    "get parts": ask_parts,
    "create": ask_create,
    "finalise": ask_finalise,
}


def answer(library: Library, question: Question) -> Answer:
    found = ASKED[question[0]](library, *question[1:])
    library.clear()
    return found


# ---- a library that may die -----------------------------------------------------------------------------------------

BATCH = 20000


def ask_all(library: Path, questions: Sequence[Question], out: Path) -> NoReturn:
    """Writes each answer as it comes; ends this process, with 1 and the traceback where the asking itself fails."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # where the real library says that it finds no driver
    with out.open("wb") as file:
        try:
            asked = Library(library)
            for question in questions:
                file.write(pickle.dumps(answer(asked, question)))
                file.flush()
        except BaseException:
            file.write(traceback.format_exc().encode())
            file.flush()
            os._exit(1)
    os._exit(0)


def rehearsed(library: Path, questions: Sequence[Question], out: Path) -> list[Answer]:
    """The answers up to the question in which a child of this process dies of a signal.

    Raises RuntimeError where the child fails of our own mistake, which is no death of the library.
    """
    child = os.fork()
    if child == 0:
        ask_all(library, questions, out)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status > 0:
        raise RuntimeError(f"asking {library} failed: {out.read_bytes()[-2000:].decode('utf-8', 'replace')}")
    found: list[Answer] = []
    with out.open("rb") as file:
        while True:
            try:
                found.append(pickle.load(file))
            except EOFError:
                return found


def answers(library: Path, questions: Sequence[Question]) -> list[Answer]:
    """What `library` answers, `DIED` for a question that it does not survive."""
    found: list[Answer] = []
    with tempfile.TemporaryDirectory() as folder:
        while len(found) < len(questions):
            batch = questions[len(found) : len(found) + BATCH]
            given = rehearsed(library, batch, Path(folder) / "answers")
            found += given if len(given) == len(batch) else [*given, DIED]
    return found


# ---- comparison -----------------------------------------------------------------------------------------------------


def whole(sweep: str) -> list[Question]:
    return [question for _, question in SWEEPS[sweep]()]


def sample(seed: int, count: int) -> list[Question]:
    """`count` questions of each sweep (-1: all), most of them about attributes that the descriptor has."""
    if count < 0:
        return [question for sweep in SWEEPS for question in whole(sweep)]
    rng, found = random.Random(seed), []
    for sweep in SWEEPS.values():
        own: list[Question] = []
        foreign: list[Question] = []
        for is_own, question in sweep():
            (own if is_own else foreign).append(question)
        found += rng.sample(own, min(count, len(own)))
        found += rng.sample(foreign, min(count // 10, len(foreign)))
    return found


def text(question: Question) -> str:
    return f"{question[0]} {FINALISED[question[1]] if question[0] == 'finalise' else question[1:]}"


def compare(real: Path, simulated: Path, questions: Sequence[Question], limit: int) -> tuple[int, int]:
    """Prints the disagreements, at most `limit`; how many answers agree, of how many compared."""
    theirs, ours = answers(real, questions), answers(simulated, questions)
    died = sum(found == DIED for found in theirs)
    wrong = [(q, a, b) for q, a, b in zip(questions, theirs, ours, strict=True) if a not in (DIED, b)]
    for question, expected, found in wrong[:limit]:
        print(f"  {text(question)}\n    real {expected}\n    sim  {found}")
    print(f"parity: {len(questions)} questions about attributes of the graph API, {len(wrong)} disagreements;")
    print(f"parity: {died} questions are left out, since the real library dies in them")
    return len(questions) - died - len(wrong), len(questions) - died


# ---- the store ------------------------------------------------------------------------------------------------------


def fingerprint() -> str:
    """Changes with what is asked."""
    asked = (KINDS, ALL_NAMES, ALL_TYPES, COUNTS, INTO, [*map(str, SUBJECTS.values())], [*map(str, FINALISED)])
    return hashlib.sha256(repr(asked).encode()).hexdigest()


def record(real: Path) -> None:
    """Stores the answers of the whole sweeps: each different one once, and its number for each question."""
    stored: dict[str, Any] = {"asked": fingerprint()}
    for sweep in SWEEPS:
        questions = whole(sweep)
        found = [json.dumps(given) for given in answers(real, questions)]
        known = {given: number for number, given in enumerate(dict.fromkeys(found))}
        places = "".join(chr(0x100 + known[given]) for given in found)
        stored[sweep] = {"answers": [*map(json.loads, known)], "places": places}
        print(f"recorded: {sweep}, {len(questions)} questions, {len(known)} different answers")
    STORE.write_bytes(gzip.compress(json.dumps(stored, ensure_ascii=False).encode(), mtime=0))


def recorded(sweep: str) -> tuple[list[tuple[bool, Question]], list[Answer]]:
    """The questions of a sweep, and what the real library answered."""
    stored = json.loads(gzip.decompress(STORE.read_bytes()))
    assert stored["asked"] == fingerprint(), "other questions: python -m tests.native.parity.attributes record"
    places = stored[sweep]["places"]
    return list(SWEEPS[sweep]()), [stored[sweep]["answers"][ord(place) - 0x100] for place in places]


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.native.parity.attributes", description=__doc__)
    parser.add_argument("action", choices=("record",))
    parser.add_argument("--real", type=Path, help="libcudnn.so.9 to record (default: installed from the wheel)")
    record(parser.parse_args().real or install_real())


if __name__ == "__main__":
    main()
