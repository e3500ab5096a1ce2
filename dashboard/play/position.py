"""What a browser gets of a game that is played: the table as its seat sees it, and what the seat may do. Nothing else.

All is made of the seat's own records (`LiveGame.seats`), in the numbers that cards have there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dashboard import viewer
from dashboard.play.hosting import Hosted
from dashboard.words import ENGLISH, by_language
from engine.rulebooks.rulebook import Rulebook
from engine.view import view
from events.actions import Pass
from events.game import GameLog
from events.kinds import CardSet, Event, GameStarted, RulebookLine
from replays.play import terminal
from replays.play.choices import Choice, choices_of, refused_cards
from replays.play.lesson import next_step, script_of, steps_done
from replays.play.live_game import SeatView
from replays.view.timeline import Timeline

_WORDS = Path(__file__).with_name("words.toml")


@cache
def play_words(language: str) -> Mapping[str, str]:
    """What the page itself says in a language."""
    return by_language(_WORDS)[language]


def position_of(hosted: Hosted, seat: int, language: str) -> dict[str, Any]:
    """The table and the question as this seat sees them."""
    with hosted.lock:
        live = hosted.live
        seen = live.seats[seat]
        rules = live.match.game
        assert isinstance(rules, Rulebook)
        events, version = list(seen.events), hosted.version(seat)
        asked = live.asked == seat
        told: dict[str, Any] = {
            "version": str(version),
            "seat": seat,
            "place": live.name,
            "question": _question(hosted, seen, rules, language) if asked else None,
            "lesson": _lesson(hosted, seen, rules, language) if asked else None,
            "waits": None if live.asked is None or asked else "computer" if live.asked in live.players else "person",
            "may_take_back": live.may_take_back(seat),
            "conceding": seat in live.conceding,
            "other_concedes": 1 - seat in live.conceding,
            "problem": play_words(language)[hosted.problem] if hosted.problem else "",
            "over": live.asked is None,
            "id": hosted.kept,
        }
    return {**told, **_shown(events, rules.rulebook, rules.card_sets, language, live.name)}


def finished_position(log: GameLog, seat: int, language: str) -> dict[str, Any]:
    """A game that is over, as this seat saw it."""
    events = view(log.events, seat, Timeline(log.events[:1], log.rulebook, log.card_sets).declared)
    told = {
        "version": "over", "seat": seat, "question": None, "waits": None, "may_take_back": False, "problem": "",
        "conceding": False, "other_concedes": False,
        "over": True, "id": log.header.id,
    }  # fmt: skip
    return {**told, **_shown(events, log.rulebook, log.card_sets, language, log.header.match or "")}


def _shown(
    events: Sequence[Event], book: RulebookLine, card_sets: Sequence[CardSet], language: str, name: str
) -> dict[str, Any]:
    """The seat's records as the viewer takes them."""
    said = viewer.viewer_words()
    data = Timeline(events, book, card_sets).viewer_data(language)
    languages = {key: own["language"] for key, own in said.items()}
    more = {"address": name, "log": None, "fault": None, "chrome": said[language], "languages": languages}
    return {"game": {**data, **more}, "says": play_words(language)}


def _question(hosted: Hosted, seen: SeatView, rules: Rulebook, language: str) -> dict[str, Any]:
    header = seen.events[0]
    assert isinstance(header, GameStarted)
    players = [seat.player[:80] for seat in header.seats]
    names = terminal.Names(rules.rulebook, rules.card_sets, language, players)
    match = hosted.live.match
    return {
        "text": terminal.question(seen.state, names),
        "free": seen.state.asked is not None and not seen.state.asked.options,
        "choices": [_choice(one) for one in choices_of(match, seen.view, seen.state, names)],
        "refused": [_choice(one) for one in refused_cards(match, seen.view, seen.state, names)],
    }


def _lesson(hosted: Hosted, seen: SeatView, rules: Rulebook, language: str) -> dict[str, Any] | None:
    """What the lesson says at this question, and the number of the choice that it takes; once at its end, that it is
    over.
    """
    match = hosted.live.match
    lesson = script_of(match.log)
    if lesson is None:
        return None
    step, done = next_step(match.log), steps_done(match.log)
    if step is None:
        over = {"text": play_words(language)["lesson_over"], "choice": None, "step": done, "of": lesson.own_steps}
        return over if done == lesson.own_steps else None
    names = terminal.Names(rules.rulebook, rules.card_sets, language)
    number = match.legal().index(step.action)
    entities = choices_of(match, seen.view, seen.state, names)[number].entities
    card = seen.state.cards.get(entities[0]) if entities else None
    text = step.say.get(language, step.say[ENGLISH]).replace("{card}", names.code(card.code) if card else "")
    return {"text": text, "choice": number, "step": done + 1, "of": lesson.own_steps}


def _choice(choice: Choice) -> dict[str, Any]:
    told: dict[str, Any] = {"text": choice.text, "entities": choice.entities, "passes": isinstance(choice.action, Pass)}
    if choice.why is not None:
        return {**told, "why": choice.why.sentence, "rule": choice.why.rule}
    return {**told, "price": choice.price, "cost": choice.cost}
