"""A library in a bucket (`s3://bucket/folder`, any address that fsspec knows): its mirror, a folder here that works as
every library does, and the exchange of whole objects between the two.

An object in a bucket is written once, under a name that nothing else has, and never changed: packs and what the
catalogue says of them, facts of a pack, verdicts, notes. So the bucket's library is the union of what all have sent,
whoever writes at the same time; what did not arrive is sent the next time. What is not there is not shared: games being
played, what was put aside, labs, groups, the warehouse. Credentials come from the environment or the files of the
cloud's own tools; no message, log or file of Cardfold has them.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
import platformdirs
from msgspec import Struct

from events.errors import CardfoldError
from replays.store import notes
from replays.store.atomic import write_aside

BUCKET = "bucket.toml"
"""The file that makes a library's folder the mirror of a bucket."""

THERE = Path("packs") / "bucket.json"
"""What the bucket had when it was last looked at."""

ABOUT = "library.toml"
"""The file that makes a folder a library."""

VERDICTS = "verdicts"
"""The folder of verdicts, a file each time that some were found."""

FRESH = 60.0
"""Seconds for which a process takes what it has seen in the bucket for what is there."""

_SETTINGS = {"s3": {"config_kwargs": {"connect_timeout": 10, "retries": {"max_attempts": 2}}}}
"""protocol -> what its file system is told beyond what the environment says"""


class BucketError(CardfoldError):
    """A bucket cannot be reached, read or written; the message is a sentence."""


class _There(Struct):
    packs: list[str] = []
    """names of the packs that are there"""
    notes: list[str] = []
    """names of the objects of notes that were merged"""


class Bucket:
    """The objects at an address, by their names below it. Raises BucketError, as all its methods do."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        if "@" in address.partition("://")[2].partition("/")[0]:
            raise BucketError(
                "The address of a bucket has no name or password in it: put them where the cloud's own tools look for "
                "them, as in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
            )
        with self._reached():
            from fsspec.core import url_to_fs

            settings: dict[str, Any] = _SETTINGS.get(address.partition("://")[0], {})
            self._files, self._root = url_to_fs(self.address, skip_instance_cache=True, **settings)

    def names(self) -> list[str]:
        """The names of all objects, in order."""
        with self._reached():
            self._files.invalidate_cache()
            found = self._files.find(self._root)
        return sorted(name.removeprefix(self._root).lstrip("/") for name in found)

    def get(self, name: str, path: Path) -> None:
        """Writes an object to a file, which is there when it is whole."""
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with self._reached():
                self._files.get_file(f"{self._root}/{name}", str(part))
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)

    def put(self, path: Path, name: str) -> None:
        """Writes a file to an object."""
        with self._reached():
            self._files.put_file(str(path), f"{self._root}/{name}")

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """What goes wrong here is a BucketError, in words of ours: those of others may hold what is secret."""
        try:
            yield
        except ImportError:
            raise BucketError("Libraries in buckets come with `pip install 'cardfold[s3]'`.") from None
        except PermissionError:
            raise BucketError(f"{self.address} lets nobody in with these credentials, or with none.") from None
        except FileNotFoundError:
            what = "make the bucket first, with your cloud's own tool"
            raise BucketError(f"There is nothing at {self.address}: {what}.") from None
        except Exception as problem:
            number = getattr(problem, "errno", None)
            why = os.strerror(number) if isinstance(number, int) else type(problem).__name__
            what = f"cannot be reached, read or written ({why}). What is here is kept, and sent the next time"
            raise BucketError(f"{self.address} {what}.") from None


# --- the folder here ----------------------------------------------------------------------------------------

_looked: dict[Path, float] = {}
"""mirror -> when this process last looked what its bucket has"""


def library_folder(given: str) -> Path:
    """The folder of the library at a path or address: of a bucket its mirror, in the user's cache, brought up to date.

    Raises BucketError.
    """
    if "://" not in given:
        return Path(given)
    bucket = Bucket(given)
    slug = re.sub(r"[^\w.-]+", "-", bucket.address)[-40:]
    name = f"{slug}-{hashlib.blake2b(bucket.address.encode(), digest_size=6).hexdigest()}"
    folder = platformdirs.user_cache_path("cardfold", appauthor=False) / "buckets" / name
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / BUCKET).exists():
        address = msgspec.json.encode(bucket.address)
        write_aside(folder / BUCKET, [b"# The mirror of a library in a bucket.\naddress = ", address, b"\n"])
    if time.monotonic() - _looked.get(folder, -FRESH) >= FRESH:
        Mirror(folder, bucket).exchange()
        _looked[folder] = time.monotonic()
    return folder


def mirror_in(library: Path) -> Mirror | None:
    """The mirror that a library's folder is, if it is one."""
    return Mirror(library) if (library / BUCKET).is_file() else None


def packs_there(library: Path) -> list[str]:
    """The names of packs that a mirror's bucket has; none of another library."""
    return _there(library).packs


def brought(pack: Path) -> Path:
    """A pack of a library that may be a mirror: it is fetched where it is not here. Raises BucketError."""
    library = pack.parent.parent
    if not pack.exists() and pack.name in packs_there(library):
        mirror = mirror_in(library)
        if mirror is not None:
            mirror.bucket.get(f"packs/{pack.name}", pack)
    return pack


def _there(library: Path) -> _There:
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode((library / THERE).read_bytes(), type=_There)
    return _There()


class Mirror:
    """A library's folder that mirrors a bucket. All methods may raise BucketError; done again, they go on."""

    def __init__(self, library: Path, bucket: Bucket | None = None) -> None:
        self.library = library
        self._bucket = bucket
        self._sent: set[str] | None = None

    @property
    def bucket(self) -> Bucket:
        """The bucket, which is not looked at before it is needed."""
        if self._bucket is None:
            about = tomllib.loads((self.library / BUCKET).read_text(encoding="utf-8"))
            self._bucket = Bucket(about["address"])
        return self._bucket

    def exchange(self) -> None:
        """Fetches what is new there, but for packs and what was made of them, and sends what is new here."""
        self._fetch(self._look())
        self.send()

    def send(self) -> None:
        """Sends what the bucket has not: a pack after what the catalogue says of it, so that it is never without."""
        there = self._look() if self._sent is None else self._sent
        if (self.library / ABOUT).is_file():
            self._send(self.library / ABOUT, ABOUT, there)
        for folder, ending in (("catalogue", ".jsonl"), ("packs", ".zst"), (VERDICTS, ".jsonl")):
            for file in _whole(self.library / folder, ending):
                self._send(file, f"{folder}/{file.name}", there)
        for file in _whole(self.library / "notes", notes.ENDING):
            self._send(file, _named_by_content(file), there)

    def keep_verdicts(self, lines: bytes) -> None:
        """Keeps lines of verdicts, in a file of their own, which goes with the next `send`."""
        name = f"{time.time_ns():020}-{hashlib.blake2b(lines, digest_size=8).hexdigest()}.jsonl"
        (self.library / VERDICTS).mkdir(exist_ok=True)
        write_aside(self.library / VERDICTS / name, [lines])

    def fetch_made(self, what: str, of: Mapping[str, str]) -> None:
        """Fetches what was made of packs (`what`: facts, sums) and is there, each as a folder in `what`.

        `of`: a pack's name without its ending -> of what it was made (version, digest).
        """
        there = {name.rpartition("~")[0]: name for name in self._look() if name.startswith(f"{what}/")}
        for stem, basis in of.items():
            name = there.get(f"{what}/{basis}/{stem}")
            if name is not None:
                packed = self.library / "making" / f"{stem}.tar"
                self.bucket.get(name, packed)
                _unpack(packed, self.library / what / stem)

    def send_made(self, what: str, of: Mapping[str, str]) -> None:
        """Sends what was made of packs and the bucket has not, each folder as one object; see `fetch_made`."""
        there = self._look()
        have = {name.rpartition("~")[0] for name in there}
        for stem, basis in of.items():
            if f"{what}/{basis}/{stem}" not in have:
                packed = _pack(self.library / what / stem, self.library / "making" / f"{stem}.tar")
                self._send(packed, f"{what}/{basis}/{stem}~{_digest(packed)}.tar", there)
                packed.unlink()

    def _look(self) -> set[str]:
        names = self.bucket.names()
        self._sent = set(names)
        known = _there(self.library)
        packs = [PurePosixPath(name).name for name in names if name.startswith("packs/")]
        if packs != known.packs:
            self._note(_There(packs, known.notes))
        return self._sent

    def _note(self, there: _There) -> None:
        (self.library / THERE).parent.mkdir(exist_ok=True)
        write_aside(self.library / THERE, [msgspec.json.encode(there)])

    def _fetch(self, there: set[str]) -> None:
        merged = _there(self.library).notes
        for name in sorted(there):
            folder = name.partition("/")[0]
            path = self.library / name
            if (name == ABOUT or folder in ("catalogue", VERDICTS)) and not path.exists():
                self.bucket.get(name, path)
            elif folder == "notes" and name not in merged:
                self._merge_notes(name)
                merged.append(name)
        self._note(_There(_there(self.library).packs, merged))

    def _merge_notes(self, name: str) -> None:
        fetched = self.library / "making" / name.replace("/", "-")
        self.bucket.get(name, fetched)
        for game, found in notes.read_notes(fetched).items():
            (self.library / "notes").mkdir(exist_ok=True)
            notes.add_notes(self.library / "notes" / f"{game}{notes.ENDING}", {game: found})
        fetched.unlink()

    def _send(self, file: Path, name: str, there: set[str]) -> None:
        if name not in there:
            self.bucket.put(file, name)
            there.add(name)


def _whole(folder: Path, ending: str) -> list[Path]:
    """The files of a folder that are there under their final names."""
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if file.name.endswith(ending) and not file.name.startswith("."))


def _named_by_content(file: Path) -> str:
    """The name of an object of notes: a file of notes that changes is another object."""
    return f"notes/{file.name.removesuffix(notes.ENDING)}~{_digest(file)}{notes.ENDING}"


def _digest(file: Path) -> str:
    """What tells one object from another of the same kind."""
    return hashlib.blake2b(file.read_bytes(), digest_size=8).hexdigest()


def _pack(folder: Path, to: Path) -> Path:
    """The files of a folder as one tar."""
    import tarfile

    with tarfile.open(to, "w") as packed:
        for file in sorted(folder.iterdir()):
            packed.add(file, file.name, filter=_plain)
    return to


def _plain(entry: Any) -> Any:
    entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = 0, 0, 0, "", ""
    return entry


def _unpack(packed: Path, to: Path) -> None:
    """The files of a tar in a folder, which is there when it is whole, in place of what was there."""
    import tarfile

    part = to.with_name(f".{to.name}.{os.getpid()}.part")
    try:
        part.mkdir(parents=True)
        with tarfile.open(packed) as found:
            found.extractall(part, filter="data")
        shutil.rmtree(to, ignore_errors=True)
        os.replace(part, to)
    except (tarfile.TarError, OSError):
        pass  # as if it were not there: it is made anew
    finally:
        shutil.rmtree(part, ignore_errors=True)
        packed.unlink(missing_ok=True)
