"""Gift: what the kinds that change a value of cards for some time have in common, which is how they are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.effects.instruction import Instruction
from engine.effects.language import Quantity, Who
from engine.effects.writer import Writer
from engine.words import inside


class Given(NamedTuple):
    """What is given to whom for how long."""

    what: Who
    duration: str
    own: str
    """where the game's own sentence for it would stand"""
    n: Quantity | None
    """the number in that sentence"""
    plain: bool
    """it is more of something, and no amount: it can be told together with others"""


class Gift(Instruction, frozen=True):
    """Base of instructions that change a value of cards for some time; several in a row are told in one sentence."""

    def given(self) -> Given:
        raise NotImplementedError

    def gains(self, writer: Writer) -> Sequence[tuple[str, str]]:
        """What the cards gain, and for each of what, as `Writer.gain` gives it; nothing where they gain nothing."""
        raise NotImplementedError

    def not_gained(self, writer: Writer, form: str, what: str, duration: str) -> list[str]:
        """The sentence where nothing is gained."""
        raise NotImplementedError

    def text(self, writer: Writer, form: str) -> list[str]:
        return self.text_with(writer, form, ())

    def told_with(self, writer: Writer, following: Instruction) -> bool:
        if not isinstance(following, Gift):
            return False
        one, two = self.given(), following.given()
        together = one.plain and two.plain and one.duration == two.duration and one.what == two.what
        return together and all(not _own(writer, g.given()) and g.gains(writer) for g in (self, following))

    def text_with(self, writer: Writer, form: str, following: Sequence[Instruction]) -> list[str]:
        given = self.given()
        what = writer.what(given.what)
        key = writer.words.first(f"text.duration.{given.duration}", f"duration.{given.duration}")
        duration = inside(writer.t(key))
        if own := _own(writer, given):
            whose = writer.whose(str(given.what), "each") if given.what in ("own", "other") else ""
            return writer.line(own, form, given.n, what=what.text, whose=whose, duration=duration)
        gains = [gain for gift in (self, *following) if isinstance(gift, Gift) for gain in gift.gains(writer)]
        if not gains:
            return self.not_gained(writer, form, what.text, duration)
        joined, per = writer.listed([gain for gain, _ in gains], "words"), gains[0][1]
        key = "give_per" if per else "give_to" if what.taken else "give"
        return writer.line(key, form, what=what.text, duration=duration, gains=joined, per=per)


def _own(writer: Writer, given: Given) -> str:
    """The game's own sentence for what this does to a value: `add.def`, `sets.no_draw_1`; none: empty."""
    return given.own.removeprefix("text.") if given.own and writer.words.pattern(given.own) is not None else ""
