"""What a seat may choose, in words, for the terminal and the browser alike; and why a card cannot be played.

All is said from the table as that seat sees it, in the numbers that cards have there.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, structs

from engine.cards.rules_text import cost_text
from engine.core.match import Match
from engine.core.tasks import Illegal
from engine.state import State
from engine.view import View
from events.actions import AnyAction, Choose, Play, Use
from events.kinds import FIRST_ITEM, HIDDEN
from replays.play import terminal
from replays.play.terminal import Names

_ENTITIES = ("card", "on", "target")
"""Fields of free decisions that name a card, a stack item or a seat."""


class Choice(Struct, frozen=True):
    """An answer to the question, or cards of the hand for which there is none."""

    action: AnyAction | None
    """in the numbers of the match; None: not possible"""
    entities: tuple[int, ...]
    """what it is about, in the seat's numbers: the card that does it first, then what it is done to"""
    text: str
    price: str = ""
    """what stands on the card that would leave the hand"""
    cost: str = ""
    """what the use of an ability costs"""
    why: Illegal | None = None
    """the rule that forbids it"""


def choices_of(match: Match, view: View, state: State, names: Names) -> list[Choice]:
    """All legal answers to the question of the match, in its order (conceding apart), for the seat that is asked.

    `view` is what that seat has seen up to the question, `state` the table that this leads to.
    """
    return [_choice(match, action, _as_seen(action, view, state), state, names) for action in match.legal()]


def _as_seen(action: AnyAction, view: View, state: State) -> AnyAction:
    """The action with the seat's numbers for those of the match. Raises LookupError where it is no answer."""
    if isinstance(action, Choose):
        asked, own = view.state.asked, state.asked
        if asked is None or own is None or action.option not in asked.options:
            raise LookupError(f"{action} is no answer to what is asked")
        return Choose(own.options[asked.options.index(action.option)])
    named = {field: n for field in _ENTITIES if isinstance(n := getattr(action, field, None), int)}
    return structs.replace(action, **{field: view.number(n) for field, n in named.items()})


def _choice(match: Match, action: AnyAction, seen: AnyAction, state: State, names: Names) -> Choice:
    entities = tuple(_entities(seen, state))
    text, price = terminal.choice(state, names, seen), terminal.price(state, names, seen)
    return Choice(action, entities, text, price, _cost(match, action, names))


def _entities(seen: AnyAction, state: State) -> Iterator[int]:
    """The cards, items and seats that an action is about, but for those that the seat does not know."""
    named = [getattr(seen, field, None) for field in _ENTITIES]
    asked = state.asked
    if isinstance(seen, Choose) and asked is not None:
        if asked.option_type in ("card", "item", "seat"):
            named = [seen.option]
        elif asked.option_type == "number" and seen.option < len(asked.about):
            named = [asked.about[seen.option]]
    yield from (n for n in named if n is not None and n != HIDDEN)


def _cost(match: Match, action: AnyAction, names: Names) -> str:
    if not isinstance(action, Use):
        return ""
    printed = match.definition(action.card).printed
    cost = cost_text(printed, action.ability, names.language, match.game.rulebook)
    return names.word("choice", "cost", cost=cost) if cost else ""


def refused_cards(match: Match, view: View, state: State, names: Names) -> list[Choice]:
    """The cards of the asked seat's hand that cannot be played now, by the rule that forbids it; of equal ones the
    first.
    """
    asked, cards = match.state.asked, match.state.cards
    if asked is None or asked.options:
        return []  # no free decision
    known = {cards[action.card].code for action in match.legal() if isinstance(action, Play | Use)}
    hands = [z.name for z in match.game.rulebook.zones if z.visible_to == "owner" and not z.ordered and not z.table]
    found: dict[str, tuple[Illegal, list[int]]] = {}
    for card in (card for hand in hands for card in match.state.zones[asked.seat][hand]):
        if cards[card].code in known:
            continue
        known.add(cards[card].code)
        effect = match.definition(card).effect
        problem = match.refuse(Play(card) if effect is None else Use(card, effect))
        if problem is not None:
            found.setdefault(str(problem), (problem, []))[1].append(view.number(card))
    return [
        Choice(None, tuple(held), ", ".join(names.entity(state, n) for n in held), why=why)
        for why, held in found.values()
    ]


def cards_of(choice: Choice) -> list[int]:
    """The cards among what a choice is about."""
    return [entity for entity in choice.entities if 1 < entity < FIRST_ITEM]
