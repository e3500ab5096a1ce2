"""Plan files: what they say is played, and what is wrong with one is a sentence."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from engine.cards.decks import write_deck
from engine.rulebooks import registry
from events.open import read_games
from replays.cli.plan_file import PlanFile, command_of, plan_of, plan_text, read_plan
from tests.replays.cli.conftest import Run

DOCS = (Path(__file__).parents[3] / "docs/PLAYERS.md").read_text("utf-8")
(SHOWN,) = re.findall(r"```toml\n(game = .*?)```", DOCS, re.DOTALL)
SMALL = SHOWN.replace("200", "5").replace("search:16", "random")


def test_the_plan_of_the_documentation_is_played_the_same_by_one_process_and_two(run: Run, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(SMALL.replace("count = 5", "count = 25"))  # more than one chunk
    for jobs in ("1", "2"):
        code, _, said = run("simulate", "--plan", plan, "--jobs", jobs, "--out", tmp_path / f"{jobs}.jsonl.zst")
        assert code == 0, said
    assert (tmp_path / "1.jsonl.zst").read_bytes() == (tmp_path / "2.jsonl.zst").read_bytes()
    games = list(read_games(tmp_path / "1.jsonl.zst"))
    wanted = tomllib.loads(SMALL)
    assert len(games) == 25
    seen = set()
    for game in games:
        header = game.header
        assert [s.player_kind for s in header.seats] == wanted["players"]
        assert (list(header.tags), header.date) == (wanted["tags"], wanted["date"])
        assert header.options["max_turns"] == wanted["options"]["max_turns"]
        seen.add(tuple(s.deck.name for s in header.seats))
    assert seen == {(a, b) for a in wanted["decks"] for b in wanted["decks"]}


def test_decks_are_looked_for_beside_the_plan(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "far"
    folder.mkdir()
    deck = registry.load("liveon").shipped_decks()[0]
    (folder / "mine.toml").write_text(write_deck(deck))
    plan = 'game = "liveon"\ncount = 1\nplayers = ["random", "random"]\ndecks = ["mine.toml"]'
    (folder / "plan.toml").write_text(plan)
    assert run("simulate", "--plan", folder / "plan.toml", "--jobs", "1", "--out", tmp_path / "out.jsonl")[0] == 0
    (game,) = read_games(tmp_path / "out.jsonl")
    assert [s.deck.cards for s in game.header.seats] == [deck.cards] * 2


@pytest.mark.parametrize(("text", "why"), [
    ("game = ", "this is no TOML"),
    ("\udcff", "this is no TOML"),
    ('game = "liveon"', "this is no plan: Object missing required field `count`"),
    ('game = "liveon"\ncount = "five"', r"this is no plan: Expected `int`, got `str` - at `\$.count`"),
    ('game = "liveon"\ncount = 5\ncuont = 6', "unknown field `cuont`"),
    ('game = "liveon"\ncount = 0', "at least one game"),
    ('game = "chess"\ncount = 5', "no game 'chess'"),
    ('game = "liveon"\ncount = 5\nplayers = ["greedy"]', "length 2"),
    ('game = "liveon"\ncount = 5\nplayers = ["greedy", "clever"]', "no player 'clever'"),
    ('game = "liveon"\ncount = 5\ndecks = ["nothing"]', "no deck 'nothing'"),
    ('game = "liveon"\ncount = 5\ndecks = []', "needs two decks"),
    ('game = "liveon"\ncount = 5\n[options]\nmax_turns = "many"', "max_turns is 'many'"),
    ("#" * 70_000, "at most 65536 bytes"),
])
def test_what_is_wrong_with_a_plan_file_is_a_sentence(run: Run, tmp_path: Path, text: str, why: str) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(text, errors="surrogateescape")
    code, out, said = run("simulate", "--plan", plan, "--jobs", "1", "--out", tmp_path / "out.jsonl")
    assert code == 2 and out == "" and re.search(why, said), said
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize(("words", "why"), [
    (("--plan", "nowhere.toml"), "nowhere.toml: cannot be read"),
    (("--plan", "plan.toml", "-n", "5"), "leave out the game, -n"),
    (("liveon", "--plan", "plan.toml"), "leave out the game"),
    ((), "Which game is to be played"),
])
def test_a_plan_file_says_all_and_one_of_both_is_needed(run: Run, words: tuple[str, ...], why: str) -> None:
    code, out, said = run("simulate", *words)
    assert code == 2 and out == "" and why in said


@pytest.mark.parametrize("decks", [
    None, ("Clay Army",), ("Clay Army", "High Bells"), ("Clay Army", "High Bells", "Cold Hooks"),
])  # fmt: skip
@pytest.mark.parametrize("options", [{}, {"first": 0, "max_turns": 3}])
def test_a_plan_is_played_the_same_as_a_file_and_as_a_command(
    run: Run, tmp_path: Path, decks: tuple[str, ...] | None, options: dict[str, int | str | bool]
) -> None:
    plan = PlanFile(game="liveon", count=2, players=("random", "random"), seed=3, decks=decks, options=options)
    (tmp_path / "plan.toml").write_text(plan_text(plan))
    assert plan_of(plan) == read_plan(tmp_path / "plan.toml", None)
    assert run("simulate", "--plan", tmp_path / "plan.toml", "--jobs", "1", "--out", tmp_path / "a.jsonl")[0] == 0
    command = command_of(plan)
    assert bool(command) == (len(decks or ()) != 2), "two decks on the command line are one pair"
    if command:
        _, *words = shlex.split(command)
        assert run(*words, "--jobs", "1", "--out", tmp_path / "b.jsonl")[0] == 0
        assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
