"""A Live On position in a few lines of text, and a table to play on from there. For tests.

    table = position('''
        0  A: Ox 3000 rush, Ram 2000 (down, damage 1000)   B: Hero fighter blue blue ②   hand: Bolt skill
        1  A: Wall 4000 defender   deck: Cat, 3 Plain
        phase attack
    ''', Bolt=dict(ability="effect", then=[dict(do="damage", what=..., n=1000)]))
    table.do("attack Ox Wall", "pass")
    assert table.story(Struck) == ["Ox strikes Wall 3000", "Wall strikes Ox 4000"]

A line beginning with 0 or 1 lays out that seat's zones: A, B, hand, deck (the top card first), discard. Cards stand
between commas: how many (1 if not said), the name (one word, ★ before it), what is printed, and in brackets how it
lies. The first mention of a name defines the card, later ones only name it. Printed are, in any order: a POW
(1000), fighter or skill (monster), the power source as colours and a circled number (red; a skill needs nothing),
keywords (`burst 2`, `first_strike_attack` …), `race:Beast`, `change:Hero` (Live Change), `frame:blue` (a colour other
than the first symbol's), a rarity. `Champ over Hero` is a Live Change that has happened. A bare number is so many
cards called Plain, which nobody can live; a deck that is not given has ten. Abilities are given by card name, as a
card file would have them.

Other lines are pairs: phase (attack; also start, move, live, end), turn (3), active (0), seed, or any option of the
game. A question with one answer is not asked: leave a spare legal action (a card that can still attack) where the
game should stop.

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
from engine.liveon import turn
from engine.liveon.card import KEYWORDS, LiveOnCard, LiveOnDefinition
from engine.liveon.rules import LiveOn
from engine.machine import Illegal, Match
from engine.state import from_json, to_json
from events import kinds as k
from events.actions import AnyAction, Attack, Choose, Concede, Move, Pass, Play, Use

ZONES = {"A": "a", "B": "b", "hand": "hand", "deck": "deck", "discard": "discard"}
CIRCLED = "①②③④⑤⑥⑦⑧⑨"
COLOURS = ("red", "white", "blue", "black")
PLAIN = ["⑨"]
RARITIES = ("C", "U", "R", "VR", "SR", "MR")
SET = SetFile("T", "1", "liveon", {"en": "Test cards"})
decode_action = msgspec.json.Decoder(AnyAction).decode

Abilities = dict[str, Any] | list[dict[str, Any]]
Options = dict[str, int | str | bool]


def position(text: str, **abilities: Abilities) -> Table:
    """The table that the text describes, at the free decision of its phase."""
    cards = Cards(abilities)
    lines = [line.strip() for line in text.strip().splitlines()]
    sides = [_side(cards, " ".join(line[1:] for line in lines if line[:2] == f"{seat} ")) for seat in (0, 1)]
    said = {"phase": "attack", "turn": "3", "active": "0", "seed": "1"}
    for line in lines:
        if line[:2] not in ("0 ", "1 "):
            pairs = line.replace(",", " ").split()
            said.update(zip(pairs[::2], pairs[1::2], strict=True))
    active, number, phase, seed = (said.pop(key) for key in ("active", "turn", "phase", "seed"))
    options: Options = {key: int(word) if word.isdigit() else word for key, word in said.items()}
    game = cards.game()
    match = Match(game, empty_table(game.declared))
    match.emit(_header(game, sides, options, int(seed)))
    first = k.FIRST_CARD
    for seat, side in enumerate(sides):
        codes = [cards.code(laid.name) for laid in side]
        match.make(seat, "deck", first, tuple(codes))
        for laid in side:
            laid.id, first = first, first + 1
    if phase == "start":
        match.begin_turn(int(number) - 1, 1 - int(active))
    else:
        match.begin_turn(int(number), int(active))
    for seat, side in enumerate(sides):
        for laid in side:
            _lay(match, seat, laid)
    table = Table(match)
    _start(match, phase, int(active))
    if phase in ("move", "live", "attack"):
        if match.state.phase != phase or match.state.active != int(active):
            raise ValueError(f"there is nothing to decide in this {phase} phase: add a spare legal action")
        table.start = len(match.log)
    table.check()
    return table


def new_game(deck_0: str, deck_1: str, seed: int = 1, options: Options | None = None, **abilities: Abilities) -> Table:
    """A game from its very beginning, each deck given as cards between commas."""
    cards = Cards(abilities)
    sides = [_side(cards, f"deck: {deck}") for deck in (deck_0, deck_1)]
    game = cards.game()
    table = Table(game.begin(_header(game, sides, options or {}, seed)))
    table.start = 0
    table.check()
    return table


class Laid:
    """One card of the text: its name, where it lies and how, and the cards under it."""

    def __init__(self, name: str, zone: str, how: str, under: Laid | None) -> None:
        self.name, self.zone, self.how, self.under = name, zone, how, under
        self.id = 0


class Cards:
    """The cards that a text names, defined at first mention."""

    def __init__(self, abilities: dict[str, Abilities]) -> None:
        self.abilities = {name: [a] if isinstance(a, dict) else a for name, a in abilities.items()}
        self.raw: dict[str, dict[str, Any]] = {}
        self.words: dict[str, list[str]] = {}
        self._game: LiveOn | None = None

    def name(self, words: list[str]) -> str:
        """The name that stands first; defines the card if it is new."""
        star, name = words[0].startswith("★"), words[0].lstrip("★")
        words = PLAIN if name == "Plain" else words[1:]
        if name not in self.words:
            self.raw[name], self.words[name] = self._define(name, star, words), words
        elif words not in ([], self.words[name]):
            raise ValueError(f"{name} is defined in two ways")
        return name

    def _define(self, name: str, star: bool, words: list[str]) -> dict[str, Any]:
        abilities = self.abilities.get(name, [])
        skill = "skill" in words or any(a["ability"] == "effect" for a in abilities)
        raw: dict[str, Any] = {"kind": "skill" if skill else "monster", "rarity": "C"}
        raw.update(power=Counter(), keywords={})
        for word, following in zip(words, [*words[1:], ""], strict=False):
            if word in COLOURS:
                raw["power"][word] += 1
            elif word in CIRCLED:
                raw["power"]["any"] = CIRCLED.index(word) + 1
            elif word in KEYWORDS:
                raw["keywords"][word] = int(following) if word == "burst" else 1
            elif word.isdigit():
                raw.update({} if int(word) < 10 else {"pow": int(word)})
            elif word in RARITIES:
                raw["rarity"] = word
            elif word == "fighter":
                raw["kind"] = word
            elif word.startswith("race:"):
                raw["race"] = {"en": word[5:]}
            elif word.startswith("change:"):
                raw["live_change"] = word[7:]
            elif word.startswith("frame:"):
                raw["colour"] = word[6:]
            elif word != "skill":
                raise ValueError(f"{name}: {word!r} says nothing about a card")
        raw.setdefault("pow", 0 if skill else 1000)
        if not raw["power"] and not skill:
            raw["power"]["red"] = 1
        raw.setdefault("colour", next((c for c in raw["power"] if c != "any"), "red"))
        return {
            **raw, "code": f"T-{len(self.raw) + 1:03}", "name": {"en": name}, "star": star,
            "power": dict(raw["power"]), "ability": abilities,
        }

    def code(self, name: str) -> str:
        return self.raw[name]["code"]

    def game(self) -> LiveOn:
        if self._game is None:
            unused = set(self.abilities) - set(self.raw)
            if unused:
                raise ValueError(f"abilities of cards that the text does not name: {unused}")
            cards = [card_from(raw, LiveOnCard, name) for name, raw in self.raw.items()]
            self._game = LiveOn([set_line(SET, cards)], [LiveOnDefinition(card) for card in cards])  # type: ignore[arg-type]
        return self._game


def _side(cards: Cards, text: str) -> list[Laid]:
    """One seat's cards in the order of the text; the deck comes last, its top card last of all."""
    parts = re.split(r"\b(A|B|hand|deck|discard):", text)
    if parts[0].strip():
        raise ValueError(f"{parts[0]!r} stands before any zone")
    zones = {name: _cards(cards, name, listed) for name, listed in zip(parts[1::2], parts[2::2], strict=True)}
    deck = zones.pop("deck", None) or _cards(cards, "deck", "10")
    return [laid for listed in zones.values() for laid in listed] + deck[::-1]


def _cards(cards: Cards, zone: str, text: str) -> list[Laid]:
    found = []
    for entry in filter(None, (e.strip() for e in re.split(r",(?![^(]*\))", text))):
        how = "".join(re.findall(r"\((.*?)\)", entry))
        number, words = re.match(r"(\d*)(.*)", re.sub(r"\(.*?\)", "", entry)).groups()  # type: ignore[union-attr]
        upper, _, under = words.partition(" over ")
        for _ in range(int(number or 1)):
            fighter = Laid(cards.name(under.split()), "under", "", None) if under else None
            found.append(Laid(cards.name(upper.split() or ["Plain"]), ZONES[zone], how, fighter))
            found += [fighter] if fighter else []
    return found


def _header(game: LiveOn, sides: list[list[Laid]], options: Options, seed: int) -> k.GameStarted:
    codes = {d.name: d.code for d in game.cards.values()}
    decks = [dict(Counter(codes[laid.name] for laid in side)) for side in sides]
    seats = tuple(k.Seat(f"Player {seat}", "script", k.DeckList("", deck)) for seat, deck in enumerate(decks))
    return game.header(seats, options, seed)  # type: ignore[arg-type]


def _lay(match: Match, seat: int, laid: Laid) -> None:
    if laid.zone != "deck":
        match.move(laid.id, seat, laid.zone, "set_up")
    for words in filter(None, (w.split() for w in laid.how.split(","))):
        if words == ["down"]:
            match.turn(laid.id, True)
        else:
            match.set_counter(laid.id, words[0], int(words[1]))
    if laid.under is not None:
        match.move(laid.under.id, seat, "under", "set_up")
        match.tie(laid.under.id, laid.id, "under")
        laid.under.zone = "deck"  # laid already


def _start(match: Match, phase: str, active: int) -> None:
    if phase == "start":
        match.push(turn.TurnStart(active))
    elif phase == "end":
        match.push(turn.EndPhase())
    else:
        match.begin_phase(phase, active)
        match.push(turn.Main(phase))
    match.run()


class Table:
    """A game in progress. Cards go by name; of several, `Ox#2` is the text's second (seat 0's come first)."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.start = len(match.log)
        count: Counter[str] = Counter()
        self.ids: dict[str, int] = {}
        for card in sorted(match.state.cards):
            name = match.definition(card).name
            count[name] += 1
            self.ids[f"{name}#{count[name]}"] = card

    # --- playing ------------------------------------------------------------------------------------------

    def do(self, *steps: str) -> Table:
        """Decides for whoever is asked, one step after another.

        A step is `pass`, `concede`, `yes`, `no`, `move X`, `live X`, `live X on Y`, `attack X Y`, `attack X deck`,
        `use X`, `use X 1` (its ability number 1; a skill in the hand too), or `choose X` (a card, a pile item by its
        card, a number).
        """
        for step in steps:
            self._act(self._action(step))
        return self

    def settle(self) -> Table:
        """Both pass until something else than a window is asked."""
        while self.asked is not None and self.asked.what == "window":
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
        state, game = self.match.state, self.match.game
        assert to_json(fold_all(self.match.log, game.declared)) == to_json(state), "the log folds to another state"
        places = Counter(card for side in state.zones for zone in side.values() for card in zone)
        assert places == Counter(state.cards.keys()), "a card is in no zone, or in two"
        for number, card in state.cards.items():
            assert number in state.zones[card.seat][card.zone]
            if self.match.on_table(number):
                for name in ("pow", *KEYWORDS):
                    assert self.match.value(number, name) == lasting.effective(self.match, number, name)
        legal = self.match.legal()
        assert bool(legal) == (state.result is None), "something is legal until the game is over"
        assert all(self.match.refuse(action) is None for action in legal), "something offered is refused"

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
        return self.match.state.asked

    @property
    def waits(self) -> str:
        """Who is asked what: "0 attack"; "over" at the end."""
        return f"{self.asked.seat} {self.asked.what}" if self.asked else "over"

    @property
    def result(self) -> tuple[int | None, str] | None:
        """The winner (or None for a draw) and the reason, once the game is over."""
        result = self.match.state.result
        return None if result is None else (result.winner, result.reason)

    def zone(self, seat: int, zone: str) -> list[str]:
        """The names in a zone: A, B, hand, deck, discard (the top of a pile first), under, pile."""
        cards = self.match.state.zones[seat][ZONES.get(zone, zone)]
        return [self.name(card) for card in (cards[::-1] if zone in ("deck", "discard") else cards)]

    def value(self, card: str, name: str) -> int:
        """A card's current value."""
        return self.match.value(self.find(card), name)

    def pow(self, card: str) -> int:
        return self.value(card, "pow")

    def down(self, card: str) -> bool:
        return self.match.card(self.find(card)).down

    def events(self, *kinds: type) -> list[Any]:
        """The records since the first question of the position, of these kinds (of all, if none is given).

        Where the position begins in the start or end phase: from there on; in a new game: all.
        """
        return [e for e in self.match.log[self.start:] if not kinds or isinstance(e, kinds)]

    def story(self, *kinds: type) -> list[str]:
        """The same, told in a few words each."""
        return [self._tell(event) for event in self.events(*kinds)]

    def moves(self, *hows: str) -> list[str]:
        """What `story` tells of the cards moved in one of these ways."""
        return [self._tell(event) for event in self.events(k.CardMoved) if event.how in hows]

    def name(self, entity: int) -> str:
        """A card's name, with its number where it is not the first of that name."""
        if entity < k.FIRST_CARD:
            return f"seat {entity}"
        if entity >= k.FIRST_ITEM:
            queued = [e for e in self.match.log if isinstance(e, k.Queued) and e.item == entity]
            return self.name(queued[0].frame.card)
        return next(name for name, card in self.ids.items() if card == entity).removesuffix("#1")

    def find(self, name: str, seat: int | None = None, zones: Iterable[str] = ("a", "b")) -> int:
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
            case ["move", name]:
                return Move(self.find(name, seat))
            case ["live", name]:
                return Play(self.find(name, seat, ("hand",)))
            case ["live", name, "on", other]:
                return Play(self.find(name, seat, ("hand",)), self.find(other, seat))
            case ["attack", name, "deck"]:
                return Attack(self.find(name, seat), 1 - seat)
            case ["attack", name, target]:
                return Attack(self.find(name, seat), self.find(target, 1 - seat))
            case ["use", name, *number]:
                return Use(self.find(name, seat, ("a", "b", "hand")), int(number[0]) if number else 0)
            case ["choose", name]:
                return Choose(self._option(name))
        raise ValueError(f"{step!r} is no step")

    def _option(self, name: str) -> int:
        asked = self.asked
        assert asked is not None
        if name.isdigit():
            return int(name)
        if asked.of == "number":
            return [self.name(card) for card in asked.about].index(name)
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
                return f"choose {self.name(self.asked.about[option] if of == 'number' else option)}"
            case Play(card, on):
                return f"live {self.name(card)}" + ("" if on is None else f" on {self.name(on)}")
            case Attack(card, target):
                return f"attack {self.name(card)} {'deck' if target < 2 else self.name(target)}"
            case Use(card, ability):
                return f"use {self.name(card)}" + (f" {ability}" if ability else "")
            case Move(card):
                return f"move {self.name(card)}"
        return type(action).__name__.lower()

    def _tell(self, event: k.Event) -> str:
        name = self.name
        match event:
            case k.CardMoved(card=card, how=how):
                return f"{name(card)} {how}"
            case k.CardTurned(card=card, down=down):
                return f"{name(card)} {'down' if down else 'up'}"
            case k.Struck(source=source, target=target, amount=amount):
                return f"{name(source)} strikes {name(target)} {amount}"
            case k.CounterSet(entity=entity, name=counter, value=value):
                return f"{name(entity)} {counter} {value}"
            case k.Queued(item=item, what=what):
                return f"{what} {name(item)}"
            case k.Unqueued(item=item, how=how):
                return f"{name(item)} {how}"
            case k.Resolved(effect=effect, card=card):
                return f"{effect} {name(card or 0)}"
            case k.LastingBegan(on=on, name=counter, add=add, be=be):
                return f"{name(on)} {counter} {f'{add:+}' if be is None else be}"
            case k.Aimed(card=card, target=target):
                who, at = ("nobody" if card is None else name(card)), ("nothing" if target is None else name(target))
                return f"{who} aims at {at}"
            case k.PhaseBegan(phase=phase):
                return phase
            case k.TurnBegan(turn=number, seat=seat):
                return f"turn {number} of {seat}"
            case k.Asked(seat=seat, what=what):
                return f"{seat} {what}"
            case k.Shown(cards=cards):
                return "shown " + ", ".join(map(name, cards))
        return type(event).__name__
