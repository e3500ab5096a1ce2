"""Live On: set-up and the course of a turn (LO-13 … LO-27, LO-42 … LO-44, LO-51). Battles are in `battle.py`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from engine.core import choice, stack, values
from engine.core.match import Match
from engine.core.tasks import Handler, ResolveStack, Task, Window
from engine.rulebooks.liveon import lines
from engine.rulebooks.liveon.tasks import Battle, BeginPhase, End, EndPhase, Fighters, LiveOnCall, Main, TurnStart
from events.actions import AnyAction, Attack, Move, Pass, Play, Use
from events.kinds import FIRST_CARD, GameStarted

FIRST_HAND = 6
MAX_LIVES = 2


NEXT = {"move": "live", "live": "attack"}


def set_up(m: Match, header: GameStarted) -> None:
    first = FIRST_CARD
    for seat in (0, 1):
        codes = [code for code, copies in header.seats[seat].deck.cards.items() for _ in range(copies)]
        m.make(seat, "deck", first, tuple(codes))
        first += len(codes)
    m.begin_phase("set_up")
    m.push(LiveOnCall(), Fighters(1), Fighters(0))


def fighters(m: Match, task: Fighters, answer: AnyAction | None) -> None:
    own = (card for card in m.state.zones[task.seat]["deck"] if m.definition(card).kind == "fighter")
    options = choice.first_of_each(own, lambda card: m.definition(card).name)
    card = choice.one_of(m, task.seat, "fighter", task, answer, options)
    if card is not None:
        m.move(card, task.seat, "b", "set_up", face_up=False)


def live_on_call(m: Match, task: LiveOnCall, answer: AnyAction | None) -> None:
    for seat in (0, 1):
        m.shuffle(seat, "deck")
    option = m.state.options.get("first", "random")
    first = m.roll("first", 2) if option == "random" else int(option)
    for seat in (first, 1 - first):
        draw(m, seat, FIRST_HAND, "set_up")
    for seat in (first, 1 - first):
        m.flip(m.state.zones[seat]["b"][0], True)
    m.push(TurnStart(first))


def draw(m: Match, seat: int, n: int, move_kind: str = "drawn") -> None:
    """Draws up to n cards, one record for each."""
    for card in m.state.zones[seat]["deck"][: -n - 1 : -1]:
        m.move(card, seat, "hand", move_kind)


def turn_start(m: Match, task: TurnStart, answer: AnyAction | None) -> None:
    turn = m.state.turn + 1
    if turn > int(m.state.options.get("max_turns", 200)):
        m.end(None, "turn_limit")  # LO-43
        return
    m.begin_turn(turn, task.seat)
    m.begin_phase("start", task.seat)
    for line in ("a", "b"):
        for card in m.state.zones[task.seat][line]:
            m.exhaust(card, False)
    m.push(BeginPhase("move"))
    m.game.trigger(m, "turn_began", None, task.seat)
    if turn > 1:
        draw(m, task.seat, 1)


def begin_phase(m: Match, task: BeginPhase, answer: AnyAction | None) -> None:
    m.begin_phase(task.name, m.state.active)
    m.push(Main(task.name))


def main(m: Match, task: Main, answer: AnyAction | None) -> None:
    seat = m.state.active
    if answer is None:
        if m.ask_freely(seat, task.phase, task, legal(m, task, seat)):
            _close(m, task)
    elif type(answer) is Pass:
        _close(m, task)
    elif type(answer) is Use:
        m.push_back(task)
        m.push(Window(1 - seat))
        stack.use(m, seat, answer)
    elif type(answer) is Move:
        m.push_back(Main(task.phase, task.lives, (*task.moved, (answer.card, m.card(answer.card).since))))
        m.push(Window(seat))
        lines.change_line(m, answer.card, "b" if m.card(answer.card).zone == "a" else "a", "moved")
    elif type(answer) is Play:
        m.push_back(Main(task.phase, task.lives + 1))
        m.push(Window(seat))
        lines.live(m, seat, answer.card, answer.on)
    elif type(answer) is Attack:
        m.push_back(task)
        m.exhaust(answer.card, True)
        m.set_attack(answer.card, answer.target)
        m.game.trigger(m, "attacks", answer.card, seat)
        m.push(Battle())


def _close(m: Match, task: Main) -> None:
    """The phase ends once the other player passes too; what it uses does not reopen the phase (LO-42)."""
    if task.phase in NEXT:
        m.push(BeginPhase(NEXT[task.phase]))
    else:
        m.push(EndPhase())
    m.push(Window(1 - m.state.active, passes=1))


def end_phase(m: Match, task: EndPhase, answer: AnyAction | None) -> None:
    m.begin_phase("end", m.state.active)
    m.push(End())


def end(m: Match, task: End, answer: AnyAction | None) -> None:
    cards = m.state.cards
    out = [card for zones in m.state.zones for line in m.game.field for card in zones[line]]
    damaged = [card for card in out if cards[card].counters.get("damage")]
    for card in sorted(damaged):
        m.set_counter(card, "damage", 0)
    over = values.end_duration(m, "turn")
    if damaged or over or m.state.stack or m.pending:
        m.push(End(), ResolveStack(quiet=True))
    else:
        m.push(TurnStart(1 - m.state.active))


# --- free decisions -----------------------------------------------------------------------------------------


def legal(m: Match, task: Task, seat: int) -> Iterator[AnyAction]:
    """All free decisions of the seat, a pass first; equal cards in hand are offered once."""
    of_phase = OFFERS[task.phase](m, task, seat) if type(task) is Main else ()
    return itertools.chain((Pass(),), of_phase, m.game.usable(m, seat))


def _moves(m: Match, task: Main, seat: int) -> Iterator[AnyAction]:
    zones, cards = m.state.zones[seat], m.state.cards
    for line, other in (("a", "b"), ("b", "a")):
        if len(zones[other]) < lines.CAP:
            for card in zones[line]:
                if (card, cards[card].since) not in task.moved:
                    yield Move(card)


def _lives(m: Match, task: Main, seat: int) -> Iterator[AnyAction]:
    if task.lives >= MAX_LIVES:
        return
    seen = set()
    for card in m.state.zones[seat]["hand"]:
        definition = m.printed[card]
        if definition.code in seen or definition.kind == "skill":
            continue
        seen.add(definition.code)
        for on in lines.bases(m, seat, card):
            if lines.refuse_live(m, seat, card, on) is None:
                yield Play(card, on)


def _attacks(m: Match, task: Main, seat: int) -> Iterator[AnyAction]:
    zones, cards = m.state.zones, m.state.cards
    for card in zones[seat]["a"]:
        if not cards[card].exhausted:
            yield Attack(card, 1 - seat)
            for target in zones[1 - seat]["a"]:
                yield Attack(card, target)


OFFERS = {"move": _moves, "live": _lives, "attack": _attacks}
HANDLERS: dict[type[Task], Handler] = {
    Fighters: fighters, LiveOnCall: live_on_call, TurnStart: turn_start, BeginPhase: begin_phase, Main: main,
    EndPhase: end_phase, End: end,
}
