"""Monster Battle: what is still to be done in a game, as data. Above each group stands the module that does it."""

from __future__ import annotations

from typing import ClassVar

from engine.core.tasks import Task

# --- setup.py -----------------------------------------------------------------------------------------------


class Opening(Task, frozen=True):
    """Decks are shuffled, hands drawn (MB-07)."""


class Hand(Task, frozen=True):
    """A hand without a COST 1 monster is shown and redrawn (MB-09)."""

    seat: int


class ExtraDraws(Task, frozen=True):
    """A player may draw one card for each time the other has redrawn (MB-10)."""

    seat: int


class First(Task, frozen=True):
    """A player chooses the first battle monster, face down (MB-08)."""

    seat: int


class Extras(Task, frozen=True):
    """A player may put further COST 1 monsters on standby, face down (MB-11)."""

    seat: int


class Reveal(Task, frozen=True):
    """Player cards and monsters are turned up (MB-12)."""


# --- round.py -----------------------------------------------------------------------------------------------


class Round(Task, frozen=True):
    """A round begins with the start phase (MB-13, MB-21)."""


class Setting(Task, frozen=True):
    """A player sets a monster from standby as the battle monster (MB-13)."""

    seat: int


class Order(Task, frozen=True):
    """It is decided who is first this round (MB-18 … MB-20)."""

    safe: ClassVar[bool] = True


class MainPhase(Task, frozen=True):
    """A player's main phase begins with a draw (MB-22)."""

    safe: ClassVar[bool] = True
    seat: int


class Main(Task, frozen=True):
    """The player may put cards into the area and use cards, as often as possible (MB-23)."""

    safe: ClassVar[bool] = True
    seat: int


class EndPhase(Task, frozen=True):
    """Battle monsters go to the stock (MB-46 … MB-48)."""

    safe: ClassVar[bool] = True


class RoundEnd(Task, frozen=True):
    """What lasts until the end of the round ends (MB-48)."""

    safe: ClassVar[bool] = True


# --- stage.py -----------------------------------------------------------------------------------------------


class Evolve(Task, frozen=True):
    """An evolution monster in the hand goes onto one of the player's monsters (MB-25)."""

    card: int


class Equip(Task, frozen=True):
    """A weapon or item in the hand is put beside its bearer (MB-26, MB-32)."""

    card: int


# --- attack.py ----------------------------------------------------------------------------------------------


class AttackPhase(Task, frozen=True, tag="attack"):
    """A player's attack phase (MB-38)."""

    safe: ClassVar[bool] = True
    seat: int


class Declare(Task, frozen=True):
    """The battle monster attacks, unless an effect prevents it."""

    attacker: int


class Strike(Task, frozen=True):
    """The damage of one attack; `dealt` is that of the first where this is the second (MB-43)."""

    safe: ClassVar[bool] = True
    attacker: int
    dealt: int = 0


class Again(Task, frozen=True):
    """Whether the attacker, which has dealt so much, attacks a second time (MB-43)."""

    safe: ClassVar[bool] = True
    attacker: int
    dealt: int


class AttackOver(Task, frozen=True):
    """The attack has no target any more. What it has set off comes first."""

    safe: ClassVar[bool] = True
