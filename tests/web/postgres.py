"""A private PostgreSQL server for the tests, from Debian's binaries, gone when they end."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DEBIAN = Path("/usr/lib/postgresql")


def binaries() -> Path:
    """Folder of the newest installed server. Raises FileNotFoundError."""
    found = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not found:
        raise FileNotFoundError(f"no PostgreSQL below {DEBIAN}: apt-get install postgresql")
    return found[-1].parent


def _owner() -> str | None:
    """initdb refuses to run as root; anyone else runs it as themselves."""
    if os.getuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@contextmanager
def server() -> Iterator[str]:
    """URL of a running server's maintenance database: `postgresql+asyncpg://tests@127.0.0.1:PORT/postgres`."""
    folder = Path(tempfile.mkdtemp(prefix="forwardpass-postgres-"))
    owner, port, data = _owner(), _free_port(), folder / "data"
    if owner:
        shutil.chown(folder, owner)

    def run(*command: str) -> None:
        subprocess.run(command, user=owner, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=50"
    try:
        run(str(binaries() / "initdb"), "-D", str(data), "-A", "trust", "-U", "tests", "-E", "UTF8", "--no-sync")
        control = [str(binaries() / "pg_ctl"), "-D", str(data), "-w"]
        run(*control, "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql+asyncpg://tests@127.0.0.1:{port}/postgres"
        finally:
            run(*control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
