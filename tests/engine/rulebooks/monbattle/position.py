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

A step is, besides those of every table: `play X`, `attack X`.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from engine.core import values
from engine.core.match import Match
from engine.rulebooks.monbattle import tasks
from engine.rulebooks.monbattle.card import CHANGES, STATS, Attribute, MonBattleCard, MonBattleDefinition, SetRules
from engine.rulebooks.monbattle.rules import MonBattle
from events import kinds as k
from events.actions import AnyAction, Attack
from tests import table
from tests.table import Abilities, Laid, Options, entries, options_of, places, read

ZONES = ("player", "battle", "standby", "hand", "deck", "stock", "drop", "field")
ATTRIBUTES = {"fire": "wood", "wood": "water", "water": "fire", "stone": "", "mist": ""}
RULES = SetRules({name: Attribute(beats=(beats,) if beats else ()) for name, beats in ATTRIBUTES.items()})
TIES = {"weapon": "weapon", "assist": "item"}

BELL = {"ability": "activated", "cost": [{"pay": "mill", "n": 0}], "then": [{"do": "draw", "n": 0}]}
"""Does nothing, as often as one likes."""


def position(text: str, rules: SetRules = RULES, **abilities: Abilities) -> Table:
    """The table that the text describes, at the first question of its phase."""
    cards = Cards(abilities, rules)
    texts, said = read(text, phase="main", turn="3", active="0", seed="1")
    sides = [_side(cards, side) for side in texts]
    seat = int(said.pop("seat", said["active"]))
    number, active, seed = (int(said.pop(key)) for key in ("turn", "active", "seed"))
    phase = said.pop("phase")
    match = cards.match(_header(cards, sides, options_of(said), seed))
    first = k.FIRST_CARD
    for side_seat, side in enumerate(sides):
        for laid in side:
            laid.id, first = first, first + 1
        match.make(side_seat, "player", side[0].id, (cards.code(side[0].name),))
        match.make(side_seat, "deck", side[1].id, tuple(cards.code(laid.name) for laid in side[1:]))
    match.begin_turn(number - (phase == "start"), active)
    _lay(match, sides)
    return Table(match, _start(match, phase, active, seat))


def new_game(
    deck_0: str, deck_1: str, seed: int = 1, options: Options | None = None, rules: SetRules = RULES,
    **abilities: Abilities,
) -> Table:
    """A game from its very beginning, each deck given as cards between commas; the player cards are called Chief."""
    cards = Cards(abilities, rules)
    sides = [_side(cards, f"deck: {deck}") for deck in (deck_0, deck_1)]
    header = _header(cards, sides, options or {}, seed)
    return Table(cards.game().begin(header))


class Cards(table.Cards):
    """Monster Battle cards, and what their set lays down."""

    kind, card, definition = MonBattle, MonBattleCard, MonBattleDefinition

    def __init__(self, abilities: dict[str, Abilities], rules: SetRules) -> None:
        super().__init__(abilities)
        self.tables = {"rules": msgspec.to_builtins(rules)}

    def define(self, name: str, words: list[str]) -> dict[str, Any]:
        raw: dict[str, Any] = {"kind": "monster"}
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
            raw = {"lp": 6000, "pp": 30, "level": 3, **raw, "kind": "player"}
            raw["ability"] = self.abilities.get(name, [BELL])
        if raw["kind"] == "monster":
            raw = {"cost": 1, "atk": 500, "def": 200, "spd": 3, "attribute": "stone", **raw}
        return raw


def _side(cards: Cards, text: str) -> list[Laid]:
    """One seat's cards: the player card, the others in the order of the text, the deck, its top card last of all."""
    zones = {name: _cards(cards, name, listed) for name, listed in places(text, ZONES).items()}
    deck = zones.pop("deck", None) or _cards(cards, "deck", "10")
    player = zones.pop("player", None) or [Laid(cards.name(["Chief"]), "player")]
    return [*player, *(laid for listed in zones.values() for laid in listed), *deck[::-1]]


def _cards(cards: Cards, zone: str, text: str) -> list[Laid]:
    found = []
    for number, words, how in entries(text):
        monster, *gear = words.split(" + ")
        upper, *under = monster.split(" over ")
        for _ in range(number):
            top = Laid(cards.name(upper.split()), zone, how)
            found.append(top)
            found += [Laid(cards.name(u.split()), "under", on=top, tie="under") for u in reversed(under)]
            for name in (cards.name(g.split()) for g in gear):
                found.append(Laid(name, "gear", on=top, tie=TIES[cards.raw[name]["kind"]]))
    return found


def _header(cards: Cards, sides: list[list[Laid]], options: Options, seed: int) -> k.GameStarted:
    decks = [[laid.name for laid in side[1:]] for side in sides]
    return cards.header(decks, options, seed, tuple(side[0].name for side in sides))


def _lay(match: Match, sides: list[list[Laid]]) -> None:
    for seat, side in enumerate(sides):
        match.flip(side[0].id, True)
        for laid in side[1:]:
            if laid.zone != "deck":
                match.move(laid.id, seat, laid.zone, "set_up")
        for laid in side:
            if laid.on is not None:
                match.attach(laid.id, laid.on.id, laid.tie)
        printed: Any = match.definition(side[0].id).printed
        match.set_counter(seat, "lp", printed.lp)
        for name in ("pp", "level"):
            values.touch(match, seat, name)
        stock = match.state.zones[seat]["stock"]
        match.set_counter(seat, "stock_cost", sum(match.value(card, "cost") for card in stock))
        for words in (words for laid in side for words in laid.counters()):
            match.set_counter(seat, words[0], int(words[1]))


def _start(match: Match, phase: str, active: int, seat: int) -> int:
    """Begins, runs to the first question, and gives the number of the first record that the position is not made of."""
    start = len(match.log)
    if phase == "start":
        match.push(tasks.Round())
    elif phase == "order":
        match.push(tasks.Order())
    else:
        match.push(tasks.EndPhase())
        if phase != "end" and seat == active:
            match.push(tasks.AttackPhase(1 - active), tasks.MainPhase(1 - active))
        if phase == "main":
            match.begin_phase("main", seat)
            match.push(tasks.AttackPhase(seat), tasks.Main(seat))
        elif phase != "end":
            match.push(tasks.AttackPhase(seat))
        if phase == "draw":
            match.push(tasks.MainPhase(seat))
    match.run()
    return start


class Table(table.Table):
    """A game of Monster Battle in progress. The story begins when the position has been laid out."""

    card_values = (*STATS, *CHANGES, "attribute")
    seat_values = ("pp", "level")
    near = ("battle", "standby")
    used = ("battle", "standby", "player", "hand")

    def check(self) -> None:
        super().check()
        state, printed = self.match.state, self.match.printed
        for card in state.cards.values():
            assert (card.zone in ("under", "gear")) == (card.attached_to is not None)
        for seat in (0, 1):
            stock = sum(printed[card].stats["cost"] for card in state.zones[seat]["stock"])
            assert self.match.value(seat, "stock_cost") == stock

    def held(self, card: str) -> list[str]:
        """What is tied to a card: its equipment and the cards under it."""
        return sorted(self.name(held) for held in self.match.card(self.find(card)).attachments)

    def reckoning(self) -> list[str]:
        """The steps of all reckonings: "atk 700", "def 300", "dealt 300"."""
        return [f"{e.step} {e.value}" for e in self.events(k.DamageCalculated)]

    def action(self, step: str) -> AnyAction:
        match step.split():
            case ["attack", name] if self.asked is not None:
                return Attack(self.find(name, self.asked.seat), 1 - self.asked.seat)
        return super().action(step)

    def tell(self, event: k.Event) -> str:
        if isinstance(event, k.PhaseBegan) and event.seat is not None:
            return f"{event.phase} {event.seat}"
        return super().tell(event)
