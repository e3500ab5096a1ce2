"""cancel: an effect that waits on the stack comes to nothing."""

from __future__ import annotations

from engine.effects import query
from engine.effects.instruction import Instruction
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import Frame


class Cancel(Instruction, frozen=True):
    """Takes the stack item in the slot off the stack; it does nothing."""

    example = """targets = [{ from = { zone = ["stack"], of = "other" } }]
then = [{ do = "cancel", what = "target" }]"""

    what: str = "target"
    """the slot; it is filled by a target from the zone `stack`"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        for item in frame.slots.get(self.what, ()):
            if not query.gone(m, item, frame.since):
                m.game.cancel(m, item)

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.who(self.what, f"{at}.what", filled, cancel=True)

    def text(self, writer: Writer, form: str) -> list[str]:
        return writer.line("cancel", form, what=writer.what(self.what).text)
