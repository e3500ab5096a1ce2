"""`docs/CARDS.md` is what the command writes, and leaves nothing out."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from engine.effects import abilities, language
from engine.effects.abilities import Ability
from engine.effects.kinds import EFFECT_KINDS
from engine.effects.language import EffectPart
from engine.effects.linter import tag_of
from engine.rulebooks import reference

DOCUMENT = Path(__file__).parents[3] / "docs" / "CARDS.md"
NAMED = {
    **EFFECT_KINDS,
    **{tag_of(kind): kind for kind in Ability.__subclasses__()},
    **{kind.__name__.lower(): kind for kind in EffectPart.__subclasses__()},
}


def test_the_document_is_what_the_command_writes() -> None:
    written = reference.reference()
    assert DOCUMENT.read_text("utf-8") == written, "write it anew: cardfold cards reference > docs/CARDS.md"


def test_abilities_and_parts_are_all_there() -> None:
    assert {kind.__module__ for kind in NAMED.values()} >= {abilities.__name__, language.__name__}
    assert len(NAMED) == len(EFFECT_KINDS) + 6 + 5


@pytest.mark.parametrize("name", NAMED)
def test_each_field_has_a_meaning_and_the_example_a_text(name: str) -> None:
    entry = DOCUMENT.read_text("utf-8").partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in entry.splitlines() if line.startswith("| `")]
    fields = [field.encode_name for field in structs.fields(NAMED[name])]
    assert [row[0].strip("`") for row in rows] == fields
    assert all(row[-1].strip() for row in rows)
    line, = [line for line in entry.splitlines() if line.startswith("> ")]
    assert line.endswith(".") and "text." not in line and "{" not in line
