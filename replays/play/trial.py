"""Cards tried out in games: random players with dense decks until every ability of the cards has been used.

Random play with ordinary decks hardly reaches the rare kinds of ability; a deck of few cards in many copies does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from msgspec import Struct

from engine.effects.abilities import AnyAbility, Passive, Regenerate
from engine.players import PLAYER_KINDS
from engine.rulebooks.rulebook import Rulebook
from events.kinds import Annotated, CardsMade, DeckList, Event, GameEnded, ModifierBegan, RuleApplied, Seat, StackPushed
from replays.play.simulate import play_game

DISTINCT = 9
"""Cards of a dense deck that are under trial; the rest of it are plain copies."""


class Trial(Struct):
    """What came of it: games played, abilities never used ("code ability n"), games that ended by an error."""

    games: int
    unused: list[str]
    errors: list[str]


def try_cards(
    game: Rulebook, codes: Sequence[str], most_games: int, progress: Callable[[int, int], None] = lambda used, of: None
) -> Trial:
    """Plays until each ability of these cards was used, or `most_games` games were played."""
    wanted = {(code, n) for code in codes for n, _ in enumerate(game.cards[code].abilities)}
    total, played = len(wanted), 0
    errors: list[str] = []
    for seed in range(most_games):
        if not wanted:
            break
        decks = [_dense_deck(game, [code for code, _ in sorted(wanted)], Random(2 * seed + seat)) for seat in (0, 1)]
        seats = (Seat("A", "random", decks[0]), Seat("B", "random", decks[1]))
        header = game.header(seats, {}, seed, origin="simulated")
        events = play_game(game, header, [PLAYER_KINDS["random"](seed), PLAYER_KINDS["random"](seed + 1)])
        played += 1
        wanted -= set(_used(game, events))
        errors += [f"game {seed}: {e.text}" for e in events[-2:] if isinstance(e, Annotated) and _failed(events)]
        progress(total - len(wanted), total)
    return Trial(played, [f"{code} ability {n + 1}" for code, n in sorted(wanted)], errors)


def _failed(events: Sequence[Event]) -> bool:
    return isinstance(events[-1], GameEnded) and events[-1].reason == "error"


def _dense_deck(game: Rulebook, wanted: Sequence[str], random: Random) -> DeckList:
    """A legal deck with as many copies as may be of some cards under trial, filled with others at random."""
    codes = list(dict.fromkeys(wanted))
    return game.trial_deck(random.sample(codes, min(DISTINCT, len(codes))), random.randrange)


def _used(game: Rulebook, events: Sequence[Event]) -> Iterator[tuple[str, int]]:
    codes: dict[int, str] = {}
    for event in events:
        if isinstance(event, CardsMade):
            codes.update((event.first + i, code or "") for i, code in enumerate(event.codes))
        elif isinstance(event, StackPushed):
            yield event.frame.code, event.frame.ability
        elif isinstance(event, ModifierBegan):
            code = codes.get(event.card, "")
            if code in game.cards and isinstance(_ability(game, code, event.ability), Passive):
                yield code, event.ability
        elif isinstance(event, RuleApplied) and event.rule == "regenerate" and event.card is not None:
            code = codes[event.card]
            yield from ((code, n) for n, a in enumerate(game.cards[code].abilities) if isinstance(a, Regenerate))


def _ability(game: Rulebook, code: str, number: int) -> AnyAbility | None:
    abilities = game.cards[code].abilities
    return abilities[number] if number < len(abilities) else None
