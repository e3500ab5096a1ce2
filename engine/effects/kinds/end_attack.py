"""end_attack: the attack under way comes to nothing."""

from __future__ import annotations

from engine.effects.instruction import Instruction
from engine.effects.protocols import MatchProtocol
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import Frame


class EndAttack(Instruction, frozen=True):
    """The attack under way ends without effect."""

    example = 'then = [{ do = "end_attack" }]'

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        m.game.end_attack(m)

    def text(self, writer: Writer, form: str) -> list[str]:
        return writer.line("end_attack", form)
