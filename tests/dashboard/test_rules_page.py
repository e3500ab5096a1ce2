"""The page of the rules: each numbered rule is there under its id, words are explained, ids elsewhere lead to it."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dashboard import rule_book
from engine.rulebooks import registry
from engine.words import LANGUAGES
from tests.conftest import ROOT, RULE
from tests.dashboard.conftest import HOSTILE
from tests.dashboard.test_pages import opened


def known(game: str) -> list[str]:
    """The ids that `pytest --rules` knows."""
    return RULE.findall((ROOT / "engine" / "rulebooks" / game / "RULES.md").read_text("utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", registry.GAMES)
def test_each_rule_is_on_the_page_once_and_no_other(game: str, language: str) -> None:
    page = rule_book.page_html(game, language)
    assert re.findall(r'<article class="rule" id="([^"]+)"', page) == known(game)


@pytest.mark.parametrize("game", registry.GAMES)
def test_no_word_of_a_rule_is_lost_on_the_page(game: str) -> None:
    """All that RULES.md says of a rule, less its markup."""
    page = rule_book.page_html(game, "en")
    for rule, text in rule_book.rule_texts(game).items():
        (shown,) = re.findall(rf'id="{rule}".*?<p>(.*?)</p></article>', page)
        assert html.unescape(re.sub(r"<[^>]+>", "", shown)) == re.sub(r"[*`]", "", text)


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_rule_that_is_named_in_another_one_is_a_link_to_it(game: str) -> None:
    page = rule_book.page_html(game, "en")
    assert set(re.findall(r'href="#([A-Z]{2}-\d\d)"', page)) <= set(known(game))
    assert len(re.findall(r'<a href="#', page)) > 5


@pytest.mark.parametrize("game", registry.GAMES)
def test_each_word_is_explained_by_a_rule_and_is_met_in_the_text(game: str) -> None:
    page = rule_book.page_html(game, "ja")
    told = re.findall(r'data-said="([^"]+)"', page)
    for key, term in rule_book.game_terms(game).items():
        assert term.rule in known(game), key
        assert all(term.called(language) for language in LANGUAGES)
        said = html.escape(f"{term.called('ja')} · {term.rule}: ")
        forms = "|".join(map(re.escape, (term.en, *term.forms)))
        titles = " ".join(section.title for section in rule_book.sections(game))
        own = re.search(forms, f"{titles} {rule_book.rule_texts(game)[term.rule]}", re.IGNORECASE)
        assert own or any(one.startswith(said) for one in told), f"{key} is never met"


def test_what_is_searched_for_is_no_markup_and_finds_rules_by_words_and_number() -> None:
    assert rule_book.page_html("liveon", "en", HOSTILE) == ""
    found = re.findall(r'<article class="rule" id="([^"]+)"', rule_book.page_html("liveon", "en", "no limit HAND"))
    assert len(found) >= 1 and all("limit" in rule_book.rule_texts("liveon")[rule] for rule in found)
    number = known("liveon")[4]
    assert f'id="{number}"' in rule_book.page_html("liveon", "en", number.lower())


def test_a_game_without_numbered_rules_has_an_empty_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caches = (rule_book.sections, rule_book.rule_texts, rule_book.game_terms, rule_book._forms)
    for one in caches:
        one.cache_clear()
    monkeypatch.setattr(registry.game_type("liveon"), "folder", tmp_path)
    assert rule_book.page_html("liveon", "en") == "" and "<tr>" not in rule_book.terms_html("liveon", "en")
    (tmp_path / "RULES.md").write_text("- **AB-01** First, see AB-02.\n\n## More\n- **AB-02** Then.\n")
    for one in caches:
        one.cache_clear()
    page = rule_book.page_html("liveon", "en")
    assert 'id="AB-01"' in page and '<a href="#AB-02">' in page
    for one in caches:
        one.cache_clear()


def test_a_rule_id_in_a_sentence_leads_to_its_rule_and_nothing_else_does() -> None:
    rule = known("xcard")[0]
    assert f"](/rules?rule={rule})" in rule_book.linked(f"That may not be ({rule})")
    text = f"UTF-16 and {rule}0 and <b> [x](http://evil)"
    assert "](" not in rule_book.linked(text).replace("\\]\\(", "")


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_link_to_a_rule_opens_its_game(home: Path, game: str) -> None:
    rule = known(game)[-1]
    app = opened("rules", rule=rule)
    assert not app.exception and app.selectbox(key="address_game").value == game
    assert f'class="rule now" id="{rule}"' in str([one.proto.body for one in app.get("html")])


def test_a_rule_that_is_not_there_is_a_sentence(home: Path) -> None:
    for wrong in ("ZZ-99", HOSTILE, "../../etc"):
        app = opened("rules", rule=wrong)
        assert not app.exception and len(app.warning) == 1
        assert all(HOSTILE not in one.proto.body for one in app.get("html"))


def test_the_browser_goes_to_the_rule_and_explains_words_where_one_points(server: str, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    rule = known("monbattle")[-3]
    page.goto(f"{server}/rules?rule={rule}")
    expect(page.locator(f"#{rule}")).to_be_in_viewport(timeout=30_000)
    expect(page.locator("article.rule")).to_have_count(len(known("monbattle")))
    term = page.locator(".term").first
    term.scroll_into_view_if_needed()
    term.hover()
    shown = term.evaluate("(node) => getComputedStyle(node, '::after').content")
    assert term.get_attribute("data-said", timeout=5000) in shown.replace('\\"', '"')
    link = page.locator('.rules p a[href^="#"]').first
    link.click()
    expect(page.locator(link.get_attribute("href") or "")).to_be_in_viewport()
    assert all(url.startswith((server, "data:", "blob:")) for url in asked)
