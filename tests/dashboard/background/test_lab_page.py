"""The page of balance labs: a change is chosen by fields of a card, and what a lab has found is told."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import msgspec
import pandas as pd
import pytest

from dashboard.background import jobs as jobs_module
from dashboard.background.jobs import jobs_of
from dashboard.background.kinds import Build, Lab
from dashboard.charts import ranking
from dashboard.i18n import literal
from dashboard.words import page_words
from engine.rulebooks import registry
from engine.words import LANGUAGES
from replays.play.lab import changeable, changed_cards
from replays.store.library import Library
from tests.dashboard.background.test_jobs import plan
from tests.dashboard.background.test_page import said
from tests.dashboard.test_pages import opened


@pytest.mark.parametrize("key", registry.GAMES)
def test_each_field_that_is_offered_can_be_set_to_what_is_seen_there(key: str) -> None:
    rules = registry.load(key)
    kinds = {definition.kind: code for code, definition in rules.cards.items()}
    offered = {(code, path): field for code in kinds.values() for path, field in changeable(rules, code).items()}
    assert len(offered) > 5
    for (code, path), (printed, seen) in offered.items():
        value = next((one for one in seen if one != printed), printed)
        change = f"{code}:{path}={str(value).lower() if isinstance(value, bool) else value}"
        (card,) = changed_cards(rules, [change]).values()
        for step in path.split("."):
            card = card[step]
        assert card == value
        assert (printed is None) == (path not in dict(_flat(rules.cards[code].printed)))


def _flat(printed: object) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for name, value in msgspec.to_builtins(printed).items():
        inner = value.items() if isinstance(value, dict) else ()
        found += [(f"{name}.{key}", one) for key, one in inner] or [(name, value)]
    return found


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """An empty one, which the pages read; no job gets its turn."""
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path))
    monkeypatch.setattr(jobs_module, "MOST_RUNNING", 0)
    return Library(tmp_path)


@pytest.mark.parametrize("at_once", [False, True])
def test_a_lab_is_begun_as_it_was_chosen_with_several_changes(library: Library, at_once: bool) -> None:
    """`at_once`: the button is pressed before the page has been drawn with the last choices."""
    rules = registry.load("xcard")
    held = {code for deck in rules.shipped_decks() for code in deck.cards}
    code = next(code for code in sorted(held) if rules.cards[code].kind == "character")
    app = opened("lab")
    assert "Choose another value" in said(app) and app.button(key="lab_start").disabled
    app.selectbox(key="lab_game").set_value("xcard").run()
    app.selectbox(key="lab_card_xcard").set_value(code).run()
    app.selectbox(key=f"lab_field_{code}").set_value("atk").run()
    app.number_input(key=f"lab_value_{code}_atk").set_value(1234).run()
    app.button(key="lab_another").click().run()
    app.selectbox(key=f"lab_field_{code}").set_value("mark").run()
    value = next(one for one in ("link", "cooperate") if one != changeable(rules, code)["mark"].printed)
    app.selectbox(key=f"lab_value_{code}_mark").set_value(value).run()
    app.number_input(key="lab_count").set_value(77)
    app.number_input(key="lab_until").set_value(2.5)
    if not at_once:
        app.run()
    app.button(key="lab_start").click().run()
    assert not app.exception and not app.warning
    (job,) = jobs_of(library.path).listed()
    assert isinstance(job.work, Lab)
    assert job.work.changes == (f"{code}:atk=1234", f"{code}:mark={value}")
    assert (job.work.plan.game, job.work.plan.count, job.work.until) == ("xcard", 77, 0.025)
    words = shlex.split(app.code[0].value)
    assert words[:3] == ["cardfold", "lab", "xcard"] and words.count("--change") == 2
    app.button(key=f"lab_not_{code}:atk=1234").click().run()
    assert f"{code}:atk" not in app.code[0].value


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Lab]:
    """A library with a lab that was played."""
    library = Library(tmp_path_factory.mktemp("lab") / "library")
    game = registry.load("monbattle")
    code = next(c for c in game.shipped_decks()[0].cards if "atk" in game.cards[c].stats)
    work = Lab(plan(30), (f"{code}:atk=5000",))
    work.carry_out(library, lambda stage, done, total: None)
    return library.path, work


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_lab_found_is_told_in_every_language(
    found: tuple[Path, Lab], monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("CARDFOLD_HOME", str(found[0]))
    app = opened("lab", language=language)
    assert not app.exception
    decks, cards, games, length = (frame.value for frame in app.dataframe[-4:])
    assert {"difference", "low", "high", "narrower"} <= set(decks) & set(cards) & set(games) and len(length) == 1
    assert (decks["low"] <= decks["difference"]).all() and (decks["difference"] <= decks["high"]).all()
    assert any(f"**{length['games'][0]}**" in text.value for text in app.markdown)
    words, labels = page_words(language), [button.label for button in app.get("download_button")]
    assert {words["lab_pack_printed"], words["lab_pack_changed"]} <= set(labels)


def test_a_lab_can_be_sent_as_a_link_and_one_that_is_not_there_is_a_sentence(
    found: tuple[Path, Lab], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDFOLD_HOME", str(found[0]))
    name = found[1].folder(Library(found[0])).name
    app = opened("lab", lab=name)
    assert app.selectbox(key="address_lab").value == name and not app.warning
    for wrong in ("../../etc", "nothing-here"):
        assert any(literal(wrong) in one.value for one in opened("lab", lab=wrong).warning)


def test_a_lab_that_was_counted_by_another_version_is_counted_anew_by_a_click(
    found: tuple[Path, Lab], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(shutil.copytree(found[0], tmp_path / "library"))
    monkeypatch.setenv("CARDFOLD_HOME", str(path))
    monkeypatch.setattr(jobs_module, "MOST_RUNNING", 0)
    name = found[1].folder(Library(path)).name
    counted = path / "labs" / name / "games" / "warehouse.duckdb"
    counted.write_bytes(b"of long ago")
    app = opened("lab", lab=name)
    assert not app.exception and app.warning
    app.button(key="count").click().run()
    (job,) = jobs_of(path).listed()
    assert job.work == Build(name)
    job.work.carry_out(Library(path), lambda stage, done, total: None)
    assert counted.stat().st_size > 1000 and not opened("lab", lab=name).warning
    jobs_of(path).stop(job.id)


def test_the_chart_draws_each_interval_as_it_was_reckoned() -> None:
    rows = pd.DataFrame({
        "label": ["sure", "unsure"], "value": [5.0, 1.0], "low": [2.0, -3.0], "high": [8.0, 5.0],
        "narrower": [2.0, 1.5], "games": [400, 300], "sure": [True, False], "key": "",
    })  # fmt: skip
    unpaired, sure, unsure, _ = ranking.paired(rows, "points", page_words("en")).data
    assert list(unpaired.error_x.array) == pytest.approx([6.0, 6.0])
    assert (sure.x[0], sure.error_x.array[0], sure.error_x.arrayminus[0]) == pytest.approx((5, 3, 3))
    assert (unsure.x[0], unsure.error_x.array[0], unsure.error_x.arrayminus[0]) == pytest.approx((1, 4, 4))
    assert sure.name == "certain" and unsure.marker.symbol == "circle-open"
