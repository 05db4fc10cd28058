"""Static files: precompressed, hashed, cached."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.staticfiles import Manifest
from tests.web.conftest import Client, client_of

MakeApp = Callable[..., Awaitable[FastAPI]]


@pytest.fixture
async def static(make_app: MakeApp, tmp_path: Path) -> AsyncIterator[Client]:
    dist = tmp_path / "static" / "dist"
    dist.mkdir(parents=True)
    (dist / "app-1A2B3C4D.js").write_text("plain")
    (dist / "app-1A2B3C4D.js.br").write_text("brotli")
    (dist / "app-1A2B3C4D.js.gz").write_text("gzip")
    (dist / "manifest.json").write_text(json.dumps({"app.js": "app-1A2B3C4D.js"}))
    (tmp_path / "static" / "robots.txt").write_text("User-agent: *")
    app = await make_app(static_dir=tmp_path / "static")
    async with client_of(app) as client:
        yield client


@pytest.mark.parametrize(
    ("accepts", "encoding", "body"),
    [
        ("gzip, deflate, br", "br", "brotli"),
        ("gzip", "gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip", "gzip"),
        ("identity", None, "plain"),
    ],
)
async def test_best_copy_is_sent(static: Client, accepts: str, encoding: str | None, body: str) -> None:
    async with static.stream("GET", "/static/dist/app-1A2B3C4D.js", headers={"Accept-Encoding": accepts}) as answer:
        raw = b"".join([chunk async for chunk in answer.aiter_raw()])
    assert raw.decode() == body
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["content-type"].startswith(("text/javascript", "application/javascript"))
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


async def test_unhashed_files_are_asked_for_again(static: Client) -> None:
    answer = await static.get("/static/robots.txt")
    assert answer.headers["cache-control"] == "no-cache"
    again = await static.get("/static/robots.txt", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("path", ["/static/nope.js", "/static/../app/main.py", "/static/%2e%2e/pyproject.toml"])
async def test_nothing_outside_is_served(static: Client, path: str) -> None:
    assert (await static.get(path)).status_code == 404


def test_manifest_names_hashed_files_and_notices_changes(tmp_path: Path) -> None:
    manifest = Manifest(tmp_path)
    assert manifest.url("app.js") == "/static/app.js"
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "manifest.json").write_text('{"app.js": "app-00000000.js"}')
    assert manifest.url("app.js") == "/static/dist/app-00000000.js"


async def test_running_server_takes_a_new_build_and_keeps_the_old_one_until_it_is_whole(
    make_app: Callable[..., Awaitable[FastAPI]], tmp_path: Path
) -> None:
    manifest = tmp_path / "static" / "dist" / "manifest.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text('{"site.css": "site-OLD00000.css"}')
    async with client_of(await make_app(static_dir=tmp_path / "static")) as client:
        assert "site-OLD00000.css" in (await client.get("/ko/")).text
        manifest.write_text('{"site.css": "si')
        assert "site-OLD00000.css" in (await client.get("/ko/")).text
        manifest.unlink()
        assert "site-OLD00000.css" in (await client.get("/ko/")).text
        manifest.write_text('{"site.css": "site-NEW00000.css"}')
        page = (await client.get("/ko/")).text
    assert "site-NEW00000.css" in page
    assert "site-OLD00000.css" not in page


async def test_every_file_that_pages_name_exists(client: Client) -> None:
    for page in ("/ko/", "/ko/lessons/handles", "/ko/exercises/copy", "/ko/search?q=x"):
        text = (await client.get(page)).text
        for url in set(re.findall(r'(?:src|href)="(/static/[^"]+)"', text)):
            assert (await client.get(url)).status_code == 200, url
