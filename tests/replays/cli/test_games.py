"""Commands that read one game: show, log, verify, notes, schema."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine.core.match import Match
from events.actions import Attack, Play
from events.game import write_game
from events.kinds import Acted, Event
from tests.play import begin
from tests.replays.cli.conftest import Run


def test_show_prints_the_table_and_hides_what_a_seat_does_not_know(run: Run, log: Path) -> None:
    code, out, _ = run("show", log, "--turn", "3")
    assert code == 0 and out.startswith("Turn 3 ·")
    assert all("cards" not in line for line in hands(out))
    other, own = hands(run("show", log, "--turn", "3", "--seat", "0")[1])
    assert re.fullmatch(r" *Hand +\d cards?", other) and "card" not in own


def hands(table: str) -> list[str]:
    return [line for line in table.splitlines() if line.strip().startswith("Hand ")]


def test_a_game_in_words(run: Run, log: Path) -> None:
    code, out, _ = run("log", log)
    assert code == 0 and "Live On begins: A against B" in out and "Turn 1: " in out
    assert "ターン1" in run("log", log, "--language", "ja")[1]
    assert "a hidden card" in run("log", log, "--seat", "1")[1]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(64), "this is a picture (PNG); Cardfold reads Cardfold logs."),
        (b"Dear Sir or Madam,\nthis is a letter.\n", "no game begins here"),
    ],
)
def test_what_is_no_log_is_refused_with_a_sentence(run: Run, tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(data)
    for command in ("verify", "show", "log"):
        code, _, err = run(command, path)
        assert code == 2 and "odd.jsonl" in err and said in err
    code, out, _ = run("import", path)
    assert code == 1 and "1 refused" in out and path.read_bytes() == data


def test_a_cut_log_is_shown_up_to_the_cut_and_fails_to_verify(run: Run, log: Path) -> None:
    whole = log.read_bytes()
    log.write_bytes(whole[: len(whole) - 900])
    code, out, _ = run("verify", log)
    assert code == 1 and ": cut." in out and "record" in out.lower()
    code, out, err = run("show", log)
    assert code == 0 and out.startswith("Turn ") and "not whole" in err and "byte" in err


def test_a_log_of_a_newer_version_says_so(run: Run, log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"protocol":"0.1"', b'"protocol":"9"', 1))
    for command in ("show", "log"):
        code, _, err = run(command, log)
        assert code == 2 and "newer version" in err and "9" in err


def test_a_changed_value_is_altered_and_named_field_by_field(
    run: Run, game: tuple[list[Event], bytes], log: Path
) -> None:
    log.write_bytes(game[1].replace(b'"move_kind":"drawn"', b'"move_kind":"moved"', 1))
    code, out, _ = run("verify", log, "--json")
    verdict = json.loads(out)
    assert code == 1 and verdict["verdict"] == "altered"
    assert verdict["differences"] == [["move_kind", "moved", "drawn"]]


def test_an_illegal_decision_is_refused_with_its_rule_and_record(run: Run, tmp_path: Path) -> None:
    """Each is a real game up to its first free decision of the kind, and then a decision that the rules refuse."""
    found = {}
    for seed in range(40):
        match = begin(seed)
        while match.state.asked is not None and len(found) < 3:
            asked, state = match.state.asked, match.state
            hand = state.zones[asked.seat]["hand"]
            other = state.zones[1 - asked.seat]
            if asked.question == "live":
                dear = [c for c in hand if _refused(match, Play(c)) == "LO-07"]
                crowded = len(state.zones[asked.seat]["b"]) == 5
                full = [c for c in hand if crowded and _refused(match, Play(c)) == "LO-24"]
                for rule, cards in (("LO-07", dear), ("LO-24", full)):
                    if cards:
                        found.setdefault(rule, (match, match.log[:], Play(cards[0])))
            elif asked.question == "attack":
                mine = [c for c in state.zones[asked.seat]["a"] if not state.cards[c].exhausted]
                if mine and other["b"]:
                    found.setdefault("LO-28", (match, match.log[:], Attack(mine[0], other["b"][0])))
            match.act(match.legal()[(seed + len(match.log)) % len(match.legal())])
    assert set(found) == {"LO-07", "LO-24", "LO-28"}
    for rule, (match, events, action) in found.items():
        asked = events[-1]
        events.append(Acted(asked.seat, action))
        path = tmp_path / f"{rule}.jsonl"
        path.write_bytes(write_game((match.game.rulebook, match.game.card_sets, events)))
        code, out, _ = run("verify", path, "--json")
        verdict = json.loads(out)
        assert (code, verdict["verdict"], verdict["rule"]) == (1, "illegal", rule)
        assert verdict["record"] == len(events) - 1


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (1, 2, 0)])
def test_every_file_is_checked_and_the_exit_code_is_the_worst(
    run: Run, log: Path, tmp_path: Path, order: tuple[int, int, int]
) -> None:
    files = [log, tmp_path / "bad.jsonl", tmp_path / "cut.jsonl"]
    files[1].write_bytes(b"no log\n")
    files[2].write_bytes(log.read_bytes()[:-900])
    code, out, err = run("verify", *(files[n] for n in order))
    assert code == 2 and "bad.jsonl" in err and "game.jsonl: game 1" in out and "cut.jsonl: game 1" in out
    assert out.splitlines()[-1] == "2 games: 1 verified; 1 cut"
    assert run("verify", files[0], files[2])[0] == 1
    code, out, _ = run("verify", files[0])
    assert code == 0 and "games:" not in out


def _refused(match: Match, action: Play) -> str:
    problem = match.refuse(action)
    return problem.rule if problem is not None else ""


def test_notes_are_written_read_merged_and_taken_back(run: Run, kept: str, log: Path, tmp_path: Path) -> None:
    assert run("notes", kept, "--add", "a strong draw", "--record", "12", "--by", "Ann")[0] == 0
    assert run("notes", log, "--add", "hm", "--record", "3", "--by", "Bo")[0] == 0
    assert (tmp_path / "game.notes.json").exists()
    code, out, _ = run("import", tmp_path / "game.notes.json")
    assert code == 0 and "notes on 1 games" in out
    lines = [json.loads(line) for line in run("notes", kept, "--json")[1].splitlines()]
    assert [(note["record"], note["by"]) for note in lines] == [(3, "Bo"), (12, "Ann")]
    assert "a strong draw" not in run("notes", kept, "--take-back", lines[1]["id"])[1]
    code, _, err = run("notes", kept, "--add", "x", "--record", "999999")
    assert code == 2 and "there is no record 999999" in err
    assert run("notes", kept, "--take-back", "none")[0] == 2


def test_the_schema_of_a_line_is_printed(run: Run) -> None:
    code, out, _ = run("schema")
    assert code == 0 and "CardMoved" in json.loads(out)["$defs"]
