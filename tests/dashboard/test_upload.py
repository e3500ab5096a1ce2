"""Files that are dropped on the Library: each kind is told apart, nothing refused is kept, nothing runs."""

from __future__ import annotations

import gzip
import io
import os
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from dashboard.background.jobs import jobs_of
from events.game import write_game
from replays.store.library import Library
from tests.dashboard.conftest import HOSTILE
from tests.dashboard.test_pages import ids, opened
from tests.events import highcard

PATIENCE = 30_000
LOG = write_game((*highcard.SHARED, highcard.game(3, id="a1")))
OTHER = write_game((*highcard.SHARED, highcard.game(4, id="b2")))


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    kept = Library(tmp_path / "library")
    monkeypatch.setenv("CARDFOLD_HOME", str(kept.path))
    yield kept
    jobs_of.cache_clear()


def dropped(*files: tuple[str, bytes]) -> AppTest:
    """The Library after these files were dropped on it, and have been looked at."""
    app = opened()
    app.file_uploader[0].set_value([(name, data, "") for name, data in files]).run()
    assert not app.exception
    jobs = jobs_of(Path(os.environ["CARDFOLD_HOME"]))
    waited = time.monotonic()
    while jobs.going_on():
        assert time.monotonic() - waited < 60
        time.sleep(0.05)
    app.run()
    assert not app.exception
    return app


def said(app: AppTest) -> str:
    return next(text.value for text in app.caption if "refused" in text.value)


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


ACCEPTED: dict[str, tuple[str, bytes]] = {
    "a log": ("a.jsonl", LOG),
    "a log under any name": ("letter.txt", LOG),
    "with a byte order mark": ("a.jsonl", b"\xef\xbb\xbf" + LOG),
    "with lines of Windows": ("a.jsonl", LOG.replace(b"\n", b"\r\n")),
    "without its last line end": ("a.jsonl", LOG.rstrip(b"\n")),
    "packed": ("a.jsonl.gz", gzip.compress(LOG)),
    "in an archive": ("a.zip", zipped(**{"deep/in/it.jsonl": LOG})),
    "in an archive that points outside": ("a.zip", zipped(**{"../../outside.jsonl": LOG})),
}  # fmt: skip
REFUSED: dict[str, tuple[str, bytes]] = {
    "empty": ("a.jsonl", b""),
    "text": ("README.md", b"# Hello\n"),
    "a script": (HOSTILE + ".jsonl", b"<script>window.caught=1</script>"),
    "binary": ("a.jsonl", bytes(range(256)) * 40),
    "other JSON": ("a.jsonl", b'{"kind":"something","of":"else"}\n'),
    "a page": ("a.html", b"<!doctype html><title>x</title><script>window.caught=1</script>"),
    "an archive of nothing": ("a.zip", zipped()),
    "a broken archive": ("a.zip", zipped(**{"a.jsonl": LOG})[:-30]),
    "a broken pack": ("a.jsonl.zst", b"\x28\xb5\x2f\xfd" + bytes(60)),
    "one endless line": ("a.jsonl", b'{"kind":"game_started","' + b"x" * 3_000_000),
    "a bomb": ("a.jsonl.gz", gzip.compress(bytes(80_000_000), 9)),
    "of a newer protocol": ("a.jsonl", LOG.replace(b'"protocol":"', b'"protocol":"99.', 1)),
}  # fmt: skip


def kept_files(library: Library) -> set[str]:
    """What lies in the library, but for the list of its jobs."""
    return {
        str(file.relative_to(library.path)) for file in library.path.rglob("*")
        if file.is_file() and file.parent.name != "jobs" and file.name not in ("lock", "dashboard.log")
    }  # fmt: skip


@pytest.mark.parametrize("kind", ACCEPTED)
def test_a_log_is_taken_in_in_whatever_wrapping(library: Library, kind: str) -> None:
    app = dropped(ACCEPTED[kind])
    assert said(app).startswith("1 new, 0 there already, 0 in part, 0 refused")
    assert ids(app) == ["a1"]
    assert not (library.path.parent / "outside.jsonl").exists()
    assert not list(library.making.glob("upload-*")), "the upload itself is not kept"


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_game_is_refused_with_its_reason_and_not_kept(library: Library, kind: str) -> None:
    before = kept_files(library)
    app = dropped(REFUSED[kind])
    assert said(app).startswith("0 new, 0 there already, 0 in part, 1 refused")
    (row,) = app.dataframe[0].value.to_dict("records")
    assert row["Outcome"] == "refused" and len(row["Why"]) > 10
    assert "Traceback" not in row["Why"] and "Error" not in row["Why"]
    assert kept_files(library) == before and ids(app) == []


def test_a_report_of_many_says_what_became_of_each(library: Library) -> None:
    library.import_paths([io.BytesIO(LOG)])
    app = dropped(("again.jsonl", LOG), ("cut.jsonl", OTHER[:-300]), ("x.txt", b"dear"))
    assert said(app) == "0 new, 1 there already, 1 in part, 1 refused."
    told = {row["File"]: row["Outcome"] for row in app.dataframe[0].value.to_dict("records")}
    assert told == {"again.jsonl": "there already", "cut.jsonl": "in part", "x.txt": "refused"}
    assert set(ids(app)) == {"a1", "b2"}


def test_a_full_disk_is_said(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dashboard.background.kinds.shutil.copyfileobj", full)
    app = opened()
    app.file_uploader[0].set_value([("a.jsonl", LOG, "")]).run()
    assert not app.exception and "No space left on device" in app.error[0].value
    assert not list(library.making.glob("upload-*"))


def test_from_an_empty_library_over_an_upload_to_a_finding(page: Page, empty: str, library_path: Path) -> None:
    packs = [str(pack) for pack in sorted((library_path / "packs").iterdir())]
    page.goto(empty)
    page.get_by_role("link", name="Add files of games").click()
    expect(page.get_by_role("heading", name="Library")).to_be_visible(timeout=PATIENCE)
    page.locator("input[type=file]").set_input_files(packs)
    expect(page.locator(".cf tbody tr")).to_have_count(15, timeout=60_000)
    expect(page.get_by_text("15 games", exact=True)).to_be_visible(timeout=PATIENCE)
    assert page.get_by_text(", 0 refused").count() == 1
    page.get_by_role("link", name="Start").click()
    expect(page.locator(".pictures li").first).to_be_visible(timeout=PATIENCE)
    page.locator("[class*=st-key-door_cards] a").click()
    expect(page.get_by_role("heading", name="Cards", exact=True)).to_be_visible(timeout=PATIENCE)
    expect(page.locator("[data-testid=stPlotlyChart]").first).to_be_visible(timeout=PATIENCE)
    where = page.url
    page.goto(where)
    expect(page.locator("[data-testid=stPlotlyChart]").first).to_be_visible(timeout=PATIENCE)
    assert page.url == where
    assert page.evaluate("window.caught") is None
