"""A new event kind takes its struct in kinds.py, its function in fold.py and its words; all else follows."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.words import LANGUAGES

ROOT = Path(__file__).parents[2]
KIND = '''
class CardWeighed(Event, frozen=True):
    """A card was weighed."""

    card: CardId
    """the card"""
    seat: SeatId
    """who weighed it"""
    zone: ZoneName
    """where the scales lie"""
    weight: OpenInt
    """how heavy it is"""
    told: Secret[str] = ""
    """what its owner thought"""


AnyEvent = (
    CardWeighed
    | GameStarted
'''
FOLD = '''
def card_weighed(state: State, e: k.CardWeighed, declared: Declared, number: int) -> None:
    state.writable_card(e.card).exhausted = True


FOLDS: dict[type, Callable[[State, Any, Declared, int], None]] = {
    k.CardWeighed: card_weighed,
'''
WORDS = {
    "en": "{player} weighs {card} in the {zone}: {weight}",
    "zh-Hans": "{player}在{zone}称{card}：{weight}",
    "zh-Hant": "{player}在{zone}秤{card}：{weight}",
    "ja": "{player}が{zone}で{card}を量る：{weight}",
}
LOOKS = """
import json
from engine.fold import fold_all
from engine.view import view
from engine.words import LANGUAGES
from events import kinds as k, protocol
from events.game import write_game
from events.open import read_games
from replays.view.narrate import narrate
from replays.view.timeline import Timeline
from tests.engine.rulebooks.monbattle.position import position

table = position('''
    0  battle: Elk
    1  battle: Doe   hand: Ram
''')
match, game = table.match, table.match.game
weighed = k.CardWeighed(card=table.ids["Ram#1"], seat=1, zone="hand", weight=7, told="light")
match.emit(weighed)
(log,) = read_games(write_game((game.rulebook, game.card_sets, match.log)))
views = [view(log.events, seat, game.declared)[-1] for seat in (0, 1)]
timeline = Timeline(log.events, log.rulebook, log.card_sets)
lines = {l: narrate(log.events, log.rulebook, log.card_sets, l)[-1].text for l in LANGUAGES}
page = protocol.with_tables(protocol.PAGE.read_text("utf-8"))
print(json.dumps({
    "read": log.fault is None and log.events[-1] == weighed,
    "folded": fold_all(log.events, game.declared).cards[weighed.card].exhausted,
    "seen": [[e.card, e.seat, e.zone, e.weight, e.told] for e in views],
    "touched": timeline.frames()[1][-1][-1][1]["cards"] == [weighed.card],
    "lines": lines,
    "page": page.partition("### `card_weighed`")[2].partition("###")[0],
    "schema": protocol.line_schema()["$defs"]["CardWeighed"]["properties"]["weight"]["description"],
}))
"""


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What comes of a record of a kind that a copy of these packages has besides."""
    folder = tmp_path_factory.mktemp("packages")
    for package in ("events", "engine"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    _put(folder / "events/kinds.py", "\nAnyEvent = (\n    GameStarted\n", KIND)
    _put(folder / "engine/fold.py", FOLD[FOLD.index("\n\n\nFOLDS") + 2 : FOLD.index("    k.CardWeighed")], FOLD)
    for language, pattern in WORDS.items():
        before = "\ncard_identified = "
        _put(folder / f"engine/words/{language}.toml", before, f'\ncard_weighed = "{pattern}"{before}')
    script = folder / "looks.py"
    script.write_text(LOOKS, "utf-8")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))), "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, script], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _put(path: Path, before: str, instead: str) -> None:
    head, found, tail = path.read_text("utf-8").partition(before)
    assert found, path
    path.write_text(head + instead + tail, "utf-8")


def test_a_new_kind_is_written_read_and_folded(looked: dict[str, Any]) -> None:
    assert looked["read"] and looked["folded"]


def test_a_new_kind_is_seen_by_each_seat_as_it_knows_the_card(looked: dict[str, Any]) -> None:
    other, own = looked["seen"]
    assert other == [-1, 1, "hand", 7, ""]
    assert own[0] >= 2 and own[1:] == other[1:]


def test_a_new_kind_is_highlighted_and_told_in_each_language(looked: dict[str, Any]) -> None:
    assert looked["touched"] and set(looked["lines"]) == set(LANGUAGES)
    assert looked["lines"]["en"] == "Player 1 weighs Ram in the hand: 7"
    assert len(set(looked["lines"].values())) == len(LANGUAGES)


def test_a_new_kind_stands_in_protocol_and_schema(looked: dict[str, Any]) -> None:
    assert "| `weight` | int | must | how heavy it is |" in looked["page"]
    assert looked["schema"] == "how heavy it is"
