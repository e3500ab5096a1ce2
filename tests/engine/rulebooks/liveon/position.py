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

A step is, besides those of every table: `move X`, `live X`, `live X on Y`, `attack X Y`, `attack X deck`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Self

from engine.core.match import Match
from engine.rulebooks.liveon import tasks
from engine.rulebooks.liveon.card import KEYWORDS, LiveOnCard, LiveOnDefinition
from engine.rulebooks.liveon.rules import LiveOn
from events import kinds as k
from tests import table
from tests.table import Abilities, Laid, Options, entries, options_of, places, read

ZONES = {"A": "a", "B": "b", "hand": "hand", "deck": "deck", "discard": "discard"}
CIRCLED = "①②③④⑤⑥⑦⑧⑨"
COLOURS = ("red", "white", "blue", "black")
PLAIN = ["⑨"]
RARITIES = ("C", "U", "R", "VR", "SR", "MR")
STAR = "★"


def position(text: str, **abilities: Abilities) -> Table:
    """The table that the text describes, at the free decision of its phase."""
    cards = Cards(abilities)
    texts, said = read(text, phase="attack", turn="3", active="0", seed="1")
    sides = [_side(cards, side) for side in texts]
    number, active, seed = (int(said.pop(key)) for key in ("turn", "active", "seed"))
    phase = said.pop("phase")
    match = cards.match(_header(cards, sides, options_of(said), seed))
    first = k.FIRST_CARD
    for seat, side in enumerate(sides):
        match.make(seat, "deck", first, tuple(cards.code(laid.name) for laid in side))
        for laid in side:
            laid.id, first = first, first + 1
    if phase == "start":
        match.begin_turn(number - 1, 1 - active)
    else:
        match.begin_turn(number, active)
    for seat, side in enumerate(sides):
        for laid in side:
            _lay(match, seat, laid)
    return Table(match, _start(match, phase, active))


def new_game(deck_0: str, deck_1: str, seed: int = 1, options: Options | None = None, **abilities: Abilities) -> Table:
    """A game from its very beginning, each deck given as cards between commas."""
    cards = Cards(abilities)
    sides = [_side(cards, f"deck: {deck}") for deck in (deck_0, deck_1)]
    header = _header(cards, sides, options or {}, seed)
    return Table(cards.game().begin(header))


class Cards(table.Cards):
    """Live On cards."""

    kind, card, definition = LiveOn, LiveOnCard, LiveOnDefinition

    def name(self, words: list[str]) -> str:
        star = [STAR] if words[0].startswith(STAR) else []
        return super().name([words[0].lstrip(STAR), *star, *words[1:]])

    def define(self, name: str, words: list[str]) -> dict[str, Any]:
        abilities = self.abilities.get(name, [])
        words = PLAIN if name == "Plain" else words
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
            elif word not in ("skill", STAR):
                raise ValueError(f"{name}: {word!r} says nothing about a card")
        raw.setdefault("pow", 0 if skill else 1000)
        if not raw["power"] and not skill:
            raw["power"]["red"] = 1
        raw.setdefault("colour", next((c for c in raw["power"] if c != "any"), "red"))
        return {**raw, "star": STAR in words, "power": dict(raw["power"])}


def _side(cards: Cards, text: str) -> list[Laid]:
    """One seat's cards in the order of the text; the deck comes last, its top card last of all."""
    zones = {name: _cards(cards, ZONES[name], listed) for name, listed in places(text, tuple(ZONES)).items()}
    deck = zones.pop("deck", None) or _cards(cards, "deck", "10")
    return [laid for listed in zones.values() for laid in listed] + deck[::-1]


def _cards(cards: Cards, zone: str, text: str) -> list[Laid]:
    found = []
    for number, words, how in entries(text):
        upper, _, under = words.partition(" over ")
        for _ in range(number):
            fighter = cards.name(under.split()) if under else ""
            top = Laid(cards.name(upper.split()), zone, how)
            found += [top, Laid(fighter, "under", on=top, tie="under")] if under else [top]
    return found


def _header(cards: Cards, sides: list[list[Laid]], options: Options, seed: int) -> k.GameStarted:
    return cards.header([[laid.name for laid in side] for side in sides], options, seed)


def _lay(match: Match, seat: int, laid: Laid) -> None:
    if laid.zone != "deck":
        match.move(laid.id, seat, laid.zone, "set_up")
    for words in laid.counters():
        if words == ["down"]:
            match.exhaust(laid.id, True)
        else:
            match.set_counter(laid.id, words[0], int(words[1]))
    if laid.on is not None:
        match.attach(laid.id, laid.on.id, laid.tie)


def _start(match: Match, phase: str, active: int) -> int:
    """Begins, runs to the first question, and gives the number of the record where the story of the position begins."""
    start = len(match.log)
    if phase == "start":
        match.push(tasks.TurnStart(active))
    elif phase == "end":
        match.push(tasks.EndPhase())
    else:
        match.begin_phase(phase, active)
        match.push(tasks.Main(phase))
    match.run()
    if phase in ("start", "end"):
        return start
    if match.state.phase != phase or match.state.active != active:
        raise ValueError(f"there is nothing to decide in this {phase} phase: add a spare legal action")
    return len(match.log)


class Table(table.Table):
    """A game of Live On in progress.

    The story begins with the first question of the position; in the start and end phase, with what leads to it.
    """

    card_values = ("pow", *KEYWORDS)
    near = ("a", "b")
    used = ("a", "b", "hand")
    plays = "live"

    def settle(self) -> Self:
        """Both pass until something else than a window is asked."""
        while self.asked is not None and self.asked.question == "window":
            self.do("pass")
        return self

    def zone(self, seat: int, zone: str) -> list[str]:
        """The names in a zone: A, B, hand, deck, discard (the top of a pile first), under, pile."""
        return super().zone(seat, ZONES.get(zone, zone))

    def pow(self, card: str) -> int:
        return self.value(card, "pow")

    def down(self, card: str) -> bool:
        return self.match.card(self.find(card)).exhausted
