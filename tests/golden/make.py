"""Makes the golden logs anew: `python -m tests.golden.make`. Read the result as a diff before it is committed.

With `--told` the logs stay and only what is said of them is written anew, also of those of older protocols.

For each game: the fewest random games that together use every keyword, instruction, ability, question and event kind
that the rulebook knows, one for each ending that a player can bring about, and the same games told in words.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from engine.core.match import Match
from engine.effects.kinds.move import MoveCards
from engine.effects.kinds.play import PlayCards
from engine.effects.steps import all_steps
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from events.actions import Concede
from events.game import game_lines, shared_lines
from events.kinds import (
    Asked,
    AttackSet,
    CardMoved,
    CardsMade,
    DamageDealt,
    Event,
    GameEnded,
    ModifierBegan,
    RuleApplied,
    Seat,
    StackPushed,
)
from events.open import read_games
from replays.view.narrate import log_text, narrate

FOLDER = Path(__file__).parent
TRIED = 1500
"""Random games out of which the golden ones are chosen."""


def covered(game: Rulebook, events: list[Event]) -> set[str]:
    """What a game shows: words like `kind card_moved`, `do damage`, `ability regenerate`, `asked step_in`."""
    codes: dict[int, str] = {}
    shown: set[str] = set()
    for event in events:
        shown.add(f"kind {type(event).__struct_config__.tag}")
        if isinstance(event, CardsMade):
            codes.update((event.first + i, code or "") for i, code in enumerate(event.codes))
        elif isinstance(event, Asked):
            shown.add(f"asked {event.question}")
        elif isinstance(event, CardMoved):
            shown.add(f"move_kind {event.move_kind}")
        elif isinstance(event, RuleApplied):
            shown.add(f"rule {event.rule}")
        elif isinstance(event, GameEnded):
            shown.add(f"reason {event.reason}")
        elif isinstance(event, StackPushed):
            ability = game.cards[event.frame.code].abilities[event.frame.ability]
            shown.add(f"ability {ability.__struct_config__.tag}")
            shown.update(f"do {step.__struct_config__.tag}" for step in all_steps(getattr(ability, "then", ())))
        elif isinstance(event, ModifierBegan) and event.duration == "while":
            shown.add("ability passive")
        elif isinstance(event, AttackSet) and event.attacker is not None:
            shown.update(keywords(game, codes[event.attacker]))
        elif isinstance(event, DamageDealt) and event.target < 2 and event.amount > 1:
            shown.add("keyword burst")
    return shown


def keywords(game: Rulebook, code: str) -> Iterator[str]:
    """Keywords of a card that has attacked."""
    for name in getattr(game.cards[code].printed, "keywords", ()):
        if name != "burst":
            yield f"keyword {name}"


def tries(game: Rulebook) -> Iterator[list[Event]]:
    """Random games with dense decks, a few that are conceded or reach the limit of turns among them."""
    codes = list(game.cards)
    for seed in range(TRIED):
        random = Random(seed)
        wanted = rare(game, random) if seed % 10 == 3 else random.sample(codes, 9)
        decks = [game.trial_deck(wanted, random.randrange) for _ in (0, 1)]
        limits = [name for name in ("max_turns", "max_rounds") if name in game.options]
        options = dict.fromkeys(limits, 4) if seed % 50 == 7 else {}
        seats = (Seat("Ada", "random", decks[0]), Seat("Bo", "random", decks[1]))
        match = game.begin(game.header(seats, options, seed, origin="simulated"))
        yield played(match, seed, concedes=seed % 50 == 9)


def rare(game: Rulebook, random: Random) -> list[str]:
    """Cards that may lie on the field once only, and cards that put others there: they seldom meet by themselves."""
    single = [code for code, d in game.cards.items() if getattr(d, "star", False)]
    kinds = (MoveCards, PlayCards)
    putting = [c for c, d in game.cards.items() if any(isinstance(i, kinds) for p in d.programs for i in p)]
    return random.sample(single, min(2, len(single))) + random.sample(putting, min(3, len(putting)))


def played(match: Match, seed: int, concedes: bool) -> list[Event]:
    """The game, played by random players to its end; or conceded at the tenth question."""
    players = [PLAYER_KINDS["random"](seed), PLAYER_KINDS["random"](seed + 1)]
    for number in range(5000):
        asked = match.state.asked
        if asked is None:
            break
        match.act(Concede() if concedes and number == 10 else players[asked.seat](Observation(match)))
    return match.log


def chosen(game: Rulebook) -> list[list[Event]]:
    """The fewest games found, the shortest first, that show all that any of them shows."""
    found = [(covered(game, events), events) for events in tries(game)]
    missing = set().union(*(shown for shown, _ in found))
    picked: list[list[Event]] = []
    while missing:
        shown, events = max(found, key=lambda f: len(f[0] & missing) - len(f[1]) / 1000)
        if not shown & missing:
            shown, events = next(f for f in found if f[0] & missing)
        picked.append(events)
        missing -= shown
    return picked


def write(game: Rulebook) -> None:
    """The games as one log, and in words."""
    picked = chosen(game)
    lines: list[bytes] = []
    told: list[str] = []
    for events in picked:
        header = events[0]
        for line in shared_lines(header, game.rulebook, game.card_sets):  # type: ignore[arg-type]
            if line not in lines:
                lines.append(line)
        lines += game_lines(events)
        told.append(log_text(narrate(events, game.rulebook, game.card_sets)))
    (FOLDER / f"{game.key}.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    (FOLDER / f"{game.key}.txt").write_text("\n\n".join(told) + "\n", encoding="utf-8")
    print(f"{game.key}: {len(picked)} games, {sum(map(len, picked))} records")


def retell(path: Path) -> None:
    """The log stays; what is said of its games today is written beside it."""
    told = [log_text(narrate(g.events[:-1], g.rulebook, g.card_sets)) for g in read_games(path)]
    path.with_suffix(".txt").write_text("\n\n".join(told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if "--told" in sys.argv[1:]:
        for log in FOLDER.rglob("*.jsonl"):
            retell(log)
    else:
        for key in registry.GAMES:
            write(registry.load(key))
