"""Instruction: the base of all kinds. What a kind does not say for itself is said here."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, ClassVar, ForwardRef, NamedTuple, TypeAlias

from msgspec import Struct, structs

from engine.effects.hidden_information import HiddenInformation, HiddenSlots, Leaks
from engine.effects.language import Who
from engine.effects.linter import Linter, tag_of
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Vocabulary
from engine.effects.writer import Writer
from events.actions import AnyAction, snake
from events.kinds import Frame

if TYPE_CHECKING:
    Steps: TypeAlias = tuple["Instruction", ...]
else:  # any of all kinds, which are known only when each has been defined: msgspec looks the name up at first use
    Steps = tuple[ForwardRef("AnyInstruction", module="engine.effects.kinds"), ...]


class Question(NamedTuple):
    """What must be answered before an instruction can be carried out; it is then run again, with the answer."""

    frame: Frame
    seat: int
    question: str
    option_type: str
    options: Sequence[int]
    optional: bool = False


class Instruction(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do", tag=snake):
    """Base of all instructions."""

    example: ClassVar[str]
    """fields of an ability of a card file, for `docs/CARDS.md`"""

    @classmethod
    def known_to(cls, vocabulary: Vocabulary) -> bool:
        """Whether it means something in a game with this vocabulary."""
        return vocabulary.instructions is None or tag_of(cls) in vocabulary.instructions

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> Frame | Question | None:
        """Carries it out. Gives the frame as it goes on, where not simply at the next instruction, or a question.

        `answer`: to the question that it gave when it was run before.
        """
        raise NotImplementedError

    def lint(self, linter: Linter, at: str, filled: AbstractSet[str]) -> AbstractSet[str] | None:
        """Says what is wrong with it at the place `at` of a card; gives the slots that it fills for those after it.

        `filled`: the slots that are filled before it.
        """
        return None

    def leaks(self, reader: HiddenInformation, at: str, slots: HiddenSlots, free: bool) -> Leaks:
        """What it tells everybody about hidden cards; it fills and empties `slots`.

        `free`: the card's owner wants it done, who might have left it undone.
        """
        yield from reader.cards(getattr(self, "what", "self"), f"{at}.what")
        yield from reader.number(getattr(self, "n", 0), f"{at}.n", slots)

    def text(self, writer: Writer, form: str) -> list[str]:
        """Its sentences, without their stops; `form` "_and": another clause follows."""
        raise NotImplementedError

    def told_with(self, writer: Writer, following: Instruction) -> bool:
        """Whether one sentence tells this and the instruction that follows it: then `text_with` writes it."""
        return False

    def text_with(self, writer: Writer, form: str, following: Sequence[Instruction]) -> list[str]:
        """The sentences that tell it and those that follow (see `told_with`)."""
        raise NotImplementedError

    def flatten(self, program: list[Instruction]) -> None:
        """Adds it to a program (see `engine.effects.steps`), conditions and loops as jumps."""
        program.append(self)

    def nested(self) -> Steps:
        """The instructions inside it."""
        return ()

    def puts(self, vocabulary: Vocabulary) -> AbstractSet[str]:
        """The zones into which it can put cards, where that is what it does."""
        return frozenset()

    def fills(self) -> tuple[str, Who] | None:
        """The slot that it fills while it is carried out, and out of which cards."""
        return None


class Jump(Instruction, frozen=True):
    """Goes on at instruction `to`. Made by flattening, never written in a card file."""

    to: int

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> Frame:
        return structs.replace(frame, at=self.to)
