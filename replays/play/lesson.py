"""First steps: a scripted opening of a game, in which the learner makes each decision and is told what it is for.

The script is `first_steps.toml` in the game's folder: seed, decks and decisions of both seats. It is an ordinary game
with the tag TAG; when the script is over it goes on as any other.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache

import msgspec
from msgspec import Struct

from engine.cards.decks import DeckFile, read_deck
from engine.rulebooks import registry
from events.actions import AnyAction
from events.kinds import Acted, Event, GameStarted

TAG = "first steps"
"""Tag of the games that begin with a script."""

LEARNER = 0
"""The seat of who learns."""


class LessonStep(Struct, frozen=True):
    """A decision of the script; `say`: by language, what one may do there and why, where it is the learner's."""

    seat: int
    action: AnyAction
    say: dict[str, str] = {}


class Lesson(Struct, frozen=True):
    """The script of a game."""

    seed: int
    decks: tuple[DeckFile, DeckFile]
    options: dict[str, int | str | bool]
    steps: tuple[LessonStep, ...]

    @property
    def own_steps(self) -> int:
        """Decisions of the learner."""
        return sum(step.seat == LEARNER for step in self.steps)


class _StepFile(Struct, frozen=True, forbid_unknown_fields=True):
    seat: int
    action: str
    say: dict[str, str] = {}


class _LessonFile(Struct, frozen=True, forbid_unknown_fields=True):
    seed: int
    decks: tuple[str, str]
    step: tuple[_StepFile, ...]


@cache
def lesson_of(key: str) -> Lesson | None:
    """The lesson of a game; None where its folder has none."""
    game = registry.game_type(key)
    path = game.folder / "first_steps.toml"
    if not path.is_file():
        return None
    told = msgspec.convert(tomllib.loads(path.read_text("utf-8")), _LessonFile)
    first, second = (read_deck(game.folder / "decks" / f"{name}.toml", {}) for name in told.decks)
    steps = tuple(
        LessonStep(step.seat, msgspec.json.decode(step.action, type=AnyAction), step.say) for step in told.step
    )
    options: dict[str, int | str | bool] = {"format": first.format} if first.format else {}
    if "first" in registry.load(key).options:
        options["first"] = LEARNER
    return Lesson(told.seed, (first, second), options, steps)


def lessons() -> list[str]:
    """The games that have a lesson."""
    return [key for key in registry.GAMES if lesson_of(key) is not None]


def script_of(log: Sequence[Event]) -> Lesson | None:
    """The lesson as which a game was begun; None where it was not, or the script is another one by now."""
    header = log[0]
    assert isinstance(header, GameStarted)
    lesson = lesson_of(header.game) if TAG in header.tags and header.game in registry.GAMES else None
    if lesson is None:
        return None
    both = zip(_decided(log), lesson.steps, strict=False)
    return lesson if all((one.seat, one.action) == (step.seat, step.action) for one, step in both) else None


def next_step(log: Sequence[Event]) -> LessonStep | None:
    """The step of the script at which a game is; None where it has none, or the script is over."""
    lesson = script_of(log)
    number = len(_decided(log))
    return lesson.steps[number] if lesson is not None and number < len(lesson.steps) else None


def steps_done(log: Sequence[Event]) -> int:
    """How many decisions the learner has made."""
    return sum(one.seat == LEARNER for one in _decided(log))


def _decided(log: Sequence[Event]) -> list[Acted]:
    return [event for event in log if isinstance(event, Acted)]
