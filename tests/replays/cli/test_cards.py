"""The commands cards and decks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.rulebooks import registry
from engine.words import LANGUAGES
from events.open import read_games
from tests.replays.cli.conftest import Run


def test_a_deck_goes_out_of_a_game_and_may_be_played(run: Run, log: Path, tmp_path: Path) -> None:
    code, out, _ = run("decks", "export", log, "--seat", "1")
    assert code == 0
    (tmp_path / "deck.toml").write_text(out.replace('format = ""\n', ""), encoding="utf-8")
    deck = tmp_path / "deck.toml"
    if "format" not in out:
        deck.write_text(f'format = "standard"\n{out}', encoding="utf-8")
    assert run("decks", "check", deck)[0] == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shipped_deck_is_found_by_its_name_in_any_language(run: Run, tmp_path: Path, language: str) -> None:
    first, second = registry.load("xcard").shipped_decks()[:2]
    names = f"{first.called(language).upper()}, {second.called(language)}"
    out = tmp_path / "games.jsonl"
    assert run("simulate", "xcard", "-n", "1", "--jobs", "1", "--decks", names, "--out", out)[0] == 0
    header = next(iter(read_games(out))).header
    assert [seat.deck.name for seat in header.seats] == [first.called(), second.called()]


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
