"""X-Card: what is still to be done in a game, as data. Above each group stands the module that does it."""

from __future__ import annotations

from typing import TypeAlias

from engine.core.tasks import Task

# --- setup.py -----------------------------------------------------------------------------------------------


class ChooseLeader(Task, frozen=True, tag="leader"):
    """A player whose deck names no leader chooses one, face down (XC-12)."""

    seat: int


class Opening(Task, frozen=True):
    """Decks are shuffled, the first attacker decided, leaders turned up, first hands drawn (XC-13 … XC-15)."""


# --- round.py -----------------------------------------------------------------------------------------------


class Round(Task, frozen=True):
    """A round begins; `seat` attacks."""

    seat: int


class Course(Task, frozen=True):
    """The next step before the battle; the attack may have been taken over meanwhile (XC-48)."""

    windows: int = 0
    """how many of the windows have been open"""
    formed: tuple[int, ...] = ()
    """who has formed up"""


class Skills(Task, frozen=True):
    """The effects of these skills are resolved, one after another (XC-27)."""

    cards: tuple[int, ...]


class Clearing(Task, frozen=True):
    """The battle is over: cards are discarded, then drawn (XC-44 … XC-47)."""


class LimitPhase(Task, frozen=True):
    """Hands above the limit are discarded down to it."""


class RoundEnd(Task, frozen=True):
    """What lasts for the round ends; the other player attacks next (XC-47 … XC-49)."""


# --- drawing.py ---------------------------------------------------------------------------------------------


class Draws(Task, frozen=True):
    """`seat` may draw up to `left` cards, each from the deck of its choice (XC-45)."""

    seat: int
    left: int


class Limit(Task, frozen=True):
    """A hand of more than 7 is discarded down to 7 (XC-47)."""

    seat: int


# --- formation.py -------------------------------------------------------------------------------------------


class Form(Task, frozen=True):
    """A side sends warriors, one at a time; the phase says whether it attacks or defends."""

    seat: int


class Break(Task, frozen=True):
    """The formation of this side is broken; its owner chooses who stays where two tie for the highest (XC-42)."""

    seat: int


# --- sortie.py ----------------------------------------------------------------------------------------------


class Failed(Task, frozen=True):
    """The sortie of this player's leader has failed (XC-39)."""

    seat: int


# --- battle.py ----------------------------------------------------------------------------------------------


class Battle(Task, frozen=True):
    """The battle begins; nothing changes any more before the strikes."""


Blows: TypeAlias = tuple[tuple[int, int], ...]
"""Cards that will strike, each with the record of the meeting that lets it; the first meeting counts (XC-33)."""


class Pairing(Task, frozen=True):
    """Fists still to be answered (direction, card), one after another; `chosen` answers the first of them."""

    fists: tuple[tuple[int, int], ...]
    through: Blows = ()
    back: Blows = ()
    chosen: int | None = None


class Strike(Task, frozen=True):
    """A card strikes the leader of `seat`."""

    source: int
    seat: int
