"""X-Card: from the deck lists to the first round (XC-12 … XC-15)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core import choice, values
from engine.core.match import Match
from engine.core.tasks import Handler, Task
from engine.rulebooks.xcard.drawing import draw
from engine.rulebooks.xcard.tasks import ChooseLeader, Opening, Round
from events.actions import AnyAction
from events.kinds import FIRST_CARD, DeckList, GameStarted

if TYPE_CHECKING:
    from engine.rulebooks.xcard.card import XCardDefinition

FIRST_WARRIORS, FIRST_ITEMS = 3, 2


def set_up(m: Match, header: GameStarted) -> None:
    first = FIRST_CARD
    for seat in (0, 1):
        for zone, codes in _piles(m, header.seats[seat].deck).items():
            if codes:
                m.make(seat, zone, first, tuple(codes))
                first += len(codes)
    m.begin_phase("set_up")
    m.push(Opening(), ChooseLeader(1), ChooseLeader(0))


def _piles(m: Match, deck: DeckList) -> dict[str, list[str]]:
    """The leader, where the deck names it, and the rest by kind; one copy of the leader leaves the deck."""
    piles: dict[str, list[str]] = {"leader": [], "warriors": [], "items": []}
    for code, copies in deck.cards.items():
        zone = "items" if m.game.cards[code].kind == "item" else "warriors"
        piles[zone] += [code] * copies
    if deck.leader is not None:
        piles["warriors"].remove(deck.leader)
        piles["leader"].append(deck.leader)
    return piles


def choose_leader(m: Match, task: ChooseLeader, answer: AnyAction | None) -> None:
    zones = m.state.zones[task.seat]
    if zones["leader"]:
        return
    game: Any = m.game  # XCard, which stands above this module
    characters = [card for card in zones["warriors"] if m.definition(card).kind == "character"]
    leader_only = [card for card in characters if m.definition(card).code in game.leader_only]
    options = choice.first_of_each(leader_only or characters, lambda card: m.definition(card).code)  # XC-11
    card = choice.one_of(m, task.seat, "leader", task, answer, options)
    if card is not None:
        m.move(card, task.seat, "leader", "set_up", face_up=False)


def opening(m: Match, task: Opening, answer: AnyAction | None) -> None:
    for seat in (0, 1):
        m.shuffle(seat, "warriors")
        m.shuffle(seat, "items")
    option = m.state.options.get("first", "random")
    first = m.roll("first", 2) if option == "random" else int(option)
    for seat in (first, 1 - first):
        m.flip(m.state.zones[seat]["leader"][0], True)
    for seat in (first, 1 - first):
        printed: XCardDefinition = m.definition(m.state.zones[seat]["leader"][0])
        m.set_counter(seat, "hp", printed.hp)
        for name in ("def", "draws"):
            values.touch(m, seat, name)
        for zone, n in (("warriors", FIRST_WARRIORS), ("items", FIRST_ITEMS)):
            for _ in range(n):
                draw(m, seat, zone, "set_up")
    m.push(Round(first))


HANDLERS: dict[type[Task], Handler] = {ChooseLeader: choose_leader, Opening: opening}
