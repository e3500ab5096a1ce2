"""The command line: results on standard output, sentences on standard error, exit codes that mean something."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.rulebooks import registry
from events.actions import Attack, Play
from events.game import write_game
from events.kinds import Acted, Event, GameStarted
from events.record import seal
from replays.cli import main
from tests.play import begin, play

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command on a library of its own; gives exit code, standard output, standard error."""
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path / "library"))

    def command(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["cardfold", *map(str, words)])
        with pytest.raises(SystemExit) as stopped:
            main.main()
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return int(stopped.value.code or 0), said.out, said.err

    return command


@pytest.fixture(scope="module")
def game() -> tuple[list[Event], bytes]:
    match = begin(4)
    events = play(match, 4)
    return events, write_game((match.game.rulebook, match.game.card_sets, events))


@pytest.fixture
def log(game: tuple[list[Event], bytes], tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game[1])
    return path


def test_from_simulation_to_statistics(run: Run, tmp_path: Path) -> None:
    assert run("simulate", "liveon", "-n", "6", "--players", "random", "--jobs", "1")[0] == 0
    code, out, _ = run("list", "--format", "json")
    entries = json.loads(out)
    assert code == 0 and len(entries) == 6
    identity = entries[0]["id"]
    assert run("verify", identity)[:2] == (
        0, f"{identity}: game 1 {identity}: verified. All facts follow from the decisions\n",
    )
    assert run("build", "--jobs", "1")[0] == 0
    code, out, _ = run("stats", "first_player", "--format", "json")
    assert code == 0 and sum(row["games"] for row in json.loads(out)) == 6
    code, out, _ = run("stats", "gih_wr", "--format", "csv")
    assert code == 0 and out.startswith("game,code,copies,games") and "EMB-" in out
    assert run("export", identity, "--to", tmp_path / "one.jsonl")[0] == 0
    code, out, _ = run("import", tmp_path / "one.jsonl")
    assert code == 0 and "0 new, 1 duplicate, 0 partial, 0 refused" in out


def test_the_same_plan_gives_the_same_file(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for file in files:
        assert run("simulate", "liveon", "-n", "3", "--players", "random", "--jobs", "1", "--out", file)[0] == 0
    assert files[0].read_bytes() == files[1].read_bytes()


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


def test_a_deck_goes_out_of_a_game_and_may_be_played(run: Run, log: Path, tmp_path: Path) -> None:
    code, out, _ = run("decks", "export", log, "--seat", "1")
    assert code == 0
    (tmp_path / "deck.toml").write_text(out.replace('format = ""\n', ""), encoding="utf-8")
    deck = tmp_path / "deck.toml"
    if "format" not in out:
        deck.write_text(f'format = "standard"\n{out}', encoding="utf-8")
    assert run("decks", "check", deck)[0] == 0


def shipped(name: str = "kiln_rush") -> str:
    return (registry.load("liveon").folder / "decks" / f"{name}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "rule", "text"),
    [
        (lambda deck: less(deck, 1), "LO-13", "the deck has 40 cards; standard asks for exactly 41"),
        (lambda deck: deck.replace(" = 4\n", " = 5\n", 1), "LO-14", "5 copies of"),
        (lambda deck: deck.replace("EMB-0", "EMB-9", 1), "LO-14", "there is no card 'EMB-9"),
    ],
)
def test_a_deck_that_breaks_a_rule(
    run: Run, tmp_path: Path, change: Callable[[str], str], rule: str, text: str
) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(change(shipped()), encoding="utf-8")
    code, out, _ = run("decks", "check", path)
    assert code == 1 and text in out and f"({rule})" in out and str(path) in out


def less(deck: str, n: int) -> str:
    return deck.replace(" = 4\n", f" = {4 - n}\n", 1)


def test_a_deck_without_a_fighter(run: Run, tmp_path: Path) -> None:
    cards = registry.load("liveon").cards
    monsters = [code for code, d in cards.items() if d.kind == "monster"][:11]
    listed = "\n".join(f'"{code}" = {4 if i < 10 else 1}' for i, code in enumerate(monsters))
    path = tmp_path / "deck.toml"
    path.write_text(f'name = "x"\ngame = "liveon"\nformat = "standard"\n[cards]\n{listed}\n', encoding="utf-8")
    code, out, _ = run("decks", "check", path)
    assert code == 1 and "the deck has no fighter" in out and "(LO-14)" in out


def test_a_misspelt_effect_field_names_file_card_and_field(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(registry.load("liveon").folder / "cards" / "emb", folder)
    file = next(path for path in sorted(folder.glob("*.toml")) if "then = [{ do = " in path.read_text(encoding="utf-8"))
    text = file.read_text(encoding="utf-8").replace("then = [{ do = ", "then = [{ amuont = 1, do = ", 1)
    file.write_text(text, encoding="utf-8")
    code, _, err = run("cards", "check", folder)
    assert code == 2 and file.name in err and "EMB-" in err and "then[0]" in err and "`amuont`" in err


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_shipped_set_is_checked_and_nothing_is_wrong_with_it(run: Run, key: str) -> None:
    for about in (registry.load(key).folder / "cards").glob("*/set.toml"):
        code, out, err = run("cards", "check", about.parent, "-n", "3")
        assert (code, out) == (0, "") and "cards checked, 3 games played" in err


def test_a_set_of_a_designer_is_checked_and_tried(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "set.toml").write_text(
        'key = "MINE"\nversion = "1"\ngame = "liveon"\nname = { en = "Mine" }\n', encoding="utf-8"
    )
    (folder / "cards.toml").write_text(
        '[[card]]\ncode = "MINE-001"\nname = { en = "Tin Cat" }\nkind = "monster"\ncolour = "red"\npow = 1500\n'
        'power = { red = 1 }\nrarity = "C"\nrace = { en = "Cat" }\n[[card.ability]]\nability = "triggered"\n'
        'on = "lived"\nthen = [{ do = "draw", n = 1 }]\n',
        encoding="utf-8",
    )
    code, _, err = run("cards", "check", folder, "-n", "20")
    assert code == 0 and "1 cards checked" in err and "Not used" not in err
    assert json.loads(run("cards", "schema", "liveon")[1])["$defs"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(64), "no game begins here"),
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


def _refused(match: object, action: Play) -> str:
    problem = match.refuse(action)  # type: ignore[attr-defined]
    return problem.rule if problem is not None else ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("simulate", "chess"), "There is no game 'chess'"),
        (("simulate", "liveon", "--players", "random,clever"), "There is no player 'clever'"),
        (("simulate", "liveon", "--decks", "nothing,like_this"), "There is no deck 'nothing'"),
        (("simulate", "liveon", "-n", "0"), "-n"),
        (("show", "0123abcd"), "There is no game '0123abcd'"),
        (("show", "missing.jsonl"), "there is no such file"),
        (("stats", "gih_wrr"), "gih_wr"),
        (("frobnicate",), "frobnicate"),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_code_2(run: Run, words: tuple[str, ...], said: str) -> None:
    code, out, err = run(*words)
    assert code == 2 and said in err and out == ""


def test_a_game_is_played_broken_off_and_gone_on_with(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    typed = iter(["?", "nonsense", "r 1", "1", "t", "1", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    code, out, err = run("play", "liveon", "--players", "human,random", "--decks", "kiln_rush,high_bells")
    assert code == 2 and "--resume " in err and "is none of 1 to" in out and "A number chooses" in out
    assert "Live On begins: Player 1 against random" in out and "[POW " in out
    name = err.rpartition("--resume ")[2].strip()
    assert json.loads(run("list", "--format", "json")[1])[0]["state"] == "live"
    typed = iter(["1", "c"])
    code, out, err = run("play", "--resume", name)
    assert code == 0 and "wins: " in out
    entry = json.loads(run("list", "--format", "json")[1])[0]
    assert (entry["state"], entry["reason"]) == ("whole", "conceded")
    assert run("verify", entry["id"])[0] == 0
    header = main.Library(tmp_path / "library").open(entry["id"]).header
    assert isinstance(header, GameStarted) and header.match == name and header.at


# --- sharing and looking after games ------------------------------------------------------------------------


@pytest.fixture
def kept(run: Run, log: Path) -> str:
    """The id of a game in the library."""
    assert run("import", log)[0] == 0
    return json.loads(run("list", "--format", "json")[1])[0]["id"]


def test_an_import_says_what_checking_has_found(run: Run, game: tuple[list[Event], bytes], tmp_path: Path) -> None:
    lines = game[1].splitlines()
    true, lie = tmp_path / "true.jsonl", tmp_path / "lie.jsonl"
    true.write_bytes(game[1])
    changed = [
        line.replace(b'"move_kind":"drawn"', b'"move_kind":"moved"')
        for line in lines[len(lines) - len(game[0]) - 1 : -1]
    ]
    changed[0] = changed[0].replace(b'"seed":4', b'"seed":5')
    end = b'{"kind":"sealed","seal":"%s"}' % seal(changed).encode()
    lie.write_bytes(b"\n".join([*lines[: -len(changed) - 1], *changed, end]))
    code, out, _ = run("import", true)
    assert code == 0 and "1 new" in out and "checked: 1 verified" in out
    code, out, _ = run("import", lie, "--json")
    assert code == 1 and json.loads(out)["verdicts"] == {"altered": 1} and json.loads(out)["new"] == 1


def test_a_game_goes_out_as_a_seat_saw_it_and_without_names(run: Run, kept: str, tmp_path: Path) -> None:
    seen, nameless = tmp_path / "seen.jsonl.zst", tmp_path / "nameless.jsonl"
    assert run("export", kept, "--to", seen, "--seat", "1")[0] == 0
    code, out, _ = run("verify", seen)
    assert code == 0 and ": whole. This is the game as seat 1 saw it" in out
    assert run("show", seen, "--turn", "2")[0] == 0 and run("log", seen)[0] == 0
    assert run("export", kept, "--to", nameless, "--anonymous")[0] == 0
    text = nameless.read_text(encoding="utf-8")
    assert '"player":"Player 1"' in text and '"player":"A"' not in text
    assert run("verify", nameless)[0] == 0
    code, _, err = run("export", kept, "--to", nameless)
    assert code == 2 and "nameless.jsonl: is there already: choose another name, or --force" in err
    assert nameless.read_text(encoding="utf-8") == text
    assert run("export", kept, "--to", nameless, "--force")[0] == 0
    assert '"player":"A"' in nameless.read_text(encoding="utf-8")
    assert run("export", kept, "--to", nameless, "--force", "--seat", "0", "--with-notes")[0] == 2


def test_a_simulation_does_not_replace_a_file_unasked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("mine")
    words = ("simulate", "liveon", "-n", "1", "--players", "random", "--jobs", "1", "--out", tmp_path / "x.jsonl")
    code, _, err = run(*words)
    assert code == 2 and "--force" in err and (tmp_path / "x.jsonl").read_text() == "mine"
    assert run(*words, "--force")[0] == 0 and (tmp_path / "x.jsonl").stat().st_size > 1000


def test_a_game_is_removed_taken_back_and_purged(run: Run, kept: str) -> None:
    code, _, err = run("remove", kept)
    assert code == 0 and "--restore takes them back, --purge deletes them" in err
    assert json.loads(run("list", "--format", "json")[1]) == [] and kept in run("remove")[1]
    assert run("remove", "--restore", kept)[0] == 0 and len(json.loads(run("list", "--format", "json")[1])) == 1
    code, _, err = run("remove", kept, "--purge")
    assert code == 0 and "1 games are deleted for good" in err
    assert run("remove", "--restore", kept)[0] == 2 and run("remove", "nobody")[0] == 2


def test_the_library_says_where_it_is_and_what_is_in_it(run: Run, kept: str, tmp_path: Path) -> None:
    code, out, err = run("library", "--format", "json")
    parts = {row["part"].strip(): row for row in json.loads(out)}
    assert code == 0 and parts["games"]["count"] == 1 and parts["packs"]["bytes"] > 1000
    assert str(tmp_path / "library") in err and "layout 2" in err
    assert "0 stopped simulations" in run("library", "--tidy")[2]


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
