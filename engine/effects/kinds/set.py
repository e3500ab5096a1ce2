"""set: a value of cards is this for some time."""

from __future__ import annotations

from collections.abc import Sequence

from engine.effects import query
from engine.effects.gift import Gift, Given
from engine.effects.language import Who
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import Frame


class SetValue(Gift, frozen=True, tag="set"):
    """Makes a value of the cards (a keyword too) be this for some time."""

    example = 'then = [{ do = "set", what = { of = "own" }, name = "rush" }]'

    what: Who
    """the cards"""
    name: str
    """of the value"""
    value: int = 1
    """what it then is; additions come on top; 0 takes a keyword away"""
    duration: str = "turn"
    """until when"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        for card in m.game.settable(m, frame, query.on_table(m, frame, self.what), self.name):
            m.modify(frame.card, card, self.name, self.duration, be=self.value, ability=frame.ability)

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.cards(self.what, f"{at}.what", filled)
        linter.word("value", self.name, linter.values(self.what), f"{at}.name")
        linter.word("duration", self.duration, linter.vocabulary.durations, f"{at}.duration")

    def given(self) -> Given:
        return Given(self.what, self.duration, f"text.sets.{self.name}_{self.value}", None, self.value > 0)

    def gains(self, writer: Writer) -> Sequence[tuple[str, str]]:
        if self.value > 0 and writer.is_keyword(self.name):
            return [(writer.keyword(self.name, self.value), "")]
        return []

    def not_gained(self, writer: Writer, form: str, what: str, duration: str) -> list[str]:
        if writer.is_keyword(self.name):
            return writer.line("take", form, what=what, duration=duration, name=writer.value_name(self.name))
        key, args = writer.set_value(self.what, self.name, self.value)
        return writer.line(key, form, None, what=what, duration=duration, **args)
