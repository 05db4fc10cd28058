"""Keeping best times and showing boards. A time comes from the verdict of an accepted submission, from nowhere else."""

import math
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import Reader
from app.db import now
from app.leaderboard import queries
from app.leaderboard.models import BestTime, BoardName
from grader.contract.codes import Code
from grader.contract.verdict import cudnn_text

SHOWN = 10
"""Places of a board that a page shows; the reader's own is shown wherever it is."""
NOUNS = ("tensor", "kernel", "filter", "stride", "warp", "tile", "batch", "stream", "channel", "window")


@dataclass(frozen=True, slots=True)
class Place:
    rank: int
    name: str
    milliseconds: float
    language: str
    cudnn_version: str
    reached_at: datetime
    mine: bool


@dataclass(frozen=True, slots=True)
class Board:
    """The times of one challenge on one device. Times of different devices are not compared."""

    device: str
    places: list[Place]


@dataclass(frozen=True, slots=True)
class Identity:
    """What others see of a reader. name: empty before the first time that counts."""

    name: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Timed:
    seconds: float
    device: str
    cudnn_version: int


def read_time(verdict: dict[str, Any]) -> Timed | None:
    """The time that an accepted verdict of a real GPU carries; None for every other verdict."""
    backend, timing = verdict.get("backend"), verdict.get("timing")
    if verdict.get("code") != Code.ACCEPTED or not isinstance(backend, dict) or not isinstance(timing, dict):
        return None
    median, version = timing.get("median"), backend.get("cudnn_version")
    if backend.get("name") != "gpu" or isinstance(median, bool) or not isinstance(median, int | float):
        return None
    if not math.isfinite(median) or median <= 0:
        return None
    return Timed(float(median), str(backend.get("device"))[:100], version if isinstance(version, int) else 0)


async def keep(session: AsyncSession, reader_id: int, exercise: str, language: str, verdict: dict[str, Any]) -> None:
    """Keeps the verdict's time where it has one and it is the reader's best on this device."""
    timed = read_time(verdict)
    if timed is None:
        return
    await _name(session, reader_id)
    best = await queries.best(session, reader_id, exercise, timed.device)
    if best is None:
        best = BestTime(reader_id=reader_id, exercise=exercise, device=timed.device, seconds=math.inf)
        session.add(best)
    if timed.seconds < best.seconds:
        best.seconds, best.language = timed.seconds, language
        best.cudnn_version, best.reached_at = timed.cudnn_version, now()


async def _name(session: AsyncSession, reader_id: int) -> BoardName:
    """The reader's name, drawn now where there is none. It tells nothing about them."""
    found = await queries.name_of(session, reader_id)
    if found is None:
        try:
            async with session.begin_nested():
                session.add(BoardName(reader_id=reader_id, name=await _free_name(session), hidden=False))
        except IntegrityError:  # another submission of this reader ended at the same time
            pass
        found = await queries.name_of(session, reader_id)
    if found is None:
        raise LookupError(f"no name for reader {reader_id}")
    return found


async def _free_name(session: AsyncSession) -> str:
    while await queries.is_taken(
        session, name := f"{secrets.choice(NOUNS)}-{secrets.randbelow(9_000_000) + 1_000_000}"
    ):
        pass
    return name


async def boards(session: AsyncSession, reader: Reader | None, exercise: str) -> list[Board]:
    """A board for each device, with the reader's own place even where it is not among the first."""
    return [
        Board(device, await _places(session, reader, exercise, device))
        for device in await queries.devices(session, exercise)
    ]


async def _places(session: AsyncSession, reader: Reader | None, exercise: str, device: str) -> list[Place]:
    rows = await queries.board(session, exercise, device, SHOWN)
    mine = reader.id if reader else None
    places = [_place(rank, time, name, mine) for rank, (time, name) in enumerate(rows, start=1)]
    if reader is None or any(place.mine for place in places):
        return places
    own, identity = await queries.best(session, reader.id, exercise, device), await queries.name_of(session, reader.id)
    if own is not None and identity is not None and not identity.hidden:
        places.append(_place(await queries.faster_than(session, own) + 1, own, identity.name, mine))
    return places


def _place(rank: int, time: BestTime, name: str, mine: int | None) -> Place:
    version = cudnn_text(time.cudnn_version)
    milliseconds = time.seconds * 1000
    return Place(rank, name, milliseconds, time.language, version, time.reached_at, time.reader_id == mine)


async def identity(session: AsyncSession, reader: Reader | None) -> Identity:
    found = await queries.name_of(session, reader.id) if reader else None
    return Identity(found.name, found.hidden) if found else Identity()


async def show(session: AsyncSession, reader: Reader, *, hidden: bool) -> None:
    """Takes the reader off every board, or puts them back. Times are kept either way."""
    (await _name(session, reader.id)).hidden = hidden
