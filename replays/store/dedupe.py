"""Which games a library has, and how far the best copy of each is to be trusted.

Looked up on the disk, so that memory does not grow with them; a table of its own for each import or addition, which is
gone with it. A game is known by what is in it (its key), a copy by its digest, neither by what a file calls itself.
"""

from __future__ import annotations

import errno
import sqlite3
from typing import Any

from replays.store.entries import Entry, Key
from replays.store.verdicts import TRUST


class KnownGames:
    """The games that are known. Raises OSError where there is no room for the table."""

    def __init__(self) -> None:
        self._table = sqlite3.connect("", isolation_level=None)  # a file without a name, in the folder for such files
        self._do("pragma journal_mode = off")
        self._do("pragma cache_size = -1024")
        self._do("create table games (key text primary key, id text, trust integer) without rowid")
        self._do("create index by_id on games (id)")
        self._do("create table copies (digest text primary key) without rowid")
        self._do("create table terms (key text, terms text, primary key (key, terms)) without rowid")
        self._do("create table seen (key text primary key) without rowid")
        self._do("begin")

    def add(self, copy: Key | Entry, trust: int) -> None:
        """A copy of a game is there, which is to be trusted so far. The game is called by the id of its best copy."""
        self._do("insert or ignore into copies values (?)", copy.digest)
        self._do("insert or ignore into terms values (?, ?)", copy.key, copy.terms)
        best = self.trust(copy.key)
        if best is None or trust > best:
            self._do("insert or replace into games values (?, ?, ?)", copy.key, copy.id, trust)
        if trust >= TRUST["unchecked"]:
            for key in copy.seen:
                self._do("insert or ignore into seen values (?)", key)

    def wants(self, copy: Key | Entry, trust: int) -> bool:
        """Whether a copy is of a game that is not there, or only in copies that are to be trusted less.

        Of games that nobody can check, copies under other rulebooks, cards or options stand beside each other.
        """
        best = self.trust(copy.key)
        if best is None or trust > best:
            return True
        if trust < best or trust >= TRUST["verified"]:
            return False
        return not self._do("select 1 from terms where key = ? and terms = ?", copy.key, copy.terms)

    def has_copy(self, digest: str) -> bool:
        """Whether this very copy is there."""
        return bool(self._do("select 1 from copies where digest = ?", digest))

    def trust(self, key: str) -> int | None:
        """How far the best copy of a game is to be trusted; None where there is none."""
        found = self._do("select trust from games where key = ?", key)
        return int(found[0][0]) if found else None

    def name_of(self, key: str) -> str:
        """The id of the best copy of a game, or nothing."""
        found = self._do("select id from games where key = ?", key)
        return str(found[0][0]) if found else ""

    def trust_of_others(self, copy: Key | Entry) -> int | None:
        """How far the best of the other games with the id of this one is to be trusted; None where there is none."""
        found = self._do("select max(trust) from games where id = ? and key != ?", copy.id, copy.key)
        return None if found[0][0] is None else int(found[0][0])

    def is_seen(self, key: str) -> bool:
        """Whether there is a log that holds all of the one-seat log with this key."""
        return bool(self._do("select 1 from seen where key = ?", key))

    def close(self) -> None:
        """Gives the table up."""
        self._table.close()

    def _do(self, statement: str, *values: Any) -> list[Any]:
        try:
            return self._table.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise OSError(errno.EIO, f"what is in it cannot be looked up ({error})") from None
