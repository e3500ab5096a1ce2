"""The second way to effects: of an earlier draw, of a pair of cards, above the deck, within strata. See naive.py."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from math import sqrt
from typing import Any

from tests.replays.stats.naive import Unit, Z


def residuals(chosen: list[Unit]) -> list[float]:
    """By how much each result is above the mean of its deck: in matchup and seat from 30 games on, else of the deck."""
    met, decks = defaultdict(list), defaultdict(list)
    for u in chosen:
        met[u["deck"], u["against"], u["first"]].append(u["w"])
        decks[u["deck"]].append(u["w"])
    found = []
    for u in chosen:
        alike = met[u["deck"], u["against"], u["first"]]
        some = alike if len(alike) >= 30 else decks[u["deck"]]
        found.append(u["w"] - sum(some) / len(some))
    return found


def draw_effect(chosen: list[Unit], code: str, early: int) -> dict[str, Any] | None:
    """The draw effect of a card with its interval, from where its copies lay."""
    scores: dict[int, float] = defaultdict(float)
    information = 0.0
    games = copies = 0
    for u, r in zip(chosen, residuals(chosen), strict=True):
        card = u["cards"].get(code)
        if card is None or "places" not in card:
            continue
        size, m = card["size"], len(card["places"])
        x = sum(place <= early for place in card["places"])
        if early < size:
            scores[u["g"]] += (x - m * early / size) * r
            information += m * early / size * (1 - m / size) * (size - early) / (size - 1)
        games, copies = games + 1, copies + m
    if information == 0:
        return None
    effect = sum(scores.values()) / information
    deviation = sqrt(sum(score**2 for score in scores.values())) / information
    return {
        "effect": effect, "low": effect - Z * deviation, "high": effect + Z * deviation, "games": games,
        "copies": copies, "deviation": deviation,
    }


def early_copies(card: dict[str, Any]) -> float:
    """How many copies lay among the early cards of their pile, less what chance gives."""
    early, size = card["early"], card["size"]
    return sum(place <= early for place in card["places"]) - len(card["places"]) * early / size


def shrunk(found: Iterable[tuple[float, float]]) -> list[float]:
    """Effects (with their deviations) shrunk towards 0 by the spread of true ones (DerSimonian and Laird)."""
    pairs = list(found)
    weights = [1 / d**2 for _, d in pairs]
    total = sum(weights)
    mean = sum(w * e for w, (e, _) in zip(weights, pairs, strict=True)) / total
    q = sum(w * (e - mean) ** 2 for w, (e, _) in zip(weights, pairs, strict=True))
    spread = max(0.0, (q - len(pairs) + 1) / (total - sum(w * w for w in weights) / total))
    return [e * spread / (spread + d * d) for e, d in pairs]


def above_deck(chosen: list[Unit], code: str) -> dict[str, Any] | None:
    """GIH WR less the win rate of the card's decks, each weighing as many copies as were seen in it."""
    decided = [u for u in chosen if u["w"] != 0.5]
    decks = defaultdict(list)
    for u in decided:
        decks[u["deck"]].append(u)

    def held(u: Unit) -> int:
        card = u["cards"].get(code, {})
        return card.get("opening", 0) + card.get("drawn", 0)

    copies = sum(map(held, decided))
    if not copies:
        return None
    difference = sum(held(u) * u["w"] for u in decided) / copies
    variance = 0.0
    for mine in decks.values():
        rate = sum(u["w"] for u in mine) / len(mine)
        mean = sum(map(held, mine)) / len(mine)
        difference -= rate * sum(map(held, mine)) / copies
        variance += sum((held(u) - mean) ** 2 * (u["w"] - rate) ** 2 for u in mine) / copies**2
    half = Z * sqrt(variance)
    return {"difference": difference, "low": difference - half, "high": difference + half, "copies": copies}


def adjusted_iih(chosen: list[Unit], code: str) -> float | None:
    """IIH within strata of deck, seat and length, weighted by the games of each."""
    strata: dict[Any, list[Any]] = defaultdict(list)
    for u in chosen:
        if code in u["cards"] and u["w"] != 0.5:
            c = u["cards"][code]
            strata[u["deck"], u["first"], u["turns"] // 5].append((c["opening"] + c["drawn"], c["unseen"], u["w"]))
    weights = weighted = 0.0
    for some in strata.values():
        k, un = sum(a for a, _, _ in some), sum(b for _, b, _ in some)
        if k and un:
            weighted += len(some) * (sum(a * w for a, _, w in some) / k - sum(b * w for _, b, w in some) / un)
            weights += len(some)
    return weighted / weights if weights else None


def rate(chosen: list[Unit], code: str, in_it: Callable[[dict[str, Any]], int]) -> float | None:
    """The win rate over the games in which the card has any of these."""
    won = [u["w"] for u in chosen if code in u["cards"] and in_it(u["cards"][code]) and u["w"] != 0.5]
    return sum(won) / len(won) if won else None
