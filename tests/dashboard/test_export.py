"""A replay as one file: offline, under its own strict policy; what it holds and gives back; each of its frames."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard import export, viewer
from dashboard.viewer import notes_data
from engine.fold import empty_state, fold
from engine.view import view
from events.game import GameLog
from events.kinds import CardIdentified, CardsMade
from events.open import read_games
from events.record import LogError
from replays.cli import main
from replays.store.archives import games_from
from replays.store.library import Library
from replays.store.notes import merge, new_note
from replays.store.share import as_seen, export_games, nameless
from replays.view.patches import frame_of
from replays.view.timeline import Timeline
from replays.view.verify import Verdict
from tests.dashboard.conftest import HOSTILE
from tests.dashboard.long_game import long_game

GOLDEN = Path(__file__).parents[1] / "golden"
MOST = 1 << 20


def golden(key: str) -> list[GameLog]:
    """The golden games of a rulebook."""
    return list(read_games(GOLDEN / f"{key}.jsonl"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A library with the golden games of Live On."""
    kept = Library(tmp_path_factory.mktemp("onefile") / "library")
    kept.import_paths([GOLDEN / "liveon.jsonl"])
    return kept


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    """A page without any network, in which no script may fail and no content policy may be broken."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, offline=True, reduced_motion="reduce")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith("file:") else None)
    yield page
    context.close()
    assert wrong == []


def opened(page: Page, path: Path, text: str, step: int | None = None) -> Page:
    """The page with this file open."""
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri() + ("" if step is None else f"#step={step}"))
    expect(page.locator(".cf .app")).to_be_visible()
    return page


SEEN = """(root, data) => {
  const replay = new root.viewer.replay.constructor(JSON.parse(data));
  const pairs = (v) => Array.isArray(v) ? v.map(pairs)
    : v && typeof v === "object" ? Object.keys(v).sort().map((k) => [k, pairs(v[k])]) : v;
  const table = Uint32Array.from({length: 256}, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? 0xEDB88320 ^ (n >>> 1) : n >>> 1;
    return n;
  });
  const sum = (text) => {
    let c = -1;
    for (const byte of new TextEncoder().encode(text)) c = table[(c ^ byte) & 255] ^ (c >>> 8);
    return (c ^ -1) >>> 0;
  };
  const forward = [], sums = [], wrong = [];
  for (let n = 0; n < replay.steps; n++) {
    const frame = replay.frame(n);
    forward.push(JSON.stringify(frame));
    sums.push(sum(JSON.stringify(pairs(frame))));
  }
  for (let n = replay.last; n >= 0; n--) if (JSON.stringify(replay.frame(n)) !== forward[n]) wrong.push(["back", n]);
  for (let i = 0; i < replay.steps; i++) {
    const n = (i * 389) % replay.steps;
    if (JSON.stringify(replay.frame(n)) !== forward[n]) wrong.push(["jump", n]);
  }
  return {wrong, sums};
}"""


def _pairs(value: Any) -> Any:
    if isinstance(value, dict):
        return [[key, _pairs(value[key])] for key in sorted(value)]
    return [_pairs(part) for part in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("key", ["liveon", "xcard", "monbattle"])
def test_every_step_is_the_same_by_jump_forward_and_back_and_as_the_fold_says(
    offline: Page, tmp_path: Path, key: str
) -> None:
    games = golden(key)
    opened(offline, tmp_path / "replay.html", export.replay_page(games[-1]))
    for game in games:
        course = Timeline(game.events, game.rulebook, game.card_sets)
        state, sums = empty_state(course.declared), []
        for event in game.events:
            asked = state.asked
            fold(state, event, course.declared)
            frame = _pairs(msgspec.to_builtins(frame_of(state, event, asked)))
            sums.append(zlib.crc32(json.dumps(frame, separators=(",", ":"), ensure_ascii=False).encode()))
        data = viewer.game_json(course, game, Verdict("unchecked", ""))
        assert offline.locator(".cf").evaluate(SEEN, data) == {"wrong": [], "sums": sums}, game.header.id


@pytest.mark.parametrize("key", ["liveon", "xcard", "monbattle"])
def test_a_file_is_one_megabyte_at_most_and_works_offline_under_its_policy(
    offline: Page, tmp_path: Path, key: str
) -> None:
    game = max(golden(key), key=lambda game: len(game.events))
    text = export.replay_page(game, notes=[new_note(300, "Here it turns.", "Mika", mark="brilliant")])
    assert len(text.encode()) < MOST
    assert "default-src 'none'" in text and "unsafe" not in text
    page = opened(offline, tmp_path / "replay.html", text, 200)
    assert page.evaluate("getComputedStyle(document.querySelector('.cf .dock')).gridArea").startswith("dock")
    for pressed in ("ArrowRight", "ArrowDown", "n", "p", "f", "f", "s", "s", "End", "ArrowUp", "Shift+ArrowLeft", "?"):
        page.keyboard.press(pressed)
    page.keyboard.press("Escape")
    page.locator(".cf [data-tab=notes]").click()
    expect(page.locator(".cf .nt p")).to_have_text("Here it turns.")
    expect(page.locator(".cf .ntf, .cf .add, .cf .seg, .cf .lng")).to_have_count(0)
    expect(page.locator(".cf .sees")).to_have_text("All open")
    styled = page.locator(".cf .le").first.evaluate("row => row.style.length")
    assert styled > 0, "styles that depend on the game are set too"


def test_the_step_is_in_the_address_of_a_file_too(offline: Page, tmp_path: Path) -> None:
    page = opened(offline, tmp_path / "replay.html", export.replay_page(golden("liveon")[1]), 101)
    expect(page.locator(".cf .stp.event b")).to_contain_text("101")
    page.keyboard.press("Shift+ArrowRight")
    step = page.locator(".cf").evaluate("root => root.viewer.n")
    page.wait_for_url(f"**#step={step}")
    page.reload()
    assert page.locator(".cf").evaluate("root => root.viewer.n") == step > 101


@pytest.mark.parametrize("seat", [None, 0, 1])
@pytest.mark.parametrize("way", ["opened", "changed"])
def test_an_address_leads_to_its_step_or_says_that_there_is_none(
    offline: Page, tmp_path: Path, way: str, seat: int | None
) -> None:
    """Whether the file is opened at an address or its address changes in the same tab, as seen by whomever."""
    opened(offline, tmp_path / "replay.html", export.replay_page(golden("liveon")[1], seat))
    root, toast = offline.locator(".cf"), offline.locator(".cf .toast")
    last, first = root.evaluate("({viewer: {replay}}) => [replay.last, replay.turns[0].step]")
    for named, there, step in (
        ("0", True, 0), ("101", True, 101), (str(last), True, last), (str(last + 1), False, last),
        ("99999", False, last), ("-1", False, first), ("1.5", False, first), ("x", False, first), ("", False, first),
    ):  # fmt: skip
        if way == "opened":
            offline.goto("about:blank")  # else it is the same page, at another address
            offline.goto((tmp_path / "replay.html").as_uri() + f"#step={named}")
        else:
            offline.evaluate("document.querySelectorAll('.toast').forEach((toast) => toast.remove())")
            offline.evaluate("(named) => { location.hash = `step=${named}`; }", named)
        expect(offline.locator(".cf .stp.event b")).to_contain_text(f"{step:,} of ")
        assert root.evaluate("root => root.viewer.n") == step
        expect(toast).to_have_count(0 if there else 1)
        if not there:
            expect(toast).to_have_text(f"There is no step {named}: the steps go from 0 to {last}. This is step {step}.")


def test_a_step_put_into_the_address_is_not_written_over_by_the_one_before(offline: Page, tmp_path: Path) -> None:
    """The viewer writes its step into the address a little later; what somebody put there meanwhile stays."""
    opened(offline, tmp_path / "replay.html", export.replay_page(golden("liveon")[1]))
    address = offline.locator(".cf").evaluate("""root => {
      const setTimeout = window.setTimeout;
      let late;
      window.setTimeout = (work) => { late = work; };
      root.viewer.writeAddress();
      window.setTimeout = setTimeout;
      location.hash = "step=99999";
      late();
      return location.hash;
    }""")
    assert address == "#step=99999"


def test_dragging_the_timeline_selects_none_of_its_labels(offline: Page, tmp_path: Path) -> None:
    page = opened(offline, tmp_path / "replay.html", export.replay_page(golden("liveon")[1]))
    labels = page.locator(".cf .tl text").all()
    first, last = labels[1].bounding_box(), labels[-1].bounding_box()
    assert len(labels) > 3 and first and last
    page.mouse.move(first["x"] + 1, first["y"] + 4)
    page.mouse.down()
    page.mouse.move(last["x"] + 4, last["y"] + 6, steps=5)
    page.mouse.up()
    assert page.evaluate("getSelection().toString()") == ""
    assert page.locator(".cf").evaluate("root => root.viewer.n") > 0


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_save_log_gives_the_log_back_byte_by_byte(
    offline: Page, tmp_path: Path, library: Library, seat: int | None
) -> None:
    entry = min(library.games(state="whole"), key=lambda entry: entry.records)
    page = opened(offline, tmp_path / "replay.html", export.replay_page(library.read(entry), seat))
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Save the log").click()
    assert download.value.suggested_filename.endswith(".jsonl")
    export_games(library, [entry.id], tmp_path / "exported.jsonl", seat=seat)
    assert Path(download.value.path()).read_bytes() == (tmp_path / "exported.jsonl").read_bytes()


def test_a_file_of_one_seat_holds_nothing_that_it_did_not_know(offline: Page, tmp_path: Path) -> None:
    game = golden("liveon")[1]
    page = opened(offline, tmp_path / "replay.html", export.replay_page(game, 0))
    expect(page.locator(".cf .sees")).to_have_text(f"As {game.header.seats[0].player} saw it")
    data = json.loads(page.locator("#game").text_content() or "")
    seen = view(game.events, 0, Timeline(game.events, game.rulebook, game.card_sets).declared)
    told = {e.code for e in seen if isinstance(e, CardIdentified)}
    told |= {code for e in seen if isinstance(e, CardsMade) for code in e.codes if code}
    assert set(data["cards"]) == told
    assert str(game.header.seed) not in (page.locator("#game").text_content() or "")
    held = json.loads(page.locator("#log").text_content() or "")["text"]
    [kept] = read_games(held.encode())
    assert kept.events[1:-1] == seen[1:]


@pytest.mark.parametrize("seat", [None, 0, 1])
@pytest.mark.parametrize("anonymous", [False, True])
@pytest.mark.parametrize("key", ["liveon", "xcard", "monbattle"])
def test_a_file_is_read_as_the_log_that_it_holds(tmp_path: Path, key: str, anonymous: bool, seat: int | None) -> None:
    game = golden(key)[0]
    text = export.replay_page(game, seat, anonymous=anonymous)
    held = game if seat is None else as_seen(game, seat)
    held = next(nameless([held])) if anonymous else held
    file = tmp_path / "replay.html"
    file.write_text(text, encoding="utf-8")
    for source in (file, text.encode(), b"\xef\xbb\xbf\r\n" + text.encode()):
        (found,) = read_games(source)
        assert (found.text, found.shared, found.sealed, found.fault) == (held.text, held.shared, True, None)


@pytest.mark.parametrize(("part", "said"), [
    (b'id="log"', "this is a page that holds no log; Cardfold reads Cardfold logs."),
    (b'"text":"{', "this is a replay in one file, but the log in it is damaged: "),
])  # fmt: skip
def test_a_page_without_a_log_or_with_a_damaged_one_is_called_so(part: bytes, said: str) -> None:
    text = export.replay_page(golden("xcard")[0]).encode()
    assert part in text
    with pytest.raises(LogError, match=re.escape(f"replay.html: {said}")):
        list(read_games(text.replace(part, b"x"), name="replay.html"))
    (cut,) = read_games(text.replace(b"game_ended", b"game_3nded"))
    assert cut.fault is not None and not cut.sealed


def test_notes_stay_with_those_who_may_read_them(library: Library) -> None:
    game = golden("liveon")[1]
    notes = [new_note(200, "He holds the ox."), new_note(150, "I am afraid.", view=0), new_note(9, "Gone.")]
    notes.append(new_note(9, "", change=notes[-1]))
    held = merge({"g": notes})["g"]

    def shown(seat: int | None) -> dict[str, int]:
        course = viewer.timeline_of(game, seat)
        return {note["text"]: note["n"] for note in notes_data(course, game, held)}

    seen = viewer.timeline_of(game, 0).full
    assert seen is not None
    assert shown(None) == {"He holds the ox.": 200, "I am afraid.": seen[150]}
    assert shown(0) == {"I am afraid.": 150}
    assert shown(1) == {}
    assert "He holds the ox" not in export.replay_page(game, 0, notes=held)


def test_a_file_without_names_has_none_of_them() -> None:
    game = golden("liveon")[1]
    text = export.replay_page(game, anonymous=True)
    assert '"Player 1"' in text
    assert not any(f'"{seat.player}"' in text for seat in game.header.seats)


def test_no_name_can_end_the_data(offline: Page, tmp_path: Path) -> None:
    game = golden("liveon")[5]
    bad = f"</script><script>window.caught=1</script>{HOSTILE}"
    seats = tuple(msgspec.structs.replace(seat, player=bad) for seat in game.header.seats)
    game.events[0] = msgspec.structs.replace(game.header, seats=seats)
    notes = [new_note(0, bad, bad, mark="blunder")]
    page = opened(offline, tmp_path / "replay.html", export.replay_page(game, notes=notes), len(game.events) - 1)
    expect(page.locator(".cf .side.top .pname")).to_have_text(bad)
    page.locator(".cf [data-tab=notes]").click()
    expect(page.locator(".cf .nt p")).to_have_text(bad)
    assert page.evaluate("window.caught") is None
    assert page.locator(".cf img").count() == 0
    assert page.title().endswith(bad[:80])


def test_the_command_writes_a_file_and_says_what_is_wrong_in_a_sentence(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    entry = next(iter(library.entries()))
    library.add_notes({library.read(entry).header.match or entry.key: [new_note(5, "Look here.")]})

    def export(*more: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["cardfold", "export", "--library", str(library.path), *more])
        with pytest.raises(SystemExit) as left:
            main.main()
        return int(left.value.code or 0), capfd.readouterr().err

    to = tmp_path / "game.html"
    code, said = export(entry.id, "--html", str(to), "--with-notes", "--language", "ja")
    assert code == 0, said
    assert "Look here." in to.read_text() and '<html lang="ja">' in to.read_text()
    code, said = export(entry.id, "--html", str(to))
    assert code == 2 and "is there already" in said and "Traceback" not in said
    code, said = export(entry.id)
    assert code == 2 and "give one file to write to" in said


@pytest.mark.parametrize("seat", [None, 0, 1])
@pytest.mark.parametrize("way", ["the file", "gzip", "zip", "a stream"])
def test_notes_in_a_file_come_back_with_its_game(tmp_path: Path, seat: int | None, way: str) -> None:
    log = golden("liveon")[0] if seat is None else as_seen(golden("liveon")[0], seat)
    notes = [new_note(n, f"As {view} sees it", view=view) for n, view in enumerate((None, 0, 1), 5)]
    shown = [note.text for note in notes if seat is None or note.view == seat]
    data, file = export.replay_page(log, notes=notes).encode(), tmp_path / "replay.html"
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("deep/replay.html", data)
    file.write_bytes({"gzip": gzip.compress(data), "zip": archive.getvalue()}.get(way, data))
    kept = Library(tmp_path / "library")
    report = kept.import_paths([io.BytesIO(data) if way == "a stream" else file])
    assert (report.new, report.refused, report.notes) == (1, 0, 1)
    (entry,) = kept.games()
    assert [note.text for held in kept.notes(entry).values() for note in held] == shown
    texts = [game.text for game in games_from("a file", file)]
    assert texts == [kept.read(entry).text], "no other door minds the notes"


@pytest.mark.parametrize("notes", ["5", '"x"', "[]", '{"notes":99,"games":{}}', '{"notes":1,"games":{"":[]}}'])
def test_notes_that_cannot_be_read_cost_no_game(tmp_path: Path, notes: str) -> None:
    log = golden("liveon")[0]
    text = export.replay_page(log, notes=[new_note(5, "x")])
    start, end = text.index(',"notes":', text.index('id="log"')) + 9, text.index("}</script>", text.index('id="log"'))
    kept = Library(tmp_path / "library")
    report = kept.import_paths([io.BytesIO((text[:start] + notes + text[end:]).encode())])
    assert (report.new, report.refused, report.notes) == (1, 1, 0)
    assert report.found[-1].file == "the notes in standard input" and report.found[-1].reason.endswith(".")


def test_the_policy_of_a_file_lets_no_other_script_run(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    opened(page, tmp_path / "replay.html", export.replay_page(golden("liveon")[5]))
    refused = page.evaluate(
        """() => new Promise((done) => {
          addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
          const script = document.createElement("script");
          script.textContent = "window.caught = 1";
          document.body.append(script);
        })"""
    )
    assert refused.startswith("script-src") and page.evaluate("window.caught") is None
    page.close()


def test_a_game_of_three_thousand_records_opens_and_every_key_press_arrives(offline: Page, tmp_path: Path) -> None:
    game = long_game()
    assert len(game.events) > 3000
    page = opened(offline, tmp_path / "replay.html", export.replay_page(game))
    stops = [action.stop for action in Timeline(game.events, game.rulebook, game.card_sets).actions]
    page.keyboard.press("Home")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    assert page.locator(".cf").evaluate("root => root.viewer.n") == [stop for stop in stops if stop > 0][19]
    page.keyboard.press("End")
    expect(page.locator(".cf .stp.event b")).to_have_text(f"{len(game.events) - 1:,} of {len(game.events) - 1:,}")
    expect(page.locator(".cf .le.now")).to_be_in_viewport()
    page.keyboard.press("Shift+ArrowLeft")
    assert page.locator(".cf").evaluate("root => root.viewer.n") < len(game.events) - 1
