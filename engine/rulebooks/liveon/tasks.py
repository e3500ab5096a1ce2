"""Live On: what is still to be done in a game, as data. Above each group stands the module that does it."""

from __future__ import annotations

from typing import ClassVar

from engine.core.tasks import Task

# --- turn.py ------------------------------------------------------------------------------------------------


class Fighters(Task, frozen=True):
    """Each player in turn puts one fighter face down on the B line (LO-15)."""

    seat: int


class LiveOnCall(Task, frozen=True):
    """Decks are shuffled, the first player is decided, hands are drawn, fighters turned up (LO-15 … LO-17)."""


class TurnStart(Task, frozen=True):
    """A turn begins: cards stand up, the player draws (LO-19, LO-20)."""

    seat: int


class BeginPhase(Task, frozen=True, tag="phase"):
    """The move, live or attack phase begins."""

    safe: ClassVar[bool] = True
    name: str


class Main(Task, frozen=True):
    """The turn player may move, live or attack, and use abilities, as often as the phase allows."""

    safe: ClassVar[bool] = True
    phase: str
    lives: int = 0
    moved: tuple[tuple[int, int], ...] = ()
    """cards that have moved this phase, each with its `since`: a card that left and came back counts as another"""


class End(Task, frozen=True):
    """The end phase: removes damage, then what lasts until the end of turn, again until neither is left (LO-44)."""


class EndPhase(Task, frozen=True):
    """The end phase begins."""

    safe: ClassVar[bool] = True


# --- battle.py ----------------------------------------------------------------------------------------------


class Battle(Task, frozen=True):
    """An attack has been declared; now it may be defended.

    Who attacks and who is attacked stands in the state (`attack`) and nowhere else: whoever leaves the A line is out of
    it, and does not rejoin by coming back (LO-28, LO-32).
    """


class Damage(Task, frozen=True):
    """The window after attack and defence has closed; damage is dealt. `deck`: whose deck was attacked, if one was."""

    safe: ClassVar[bool] = True
    deck: int | None


class StrikeBack(Task, frozen=True):
    """One card had First Strike; the other deals its damage now, if both are still there (LO-58, LO-59)."""

    striker: int
    struck: int


class AttackOver(Task, frozen=True):
    """An attack is over once its damage is dealt or the deck is burst, before anything it set off is placed (LO-33)."""


# --- lines.py -----------------------------------------------------------------------------------------------


class Rush(Task, frozen=True):
    """A card that has just been lived may move to the A line at once (LO-51)."""

    card: int


class Overflow(Task, frozen=True):
    """A line holds more than five cards: its owner discards down to five (LO-48)."""

    seat: int
    line: str


class Star(Task, frozen=True):
    """Two or more ★ cards of one name: their owner keeps one (LO-12)."""

    cards: tuple[int, ...]
