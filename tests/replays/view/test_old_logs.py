"""An old log is shown as it tells itself: by its rulebook line's words and its card sets' names and texts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from dashboard import export
from engine.rulebooks import registry
from engine.words import LANGUAGES
from events.game import GameLog
from events.kinds import CardSet
from events.open import read_games
from events.pack import PackWriter
from events.record import edition
from replays.play import terminal
from replays.play.watch import TextReplay
from replays.view.narrate import narrate
from replays.view.timeline import Timeline

GOLDEN = Path(__file__).parents[2] / "golden" / "liveon.jsonl"
OLD_WORDS = {
    "zone.hand": {"en": "Grip", "ja": "握り"}, "phase.attack": {"en": "Clash", "ja": "激突"},
    "move_kind.drawn": {"en": "Fished {card}"}, "zone.deck": {"en": "Heap"},
}


@cache
def new() -> GameLog:
    return next(iter(read_games(GOLDEN)))


def old_cards(sets: tuple[CardSet, ...]) -> tuple[CardSet, ...]:
    """The card sets with other names, and another keyword on each card."""
    changed = []
    for line in sets:
        cards = {code: _older(code, raw) for code, raw in line.cards.items()}
        changed.append(structs.replace(line, version="0.1", cards=cards))
    return tuple(changed)


def _older(code: str, raw: dict[str, Any]) -> dict[str, Any]:
    more = {"keywords": {"stealth": 1}} if raw["kind"] == "monster" else {}
    raw = {field: value for field, value in raw.items() if field != "live_change"}
    return {**raw, "name": {"en": f"Old {code}", "ja": f"昔の{code}"}, "ability": [], **more}


@cache
def old() -> GameLog:
    """A game of Live On as another version wrote it, with its own words and cards."""
    log = new()
    book = structs.replace(log.rulebook, version="0.1", words={**log.rulebook.words, **OLD_WORDS})
    sets = old_cards(log.card_sets)
    header = structs.replace(
        log.header, rulebook=edition(book), card_sets=tuple(edition(line) for line in sets)
    )
    return structs.replace(log, rulebook=book, card_sets=sets, events=[header, *log.events[1:]])


def told(log: GameLog, language: str = "en") -> str:
    return "\n".join(line.text for line in narrate(log.events, log.rulebook, log.card_sets, language))


def data(log: GameLog, language: str = "en") -> dict[str, Any]:
    found: dict[str, Any] = Timeline(log.events, log.rulebook, log.card_sets).viewer_data(language)
    return found


def test_the_words_of_an_old_rulebook_line_tell_the_game() -> None:
    assert "Clash" in told(old()) and "Clash" not in told(new())
    assert "Attack phase" in told(new()) and "Attack phase" not in told(old())
    assert "激突" in told(old(), "ja") and "激突" not in told(new(), "ja")
    assert "heap is shuffled" in told(old()) and "deck is shuffled" in told(new())


def test_they_stand_on_the_board_and_in_the_terminal() -> None:
    said = data(old())["words"]
    assert (said["zone.hand"], said["phase.attack"], said["zone.deck"]) == ("Grip", "Clash", "Heap")
    assert said["move_kind.drawn"] == "Fished {card}", "a word is no pattern"
    assert data(new())["words"]["phase.attack"] == "Attack", "the installed short form"
    assert data(old(), "ja")["words"]["zone.deck"] == data(new(), "ja")["words"]["zone.deck"]
    screen = "\n".join(TextReplay(old()).screen(100, 50))
    assert "Heap" in screen and "Grip" in screen and "Deck" not in screen


def test_the_cards_of_an_old_log_have_its_names_and_texts() -> None:
    installed = registry.load("liveon").cards
    shown, lines = data(old()), told(old())
    assert "Old EMB-" in lines and "昔のEMB-" in told(old(), "ja")
    monsters = [code for code in shown["cards"] if installed[code].kind == "monster"]
    assert monsters
    for code in monsters:
        assert shown["cards"][code]["name"] == f"Old {code}"
        assert shown["cards"][code]["text"] == ["Stealth"]
    names = terminal.Names(old().rulebook, old().card_sets)
    assert names.code(monsters[0]) == f"Old {monsters[0]}"
    now = [installed[code].printed.name for code in shown["cards"]]
    for name in (name[language] for name in now for language in LANGUAGES if language in name):
        assert name not in lines and name not in msgspec.json.encode(shown["lines"]).decode()


def test_a_card_that_can_no_longer_be_read_keeps_its_name_and_takes_no_other_text_away() -> None:
    code, other = [c for c in data(old())["cards"] if registry.load("liveon").cards[c].kind == "monster"][:2]
    gone = {"ability": "effect", "then": [{"do": "a thing of the past"}]}
    line = old().card_sets[0]
    cards = {**line.cards, code: {**line.cards[code], "ability": [gone]}}
    log = structs.replace(old(), card_sets=(structs.replace(line, cards=cards), *old().card_sets[1:]))
    shown = data(log)["cards"]
    assert (shown[code]["name"], shown[code]["text"]) == (f"Old {code}", [])
    assert (shown[other]["name"], shown[other]["text"]) == (f"Old {other}", ["Stealth"])


def test_a_replay_as_one_file_holds_no_installed_name(tmp_path: Path) -> None:
    log, pack = old(), tmp_path / "old.jsonl.zst"
    with PackWriter(pack) as writer:
        writer.add(log.rulebook, log.card_sets, log.events)
    log, = read_games(pack)
    page = export.replay_page(log)
    assert "Clash" in page and "Old EMB-" in page
    for code in data(log)["cards"]:
        assert registry.load("liveon").cards[code].name not in page


def test_a_log_of_today_is_shown_as_installed() -> None:
    without = structs.replace(new().rulebook, words={})
    for language in LANGUAGES:
        told_so = narrate(new().events, without, new().card_sets, language)
        assert [line.text for line in told_so] == told(new(), language).split("\n")
