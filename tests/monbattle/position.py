"""A Monster Battle position in a few lines of text, and a table to play on from there. For tests.

    table = position('''
        0  battle: Ox fire 700/300/4 c2   standby: Ram 500/200/3 + Torch weapon fire +300   hand: Rally assist
        1  battle: Wall stone 400/600/1 (lp 300)   stock: 3 Plain   deck: Cat, 3 Plain
        phase main
    ''', Rally=effect(do("draw")))
    table.do("use Rally", "pass")

A line beginning with 0 or 1 lays out that seat's places: player, battle, standby, hand, deck (the top card first),
stock, drop, field. Cards stand between commas: how many (1 if not said), the name (one word), what is printed. The
first mention of a name defines the card, later ones only name it. Printed are, in any order:

    monster   ATK/DEF/SPD (500/200/3), c2 (COST; 1 if not said), an attribute (stone if not said), from:Imp (evolves)
    others    player 6000/30/3 (LP/PP/level), weapon fire +300/0/2 (ATK/DEF/SPD; c1: COST), assist, item:monster,
              item:player, field

`Fire over Imp` is an evolution that has happened, `Ox + Torch + Boots` a monster (or player) with its equipment. In
brackets stand values of the player: (lp 300). A bare number is so many cards called Plain, which nobody can put out; a
deck that is not given has ten. A player card that is not given is called Chief; it has a skill that does nothing, so
that every main phase waits for a word (`pass`). Abilities are given by card name, as a card file would have them.

Other lines are pairs: phase (main; also start, order, draw, attack, end), turn (3), active (0, the round's first
player), seat (whose main, draw or attack phase it is; active if not said), seed, or any option of the game.

Fire beats wood, wood beats water, water beats fire; stone and mist neither beat nor are beaten.

Every step goes through JSON: the same decision is made from the state read back, and must give the same records.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import msgspec

from engine import lasting
from engine.cards import SetFile, card_from, set_line
from engine.fold import begin as empty_table
from engine.fold import fold_all
from engine.machine import Illegal, Match
from engine.monbattle import attack, round
from engine.monbattle.card import CHANGES, STATS, Attribute, MonBattleCard, MonBattleDefinition, SetRules
from engine.monbattle.rules import MonBattle
from engine.state import from_json, to_json
from events import kinds as k
from events.actions import AnyAction, Attack, Choose, Concede, Pass, Play, Use

ZONES = ("player", "battle", "standby", "hand", "deck", "stock", "drop", "field")
ATTRIBUTES = {"fire": "wood", "wood": "water", "water": "fire", "stone": "", "mist": ""}
RULES = SetRules({name: Attribute(beats=(beats,) if beats else ()) for name, beats in ATTRIBUTES.items()})
SET = SetFile("T", "1", "monbattle", {"en": "Test cards"})
TIES = {"weapon": "weapon", "assist": "item"}
decode_action = msgspec.json.Decoder(AnyAction).decode

Abilities = dict[str, Any] | list[dict[str, Any]]
Options = dict[str, int | str | bool]

BELL = {"ability": "activated", "cost": [{"pay": "mill", "n": 0}], "then": [{"do": "draw", "n": 0}]}
"""Does nothing, as often as one likes."""


def position(text: str, rules: SetRules = RULES, **abilities: Abilities) -> Table:
    """The table that the text describes, at the first question of its phase."""
    cards = Cards(abilities, rules)
    lines = [line.strip() for line in text.strip().splitlines()]
    sides = [_side(cards, " ".join(line[1:] for line in lines if line[:2] == f"{seat} ")) for seat in (0, 1)]
    said = {"phase": "main", "turn": "3", "active": "0", "seed": "1"}
    for line in lines:
        if line[:2] not in ("0 ", "1 "):
            pairs = line.replace(",", " ").split()
            said.update(zip(pairs[::2], pairs[1::2], strict=True))
    seat = said.pop("seat", said["active"])
    active, number, phase, seed = (said.pop(key) for key in ("active", "turn", "phase", "seed"))
    options: Options = {key: int(word) if word.isdigit() else word for key, word in said.items()}
    game = cards.game()
    match = Match(game, empty_table(game.declared))
    match.emit(_header(game, cards, sides, options, int(seed)))
    first = k.FIRST_CARD
    for side_seat, side in enumerate(sides):
        for laid in side:
            laid.id, first = first, first + 1
        match.make(side_seat, "player", side[0].id, (cards.code(side[0].name),))
        match.make(side_seat, "deck", side[1].id, tuple(cards.code(laid.name) for laid in side[1:]))
    match.begin_turn(int(number) - (phase == "start"), int(active))
    _lay(match, sides)
    table = Table(match)
    _start(match, phase, int(active), int(seat))
    table.check()
    return table


def new_game(
    deck_0: str, deck_1: str, seed: int = 1, options: Options | None = None, rules: SetRules = RULES,
    **abilities: Abilities,
) -> Table:
    """A game from its very beginning, each deck given as cards between commas; the player cards are called Chief."""
    cards = Cards(abilities, rules)
    sides = [_side(cards, f"deck: {deck}") for deck in (deck_0, deck_1)]
    table = Table(cards.game().begin(_header(cards.game(), cards, sides, options or {}, seed)))
    table.start = 0
    table.check()
    return table


class Laid:
    """One card of the text: its name, where it lies, the card it is tied to and how."""

    def __init__(self, name: str, zone: str, on: Laid | None = None, tie: str = "", values: str = "") -> None:
        self.name, self.zone, self.on, self.tie, self.values = name, zone, on, tie, values
        self.id = 0


class Cards:
    """The cards that a text names, defined at first mention."""

    def __init__(self, abilities: dict[str, Abilities], rules: SetRules) -> None:
        self.abilities = {name: [a] if isinstance(a, dict) else a for name, a in abilities.items()}
        self.rules = rules
        self.raw: dict[str, dict[str, Any]] = {}
        self._game: MonBattle | None = None

    def name(self, words: list[str]) -> str:
        """The name that stands first; defines the card if it is new."""
        name = words[0]
        if name not in self.raw:
            self.raw[name] = self._define(name, words[1:])
        elif words[1:]:
            raise ValueError(f"{name} is defined twice")
        return name

    def _define(self, name: str, words: list[str]) -> dict[str, Any]:
        raw: dict[str, Any] = {"code": f"T-{len(self.raw) + 1:03}", "name": {"en": name}, "kind": "monster"}
        raw["ability"] = self.abilities.get(name, [])
        for word in words:
            if word in ("player", "weapon", "assist", "field"):
                raw["kind"] = word
            elif word in ATTRIBUTES:
                raw["attribute"] = word
            elif word.startswith("item:"):
                raw.update(kind="assist", item=word[5:])
            elif word.startswith("from:"):
                raw["evolves"] = word[5:]
            elif re.fullmatch(r"c-?\d+", word):
                raw["cost"] = int(word[1:])
            elif re.fullmatch(r"[+-]?\d+(/-?\d+)*", word):
                names = ("lp", "pp", "level") if raw["kind"] == "player" or name == "Chief" else ("atk", "def", "spd")
                raw.update(zip(names, map(int, word.split("/")), strict=False))
            else:
                raise ValueError(f"{name}: {word!r} says nothing about a card")
        if name == "Plain":
            raw["cost"] = 9
        if name == "Chief":
            raw = {"lp": 6000, "pp": 30, "level": 3, **raw, "kind": "player", "ability": raw["ability"] or [BELL]}
        if raw["kind"] == "monster":
            raw = {"cost": 1, "atk": 500, "def": 200, "spd": 3, "attribute": "stone", **raw}
        return raw

    def code(self, name: str) -> str:
        code: str = self.raw[name]["code"]
        return code

    def game(self) -> MonBattle:
        if self._game is None:
            unused = set(self.abilities) - set(self.raw)
            if unused:
                raise ValueError(f"abilities of cards that the text does not name: {unused}")
            cards: list[Any] = [card_from(raw, MonBattleCard, name) for name, raw in self.raw.items()]
            tables = {"rules": msgspec.to_builtins(self.rules)}
            self._game = MonBattle([set_line(SET, cards, tables)], [MonBattleDefinition(card) for card in cards])
        return self._game


def _side(cards: Cards, text: str) -> list[Laid]:
    """One seat's cards: the player card, the others in the order of the text, the deck, its top card last of all."""
    parts = re.split(rf"\b({'|'.join(ZONES)}):", text)
    if parts[0].strip():
        raise ValueError(f"{parts[0]!r} stands before any place")
    zones = {name: _cards(cards, name, listed) for name, listed in zip(parts[1::2], parts[2::2], strict=True)}
    deck = zones.pop("deck", None) or _cards(cards, "deck", "10")
    player = zones.pop("player", None) or [Laid(cards.name(["Chief"]), "player")]
    return [*player, *(laid for listed in zones.values() for laid in listed), *deck[::-1]]


def _cards(cards: Cards, zone: str, text: str) -> list[Laid]:
    found = []
    for entry in filter(None, (e.strip() for e in re.split(r",(?![^(]*\))", text))):
        values = "".join(re.findall(r"\((.*?)\)", entry))
        number, words = re.match(r"(\d*)(.*)", re.sub(r"\(.*?\)", "", entry)).groups()  # type: ignore[union-attr]
        monster, *gear = words.split(" + ")
        upper, *under = monster.split(" over ")
        for i in range(int(number or 1)):
            top = Laid(cards.name(upper.split()[: 99 if i == 0 else 1] or ["Plain"]), zone, values=values)
            found.append(top)
            found += [Laid(cards.name(u.split()), "under", top, "under") for u in reversed(under)]
            for name in (cards.name(g.split()) for g in gear):
                found.append(Laid(name, "gear", top, TIES[cards.raw[name]["kind"]]))
    return found


def _header(
    game: MonBattle, cards: Cards, sides: list[list[Laid]], options: Options, seed: int
) -> k.GameStarted:
    seats = [
        k.Seat(f"Player {seat}", "script", k.DeckList(
            "", dict(Counter(cards.code(laid.name) for laid in side[1:])), cards.code(side[0].name)
        ))
        for seat, side in enumerate(sides)
    ]
    return game.header((seats[0], seats[1]), options, seed)


def _lay(match: Match, sides: list[list[Laid]]) -> None:
    for seat, side in enumerate(sides):
        match.flip(side[0].id, True)
        for laid in side[1:]:
            if laid.zone != "deck":
                match.move(laid.id, seat, laid.zone, "set_up")
        for laid in side:
            if laid.on is not None:
                match.tie(laid.id, laid.on.id, laid.tie)
        printed: Any = match.definition(side[0].id).printed
        match.set_counter(seat, "lp", printed.lp)
        for name in ("pp", "level"):
            lasting.touch(match, seat, name)
        stock = match.state.zones[seat]["stock"]
        match.set_counter(seat, "stock_cost", sum(match.value(card, "cost") for card in stock))
        for words in filter(None, (w.split() for laid in side for w in laid.values.split(","))):
            match.set_counter(seat, words[0], int(words[1]))


def _start(match: Match, phase: str, active: int, seat: int) -> None:
    if phase == "start":
        match.push(round.Round())
    elif phase == "order":
        match.push(round.Order())
    else:
        match.push(round.EndPhase())
        if phase != "end" and seat == active:
            match.push(attack.Attack(1 - active), round.MainPhase(1 - active))
        if phase == "main":
            match.begin_phase("main", seat)
            match.push(attack.Attack(seat), round.Main(seat))
        elif phase != "end":
            match.push(attack.Attack(seat))
        if phase == "draw":
            match.push(round.MainPhase(seat))
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

        A step is `pass`, `concede`, `yes`, `no`, `play X`, `use X`, `use X 1` (its ability number 1), or `choose X` (a
        card or a number).
        """
        for step in steps:
            self._act(self._action(step))
        return self

    def until(self, *asks: str) -> Table:
        """Everybody passes until one of these is asked, or the game is over."""
        while self.asked is not None and self.waits not in asks:
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
        places = Counter(card for side in state.zones for zone in side.values() for card in zone)
        assert places == Counter(state.cards.keys()), "a card is in no zone, or in two"
        for number, card in state.cards.items():
            assert number in state.zones[card.seat][card.zone]
            if card.zone in ("battle", "standby"):
                for name in (*STATS, *CHANGES, "attribute"):
                    assert match.value(number, name) == lasting.effective(match, number, name)
            assert card.to is None or (card.zone in ("under", "gear") and number in state.cards[card.to].holds)
            assert card.zone not in ("under", "gear") or card.to is not None
        for seat in (0, 1):
            stock = sum(match.printed[c].stats["cost"] for c in state.zones[seat]["stock"])
            assert match.value(seat, "stock_cost") == stock
        legal = match.legal()
        assert bool(legal) == (state.result is None), "something is legal until the game is over"
        assert all(match.refuse(action) is None for action in legal), "something offered is refused"

    def refused(self, step: str) -> str:
        """The id of the rule that forbids the step; fails if it is allowed."""
        before = to_json(self.match.state)
        try:
            self.match.act(self._action(step))
        except Illegal as illegal:
            assert to_json(self.match.state) == before, "a refused step has changed the state"
            return illegal.rule
        raise AssertionError(f"{step} is allowed")

    def legal(self) -> list[str]:
        """Every step that is legal now, written as `do` takes it."""
        return [self._told(action) for action in self.match.legal()]

    # --- looking ------------------------------------------------------------------------------------------

    @property
    def asked(self) -> k.Asked | None:
        return self.match.state.asked

    @property
    def waits(self) -> str:
        """Who is asked what: "0 main"; "over" at the end."""
        return f"{self.asked.seat} {self.asked.what}" if self.asked else "over"

    @property
    def result(self) -> tuple[int | None, str] | None:
        """The winner (or None for a draw) and the reason, once the game is over."""
        result = self.match.state.result
        return None if result is None else (result.winner, result.reason)

    def zone(self, seat: int, zone: str) -> list[str]:
        """The names in a zone; the top of a pile first."""
        cards = self.match.state.zones[seat][zone]
        return [self.name(card) for card in (cards[::-1] if zone in ("deck", "drop", "stock") else cards)]

    def held(self, card: str) -> list[str]:
        """What is tied to a card: its equipment and the cards under it."""
        return sorted(self.name(held) for held in self.match.card(self.find(card)).holds)

    def value(self, who: str | int, name: str) -> int:
        """A card's or player's current value."""
        return self.match.value(who if isinstance(who, int) else self.find(who), name)

    def events(self, *kinds: type) -> list[Any]:
        """The records since the position began, of these kinds (of all, if none is given); in a new game: all."""
        return [e for e in self.match.log[self.start:] if not kinds or isinstance(e, kinds)]

    def story(self, *kinds: type) -> list[str]:
        """The same, told in a few words each."""
        return [self._tell(event) for event in self.events(*kinds)]

    def moves(self, *hows: str) -> list[str]:
        """What `story` tells of the cards moved in one of these ways."""
        return [self._tell(event) for event in self.events(k.CardMoved) if event.how in hows]

    def reckoning(self) -> list[str]:
        """The steps of all reckonings: "atk 700", "def 300", "dealt 300"."""
        return [f"{e.step} {e.value}" for e in self.events(k.Reckoned)]

    def name(self, entity: int) -> str:
        """A card's name, with its number where it is not the first of that name."""
        if entity < k.FIRST_CARD:
            return f"seat {entity}"
        if entity >= k.FIRST_ITEM:
            return self.name(next(e for e in self.match.log if isinstance(e, k.Queued) and e.item == entity).frame.card)
        return next(name for name, card in self.ids.items() if card == entity).removesuffix("#1")

    def find(self, name: str, seat: int | None = None, zones: tuple[str, ...] = ("battle", "standby")) -> int:
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
            case ["play", name]:
                return Play(self.find(name, seat, ("hand",)))
            case ["play", name, "on", other]:
                return Play(self.find(name, seat, ("hand",)), self.find(other, seat))
            case ["attack", name]:
                return Attack(self.find(name, seat), 1 - seat)
            case ["use", name, *number]:
                zones = ("battle", "standby", "player", "hand")
                return Use(self.find(name, seat, zones), int(number[0]) if number else 0)
            case ["choose", name]:
                return Choose(self._option(name))
        raise ValueError(f"{step!r} is no step")

    def _option(self, name: str) -> int:
        asked = self.asked
        assert asked is not None
        if name.isdigit():
            return int(name)
        if asked.what == "order":
            return [self.name(card) for card in asked.about].index(name)
        for option in asked.options:
            if name in (self.name(option), self.name(option).split("#")[0]):
                return option
        return self.find(name)

    def _told(self, action: AnyAction) -> str:
        match action:
            case Choose(option):
                assert self.asked is not None
                if self.asked.of == "yes_no":
                    return "yes" if option else "no"
                if self.asked.of == "number":
                    return f"choose {self.name(self.asked.about[option]) if self.asked.about else option}"
                return f"choose {self.name(option)}"
            case Play(card):
                return f"play {self.name(card)}"
            case Use(card, ability):
                return f"use {self.name(card)}" + (f" {ability}" if ability else "")
        return type(action).__name__.lower()

    def _tell(self, event: k.Event) -> str:
        name = self.name
        match event:
            case k.CardMoved(card=card, how=how):
                return f"{name(card)} {how}"
            case k.CardTied(card=card, to=to):
                return f"{name(card)} on {name(to or 0)}"
            case k.CardFlipped(card=card):
                return f"{name(card)} flipped"
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
                return f"{effect} {name(card or 0)}"
            case k.LastingBegan(card=card, on=on, name=counter, add=add, be=be):
                return f"{name(card)}: {name(on)} {counter} {f'{add:+}' if be is None else be}"
            case k.LastingEnded(id=number):
                return f"{number} ended"
            case k.Aimed(card=card, target=target):
                return "aimed at nothing" if card is None else f"{name(card)} aims at {name(target or 0)}"
            case k.PhaseBegan(phase=phase, seat=seat):
                return phase if seat is None else f"{phase} {seat}"
            case k.TurnBegan(turn=number, seat=seat):
                return f"round {number}, {seat}"
            case k.Asked(seat=seat, what=what):
                return f"{seat} {what}"
            case k.Shown(cards=cards, seat=seat):
                return f"shown to {seat}: " + ", ".join(map(name, cards))
            case k.Rolled(outcome=outcome):
                return f"rolled {outcome}"
        return type(event).__name__
