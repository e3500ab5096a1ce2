"""Words of viewer and pages: none is missing in a language, and each one that is asked for is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dashboard import viewer, words
from engine.words import LANGUAGES, placeholders
from replays.stats.warehouse import SQL
from replays.store.verdicts import TRUST
from replays.view.verify import REASONS

DASHBOARD = Path(words.__file__).parent
FILES = {
    "viewer": DASHBOARD / "viewer" / "words.toml", "pages": words.PAGES, "play": DASHBOARD / "play" / "words.toml",
    **{file.stem: file for file in words.MORE_PAGES},
}


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_no_language_lacks_a_word(file: Path) -> None:
    assert words.missing_words(file) == []


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_a_word_has_the_same_places_to_fill_in_every_language(file: Path) -> None:
    said = words.own_words(file)
    for name, own in said.items():
        for key, pattern in own.items():
            assert set(placeholders(pattern)) == set(placeholders(said["en"][key])), f"{name}: {key}"


def test_a_missing_word_is_english_and_reported(tmp_path: Path) -> None:
    file = tmp_path / "words.toml"
    file.write_text('[en]\nplay = "Play"\nstop = "Stop"\n[ja]\nplay = "再生"\n', encoding="utf-8")
    assert words.by_language(file)["ja"] == {"play": "再生", "stop": "Stop"}
    assert "ja: stop" in words.missing_words(file) and "ja: play" not in words.missing_words(file)


def test_the_viewer_has_every_word_that_it_says() -> None:
    said = re.findall(r"chrome\.(\w+)", viewer.javascript())
    assert len(said) > 50
    assert set(said) <= set(viewer.viewer_words()["en"])


def test_the_page_on_which_one_plays_has_every_word_that_it_says_and_no_other() -> None:
    play = DASHBOARD / "play"
    code = "\n".join((play / name).read_text("utf-8") for name in ("play.js", "routes.py", "hosting.py", "position.py"))
    known = set(words.own_words(FILES["play"])["en"])
    assert set(re.findall(r"says\.(\w+)", code)) <= known
    assert set(re.findall(r'Refused\(\d+, "(\w+)"\)', code)) <= known
    assert {key for key in known if not re.search(rf"\b{key}\b", code)} == {"waits_computer", "waits_person"}


def test_every_reason_of_a_verdict_has_a_sentence_in_every_language() -> None:
    for language, said in words.own_words(FILES["viewer"]).items():
        assert {f"found_{reason}" for reason in REASONS} == {key for key in said if key.startswith("found_")}, language
        for reason, about in REASONS.items():
            assert set(placeholders(said[f"found_{reason}"])) == set(about) - {"detail"}, (language, reason)


def test_the_pages_have_every_word_that_they_say() -> None:
    paths = [*DASHBOARD.glob("*.py"), *DASHBOARD.glob("views/*.py")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    said = re.findall(r"\bt\(\s*[\"'](\w+)[\"']", code)
    assert len(said) > 30
    assert set(said) <= set(words.page_words("en"))


def test_no_two_files_of_the_pages_have_a_word_of_one_name() -> None:
    keys = [key for file in (words.PAGES, *words.MORE_PAGES) for key in words.own_words(file)["en"]]
    assert sorted(set(keys)) == sorted(keys)


def test_every_page_has_a_title_and_the_start_comes_first() -> None:
    assert words.menu()[0] == "start"
    assert {f"{name}.py" for name in words.menu()} == {path.name for path in (DASHBOARD / "views").glob("*.py")}


@pytest.mark.parametrize(
    ("locale", "language"),
    [("ja-JP", "ja"), ("zh-TW", "zh-Hant"), ("zh-Hant-HK", "zh-Hant"), ("zh-CN", "zh-Hans"), ("zh", "zh-Hans"),
     ("de-DE", "en"), ("", "en"), (None, "en")],
)  # fmt: skip
def test_the_browsers_language_is_taken_where_there_are_words_in_it(locale: str | None, language: str) -> None:
    assert words.nearest(locale) == language


def test_what_is_known_of_a_game_has_a_word() -> None:
    for language in LANGUAGES:
        assert {*TRUST, "live", "own", "waiting"} <= set(words.page_words(language)), language


def test_each_reason_to_leave_a_game_out_has_a_word() -> None:
    text = (SQL / "tables" / "games.sql").read_text(encoding="utf-8")
    reasons = {*re.findall(r"then '(\w+)'", text), "removed", *TRUST} - {"verified"}
    for language in LANGUAGES:
        said = {key.removeprefix("left_") for key in words.page_words(language) if key.startswith("left_")}
        assert said == reasons, language
