"""Who may speak with the dashboard: pages of its own, at this machine, at every door that it has."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from dashboard.serve import SameOrigin, _door, keep_log, say_failure

UPGRADE = (
    "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: Q2FyZGZvbGQgaXMgZnVuIQ==",
)  # fmt: skip
DOORS = {
    "page": ("GET /", 200),
    "deep page": ("GET /replay", 200),
    "health": ("GET /_stcore/health", 200),
    "socket": ("GET /_stcore/stream", 101),
}
OWN_HOSTS = ("127.0.0.1:{port}", "localhost:{port}")
FOREIGN_HOSTS = (
    "evil.example:{port}", "evil.example", "127.0.0.1.evil.example:{port}", "192.168.1.7:{port}", "[::1]:{port}", "",
)  # fmt: skip
FOREIGN_ORIGINS = (
    "http://127.0.0.1:3000", "http://localhost:3000", "http://localhost", "https://evil.example", "null", "",
    "http://evil.example@127.0.0.1:{port}", "http://127.0.0.1:{port}.evil.example",
)  # fmt: skip


def status(server: str, request: str, *headers: str) -> int:
    """The status of the answer to a request with just these headers."""
    address = urlsplit(server)
    port = str(address.port)
    lines = [f"{request} HTTP/1.1", *(UPGRADE if "stream" in request else ()), *headers, "Content-Length: 0", "", ""]
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall("\r\n".join(lines).replace("{port}", port).encode())
        return int(connection.makefile("rb").readline().split()[1])


@pytest.mark.parametrize("host", OWN_HOSTS)
@pytest.mark.parametrize("door", DOORS)
def test_own_pages_and_programs_of_this_machine_are_answered(server: str, door: str, host: str) -> None:
    request, answer = DOORS[door]
    assert status(server, request, f"Host: {host}") == answer  # a program: it sends no origin
    assert status(server, request, f"Host: {host}", f"Origin: http://{host}") == answer


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
@pytest.mark.parametrize("door", DOORS)
def test_a_foreign_host_name_is_refused(server: str, door: str, host: str) -> None:
    request, _ = DOORS[door]
    assert status(server, request, f"Host: {host}") == 403
    assert status(server, request, f"Host: {host}", f"Origin: http://{host}") == 403


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
@pytest.mark.parametrize("host", OWN_HOSTS)
@pytest.mark.parametrize("door", DOORS)
def test_a_page_of_another_origin_is_refused(server: str, door: str, host: str, origin: str) -> None:
    request, _ = DOORS[door]
    assert status(server, request, f"Host: {host}", f"Origin: {origin}") == 403


def test_of_two_names_or_origins_none_is_believed(server: str) -> None:
    name, origin = "Host: 127.0.0.1:{port}", "Origin: http://127.0.0.1:{port}"
    for request, _ in DOORS.values():
        assert status(server, request, name, "Host: evil.example") in (400, 403)
        assert status(server, request, name, origin, "Origin: http://evil.example") in (400, 403)
        assert status(server, request) in (400, 403)


@pytest.fixture
def own_server(library_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A dashboard of one's own, to be stopped, and its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "dashboard.serve", "--library", str(library_path), "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None and f":{port}" in process.stderr.readline()
    yield process, port
    process.kill()
    process.wait()


def test_it_ends_also_while_a_browser_does_not_answer_and_says_that_a_port_is_taken(
    own_server: tuple[subprocess.Popen[str], int], library_path: Path
) -> None:
    process, port = own_server
    command = [sys.executable, "-m", "dashboard.serve", "--library", str(library_path), "--port", str(port)]
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert second.returncode == 2
    assert f"The dashboard cannot listen at port {port}: " in second.stderr and "by --port." in second.stderr
    lines = ["GET /_stcore/stream HTTP/1.1", f"Host: 127.0.0.1:{port}", *UPGRADE, "", ""]
    with socket.create_connection(("127.0.0.1", port), timeout=30) as silent:
        silent.sendall("\r\n".join(lines).encode())
        assert b" 101 " in silent.makefile("rb").readline()
        process.terminate()
        process.wait(30)


HOME_HOST = "192.168.1.7"


@pytest.mark.parametrize("origin", [None, "http://{host}", "http://evil.example"])
@pytest.mark.parametrize("host", ["127.0.0.1:8501", f"{HOME_HOST}:8501", "evil.example:8501", "192.168.1.8:8501"])
@pytest.mark.parametrize("path", ["/", "/_stcore/stream", "/live", "/live/", "/live/state", "/alive/", "/library"])
@pytest.mark.parametrize("client", ["127.0.0.1", HOME_HOST, "192.168.1.20", "203.0.113.9"])
@pytest.mark.parametrize("given", ["", HOME_HOST])
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_others_in_the_network_get_games_that_are_played_and_nothing_else(
    kind: str, given: str, client: str, path: str, host: str, origin: str | None
) -> None:
    """Whoever asks: this machine gets all under its own names; others, where a host was given, get /live/ alone."""
    headers = [(b"host", host.encode())]
    headers += [(b"origin", origin.replace("{host}", host).encode())] if origin else []
    scope = {"type": kind, "path": path, "client": (client, 5), "headers": headers}
    own_page = origin != "http://evil.example"
    at_home = client == "127.0.0.1" and host == "127.0.0.1:8501"
    invited = bool(given) and kind == "http" and path.startswith("/live/") and host == f"{HOME_HOST}:8501"
    assert SameOrigin(None, given).allows(scope) == (own_page and (at_home or invited))  # type: ignore[arg-type]


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1", "::", "example", "203.0.113.9", "127.0.0.1:80"])
def test_a_host_that_is_no_address_of_this_machine_is_a_sentence(
    host: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        _door(host, 0)
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert "--host takes" in said or f"cannot listen at {host}, port 0: " in said


def test_what_a_page_did_not_foresee_is_a_sentence_and_its_details_are_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("dashboard.serve.st.error", said.append)
    logger = logging.getLogger("cardfold")
    before, propagate = list(logger.handlers), logger.propagate
    try:
        keep_log(tmp_path)
        try:
            raise RuntimeError("a hole in the floor")
        except RuntimeError as problem:
            assert say_failure(problem)
        text = (tmp_path / "dashboard.log").read_text("utf-8")
    finally:
        logger.handlers[:], logger.propagate = before, propagate
    assert "a hole in the floor" in text and "Traceback" in text
    (sentence,) = said
    assert "dashboard.log" in sentence and "hole" not in sentence
