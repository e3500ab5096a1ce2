"""The facts of one game: it is folded once, and what statistics count is given as rows.

Driven by what the rulebook line declares (zones, counters, roles of move kinds): no game's name may stand here. What
the rows amount to is said in SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

from msgspec import Struct

from engine.cards.decks import deck_digest
from engine.fold import FoldError, empty_state, fold
from engine.rulebooks.registry import GAMES, game_type
from engine.rulebooks.rulebook import read_ruleset
from engine.state import Declared, life
from events import kinds as k
from events.game import GameLog
from events.record import game_key
from replays.stats.rows import (
    TABLES,
    CardRow,
    DecisionRow,
    GameRow,
    NameRow,
    PileRow,
    Rows,
    SeatRow,
    StrikeRow,
    TurnRow,
)

FACTS = 3
"""Version of what is read out of a game; a shard of another version is built anew."""

LONGEST = 200
"""Most characters that are kept of a name or tag."""

MOST = 2**31 - 1

HELD = ("opening", "drawn", "fetched")
WAYS = (*HELD, "started", "turned_up", "milled", "unseen")
"""What a copy counts as, by how it first left its starting pile."""


class Copy(Struct, gc=False):
    """One copy of a card in one game: how it first left its starting pile, and what it did."""

    owner: int
    code: str | None
    home: str
    """the pile in which it began, or "" """
    place: int = 0
    """where the last shuffle of set-up put it, from 1, the top; 0: it was in none"""
    way: str = ""
    entered: int | None = None
    """turn in which it first came to the hand"""
    played: int | None = None
    """turn in which it was first played from the hand"""
    fresh: bool = False
    """it has just been played or turned up, and its effect is not yet on the stack"""
    used: bool = False
    """its effect is on the stack, and already counted as a use"""
    uses: int = 0
    damage_cards: int = 0
    damage_player: int = 0
    drew: int = 0
    destroyed: int = 0


class GameFacts:
    """What one game says, gathered in one fold; each record is looked at before the fold takes it in."""

    def __init__(self, game: GameLog, pack: str, declared: Declared) -> None:
        self.game = game
        self.pack = pack
        self.declared = declared
        self.state = empty_state(declared)
        self.roles = declared.book.roles
        self.hands = frozenset(z.name for z in declared.book.zones if z.visible_to == "owner" and not z.ordered)
        self.copies: dict[int, Copy] = {}
        self.homes: list[str] = []
        self.by: dict[int, int | None] = {}
        """record that can be a cause -> the card behind it"""
        self.items: dict[int, int] = {}
        self.struck: dict[tuple[int, int], int] = {}
        """(card, cause) -> who struck it last"""
        self.orders: dict[tuple[int, str], tuple[int, ...]] = {}
        """(seat, pile) -> the order that its last shuffle of set-up gave it, the last card on top"""
        self.returned: tuple[set[str], set[str]] = set(), set()
        """of each seat, cards that went back from its hand since the last shuffle"""
        self.redrawn = [0, 0]
        self.redrawn_with: dict[tuple[int, str], int] = {}
        """(seat, card) -> how many hands with it were drawn anew"""
        self.first_seat: int | None = None
        self.turns: list[TurnRow] = []
        self.strikes: list[StrikeRow] = []
        self.decisions: list[DecisionRow] = []

    def gather(self) -> None:
        """Folds all records. Raises FoldError or ValueError where they cannot follow or make no sense."""
        for event in self.game.events:
            self.take(event)

    def take(self, event: k.Event) -> None:
        """Looks at the next record and folds it."""
        look = LOOKS.get(type(event))
        if look is not None:
            look(self, event)
        fold(self.state, event, self.declared)

    def cause(self, event: k.Event) -> int:
        """The number of the record that caused the next one to be folded."""
        return self.state.seq - event.back if event.back else self.state.cause

    # --- looks at one record each -------------------------------------------------------------------------

    def cards_made(self, e: k.CardsMade) -> None:
        if e.first == k.HIDDEN or self.first_seat is not None:
            return
        pile = self.declared.zones[e.zone].ordered
        if pile and e.zone not in self.homes:
            self.homes.append(e.zone)
        for card, code in enumerate(e.codes, e.first):
            self.copies[card] = Copy(_seat(e.seat), code, e.zone if pile else "")

    def card_moved(self, e: k.CardMoved) -> None:
        copy = self.copies.get(e.card)
        if copy is None:
            return
        old, role, turn = self.state.cards[e.card].zone, self.roles.get(e.move_kind, ""), max(self.state.turn, 1)
        table, from_hand = self.declared.table, old in self.hands
        if self.first_seat is None:
            if from_hand and e.zone == copy.home:
                self.returned[copy.owner].add(copy.code or "")
            elif from_hand and e.zone not in self.hands:
                copy.way = "opening"
        elif not copy.way and old == copy.home and e.zone != old:
            copy.way = self._way(e.zone, role)
        if e.zone in self.hands and copy.entered is None:
            copy.entered = turn
        if from_hand and copy.played is None and (e.zone in table or role == "played"):
            copy.played = turn
        if e.zone in table and old not in table and not copy.used:
            copy.uses += 1
        copy.used = False
        copy.fresh = role in ("played", "turned_up")
        if role == "destroyed":
            self._destroyed(e, copy)
        elif role == "drawn" and self.first_seat is not None:
            by = self.copies.get(self.by.get(self.cause(e)) or 0)
            if by is not None and by.owner == e.seat:
                by.drew += 1

    def _way(self, zone: str, role: str) -> str:
        """What a copy counts as that leaves its starting pile for `zone` during the game."""
        if role == "turned_up":
            return role
        if zone in self.hands:
            return "drawn" if role == "drawn" else "fetched"
        return "fetched" if zone in self.declared.table else "milled"

    def _destroyed(self, e: k.CardMoved, copy: Copy) -> None:
        """Who dealt the last damage for the same cause destroyed it, else the card behind the cause."""
        cause = self.cause(e)
        by = self.copies.get(self.struck.get((e.card, cause), self.by.get(cause) or 0))
        if by is not None and by.owner != copy.owner:
            by.destroyed += 1

    def shuffled(self, e: k.Shuffled) -> None:
        """A shuffle of set-up: the last one of a pile counts. One after cards went back from a hand redraws it."""
        if self.first_seat is not None:
            return
        seat = _seat(e.seat)
        self.orders[seat, e.zone] = e.order
        back = self.returned[seat]
        if back:
            self.redrawn[seat] += 1
            for code in back:
                self.redrawn_with[seat, code] = self.redrawn_with.get((seat, code), 0) + 1
            back.clear()

    def stack_pushed(self, e: k.StackPushed) -> None:
        self.items[e.item] = e.frame.card
        copy = self.copies.get(e.frame.card)
        if copy is not None and (copy.fresh or self.state.cards[e.frame.card].zone in self.hands):
            copy.uses += 1
            copy.used, copy.fresh = True, False

    def stack_popped(self, e: k.StackPopped) -> None:
        self.by[self.state.seq] = self.items.get(e.item)

    def rule_applied(self, e: k.RuleApplied) -> None:
        self.by[self.state.seq] = e.card

    def acted(self, e: k.Acted) -> None:
        number, asked = self.state.seq, self.state.asked
        self.by[number] = getattr(e.action, "card", None)
        self.decisions.append(DecisionRow(
            pack=self.pack,
            index=self.game.index,
            record=number,
            turn=self.state.turn,
            seat=_seat(e.seat),
            what=_short(asked.question) if asked is not None else None,
            did=str(type(e.action).__struct_config__.tag),
            options=len(asked.options) or None if asked is not None else None,
        ))

    def damage_dealt(self, e: k.DamageDealt) -> None:
        amount = _whole(e.amount)
        source = self.copies.get(e.source)
        if e.target < k.FIRST_CARD:
            seat, code = _seat(e.target), None
        else:
            target = self.state.cards[e.target]
            seat, code = target.seat, target.code
            self.struck[e.target, self.cause(e)] = e.source
        if source is not None and source.owner != seat:
            if e.target < k.FIRST_CARD:
                source.damage_player += amount
            else:
                source.damage_cards += amount
        self.strikes.append(StrikeRow(
            pack=self.pack,
            index=self.game.index,
            record=self.state.seq,
            turn=self.state.turn,
            source_seat=source.owner if source is not None else None,
            source_code=_short(source.code) if source is not None else None,
            target_seat=seat,
            target_code=_short(code),
            amount=amount,
        ))

    def turn_began(self, e: k.TurnBegan) -> None:
        _whole(e.turn)
        if self.first_seat is not None:
            if e.turn != self.state.turn:  # else it passes over midway
                self._turn_over()
            return
        self.first_seat = _seat(e.seat)
        for (_, pile), order in self.orders.items():
            for place, card in enumerate(reversed(order), 1):
                copy = self.copies.get(card)
                if copy is not None and copy.home == pile:
                    copy.place = place
        for card, copy in self.copies.items():
            zone = self.state.cards[card].zone
            if zone in self.hands:
                copy.way = "opening"
            elif not copy.way and (not copy.home or zone != copy.home):
                copy.way = "started"

    def game_ended(self, e: k.GameEnded) -> None:
        if e.winner is not None:
            _seat(e.winner)
        if self.first_seat is not None:
            self._turn_over()

    def _turn_over(self) -> None:
        decks, hands = self._counts(self.homes), self._counts(self.hands)
        self.turns.append(TurnRow(
            pack=self.pack,
            index=self.game.index,
            turn=self.state.turn,
            seat=self.state.active,
            life_0=self.life(0),
            life_1=self.life(1),
            deck_0=decks[0],
            deck_1=decks[1],
            hand_0=hands[0],
            hand_1=hands[1],
        ))

    def _counts(self, zones: Iterable[str]) -> tuple[int, int]:
        found = [0, 0]
        for zone in zones:
            for seat in (0, 1):
                found[seat] += self.state.count(seat, zone)
        return found[0], found[1]

    def life(self, seat: int) -> int | None:
        """What is left of a seat's life; None in a game without such a thing."""
        left = life(self.state, seat, self.declared)
        return None if left is None else _whole(left)

    # --- rows ---------------------------------------------------------------------------------------------

    def card_rows(self) -> Iterator[CardRow]:
        """A row for each card of each seat whose code is known."""
        rows: dict[tuple[int, str], CardRow] = {}
        for copy in self.copies.values():
            if copy.code is None:
                continue
            row = rows.get((copy.owner, copy.code))
            if row is None:
                row = rows[copy.owner, copy.code] = self._card_row(copy.owner, copy.code)
            _add(row, copy)
        return iter(rows.values())

    def _card_row(self, seat: int, code: str) -> CardRow:
        return CardRow(
            pack=self.pack, index=self.game.index, seat=seat, code=code[:LONGEST], deck=0, opening=0, drawn=0,
            fetched=0, started=0, turned_up=0, milled=0, unseen=0, pile=None, places=None,
            redrawn=self.redrawn_with.get((seat, code), 0), played=0, held_played=0, first_turn=None, turns_held=None,
            uses=0, damage_cards=0, damage_player=0, drew=0, destroyed=0,
        )  # fmt: skip

    def pile_rows(self) -> Iterator[PileRow]:
        """A row for each pile that was shuffled in set-up."""
        for (seat, pile), order in self.orders.items():
            copies = [self.copies[card] for card in order if card in self.copies]
            zone = self.declared.zones[pile]
            if order and len(copies) == len(order):
                yield PileRow(
                    pack=self.pack,
                    index=self.game.index,
                    seat=seat,
                    pile=pile[:LONGEST],
                    size=len(order),
                    early=_whole(zone.early or early_here(self.declared.book.key).get(pile, 0)),
                    life=zone.life,
                    seen=sum(bool(copy.way) for copy in copies),
                )


def _add(row: CardRow, copy: Copy) -> None:
    """Adds a copy to the row of its card."""
    way = copy.way or "unseen"
    row.deck += 1
    setattr(row, way, getattr(row, way) + 1)
    if copy.home and row.pile is None:
        row.pile = copy.home[:LONGEST]
    if copy.place and row.pile == copy.home:
        row.places = sorted((*(row.places or ()), copy.place))
    if copy.played is not None:
        row.played += 1
        row.first_turn = copy.played if row.first_turn is None else min(row.first_turn, copy.played)
        if way in HELD:
            row.held_played += 1
            row.turns_held = (row.turns_held or 0) + copy.played - (copy.entered or 1)
    row.uses += copy.uses
    row.damage_cards += copy.damage_cards
    row.damage_player += copy.damage_player
    row.drew += copy.drew
    row.destroyed += copy.destroyed


@cache
def early_here(game: str) -> dict[str, int]:
    """What the rulebook at hand calls early of each pile: older logs of the game do not say it."""
    if game not in GAMES:
        return {}
    return {zone.name: zone.early for zone in read_ruleset(game_type(game).folder).zones if zone.early}


def name_rows(cards: k.CardSet, pack: str, index: int) -> Iterator[NameRow]:
    """What a card set that a log carries calls its cards; what is no name is passed over."""
    for code, card in cards.cards.items():
        names = card.get("name")
        for language, name in (names if isinstance(names, dict) else {"en": names}).items():
            if isinstance(name, str) and name:
                yield NameRow(
                    pack=pack,
                    index=index,
                    game=cards.game[:LONGEST],
                    card_set=cards.key[:LONGEST],
                    version=cards.version[:LONGEST],
                    code=code[:LONGEST],
                    language=str(language)[:LONGEST],
                    name=name[:LONGEST],
                )


LOOKS: dict[type, Callable[[GameFacts, Any], None]] = {
    k.CardsMade: GameFacts.cards_made, k.CardMoved: GameFacts.card_moved, k.Shuffled: GameFacts.shuffled,
    k.StackPushed: GameFacts.stack_pushed, k.StackPopped: GameFacts.stack_popped, k.RuleApplied: GameFacts.rule_applied,
    k.Acted: GameFacts.acted, k.DamageDealt: GameFacts.damage_dealt, k.TurnBegan: GameFacts.turn_began,
    k.GameEnded: GameFacts.game_ended,
}


def _seat(seat: int) -> int:
    if seat not in (0, 1):
        raise ValueError(f"there is no seat {seat}; the seats are 0 and 1")
    return seat


def _whole(number: int) -> int:
    if not -MOST <= number <= MOST:
        raise ValueError("a number is too large to be counted")
    return number


def _short(text: str | None) -> str | None:
    return None if text is None else text[:LONGEST]


def game_rows(game: GameLog, pack: str, declared: Declared | None) -> Rows:
    """The rows of one game, by table. One that cannot be followed has its row in `games`, with its fault."""
    rows: Rows = {name: [] for name in TABLES}
    fault = str(game.fault) if game.fault else None
    if not game.events:
        rows["games"].append(GameRow(
            pack=pack, index=game.index, offset=game.offset, ended=False, sealed=False, fault=_short(fault) or "",
        ))
        return rows
    facts = None
    if declared is not None and game.header.view is None:
        facts = GameFacts(game, pack, declared)
        try:
            facts.gather()
        except (FoldError, ValueError, KeyError, IndexError) as problem:
            facts, fault = None, fault or f"{problem}"
    rows["games"].append(_game_row(game, pack, facts, fault))
    rows["seats"] += _seat_rows(game, pack, facts)
    if facts is not None:
        rows["cards"] += facts.card_rows()
        rows["piles"] += facts.pile_rows()
        rows["turns"] += facts.turns
        rows["strikes"] += facts.strikes
        rows["decisions"] += facts.decisions
    return rows


def _game_row(game: GameLog, pack: str, facts: GameFacts | None, fault: str | None) -> GameRow:
    header = game.header
    form = header.options.get("format")
    at = _time(header.at)
    result = next((e for e in reversed(game.events) if isinstance(e, k.GameEnded)), None)
    return GameRow(
        pack=pack,
        index=game.index,
        offset=game.offset,
        game_id=_short(header.id),
        game_key=game_key(game.events),
        game=_short(header.game),
        rulebook=_short(header.rulebook.version),
        card_sets=[f"{s.key} {s.version}"[:LONGEST] for s in header.card_sets],
        format=_short(form) if isinstance(form, str) else None,
        origin=_short(header.origin),
        match=_short(header.match),
        day=at.date() if at else _day(header.date),
        at=at,
        tags=[tag[:LONGEST] for tag in header.tags],
        turns=facts.state.turn if facts else None,
        first_seat=facts.first_seat if facts else None,
        winner=result.winner if facts and result else None,
        reason=_short(result.reason) if result else None,
        records=len(game.events),
        decisions=len(facts.decisions) if facts else sum(type(e) is k.Acted for e in game.events),
        ended=game.ended,
        sealed=game.sealed,
        view=header.view if header.view in (0, 1, None) else 0,
        fault=_short(fault),
    )


def _seat_rows(game: GameLog, pack: str, facts: GameFacts | None) -> Iterator[SeatRow]:
    result = facts.state.result if facts else None
    first = facts.first_seat if facts else None
    for number, seat in enumerate(game.header.seats):
        w = None
        if result is not None:
            w = 0.5 if result.winner is None else float(result.winner == number)
        yield SeatRow(
            pack=pack,
            index=game.index,
            seat=number,
            player=seat.player[:LONGEST],
            player_kind=seat.player_kind[:LONGEST],
            deck=deck_digest(seat.deck) if seat.deck.cards else None,
            deck_name=seat.deck.name[:LONGEST],
            first=None if first is None else first == number,
            w=w,
            life=facts.life(number) if facts else None,
            redrawn=facts.redrawn[number] if facts else 0,
        )


def _time(text: str | None) -> datetime | None:
    """A UTC time without its zone, or None where there is none that can be read."""
    try:
        moment = datetime.fromisoformat(text or "")
        return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    except (ValueError, OverflowError):
        return None


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None
