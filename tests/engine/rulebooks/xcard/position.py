"""An X-Card position in a few lines of text, and a table to play on from there. For tests.

    table = position('''
        0  leader: Sun holy 1200/1100/2500   hand: Ox human 1400 F:ru, Whip skill beast 600 F:l own:Ox, Horn
        1  leader: Moon demon   field: Wall beast 900 S:lr   hp: 900   warriors: Cat, 3 Plain
        phase form_attack
    ''', Horn=item(do("add", what=field("own"), name="atk", n=300)))
    table.do("send Ox", "pass")

A line beginning with 0 or 1 lays out that seat's zones: leader, hand, field, table, warriors and items (decks, the top
card first), w_discard, i_discard; `hp:` gives the leader's HP where it is not the printed one. Cards stand between
commas: how many (1 if not said), the name (one word), what is printed, and in brackets counters (`atk 100`). The first
mention of a name defines the card, later ones only name it. Printed are, in any order: an element, ATK or ATK/DEF/HP,
fists and shields by the first letters of their directions (F:udlr S:r), `cooperate` or `link`, `skill` or `item`,
`own:Ox`, in another language `zh:名`. A card with an ability is an item, unless it has an element: then it is a skill.
Left out are human, 1000/1000/2000. A deck that is not given has eight plain cards; a hand that is not given has none.

Other lines are pairs: phase, turn (5), active (0), seed, or any option of the game. The phase is the next thing to
come: before (the whole round), form_attack, after_attack, form_defence, after_defence, battle, draw, end.
A question with one answer is not asked.

A step is, besides those of every table: `send X`, `sortie`.
"""

from __future__ import annotations

import re
from typing import Any

from engine.core import values
from engine.core.match import Match
from engine.rulebooks.xcard import formation, tasks
from engine.rulebooks.xcard.card import DIRECTIONS, ELEMENTS, XCardCard, XCardDefinition
from engine.rulebooks.xcard.rules import XCard
from events import kinds as k
from events.actions import AnyAction, Move
from tests import table
from tests.table import Abilities, Laid, Options, entries, options_of, places, read

ZONES = ("leader", "hand", "field", "table", "warriors", "items", "w_discard", "i_discard")
PLAIN = {"leader": "Chief", "warriors": "Plain", "items": "Blank"}
COURSE = {
    "form_attack": (1, False, False), "after_attack": (1, True, False), "form_defence": (2, True, False),
    "after_defence": (2, True, True), "battle": (3, True, True),
}
"""phase -> windows that have been, whether the attacker and the defender have formed up"""
NOTHING = {"ability": "effect", "when": {"turn": "own", "not": {"turn": "own"}}, "then": [{"do": "draw"}]}
"""An effect that can never be used: of the plain items in a deck."""


def position(text: str, **abilities: Abilities) -> Table:
    """The table that the text describes, where its phase begins."""
    cards = Cards(abilities)
    texts, said = read(text, phase="form_attack", turn="5", active="0", seed="1")
    sides = [Side(cards, side) for side in texts]
    number, active, seed = (int(said.pop(key)) for key in ("turn", "active", "seed"))
    phase = said.pop("phase")
    match = cards.match(_header(cards, sides, options_of(said), seed))
    _lay(match, cards, sides)
    return Table(match, _start(match, phase, number, active))


def new_game(
    deck_0: str, deck_1: str, seed: int = 1, options: Options | None = None,
    ban: dict[str, tuple[str, ...]] | None = None, **abilities: Abilities,
) -> Table:
    """A game from its beginning; each deck is given as cards between commas, with the leader as `leader: X` or not."""
    cards = Cards(abilities, ban)
    sides = []
    for deck in (deck_0, deck_1):
        leader, rest = re.fullmatch(r"(?:leader: (\S+)\s+)?(.*)", deck.strip(), re.DOTALL).groups()  # type: ignore[union-attr]
        sides.append(Side(cards, f"warriors: {rest}", filled=False))
        sides[-1].leader = leader
    header = _header(cards, sides, options or {}, seed)
    return Table(cards.game().begin(header))


class Cards(table.Cards):
    """X-Card cards, and what the set bans."""

    kind, card, definition = XCard, XCardCard, XCardDefinition

    def __init__(self, abilities: dict[str, Abilities], ban: dict[str, tuple[str, ...]] | None = None) -> None:
        super().__init__(abilities)
        self.tables = {"ban": ban} if ban else None

    def define(self, name: str, words: list[str]) -> dict[str, Any]:
        raw: dict[str, Any] = {}
        abilities = self.abilities.get(name, [])
        for word in words:
            key, _, rest = word.partition(":")
            if word in ELEMENTS:
                raw["element"] = word
            elif word in ("cooperate", "link"):
                raw["mark"] = word
            elif word in ("skill", "item", "character"):
                raw["kind"] = word
            elif re.fullmatch(r"\d+(/\d+/\d+)?", word):
                raw.update(zip(("atk", "def", "hp"), map(int, word.split("/")), strict=False))
            elif key in ("F", "S"):
                ways = [way for letter in rest for way in DIRECTIONS if way[0] == letter]
                raw["fists" if key == "F" else "shields"] = ways
            elif key == "own":
                raw["own"] = rest
            elif key == "zh":
                raw["name"] = {"en": name, "zh-Hant": rest}
            else:
                raise ValueError(f"{name}: {word!r} says nothing about a card")
        item = name == "Blank" or (abilities and "element" not in raw)
        raw.setdefault("kind", "item" if item else "skill" if abilities else "character")
        if raw["kind"] != "item":
            raw = {"element": "human", "atk": 1000, **raw}
        if raw["kind"] == "character":
            raw = {"def": 1000, "hp": 2000, **raw}
        if name == "Blank":
            raw["ability"] = [NOTHING]
        return raw


class Side:
    """One seat's cards in the order of the text; decks with the top card last."""

    def __init__(self, cards: Cards, text: str, filled: bool = True) -> None:
        listed = places(text, ("hp", *ZONES))
        self.hp = int(listed.pop("hp", "0"))
        self.zones = {zone: _cards(cards, zone, text) for zone, text in listed.items()}
        for zone, plain in PLAIN.items():
            if filled and zone not in self.zones:
                self.zones[zone] = _cards(cards, zone, plain if zone == "leader" else f"8 {plain}")
        for zone in ("warriors", "items"):
            self.zones.get(zone, []).reverse()
        self.leader = self.zones["leader"][0].name if "leader" in self.zones else None

    def names(self) -> list[str]:
        return [laid.name for zone in self.zones.values() for laid in zone]


def _cards(cards: Cards, zone: str, text: str) -> list[Laid]:
    return [Laid(cards.name(words.split()), zone, how) for number, words, how in entries(text) for _ in range(number)]


def _header(cards: Cards, sides: list[Side], options: Options, seed: int) -> k.GameStarted:
    return cards.header([side.names() for side in sides], options, seed, tuple(side.leader for side in sides))


def _lay(match: Match, cards: Cards, sides: list[Side]) -> None:
    game, code = match.game, cards.code
    first = k.FIRST_CARD
    for seat, side in enumerate(sides):
        for zone in ("leader", "warriors", "items"):
            match.make(seat, zone, first, tuple(code(laid.name) for laid in side.zones[zone]))
            for laid in side.zones[zone]:
                laid.id, first = first, first + 1
        others = [laid for zone, laids in side.zones.items() if zone not in PLAIN for laid in laids]
        for laid in others:
            pile = "items" if game.cards[code(laid.name)].kind == "item" else "warriors"
            match.make(seat, pile, first, (code(laid.name),))
            match.move(first, seat, laid.zone, "set_up")
            laid.id, first = first, first + 1
    for seat, side in enumerate(sides):
        leader = side.zones["leader"][0]
        match.emit(k.CardFlipped(leader.id, True))
        match.set_counter(seat, "hp", side.hp or game.cards[code(leader.name)].hp)  # type: ignore[attr-defined]
        for name in ("def", "draws"):
            values.touch(match, seat, name)


def _start(match: Match, phase: str, number: int, active: int) -> int:
    """Begins, runs to the first question, and gives the number of the first record that the position is not made of."""
    match.begin_turn(number - (phase == "before"), active)
    start = len(match.log)
    if phase == "before":
        match.push(tasks.Round(active))
    elif phase in COURSE:
        windows, attacker, defender = COURSE[phase]
        formed = tuple(seat for seat, has in ((active, attacker), (1 - active, defender)) if has)
        for seat in formed:
            formation.join_formation(match, seat)
        match.push(tasks.Course(windows, formed))
    else:
        match.push(tasks.Clearing() if phase == "draw" else tasks.RoundEnd())
    match.run()
    return start


class Table(table.Table):
    """A game of X-Card in progress. The story begins when the position has been laid out."""

    card_values = ("atk", "element", *(f"{what}_{way}" for what in ("fist", "shield") for way in DIRECTIONS))
    seat_values = ("def", "draws", "no_draw", "more_characters", "more_skills")
    near = ("field", "leader")
    used = ("hand",)
    plays = "send"

    @property
    def hp(self) -> tuple[int, int]:
        """HP of both leaders."""
        return self.match.value(0, "hp"), self.match.value(1, "hp")

    def cause(self, event: k.Event) -> k.Event:
        """The record that brought this one about."""
        log = self.match.log
        number = next(i for i, e in enumerate(log) if e is event)
        while not log[number].back:
            number -= 1
        at = next(i for i, e in enumerate(log) if e is log[number])
        return log[at - log[number].back]

    def action(self, step: str) -> AnyAction:
        if step != "sortie" or self.asked is None:
            return super().action(step)
        seat = self.asked.seat
        return Move(next(c for c in self.ids.values() if self._is_leader(c, seat)))

    def told(self, action: AnyAction) -> str:
        return "sortie" if isinstance(action, Move) else super().told(action)

    def _is_leader(self, card: int, seat: int) -> bool:
        lies = self.match.card(card)
        return lies.seat == seat and (lies.zone == "leader" or self.match.value(card, "band") > 0)
