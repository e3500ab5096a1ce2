"""Which games a library has, by key, id and match: looked up on the disk, so that memory does not grow with them.

A table of its own for each import or addition, which is gone with it. What makes a game known is said by who asks.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterable
from typing import Any

from replays.store.entries import Key


class KnownGames:
    """The games that are known. Raises OSError where there is no room for the table."""

    def __init__(self, lines: Iterable[Key]) -> None:
        self._table = sqlite3.connect("", isolation_level=None)  # a file without a name, in the folder for such files
        self._do("pragma journal_mode = off")
        self._do("pragma cache_size = -1024")
        self._do("create table games (key text primary key, id text, whole integer) without rowid")
        self._do("create table logs (match text, view text, primary key (match, view)) without rowid")
        self._do("begin")
        for line in lines:
            self.is_new(line.key, line.state == "whole", line.id)
            self.add_log(line.match, line.view)

    def is_new(self, key: str, whole: bool, name: str = "") -> bool:
        """Whether a game is one more, or whole where only part of it is known; from now on it is known.

        `name`: the id by which it is called from now on, if it has none yet.
        """
        found = self._do("select whole from games where key = ?", key)
        if not found:
            self._do("insert into games values (?, ?, ?)", key, name, whole)
        elif whole and not found[0][0]:
            self._do("update games set whole = 1 where key = ?", key)
        else:
            return False
        return True

    def name_of(self, key: str) -> str:
        """The id by which a known game is called."""
        found = self._do("select id from games where key = ?", key)
        return str(found[0][0]) if found else ""

    def add_log(self, match: str | None, view: int | None) -> None:
        """Of a live game (by its match id) there is the log of this seat, or with None the whole one."""
        if match:
            self._do("insert or ignore into logs values (?, ?)", match, str(view))

    def logs_of(self, match: str | None) -> set[int | None]:
        """The seats of which logs of a live game are here; None: the whole log."""
        found = self._do("select view from logs where match = ?", match) if match else []
        return {None if view == "None" else int(view) for view, in found}

    def close(self) -> None:
        """Gives the table up."""
        self._table.close()

    def _do(self, statement: str, *values: Any) -> list[Any]:
        try:
            return self._table.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise OSError(errno.EIO, f"what is in it cannot be looked up ({error})") from None
