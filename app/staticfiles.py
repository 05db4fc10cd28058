"""Static files: hashed names from a manifest, precompressed copies, cache headers."""

import json
import logging
import os
import re
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

logger = logging.getLogger(__name__)

IMMUTABLE = "public, max-age=31536000, immutable"
CHECKED = "no-cache"  # kept by the browser, but asked for again (ETag) before each use
HASHED = re.compile(r"-[0-9A-Z]{8}\.")  # what the build puts into a name: chunks that no manifest lists have it too
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))


class Manifest:
    """Logical to hashed names, from `static/dist/manifest.json`; read again when the file changes."""

    def __init__(self, static_dir: Path) -> None:
        self._file = static_dir / "dist" / "manifest.json"
        self._read_at: int | None = None
        self._names: dict[str, str] = {}

    def names(self) -> dict[str, str]:
        """While a build replaces the file, and it is missing or incomplete, what it said before."""
        try:
            changed = self._file.stat().st_mtime_ns
            if changed != self._read_at:
                self._names = json.loads(self._file.read_text(encoding="utf-8"))
                self._read_at = changed
        except (FileNotFoundError, json.JSONDecodeError):
            logger.debug("no whole manifest at %s", self._file)
        return self._names

    def url(self, name: str) -> str:
        """URL of a logical file; files that are not built are served under their own names."""
        hashed = self.names().get(name)
        return f"/static/dist/{hashed}" if hashed else f"/static/{name}"


class PrecompressedFiles(StaticFiles):
    """Serves `app.js.br` or `app.js.gz` in place of `app.js` to browsers that take them."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, check_dir=False)
        self._root = directory.resolve()

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        path = Path(full_path)
        headers = Headers(scope=scope)
        encoding, chosen = self._choose(path, headers.get("accept-encoding", ""))
        original = FileResponse(path, stat_result=stat_result)
        response = FileResponse(
            chosen, status_code=status_code, stat_result=chosen.stat(), media_type=original.media_type
        )
        response.headers["Cache-Control"] = self._caching(path)
        response.headers["Vary"] = "Accept-Encoding"
        if encoding:
            response.headers["Content-Encoding"] = encoding
        if self.is_not_modified(response.headers, headers):
            return NotModifiedResponse(response.headers)
        return response

    def _choose(self, path: Path, accepts: str) -> tuple[str, Path]:
        offered = {
            part.partition(";")[0].strip() for part in accepts.split(",") if "q=0" not in part.replace("q=0.", "")
        }
        for encoding, suffix in ENCODINGS:
            compressed = path.with_name(path.name + suffix)
            if encoding in offered and compressed.is_file():
                return encoding, compressed
        return "", path

    def _caching(self, path: Path) -> str:
        built = path.is_relative_to(self._root / "dist")
        return IMMUTABLE if built and HASHED.search(path.name) else CHECKED
