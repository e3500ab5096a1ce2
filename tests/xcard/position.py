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

Every step goes through JSON: the same decision is made from the state read back, and must give the same records.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from engine import lasting
from engine.cards import SetFile, card_from, set_line
from engine.fold import begin as empty_table
from engine.fold import fold_all
from engine.machine import Illegal, Match
from engine.state import from_json, to_json
from engine.xcard import formation, round
from engine.xcard.card import DIRECTIONS, ELEMENTS, XCardCard, XCardDefinition
from engine.xcard.rules import XCard
from events import kinds as k
from events.actions import AnyAction, Choose, Concede, Move, Pass, Play, Use

ZONES = ("leader", "hand", "field", "table", "warriors", "items", "w_discard", "i_discard")
PLAIN = {"leader": "Chief", "warriors": "Plain", "items": "Blank"}
SET = SetFile("T", "1", "xcard", {"en": "Test cards"})
COURSE = {
    "form_attack": (1, False, False), "after_attack": (1, True, False), "form_defence": (2, True, False),
    "after_defence": (2, True, True), "battle": (3, True, True),
}
"""phase -> windows that have been, whether the attacker and the defender have formed up"""
decode_action = msgspec.json.Decoder(AnyAction).decode

Abilities = dict[str, Any] | list[dict[str, Any]]
Options = dict[str, int | str | bool]


def position(text: str, **abilities: Abilities) -> Table:
    """The table that the text describes, where its phase begins."""
    cards = Cards(abilities)
    lines = [line.strip() for line in text.strip().splitlines()]
    sides = [Side(cards, " ".join(line[1:] for line in lines if line[:2] == f"{seat} ")) for seat in (0, 1)]
    said = {"phase": "form_attack", "turn": "5", "active": "0", "seed": "1"}
    for line in lines:
        if line[:2] not in ("0 ", "1 "):
            pairs = line.replace(",", " ").split()
            said.update(zip(pairs[::2], pairs[1::2], strict=True))
    active, number, phase, seed = (said.pop(key) for key in ("active", "turn", "phase", "seed"))
    options: Options = {key: int(word) if word.isdigit() else word for key, word in said.items()}
    game = cards.game()
    match = Match(game, empty_table(game.declared))
    match.emit(header(game, sides, options, int(seed)))
    _lay(match, sides)
    return Table(match, _start(match, phase, int(number), int(active)))


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
    game = cards.game()
    return Table(game.begin(header(game, sides, options or {}, seed)))


class Laid:
    """One card of the text: its name, where it lies, and its counters."""

    def __init__(self, name: str, zone: str, how: str) -> None:
        self.name, self.zone, self.how = name, zone, how
        self.id = 0


class Cards:
    """The cards that a text names, defined at first mention."""

    def __init__(self, abilities: dict[str, Abilities], ban: dict[str, tuple[str, ...]] | None = None) -> None:
        self.abilities = {name: [a] if isinstance(a, dict) else a for name, a in abilities.items()}
        self.raw: dict[str, dict[str, Any]] = {}
        self.ban = ban
        self._game: XCard | None = None

    def name(self, words: list[str]) -> str:
        """The name that stands first; defines the card if it is new."""
        name = words[0]
        if name not in self.raw:
            self.raw[name] = self.define(name, words[1:])
        elif words[1:] and {**self.define(name, words[1:]), "code": self.code(name)} != self.raw[name]:
            raise ValueError(f"{name} is defined twice")
        return name

    def define(self, name: str, words: list[str]) -> dict[str, Any]:
        raw: dict[str, Any] = {"code": f"T-{len(self.raw) + 1:03}", "name": {"en": name}}
        raw["ability"] = self.abilities.get(name, [])
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
                raw["name"]["zh-Hant"] = rest
            else:
                raise ValueError(f"{name}: {word!r} says nothing about a card")
        item = name == "Blank" or (raw["ability"] and "element" not in raw)
        raw.setdefault("kind", "item" if item else "skill" if raw["ability"] else "character")
        if raw["kind"] != "item":
            raw = {"element": "human", "atk": 1000, **raw}
        if raw["kind"] == "character":
            raw = {"def": 1000, "hp": 2000, **raw}
        if name == "Blank":
            raw["ability"] = [NOTHING]
        return raw

    def code(self, name: str) -> str:
        code: str = self.raw[name]["code"]
        return code

    def game(self) -> XCard:
        if self._game is None:
            unused = set(self.abilities) - set(self.raw)
            if unused:
                raise ValueError(f"abilities of cards that the text does not name: {unused}")
            cards = [card_from(raw, XCardCard, name) for name, raw in self.raw.items()]
            line = set_line(SET, cards, {"ban": self.ban} if self.ban else None)
            self._game = XCard([line], [XCardDefinition(card) for card in cards])  # type: ignore[arg-type]
        return self._game


NOTHING = {"ability": "effect", "when": {"turn": "own", "not": {"turn": "own"}}, "then": [{"do": "draw"}]}
"""An effect that can never be used: of the plain items in a deck."""


class Side:
    """One seat's cards in the order of the text; decks with the top card last."""

    def __init__(self, cards: Cards, text: str, filled: bool = True) -> None:
        parts = re.split(rf"\b(hp|{'|'.join(ZONES)}):", text)
        if parts[0].strip():
            raise ValueError(f"{parts[0]!r} stands before any zone")
        listed = dict(zip(parts[1::2], parts[2::2], strict=True))
        self.hp = int(listed.pop("hp", "0"))
        self.leader: str | None = None
        self.zones = {zone: _cards(cards, zone, text) for zone, text in listed.items()}
        for zone, plain in PLAIN.items():
            if filled and zone not in self.zones:
                self.zones[zone] = _cards(cards, zone, plain if zone == "leader" else f"8 {plain}")
        for zone in ("warriors", "items"):
            self.zones.get(zone, []).reverse()

    def laid(self) -> list[Laid]:
        return [laid for zone in self.zones.values() for laid in zone]


def _cards(cards: Cards, zone: str, text: str) -> list[Laid]:
    found = []
    for entry in filter(None, (e.strip() for e in re.split(r",(?![^(]*\))", text))):
        how = "".join(re.findall(r"\((.*?)\)", entry))
        number, words = re.match(r"(\d*)(.*)", re.sub(r"\(.*?\)", "", entry)).groups()  # type: ignore[union-attr]
        found += [Laid(cards.name(words.split() if i == 0 else words.split()[:1]), zone, how)
                  for i in range(int(number or 1))]
    return found


def header(game: XCard, sides: list[Side], options: Options, seed: int) -> k.GameStarted:
    codes = {d.name: d.code for d in game.cards.values()}
    seats = []
    for seat, side in enumerate(sides):
        named = side.zones["leader"][0].name if "leader" in side.zones else side.leader
        deck = k.DeckList("", dict(Counter(codes[c.name] for c in side.laid())), codes[named] if named else None)
        seats.append(k.Seat(f"Player {seat}", "script", deck))
    return game.header((seats[0], seats[1]), options, seed)


def _lay(match: Match, sides: list[Side]) -> None:
    game = match.game
    codes = {d.name: d.code for d in game.cards.values()}
    first = k.FIRST_CARD
    for seat, side in enumerate(sides):
        for zone in ("leader", "warriors", "items"):
            match.make(seat, zone, first, tuple(codes[laid.name] for laid in side.zones[zone]))
            for laid in side.zones[zone]:
                laid.id, first = first, first + 1
        others = [laid for zone, laids in side.zones.items() if zone not in PLAIN for laid in laids]
        for laid in others:
            pile = "items" if game.cards[codes[laid.name]].kind == "item" else "warriors"
            match.make(seat, pile, first, (codes[laid.name],))
            match.move(first, seat, laid.zone, "set_up")
            laid.id, first = first, first + 1
    for seat, side in enumerate(sides):
        leader = side.zones["leader"][0]
        match.emit(k.CardFlipped(leader.id, True))
        match.set_counter(seat, "hp", side.hp or game.cards[codes[leader.name]].hp)  # type: ignore[attr-defined]
        for name in ("def", "draws"):
            lasting.touch(match, seat, name)


def _start(match: Match, phase: str, number: int, active: int) -> int:
    """Begins, runs to the first question, and gives the number of the first record that the position is not made of."""
    match.begin_turn(number - (phase == "before"), active)
    start = len(match.log)
    if phase == "before":
        match.push(round.Round(active))
    elif phase in COURSE:
        windows, attacker, defender = COURSE[phase]
        formed = tuple(seat for seat, has in ((active, attacker), (1 - active, defender)) if has)
        for seat in formed:
            formation.join(match, seat)
        match.push(round.Course(windows, formed))
    else:
        match.push(round.Clearing() if phase == "draw" else round.RoundEnd())
    match.run()
    return start


class Table:
    """A game in progress. Cards go by name; of several, `Ox#2` is the text's second (seat 0's come first).

    What `events`, `story` and `moves` tell begins when the position has been laid out.
    """

    def __init__(self, match: Match, start: int = 0) -> None:
        self.match = match
        self.start = start
        count: Counter[str] = Counter()
        self.ids: dict[str, int] = {}
        for card in sorted(match.state.cards):
            name = match.definition(card).name
            count[name] += 1
            self.ids[f"{name}#{count[name]}"] = card
        self._check()

    # --- playing ------------------------------------------------------------------------------------------

    def do(self, *steps: str) -> Table:
        """Decides for whoever is asked, one step after another.

        A step is `pass`, `concede`, `yes`, `no`, `send X`, `sortie`, `use X`, or `choose X` (a card, or a deck to draw
        from by its zone).
        """
        for step in steps:
            self._act(self._action(step))
        return self

    def until(self, *asks: str) -> Table:
        """Everybody passes until one of these is asked, or the game is over."""
        while self.asked is not None and self.asked.what not in asks:
            self.do("pass")
        return self

    def _act(self, action: AnyAction) -> None:
        match = self.match
        again = Match(match.game, from_json(to_json(match.state)))
        before = len(match.log)
        match.act(action)
        again.act(decode_action(msgspec.json.encode(action)))
        assert again.log == match.log[before:], "the game goes on differently from the state's JSON"
        assert to_json(again.state) == to_json(match.state)
        self._check()

    def _check(self) -> None:
        """What must hold at every stop, whatever the position."""
        match = self.match
        state = match.state
        assert to_json(fold_all(match.log, match.game.declared)) == to_json(state), "the log folds to another state"
        places = Counter(card for side in state.zones for zone in side.values() for card in zone)
        assert places == Counter(state.cards.keys()), "a card is in no zone, or in two"
        for number, card in state.cards.items():
            assert number in state.zones[card.seat][card.zone]
            if match.on_table(number):
                for name in ("atk", "element", *(f"{what}_{way}" for what in ("fist", "shield") for way in DIRECTIONS)):
                    assert match.value(number, name) == lasting.effective(match, number, name)
        for seat in (0, 1):
            for name in ("def", "draws", "no_draw", "more_characters", "more_skills"):
                if state.turn or name in state.counters[seat]:
                    assert match.value(seat, name) == lasting.effective(match, seat, name)
        legal = match.legal()
        assert bool(legal) == (state.result is None), "something is legal until the game is over"
        assert all(match.refuse(action) is None for action in legal), "something offered is refused"

    def refused(self, step: str) -> str:
        """The id of the rule that forbids the step; fails if it is allowed."""
        before = to_json(self.match.state)
        try:
            self.match.act(self._action(step))
        except Illegal as problem:
            assert to_json(self.match.state) == before
            return problem.rule
        raise AssertionError(f"{step!r} is allowed")

    def legal(self) -> list[str]:
        """Every step that is legal now, written as `do` takes it."""
        return [self._told(action) for action in self.match.legal()]

    # --- looking ------------------------------------------------------------------------------------------

    @property
    def asked(self) -> k.Asked | None:
        """What is asked now; None when the game is over."""
        return self.match.state.asked

    @property
    def asks(self) -> str:
        """Seat and question in short: "0 window"; "over" at the end."""
        return f"{self.asked.seat} {self.asked.what}" if self.asked else "over"

    @property
    def result(self) -> tuple[int | None, str] | None:
        """The winner (or None for a draw) and the reason, once the game is over."""
        result = self.match.state.result
        return None if result is None else (result.winner, result.reason)

    @property
    def hp(self) -> tuple[int, int]:
        """HP of both leaders."""
        return self.match.value(0, "hp"), self.match.value(1, "hp")

    def zone(self, seat: int, zone: str) -> list[str]:
        """The names in a zone (the top of a pile first)."""
        cards = self.match.state.zones[seat][zone]
        return [self.name(card) for card in (cards[::-1] if self.match.game.declared.zones[zone].pile else cards)]

    def value(self, what: str | int, name: str) -> int:
        """The current value of a card, or of a seat."""
        return self.match.value(what if isinstance(what, int) else self.find(what), name)

    def events(self, *kinds: type) -> list[Any]:
        """The records of these kinds (all, if none is given)."""
        return [e for e in self.match.log[self.start:] if not kinds or isinstance(e, kinds)]

    def story(self, *kinds: type) -> list[str]:
        """The same, told in a few words each."""
        return [self._tell(event) for event in self.events(*kinds)]

    def moves(self, *hows: str) -> list[str]:
        """What `story` tells of the cards moved in one of these ways."""
        return [self._tell(event) for event in self.events(k.CardMoved) if event.how in hows]

    def cause(self, event: k.Event) -> k.Event:
        """The record that brought this one about."""
        log = self.match.log
        number = next(i for i, e in enumerate(log) if e is event)
        while not log[number].back:
            number -= 1
        at = next(i for i, e in enumerate(log) if e is log[number])
        return log[at - log[number].back]

    def name(self, entity: int) -> str:
        """A card's name, with its number where it is not the first of that name."""
        if entity < k.FIRST_CARD:
            return f"seat {entity}"
        if entity >= k.FIRST_ITEM:
            queued = [e for e in self.match.log if isinstance(e, k.Queued) and e.item == entity]
            return self.name(queued[0].frame.card)
        return next(name for name, card in self.ids.items() if card == entity).removesuffix("#1")

    def find(self, name: str, seat: int | None = None, zones: Iterable[str] = ("field", "leader")) -> int:
        """The card of this name; of several the one at hand (of this seat, in these zones), then the first."""
        if "#" in name:
            return self.ids[name]
        cards = [card for known, card in self.ids.items() if known.split("#")[0] == name]
        if not cards:
            raise KeyError(f"there is no card {name}")
        lie = self.match.state.cards
        return min(cards, key=lambda c: (seat is not None and lie[c].seat != seat, lie[c].zone not in zones, c))

    # --- steps and records in words ----------------------------------------------------------------------

    def _action(self, step: str) -> AnyAction:
        assert self.asked is not None, "the game is over"
        seat = self.asked.seat
        match step.split():
            case ["pass"]:
                return Pass()
            case ["concede"]:
                return Concede()
            case ["yes" | "no" as word]:
                return Choose(int(word == "yes"))
            case ["send", name]:
                return Play(self.find(name, seat, ("hand",)))
            case ["sortie"]:
                return Move(next(c for c in self.ids.values() if self._is_leader(c, seat)))
            case ["use", name]:
                return Use(self.find(name, seat, ("hand",)))
            case ["choose", name]:
                return Choose(self._option(name))
        raise ValueError(f"{step!r} is no step")

    def _is_leader(self, card: int, seat: int) -> bool:
        lies = self.match.card(card)
        return lies.seat == seat and (lies.zone == "leader" or self.match.value(card, "band") > 0)

    def _zones(self) -> list[str]:
        return list(self.match.game.declared.zones)

    def _option(self, name: str) -> int:
        asked = self.asked
        assert asked is not None
        if asked.of == "zone":
            return self._zones().index(name)
        for option in asked.options:
            if name in (self.name(option), self.name(option).split("#")[0]):
                return option
        return self.find(name)

    def _told(self, action: AnyAction) -> str:
        match action:
            case Choose(option):
                assert self.asked is not None
                of = self.asked.of
                if of == "yes_no":
                    return "yes" if option else "no"
                return f"choose {self._zones()[option] if of == 'zone' else self.name(option)}"
            case Play(card):
                return f"send {self.name(card)}"
            case Use(card):
                return f"use {self.name(card)}"
            case Move():
                return "sortie"
        return type(action).__name__.lower()

    def _tell(self, event: k.Event) -> str:
        name = self.name
        match event:
            case k.CardMoved(card=card, how=how):
                return f"{name(card)} {how}"
            case k.Met(direction=way, source=source, target=target, outcome=outcome):
                return f"{way}: {name(source)} {outcome} {name(target)}"
            case k.Reckoned(source=source, step=step, value=value):
                return f"{name(source)} {step} {value}"
            case k.Struck(source=source, target=target, amount=amount):
                return f"{name(source)} strikes {name(target)} {amount}"
            case k.CounterSet(entity=entity, name=counter, value=value):
                return f"{name(entity)} {counter} {value}"
            case k.Queued(item=item, what=what):
                return f"{what} {name(item)}"
            case k.Unqueued(item=item, how=how):
                return f"{name(item)} {how}"
            case k.Resolved(effect=effect, card=card):
                return effect if card is None else f"{effect} {name(card)}"
            case k.LastingBegan(on=on, name=counter, add=add, be=be):
                return f"{name(on)} {counter} {f'{add:+}' if be is None else be}"
            case k.PhaseBegan(phase=phase):
                return phase
            case k.TurnBegan(turn=number, seat=seat):
                return f"round {number} of {seat}"
            case k.Asked(seat=seat, what=what):
                return f"{seat} {what}"
        return type(event).__name__
