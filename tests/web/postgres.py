"""A private PostgreSQL server for the tests, from Debian's binaries, gone when they end."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg

EMPTY = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
SET session_replication_role = replica;  -- in any order of the tables
DO $$
DECLARE name regclass;
BEGIN
  FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
    IF name::text <> 'alembic_version' THEN EXECUTE 'DELETE FROM ' || name; END IF;
  END LOOP;
END $$;
SELECT setval(seqrelid, seqstart, false) FROM pg_sequence;
"""
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


async def empty(url: str) -> None:
    """Ends every other connection to a database and leaves nothing in its tables, as after its migrations."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        await connection.execute(EMPTY)
    finally:
        await connection.close()


@contextmanager
def server() -> Iterator[str]:
    """URL of a running server's maintenance database: `postgresql+asyncpg://tests@127.0.0.1:PORT/postgres`."""
    folder = Path(tempfile.mkdtemp(prefix="forwardpass-postgres-"))
    owner, port, data = _owner(), _free_port(), folder / "data"
    if owner:
        shutil.chown(folder, owner)

    def run(*command: str) -> None:
        subprocess.run(command, user=owner, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    try:
        run(str(binaries() / "initdb"), "-D", str(data), "-A", "trust", "-U", "tests", "-E", "UTF8", "--no-sync")
        with _running(data, port, owner):
            yield f"postgresql+asyncpg://tests@127.0.0.1:{port}/postgres"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _running(data: Path, port: int, owner: str | None) -> Iterator[None]:
    """A child that the kernel ends with us, even where we are killed."""
    settings = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": data.parent, "fsync": "off"}
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    command = ["setpriv", "--pdeathsig", "QUIT", str(binaries() / "postgres"), "-D", str(data), *options]
    with (data.parent / "log").open("wb") as log:
        process = subprocess.Popen(command, user=owner, cwd=data, stdout=log, stderr=subprocess.STDOUT)
    try:
        _await_ready(process, port, data.parent / "log")
        yield
    finally:
        process.send_signal(signal.SIGQUIT)
        process.wait(30)


def _await_ready(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Raises RuntimeError with the server's log where it does not come up."""
    ready = [str(binaries() / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
    for _ in range(600):
        if process.poll() is not None:
            break
        if subprocess.run(ready).returncode == 0:
            return
        time.sleep(0.1)
    raise RuntimeError(f"PostgreSQL did not start: {log.read_text(errors='replace')}")
