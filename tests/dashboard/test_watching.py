"""The viewer on one file: which games it opens, where its notes go, and that no address leads to another file."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from dashboard import session
from events.open import read_games
from replays.store.notes import read_notes

APP = str(Path(session.__file__).with_name("app.py"))
GOLDEN = Path(__file__).parents[1] / "golden" / "liveon.jsonl"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the pages are started on."""
    copy = Path(shutil.copy(GOLDEN, tmp_path / "games.jsonl"))
    monkeypatch.setenv("CARDFOLD_WATCH", str(copy))
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path / "library"))
    return copy


def test_games_of_the_file_are_opened_by_number_and_the_library_is_left_alone(file: Path) -> None:
    ids = [game.header.id for game in read_games(file)]
    assert [session.opened(str(number)).log.header.id for number in (1, 2, len(ids))] == [ids[0], ids[1], ids[-1]]
    app = AppTest.from_file(APP, default_timeout=30).run()
    assert not app.exception and not app.error
    assert not (file.parent / "library").exists()


@pytest.mark.parametrize("game", ["0", "99", "-1", "1e9", "../games.jsonl", "/etc/passwd", "1" * 5000, "１", "\x00"])
def test_no_address_leads_to_another_file(file: Path, game: str) -> None:
    app = AppTest.from_file(APP, default_timeout=30)
    app.query_params["game"] = game
    app.run()
    assert not app.exception
    assert len(app.error) == 1 and "there is no game" in app.error[0].value and len(app.error[0].value) < 300


def told(game: session.Opened, **note: Any) -> dict[str, Any]:
    """What the page answers to a note from the browser."""
    return session.news(game, None, "en", {"game": "2", "view": None, "once": "x", "by": "", **note}, None)


def test_notes_on_a_file_are_kept_beside_it(file: Path) -> None:
    game = session.opened("2")
    answer = told(game, n=40, mark="good", text="Well seen.", id=None)
    assert [(note["n"], note["mark"], note["text"]) for note in answer["notes"]] == [(40, "good", "Well seen.")]
    [kept] = read_notes(file.with_name("games.notes.json"))[game.notes_name]
    assert (kept.record, kept.text) == (40, "Well seen.")
    changed = told(game, n=7, mark="", text="Or not.", id=kept.id)
    assert [(note["n"], note["text"]) for note in changed["notes"]] == [(40, "Or not.")]
    assert told(game, n=40, mark="", text="", id=kept.id)["notes"] == []


@pytest.mark.parametrize(
    ("note", "problem"),
    [
        ({"n": 10**9, "mark": "", "text": "x"}, "no such step"), ({"n": -1, "mark": "", "text": "x"}, "no such step"),
        ({"n": "4", "mark": "", "text": "x"}, "no such step"), ({"n": 4, "mark": "royal", "text": "x"}, "no mark"),
        ({"n": 4, "mark": "", "text": "x" * 10_001}, "at most"),
        ({"n": 4, "mark": "", "text": "x", "id": "gone"}, "any more"),
        ({"n": 4, "mark": ["good"], "text": {}}, "no mark"),
    ],
)  # fmt: skip
def test_what_the_browser_sends_is_checked(file: Path, note: dict[str, Any], problem: str) -> None:
    answer = told(session.opened("2"), **note)
    assert problem in answer["problem"] and answer["notes"] == []
    assert not file.with_name("games.notes.json").exists()


def test_damaged_notes_are_a_sentence_and_the_game_can_be_watched(file: Path) -> None:
    file.with_name("games.notes.json").write_text("{")
    answer = session.news(session.opened("2"), None, "en", None, None)
    assert answer["notes"] == [] and "games.notes.json" in answer["problem"]


def test_the_command_opens_the_viewer_and_ends_with_its_server(page: Page, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "replays.cli.main", "watch", str(GOLDEN), "--game", "2", "--no-browser"]
    process = subprocess.Popen([*command, "--library", str(tmp_path / "library")], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:(\d+)/\?game=2", said)
        assert address is not None, said
        page.goto(address[0])
        expect(page.locator(".cf .app")).to_be_visible(timeout=30_000)
        expect(page.locator(".cf .stp.event b")).to_contain_text(f"of {len(list(read_games(GOLDEN))[1].events) - 1}")
    finally:
        process.terminate()
        process.wait(30)
    assert process.returncode == 130
    with socket.socket() as gone:
        assert gone.connect_ex(("127.0.0.1", int(address[1]))) != 0
    assert not (tmp_path / "library").exists()
