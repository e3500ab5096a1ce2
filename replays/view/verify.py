"""Is a log true: do its facts follow from its decisions under the rulebook and cards that it names?

Each decision is decided again, and every record is compared but continuations and the seal (which `events.reader`
checks); notes may stand where a decision is awaited. The verdict names the first record that differs, field by
field, or the rule that was broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct, structs

from engine.cards.files import CardError
from engine.core.match import Match
from engine.core.tasks import Illegal
from engine.fold import FoldError, fold_all
from engine.rulebooks import registry
from engine.rulebooks import rulebook as rules
from engine.rulebooks.rulebook import continuation_version
from engine.state import Declared
from events import kinds as k
from events.game import GameLog
from events.kinds import NOTHING, Acted, Annotated, Asked, Event
from events.record import SORTED, LogError, written_id

Verdict_ = Literal["verified", "unchecked", "cut", "altered", "illegal"]


class Verdict(Struct, frozen=True):
    """What was found. `verified`: facts follow from decisions. `unchecked`: sealed, but that cannot be checked here
    (text says why).

    `cut`: the log stops before its end. `altered`: `record` differs, see `differences` (field, written, right).
    `illegal`: the decision at `record` breaks `rule`.

    `reason` is one of REASONS and `about` what its sentence is filled with in whatever language: `record`, `seat` …,
    and as `detail` a technical sentence in English, where it has one. `text` says it all in English.
    """

    verdict: Verdict_
    text: str
    record: int | None = None
    rule: str | None = None
    differences: tuple[tuple[str, Any, Any], ...] = ()
    reason: str = ""
    about: dict[str, Any] = {}


LABELS: dict[str, str] = {
    "verified": "verified", "unchecked": "whole, cannot be checked", "cut": "cut", "altered": "altered",
    "illegal": "illegal",
}
"""How people call a verdict, in English."""

REASONS: dict[str, tuple[str, ...]] = {
    "follows": (), "no_first_line": (), "damaged": ("detail",), "absent": ("detail",), "no_seal": ("detail",),
    "not_ended": ("record",), "one_seat": ("seat",), "no_seed": (), "program_error": (), "no_rulebook": ("game",),
    "other_version": ("theirs", "ours"), "other_rulebook": ("ours",), "other_cards": ("set",),
    "transcribed": (), "not_begun": ("detail",), "no_setup": ("detail",),
    "wrong_seat": ("record", "seat", "asked"), "breaks_rule": ("record", "detail"),
    "undecided": ("record", "detail"), "no_decision": ("record", "kind"),
    "differs": ("record", "kind", "field", "written", "right"), "broken": ("detail",),
}  # fmt: skip
"""Why a verdict is as it is -> what `about` holds then."""


_LONGEST = 300
"""Most characters of a continuation that are shown."""


def verify(log: GameLog) -> Verdict:
    """Checks one game of a log; never raises for what a file may hold."""
    header = log.events[0] if log.events else None
    if not isinstance(header, k.GameStarted):
        if log.fault is not None:
            return _damaged("cut", log.fault, 0)
        return Verdict("cut", "The game has no first line", 0, reason="no_first_line")
    missing = log.fault if log.fault is not None and _names_absent(log, header) else None
    if missing is not None:
        kind: Verdict_ = "unchecked" if log.untouched else "altered" if log.altered else "cut"
        found = _damaged(kind, missing, missing.record, "absent")
        return found if not log.rulebook.key else _unless_broken(log, found)
    found = _decided(log, header)
    if found.verdict in ("altered", "illegal"):
        return found
    if log.fault is not None and not log.sealed:  # a right seal: the file is damaged, but not the game
        return _damaged("altered" if log.altered else "cut", log.fault, log.fault.record)
    if not log.ended:
        last = len(log.events) - 1
        text = f"The log stops after record {last}; the game did not end"
        return Verdict("cut", text, last + 1, reason="not_ended", about={"record": last})
    if found.verdict == "verified" and header.origin == "simulated" and header.id:
        right = written_id(log.text[: log.text.index(b"\n")])
        if header.id != right:
            return _differs(0, header, structs.replace(header, id=right))
    return found


def _decided(log: GameLog, header: k.GameStarted) -> Verdict:
    """What deciding again has found, or why that cannot be done here."""
    why = _uncheckable(log, header)
    if why is None:
        ending = _error_ending(log.events)
        found = decide_again(log, log.events[:ending])[0]
        if ending is not None and found.reason in ("follows", "undecided", "no_setup"):
            why = _unchecked("program_error", "The game was ended by an error of the program, not by its rules")
        elif header.origin == "transcribed" and found.verdict != "verified":
            why = _unchecked("transcribed", "It was written down by a watcher, and decisions may be missing")
        elif found.verdict == "verified" and (misnamed := next(_misnamed_sets(log), "")):
            text = f"Its card set calls itself {misnamed}, but is not {misnamed} as it is at hand"
            why = _unchecked("other_cards", text, set=misnamed)
        else:
            return found
    if not log.altered and not log.sealed:
        text = f"{why.text}; nor has it a seal"
        why = Verdict("cut", text, len(log.events), reason="no_seal", about={"detail": why.text})
    return _unless_broken(log, why)


def _error_ending(events: list[Event]) -> int | None:
    """The record from which on a log tells of an error of the program that played it; None where it tells of none."""
    at = len(events) - isinstance(events[-1], k.Sealed) - 1
    last = events[at]
    if not isinstance(last, k.GameEnded) or last.reason != "error":
        return None
    return at - isinstance(events[at - 1], k.Annotated)


def _names_absent(log: GameLog, header: k.GameStarted) -> bool:
    """Whether the rulebook or a card set that the game names does not stand in the file."""
    return not log.rulebook.key or len(log.card_sets) < len(header.card_sets)


def _unless_broken(log: GameLog, found: Verdict) -> Verdict:
    """What was found, unless the records do not even follow on each other."""
    try:
        fold_all(log.events, Declared(log.rulebook))
    except FoldError as problem:
        return Verdict("altered", str(problem), problem.record, reason="broken", about={"detail": str(problem)})
    return found


def _damaged(kind: Verdict_, fault: LogError, record: int | None, reason: str = "damaged") -> Verdict:
    return Verdict(kind, str(fault), record, reason=reason, about={"detail": str(fault)})


def _uncheckable(log: GameLog, header: k.GameStarted) -> Verdict | None:
    """Why the game cannot be decided again here, as the verdict on a sealed one; None where it can."""
    if header.view is not None:
        text = (
            f"This is the game as seat {header.view} saw it: its records follow on each other, but whether they follow "
            "from the decisions cannot be checked, for seed, shuffles and the other seat's hidden cards are not in it"
        )
        return _unchecked("one_seat", text, seat=header.view)
    if header.seed is None:
        return _unchecked("no_seed", "This log has no seed, so its random outcomes cannot be checked")
    if header.game not in registry.GAMES:
        return _unchecked("no_rulebook", f"The rulebook {header.game!r} is not at hand", game=header.game)
    try:
        game = _game_of(log)
    except (CardError, KeyError, ValueError):
        return None  # deciding again says why
    if header.rulebook == game.editions[0]:
        return None
    ours, theirs = game.rulebook, header.rulebook.version
    if theirs != ours.version:
        text = f"It was played under rulebook version {theirs}; at hand is {ours.version}"
        return _unchecked("other_version", text, theirs=theirs, ours=ours.version)
    if _rules(log.rulebook) != _rules(ours):
        text = f"Its rulebook line differs from version {ours.version} as it is at hand"
        return _unchecked("other_rulebook", text, ours=ours.version)
    return None


def _misnamed_sets(log: GameLog) -> Iterator[str]:
    """The card sets that are called like a shipped one, with its version, and hold other cards."""
    game = registry.load(log.header.game)
    shipped = dict(zip(game.editions[1], game.card_sets, strict=True))
    for theirs, named in zip(log.card_sets, log.header.card_sets, strict=True):
        if named not in shipped:
            for ours in shipped.values():
                if (ours.key, ours.version) == (theirs.key, theirs.version) and _in_play(ours) != _in_play(theirs):
                    yield f"{theirs.key} {theirs.version}"


def _rules(book: k.RulebookLine) -> k.RulebookLine:
    """What of a rulebook line is rules: not how words are put, nor what statistics call early."""
    return structs.replace(book, words={}, zones=tuple(structs.replace(zone, early=0) for zone in book.zones))


def _in_play(cards: k.CardSet) -> bytes:
    """What of a card set is more than how people say it: without flavour, and without other languages than English."""
    plain = {
        code: {
            field: {"en": value["en"]} if isinstance(value, dict) and "en" in value else value
            for field, value in card.items() if field != "flavour"
        }
        for code, card in cards.cards.items()
    }
    return SORTED.encode((plain, cards.tables))


def _unchecked(reason: str, text: str, **about: Any) -> Verdict:
    return Verdict("unchecked", text, reason=reason, about=about)


def decide_again(
    log: GameLog, events: Sequence[Event] | None = None, *, continuations: bool = True
) -> tuple[Verdict, Match | None]:
    """The verdict on the game's records, and, where they are verified, the match at the question where they stop.

    For a game whose rulebook and cards are at hand. Records that are missing at the end are no fault here. `events`:
    the records that are looked at, where not all of them are. `continuations`: whether these are compared.
    """
    events = log.events if events is None else events
    header = log.header
    try:
        game = _game_of(log)
        wrong = game.unplayable(header)
        if wrong:
            text = f"The game may not begin so: {wrong[0]}"
            return Verdict("illegal", text, 0, wrong[0].rule, (), "not_begun", {"detail": str(wrong[0])}), None
        match = game.begin(structs.replace(header, back=0), resumable=not continuations or _resumable(events))
    except Exception as problem:  # cards of strangers may ask anything of the rules
        text = f"The game cannot be set up from its header: {_said(problem)}"
        return Verdict("illegal", text, 0, reason="no_setup", about={"detail": _said(problem)}), None
    played = events[:-1] if isinstance(events[-1], k.Sealed) else events
    at = 0
    about: dict[str, Any]
    while True:
        found = played[at : at + len(match.log)]
        if found != match.log:
            for number, (written, right) in enumerate(zip(found, match.log, strict=False), at):
                if not same(written, right, continuations):
                    return _differs(number, written, right), None
            if len(found) < len(match.log):
                text = "All facts follow from the decisions, as far as the log goes"
                return Verdict("verified", text, reason="follows"), None
        at += len(found)
        while at < len(played) and type(remark := played[at]) is Annotated:
            match.annotate(structs.replace(remark))
            at += 1
        match.take_log()
        if at == len(played):
            return Verdict("verified", "All facts follow from the decisions", reason="follows"), match
        decision = played[at]
        asked = match.state.asked
        if type(decision) is not Acted or asked is None:
            return _differs(at, decision, None), None
        if decision.seat != asked.seat:
            text = f"Record {at}: seat {decision.seat} decides, but seat {asked.seat} is asked"
            about = {"record": at, "seat": decision.seat, "asked": asked.seat}
            return Verdict("illegal", text, at, reason="wrong_seat", about=about), None
        try:
            match.act(decision.action, decision.ms)
        except Illegal as problem:
            about = {"record": at, "detail": str(problem)}
            text = f"Record {at}: {problem}"
            return Verdict("illegal", text, at, problem.rule or None, (), "breaks_rule", about), None
        except Exception as problem:  # as above
            about = {"record": at, "detail": _said(problem)}
            text = f"Record {at}: what follows cannot be decided: {_said(problem)}"
            return Verdict("illegal", text, at, reason="undecided", about=about), None


def _resumable(events: Sequence[Event]) -> bool:
    """Whether questions of the log carry a continuation."""
    return any(event.continuation != NOTHING for event in events if type(event) is Asked)


def _game_of(log: GameLog) -> rules.Rulebook:
    """The rules with the cards that the log carries. Raises CardError."""
    game = registry.load(log.header.game)
    return game if game.editions[1] == log.header.card_sets else registry.from_sets(log.header.game, log.card_sets)


def _said(problem: Exception) -> str:
    return str(problem) if isinstance(problem, (CardError, FoldError)) else f"{type(problem).__name__}: {problem}"


def same(written: Event, right: Event, continuations: bool = True) -> bool:
    """Whether two records say the same. A continuation may be absent, or one that another engine version wrote."""
    if written == right:
        return True
    if isinstance(written, k.Asked) and isinstance(right, k.Asked):
        if continuations and _other_continuation(written, right):
            return False
        return structs.replace(written, continuation=NOTHING) == structs.replace(right, continuation=NOTHING)
    return False


def _other_continuation(written: k.Asked, right: k.Asked) -> bool:
    """Whether a record carries a continuation that its engine version would not have written, and go on from."""
    mine, theirs = written.continuation, right.continuation
    return mine not in (NOTHING, theirs) and continuation_version(mine) == continuation_version(theirs)


def _differs(number: int, written: Event, right: Event | None) -> Verdict:
    if right is None:
        text = f"Record {number} ({_kind(written)}) follows from no decision"
        none = (("kind", _kind(written), None),)
        return Verdict("altered", text, number, None, none, "no_decision", {"record": number, "kind": _kind(written)})
    differences = tuple(_differences(written, right))
    first = differences[0]
    text = f"Record {number} ({_kind(written)}): {first[0]} is {first[1]!r}; what follows is {first[2]!r}"
    about = {"record": number, "kind": _kind(written), **dict(zip(("field", "written", "right"), first, strict=True))}
    return Verdict("altered", text, number, None, differences, "differs", about)


def _differences(written: Event, right: Event) -> list[tuple[str, Any, Any]]:
    if type(written) is not type(right):
        return [("kind", _kind(written), _kind(right))]
    found = []
    for field in written.__struct_fields__:
        mine, theirs = getattr(written, field), getattr(right, field)
        if field != "continuation" and mine != theirs:
            found.append((field, msgspec.to_builtins(mine), msgspec.to_builtins(theirs)))
    if isinstance(written, k.Asked) and isinstance(right, k.Asked) and _other_continuation(written, right):
        mine, theirs = (bytes(event.continuation).decode()[:_LONGEST] for event in (written, right))
        found.append(("continuation", mine, theirs))
    return found


def _kind(event: Event) -> str:
    return str(type(event).__struct_config__.tag)
