"""Plan files: what `simulate` is to play, as TOML. docs/PLAYERS.md shows one."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path

import msgspec
import tomli_w
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
    return plan_of(plan, path.parent, cards)


def plan_of(file: PlanFile, folder: Path | None = None, cards: list[Path] | None = None) -> Plan:
    """The plan that a plan file means; its decks that are files are seen from `folder`. Raises what its parts raise."""
    decks = deck_files(file.decks, load_game(file.game, cards), folder)
    return Plan(
        game=file.game, decks=all_pairs(decks), count=file.count, player_kinds=player_pair(",".join(file.players)),
        seed=file.seed, options=file.options, tags=file.tags, date=file.date,
    )


def plan_text(file: PlanFile) -> str:
    """The plan file as TOML that `read_plan` reads back."""
    said = msgspec.to_builtins(file)
    return tomli_w.dumps({key: value for key, value in said.items() if value not in (None, {}, ())})


def command_of(file: PlanFile) -> str:
    """The command that plays the same, as one types it in a shell; "" where only a plan file can say it."""
    if file.decks is not None and len(file.decks) == 2:
        return ""  # two decks on the command line are one pair, in seat order
    words = ["cardfold", "simulate", file.game, "-n", str(file.count), "--players", ",".join(file.players)]
    words += ["--seed", str(file.seed), *(("--decks", ",".join(file.decks)) if file.decks else ())]
    for name, value in file.options.items():
        words += ["--option", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    return shlex.join(words)
