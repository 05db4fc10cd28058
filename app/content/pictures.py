"""Looks into the pictures of a lesson: whether browsers can show them, and whether they do nothing else."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from grader.contract.problems import Problem

MOST_BYTES = 512 * 1024
SVG = "{http://www.w3.org/2000/svg}"
ACTIVE = frozenset({"script", "foreignObject", "iframe", "object", "embed", "handler", "listener"})
LINKS = ("href", "{http://www.w3.org/1999/xlink}href", "src")
ELSEWHERE = re.compile(r"@import|url\(\s*['\"]?(?!#|data:)", re.IGNORECASE)
BEGINNINGS = {".png": b"\x89PNG\r\n\x1a\n", ".webp": b"RIFF"}
FOUND_AT = re.compile(r": line (\d+), column \d+$")


def check_figure(file: Path) -> Iterator[Problem]:
    """Problems of one .svg, .png or .webp file."""
    data = file.read_bytes()
    if len(data) > MOST_BYTES:
        message = f"{len(data) // 1024} KiB, at most {MOST_BYTES // 1024} are served well"
        yield Problem(file, 0, message, "draw it as a smaller SVG, or save it with fewer colours or pixels")
    if file.suffix == ".svg":
        yield from _svg(file, data)
    elif not data.startswith(BEGINNINGS[file.suffix]):
        yield Problem(file, 0, f"not a {file.suffix[1:].upper()} picture", "save it in this format")


def _svg(file: Path, data: bytes) -> Iterator[Problem]:
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        line = data[: data.index(b"<!")].count(b"\n") + 1
        yield Problem(file, line, "a document type or entities", "remove `<!DOCTYPE …>`: an SVG needs none")
        return
    try:
        root = ElementTree.fromstring(data)  # noqa: S314  (entities are refused above)
    except ElementTree.ParseError as error:
        reason = "empty" if not data.strip() else FOUND_AT.sub("", str(error))
        mend = "close every element, and quote every attribute"
        yield Problem(file, error.position[0] if data.strip() else 0, f"not valid XML: {reason}", mend)
        return
    if root.tag != f"{SVG}svg":
        mend = 'begin with <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 WIDTH HEIGHT">'
        yield Problem(file, 1, f"the root is {root.tag.split('}')[-1]!r}, no SVG of its namespace", mend)
    elif "viewBox" not in root.attrib:
        yield Problem(file, 1, "no viewBox: it would not scale on a phone", 'add viewBox="0 0 WIDTH HEIGHT"')
    lines = data.decode("utf-8", "replace").split("\n")
    for element in root.iter():
        for found, mend in _active(element):
            line = next((i for i, text in enumerate(lines, 1) if found in text), 1)
            yield Problem(file, line, f"{found!r} in a figure: browsers refuse it", mend)


def _active(element: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """What runs, or is fetched from elsewhere, and how to mend it."""
    name = str(element.tag).split("}")[-1]
    if name in ACTIVE:
        yield f"<{name}", "draw it; what moves or asks belongs into a visualiser"
    for key, value in element.attrib.items():
        if key.lower().startswith("on"):
            yield key, "remove the handler"
        if key in LINKS and not value.startswith(("#", "data:image/")):
            yield value, "put the picture into the file, or leave the link to the text"
        if key == "style" and ELSEWHERE.search(value):
            yield value, "use a font or picture of the file itself"
    if name == "style" and (found := ELSEWHERE.search(element.text or "")):
        yield found[0], "use a font or picture of the file itself"
