"""The table, a card and a choice as text, for the terminal. Reads declared zones and counters; knows no game.

What it shows is what the state given to it holds: for one seat's eyes, give it that seat's view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.state import Card, State
from engine.words import words
from events.actions import AnyAction, Attack, Choose, Concede, Move, Pass, Play, Use
from events.kinds import FIRST_CARD, FIRST_ITEM, HIDDEN, CardSet, Counter, RulebookLine, Zone

LISTED = 12
"""Cards of a pile that are named; of more, the top ones."""


def plain(text: str) -> str:
    """Text of strangers as it may stand in a terminal: one line, with nothing in it that steers the terminal.

    Tabs and line breaks become spaces; what has no shape of its own (escapes, marks that turn the direction of writing
    round) becomes U+FFFD.
    """
    return "".join(" " if letter.isspace() else letter if letter.isprintable() else "\ufffd" for letter in text)


class Names:
    """What cards and declared words are called, from what a log carries."""

    def __init__(self, rulebook: RulebookLine, card_sets: Iterable[CardSet], language: str = "en") -> None:
        self.rulebook = rulebook
        self.language = language
        self._words = words(language, rulebook.key, rulebook)
        self.cards: dict[str, Mapping[str, Any]] = {code: raw for s in card_sets for code, raw in s.cards.items()}

    def word(self, sort: str, word: str) -> str:
        """A declared word of a sort (zone, counter, phase …) as people say it."""
        return self._words.get(f"{sort}.{word}")

    def code(self, code: str | None) -> str:
        """A card's name by its code."""
        names = self.cards.get(code or "", {}).get("name")
        if not isinstance(names, dict):
            return code or "an unknown card"
        return str(names.get(self.language) or names.get("en") or code or "an unknown card")

    def entity(self, state: State, entity: int) -> str:
        """A seat, a card or a stack item by name."""
        if entity == HIDDEN:
            return "a hidden card"
        if entity < FIRST_CARD:
            return f"player {entity + 1}"
        if entity >= FIRST_ITEM:
            frame = next((q.frame for q in state.stack if q.item == entity), None)
            return self.code(frame.code) if frame is not None else f"item {entity}"
        card = state.cards.get(entity)
        return self.code(card.code) if card is not None else f"card {entity}"


def table(state: State, names: Names, players: Sequence[str]) -> str:
    """The whole table: turn and phase, the pile, then each seat with its zones, the other one first."""
    turn = names.word("term", names.rulebook.turn)
    lines = [f"{turn} {state.turn} · {players[state.active]} · {names.word('phase', state.phase)}"]
    for seat in (1, 0):
        lines.append(f"── {players[seat]} {_seat_counters(state, names, seat)}".rstrip())
        lines += [_zone(state, names, seat, zone) for zone in names.rulebook.zones if not (zone.shared and seat)]
    if state.stack:
        piled = ", ".join(names.code(q.frame.code) for q in reversed(state.stack))
        lines.append(f"On the pile, next to be settled first: {piled}")
    attacker, target = state.attack
    if attacker is not None and target is not None:
        lines.append(f"Attack: {names.entity(state, attacker)} → {names.entity(state, target)}")
    if state.result is not None:
        winner = state.result.winner
        said = "A draw" if winner is None else f"{players[winner]} wins"
        lines.append(f"{said}: {names.word('reason', state.result.reason)}")
    return "\n".join(line for line in lines if line)


def _seat_counters(state: State, names: Names, seat: int) -> str:
    quiet = {c.name for c in names.rulebook.counters if c.quiet}
    shown = [(name, value) for name, value in state.counters[seat].items() if name not in quiet]
    return f"({', '.join(names.word('counter', name) + f' {value}' for name, value in shown)})" if shown else ""


def _zone(state: State, names: Names, seat: int, zone: Zone) -> str:
    cards = state.zones[seat][zone.name]
    label = f"  {names.word('zone', zone.name):<14}"
    if not cards:
        return f"{label} –" if zone.table or zone.life else ""
    known = [c for c in cards if c != HIDDEN]
    if zone.visible_to == "none" or not known:
        return f"{label} {len(cards)} card{'s' if len(cards) > 1 else ''}"
    shown = known[-LISTED:] if zone.ordered else known
    texts = [card(state.cards[c], names) for c in (reversed(shown) if zone.ordered else shown)]
    more = f" … {len(cards)} in all" if len(shown) < len(cards) else ""
    return f"{label} {' · '.join(texts)}{more}"


def card(card: Card, names: Names) -> str:
    """A card with its values, and what is unusual about how it lies."""
    raw = names.cards.get(card.code or "", {})
    values = [
        _value(c, card, raw, names) for c in names.rulebook.counters if c.of == "card" and not c.quiet
    ]
    marks = [v for v in values if v]
    if card.exhausted:
        marks.append(names.word("term", "down"))
    if not card.face_up:
        marks.append(names.word("term", "face_down"))
    return names.code(card.code) + (f" [{', '.join(marks)}]" if marks else "")


def _value(counter: Counter, card: Card, raw: Mapping[str, Any], names: Names) -> str:
    printed = raw.get(counter.name)
    value = card.counters.get(counter.name, printed)
    if not isinstance(value, int) or isinstance(value, bool) or (not value and printed is None):
        return ""
    said = names.word(counter.name, counter.words[value]) if 0 <= value < len(counter.words) else value
    changed = f" (printed {printed})" if isinstance(printed, int) and printed != value else ""
    return f"{names.word('counter', counter.name)} {said}{changed}"


def choice(state: State, names: Names, action: AnyAction) -> str:
    """A legal action in words, as an answer to what is asked."""
    match action:
        case Pass():
            return "Pass"
        case Concede():
            return "Concede"
        case Move(card):
            return f"Move {names.entity(state, card)}"
        case Play(card, on):
            onto = "" if on is None else f" onto {names.entity(state, on)}"
            return f"Play {names.entity(state, card)}{onto}"
        case Attack(card, target):
            return f"Attack {names.entity(state, target)} with {names.entity(state, card)}"
        case Use(card, ability):
            number = f", ability {ability + 1}" if ability else ""
            return f"Use {names.entity(state, card)}{number}"
        case Choose(option):
            return _answer(state, names, option)


def _answer(state: State, names: Names, option: int) -> str:
    asked = state.asked
    assert asked is not None
    if asked.option_type == "yes_no":
        return "Yes" if option else "No"
    if asked.option_type == "number" and asked.about and option < len(asked.about):
        return names.entity(state, asked.about[option])
    if asked.option_type in ("card", "item", "seat"):
        return names.entity(state, option)
    if asked.option_type in ("way", "zone"):
        if asked.option_type == "way":
            return names.word("direction", names.rulebook.directions[option])
        return names.word("zone", names.rulebook.zones[option].name)
    return str(option)


def question(state: State, names: Names) -> str:
    """What is asked, in words."""
    asked = state.asked
    assert asked is not None
    about = ", ".join(names.entity(state, e) for e in asked.about)
    return names.word("question", asked.question) + (f" ({about})" if about and asked.option_type != "number" else "")
