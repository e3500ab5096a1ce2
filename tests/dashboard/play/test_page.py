"""The page on which games are begun and found again."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.play.hosting import Host
from engine.cards.decks import write_deck
from engine.rulebooks import registry
from engine.words import LANGUAGES
from events.kinds import GameStarted
from replays.play.lesson import LEARNER, TAG
from replays.store.library import Library
from tests.dashboard.conftest import HOSTILE
from tests.dashboard.test_pages import opened


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """An empty one, which the page reads."""
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path))
    return Library(tmp_path)


def start(app: AppTest) -> AppTest:
    return app.button(key="play_start").click().run()


def begun(library: Library) -> list[GameStarted]:
    """What the live games say of themselves."""
    return [library.read(entry).header for entry in library.live_entries()]


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_game_is_begun_as_it_was_chosen(library: Library, key: str) -> None:
    """Each game, with the computer at each seat, other decks than the first, and options."""
    app = opened("play")
    app.selectbox(key="play_game").set_value(key).run()
    app.selectbox(key="play_seat").set_value(1)
    app.selectbox(key="play_against").set_value("random")
    app.text_input(key="play_name").set_value(HOSTILE)
    decks = registry.load(key).shipped_decks()
    same = [n for n, deck in enumerate(decks) if deck.format == decks[0].format][:2]
    for seat, number in enumerate(reversed(same)):
        app.selectbox(key=f"play_deck_{key}_{seat}").set_value(number)
    app.toggle(key="play_open_lists").set_value(True)
    start(app)
    assert not app.exception and not app.error
    (header,) = begun(library)
    assert [s.player_kind for s in header.seats] == ["random", "human"] and header.seats[1].player == HOSTILE[:40]
    assert [s.deck.name for s in header.seats] == [decks[n].called() for n in reversed(same)]
    assert header.game == key and header.options["open_lists"] is True


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_guided_first_game_is_begun_by_one_click(library: Library, key: str) -> None:
    app = opened("play")
    app.button(key=f"lesson_{key}").click().run()
    assert not app.exception and not app.error
    (header,) = begun(library)
    assert header.game == key and header.tags == (TAG,) and header.seats[LEARNER].player_kind == "human"


def test_the_page_speaks_every_language(library: Library) -> None:
    titles = {opened("play", language=language).title[0].value for language in LANGUAGES}
    assert len(titles) >= 3


def test_two_browsers_get_a_link_each_and_secrets_of_their_own(library: Library) -> None:
    app = opened("play")
    app.segmented_control(key="play_way").set_value("browsers").run()
    app.text_input(key="play_name_0").set_value("Ann")
    start(app)
    links = [urlsplit(code.value) for code in app.code]
    assert [link.path for link in links] == ["/live/", "/live/"] and not any(link.query for link in links)
    parts = [link.fragment.split("/") for link in links]
    assert [place for _, place, _ in parts] == ["0", "1"] and parts[0][2] != parts[1][2]
    assert begun(library)[0].seats[0].player == "Ann"


FILES = {
    "no deck": (b"[cards]\nliveon = [", "TOML"), "unknown card": (b"4 Nobody At All\n", "Nobody"),
    "not text": (b"\xff\xfe\x00\x01", ""), "too long": (b"4 Ox\n" * 40_000, ""),
    "too few cards": (b"1 Pell Gravewick\n", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_deck_file_that_is_none_is_a_sentence_and_no_game_begins(library: Library, name: str) -> None:
    data, word = FILES[name]
    app = opened("play")
    app.file_uploader(key="play_file_liveon_0").upload("deck.txt", data, "text/plain").run()
    start(app)
    assert not app.exception
    assert app.error and all(word in error.value for error in app.error[:1]) and begun(library) == []


def test_a_deck_of_ones_own_is_played(library: Library) -> None:
    deck = registry.load("liveon").shipped_decks()[1]
    app = opened("play")
    text = write_deck(deck).encode()
    app.file_uploader(key="play_file_liveon_0").upload("mine.toml", text, "application/toml").run()
    start(app)
    assert not app.error
    assert begun(library)[0].seats[0].deck.cards == dict(sorted(deck.cards.items()))


def test_games_that_go_on_are_found_again_also_after_a_restart(library: Library) -> None:
    start(opened("play"))
    (name,) = [one.name for one in Host(library).listed()] or [begun(library)[0].match]
    app = opened("play")
    assert any("Live On" in text.value for text in app.text)
    assert name == begun(library)[0].match
