"""The kinds of instruction: found by themselves, whole, and one module and its words are enough for a new one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.effects.instruction import Instruction
from engine.effects.kinds import EFFECT_KINDS, AnyInstruction
from engine.effects.linter import tag_of
from engine.rulebooks import registry
from engine.words import LANGUAGES

ROOT = Path(__file__).parents[3]
WORDS = {
    "en": "put the last {n} cards of {whose} discard pile under {whose} deck",
    "zh-Hans": "将{whose}弃牌堆最后的{n}张卡放到{whose}卡组底",
    "zh-Hant": "將{whose}棄牌堆最後的{n}張卡放到{whose}牌組底",
    "ja": "{whose}捨て札の最後の{n}枚を{whose}山札の下に置く",
}

PLAYS = """
import json
from engine.cards.linter import lint
from engine.cards.rules_text import rules_text
from engine.rulebooks import reference
from engine.words import LANGUAGES
from tests.engine.rulebooks.liveon.position import position

def bolt(n):
    may = {"do": "may", "then": [{"do": "recycle", "n": n}]}
    text = "0 A: Idle   B: Elf red   hand: Bolt red skill   deck: Top   discard: Ox, Ram, Cat"
    return position(text, Bolt={"ability": "effect", "then": [may]})

table = bolt(2).do("use Bolt", "yes")
printed = next(d.printed for d in table.match.game.cards.values() if d.name == "Bolt")
empty = bolt(0).match.game
found = lint({d.code: d for d in empty.cards.values()}, empty.vocabulary)
print(json.dumps({
    "deck": table.zone(0, "deck"), "discard": table.zone(0, "discard"),
    "text": {language: rules_text(printed, language) for language in LANGUAGES},
    "found": [[problem.field, problem.text] for problem in found if "recycle" in problem.text],
    "reference": "## recycle" in reference.reference(),
}))
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a game gives whose engine is a copy of this one, with one module more and a line in each word file."""
    folder = tmp_path_factory.mktemp("engine")
    shutil.copytree(ROOT / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(__file__).parent / "recycle.py", folder / "engine/effects/kinds/recycle.py")
    for language, pattern in WORDS.items():
        path = folder / f"engine/words/{language}.toml"
        head, line, tail = path.read_text("utf-8").partition("\n[text]\n")
        assert line
        path.write_text(f'{head}{line}recycle = "{pattern}"\n{tail}', "utf-8")
    script = folder / "plays.py"
    script.write_text(PLAYS, "utf-8")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))), "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, script], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_new_kind_is_carried_out_inside_another_instruction(played: dict[str, Any]) -> None:
    assert (played["deck"], played["discard"]) == (["Top", "Ram", "Cat"], ["Bolt", "Ox"])  # the top first


def test_a_new_kind_has_a_text_in_each_language(played: dict[str, Any]) -> None:
    assert set(played["text"]) == set(LANGUAGES)
    assert played["text"]["en"] == ["You may put the last 2 cards of your discard pile under your deck."]
    assert played["text"]["ja"] == ["自分の捨て札の最後の2枚を自分の山札の下に置くことができる。"]
    assert len({line for (line,) in played["text"].values()}) == len(LANGUAGES)


def test_a_new_kind_is_linted(played: dict[str, Any]) -> None:
    assert played["found"] == [["ability[0].then[0].then[0].n", "recycle 0 does nothing"]]


def test_a_new_kind_stands_in_the_reference(played: dict[str, Any]) -> None:
    assert played["reference"]


# --- the kinds that there are -------------------------------------------------------------------------------


def test_each_module_is_a_kind_and_cards_can_name_no_other() -> None:
    folder = ROOT / "engine/effects/kinds"
    modules = sorted(path.stem.removesuffix("_") for path in folder.glob("*.py") if path.stem != "__init__")
    assert list(EFFECT_KINDS) == modules and "draw" in modules
    with pytest.raises(msgspec.ValidationError, match="Invalid value"):
        msgspec.convert({"do": "jump", "to": 0}, AnyInstruction)


@pytest.mark.parametrize("tag", EFFECT_KINDS)
def test_each_kind_is_whole(tag: str) -> None:
    kind = EFFECT_KINDS[tag]
    assert tag_of(kind) == tag and kind.__doc__ and kind.example
    assert kind.text is not Instruction.text
    assert kind.run is not Instruction.run or kind.flatten is not Instruction.flatten
    if set(kind.__struct_fields__) - {"who"}:
        assert kind.lint is not Instruction.lint


@pytest.mark.parametrize("key", registry.GAMES)
def test_what_a_game_says_of_kinds_names_kinds(key: str) -> None:
    vocabulary = registry.load(key).vocabulary
    assert set(vocabulary.sets_off) <= set(EFFECT_KINDS)
    assert (vocabulary.instructions or set(EFFECT_KINDS)) <= set(EFFECT_KINDS)
