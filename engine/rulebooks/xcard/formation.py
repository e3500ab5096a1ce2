"""X-Card: forming up: who may be sent, cooperate and link, own skills, broken formations (XC-17 … XC-22, XC-42)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from engine.core import values
from engine.core.match import Match
from engine.core.tasks import Handler, Illegal, Task
from engine.rulebooks.xcard import sortie
from engine.rulebooks.xcard.tasks import Break, Form
from events.actions import AnyAction, Choose, Move, Pass, Play
from events.kinds import Frame, RuleApplied

if TYPE_CHECKING:
    from engine.rulebooks.xcard.card import XCardDefinition

CHARACTERS, SKILLS = 2, 1
"""Most that a side sends from the hand in a round, effects apart (XC-17)."""
OWN_SKILL = 500


def form(m: Match, task: Form, answer: AnyAction | None) -> None:
    seat = task.seat
    if answer is None:
        answer = m.ask_freely(seat, m.state.phase, task, legal(m, seat))
        if answer is None:
            return
    if type(answer) is Play:
        m.push_back(task)
        m.move(answer.card, seat, "field", "sent")
    elif type(answer) is Move:
        m.push_back(task)
        sortie.go(m, seat)
    else:
        join_formation(m, seat)


def join_formation(m: Match, seat: int) -> None:
    """A side has formed up: characters that a mark joins, needed or not, are one formation with their skills."""
    sent = _Sent(m, seat)
    if len(sent.characters) > 1 and marked(m, sent.characters, sent.skills):
        for card in (*sent.characters, *sent.skills):
            m.set_counter(card, "formation", 1)


# --- what may be sent ---------------------------------------------------------------------------------------


class _Sent:
    """What a side has sent from the hand so far, and what else it could send."""

    __slots__ = ("characters", "m", "more", "most_skills", "seat", "skills")

    def __init__(self, m: Match, seat: int) -> None:
        self.m = m
        self.seat = seat
        self.characters: list[int] = []
        self.skills: list[int] = []
        for card in m.state.zones[seat]["field"]:
            if m.printed[card].kind == "skill":
                self.skills.append(card)
            elif not sortie.is_leader(m, card):
                self.characters.append(card)
        self.more = m.value(seat, "more_characters")
        self.most_skills = SKILLS + m.value(seat, "more_skills")

    def room(self, kind: str) -> bool:
        """Whether one more of this kind, character or skill, may be sent this round (XC-17)."""
        if kind == "skill":
            return len(self.skills) < self.most_skills
        return len(self.characters) < CHARACTERS + self.more

    def needs_mark(self, characters: int) -> bool:
        """Whether so many characters need a mark; those that an effect allows beyond the usual need none (XC-19)."""
        return characters > 1 + self.more

    def refuse(self, card: int) -> Illegal | None:
        """Why this card in the hand cannot be sent now, or None."""
        wanted: XCardDefinition = self.m.printed[card]
        if not wanted.warrior:
            return Illegal("XC-01", f"{wanted.name} is an item; only warriors are sent")
        if not self._playable(wanted):
            return Illegal("XC-11", f"{wanted.name} can only be a leader")
        return self._refuse_skill(card, wanted) if wanted.kind == "skill" else self._refuse_character(card, wanted)

    def _refuse_skill(self, card: int, wanted: XCardDefinition) -> Illegal | None:
        if not self.room("skill"):
            return Illegal("XC-17", f"No more than {self.most_skills} skills may be sent this round")
        if not self.characters and not self._leader_out():
            return Illegal("XC-18", f"{wanted.name} is a skill; it needs a character of its side on the field")
        if self.needs_mark(len(self.characters)) and not self._can_be_marked(self.characters, [*self.skills, card]):
            return Illegal("XC-19", f"The characters sent need a mark, which {wanted.name} does not give")
        return None

    def _refuse_character(self, card: int, wanted: XCardDefinition) -> Illegal | None:
        if not self.room("character"):
            return Illegal("XC-17", f"No more than {CHARACTERS + self.more} characters may be sent this round")
        characters = [*self.characters, card]
        if self.needs_mark(len(characters)) and not self._can_be_marked(characters, self.skills):
            return Illegal("XC-19", f"{wanted.name} can only join by a mark, cooperate or link")
        return None

    def _playable(self, card: XCardDefinition) -> bool:
        """Whether such a card may be sent at all: a leader-only card never is (XC-11)."""
        game: Any = self.m.game  # XCard, which stands above this module
        return card.code not in game.leader_only

    def _leader_out(self) -> bool:
        return not self.m.state.zones[self.seat]["leader"]

    def _can_be_marked(self, characters: list[int], skills: list[int]) -> bool:
        """Whether these have a mark that joins the characters, or a skill in the hand can still bring one."""
        if marked(self.m, characters, skills):
            return True
        return len(skills) < self.most_skills and any(
            self.m.printed[c].kind == "skill" and self._playable(self.m.printed[c]) and marked(self.m, characters, [c])
            for c in self.m.state.zones[self.seat]["hand"] if c not in skills
        )

    def complete(self) -> bool:
        """Whether what has been sent may stay as it is."""
        return not self.needs_mark(len(self.characters)) or marked(self.m, self.characters, self.skills)


def marked(m: Match, characters: list[int], skills: Iterable[int]) -> bool:
    """Whether a mark among these warriors joins the characters: link, or cooperate with another of its element."""
    for card in (*characters, *skills):
        mark = m.printed[card].mark
        if mark == "link":
            return True
        if mark == "cooperate":
            element = m.value(card, "element")
            if any(other != card and m.value(other, "element") == element for other in characters):
                return True
    return False


def definition(m: Match, card: int) -> XCardDefinition:
    """What is printed on the card."""
    return m.printed[card]


def legal(m: Match, seat: int) -> Iterator[AnyAction]:
    """What a side that forms up may do: stop (if what is out may stay so), send a card, send the leader."""
    sent = _Sent(m, seat)
    if sent.complete():
        yield Pass()
    room = {"character": sent.room("character"), "skill": sent.room("skill"), "item": False}
    seen = set()
    for card in m.state.zones[seat]["hand"]:
        printed = m.printed[card]
        if room[printed.kind] and printed.code not in seen:
            seen.add(printed.code)
            if sent.refuse(card) is None:
                yield Play(card)
    if m.value(seat, "hp") <= sortie.SORTIE_MAX_HP:
        for card in m.state.zones[seat]["leader"]:
            if sortie.refuse_sortie(m, seat, card) is None:
                yield Move(card)


def refuse(m: Match, seat: int, action: AnyAction) -> Illegal | None:
    """Why a decision is illegal while this side forms up, or None; the card is the player's own."""
    sent = _Sent(m, seat)
    if type(action) is Pass:
        return None if sent.complete() else Illegal("XC-19", "The characters sent need a mark; send one too")
    if type(action) is Move:
        return sortie.refuse_sortie(m, seat, action.card)
    if type(action) is not Play:
        return Illegal("XC-23", "A side that forms up sends warriors; items are used in the windows before and after")
    if m.card(action.card).zone != "hand":
        return Illegal("XC-17", "Warriors are sent from the hand")
    return sent.refuse(action.card)


# --- what is kept true of a side ----------------------------------------------------------------------------


def keep(m: Match, seat: int) -> None:
    """Begins and ends what depends on who stands together: own skills, and the formation itself."""
    field, cards, printed = m.state.zones[seat]["field"], m.state.cards, m.printed
    for card in field:
        own = printed[card].own
        if own is not None:
            _own_skill(m, card, [c for c in field if _is_character(m, c) and m.definition(c).name == own])
    joined = [card for card in field if cards[card].counters.get("formation")]
    if joined and sum(_is_character(m, card) for card in joined) < 2:
        for card in joined:
            m.set_counter(card, "formation", 0)


def _is_character(m: Match, card: int) -> bool:
    return m.definition(card).kind == "character"


def _own_skill(m: Match, skill: int, masters: list[int]) -> None:
    """An own skill has +500 ATK, once, while its character stands with it (XC-22)."""
    for number in m.modifiers_on(skill):
        effect = m.state.modifiers[number]
        if effect.duration == values.WHILE:
            if effect.card in masters:
                return
            values.remove_modifier(m, number)
    if masters:
        m.emit_cause(RuleApplied("own_skill", skill))
        values.apply_modifier(m, masters[0], skill, "atk", values.WHILE, add=OWN_SKILL)


# --- breaking a formation -----------------------------------------------------------------------------------


def break_formation(m: Match, frame: Frame) -> None:
    """A special: the formation of the other side is broken."""
    m.push(Break(1 - frame.seat))


def break_(m: Match, task: Break, answer: AnyAction | None) -> None:
    joined = [card for card in m.state.zones[task.seat]["field"] if m.value(card, "formation")]
    if not joined:
        return
    most = max(m.value(card, "atk") for card in joined)
    highest = [card for card in joined if m.value(card, "atk") == most]
    if type(answer) is Choose:
        stays = answer.option
    elif len(highest) > 1:
        m.ask(task.seat, "keep", task, option_type="card", options=highest)
        return
    else:
        stays = highest[0]
    m.emit_cause(RuleApplied("break_formation", stays))
    for card in joined:
        if card != stays:
            m.game.discard(m, card, "broken")


HANDLERS: dict[type[Task], Handler] = {Form: form, Break: break_}
