"""What belongs to one rulebook stands in its folder: no rule id, game or element is named elsewhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from engine.rulebooks import registry

ROOT = Path(__file__).parent.parent
CODE = (".py", ".js", ".css", ".html", ".sql")
RULE_ID = re.compile(r"\b(?:LO|XC|MB)-\d")
LISTED = {"engine/rulebooks/registry.py"}
"""the list of rulebooks names them"""


def outside() -> dict[str, str]:
    """The code outside the games' folders, by path."""
    games = tuple(f"engine/rulebooks/{key}/" for key in registry.GAMES)
    paths = [p for room in ("events", "engine", "replays", "dashboard") for p in (ROOT / room).rglob("*")]
    names = [str(path.relative_to(ROOT)) for path in paths if path.suffix in CODE]
    return {name: (ROOT / name).read_text("utf-8") for name in names if not name.startswith(games)}


def own_words() -> set[str]:
    """Words that one game alone prints on its cards: its keys of frames and the signs before a name."""
    found = set(registry.GAMES) | {"★"}
    for key in registry.GAMES:
        board = tomllib.loads((registry.game_type(key).folder / "board.toml").read_text("utf-8"))["card"]
        found |= set(board["frames"])
    return found - {"red", "white", "blue", "black"}  # plain colours, which the palette has too


FILES = outside()


def test_all_rooms_are_looked_at() -> None:
    assert {name.split("/")[0] for name in FILES} == {"events", "engine", "replays", "dashboard"}
    assert {"human", "stone", "liveon"} <= own_words()


@pytest.mark.parametrize("name", sorted(FILES))
def test_no_file_outside_a_rulebooks_folder_names_its_rules_or_words(name: str) -> None:
    text = FILES[name]
    assert RULE_ID.findall(text) == []
    quoted = set(re.findall(r"""["'`](\w+|★\s?)["'`]""", text))
    named = {word.strip() for word in quoted} & own_words()
    if name in LISTED:
        named -= set(registry.GAMES)
    if name in PLAYER_KIND:
        named -= {"human"}
    assert named == set()


PLAYER_KIND = {"events/objects.py", "replays/play/live_game.py", "replays/cli/play.py", "replays/store/share.py"}
"""here a human is a kind of player"""


def test_the_architecture_names_every_module() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    many = ("engine/effects/kinds", "replays/cli", "dashboard/views")  # said there as a whole
    modules = [name for name in FILES if name.endswith(".py") and not name.startswith(many) and "__init__" not in name]
    assert len(modules) > 80
    assert [name for name in modules if not re.search(rf"\b{Path(name).stem}\b", text)] == []
