"""Whatever strangers write into files, names and notes: nothing of it steers the terminal, through no command."""

from __future__ import annotations

import ast
import json
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from events.game import game_lines
from events.kinds import Acted, Annotated, Event, GameStarted
from events.objects import DeckList, Seat
from events.record import edition, encode
from events.shared import CardSet
from replays.cli import main
from replays.cli.main import COMMANDS
from tests.play import begin, play
from tests.replays.cli.conftest import Run

STEERS = "\x1b]0;owned\x07\x1b[2J\x9b31m\x00\x7f\u202e\u2066\u200f\u2028\u0085\r\nFORGED line"
"""Escape sequences, single control characters of both sorts, direction marks, and line ends of all sorts."""


def hostile(text: str) -> str:
    return f"{text}{STEERS}"


def texts(value: Any) -> Any:
    """A text by language, with what steers after each."""
    return {language: hostile(text) for language, text in value.items()} if isinstance(value, dict) else value


@pytest.fixture(scope="module")
def game() -> tuple[list[Event], bytes]:
    """A game with such text wherever a log has text of its own, sealed; its shared lines have it too."""
    match = begin(4)
    events = play(match, 4)
    start = events[0]
    assert isinstance(start, GameStarted)
    book = structs.replace(
        match.game.rulebook, words={key: texts(said) for key, said in match.game.rulebook.words.items()}
    )
    kept = msgspec.json.encode(match.game.card_sets)
    sets = [
        structs.replace(line, cards={
            code: {**card, "name": texts(card["name"]), "flavour": texts(card.get("flavour", {}))}
            for code, card in line.cards.items()
        })
        for line in msgspec.json.decode(kept, type=list[CardSet])
    ]
    seats = tuple(
        Seat(hostile(seat.player), hostile("bot"), DeckList(hostile("deck"), seat.deck.cards, seat.deck.leader))
        for seat in start.seats
    )
    start = structs.replace(
        start, seats=seats, rulebook=edition(book), card_sets=tuple(map(edition, sets)), tags=(hostile("tag"),),
        origin=hostile("played"), date=hostile("2026"), id=hostile("id"), match=hostile("match"),
    )
    at = next(n for n, event in enumerate(events) if isinstance(event, Acted))
    told = [start, *events[1:at], Annotated(text=hostile("hm")), *events[at:]]
    return told, b"\n".join([encode(book), *map(encode, sets), *game_lines(told), b""])


def shown(run: Run, *words: str | Path) -> str:
    """What a command prints, which steers nothing and has no line that a stranger ended."""
    _, out, err = run(*words)
    said = out + err
    bad = sorted({letter for letter in said if not (letter.isprintable() or letter == "\n")})
    assert not bad, f"{words}: {bad}"
    assert not any(line.startswith("FORGED") for line in said.split("\n")), words
    return said


def test_no_command_lets_text_of_strangers_steer_the_terminal(run: Run, log: Path, tmp_path: Path) -> None:
    named = tmp_path / f"x{STEERS.replace(chr(0), '')}.jsonl"
    named.write_bytes(log.read_bytes())
    deck = tmp_path / "deck.toml"
    assert "imported" not in shown(run, "import", log, named)
    identity = json.loads(run("list", "--format", "json")[1])[0]["id"]
    note = ("--add", hostile("well"), "--by", hostile("Ann"), "--mark", "good")
    for form in ("table", "json"):
        assert "owned" in shown(run, "list", "--format", form)
    assert "\x1b" not in run("list", "--format", "csv")[1]
    for name in (log, named, identity):
        assert "owned" in shown(run, "show", name, "--turn", "2")
        for language in ("en", "ja"):
            assert "owned" in shown(run, "log", name, "--language", language)
        shown(run, "verify", name)
        shown(run, "verify", name, "--json")
        assert "owned" in shown(run, "notes", name, *note)
        shown(run, "notes", name, "--json")
        out = run("decks", "export", name, "--seat", "0")[1]
        assert "owned" in shown(run, "decks", "export", name, "--seat", "0")
    deck.write_text(out, encoding="utf-8")
    shown(run, "decks", "check", deck)
    deck.write_text(out.replace(" = ", " = 99", 1), encoding="utf-8")
    shown(run, "decks", "check", deck)
    shown(run, "export", identity, "--to", named)
    shown(run, "export", hostile("x"), "--to", tmp_path / "y.jsonl")
    shown(run, "import", tmp_path / "missing\x1b[2J", "--json")
    for command in (*COMMANDS, "frobnicate"):
        shown(run, command, hostile("name"))
    shown(run, "build", "--jobs", "1")
    shown(run, "stats", "endings", "--game", hostile("x"))
    shown(run, "sql", "select * from games")
    shown(run, "remove", identity)
    shown(run, "remove")
    shown(run, "library")


def test_json_of_hostile_text_is_read_back_as_it_was(run: Run, log: Path) -> None:
    run("notes", log, "--add", hostile("well"), "--by", hostile("Ann"))
    (note,) = (json.loads(line) for line in run("notes", log, "--json")[1].splitlines())
    assert (note["text"], note["by"]) == (hostile("well"), hostile("Ann"))


def test_a_deck_of_hostile_name_is_read_back_as_it_was(run: Run, log: Path) -> None:
    assert tomllib.loads(run("decks", "export", log, "--seat", "0")[1])["name"] == hostile("deck")


PRINTING = {
    "replays.cli.output": "the one writer",
    "replays.play.watch": "the text replay, which draws the whole window: of lines that `terminal.plain` has made",
    "events.protocol": "a tool of developers, which prints the name of a file",
    "replays.stats.facts_page": "a tool of developers, which prints the name of a file",
}
"""Modules that write to the terminal themselves, and why they may."""


def prints(file: Path) -> bool:
    """Whether a module writes to standard output or standard error."""
    for part in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(part, ast.Call):
            called = ast.unparse(part.func)
            if called in ("print", "typer.echo", "typer.secho"):
                return True
            if called.endswith((".print", "stdout.write", "stderr.write")):
                return True
    return False


def test_one_module_writes_what_commands_print() -> None:
    root = Path(main.__file__).parents[2]
    packages = ("events", "engine", "replays", "dashboard")
    files = [file for package in packages for file in root.glob(f"{package}/**/*.py")]
    found = {".".join(file.relative_to(root).with_suffix("").parts) for file in files if prints(file)}
    assert found == set(PRINTING)
