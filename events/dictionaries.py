"""Dictionaries of a pack: text of earlier games, which the frames of later ones refer to. A third fewer bytes.

A dictionary stands in a skippable frame before the frames that name it by its number, packed as a frame of its own
without the first four bytes: so a reader that looks for the next frame after damage does not find it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MARK = b"\x5d\x2a\x4d\x18"
"""How the skippable frame of a dictionary begins; its size follows (4 bytes, little-endian), then it, packed."""

FRAME = b"\x28\xb5\x2f\xfd"
HEAD = 18
"""Most bytes of a frame's header, in which the number of its dictionary stands."""

MAX_SIZE = 512 << 10
"""Most bytes of a dictionary that is read, packed or unpacked."""

MAX_KEPT = 16
"""Dictionaries of a file that are remembered, the latest ones."""

SIZE = 64 << 10
"""Bytes of a dictionary that is made: as much as one game or two."""

FIRST, EVERY = 4, 128
"""After so many games without, the first dictionary; and a new one so often, since a damaged one spoils the games that
name it.
"""


class Dictionaries:
    """The dictionaries of a file by number, with the places (offset, length) of their frames."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[zstd.ZstdDict, tuple[int, int]]] = {}

    def add(self, frame: bytes, offset: int) -> str:
        """Takes the dictionary of a whole frame that begins with MARK; a sentence where that cannot be read."""
        try:
            machine = zstd.ZstdDecompressor()
            text = machine.decompress(FRAME + frame[8:], MAX_SIZE)
            if not machine.eof or machine.unused_data:
                return f"the dictionary at byte {offset} is not one zstd frame of at most {MAX_SIZE} bytes."
            made = zstd.ZstdDict(text)
        except (zstd.ZstdError, ValueError) as error:
            return f"the dictionary at byte {offset} is damaged: {str(error).rpartition(': ')[2]}."
        self._kept.pop(made.dict_id, None)
        self._kept[made.dict_id] = made, (offset, len(frame))
        if len(self._kept) > MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        return ""

    def machine(self, frame: bytes, options: Mapping[int, int]) -> zstd.ZstdDecompressor:
        """What unpacks a frame that begins so. Raises KeyError with the number of a dictionary that is not there."""
        number = dictionary_of(frame)
        if not number:
            return zstd.ZstdDecompressor(options=options)
        return zstd.ZstdDecompressor(zstd_dict=self._kept[number][0], options=options)

    def place(self, frame: bytes) -> tuple[tuple[int, int], ...]:
        """The place of the dictionary that a frame names; none where it names none."""
        number = dictionary_of(frame)
        return (self._kept[number][1],) if number in self._kept else ()


def dictionary_of(frame: bytes) -> int:
    """The number of the dictionary that a frame names in its header (RFC 8878, 3.1.1.1); 0: none."""
    if len(frame) < 6 or not frame.startswith(FRAME):
        return 0
    described = frame[4]
    at = 5 if described & 0x20 else 6  # without or with a window's size before it
    return int.from_bytes(frame[at : at + (0, 1, 2, 4)[described & 3]], "little")


def frame_length(frame: bytes) -> int:
    """How long the whole frame of a dictionary is that begins so."""
    return 8 + int.from_bytes(frame[4:8], "little")


class Packing:
    """Packs the games of one rulebook, with dictionaries made of those before."""

    def __init__(self, options: Mapping[int, int]) -> None:
        self._options, self._level = options, options[zstd.CompressionParameter.compression_level]
        self._plain = self._compressor = zstd.ZstdCompressor(options=options)
        self._samples: list[bytes] = []
        self._left = FIRST
        self._number = 0
        self.place: tuple[tuple[int, int], ...] = ()
        """of the dictionary that is now in use, once there is one"""

    def due(self, made: int) -> bytes:
        """The frame of a new dictionary, which is to be written before the next game; empty: none is due.

        `made`: dictionaries that stand in the pack, other rulebooks' too; readers forget all but the latest.
        """
        forgotten = bool(self.place) and made - self._number >= MAX_KEPT
        if self._left and not forgotten:
            return b""
        self._left, self._number = EVERY, made + 1
        self._compressor, self.place = self._plain, ()
        try:
            content = zstd.ZstdDict(b"".join(self._samples), is_raw=True)
            dictionary = zstd.finalize_dict(content, self._samples, SIZE, self._level)
        except (zstd.ZstdError, ValueError):
            return b""  # games of a few bytes
        self._compressor = zstd.ZstdCompressor(options=self._options, zstd_dict=dictionary)
        packed = self._plain.compress(dictionary.dict_content, zstd.ZstdCompressor.FLUSH_FRAME)[len(FRAME) :]
        return MARK + len(packed).to_bytes(4, "little") + packed

    def pack(self, text: bytes) -> bytes:
        """The frame of a game."""
        self._left -= 1
        self._samples = [*self._samples[-1:], text[-SIZE // 2 :]]
        return self._compressor.compress(text, zstd.ZstdCompressor.FLUSH_FRAME)
