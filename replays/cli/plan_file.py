"""Plan files: what `simulate` is to play, as TOML. docs/PLAYERS.md shows one."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct

from replays.cli.arguments import deck_files, load_game, player_pair
from replays.play.simulate import Plan, PlanError, all_pairs

_MAX_BYTES = 1 << 16
"""Largest plan file that is read, in bytes."""


class PlanFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A plan as a file says it. Every deck plays every deck of its format, in both seats, and itself."""

    game: str
    count: int
    players: tuple[str, str] = ("greedy", "greedy")
    decks: tuple[str, ...] | None = None
    """names of shipped ones, or files, seen from the folder of the plan; left out: all shipped ones"""
    seed: int = 0
    options: dict[str, int | str | bool] = {}
    tags: tuple[str, ...] = ()
    date: str | None = None


def read_plan(path: Path, cards: list[Path] | None) -> Plan:
    """The plan of a file. Raises PlanError for a file that is none, else what its parts raise."""
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise PlanError(f"{path}: a plan has at most {_MAX_BYTES} bytes.")
        plan = msgspec.convert(tomllib.loads(data.decode()), PlanFile)
    except OSError as error:
        raise PlanError(f"{path}: cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PlanError(f"{path}: this is no TOML: {error}.") from None
    except (msgspec.ValidationError, RecursionError) as error:
        raise PlanError(f"{path}: this is no plan: {error}.") from None
    decks = deck_files(plan.decks, load_game(plan.game, cards), path.parent)
    return Plan(
        game=plan.game, decks=all_pairs(decks), count=plan.count, player_kinds=player_pair(",".join(plan.players)),
        seed=plan.seed, options=plan.options, tags=plan.tags, date=plan.date,
    )
