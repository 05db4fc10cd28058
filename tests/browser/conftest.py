"""Fixtures: the real server on a free port with a database of its own, and pages whose console must stay clean."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WORKER = [sys.executable, "-m", "grader", "worker", "--draft-load", "1e9", "--draft-priority", "normal"]
"""Compiles drafts also on a machine that is busy with other tests, where niceness 19 takes longer than allowed."""
SERVE = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
if os.getppid() != int(sys.argv.pop(1)):
    sys.exit("the tests ended before their server began")
from app.cli import main
main()
"""
"""A server that ends when the process that began it does, however that ends: an interrupted run leaves none behind."""
SLOW = float(os.environ.get("FORWARDPASS_TEST_SLOW", "1"))
"""By how much Chromium is slowed down. What a test reads too early on a loaded machine shows itself at 6."""
START_S = 480.0
"""For a server or Chromium to begin beside other work; only what fails waits as long."""
END_S = 60.0
PATIENCE_MS = 60_000
"""For a page or an element on a machine that is busy with other tests."""

OpenPage = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1))  # decision 0017: named in the summary as RERUN


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_ready(origin: str, process: "subprocess.Popen[bytes]", log: Path, ready: str) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}:\n{log.read_text()[-4000:]}")
        try:
            if httpx.get(f"{origin}/healthz").json()["grader"] == ready:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise RuntimeError(f"the grader was not ready within {START_S:.0f} s:\n{log.read_text()[-4000:]}")


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(timeout=END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def serving(folder: Path, *options: str, ready: str = "ready", **settings: str) -> Iterator[str]:
    """Origin of a server of its own, with an empty database in `folder`; ready: the state of the grader to wait for."""
    port = _free_port()
    origin = f"http://127.0.0.1:{port}"
    environment = os.environ | {
        "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/browser.db",
        "FORWARDPASS_BACKEND": "simulated",
        "FORWARDPASS_GRADER_COMMAND": json.dumps(WORKER),
        "FORWARDPASS_SUBMISSIONS_PER_MINUTE": "1000",
        "FORWARDPASS_READERS_PER_MINUTE": "1000",
        **settings,
    }
    log = folder / "server.log"
    command = [sys.executable, "-c", SERVE, str(os.getpid()), "serve", "--port", str(port), *options]
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
        try:
            _wait_until_ready(origin, process, log, ready)
            yield origin
        finally:
            _end(process)


# Package scope: Playwright's loop must be gone before the asynchronous tests of other folders run.
@pytest.fixture(scope="package")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Origin of a running server with an empty database and the simulated backend; FP_TEST_ORIGIN names another one."""
    if running := os.environ.get("FP_TEST_ORIGIN"):
        yield running
        return
    request.getfixturevalue("native_build")
    with serving(tmp_path_factory.mktemp("server"), "--no-authoring") as origin:
        yield origin


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS / 3)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=START_S * 1000)
        yield chromium
        chromium.close()


class Console:
    """What a page complained about: errors of scripts, breaches of the CSP, failed requests of its own."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.forgiven: list[str] = []

    def watch(self, page: Page) -> None:
        page.on("console", self._message)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))

    def _message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text} ({message.location['url']})")

    def forgive(self, part: str) -> None:
        """A complaint that the test provokes on purpose."""
        self.forgiven.append(part)

    def unexpected(self) -> list[str]:
        return [text for text in self.complaints if not any(part in text for part in self.forgiven)]


@pytest.fixture
def console() -> Console:
    return Console()


@pytest.fixture
def open_page(server: str, browser: Browser, console: Console) -> Iterator[OpenPage]:
    """Opens a path as a new guest: `open_page("/ko/", width=390, theme="dark")`. The console must stay clean."""
    contexts = []

    def open_(path: str, *, width: int = 1280, height: int = 900, theme: str = "light", **options: Any) -> Page:
        context = browser.new_context(
            base_url=server,
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce",
            **options,
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        if SLOW > 1:
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
        console.watch(page)
        page.goto(path)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert console.unexpected() == []


@pytest.fixture(scope="session")
def screenshots() -> Path:
    folder = ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
