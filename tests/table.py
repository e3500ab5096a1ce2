"""What the positions of all games share: how their text is read, and a table to play on from there. For tests.

What only one game prints, asks or counts stands in its `position.py`; there is no rule here.

A text has lines beginning with 0 or 1, which lay out that seat's zones (`hand: Ox 1000, 3 Plain (down)`): cards stand
between commas: how many (1 if not said), the name (one word), what is printed, and in brackets how it lies. The first
mention of a name defines the card; later ones only name it, or say the same. Other lines are pairs (`phase attack`).

Every step goes through JSON and through a fork: the same decision is made from the state read back, and from the
match made a second time, and both must give the same records. At every stop the log must fold to the live state.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar, Self

import msgspec

from engine.cards.definition import Definition, Printed
from engine.cards.files import SetFile, card_from, set_line
from engine.core import values
from engine.core.match import Match
from engine.core.tasks import Illegal
from engine.fold import empty_state, fold_all
from engine.rulebooks.rulebook import Rulebook
from events import kinds as k
from events.actions import AnyAction, Attack, Choose, Concede, Move, Pass, Play, Use
from tests.state_json import from_json, to_json

Abilities = dict[str, Any] | list[dict[str, Any]]
Options = dict[str, int | str | bool]
decode_action = msgspec.json.Decoder(AnyAction).decode


# --- reading a text -------------------------------------------------------------------------------------------


def read(text: str, **said: str) -> tuple[list[str], dict[str, str]]:
    """What the text says of each seat, and the pairs of its other lines besides those given here."""
    lines = [line.strip() for line in text.strip().splitlines()]
    sides = [" ".join(line[1:] for line in lines if line[:2] == f"{seat} ") for seat in (0, 1)]
    for line in lines:
        if line[:2] not in ("0 ", "1 "):
            pairs = line.replace(",", " ").split()
            said.update(zip(pairs[::2], pairs[1::2], strict=True))
    return sides, said


def options_of(said: dict[str, str]) -> Options:
    """Pairs that are options of a game: numbers are numbers."""
    return {key: int(word) if word.isdigit() else word for key, word in said.items()}


def places(text: str, names: tuple[str, ...]) -> dict[str, str]:
    """What one seat's text says of each place that it names."""
    parts = re.split(rf"\b({'|'.join(names)}):", text)
    if parts[0].strip():
        raise ValueError(f"{parts[0]!r} stands before any place")
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def entries(text: str) -> Iterator[tuple[int, str, str]]:
    """Each entry between commas: how many, its words, and what stands in brackets."""
    for entry in filter(None, (e.strip() for e in re.split(r",(?![^(]*\))", text))):
        how = "".join(re.findall(r"\((.*?)\)", entry))
        number, words = re.match(r"(\d*)(.*)", re.sub(r"\(.*?\)", "", entry)).groups()  # type: ignore[union-attr]
        yield int(number or 1), words.strip() or "Plain", how


class Laid:
    """One card of a text: its name, where it lies and how, and the card it is tied to."""

    def __init__(self, name: str, zone: str, how: str = "", on: Laid | None = None, tie: str = "") -> None:
        self.name, self.zone, self.move_kind, self.on, self.tie = name, zone, how, on, tie
        self.id = 0

    def counters(self) -> Iterator[list[str]]:
        """The words of each thing that is said of how it lies."""
        return filter(None, (words.split() for words in self.move_kind.split(",")))


class Cards:
    """The cards that a text names, defined at first mention. A game says how they are printed."""

    kind: ClassVar[type[Rulebook]]
    card: ClassVar[type[Printed]]
    definition: ClassVar[Any]
    tables: dict[str, Any] | None = None
    """what the set lays down besides its cards"""

    def __init__(self, abilities: dict[str, Abilities]) -> None:
        self.abilities = {name: [a] if isinstance(a, dict) else a for name, a in abilities.items()}
        self.raw: dict[str, dict[str, Any]] = {}
        self._words: dict[str, list[str]] = {}
        self._game: Rulebook | None = None

    def name(self, words: list[str]) -> str:
        """The name that stands first; defines the card if it is new."""
        name, words = words[0], words[1:]
        if name not in self.raw:
            raw = {"code": f"T-{len(self.raw) + 1:03}", "name": {"en": name}, "ability": self.abilities.get(name, [])}
            self.raw[name], self._words[name] = {**raw, **self.define(name, words)}, words
        elif words not in ([], self._words[name]):
            raise ValueError(f"{name} is defined in two ways")
        return name

    def define(self, name: str, words: list[str]) -> dict[str, Any]:
        """What the words print on the card besides its code, name and abilities. Raises ValueError."""
        raise NotImplementedError

    def code(self, name: str) -> str:
        code: str = self.raw[name]["code"]
        return code

    def game(self) -> Rulebook:
        """The game with these cards alone."""
        if self._game is None:
            unused = set(self.abilities) - set(self.raw)
            if unused:
                raise ValueError(f"abilities of cards that the text does not name: {unused}")
            cards: list[Any] = [card_from(raw, self.card, name) for name, raw in self.raw.items()]
            line = set_line(SetFile("T", "1", self.kind.key, {"en": "Test cards"}), cards, self.tables)
            definitions: list[Definition] = [self.definition(card) for card in cards]
            self._game = self.kind([line], definitions)
        return self._game

    def header(
        self, sides: list[list[str]], options: Options, seed: int, leaders: tuple[str | None, ...] = (None, None)
    ) -> k.GameStarted:
        """The first line of a game with these names in the decks."""
        seats = [
            k.Seat(f"Player {seat}", "script", k.DeckList(
                "", dict(Counter(map(self.code, names))), None if leader is None else self.code(leader)
            ))
            for seat, (names, leader) in enumerate(zip(sides, leaders, strict=True))
        ]
        return self.game().header((seats[0], seats[1]), options, seed)

    def match(self, header: k.GameStarted) -> Match:
        """A match that has nothing on its table yet."""
        match = Match(self.game(), empty_state(self.game().declared))
        match.emit(header)
        return match


# --- a table --------------------------------------------------------------------------------------------------


class Table:
    """A game in progress. Cards go by name; of several, `Ox#2` is the text's second (seat 0's come first).

    What `events`, `story`, `moves` and `reckoning` tell begins at record `start`.
    """

    card_values: ClassVar[tuple[str, ...]]
    """values that each card has where values hold"""
    seat_values: ClassVar[tuple[str, ...]] = ()
    """values of a player that effects may change while they last"""
    near: ClassVar[tuple[str, ...]]
    """zones that a name means first"""
    used: ClassVar[tuple[str, ...]]
    """zones that `use X` means first"""
    plays: ClassVar[str] = "play"
    """how a step says that a card is played from the hand"""

    def __init__(self, match: Match, start: int = 0) -> None:
        self.match = match
        self.start = start
        count: Counter[str] = Counter()
        self.ids: dict[str, int] = {}
        for card in sorted(match.state.cards):
            name = match.definition(card).name
            count[name] += 1
            self.ids[f"{name}#{count[name]}"] = card
        self.check()

    # --- playing ------------------------------------------------------------------------------------------

    def do(self, *steps: str) -> Self:
        """Decides for whoever is asked, one step after another: `pass`, `concede`, `yes`, `no`, `use X`, `use X 1`
        (its ability number 1), `choose X` (a card, a stack item by its card, a zone, a number), and the game's own.
        """
        for step in steps:
            self._act(self.action(step))
        return self

    def until(self, *asks: str) -> Self:
        """Everybody passes until one of these is asked (`main`, `0 main`), or the game is over."""
        while self.asked is not None and self.waits not in asks and self.asked.question not in asks:
            self.do("pass")
        return self

    def _act(self, action: AnyAction) -> None:
        match = self.match
        again, fork = Match(match.game, from_json(to_json(match.state))), match.fork()
        before = len(match.log)
        match.act(action)
        again.act(decode_action(msgspec.json.encode(action)))
        fork.act(action)
        assert again.log == match.log[before:], "the game goes on differently from the state's JSON"
        assert fork.log == match.log[before:], "the game goes on differently in a fork"
        assert to_json(again.state) == to_json(fork.state) == to_json(match.state)
        assert again.legal() == fork.legal() == match.legal()
        self.check()

    def check(self) -> None:
        """What must hold at every stop, whatever the position."""
        match, state, game = self.match, self.match.state, self.match.game
        assert to_json(fold_all(match.log, game.declared)) == to_json(state), "the log folds to another state"
        lying = Counter(card for side in state.zones for zone in side.values() for card in zone)
        assert lying == Counter(state.cards.keys()), "a card is in no zone, or in two"
        for number, card in state.cards.items():
            assert number in state.zones[card.seat][card.zone]
            assert card.attached_to is None or number in state.cards[card.attached_to].attachments, (
                "tied to a card that does not hold it"
            )
            assert all(state.cards[held].attached_to == number for held in card.attachments), (
                "holds a card that is not tied to it"
            )
            if match.on_table(number):
                for name in self.card_values:
                    assert match.value(number, name) == values.effective(match, number, name)
        for seat in (0, 1):
            for name in self.seat_values:
                if state.turn or name in state.counters[seat]:
                    assert match.value(seat, name) == values.effective(match, seat, name)
        legal = match.legal()
        assert bool(legal) == (state.result is None), "something is legal until the game is over"
        assert all(match.refuse(action) is None for action in legal), "something offered is refused"

    def refused(self, step: str) -> str:
        """The id of the rule that forbids the step; fails if it is allowed."""
        before = to_json(self.match.state)
        try:
            self.match.act(self.action(step))
        except Illegal as illegal:
            assert to_json(self.match.state) == before, "a refused step has changed the state"
            return illegal.rule
        raise AssertionError(f"{step!r} is allowed")

    def legal(self) -> list[str]:
        """Every step that is legal now, written as `do` takes it."""
        return [self.told(action) for action in self.match.legal()]

    # --- looking ------------------------------------------------------------------------------------------

    @property
    def asked(self) -> k.Asked | None:
        """What is asked now; None when the game is over."""
        return self.match.state.asked

    @property
    def waits(self) -> str:
        """Who is asked what: "0 attack"; "over" at the end."""
        return f"{self.asked.seat} {self.asked.question}" if self.asked else "over"

    @property
    def result(self) -> tuple[int | None, str] | None:
        """The winner (or None for a draw) and the reason, once the game is over."""
        result = self.match.state.result
        return None if result is None else (result.winner, result.reason)

    def zone(self, seat: int, zone: str) -> list[str]:
        """The names in a zone; the top of a pile first."""
        cards = self.match.state.zones[seat][zone]
        return [self.name(card) for card in (cards[::-1] if self.match.game.declared.zones[zone].ordered else cards)]

    def value(self, who: str | int, name: str) -> int:
        """The current value of a card, or of a seat."""
        return self.match.value(who if isinstance(who, int) else self.find(who), name)

    def events(self, *kinds: type) -> list[Any]:
        """The records of these kinds (of all, if none is given)."""
        return [e for e in self.match.log[self.start:] if not kinds or isinstance(e, kinds)]

    def story(self, *kinds: type) -> list[str]:
        """The same, told in a few words each."""
        return [self.tell(event) for event in self.events(*kinds)]

    def moves(self, *move_kinds: str) -> list[str]:
        """What `story` tells of the cards moved in one of these ways."""
        return [self.tell(event) for event in self.events(k.CardMoved) if event.move_kind in move_kinds]

    def name(self, entity: int) -> str:
        """A card's name, with its number where it is not the first of that name."""
        if entity < k.FIRST_CARD:
            return f"seat {entity}"
        if entity >= k.FIRST_ITEM:
            return self.name(
                next(e for e in self.match.log if isinstance(e, k.StackPushed) and e.item == entity).frame.card
            )
        return next(name for name, card in self.ids.items() if card == entity).removesuffix("#1")

    def find(self, name: str, seat: int | None = None, zones: tuple[str, ...] | None = None) -> int:
        """The card of this name; of several the one at hand (of this seat, in these zones), then the first."""
        if "#" in name:
            return self.ids[name]
        cards = [card for known, card in self.ids.items() if known.split("#")[0] == name]
        if not cards:
            raise KeyError(f"there is no card {name}")
        lie, wanted = self.match.state.cards, self.near if zones is None else zones
        return min(cards, key=lambda c: (seat is not None and lie[c].seat != seat, lie[c].zone not in wanted, c))

    # --- steps and records in words ----------------------------------------------------------------------

    def action(self, step: str) -> AnyAction:
        """The decision of who is asked that a step means. Raises ValueError."""
        assert self.asked is not None, "the game is over"
        seat = self.asked.seat
        match step.split():
            case ["pass"]:
                return Pass()
            case ["concede"]:
                return Concede()
            case ["yes" | "no" as word]:
                return Choose(int(word == "yes"))
            case [self.plays, name]:
                return Play(self.find(name, seat, ("hand",)))
            case [self.plays, name, "on", other]:
                return Play(self.find(name, seat, ("hand",)), self.find(other, seat))
            case ["attack", name, "deck"]:
                return Attack(self.find(name, seat), 1 - seat)
            case ["attack", name, target]:
                return Attack(self.find(name, seat), self.find(target, 1 - seat))
            case ["move", name]:
                return Move(self.find(name, seat))
            case ["use", name, *number]:
                return Use(self.find(name, seat, self.used), int(number[0]) if number else 0)
            case ["choose", name]:
                return Choose(self._option(name))
        raise ValueError(f"{step!r} is no step")

    def _option(self, name: str) -> int:
        asked = self.asked
        assert asked is not None
        if name.isdigit():
            return int(name)
        if asked.option_type == "zone":
            return self._zones().index(name)
        if asked.option_type == "number":
            return [self.name(card) for card in asked.about].index(name)
        for option in asked.options:
            if name in (self.name(option), self.name(option).split("#")[0]):
                return option
        return self.find(name)

    def _zones(self) -> list[str]:
        return list(self.match.game.declared.zones)

    def told(self, action: AnyAction) -> str:
        """The step that means this decision."""
        match action:
            case Choose(option):
                return self._chosen(option)
            case Play(card, on):
                return f"{self.plays} {self.name(card)}" + ("" if on is None else f" on {self.name(on)}")
            case Attack(card, target):
                return f"attack {self.name(card)} {'deck' if target < 2 else self.name(target)}"
            case Use(card, ability):
                return f"use {self.name(card)}" + (f" {ability}" if ability else "")
            case Move(card):
                return f"move {self.name(card)}"
        return type(action).__name__.lower()

    def _chosen(self, option: int) -> str:
        asked = self.asked
        assert asked is not None
        if asked.option_type == "yes_no":
            return "yes" if option else "no"
        if asked.option_type == "zone":
            return f"choose {self._zones()[option]}"
        if asked.option_type == "number":
            return f"choose {self.name(asked.about[option]) if asked.about else option}"
        return f"choose {self.name(option)}"

    def tell(self, event: k.Event) -> str:
        """A record in a few words."""
        name = self.name
        match event:
            case k.CardMoved(card=card, move_kind=how):
                return f"{name(card)} {how}"
            case k.CardExhausted(card=card, exhausted=down):
                return f"{name(card)} {'down' if down else 'up'}"
            case k.CardFlipped(card=card):
                return f"{name(card)} flipped"
            case k.CardAttached(card=card, to=to):
                return f"{name(card)} on {'nothing' if to is None else name(to)}"
            case k.AttackMet(direction=way, source=source, target=target, outcome=outcome):
                return f"{way}: {name(source)} {outcome} {name(target)}"
            case k.DamageCalculated(source=source, step=step, value=value):
                return f"{name(source)} {step} {value}"
            case k.DamageDealt(source=source, target=target, amount=amount):
                return f"{name(source)} strikes {name(target)} {amount}"
            case k.CounterSet(entity=entity, name=counter, value=value):
                return f"{name(entity)} {counter} {value}"
            case k.StackPushed(item=item, item_kind=what):
                return f"{what} {name(item)}"
            case k.StackPopped(item=item, outcome=how):
                return f"{name(item)} {how}"
            case k.RuleApplied(rule=effect, card=card):
                return effect if card is None else f"{effect} {name(card)}"
            case k.ModifierBegan(on=on, name=counter, add=add, set=be):
                return f"{name(on)} {counter} {f'{add:+}' if be is None else be}"
            case k.AttackSet(attacker=card, target=target):
                at = "nothing" if target is None else name(target)
                return "aimed at nothing" if card is None else f"{name(card)} aims at {at}"
            case k.PhaseBegan(phase=phase):
                return phase
            case k.TurnBegan(turn=number, seat=seat):
                return f"{self.match.game.rulebook.turn} {number} of {seat}"
            case k.Asked(seat=seat, question=what):
                return f"{seat} {what}"
            case k.CardsRevealed(cards=cards):
                return "shown " + ", ".join(map(name, cards))
            case k.Rolled(outcome=outcome):
                return f"rolled {outcome}"
        return type(event).__name__
