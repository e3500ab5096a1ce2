"""Whether the packs of a library are as they were written: what is damaged in them, by pack and byte.

A pack's name tells the digest of its bytes. What was found is kept in `packs.json` with size and time of each file: a
pack is looked at again when these have changed. The file can be deleted; then all packs are looked at anew.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from events.pack import damage_in
from events.record import LogError
from events.sections import BLOCK
from replays.store.atomic import write_aside

FILE = "packs.json"
_DIGEST = re.compile(r"\d+-([0-9a-f]{32})\.")


class PackState(Struct, frozen=True, omit_defaults=True):
    """What is known of a pack whose file has this size and this time of its last change."""

    size: int
    time: int
    damage: tuple[str, ...] = ()


class PackStates:
    """The same for all packs of the library in this folder."""

    def __init__(self, library: Path) -> None:
        self.file = library / FILE
        self.states: dict[str, PackState] = {}
        with suppress(OSError, msgspec.MsgspecError):
            self.states = msgspec.json.decode(self.file.read_bytes(), type=dict[str, PackState])

    def changed(self, packs: list[Path]) -> list[Path]:
        """Looks at the packs that are not known as they are now; gives those that are not as they were written."""
        found, before = [], dict(self.states)
        for pack in packs:
            if not pack.exists():
                continue  # still in a bucket
            about = pack.stat()
            known = self.states.get(pack.name)
            if known is None or (known.size, known.time) != (about.st_size, about.st_mtime_ns):
                damage = tuple(damage_of(pack))
                self.states[pack.name] = PackState(about.st_size, about.st_mtime_ns, damage)
                found += [pack] if damage else []
        names = {pack.name for pack in packs}
        self.states = {name: state for name, state in self.states.items() if name in names}
        if self.states != before:
            with suppress(OSError):  # the folder may not be written: as well without
                write_aside(self.file, [msgspec.json.encode(self.states)])
        return found

    def damage(self) -> list[str]:
        """What is damaged, pack by pack: the pack, the byte, and what is wrong there."""
        return [what for _, state in sorted(self.states.items()) for what in state.damage]


def digest_of(path: Path) -> str:
    """The digest of a file's bytes, by which packs are named."""
    state = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            state.update(block)
    return state.hexdigest()


def damage_of(pack: Path) -> Iterator[str]:
    """What is damaged in a pack. Where its bytes are those that its name tells, nothing of it is unpacked."""
    try:
        named = _DIGEST.match(pack.name)
        if named is not None and named[1] == digest_of(pack):
            return
        found = list(damage_in(pack))
        if not found and named is not None:
            found = [f"{pack.name}: its bytes are not those that were written, though all its frames are whole."]
        yield from found
    except LogError as error:
        yield str(error)
    except OSError as error:
        yield f"{pack.name}: cannot be read: {error.strerror}."
