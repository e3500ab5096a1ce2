"""The course of one game: the table at any step, and where its turns, actions, phases and key events are.

Step n is the table right after record n. A game whose records stop following on each other is followed up to
there. `viewer_data` is all that the replay viewer needs, once; it holds no markup and names no event kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from engine.fold import FoldError, apply, empty_state, fold
from engine.rulebooks.registry import deck_name, format_name
from engine.state import Declared, State, copy, life
from engine.view import View
from events import kinds as k
from events.kinds import CardSet, Event, RulebookLine
from replays.view.board import Board, board_of, board_words
from replays.view.faces import faces
from replays.view.narrate import Line, narrate
from replays.view.patches import FrameData, Frames, Patch, frame_of
from replays.view.stops import ActionSpan, Moment, actions, moments

KEYFRAME_STEPS = 100
"""A whole state, and a whole frame, is kept each so many steps."""


class Turn(NamedTuple):
    """Turn `turn` of `seat` begins at `step`."""

    step: int
    turn: int
    seat: int


class TimelinePhase(NamedTuple):
    """A phase that is not quiet begins at `step`."""

    step: int
    phase: str
    seat: int | None


class KeyEvent(NamedTuple):
    """Something to jump to: a declared kind of move, `hit` (damage to a player) or `ended`; whom it befell."""

    step: int
    seat: int
    what: str


class Timeline:
    """A game that can be looked at at any step.

    `events` are its records, `game_started` first. `steps` says how many of them follow on each other; `fault`
    is a sentence where that is not all of them.
    """

    def __init__(
        self, events: Sequence[Event], rulebook: RulebookLine, card_sets: Sequence[CardSet], seat: int | None = None
    ) -> None:
        """All open, or as `seat` saw it: then `full` says for each step which record of `events` it is of."""
        self.seat = seat
        self.full: list[int] | None = None
        if seat is not None:
            events, self.full = _seen_by(seat, events, rulebook)
        self.events = events
        self.rulebook = rulebook
        self.card_sets = tuple(card_sets)
        self.declared = Declared(rulebook)
        self.board: Board = board_of(rulebook)
        self.steps = 0
        self.fault: str | None = None
        self.turns: list[Turn] = []
        self.phases: list[TimelinePhase] = []
        self.key_events: list[KeyEvent] = []
        self.lives: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        """of each seat, what its life total is from which step on"""
        self._keys: list[State] = []
        self._follow()

    @cached_property
    def lines(self) -> list[Line]:
        """The game in English words, as far as it can be followed."""
        return self.narrated("en")

    def narrated(self, language: str) -> list[Line]:
        """The game in the words of a language."""
        return narrate(self.events[: self.steps], self.rulebook, self.card_sets, language)

    @cached_property
    def moments(self) -> list[Moment]:
        """The steps at which one stops, one for each line."""
        return moments(self.events, self.lines)

    @cached_property
    def actions(self) -> list[ActionSpan]:
        """The actions of the game, one after another."""
        return actions(self.events, self.lines, self.moments)

    def state(self, step: int) -> State:
        """The table after record `step`. Raises IndexError outside 0 … steps - 1."""
        if not 0 <= step < self.steps:
            raise IndexError(f"step {step} of a game with the steps 0 to {self.steps - 1}")
        state = copy(self._keys[step // KEYFRAME_STEPS])
        return apply(state, self.events[step - step % KEYFRAME_STEPS + 1 : step + 1], self.declared)

    def stop_at(self, step: int) -> int:
        """Where one stops for what happens at a step: with the line that tells of it, or there after that."""
        line = self.lines[step].line
        return max(step, next(found.stop for found in self.moments if found.line == line))

    def _follow(self) -> None:
        state = empty_state(self.declared)
        quiet = {phase.name for phase in self.rulebook.phases if phase.quiet}
        for step, event in enumerate(self.events):
            try:
                fold(state, event, self.declared)
            except FoldError as error:
                self.fault = f"The game can be followed up to record {step - 1} only. {error}."
                return
            self.steps = step + 1
            if step % KEYFRAME_STEPS == 0:
                self._keys.append(copy(state))
            self._index(step, event, state, quiet)

    def _index(self, step: int, event: Event, state: State, quiet: set[str]) -> None:
        match event:
            case k.TurnBegan() if self.turns and self.turns[-1].turn == event.turn:  # it passes over midway
                self.turns[-1] = self.turns[-1]._replace(seat=event.seat)
            case k.TurnBegan():
                self.turns.append(Turn(step, event.turn, event.seat))
            case k.PhaseBegan() if event.phase not in quiet:
                self.phases.append(TimelinePhase(step, event.phase, event.seat))
            case k.CardMoved() if event.move_kind in self.board.marks and event.card in state.cards:
                self._mark(step, state.cards[event.card].owner, event.move_kind)
            case k.DamageDealt() if event.target < k.FIRST_CARD:
                self._mark(step, event.target, "hit")
            case k.GameEnded():
                self._mark(step, 1 if event.winner == 0 else 0, "ended")
            case _:
                pass
        for seat in (0, 1):
            total = life(state, seat, self.declared)
            if total is not None and (not self.lives[seat] or self.lives[seat][-1][1] != total):
                self.lives[seat].append((step, total))

    def _mark(self, step: int, seat: int, what: str) -> None:
        if what in self.board.marks:
            self.key_events.append(KeyEvent(step, seat, what))

    # --- what the viewer gets -------------------------------------------------------------------------------

    def frames(self) -> tuple[list[FrameData], list[Patch]]:
        """A whole frame each 100 steps, and for each step the patch from the frame before (for step 0, none)."""
        state = empty_state(self.declared)
        fold(state, self.events[0], self.declared)
        frames = Frames(state, self.events[0])
        keys = [frame_of(state, self.events[0])]
        patches: list[Patch] = [[]]
        for step in range(1, self.steps):
            event, asked = self.events[step], state.asked
            fold(state, event, self.declared)
            patches.append(frames.patch(state, event))
            if step % KEYFRAME_STEPS == 0:
                keys.append(frame_of(state, event, asked))
        return keys, patches

    def viewer_data(self, language: str = "en") -> dict[str, Any]:
        """The whole game for the viewer, as JSON data, in the words of one language."""
        header = self.events[0]
        assert isinstance(header, k.GameStarted)
        keys, patches = self.frames()
        codes = {card["code"] for frame in keys for card in frame["cards"].values()}
        codes |= {code for e in self.events if isinstance(e, k.CardsMade) for code in e.codes}
        codes |= {e.code for e in self.events if isinstance(e, k.CardIdentified)}
        shown = faces(self.rulebook, self.card_sets, sorted(c for c in codes if c), self.board, language)
        lines = self.lines if language == "en" else self.narrated(language)
        told = moments(self.events, lines)
        return {
            "version": 1,
            "key": KEYFRAME_STEPS,
            "steps": self.steps,
            "game": self._about(header, language),
            "frames": keys,
            "patches": patches,
            "lines": [[n.line, 0, ""] if n.quiet else [n.line, n.depth, n.text] for n in lines],
            "moments": told,
            "turns": self.turns,
            "actions": actions(self.events, lines, told),
            "phases": [phase.name for phase in self.rulebook.phases if not phase.quiet],
            "phase_steps": [phase.step for phase in self.phases],
            "marks": self.key_events,
            "lives": self.lives,
            "cards": shown,
            "board": self.board,
            "caps": {zone.name: zone.capacity for zone in self.rulebook.zones if zone.capacity},
            "counters": {
                c.name: {"words": c.words, "quiet": c.quiet} for c in self.rulebook.counters if c.quiet or c.words
            },
            "life_counters": self.declared.life_counters,
            "unit": self.rulebook.turn,
            "words": board_words(self.rulebook, self.board, language),
            "language": language,
            "full": self.full,
            "fault": self.fault,
        }

    def _about(self, header: k.GameStarted, language: str) -> dict[str, Any]:
        return {
            "key": header.game,
            "id": header.id,
            "at": header.at or header.date or "",
            "origin": header.origin,
            "format": format_name(header.game, str(header.options.get("format", ""))[:40], language),
            "players": [
                {
                    "name": s.player[:80], "player_kind": s.player_kind[:40],
                    "deck": deck_name(header.game, s.deck.name, language)[:80],
                }
                for s in header.seats
            ],
            "view": header.view,
        }


def _seen_by(seat: int, events: Sequence[Event], rulebook: RulebookLine) -> tuple[list[Event], list[int]]:
    """What a seat saw, as far as the records can be followed, and of which record each of it is."""
    view = View(seat, Declared(rulebook))
    seen: list[Event] = []
    full: list[int] = []
    for number, event in enumerate(events):
        try:
            records = view.records(event)
        except (FoldError, KeyError):
            break
        seen += records
        full += [number] * len(records)
    return seen, full
