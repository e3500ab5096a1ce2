"""Monster Battle: the area. What lies where, leaving it, evolving, equipping, fields (MB-24 … MB-34, MB-46, MB-47)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import choice
from engine.core.match import Match
from engine.core.tasks import Handler, Illegal, Task
from engine.rulebooks.monbattle.tasks import Equip, Evolve
from events.actions import AnyAction
from events.kinds import RuleApplied

if TYPE_CHECKING:
    from engine.rulebooks.monbattle.card import MonBattleDefinition

STANDBY = 5
STANDS = ("battle", "standby")


def definition(m: Match, card: int) -> MonBattleDefinition:
    return m.printed[card]


def fighter(m: Match, seat: int) -> int | None:
    """The player's battle monster; None: the player is blank (MB-15)."""
    stage = m.state.zones[seat]["battle"]
    return stage[0] if stage else None


# --- from the hand ------------------------------------------------------------------------------------------


def playable(m: Match, seat: int, card: int) -> bool:
    """Whether a card in the hand can be put into the area now."""
    printed: MonBattleDefinition = m.printed[card]
    kind = printed.kind
    if kind == "monster":
        if printed.evolves is not None:
            return bool(_bases(m, seat, card))
        return len(m.state.zones[seat]["standby"]) < STANDBY and printed.stats["cost"] <= m.value(seat, "level")
    if kind == "field":
        out = field(m)
        return m.value(seat, "fielded") != m.state.turn and (out is None or m.printed[out].name != printed.name)
    if kind == "assist" and (printed.item is None or m.state.turn == 1):
        return False
    return bool(bearers(m, seat, card))


def refuse_play(m: Match, seat: int, card: int) -> Illegal | None:
    """Why a card in the hand cannot be put into the area now, or None."""
    if playable(m, seat, card):
        return None
    printed = definition(m, card)
    if printed.kind == "monster" and printed.evolves is not None:
        return Illegal("MB-25", f"{printed.name} goes onto the player's own {printed.evolves}, and there is none")
    if printed.kind == "monster":
        if m.state.count(seat, "standby") >= STANDBY:
            return Illegal("MB-24", "Standby is full")
        return Illegal("MB-24", f"{printed.name} costs more than the player's level")
    if printed.kind == "field":
        if m.value(seat, "fielded") == m.state.turn:
            return Illegal("MB-33", "A field has already been played this phase")
        return Illegal("MB-34", f"{printed.name} is out already")
    if printed.kind == "weapon":
        if bearers(m, seat, card, "battle"):
            return Illegal("MB-27", f"{printed.name} cannot be put on the battle monster directly")
        text = f"{printed.name} needs an own {printed.attribute} monster on standby that has no weapon"
        return Illegal("MB-26", text)
    if printed.item is None:
        return Illegal("MB-30", f"{printed.name} is used, not put down")
    if m.state.turn == 1:
        return Illegal("MB-31", "No assists in the first round")
    return Illegal("MB-32", f"The player has no {printed.item} to put {printed.name} beside")


def play(m: Match, seat: int, card: int) -> None:
    """Puts a card that `refuse_play` lets pass into the area."""
    printed = definition(m, card)
    if printed.kind == "field":
        _play_field(m, seat, card)
    elif printed.kind != "monster":
        m.push(Equip(card))
    elif printed.evolves is not None:
        m.push(Evolve(card))
    else:
        enter(m, card, "standby", "played")


def _bases(m: Match, seat: int, card: int) -> list[int]:
    """The player's monsters that the evolution monster evolves from; what lies under them does not count (MB-25)."""
    printed, zones = m.printed, m.state.zones[seat]
    wanted = printed[card].evolves
    return [c for c in zones["battle"] + zones["standby"] if printed[c].name == wanted]


def evolve(m: Match, task: Evolve, answer: AnyAction | None) -> None:
    card, seat = task.card, m.card(task.card).seat
    options = _bases(m, seat, card)
    if not options:
        return  # an effect plays several, and an earlier one went onto the only monster
    base = choice.one_of(m, seat, "evolve", task, answer, options, about=(card,))
    if base is None:
        return
    zone = m.card(base).zone
    index = m.state.zones[seat][zone].index(base)
    tied = [(held, m.card(held).attachment) for held in m.card(base).attachments]
    m.emit_cause(RuleApplied("evolve", card))
    m.move(base, seat, "under", "covered", follow=False)
    m.move(card, seat, zone, "evolved", index=index)
    for held, tie in (*tied, (base, "under")):
        m.attach(held, card, tie)
    m.game.trigger(m, "evolved", card, seat)


def bearers(m: Match, seat: int, card: int, zone: str = "standby") -> list[int]:
    """The player, or the monsters of the zone, that could bear the weapon or item (MB-26, MB-27, MB-32)."""
    printed: MonBattleDefinition = m.printed[card]
    if printed.item == "player":
        options = m.state.zones[seat]["player"]
    else:
        options = m.state.zones[seat][zone]
        if printed.item is None:
            attribute = printed.stats["attribute"]
            options = [c for c in options if m.value(c, "attribute") == attribute]
    tie = "weapon" if printed.item is None else "item"
    cards = m.state.cards
    return [
        c for c in options
        if not cards[c].attachments or not any(cards[held].attachment == tie for held in cards[c].attachments)
    ]


def equip(m: Match, task: Equip, answer: AnyAction | None) -> None:
    card, seat = task.card, m.card(task.card).seat
    options = bearers(m, seat, card)
    tie = "weapon" if definition(m, card).item is None else "item"
    bearer = choice.one_of(m, seat, tie, task, answer, options, about=(card,))
    if bearer is None:
        return
    m.move(card, seat, "gear", "equipped")
    m.attach(card, bearer, tie)
    m.game.trigger(m, "played", card, seat)
    if tie == "item":
        m.game.trigger(m, "assist_used", card, seat)  # MB-32


def field(m: Match) -> int | None:
    """The field in play, whoever owns it."""
    for side in m.state.zones:
        if side["field"]:
            return side["field"][0]
    return None


def _play_field(m: Match, seat: int, card: int) -> None:
    old = field(m)
    m.set_counter(seat, "fielded", m.state.turn)
    if old is not None:
        m.emit_cause(RuleApplied("replace_field", card))
        leave(m, old, "drop", "replaced")
    enter(m, card, "field", "played")


# --- coming and leaving --------------------------------------------------------------------------------------


def enter(m: Match, card: int, zone: str, move_kind: str) -> None:
    """A card from outside comes into the area."""
    lies = m.card(card)
    if lies.zone == "stock":
        count_stock(m, lies.owner, -m.printed[card].stats["cost"])
    m.move(card, lies.owner, zone, move_kind)
    m.game.trigger(m, "played", card, lies.owner)


def leave(m: Match, card: int, zone: str, move_kind: str, index: int = -1) -> None:
    """A card goes to a zone of its owner outside the area.

    With a monster go all cards of its stack (MB-47); what it bears is dropped (MB-46).
    """
    seat, held = m.card(card).owner, [(c, m.card(c).attachment) for c in m.card(card).attachments]
    stack = [card, *(c for c, tie in held if tie == "under")]
    if m.card(card).zone == "stock":
        count_stock(m, seat, -m.printed[card].stats["cost"])
    for number in stack:
        m.move(number, seat, zone, move_kind, index=index, face_up=zone != "deck", follow=False)
    for number, tie in held:
        if tie != "under":
            m.move(number, m.card(number).owner, "drop", "dropped")
    if zone == "stock":
        count_stock(m, seat, sum(m.printed[c].stats["cost"] for c in stack))


def mark_gear(m: Match, monster: int) -> None:
    """The monster attacks: what it bears is dropped in this round's end phase, wherever it then stands (MB-29)."""
    for held in m.card(monster).attachments:
        if m.card(held).zone == "gear":
            m.set_counter(held, "attacked", 1)


def drop_gear(m: Match, seat: int) -> None:
    """Weapons and items whose bearer attacked in this round are dropped (MB-29)."""
    for card in list(m.state.zones[seat]["gear"]):
        if m.value(card, "attacked"):
            m.move(card, m.card(card).owner, "drop", "dropped")


def count_stock(m: Match, seat: int, n: int) -> None:
    """The COST in a player's stock changes by n."""
    m.set_counter(seat, "stock_cost", m.value(seat, "stock_cost") + n)


HANDLERS: dict[type[Task], Handler] = {Evolve: evolve, Equip: equip}
