"""Headers, the content security policy, cross-site requests, cookies, size limits."""

import re
from collections.abc import Awaitable, Callable

import httpx
import pytest
from fastapi import FastAPI

from tests.web.conftest import ORIGIN, Client, client_of

MakeApp = Callable[..., Awaitable[FastAPI]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{}'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; object-src 'none'"
)


def nonce_of(answer: httpx.Response) -> str:
    found = re.search(r"'nonce-([\w-]+)'", answer.headers["content-security-policy"])
    assert found
    return found[1]


@pytest.mark.parametrize("path", ["/ko/", "/ko/lessons/handles", "/en/exercises/copy", "/api/search?q=a", "/nope"])
async def test_every_answer_has_the_headers(client: Client, path: str) -> None:
    answer = await client.get(path)
    assert answer.headers["content-security-policy"] == POLICY.format(nonce_of(answer))
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in answer.headers["permissions-policy"]


async def test_nonce_is_fresh_and_the_pages_own(client: Client) -> None:
    first, second = await client.get("/en/exercises/copy"), await client.get("/en/exercises/copy")
    assert nonce_of(first) != nonce_of(second)
    assert nonce_of(first) in first.text


@pytest.mark.parametrize("path", ["/ko/", "/ko/lessons/handles", "/en/exercises/copy", "/en/reference/cudnnCreate"])
async def test_pages_hold_nothing_that_the_policy_blocks(client: Client, path: str) -> None:
    page = (await client.get(path)).text
    assert not re.search(r"<[^>]+\sstyle=", page)
    assert not re.search(r"<[^>]+\son[a-z]+=", page)
    scripts = re.findall(r"<script(?![^>]*\bsrc=)([^>]*)>", page)
    assert all("application/json" in script for script in scripts)
    assert not re.findall(r'(?:src|href)="https?://(?!course\.test)[^"]*\.(?:js|css|woff2)"', page)


async def test_tls_adds_secure_cookies_and_hsts(make_app: MakeApp) -> None:
    app = await make_app(public_origin="https://course.test")
    async with client_of(app) as client:
        answer = await client.post("/api/lessons/handles/read")
    assert "Secure" in answer.headers["set-cookie"]
    assert answer.headers["strict-transport-security"].startswith("max-age=")


async def test_reader_cookie_is_httponly_lax_and_long(client: Client) -> None:
    cookie = (await client.post("/api/lessons/handles/read")).headers["set-cookie"]
    assert cookie.startswith("fp_reader=")
    for part in ("HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="):
        assert part in cookie
    assert "Secure" not in cookie


async def test_reading_pages_sets_no_cookie(client: Client) -> None:
    for path in ("/ko/", "/ko/lessons/handles", "/ko/exercises/copy"):
        assert "set-cookie" not in (await client.get(path)).headers


ALLOWED = [{"Sec-Fetch-Site": "same-origin"}, {"Origin": ORIGIN}]
REFUSED = [
    {},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "cross-site", "Origin": ORIGIN},
    {"Origin": "http://evil.test"},
    {"Origin": "null"},
    {"Origin": ORIGIN + ".evil.test"},
]


@pytest.mark.parametrize(("headers", "status"), [(h, 200) for h in ALLOWED] + [(h, 403) for h in REFUSED])
async def test_unsafe_requests_must_come_from_our_pages(app: FastAPI, headers: dict[str, str], status: int) -> None:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        answer = await client.post("/api/lessons/handles/read", headers=headers)
        assert answer.status_code == status
        if status == 403:
            assert answer.json()["error"] == "forbidden_origin"
            assert "set-cookie" not in answer.headers
        assert (await client.get("/ko/", headers=headers)).status_code == 200, "safe methods are free"


async def test_body_over_the_limit_is_refused_declared_or_not(make_app: MakeApp) -> None:
    app = await make_app(max_body_bytes=1000)

    async def pieces() -> object:
        for _ in range(50):
            yield b"x" * 100

    async with client_of(app) as client:
        declared = await client.post("/api/run", content=b"x" * 2000)
        chunked = await client.post("/api/run", content=pieces())
    for answer in (declared, chunked):
        assert (answer.status_code, answer.json()["error"]) == (413, "too_large")
        assert answer.json()["limit"] == 1000


async def test_guests_from_one_address_are_limited(make_app: MakeApp) -> None:
    app = await make_app(readers_per_minute=2)
    statuses = []
    for _ in range(3):
        async with client_of(app) as client:
            answer = await client.post("/api/lessons/handles/read")
            statuses.append(answer.status_code)
    assert statuses == [200, 200, 429]
    assert int(answer.headers["retry-after"]) > 0
    assert "새로 온 사람" in answer.json()["message"]


async def test_pages_are_compressed_and_streams_are_not(client: Client) -> None:
    page = await client.get("/ko/reference/", headers={"Accept-Encoding": "gzip"})
    assert page.headers["content-encoding"] == "gzip"
    assert "cudnnCreate" in page.text
    submission = (await client.post("/api/run", json={"language": "cpp", "source": "x"})).json()
    await client.post(f"/api/submissions/{submission['id']}/cancel")
    events = await client.get(submission["events"], headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in events.headers


@pytest.mark.parametrize("token", ["", "x", "a" * 43, "ä" * 43, "a" * 5000])
async def test_made_up_tokens_are_nobody(client: Client, token: str) -> None:
    header = {"Cookie": f"fp_reader={token}".encode()}
    assert (await client.get("/ko/", headers=header)).status_code == 200
    assert (await client.get("/api/submissions/x", headers=header)).status_code == 404
