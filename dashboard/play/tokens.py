"""The secrets by which a browser shows that it may sit at a seat.

A token follows from the library's key, the game and the place; so links still hold after a restart, and nothing but the
key is kept. It stands after the `#` of a link, which no browser sends along, and in no log.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from pathlib import Path

_PLACES = ("0", "1", "screen")
"""Where one may sit: at a seat, or at one screen for both."""

_KEY = "play.key"
_BYTES = 32


class Tokens:
    """The tokens of one library's games; its key is made when it is first wanted. Raises OSError."""

    def __init__(self, library: Path) -> None:
        self._key = _key(library / _KEY)

    def token(self, game: str, place: str) -> str:
        """The secret of a place of a game, 43 letters."""
        digest = hmac.new(self._key, f"{game}/{place}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def opens(self, game: str, place: str, given: str) -> bool:
        """Whether `given` is the secret of that place; takes as long whatever is given."""
        right = hmac.compare_digest(self.token(game, place).encode(), given.encode("utf-8", "replace"))
        return right and place in _PLACES


def _key(path: Path) -> bytes:
    """The key, readable for this user alone."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        key = path.read_bytes()
        if len(key) >= _BYTES:
            return key
        path.unlink()  # it was cut off while it was made: no link was given out by it
        return _key(path)
    with os.fdopen(file, "wb") as made:
        key = secrets.token_bytes(_BYTES)
        made.write(key)
    return key
