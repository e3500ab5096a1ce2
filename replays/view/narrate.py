"""A game in words: a sentence for each record, with its cause, from the words of its rulebook and language.

It folds the log itself and depends on no rulebook: sentences are chosen by declared words (`say.move_kind.drawn` …),
a rulebook's own first. What comes out is data: templates' keys, arguments and plain text, never markup.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.fold import FoldError, fold
from events import kinds as k
from events.actions import FREE_ACTIONS
from events.kinds import HIDDEN, CardSet, Event, RulebookLine
from replays.view.describe import SAY, Sentences
from replays.view.outcomes import tell_outcomes
from replays.view.said import Args, Draft, Said

DEEPEST = 6
"""How far text is set in for what was caused; whatever is deeper (a chain of 200 effects) stands there too."""
_HEADINGS = (k.GameStarted, k.TurnBegan, k.PhaseBegan, k.GameEnded, k.Sealed)
RECKONING = (k.DamageCalculated, k.StackPushed, k.StackPopped, k.ModifierBegan, k.Shuffled)
TURN = "say.turn_began."
"""Lines with such templates are the headings of turns."""


class Line(Struct, frozen=True):
    """One record in words. `lines[n]` is record n's."""

    record: int
    template: str
    """key of the sentence among the words"""
    args: Args
    """what fills it; `through` is the card whose effect this is, which the text adds at the end"""
    text: str
    cause: int
    """record that brought this one about"""
    depth: int
    """0 for a turn, phase or decision; more for what it caused"""
    quiet: bool
    """needs no line of its own"""
    line: int
    """record whose line tells of this one: itself unless quiet"""
    seat: int | None = None
    """whose doing or whose card it is"""
    folds: bool = False
    """part of a reckoning, which may be folded away: another line tells what came of it"""
    repeats: bool = False
    """the line that tells what came of it has its numbers too"""


def narrate(
    events: Sequence[Event], rulebook: RulebookLine, card_sets: Sequence[CardSet], language: str = "en"
) -> list[Line]:
    """A line for each record of a game; where a record cannot be folded, the lines end before it.

    `events` begin with `game_started` and may be one seat's view. Raises `engine.words.UnknownLanguage`.
    """
    return _Narrator(events, rulebook, card_sets, language).lines()


def line_of(lines: Sequence[Line], record: int) -> Line:
    """The line to show for a record: its own, or the one that tells of it."""
    return lines[lines[record].line]


def log_text(lines: Sequence[Line]) -> str:
    """The game to be read in a terminal: record numbers, turns as headings, what was caused set in."""
    shown = []
    for line in lines:
        if line.quiet or line.repeats:
            continue
        heading = line.template.startswith(TURN)
        if heading:
            shown.append("")
        indent = 0 if heading or line.record == 0 else min(line.depth, DEEPEST) + 1
        shown.append(f"{line.record:>5}  {'  ' * indent}{line.text}")
    return "\n".join(shown) + "\n"


class _Narrator(Sentences):
    """Folds a game, and makes lines of what is said of its records."""

    def lines(self) -> list[Line]:
        cause = 0
        for number, event in enumerate(self.events):
            if event.back:
                cause = number - event.back
            draft = Draft(Said("", {}), cause, cause)
            self.drafts.append(draft)
            draft.parent, draft.through = self._parent(event, number, cause)
            draft.answers = bool(self.state.stack) or self.state.attack[0] is not None
            try:
                draft.said = SAY.get(type(event), Sentences.any_other)(self, event, number)
                if draft.through is not None and draft.through != draft.said.source:
                    draft.said.args["through"] = self.card_of(draft.through)
                fold(self.state, event, self.declared)
            except (FoldError, LookupError):
                self.drafts.pop()
                break
            self._learn(event)
        self._group()
        self._head()
        self._find_idle()
        tell_outcomes(self)
        self._silence()
        return self._finish()

    def _learn(self, event: Event) -> None:
        if isinstance(event, k.CardsMade) and event.first != HIDDEN:
            self.codes.update(enumerate(event.codes, event.first))
        elif isinstance(event, k.CardIdentified):
            self.codes[event.card] = event.code
        elif isinstance(event, k.StackPushed):
            self.items[event.item] = self.state.seq - 1
            if event.frame.card not in self.codes and event.frame.code:
                self.codes[event.frame.card] = event.frame.code
        elif isinstance(event, k.ModifierBegan):
            self.modifiers[event.id] = event

    def _parent(self, event: Event, number: int, cause: int) -> tuple[int, int | None]:
        """The record below whose line this one stands, and the card through whose effect it came about."""
        if isinstance(event, k.StackPopped):
            return self.items.get(event.item, cause), self._resolving(cause) if event.outcome == "cancelled" else None
        by = self.events[cause] if cause < number else None
        if (card := self._resolving(cause)) is not None and by is not None:
            return cause, card
        if isinstance(by, k.RuleApplied):
            above = self.drafts[cause].cause
            return cause, self._parent(by, cause, above)[1] if above < cause else None
        return cause, None

    def _resolving(self, cause: int) -> int | None:
        """The card whose effect is carried out by a record."""
        by = self.events[cause]
        if not isinstance(by, k.StackPopped) or by.item not in self.items:
            return None
        queued = self.events[self.items[by.item]]
        assert isinstance(queued, k.StackPushed)
        return queued.frame.card

    def _group(self) -> None:
        """Cards that go the same way one after another are told by the last of them."""
        group: list[int] = []
        for number, event in enumerate(self.events[: len(self.drafts)]):
            if isinstance(event, k.CardIdentified):
                continue
            if group and not self._alike(group[0], number):
                self._tell_together(group)
                group = []
            group.append(number)
        self._tell_together(group)

    def _alike(self, first: int, number: int) -> bool:
        a, b = self.events[first], self.events[number]
        one, two = self.drafts[first].said, self.drafts[number].said
        if one.quiet or two.quiet or type(a) is not type(b) or one.seat != two.seat:
            return False
        if self.drafts[first].cause != self.drafts[number].cause or "card" not in one.args or "card" not in two.args:
            return False
        return one.key.removesuffix("_hidden") == two.key.removesuffix("_hidden")

    def _tell_together(self, group: Sequence[int]) -> None:
        if len(group) < 2:
            return
        members = [self.drafts[number].said for number in group]
        said = members[-1]
        key = said.key.removesuffix("_hidden")
        if self.words.pattern(f"{key}_n") is None:
            return
        hidden = all(m.key.endswith("_hidden") for m in members)
        cards = self.t("join.list").join(str(m.args["card"]) for m in members)
        said.key = f"{key}_hidden" if hidden else f"{key}_n"
        said.args = {**said.args, "n": len(group), "cards": cards}
        for number in group[:-1]:
            self.drafts[number].said.quiet = True
            self.drafts[number].line = group[-1]

    def _head(self) -> None:
        """A turn is headed by the rule that says whose it is, where one follows from its beginning."""
        key = f"say.turn_began.{self.book.turn}_because"
        if self.words.pattern(key) is None:
            return
        for draft, event in zip(self.drafts, self.events, strict=False):
            if isinstance(event, k.RuleApplied) and isinstance(self.events[draft.cause], k.TurnBegan):
                heading = self.drafts[draft.cause].said
                if heading.key.startswith(TURN):
                    heading.key, heading.args["reason"] = key, self.t(draft.said.key, **draft.said.args)
                    draft.said.quiet = True

    def _find_idle(self) -> None:
        """Effects of which nothing came have none: nothing was told or moved but the card that was used."""
        told = list(zip(self.drafts, self.events, strict=False))
        done = [(draft.cause, _leaves_all(draft, event)) for draft, event in told if not self._used_up(draft, event)]
        changed, begun = {cause for cause, idle in done if not idle}, {cause for cause, idle in done if idle}
        for number, (draft, event) in enumerate(told[:-1]):
            if isinstance(event, k.StackPopped) and event.outcome == "resolved" and number not in changed:
                draft.said.key = "say.unchanged" if number in begun else "say.idle"

    def _used_up(self, draft: Draft, event: Event) -> bool:
        """Whether the record is no more than a question, a consent, or that a used card is put away."""
        if isinstance(event, k.Asked) or (isinstance(event, k.Acted) and draft.said.quiet):
            return True
        popped = self.events[draft.cause]
        if not isinstance(popped, k.StackPopped) or not isinstance(event, k.CardMoved) or not draft.said.quiet:
            return False
        pushed = self.events[self.items[popped.item]] if popped.item in self.items else None
        return isinstance(pushed, k.StackPushed) and pushed.frame.card == event.card

    def _silence(self) -> None:
        """Quiets the headings under which nothing stands: empty phases, effects that others name."""
        told: set[int] = set()
        for number in range(len(self.drafts) - 1, -1, -1):
            draft, event = self.drafts[number], self.events[number]
            if isinstance(event, k.PhaseBegan) and not draft.said.quiet:
                draft.said.quiet = self._empty_phase(number)
            elif isinstance(event, k.StackPopped) and event.outcome == "resolved" and number in told:
                draft.said.quiet = True
            if not draft.said.quiet:
                told |= {draft.parent, draft.cause} if isinstance(event, k.StackPopped) else {draft.parent}

    def _empty_phase(self, number: int) -> bool:
        for later in range(number + 1, len(self.drafts)):
            if isinstance(self.events[later], (k.PhaseBegan, k.TurnBegan, k.GameEnded)):
                return True
            if not self.drafts[later].said.quiet:
                return False
        return True

    def _finish(self) -> list[Line]:
        lines: list[Line] = []
        last = 0
        depths = self._depths()
        for number, draft in enumerate(self.drafts):
            said = draft.said
            last = number if not said.quiet or not number else last
            key = self.words.form(said.key, said.args)
            text = self.t(said.key, **said.args)
            if "through" in said.args:
                key_around = "say.ended" if draft.over else "say.through"
                text = self.t(key_around, sentence=text, through=said.args["through"])
            for key_around, args in draft.around:
                text = self.t(key_around, sentence=text, **args)
            line = self._line_of(number, last) if said.quiet else number
            quiet = said.quiet and number > 0
            folds = draft.repeats or isinstance(self.events[number], RECKONING)
            lines.append(Line(
                number, key, said.args, text, draft.cause, depths[number], quiet, line, said.seat, folds, draft.repeats
            ))
        return lines

    def _line_of(self, number: int, last: int) -> int:
        """The line that tells of a quiet record: the one that it points to, else the last one before it."""
        line = self.drafts[number].line
        while line is not None and self.drafts[line].said.quiet:
            line = self.drafts[line].line
        return last if line is None else line

    def _depths(self) -> list[int]:
        """How deep each line stands: one deeper than the nearest line among its causes."""
        depths: list[int] = []
        above: list[int] = []
        """for each record the nearest one at or above it that is shown (phases stay: they set what follows in)"""
        for number, draft in enumerate(self.drafts):
            event = self.events[number]
            parent = above[draft.parent] if draft.parent < number else 0
            begins = isinstance(event, _HEADINGS) or (
                isinstance(event, k.Acted) and type(event.action) in FREE_ACTIONS and not draft.answers
            )
            depths.append(0 if begins or not parent else depths[parent] + 1)
            above.append(number if not draft.said.quiet or isinstance(event, k.PhaseBegan) else parent)
        return depths


def _leaves_all(draft: Draft, event: Event) -> bool:
    """Whether it changes nothing that is told: a value is set to what it is, or the rules remember something."""
    return isinstance(event, k.ModifierBegan | k.CounterSet) and draft.said.quiet and draft.line is None
