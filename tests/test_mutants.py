"""Mutants can be applied, and every rule has one. That its tests kill them, `python -m tests.mutants` shows."""

from __future__ import annotations

import re

import pytest

from tests.mutants import ROOT, mutants

GAMES = sorted(path.parent.name for path in (ROOT / "tests" / "engine" / "rulebooks").glob("*/mutants.toml"))


@pytest.mark.parametrize("game", GAMES)
def test_every_mutant_finds_its_place_and_every_rule_has_one(game: str) -> None:
    found = mutants(game)
    for mutant in found:
        whole = (ROOT / mutant.file).read_text(encoding="utf-8")
        assert mutant.find in whole, f"{mutant.rule}: {mutant.file}"
        assert mutant.find != mutant.put
        if mutant.file.endswith(".py"):
            compile(whole.replace(mutant.find, mutant.put), mutant.file, "exec")  # what cannot be read shows nothing
    book = (ROOT / "engine" / "rulebooks" / game / "RULES.md").read_text(encoding="utf-8")
    rules = re.findall(r"\*\*([A-Z]+-\d+)\*\*", book)
    assert {m.rule for m in found} == set(rules)
