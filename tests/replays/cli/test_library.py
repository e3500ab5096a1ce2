"""Commands on the library: import, list, export, remove, library."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from events.kinds import Event
from events.record import seal
from tests.replays.cli.conftest import Run


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
    assert code == 1 and ": whole, cannot be checked. This is the game as seat 1 saw it" in out
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


def test_damage_in_a_pack_is_said_by_list_library_and_build(run: Run, tmp_path: Path) -> None:
    assert run("simulate", "liveon", "-n", "4", "--players", "random", "--jobs", "1")[0] == 0
    assert run("build", "--jobs", "1")[0] == 0
    code, _, err = run("library", "--check")
    assert code == 0 and "none of it is damaged" in err
    (file,) = (tmp_path / "library" / "packs").iterdir()
    data = bytearray(file.read_bytes())
    data[-900:-897] = b"\0\1\2"
    file.write_bytes(data)
    for made in ("catalogue", "facts"):
        shutil.rmtree(tmp_path / "library" / made)
    doors = ((("list",), 0), (("library",), 0), (("build", "--jobs", "1"), 1), (("library", "--check"), 1))
    for words, wanted in doors:
        code, _, err = run(*words)
        assert code == wanted and f"{file.name}, byte " in err, words
    assert len(json.loads(run("list", "--format", "json")[1])) == 3


def test_what_one_seat_saw_of_a_simulated_game_says_where_its_seed_is_easily_found(run: Run, tmp_path: Path) -> None:
    for seed, said in (("7", True), ("9117364520917365", False)):
        assert run("simulate", "liveon", "-n", "1", "--players", "random", "--jobs", "1", "--seed", seed)[0] == 0
        identity = json.loads(run("list", "--format", "json")[1])[-1]["id"]
        code, _, err = run("export", identity, "--to", tmp_path / f"{seed}.jsonl", "--seat", "0")
        assert code == 0 and (f"simulated by a plan of seed {seed}" in err) == said
        code, _, err = run("export", identity, "--to", tmp_path / f"{seed}.whole.jsonl")
        assert code == 0 and "simulated by a plan" not in err


def test_an_anonymous_file_keeps_what_is_asked_for(run: Run, kept: str, tmp_path: Path) -> None:
    keep = ("--anonymous", "--keep", "decks", "--keep", "times")
    assert run("export", kept, "--to", tmp_path / "a.jsonl", *keep)[0] == 0
    assert b"random 8" in (tmp_path / "a.jsonl").read_bytes()
    assert run("export", kept, "--to", tmp_path / "b.jsonl", "--anonymous")[0] == 0
    assert b"random 8" not in (tmp_path / "b.jsonl").read_bytes()
    assert run("export", kept, "--to", tmp_path / "c.jsonl", "--keep", "decks")[0] == 2
    assert "What stays" in " ".join(run("export", "--help")[1].split())
