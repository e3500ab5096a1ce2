"""What belongs to one rulebook stands in its folder, and a public name is defined in one module."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
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


# --- public names -------------------------------------------------------------------------------------------

ROLES = {
    # of a rulebook: what `rules.py` hands on to its parts, and what it is limited by
    **dict.fromkeys(
        ("FEATURES", "GAME", "FIRST_HAND", "MAX_COPIES", "MOMENTS", "VOCABULARY", "definition", "draw", "features",
         "legal", "problems", "set_up", "trial"),
        "engine/rulebooks/",
    ),
    "HANDLERS": "engine/",  # the tasks of a module, each with its handler
    "player": "engine/players/",  # makes one of its kind
    "main": "",  # what a program or a page does; in two rulebooks the handler of the task Main
}  # fmt: skip
"""Public names that several modules may define, since they are one role there -> where those modules are."""


def defined(tree: ast.Module) -> Iterator[str]:
    """The public names that a module defines, not those that it imports."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


def tasks(tree: ast.Module) -> set[str]:
    """The tasks of a module and their handlers."""
    found = {n.name for n in tree.body if isinstance(n, ast.ClassDef) and "Task" in map(ast.unparse, n.bases)}
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "HANDLERS":
            assert isinstance(node.value, ast.Dict)
            found |= set(map(ast.unparse, node.value.values))
    return found


def named_twice(trees: dict[str, ast.Module]) -> dict[str, list[str]]:
    """Public names -> the modules that define them, where those are several and the name is no role of theirs.

    A step of two rulebooks, its task and handler, may be called alike: no rulebook imports another.
    """
    found: dict[str, list[str]] = {}
    for module, tree in trees.items():
        for name in defined(tree):
            found.setdefault(name, []).append(module)
    return {
        name: modules for name, modules in found.items()
        if len(modules) > 1
        and not all(module.startswith(ROLES.get(name, "nowhere")) for module in modules)
        and not (
            len({Path(module).parent for module in modules}) == len(modules)
            and all(m.startswith("engine/rulebooks/") and name in tasks(trees[m]) for m in modules)
        )
    }  # fmt: skip


def test_a_public_name_is_defined_in_one_module() -> None:
    modules = [path for room in ("events", "engine", "replays", "dashboard") for path in (ROOT / room).rglob("*.py")]
    trees = {str(path.relative_to(ROOT)): ast.parse(path.read_text("utf-8")) for path in modules}
    assert named_twice(trees) == {}
    assert all(sum(role in defined(tree) for tree in trees.values()) > 1 for role in ROLES)


@pytest.mark.parametrize(
    ("one", "other", "twice"),
    [
        ("engine/rulebooks/a/x.py", "engine/rulebooks/b/x.py", {"LIMIT", "helper", "step"}),
        ("engine/rulebooks/a/x.py", "engine/rulebooks/a/y.py", {"LIMIT", "helper", "step", "Step"}),
        ("engine/rulebooks/a/x.py", "engine/core/x.py", {"LIMIT", "helper", "step", "Step", "legal"}),
        ("replays/x.py", "dashboard/x.py", {"LIMIT", "helper", "step", "Step", "legal", "HANDLERS"}),
    ],
)
def test_a_name_that_is_no_role_of_both_modules_is_found(one: str, other: str, twice: set[str]) -> None:
    code = "LIMIT: int = 3\nHANDLERS: dict = {%s}\nclass Step(Task): ...\ndef step(): ...\ndef helper(): ...\n"
    code += "def legal(): ...\ndef _own(): ...\ndef main(): ...\nfrom m import imported\n"
    handled, plain = ast.parse(code % "Step: step"), ast.parse(code % "")
    assert set(named_twice({one: handled, other: plain})) == twice
    assert set(named_twice({one: handled, other: handled})) == twice - ({"step"} if "Step" not in twice else set())
