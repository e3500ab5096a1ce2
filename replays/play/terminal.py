"""The table, a card and a choice as text, for the terminal. Reads declared zones and counters; names no game.

What it shows is what the state given to it holds: for one seat's eyes, give it that seat's view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from engine.state import Card, State
from engine.words import words
from events.actions import AnyAction, Attack, Choose, Concede, Move, Pass, Play, Use
from events.kinds import FIRST_CARD, FIRST_ITEM, HIDDEN, CardSet, Counter, RulebookLine, Zone
from replays.view.board import board_of

_LISTED = 12
"""Cards of a pile that are named; of more, the top ones."""


def plain(text: str) -> str:
    """Text of strangers as it may stand in a terminal: one line, with nothing in it that steers the terminal.

    Tabs and line breaks become spaces; what has no shape of its own (escapes, marks that turn the direction of writing
    round) becomes U+FFFD.
    """
    return "".join(" " if letter.isspace() else letter if letter.isprintable() else "\ufffd" for letter in text)


class Names:
    """What players, cards and declared words are called, from what a log carries."""

    def __init__(
        self, rulebook: RulebookLine, card_sets: Iterable[CardSet], language: str = "en", players: Sequence[str] = ()
    ) -> None:
        self.rulebook = rulebook
        self.language = language
        self._words = words(language, rulebook.key, rulebook)
        self.players = tuple(players) or (self.word("seat", "0"), self.word("seat", "1"))
        self.cards: dict[str, Mapping[str, Any]] = {code: raw for s in card_sets for code, raw in s.cards.items()}

    def word(self, sort: str, word: str, **args: str | int) -> str:
        """A declared word of a sort (zone, counter, phase …) as people say it, or a sentence filled in."""
        return self._words.get(f"{sort}.{word}", **args)

    def code(self, code: str | None) -> str:
        """A card's name by its code."""
        names = self.cards.get(code or "", {}).get("name")
        if not isinstance(names, dict):
            return code or self.word("join", "unknown_card")
        return str(names.get(self.language) or names.get("en") or code or self.word("join", "unknown_card"))

    def entity(self, state: State, entity: int) -> str:
        """A seat, a card or a stack item by name."""
        if entity == HIDDEN:
            return self.word("join", "hidden_card")
        if entity < FIRST_CARD:
            return self.players[entity]
        if entity >= FIRST_ITEM:
            frame = next((q.frame for q in state.stack if q.item == entity), None)
            return self.code(frame.code) if frame is not None else f"item {entity}"
        card = state.cards.get(entity)
        return self._told_apart(state, entity, card) if card is not None else f"card {entity}"

    def _told_apart(self, state: State, number: int, card: Card) -> str:
        """A card's name; on the table, where others have the same one there, whose it is and where it lies."""
        name = self.code(card.code)
        tables = [zone.name for zone in self.rulebook.zones if zone.table]
        if card.zone not in tables:
            return name
        lying = (n for side in state.zones for zone in tables for n in side[zone] if n != HIDDEN)
        others = {state.cards[n].seat for n in lying if n != number and self.code(state.cards[n].code) == name}
        whose = self.word("join", "card_of", player=self.players[card.seat], card=name)
        told = whose if 1 - card.seat in others else name
        if card.seat not in others:
            return told
        place = state.zones[card.seat][card.zone].index(number) + 1
        return f"{told} ({self.word('zone', card.zone)} {place})"

    @cached_property
    def symbols(self) -> tuple[str, str]:
        """The field that holds a card's symbols, and the sort of word that they are; empty where cards have none."""
        board = board_of(self.rulebook)
        field = board.card.symbols
        return field, next((tally.words for tally in board.tallies if tally.field == field), "")


class TableSection(NamedTuple):
    """A part of the table: its heading, and its lines, label and text, by what they are about."""

    heading: str
    lines: dict[str, tuple[str, str]]


def table_sections(state: State, names: Names) -> list[TableSection]:
    """The whole table: turn and phase, each seat with its zones, the other one first, and what is under way."""
    turn = names.word("term", names.rulebook.turn)
    course = f"{turn} {state.turn} · {names.players[state.active]} · {names.word('phase', state.phase)}"
    sides = [_side(state, names, seat) for seat in (1, 0)]
    return [TableSection(course, {}), *sides, TableSection("", _under_way(state, names))]


def _side(state: State, names: Names, seat: int) -> TableSection:
    zones = [zone for zone in names.rulebook.zones if not (zone.shared and seat)]
    lines = {zone.name: (names.word("zone", zone.name), _zone(state, names, seat, zone)) for zone in zones}
    return TableSection(f"── {names.players[seat]} {_seat_counters(state, names, seat)}".rstrip(), lines)


def _under_way(state: State, names: Names) -> dict[str, tuple[str, str]]:
    """What waits, what attacks, and the result."""
    piled = ", ".join(names.code(q.frame.code) for q in reversed(state.stack))
    found = {"stack": (names.word("terminal", "next_up"), piled)}
    attacker, target = state.attack
    if attacker is not None and target is not None:
        fight = f"{names.entity(state, attacker)} → {names.entity(state, target)}"
        found["attack"] = (names.word("terminal", "attack"), fight)
    if state.result is not None:
        winner = state.result.winner
        wins = names.word("terminal", "draw" if winner is None else "wins", player=names.players[winner or 0])
        found["result"] = (wins, names.word("reason", state.result.reason))
    return found


def table_text(sections: Iterable[TableSection]) -> str:
    """The table, or a part of it, line by line."""
    lines = []
    for heading, told in sections:
        lines += [heading] if heading else []
        shown = [(label, text) for label, text in told.values() if text]
        lines += [f"  {label:<14} {text}" if heading else f"{label}: {text}" for label, text in shown]
    return "\n".join(map(plain, lines))


def changes(before: Sequence[TableSection], after: Sequence[TableSection]) -> list[TableSection]:
    """What of the table is not as it was, below its headings; what has gone is a dash."""
    found = []
    for was, now in zip(before, after, strict=True):
        told = {about: line for about, line in now.lines.items() if line != was.lines.get(about, (line[0], ""))}
        changed = {about: (label, text or "–") for about, (label, text) in told.items()}
        if changed or now.heading != was.heading:
            found.append(TableSection(now.heading, changed))
    return found


def _seat_counters(state: State, names: Names, seat: int) -> str:
    quiet = {c.name for c in names.rulebook.counters if c.quiet}
    shown = [(name, value) for name, value in state.counters[seat].items() if name not in quiet]
    return f"({', '.join(names.word('counter', name) + f' {value}' for name, value in shown)})" if shown else ""


def _zone(state: State, names: Names, seat: int, zone: Zone) -> str:
    """The cards of a zone, or how many; a dash or nothing where there are none."""
    cards = state.zones[seat][zone.name]
    if not cards:
        return "–" if zone.table or zone.life else ""
    known = [c for c in cards if c != HIDDEN]
    if zone.visible_to == "none" or not known:
        return names.word("terminal", "cards", n=len(cards))
    shown = known[-_LISTED:] if zone.ordered else known
    texts = [card(state.cards[c], names) for c in (reversed(shown) if zone.ordered else shown)]
    more = f" … {names.word('terminal', 'in_all', n=len(cards))}" if len(shown) < len(cards) else ""
    return f"{' · '.join(texts)}{more}"


def card(card: Card, names: Names) -> str:
    """A card with its values, and what is unusual about how it lies."""
    raw = names.cards.get(card.code or "", {})
    marks = _values(card, raw, names)
    if card.exhausted:
        marks.append(names.word("term", "down"))
    if not card.face_up:
        marks.append(names.word("term", "face_down"))
    return names.code(card.code) + (f" [{', '.join(marks)}]" if marks else "")


def _values(card: Card, raw: Mapping[str, Any], names: Names) -> list[str]:
    told = (_value(c, card, raw, names) for c in names.rulebook.counters if c.of == "card" and not c.quiet)
    return [value for value in told if value]


def _value(counter: Counter, card: Card, raw: Mapping[str, Any], names: Names) -> str:
    printed = raw.get(counter.name)
    value = card.counters.get(counter.name, printed)
    if not isinstance(value, int) or isinstance(value, bool) or (not value and printed is None):
        return ""
    said = names.word(counter.name, counter.words[value]) if 0 <= value < len(counter.words) else value
    changed = ""
    if isinstance(printed, int) and printed != value:
        changed = f" ({names.word('terminal', 'printed', n=printed)})"
    return f"{names.word('counter', counter.name)} {said}{changed}"


def choice(state: State, names: Names, action: AnyAction) -> str:
    """A legal action in words, as an answer to what is asked; without what it costs (see `price`)."""
    match action:
        case Pass():
            asked = state.asked  # a free decision of a phase is asked under the phase's name
            if asked is None or asked.question != state.phase:
                return names.word("term", "pass")
            return names.word("choice", "end", phase=names.word("phase", state.phase))
        case Concede():
            return names.word("term", "concede")
        case Move(card):
            return names.word("choice", "move", card=names.entity(state, card))
        case Play(card, None):
            return names.word("choice", "play", card=names.entity(state, card))
        case Play(card, on):
            return names.word("choice", "play_on", card=names.entity(state, card), on=names.entity(state, on or 0))
        case Attack(card, target):
            return names.word("choice", "attack", card=names.entity(state, card), target=names.entity(state, target))
        case Use(card, ability):
            form = "use_nth" if ability else "use"
            return names.word("choice", form, card=names.entity(state, card), n=ability + 1)
        case Choose(option):
            return _answer(state, names, option)


def price(state: State, names: Names, action: AnyAction) -> str:
    """What stands on the card that would leave the hand: its values and symbols, which say what it costs."""
    held = state.cards[action.card] if isinstance(action, Play | Use) else None
    if held is None or any(zone.table and zone.name == held.zone for zone in names.rulebook.zones):
        return ""
    field, sort = names.symbols
    raw = names.cards.get(held.code or "", {})
    symbols = raw.get(field)
    told = [*_values(held, raw, names), *_symbols(symbols, sort, names)]
    return f"[{', '.join(told)}]" if told else ""


def _symbols(symbols: Any, sort: str, names: Names) -> list[str]:
    """Symbols by their words, "Black ×2"; those of any sort as a number in a circle, as cards print them."""
    if not isinstance(symbols, dict):
        return []
    told = []
    for name, n in symbols.items():
        if isinstance(n, int) and 0 < n < 21:
            told.append(chr(0x245F + n) if name == "any" else f"{names.word(sort, name)} ×{n}")
    return told


def _answer(state: State, names: Names, option: int) -> str:
    asked = state.asked
    assert asked is not None
    if asked.option_type == "yes_no":
        return names.word("term", "yes" if option else "no")
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
