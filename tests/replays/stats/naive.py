"""A second way to the same numbers, slow and plain: from the records alone, without fold, facts, SQL or Arrow.

It is written from the definitions, not from the code that it checks. For the tests here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from math import sqrt
from typing import Any

from engine.cards.decks import deck_digest
from events import kinds as k
from events.game import GameLog
from events.record import causes, game_key

Z = 1.959963984540054
Unit = dict[str, Any]


# --- games to units: a game seen from one seat --------------------------------------------------------------


def counted(games: Iterable[GameLog]) -> list[GameLog]:
    """The games that count: open logs that have ended by the rules after two turns or more, each once."""
    found: dict[str, GameLog] = {}
    for game in games:
        last_turn = max((e.turn for e in game.events if isinstance(e, k.TurnBegan)), default=0)
        whole = game.ended and not game.fault and game.header.view is None
        if whole and last_turn > 1 and _result(game).reason != "error":
            found.setdefault(game_key(game.events), game)
    return list(found.values())


def _result(game: GameLog) -> k.GameEnded:
    return next(e for e in game.events if isinstance(e, k.GameEnded))


def units(games: Iterable[GameLog]) -> list[Unit]:
    """Both seats of each counted game, with the copies of each card."""
    found = []
    for number, game in enumerate(counted(games)):
        copies = copies_of(game)
        turns = [e for e in game.events if isinstance(e, k.TurnBegan)]
        for seat in (0, 1):
            result = _result(game)
            found.append({
                "g": number, "seat": seat, "turns": turns[-1].turn, "first": turns[0].seat == seat,
                "reason": result.reason, "player_kind": game.header.seats[seat].player_kind,
                "player": game.header.seats[seat].player,
                "deck": deck_digest(game.header.seats[seat].deck),
                "against": deck_digest(game.header.seats[1 - seat].deck),
                "w": 0.5 if result.winner is None else 1.0 if result.winner == seat else 0.0,
                "tags": game.header.tags, "date": game.header.date,
                "cards": {code: one for (owner, code), one in copies.items() if owner == seat},
            })
    return found


def copies_of(game: GameLog) -> dict[tuple[int, str], dict[str, Any]]:
    """(seat, code) -> how many copies were opening, drawn, … and what they did."""
    book = game.rulebook
    zones = {z.name: z for z in book.zones}
    is_hand = {n: z.visible_to == "owner" and not z.ordered for n, z in zones.items()}
    why = causes(game.events)
    begins = next(n for n, e in enumerate(game.events) if isinstance(e, k.TurnBegan))
    where: dict[int, str] = {}
    home: dict[int, str] = {}
    who: dict[int, tuple[int, str]] = {}
    life: dict[int, list[tuple[int, int, str, str, str]]] = defaultdict(list)
    """card -> its moves: record, turn, from, to, how"""
    turn = 0
    orders: dict[tuple[int, str], tuple[int, ...]] = {}
    hands: dict[int, set[str]] = {0: set(), 1: set()}
    redrawn: list[tuple[int, set[str]]] = []
    for number, event in enumerate(game.events):
        if isinstance(event, k.Shuffled) and number < begins:
            orders[event.seat, event.zone] = event.order
            if hands[event.seat]:
                redrawn.append((event.seat, hands[event.seat]))
                hands[event.seat] = set()
        back = isinstance(event, k.CardMoved) and event.zone == home[event.card] and is_hand[where[event.card]]
        if back and number < begins:
            hands[event.seat].add(who[event.card][1])
        if isinstance(event, k.CardsMade):
            for card, code in enumerate(event.codes, event.first):
                where[card] = home[card] = event.zone
                who[card] = (event.seat, code)
        elif isinstance(event, k.TurnBegan):
            turn = event.turn
        elif isinstance(event, k.CardMoved):
            life[event.card].append((number, turn, where[event.card], event.zone, event.move_kind))
            where[event.card] = event.zone
    found: dict[tuple[int, str], dict[str, Any]] = defaultdict(lambda: defaultdict(int))
    for card, place in who.items():
        one = found[place]
        one["deck"] += 1
        way = _way(life[card], begins, home[card], zones, is_hand, book.roles)
        one[way] += 1
        plays = [m for m in life[card] if is_hand[m[2]] and (zones[m[3]].table or book.roles.get(m[4]) == "played")]
        if plays:
            one["played"] += 1
            one["first_turn"] = min(one["first_turn"] or 10**9, max(plays[0][1], 1))
            if way in ("opening", "drawn", "fetched"):
                entered = next((m[1] for m in life[card] if is_hand[m[3]]), 1)
                one["held_played"] += 1
                one["turns_held"] += max(plays[0][1], 1) - max(entered, 1)
    _work(game, why, begins, who, life, found)
    for (_, zone), order in orders.items():
        for place, card in enumerate(order[::-1], 1):
            one = found[who[card]]
            one.setdefault("places", []).append(place)
            one["size"], one["early"], one["life"] = len(order), zones[zone].early, zones[zone].life
    for (_seat, code), one in found.items():
        one["redrawn"] = sum(seat == _seat and code in hand for seat, hand in redrawn)
    return found


def _way(
    moves: list[tuple[int, int, str, str, str]], begins: int, home: str, zones: dict[str, k.Zone],
    is_hand: dict[str, bool], roles: dict[str, str],
) -> str:
    before = [m for m in moves if m[0] < begins]
    place = before[-1][3] if before else home
    if is_hand[place] or any(is_hand[m[2]] and m[3] != home and not is_hand[m[3]] for m in before):
        return "opening"
    if not zones[home].ordered or place != home:
        return "started"
    left = next((m for m in moves if m[0] > begins and m[3] != home), None)
    if left is None:
        return "unseen"
    role = roles.get(left[4])
    if role == "turned_up":
        return "turned_up"
    if is_hand[left[3]]:
        return "drawn" if role == "drawn" else "fetched"
    return "fetched" if zones[left[3]].table else "milled"


def _work(game: GameLog, why: list[int], begins: int, who: Any, life: Any, found: Any) -> None:
    events, roles = game.events, game.rulebook.roles

    def behind(number: int) -> int | None:
        cause = events[why[number]]
        if isinstance(cause, k.Acted):
            return getattr(cause.action, "card", None)
        if isinstance(cause, k.StackPopped):
            return next(e.frame.card for e in events if isinstance(e, k.StackPushed) and e.item == cause.item)
        return cause.card if isinstance(cause, k.RuleApplied) else None

    for number, event in enumerate(events):
        if isinstance(event, k.DamageDealt) and event.source in who:
            owner = who[event.source][0]
            other = event.target if event.target < 2 else who[event.target][0]
            if owner != other:
                found[who[event.source]]["damage_player" if event.target < 2 else "damage_cards"] += event.amount
        if isinstance(event, k.CardMoved):
            role, by = roles.get(event.move_kind), behind(number)
            if role == "drawn" and number > begins and by in who and who[by][0] == event.seat:
                found[who[by]]["drew"] += 1
            if role == "destroyed":
                hits = [e.source for n, e in enumerate(events[:number])
                        if isinstance(e, k.DamageDealt) and e.target == event.card and why[n] == why[number]]
                by = hits[-1] if hits else by
                if by in who and who[by][0] != who[event.card][0]:
                    found[who[by]]["destroyed"] += 1


# --- units to numbers ---------------------------------------------------------------------------------------


def wilson(p: float, n: float) -> tuple[float, float]:
    """Wilson's interval at 95 %."""
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def cell(p: float, n: float, mean: float) -> dict[str, Any]:
    """A rate with its interval, its shrunk estimate and whether it is thin."""
    low, high = wilson(p, n)
    return {
        "rate": p, "low": low, "high": high, "shrunk": (p * n + 50 * mean) / (n + 50), "thin": (high - low) / 2 > 0.05,
    }


def mean_w(chosen: list[Unit]) -> float:
    """The mean win rate, draws left out."""
    decided = [u["w"] for u in chosen if u["w"] != 0.5]
    return sum(decided) / len(decided)


def by_copies(chosen: list[Unit], code: str, number: Callable[[dict[str, int]], int]) -> dict[str, Any] | None:
    """The win rate of a card over the copies that `number` counts; None where there are none."""
    seen = [(number(u["cards"][code]), u["w"]) for u in chosen if code in u["cards"] and u["w"] != 0.5]
    copies = sum(c for c, _ in seen)
    if not copies:
        return None
    p = sum(w * c for c, w in seen) / copies
    variance = sum(c * c * (w - p) ** 2 for c, w in seen) / copies**2
    most = copies**2 / sum(c * c for c, _ in seen)
    n = most if p in (0, 1) or variance < 1e-15 else min(p * (1 - p) / variance, most)
    won = [w for c, w in seen if c]
    once = cell(sum(won) / len(won), len(won), mean_w(chosen))
    return {
        **cell(p, n, mean_w(chosen)), "copies": copies, "games": len(won),
        **{f"{name}_by_games": value for name, value in once.items()},
    }


def iih(chosen: list[Unit], code: str) -> dict[str, float] | None:
    """The improvement in hand with its interval."""
    held = by_copies(chosen, code, lambda c: c["opening"] + c["drawn"])
    unseen = by_copies(chosen, code, lambda c: c["unseen"])
    if held is None or unseen is None:
        return None
    variance = 0.0
    for u in chosen:
        if code in u["cards"] and u["w"] != 0.5:
            c = u["cards"][code]
            one = (c["opening"] + c["drawn"]) * (u["w"] - held["rate"]) / held["copies"]
            two = c["unseen"] * (u["w"] - unseen["rate"]) / unseen["copies"]
            variance += (one - two) ** 2
    d = held["rate"] - unseen["rate"]
    if variance > 1e-12:
        low, high = d - Z * sqrt(variance), d + Z * sqrt(variance)
    else:
        low = d - sqrt((held["rate"] - held["low"]) ** 2 + (unseen["high"] - unseen["rate"]) ** 2)
        high = d + sqrt((held["high"] - held["rate"]) ** 2 + (unseen["rate"] - unseen["low"]) ** 2)
    return {
        "difference": d, "low": max(low, -1), "high": min(high, 1), "shrunk": held["shrunk"] - unseen["shrunk"],
        "thin": (high - low) / 2 > 0.05,
    }


def play_rate(chosen: list[Unit], code: str) -> dict[str, Any] | None:
    """The share of the copies in hand that were played; draws count."""

    def hand(c: dict[str, int]) -> int:
        return c["opening"] + c["drawn"] + c["fetched"]

    every = [c for u in chosen for c in u["cards"].values()]
    seen = [u["cards"][code] for u in chosen if code in u["cards"]]
    copies, played = sum(map(hand, seen)), sum(c["held_played"] for c in seen)
    if not copies:
        return None
    p = played / copies
    variance = sum((c["held_played"] - p * hand(c)) ** 2 for c in seen) / copies**2
    weights = copies**2 / sum(hand(c) ** 2 for c in seen)
    n = min(p * (1 - p) / variance, weights) if 0 < p < 1 and variance > 1e-15 else weights
    with_it = [c for c in seen if hand(c)]
    mean = sum(c["held_played"] for c in every) / sum(map(hand, every))
    q = sum(c["held_played"] > 0 for c in with_it) / len(with_it)
    return {**cell(p, n, mean), "copies": copies, "games": len(with_it), "rate_by_games": q}
