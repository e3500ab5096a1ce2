"""Words by language: nothing is missing, and a log calls things as it likes and says no sentence of its own."""

from __future__ import annotations

import re
import tomllib

import msgspec
import pytest
from msgspec import structs

from engine.rulebooks import registry
from engine.rulebooks.liveon.card import COLOURS, KEYWORDS, MOMENTS
from engine.words import LANGUAGES, UnknownLanguage, clean, declared_keys, declared_words, fill, missing, words
from events.kinds import Counter, Phase, RulebookLine, Zone


def test_no_word_is_missing_in_any_language() -> None:
    assert missing() == []
    for key in registry.GAMES:
        assert missing(key, registry.load(key).rulebook) == []


ENDINGS = {
    "move_kind": r"(_from_({zones})|_({zones}))?(_hidden|_n)?(_one)?", "rule": "",
    "counter": r"(_\d+|_left_\d+|_over)?",
    "answer": "(_yes|_no)?", "pass": "(_at_once)?", "attachment": "", "roll": "", "attack_met": "",
    "damage_calculated": r"(_\d+|_player)?",
}
DECLARED = {
    "move_kind": "move_kinds", "counter": "counters", "rule": "rules", "answer": "questions", "pass": "questions",
    "attachment": "attachments", "roll": "rolls", "attack_met": "outcomes", "damage_calculated": "steps",
}


@pytest.mark.parametrize("sort", DECLARED)
@pytest.mark.parametrize("key", registry.GAMES)
def test_a_sentence_of_a_game_is_for_something_that_its_rulebook_declares(key: str, sort: str) -> None:
    """A key that names what is no longer called so would never be found, and its sentence never be said."""
    game = registry.load(key)
    names = [w if isinstance(w, str) else w.name for w in getattr(game.rulebook, DECLARED[sort])]
    zones = "|".join(zone.name for zone in game.rulebook.zones)
    known = re.compile(f"(any|first|none|{'|'.join(names)}){ENDINGS[sort].replace('{zones}', zones)}")
    for language in LANGUAGES:
        said = tomllib.loads((game.folder / "words" / f"{language}.toml").read_text("utf-8"))["say"].get(sort, {})
        assert [name for name in said if not known.fullmatch(name)] == [], language


def test_a_word_that_a_rulebook_line_adds_is_reported_missing() -> None:
    book = msgspec.structs.replace(registry.load("liveon").rulebook, move_kinds=("lived", "sung"))
    assert missing("liveon", book) == [f"{language}: move_kind.sung" for language in LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES)
def test_live_on_s_card_words_are_there(language: str) -> None:
    said = words(language, "liveon")
    wanted = [f"colour.{c}" for c in COLOURS] + [f"kind.{k}" for k in ("fighter", "monster", "skill")]
    wanted += [f"keyword.{k}" for k in KEYWORDS if k != "burst"] + ["keyword.burst_n"]
    assert [key for key in wanted if said.own(key) is None] == []
    moments = [(f"text.moment.{m}", f"text.moment.{m}_own") for m in MOMENTS]
    assert [keys for keys in moments if not any(said.own(key) for key in keys)] == []


def test_a_game_s_own_word_wins_over_the_common_one() -> None:
    assert words("ja").get("zone.discard") == "捨て札"
    assert words("ja", "liveon").get("zone.discard") == "捨て山"
    assert words("ja", "liveon").get("seat.0") == "プレイヤー1"


def book_with(said: dict[str, dict[str, str]], *counters: Counter, key: str = "somegame") -> RulebookLine:
    """A rulebook line with two zones, a phase and these counters, which calls things so."""
    zones = (Zone("moat", "all"), Zone("hand", "owner"), Zone("outer_moat", "all"))
    return RulebookLine(key=key, version="1", zones=zones, counters=counters, phases=(Phase("attack"),), words=said)


def test_a_missing_word_is_english_and_then_its_own_name() -> None:
    said = words("ja", "somegame", book_with({"zone.moat": {"en": "Moat"}}))
    assert said.get("zone.moat") == "Moat"
    assert said.get("zone.outer_moat") == "outer moat"


def test_what_a_log_declares_is_called_as_it_says_whether_its_game_is_installed_or_not() -> None:
    book = book_with({"zone.moat": {"en": "Moat", "ja": "堀"}, "zone.hand": {"ja": "手"}})
    assert words("ja", "somegame", book).get("zone.moat") == "堀"
    for key in ("somegame", "liveon"):
        assert words("ja", key, book).get("zone.hand") == "手"
        assert words("en", key, book).get("zone.hand") == "Hand"


def test_a_word_that_a_log_lacks_in_a_language_is_the_installed_one_before_its_english_one() -> None:
    book = book_with({"zone.hand": {"en": "Fist"}, "zone.moat": {"en": "Moat"}, "phase.attack": {"ja": "攻め"}})
    said = words("ja", "liveon", book)
    assert [said.get(key) for key in ("zone.hand", "zone.moat", "phase.attack")] == ["手札", "Moat", "攻め"]
    english = words("en", "liveon", book)
    assert [english.get(key) for key in ("zone.hand", "zone.moat", "phase.attack")] == ["Fist", "Moat", "Attack phase"]


def test_a_log_names_only_what_it_declares_and_says_no_sentence() -> None:
    kept = ["say.shuffled", "text.draw", "join.list", "seat.0", "term.title", "zone.deck", "keyword.rush", "phase.end"]
    counters = [Counter(sort, words=(word,)) for sort, _, word in (key.partition(".") for key in kept[:5])]
    said = words("en", "liveon", book_with({key: {"en": "mine"} for key in kept}, *counters, Counter("element")))
    assert [said.pattern(key) for key in kept] == [words("en", "liveon").pattern(key) for key in kept]
    own = book_with({"mood.wild": {"en": "Wild"}}, Counter("mood", words=("wild",)))
    assert words("en", "liveon", own).get("mood.wild") == "Wild"


def test_a_log_s_word_is_text_on_one_line_and_no_pattern() -> None:
    book = book_with({
        "zone.moat": {"en": "{player}{n}"}, "zone.hand": {"en": "\x1b[2J\u202eHa\nnd" + "x" * 1000},
        "phase.attack": {"en": " \n"},
    })
    said = words("en", "liveon", book)
    assert said.get("zone.moat", player="Ann", n=1) == "{player}{n}"
    assert said.get("zone.hand").startswith("[2J Ha ndxxx") and len(said.get("zone.hand")) == 300
    assert said.get("phase.attack") == "Attack phase", "of this word nothing is left"


@pytest.mark.parametrize("key", registry.GAMES)
def test_the_shipped_words_stay_as_they_are_when_a_log_brings_them(key: str) -> None:
    book = registry.load(key).rulebook
    assert all(clean(word, 300) == word for said in book.words.values() for word in said.values())
    shipped = structs.replace(book, words=declared_words(book, registry.load(key).folder / "words"))
    for language in LANGUAGES:
        assert words(language, key, shipped) is words(language, key), "nothing is made for each game shown"
    renamed = structs.replace(book, words={"zone.hand": {"en": "Grip"}})
    assert words("en", key, renamed) is words("en", key, renamed) is not words("en", key)
    for number in range(40):
        other = structs.replace(book, words={"zone.hand": {"en": f"Grip {number}"}})
        assert words("en", key, other).get("zone.hand") == f"Grip {number}", "of whichever line comes"


@pytest.mark.parametrize("key", ["../words", "..", "/etc", "words", "players"])
def test_a_strange_game_name_opens_no_file(key: str) -> None:
    assert words("en", key).get("zone.hand") == "Hand"
    assert words("en", key).own("zone.a") is None


def test_an_unknown_language_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownLanguage, match="no words in 'fr'; the languages are en, zh-Hans, zh-Hant, ja"):
        words("fr")


def test_what_is_filled_in_is_no_pattern() -> None:
    assert fill("{a} and {b}", {"a": "{b}", "b": "x"}) == "{b} and x"
    assert fill("{a.__class__} {a[0]} {unknown}", {"a": "x"}) == "{a.__class__} {a[0]} {unknown}"


def test_a_count_of_one_has_its_own_form_in_english() -> None:
    assert words("en").get("say.move_kind.drawn_hidden", player="Mika", n=1) == "Mika draws a card"
    assert words("en").get("say.move_kind.drawn_hidden", player="Mika", n=2) == "Mika draws 2 cards"
    assert words("ja").get("say.move_kind.drawn_hidden", player="Mika", n=1) == "Mikaはカードを1枚引いた"


def test_the_rulebook_line_brings_all_declared_words_along() -> None:
    book = registry.load("liveon").rulebook
    assert book.words == declared_words(book, registry.load("liveon").folder / "words")
    assert sorted(book.words) == sorted(declared_keys(book))
    assert book.words["zone.a"] == {"en": "A line", "zh-Hans": "A线", "zh-Hant": "A線", "ja": "Aライン"}
