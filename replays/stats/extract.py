"""Games to rows: each game of a pack is folded once, and what statistics count is written as Parquet.

One shard (a folder of tables) for each pack; it never changes afterwards. Driven by what the rulebook line
declares (zones, counters, roles of hows): no game's name may stand here. What the rows amount to is said in SQL.
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from datetime import UTC, date, datetime
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from engine.cards.decks import deck_digest
from engine.fold import FoldError, begin, fold
from engine.state import Declared, life
from events import kinds as k
from events.errors import CardfoldError
from events.game import GameLog
from events.open import read_games
from events.record import LogError, game_key

FACTS = 1
"""Version of what is read out of a game; a shard of another version is built anew."""

LONGEST = 200
"""Most characters that are kept of a name or tag."""

MOST = 2**31 - 1
AT_ONCE = 1_000
"""Rows that are held as they come, before they are packed into columns."""

ROWS, SIZE = 50_000, 1 << 20
"""Rows, and bytes of them, that are held in columns before they are written: a table's row group."""

_small, _number, _big, _text = pa.int8(), pa.int32(), pa.int64(), pa.string()
_texts = pa.list_(pa.string())

TABLES: dict[str, dict[str, pa.DataType]] = {
    # One row a game, readable or not; `fault` says what is wrong with it.
    "games": {
        "pack": _text, "index": _number, "offset": _big, "game_id": _text, "game_key": _text, "game": _text,
        "rulebook": _text, "card_sets": _texts, "format": _text, "origin": _text, "match": _text,
        "day": pa.date32(), "at": pa.timestamp("us"), "tags": _texts, "turns": _number, "first_seat": _small,
        "winner": _small, "reason": _text, "records": _number, "decisions": _number, "ended": pa.bool_(),
        "sealed": pa.bool_(), "view": _small, "fault": _text,
    },
    # One row a game and seat; `w` is 1, 0 or a half (draw), null where the game has no result.
    "seats": {
        "pack": _text, "index": _number, "seat": _small, "player": _text, "player_kind": _text, "deck": _text,
        "deck_name": _text, "first": pa.bool_(), "w": pa.float64(), "life": _number,
    },
    # One row a game, seat and card: copies by what became of them (the seven after `deck` add up to it); work.
    "cards": {
        "pack": _text, "index": _number, "seat": _small, "code": _text, "deck": _number, "opening": _number,
        "drawn": _number, "fetched": _number, "started": _number, "turned_up": _number, "milled": _number,
        "unseen": _number, "played": _number, "held_played": _number, "first_turn": _number,
        "turns_held": _big, "uses": _number, "damage_cards": _big, "damage_player": _big, "drew": _big,
        "destroyed": _big,
    },
    # One row a game and turn: what both seats had at its end.
    "turns": {
        "pack": _text, "index": _number, "turn": _number, "seat": _small, "life_0": _number,
        "life_1": _number, "deck_0": _number, "deck_1": _number, "hand_0": _number, "hand_1": _number,
    },
    # One row a strike; a null target code is the player.
    "strikes": {
        "pack": _text, "index": _number, "record": _number, "turn": _number, "source_seat": _small,
        "source_code": _text, "target_seat": _small, "target_code": _text, "amount": _number,
    },
    # One row a decision; `options` is null where the question does not list its answers.
    "decisions": {
        "pack": _text, "index": _number, "record": _number, "turn": _number, "seat": _small, "what": _text,
        "did": _text, "options": _number,
    },
}
SCHEMAS = {
    name: pa.schema(list(columns.items()), metadata={"facts": str(FACTS)}) for name, columns in TABLES.items()
}
HELD = ("opening", "drawn", "fetched")
WAYS = (*HELD, "started", "turned_up", "milled", "unseen")

Rows = dict[str, list[tuple[Any, ...]]]


class FactsError(CardfoldError):
    """A pack whose facts cannot be gathered; the message is a sentence with the pack's name."""


class HaltError(CardfoldError):
    """No facts can be gathered any more: no room on the disk, a worker that was killed. The message is a sentence."""


# --- one game -----------------------------------------------------------------------------------------------


class Copy(Struct, gc=False):
    """One copy of a card in one game: how it first left its starting pile, and what it did."""

    owner: int
    code: str | None
    home: str
    """the pile in which it began, or "" """
    way: str = ""
    entered: int | None = None
    """turn in which it first came to the hand"""
    played: int | None = None
    """turn in which it was first played from the hand"""
    fresh: bool = False
    """it has just been played or turned up, and its effect is not yet on the pile"""
    used: bool = False
    """its effect is on the pile, and already counted as a use"""
    uses: int = 0
    damage_cards: int = 0
    damage_player: int = 0
    drew: int = 0
    destroyed: int = 0


class GameFacts:
    """What one game says, gathered in one fold; each record is looked at before the fold takes it in."""

    def __init__(self, game: GameLog, declared: Declared) -> None:
        self.game = game
        self.declared = declared
        self.state = begin(declared)
        self.roles = declared.book.roles
        self.hands = frozenset(z.name for z in declared.book.zones if z.visible_to == "owner" and not z.ordered)
        self.copies: dict[int, Copy] = {}
        self.homes: list[str] = []
        self.by: dict[int, int | None] = {}
        """record that can be a cause -> the card behind it"""
        self.items: dict[int, int] = {}
        self.struck: dict[tuple[int, int], int] = {}
        """(card, cause) -> who struck it last"""
        self.first_seat: int | None = None
        self.turns: list[tuple[Any, ...]] = []
        self.strikes: list[tuple[Any, ...]] = []
        self.decisions: list[tuple[Any, ...]] = []

    def gather(self) -> None:
        """Folds all records. Raises FoldError or ValueError where they cannot follow or make no sense."""
        state, declared = self.state, self.declared
        for event in self.game.events:
            look = LOOKS.get(type(event))
            if look is not None:
                look(self, event)
            fold(state, event, declared)

    def cause(self, event: k.Event) -> int:
        """The number of the record that brought this one, the next to be folded, about."""
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
            if from_hand and e.zone not in self.hands and e.zone != copy.home:
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
        did = type(e.action).__struct_config__.tag
        what = options = None
        if asked is not None:
            what, options = asked.question[:LONGEST], len(asked.options) or None
        self.decisions.append((number, self.state.turn, _seat(e.seat), what, did, options))

    def struck_(self, e: k.DamageDealt) -> None:
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
        by = (source.owner, _short(source.code)) if source is not None else (None, None)
        self.strikes.append((self.state.seq, self.state.turn, *by, seat, _short(code), amount))

    def turn_began(self, e: k.TurnBegan) -> None:
        _whole(e.turn)
        if self.first_seat is not None:
            if e.turn != self.state.turn:  # else it passes over midway
                self._turn_over()
            return
        self.first_seat = _seat(e.seat)
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
        state = self.state
        decks, hands = self._counts(self.homes), self._counts(self.hands)
        self.turns.append((state.turn, state.active, self.life(0), self.life(1), *decks, *hands))

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

    def card_rows(self) -> Iterator[tuple[Any, ...]]:
        """Seat, code, and the numbers of the table `cards`, for each card whose code is known."""
        groups: dict[tuple[int, str], list[Copy]] = {}
        for copy in self.copies.values():
            if copy.code is not None:
                groups.setdefault((copy.owner, copy.code), []).append(copy)
        for (seat, code), copies in groups.items():
            ways = [copy.way or "unseen" for copy in copies]
            played = [copy for copy in copies if copy.played is not None]
            held = [copy for copy in played if copy.way in HELD]
            waits = [(copy.played or 0) - (copy.entered or 1) for copy in held]
            yield (
                seat, _short(code), len(copies), *(ways.count(way) for way in WAYS), len(played), len(held),
                min((copy.played for copy in played if copy.played is not None), default=None),
                sum(waits) if held else None,
                *(sum(getattr(copy, name) for copy in copies)
                  for name in ("uses", "damage_cards", "damage_player", "drew", "destroyed")),
            )


LOOKS: dict[type, Callable[[GameFacts, Any], None]] = {
    k.CardsMade: GameFacts.cards_made, k.CardMoved: GameFacts.card_moved, k.StackPushed: GameFacts.stack_pushed,
    k.StackPopped: GameFacts.stack_popped, k.RuleApplied: GameFacts.rule_applied, k.Acted: GameFacts.acted,
    k.DamageDealt: GameFacts.struck_, k.TurnBegan: GameFacts.turn_began, k.GameEnded: GameFacts.game_ended,
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
    key = (pack, game.index)
    fault = str(game.fault) if game.fault else None
    if not game.events:
        empty = [None] * (len(TABLES["games"]) - 3)
        rows["games"].append((*key, game.offset, *empty[:-4], False, False, None, _short(fault) or ""))
        return rows
    facts = None
    if declared is not None and game.header.view is None:
        facts = GameFacts(game, declared)
        try:
            facts.gather()
        except (FoldError, ValueError, KeyError, IndexError) as problem:
            facts, fault = None, fault or f"{problem}"
    rows["games"].append((*key, *_game_row(game, facts, fault)))
    rows["seats"] += [(*key, *row) for row in _seat_rows(game, facts)]
    if facts is not None:
        rows["cards"] += [(*key, *row) for row in facts.card_rows()]
        rows["turns"] += [(*key, *row) for row in facts.turns]
        rows["strikes"] += [(*key, *row) for row in facts.strikes]
        rows["decisions"] += [(*key, *row) for row in facts.decisions]
    return rows



def _game_row(game: GameLog, facts: GameFacts | None, fault: str | None) -> tuple[Any, ...]:
    header = game.header
    form = header.options.get("format")
    at = _time(header.at)
    result = next((e for e in reversed(game.events) if isinstance(e, k.GameEnded)), None)
    return (
        game.offset, _short(header.id), game_key(game.events), _short(header.game),
        _short(header.rulebook.version), [_short(f"{s.key} {s.version}") for s in header.card_sets],
        _short(form) if isinstance(form, str) else None, _short(header.origin), _short(header.match),
        at.date() if at else _day(header.date), at, [_short(tag) for tag in header.tags],
        facts.state.turn if facts else None, facts.first_seat if facts else None,
        result.winner if facts and result else None, _short(result.reason) if result else None,
        len(game.events), sum(type(e) is k.Acted for e in game.events), game.ended, game.sealed,
        header.view if header.view in (0, 1, None) else 0, _short(fault),
    )


def _seat_rows(game: GameLog, facts: GameFacts | None) -> Iterator[tuple[Any, ...]]:
    result = facts.state.result if facts else None
    first = facts.first_seat if facts else None
    for number, seat in enumerate(game.header.seats):
        w = None
        if result is not None:
            w = 0.5 if result.winner is None else float(result.winner == number)
        yield (
            number, _short(seat.player), _short(seat.player_kind),
            deck_digest(seat.deck) if seat.deck.cards else None, _short(seat.deck.name),
            None if first is None else first == number, w, facts.life(number) if facts else None,
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


# --- shards -------------------------------------------------------------------------------------------------


def stem(pack: Path) -> str:
    """What a pack's shard is called: the pack's name without its ending."""
    return pack.name.removesuffix(".zst").removesuffix(".jsonl")


def is_built(pack: Path, out_dir: Path) -> bool:
    """Whether the pack's shard is there, of this version and whole."""
    try:
        found = pq.read_schema(out_dir / stem(pack) / "games.parquet").metadata
    except (OSError, pa.ArrowInvalid):
        return False
    return (found or {}).get(b"facts") == str(FACTS).encode()


def build_shard(pack: Path, out_dir: Path, progress: Callable[[int], None] | None = None) -> Path:
    """Writes the tables of one pack to `out_dir/<pack stem>/<table>.parquet` and returns that folder.

    A shard that is there already is left as it is. It is built beside and renamed: never half there. Memory
    is bounded. `progress` is told after each game how many games are done. Raises FactsError for a pack of which
    nothing can be read, and HaltError where the shard cannot be written.
    """
    shard = out_dir / stem(pack)
    if is_built(pack, out_dir):
        return shard
    part = out_dir / f".{stem(pack)}.{os.getpid()}.part"
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir(parents=True)
        with _Writer(part) as writer:
            for done, rows in enumerate(_pack_rows(pack), 1):
                writer.add(rows)
                if progress is not None:
                    progress(done)
        if not is_built(pack, out_dir):
            shutil.rmtree(shard, ignore_errors=True)
            part.rename(shard)
    except OSError as problem:
        why = problem.strerror or problem
        raise HaltError(f"The facts of {pack.name} cannot be written: {why}. Those of other packs are kept.") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return shard


def _pack_rows(pack: Path) -> Iterator[Rows]:
    known: dict[int, Declared] = {}
    try:
        for game in read_games(pack):
            book = game.rulebook
            declared = known.get(id(book))
            if declared is None:
                declared = known[id(book)] = Declared(book)  # keeps the line alive, so that its id stays its own
            yield game_rows(game, stem(pack), declared if book.key else None)
    except LogError as problem:
        raise FactsError(f"{pack.name}: {problem.what}") from None
    except OSError as problem:
        raise FactsError(f"{pack.name}: cannot be read: {problem.strerror}.") from None


class _Writer:
    """The Parquet files of one shard. What is held in memory does not depend on how many games there are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows: Rows = {name: [] for name in TABLES}
        self.columns: dict[str, list[pa.Table]] = {name: [] for name in TABLES}
        self.files: dict[str, pq.ParquetWriter] = {}
        self.closing = ExitStack()

    def __enter__(self) -> _Writer:
        with self.closing as closing:
            for name, schema in SCHEMAS.items():
                self.files[name] = pq.ParquetWriter(self.folder / f"{name}.parquet", schema, compression="zstd")
                closing.callback(_close, self.files[name])
            self.closing = closing.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        with self.closing:
            if error[0] is None:
                for name in TABLES:
                    self._pack(name)
                    self._write(name)

    def add(self, rows: Rows) -> None:
        for name, more in rows.items():
            self.rows[name] += more
            if len(self.rows[name]) >= AT_ONCE:
                self._pack(name)
                held = self.columns[name]
                if sum(len(part) for part in held) >= ROWS or sum(part.nbytes for part in held) >= SIZE:
                    self._write(name)

    def _pack(self, name: str) -> None:
        self.columns[name].append(table_of(name, self.rows[name]))
        self.rows[name] = []

    def _write(self, name: str) -> None:
        group = pa.concat_tables(self.columns[name])
        self.columns[name] = []
        if len(group):
            self.files[name].write_table(group)


def _close(file: pq.ParquetWriter) -> None:
    try:
        file.close()
    finally:
        file.is_open = False  # else it tries once more when it is forgotten, and complains aloud
        file.file_handle = None


def table_of(name: str, rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    """Rows as an Arrow table of that name's columns."""
    schema = SCHEMAS[name]
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    return pa.Table.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema=schema
    )


def build_shards(
    packs: Iterable[Path], out_dir: Path, jobs: int = 1, progress: Callable[[int, int], None] | None = None
) -> list[FactsError]:
    """Builds what shards are missing, in so many processes. May be stopped at any time and begun again.

    `progress` is told how many packs of how many are done. Packs that cannot be read are reported in the list
    that is returned, and the others are built all the same. Raises HaltError where no more can be built now.
    """
    missing = [pack for pack in sorted(packs) if not is_built(pack, out_dir)]
    if jobs > 1 and len(missing) > 1:
        found = _in_workers(missing, out_dir, min(jobs, len(missing)))
    else:
        found = (_try(pack, out_dir) for pack in missing)
    problems: list[FactsError] = []
    with closing(found):  # so that workers stop at once, wherever an interrupt comes
        for done, problem in enumerate(found, 1):
            if problem is not None:
                problems.append(problem)
            if progress is not None:
                progress(done, len(missing))
    return problems


def _try(pack: Path, out_dir: Path, progress: Callable[[int], None] | None = None) -> FactsError | None:
    try:
        build_shard(pack, out_dir, progress)
    except FactsError as problem:
        return problem
    return None


def _in_workers(packs: Sequence[Path], out_dir: Path, jobs: int) -> Generator[FactsError | None, None, None]:
    """What `_try` gives for each pack, as they come to be done. Left early, it stops the workers at once."""
    spawn = get_context("spawn")
    halt = spawn.Event()
    with ProcessPoolExecutor(jobs, spawn, _begin_worker, (halt,)) as pool:
        try:
            for future in as_completed([pool.submit(_try_in_worker, pack, out_dir) for pack in packs]):
                yield future.result()
        except BrokenProcessPool:
            raise HaltError("A worker process was killed; the shards that are done are kept.") from None
        finally:
            halt.set()
            pool.shutdown(cancel_futures=True)


class _Halted(Exception):
    pass


_halt: Any = None
"""in a worker process: the sign to stop"""


def _begin_worker(halt: Any) -> None:
    global _halt
    _halt = halt
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it and says when to stop
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _try_in_worker(pack: Path, out_dir: Path) -> FactsError | None:
    def look_up(done: int) -> None:
        if _halt.is_set():
            raise _Halted

    return _try(pack, out_dir, look_up)
