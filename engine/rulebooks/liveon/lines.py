"""Live On: the two lines. Living and its requirement, Live Change, Rush, more than five, more than one ★."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import values
from engine.core.match import Match
from engine.core.tasks import Handler, Illegal, Task
from engine.rulebooks.liveon.tasks import Overflow, Rush, Star
from events.actions import AnyAction, Choose
from events.kinds import CardAttached, RuleApplied

if TYPE_CHECKING:
    from engine.rulebooks.liveon.card import LiveOnDefinition

CAP = 5


def definition(m: Match, card: int) -> LiveOnDefinition:
    """What is printed on the card."""
    return m.printed[card]


def production(m: Match, seat: int) -> tuple[int, int, int, int, int]:
    """Symbols of red, white, blue and black that the B line produces, and their sum (LO-06)."""
    return m.remembered(seat, _production, seat)


def _production(m: Match, seat: int) -> tuple[int, int, int, int, int]:
    red = white = blue = black = 0
    for card in m.state.zones[seat]["b"]:
        symbols = m.printed[card].symbols
        red += symbols[0]
        white += symbols[1]
        blue += symbols[2]
        black += symbols[3]
    return red, white, blue, black, red + white + blue + black


def powered(m: Match, seat: int, card: int) -> bool:
    """Whether the B line meets the card's requirement, in each colour and in total (LO-07)."""
    red, white, blue, black, total = production(m, seat)
    wanted: LiveOnDefinition = m.printed[card]
    need = wanted.symbols
    return total >= wanted.needs and red >= need[0] and white >= need[1] and blue >= need[2] and black >= need[3]


def bases(m: Match, seat: int, card: int) -> list[int | None]:
    """What a card can be lived onto: nothing, or (Live Change) the named fighter on one's own B line."""
    fighter = m.printed[card].live_change
    if fighter is None:
        return [None]
    return [c for c in m.state.zones[seat]["b"] if definition(m, c).name == fighter]


def refuse_live(m: Match, seat: int, card: int, on: int | None, room: bool = True) -> Illegal | None:
    """Why the card cannot be lived (onto `on`) now, or None. The number of lives is not looked at.

    Without `room`, neither a full line nor a ★ of that name hinders it: both are put right afterwards.
    """
    wanted: LiveOnDefinition = m.printed[card]
    if wanted.kind == "skill":
        return Illegal("LO-26", f"{wanted.name} is a skill; only fighters and monsters are lived")
    if wanted.live_change is None:
        if on is not None:
            return Illegal("LO-52", f"{wanted.name} has no Live Change; it is lived to a free place")
    elif on not in bases(m, seat, card):
        return Illegal("LO-52", f"{wanted.name} is lived onto {wanted.live_change} on your own B line")
    if room and on is None and m.state.count(seat, "b") >= CAP:
        return Illegal("LO-24", "The B line is full")
    if room and wanted.star and _star_out(m, seat, wanted.name, besides=on):
        return Illegal("LO-12", f"{wanted.name} is marked ★, and one is on the field already")
    needs_power = wanted.needs > 1  # LO-09
    if needs_power and not powered(m, seat, card):
        return Illegal("LO-07", f"The B line does not produce what {wanted.name} requires")
    return None


def _star_out(m: Match, seat: int, name: str, besides: int | None = None) -> bool:
    return any(
        definition(m, c).name == name for line in ("a", "b") for c in m.state.zones[seat][line] if c != besides
    )


def live(m: Match, seat: int, card: int, on: int | None) -> None:
    """Lives the card, which has been found legal."""
    if on is None:
        m.move(card, seat, "b", "lived")
    else:
        _live_change(m, seat, card, on)
    m.push(Rush(card))
    m.game.trigger(m, "lived", card, seat)


def _live_change(m: Match, seat: int, card: int, on: int) -> None:
    fighter = m.card(on)
    place = m.state.zones[seat]["b"].index(on)
    down, held = fighter.exhausted, list(fighter.attachments)
    damage, used = m.value(on, "damage"), _used(m, on, card)
    bonuses = [m.state.modifiers[n] for n in m.modifiers_on(on) if m.state.modifiers[n].duration == "turn"]
    m.move(on, seat, "under", "changed", follow=False)
    m.move(card, seat, "b", "lived", index=place)
    for under in (on, *held):
        m.emit(CardAttached(under, card, "under"))
    m.exhaust(card, down)
    m.set_counter(card, "damage", damage)
    for number in used:
        m.game.mark_used(m, card, number)
    for effect in bonuses:
        values.apply_modifier(
            m, effect.card, card, effect.name, "turn", add=effect.add, be=effect.set, ability=effect.ability
        )


def _used(m: Match, fighter: int, card: int) -> list[int]:
    """Numbers of the abilities of `card` that the fighter has too and has used this turn (LO-52)."""
    spent = [
        definition(m, fighter).abilities[number] for number in definition(m, fighter).activated
        if m.value(fighter, f"used_{number}") == m.state.turn
    ]
    return [number for number in definition(m, card).activated if definition(m, card).abilities[number] in spent]


def change_line(m: Match, card: int, line: str, move_kind: str) -> None:
    """A card on the field moves to the other line: in the move phase, by Rush or by an effect (LO-21, LO-51)."""
    seat = m.card(card).seat
    m.move(card, seat, line, move_kind)
    m.game.trigger(m, "moved", card, seat)


def rush(m: Match, task: Rush, answer: AnyAction | None) -> None:
    card = m.card(task.card)
    if not m.value(task.card, "rush") or card.zone != "b" or m.state.count(card.seat, "a") >= CAP:
        return
    if type(answer) is not Choose:
        m.ask(card.seat, "rush", task, option_type="yes_no", options=(1, 0), about=(task.card,))
    elif answer.option:
        m.emit_cause(RuleApplied("rush", task.card))
        change_line(m, task.card, "a", "rush")


def overflow(m: Match, task: Overflow, answer: AnyAction | None) -> None:
    if type(answer) is Choose:
        m.emit_cause(RuleApplied("overflow", answer.option))
        m.game.discard(m, answer.option, "overflow")
    elif m.state.count(task.seat, task.line) > CAP:
        m.ask(task.seat, "overflow", task, option_type="card", options=m.state.zones[task.seat][task.line])


def star(m: Match, task: Star, answer: AnyAction | None) -> None:
    cards = [c for c in task.cards if m.on_table(c)]
    if type(answer) is Choose:
        m.emit_cause(RuleApplied("star", answer.option))
        for card in cards:
            if card != answer.option:
                m.game.discard(m, card, "star")
    elif len(cards) > 1:
        m.ask(m.card(cards[0]).seat, "star", task, option_type="card", options=cards)


def check_lines(m: Match, seat: int) -> None:
    """Pushes the tasks that put a player's lines right: ★ first, then more than five cards."""
    zones = m.state.zones[seat]
    for line in ("a", "b"):
        if len(zones[line]) > CAP:
            m.push(Overflow(seat, line))
    printed: dict[int, LiveOnDefinition] = m.printed
    stars = [card for card in (*zones["a"], *zones["b"]) if printed[card].star]
    if len(stars) > 1:
        by_name: dict[str, list[int]] = {}
        for card in stars:
            by_name.setdefault(printed[card].name, []).append(card)
        for cards in by_name.values():
            if len(cards) > 1:
                m.push(Star(tuple(cards)))


HANDLERS: dict[type[Task], Handler] = {Rush: rush, Overflow: overflow, Star: star}
