"""Monster Battle: from the deck lists to the first round (MB-07 … MB-12)."""

from __future__ import annotations

from engine.core import choice, values
from engine.core.match import Match
from engine.core.tasks import Handler, Task
from engine.rulebooks.monbattle.stage import STANDBY, definition, fighter
from engine.rulebooks.monbattle.tasks import ExtraDraws, Extras, First, Hand, Opening, Order, Reveal
from events.actions import AnyAction, Choose
from events.kinds import FIRST_CARD, CardsRevealed, GameStarted

FIRST_HAND = 5


def set_up(m: Match, header: GameStarted) -> None:
    first = FIRST_CARD
    for seat in (0, 1):
        deck = header.seats[seat].deck
        codes = tuple(code for code, copies in deck.cards.items() for _ in range(copies))
        if deck.leader is None:
            raise ValueError(f"the deck of seat {seat} has no player card (MB-02)")
        if not any(m.game.cards[code].starter for code in codes):
            raise ValueError(f"the deck of seat {seat} has no COST 1 monster to begin with (MB-06)")
        m.make(seat, "player", first, (deck.leader,))
        m.make(seat, "deck", first + 1, codes)
        first += 1 + len(codes)
    m.begin_phase("set_up")
    m.push(Opening())


def opening(m: Match, task: Opening, answer: AnyAction | None) -> None:
    for seat in (0, 1):
        m.shuffle(seat, "deck")
        draw(m, seat, FIRST_HAND, "set_up")
    m.push(Reveal(), Extras(1), First(1), Extras(0), First(0), ExtraDraws(1), ExtraDraws(0), Hand(1), Hand(0))


def draw(m: Match, seat: int, n: int, move_kind: str = "drawn") -> None:
    """Draws up to n cards, one record for each."""
    for card in top(m, seat, n):
        m.move(card, seat, "hand", move_kind)


def top(m: Match, seat: int, n: int) -> list[int]:
    """The top n cards of a deck, or as many as there are."""
    return m.state.zones[seat]["deck"][: -max(n, 0) - 1 : -1]


def hand(m: Match, task: Hand, answer: AnyAction | None) -> None:
    seat = task.seat
    if starters(m, seat):
        return
    cards = tuple(m.state.zones[seat]["hand"])
    m.set_counter(seat, "redraws", m.value(seat, "redraws") + 1)
    m.emit(CardsRevealed(cards, seat=1 - seat))
    for card in cards:
        m.move(card, seat, "deck", "redrawn", face_up=False)
    m.shuffle(seat, "deck")
    draw(m, seat, FIRST_HAND, "set_up")
    m.push(task)


def starters(m: Match, seat: int) -> list[int]:
    """COST 1 monsters in the hand, one of each code (MB-08)."""
    own = (card for card in m.state.zones[seat]["hand"] if definition(m, card).starter)
    return choice.first_of_each(own, lambda card: definition(m, card).code)


def extra_draws(m: Match, task: ExtraDraws, answer: AnyAction | None) -> None:
    seat = task.seat
    most = min(m.value(1 - seat, "redraws"), m.state.count(seat, "deck"))
    if type(answer) is Choose:
        draw(m, seat, answer.option, "extra")
    elif most:
        m.ask(seat, "extra_draws", task, option_type="number", options=range(most + 1))


def first(m: Match, task: First, answer: AnyAction | None) -> None:
    options = starters(m, task.seat)
    if not options:  # the other player can imagine such a hand
        m.push(task, Hand(task.seat))
        return
    card = choice.one_of(m, task.seat, "first_monster", task, answer, options)
    if card is not None:
        m.move(card, task.seat, "battle", "set_up", face_up=False)


def extras(m: Match, task: Extras, answer: AnyAction | None) -> None:
    if type(answer) is Choose:
        m.move(answer.option, task.seat, "standby", "set_up", face_up=False)
        m.push(task)
    elif answer is None and m.state.count(task.seat, "standby") < STANDBY:
        options = starters(m, task.seat)
        if options:
            m.ask(task.seat, "extra_monster", task, option_type="card", options=options, optional=True)


def reveal(m: Match, task: Reveal, answer: AnyAction | None) -> None:
    m.push(Order())
    for seat in (0, 1):
        zones = m.state.zones[seat]
        for zone in ("player", "battle", "standby"):
            for card in zones[zone]:
                m.flip(card, True)
        m.set_counter(seat, "lp", m.printed[zones["player"][0]].printed.lp)
        for name in ("pp", "level"):
            values.touch(m, seat, name)
        m.set_counter(seat, "stock_cost", 0)
    for seat in (0, 1):
        m.game.trigger(m, "set", fighter(m, seat), seat)


HANDLERS: dict[type[Task], Handler] = {
    Opening: opening, Hand: hand, ExtraDraws: extra_draws, First: first, Extras: extras, Reveal: reveal,
}
